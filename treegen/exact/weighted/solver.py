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
from ..engine import Int32s
from .bounds import IMPOSSIBLE, GuessBounds, Limits, WeightedCells, bound_guesses, divide_state
from .problem import NO_CAP, Items, WeightedProblem, count_single, make_problem
from .profiles import bound_sizes, collect_profiles, count_capacities

INFINITE = 1 << 200
"""Above every cost; Python's integers have no limit. Kernels say `IMPOSSIBLE`: theirs have one."""

MAX_ENTRIES = 2_000_000
"""The table is emptied when it has this many states."""


class Price(NamedTuple):
    """What is minimised: a multiple of the total, and of the weight found at the last moment."""

    total: int = 1
    last: int = 0


class Scope(NamedTuple):
    """Which guesses are allowed, by their number in the problem."""

    # In the state of all items, in the order of preference; empty: as in all other states.
    first: tuple[int, ...] = ()
    # Whether only items that are still possible may be guessed otherwise.
    candidates_only: bool = False


TOTAL, ALL = Price(), Scope()
"""The total alone is minimised; all guesses are allowed."""


@dataclass(slots=True)
class StateProof:
    """What is proved of a state."""

    lower: int = 0  # it costs no less
    value: int | None = None  # what it costs; None: not known yet
    guess: int = -1  # the guess that attains the value; -1 for a single item


class WeightedState(NamedTuple):
    """A state, items ascending, with what bounds its trees, and the bounds of each guess."""

    items: Items
    limits: Limits
    bounds: GuessBounds


class WeightedSolver:
    """Finds the least cost of the states of a problem, by a price, from the guesses of a scope.

    `check` is called at every state; it may raise to end the search. `bound` is what was proved of
    all items by their guesses that were tried, `incumbent` the best cost of all items found so far
    and its guess, `n_states` the number of states searched.
    """

    def __init__(
        self,
        problem: WeightedProblem,
        price: Price = TOTAL,
        check: Callable[[], object] = lambda: None,
        scope: Scope = ALL,
    ) -> None:
        self.problem, self.price, self.check, self.scope = problem, price, check, scope
        self.table: dict[tuple[bytes, int], StateProof] = {}
        self.n_states = 0
        self.bound = 0
        self.incumbent: tuple[int, int] | None = None
        self.root = np.arange(problem.n, dtype=np.int32)
        profiles = collect_profiles(problem.answers, problem.costs, problem.n_cells, self.root)
        self.capacities = count_capacities(
            profiles,
            min(problem.longest, 1 << 20),
            problem.is_announced,
            int(problem.ends.min(initial=0)),
            problem.n,
        )
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

    def search(self, state: WeightedState, entry: StateProof, upper: int) -> int | None:
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

    def try_guess(self, state: WeightedState, guess: int, upper: int) -> int | None:
        """Return the least cost of a state after a guess if it is below an upper bound."""
        cells = self.divide(state, guess)
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

    def list_parts(self, cells: WeightedCells, left: int) -> list[tuple[int, Items]]:
        """Return the cells of a guess with a lower bound of each, the smallest first."""
        parts = []
        for cell, items in enumerate(self.list_items(cells)):
            lower = self.weigh(int(cells.bounds[cell]), int(cells.lasts[cell]))
            known = self.table.get(self.key_of(items, self.simplify(items, left)))
            if known is not None:
                lower = max(lower, known.lower)
            parts.append((lower, items))
        return sorted(parts, key=lambda part: len(part[1]))

    def list_items(self, cells: WeightedCells) -> list[Items]:
        """Return the items of each cell."""
        starts = cells.starts.tolist()
        return [cells.items[begin:end] for begin, end in pairwise(starts)]

    def rank(self, state: WeightedState) -> list[tuple[int, int]]:
        """Return (lower bound, guess) of the guesses of a state, in the order of trying them.

        Of guesses that divide alike the cheapest stands first: whoever meets another may skip it.
        """
        totals, lasts = state.bounds.totals, state.bounds.lasts
        possible = self.list_allowed(state)
        bounds = [
            self.weigh(total, last)
            for total, last in zip(totals[possible].tolist(), lasts[possible].tolist(), strict=True)
        ]
        # By cost, then by bound, which is the same for all where nothing weighs.
        order = np.argsort(self.problem.costs[possible], kind="stable")
        ranked = [(bounds[place], int(possible[place])) for place in order]
        if not self.is_given(state):
            return sorted(ranked, key=lambda pair: pair[0])
        # Given guesses keep their order, since the first of equally good ones is made.
        cheapest = dict[bytes, tuple[int, int]]()
        for pair in ranked:
            cheapest.setdefault(state.bounds.keys[pair[1]].tobytes(), pair)
        return sorted(cheapest.values(), key=lambda pair: self.scope.first.index(pair[1]))

    def analyze(self, items: Items, left: int = NO_CAP) -> WeightedState:
        """Return a state with the bounds of all its guesses."""
        problem = self.problem
        profiles = collect_profiles(problem.answers, problem.costs, problem.n_cells, items)
        sizes = bound_sizes(profiles, len(items), int(problem.ends[items].min()))
        weights = problem.weights[items]
        arity = 0
        if problem.is_announced and weights[0] != weights[-1]:
            arity = int(((profiles.caps > 0).sum(axis=1) + profiles.wins).max(initial=0))
        rises = np.diff(sizes, prepend=0)
        cheapest = int(profiles.costs.min(initial=IMPOSSIBLE))
        limits = Limits(rises, arity, cheapest, left, self.capacities)
        return WeightedState(
            items,
            limits,
            bound_guesses(
                problem.answers, problem.costs, problem.weights, problem.n_cells, items, limits
            ),
        )

    def divide(self, state: WeightedState, guess: int) -> WeightedCells:
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

    def charge(self, items: Items, cells: WeightedCells, guess: int, left: int) -> int:
        """Return what a guess itself costs a state: all its items pay for it."""
        cost = int(self.problem.costs[guess]) * int(self.problem.weights[items].sum())
        last = int(self.problem.weights[cells.winner]) if cells.winner >= 0 and left == 0 else 0
        return self.weigh(cost, last)

    def spend(self, left: int, guess: int) -> int:
        """Return what may be spent after a guess."""
        return left if left == NO_CAP else left - int(self.problem.costs[guess])

    def finish(self, item: int, left: int) -> int:
        """Return what a single item costs."""
        cost, weight = int(self.problem.ends[item]), int(self.problem.weights[item])
        if left != NO_CAP and cost > left:
            return INFINITE
        return self.weigh(cost * weight, weight if cost == left else 0)

    def weigh(self, total: int, last: int) -> int:
        """Return the price of a total and of a weight found at the last moment."""
        return self.price.total * total + self.price.last * last

    def simplify(self, items: Items, left: int) -> int:
        """Return what may be spent, `NO_CAP` where no path can need all of it."""
        dearest = int(self.problem.costs.max(initial=1))
        most = dearest * len(items) + int(self.problem.ends.max())
        return NO_CAP if left > most else left

    def list_allowed(self, state: WeightedState) -> NDArray[np.intp]:
        """Return the guesses that tell something of a state and are allowed, in their order."""
        possible = np.flatnonzero(state.bounds.totals != IMPOSSIBLE)
        if self.is_given(state):  # a given guess need not be a candidate
            given = np.array(self.scope.first, dtype=np.intp)
            return given[np.isin(given, possible)]
        if self.scope.candidates_only:
            possible = possible[np.isin(self.problem.owners[possible], state.items)]
        return possible

    def is_given(self, state: WeightedState) -> bool:
        """Return whether the guess of a state is one of the first guesses that were given."""
        return bool(self.scope.first) and len(state.items) == self.problem.n

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


