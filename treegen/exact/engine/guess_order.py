"""Step 1 of the search: which guesses a state tries, and in what order."""

from __future__ import annotations

import numpy as np

from ...jit.compiler import njit_part
from ...kernels.rule_kinds import EligibleKind
from . import INFINITE, Int32s, Int64s
from .cost import CostModel, bound_guess, bound_penalty, find_penalty, has_list, row_below
from .lookahead import (
    MaxCells,
    count_legal,
    find_threshold,
    look_ahead,
    mark_codes,
    mark_members,
    survey_all,
)
from .penalties import NO, YES, deepen, fill_depths, mark_own, survey_all_penalties
from .responses import (
    HOPELESS,
    LANES,
    TILE,
    ResponseMatrix,
    Scratch,
    has_ranking,
    has_weights,
    weigh,
)
from .stack import Stack

MIN_ESTIMATED = 300
ESTIMATED_PER_BEAM = 40
"""A beam estimates at least this many guesses, and this many for each that it keeps."""

N_REORDERED = 300
"""With a ranking, this many guesses of least bound are tried in the order of their estimates."""

MIN_REORDERED = 12
"""In states of fewer candidates the order of bounds is good enough."""

MAX_FAR = 160
"""The responses of at most this many candidates to a guess are read from its tile."""

N_SYMMETRIC = 3
"""The number of first guesses that are tried up to symmetry; later it gains nothing."""


@njit_part
def list_guesses(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, stack: Stack, depth: int
) -> None:
    """List the guesses of the state on top that may get below its upper bound, least bound first.

    Guesses of equal lower bound are in the order of codes; in states of more than
    `model.n_full` candidates all are sorted by their estimate instead. With a ranking they are in
    its order, and the first ones are then tried by their estimates. With weights the lower bound is
    that of the penalty, which tells guesses apart.
    """
    if has_weights(matrix):
        _list_by_penalty(matrix, model, scratch, stack, depth)
        return
    if has_list(model):
        _list_legal(matrix, model, scratch, stack, depth)
        return
    frames, bounds, is_ranked = stack.frames, scratch.guess_bounds, False
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    n, left, upper_bound = len(members), frames.left[depth], frames.upper_bound[depth]
    n_places, last = matrix.by_guess.shape[0], matrix.n_responses - 1
    frames.n_guesses[depth] = 0
    if has_ranking(matrix) and model.eligible == EligibleKind.ALL:
        is_ranked = True
        limit = min(n, matrix.n_responses) + 1
        # A guess of few cells may leave such as are told apart by one of many.
        threshold = find_threshold(model, n, left, limit, upper_bound, limit)
        most, n_tiles = survey_all(matrix, scratch, members, threshold)
        frames.max_cells[depth] = min(most, last)
        if most == threshold:
            return
        # A guess outside scores its cells, a candidate two more.
        max_cells = MaxCells(min(most, last), most - 2)
        fewest, end, n_places = max(0, threshold - 1), min(most, last) + 1, n_tiles * LANES
        mark_members(matrix, scratch, members, 1)
    else:
        bound, max_cells = look_ahead(matrix, model, scratch, members, left)
        frames.max_cells[depth] = max(max_cells.outside, max_cells.inside)
        if bound >= upper_bound:
            return
        fewest, end = 0, last + 1
        mark_codes(matrix, scratch, members, 1)
    _bound_cells(model, bounds, n, left, max_cells)
    _rank_bounds(bounds, fewest, end, upper_bound, scratch.ranks, scratch.starts)
    _place_guesses(matrix, model, scratch, stack, depth, n_places, is_ranked)
    if n > model.n_full or (is_ranked and n >= MIN_REORDERED):
        _sort_by_estimate(matrix, model, scratch, stack, depth, is_ranked)
    if is_ranked:
        mark_members(matrix, scratch, members, 0)
    else:
        mark_codes(matrix, scratch, members, 0)


