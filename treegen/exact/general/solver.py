"""Depth-first branch and bound with a table of states: the least cost of a state, proved.

A state is a set of items, with what may still be spent. The table keeps what is proved of it under
the set itself, not under a hash, so that no two states share an entry.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.base import Game
from ..engine import Int32s, Int64s
from ..request import Aim, SearchSpec
from .bounds import IMPOSSIBLE, GuessBounds, ItemCells, Limits, bound_guesses, divide_state
from .problem import NO_CAP, GeneralProblem, Items, count_single, make_problem
from .profiles import bound_sizes, collect_profiles, count_capacities

INFINITE = 1 << 200
"""Above every cost of a state; Python's integers have no limit."""

MAX_ENTRIES = 2_000_000
"""The table is emptied when it has this many states."""


LEAST = Aim()
"""The total alone is minimised."""

LONGEST = Aim(scale=0, stage="worst")
"""The longest path is minimised, whatever the total is."""


def cap_of(aim: Aim) -> int:
    """Return what may be spent in all."""
    return NO_CAP if aim.left is None else aim.left


@dataclass(slots=True)
class StateProof:
    """What is proved of a state."""

    lower: int = 0  # it costs no less
    value: int | None = None  # what it costs; None: not known yet
    guess: int = -1  # the guess that attains the value; -1 for a single item


class GeneralState(NamedTuple):
    """A state, items ascending, with what bounds its trees, and the bounds of each guess."""

    items: Items
    limits: Limits
    bounds: GuessBounds


