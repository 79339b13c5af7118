"""JSON parsed strictly: no duplicate keys, and places such as ``$.tree.children.3``."""

from __future__ import annotations

import json
import re
import reprlib
from collections import Counter
from typing import Any

from ..errors import FormatError

JsonPath = str | tuple["JsonPath", str]
"""Where a value is, such as ``"$.nodes[3]"``; or a path and the step from there, so that the paths
of a deep nest take no more memory than its text."""


def write_path(path: JsonPath) -> str:
    """Write a path, the middle of a long one left out."""
    steps = []
    while isinstance(path, tuple):
        path, step = path
        steps.append(step)
    text = "".join((path, *reversed(steps)))
    return text if len(text) <= 200 else f"{text[:120]} … {text[-60:]}"


def parse_json(text: str) -> Any:
    """Parse a JSON text; raise FormatError with line and column, or the duplicate key."""
    try:
        try:
            return json.loads(text, object_pairs_hook=_make_object, parse_constant=_refuse)
        except RecursionError:
            return _DeepJson(text).read()
    except json.JSONDecodeError as error:
        is_cut = error.msg.startswith("Unterminated") or not text[error.pos :].strip()
        raise FormatError(
            f"line {error.lineno}, column {error.colno}: {error.msg};"
            f" {'the text ends there' if is_cut else 'it is no JSON'}"
        ) from error
    except FormatError:
        raise
    except ValueError:  # the interpreter's limit
        n_digits, place = max((len(found[0]), found.start()) for found in _DIGITS.finditer(text))
        line = text.count("\n", 0, place) + 1
        raise FormatError(f"line {line}: a number of {n_digits:,} digits is too long") from None


def get_field(value: Any, key: str, kind: type, path: JsonPath) -> Any:
    """Return a field of an object; raise FormatError if it is missing or of another type."""
    if not isinstance(value, dict) or key not in value:
        raise FormatError(f"{write_path(path)}: the field {key!r:.80} is missing")
    found = value[key]
    is_long = isinstance(found, int) and abs(found) >= 10**18
    if not isinstance(found, kind) or isinstance(found, bool) or is_long:
        place = write_path((path, f".{key}"))
        kinds: dict[type, str] = {list: "a list", dict: "an object"}
        expected = kinds.get(kind, "a number of at most 18 digits")
        raise FormatError(f"{place}: {expected} is expected, found {reprlib.repr(found)}")
    return found


_DIGITS = re.compile(r"\d+")


class _DeepJson:
    """Reads what json.loads reads, without recursion: trees may be a thousand guesses deep."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.scan = json.JSONDecoder(parse_constant=_refuse).raw_decode  # texts, numbers, literals
        self.open: list[tuple[str, list[Any], list[str]]] = []  # what ends it, its values, its keys

    def read(self) -> Any:
        """Return the value of the text; raise JSONDecodeError if it is not one."""
        while True:
            value = self._take_value()
            while self.open:
                end, values, _ = self.open[-1]
                values.append(value)
                if self._peek() != end:
                    break
                value = self._close()
            if not self.open:
                break
            self._expect(",")
            if self.open[-1][0] == "}":
                self._take_key()
        if self._peek():
            raise json.JSONDecodeError("Extra data", self.text, self.at)
        return value

    def _take_value(self) -> Any:
        """Take a value that is whole, and what opens around it."""
        while (begin := self._peek()) in ("{", "["):
            self.open.append(("}" if begin == "{" else "]", [], []))
            self.at += 1
            if self._peek() == self.open[-1][0]:
                return self._close()
            if begin == "{":
                self._take_key()
        value, self.at = self.scan(self.text, self.at)
        return value

    def _take_key(self) -> None:
        if self._peek() != '"':
            raise json.JSONDecodeError(
                "Expecting property name in double quotes", self.text, self.at
            )
        key, self.at = self.scan(self.text, self.at)
        self.open[-1][2].append(key)
        self._expect(":")

    def _close(self) -> Any:
        self.at += 1
        end, values, keys = self.open.pop()
        return _make_object(list(zip(keys, values, strict=True))) if end == "}" else values

    def _expect(self, sign: str) -> None:
        if self._peek() != sign:
            raise json.JSONDecodeError(f"Expecting {sign!r} delimiter", self.text, self.at)
        self.at += 1

    def _peek(self) -> str:
        """Return the next character that is not white space, empty at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]


_SPACE = re.compile(r"[ \t\n\r]*")


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise FormatError(f"the key {twice!r:.80} stands twice in one object")
    return result


def _refuse(name: str) -> Any:
    raise FormatError(f"{name} is not JSON")
