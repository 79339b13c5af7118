"""Nested JSON: a guess, and what comes next for each answer; see docs/foreign-formats.md.

Written as jonathanolson's wordle-solver does. Of what other programs write, a leading ``export
default`` is ignored, and ``next`` stands for ``map`` as in domsleee's trees.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Iterator
from typing import Any

from .format import Format, Reader, Style
from .json_text import JsonPath, parse_json
from .sketch import Sketch, TextClaim
from .view import View, describe_stub


def generate_nested(view: View) -> Iterator[str]:
    """Yield the one line; a state that is cut has ``more`` instead of ``map``."""
    parts: list[str] = []
    stack: list[int | str] = [view.root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        guess = _quote(view.guess(item))
        if view.is_leaf(item) and item != view.root:
            parts.append(guess)
        elif view.is_cut(item):
            more = _quote(describe_stub(view.stub(item)))
            parts.append(f'{{"guess":{guess},"more":{more}}}')
        else:
            parts.append(f'{{"guess":{guess},"map":{{')
            stack.append("}}")
            stack.extend(reversed(_list_branches(view, item, guess)))
    yield "".join(parts)


def _list_branches(view: View, node: int, guess: str) -> list[int | str]:
    """Return texts and states in turn: what is between the braces of a state."""
    parts: list[int | str] = []
    for child in view.children(node):
        parts += [f"{',' if parts else ''}{_quote(view.response(child))}:", child]
    if view.is_winning(node):
        parts.append(f"{',' if parts else ''}{_quote(view.written(view.game.win))}:{guess}")
    return parts


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_PREFIX = re.compile(r"\s*export\s+default\s")
_SUFFIX = re.compile(r";\s*\Z")
_MARKS = str.maketrans({"?": "1", "+": "2", "_": "0", "\ufe0f": None})
_BRANCHES = ("map", "next")


def strip_module(text: str) -> str:
    """Return the JSON that a JavaScript module exports, keeping every character's place."""
    if (prefix := _PREFIX.match(text)) is None:
        return text
    return _SUFFIX.sub("", re.sub(r"\S", " ", prefix.group()) + text[prefix.end() :])


def read_states(value: Any, sketch: Sketch) -> Sketch:
    """Read the states of nested objects; raise FormatError at the first that does not fit."""
    reader = _Nested(sketch)
    pending: list[tuple[int, int, Any, JsonPath]] = [(Sketch.NULL, Sketch.NULL, value, "$")]
    for parent, response, item, place in pending:
        pending.extend(reader.read(parent, response, item, place))
    if reader.winning:  # where winning answers are written at all, a state without one cannot win
        sketch.wins.update((state, state in reader.winning) for state in reader.inner)
    return sketch


class _Nested:
    """States that are being read: those with branches, those with winning answers."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch, self.game = sketch, sketch.game
        self.inner: list[int] = []
        self.winning: set[int] = set()

    def read(
        self, parent: int, response: int, item: Any, place: JsonPath
    ) -> list[tuple[int, int, Any, JsonPath]]:
        """Read what follows an answer; return the branches of its state."""
        if isinstance(item, str):
            self.sketch.add(parent, response, self.sketch.parse_code(item, place), place, count=1)
            return []
        if isinstance(item, dict) and "possibilities" in item:
            self._read_possibilities(parent, response, item["possibilities"], place)
            return []
        guess, key, branches = self._get_state(item, place)
        state = self.sketch.add(parent, response, guess, (place, ".guess"))
        self._read_claims(state, item, place)
        below: list[tuple[int, int, Any, JsonPath]] = []
        for answer, child in branches.items():
            where: JsonPath = (place, f".{key}.{answer}")
            written = answer.translate(_MARKS) if self.game.notation.has_tiles else answer
            reply = self.sketch.parse_response(written, where)
            if reply == self.game.win:
                self._read_win(state, child, where)
            else:
                below.append((state, reply, child, where))
        if branches:
            self.inner.append(state)
        return below

    def _get_state(self, item: Any, place: JsonPath) -> tuple[int, str, dict[str, Any]]:
        error = self.sketch.scanner.error
        if not isinstance(item, dict) or not isinstance(item.get("guess"), str):
            raise error(
                "a code, or an object with the field 'guess', is expected, found"
                f" {reprlib.repr(item)}",
                place,
            )
        if "more" in item:
            more = item["more"] if isinstance(item["more"], str) else reprlib.repr(item["more"])
            raise error(f"the text is cut there: {more:.60}", (place, ".more"))
        key = next((key for key in _BRANCHES if key in item), _BRANCHES[0])
        branches = item.get(key, {})
        if not isinstance(branches, dict):
            message = f"an object is expected, found {reprlib.repr(branches)}"
            raise error(message, (place, f".{key}"))
        return self.sketch.parse_code(item["guess"], (place, ".guess")), key, branches

    def _read_win(self, state: int, child: Any, place: JsonPath) -> None:
        is_code = isinstance(child, str)
        guess = (
            self.sketch.parse_code(child, place) if is_code else self._get_state(child, place)[0]
        )
        if guess != self.sketch.guess[state]:
            message = "after the winning answer the guess itself is expected"
            raise self.sketch.scanner.error(message, place)
        self.winning.add(state)

    def _read_possibilities(self, parent: int, response: int, codes: Any, place: JsonPath) -> None:
        """Add the states of one or two codes that are left."""
        where, error = (place, ".possibilities"), self.sketch.scanner.error
        if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
            raise error("a list of codes is expected", where)
        if not 1 <= len(codes) <= 2:
            raise error(f"{len(codes)} candidates are left, and no guess is given", where)
        first, *second = (self.sketch.parse_code(code, where) for code in codes)
        state = self.sketch.add(parent, response, first, where, count=len(codes))
        for code in second:
            reply = self.game.score(first, code)
            self.sketch.add(state, reply, code, where, count=1)

    def _read_claims(self, state: int, item: dict[str, Any], place: JsonPath) -> None:
        claims = self.sketch.claims_of[state] = {}
        ranking = item.get("ranking")
        counts = ranking.get("counts") if isinstance(ranking, dict) else None
        if isinstance(counts, list):
            claims["histogram"] = TextClaim(counts, (place, ".ranking.counts"))
        if isinstance(item.get("depth"), int):
            claims["worst"] = TextClaim(item["depth"] + 1, (place, ".depth"))


NESTED = Format(
    "nested",
    style=Style(
        generate_nested,
        "JSON of guesses and answers, as jonathanolson's wordle-solver",
        kind="json",
    ),
    reader=Reader(
        lambda sketch: read_states(parse_json(strip_module(sketch.scanner.text)), sketch),
        'JSON {"guess": …, "map" or "next": …}.',
        'Read JSON {"guess": …, "map" or "next": {"00020": …}}.',
        ("treegen import nested nested.json -g p4c6r -o copy.tree",),
        field="guess",
        is_of_words=True,
    ),
)
