"""File formats of trees: one format, one module.

The names below are loaded when they are first used: the ending of a path needs no reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late

if TYPE_CHECKING:
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
    from .table import generate_table_bytes, make_table, read_table, write_table
    from .table_profiles import make_labels
    from .tree_file import generate_tree_bytes, read_tree, write_tree

__all__ = [
    "GEXF",
    "KINDS",
    "PICTURES",
    "Entry",
    "LoadedTree",
    "choose_kind",
    "find_kind",
    "generate_manifest",
    "generate_table_bytes",
    "generate_tree_bytes",
    "load_tree",
    "make_entry",
    "make_labels",
    "make_table",
    "read_table",
    "read_tree",
    "sniff_file",
    "sniff_kind",
    "write_table",
    "write_tree",
]

__getattr__ = load_late(
    __name__,
    {
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
        ".table": ["generate_table_bytes", "make_table", "read_table", "write_table"],
        ".table_profiles": ["make_labels"],
        ".tree_file": ["generate_tree_bytes", "read_tree", "write_tree"],
    },
)