@njit_part
def _bound_cells(model: CostModel, bounds: Int64s, n: int, left: int, max_cells: MaxCells) -> None:
    """Write the lower bounds of guesses outside the candidates and inside, by their cells."""
    most = max(max_cells.outside, max_cells.inside)
    bounds[:] = INFINITE
    for n_cells in range(2, max_cells.outside + 1):
        bounds[0, n_cells] = bound_guess(model, n, left, n_cells, False, most)
    # A candidate with one cell besides its own gains information; another guess needs two.
    for n_cells in range(1, max_cells.inside + 1):
        bounds[1, n_cells] = bound_guess(model, n, left, n_cells, True, most)


@njit_part
def _list_legal(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, stack: Stack, depth: int
) -> None:
    """List the guesses of a state by a rule of play, the least estimate first.

    They are few and are counted one by one, so the sizes of their cells are known at once: what
    costs too much by these is left out. `Stack.raised` has what the others cost at least; the
    bounds beside them do not fall, so that the search may end at the first that is too high.
    """
    frames = stack.frames
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    legal = stack.legal[depth, : frames.n_legal[depth]]
    n, left, upper_bound = len(members), frames.left[depth], frames.upper_bound[depth]
    max_cells = count_legal(matrix, scratch, members, legal)
    most = max(max_cells.outside, max_cells.inside)
    frames.max_cells[depth] = most
    guesses, listed, raised = stack.guesses[depth], stack.lower_bounds[depth], stack.raised[depth]
    bounds, keys, costs = scratch.guess_bounds, scratch.keys, scratch.tile_costs
    _bound_cells(model, bounds, n, left, max_cells)
    # Row 0 marks every guess.
    marks = stack.marks[depth if depth <= N_SYMMETRIC else 0]
    by_size = model.lower_bounds[row_below(model, left), most]
    scratch.sizes[:] = 0
    n_listed, n_legal = 0, len(legal)
    mark_codes(matrix, scratch, members, 1)
    for place in range(n_legal):
        code = legal[place]
        bound = bounds[scratch.is_candidate[code], scratch.n_cells[code]]
        if bound >= upper_bound or marks[code] == 0:
            continue
        cost, estimate = sum_both(matrix, model, scratch, members, code, by_size)
        bound = max(bound, n * model.scale + cost)
        if bound < upper_bound:
            keys[n_listed], costs[code] = estimate * n_legal + place, bound
            n_listed += 1
    mark_codes(matrix, scratch, members, 0)
    _sort(keys, n_listed)
    if model.beam > 0 and n > model.n_full:
        n_listed = min(n_listed, model.beam)
    least = INFINITE
    for i in range(n_listed - 1, -1, -1):
        code = legal[keys[i] % n_legal]
        least = min(least, costs[code])
        guesses[i], raised[i], listed[i] = code, costs[code], least
    # They count as tried here: the sizes of their cells are known.
    stack.control.n_tried += n_listed
    frames.n_guesses[depth] = frames.sieved[depth] = n_listed


