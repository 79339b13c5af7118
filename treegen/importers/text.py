"""Read a tree from text in any of our styles, and from the papers, mmstrat and codegolf."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from .._files import read_text
from ..errors import FormatError, UsageError
from ..games import Game
from ..tree import Tree
from ..tree.provenance import History
from .grow import Grown, grow_tree
from .scan import Scanner
from .sketch import Sketch
from .text_codegolf import sketch_codegolf
from .text_header import (
    choose_game,
    read_claims,
    read_header,
    read_history,
    read_provenance,
    read_symbols,
)
from .text_indented import sketch_indented
from .text_irving import sketch_irving
from .text_lines import sketch_lines
from .text_r_post import sketch_r_post

Reader = Callable[[Scanner, Game, tuple[str, ...] | None, History], Sketch]

STYLES: dict[str, Reader] = {
    "r-post": sketch_r_post,
    "indented": sketch_indented,
    "lines": sketch_lines,
    "irving": sketch_irving,
    "mmstrat": sketch_irving,
    "codegolf": sketch_codegolf,
}
"""Reader of each style."""


def read_text_tree(
    source: str | os.PathLike[str],
    game: Game | None = None,
    style: str | None = None,
    *,
    symbols: Sequence[str] | None = None,
    history: History = (),
) -> Tree:
    r"""Read a tree from text.

    Parameters
    ----------
    source
        A path, or the text itself: a string with a line feed, a brace or a parenthesis in it.
    game
        The game; may be left out where the text names it.
    style
        A key of `STYLES`; found out when None.
    symbols
        How the colors are written, where it is neither the game's nor the style's own way.
    history
        Guesses made before the first state, where the text does not say them.

    Returns
    -------
    Tree
        Every state was reached by playing, every count compared: the tree finds every secret.

    Raises
    ------
    FormatError
        The text is no tree of the game; the message says line, column and what is wrong.
    UsageError
        The style is unknown.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"
    >>> tree = read_text_tree(text, parse_game("p2c3r"), "codegolf")
    >>> tree.total, tree.worst
    (21, 3)
    """
    text = source if isinstance(source, str) and _is_text(source) else read_text(source)
    return parse_text(text, game, style, symbols=symbols, history=history).tree


def parse_text(
    text: str,
    game: Game | None = None,
    style: str | None = None,
    *,
    symbols: Sequence[str] | None = None,
    history: History = (),
) -> Grown:
    """Return the tree of a text and how many of its states the text leaves to a rule.

    Parameters and errors are those of `read_text_tree`, but for `text`, which is the text.
    """
    text = text.replace("\r\n", "\n")
    header = read_header(text)
    style = style or header.style or sniff_style(text)
    if style not in STYLES:
        raise UsageError(f"unknown style {style!r}: there are {', '.join(STYLES)}")
    scanner = Scanner(text, header.end)
    game = choose_game(header, scanner, game)
    written = tuple(symbols) if symbols else read_symbols(header, scanner, game)
    history = read_history(header, scanner, game, written) or history
    sketch = STYLES[style](scanner, game, written, history)
    sketch.claims.update(read_claims(header, scanner))
    return grow_tree(sketch, read_provenance(header, scanner, sketch.history))


def sniff_style(text: str) -> str:
    """Return the style that the first characters of a text show.

    Raises
    ------
    FormatError
        It is none of ours.
    """
    for style, pattern in _SIGNS.items():
        if re.match(pattern, text):
            return style
    start = text[:40].split("\n")[0]
    raise FormatError(f"line 1: a text that begins {start!r} is in no style that is known")


_SIGNS = {
    "codegolf": r"\s*\{",
    "indented": r"\S+ (\(\d+\)\n {2}\S|\*\n*$)",
    "irving": r"\s*\d+ *\(",
    "r-post": r"1: {4}\S|[^\n]* \| \*\n",
    "lines": r"\S+ \d+ \S+:\S+",
}


def _is_text(source: str) -> bool:
    return any(character in source for character in "\n{(")
