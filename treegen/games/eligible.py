"""Which codes may be guessed after the answers so far: the four rules that a game can be played by.

============ ==============================================================================
rule         a code may be guessed if
============ ==============================================================================
all          it is a code of the game
hints        it uses every hint: Wordle's *hard mode*, for position feedback
consistent   it would have been answered as the secret was, whether it may be secret or not
             (*ultra hard*)
candidates   the same, and it may be secret
============ ==============================================================================

Each rule allows what the rules below it allow. A candidate is allowed by all four and, where there
are two, tells them apart: so there always is a guess that gains information.

**The rule of hints.** For each guess made and its answer: a green peg keeps its color, and each
color is used at least as often as it was green or yellow there. Nothing else is asked: a yellow
color may stay on its peg, a grey one may be guessed again. Wordle's settings call it "Any revealed
hints must be used in subsequent guesses"; its program compares each guess with the last one alone,
by exactly these two conditions. In a game that keeps the rule this is the same: a color that a
guess must hold is answered green or yellow again, at least as often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .base import Game

History = Sequence[tuple[int, int]]

Eligible = Literal["all", "candidates", "hints", "consistent"]
"""What may be guessed: see `ELIGIBLE`."""

ELIGIBLE = {
    "all": "every code may be guessed",
    "candidates": "only codes that are still possible are guessed",
    "hints": "only codes that use all hints are guessed: green pegs stay, yellow colors are used"
    " (Wordle's hard mode)",
    "consistent": "only codes that agree with all answers are guessed, secret or not (ultra hard)",
}

HARD = ("--hard", "hints")
"""How a shell may write the rule that most know by name."""


def resolve_eligible(game: Game, eligible: str) -> str:
    """Return the simplest rule that allows the same guesses in a game.

    Where every code may be secret, ``consistent`` is ``candidates``. GameError if there is no such
    rule, or the game has no hints.
    """
    if eligible not in ELIGIBLE:
        raise GameError(f"unknown eligible {eligible!r:.80}: there are {', '.join(ELIGIBLE)}")
    if game.rule == "answers" and is_rule_of_play(eligible):
        raise GameError(
            f"`eligible={eligible!r:.80}` compares codes with the answers to others; {game.name} is"
            " a table of questions, and a question has no answers of its own"
        )
    if eligible == "hints" and game.rule != "position":
        raise GameError(
            "hard mode (`eligible='hints'`) needs green and yellow letters: a list of words and"
            f" `feedback='wordle'`; {game.name:.80} is answered by {game.rule};"
            " `eligible='consistent'` suits every game"
        )
    if eligible == "consistent" and game.n_secrets == game.n_codes:
        return "candidates"
    return eligible


def is_rule_of_play(eligible: str) -> bool:
    """Whether the rule binds the player of a game, not only the strategy that advises.

    A strategy that guesses ``candidates`` may take over any game. Hard mode is a rule of the game
    itself: no other guess can be made.
    """
    return eligible in ("hints", "consistent")


def may_follow(
    game: Game,
    eligible: str,
    guesses: NDArray[np.integer],
    responses: NDArray[np.integer],
    codes: NDArray[np.integer],
) -> NDArray[np.bool_]:
    """Return whether codes may be guessed after guesses and their responses, by one pair each.

    `guesses`, `responses` and `codes` are integers [n], broadcast against each other.
    """
    if eligible == "all":
        return np.ones(np.broadcast_shapes(*map(np.shape, (guesses, responses, codes))), dtype=bool)
    if eligible == "hints":  # a mark for each peg: the response's digits in base 3
        marks = np.asarray(responses)[..., None] // 3 ** np.arange(game.n_pegs - 1, -1, -1) % 3
        return _use_hints(game.codes[guesses], marks, game.codes[codes])
    may_be_secret = np.asarray(codes) < game.n_secrets
    if eligible == "candidates":  # other codes, such as questions, may have no answer of their own
        codes = np.where(may_be_secret, codes, 0)
    asked, answered, codes = np.broadcast_arrays(guesses, responses, codes)
    spread = game.rules.spread(asked.ravel(), codes.ravel())
    places, agree = np.arange(codes.size)[spread.source], np.zeros(codes.size, dtype=bool)
    agree[places[spread.answers == answered.ravel()[places]]] = True  # one of the answers is enough
    found = agree.reshape(codes.shape)
    return found & may_be_secret if eligible == "candidates" else found


def select_eligible(game: Game, eligible: str, history: History) -> NDArray[np.int32]:
    """Return the codes that may be guessed after a history, ascending.

    >>> from treegen.games.codebook import make_word_game
    >>> game = make_word_game(["crane", "crate", "irate"], ["grate", "trace"], rule="position")
    >>> history = [(game.parse_code("trace"), game.parse_response("12202"))]
    >>> {rule: len(select_eligible(game, rule, history)) for rule in ELIGIBLE}
    {'all': 5, 'candidates': 1, 'hints': 4, 'consistent': 2}
    """
    resolve_eligible(game, eligible)
    end = game.n_secrets if eligible == "candidates" else game.n_codes
    codes = np.arange(game.rules.first_guess, end, dtype=np.int32)
    for guess, response in history:
        codes = codes[may_follow(game, eligible, np.array(guess), np.array(response), codes)]
    return codes


def describe_breach(game: Game, eligible: str, history: History, guess: int) -> str:
    """Return why a code may not be guessed after a history; ``""`` if it may.

    >>> from treegen.games.codebook import make_word_game
    >>> game = make_word_game(["crane", "crate", "caret"], rule="position")
    >>> history = [(game.parse_code("crane"), game.parse_response("22202"))]
    >>> describe_breach(game, "hints", history, game.parse_code("caret"))
    "caret breaks eligible=hints: crane was answered 22202, so peg 2 must be 'r'"
    """
    written = f"{game.format_code(guess)} breaks eligible={eligible}"
    if eligible == "candidates" and guess >= game.n_secrets:
        return f"{written}: it is not one of the secrets"
    for earlier, response in history:
        pair = np.array(earlier), np.array(response)
        if not may_follow(game, eligible, *pair, np.array(guess)):
            past = f"{game.format_code(earlier)} was answered {game.format_response(response)}"
            return f"{written}: {past}, {_explain(game, eligible, earlier, response, guess)}"
    return ""


def describe_first_breach(game: Game, eligible: str, history: History) -> str:
    """Return why the first forbidden guess of a history is so; ``""`` if there is none."""
    for number, (guess, _) in enumerate(history):
        breach = describe_breach(game, eligible, history[:number], guess)
        if breach:
            code = game.format_code(guess)
            return f"guess {number + 1}, {code}, {breach.removeprefix(code + ' ')}"
    return ""


def _use_hints(
    guesses: NDArray[np.integer], marks: NDArray[np.integer], codes: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Return whether rows of `codes` use the hints of `guesses`; rows are broadcast."""
    kept = ((marks < 2) | (guesses == codes)).all(axis=-1)
    for peg in range(guesses.shape[-1]):
        color = guesses[..., peg, None]
        needed = ((marks > 0) & (guesses == color)).sum(axis=-1)
        has = (codes == color).sum(axis=-1)
        kept &= (marks[..., peg] == 0) | (has >= needed)  # a grey peg asks for nothing
    return np.asarray(kept)


def _explain(game: Game, eligible: str, earlier: int, response: int, guess: int) -> str:
    """Return the demand of an earlier answer that a guess does not meet, as text."""
    if eligible != "hints":
        answers = game.rules.spread(np.array([earlier]), np.array([guess])).answers.tolist()
        replies = " or ".join(map(game.format_response, answers))
        return f"and would be answered {replies} if {game.format_code(guess)} were the secret"
    first, later = game.codes[earlier].tolist(), game.codes[guess].tolist()
    marks = [response // 3 ** (game.n_pegs - 1 - peg) % 3 for peg in range(game.n_pegs)]
    for peg, mark in enumerate(marks):
        if mark == 2 and first[peg] != later[peg]:
            return f"so peg {peg + 1} must be {game.notation.symbols[first[peg]]!r:.80}"
    for color in first:
        needed = sum(mark > 0 and other == color for mark, other in zip(marks, first, strict=True))
        if later.count(color) < needed:
            times = "" if needed == 1 else f" {needed} times"
            return f"so {game.notation.symbols[color]!r:.80} must be used{times}"
    raise AssertionError("the guess uses all hints")
