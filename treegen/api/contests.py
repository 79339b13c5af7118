"""What a comparison compares: for each game its strategies and trees."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from ..analysis import check_entrants, format_history
from ..errors import UsageError
from ..games import Game
from ..strategies import Strategy, is_search, take_strategy
from ..tree import Tree
from .sources import GameOptions, GameSource, TreeSource, open_game, open_tree

TREE_SUFFIXES = (".tree", ".tgt")

Competitor = GameSource | TreeSource
"""A game, or a tree, which takes part in the comparison of its game."""


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
    games: Sequence[Competitor],
    strategies: Sequence[str | TreeSource],
    rules: GameOptions,
    eligible: str | None = None,
) -> list[Contest]:
    """Return the contests in the order of the arguments; raise if anything does not fit."""
    contests: dict[str, Contest] = {}
    if (rules.get("feedback") or rules.get("guesses")) and all(map(is_tree, games)):
        raise UsageError("--feedback and --guesses belong to a codebook file; there is none")
    for source in games:
        if is_tree(source):
            _add_tree(contests, cast(TreeSource, source))
        else:
            _add_game(contests, cast(GameSource, source), rules)
    known = set(contests) if games else None
    for entrant in strategies:
        if isinstance(entrant, Strategy) or callable(entrant):
            raise UsageError(
                f"{take_strategy(entrant).name} is compared by its tree: give treegen.build(game,"
                " strategy)"
            )
        if not isinstance(entrant, str) or is_tree(entrant):
            _add_tree(contests, entrant, known)
    names = [entrant for entrant in strategies if isinstance(entrant, str) and not is_tree(entrant)]
    for contest in contests.values():
        _add_strategies(contest, names)
        check_entrants(contest.game, contest.entrants, eligible)
    if not contests:
        raise UsageError("nothing to compare: a GAME with -s NAME is needed, or FILEs of trees")
    return list(contests.values())


def is_tree(source: object) -> bool:
    """Return whether something is a tree, or the path of one."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source).endswith(TREE_SUFFIXES)
    return isinstance(source, (Tree, bytes))


def list_names(contests: Iterable[Contest]) -> list[tuple[Game, str]]:
    """Return the strategies that are given by name, each with its game."""
    return [
        (contest.game, entrant)
        for contest in contests
        for entrant in contest.entrants
        if isinstance(entrant, str)
    ]


def refuse_openings(contests: Iterable[Contest]) -> None:
    """Raise UsageError where a strategy cannot be played after each opening."""
    for contest in contests:
        for entrant, source in zip(contest.entrants, contest.sources, strict=True):
            if source is not None or not isinstance(entrant, str) or is_search(entrant):
                hint = "; treegen openings -s optimal ranks by least totals"
                raise UsageError(
                    f"--openings is for strategies that follow a rule, not for {source or entrant}"
                    + (hint if entrant == "optimal" else "")
                )


def _add_game(contests: dict[str, Contest], source: GameSource, rules: GameOptions) -> None:
    game = open_game(source, **rules)
    title = game.name
    if game.kind == "codebook" and isinstance(source, (str, os.PathLike)):
        title = Path(source).name
    contests.setdefault(game.digest_name, Contest(game, title))


def _add_tree(
    contests: dict[str, Contest], source: TreeSource, known: set[str] | None = None
) -> None:
    """Add a tree to the contest of its game; a new one, unless only some games are `known`."""
    tree = open_tree(source).tree
    path = _name(source)
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


def _name(source: TreeSource) -> str | None:
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return None if isinstance(source, Tree) else "-"


def _add_strategies(contest: Contest, names: Sequence[str]) -> None:
    for name in names:
        contest.add(name)
    if not contest.entrants:
        raise UsageError(f"nothing plays {contest.title}: -s NAME or a tree FILE is needed")


def _describe(game: Game) -> str:
    """Return a game's name; for a codebook also what may differ under the same file name."""
    if game.kind != "codebook":
        return game.name
    return f"{game.title} ({game.n_codes:,} guesses, {game.rule} feedback)"
