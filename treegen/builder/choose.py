"""Choose the guesses of a level: tasks of states, in one thread or several; report progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, StrategyError, UsageError
from ..games.base import Game, check_game, excludes_any, follow
from ..games.eligible import describe_first_breach, is_rule_of_play, resolve_eligible
from ..games.rules import write_count
from ..jit.interpreter import MANY_PAIRS, is_interpreted, is_small_rule, mark_small
from ..jit.memory import read_available_bytes
from ..kernels.levels import Level
from ..kernels.onestep.criteria import Rule, depends_on_history
from ..kernels.onestep.game import (
    RankedGame,
    WordGame,
    fits_ranked_game,
    make_ranked_game,
    make_word_game,
)
from ..kernels.onestep.guesses import States, choose_states
from ..kernels.onestep.planes import FEWEST, MOST, choose_by_planes, fits_planes, make_planes
from ..kernels.onestep.words import choose_words
from ..kernels.onestep.workspace import are_few, make_arena, make_word_arena
from ..kernels.responses import Scoring, make_scoring, mix
from ..kernels.rule_kinds import CriterionKind, EligibleKind, TieBreak
from ..strategies.strategy import Strategy, uses_weights
from ..tasks.background import DaemonExecutor, work_off, yield_ended
from ..tasks.work import OnProgress, Progress, Stop
from ..tree.tree import History, list_columns, weigh_secrets
from ..tree.walk import TreeStates, describe_conflict
from .plain import Ask, Plain, Rater, make_weighing

BYTES_PER_CODE = 64
"""Upper bound of a build's memory per code: codes, counts, ranks, candidates, nodes."""

POSITION_PEG_S = 1e-9
"""Measured time of all levels together, per pair of guess and secret, and per peg of them."""


def number_rule(game: Game, strategy: Strategy) -> Rule:
    """Return a strategy in the kernels' form.

    GameError: the game has no hints, and only guesses that use them are eligible.
    """
    n_secrets = game.n_secrets
    for criterion in strategy.criteria:
        if criterion.kind == CriterionKind.SHARES and game.rules.shares is None:
            usual = "entropy" if criterion.name.startswith("information") else "expected-size"
            raise StrategyError(
                f"{criterion.name} is for tables with uncertain answers or classes; for"
                f" {game.name}: {usual}"
            )
    if game.rules.first_guess and strategy.eligible == "candidates":
        raise UsageError(
            f"{strategy.name} guesses candidates only, but the goal is to identify: questions are"
            " asked, and no candidate is guessed"
        )
    eligible = resolve_eligible(game, strategy.eligible)
    kinds = np.array([criterion.kind for criterion in strategy.criteria], dtype=np.int64)
    tables = np.zeros((len(kinds), n_secrets + 1), dtype=np.int64)
    for row, criterion in zip(tables, strategy.criteria, strict=True):
        row[:] = criterion.table(n_secrets)
    ranks = strategy.code_ranks(game)
    sequence = np.argsort(ranks).astype(np.int32)
    sequence = sequence[sequence >= game.rules.first_guess]
    # Plain integers: numba would compile every kernel anew for a member of an enum.
    tie_break = int(TieBreak[strategy.tie_break.upper().replace("-", "_")])
    return Rule(
        kinds,
        tables,
        tie_break,
        eligible == "candidates",
        int(EligibleKind[eligible.upper()]),
        1 if game.rules.first_guess else strategy.n_direct,
        ranks,
        sequence,
    )


def make_first_level(game: Game, strategy: Strategy, history: History) -> Level:
    """Return the level of the root: the candidates that agree with the history.

    UsageError: no secret agrees with it, a guess or a response in it does not exist, or a guess
    breaks the rule that the game is played by. GameError: the game cannot be played by that rule.
    """
    for guess, response in history:
        if not (0 <= guess < game.n_codes and 0 <= response < game.n_responses):
            raise UsageError(f"the history's guess {guess} or response {response} is out of range")
    candidates, shares = follow(game, history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, history))
    resolve_eligible(game, strategy.eligible)
    if is_rule_of_play(strategy.eligible):  # also where it allows the same as candidates
        refuse_breach(game, strategy.eligible, history)
    key = np.uint64(strategy.seed)
    with mark_small(True):
        for guess, response in history:
            key = np.uint64(mix(key, np.uint64(guess)))
            key = np.uint64(mix(key, np.uint64(response)))
    return Level(
        candidates,
        np.array([0, len(candidates)], dtype=np.int64),
        np.array([key], dtype=np.uint64),
        np.array([-1], dtype=np.int32),
        np.array([-1], dtype=list_columns(game.n_responses)["response"]),
        shares,
    )


