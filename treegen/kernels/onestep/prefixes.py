"""The guesses of a state of few candidates, 64 at a time: a lane for each suffix of a prefix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from .criteria import Bound
from .game import RankedGame
from .orbits import FIXED, NEVER, Orbits, rank_distinct
from .workspace import (
    LANES,
    Incumbent,
    Offset,
    SuffixTables,
    Workspace,
    add_lanes,
    merge_lanes,
    move_lanes,
    tally_lanes,
)

MOST_STEPS = 8
"""The number of increases of a table of cell sizes that are distinguished."""


@njit_part
def start_prefixes(
    game: RankedGame, workspace: Workspace, suffixes: SuffixTables, candidates: NDArray[np.int32]
) -> None:
    """Start the list of all guesses of a state."""
    n = len(candidates)
    number_colors(game, workspace.orbits, suffixes, candidates)
    start_rows(suffixes, n, game.digits.shape[1])
    find_limits(game.lines, game.bound, workspace.incumbent, suffixes, n)
    suffixes.depth[0] = suffixes.lane[0] = 0
    suffixes.prefix[0] = -1


@njit_part
def find_good(
    orbits: Orbits, suffixes: SuffixTables, n: int, n_pegs: int, n_colors: int, is_distinct: bool
) -> int:
    """Return the rank of the next guess whose rating is within the limit, -1 at the end.

    Guesses are listed by rank; those that only rename colors of an earlier one are left out.
    """
    prefix, n_numbers = suffixes.prefix, suffixes.n_numbers[0]
    n_lanes = suffixes.shapes.n_lanes[n_numbers]
    n_prefix_pegs = n_pegs - suffixes.shapes.n_pegs[n_numbers]
    depth = suffixes.depth[0]
    while depth >= 0:
        if depth == n_prefix_pegs:
            rows = suffixes.rows + depth * n_lanes * (n + 1)
            lane = find_lane(
                suffixes.work,
                suffixes.lane,
                suffixes.is_new,
                suffixes.n_steps[0],
                suffixes.most[0],
                rows,
                n_lanes,
                n,
            )
            if lane < n_lanes:
                suffixes.depth[0], suffixes.lane[0] = depth, lane + 1
                suffixes.answers[0] = rows + lane // LANES * LANES * (n + 1) + lane % LANES
                return find_rank(suffixes, lane, n_colors, is_distinct)
            suffixes.lane[0] = 0
            depth -= 1
            continue
        prefix[depth] += 1
        if prefix[depth] == n_numbers:
            depth -= 1
        elif is_wanted(orbits, suffixes, depth, is_distinct):
            add_peg(suffixes, depth, n, n_pegs)
            depth += 1
            if depth < n_prefix_pegs:
                prefix[depth] = -1
    suffixes.depth[0] = depth
    return -1


@njit(is_leaf=True)
def find_lane(
    work: NDArray[np.uint8],
    first: NDArray[np.int64],
    is_new: NDArray[np.int64],
    n_steps: int,
    most: int,
    rows: int,
    n_lanes: int,
    n: int,
) -> int:
    """Return the next lane of a prefix whose rating is within the limit, `n_lanes` without one.

    `first` is `SuffixTables.lane`, `rows` the offset of the prefix's rows; `n_lanes` counts
    suffixes and unused lanes.
    """
    lane = first[0]
    while lane < n_lanes:
        if lane % LANES == 0 or is_new[0]:
            is_new[0] = 0
            block = lane // LANES * LANES
            at = rows + block * (n + 1)
            if tally_lanes(work, at, n, Offset.RATINGS.value, n_steps, most) == 0:
                lane = block + LANES
                continue
        if work[Offset.RATINGS.value + lane % LANES] <= most:
            return int(lane)
        lane += 1
    return n_lanes


@njit_part
def number_colors(
    game: RankedGame, orbits: Orbits, suffixes: SuffixTables, candidates: NDArray[np.int32]
) -> None:
    """Assign numbers to the colors that may be guessed; record the candidates' colors."""
    digits, numbers, looks = game.digits, suffixes.numbers, suffixes.looks
    n_pegs, n_numbers = digits.shape[1], 0
    for color in range(game.n_colors):
        numbers[color] = n_numbers
        suffixes.names[n_numbers] = color
        n_numbers += orbits.classes[color] != NEVER
    for i in range(len(candidates)):
        for number in range(n_numbers):
            looks[n_pegs + number, i] = 0
        for peg in range(n_pegs):
            number = numbers[digits[candidates[i], peg]]
            looks[peg, i] = number
            looks[n_pegs + number, i] += game.has_white
    suffixes.n_numbers[0] = n_numbers


