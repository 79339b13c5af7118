"""DELTA, descriptions of taxa: characters, items and specifications, in files of these names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..._files import explain_reading, read_bytes, unify_lines
from ...errors import GameError
from ..text import clean
from .sheet import JOIN, Sheet, drop_comments, number_alike, refuse_sparse

_FILES = ("specs", "chars", "items")
_BEGIN = re.compile(r"\s*\*(SHOW|COMMENT|CHARACTER|ITEM|NUMBER|MAXIMUM|DATA)\b")
_OF_STATES = ("UM", "OM")
_LINES = re.DOTALL | re.MULTILINE
_BEFORE = r"^[^\S\n]*+"
"""The beginning of a line, and the white space there."""
_LACKING = 0
"""The state of a character that does not apply."""


def looks_like_delta(head: str) -> bool:
    """Whether a text begins with a directive."""
    return _BEGIN.match(head) is not None


def find_files(path: Path) -> list[Path]:
    """Return the files of the folder at a path, or beside the file there; none if it is no such."""
    with explain_reading(path):
        if path.is_file():
            with path.open("rb") as stream:
                if not looks_like_delta(stream.read(200).decode("latin-1")):
                    return []
        elif not path.is_dir():
            return []
        folder = path if path.is_dir() else path.parent
        beside = {each.name.lower(): each for each in folder.iterdir()}
    if {"chars", "items"} <= beside.keys():
        return [beside[name] for name in _FILES if name in beside]
    return [path] if path.is_file() else []


def join_files(paths: Sequence[Path]) -> str:
    """Return the text of files; those of older programs are in the encoding of their Windows."""
    texts = []
    for data in map(read_bytes, paths):
        try:
            texts.append(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            texts.append(data.decode("cp1252", errors="replace"))
    return unify_lines("\n".join(texts))


def read_delta(text: str, name: str) -> Sheet:
    """Return the sheet of DELTA's directives.

    A state that is implicit holds where none is written. A character that does not apply is
    answered by ``-``. Numbers and texts are left out.
    """
    features, states = _read_characters(_find(text, "CHARACTER LIST"))
    last = max(states, default=0)
    refuse_sparse(
        sum(len(_span(span, last)) for span in re.findall(r"\b\d{1,5}-\d{1,5}\b", text)), name
    )
    kinds = dict(_read_pairs(_find(text, "CHARACTER TYPES"), last))
    implicit = dict(_read_pairs(_find(text, "IMPLICIT VALUES"), last))
    asked = [one for one in sorted(states) if states[one] and kinds.get(one, "UM") in _OF_STATES]
    rules: dict[int, dict[int, set[int]]] = {}  # by character and what controls it: states
    dependent = _find(text, "(?:DEPENDENT|INAPPLICABLE) CHARACTERS")
    for control, by, those in re.findall(r"(\d{1,5}),([\d/-]+):([\d:-]+)", dependent):
        n_states = len(states.get(int(control), ()))
        lacking = {state for part in by.split("/") for state in _span(part, n_states)}
        for one in (one for part in those.split(":") for one in _span(part, last)):
            rules.setdefault(one, {}).setdefault(int(control), {_LACKING}).update(lacking)
    rows = []
    items = list(_read_items(_find(text, "ITEM DESCRIPTIONS"), last))
    n_cells = len(items) * (len(asked) + sum(map(len, rules.values())))
    refuse_sparse(n_cells - sum(len(written) for _, written in items), name)
    for item, written in items:
        known: dict[int, set[int]] = {}
        for one in asked:  # what controls a character comes before it
            value = written.get(one, implicit.get(one, "U").partition(":")[0])
            chosen = known[one] = _read_states(value, len(states[one]))
            for control, lacking in rules.get(one, {}).items() if one not in written else ():
                seen = known.get(control, set())
                if seen and seen <= lacking:
                    known[one] = {_LACKING}
                elif seen & lacking and chosen:  # it may apply, with what is implicit, or not
                    known[one] = known[one] | {_LACKING}
        cells = [
            JOIN.join(["-", *states[one]][state] for state in sorted(known[one])) for one in asked
        ]
        rows.append([item, *cells])
    if not rows or not asked:
        raise GameError(
            f"{name} has no {'items' if asked else 'characters of states'}: DELTA has them in"
            f" {'*ITEM DESCRIPTIONS' if asked else '*CHARACTER LIST'}"
        )
    left = len(states) - len(asked)
    notes = [f"DELTA: {left} characters of numbers or texts are left out"] if left else []
    header = ["item", *number_alike((features[one] for one in asked), "character")]
    numbered = enumerate(rows, start=1)
    return Sheet(header, numbered, "DELTA", unit="item", joint=JOIN, notes=notes)


def _find(text: str, directive: str) -> str:
    """Return what stands behind a directive; empty if it is not there."""
    found = re.search(rf"{_BEFORE}\*{directive}\b(.*?)(?={_BEFORE}\*[A-Z]|\Z)", text, _LINES)
    return found[1] if found else ""


def _read_characters(text: str) -> tuple[dict[int, str], dict[int, list[str]]]:
    """Return the characters' names and their states."""
    features: dict[int, str] = {}
    states: dict[int, list[str]] = {}
    begin = rf"{_BEFORE}#\s*+"
    for number, body in re.findall(rf"{begin}(\d{{1,5}})\.\s(.*?)(?={begin}\d|\Z)", text, _LINES):
        feature, *parts = _split_parts(body)
        # What tells a character from others is often a comment; of a state it is a remark.
        features[int(number)] = _plain(re.sub("<<(?:[^<>]|<(?!<)|>(?!>))*+>>", "", feature))
        named = [re.match(r"\s*\d+\.(.*)", part, re.DOTALL) for part in parts]
        listed = [match[1] for match in named if match]
        texts = [_plain(drop_comments(each, "<", ">")) or _plain(each) for each in listed]
        states[int(number)] = number_alike(texts, "state")
    return features, states


