"""One level of a tree at a time: its states, and those of the next level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compiler import njit
from .responses import Scoring, mix, respond

MAX_CELLS = 1 << 24
"""Counters of cells that a level may take: 64 MiB."""


class Level(NamedTuple):
    """The states of one level."""

    # [n_candidates]: ascending within each state, one state after the other.
    candidates: NDArray[np.int32]
    starts: NDArray[np.int64]  # [n_states + 1]: where each state's candidates begin
    keys: NDArray[np.uint64]  # [n_states]: of the random tie-break: a hash of seed and history
    parents: NDArray[np.int32]  # [n_states]: the state of the level before, as an index into it
    # [n_states]: the response that led here; int32 where 16 bits are too few.
    responses: NDArray[np.int16]
    # [n_candidates]: what is left of each; None where no secret's weight is divided.
    shares: NDArray[np.int64] | None = None


def split_level(
    scoring: Scoring, level: Level, guesses: NDArray[np.int32], n_responses: int
) -> Level:
    """Return the next level: each state's candidates by response, without those that win."""
    if len(guesses) * n_responses > MAX_CELLS:
        return split_widely(scoring, level, guesses, n_responses)
    replies = np.empty(len(level.candidates), dtype=level.responses.dtype)
    sizes = np.zeros((len(guesses), n_responses - 1), dtype=np.int32)
    n_children = count_replies(scoring, level, guesses, replies, sizes)
    n_candidates = int(sizes.sum())
    below = Level(
        np.empty(n_candidates, dtype=np.int32),
        np.zeros(n_children + 1, dtype=np.int64),
        np.empty(n_children, dtype=np.uint64),
        np.empty(n_children, dtype=np.int32),
        np.empty(n_children, dtype=level.responses.dtype),
    )
    scatter_replies(level, guesses, replies, sizes, below)
    return below


def split_widely(
    scoring: Scoring, level: Level, guesses: NDArray[np.int32], n_responses: int
) -> Level:
    """Return the result of `split_level` by sorting, without a counter for every possible cell."""
    owners = np.repeat(np.arange(len(guesses), dtype=np.int64), np.diff(level.starts))
    replies = np.empty(len(level.candidates), dtype=np.int64)
    list_replies(scoring, guesses, level.starts, level.candidates, replies)
    goes_on = replies != n_responses - 1
    keys = (owners * n_responses + replies)[goes_on]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    parents, responses = np.divmod(keys[begins], n_responses)
    below = Level(
        level.candidates[goes_on][order],
        np.append(begins, len(keys)).astype(np.int64),
        np.empty(len(begins), dtype=np.uint64),
        parents.astype(np.int32),
        responses.astype(level.responses.dtype),
    )
    mix_keys(level.keys, guesses, below.parents, responses, below.keys)
    return below


@njit
def list_replies(
    scoring: Scoring,
    guesses: NDArray[np.int32],
    starts: NDArray[np.int64],
    candidates: NDArray[np.int32],
    replies: NDArray[np.int64],
) -> None:
    """Write each candidate's response to its state's guess into `replies`."""
    for state in range(len(guesses)):
        for i in range(starts[state], starts[state + 1]):
            replies[i] = respond(scoring, guesses[state], candidates[i])


@njit
def mix_keys(
    keys: NDArray[np.uint64],
    guesses: NDArray[np.int32],
    parents: NDArray[np.int32],
    responses: NDArray[np.int64],
    below: NDArray[np.uint64],
) -> None:
    """Write the random tie-break's keys of the next level into `below`."""
    for child in range(len(parents)):
        parent = parents[child]
        key = mix(keys[parent], np.uint64(guesses[parent]))
        below[child] = mix(key, np.uint64(responses[child]))


@njit
def count_replies(
    scoring: Scoring,
    level: Level,
    guesses: NDArray[np.int32],
    replies: NDArray[np.int16],
    sizes: NDArray[np.int32],
) -> int:
    """Write each candidate's response and the cells' sizes; return the number of non-empty cells.

    The sizes, int32[n_states, n_responses - 1], are zeros before: each state's candidates with each
    response, without the win.
    """
    n_children = 0
    for state in range(len(guesses)):
        for i in range(level.starts[state], level.starts[state + 1]):
            reply = respond(scoring, guesses[state], level.candidates[i])
            replies[i] = reply
            if reply < sizes.shape[1]:
                n_children += sizes[state, reply] == 0
                sizes[state, reply] += 1
    return n_children


@njit
def scatter_replies(
    level: Level,
    guesses: NDArray[np.int32],
    replies: NDArray[np.int16],
    sizes: NDArray[np.int32],
    below: Level,
) -> None:
    """Write the next level from what `count_replies` wrote; the sizes are overwritten."""
    child, place = 0, 0
    for state in range(len(guesses)):
        key = mix(level.keys[state], np.uint64(guesses[state]))
        for reply in range(sizes.shape[1]):
            size = sizes[state, reply]
            sizes[state, reply] = place
            if size == 0:
                continue
            place += size
            below.starts[child + 1] = place
            below.keys[child] = mix(key, np.uint64(reply))
            below.parents[child], below.responses[child] = state, reply
            child += 1
        for i in range(level.starts[state], level.starts[state + 1]):
            reply = replies[i]
            if reply < sizes.shape[1]:
                below.candidates[sizes[state, reply]] = level.candidates[i]
                sizes[state, reply] += 1
