"""The guesses of a state of few candidates, 64 at a time: a lane for each tail of a head."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_bare_part
from .board import DISTINCT, FAMILY, HAS_WHITE, N_COLORS, Board
from .bounds import LARGEST_CELL, PARTS, REMOVAL_CELL
from .lanes import LANES, add_lanes, merge_lanes, move_lanes, tally_lanes
from .orbits import CLASSES, FIXED, NEVER, PLACES, rank_distinct
from .space import FOUND, GUESS, KIND, LIMIT, Space
from .tails import (
    ANSWERS,
    AT,
    DEPTH,
    DIGITS,
    HEAD,
    IS_NEW,
    MOST,
    N_LANES,
    N_NUMBERS,
    N_PEGS,
    N_STEPS,
    N_TAIL_PEGS,
    NAMES,
    NUMBERS,
    PATH,
    PLACE,
    RATINGS,
    STEPS,
    VALUES,
    Tails,
)

MOST_STEPS = 8
"""Of a table of cell sizes so many increases are told apart."""


@njit_bare_part
def start_heads(board: Board, space: Space, tails: Tails, candidates: NDArray[np.int32]) -> None:
    """Start the list of all guesses of a state."""
    n = len(candidates)
    number_colors(board.digits, board.options, space.orbits, tails, candidates)
    start_rows(tails, n)
    find_limits(board.lines, space.notes, tails, n)
    tails.state[DEPTH] = tails.state[PLACE] = 0
    tails.colors[HEAD, 0] = -1


@njit_bare_part
def find_good(options: NDArray[np.int64], orbits: NDArray[np.int64], tails: Tails, n: int) -> int:
    """Return the rank of the next guess whose rating is within the limit, -1 when all are tried.

    Guesses are listed by rank; those that only rename colors of an earlier one are left out.
    """
    state, head, is_distinct = tails.state, tails.colors[HEAD], options[FAMILY] == DISTINCT
    shape = tails.shapes[state[N_NUMBERS]]
    n_lanes, n_pegs = shape[N_LANES], state[N_PEGS] - shape[N_TAIL_PEGS]
    depth = state[DEPTH]
    while depth >= 0:
        if depth == n_pegs:
            rows = tails.shapes[0, AT] + depth * n_lanes * (n + 1)
            lane = find_lane(tails, rows, n_lanes, n)
            if lane < n_lanes:
                state[DEPTH], state[PLACE] = depth, lane + 1
                state[ANSWERS] = rows + lane // LANES * LANES * (n + 1) + lane % LANES
                return find_rank(options, tails, lane)
            state[PLACE] = 0
            depth -= 1
            continue
        head[depth] += 1
        if head[depth] == state[N_NUMBERS]:
            depth -= 1
        elif is_wanted(orbits, tails, depth, is_distinct):
            add_peg(tails, depth, n)
            depth += 1
            if depth < n_pegs:
                head[depth] = -1
    state[DEPTH] = depth
    return -1


@njit_bare_part
def find_lane(tails: Tails, rows: int, n_lanes: int, n: int) -> int:
    """Return the next lane of a head whose rating is within the limit, `n_lanes` if none is."""
    work, state = tails.work, tails.state
    lane = state[PLACE]
    while lane < n_lanes:
        if lane % LANES == 0 or state[IS_NEW]:
            state[IS_NEW] = 0
            block = lane // LANES * LANES
            at = rows + block * (n + 1)
            if tally_lanes(work, at, n, RATINGS, state[N_STEPS], state[MOST]) == 0:
                lane = block + LANES
                continue
        if work[RATINGS + lane % LANES] <= state[MOST]:
            return int(lane)
        lane += 1
    return n_lanes


@njit_bare_part
def number_colors(
    digits: NDArray[np.uint8],
    options: NDArray[np.int64],
    orbits: NDArray[np.int64],
    tails: Tails,
    candidates: NDArray[np.int32],
) -> None:
    """Give the colors that may be guessed numbers; note the colors of the candidates."""
    numbers, names, looks = tails.colors[NUMBERS], tails.colors[NAMES], tails.looks
    n_pegs, n_numbers = digits.shape[1], 0
    for color in range(options[N_COLORS]):
        numbers[color] = n_numbers
        names[n_numbers] = color
        n_numbers += orbits[CLASSES, color] != NEVER
    for i in range(len(candidates)):
        for number in range(n_numbers):
            looks[n_pegs + number, i] = 0
        for peg in range(n_pegs):
            number = numbers[digits[candidates[i], peg]]
            looks[peg, i] = number
            looks[n_pegs + number, i] += options[HAS_WHITE]
    tails.state[N_NUMBERS], tails.state[N_PEGS] = n_numbers, n_pegs


@njit_bare_part
def start_rows(tails: Tails, n: int) -> None:
    """Write the rows of the empty head: what the tails alone are answered."""
    work, looks, n_numbers = tails.work, tails.looks, tails.state[N_NUMBERS]
    shape, n_pegs = tails.shapes[n_numbers], tails.state[N_PEGS]
    n_tail_pegs, n_lanes, pattern = shape[N_TAIL_PEGS], shape[N_LANES], shape[AT]
    white = pattern + n_tail_pegs * n_numbers * n_lanes
    zeros = pattern + (2 * n_tail_pegs + 1) * n_numbers * n_lanes
    for block in range(0, n_lanes, LANES):
        rows = tails.shapes[0, AT] + block * (n + 1)
        for i in range(n):
            out = rows + i * LANES
            row = pattern + looks[n_pegs - n_tail_pegs, i] * n_lanes
            add_lanes(work, out, row + block, zeros, zeros)
            for peg in range(1, n_tail_pegs):
                number = looks[n_pegs - n_tail_pegs + peg, i]
                row = pattern + (peg * n_numbers + number) * n_lanes
                add_lanes(work, out, out, row + block, zeros)
            for number in range(n_numbers):
                for count in range(min(looks[n_pegs + number, i], n_tail_pegs)):
                    row = white + (number * n_tail_pegs + count) * n_lanes
                    add_lanes(work, out, out, row + block, zeros)
        add_lanes(work, rows + n * LANES, zeros + n_lanes + block, zeros, zeros)


@njit_bare_part
def is_wanted(orbits: NDArray[np.int64], tails: Tails, depth: int, is_distinct: bool) -> bool:
    """Return whether a head may go on with its last color: exchangeable ones appear in order."""
    head, names = tails.colors[HEAD], tails.colors[NAMES]
    color, n_seen = names[head[depth]], 0
    for peg in range(depth):
        other = names[head[peg]]
        if other == color:
            return not is_distinct
        if orbits[CLASSES, other] == orbits[CLASSES, color]:
            n_seen = max(n_seen, orbits[PLACES, other] + 1)
    return bool(orbits[CLASSES, color] == FIXED or orbits[PLACES, color] <= n_seen)


@njit_bare_part
def add_peg(tails: Tails, depth: int, n: int) -> None:
    """Write the rows of a head from those of the head that is one peg shorter."""
    work, looks, n_numbers = tails.work, tails.looks, tails.state[N_NUMBERS]
    shape, n_pegs = tails.shapes[n_numbers], tails.state[N_PEGS]
    n_tail_pegs, n_lanes, head = shape[N_TAIL_PEGS], shape[N_LANES], tails.colors[HEAD]
    white = shape[AT] + n_tail_pegs * n_numbers * n_lanes
    has = white + n_tail_pegs * n_numbers * n_lanes
    zeros = has + n_numbers * n_lanes
    rows = tails.shapes[0, AT] + depth * n_lanes * (n + 1)
    longer = rows + n_lanes * (n + 1)
    number, n_used = head[depth], 0
    for peg in range(depth):
        n_used += head[peg] == number
    for i in range(n):
        n_left = looks[n_pegs + number, i] - n_used
        value = VALUES + (2 * (looks[depth, i] == number) + (n_left > 0)) * LANES
        row = zeros
        if 0 < n_left <= n_tail_pegs:
            row = white + (number * n_tail_pegs + n_left - 1) * n_lanes
        for block in range(0, n_lanes, LANES):
            place = block * (n + 1) + i * LANES
            move_lanes(work, longer + place, rows + place, row + block, value)
    for block in range(0, n_lanes, LANES):
        place = block * (n + 1) + n * LANES
        merge_lanes(work, longer + place, rows + place, has + number * n_lanes + block)


@njit_bare_part
def find_limits(lines: NDArray[np.int64], notes: NDArray[np.int64], tails: Tails, n: int) -> None:
    """Write how a guess is rated, and what rating it may have: `tally_lanes`."""
    found, limits, work = notes[FOUND], tails.state, tails.work
    limit, kind = found[LIMIT], found[KIND]
    limits[IS_NEW] = 1
    limits[N_STEPS], limits[MOST] = -1, 254
    if found[GUESS] < 0:
        return
    if kind <= REMOVAL_CELL:
        limits[MOST] = max(0, limit - (kind == LARGEST_CELL))
        return
    if kind == PARTS:
        limits[N_STEPS], limits[MOST] = 1, max(0, n + limit)
        work[STEPS] = 1
        return
    table = lines[0]
    slack, first = max(0, limit - n * table[1]), table[2] - 2 * table[1]
    is_linear = int(np.int64(first > 0 and slack < 255 * first))
    for size in range(3, n + 1):
        is_linear &= table[size] - table[size - 1] - table[1] == first * (size - 1)
        if not is_linear:
            break
    if is_linear:
        limits[N_STEPS], limits[MOST] = 0, slack // first
        return
    unit, last = slack // 250 + 1, 0
    limits[N_STEPS], limits[MOST] = min(MOST_STEPS, n - 1), slack // unit
    for step in range(limits[N_STEPS]):
        rise = min(255, (table[step + 2] - table[step + 1] - table[1]) // unit)
        work[STEPS + step] = rise - last
        last = rise


@njit_bare_part
def find_rank(options: NDArray[np.int64], tails: Tails, lane: int) -> int:
    """Return the rank of the guess of the head at hand and a lane."""
    shape, depth = tails.shapes[tails.state[N_NUMBERS]], tails.state[DEPTH]
    path, names = tails.colors[PATH], tails.colors[NAMES]
    n_colors, rank = options[N_COLORS], 0
    digits = shape[DIGITS] - depth * shape[N_LANES] + lane
    for peg in range(depth + shape[N_TAIL_PEGS]):
        if peg < depth:
            path[peg] = names[tails.colors[HEAD, peg]]
        else:
            path[peg] = names[tails.work[digits + peg * shape[N_LANES]]]
        if options[FAMILY] == DISTINCT:
            rank = rank_distinct(path, peg, rank, n_colors)
        else:
            rank = rank * n_colors + path[peg]
    return rank
