"""The cells of a guess under trial: sizes, and lower bounds that need no search.

The kernels are compiled into `try_guesses`, their one caller: for most guesses they have less to do
than it would take to pass them all the arrays of a search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_inline
from .cost_model import CostModel, spend_guess
from .lookahead import ResponseMatrix, Scratch, has_local_matrix, has_ranking
from .search import Search
from .small_states import solve_by_candidates, solve_by_lookahead, solve_by_survey, solve_locally
from .stack import NO_GUESS, OPEN, Cells, Stack
from .transposition_table import Evidence, find_entry, write_entry


@njit_inline
def scatter(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, stack: Stack, depth: int
) -> None:
    """Group the state's members by response; list the cells of three or more, smallest first.

    The cost of smaller cells follows from their size: one candidate is guessed, of two the first.
    The responses and the sizes stand in `scratch`: see `read_row`.
    """
    frames, cells = stack.frames, stack.cells
    bounds = model.lower_bounds[spend_guess(frames.left[depth]), frames.max_cells[depth]]
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


@njit_inline
def _insert_cell(cells: Cells, depth: int, n_cells: int, first: int, size: int, slot: int) -> None:
    """Insert a cell after those that are no larger."""
    at = n_cells
    while at > 0 and cells.size[depth, at - 1] > size:
        cells.first[depth, at] = cells.first[depth, at - 1]
        cells.size[depth, at] = cells.size[depth, at - 1]
        cells.slot[depth, at] = cells.slot[depth, at - 1]
        at -= 1
    cells.first[depth, at], cells.size[depth, at], cells.slot[depth, at] = first, size, slot


@njit_inline
def refine(search: Search, depth: int) -> bool:
    """Raise the cells' lower bounds without a search; False once the guess costs too much.

    Two passes over the cells, the cheap test first: whether a candidate tells a cell's candidates
    apart takes n² responses; a lookahead takes those of all guesses. Most guesses cost too much
    before the second pass has begun.
    """
    stack = search.stack
    frames, cells = stack.frames, stack.cells
    left, n_cells = spend_guess(frames.left[depth]), frames.n_cells[depth]
    has_survey = has_ranking(search.matrix)
    for step in range(2 * n_cells):
        is_second = 1 if step >= n_cells else 0
        i = step - n_cells * is_second
        # Most small cells are told apart by a candidate, most large ones are not; and with many
        # responses the survey of a large cell gains most for its time.
        is_large_first = has_survey == (is_second == 1)
        at = n_cells - 1 - i if is_large_first else i
        size = cells.size[depth, at]
        # A guess has no more cells than there are responses: more candidates share some.
        is_too_large = is_second == 0 and size > search.matrix.n_responses
        if cells.is_exact[depth, at] == 1 or is_too_large:
            continue
        first = cells.first[depth, at]
        members = stack.members[depth, first : first + size]
        if is_second == 0:
            bound, guess = _test_candidates(search, members, first, left)
        else:
            others = frames.cost[depth] - cells.lower_bound[depth, at]
            upper_bound = frames.upper_bound[depth] - others
            bound, guess = _look_ahead_once(search, members, left, upper_bound)
        if guess != NO_GUESS:
            cells.is_exact[depth, at] = 1
            stack.plans[depth, 1, cells.slot[depth, at]] = guess
        if bound > cells.lower_bound[depth, at]:
            frames.cost[depth] += bound - cells.lower_bound[depth, at]
            cells.lower_bound[depth, at] = bound
            if frames.cost[depth] >= frames.upper_bound[depth]:
                return False
    return True


@njit_inline
def _test_candidates(
    search: Search, members: NDArray[np.int32], first: int, left: int
) -> tuple[int, int]:
    """Return the result of the test of candidates of a cell that begins at `first`."""
    matrix, model, scratch = search.matrix, search.model, search.scratch
    if has_local_matrix(scratch):
        return solve_locally(matrix, model, scratch, members, first, left)
    return solve_by_candidates(matrix, model, scratch, members, left)


@njit_inline
def _look_ahead_once(
    search: Search, members: NDArray[np.int32], left: int, upper_bound: int
) -> tuple[int, int]:
    """Return the result of a lookahead or the transposition table: a bound and its guess.

    The guess is `NO_GUESS` if the bound may be too low, `OPEN` if it is the cost but the guess that
    attains it is not known. In a game with a ranking the lookahead ends at the upper bound: asked
    again with a higher one, it is made again.
    """
    control, table, model = search.stack.control, search.table, search.model
    is_known, bound, evidence = find_entry(table, members, left)
    if is_known and (evidence != Evidence.CUT_SHORT or bound >= upper_bound):
        control.n_known += 1
        return bound, OPEN if evidence == Evidence.COST else NO_GUESS
    control.n_lookaheads += 1
    is_cut_short = False
    if has_ranking(search.matrix) and not model.candidates_only:
        bound, guess = solve_by_survey(
            search.matrix, model, search.scratch, members, left, upper_bound
        )
        is_cut_short = guess == NO_GUESS and bound >= upper_bound
    else:
        bound, guess = solve_by_lookahead(search.matrix, model, search.scratch, members, left)
    if guess != NO_GUESS:
        write_entry(table, bound, Evidence.COST.value)
    else:
        write_entry(
            table, bound, Evidence.CUT_SHORT.value if is_cut_short else Evidence.BOUND.value
        )
    return bound, guess
