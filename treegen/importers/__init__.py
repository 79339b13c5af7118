"""Importers: trees from our own text, the field's notations, other programs' files.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late

if TYPE_CHECKING:
    from .grow import Grown
    from .read import answers_by_position, find_format, is_format, parse_tree
    from .text import read_text_tree

__all__ = [
    "Grown",
    "answers_by_position",
    "find_format",
    "is_format",
    "parse_tree",
    "read_text_tree",
]

__getattr__ = load_late(
    __name__,
    {
        ".grow": ["Grown"],
        ".read": ["answers_by_position", "find_format", "is_format", "parse_tree"],
        ".text": ["read_text_tree"],
    },
)
