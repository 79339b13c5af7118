"""The node graph of a decision tree, stored as integer columns in level order."""

from __future__ import annotations

from .below import count_states, find_largest_cell, find_longest, sum_lengths
from .conflict import describe_conflict, find_conflict
from .digest import compute_digest, generate_digest_lines
from .provenance import Provenance
from .tree import COLUMN_DTYPES, NULL, Tree
from .walk import (
    cut_at,
    describe_dead_end,
    find_child,
    find_node,
    history_of,
    iter_preorder,
    path_of,
    select_candidates,
    subtree,
)

__all__ = [
    "COLUMN_DTYPES",
    "NULL",
    "Provenance",
    "Tree",
    "compute_digest",
    "count_states",
    "cut_at",
    "describe_conflict",
    "describe_dead_end",
    "find_child",
    "find_conflict",
    "find_largest_cell",
    "find_longest",
    "find_node",
    "generate_digest_lines",
    "history_of",
    "iter_preorder",
    "path_of",
    "select_candidates",
    "subtree",
    "sum_lengths",
]