class GeneralSolver:
    """Finds the least cost of the states of a problem, as an aim counts it.

    That is a multiple of the total and of the weight found at the last moment, or, for `LONGEST`,
    the longest path. The solver of one more thread is made `like` another one, and has its table.
    `check` is called at every state; it may raise to end the search. `bound` is
    what was proved of all items by their guesses that were tried, `incumbent` the best cost of all
    items found so far and its guess, `n_states` the number of states searched.
    """

    def __init__(
        self,
        problem: GeneralProblem,
        aim: Aim = LEAST,
        check: Callable[[], object] = lambda: None,
        like: GeneralSolver | None = None,
    ) -> None:
        self.problem, self.aim, self.check = problem, aim, check
        self.is_longest = aim.scale == 0
        self.table: dict[tuple[bytes, int], StateProof] = {} if like is None else like.table
        self.n_states = 0
        self.bound = 0
        self.incumbent: tuple[int, int] | None = None
        self.root = np.arange(problem.n, dtype=np.int32)
        if like is None:
            profiles = collect_profiles(problem.answers, problem.costs, problem.n_cells, self.root)
            longest = min(problem.longest, 1 << 20)
            self.capacities: Int64s = count_capacities(profiles, longest, problem.n)
        else:
            self.capacities = like.capacities
        # The deepest recursion has an item less each time.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * problem.n + 2000))

    def solve(self, items: Items, left: int = NO_CAP, upper: int = INFINITE) -> int | None:
        """Return the least cost of a state if it is below an upper bound; else None."""
        left = self.simplify(items, left)
        entry = self.enter(items, left)
        if entry.value is not None:
            return entry.value if entry.value < upper else None
        if entry.lower >= upper:
            return None
        if len(items) == 1:
            entry.value = self.finish(int(items[0]), left)
            return entry.value if entry.value < upper else None
        return self.search(self.analyze(items, left), entry, upper)

    def search(self, state: GeneralState, entry: StateProof, upper: int) -> int | None:
        """Try the guesses of a state, those of the least bound first."""
        self.n_states += 1
        self.check()
        best, found, tried = upper, -1, set()
        is_root = len(state.items) == self.problem.n
        ranked = self.rank(state)
        # What the guesses from each on prove together; first guesses that are given keep their
        # order, all others come by their bounds.
        floors = list(accumulate(reversed([bound for bound, _ in ranked]), min))[::-1]
        for (bound, guess), floor in zip(ranked, floors, strict=True):
            if is_root:
                self.bound = max(self.bound, min(floor, best))
            if floor >= best:
                break
            if bound >= best:
                continue
            key = state.bounds.keys[guess].tobytes()
            if key in tried:  # it divides the state like one before it, which cost no more
                continue
            tried.add(key)
            value = self.try_guess(state, guess, best)
            if value is not None and value < best:
                best, found = value, guess
                if is_root:
                    self.incumbent = best, found
        if found < 0:
            entry.lower = max(entry.lower, upper)
            return None
        # The value last: threads share the table, and read the guess of a state that has one.
        entry.lower, entry.guess = best, found
        entry.value = best
        return best

    def try_guess(self, state: GeneralState, guess: int, upper: int) -> int | None:
        """Return the least cost of a state after a guess if it is below an upper bound."""
        cells = self.divide(state, guess)
        if self.is_longest:
            return self._find_longest(cells, int(self.problem.costs[guess]), upper)
        left = self.spend(state.limits.left, guess)
        total = self.charge(state.items, cells, guess, left)
        parts = self.list_parts(cells, left)
        total += sum(lower for lower, _ in parts)
        for lower, items in parts:
            if total >= upper:
                return None
            value = self.solve(items, left, upper - total + lower)
            if value is None:
                return None
            total += value - lower
        return total if total < upper else None

    def _find_longest(self, cells: ItemCells, cost: int, upper: int) -> int | None:
        """Return the least longest path after a guess if it is below an upper bound."""
        worst = cost
        # The largest cell first: it decides most often.
        for items in sorted(self.list_items(cells), key=len, reverse=True):
            value = self.solve(items, upper=upper - cost)
            if value is None:
                return None
            worst = max(worst, cost + value)
        return worst if worst < upper else None

    def list_parts(self, cells: ItemCells, left: int) -> list[tuple[int, Items]]:
        """Return the cells of a guess with a lower bound of each, the smallest first."""
        parts = []
        for cell, items in enumerate(self.list_items(cells)):
            lower = self.weigh(int(cells.bounds[cell]), int(cells.lasts[cell]))
            known = self.table.get(self.key_of(items, self.simplify(items, left)))
            if known is not None:
                lower = max(lower, known.lower)
            parts.append((lower, items))
        return sorted(parts, key=lambda part: len(part[1]))

    def list_items(self, cells: ItemCells) -> list[Items]:
        """Return the items of each cell."""
        starts = cells.starts.tolist()
        return [cells.items[begin:end] for begin, end in pairwise(starts)]

    def rank(self, state: GeneralState) -> list[tuple[int, int]]:
        """Return (lower bound, guess) of the guesses of a state, in the order of trying them.

        Of guesses that divide alike the cheapest stands first: whoever meets another may skip it.
        """
        possible = self.list_allowed(state)
        # By cost, then by bound, which is the same for all where nothing weighs.
        possible = possible[np.argsort(self.problem.costs[possible], kind="stable")]
        totals, lasts, worsts, _ = state.bounds
        bounds = map(self.weigh, totals[possible].tolist(), lasts[possible].tolist())
        ranked = list(zip(bounds, possible.tolist(), strict=True))
        if self.is_given(state):
            # Given guesses keep their order, since the first of equally good ones is made.
            cheapest = dict[bytes, tuple[int, int]]()
            for pair in ranked:
                cheapest.setdefault(state.bounds.keys[pair[1]].tobytes(), pair)
            ranked = sorted(cheapest.values(), key=lambda pair: self.problem.first.index(pair[1]))
        else:
            ranked.sort(key=lambda pair: pair[0])
        if self.is_longest:
            ranked = [(int(worsts[guess]), guess) for _, guess in ranked]
            ranked.sort(key=lambda pair: pair[0])
        return ranked

    def analyze(self, items: Items, left: int = NO_CAP) -> GeneralState:
        """Return a state with the bounds of all its guesses."""
        problem = self.problem
        profiles = collect_profiles(problem.answers, problem.costs, problem.n_cells, items)
        sizes = bound_sizes(profiles, len(items), int(problem.ends[items].min()))
        weights = problem.weights[items]
        arity = 0
        if problem.is_announced and weights[0] != weights[-1]:
            arity = int(((profiles.caps > 0).sum(axis=1) + profiles.wins).max(initial=0))
        rises = np.diff(sizes, prepend=0)
        cheapest = min(profiles.costs.tolist(), default=0)
        limits = Limits(rises, arity, cheapest, left, self.capacities)
        return GeneralState(
            items,
            limits,
            bound_guesses(
                problem.answers, problem.costs, problem.weights, problem.n_cells, items, limits
            ),
        )

    def divide(self, state: GeneralState, guess: int) -> ItemCells:
        """Return the cells of a guess in a state, with their bounds."""
        problem = self.problem
        return divide_state(
            problem.answers[guess],
            int(problem.costs[guess]),
            problem.weights,
            problem.n_cells,
            state.items,
            state.limits,
        )

    def charge(self, items: Items, cells: ItemCells, guess: int, left: int) -> int:
        """Return what a guess itself costs a state: all its items pay for it."""
        cost = int(self.problem.costs[guess]) * int(self.problem.weights[items].sum())
        last = int(self.problem.weights[cells.winner]) if cells.winner >= 0 and left == 0 else 0
        return self.weigh(cost, last)

    def spend(self, left: int, guess: int) -> int:
        """Return what may be spent after a guess."""
        return left - int(self.problem.costs[guess])

    def finish(self, item: int, left: int) -> int:
        """Return what a single item costs."""
        cost, weight = int(self.problem.ends[item]), int(self.problem.weights[item])
        if self.is_longest:
            return cost
        if cost > left:
            return INFINITE
        return self.weigh(cost * weight, weight if cost == left else 0)

    def weigh(self, total: int, last: int) -> int:
        """Return the cost of a total and of a weight found at the last moment."""
        return total if self.is_longest else self.aim.scale * total + self.aim.last * last

    def simplify(self, items: Items, left: int) -> int:
        """Return what may be spent, `NO_CAP` where no path can need all of it."""
        dearest = int(self.problem.costs.max(initial=1))
        most = dearest * len(items) + int(self.problem.ends.max())
        return NO_CAP if left > most else left

    def list_allowed(self, state: GeneralState) -> NDArray[np.intp]:
        """Return the guesses that tell something of a state and are allowed, in their order."""
        possible = np.flatnonzero(state.bounds.totals != IMPOSSIBLE)
        if self.is_given(state):  # a given guess need not be a candidate
            given = np.array(self.problem.first, dtype=np.intp)
            return given[np.isin(given, possible)]
        if self.problem.candidates_only:
            possible = possible[np.isin(self.problem.owners[possible], state.items)]
        return possible

    def is_given(self, state: GeneralState) -> bool:
        """Return whether the guess of a state is one of the first guesses that were given."""
        return bool(self.problem.first) and len(state.items) == self.problem.n

    def choose(self, items: Items, left: int) -> int:
        """Return the best guess of a state that was solved; solve it again if it is forgotten."""
        left = self.simplify(items, left)
        entry = self.enter(items, left)
        if entry.value is None:
            self.solve(items, left)
            entry = self.enter(items, left)
        return entry.guess

    def enter(self, items: Items, left: int) -> StateProof:
        """Return what is known about a state, which the table holds from now on."""
        if len(self.table) >= MAX_ENTRIES:
            self.table.clear()
        return self.table.setdefault(self.key_of(items, left), StateProof())

    def key_of(self, items: Items, left: int) -> tuple[bytes, int]:
        """Return the state's key: the set of its items itself."""
        return items.astype(np.uint16 if self.problem.n < 1 << 16 else np.int32).tobytes(), left


