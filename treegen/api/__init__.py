"""The public functions: one for each command of the command line, with its options as keywords.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from .._loading import load_late

TYPE_CHECKING = False  # importing typing would take longer than this module
if TYPE_CHECKING:
    from .analysing import Statistics, diff, explain, openings, stats
    from .building import build, open_build
    from .checking import Report, verify
    from .comparing import ComparedGame, Comparison, compare, is_random, simulate
    from .contests import Contest, gather, is_tree, list_names
    from .contracts import list_schemas, read_schema
    from .drawing import write_dot, write_game, write_picture, write_plot
    from .files import Manifest, manifest, read
    from .forms import write_graphml, write_json, write_page, write_table, write_text, write_tree
    from .games import (
        BullsAndCows,
        Codebook,
        GameDescription,
        GameList,
        Mastermind,
        describe_game,
        list_games,
    )
    from .importing import import_tree, refuse_own_file
    from .making import BuildOptions, check_build, name_tree, write_mark
    from .players import make_player, write_player
    from .playing import advice, play
    from .preparing import patterns
    from .progress import Progress
    from .sources import GameOptions, open_game
    from .strategies import StrategyDescription, list_strategies
    from .warming import Warmup, warmup
    from .writing import write

HOMES = {
    ".analysing": ["Statistics", "diff", "explain", "openings", "stats"],
    ".building": ["build", "open_build"],
    ".checking": ["Report", "verify"],
    ".comparing": ["ComparedGame", "Comparison", "compare", "is_random", "simulate"],
    ".contests": ["Contest", "gather", "is_tree", "list_names"],
    ".contracts": ["list_schemas", "read_schema"],
    ".drawing": ["write_dot", "write_game", "write_picture", "write_plot"],
    ".files": ["Manifest", "manifest", "read"],
    ".forms": [
        *("write_graphml", "write_json", "write_page", "write_table", "write_text", "write_tree"),
    ],
    ".games": [
        *("BullsAndCows", "Codebook", "GameDescription", "GameList", "Mastermind"),
        *("describe_game", "list_games"),
    ],
    ".importing": ["import_tree", "refuse_own_file"],
    ".making": ["BuildOptions", "check_build", "name_tree", "write_mark"],
    ".players": ["make_player", "write_player"],
    ".playing": ["advice", "play"],
    ".preparing": ["patterns"],
    ".progress": ["Progress"],
    ".sources": ["GameOptions", "open_game"],
    ".strategies": ["StrategyDescription", "list_strategies"],
    ".warming": ["Warmup", "warmup"],
    ".writing": ["write"],
}

__all__ = [
    "BuildOptions",
    "BullsAndCows",
    "Codebook",
    "ComparedGame",
    "Comparison",
    "Contest",
    "GameDescription",
    "GameList",
    "GameOptions",
    "Manifest",
    "Mastermind",
    "Progress",
    "Report",
    "Statistics",
    "StrategyDescription",
    "Warmup",
    "advice",
    "build",
    "check_build",
    "compare",
    "describe_game",
    "diff",
    "explain",
    "gather",
    "import_tree",
    "is_random",
    "is_tree",
    "list_games",
    "list_names",
    "list_schemas",
    "list_strategies",
    "make_player",
    "manifest",
    "name_tree",
    "open_build",
    "open_game",
    "openings",
    "patterns",
    "play",
    "read",
    "read_schema",
    "refuse_own_file",
    "simulate",
    "stats",
    "verify",
    "warmup",
    "write",
    "write_dot",
    "write_game",
    "write_graphml",
    "write_json",
    "write_mark",
    "write_page",
    "write_picture",
    "write_player",
    "write_plot",
    "write_table",
    "write_text",
    "write_tree",
]

__getattr__ = load_late(__name__, HOMES)
