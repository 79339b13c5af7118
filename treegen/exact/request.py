"""What is asked of a search, how it is carried out, and what its tree must bear out."""

from __future__ import annotations

import math
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from .. import __version__
from .._options import BEAM, COUNT, PERCENT, check_range, make_whole
from ..builder.choose import refuse_breach
from ..errors import SearchStoppedError, StrategyError, TreeError, UsageError
from ..games.base import Game
from ..games.eligible import ELIGIBLE, describe_breach, is_rule_of_play, resolve_eligible
from ..games.notation import check_guess
from ..games.rules import Weight, count_shares, write_weights
from ..strategies.named import list_objectives, write_search_rule
from ..tasks.background import run_in_background
from ..tasks.checkpoint import Checkpoint, Notice, describe_work, open_checkpoint
from ..tasks.cluster import open_workers
from ..tasks.run import Workers
from ..tasks.work import Look, Stop
from ..tree.tree import History, Tree
from ..verifier.rule import find_illegal_guess
from .engine import INFINITE
from .engine.search import Pace

MAX_ROWS = 10_000
"""The course of a search is cut at this many rows; its end is always there."""

LEADING_GUESS = "leading guess"
"""The stage of a search in which one first guess is searched ahead of all others."""


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """The progress of a search: the proved `bound`, the `best` total known (None: no tree yet)."""

    stage: str
    bound: Weight
    best: Weight | None
    n_states: int


Watch = Callable[[SearchProgress], bool]
"""Called now and then; True ends the search with what it has."""


class SearchLog:
    """The settings, counts and course of one search, and how it ended.

    `settings`: what was requested, and with what it ran. `counts`: states entered, guesses tried,
    lookaheads made, lookaheads that the table spared. `course`: rows of seconds, stage, proved
    bound, best total; one whenever one of them changed. Bounds and totals count shares, `unit` of
    which weigh 1; without `unit`, they are whole weights.
    """

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        self.course: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] = {}
        self._unit = 1
        self._start_s = time.perf_counter()
        self._start_cpu_s = time.process_time()
        self._lock = threading.Lock()

    def start(self, game: Game, strategy: str, history: History, **settings: Any) -> None:
        """Begin with the settings."""
        import numba
        import numpy

        self._start_s, self._start_cpu_s = time.perf_counter(), time.process_time()
        self._unit = game.rules.share_unit
        self.settings = {
            "game": game.name,
            "strategy": strategy,
            "history": [list(pair) for pair in history],
            **settings,
            **({"unit": game.rules.share_unit} if game.rules.share_unit > 1 else {}),
            "versions": {
                "treegen": __version__,
                "python": platform.python_version(),
                "numpy": numpy.__version__,
                "numba": numba.__version__,
            },
        }

    def note(self, progress: SearchProgress) -> None:
        """Add a row to the course if something has changed."""
        bound, best = self._count(progress.bound), self._count(progress.best)
        row = {"stage": progress.stage, "bound": bound, "best": best}
        is_new = not self.course or not row.items() <= self.course[-1].items()
        if is_new and len(self.course) < MAX_ROWS:
            seconds = round(time.perf_counter() - self._start_s, 3)
            self.course.append({"seconds": seconds, **row})

    def count(self, done: dict[str, int]) -> None:
        """Add work that was done, in any thread."""
        with self._lock:
            for name, number in done.items():
                self.counts[name] = self.counts.get(name, 0) + number

    def end(self, outcome: str, bound: Weight | None = None, total: Weight | None = None) -> None:
        """Record how it ended."""
        self.outcome = {
            "outcome": outcome,
            "bound": self._count(bound),
            "total": self._count(total),
            "seconds": round(time.perf_counter() - self._start_s, 3),
            "cpu_seconds": round(time.process_time() - self._start_cpu_s, 3),
        }

    def _count(self, weight: Weight | None) -> int | None:
        return None if weight is None else count_shares(weight, self._unit)

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {**self.settings, **self.outcome, "counts": self.counts, "course": self.course}


ItemTime = tuple[float, float]
"""Seconds for a work item: after the first no guess is begun, at the second all ends."""

