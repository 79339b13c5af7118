"""The directives of DELTA: their texts, the characters and items in them, the values of items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..text import clean
from .sheet import drop_comments, number_alike

LACKING = 0
"""The state of a character that does not apply."""

_LINES = re.DOTALL | re.MULTILINE
_BEFORE = r"^[^\S\n]*+"
"""The beginning of a line, and the white space there."""


class Item(NamedTuple):
    """An item: its name, what is written of its characters, and whether that is all."""

    name: str
    written: dict[int, str]
    is_variant: bool  # has what the item before it has, unless it says otherwise


def find_directive(text: str, directive: str) -> str:
    """Return the text of a directive; empty if it is missing."""
    found = re.search(rf"{_BEFORE}\*{directive}\b(.*?)(?={_BEFORE}\*[A-Z]|\Z)", text, _LINES)
    return found[1] if found else ""


def read_characters(text: str) -> tuple[dict[int, str], dict[int, list[str]], dict[int, str]]:
    """Return the characters' names, their states, and what their numbers count."""
    features: dict[int, str] = {}
    states: dict[int, list[str]] = {}
    units: dict[int, str] = {}
    begin = rf"{_BEFORE}#\s*+"
    for number, body in re.findall(rf"{begin}(\d{{1,5}})\.\s(.*?)(?={begin}\d|\Z)", text, _LINES):
        feature, *parts = _split_parts(body)
        # What tells a character from others is often a comment; of a state it is a remark.
        features[int(number)] = plain(re.sub("<<(?>(?:[^<>]|<(?!<)|>(?!>))*)>>", "", feature))
        named = [re.match(r"\s*\d+\.(.*)", part, re.DOTALL) for part in parts]
        listed = [match[1] for match in named if match]
        texts = [plain(drop_comments(each, "<", ">")) or plain(each) for each in listed]
        states[int(number)] = number_alike(texts, "state")
        units[int(number)] = plain(drop_comments(parts[0], "<", ">")) if parts else ""
    return features, states, units


def _split_parts(text: str) -> list[str]:
    """Return the parts of a text, each ended by a slash before a space, outside of comments."""
    parts, depth, at = [], 0, 0
    for match in re.finditer(r"[<>]|/(?=\s|\Z)", text):
        depth += (match[0] == "<") - (match[0] == ">")
        if match[0] == "/" and depth <= 0:
            parts.append(text[at : match.start()])
            at = match.end()
    return [*parts, text[at:]]


def read_items(text: str, last: int) -> Iterator[Item]:
    """Yield the items, with what is written of characters up to the last."""
    for item in re.split(_BEFORE + "#", drop_comments(text, "<", ">"), flags=re.MULTILINE)[1:]:
        name, _, values = re.sub(r"/(?=\s)", "\0", item, count=1).partition("\0")
        is_variant = name.startswith("+")
        yield Item(plain(name[is_variant:]), dict(read_pairs(values, last)), is_variant)


def read_pairs(text: str, last: int) -> Iterator[tuple[int, str]]:
    """Yield the value of each number up to the last; a text without one."""
    for numbers, value in re.findall(r"(?:^|(?<=\s))(\d+(?:-\d+)?),(\S+)", text):
        for number in read_span(numbers, last):
            yield number, value


def read_numbers(text: str, last: int) -> set[int]:
    """Return the numbers of a list of them, up to the last."""
    return {number for span in text.split() for number in read_span(span, last)}


def read_span(text: str, last: int) -> range:
    """Return the numbers of ``3`` or ``3-5`` up to the last."""
    ends = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", text)
    return range(int(ends[1]), min(int(ends[2] or ends[1]), last) + 1) if ends else range(0)


def read_rules(
    text: str, states: Mapping[int, Sequence[str]], last: int
) -> dict[int, dict[int, set[int]]]:
    """Return by character, and by what controls it, the states with which it does not apply."""
    rules: dict[int, dict[int, set[int]]] = {}
    dependent = find_directive(text, "(?:DEPENDENT|INAPPLICABLE) CHARACTERS")
    for control, by, those in re.findall(r"(\d{1,5}),([\d/-]+):([\d:-]+)", dependent):
        n_states = len(states.get(int(control), ()))
        lacking = {state for part in by.split("/") for state in read_span(part, n_states)}
        for one in (one for part in those.split(":") for one in read_span(part, last)):
            rules.setdefault(one, {}).setdefault(int(control), {LACKING}).update(lacking)
    return rules


def read_states(text: str, count: int) -> set[int]:
    """Return the states that a value may mean; none if it is unknown."""
    found: set[int] = set()
    for part in re.split("[/&]", text):
        if part == "V":
            found.update(range(1, count + 1))
        elif part == "-":
            found.add(LACKING)
        else:
            found.update(read_span(part, count))
    return found


def plain(text: str) -> str:
    """Return a text without marks of type and of comments."""
    return clean(re.sub(r"\\[a-z]+-?\d*(\{\}| )?|[{}<>]", "", text))