class LongestSolver(WeightedSolver):
    """Finds the least worst case of the states of a problem; what is minimised plays no part."""

    def rank(self, state: WeightedState) -> list[tuple[int, int]]:
        """Return (least longest path, guess) of the guesses of a state, the least first."""
        ranked = [(int(state.bounds.worsts[guess]), guess) for _, guess in super().rank(state)]
        return sorted(ranked, key=lambda pair: pair[0])

    def try_guess(self, state: WeightedState, guess: int, upper: int) -> int | None:
        """Return the least longest path of a state after a guess if it is below an upper bound."""
        cost = int(self.problem.costs[guess])
        cells, worst = self.divide(state, guess), cost
        # The largest cell first: it decides most often.
        for items in sorted(self.list_items(cells), key=len, reverse=True):
            value = self.solve(items, upper=upper - cost)
            if value is None:
                return None
            worst = max(worst, cost + value)
        return worst if worst < upper else None

    def finish(self, item: int, left: int) -> int:
        """Return what a single item costs."""
        return int(self.problem.ends[item])


def look_ahead(solver: WeightedSolver, n_ahead: int) -> int:
    """Return a lower bound of the cost of all items; `WeightedSolver.bound` rises meanwhile.

    `n_ahead` guesses behind the first one are tried in full, all of them with all their cells. What
    is further down costs what its sizes and weights prove. Sums of lower bounds over cells, and
    least ones over guesses, are lower bounds. The guesses of a state are tried by their own bound,
    until it is not below what the best one proves.
    """
    return _bound(solver, solver.root, n_ahead, is_root=True)


def _bound(solver: WeightedSolver, items: Items, n_ahead: int, *, is_root: bool = False) -> int:
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
    solver: WeightedSolver, state: WeightedState, guess: int, n_ahead: int, upper: int
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


class GuessTotals(NamedTuple):
    """Least totals of a state, proved."""

    best: int  # a best guess, by its code
    total_best: int  # the least total of all
    total_guess: int  # the least total that begins with the guess that was asked for


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
) -> GuessTotals:
    """Return the least total of a state, and the least that begins with a guess.

    The game has weights, costs, questions or the goal to identify. The guess tells something about
    the candidates; of a single candidate it is that one. StrategyError: there are too many guesses
    and candidates.
    """
    if len(candidates) == 1:
        only = count_single(game, guess)[0]
        return GuessTotals(guess, only, only)
    problem = make_problem(game, candidates)
    solver = WeightedSolver(problem, scope=Scope(candidates_only=candidates_only))
    least = solver.solve(solver.root)
    chosen = solver.choose(solver.root, NO_CAP)
    opening = int(np.searchsorted(problem.codes, guess))
    total = solver.try_guess(solver.analyze(solver.root), opening, INFINITE)
    assert least is not None
    assert total is not None
    return GuessTotals(int(problem.codes[chosen]), least, total)
