"""Responses of one guess to many secrets, compiled."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..games import renaming
from ..games.rules import Rules
from ..jit.compiler import njit, njit_part


class FeedbackKind(IntEnum):
    """How a guess is answered."""

    PEGS = 0
    BLACK = 1
    POSITION = 2
    ANSWERS = 3
    ORDER = 4
    MATRIX = 5


_KINDS = {
    "pegs": FeedbackKind.PEGS,
    "black": FeedbackKind.BLACK,
    "position": FeedbackKind.POSITION,
    "answers": FeedbackKind.ANSWERS,
    "order": FeedbackKind.ORDER,
    "traits": FeedbackKind.MATRIX,
    "matrix": FeedbackKind.MATRIX,
}


class Scoring(NamedTuple):
    """What the kernels need to know about a game."""

    rule: int  # the number of a `FeedbackKind`
    codes: NDArray[np.unsignedinteger]  # [n_codes, n_pegs]: all codes
    # Uint8[n_codes, n_colors]: how often each code has each color; uint16 for codes of 256 pegs or
    # more.
    counts: NDArray[np.unsignedinteger]
    # [n_pegs + 1, n_pegs + 1]: response of (black, black + white); [1, 1] for `FeedbackKind.BLACK`.
    response_of: NDArray[np.int64]
    # Uint8 or uint16[n_questions, n_secrets]: response of each secret to each question, whose codes
    # follow those of the secrets, for `FeedbackKind.ANSWERS`; for `FeedbackKind.MATRIX` all
    # responses, [n_codes, n_secrets].
    answers: NDArray[np.unsignedinteger]
    win: int  # response to a guess that is the secret


def make_scoring(rules: Rules) -> Scoring:
    """Return the arrays with which kernels score the game's guesses."""
    if rules.feedback.name not in _KINDS:
        raise GameError(
            f"{rules.name} is answered by {rules.feedback.name!r}, for which there is no kernel"
        )
    kind, answers, n_pegs = _KINDS[rules.feedback.name], rules.answer_rows, rules.n_pegs
    nothing = np.zeros((1, 1), dtype=np.int64)
    if kind == FeedbackKind.MATRIX:
        answers = rules.feedback.matrix  # type: ignore[attr-defined]
    if kind in (FeedbackKind.ANSWERS, FeedbackKind.MATRIX):
        codes = np.zeros((rules.n_codes, 1), dtype=np.uint8)  # kernels ask how many there are
        codes.setflags(write=False)
        return Scoring(kind.value, codes, nothing.astype(np.uint8), nothing, answers, rules.win)
    if kind == FeedbackKind.ORDER:
        counts = nothing.astype(np.uint8)
        return Scoring(kind.value, rules.codes, counts, nothing, answers, rules.win)
    counts = np.zeros(
        (rules.n_codes, rules.n_colors), dtype=np.uint8 if n_pegs < 256 else np.uint16
    )
    rows = np.arange(rules.n_codes)
    for peg in range(n_pegs):
        counts[rows, rules.codes[:, peg]] += 1
    size = 1 if kind == FeedbackKind.BLACK else n_pegs + 1
    response_of = np.zeros((size, size), dtype=np.int64)
    for black in range(size):
        starts = black * size - black * (black - 1) // 2
        response_of[black, black:] = starts + np.arange(size - black)
    response_of[-1, -1] = rules.win
    return Scoring(kind.value, rules.codes, counts, response_of, answers, rules.win)


@njit
def respond(scoring: Scoring, guess: int, secret: int) -> int:
    """Return the response to one guess; arguments are not checked."""
    if scoring.rule == FeedbackKind.ANSWERS:
        if guess < scoring.answers.shape[1]:
            return scoring.win if guess == secret else 0
        return int(scoring.answers[guess - scoring.answers.shape[1], secret])
    if scoring.rule == FeedbackKind.MATRIX:
        return int(scoring.answers[guess, secret])
    if scoring.rule == FeedbackKind.POSITION:
        return _respond_position(scoring.codes[guess], scoring.codes[secret])
    if scoring.rule == FeedbackKind.ORDER:
        return scoring.win if guess == secret else int(secret > guess)
    black = 0
    for peg in range(scoring.codes.shape[1]):
        if scoring.codes[guess, peg] == scoring.codes[secret, peg]:
            black += 1
    if scoring.rule == FeedbackKind.BLACK:
        return black
    common = 0
    for color in range(scoring.counts.shape[1]):
        common += min(int(scoring.counts[guess, color]), int(scoring.counts[secret, color]))
    return int(scoring.response_of[black, common])


@njit_part
def _respond_position(guess: NDArray[np.uint8], secret: NDArray[np.uint8]) -> int:
    """Return the base-3 response: green in place, yellow from the left while any are left."""
    response = 0
    for peg in range(len(guess)):
        mark = 0
        if guess[peg] == secret[peg]:
            mark = 2
        else:
            left = 0
            for other in range(len(guess)):
                if secret[other] == guess[peg] and guess[other] != secret[other]:
                    left += 1
                if other < peg and guess[other] == guess[peg] and guess[other] != secret[other]:
                    left -= 1
            mark = 1 if left > 0 else 0
        response = 3 * response + mark
    return response


extend_renaming = njit_part(inline=True)(renaming.extend_renaming)


_ONE, _STEP = np.uint64(1), np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_BY_27, _BY_30, _BY_31 = np.uint64(27), np.uint64(30), np.uint64(31)


@njit
def mix(key: np.uint64, value: np.uint64) -> np.uint64:
    """Return the next key of the counter-based generator: splitmix64 of the key and a value."""
    z = key + _STEP * (value + _ONE)
    z = (z ^ (z >> _BY_30)) * _FIRST
    z = (z ^ (z >> _BY_27)) * _SECOND
    return z ^ (z >> _BY_31)