UNTIL_DONE = (math.inf, math.inf)
"""Time without end."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """The times of a search; the tree does not depend on them."""

    alone_s: float = 0.04  # how long one thread searches alone: small games need no help
    min_units: int = 100  # with the next: see `Pace`
    max_units: int = 20_000
    look_s: float = 0.1  # between two calls of the watch while threads search
    # Slices after which a thread divides its work, if others wait: it never falls apart into
    # pieces that take less time than to hand them over.
    n_slices: int = 2
    piece_s: float = 0.06  # of guesses whose pace is known, a thread takes as many at once
    # Work that takes no longer is not worth sending to another process.
    local: ItemTime = (0.02, 0.03)
    # A work item's time elsewhere: the upper bounds that it carries are not much older, and little
    # is sent.
    remote: ItemTime = (1.0, 3.0)
    record_s: float = 10.0  # a node is recorded again after this much work in it, or below
    table_s: float = 300.0  # the table of proofs is recorded again after this time

    def make_pace(self) -> Pace:
        """Return the pace of a new thread."""
        return Pace(min_units=self.min_units, max_units=self.max_units)


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """What to search: everything that determines the tree of a complete search.

    StrategyError: the objective is unknown. UsageError: another value is not allowed.

    >>> SearchSpec(objective="worst,total", max_length=6).rule
    'eligible=all; objective=worst,total; max-length=6'
    """

    # What is minimised, criteria in order: one of `OBJECTIVES`.
    objective: str = "total"
    max_length: int | None = None  # the longest game allowed; None: no limit
    # What may be guessed, a key of `treegen.games.ELIGIBLE`: ``all``, ``candidates``, ``hints``
    # (Wordle's hard mode), ``consistent``.
    eligible: str = "all"
    history: History = ()  # guesses already made and their responses; lengths count after them
    # The first guesses allowed after the history, in the game's notation; of equally good ones the
    # one that stands first here is made. Empty: all that are eligible.
    first: tuple[str, ...] = ()
    # Of a near-optimal search: guesses that big states try; the search widens 1, 2, 4 … up to it.
    # None: 8, or as wide as the time allows where a watch ends it.
    beam: int | None = None
    # Of a near-optimal search: guesses behind the first one that the proved lower bound looks
    # ahead; each more takes many times as long. None: 1, or 0 for a codebook of thousands of words.
    look_ahead: int | None = None
    # Of a near-optimal search: the percent of the proved bound that the total may be above it; an
    # exact search proves such a bound after the beams, or finds the best tree. None: any gap.
    gap: float | None = None

    def __post_init__(self) -> None:
        if self.objective not in list_objectives():
            known = "; ".join(list_objectives())
            raise StrategyError(f"unknown objective {self.objective!r}: there are {known}")
        if self.eligible not in ELIGIBLE:
            known = ", ".join(ELIGIBLE)
            raise UsageError(f"eligible is {self.eligible!r}; there are {known}")
        check_range(COUNT, max_length=self.max_length)
        check_range(make_whole(0), look_ahead=self.look_ahead)
        check_range(PERCENT, gap=self.gap)
        check_range(BEAM, beam=self.beam)

    def is_for_candidates(self, game: Game) -> bool:
        """Return whether only candidates may be guessed, by whichever rule says so in a game."""
        return resolve_eligible(game, self.eligible) == "candidates"

    @property
    def guesses_made(self) -> tuple[int, ...]:
        """The history's guesses."""
        return tuple(guess for guess, _ in self.history)

    @property
    def rule(self) -> str:
        """The rule of an exact search, as in files."""
        return write_search_rule(self.eligible, self.objective, self.max_length, self.first)

    def is_proved(self, tree: Tree) -> bool:
        """Return whether a tree is that of an exact search which came to its end."""
        return tree.provenance.rule == self.rule


@dataclass(frozen=True, slots=True)
class SearchControl:
    """How a search is carried out; the tree of a complete search does not depend on it."""

    jobs: int = 1  # threads
    workers: Workers | None = None  # they search instead of threads of this process
    # Where the progress is kept; absent or empty at first. An ended search resumes from it.
    folder: str | os.PathLike[str] | None = None
    # Called with what the user should know: damaged files in that folder.
    notice: Notice | None = None
    # Called several times a second; True ends the search within half a second.
    watch: Watch | None = None
    # Whether an exact search that is ended returns the best tree so far, marked as not proved; a
    # greedy one if there is no better. A near-optimal search always does.
    keep_best: bool = False
    log: SearchLog | None = None  # where to write the settings and the history of the search
    budget: TimeBudget = field(default_factory=lambda: TimeBudget())
    # MiB of the table of proofs, at most; None: by the game's size, to 256.
    table_size: int | None = None
    table_seed: int = 20  # of the random numbers in its keys: another makes a proof independent
    checkpoint: Checkpoint | None = None  # the folder, once it is open

    @contextmanager
    def open_workers(self, n_tasks: int) -> Iterator[Workers]:
        """Yield the workers; without any, threads of this process for the tasks."""
        if self.workers is not None:
            yield self.workers
            return
        with open_workers(jobs=max(1, min(self.jobs, n_tasks))) as threads:
            yield threads

    def must_end(self, progress: SearchProgress) -> bool:
        """Report progress to the watch; return whether it ends the search."""
        return self.watch is not None and self.watch(progress)


