"""The ways to build a tree: by a rule here or in tasks, or by a search."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._files import write_atomically
from .._options import check_between, check_positive, check_seed, check_whole
from .._process import forget_saving, is_saving, remember_temporary
from ..errors import Interrupted, TreegenError, UsageError
from ..games import Game
from ..strategies import Strategy, change_strategy, is_search, parse_strategy
from ..tree import History, ShardedTree, Tree
from .progress import ProgressOption, follow_build, open_progress
from .searching import OWNERS, make_watch, refuse_search_options
from .sources import HistorySource, Notice, parse_first, parse_history
from .workers import (
    add_rest,
    check_patience,
    count_jobs,
    describe_rest,
    end_in_time,
    open_cluster,
    open_pool,
    tell_what_is_kept,
)

if TYPE_CHECKING:
    from ..exact import SearchLog, SearchSpec

LONGEST_MARK = 20
"""A longer history or list of first guesses is a hash in the name of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """The options of `build`, which says what they mean.

    Examples
    --------
    >>> import treegen
    >>> options = treegen.BuildOptions(first="12", jobs=2)
    >>> with treegen.open_build("p2c3r", "knuth", options) as tree:
    ...     tree.n_nodes
    9
    """

    first: str | Sequence[str] | None = None
    eligible: str | None = None
    order: str | None = None
    seed: int | None = None
    history: HistorySource = None
    jobs: int | None = 1
    scheduler: str | None = None
    patience: float | None = None
    objective: str | None = None
    max_length: int | None = None
    beam: int | None = None
    time_limit: float | None = None
    resume: str | os.PathLike[str] | None = None
    look_ahead: int | None = None
    gap: float | None = None
    table_size: int | None = None
    log: str | os.PathLike[str] | SearchLog | None = None
    progress: ProgressOption = None
    notice: Notice | None = None

    def __post_init__(self) -> None:
        check_whole(
            jobs=self.jobs, max_length=self.max_length, beam=self.beam, table_size=self.table_size
        )
        check_whole(0, look_ahead=self.look_ahead)
        check_seed(self.seed)
        check_between(0, 100, gap=self.gap)
        check_positive(time_limit=self.time_limit, patience=self.patience)

    @property
    def of_searches(self) -> dict[str, Any]:
        """The options that belong to searches."""
        return {name: getattr(self, name) for name in OWNERS}


def make_rule(game: Game, strategy: str | Strategy, options: BuildOptions) -> Strategy:
    """Return the named strategy or chain, modified by the options."""
    rule = parse_strategy(strategy, game) if isinstance(strategy, str) else strategy
    if options.seed is not None and rule.is_deterministic:
        raise UsageError(
            f"--seed is for strategies that choose at random; {name_of(strategy)} does not"
        )
    opening = parse_first(options.first, game) or None
    if opening and options.history:
        raise UsageError(
            f"--first {','.join(opening)} is a rule's first guess of a game, and --history has made"
            " that: leave one out, or search (-s optimal), which makes it the next guess"
        )
    return change_strategy(
        rule, eligible=options.eligible, order=options.order, seed=options.seed, opening=opening
    )


def check_build(game: Game, strategy: str | Strategy, options: BuildOptions) -> History:
    """Return the history of a build whose options fit it; raise before any work if they do not."""
    past = parse_history(options.history, game)
    refuse_search_options(name_of(strategy), options.of_searches)
    if not isinstance(strategy, str) or not is_search(strategy):
        make_rule(game, strategy, options)
        return past
    from ..exact import check_search

    for name in ("order", "seed"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} belongs to strategies that follow a rule, not to a search")
    check_search(game, strategy, _make_spec(game, strategy, past, options), options.table_size)
    return past


def name_tree(
    game: Game,
    strategy: str | Strategy,
    options: BuildOptions,
    stem: str,
    *,
    is_proved: bool = True,
) -> str:
    """Return the name of a tree's file, without its ending: everything that makes another tree.

    Parameters
    ----------
    game, strategy, options
        What is built.
    stem
        How the game is called in it.
    is_proved
        False for the best tree of an optimal search that was ended.

    Examples
    --------
    >>> import treegen
    >>> options = treegen.BuildOptions(objective="worst,total", history="1123:01")
    >>> name_tree(treegen.open_game("p4c6r"), "optimal", options, "p4c6r")
    'p4c6r-optimal-worst-total-after1123-01'
    """
    name, eligible, order = name_of(strategy), "all", "lex"
    if not is_search(name):
        rule = parse_strategy(strategy, game) if isinstance(strategy, str) else strategy
        name, eligible, order = rule.name, rule.eligible, rule.order
    first = write_mark(",".join(parse_first(options.first, game)))
    past = write_mark(game.format_history(parse_history(options.history, game)))
    marks = {
        "": name.replace(":-", "-minus") if is_proved else f"{name}-unproved",
        "eligible": "" if options.eligible == eligible else options.eligible,
        "objective": "" if options.objective == "total" else options.objective,
        "max": options.max_length,
        "first": first,
        "order": "" if options.order == order else options.order,
        "seed": options.seed,
        "beam": options.beam,
        "gap": options.gap if options.gap is None else f"{options.gap:g}",
        "after": past,
    }
    speaking = ("eligible", "objective", "order")  # without the option's name
    parts = [
        f"{'' if mark in speaking else mark}{value}"
        for mark, value in marks.items()
        if value not in (None, "")
    ]
    return "-".join([stem, *(re.sub(r"[^A-Za-z0-9.]+", "-", part) for part in parts)])


