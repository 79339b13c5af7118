"""The search's explicit stack: a frame for each state on the way from the root."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

(
    STAGE,
    START,
    N,
    LEFT,
    BEST,
    FOUND,
    N_GUESSES,
    NEXT,
    GUESS,
    COST,
    WIDTH,
    N_CELLS,
    CELL,
    WON,
    N_FIELDS,
) = range(15)
"""Fields of a frame: see `Stack.frames`."""

ENTER, TRY, DESCEND = range(3)
"""Stages: list the guesses, try the next one, search the cells of the one under trial."""

FIRST, SIZE, SLOT, FLOOR, SETTLED, N_CELL_FIELDS = range(6)
"""Fields of a cell: see `Stack.cells`."""

DEPTH, BASE, DEEPEST, LIMIT, N_STATES, N_TRIED, N_SURVEYS, N_KNOWN, N_HISTORY, N_CONTROL = range(10)
"""Fields of the control array: see `Stack.control`."""

COUNTERS = {"states": N_STATES, "guesses": N_TRIED, "surveys": N_SURVEYS, "table_hits": N_KNOWN}
"""What a search counts, and where the control array holds it."""


class Stack(NamedTuple):
    """The frames of a search; frame 1 is the root, frame 0 holds the candidates alone.

    Attributes
    ----------
    frames : int64[n_frames, N_FIELDS]
        `STAGE`; `START` and `N`, the state's part of the parent's `members`; guesses `LEFT`;
        `BEST`, the cost to get below; whether it was `FOUND`; `N_GUESSES` listed, the `NEXT` to
        try; `GUESS` under trial and its `COST` so far; `WIDTH`, the most cells of a guess;
        `N_CELLS` that need a look, the `CELL` that is searched; `WON`, whether the guess may win.
    members : int32[n_frames, n_candidates]
        The state's candidates, grouped by the response to the guess under trial.
    guesses : int32[n_frames, n_codes]
        The guesses to try, in order.
    floors : int64[n_frames, n_codes]
        The least that each can cost.
    cells : int64[n_frames, n_responses, N_CELL_FIELDS]
        The cells of three or more candidates, smallest first: `FIRST` member, `SIZE`, `SLOT` in the
        plan, `FLOOR` of the cost, whether it is `SETTLED` (exact).
    plans : int32[n_frames, 2, n_candidates]
        Guesses for the state's best tree, and for the guess under trial. A plan of n >= 3
        candidates has n - 1 slots: the guess, then the plans of its cells (n_f - 1 slots each)
        in the order of responses.
    marks : uint8[n_frames, n_codes]
        Representatives under symmetry, at the first depths.
    marked : int64[n_frames, 4]
        For which past guesses `marks` stands.
    past : int64[n_history + 3]
        The guesses made before the root, and room for those of the first frames.
    control : int64[N_CONTROL]
        `DEPTH` of the frame on top; `BASE`, the frame that the search began with: it is over
        when `DEPTH` is below; `DEEPEST`, a frame whose guesses' cells count as what is proved
        of them at sight, so that the result is a bound (0: none); the `LIMIT` of `count_work`
        where a slice ends; how many states were entered, guesses tried, surveys made and spared
        by the memory; `N_HISTORY`, the guesses before the root.
    """

    frames: NDArray[np.int64]
    members: NDArray[np.int32]
    guesses: NDArray[np.int32]
    floors: NDArray[np.int64]
    cells: NDArray[np.int64]
    plans: NDArray[np.int32]
    marks: NDArray[np.uint8]
    marked: NDArray[np.int64]
    past: NDArray[np.int64]
    control: NDArray[np.int64]


def make_stack(
    n_candidates: int, n_codes: int, n_responses: int, n_frames: int, past: list[int]
) -> Stack:
    """Return an empty stack of `n_frames` frames; untouched pages cost no memory."""
    n_marks = min(n_frames, 4)
    control = np.zeros(N_CONTROL, dtype=np.int64)
    control[BASE] = 1
    control[N_HISTORY] = len(past)
    return Stack(
        np.zeros((n_frames, N_FIELDS), dtype=np.int64),
        np.empty((n_frames, n_candidates), dtype=np.int32),
        np.empty((n_frames, n_codes), dtype=np.int32),
        np.empty((n_frames, n_codes), dtype=np.int64),
        np.zeros((n_frames, n_responses, N_CELL_FIELDS), dtype=np.int64),
        np.empty((n_frames, 2, n_candidates), dtype=np.int32),
        np.ones((n_marks, n_codes), dtype=np.uint8),
        np.full((n_marks, 4), -2, dtype=np.int64),
        np.array([*past, 0, 0, 0], dtype=np.int64),
        control,
    )
