"""DELTA, descriptions of taxa: characters, items and specifications, in files of these names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ..._files import explain_reading, read_bytes, unify_lines
from ...errors import GameError
from ..text import clean
from .sheet import JOIN, Sheet, number_alike

_FILES = ("specs", "chars", "items")
_BEGIN = re.compile(r"\s*\*(SHOW|COMMENT|CHARACTER|ITEM|NUMBER|MAXIMUM|DATA)\b")
_OF_STATES = ("UM", "OM")
_LINES = re.DOTALL | re.MULTILINE
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
    kinds = dict(_read_pairs(_find(text, "CHARACTER TYPES")))
    implicit = dict(_read_pairs(_find(text, "IMPLICIT VALUES")))
    asked = [one for one in sorted(states) if states[one] and kinds.get(one, "UM") in _OF_STATES]
    rules: dict[int, list[tuple[int, set[int]]]] = {}
    dependent = _find(text, "(?:DEPENDENT|INAPPLICABLE) CHARACTERS")
    for control, by, those in re.findall(r"(\d{1,5}),([\d/-]+):([\d:-]+)", dependent):
        lacking = {_LACKING, *(state for part in by.split("/") for state in _span(part))}
        for one in (one for part in those.split(":") for one in _span(part)):
            rules.setdefault(one, []).append((int(control), lacking))
    rows = []
    for item, written in _read_items(_find(text, "ITEM DESCRIPTIONS")):
        known: dict[int, set[int]] = {}
        for one in asked:  # what controls a character comes before it
            value = written.get(one, implicit.get(one, "U").partition(":")[0])
            chosen = known[one] = _read_states(value, len(states[one]))
            for control, lacking in rules.get(one, ()) if one not in written else ():
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
    found = re.search(rf"^\s*\*{directive}\b(.*?)(?=^\s*\*[A-Z]|\Z)", text, _LINES)
    return found[1] if found else ""


def _read_characters(text: str) -> tuple[dict[int, str], dict[int, list[str]]]:
    """Return the characters' names and their states."""
    features: dict[int, str] = {}
    states: dict[int, list[str]] = {}
    for number, body in re.findall(r"^\s*#\s*(\d{1,5})\.\s(.*?)(?=^\s*#\s*\d|\Z)", text, _LINES):
        feature, *parts = _split_parts(body)
        # What tells a character from others is often a comment; of a state it is a remark.
        features[int(number)] = _plain(re.sub("<<.*?>>", "", feature))
        named = [re.match(r"\s*\d+\.(.*)", part, re.DOTALL) for part in parts]
        listed = [match[1] for match in named if match]
        texts = [_plain(_skip_comments(each)) or _plain(each) for each in listed]
        states[int(number)] = number_alike(texts, "state")
    return features, states


def _split_parts(text: str) -> list[str]:
    """Return the parts of a text, each ended by a slash before a space, outside of comments."""
    parts, depth = [""], 0
    for sign, following in pairwise(text + " "):
        depth += (sign == "<") - (sign == ">")
        if sign == "/" and following.isspace() and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _read_items(text: str) -> Iterator[tuple[str, dict[int, str]]]:
    """Yield the name of each item, and what is written of its characters."""
    for item in re.split(r"^\s*#", _skip_comments(text), flags=re.MULTILINE)[1:]:
        name, _, values = re.sub(r"/(?=\s)", "\0", item, count=1).partition("\0")
        yield _plain(name), dict(_read_pairs(values))


def _read_pairs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the value of each character; what has none is a text."""
    for characters, value in re.findall(r"(?:^|(?<=\s))(\d+(?:-\d+)?),(\S+)", text):
        for character in _span(characters):
            yield character, value


def _span(text: str) -> range:
    """Return the numbers of ``3`` or ``3-5``."""
    ends = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", text)
    return range(int(ends[1]), int(ends[2] or ends[1]) + 1) if ends else range(0)


def _read_states(text: str, count: int) -> set[int]:
    """Return the states that a value may mean; none if it is unknown."""
    found: set[int] = set()
    for part in re.split("[/&]", text):
        if part == "V":
            found.update(range(1, count + 1))
        elif part == "-":
            found.add(_LACKING)
        else:
            found.update(_span(part))
    return {state for state in found if state <= count}


def _skip_comments(text: str) -> str:
    """Return a text without comments, which may be nested."""
    while "<" in text and (bare := re.sub("<[^<>]*>", "", text)) != text:
        text = bare
    return text


def _plain(text: str) -> str:
    """Return a text without marks of type and of comments."""
    return clean(re.sub(r"\\[a-z]+-?\d*(\{\}| )?|[{}<>]", "", text))
