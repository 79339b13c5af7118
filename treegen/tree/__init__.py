"""The node graph of a decision tree, stored as integer columns in level order."""

from __future__ import annotations

from .below import (
    average_lengths,
    count_states,
    find_largest_cell,
    find_longest,
    measure_states,
    sum_lengths,
)
from .conflict import describe_conflict, find_conflict
from .digest import compute_digest, generate_digest_lines
from .excerpt import cut_tree, restore_tree
from .figures import describe_figures
from .follow import follow_history
from .node import Node
from .part import Part, join_levels, read_part
from .pieces import iter_families, iter_pieces
from .played import PlayedGame, Turn
from .progress import summarize_levels
from .provenance import History, Pairs, Provenance, write_pairs
from .ranges import count_below, count_levels
from .replay import Columns, Split, States, split_states, start_states
from .sharded import ShardedTree
from .tree import NULL, Tree, list_columns
from .walk import (
    cut_at,
    describe_dead_end,
    find_answers,
    find_child,
    find_node,
    history_of,
    is_announced,
    iter_preorder,
    parent_of,
    path_of,
    select_candidates,
    subtree,
    write_answers,
)
from .weighted import tally, weigh_secrets

__all__ = [
    "NULL",
    "Columns",
    "History",
    "Node",
    "Pairs",
    "Part",
    "PlayedGame",
    "Provenance",
    "ShardedTree",
    "Split",
    "States",
    "Tree",
    "Turn",
    "average_lengths",
    "compute_digest",
    "count_below",
    "count_levels",
    "count_states",
    "cut_at",
    "cut_tree",
    "describe_conflict",
    "describe_dead_end",
    "describe_figures",
    "find_answers",
    "find_child",
    "find_conflict",
    "find_largest_cell",
    "find_longest",
    "find_node",
    "follow_history",
    "generate_digest_lines",
    "history_of",
    "is_announced",
    "iter_families",
    "iter_pieces",
    "iter_preorder",
    "join_levels",
    "list_columns",
    "measure_states",
    "parent_of",
    "path_of",
    "read_part",
    "restore_tree",
    "select_candidates",
    "split_states",
    "start_states",
    "subtree",
    "sum_lengths",
    "summarize_levels",
    "tally",
    "weigh_secrets",
    "write_answers",
    "write_pairs",
]