def make_look(game: Game, control: SearchControl, stage: str = "") -> Look:
    """Return what asks the watch meanwhile: see `ask_watch`."""
    return partial(ask_watch, game, control, SearchProgress(stage, 0, None, 0))


def ask_watch(game: Game, control: SearchControl, progress: SearchProgress) -> None:
    """Report the progress of an exact search; raise SearchStoppedError if the watch ends it."""
    if control.watch is not None and control.watch(progress):
        raise SearchStoppedError(
            f"{game.name}: the search was ended before the proof was complete; proved so far: no"
            f" total below {progress.bound}"
            + ("" if progress.best is None else f"; found: {progress.best}")
        )


def open_folder(
    game: Game, what: str, spec: SearchSpec, control: SearchControl, name: str = ""
) -> AbstractContextManager[Checkpoint | None]:
    """Open the folder of a search, or one in it, by all that determines its results.

    None if it has none.
    """
    if control.folder is None:
        return nullcontext()
    work = describe_work(game.rules.digest_name, what, spec.history)
    folder = Path(control.folder) / name if name else control.folder
    return open_checkpoint(folder, work, control.notice)


class Aim(NamedTuple):
    """What one of several searches in sequence looks for: the tree of least cost."""

    left: int | None = None  # the longest game allowed; None: any
    below: int | None = None  # the cost to get below; None: any, and the least total is found
    scale: int = 1  # cost of a guess
    last: int = 0  # cost, besides, of a game that ends with the last guess allowed
    stage: str = "total"  # what is searched for, as the watch shows it
    step: int = 0  # cost, besides, of each state of the tree

    @property
    def n_left(self) -> int:
        """The longest game allowed, as the engine's kernels take it."""
        return INFINITE if self.left is None else self.left

    @property
    def limit(self) -> int:
        """The cost to get below, as the engine's kernels take it."""
        return INFINITE if self.below is None else self.below

    def cost_of(self, tree: Tree) -> int:
        """Return the cost of a tree that has no game that is too long."""
        last = self.last * tree.share_n_worst if tree.worst == self.left else 0
        return self.scale * tree.share_total + self.step * tree.n_nodes + last


T = TypeVar("T")


class Monitor:
    """Asks a control's watch for all threads, one at a time, and ends them all when it says so.

    The log keeps what the watch is shown. It shows `stage` before the search reports more. `halt`
    is called when the search must end; `progress` is what was reported last.
    """

    def __init__(self, control: SearchControl, stage: str = "rules") -> None:
        self.halt = Stop()
        self.progress = SearchProgress(stage, 0, None, 0)
        self._watch, self._log = control.watch or (lambda _: False), control.log or SearchLog()
        self._lock = threading.Lock()

    def __call__(self, progress: SearchProgress | None = None) -> bool:
        """Report a thread's progress, or what was reported last; return whether it must end."""
        with self._lock:
            self.progress = self.progress if progress is None else progress
            if not self.halt.is_called:
                self._log.note(self.progress)
                if self._watch(self.progress):
                    self.halt.call()
        return self.halt.is_called

    def report(self, progress: SearchProgress) -> None:
        """Report work to the watch that it cannot end."""
        with self._lock:
            self._log.note(progress)
            self._watch(progress)

    def check(self, stage: str, bound: Weight, best: Weight | None) -> None:
        """Report a thread's progress to the watch; raise SearchStoppedError if it must end."""
        if self(SearchProgress(stage, bound, best, self.progress.n_states)):
            raise SearchStoppedError(f"the search was ended: {stage}")

    def run(self, function: Callable[[], T]) -> T:
        """Run a function in another thread and return its result; the watch is asked meanwhile.

        SearchStoppedError: the watch ended it. A kernel that still runs is abandoned.
        """

        def look() -> None:
            if self():  # which reads the progress when no thread reports: it may be newer by then
                self.halt.check()

        try:
            return run_in_background(function, look, self.halt.call)
        except SearchStoppedError as stop:  # whichever thread came first, it says what is proved
            raise SearchStoppedError(describe_end(self.progress.bound)) from stop


