"""JSON parsed strictly: no duplicate keys, and places such as ``$.tree.children.3``."""

from __future__ import annotations

import json
from typing import Any

from ..errors import FormatError


def parse_json(text: str) -> Any:
    """Parse a JSON text; raise FormatError with line and column, or the duplicate key."""
    try:
        return json.loads(text, object_pairs_hook=_make_object, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise FormatError(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise FormatError("the JSON is nested too deeply") from error


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


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FormatError(f"the key {twice!r} stands twice in one object")
    return result


def _refuse(name: str) -> Any:
    raise FormatError(f"{name} is not JSON")
