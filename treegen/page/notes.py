"""What a key shows beside its candidates and questions: notes with links and pictures, hints.

They are no part of the game: neither it nor its digest changes. All of it is shown as text, but for
links and pictures of the forms below; a page's policy allows no other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from .._files import TextSource, name_source, read_source
from ..errors import GameError, UsageError, warn
from ..games.base import Game
from ..games.rules import GROUP_MARK
from ..games.text import Names, clean, fold, suggest
from ..games.thresholds import parse_threshold
from ..games.word_files import SEPARATORS, iter_entries

NoteSource = str | Sequence[str] | Mapping[str, Any]
"""Columns of a table that are not its questions; or for each candidate a text, a list of texts, or
a mapping of titles to texts."""

HintSource = TextSource | Mapping[str, str]
"""A file with a question and its hint in each line, or a mapping."""

Note = tuple[str, str] | tuple[str, str, int]
"""A title, which may be empty, and a text; with a 1 behind, the address of a picture."""

_EMBEDDED = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif|svg\+xml);base64,[A-Za-z0-9+/]+=*")
_PATH = re.compile(r"\S.*[/\\].*\.(?:png|jpe?g|gif|webp|avif|svg)", re.I)
_FILE = re.compile(r"[^\s./\\:?#%\"<>|*][^/\\:?#%\"<>|*\0]*\.(?:png|jpe?g|gif|webp|avif|svg)", re.I)


def collect_notes(game: Game, notes: NoteSource) -> dict[str, list[Note]]:
    """Return the notes of each candidate that has any, by its name.

    UsageError if the game's table has no such column, or asks it, or there is no such candidate.
    """
    names = [*_list_rows(game)]
    if isinstance(notes, Mapping):
        known = {name for name, _ in names} | {*map(game.format_code, range(game.n_secrets))}
        for name in notes:
            if name not in known:
                hint = suggest(str(name), [*known])
                raise UsageError(f"`notes`: {game.name} has no candidate {name!r:.80}{hint}")
        found = {clean(name): [*_split_notes(value)] for name, value in notes.items()}
    else:
        columns = _find_columns(game, notes)
        found = {
            name: [(title, cells[row]) for title, cells in columns.items()] for name, row in names
        }
    made = {
        name: [_make_note(*each) for each in cells if each[1].strip()]
        for name, cells in found.items()
    }
    paths = [note[1] for own in made.values() for note in own if _is_path(note)]
    if paths:
        warn(
            f"`notes`: {paths[0]!r:.200} is shown as text; a picture is the name of a file that"
            " lies beside the page, without a folder"
        )
    return {name: each for name, each in made.items() if each}


def _is_path(note: Note) -> bool:
    """Whether a text is probably meant as a picture, but is the path of one, or an address."""
    text = note[1]
    is_web = text.startswith(("https:", "data:"))
    return len(note) == 2 and not is_web and _PATH.fullmatch(text) is not None


def _list_rows(game: Game) -> Iterator[tuple[str, int]]:
    """Yield the name of each row of a game's table, and the row."""
    rows = getattr(getattr(game.rules, "table", None), "rows", ())
    for code in range(game.n_secrets):
        own, name = rows[code] if rows else (code,), game.format_code(code)
        yield from zip(name.split(GROUP_MARK) if len(own) > 1 else [name], own, strict=True)


def _find_columns(game: Game, notes: str | Sequence[str]) -> dict[str, list[str]]:
    """Return the columns of some names that a game's table has beside its questions."""
    from ..games.question_files import split_texts  # which loads what reads tables

    aside = getattr(game, "aside", {})
    asked = getattr(getattr(game.rules, "table", None), "questions", ())
    for text in (found := split_texts(notes, aside)):
        if text in asked:
            raise UsageError(
                f"`notes`: {text!r:.80} is a question of {game.name}; `ignore` leaves it out of the"
                " game"
            )
        if not aside:
            raise UsageError(
                f"`notes`: {game.name} has no column {text!r:.80} beside its questions; `game`"
                " reads a table that has it"
            )
        if text not in aside:
            hint = suggest(text, [*aside]) or f"; there are {', '.join(aside)}"
            raise UsageError(f"`notes`: {game.name} has no column {text!r:.80}{hint}")
    return {text: aside[text] for text in found}


def _split_notes(value: object) -> Iterator[tuple[str, str]]:
    """Yield the titles and texts of a candidate in a mapping."""
    if isinstance(value, Mapping):
        yield from ((str(title), str(text)) for title, text in value.items())
    else:
        texts = [value] if isinstance(value, str) or not isinstance(value, Iterable) else value
        yield from (("", "" if text is None else str(text)) for text in texts)


