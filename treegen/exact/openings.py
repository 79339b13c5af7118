"""The first guesses of a game, and what their cells cost by size."""

from __future__ import annotations

import numpy as np

from ..builder.choose import list_useful_openings
from ..games.base import Game
from ..games.eligible import select_eligible
from ..tasks.work import Look
from .engine import Int32s, Int64s, cost
from .engine.canonical_state import make_group, mark_representatives
from .engine.responses import choose_dtype, order_by_weight, respond_all
from .engine.search import measure_guesses
from .request import SearchSpec

SLICE_PAIRS = 3_000_000
"""Pairs of guess and candidate between two calls of `look`: some hundredths of a second."""


def list_openings(game: Game, history: tuple[int, ...]) -> Int32s:
    """Return the first guesses up to symmetry."""
    marks = np.zeros(game.n_codes, dtype=np.uint8)
    mark_representatives(make_group(game.rules), np.array(history, dtype=np.int64), marks)
    return np.flatnonzero(marks).astype(np.int32)


def list_first(game: Game, candidates: Int32s, spec: SearchSpec) -> tuple[int, ...]:
    """Return the codes of those first guesses that gain information; empty without first guesses.

    UsageError: none of them does.
    """
    codes = [game.parse_code(text) for text in spec.first]
    return tuple(list_useful_openings(game, candidates, codes))


def list_openings_of(game: Game, spec: SearchSpec) -> Int32s:
    """Return the first guesses of a search, up to symmetry; some may gain no information."""
    if spec.first:
        codes = dict.fromkeys(game.parse_code(text) for text in spec.first)
        return np.array(list(codes), dtype=np.int32)
    legal = select_eligible(game, spec.eligible, spec.history)
    openings = list_openings(game, spec.guesses_made)
    return openings[np.isin(openings, legal)]


def make_size_costs(n: int, n_responses: int) -> Int64s:
    """Return lower bounds of the cost of 0 … n candidates, by their number alone.

    One game ends with the first guess, w end with the second, w² with the third and so on, if there
    are w + 1 responses.

    >>> make_size_costs(5, 4).tolist()
    [0, 1, 3, 5, 7, 10]
    """
    costs = np.zeros(n + 1, dtype=np.int64)
    first, length, room = 1, 1, 1
    while first <= n:
        costs[first : first + room] = length
        first += room
        length += 1
        room = min(n, room * (n_responses - 1)) or n
    return np.cumsum(costs)


def weigh_candidates(game: Game, candidates: Int32s) -> int:
    """Return the weight of candidates: their number where all weigh 1.

    >>> from treegen.games import parse_game
    >>> game = parse_game("p2c2r").with_stakes([5, 2, 1, 1])
    >>> weigh_candidates(game, np.array([0, 3]))
    6
    """
    return len(candidates) if game.weights is None else int(game.weights[candidates].sum())


def bound_by_size(game: Game, candidates: Int32s) -> int:
    """Return the least total of any tree of some candidates: the heaviest are found first."""
    n = len(candidates)
    costs = make_size_costs(n, game.n_responses)
    if game.weights is None:
        return int(costs[n])
    weights = game.weights[order_by_weight(game.rules, candidates)]
    return int((weights * np.diff(costs)).sum())


def find_dearest(game: Game, candidates: Int32s, scale: int, last: int) -> int:
    """Return a cost that the best tree of a state does not exceed; see `CostModel`.

    It is that of a tree that guesses one candidate after another, the heaviest first.
    """
    n, weight = len(candidates), weigh_candidates(game, candidates)
    if game.weights is None:
        return n * (n + 1) // 2 * scale + weight * last
    weights: list[int] = game.weights[order_by_weight(game.rules, candidates)].tolist()
    return sum(place * each for place, each in enumerate(weights, 1)) * scale + weight * last


def make_estimates(game: Game, n: int) -> Int64s:
    """Return the approximate cost of a cell of 0 … n candidates, to be measured, in any unit."""
    estimates = cost.make_estimates(n)
    # Weights sum up to 40 bits, and rises have 23.
    return estimates if game.weights is None else estimates >> 10


def measure_openings(
    game: Game, candidates: Int32s, openings: Int32s, values: Int64s, look: Look = lambda: None
) -> Int64s:
    """Return the sum of the values of each guess's cells; -1 if it leaves one cell.

    `values`, int64[n_candidates + 1], has the value of a cell of each size; the winning cell does
    not count. With weights a candidate counts its weight times what it adds to its cell's value,
    the heaviest first. `look` is called between slices.
    """
    candidates = order_by_weight(game.rules, candidates)
    weights = np.zeros(0, dtype=np.int64) if game.weights is None else game.weights[candidates]
    sums = np.empty(len(openings), dtype=np.int64)
    sizes = np.zeros(game.n_responses, dtype=np.int64)
    write_rows = respond_all(game.rules, candidates)
    step = max(1, SLICE_PAIRS // max(1, len(candidates)))
    shape = min(step, len(openings)), len(candidates)
    rows = np.empty(shape, dtype=choose_dtype(game.n_responses))
    for first in range(0, len(openings), step):
        look()
        part = openings[first : first + step]
        write_rows(part, rows)
        every = np.arange(len(part), dtype=np.int32)
        measure_guesses(rows, weights, every, values, sizes, sums[first : first + step])
    return sums
