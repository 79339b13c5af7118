"""The colors of pegs and of position feedback, the same in every picture and in the terminal."""

from __future__ import annotations

_PALETTE = (
    "#d55e00",
    "#0072b2",
    "#f0e442",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#e69f00",
    "#6a3d9a",
    "#8c564b",
    "#d9d9d9",
)
"""Colors that color-blind people can distinguish (after Okabe and Ito), by color value.

A game of more colors is drawn without them, or with others; each peg has its symbol too.
"""

_MARKS = ("#b8bcc2", "#e8c547", "#6aaa64")
"""Position feedback: absent, elsewhere, in place."""


def list_paints(n_colors: int) -> list[str] | None:
    """Return the paint of each color, None for a game of too many colors."""
    return list(_PALETTE) if n_colors <= len(_PALETTE) else None


def write_tiles(feedback: str) -> str:
    """Return a position feedback, written as digits, as a row of tiles.

    Examples
    --------
    >>> write_tiles("012")
    '⬛🟨🟩'
    """
    return "".join("⬛🟨🟩"[int(mark)] for mark in feedback)


def paint_marks(feedback: str) -> list[str]:
    """Return the paint of each mark of a position feedback, written as digits.

    Examples
    --------
    >>> paint_marks("02")
    ['#b8bcc2', '#6aaa64']
    """
    return [_MARKS[int(mark)] for mark in feedback]
