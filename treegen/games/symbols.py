"""How the colors of a code are written and read."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from ..errors import GameError

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


def parse_symbols(text: str, n_colors: int) -> tuple[str, ...]:
    """Return the symbols listed in a text: ``abcdef``, or names ``red,green,blue``.

    Raises
    ------
    GameError
        Their number is not that of the colors, or two are the same.
    """
    names = [name.strip() for name in text.split(",")] if "," in text else list(text)
    if len(names) != n_colors or len({name.casefold() for name in names}) != len(names):
        raise GameError(
            f"symbols {text!r} do not fit: {n_colors} different ones are needed, as"
            " abcdef or red,green,blue"
        )
    if any(re.search(r"[\s.]", name) or not name for name in names):
        raise GameError(f"symbols {text!r} do not fit: none may be empty or hold a space or a dot")
    return tuple(names)


def join_symbols(colors: Sequence[int], symbols: Sequence[str]) -> str:
    """Write the colors of one code."""
    separator = "" if all(len(symbol) == 1 for symbol in symbols) else "."
    return separator.join(symbols[color] for color in colors)


def split_symbols(text: str, symbols: Sequence[str]) -> list[int]:
    """Read the colors of one code; raise GameError at the first that is none of the symbols."""
    single = all(len(symbol) == 1 for symbol in symbols)
    parts = list(text) if single else re.split(r"[.,\s]+", text.strip())
    exact = {symbol: color for color, symbol in enumerate(symbols)}
    folded = {symbol.casefold(): color for color, symbol in enumerate(symbols)}
    colors = []
    for part in parts:
        color = exact.get(part, folded.get(part.casefold()))
        if color is None:
            raise GameError(f"{part!r} in the code {text!r} is not one of {_list(symbols)}")
        colors.append(color)
    return colors


def _list(symbols: Sequence[str]) -> str:
    return f"{symbols[0]} … {symbols[-1]}" if len(symbols) > 10 else " ".join(symbols)
