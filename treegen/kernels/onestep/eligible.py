"""Which codes may be guessed in each state of a level, where that depends on the answers so far.

A state is known by the guesses that led to it and by any of its candidates, which answers each of
them as the secret does. `treegen.games.eligible` has the rules by definition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from ..levels import Level
from ..responses import FeedbackKind, Scoring, respond
from ..rule_kinds import EligibleKind
from .criteria import Rule


class EligibleLists(NamedTuple):
    """The eligible guesses of some states."""

    codes: NDArray[np.int32]  # [n]: in the order of codes, one state after the other
    # [n_states + 1]: where each state's guesses begin; none are listed for a state that guesses a
    # candidate outright.
    starts: NDArray[np.int64]


@njit(allocates=True)
def list_eligible(
    scoring: Scoring,
    rule: Rule,
    level: Level,
    paths: NDArray[np.int32],
    chosen: NDArray[np.int64],
) -> EligibleLists:
    """Return the eligible guesses of some states of a level.

    `paths`, [n_states, n_guesses], are the guesses that led to each state of the level. The chosen
    states are quickest in ascending order, where neighbours share their first guesses.
    """
    n_codes, n_guesses = len(rule.sequence), paths.shape[1]
    # Row i has the codes that agree with the first i guesses of the path at hand: what the next
    # state shares with it need not be filtered again.
    lists = np.empty((n_guesses + 1, n_codes), dtype=np.int32)
    lists[0] = rule.sequence
    lengths = np.zeros(n_guesses + 1, dtype=np.int64)
    lengths[0] = n_codes
    answers = np.full((n_guesses, 2), -1, dtype=np.int64)
    codes = np.empty(n_codes, dtype=np.int32)
    starts = np.zeros(len(chosen) + 1, dtype=np.int64)
    for place in range(len(chosen)):
        state, n = chosen[place], 0
        begin, end = level.starts[state], level.starts[state + 1]
        if end - begin > max(rule.n_direct, 1):
            secret = level.candidates[begin]
            follow_path(scoring, rule, paths[state], secret, lists, lengths, answers)
            n = int(lengths[n_guesses])
        last = starts[place]
        starts[place + 1] = last + n
        if last + n > len(codes):
            longer = np.empty(2 * (last + n), dtype=np.int32)
            longer[:last] = codes[:last]
            codes = longer
        codes[last : last + n] = lists[n_guesses, :n]
    return EligibleLists(codes[: starts[-1]], starts)


@njit_part(allocates=True)
def follow_path(
    scoring: Scoring,
    rule: Rule,
    path: NDArray[np.int32],
    secret: int,
    lists: NDArray[np.int32],
    lengths: NDArray[np.int64],
    answers: NDArray[np.int64],
) -> None:
    """Filter the codes by each guess of a path and its answer, from the first new one on.

    The secret answers the guesses. Written are `lists`, [n_guesses + 1, n_codes], and their
    `lengths`, the codes that are left after each guess; `answers`, [n_guesses, 2], the guesses and
    responses that the lists stand for.
    """
    hints = np.empty((2, scoring.codes.shape[1]), dtype=np.int64)
    is_known = True
    for i in range(len(path)):
        response = respond(scoring, path[i], secret)
        is_known = is_known and answers[i, 0] == path[i] and answers[i, 1] == response
        if not is_known:
            answers[i, 0], answers[i, 1] = path[i], response
            before = lists[i, : lengths[i]]
            lengths[i + 1] = filter_codes(
                scoring, rule.eligible, path[i], response, before, lists[i + 1], hints
            )


@njit_part
def filter_codes(
    scoring: Scoring,
    eligible: int,
    guess: int,
    response: int,
    codes: NDArray[np.int32],
    kept: NDArray[np.int32],
    hints: NDArray[np.int64],
) -> int:
    """Write the codes that may follow a guess and its response; return how many.

    `eligible` is the number of an `EligibleKind` that depends on answers. `kept` is at least as
    long as `codes`; it may be `codes` itself. `hints`, int64[2, n_pegs], is scratch: the searches
    that filter must not allocate.
    """
    marks, needed = hints[0], hints[1]
    has_hints = scoring.rule == FeedbackKind.POSITION
    if has_hints:
        write_hints(scoring, guess, response, marks, needed)
    n = 0
    for code in codes:
        # What agrees with an answer uses its hints, which is quicker to refute.
        is_kept = not has_hints or uses_hints(scoring, guess, marks, needed, code)
        if is_kept and eligible == EligibleKind.CONSISTENT:
            is_kept = respond(scoring, guess, code) == response
        if is_kept:
            kept[n] = code
            n += 1
    return n


@njit_part
def write_hints(
    scoring: Scoring,
    guess: int,
    response: int,
    marks: NDArray[np.int64],
    needed: NDArray[np.int64],
) -> None:
    """Write each peg's mark (0 grey, 1 yellow, 2 green) and how often its color is needed."""
    n_pegs = len(marks)
    for peg in range(n_pegs - 1, -1, -1):
        marks[peg] = response % 3
        response //= 3
    for peg in range(n_pegs):
        needed[peg] = 0
        for other in range(n_pegs):
            if marks[other] > 0 and scoring.codes[guess, other] == scoring.codes[guess, peg]:
                needed[peg] += 1


@njit_part
def uses_hints(
    scoring: Scoring, guess: int, marks: NDArray[np.int64], needed: NDArray[np.int64], code: int
) -> bool:
    """Whether a code keeps the green pegs and has every marked color often enough."""
    for peg in range(len(marks)):
        color = scoring.codes[guess, peg]
        if marks[peg] == 2 and scoring.codes[code, peg] != color:
            return False
        if marks[peg] > 0 and scoring.counts[code, color] < needed[peg]:
            return False
    return True
