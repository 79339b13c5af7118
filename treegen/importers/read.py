"""Read a tree in any form that is known: the formats by name, and how they are told apart."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence

from .._files import read_text
from ..errors import FormatError, UsageError
from ..games import Game
from ..tree import Provenance
from ..tree.provenance import History
from .arfst import sketch_punch_card, sketch_yaml
from .grow import Grown, grow_tree
from .mikemag import sketch_gv
from .node_link import find_game, sketch_graphml, sketch_node_link
from .pymm import sketch_pymm
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
from .wordle import sketch_wordle

Reader = Callable[[Scanner, Game, tuple[str, ...] | None, History], Sketch]

TEXT_STYLES: dict[str, Reader] = {
    "r-post": sketch_r_post,
    "indented": sketch_indented,
    "lines": sketch_lines,
    "irving": sketch_irving,
    "mmstrat": sketch_irving,
    "codegolf": sketch_codegolf,
}
"""Readers of the styles that ``treegen export text`` writes."""

FORMATS: dict[str, Reader] = {
    **TEXT_STYLES,
    "gv": sketch_gv,
    "yaml": sketch_yaml,
    "punch-card": sketch_punch_card,
    "wordle": sketch_wordle,
    "pymm": sketch_pymm,
    "json": sketch_node_link,
    "graphml": sketch_graphml,
}
"""Readers of everything that can be read."""

_SIGNS = {
    "graphml": r"\s*<(\?xml|graphml)",
    "gv": r"\s*(strict )?digraph\b",
    "json": r'\s*\{\s*"(?s:.*)"nodes"\s*:',
    "pymm": r'\s*\{\s*"',
    "codegolf": r"\s*\{",
    "yaml": r"(---\n)?- \S+\n- [XO-]+:",
    "punch-card": r" +[XO-]+ [XO-]+ ",
    "wordle": r"\S+ [BGY]+1( |\n)",
    "indented": r"\S+ (\(\d+\)\n {2}\S|\*\n*$)",
    "irving": r"\s*\d+ *\(|\s*[12]\s*$",
    "r-post": r"1: {4}\S|[^\n]* \| \*\n",
    "lines": r"\S+ \d+ \S+:\S+",
}


def read_foreign_tree(
    source: str | os.PathLike[str],
    game: Game | None = None,
    name: str | None = None,
    *,
    symbols: Sequence[str] | None = None,
    history: History = (),
) -> Grown:
    """Read a tree from a file of another program, or from text of ours.

    Parameters
    ----------
    source
        Path of the file.
    game
        The game; may be left out where the file names it.
    name
        A key of `FORMATS`; found out when None.
    symbols
        How the colors are written, where it is neither the game's nor the format's own way.
    history
        Guesses made before the first state, where the file does not say them.

    Returns
    -------
    Grown
        The tree, and how many of its states the file leaves to a rule.

    Raises
    ------
    FormatError
        The file is no tree of the game; the message says where and what is wrong.
    UsageError
        The format is unknown.
    """
    return parse_tree(read_text(source), game, name, symbols=symbols, history=history)


def parse_tree(
    text: str,
    game: Game | None = None,
    name: str | None = None,
    *,
    formats: Mapping[str, Reader] = FORMATS,
    symbols: Sequence[str] | None = None,
    history: History = (),
) -> Grown:
    """Return the tree of a text, every branch of it reached by playing.

    Parameters
    ----------
    text
        The text.
    formats
        The formats that are allowed.
    game, name, symbols, history
        As `read_foreign_tree` takes them.

    Raises
    ------
    FormatError, UsageError
        As `read_foreign_tree` does.
    """
    text = text.replace("\r\n", "\n")
    header = read_header(text)
    name = name or header.style or sniff_format(text)
    if name not in formats:
        raise UsageError(f"unknown format {name!r}: there are {', '.join(formats)}")
    scanner = Scanner(text, header.end)
    if game is None and name in ("json", "graphml"):
        game = find_game(text, is_graphml=name == "graphml")
    game = choose_game(header, scanner, game)
    written = tuple(symbols) if symbols else read_symbols(header, scanner, game)
    history = read_history(header, scanner, game, written) or history
    sketch = formats[name](scanner, game, written, history)
    if not header.style:
        rest = Provenance(sketch.strategy or "imported", sketch.rule, sketch.history)
        return grow_tree(sketch, rest)
    sketch.claims.update(read_claims(header, scanner))
    return grow_tree(sketch, read_provenance(header, scanner, sketch.history))


def sniff_format(text: str) -> str:
    """Return the format that the beginning of a text shows.

    Raises
    ------
    FormatError
        It is none that is known.
    """
    for name, pattern in _SIGNS.items():
        if re.match(pattern, text):
            return name
    start = text[:40].split("\n")[0]
    raise FormatError(f"line 1: a text that begins {start!r} is in no format that is known")
