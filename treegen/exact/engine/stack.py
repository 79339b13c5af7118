"""The search's explicit stack: a frame for each state on the way from the root."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError
from ...jit.compiler import by_reference
from ...jit.memory import read_available_bytes
from . import Int32s, Int64s, UInt8s
from .cost import spend

N_MARKED = 4
"""Frames 1 … 3 have marks of their own for representatives under symmetry; row 0 marks all."""

NO_GUESS = -1
"""For a state whose cost is not known."""

OPEN = -2
"""In plans, for a state whose cost is known, but not yet the guess that attains it."""


class FrameStage(IntEnum):
    """What a frame does next."""

    ENTER = 0
    """List the guesses."""
    TRY = 1
    """Try the next guess."""
    DESCEND = 2
    """Search the cells of the guess under trial."""


@by_reference
class Frames(NamedTuple):
    """The states on the way from the root, a column for each property, an item for each depth."""

    stage: Int64s  # a `FrameStage`
    start: Int64s  # with `n`: which part of the parent's row in `Stack.members` is the state
    n: Int64s
    left: Int64s  # guesses left
    # The cost to get below; once a tree is found, the cost of the best: the incumbent.
    upper_bound: Int64s
    has_incumbent: Int64s  # whether a tree below the first upper bound was found
    n_guesses: Int64s  # how many guesses are listed
    next_guess: Int64s  # the index of the next to try
    guess: Int64s  # the guess under trial
    cost: Int64s  # the least that it can cost by what is known about its cells so far
    max_cells: Int64s  # the most cells that any guess has here, the winning one not counted
    n_cells: Int64s  # how many cells of the guess need a look
    cell: Int64s  # which of them is searched
    round: Int64s  # how often the guess's deficit was shared among its cells
    is_retried: Int64s  # whether the guesses were tried before, so that their bounds have no order
    listed_below: Int64s  # guesses that are not listed cost at least this
    least: Int64s  # the least that a guess tried here can cost, of those that were dropped
    # Where in the list the guesses end that the sieve has seen; of those from `next_guess` on it
    # wrote to `Stack.raised` what they cost at least.
    sieved: Int64s
    n_legal: Int64s  # by a rule of play: how many guesses are legal, see `Stack.legal`


@by_reference
class Cells(NamedTuple):
    """The cells of three or more candidates of the guess under trial, by depth; smallest first."""

    first: Int64s  # with `size`: which part of the frame's row in `Stack.members`
    size: Int64s
    slot: Int64s  # where its plan begins in the state's plan
    lower_bound: Int64s  # the least that it can cost
    is_exact: Int64s  # whether that is its cost, and its plan is written
    share: Int64s  # by how much the bound shall rise before another cell's turn; 0: it was asked


CONTROL = np.dtype(
    [
        ("depth", np.int64),
        ("base_depth", np.int64),
        ("deepest", np.int64),
        ("pause_depth", np.int64),
        ("work_limit", np.int64),
        ("n_history", np.int64),
        ("n_states", np.int64),
        ("n_tried", np.int64),
        ("n_lookaheads", np.int64),
        ("n_known", np.int64),
        ("sum_1", np.float64),
        ("sum_x", np.float64),
        ("sum_y", np.float64),
        ("sum_xx", np.float64),
        ("sum_xy", np.float64),
    ]
)
"""Fields of `Stack.control`: one record, since a column of one number each would read worse."""


@by_reference
class Stack(NamedTuple):
    """The frames of a search; frame 1 is the root.

    Frame 0 is no state: it is there so that the root has a parent's row of `members` like any other
    state, and its `left` keeps the guesses left at the root.

    A plan of n >= 3 candidates has n - 1 slots: the guess, then the plans of its cells (n_f - 1
    slots each) in the order of responses. After `OPEN` the rest of a state's slots means nothing:
    see `complete_plan`.

    `control` is one record. `depth` of the frame on top; `base_depth`, that of the frame that the
    search began with: it is over when `depth` is below; `deepest`, a frame whose guesses' cells
    cost what is proved of them without search, so that the result is a lower bound (0: none);
    `pause_depth`, a frame whose guesses are tried but not searched (0: none); `work_limit`, the
    work at which a slice ends; `n_history` guesses before the root; how many
    states were entered, guesses tried, lookaheads made, and spared because the transposition table
    knew the set; sums over solved states for the estimate of shares.
    """

    frames: Frames
    cells: Cells
    members: Int32s  # [n_frames, n_candidates]: a state's, by response
    guesses: Int32s  # [n_frames, n_codes]: the guesses to try, in order
    lower_bounds: Int64s  # [n_frames, n_codes]: the least that each can cost
    # The same as far as the sieve has seen them; `lower_bounds` keep their order. By a rule of
    # play, the same by the sizes of each guess's cells.
    raised: Int64s
    # [n_frames, n_legal]: the guesses that are legal by the rule of play, in the order of the
    # root's; no columns where there is none.
    legal: Int32s
    plans: Int32s  # [n_frames, 2, n_candidates]: of the incumbent, of the guess under trial
    # [n_marked, n_codes]: representatives under symmetry at the first depths. Row 0 marks every
    # guess: deeper states use it.
    marks: UInt8s
    marked: Int64s  # [n_marked, n_marked]: for which guesses above `marks` stands
    history: Int64s  # [n_history + 3]: guesses before the root, room for the first frames'
    control: Any


def make_room(stack: Stack, depth: int) -> None:
    """Add frames in place until there is one below this depth, at least as many as there are.

    The arrays may move: no view of them may be in use elsewhere. Each guess leaves fewer
    candidates, so no search needs more frames than there are candidates. StrategyError: they would
    not fit into memory.
    """
    n_frames = len(stack.frames.stage)
    if depth + 1 < n_frames:
        return
    n_candidates = stack.members.shape[1]
    n_wanted = max(depth + 2, min(2 * n_frames, n_candidates + 2))
    rows = stack.members, stack.guesses, stack.lower_bounds, stack.raised, stack.legal, stack.plans
    columns: list[NDArray[Any]] = [*stack.frames, *stack.cells, *rows]
    size, allowed = sum(column[0].nbytes for column in columns), read_available_bytes()
    if size * (n_wanted - n_frames) > allowed:
        raise StrategyError(
            f"the search is {depth} guesses deep: memory for more of them"
            f" ({size * (n_wanted - n_frames) / 2**30:.1f} GiB) is not free"
            f" ({allowed / 2**30:.1f} GiB are); a max-length keeps it shallow"
        )
    for column in columns:
        column.resize((n_wanted, *column.shape[1:]), refcheck=False)


def put_state(stack: Stack, members: Int32s, history: tuple[int, ...]) -> int:
    """Put a state and the guesses before it, since the root, on the stack; return its depth."""
    n, depth, frames = len(members), len(history) + 1, stack.frames
    make_room(stack, depth)
    for above, guess in enumerate(history, start=1):
        frames.guess[above] = guess
    stack.members[depth - 1, :n] = members
    frames.start[depth], frames.n[depth] = 0, n
    frames.left[depth] = spend(int(frames.left[0]), depth - 1)
    return depth


def make_stack(
    n_candidates: int,
    n_codes: int,
    n_responses: int,
    n_frames: int,
    history: list[int],
    n_legal: int = 0,
) -> Stack:
    """Return an empty stack of `n_frames` frames; untouched pages cost no memory."""
    n_marked = min(n_frames, N_MARKED)
    control = np.zeros(1, dtype=CONTROL).view(np.recarray)[0]
    control.base_depth = 1
    control.n_history = len(history)
    return Stack(
        Frames(*(np.zeros(n_frames, dtype=np.int64) for _ in Frames._fields)),
        Cells(*(np.zeros((n_frames, n_responses), dtype=np.int64) for _ in Cells._fields)),
        np.empty((n_frames, n_candidates), dtype=np.int32),
        np.empty((n_frames, n_codes), dtype=np.int32),
        np.empty((n_frames, n_codes), dtype=np.int64),
        np.empty((n_frames, n_codes), dtype=np.int64),
        np.empty((n_frames, n_legal), dtype=np.int32),
        np.empty((n_frames, 2, n_candidates), dtype=np.int32),
        np.ones((n_marked, n_codes), dtype=np.uint8),
        np.full((n_marked, N_MARKED), -2, dtype=np.int64),
        np.array([*history, 0, 0, 0], dtype=np.int64),
        control,
    )


def count_done(stack: Stack) -> dict[str, int]:
    """Return the counts of a search so far."""
    control = stack.control
    return {
        "states": int(control.n_states),
        "guesses": int(control.n_tried),
        "lookaheads": int(control.n_lookaheads),
        "table_hits": int(control.n_known),
    }


def count_nothing() -> dict[str, int]:
    """Return the counts of a search before it begins: zeros."""
    return dict.fromkeys(("states", "guesses", "lookaheads", "table_hits"), 0)
