"""Which games need the weighted search, and which guesses it can keep to."""

from __future__ import annotations

from ...errors import UsageError
from ...games import Game, Goal, is_rule_of_play, resolve_eligible
from ..request import SearchSpec


def is_weighted(game: Game) -> bool:
    """Return whether a game needs this search: the tuned one counts guesses until the win.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> is_weighted(parse_game("p2c2r")), is_weighted(parse_game("p2c2r").with_goal("identify"))
    (False, True)
    """
    return bool(game.stakes) or game.goal != Goal.WIN or game.rule == "answers"


def refuse_eligible(game: Game, spec: SearchSpec) -> None:
    """Raise UsageError for guesses that this search cannot keep to."""
    eligible = resolve_eligible(game, spec.eligible)
    if is_rule_of_play(eligible):
        raise UsageError(
            "with weights, costs, questions or the goal to identify, a search tries all guesses or"
            f" the candidates, not those that are eligible by {eligible}; rules such as -s entropy"
            " keep to it"
        )
    if eligible == "candidates" and game.first_guess > 0:
        raise UsageError(
            f"{game.name} is to be identified by its questions: no candidate is guessed, so"
            " eligible cannot be candidates"
        )
