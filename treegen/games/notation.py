"""How the field's notations name the colors and order the responses of a game."""

from __future__ import annotations

from itertools import groupby
from string import ascii_lowercase

from .base import Game
from .feedback import PegFeedback


def default_letters(game: Game, alphabet: str = ascii_lowercase) -> tuple[str, ...]:
    """Return letters for a peg game's colors, numbers from 1 where there are too few letters.

    A codebook keeps its own characters.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> default_letters(parse_game("p2c3r"))
    ('a', 'b', 'c')
    """
    if game.kind == "codebook":
        return game.symbols
    if game.n_colors <= len(alphabet):
        return tuple(alphabet[: game.n_colors])
    return tuple(str(number) for number in range(1, game.n_colors + 1))


def order_cells(game: Game) -> list[list[int]]:
    """Return the responses in the order of Irving's cells, one list a row.

    With black and white pegs a row has equal black, and white descends; other feedback is in one
    row, in the order of the responses.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> order_cells(parse_game("p2c3r"))
    [[2, 1, 0], [3], [4]]
    """
    rule = game.feedback
    if not isinstance(rule, PegFeedback):
        return [list(range(game.n_responses))]
    rows = groupby(range(game.n_responses), lambda response: rule.feedback_of(response)[0])
    return [list(row)[::-1] for _, row in rows]