def refuse_breach(game: Game, eligible: str, history: History) -> None:
    """Raise UsageError if a guess of a history may not be made after those before it.

    >>> from treegen.games.codebook import make_word_game
    >>> game = make_word_game(["crane", "crate", "caret"], rule="position")
    >>> refuse_breach(game, "hints", [(0, game.parse_response("22202")), (1, game.win)])
    """
    breach = describe_first_breach(game, eligible, history)
    if breach:
        raise UsageError(f"the history is not one of a game with eligible={eligible}: {breach}")


def check_size(game: Game) -> None:
    """Raise GameError if the tree of a game would not fit into memory, or could not hold it."""
    needed = game.n_codes * (game.rules.bytes_per_code + BYTES_PER_CODE)
    available = read_available_bytes()
    if needed > available:
        plays_adaptively = game.rules.symmetry.colors and game.rules.has_white
        raise GameError(
            f"{game.name} has {write_count(game.n_codes)} codes: its tree needs about"
            f" {_in_gigabytes(needed)} of memory; {_in_gigabytes(available)} are free"
            + ("; `strategy='adaptive'` plays it without one" if plays_adaptively else "")
        )
    check_game(game)


def estimate_codebook_build(game: Game, strategy: Strategy) -> tuple[float, int] | None:
    """Return about how many seconds of one core and bytes a codebook's tree takes to build.

    None for games whose feedback is quick, or whose symmetries save work.
    """
    if not game.rules.has_tiles:
        return None
    n_guesses = game.n_secrets if strategy.eligible == "candidates" else game.n_codes
    seconds = game.n_secrets * n_guesses * game.n_pegs * POSITION_PEG_S
    return seconds, game.n_codes * (game.n_pegs + game.n_colors + BYTES_PER_CODE)


def list_useful_openings(
    game: Game, candidates: NDArray[np.int32], codes: Sequence[int], history: History = ()
) -> list[int]:
    """Return the codes of the opening that gain information about the candidates.

    None are needed where the game is over: what is left is announced. UsageError: none of them
    does; a tree that begins with such a guess, or asks again, might never end.
    """
    if game.rules.is_over(candidates):
        return []
    asked = {guess for guess, _ in history}
    useful = [
        code
        for code in codes
        if code not in asked
        and (excludes_any(game, code, candidates) or [code] == candidates.tolist())
    ]
    if codes and not useful:
        if game.rules.shares is not None:
            named = " or ".join(map(game.format_code, codes))
            raise UsageError(f"no answer to {named:.80} excludes a candidate: ask another first")
        written = game.format_code(codes[0])
        raise UsageError(
            f"the first guess {written} gains no information:"
            f" all {len(candidates):,} secrets give the same answer"
        )
    return useful


def _in_gigabytes(size: int) -> str:
    gigabytes = size // 10**9
    if gigabytes < 10**6:
        return f"{size / 1e9:.1f} GB"
    return f"{write_count(gigabytes).removeprefix('about ')} GB"


TASK_PAIRS = 500_000_000
"""Pairs of guess and candidate in a task: a fraction of a second, for Ctrl-C and the progress."""

THREADED_PAIRS = 20_000_000
"""A level of fewer pairs is not worth a thread."""

SHORT_PAIRS = 5_000_000
"""Least pairs of a task, about a millisecond: smaller ones cost more to hand out than they save."""

LEAST_PAIRS = 64
"""The least cost of a guess, in pairs: the vectors have this many lanes."""


