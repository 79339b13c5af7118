"""Exporters: trees as text, pictures, graphs, tables, programs.

The names below are loaded when they are first used: one format needs none of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late

if TYPE_CHECKING:
    from .c import generate_table_header, join_c_player, make_c_files
    from .compiled import make_go_files, make_java_files, make_rust_files
    from .dot import generate_dot, write_dot
    from .graph import generate_json, make_graph, write_graphml, write_json
    from .js import make_js_files
    from .micropython import make_micropython_files
    from .packages import make_arduino_files, make_npm_files
    from .palette import list_paints, paint_marks
    from .player_files import Files
    from .plot import keep_text, start_figure, write_figure, write_plot
    from .plot_game import GameRow, plot_rows, write_game
    from .python import join_player, make_python_files
    from .render import write_picture
    from .target import choose_format
    from .text import generate_text, write_text
    from .view import parse_path

__all__ = [
    "Files",
    "GameRow",
    "choose_format",
    "generate_dot",
    "generate_json",
    "generate_table_header",
    "generate_text",
    "join_c_player",
    "join_player",
    "keep_text",
    "list_paints",
    "make_arduino_files",
    "make_c_files",
    "make_go_files",
    "make_graph",
    "make_java_files",
    "make_js_files",
    "make_micropython_files",
    "make_npm_files",
    "make_python_files",
    "make_rust_files",
    "paint_marks",
    "parse_path",
    "plot_rows",
    "start_figure",
    "write_dot",
    "write_figure",
    "write_game",
    "write_graphml",
    "write_json",
    "write_picture",
    "write_plot",
    "write_text",
]

__getattr__ = load_late(
    __name__,
    {
        ".c": ["generate_table_header", "join_c_player", "make_c_files"],
        ".compiled": ["make_go_files", "make_java_files", "make_rust_files"],
        ".dot": ["generate_dot", "write_dot"],
        ".graph": ["generate_json", "make_graph", "write_graphml", "write_json"],
        ".js": ["make_js_files"],
        ".micropython": ["make_micropython_files"],
        ".packages": ["make_arduino_files", "make_npm_files"],
        ".palette": ["list_paints", "paint_marks"],
        ".player_files": ["Files"],
        ".plot": ["keep_text", "start_figure", "write_figure", "write_plot"],
        ".plot_game": ["GameRow", "plot_rows", "write_game"],
        ".python": ["join_player", "make_python_files"],
        ".render": ["write_picture"],
        ".target": ["choose_format"],
        ".text": ["generate_text", "write_text"],
        ".view": ["parse_path"],
    },
)