@njit_part
def _list_by_penalty(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, stack: Stack, depth: int
) -> None:
    """List the guesses of a state with weights, by their penalty and then by code.

    The order depends on the state alone; in large states of a beam the best of them are sorted by
    their estimate.
    """
    frames, keys = stack.frames, scratch.keys
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    n, left, upper_bound = len(members), frames.left[depth], frames.upper_bound[depth]
    weight, shift = weigh(matrix, members), matrix.weights.shift
    n_codes = np.int64(matrix.by_guess.shape[0])
    threshold = find_penalty(model, weight, n, left, upper_bound, shift)
    if model.eligible == EligibleKind.ALL:
        n_listed = _key_all(matrix, scratch, stack, depth, members, threshold)
    else:
        n_listed = _key_eligible(matrix, model, scratch, stack, depth, members, threshold)
    _sort(keys, n_listed)
    least, lowest = INFINITE, _find_lowest(matrix, members)
    guesses, listed, raised = stack.guesses[depth], stack.lower_bounds[depth], stack.raised[depth]
    for i in range(n_listed):
        guesses[i] = keys[i] % n_codes
        penalty = keys[i] // n_codes + lowest
        listed[i] = min(INFINITE, bound_penalty(model, weight, left, penalty << shift))
    if model.beam > 0 and n > model.n_full:
        n_listed = min(n_listed, max(MIN_ESTIMATED, model.beam * ESTIMATED_PER_BEAM))
        for i in range(n_listed):
            read_row(matrix, scratch, members, guesses[i])
            estimate = sum_weighted_cost(matrix, scratch, members, model.estimates)
            # Weights sum up to 40 bits, and rises have 23.
            keys[i] = (estimate >> 20) * n_listed + i
        _sort(keys, n_listed)
        n_kept = min(n_listed, model.beam)
        for i in range(n_kept):
            at = keys[i] % n_listed
            scratch.tile_costs[i], raised[i] = guesses[at], listed[at]
        n_listed = n_kept
        for i in range(n_listed - 1, -1, -1):
            least = min(least, raised[i])
            guesses[i], listed[i] = scratch.tile_costs[i], least
    frames.n_guesses[depth] = n_listed


@njit_part(inline=True)
def _find_lowest(matrix: ResponseMatrix, members: Int32s) -> int:
    """Return a number that no penalty is below."""
    return -int(matrix.weights.lanes[members[0]]) - 1


@njit_part
def _key_all(
    matrix: ResponseMatrix,
    scratch: Scratch,
    stack: Stack,
    depth: int,
    members: Int32s,
    threshold: int,
) -> int:
    """Write penalty and code of all guesses below a threshold as `keys`; return how many."""
    penalties, keys = scratch.penalties, scratch.keys
    n_codes, lowest, n_listed = matrix.by_guess.shape[0], _find_lowest(matrix, members), 0
    limit = min(threshold, HOPELESS)
    n_tiles, most = survey_all_penalties(matrix, scratch, members, limit)
    is_deep = 0 < most < len(members) - 1
    if is_deep:
        fill_depths(scratch.levels, len(members), most)
        mark_own(matrix, scratch, members, YES)
    for tile in range(n_tiles):
        for x in range(LANES):
            penalty = int(penalties[tile, x])
            if penalty >= limit:
                continue
            code = tile * LANES + x
            if has_ranking(matrix):
                code = int(matrix.guess_at[code])
            if is_deep:
                penalty = deepen(matrix, scratch, members, code, threshold)
            if penalty < threshold:
                keys[n_listed] = (penalty - lowest) * n_codes + code
                n_listed += 1
    if is_deep:
        mark_own(matrix, scratch, members, NO)
    if most == 0:
        # With many responses no guess has more cells than the first of the ranking on all.
        most = min(int(matrix.top_scores[0]), matrix.n_responses - 1)
    stack.frames.max_cells[depth] = most
    return n_listed


@njit_part
def _key_eligible(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    stack: Stack,
    depth: int,
    members: Int32s,
    threshold: int,
) -> int:
    """Do what `_key_all` does, where a rule says what may be guessed."""
    keys, n = scratch.keys, len(members)
    n_codes, lowest, n_listed = matrix.by_guess.shape[0], _find_lowest(matrix, members), 0
    codes = stack.legal[depth, : stack.frames.n_legal[depth]]
    if model.eligible == EligibleKind.CANDIDATES:
        codes = stack.guesses[depth, :n]
        for i in range(n):
            codes[i] = matrix.code_of[members[i]]
    max_cells = count_legal(matrix, scratch, members, codes)
    most = max(max_cells.outside, max_cells.inside)
    fill_depths(scratch.levels, n, most)
    mark_own(matrix, scratch, members, YES)
    for at in range(len(codes)):
        code = int(codes[at])
        penalty = deepen(matrix, scratch, members, code, threshold)
        if penalty < threshold:
            keys[n_listed] = (penalty - lowest) * n_codes + code
            n_listed += 1
    mark_own(matrix, scratch, members, NO)
    stack.frames.max_cells[depth] = most
    return n_listed


