"""The best first guesses with their least totals, and the proof that no other is better.

Every opening is searched below a bound: the total of the last opening that is in the list so far.
So the best ones get their least totals, and all others the proof that theirs is larger. The
searches share what is proved of the sets of candidates, which recur behind many openings.

The kernel of the game searches them (`OpeningSearch`, `TableOpenings`).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgpack
import numpy as np

from .._options import check_whole
from ..builder.choose import check_size
from ..builder.grow import build_tree
from ..errors import SearchStoppedError, TreeError, UsageError
from ..games.base import Game, follow, select_candidates
from ..games.eligible import resolve_eligible
from ..jit.interpreter import mark_search
from ..strategies.named import parse_strategy
from ..strategies.strategy import default_rule
from ..tasks.checkpoint import Checkpoint, describe_work, open_checkpoint
from ..tasks.run import Pool, run_growing
from ..tasks.work import PROCESS, OnProgress, report_count
from ..tree.tree import History, tally, weigh_secrets
from ..tree.walk import describe_conflict
from .engine import INFINITE, Int32s
from .openings import list_openings_of
from .request import Monitor, SearchControl, SearchSpec, check_rule_of_play
from .run import choose_search_kernel
from .tables.kernel import TableKernel

TASK = "openings"
"""The name of the results in a checkpoint."""


@dataclass(frozen=True, slots=True)
class OpeningTotal:
    """A first guess and a tree that begins with it: the best one, or that of a rule.

    TreeError: the histogram has another total; that is a fault of the search.
    """

    code: int  # the first guess; of those that symmetry maps to each other, the least
    total: int  # the tree's total
    histogram: tuple[int, ...]  # secrets found at guess 1, 2, 3 … in it

    def __post_init__(self) -> None:
        own = sum(length * n for length, n in enumerate(self.histogram, start=1))
        if own != self.total:
            raise TreeError(
                f"internal error: a search claims the total {self.total} after a first guess, and"
                f" its tree has {own}; please report the command"
            )

    @property
    def average(self) -> float:
        """Mean length of the games; 0 where the only candidate is announced at once."""
        return self.total / max(1, sum(self.histogram))

    @property
    def n_worst(self) -> int:
        """How many secrets need the longest game; 0 where no guess is needed."""
        return self.histogram[-1] if self.histogram else 0

    @property
    def worst(self) -> int:
        """Length of the longest game."""
        return len(self.histogram)


@dataclass(frozen=True, slots=True)
class OpeningRanking:
    """The best first guesses."""

    rows: tuple[OpeningTotal, ...]  # the best first; equal ones in the order of codes
    n_openings: int  # how many first guesses there are
    n_tied: int  # how many more have the total of the last row
    proved: bool  # whether every other first guess was shown to have no smaller total than that
    n_open: int  # how many were not; 0 if it is proved


class Board:
    """The openings of a ranking; threads take them in order and put up what they found.

    `top` of them are wanted. No total is larger than `most`.
    """

    def __init__(self, top: int, most: int = INFINITE - 1) -> None:
        self.top, self._most = top, most
        self.rows: dict[int, OpeningTotal] = {}
        self.bounds: dict[int, int] = {}
        self._limits: dict[int, int] = {}
        self._openings: list[int] = []
        self._next = 0
        self._lock = threading.Lock()
        self._saved_s = time.monotonic()
        self._checkpoint: Checkpoint | None = None

    def open(self, openings: Sequence[int]) -> None:
        """Begin with these openings, in this order."""
        self._openings = list(openings)

    @property
    def threshold(self) -> int:
        """The total that the last opening of the list has at most, by what is known so far."""
        limits = self._limits | {code: row.total for code, row in self.rows.items()}
        known = sorted(limits.values())
        return known[self.top - 1] if len(known) >= self.top else self._most

    @property
    def best(self) -> int | None:
        """The least total so far; None before there is one."""
        return min((row.total for row in self.rows.copy().values()), default=None)

    def limit(self, code: int, total: int) -> None:
        """Note a tree that begins with an opening."""
        with self._lock:
            self._limits[code] = min(total, self._limits.get(code, total))

    def take(self) -> tuple[int, int] | None:
        """Return the next opening and the total to get below; None if there are no more.

        A total that ties with the last of the list is wanted, too: which openings are listed must
        not depend on the order in which threads end.
        """
        with self._lock:
            below = self.threshold + 1
            while self._next < len(self._openings):
                code = self._openings[self._next]
                self._next += 1
                if code not in self.rows and self.bounds.get(code, 0) < below:
                    return code, below
            return None

    def add(self, code: int, total: int, histogram: Sequence[int]) -> None:
        """Put up the least total of an opening."""
        with self._lock:
            self.rows[code] = OpeningTotal(code, total, tuple(histogram))

    def exclude(self, code: int, bound: int) -> None:
        """Put up that no tree that begins with an opening has a total below a bound."""
        with self._lock:
            self.bounds[code] = max(bound, self.bounds.get(code, 0))

    def count(self) -> tuple[int, int]:
        """Return the number of openings taken, and the number of all."""
        return self._next, len(self._openings)

    def keep_in(self, checkpoint: Checkpoint) -> None:
        """Put up what an earlier run left in a folder, and keep what is found there."""
        self._checkpoint = checkpoint
        body = checkpoint.find(TASK)
        if body is None:
            return
        rows, bounds = msgpack.unpackb(body)
        for code, total, histogram in rows:
            self.add(code, int(total), list(map(int, histogram)))
        for code, bound in bounds:
            self.exclude(code, int(bound))

    def save_if_due(self, seconds: float) -> None:
        """Write what is known into the folder, if that was not done for this many seconds."""
        with self._lock:
            is_due = time.monotonic() - self._saved_s > seconds
            self._saved_s = time.monotonic() if is_due else self._saved_s
        if is_due:
            self.save()

    def save(self) -> None:
        """Write what is known into the folder, if there is one."""
        if self._checkpoint is None:
            return
        with self._lock:
            # As text: weights times costs, and the bound of what is impossible, pass 64 bits.
            rows = [
                [row.code, str(row.total), list(map(str, row.histogram))]
                for row in self.rows.values()
            ]
            bounds = [[code, str(bound)] for code, bound in self.bounds.items()]
            body = msgpack.packb([rows, bounds])
        self._checkpoint.save(TASK, body)

    def rank(self, *, is_complete: bool) -> OpeningRanking:
        """Return the best openings."""
        ranked = sorted(self.rows.values(), key=lambda row: (row.total, row.code))
        rows = ranked[: self.top]
        last = rows[-1].total if rows else 0
        n_tied = sum(row.total == last for row in ranked[self.top :])
        n_open = sum(
            code not in self.rows and self.bounds.get(code, 0) <= last for code in self._openings
        )
        n_openings = max(len(self._openings), len(ranked))
        return OpeningRanking(tuple(rows), n_openings, n_tied, is_complete, n_open)


def run_ranking(
    board: Board,
    run: Callable[[], None],
    monitor: Monitor,
    work: dict[str, Any],
    control: SearchControl,
) -> bool:
    """Run a ranking in its folder, if it has one; return whether it came to its end.

    `run` raises SearchStoppedError if the monitor ends it; Ctrl-C, too, only ends the ranking. With
    a folder, the board begins with the results of an earlier run. `work` is that of
    `describe_work`.
    """
    with ExitStack() as stack:
        if control.folder is not None:
            opened = open_checkpoint(control.folder, work, control.notice)
            board.keep_in(stack.enter_context(opened))
            stack.callback(board.save)
        try:
            monitor.run(run)
        except SearchStoppedError:
            return False
        except KeyboardInterrupt:
            PROCESS.announce_saving()
            return False
    return True


def rank_openings(
    game: Game,
    spec: SearchSpec | None = None,
    control: SearchControl | None = None,
    *,
    top: int = 20,
    on_progress: OnProgress | None = None,
) -> OpeningRanking:
    """Return the best first guesses with their least totals, proved to be the best.

    First guesses that the game's symmetry maps to each other count once; if the spec gives first
    guesses, only these are ranked. The `top` best are wanted; those that tie with the last are
    counted. If the watch or Ctrl-C ends the ranking, it has what is known, and is not proved.
    `on_progress` takes the number of openings done and of all.

    UsageError: no secret agrees with the history; the history or a first guess breaks the rule of
    play; another objective is asked for; `top` is not positive. StrategyError: the game is too
    large for the search's tables.

    >>> from treegen.games import parse_game
    >>> game = parse_game("p3c4r")
    >>> ranking = rank_openings(game)
    >>> [(game.format_code(row.code), row.total) for row in ranking.rows], ranking.proved
    ([('112', 206), ('123', 208), ('111', 233)], True)
    """
    spec, control = spec or SearchSpec(), control or SearchControl()
    spec = replace(spec, eligible=resolve_eligible(game, spec.eligible))
    check_whole(top=top)
    if spec.objective != "total":
        raise UsageError(f"openings are ranked by the least total, not by {spec.objective}")
    check_size(game)
    check_rule_of_play(game, spec)
    candidates = select_candidates(game, spec.history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, spec.history))
    monitor = Monitor(control, stage="openings")
    board = Board(top, INFINITE - 1)
    args = game, candidates, spec, control, monitor, board, on_progress
    work = describe_work(game.rules.digest_name, f"openings; {spec.rule}", spec.history)
    with mark_search(game.rules.n_guesses, len(candidates)):
        is_proved = run_ranking(board, partial(_search_openings, *args), monitor, work, control)
    return board.rank(is_complete=is_proved)


def _search_openings(
    game: Game,
    candidates: Int32s,
    spec: SearchSpec,
    control: SearchControl,
    monitor: Monitor,
    board: Board,
    on_progress: OnProgress | None,
) -> None:
    """Rank all openings; raise SearchStoppedError if the monitor ends it."""
    openings, halt, make = list_openings_of(game, spec), monitor.halt, choose_search_kernel(game)
    left = spec.max_length or math.inf
    if len(candidates) < make.fewest:
        # What is left after a first guess is a candidate, which all rules of play allow.
        make, spec = TableKernel, replace(spec, eligible="all")
    if len(candidates) == 1 or game.rules.is_over(candidates):
        code, cost, histogram = _count_end(game, spec.history)
        if len(histogram) <= left:
            board.add(code, cost, histogram)
        return
    quiet = replace(control, watch=lambda _: halt.is_called)
    search = make.search_openings(game, candidates, replace(spec, first=()), quiet)
    openings = search.rank(openings)
    board.open(openings.tolist())
    # Greedy trees bound the totals of the most promising openings from above.
    rule = replace(parse_strategy(default_rule(game), game), eligible=spec.eligible)
    past, jobs = spec.history, control.jobs
    for code in openings[: board.top].tolist():
        tree = build_tree(game, rule, history=past, first=(code,), jobs=jobs, halt=halt)
        if tree.worst <= left:
            board.limit(code, tree.share_total)

    pool = Pool(search.share, search)

    def find(code: int, below: int) -> tuple[int, list[int]] | None:
        with pool.lend() as mine:
            return mine.find_lengths(code, below)

    def find_next() -> tuple[tuple[int, int], tuple[int, int]] | None:
        task = board.take()
        return None if task is None else (task, task)

    def look() -> None:
        monitor.check("openings", 0, board.best)

    with replace(control, workers=None).open_workers(len(openings)) as workers:
        for (code, below), found in run_growing(workers, find, find_next, look, 0):
            if found is None:
                board.exclude(code, below)
            else:
                board.add(code, *found)
            report_count(on_progress, "openings", *board.count())
            board.save_if_due(control.budget.record_s)


def _count_end(game: Game, history: History) -> tuple[int, int, list[int]]:
    """Return the last guess or announcement of a game, its cost, and its histogram."""
    candidates, divided = follow(game, history)
    shares = weigh_secrets(game, candidates, divided)
    code = int(candidates[np.argmax(shares)])
    cost = 0 if game.rules.is_over(candidates) else int(game.costs[code])
    weight = int(shares.sum())
    return code, cost * weight, tally(np.array([cost]), np.array([weight]))
