"""The colors of pegs and of position feedback, the same in every picture and in the terminal."""

from __future__ import annotations

PALETTE = (
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

MARKS = ("#b8bcc2", "#e8c547", "#6aaa64")
"""Position feedback: absent, elsewhere, in place."""