def describe_end(bound: Weight) -> str:
    """Return the message of a search that was ended: what it has proved of the total."""
    if bound <= 0:
        return "the search was ended before anything was proved"
    return f"the search was ended; no total is below {write_weights([bound])}: that is proved"


def check_result(tree: Tree, spec: SearchSpec) -> Tree:
    """Return the tree of a search if it keeps to what was asked for and to what is proved.

    A search that has a fault may contradict itself: then it must not be believed, and TreeError is
    raised. That no tree is better is the search's word; tests compare it with a plain recursion.
    """
    fault = _find_fault(tree, spec)
    if fault:
        raise TreeError(f"{tree.game.name}: internal error: {fault}; please report the command")
    return tree


def _find_fault(tree: Tree, spec: SearchSpec) -> str:
    total, bound = tree.total, tree.provenance.bound
    if bound is not None and bound > total:
        return f"the search proved the bound {bound}, and its tree has total {total}"
    if spec.is_proved(tree) and bound != total and "total" in spec.objective:
        return f"the search calls a tree of total {total} optimal, and proved the bound {bound}"
    if spec.max_length is not None and tree.worst > spec.max_length:
        return f"games may have the length {spec.max_length}, and one has {tree.worst}"
    first = tree.game.notation.name_guess(int(tree.guess[0]))
    if spec.first and tree.worst and first not in spec.first:
        return f"the first guess is {first}, which is not one of those given"
    if spec.eligible == "all":
        return ""
    return find_illegal_guess(tree, spec.eligible, is_first_given=bool(spec.first))


IN_GENERAL = "with costs, questions, the goal to identify or an objective with nodes"
"""Which games take the search of tables, in messages."""


def write_first(game: Game, spec: SearchSpec) -> SearchSpec:
    """Return a spec with its first guesses as the game writes them, each of them once.

    >>> from treegen.games.codebook import make_word_game
    >>> words = make_word_game(["crane", "salet"], rule="position")
    >>> write_first(words, SearchSpec(first=("salet", "crane", "salet"))).first
    ('salet', 'crane')
    """
    codes = dict.fromkeys(check_guess(game.notation, game.parse_code(text)) for text in spec.first)
    return replace(spec, first=tuple(map(game.notation.name_guess, codes)))


def check_rule_of_play(game: Game, spec: SearchSpec) -> None:
    """Raise if a search cannot keep to its rule of play.

    GameError: the game cannot be played by it. UsageError: the history or a given first guess
    breaks it.
    """
    eligible = spec.eligible
    resolve_eligible(game, eligible)
    if not is_rule_of_play(eligible):
        return
    refuse_breach(game, eligible, spec.history)
    for text in spec.first:
        breach = describe_breach(game, eligible, spec.history, game.parse_code(text))
        if breach:
            raise UsageError(f"the first guess {breach}")


def check_near_optimal(game: Game, spec: SearchSpec) -> None:
    """Raise as `check_rule_of_play`, and UsageError if a near-optimal search has another aim.

    It takes only the least total of guesses that are all eligible, or legal by a rule of play.
    """
    plain = replace(spec, first=())
    if spec.eligible == "consistent" and spec.is_for_candidates(game):
        raise UsageError(
            f"every code of {game.name} may be secret: there `eligible=consistent` is the same as"
            " candidates, which only optimal takes"
        )
    if is_rule_of_play(resolve_eligible(game, spec.eligible)):
        plain = replace(plain, eligible="all")
    if plain.rule != SearchSpec().rule:
        raise UsageError(
            "best minimises the total, with all guesses eligible or by a rule of play;"
            f" {spec.rule} is for optimal"
        )
    check_rule_of_play(game, spec)


def refuse_eligible(game: Game, spec: SearchSpec) -> None:
    """Raise UsageError for guesses that this search cannot keep to."""
    eligible = resolve_eligible(game, spec.eligible)
    if is_rule_of_play(eligible):
        raise UsageError(
            f"{IN_GENERAL}, a search takes `eligible=all`"
            f" or candidates, not {eligible}; rules such as `strategy=entropy` take it"
        )
    if eligible == "candidates" and game.rules.first_guess > 0:
        raise UsageError(
            f"{game.name} is to be identified by its questions: no candidate is guessed, so"
            " `eligible` cannot be candidates"
        )
