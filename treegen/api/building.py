"""Building trees: `build`, and `open_build` for those that do not fit into memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Unpack

from ..formats import generate_tree_bytes, load_tree
from ..strategies import is_search, take_strategy
from ..tree import ShardedTree, Tree
from .making import BuildOptions, build_here, build_in_tasks, check_build, make_rule, search
from .progress import ProgressOption
from .sources import (
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    StrategySource,
    check_rules,
    open_game,
)
from .workers import check_patience

if TYPE_CHECKING:
    from ..exact import SearchLog


def build(
    game: GameSource,
    strategy: StrategySource = "knuth",
    *,
    first: str | Sequence[str] | None = None,
    eligible: str | None = None,
    order: str | None = None,
    seed: int | None = None,
    history: HistorySource = None,
    jobs: int | None = 1,
    scheduler: str | None = None,
    patience: float | None = None,
    objective: str | None = None,
    max_length: int | None = None,
    beam: int | None = None,
    time_limit: float | None = None,
    resume: str | os.PathLike[str] | None = None,
    look_ahead: int | None = None,
    gap: float | None = None,
    table_size: int | None = None,
    log: str | os.PathLike[str] | SearchLog | None = None,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Tree:
    """Build the complete tree of a strategy.

    Parameters
    ----------
    game
        A game (`Mastermind`, `Codebook`, …), its name (``"p4c6r"``), or the path of a codebook or
        a table of answers.
    strategy
        A name (``"knuth"``), a chain (``"max,parts,lowest"``), a search (``"optimal"``,
        ``"best"``), a `Strategy`, or a function of the sizes of a guess's cells (`make_chain`).
    first
        Begin with this guess, or with the best of several: ``"1123"``, ``"1123,1122"``, or a list.
        After a history only searches take it, as the next guess.
    eligible
        What may be guessed: ``"all"``, ``"candidates"``, ``"hints"`` (Wordle's hard mode),
        ``"consistent"``. None: as the strategy has it.
    order
        Order of codes, ``"lex"`` or ``"first-fastest"``.
    seed
        Seed of a random tie-break.
    history
        Start after guesses already made: ``"1122:02/1344:11"``, or pairs of guess and answer.
    jobs
        Threads; None: all cores. The tree does not depend on it.
    scheduler, patience
        Work on a dask cluster, given by the address of its scheduler or its scheduler file; give
        it up when it is silent for so many seconds (300).
    objective
        ``"optimal"``: what is minimised, in this order: ``"total"`` (default),
        ``"total,worst,n_worst"``, ``"worst,total"``, ``"worst,n_worst,total"``.
    max_length
        ``"optimal"``: the longest game allowed.
    beam, look_ahead
        ``"best"``: guesses tried in big states; guesses that the proved bound looks ahead.
    gap
        ``"best"``: prove that no tree is better by more than so many percent, or find the best.
    time_limit
        Stop after so many seconds. A search then returns its best tree; of ``"optimal"`` its
        strategy is named ``"optimal-unproved"``.
    resume
        A folder that keeps finished work, absent or empty at first; an ended build resumes from it.
    table_size
        MiB of a search's table of proofs, at most.
    log
        Where a search writes its settings and history: a path (JSON), or a `SearchLog`.
    progress
        Called with a `Progress` now and then; True shows a bar.
    notice
        Called with what should be known meanwhile, such as a cluster that is silent.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`.

    Returns
    -------
    Tree
        Game lengths count from its root: the guesses of the history are not counted.

    Raises
    ------
    GameError, StrategyError, UsageError
        The game or the strategy is unknown, or an option does not fit it.
    SearchStoppedError, TimeLimitError
        The time limit is over and there is no tree.
    ClusterError
        The cluster is lost.
    Interrupted
        Ctrl-C ended a search; its `result` is the best tree so far.

    See Also
    --------
    open_build : The same for a tree that does not fit into memory.

    Examples
    --------
    >>> import treegen
    >>> tree = treegen.build("p4c6r", "knuth")
    >>> tree.total, tree.worst
    (5801, 5)
    >>> treegen.build("p3c4r", "optimal", objective="worst,total", max_length=5).worst
    4
    """
    check_rules(build, rules)
    options = BuildOptions(
        first=first,
        eligible=eligible,
        order=order,
        seed=seed,
        history=history,
        jobs=jobs,
        scheduler=scheduler,
        patience=patience,
        objective=objective,
        max_length=max_length,
        beam=beam,
        time_limit=time_limit,
        resume=resume,
        look_ahead=look_ahead,
        gap=gap,
        table_size=table_size,
        log=log,
        progress=progress,
        notice=notice,
    )
    with open_build(game, strategy, options, **rules) as tree:
        if isinstance(tree, Tree):
            return tree
        return load_tree(b"".join(generate_tree_bytes(tree))).tree


@contextmanager
def open_build(
    game: GameSource,
    strategy: StrategySource = "knuth",
    options: BuildOptions | None = None,
    *,
    beside: str | os.PathLike[str] | None = None,
    **rules: Unpack[GameOptions],
) -> Iterator[Tree | ShardedTree]:
    """Build a tree that need not fit into memory; it lasts as long as the context.

    A build with `resume` or `scheduler` by a rule is in parts on disk, which `write` joins.

    Parameters
    ----------
    game, strategy
        As of `build`.
    options
        The options of `build`; None: none of them.
    beside
        A path: the parts of a build without `resume` are kept in the same folder.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`.

    Raises
    ------
    GameError, StrategyError, UsageError, SearchStoppedError, TimeLimitError, ClusterError,
    Interrupted
        As of `build`.

    Examples
    --------
    >>> import treegen
    >>> with treegen.open_build("p2c3r", "knuth") as tree:
    ...     print(tree.total)
    24
    """
    check_rules(open_build, rules)
    options = options or BuildOptions()
    value = open_game(game, **rules)
    strategy = take_strategy(strategy)
    past = check_build(value, strategy, options)
    if isinstance(strategy, str) and is_search(strategy):
        yield search(value, strategy, past, options)
        return
    rule = make_rule(value, strategy, options)
    if options.scheduler is None and options.resume is None:
        check_patience(None, options.patience)
        yield build_here(value, rule, past, options)
        return
    with build_in_tasks(value, rule, past, options, beside) as tree:
        yield tree
