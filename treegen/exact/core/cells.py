"""The cells of a guess under trial: sizes, floors, and what one step ahead proves of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part
from .cost_model import Terms
from .lookahead import Scratch
from .response_matrix import Board
from .small_states import BOUND, settle_by_candidates, settle_by_survey
from .small_states import GUESS as SETTLING
from .stack import (
    BEST,
    COST,
    FIRST,
    FLOOR,
    GUESS,
    LEFT,
    N_CELL_FIELDS,
    N_CELLS,
    N_KNOWN,
    N_SURVEYS,
    SETTLED,
    SIZE,
    SLOT,
    START,
    WIDTH,
    N,
    Stack,
)
from .transposition_table import Memory, find_entry, write_entry


@njit_bare_part
def scatter(board: Board, terms: Terms, scratch: Scratch, stack: Stack, depth: int) -> None:
    """Group the state's members by response; list the cells of three or more, smallest first."""
    frame = stack.frames[depth]
    cells = stack.cells[depth]
    below = frame[LEFT] - 1 if frame[LEFT] > 0 else 0
    bounds = terms.bounds[below, frame[WIDTH]]
    sizes = scratch.sizes
    first, slot, n_cells = 0, 1, 0
    for response in range(board.n_responses):
        size = sizes[response]
        sizes[response] = first
        if size > 2:
            at = n_cells
            while at > 0 and cells[at - 1, SIZE] > size:
                for field in range(N_CELL_FIELDS):
                    cells[at, field] = cells[at - 1, field]
                at -= 1
            cells[at, FIRST], cells[at, SIZE], cells[at, SLOT] = first, size, slot
            cells[at, FLOOR], cells[at, SETTLED] = bounds[size], 0
            n_cells += 1
        first += size
        slot += max(size - 1, 0)
    frame[N_CELLS] = n_cells
    source = stack.members[depth - 1, frame[START] : frame[START] + frame[N]]
    target = stack.members[depth]
    responses = board.by_guess[frame[GUESS]]
    for i in range(len(source)):
        response = responses[source[i]]
        target[sizes[response]] = source[i]
        sizes[response] += 1


@njit_bare_part
def refine(
    board: Board, terms: Terms, scratch: Scratch, stack: Stack, memory: Memory, depth: int
) -> bool:
    """Raise the cells' floors one step ahead; False once the guess costs `BEST` or more.

    First the cells that a candidate may split perfectly, then a survey of what is left.
    """
    frame = stack.frames[depth]
    cells = stack.cells[depth]
    below = frame[LEFT] - 1 if frame[LEFT] > 0 else 0
    verdict = scratch.verdict
    for by_survey in range(2):
        for i in range(frame[N_CELLS]):
            cell = cells[i]
            if cell[SETTLED] == 1 or (by_survey == 0 and cell[SIZE] > board.n_responses):
                continue
            members = stack.members[depth, cell[FIRST] : cell[FIRST] + cell[SIZE]]
            if by_survey == 0:
                settle_by_candidates(board, terms, scratch, members, below, verdict)
            else:
                _survey_once(board, terms, scratch, stack, memory, members, below)
            if verdict[SETTLING] >= 0:
                cell[SETTLED] = 1
                stack.plans[depth, 1, cell[SLOT]] = verdict[SETTLING]
            if verdict[BOUND] > cell[FLOOR]:
                frame[COST] += verdict[BOUND] - cell[FLOOR]
                cell[FLOOR] = verdict[BOUND]
                if frame[COST] >= frame[BEST]:
                    return False
    return True


@njit_bare_part
def _survey_once(
    board: Board,
    terms: Terms,
    scratch: Scratch,
    stack: Stack,
    memory: Memory,
    members: NDArray[np.int32],
    left: int,
) -> None:
    """Write the verdict of a survey, or what the memory knows of the set."""
    verdict = scratch.verdict
    if find_entry(memory, members, left):
        stack.control[N_KNOWN] += 1
        verdict[BOUND] = memory.known[0]
        verdict[SETTLING] = memory.known[1]
        return
    stack.control[N_SURVEYS] += 1
    settle_by_survey(board, terms, scratch, members, left, verdict)
    write_entry(memory, verdict[BOUND], verdict[SETTLING])