def write_mark(text: str) -> str:
    """Return a text as a part of a file's name: itself, or a hash if it is long or has odd signs.

    Examples
    --------
    >>> write_mark("1122:02/1344:11"), write_mark("1122:02/1344:11/3526:12")
    ('1122-02-1344-11', '187cb850')
    """
    if len(text) > LONGEST_MARK or re.search(r"[^\w.:/, -]", text, re.ASCII):
        return sha256(text.encode()).hexdigest()[:8]
    return re.sub(r"[^A-Za-z0-9.]+", "-", text)


def name_of(strategy: str | Strategy) -> str:
    """Return how a strategy is called."""
    return strategy if isinstance(strategy, str) else strategy.name


def build_here(game: Game, rule: Strategy, past: History, options: BuildOptions) -> Tree:
    """Build a rule's tree in this process."""
    from ..builder import build_tree

    title = f"{game.name}-{rule.name}"
    with end_in_time(options.time_limit), open_progress(options.progress, title) as tell:
        return build_tree(
            game,
            rule,
            history=past,
            jobs=count_jobs(options.jobs),
            quick_start=True,
            progress=follow_build(tell),
        )


@contextmanager
def build_in_tasks(
    game: Game,
    rule: Strategy,
    past: History,
    options: BuildOptions,
    beside: str | os.PathLike[str] | None,
) -> Iterator[ShardedTree]:
    """Build a tree in tasks, here or on a cluster; the tree exists as long as the context."""
    from ..builder import build_sharded

    check_patience(options.scheduler, options.patience)
    title = f"{game.name}-{rule.name}"
    with ExitStack() as stack:
        with end_in_time(options.time_limit):
            folder = options.resume
            if folder is None:
                folder = stack.enter_context(_open_folder_beside(beside))
            workers = stack.enter_context(
                open_pool(
                    count_jobs(options.jobs),
                    options.scheduler,
                    options.patience,
                    add_rest(options.notice, options.resume),
                )
            )
            with (
                tell_what_is_kept(options.resume),
                open_progress(options.progress, title) as tell,
            ):
                tree = stack.enter_context(
                    build_sharded(
                        game,
                        rule,
                        folder,
                        history=past,
                        workers=workers,
                        progress=follow_build(tell),
                        notice=lambda text: _tell(options.notice, text),
                    )
                )
        with tell_what_is_kept(options.resume):
            yield tree


@contextmanager
def _open_folder_beside(path: str | os.PathLike[str] | None) -> Iterator[str]:
    """Create a folder for the parts beside the tree: both fit on that disk, or neither."""
    parent = None if path is None else Path(path).absolute().parent
    with (
        tempfile.TemporaryDirectory(
            prefix=".treegen-", dir=parent if parent and parent.is_dir() else None
        ) as folder,
        remember_temporary(folder),
    ):
        yield folder


def _tell(notice: Notice | None, text: str) -> None:
    if notice is not None:
        notice(text)


def search(game: Game, strategy: str, past: History, options: BuildOptions) -> Tree:
    """Search for an optimal or near-optimal tree; its log is written whatever ends it.

    Ctrl-C raises Interrupted with the best tree so far.
    """
    from ..exact import SearchLog

    log = options.log if isinstance(options.log, SearchLog) else SearchLog()
    forget_saving()  # what an interrupted call before this one kept is none of its business
    try:
        tree = _run_search(game, strategy, past, options, log)
    except BaseException:
        with suppress(TreegenError, OSError):  # what ended the search is reported
            _save_log(options, log)
        raise
    _save_log(options, log)
    if tree.provenance.strategy.startswith("optimal-unproved") and options.resume is not None:
        _tell(options.notice, describe_rest(options.resume))
    if is_saving():  # Ctrl-C ended the search, and this is its best tree so far
        raise Interrupted(tree)
    return tree


def _save_log(options: BuildOptions, log: SearchLog) -> None:
    """Write the log of a search that has begun, if it is to be a file."""
    if isinstance(options.log, (str, os.PathLike)) and log.settings:
        write_atomically(options.log, f"{json.dumps(log.as_dict(), indent=1)}\n".encode())


def _run_search(
    game: Game, strategy: str, past: History, options: BuildOptions, log: SearchLog
) -> Tree:
    from .. import exact

    spec = _make_spec(game, strategy, past, options)
    # The other search ends with a tree, whatever ends it.
    kept = tell_what_is_kept(options.resume) if strategy == "optimal" else nullcontext()
    with (
        open_cluster(
            options.scheduler, options.patience, options.notice, options.resume
        ) as workers,
        kept,
        open_progress(options.progress, f"{game.name}-{strategy}") as tell,
    ):
        control = exact.SearchControl(
            jobs=count_jobs(options.jobs),
            workers=workers,
            folder=options.resume,
            notice=lambda text: _tell(options.notice, text),
            watch=make_watch(options.time_limit, tell),
            keep_best=True,
            log=log,
            table_size=options.table_size,
        )
        return exact.run_search(game, strategy, spec, control)


def _make_spec(game: Game, strategy: str, past: History, options: BuildOptions) -> SearchSpec:
    from ..exact import SearchSpec

    if strategy == "best" and options.eligible in ("all", "candidates"):
        raise UsageError(
            "--eligible belongs to -s optimal and to rules; -s best takes only hints and consistent"
        )
    return SearchSpec(
        objective=options.objective or "total",
        max_length=options.max_length,
        eligible=options.eligible or "all",
        history=past,
        first=parse_first(options.first, game),
        beam=options.beam or (8 if options.time_limit is None else None),
        look_ahead=options.look_ahead,
        gap=options.gap,
    )
