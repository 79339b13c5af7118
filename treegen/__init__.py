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
  make_chain          Return the strategy of a chain whose criteria may be functions in Python.

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
if TYPE_CHECKING:  # for type checkers; what is imported as itself is exported
    from typing import Any

    from .analysis import Advice as Advice
    from .analysis import Diff as Diff
    from .analysis import Difference as Difference
    from .analysis import Explanation as Explanation
    from .analysis import GuessCost as GuessCost
    from .analysis import Openings as Openings
    from .analysis import Sample as Sample
    from .analysis import Session as Session
    from .api import BuildOptions as BuildOptions
    from .api import BullsAndCows as BullsAndCows
    from .api import Codebook as Codebook
    from .api import ComparedGame as ComparedGame
    from .api import Comparison as Comparison
    from .api import GameDescription as GameDescription
    from .api import GameList as GameList
    from .api import Manifest as Manifest
    from .api import Mastermind as Mastermind
    from .api import Progress as Progress
    from .api import Report as Report
    from .api import Statistics as Statistics
    from .api import StrategyDescription as StrategyDescription
    from .api import Warmup as Warmup
    from .api import advice as advice
    from .api import build as build
    from .api import compare as compare
    from .api import describe_game as describe_game
    from .api import diff as diff
    from .api import explain as explain
    from .api import import_tree as import_tree
    from .api import list_games as list_games
    from .api import list_schemas as list_schemas
    from .api import list_strategies as list_strategies
    from .api import make_player as make_player
    from .api import manifest as manifest
    from .api import open_build as open_build
    from .api import open_game as open_game
    from .api import openings as openings
    from .api import patterns as patterns
    from .api import play as play
    from .api import read as read
    from .api import read_schema as read_schema
    from .api import simulate as simulate
    from .api import stats as stats
    from .api import verify as verify
    from .api import warmup as warmup
    from .api import write as write
    from .api import write_dot as write_dot
    from .api import write_game as write_game
    from .api import write_graphml as write_graphml
    from .api import write_json as write_json
    from .api import write_page as write_page
    from .api import write_picture as write_picture
    from .api import write_player as write_player
    from .api import write_plot as write_plot
    from .api import write_table as write_table
    from .api import write_text as write_text
    from .api import write_tree as write_tree
    from .errors import ClusterError as ClusterError
    from .errors import DependencyError as DependencyError
    from .errors import FormatError as FormatError
    from .errors import GameError as GameError
    from .errors import Interrupted as Interrupted
    from .errors import SearchStoppedError as SearchStoppedError
    from .errors import StrategyError as StrategyError
    from .errors import TimeLimitError as TimeLimitError
    from .errors import TreeError as TreeError
    from .errors import TreegenError as TreegenError
    from .errors import TreegenWarning as TreegenWarning
    from .errors import UnreachableError as UnreachableError
    from .errors import UsageError as UsageError
    from .formats import make_graph as make_graph
    from .formats import read_text_tree as read_text_tree
    from .games import Game as Game
    from .games import Questions as Questions
    from .games import read_questions as read_questions
    from .online import start_online as start_online
    from .player import Player as Player
    from .strategies import Strategy as Strategy
    from .strategies import make_chain as make_chain
    from .tree import Node as Node
    from .tree import PlayedGame as PlayedGame
    from .tree import Tree as Tree

__version__ = "0.1.0"

_NAMES = {
    ".analysis": "Advice Diff Difference Explanation GuessCost Openings Sample Session",
    ".api": (
        "BuildOptions BullsAndCows Codebook ComparedGame Comparison GameDescription GameList "
        "Manifest Mastermind Progress Report Statistics StrategyDescription Warmup advice build "
        "compare describe_game diff explain import_tree list_games list_schemas list_strategies "
        "make_player manifest open_build open_game openings patterns play read read_schema "
        "simulate stats verify warmup write write_dot write_game write_graphml write_json "
        "write_page write_picture write_player write_plot write_table write_text write_tree"
    ),
    ".errors": (
        "ClusterError DependencyError FormatError GameError Interrupted SearchStoppedError "
        "StrategyError TimeLimitError TreeError TreegenError TreegenWarning UnreachableError "
        "UsageError"
    ),
    ".formats": "make_graph read_text_tree",
    ".games": "Game Questions read_questions",
    ".online": "start_online",
    ".player": "Player",
    ".strategies": "Strategy make_chain",
    ".tree": "Node PlayedGame Tree",
}
"""The names that each module gives."""

_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = sorted([*_HOMES, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
