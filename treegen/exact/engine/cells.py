"""The cells of a guess under trial, steps 2 (b), (d), (e): lower bounds that need no search.

Most guesses that are tried die of the sizes of their cells, so these are counted for many at once.
A *tile* is 64 guesses that stand next to each other in a block of the response matrix. Counting a
response in all of them takes one comparison and one addition of vectors for each candidate, so a
tile costs little more than a few guesses counted one by one.
"""

from __future__ import annotations

import numpy as np

from ...jit.compiler import njit, njit_part
from ...kernels.rule_kinds import EligibleKind
from . import INFINITE, Int32s, Int64s, UInt8s, UInts
from .cost import CostModel, has_list, row_below, spend_guess
from .guess_order import read_row, sum_cost, sum_weighted_cost
from .lookahead import has_local_matrix, need_local_matrix
from .play_rule import filter_legal
from .problem import Search
from .responses import TILE, ResponseMatrix, Scratch, has_ranking, has_weights, weigh
from .small_states import solve_by_candidates, solve_by_guesses
from .stack import NO_GUESS, OPEN, Cells, Stack
from .table import Evidence, find_entry, write_entry


@njit_part
def try_sizes(search: Search, depth: int, at: int) -> bool:
    """Step 2 (b): begin a guess's trial by the sizes of its cells; False if it costs too much.

    If not, its row is read, and the state has its local matrix.
    """
    matrix, scratch, stack = search.matrix, search.scratch, search.stack
    frames, code = stack.frames, stack.guesses[depth, at]
    first, n = frames.start[depth], frames.n[depth]
    members = stack.members[depth - 1, first : first + n]
    row = row_below(search.model, frames.left[depth])
    bounds = search.model.lower_bounds[row, frames.max_cells[depth]]
    tile, is_weighted, is_counted = code // TILE, has_weights(matrix), False
    own = weigh(matrix, members) * search.model.scale
    frames.guess[depth] = code
    if not is_weighted:
        if not is_tile_counted(scratch, tile) and is_worth_a_tile(scratch, stack, depth, at):
            count_tile_costs(matrix, scratch, members, tile, bounds)
        is_counted = is_tile_counted(scratch, tile)
        if is_counted and own + scratch.tile_costs[code] >= frames.upper_bound[depth]:
            frames.cost[depth] = own + scratch.tile_costs[code]
            return False
    read_row(matrix, scratch, members, code, is_counted)
    if is_weighted:
        cost = sum_weighted_cost(matrix, scratch, members, bounds)
    else:
        cost = sum_cost(scratch.sizes, bounds)
    frames.cost[depth] = own + cost
    if frames.cost[depth] >= frames.upper_bound[depth]:
        return False
    need_local_matrix(matrix, scratch, members)
    return True


@njit_part
def scatter(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, stack: Stack, depth: int
) -> None:
    """Group the state's members by response; list the cells of three or more, smallest first.

    The cost of smaller cells follows from their size: one candidate is guessed, of two the first,
    which is the heavier one.
    The responses and the sizes stand in `scratch`: see `read_row`.
    """
    frames, cells = stack.frames, stack.cells
    bounds = model.lower_bounds[row_below(model, frames.left[depth]), frames.max_cells[depth]]
    sizes = scratch.sizes
    first, slot, n_cells = 0, 1, 0
    for response in range(matrix.n_responses):
        size = sizes[response]
        # From here on `sizes` says where the next member with this response goes.
        sizes[response] = first
        if size > 2:
            _insert_cell(cells, depth, n_cells, first, size, slot)
            n_cells += 1
        first += size
        slot += max(size - 1, 0)
    frames.n_cells[depth] = n_cells
    for at in range(n_cells):
        cells.lower_bound[depth, at] = bounds[cells.size[depth, at]]
        cells.is_exact[depth, at] = cells.share[depth, at] = 0
    frames.round[depth] = 0
    begin = frames.start[depth]
    source = stack.members[depth - 1, begin : begin + frames.n[depth]]
    target, row, places = stack.members[depth], scratch.row, scratch.places
    for i in range(len(source)):
        response = row[i]
        at = sizes[response]
        target[at], places[at] = source[i], i
        sizes[response] = at + 1
    if has_weights(matrix):
        for at in range(n_cells):
            begin = cells.first[depth, at]
            cell = target[begin : begin + cells.size[depth, at]]
            cells.lower_bound[depth, at] = _bound_by_weights(matrix, cell, bounds)


@njit_part(inline=True)
def _bound_by_weights(matrix: ResponseMatrix, members: Int32s, bounds: Int64s) -> int:
    """Return the least cost of a cell by its weights; see `sum_weighted_cost`."""
    full, cost = matrix.weights.full, np.int64(0)
    for i in range(len(members)):
        cost += full[members[i]] * (bounds[i + 1] - bounds[i])
    return int(cost)


