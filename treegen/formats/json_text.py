"""JSON parsed strictly: no duplicate keys, and places such as ``$.tree.children.3``."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import FormatError


def parse_json(text: str) -> Any:
    """Parse a JSON text; raise FormatError with line and column, or the duplicate key."""
    try:
        try:
            return json.loads(text, object_pairs_hook=_make_object, parse_constant=_refuse)
        except RecursionError:
            return _DeepJson(text).read()
    except json.JSONDecodeError as error:
        raise FormatError(f"line {error.lineno}, column {error.colno}: {error.msg}") from error


def get_field(value: Any, key: str, kind: type, place: str) -> Any:
    """Return a field of an object; raise FormatError if it is missing or of another type."""
    if not isinstance(value, dict) or key not in value:
        raise FormatError(f"{place}: the field {key!r} is missing")
    found = value[key]
    if not isinstance(found, kind) or isinstance(found, bool):
        raise FormatError(
            f"{place}.{key}: a value of type {kind.__name__} is expected, found {found!r:.40}"
        )
    return found


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
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FormatError(f"the key {twice!r} stands twice in one object")
    return result


def _refuse(name: str) -> Any:
    raise FormatError(f"{name} is not JSON")
