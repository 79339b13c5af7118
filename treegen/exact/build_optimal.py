"""Optimal trees: the result of an exact search as a Tree with its evidence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from ..builder import check_size
from ..errors import UsageError
from ..games import Game, is_rule_of_play, resolve_eligible
from ..tasks import Notice, Workers, describe_work, open_checkpoint, open_workers
from ..tree import History, Tree, describe_conflict, select_candidates
from .engine.pace import TimeBudget
from .engine.table import describe_table
from .first_guesses import write_first
from .objectives import solve
from .request import SearchControl, SearchSpec
from .result import check_result
from .rule_of_play import check_rule_of_play
from .search_log import SearchLog, Watch
from .weighted import is_weighted, search_weighted


def build_optimal(
    game: Game,
    *,
    objective: str = "total",
    max_length: int | None = None,
    eligible: str = "all",
    history: History = (),
    first: tuple[str, ...] = (),
    watch: Watch | None = None,
    keep_best: bool = False,
    jobs: int = 1,
    log: SearchLog | None = None,
    workers: Workers | None = None,
    folder: str | os.PathLike[str] | None = None,
    notice: Notice | None = None,
    budget: TimeBudget | None = None,
    table_size: int | None = None,
    table_seed: int = 20,
) -> Tree:
    """Build the best tree by an objective; the search proves that none is better.

    Parameters
    ----------
    game
        The game.
    objective
        What is minimised, criteria in order: ``total``; ``total,worst,n_worst``;
        ``worst,total``; ``worst,n_worst,total``.
    max_length
        The longest game allowed; None: no limit.
    eligible
        What may be guessed, a key of `treegen.games.ELIGIBLE`; ``hints`` is Wordle's hard mode.
    history
        Guesses already made and the responses to them; lengths count after them.
    first
        The first guesses allowed after the history, in the game's notation; of equally good ones
        the one that stands first here is made. What is proved then holds for trees that begin
        with one of them. Empty: all that are eligible.
    watch
        Called several times a second with the progress; True ends the search within half a second.
    keep_best
        Whether a search that is ended returns the best tree so far, marked as not proved. Some
        greedy ones are made before the search.
    jobs
        Threads; the tree does not depend on them.
    log
        Where to write the settings and the history of the search.
    workers
        They search instead of threads of this process; the tree does not depend on them.
    folder
        Where the progress of the search is kept; absent or empty at first. An ended search resumes
        from it.
    notice
        Called with what the user should know: damaged files in that folder.
    budget
        The times of the search; the tree does not depend on them.
    table_size
        MiB of the table of proofs, at most; None: by the game's size, up to 256. The tree
        does not depend on it.
    table_seed
        Of the random numbers in the table's keys. With another one a proof is independent of what
        the first one's keys, which are not unique, might have hidden.

    Returns
    -------
    Tree
        Its provenance carries the objective and the proved bound of the total; where several
        trees are best it is the first that the search's order meets (docs/optimal.md), which
        does not depend on the machine.

    Raises
    ------
    GameError
        A tree of the game fits into no memory, or `first` holds no code of the game.
    GameError
        The game cannot be played by the rule `eligible`.
    StrategyError
        Unknown objective, or a game too large for the search's tables.
    UsageError
        No secret agrees with the history, or no tree is short enough: that is proved. The folder
        belongs to another search. No first guess that is given gains information.
    ClusterError
        The workers are lost.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> tree = build_optimal(parse_game("p3c4r"))
    >>> tree.total, tree.provenance.bound
    (206, 206)
    """
    spec = SearchSpec(objective, max_length, eligible, history, first)
    control = SearchControl(
        jobs,
        workers,
        folder,
        notice,
        watch,
        keep_best,
        log,
        budget or TimeBudget(),
        table_size,
        table_seed,
    )
    return search_optimal(game, spec, control)


def search_optimal(game: Game, spec: SearchSpec, control: SearchControl) -> Tree:
    """Do the work of `build_optimal`, given a spec and a control."""
    check_size(game)
    spec = write_first(game, spec)
    candidates = select_candidates(game, spec.history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, spec.history))
    log = control.log or SearchLog()
    log.start(
        game,
        "optimal",
        spec.history,
        objective=spec.objective,
        max_length=spec.max_length,
        eligible=spec.eligible,
        first=list(spec.first),
    )
    log.settings["jobs"] = control.jobs
    has_table = not (is_weighted(game) or is_rule_of_play(resolve_eligible(game, spec.eligible)))
    if has_table:
        table = describe_table(len(candidates), control.table_size)
        log.settings["table"] = {**table, "seed": control.table_seed}
    control = replace(control, log=log, watch=log.listen(control.watch))
    check_rule_of_play(game, spec)
    try:
        with _open_help(game, spec, control) as helped:
            if is_weighted(game):
                tree = search_weighted(game, candidates, "optimal", spec, helped)
                return check_result(tree, spec)
            solution = solve(game, candidates, spec, helped)
    except BaseException as error:
        log.end(repr(error))
        raise
    log.end("proved" if solution.proved else "stopped", solution.bound, solution.total)
    return check_result(Tree(game, solution.describe(spec), *solution.columns), spec)


def describe_search(game: Game, spec: SearchSpec) -> dict[str, Any]:
    """Return the description of a search in its folder: everything that determines its result."""
    return describe_work(game.digest_name, f"optimal; {spec.rule}", spec.history)


@contextmanager
def _open_help(game: Game, spec: SearchSpec, control: SearchControl) -> Iterator[SearchControl]:
    """Open the folder of a search, and workers for it if none are given."""
    if control.folder is None:
        yield control
        return
    with ExitStack() as stack:
        folder = open_checkpoint(control.folder, describe_search(game, spec), control.notice)
        helped = replace(control, checkpoint=stack.enter_context(folder))
        # Searches by openings have threads of their own.
        is_by_opening = is_weighted(game) or is_rule_of_play(resolve_eligible(game, spec.eligible))
        if helped.workers is None and not is_by_opening:
            workers = stack.enter_context(open_workers(jobs=control.jobs))
            helped = replace(helped, workers=workers)
        yield helped
