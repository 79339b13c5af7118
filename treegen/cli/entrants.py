"""What ``treegen compare`` compares: for each game its strategies and trees."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import UsageError
from .options import open_game
from .output import load

if TYPE_CHECKING:
    from ..games import Game
    from ..tree import Tree

TREE_SUFFIXES = (".tree", ".tgt")


@dataclass
class Contest:
    """One game and everything that plays it.

    Attributes
    ----------
    game, title
        The game and the title of its table.
    entrants
        Names of strategies, and trees.
    sources
        For each of them the file it was read from, or None.
    """

    game: Game
    title: str
    entrants: list[str | Tree] = field(default_factory=list)
    sources: list[str | None] = field(default_factory=list)

    def add(self, entrant: str | Tree, source: str | None = None) -> None:
        """Add a strategy or a tree."""
        self.entrants.append(entrant)
        self.sources.append(source)


def gather(
    games: tuple[str, ...],
    strategies: tuple[str, ...],
    feedback: str | None,
    guesses: str | None,
    eligible: str | None = None,
) -> list[Contest]:
    """Return the contests in the order of the command line; raise if anything does not fit."""
    from ..analysis import check_entrants

    contests: dict[str, Contest] = {}
    if (feedback or guesses) and all(map(is_tree_file, games)):
        raise UsageError("--feedback and --guesses belong to a codebook file; there is none")
    for text in games:
        if is_tree_file(text):
            _add_tree(contests, text)
            continue
        game = open_game(text, feedback, guesses)
        title = game.name
        if game.kind == "codebook":
            title = os.path.basename(text)  # noqa: PTH119
        contests.setdefault(game.digest_name, Contest(game, title))
    known = set(contests) if games else None
    for text in strategies:
        if is_tree_file(text) or text == "-":
            _add_tree(contests, text, known)
    for contest in contests.values():
        _add_strategies(contest, strategies)
        check_entrants(contest.game, contest.entrants, eligible)
    if not contests:
        raise UsageError("nothing to compare: a GAME with -s NAME is needed, or FILEs of trees")
    return list(contests.values())


def is_tree_file(text: str) -> bool:
    """Return whether an argument names a tree file."""
    return text.endswith(TREE_SUFFIXES)


def _add_tree(contests: dict[str, Contest], path: str, known: set[str] | None = None) -> None:
    """Add a tree to the contest of its game; a new one, unless only some games are `known`."""
    from ..analysis import format_history

    tree = load(path).tree
    if tree.provenance.history:
        raise UsageError(
            f"{path!r} starts after {format_history(tree)}: only whole games are compared;"
            " treegen stats takes several files too"
        )
    key = tree.game.digest_name
    if known is not None and key not in known:
        names = ", ".join(contest.title for contest in contests.values())
        raise UsageError(f"{path!r} is a tree of {_describe(tree.game)}, not of {names}")
    title = tree.game.title if tree.game.kind == "codebook" else tree.game.name
    contests.setdefault(key, Contest(tree.game, title)).add(tree, path)


def _add_strategies(contest: Contest, strategies: tuple[str, ...]) -> None:
    for text in strategies:
        if not is_tree_file(text) and text != "-":
            contest.add(text)
    if not contest.entrants:
        raise UsageError(f"nothing plays {contest.title}: -s NAME or a tree FILE is needed")


def _describe(game: Game) -> str:
    """Return a game's name; for a codebook also what may differ under the same file name."""
    if game.kind != "codebook":
        return game.name
    return f"{game.title} ({game.n_codes:,} guesses, {game.rule} feedback)"
