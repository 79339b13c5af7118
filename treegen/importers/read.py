"""Read a tree in any known format: the formats by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from .._files import read_text, unify_lines
from ..errors import UsageError
from ..games import Game, normalize
from ..tree import History, Provenance, select_candidates
from .arfst import sketch_punch_card, sketch_yaml
from .grow import Grown, grow_tree
from .leaderboard import sketch_csv
from .mikemag import sketch_gv
from .nested import sketch_nested
from .node_link import find_game, sketch_graphml, sketch_node_link
from .pymm import sketch_pymm
from .scan import Scanner
from .sketch import Sketch
from .sniff import sniff_format
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
from .text_key import sketch_key, sketch_outline
from .text_lines import sketch_lines
from .text_r_post import sketch_r_post
from .wordle import sketch_wordle

Reader = Callable[[Scanner, Game, tuple[str, ...] | None, History], Sketch]

TEXT_STYLES: dict[str, Reader] = {
    "r-post": sketch_r_post,
    "indented": sketch_indented,
    "key": sketch_key,
    "lines": sketch_lines,
    "irving": sketch_irving,
    "mmstrat": sketch_irving,
    "codegolf": sketch_codegolf,
    "csv": sketch_csv,
    "nested": sketch_nested,
    "wordle": sketch_wordle,
    "gv": sketch_gv,
}
"""Readers of the styles that ``treegen export text`` writes."""

FORMATS: dict[str, Reader] = {
    **TEXT_STYLES,
    "yaml": sketch_yaml,
    "punch-card": sketch_punch_card,
    "pymm": sketch_pymm,
    "json": sketch_node_link,
    "graphml": sketch_graphml,
}
"""Readers of all formats."""


_POSITION_FORMATS = ("wordle", "csv", "nested")
"""Formats of word games: their codebooks use position feedback by default."""


def find_format(text: str) -> str:
    """Return the format that a text names in its header, or else the one it looks like.

    Raises
    ------
    FormatError
        It is not a known format.
    """
    return read_header(text).style or sniff_format(text)


def read_foreign_tree(
    source: str | os.PathLike[str],
    game: Game | None = None,
    name: str | None = None,
    *,
    symbols: Sequence[str] | None = None,
    history: History = (),
    lenient: bool = False,
) -> Grown:
    """Read a tree from a file of another program, or from text of ours.

    Parameters
    ----------
    source
        Path of the file.
    game
        The game; may be omitted if the file names it.
    name
        A key of `FORMATS`; detected if None.
    symbols
        How the colors are written, if neither in the game's nor the format's notation.
    history
        Guesses made before the first state, if the file does not have them.
    lenient
        Whether misprints of the papers are read: a state ``n (g)`` that should have a ``*`` or
        an ``x``. The tree comes with a remark on each kind.

    Returns
    -------
    Grown
        The tree, how many of its states the file leaves to a rule, what was tolerated.

    Raises
    ------
    FormatError
        The file is not a tree of the game; the message says where and what is wrong.
    UsageError
        The format is unknown.
    """
    text = read_text(source)
    return parse_tree(text, game, name, symbols=symbols, history=history, lenient=lenient)


def parse_tree(
    text: str,
    game: Game | None = None,
    name: str | None = None,
    *,
    formats: Mapping[str, Reader] = FORMATS,
    symbols: Sequence[str] | None = None,
    history: History = (),
    lenient: bool = False,
) -> Grown:
    """Return the tree of a text, every branch of it reached by playing.

    Parameters
    ----------
    text
        The text.
    formats
        The formats that are allowed.
    game, name, symbols, history, lenient
        As in `read_foreign_tree`.

    Raises
    ------
    FormatError, UsageError
        As in `read_foreign_tree`.
    """
    text = unify_lines(text)
    # The words of an older file may be in another form, and so is what is written of them.
    own = game.symbols if game is not None and not text.isascii() else ()
    if all(normalize(symbol) == symbol for symbol in own):
        text = normalize(text)
    header = read_header(text)
    is_sniffed = not (name or header.style)
    name = name or header.style or sniff_format(text)
    if name not in formats:
        raise UsageError(f"unknown format {name!r}: there are {', '.join(formats)}")
    scanner = Scanner(text, header.end)
    if game is None and name in ("json", "graphml"):
        game = find_game(text, is_graphml=name == "graphml")
    game = choose_game(header, scanner, game)
    written = tuple(symbols) if symbols else read_symbols(header, scanner, game)
    history = read_history(header, scanner, game, written) or history
    if text.strip() == "2" and is_sniffed and len(select_candidates(game, history)) == 1:
        name = "codegolf"  # the code 2, where Irving writes two candidates
    read = sketch_outline if name == "indented" and game.kind == "questions" else formats[name]
    sketch = read(scanner, game, written, history)
    if lenient:
        sketch.doubtful.wins.update(short := sketch.list_short())
        sketch.doubtful.cells.update(short)
    if not header.style:
        rest = Provenance(sketch.strategy or "imported", sketch.rule, sketch.history)
        return grow_tree(sketch, rest)
    sketch.claims.update(read_claims(header, scanner))
    return grow_tree(sketch, read_provenance(header, scanner, sketch.history))


def is_format(name: str) -> bool:
    """Whether a name is that of a format."""
    return name in FORMATS


def answers_by_position(style: str | None) -> bool:
    """Whether the games of a format are answered by position."""
    return style in _POSITION_FORMATS
