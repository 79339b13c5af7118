"""Complete decision trees for code-breaking games: built, proved, compiled.

Every command of the command line is a function here, with its options as keywords:

Games
  Mastermind          Return Mastermind: `n_pegs` pegs, each of one of `n_colors` colors.
  BullsAndCows        Return Bulls and Cows: `n_digits` different digits of `n_symbols`.
  Codebook            Return a word game: the secrets are a list of words of equal length.
  open_game           Return the game of a name, of a codebook or of a table of answers.
  list_games          Return the families of games, and the names that people use for some.
  describe_game       Return size, answers and first guesses of a game.
  Game                A code-breaking game: what is guessed, what is secret, what is answered.
  Questions           Candidates and questions; a table tells what each candidate answers.
  read_questions      Read a table of answers: UTF-8, cells separated by commas, semicolons or tabs.

Strategies
  list_strategies     Return the named strategies, or those of some names.
  Strategy            How a guess is chosen, to the last tie.

Trees
  build               Build the complete tree of a strategy.
  open_build          Build a tree that need not fit into memory; it lasts as long as the context.
  BuildOptions        The options of `build`, which says what they mean.
  read                Read a tree from a ``.tree`` file or a ``.tgt`` table.
  import_tree         Read a tree from text, from a graph, or from another program's file.
  Tree                A complete decision tree: for every state a guess, for every answer the next.
  Node                A state of a tree; what takes a node's number takes it, too.
  read_text_tree      Read a tree from text.

Writing
  write               Write a tree in the form that the path's ending, or a format's name, says.
  write_tree          Write a ``.tree`` file: every state, the exact rule, what was proved.
  write_table         Write a lookup table (``.tgt``) for the players.
  write_text          Write a tree as text.
  write_dot           Write a tree as Graphviz text (DOT), by default cut to about 150 states.
  write_picture       Draw a tree with Graphviz, as SVG, PNG or PDF.
  write_plot          Draw a whole tree with matplotlib, as SVG, PNG or PDF.
  write_game          Draw one game of a tree: pegs, pins, what remains.
  write_json          Write a tree as node-link JSON, the form of networkx.
  write_graphml       Write a tree as GraphML.
  write_page          Write one page that plays trees in a browser, from disk.
  write_player        Write a player and its table to a folder; return the paths of the files.
  make_player         Return the files of a player and its table, by name.
  make_graph          Return a tree as a `networkx.DiGraph`; nodes are numbered as in the tree.

Proof and analysis
  verify              Play every secret through a tree; check what the tree and its file claim.
  stats               Return total, average, worst, histogram and digest of trees.
  diff                Return where two trees of one game differ, and what it costs.
  explain             Return the best guesses of a state, and why one of them wins, tie by tie.
  compare             Compare strategies and trees, for one game or for several.
  openings            Rank the first guesses of a game by the totals of their trees.
  simulate            Play games against secrets drawn by a seed, with codes of any length.
  manifest            Describe files: name, size, sha256, and the trees in them.
  list_schemas        Return the names of the JSON schemas, and which output each is of.
  read_schema         Return a JSON schema (draft 2020-12).

Play
  play                Begin a game in which a tree, or a strategy's tree, breaks a code.
  advice              Return what is possible after some guesses, and the best guesses by a rule.
  patterns            Compile a table for each pattern of colors into a folder; return its index.
  warmup              Compile all kernels, so that nothing is compiled later; say where they are.
  start_online        Return a player of one game.
  Player              Play one game after another from a table.

Results
  Report              What verifying a tree found.
  Statistics          The statistics of one or several trees.
  Comparison          Strategies and trees side by side, for one game or for several.
  ComparedGame        The samples of one game.
  Manifest            Names, sizes and checksums of files, as ``sha256sum -c`` reads them.
  GameDescription     The size of a game, its answers and its first guesses.
  GameList            The families of games and the names that people use for some of them.
  StrategyDescription A named strategy.
  Progress            How far some work is.
  Warmup              What `warmup` did.
  Advice              The candidates after a history, and the best guesses by a rule.
  Diff                The outcome of a comparison.
  Difference          A state in which two trees guess differently for the first time.
  Explanation         Why a rule chooses a guess in a state, and what the tree guesses there.
  GuessCost           A state's guess compared with the best one, lengths counted from the state.
  Openings            The best first guesses by a strategy.
  Sample              Lengths of games, including the winning guess.
  Session             A game in progress along a tree.
  PlayedGame          A game against a secret, as far as it was played.

Errors
  TreegenError        Base of every error that treegen raises on purpose.
  GameError           An unknown game, a code or feedback that a game lacks, a size out of range.
  StrategyError       An unknown strategy, a malformed chain, a rule that does not fit the game.
  FormatError         A file that cannot be read: the message says what is wrong and where.
  TreeError           A tree that breaks one of its own invariants.
  UsageError          Options that do not fit together or are out of range.
  UnreachableError    A history that the tree does not hold.
  DependencyError     An optional package is missing; the message says how to install it.
  SearchStoppedError  A search was ended before it was over.
  TimeLimitError      The time limit is over, and there is no result yet.
  ClusterError        A cluster that does not respond, lost its workers, or runs other versions.
  Interrupted         Ctrl-C, with what was done before it.
  TreegenWarning      Where treegen deviates from what was asked, and why.

The names are loaded when they are first used, so that ``import treegen`` and
``import treegen.player`` stay light.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing typing would take half of the player's import time
if TYPE_CHECKING:
    from typing import Any

    from .analysis import (
        Advice,
        Diff,
        Difference,
        Explanation,
        GuessCost,
        Openings,
        Sample,
        Session,
    )
    from .api import (
        BuildOptions,
        BullsAndCows,
        Codebook,
        ComparedGame,
        Comparison,
        GameDescription,
        GameList,
        Manifest,
        Mastermind,
        Progress,
        Report,
        Statistics,
        StrategyDescription,
        Warmup,
        advice,
        build,
        compare,
        describe_game,
        diff,
        explain,
        import_tree,
        list_games,
        list_schemas,
        list_strategies,
        make_player,
        manifest,
        open_build,
        open_game,
        openings,
        patterns,
        play,
        read,
        read_schema,
        simulate,
        stats,
        verify,
        warmup,
        write,
        write_dot,
        write_game,
        write_graphml,
        write_json,
        write_page,
        write_picture,
        write_player,
        write_plot,
        write_table,
        write_text,
        write_tree,
    )
    from .errors import (
        ClusterError,
        DependencyError,
        FormatError,
        GameError,
        Interrupted,
        SearchStoppedError,
        StrategyError,
        TimeLimitError,
        TreeError,
        TreegenError,
        TreegenWarning,
        UnreachableError,
        UsageError,
    )
    from .export import make_graph
    from .games import Game, Questions, read_questions
    from .importers import read_text_tree
    from .online import start_online
    from .player import Player
    from .strategies import Strategy
    from .tree import Node, PlayedGame, Tree

__version__ = "0.1.0"

_NAMES = {
    ".analysis": [
        "Advice",
        "Diff",
        "Difference",
        "Explanation",
        "GuessCost",
        "Openings",
        "Sample",
        "Session",
    ],
    ".api": [
        "BuildOptions",
        "BullsAndCows",
        "Codebook",
        "ComparedGame",
        "Comparison",
        "GameDescription",
        "GameList",
        "Manifest",
        "Mastermind",
        "Progress",
        "Report",
        "Statistics",
        "StrategyDescription",
        "Warmup",
        "advice",
        "build",
        "compare",
        "describe_game",
        "diff",
        "explain",
        "import_tree",
        "list_games",
        "list_schemas",
        "list_strategies",
        "make_player",
        "manifest",
        "open_build",
        "open_game",
        "openings",
        "patterns",
        "play",
        "read",
        "read_schema",
        "simulate",
        "stats",
        "verify",
        "warmup",
        "write",
        "write_dot",
        "write_game",
        "write_graphml",
        "write_json",
        "write_page",
        "write_picture",
        "write_player",
        "write_plot",
        "write_table",
        "write_text",
        "write_tree",
    ],
    ".errors": [
        "ClusterError",
        "DependencyError",
        "FormatError",
        "GameError",
        "Interrupted",
        "SearchStoppedError",
        "StrategyError",
        "TimeLimitError",
        "TreeError",
        "TreegenError",
        "TreegenWarning",
        "UnreachableError",
        "UsageError",
    ],
    ".export": ["make_graph"],
    ".games": ["Game", "Questions", "read_questions"],
    ".importers": ["read_text_tree"],
    ".online": ["start_online"],
    ".player": ["Player"],
    ".strategies": ["Strategy"],
    ".tree": ["Node", "PlayedGame", "Tree"],
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [
    "Advice",
    "BuildOptions",
    "BullsAndCows",
    "ClusterError",
    "Codebook",
    "ComparedGame",
    "Comparison",
    "DependencyError",
    "Diff",
    "Difference",
    "Explanation",
    "FormatError",
    "Game",
    "GameDescription",
    "GameError",
    "GameList",
    "GuessCost",
    "Interrupted",
    "Manifest",
    "Mastermind",
    "Node",
    "Openings",
    "PlayedGame",
    "Player",
    "Progress",
    "Questions",
    "Report",
    "Sample",
    "SearchStoppedError",
    "Session",
    "Statistics",
    "Strategy",
    "StrategyDescription",
    "StrategyError",
    "TimeLimitError",
    "Tree",
    "TreeError",
    "TreegenError",
    "TreegenWarning",
    "UnreachableError",
    "UsageError",
    "Warmup",
    "__version__",
    "advice",
    "build",
    "compare",
    "describe_game",
    "diff",
    "explain",
    "import_tree",
    "list_games",
    "list_schemas",
    "list_strategies",
    "make_graph",
    "make_player",
    "manifest",
    "open_build",
    "open_game",
    "openings",
    "patterns",
    "play",
    "read",
    "read_questions",
    "read_schema",
    "read_text_tree",
    "simulate",
    "start_online",
    "stats",
    "verify",
    "warmup",
    "write",
    "write_dot",
    "write_game",
    "write_graphml",
    "write_json",
    "write_page",
    "write_picture",
    "write_player",
    "write_plot",
    "write_table",
    "write_text",
    "write_tree",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
