"""Read a tree from text in any of our styles, from a path or from a string."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .._files import read_text
from ..errors import UsageError
from ..games import Game, read_pairs
from ..tree import Tree
from .read import TEXT_STYLES, parse_tree


def read_text_tree(
    source: str | os.PathLike[str],
    game: Game | None = None,
    style: str | None = None,
    *,
    symbols: Sequence[str] | None = None,
    history: Sequence[tuple[str, str]] = (),
) -> Tree:
    r"""Read a tree from text.

    Parameters
    ----------
    source
        A path, or the text itself: a string with a line feed, a brace or a parenthesis in it.
    game
        The game; may be omitted if the text names it.
    style
        A style of text, such as ``"irving"`` or ``"codegolf"``; detected if None.
    symbols
        How the colors are written, if neither in the game's nor the style's notation.
    history
        Guesses made before the first state and their answers, if the text does not have them:
        ``[("1122", "02")]``.

    Returns
    -------
    Tree
        Every state was reached by playing, every count compared: the tree finds every secret.

    Raises
    ------
    FormatError
        The text is not a tree of the game; the message gives line, column and what is wrong.
    UsageError
        The style is unknown, or a history is given without a game.
    GameError, TypeError
        A guess or an answer of the history is none of the game, or no text.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"
    >>> tree = read_text_tree(text, parse_game("p2c3r"), "codegolf")
    >>> tree.total, tree.worst
    (21, 3)
    """
    if history and game is None:
        raise UsageError("a history needs a game: its guesses are codes of it")
    past = read_pairs(game, history) if game else ()
    text = source if isinstance(source, str) and _is_text(source) else read_text(source)
    grown = parse_tree(text, game, style, formats=TEXT_STYLES, symbols=symbols, history=past)
    return grown.tree


def _is_text(source: str) -> bool:
    return any(character in source for character in "\n\r{(")