@njit_part
def sum_both(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    code: int,
    bounds: Int64s,
) -> tuple[int, int]:
    """Return the least cost of a guess's cells and their estimate, without the winning one.

    `scratch.sizes` is all 0 before and after: few of many responses occur.
    """
    row, sizes, estimates = scratch.row, scratch.sizes, model.estimates
    by_guess = matrix.by_guess
    for i in range(len(members)):
        row[i] = by_guess[code, members[i]]
        sizes[row[i]] += 1
    sizes[matrix.n_responses - 1] = 0
    cost, estimate = 0, 0
    for i in range(len(members)):
        size = sizes[row[i]]
        if size > 0:
            sizes[row[i]] = 0
            cost = min(cost + bounds[size], INFINITE)
            estimate += estimates[size]
    return cost, estimate


@njit_part
def read_row(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, code: int, is_counted: bool = False
) -> None:
    """Write the responses of a state's candidates to a guess, and how many give each.

    If its tile was just counted, that memory is near.
    """
    row, sizes, by_guess, tiles = scratch.row, scratch.sizes, matrix.by_guess, matrix.tiles
    sizes[:] = 0
    n = len(members)
    if has_ranking(matrix) or (n > MAX_FAR and not is_counted):
        for i in range(n):
            response = by_guess[code, members[i]]
            row[i] = response
            sizes[response] += 1
        return
    # A small state's candidates are far apart in the guess's row, and so are they in its tile. But
    # that memory is near: a state's lookahead reads the candidates' responses to all guesses.
    per_block = tiles.shape[2]
    tile, x = code // TILE, code % TILE
    block, part = tile // per_block, tile % per_block
    for i in range(n):
        response = tiles[block, members[i], part, x]
        row[i] = response
        sizes[response] += 1


@njit_part
def sum_cost(sizes: Int64s, bounds: Int64s) -> int:
    """Return the least cost of cells of these sizes, without the last one, which wins."""
    cost = 0
    for response in range(len(sizes) - 1):
        cost = min(cost + bounds[sizes[response]], INFINITE)
    return cost


@njit_part
def sum_weighted_cost(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, bounds: Int64s
) -> int:
    """Return the least cost of the cells of the guess whose row was read, without the winning one.

    Of the k heaviest candidates of a cell it is at least ``bounds[k]`` if each weighs 1: so it is
    the sum of weight times rise. `INFINITE` if a cell has more than can be found, or if all
    candidates are in one.
    """
    row, full, places, n = scratch.row, matrix.weights.full, scratch.starts, len(members)
    if scratch.sizes[row[0]] == n:
        return INFINITE
    places[: matrix.n_responses] = 0
    cost = np.int64(0)
    for i in range(n):
        response = np.int64(row[i])
        if response == matrix.n_responses - 1:
            continue
        place = places[response]
        if bounds[place + 1] >= INFINITE:
            return INFINITE
        cost += full[members[i]] * (bounds[place + 1] - bounds[place])
        places[response] = place + 1
    return int(cost)