@dataclass(frozen=True, slots=True)
class Way:
    """A kernel that tries many guesses at once, in states of some sizes."""

    choose: Callable[[Any, States, NDArray[np.int64], NDArray[np.int32]], None]
    make_room: Callable[[int], Any]  # scratch memory for states, by their largest size
    fewest: int
    most: int
    # Scratch memory that no thread uses now: for states of how many candidates, and what. To take
    # new pages of the system costs more than a task, and threads take turns at it.
    rooms: list[tuple[int, Any]] = field(default_factory=list, compare=False)

    @contextmanager
    def lend_room(self, n_most: int, stop: NDArray[np.int64]) -> Iterator[Any]:
        """Lend scratch memory that is large enough for some states; it is kept for the next."""
        try:
            n_fits, room = self.rooms.pop()
        except IndexError:
            n_fits = 0
        if n_most > n_fits:
            n_fits, room = n_most, self.make_room(n_most)
        try:
            yield room._replace(stop=stop)
        finally:
            self.rooms.append((n_fits, room))


@dataclass(frozen=True, slots=True)
class Many:
    """The chooser that tries many guesses at once: of pegs and of words, by cells alone."""

    game: RankedGame | WordGame
    ranks: NDArray[np.int32] | None  # [n_codes]: None if ranks follow the order of codes
    ways: tuple[Way, ...]  # a state goes the first one that takes its size
    has_symmetry: bool  # whether symmetry leaves few guesses to try

    def list_states(self, level: Level, paths: NDArray[np.int32]) -> States:
        """Return the states of a level by rank."""
        if self.ranks is None:
            paths = np.ascontiguousarray(paths)
            return States(level.candidates, level.starts, paths, level.keys)
        ranks = self.ranks[level.candidates]
        owners = np.repeat(np.arange(len(level.starts) - 1), np.diff(level.starts))
        # The kernels want ranks ascending within each state, as candidates are by code.
        ranks = ranks[np.lexsort((ranks, owners))]
        return States(ranks, level.starts, self.ranks[paths], level.keys)

    def choose_states(
        self,
        states: States,
        chosen: NDArray[np.int64],
        guesses: NDArray[np.int32],
        stop: NDArray[np.int64],
    ) -> None:
        """Write the guesses of some states of a level, until it is stopped."""
        for way in self.ways:
            sizes = states.starts[chosen + 1] - states.starts[chosen]
            is_served = (sizes >= way.fewest) & (sizes <= way.most)
            if is_served.any():
                with way.lend_room(int(sizes[is_served].max()), stop) as room:
                    way.choose(room, states, chosen[is_served], guesses)
                chosen = chosen[~is_served]


@dataclass(frozen=True, slots=True)
class Chooser:
    """Everything needed to choose guesses, and to divide the candidates by their answers."""

    game: Game
    plain: Plain
    many: Many | None  # chooses instead where it can, the same guesses sooner
    jobs: int  # how many threads may work
    halt: Stop  # ends its kernels
    # A graphics card, which chooses as `many` does; None: the processor does.
    device: Callable[[States, NDArray[np.int32], Reporter, Stop], None] | None = None
    # [1]: pairs of guess and candidate in the levels so far.
    n_pairs: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64), compare=False)


def make_chooser(
    game: Game,
    strategy: Strategy,
    *,
    jobs: int = 1,
    symmetry: bool = True,
    halt: Stop | None = None,
    ask: Ask | None = None,
) -> Chooser:
    """Return the chooser of a game's guesses by a strategy.

    Where candidates have shares, `ask` chooses; None: what the strategy's measure rates best. The
    other options do not change the guesses.
    """
    if ask is None and game.rules.shares is not None:
        ask = Rater(game.rules, strategy).ask
    scoring, rule = make_scoring(game.rules), number_rule(game, strategy)
    weighing, criteria = None, strategy.criteria
    if ask is None and uses_weights(strategy, game.rules):
        weighing = make_weighing(game, strategy)
    if not any(criterion.function for criterion in criteria):
        criteria = ()
    is_ranked = weighing is None and ask is None and fits_ranked_game(game.rules, scoring)
    tries_few = is_ranked and game.rules.symmetry.pegs and game.rules.symmetry.colors
    tries_few = tries_few and not depends_on_history(rule)
    is_small = is_small_rule(game.n_codes, game.n_secrets, tries_few=tries_few)
    many = None
    if weighing is None and not criteria and ask is None:
        with mark_small(is_small):
            many = _make_many(game, scoring, rule, symmetry=symmetry)
    plain = Plain(scoring, rule, game.n_responses, weighing, criteria, ask, is_small)
    return Chooser(game, plain, many, jobs, halt or Stop())