@njit_part(inline=True)
def _insert_cell(cells: Cells, depth: int, n_cells: int, first: int, size: int, slot: int) -> None:
    """Insert a cell after those that are no larger."""
    at = n_cells
    while at > 0 and cells.size[depth, at - 1] > size:
        cells.first[depth, at] = cells.first[depth, at - 1]
        cells.size[depth, at] = cells.size[depth, at - 1]
        cells.slot[depth, at] = cells.slot[depth, at - 1]
        at -= 1
    cells.first[depth, at], cells.size[depth, at], cells.slot[depth, at] = first, size, slot


@njit_part
def try_candidates(search: Search, depth: int) -> bool:
    """Step 2 (d): raise the cells' bounds by their candidates; False once that is too much.

    Whether a candidate tells a cell's candidates apart takes n² responses; a lookahead takes those
    of all guesses. Most guesses cost too much before that.
    """
    matrix, model, scratch, stack = search.matrix, search.model, search.scratch, search.stack
    frames, cells = stack.frames, stack.cells
    left, n_cells = spend_guess(frames.left[depth]), frames.n_cells[depth]
    # A candidate with a cell for all others but two has no more than that. Of more candidates the
    # bound by sizes knows as much as this test.
    largest = min(frames.max_cells[depth] + 2, matrix.n_responses)
    is_weighted = has_weights(matrix)
    if is_weighted:
        largest = MAX_SMALL
    is_small_first = has_ranking(matrix) or is_weighted
    for i in range(n_cells):
        # Most small cells are told apart by a candidate, most large ones are not.
        at = i if is_small_first else n_cells - 1 - i
        size = cells.size[depth, at]
        if size > largest:
            continue
        first = cells.first[depth, at]
        members = stack.members[depth, first : first + size]
        places = first if has_local_matrix(scratch) else -1
        bound, guess = solve_by_candidates(matrix, model, scratch, members, places, left)
        if not _raise_cell(stack, depth, at, bound, guess):
            return False
    return True


MAX_SMALL = 16
"""With weights, cells of at most this size ask their candidates before the table."""


@njit_part(inline=True)
def look_ahead_in_cells(search: Search, depth: int) -> bool:
    """Step 2 (e): raise the open cells' bounds by lookaheads; False once that is too much."""
    stack, rule = search.stack, search.rule
    frames, cells, order = stack.frames, stack.cells, search.scratch.order
    left, is_ruled = spend_guess(frames.left[depth]), has_list(search.model)
    above, kept = stack.legal[depth, : frames.n_legal[depth]], rule.kept[:0]
    order_cells(search, depth)
    for i in range(frames.n_cells[depth]):
        at = i if is_ruled else order[i]
        if cells.is_exact[depth, at] == 1:
            continue
        first, known = cells.first[depth, at], cells.lower_bound[depth, at]
        members = stack.members[depth, first : first + cells.size[depth, at]]
        if is_ruled:
            made = frames.guess[depth]
            n_kept = filter_legal(rule, search.matrix, made, members[0], above, rule.kept)
            kept = rule.kept[:n_kept]
        upper_bound = frames.upper_bound[depth] - (frames.cost[depth] - known)
        bound, guess = _look_ahead_once(search, members, kept, left, known, upper_bound)
        if not _raise_cell(stack, depth, at, bound, guess):
            return False
    return True


@njit_part
def order_cells(search: Search, depth: int) -> None:
    """Write to `Scratch.order` in which order the cells are looked ahead, the best gain first.

    With many responses the largest cell's bound gains most. With few, what a lookahead proves for
    its time is most for the cells that are just larger than the most cells of any guess: these
    fill two levels by their size, and three or more in truth. Of smaller ones there is less to
    prove, and for larger ones the sizes prove more.
    """
    frames, cells, order = search.stack.frames, search.stack.cells, search.scratch.order
    size, n_cells = cells.size[depth], frames.n_cells[depth]
    is_largest_first = has_ranking(search.matrix) or has_weights(search.matrix)
    best = frames.n[depth] if is_largest_first else frames.max_cells[depth] + 2
    high = 0
    while high < n_cells and size[high] < best:
        high += 1
    low = high - 1
    for i in range(n_cells):
        if high == n_cells or (low >= 0 and best - size[low] < size[high] - best):
            order[i] = low
            low -= 1
        else:
            order[i] = high
            high += 1


@njit_part(inline=True)
def _raise_cell(stack: Stack, depth: int, at: int, bound: int, guess: int) -> bool:
    """Keep what was proved of a cell; False if the guess costs too much by now."""
    frames, cells = stack.frames, stack.cells
    if guess != NO_GUESS:
        cells.is_exact[depth, at] = 1
        stack.plans[depth, 1, cells.slot[depth, at]] = guess
    if bound > cells.lower_bound[depth, at]:
        frames.cost[depth] += bound - cells.lower_bound[depth, at]
        cells.lower_bound[depth, at] = bound
        return bool(frames.cost[depth] < frames.upper_bound[depth])
    return True


