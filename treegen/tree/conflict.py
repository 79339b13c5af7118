"""Which answers contradict each other."""

from __future__ import annotations

from ..games import Game
from .provenance import History
from .walk import select_candidates


def find_conflict(game: Game, history: History) -> list[int]:
    """Return the places in a history of answers that cannot all be true.

    Parameters
    ----------
    game
        The game.
    history
        (guess, response) pairs.

    Returns
    -------
    list of int
        A minimal set: without any one of them, some secret agrees with the others. Empty if some
                secret agrees with the whole history. Later answers are preferred to earlier ones.
    """
    if len(select_candidates(game, history)):
        return []
    kept = list(range(len(history)))
    for place in range(len(history)):
        # The earliest first: an answer whose absence leaves the contradiction is dropped for good.
        rest = [other for other in kept if other != place]
        if not len(select_candidates(game, tuple(history[other] for other in rest))):
            kept = rest
    return kept


def describe_conflict(game: Game, history: History) -> str:
    """Return a sentence that names answers which cannot all be true; "" if they can."""
    places = find_conflict(game, history)
    written = [
        f"{place + 1}: {game.format_code(history[place][0])} answered"
        f" {game.format_response(history[place][1], history[place][0])}"
        for place in places
    ]
    if len(written) == 1:
        return f"No secret fits answer {written[0]}"
    return f"These answers cannot all be true: {'; '.join(written)}" if written else ""
