"""Analysis of finished trees: play, compare, explain.

The names below are loaded when they are first used: some need the compiler, most do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late

if TYPE_CHECKING:
    from .advice import Advice, AdvisedGuess, advise
    from .compare import (
        SAMPLE_COLUMNS,
        check_entrants,
        compare_openings,
        generate_csv,
        generate_samples,
    )
    from .diff import Diff, Difference, compare_trees
    from .evaluation import TREE_COLUMNS, describe_tree, format_history, generate_rows
    from .explain import Explanation, explain_node, has_rule
    from .guess_cost import GuessCost, cost_guess
    from .openings import OPENING_COLUMNS, Openings, rank_openings
    from .patterns import MOST_PEGS, list_patterns, write_patterns
    from .plots import plot_samples, plot_sizes
    from .proof import prove_claims
    from .sample import Sample, SampleInterrupt, format_average, format_histogram, simulate
    from .session import Session, choose_rule, keep_rule_of_play, play_secret, play_tree

__all__ = [
    "MOST_PEGS",
    "OPENING_COLUMNS",
    "SAMPLE_COLUMNS",
    "TREE_COLUMNS",
    "Advice",
    "AdvisedGuess",
    "Diff",
    "Difference",
    "Explanation",
    "GuessCost",
    "Openings",
    "Sample",
    "SampleInterrupt",
    "Session",
    "advise",
    "check_entrants",
    "choose_rule",
    "compare_openings",
    "compare_trees",
    "cost_guess",
    "describe_tree",
    "explain_node",
    "format_average",
    "format_histogram",
    "format_history",
    "generate_csv",
    "generate_rows",
    "generate_samples",
    "has_rule",
    "keep_rule_of_play",
    "list_patterns",
    "play_secret",
    "play_tree",
    "plot_samples",
    "plot_sizes",
    "prove_claims",
    "rank_openings",
    "simulate",
    "write_patterns",
]

__getattr__ = load_late(
    __name__,
    {
        ".advice": ["Advice", "AdvisedGuess", "advise"],
        ".compare": [
            "SAMPLE_COLUMNS",
            "check_entrants",
            "compare_openings",
            "generate_csv",
            "generate_samples",
        ],
        ".diff": ["Diff", "Difference", "compare_trees"],
        ".explain": ["Explanation", "explain_node", "has_rule"],
        ".evaluation": ["TREE_COLUMNS", "describe_tree", "format_history", "generate_rows"],
        ".guess_cost": ["GuessCost", "cost_guess"],
        ".openings": ["OPENING_COLUMNS", "Openings", "rank_openings"],
        ".patterns": ["MOST_PEGS", "list_patterns", "write_patterns"],
        ".session": ["Session", "choose_rule", "keep_rule_of_play", "play_secret", "play_tree"],
        ".plots": ["plot_samples", "plot_sizes"],
        ".proof": ["prove_claims"],
        ".sample": ["Sample", "SampleInterrupt", "format_average", "format_histogram", "simulate"],
    },
)
