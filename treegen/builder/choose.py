"""Choose the guesses of a level: tasks of states, on one thread or on several."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..games import Game
from ..kernels import Level, Scoring
from ..kernels.onestep import (
    Arena,
    EligibleLists,
    RankedGame,
    Rule,
    States,
    Weighing,
    WordArena,
    WordGame,
    are_few,
    choose_guess,
    choose_guesses,
    choose_states,
    choose_words,
    depends_on_history,
    fits_ranked_game,
    list_eligible,
    make_arena,
    make_ranked_game,
    make_word_arena,
    make_word_game,
)
from ..strategies import Criterion
from ..tasks import DaemonExecutor
from .functions import choose_by_functions
from .halt import Halt
from .progress import Reporter

TASK_PAIRS = 500_000_000
"""Pairs of guess and candidate in a task: a fraction of a second, for Ctrl-C and the progress."""

THREADED_PAIRS = 20_000_000
"""A level of fewer pairs is not worth a thread."""

LEAST_PAIRS = 64
"""The least cost of a guess, in pairs: the vectors have so many lanes."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """Everything needed to choose guesses.

    Attributes
    ----------
    scoring, rule
        Game and strategy in the kernels' form.
    ranked
        The same for the fast kernels; ``None`` if there are none for the game's responses.
    weighing
        Weights and costs; ``None`` if they do not matter.
    criteria
        The strategy's, where some are functions in Python; else none.
    n_responses
        Of the game.
    jobs
        How many threads may work.
    quick_start
        Whether a small game avoids kernels that hardly speed it up.
    ranks : int32[n_codes]
        Each code's rank; ``None`` if ranks follow the order of codes.
    local
        Each thread's scratch memory, `arena`, for states of up to `n_most` candidates.
    halt
        Ends its kernels.
    """

    scoring: Scoring
    rule: Rule
    ranked: RankedGame | WordGame | None
    n_responses: int
    jobs: int
    quick_start: bool = False
    ranks: NDArray[np.int32] | None = None
    local: threading.local = field(default_factory=threading.local, compare=False)
    halt: Halt = field(default_factory=Halt, compare=False)
    weighing: Weighing | None = None
    criteria: tuple[Criterion, ...] = ()

    def choose(
        self, candidates: NDArray[np.int32], eligible: NDArray[np.int32], key: np.uint64
    ) -> int:
        """Return the best of some guesses of a state, which are in the order of codes."""
        state = (candidates, eligible, self.n_responses, key)
        stop = np.zeros(1, dtype=np.int64)
        if self.criteria:
            return choose_by_functions(
                self.scoring, self.rule, self.weighing, self.criteria, *state
            )
        return int(choose_guess(self.scoring, self.rule, self.weighing, *state, stop))


def make_chooser(
    game: Game,
    scoring: Scoring,
    rule: Rule,
    *,
    jobs: int = 1,
    symmetry: bool = True,
    quick_start: bool = False,
    halt: Halt | None = None,
    weighing: Weighing | None = None,
    criteria: tuple[Criterion, ...] = (),
) -> Chooser:
    """Make a chooser.

    None of the options but `weighing`, and functions among the `criteria`, changes the guesses.
    """
    ranked: RankedGame | WordGame | None
    if not any(criterion.function for criterion in criteria):
        criteria = ()
    if weighing is not None or criteria:
        ranked = None
    elif fits_ranked_game(game, scoring):
        ranked = make_ranked_game(game, scoring, rule, symmetry=symmetry)
    else:
        ranked = make_word_game(game, scoring, rule)
    ranks = None if ranked is None else _rank_codes(ranked)
    chooser = Chooser(scoring, rule, ranked, game.n_responses, jobs, quick_start, ranks)
    chooser = replace(chooser, weighing=weighing, criteria=criteria)
    return chooser if halt is None else replace(chooser, halt=halt)


def _rank_codes(ranked: RankedGame | WordGame) -> NDArray[np.int32] | None:
    """Return each code's rank, None if ranks follow the order of codes."""
    places = np.arange(len(ranked.codes), dtype=np.int32)
    if np.array_equal(ranked.codes, places):
        return None
    ranks = np.empty_like(places)
    ranks[ranked.codes] = places
    return ranks


def choose_level(
    chooser: Chooser, level: Level, paths: NDArray[np.int32], reporter: Reporter
) -> NDArray[np.int32]:
    """Return the guess of each state of a level.

    Parameters
    ----------
    paths : int32[n_states, n_guesses]
        The guesses that led to each state.
    reporter
        Notified of each finished task.
    """
    guesses = np.empty(len(level.starts) - 1, dtype=np.int32)
    sizes = np.diff(level.starts)
    work = _estimate_work(chooser, sizes)
    total = int(work.sum())
    run = _Run(chooser, level, sizes, paths, _to_states(chooser, level, paths), guesses)
    n_done, work_done = 0, 0
    for chosen in run.finish(list(_cut_tasks(work, chooser.jobs)), total):
        n_done += len(chosen)
        work_done += int(work[chosen].sum())
        reporter.advance(n_done, work_done / total)
    return guesses


