"""Pictures of trees and of games.

The names below are loaded when they are first used: one picture needs none of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late

if TYPE_CHECKING:
    from .dot import generate_dot, write_dot, write_picture
    from .game import GameRow, plot_rows, write_game
    from .picture import choose_format, list_paints, paint_marks
    from .plot import keep_text, start_figure, write_figure, write_plot

__all__ = [
    "GameRow",
    "choose_format",
    "generate_dot",
    "keep_text",
    "list_paints",
    "paint_marks",
    "plot_rows",
    "start_figure",
    "write_dot",
    "write_figure",
    "write_game",
    "write_picture",
    "write_plot",
]

__getattr__ = load_late(
    __name__,
    {
        ".dot": ["generate_dot", "write_dot", "write_picture"],
        ".game": ["GameRow", "plot_rows", "write_game"],
        ".picture": ["choose_format", "list_paints", "paint_marks"],
        ".plot": ["keep_text", "start_figure", "write_figure", "write_plot"],
    },
)
