"""File formats of trees: one format, one module.

The names below are loaded when they are first used: the ending of a path needs no reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late

if TYPE_CHECKING:
    from .graph import generate_json, make_graph, write_graphml, write_json
    from .load import (
        GEXF,
        KINDS,
        PICTURES,
        LoadedTree,
        choose_kind,
        find_kind,
        load_tree,
        sniff_file,
        sniff_kind,
    )
    from .manifest import Entry, generate_manifest, make_entry
    from .players import (
        Files,
        generate_table_header,
        join_c_player,
        join_player,
        make_arduino_files,
        make_c_files,
        make_go_files,
        make_java_files,
        make_js_files,
        make_micropython_files,
        make_npm_files,
        make_python_files,
        make_rust_files,
    )
    from .read import answers_by_position, find_format, is_format, parse_tree, read_text_tree
    from .sketch import Grown
    from .table import generate_table_bytes, make_table, read_table, write_table
    from .table_profiles import make_labels
    from .text import generate_text, write_text
    from .tree_file import generate_tree_bytes, read_tree, write_tree
    from .view import VIEW_OPTIONS, Stub, View, make_view, parse_path

__all__ = [
    "GEXF",
    "KINDS",
    "PICTURES",
    "VIEW_OPTIONS",
    "Entry",
    "Files",
    "Grown",
    "LoadedTree",
    "Stub",
    "View",
    "answers_by_position",
    "choose_kind",
    "find_format",
    "find_kind",
    "generate_json",
    "generate_manifest",
    "generate_table_bytes",
    "generate_table_header",
    "generate_text",
    "generate_tree_bytes",
    "is_format",
    "join_c_player",
    "join_player",
    "load_tree",
    "make_arduino_files",
    "make_c_files",
    "make_entry",
    "make_go_files",
    "make_graph",
    "make_java_files",
    "make_js_files",
    "make_labels",
    "make_micropython_files",
    "make_npm_files",
    "make_python_files",
    "make_rust_files",
    "make_table",
    "make_view",
    "parse_path",
    "parse_tree",
    "read_table",
    "read_text_tree",
    "read_tree",
    "sniff_file",
    "sniff_kind",
    "write_graphml",
    "write_json",
    "write_table",
    "write_text",
    "write_tree",
]

__getattr__ = load_late(
    __name__,
    {
        ".graph": ["generate_json", "make_graph", "write_graphml", "write_json"],
        ".load": [
            "GEXF",
            "KINDS",
            "PICTURES",
            "LoadedTree",
            "choose_kind",
            "find_kind",
            "load_tree",
            "sniff_file",
            "sniff_kind",
        ],
        ".manifest": ["Entry", "generate_manifest", "make_entry"],
        ".players": [
            "Files",
            "generate_table_header",
            "join_c_player",
            "join_player",
            "make_arduino_files",
            "make_c_files",
            "make_go_files",
            "make_java_files",
            "make_js_files",
            "make_micropython_files",
            "make_npm_files",
            "make_python_files",
            "make_rust_files",
        ],
        ".read": [
            "answers_by_position",
            "find_format",
            "is_format",
            "parse_tree",
            "read_text_tree",
        ],
        ".sketch": ["Grown"],
        ".table": ["generate_table_bytes", "make_table", "read_table", "write_table"],
        ".table_profiles": ["make_labels"],
        ".text": ["generate_text", "write_text"],
        ".tree_file": ["generate_tree_bytes", "read_tree", "write_tree"],
        ".view": ["VIEW_OPTIONS", "Stub", "View", "make_view", "parse_path"],
    },
)