def _estimate_work(chooser: Chooser, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what each state may cost, in pairs of guess and candidate."""
    n_guesses = sizes if chooser.rule.candidates_only else len(chooser.rule.sequence)
    pairs = np.maximum(sizes, LEAST_PAIRS)
    if isinstance(chooser.ranked, RankedGame) and chooser.ranked.has_symmetry:
        # For small states a guess costs a comparison of 64 lanes for each pair of candidates.
        pairs = np.where(are_few(sizes), 2 + sizes * sizes // 100, pairs)
    return np.where(sizes > 2, pairs * n_guesses, LEAST_PAIRS)


def _cut_tasks(work: NDArray[np.int64], jobs: int) -> Iterator[NDArray[np.int64]]:
    """Yield the states in tasks of similar work, the large states first."""
    # The large ones first, so that no thread begins a long task when the others are done.
    order = np.argsort(-work, kind="stable")
    spent = np.cumsum(work[order])
    budget = min(TASK_PAIRS, max(int(spent[-1]) // (8 * jobs), THREADED_PAIRS))
    first = 0
    while first < len(order):
        before = spent[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(spent, before + budget, side="right")))
        yield order[first:last]
        first = last


def _to_states(chooser: Chooser, level: Level, paths: NDArray[np.int32]) -> States | None:
    """Return the states of a level by rank; None for those that need lists of eligible guesses."""
    if chooser.ranked is None or (paths.shape[1] > 0 and depends_on_history(chooser.rule)):
        return None
    if chooser.ranks is None:
        paths = np.ascontiguousarray(paths)
        return States(level.candidates, level.starts, paths, level.keys)
    ranks = chooser.ranks[level.candidates]
    owners = np.repeat(np.arange(len(level.starts) - 1), np.diff(level.starts))
    # The kernels want ranks ascending within each state, as candidates are by code.
    ranks = ranks[np.lexsort((ranks, owners))]
    return States(ranks, level.starts, chooser.ranks[paths], level.keys)


class _Run:
    """One level's work, shared by the threads."""

    def __init__(
        self,
        chooser: Chooser,
        level: Level,
        sizes: NDArray[np.int64],
        paths: NDArray[np.int32],
        states: States | None,
        guesses: NDArray[np.int32],
    ) -> None:
        self.chooser, self.level, self.sizes, self.paths = chooser, level, sizes, paths
        self.states, self.guesses = states, guesses
        self.stop = np.zeros(1, dtype=np.int64)

    def finish(self, tasks: list[NDArray[np.int64]], work: int) -> Iterator[NDArray[np.int64]]:
        """Run the tasks and yield each when it is done."""
        if work < THREADED_PAIRS:
            for chosen in tasks:
                yield self.do(chosen)
            return
        # Even a single task gets a thread: a kernel ignores Ctrl-C, but the thread waiting for it
        # reacts.
        with self.chooser.halt.listen(self.stop):
            pool = DaemonExecutor(min(self.chooser.jobs, len(tasks)))
            futures = [pool.submit(self.do, chosen) for chosen in tasks]
            try:
                for future in as_completed(futures):
                    yield future.result()
            except BaseException:
                self.stop[0] = 1
                pool.abandon()
                raise
            pool.shutdown()

    def do(self, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choose the guesses of some states."""
        chooser, states = self.chooser, self.states
        match chooser.ranked:
            case RankedGame() as ranked if states is not None:
                arena = self.arena_for(ranked, chosen)
                choose_states(ranked, arena, states, chosen, self.guesses)
            case WordGame() as words if states is not None:
                memory = self.memory_for(words, chosen)
                choose_words(words, memory, states, chosen, self.guesses)
            case _ if chooser.criteria:
                self.choose_by_functions(np.sort(chosen))
            case _:
                chosen = np.sort(chosen)
                choose_guesses(
                    chooser.scoring,
                    chooser.rule,
                    chooser.weighing,
                    self.level,
                    chosen,
                    self.list_eligible(chosen),
                    chooser.n_responses,
                    self.stop,
                    self.guesses,
                )
        return chosen

    def choose_by_functions(self, chosen: NDArray[np.int64]) -> None:
        """Write the guesses of some states, one at a time."""
        chooser, level, rule = self.chooser, self.level, self.chooser.rule
        lists = self.list_eligible(chosen)
        for place, state in enumerate(chosen.tolist()):
            if self.stop[0]:
                return
            candidates = level.candidates[level.starts[state] : level.starts[state + 1]]
            ordered = candidates[np.argsort(rule.ranks[candidates])]
            if len(candidates) <= max(rule.n_direct, 1):
                self.guesses[state] = ordered[0]
                continue
            eligible = ordered if rule.candidates_only else rule.sequence
            if len(lists.codes):
                eligible = lists.codes[lists.starts[place] : lists.starts[place + 1]]
            self.guesses[state] = chooser.choose(candidates, eligible, level.keys[state])

    def list_eligible(self, chosen: NDArray[np.int64]) -> EligibleLists:
        """Return the eligible guesses of some states; none if they are the same in all states."""
        chooser = self.chooser
        if not depends_on_history(chooser.rule):
            return EligibleLists(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64))
        return list_eligible(chooser.scoring, chooser.rule, self.level, self.paths, chosen)

    def arena_for(self, ranked: RankedGame, chosen: NDArray[np.int64]) -> Arena:
        """Return this thread's scratch memory, large enough for some states."""
        local, n_most = self.chooser.local, int(self.sizes[chosen].max())
        if n_most > getattr(local, "n_most", 0):
            local.n_most = n_most
            local.arena = make_arena(ranked, n_most, quick_start=self.chooser.quick_start)
        arena: Arena = local.arena
        return arena._replace(stop=self.stop)

    def memory_for(self, words: WordGame, chosen: NDArray[np.int64]) -> WordArena:
        """Return the same for a word game."""
        local, n_most = self.chooser.local, int(self.sizes[chosen].max())
        if n_most > getattr(local, "n_most", 0):
            local.n_most, local.arena = n_most, make_word_arena(words, n_most)
        memory: WordArena = local.arena
        return memory._replace(stop=self.stop)
