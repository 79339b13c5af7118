"""Complete decision trees for code-breaking games: built, proved, compiled.

Every command of the command line is a function here, with its options as keywords: `build`,
`verify`, `explain`, `compare`, `write` and so on. They take a game or a tree as a value, as a name
or as a file, and return results with fields, text and JSON. All names are listed by subject, with
a sentence on each, in docs/reference.md; ``help(treegen.build)`` says what one takes and returns.

Examples
--------
>>> import treegen
>>> tree = treegen.build("p4c6r", "knuth")
>>> print(treegen.verify(tree))
ok: 1296 secrets found, total 5801
checked: strategy, rule

A name is loaded when it is first used, so that ``import treegen`` and ``import treegen.player``
stay light.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would take half of the player's import time
if TYPE_CHECKING:  # all public names by subject, and their modules; `_find_homes` reads it, too
    from typing import Any

    # isort: off
    # Games
    from .catalogue import Mastermind as Mastermind
    from .catalogue import BullsAndCows as BullsAndCows
    from .catalogue import Codebook as Codebook
    from .formats.inputs import open_game as open_game
    from .catalogue import list_games as list_games
    from .catalogue import describe_game as describe_game
    from .games.base import Game as Game
    from .games.rules import Rules as Rules
    from .games.notation import Notation as Notation
    from .games.questions import Questions as Questions
    from .games.question_files import read_questions as read_questions

    # Strategies
    from .catalogue import list_strategies as list_strategies
    from .strategies.strategy import Strategy as Strategy
    from .strategies.strategy import make_chain as make_chain

    # Trees
    from .job import build as build
    from .job import open_build as open_build
    from .job import BuildOptions as BuildOptions
    from .formats.tree_file import read as read
    from .formats.text import import_tree as import_tree
    from .tree.tree import Tree as Tree
    from .tree.tree import Node as Node
    from .formats.text import read_text_tree as read_text_tree

    # Writing
    from .convert import write as write
    from .formats.tree_file import write_tree as write_tree
    from .formats.tree_file import write_table as write_table
    from .formats.text import write_text as write_text
    from .pictures.dot import write_dot as write_dot
    from .pictures.dot import write_picture as write_picture
    from .pictures.plot import write_plot as write_plot
    from .pictures.game import write_game as write_game
    from .formats.graph import write_json as write_json
    from .formats.graph import write_graphml as write_graphml
    from .formats.rules import write_rules as write_rules
    from .formats.mermaid import write_mermaid as write_mermaid
    from .page.html import write_page as write_page
    from .page.print import write_booklet as write_booklet
    from .formats.players import write_player as write_player
    from .formats.players import make_player as make_player
    from .formats.graph import make_graph as make_graph

    # Proof and analysis
    from .analysis.verification import verify as verify
    from .analysis.certificates import certify as certify
    from .analysis.certificates import check as check
    from .analysis.certificates import write_checker as write_checker
    from .analysis.statistics import stats as stats
    from .analysis.diff import diff as diff
    from .analysis.explain import explain as explain
    from .analysis.compare import compare as compare
    from .analysis.openings import openings as openings
    from .analysis.sample import simulate as simulate
    from .analysis.statistics import manifest as manifest
    from .catalogue import list_schemas as list_schemas
    from .catalogue import read_schema as read_schema

    # Play
    from .analysis.apply import apply as apply
    from .analysis.session import play as play
    from .analysis.session import advice as advice
    from .analysis.patterns import patterns as patterns
    from .warming import warmup as warmup
    from .online.named import start_online as start_online
    from .player import Player as Player

    # Results
    from .verifier.verify import Report as Report
    from .checker.claims import ProofClaim as ProofClaim
    from .checker.claims import Verdict as Verdict
    from .analysis.statistics import Statistics as Statistics
    from .analysis.compare import Comparison as Comparison
    from .analysis.compare import ComparedGame as ComparedGame
    from .analysis.statistics import Manifest as Manifest
    from .catalogue import GameDescription as GameDescription
    from .catalogue import GameList as GameList
    from .catalogue import StrategyDescription as StrategyDescription
    from .tasks.work import Progress as Progress
    from .tasks.work import Stop as Stop
    from .warming import Warmup as Warmup
    from .analysis.advice import Advice as Advice
    from .analysis.diff import Diff as Diff
    from .analysis.diff import Difference as Difference
    from .analysis.explain import Explanation as Explanation
    from .analysis.explain import GuessCost as GuessCost
    from .analysis.openings import Openings as Openings
    from .analysis.sample import Sample as Sample
    from .analysis.apply import Applied as Applied
    from .analysis.session import Session as Session
    from .tree.tree import PlayedGame as PlayedGame

    # Errors
    from .errors import TreegenError as TreegenError
    from .errors import GameError as GameError
    from .errors import StrategyError as StrategyError
    from .errors import FormatError as FormatError
    from .errors import TreeError as TreeError
    from .errors import UsageError as UsageError
    from .errors import UnreachableError as UnreachableError
    from .errors import DependencyError as DependencyError
    from .errors import SearchStoppedError as SearchStoppedError
    from .errors import TimeLimitError as TimeLimitError
    from .errors import ClusterError as ClusterError
    from .errors import Interrupted as Interrupted
    from .errors import TreegenWarning as TreegenWarning
    # isort: on

__version__ = "0.1.0"

_homes: dict[str, str] = {}
"""The module of each public name, once it was looked up."""


def _find_homes() -> dict[str, str]:
    """Return the module of each public name: those that the block for type checkers imports."""
    if not _homes:
        import dis

        # Of the byte code, for there may be no source.
        home, steps = "", list(dis.get_instructions(__loader__.get_code(__name__)))  # type: ignore[name-defined]
        for at, step in enumerate(steps):
            if step.opname == "IMPORT_NAME":  # behind its level, 1 in the package, and its names
                home = f".{step.argval}" if steps[at - 2].argval == 1 else ""
            elif step.opname == "IMPORT_FROM" and home:
                _homes[step.argval] = home
    return _homes


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name.startswith("__") or name not in _find_homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_homes[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_find_homes(), "__version__"])