@njit_part
def _sort_by_estimate(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    stack: Stack,
    depth: int,
    is_ranked: bool,
) -> None:
    """Order the first guesses of the list by the estimated cost of their cells.

    A beam keeps the first of them. With a ranking the bounds that are written do not fall, so that
    the search may still end at the first that is too high.
    """
    frames = stack.frames
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    guesses, listed, keys = stack.guesses[depth], stack.lower_bounds[depth], scratch.keys
    is_beam = model.beam > 0 and len(members) > model.n_full
    n_first, n_codes = frames.n_guesses[depth], matrix.by_guess.shape[0]
    if is_beam:
        n_first = min(n_first, max(MIN_ESTIMATED, model.beam * ESTIMATED_PER_BEAM))
    elif is_ranked:
        n_first = min(n_first, N_REORDERED)
    scratch.sizes[:] = 0
    for i in range(n_first):
        code = guesses[i]
        _, estimate = sum_both(matrix, model, scratch, members, code, model.estimates)
        # Estimate and place in one number: equal estimates are in the order of places.
        keys[i] = estimate * n_codes + (matrix.place_of[code] if is_ranked else code)
    _sort(keys, n_first)
    if is_beam:
        frames.n_guesses[depth] = min(n_first, model.beam)
    least = INFINITE
    for i in range(n_first - 1, -1, -1):
        place = keys[i] % n_codes
        wins = scratch.is_candidate[place]
        n_cells = scratch.n_cells[place] - 2 * wins * is_ranked
        bound = scratch.guess_bounds[wins, n_cells]
        least = min(least, bound) if is_ranked else bound
        guesses[i], listed[i] = (matrix.guess_at[place] if is_ranked else place), least


@njit_part
def _sort(keys: Int64s, n: int) -> None:
    """Sort the first `n` keys in place (Shell's sort)."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            key = keys[i]
            at = i
            while at >= gap and keys[at - gap] > key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key
        gap //= 3


@njit_part
def _place_guesses(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    stack: Stack,
    depth: int,
    n_places: int,
    is_ranked: bool,
) -> None:
    """Write the marked guesses whose lower bound has a rank, by rank (a counting sort).

    Rank -1, no better than the upper bound, counts into `starts[0]`, which is cleared: so
    `starts[rank]` is where the rank begins, and moves on as its guesses are placed. With a ranking
    guesses have scores: 0 stands for many, and candidates score two more than their cells.
    """
    is_candidate, counts, guess_at = scratch.is_candidate, scratch.n_cells, matrix.guess_at
    bounds, ranks, starts = scratch.guess_bounds, scratch.ranks, scratch.starts
    guesses, listed = stack.guesses[depth], stack.lower_bounds[depth]
    # Row 0 marks every guess.
    marks = stack.marks[depth if depth <= N_SYMMETRIC else 0]
    are_all, extra = model.eligible == EligibleKind.ALL, 2 if is_ranked else 0
    for is_placed in range(2):
        for place in range(min(n_places, len(marks))):
            code = guess_at[place] if is_ranked else place
            wins = is_candidate[place]
            n_cells = np.int64(counts[place]) - extra * wins
            if marks[code] == 0 or n_cells < 0 or not (wins == 1 or are_all):
                continue
            rank = ranks[wins, n_cells]
            if not is_placed:
                starts[rank + 1] += 1
            elif rank >= 0:
                guesses[starts[rank]], listed[starts[rank]] = code, bounds[wins, n_cells]
                starts[rank] += 1
        if not is_placed:
            starts[0] = 0
            for rank in range(1, len(starts)):
                starts[rank] += starts[rank - 1]
            stack.frames.n_guesses[depth] = starts[-1]


@njit_part
def _rank_bounds(
    bounds: Int64s, first: int, end: int, upper_bound: int, ranks: Int64s, starts: Int64s
) -> None:
    """Write the rank of each bound among those below `upper_bound`, and -1 for the others.

    Bounds of fewer cells than `first`, or of `end` and more, have no rank.
    """
    ranks[:] = -1
    starts[:] = 0
    rank = -1
    last = -1
    while True:
        least = upper_bound
        for wins in range(2):
            for n_cells in range(first, end):
                if last < bounds[wins, n_cells] < least:
                    least = bounds[wins, n_cells]
        if least >= upper_bound:
            return
        rank += 1
        last = least
        for wins in range(2):
            for n_cells in range(first, end):
                if bounds[wins, n_cells] == least:
                    ranks[wins, n_cells] = rank
