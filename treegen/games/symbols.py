"""How the colors of a code are written and read."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Sequence
from functools import lru_cache

from ..errors import GameError
from .histories import read_json_list
from .text import Names, are_joined, clean, fold, normalize, split_letters

MAX_SINGLE_SYMBOLS = 35
"""More colors than this are written as numbers joined by dots."""


def default_symbols(n_colors: int, first: int) -> tuple[str, ...]:
    """Return the digits from `first`, then A to Z; numbers if there are over 35 colors.

    Examples
    --------
    >>> default_symbols(6, first=1)
    ('1', '2', '3', '4', '5', '6')
    """
    if n_colors > MAX_SINGLE_SYMBOLS:
        return tuple(str(number) for number in range(first, first + n_colors))
    alphabet = string.digits[first:] + string.ascii_uppercase
    return tuple(alphabet[:n_colors])


def parse_symbols(text: str | Sequence[str], n_colors: int) -> tuple[str, ...]:
    """Return the symbols of a text, ``abcdef`` or names ``red,green,blue``, or of a list.

    A JSON list in a text serves for names that hold commas.

    Raises
    ------
    GameError
        Their number is not that of the colors, or two are the same.
    """
    names = [clean(name) for name in _split_names(text)]
    if len(names) != n_colors or len({fold(name) for name in names}) != len(names):
        raise GameError(
            f"symbols {text!r:.80} do not fit: {n_colors} different ones are needed, as"
            " abcdef or red,green,blue"
        )
    if any(re.search(r"[\s.]", name) or not name for name in names):
        raise GameError(f"symbols {text!r} do not fit: none may be empty or hold a space or a dot")
    return tuple(names)


def _split_names(text: str | Sequence[str]) -> Sequence[str]:
    if not isinstance(text, str):
        return text
    listed = read_json_list(text)
    if listed is not None and all(isinstance(name, str) for name in listed):
        return listed
    return text.split(",") if "," in text else split_letters(normalize(text))


def list_names(symbols: Sequence[str]) -> str:
    """Return symbols in the form that `parse_symbols` reads back.

    Examples
    --------
    >>> list_names(["a", "b"]), list_names(["red", "one, two"])
    ('a,b', '["red", "one, two"]')
    """
    if any("," in symbol or symbol.startswith("[") for symbol in symbols):
        return json.dumps(list(symbols), ensure_ascii=False)
    return ",".join(symbols)


def join_symbols(colors: Sequence[int], symbols: Sequence[str]) -> str:
    """Write the colors of one code."""
    separator = "" if are_joined(tuple(symbols)) else "."
    return separator.join(symbols[color] for color in colors)


def split_symbols(text: str, symbols: Sequence[str]) -> list[int]:
    """Read the colors of one code; raise GameError at the first that is none of the symbols."""
    names, joined = _know_symbols(tuple(symbols))
    parts = split_letters(normalize(text)) if joined else re.split(r"[.,\s]+", text.strip())
    colors = []
    for part in parts:
        color = names.place_of.get(part)
        color = names.find(part) if color is None else color
        if color is None:
            raise GameError(f"{part!r} in the code {text!r} is not one of {list_symbols(symbols)}")
        colors.append(color)
    return colors


@lru_cache(maxsize=16)
def _know_symbols(symbols: tuple[str, ...]) -> tuple[Names, bool]:
    """Return what finds a symbol, and whether codes are written without dots."""
    return Names(symbols), are_joined(symbols)


def list_symbols(symbols: Sequence[str]) -> str:
    """Return symbols for a message, the first and the last of many."""
    return f"{symbols[0]} … {symbols[-1]}" if len(symbols) > 10 else " ".join(symbols)