def _make_many(game: Game, scoring: Scoring, rule: Rule, *, symmetry: bool) -> Many | None:
    """Return the chooser of many guesses; None if the game's responses are of no such kind."""
    if not fits_ranked_game(game.rules, scoring):
        words = make_word_game(game.rules, scoring, rule)
        if words is None:
            return None
        room = partial(make_word_arena, words)
        way = Way(partial(choose_words, words), room, 1, game.n_secrets)
        return Many(words, _rank_codes(words), (way,), has_symmetry=False)
    pegs = make_ranked_game(game.rules, scoring, rule, symmetry=symmetry)
    ways = [Way(partial(choose_states, pegs), partial(make_arena, pegs), 1, game.n_secrets)]
    if not is_interpreted() and fits_planes(pegs):
        ways.insert(0, Way(choose_by_planes, partial(make_planes, pegs), FEWEST, MOST))
    return Many(pegs, _rank_codes(pegs), tuple(ways), has_symmetry=pegs.has_symmetry)


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

    The paths, [n_states, n_guesses], have the guesses that led to each. The reporter is notified
    after each task, or, while threads work, several times a second.
    """
    plain, many = chooser.plain, chooser.many
    if plain.ask is not None:
        return _ask_questions(chooser.game, plain.ask, level, paths, reporter)
    guesses = np.empty(len(level.starts) - 1, dtype=np.int32)
    work = _estimate_work(chooser, np.diff(level.starts))
    total = int(work.sum())
    states = None
    if many is not None and not (paths.shape[1] > 0 and depends_on_history(plain.rule)):
        states = many.list_states(level, paths)
    chooser.n_pairs[0] += total
    # Symmetry leaves so few guesses that the pairs say little.
    has_symmetry = many is not None and many.has_symmetry
    is_small = plain.is_small and (has_symmetry or bool(chooser.n_pairs[0] <= MANY_PAIRS))
    with mark_small(is_small):
        if chooser.device is not None and states is not None:
            chooser.device(states, guesses, reporter, chooser.halt)
            return guesses
        stop, done = np.zeros(1, dtype=np.int64), [(0, 0)]  # states and pairs of each task

        def choose(chosen: NDArray[np.int64]) -> None:
            if not stop[0]:
                if many is not None and states is not None:
                    many.choose_states(states, chosen, guesses, stop=stop)
                else:
                    plain.choose_states(level, paths, np.sort(chosen), guesses, stop=stop)
                done.append((len(chosen), int(work[chosen].sum())))

        def look() -> None:
            n_done, work_done = np.sum(done, axis=0).tolist()
            reporter.advance(n_done, work_done / total)

        tasks = list(_cut_tasks(work, chooser.jobs))
        if total < THREADED_PAIRS:
            for chosen in tasks:
                choose(chosen)
                look()
            return guesses
        # Even a single task gets a thread: a kernel ignores Ctrl-C, but the thread waiting for it
        # reacts.
        n_threads, todo = min(chooser.jobs, len(tasks)), SimpleQueue[NDArray[np.int64]]()
        for chosen in tasks:
            todo.put(chosen)
        with chooser.halt.listen(stop), DaemonExecutor(n_threads) as pool:
            try:
                crew = (pool.submit(work_off, todo, choose) for _ in range(n_threads))
                for ended in yield_ended(crew, look):
                    ended.result()
            except BaseException:
                stop[0] = 1
                raise
    return guesses


def _ask_questions(
    game: Game, ask: Ask, level: Level, paths: NDArray[np.int32], reporter: Reporter
) -> NDArray[np.int32]:
    """Return the question of each state; where the game is over, the heaviest candidate."""
    known = dict[tuple[bytes, ...], int]()
    shares = weigh_secrets(game, level.candidates, level.shares)
    guesses = list_states(level).heaviest.astype(np.int32)
    for state, (begin, end) in enumerate(pairwise(level.starts.tolist())):
        if end - begin > 1:
            items, parts = level.candidates[begin:end], shares[begin:end]
            # An unknown cell makes many answers' states alike.
            key = items.tobytes(), parts.tobytes(), paths[state].tobytes()
            if key not in known:
                asked = tuple((paths[state] - game.rules.first_guess).tolist())
                is_over = game.rules.is_over(items)
                known[key] = -1 if is_over else ask(items, parts, asked, ())
            if known[key] >= 0:
                guesses[state] = game.rules.first_guess + known[key]
        reporter.advance(state, state / len(guesses))
    return guesses


def list_states(level: Level) -> TreeStates:
    """Return a level as walks through trees have it."""
    parents, responses = level.parents.astype(np.int64), level.responses.astype(np.int64)
    return TreeStates(level.candidates, level.starts, parents, responses, level.shares)


def _estimate_work(chooser: Chooser, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return an estimate of each state's work, in pairs of guess and candidate."""
    rule, many = chooser.plain.rule, chooser.many
    n_guesses = sizes if rule.candidates_only else len(rule.sequence)
    pairs = np.maximum(sizes, LEAST_PAIRS)
    if many is not None and many.has_symmetry:
        # For small states a guess costs a comparison of 64 lanes for each pair of candidates.
        pairs = np.where(are_few(sizes), 2 + sizes * sizes // 100, pairs)
    return np.where(sizes > 2, pairs * n_guesses, LEAST_PAIRS)


def _cut_tasks(work: NDArray[np.int64], jobs: int) -> Iterator[NDArray[np.int64]]:
    """Yield the states in tasks of similar work, the large states first."""
    # The large ones first, so that no thread begins a long task when the others are done.
    order = np.argsort(-work, kind="stable")
    budget = min(TASK_PAIRS, max(int(work.sum()) // (8 * jobs), SHORT_PAIRS))
    for first, last in cut_runs(work[order], budget):
        yield order[first:last]


def cut_runs(work: NDArray[np.int64], most: int) -> list[tuple[int, int]]:
    """Return runs of states, first and one past the last, of at most `most` work if possible.

    >>> cut_runs(np.array([3, 4, 9, 1, 1]), 7)
    [(0, 2), (2, 3), (3, 5)]
    """
    spent = np.concatenate(([0], np.cumsum(work)))
    runs, first = [], 0
    while first < len(work):
        last = int(np.searchsorted(spent, spent[first] + most, side="right")) - 1
        last = max(first + 1, last)
        runs.append((first, last))
        first = last
    return runs


INTERVAL_S = 0.1
"""The least time between two reports within a level."""


class Reporter:
    """Tells the progress of a build, at most several times a second, in the thread that began it.

    How much of a level's work is done, 0 to 1, is estimated from the sizes of its states; the time
    left is that of the level, without later ones.
    """

    def __init__(self, progress: OnProgress | None, n_secrets: int) -> None:
        self.progress, self.n_secrets = progress, n_secrets
        self.level_start_s = self.told_s = time.perf_counter()
        self.level, self.n_states, self.n_solved = -1, 0, 0

    def start_level(self, n_states: int, n_candidates: int) -> None:
        """Begin the next level."""
        self.level += 1
        self.n_states, self.n_solved = n_states, self.n_secrets - n_candidates
        self.level_start_s = time.perf_counter()
        self._tell(0, 0.0)

    def advance(self, n_done: int, work_done: float) -> None:
        """Report how much of the level is done, unless there was a report just now."""
        if self.progress is not None and time.perf_counter() - self.told_s >= INTERVAL_S:
            self._tell(n_done, work_done)

    def _tell(self, n_done: int, work_done: float) -> None:
        if self.progress is None:
            return
        self.told_s = now = time.perf_counter()
        spent_s = now - self.level_start_s
        left = f", {spent_s * (1 - work_done) / work_done:,.0f} s left" if work_done > 0 else ""
        rate = n_done / spent_s if spent_s > 0 else 0.0
        # What matters most comes first: a narrow terminal cuts the rest off.
        note = (
            f"guess {self.level + 1}: {n_done:,} of {self.n_states:,} states{left},"
            f" {self.n_solved:,} of {self.n_secrets:,} secrets found, {rate:,.0f}/s,"
            f" {peak_memory_bytes() / 1e6:,.0f} MB"
        )
        self.progress(Progress("build", work_done, 1.0, note))


def peak_memory_bytes() -> int:
    """Return the peak memory of this process, 0 if the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