@njit_part(inline=True)
def _look_ahead_once(
    search: Search, members: Int32s, legal: Int32s, left: int, known: int, upper_bound: int
) -> tuple[int, int]:
    """Return the result of a lookahead or the transposition table: a bound and its guess.

    The guess is `NO_GUESS` if the bound may be too low, `OPEN` if it is the cost but the guess that
    attains it is not known. A survey ends at the upper bound, and the sieve's lookahead does not
    look for the guess: asked again with a higher one, it is made again.
    """
    control, table, model = search.stack.control, search.table, search.model
    is_known, bound, evidence = find_entry(table, members, left, legal)
    if is_known and (evidence != Evidence.CUT_SHORT or bound >= upper_bound):
        control.n_known += 1
        return bound, OPEN if evidence == Evidence.COST else NO_GUESS
    control.n_lookaheads += 1
    bound, guess = solve_by_guesses(search, members, legal, left, known, upper_bound)
    evidence = Evidence.BOUND.value if guess == NO_GUESS else Evidence.COST.value
    are_all = has_ranking(search.matrix) and model.eligible == EligibleKind.ALL
    is_survey = has_weights(search.matrix) or are_all
    if guess == NO_GUESS and bound >= upper_bound and is_survey and not has_list(model):
        evidence = Evidence.CUT_SHORT.value
    write_entry(table, bound, evidence)
    return bound, guess


MIN_TILE = 3
"""A tile is worth counting if this many of its guesses stand in a row."""

U8 = np.uint8


@njit_part(inline=True)
def is_worth_a_tile(scratch: Scratch, stack: Stack, depth: int, at: int) -> bool:
    """Whether many of the guesses from a place in the list on are in one tile."""
    last = at + MIN_TILE - 1
    if last >= stack.frames.n_guesses[depth] or len(scratch.masks) == 0:
        return False
    code, end = stack.guesses[depth, at], stack.guesses[depth, last]
    return bool(code < end and code // TILE == end // TILE)


@njit_part(inline=True)
def count_tile(matrix: ResponseMatrix, scratch: Scratch, members: Int32s, tile: int) -> None:
    """Write the sizes of the cells of a tile's guesses, without the winning one."""
    per_block = matrix.tiles.shape[2]
    block, part = tile // per_block, tile % per_block
    counts, few = scratch.small_counts, scratch.bytes
    counts[:] = 0
    # A byte holds the sum over this many candidates.
    for begin in range(0, len(members), 248):
        some = members[begin : min(begin + 248, len(members))]
        _add_counts(matrix.tiles, block, part, some, few)
        for response in range(counts.shape[0]):
            for x in range(TILE):
                counts[response, x] += few[response, x]


@njit(is_leaf=True)
def _add_counts(tiles: UInts, block: int, part: int, members: Int32s, counts: UInt8s) -> None:
    """Count each response to a tile's guesses; four candidates at a time."""
    n = len(members)
    counts[:] = 0
    for i in range(0, n - 3, 4):
        a, b, c, d = members[i], members[i + 1], members[i + 2], members[i + 3]
        for response in range(counts.shape[0]):
            own = U8(response)
            for x in range(TILE):
                counts[response, x] += U8(
                    U8(tiles[block, a, part, x] == own)
                    + U8(tiles[block, b, part, x] == own)
                    + U8(tiles[block, c, part, x] == own)
                    + U8(tiles[block, d, part, x] == own)
                )
    for i in range(n - n % 4, n):
        a = members[i]
        for response in range(counts.shape[0]):
            own = U8(response)
            for x in range(TILE):
                counts[response, x] += U8(tiles[block, a, part, x] == own)


@njit_part(inline=True)
def count_tile_costs(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, tile: int, bounds: Int64s
) -> None:
    """Write the least costs of the cells of a tile's guesses, by their sizes."""
    count_tile(matrix, scratch, members, tile)
    counts, costs, first = scratch.small_counts, scratch.tile_costs, tile * TILE
    for x in range(TILE):
        cost = 0
        for response in range(counts.shape[0]):
            cost = min(cost + bounds[counts[response, x]], INFINITE)
        costs[first + x] = cost
    scratch.tiles_counted[tile] = scratch.tiles_counted[-1]


@njit_part(inline=True)
def forget_tiles(scratch: Scratch) -> None:
    """Count all tiles anew from here on: for another state."""
    scratch.tiles_counted[-1] += 1


@njit_part(inline=True)
def is_tile_counted(scratch: Scratch, tile: int) -> bool:
    """Whether the costs of a tile's guesses are those of the state under search."""
    return bool(scratch.tiles_counted[tile] == scratch.tiles_counted[-1])
