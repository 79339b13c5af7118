"""Read a tree from text in any known format, which is detected unless it is named."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence

from .._files import read_text, unify_lines
from ..errors import FormatError, UsageError
from ..games import Game, normalize, read_pairs
from ..tree import History, Provenance, Tree, select_candidates
from .codegolf import sketch_codegolf
from .foreign import sketch_punch_card, sketch_pymm, sketch_yaml
from .graph import find_game, sketch_graphml, sketch_node_link
from .gv import sketch_gv
from .header import (
    choose_game,
    read_claims,
    read_header,
    read_history,
    read_provenance,
    read_symbols,
)
from .indented import sketch_indented
from .irving import is_latex, sketch_irving
from .json_text import parse_json
from .key import sketch_key, sketch_outline
from .lines import sketch_csv, sketch_lines
from .nested import sketch_nested, strip_module
from .r_post import sketch_r_post
from .sketch import Grown, Scanner, Sketch, grow_tree
from .wordle import sketch_wordle

_SIGNS = {
    "graphml": r"\s*<(\?xml|graphml|gexf)",
    "gv": r"\s*(strict )?digraph\b",
    "yaml": r"(---\n)?- \S+\n- [XO-]+:",
    "punch-card": r" +[XO-]+ [XO-]+ ",
    "wordle": r"\S+ [BGYbgy]+\d+( |\n)",
    "codegolf": r"\s*\{",
    "indented": r"\S+ (\(\d+\)\n {2}\S|\*\n*$)|1 [^\n]* → ",
    "key": r"1 [^\n]* \.{3,} ",
    "irving": r"\s*\d+ *\(|\s*[12]\s*$",
    "r-post": r"1: {4}\S|[^\n]* \| \*\n",
    "lines": r"\S+ \d+ \S+:\S+",
}
_JSON = re.compile(r'\s*(?:\{\s*["}]|\[|export\s+default\s)')
_WORD = re.compile(r"\s*[\w.]+\s*")


def sniff_format(text: str) -> str:
    """Return the format that the beginning of a text indicates; JSON is read whole.

    Raises
    ------
    FormatError
        It is not a known format, or it is broken JSON.

    Examples
    --------
    >>> sniff_format('{"guess": "12", "map": {"00": "33"}}'), sniff_format("9 (12: 1, 2, 1; 4; 1)")
    ('nested', 'irving')
    """
    if _is_csv(text):
        return "csv"
    is_wordle = re.match(_SIGNS["wordle"], text)  # whatever signs the first word begins with
    if _JSON.match(text) and not is_wordle:
        try:
            return _sniff_json(text)
        except FormatError:
            if not _is_csv(text):
                raise
    if is_latex(text):
        return "irving"
    for name, pattern in _SIGNS.items():
        if re.match(pattern, text):
            return name
    if _WORD.fullmatch(text):  # a tree of one state; as csv it is the same
        return "codegolf"
    start = text[:40].split("\n")[0]
    raise FormatError(f"line 1: a text that begins {start!r} is in no known format")


def _sniff_json(text: str) -> str:
    value = parse_json(strip_module(text))
    keys = set(value) if isinstance(value, dict) else set()
    if "nodes" in keys:
        return "json"
    if "tree" in keys:
        return "pymm"
    if "guess" in keys:
        return "nested"
    names = ", ".join(map(repr, sorted(keys)[:5])) or "no object"
    raise FormatError(
        f"JSON of no known format ({names}): node-link has the field 'nodes', pymm 'tree',"
        " nested trees 'guess'"
    )


def _is_csv(text: str) -> bool:
    """Whether the lines are games: guesses of any signs joined by commas, the first one the same.

    Without a column of secrets, that is, which may stand before the first guess.
    """
    lines = [line.strip() for line in text[:_HEAD].split("\n")[:20] if line.strip()]
    games = [
        [guess.strip() for guess in line.split(",")]
        for line in lines[: -1 if len(text) > _HEAD else None]
    ]
    guesses = [guess for game in games for guess in game]
    if not any("," in line for line in lines) or re.search(r"\s", "".join(guesses)):
        return False
    if len(games) == 1:
        return all(map(_GUESS.fullmatch, guesses))
    is_one = len({game[0] for game in games}) == 1
    has_secrets = all(len(game) > 1 and game[0] == game[-1] for game in games)
    lengths = set(map(len, guesses))
    return (is_one or has_secrets) and 0 not in lengths and (len(lengths) == 1 or "." in text)


_HEAD = 1 << 16
_GUESS = re.compile(r"[\w.]+")


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