def look_ahead(solver: GeneralSolver, n_ahead: int) -> int:
    """Return a lower bound of the cost of all items; `GeneralSolver.bound` rises meanwhile.

    `n_ahead` guesses behind the first one are tried in full, all of them with all their cells. What
    is further down costs what its sizes and weights prove. Sums of lower bounds over cells, and
    least ones over guesses, are lower bounds. The guesses of a state are tried by their own bound,
    until it is not below what the best one proves.
    """
    return _bound(solver, solver.root, n_ahead, is_root=True)


def _bound(solver: GeneralSolver, items: Items, n_ahead: int, *, is_root: bool = False) -> int:
    solver.check()
    state = solver.analyze(items)
    entry = solver.enter(items, NO_CAP)
    if entry.value is not None:
        return entry.value
    least, tried = INFINITE, set()
    for bound, guess in sorted(solver.rank(state)):
        if is_root:
            solver.bound = max(solver.bound, min(bound, least))
        if bound >= least:
            break
        key = state.bounds.keys[guess].tobytes()
        if key not in tried:
            tried.add(key)
            least = min(least, max(bound, _bound_guess(solver, state, guess, n_ahead, least)))
    entry.lower = max(entry.lower, least)
    if is_root:
        solver.bound = max(solver.bound, least)
    return max(least, entry.lower)


def _bound_guess(
    solver: GeneralSolver, state: GeneralState, guess: int, n_ahead: int, upper: int
) -> int:
    """Return a lower bound of a state's cost after a guess; any above an upper bound."""
    cells = solver.divide(state, guess)
    parts = solver.list_parts(cells, NO_CAP)
    total = solver.charge(state.items, cells, guess, NO_CAP)
    total += sum(lower for lower, _ in parts)
    for lower, items in reversed(parts):  # the largest cell has most to gain
        if total >= upper or n_ahead == 0:
            break
        if len(items) > 1:
            total += max(0, _bound(solver, items, n_ahead - 1) - lower)
    return total


_searches: list[int] = []
"""For each search that goes on, the recursion limit before the first of them."""

_searches_lock = threading.Lock()


@contextmanager
def restore_recursion_limit() -> Iterator[None]:
    """Let solvers raise the process's recursion limit until the last search inside has ended."""
    with _searches_lock:
        _searches.append(_searches[0] if _searches else sys.getrecursionlimit())
    try:
        yield
    finally:
        with _searches_lock:
            before = _searches.pop()
            if not _searches:
                sys.setrecursionlimit(before)


@restore_recursion_limit()
def cost_guesses(
    game: Game, candidates: Int32s, guess: int, *, candidates_only: bool = False
) -> tuple[int, int, int]:
    """Return a best guess of a state, its least total, and the least that begins with a guess.

    The game takes the general search. The guess tells something about
    the candidates; of a single candidate it is that one. StrategyError: there are too many guesses
    and candidates.
    """
    if len(candidates) == 1:
        only = count_single(game, guess)[0]
        return guess, only, only
    spec = SearchSpec(eligible="candidates" if candidates_only else "all")
    problem = make_problem(game, candidates, spec)
    solver = GeneralSolver(problem)
    least = solver.solve(solver.root)
    chosen = solver.choose(solver.root, NO_CAP)
    opening = int(np.searchsorted(problem.codes, guess))
    total = solver.try_guess(solver.analyze(solver.root), opening, INFINITE)
    assert least is not None
    assert total is not None
    return int(problem.codes[chosen]), least, total