@njit(is_leaf=True)
def start_rows(suffixes: SuffixTables, n: int, n_pegs: int) -> None:
    """Write the rows of the empty prefix: the responses to the suffixes alone."""
    work, looks, n_numbers = suffixes.work, suffixes.looks, suffixes.n_numbers[0]
    n_suffix_pegs, n_lanes = suffixes.shapes.n_pegs[n_numbers], suffixes.shapes.n_lanes[n_numbers]
    pattern = suffixes.shapes.starts[n_numbers]
    white = pattern + n_suffix_pegs * n_numbers * n_lanes
    zeros = pattern + (2 * n_suffix_pegs + 1) * n_numbers * n_lanes
    for block in range(0, n_lanes, LANES):
        rows = suffixes.rows + block * (n + 1)
        for i in range(n):
            out = rows + i * LANES
            row = pattern + looks[n_pegs - n_suffix_pegs, i] * n_lanes
            add_lanes(work, out, row + block, zeros, zeros)
            for peg in range(1, n_suffix_pegs):
                number = looks[n_pegs - n_suffix_pegs + peg, i]
                row = pattern + (peg * n_numbers + number) * n_lanes
                add_lanes(work, out, out, row + block, zeros)
            for number in range(n_numbers):
                for count in range(min(looks[n_pegs + number, i], n_suffix_pegs)):
                    row = white + (number * n_suffix_pegs + count) * n_lanes
                    add_lanes(work, out, out, row + block, zeros)
        add_lanes(work, rows + n * LANES, zeros + n_lanes + block, zeros, zeros)


@njit_part
def is_wanted(orbits: Orbits, suffixes: SuffixTables, depth: int, is_distinct: bool) -> bool:
    """Return whether a prefix may have its last color: exchangeable ones appear in order."""
    prefix, names = suffixes.prefix, suffixes.names
    color, n_seen = names[prefix[depth]], 0
    for peg in range(depth):
        other = names[prefix[peg]]
        if other == color:
            return not is_distinct
        if orbits.classes[other] == orbits.classes[color]:
            n_seen = max(n_seen, orbits.places[other] + 1)
    return bool(orbits.classes[color] == FIXED or orbits.places[color] <= n_seen)


@njit(is_leaf=True)
def add_peg(suffixes: SuffixTables, depth: int, n: int, n_pegs: int) -> None:
    """Write the rows of a prefix from those of the prefix that is one peg shorter."""
    work, looks, n_numbers = suffixes.work, suffixes.looks, suffixes.n_numbers[0]
    n_suffix_pegs, n_lanes = suffixes.shapes.n_pegs[n_numbers], suffixes.shapes.n_lanes[n_numbers]
    prefix = suffixes.prefix
    white = suffixes.shapes.starts[n_numbers] + n_suffix_pegs * n_numbers * n_lanes
    has = white + n_suffix_pegs * n_numbers * n_lanes
    zeros = has + n_numbers * n_lanes
    rows = suffixes.rows + depth * n_lanes * (n + 1)
    longer = rows + n_lanes * (n + 1)
    number, n_used = prefix[depth], 0
    for peg in range(depth):
        n_used += prefix[peg] == number
    for i in range(n):
        n_left = looks[n_pegs + number, i] - n_used
        value = Offset.VALUES.value + (2 * (looks[depth, i] == number) + (n_left > 0)) * LANES
        row = zeros
        if 0 < n_left <= n_suffix_pegs:
            row = white + (number * n_suffix_pegs + n_left - 1) * n_lanes
        for block in range(0, n_lanes, LANES):
            place = block * (n + 1) + i * LANES
            move_lanes(work, longer + place, rows + place, row + block, value)
    for block in range(0, n_lanes, LANES):
        place = block * (n + 1) + n * LANES
        merge_lanes(work, longer + place, rows + place, has + number * n_lanes + block)