def _make_note(title: str, text: str) -> Note:
    """Return a note; a picture's file lies beside the page."""
    text = text.strip()
    if _EMBEDDED.fullmatch(text):
        return title, text, 1
    return (title, quote(text), 1) if _FILE.fullmatch(text) else (title, text)


def has_files(notes: Mapping[str, Sequence[Note]]) -> bool:
    """Whether a picture lies beside the page."""
    pictures = (each[1] for own in notes.values() for each in own if len(each) > 2)
    return any(not address.startswith("data:") for address in pictures)


def read_hints(game: Game, source: HintSource) -> dict[str, str]:
    """Return hints by question; that of a column of thresholds is by the column.

    Each line of a file has a question, a comma, semicolon, tab or colon, and the rest is its hint;
    either may stand in quotes, as in CSV. Empty lines, lines that begin with ``#``, and a first
    line ``question,hint`` are ignored. A JSON object of texts has the same form as a mapping.
    GameError, with file and line, if there is no such question, or it has two hints.
    """
    table = getattr(game.rules, "table", None)
    if table is None or not game.rules.n_questions:
        raise UsageError(
            f"`hints` works only with tables whose questions are asked; {game.name} is not one"
        )
    asked = [*table.questions, *table.dropped]
    columns = {each.column: None for each in map(parse_threshold, asked) if each}
    known = Names([*asked, *columns])
    if isinstance(source, Mapping):
        entries: Iterable[tuple[str, str, str]] = [("`hints`", *item) for item in source.items()]
    else:
        entries = _split_lines(source, known)
    hints: dict[str, str] = {}
    for where, question, hint in entries:
        if not (isinstance(question, str) and isinstance(hint, str)):
            raise GameError(
                f"{where}: question and hint are texts, not {question!r:.80}: {hint!r:.80}"
            )
        try:
            place = known.find(question)
        except GameError as error:
            raise GameError(f"{where}: {error}") from None
        if place is None:
            near = suggest(question, known.texts)
            raise GameError(f"{where}: there is no question {question!r:.80}{near}")
        if known.texts[place] in hints:
            raise GameError(f"{where}: {known.texts[place]!r:.80} has a hint already")
        hints[known.texts[place]] = hint.strip()
    return {question: hint for question, hint in hints.items() if hint}


def _split_lines(source: TextSource, known: Names) -> Iterator[tuple[str, str, str]]:
    """Yield where each line of a file is, its question and its hint."""
    name = name_source(source)
    text = read_source(source, name)
    if text.lstrip().startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise GameError(f"{name} is no JSON object: {error}") from None
        yield from ((name, question, hint) for question, hint in found.items())
        return
    is_first = True
    for line, entry in iter_entries(text):
        question, hint = _split_line(entry, known)
        is_title = is_first and not known.find_all(question)
        if not (is_title and fold(question) in ("question", "questions")):
            yield f"{name} line {line}", question, hint
        is_first = False


def _split_line(entry: str, known: Names) -> tuple[str, str]:
    """Return the question of a line, the longest that it begins with, and the rest."""
    quoted = re.fullmatch(rf'"((?:[^"]|"")*)"\s*(?:[{SEPARATORS}:]\s*(.*))?', entry)
    if quoted:
        return clean(quoted[1].replace('""', '"')), _unquote(quoted[2] or "")
    ends = [at.start() for at in re.finditer(rf"[{SEPARATORS}:]", entry)]
    ends += [at.end() for at in re.finditer(r"\?(?=\s)", entry)]
    for end in sorted(ends, reverse=True):
        if known.find_all(entry[:end]):
            return clean(entry[:end]), _unquote(entry[end:].lstrip(f"{SEPARATORS}: "))
    first = min(ends, default=len(entry))
    return clean(entry[:first]), _unquote(entry[first:].lstrip(f"{SEPARATORS}: "))


def _unquote(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace('""', '"') if is_quoted else text


def describe_texts(
    game: Game, notes: NoteSource | None, hints: HintSource | None
) -> dict[str, Any]:
    """Return what a page's first entry says of notes and hints, if there are any."""
    if (notes is None or notes == () or notes == "") and hints is None:
        return {}
    if not game.notation.answers_in_words:
        name = "notes" if notes else "hints"
        raise UsageError(f"`{name}` works only with tables of answers; {game.name} is not one")
    found: dict[str, Any] = {}
    if notes:
        found["notes"] = collect_notes(game, notes)
    if hints is not None:
        found["hints"] = read_hints(game, hints)
    return {name: texts for name, texts in found.items() if texts}