def _split_parts(text: str) -> list[str]:
    """Return the parts of a text, each ended by a slash before a space, outside of comments."""
    parts, depth, at = [], 0, 0
    for match in re.finditer(r"[<>]|/(?=\s|\Z)", text):
        depth += (match[0] == "<") - (match[0] == ">")
        if match[0] == "/" and depth <= 0:
            parts.append(text[at : match.start()])
            at = match.end()
    return [*parts, text[at:]]


def _read_items(text: str, last: int) -> Iterator[tuple[str, dict[int, str]]]:
    """Yield the name of each item, and what is written of its characters up to the last."""
    for item in re.split(_BEFORE + "#", drop_comments(text, "<", ">"), flags=re.MULTILINE)[1:]:
        name, _, values = re.sub(r"/(?=\s)", "\0", item, count=1).partition("\0")
        yield _plain(name), dict(_read_pairs(values, last))


def _read_pairs(text: str, last: int) -> Iterator[tuple[int, str]]:
    """Yield the value of each character up to the last; what has none is a text."""
    for characters, value in re.findall(r"(?:^|(?<=\s))(\d+(?:-\d+)?),(\S+)", text):
        for character in _span(characters, last):
            yield character, value


def _span(text: str, last: int) -> range:
    """Return the numbers of ``3`` or ``3-5`` up to the last."""
    ends = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", text)
    return range(int(ends[1]), min(int(ends[2] or ends[1]), last) + 1) if ends else range(0)


def _read_states(text: str, count: int) -> set[int]:
    """Return the states that a value may mean; none if it is unknown."""
    found: set[int] = set()
    for part in re.split("[/&]", text):
        if part == "V":
            found.update(range(1, count + 1))
        elif part == "-":
            found.add(_LACKING)
        else:
            found.update(_span(part, count))
    return found


def _plain(text: str) -> str:
    """Return a text without marks of type and of comments."""
    return clean(re.sub(r"\\[a-z]+-?\d*(\{\}| )?|[{}<>]", "", text))