@njit_part
def find_limits(
    lines: NDArray[np.int64], kind: int, incumbent: Incumbent, suffixes: SuffixTables, n: int
) -> None:
    """Write how guesses are rated, and the limit of the rating: see `tally_lanes`."""
    n_steps, most, work = suffixes.n_steps, suffixes.most, suffixes.work
    limit = incumbent.limit[0]
    suffixes.is_new[0] = 1
    # Ratings are bytes that saturate at 255: if 254 is allowed, nothing is ruled out.
    n_steps[0], most[0] = -1, 254
    if incumbent.guess[0] < 0:
        return
    if kind <= Bound.REMOVAL_CELL:
        # The rating is one less than the largest cell. For removals that is what a consistent
        # guess is worth, the least that any guess with such a cell may be.
        most[0] = max(0, limit - (kind == Bound.LARGEST_CELL))
        return
    if kind == Bound.PARTS:
        # The rating counts the candidates that open no cell: n less the number of cells, whose
        # negative is the criterion's value.
        n_steps[0], most[0] = 1, max(0, n + limit)
        work[Offset.STEPS.value] = 1
        return
    # A candidate that joins e others in its cell adds table[e + 1] - table[e], table[1] at least.
    # What is left of the limit after that may be spent on what those with e > 0 add more.
    table = lines[0]
    slack, first = max(0, limit - n * table[1]), table[2] - 2 * table[1]
    is_linear = int(np.int64(first > 0 and slack < 255 * first))
    for size in range(3, n + 1):
        is_linear &= table[size] - table[size - 1] - table[1] == first * (size - 1)
        if not is_linear:
            break
    if is_linear:  # as for sums of squares: it adds `first` times e, and the rating is the sum of e
        n_steps[0], most[0] = 0, slack // first
        return
    # Otherwise in units such that the limit is at most 250. Each step is rounded down, steps after
    # the last count as nothing: the rating is never too high.
    unit, last = slack // 250 + 1, 0
    n_steps[0], most[0] = min(MOST_STEPS, n - 1), slack // unit
    for step in range(n_steps[0]):
        rise = min(255, (table[step + 2] - table[step + 1] - table[1]) // unit)
        work[Offset.STEPS.value + step] = rise - last
        last = rise


@njit_part
def find_rank(suffixes: SuffixTables, lane: int, n_colors: int, is_distinct: bool) -> int:
    """Return the rank of the guess of the current prefix and a lane."""
    n_numbers, depth = suffixes.n_numbers[0], suffixes.depth[0]
    n_suffix_pegs, n_lanes = suffixes.shapes.n_pegs[n_numbers], suffixes.shapes.n_lanes[n_numbers]
    path, names, rank = suffixes.path, suffixes.names, 0
    colors = suffixes.shapes.colors[n_numbers] - depth * n_lanes + lane
    for peg in range(depth + n_suffix_pegs):
        if peg < depth:
            path[peg] = names[suffixes.prefix[peg]]
        else:
            path[peg] = names[suffixes.work[colors + peg * n_lanes]]
        if is_distinct:
            rank = rank_distinct(path, peg, rank, n_colors)
        else:
            rank = rank * n_colors + path[peg]
    return rank
