"""Trees from other forms: text, graphs, other programs' files."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from .._files import decode_text, read_bytes
from .._inputs import (
    File,
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    check_rules,
    choose_symbols,
    is_file,
    open_game,
    parse_history,
)
from .._loading import load_plugin
from ..errors import TreegenWarning, UsageError
from ..formats import answers_by_position, find_format, find_kind, is_format, parse_tree, read_table
from ..tree import Tree

HINTS = {
    ".tree": "is already a tree of treegen: stats, export, verify and the others take it",
    ".tgt": "is a lookup table: treegen import table reads it; stats, export, verify take it",
}


def import_tree(
    file: File,
    game: GameSource | None = None,
    *,
    format: str | None = None,
    history: HistorySource = None,
    symbols: str | Sequence[str] | None = None,
    name: str | None = None,
    lenient: bool = False,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Tree:
    """Read a tree from text, from a graph, or from another program's file.

    Every state is reached by playing and every count is compared: the tree finds every secret, or
    the file is refused.

    Parameters
    ----------
    file
        A path, or an open file.
    game
        The game, its name, or a file of words; may be omitted if the file names it.
    format
        Such as ``"irving"``, ``"gv"``, ``"wordle"``, ``"json"``; as ``treegen import``
        lists them. None: it is detected.
    history
        Guesses made before the first state, if the file does not have them: ``"1122:02"``.
    symbols
        How the text writes colors, if neither in the game's nor the format's notation:
        ``"abcdef"``, or ``"red,green,blue"``.
    name
        The strategy's name in the tree.
    lenient
        Papers' notation: whether misprints (a missing ``*`` or ``x``) are accepted. Each kind is a
        `TreegenWarning`.
    notice
        Called with how many states the text leaves to the rule for one or two candidates, and with
        what should be known of the game's file. None: of the latter it is a `TreegenWarning`.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`; formats of word games have the feedback ``"position"`` unless another is said.

    Raises
    ------
    FormatError
        The file is not a tree of the game; the message gives line, column and what is wrong.
    UsageError
        The format is unknown, or an option needs a game.

    Examples
    --------
    >>> import io, treegen
    >>> golf = io.StringIO("{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}")
    >>> treegen.import_tree(golf, "p2c3r", format="codegolf").total
    21
    """
    check_rules(import_tree, rules)
    if format == "table":
        expected = None if game is None else open_game(game, **rules)
        source = file if isinstance(file, (str, os.PathLike)) else _read(file)
        return _rename(read_table(source, expected), name)
    text = decode_text(_refuse_own(_read(file), file), _name(file))
    style = find_format(text) if format in (None, "text") else format
    if style is not None and not is_format(style):
        text, style = _read_by_plugin(style, text), "nested"
    is_words = answers_by_position(style) and game is not None and is_file(game)
    if is_words and rules.get("feedback") is None:
        rules["feedback"] = "position"
    value = None if game is None else open_game(game, notice=notice, **rules)
    if value is not None and value.reading and notice is not None:
        notice(value.reading)
    if value is None and (history or symbols or rules.get("feedback") or rules.get("guesses")):
        raise UsageError("--history, --symbols, --feedback and --guesses need a game: -g GAME")
    grown = parse_tree(
        text,
        value,
        # What a lone 2 is, the game tells; other texts need no second look.
        None if format in (None, "text") and text.strip() == "2" else style,
        symbols=choose_symbols(symbols, value) if value and symbols else None,
        history=parse_history(history, value) if value else (),
        lenient=lenient,
    )
    for remark in grown.remarks:
        warnings.warn(TreegenWarning(remark), stacklevel=2)
    if grown.n_completed and notice is not None:
        notice(
            f"{grown.n_completed} of {grown.tree.n_nodes} states were not in the text (1 or 2"
            " candidates each); filled in, the first candidate first"
        )
    return _rename(grown.tree, name)


def _read_by_plugin(name: str, text: str) -> str:
    """Return a text as nested JSON, which the importer of another package makes of it."""
    function = load_plugin("importers", name)
    if function is None:
        raise UsageError(f"unknown format {name!r}: treegen import --help lists all")
    return json.dumps(function(text), ensure_ascii=False)


def _rename(tree: Tree, name: str | None) -> Tree:
    if name is None:
        return tree
    return replace(tree, provenance=replace(tree.provenance, strategy=name))


def _read(file: File) -> bytes:
    if isinstance(file, (str, os.PathLike)):
        return read_bytes(file)
    data = file.read()
    return data.encode() if isinstance(data, str) else data


def _name(file: File) -> str:
    return repr(str(file)) if isinstance(file, (str, os.PathLike)) else "the input"


def _refuse_own(data: bytes, file: File) -> bytes:
    """Raise UsageError for a tree or a table of ours, which no text reader reads."""
    if kind := find_kind(data[:16]):
        raise UsageError(f"{_name(file)} {HINTS[kind]}")
    return data


def refuse_own_file(path: str) -> None:
    """Raise UsageError for the path of a tree or a table of ours."""
    if Path(path).is_file():
        with suppress(OSError), Path(path).open("rb") as opened:
            _refuse_own(opened.read(16), path)
