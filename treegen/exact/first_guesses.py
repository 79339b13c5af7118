"""First guesses that the user gives, and greedy trees that begin with one.

A search finds the best tree that begins with a given guess. Greedy trees are made before it, so
that there is always a complete tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..builder.choose import list_useful_openings
from ..builder.grow import build_tree
from ..games.base import Game
from ..games.eligible import is_rule_of_play, select_eligible
from ..strategies.strategy import parse_chain
from ..tasks.work import Stop
from ..tree.tree import History, Provenance, Tree
from .engine import Int32s
from .openings import list_openings
from .plan import expand_plan
from .request import SearchSpec


def list_first(game: Game, candidates: Int32s, spec: SearchSpec) -> tuple[int, ...]:
    """Return the codes of those first guesses that gain information; empty if none is given.

    UsageError: none of them does.
    """
    codes = [game.parse_code(text) for text in spec.first]
    return tuple(list_useful_openings(game, candidates, codes))


def list_openings_of(game: Game, spec: SearchSpec) -> Int32s:
    """Return the first guesses of a search, up to symmetry; some may gain no information."""
    if spec.first:
        codes = dict.fromkeys(game.parse_code(text) for text in spec.first)
        return np.array(list(codes), dtype=np.int32)
    legal = select_eligible(game, spec.eligible, spec.history)
    if game.stakes:  # they break the symmetry
        return legal
    openings = list_openings(game, spec.guesses_made)
    return openings[np.isin(openings, legal)]


CHAINS = ("parts,consistent", "entropy,consistent")
"""Rules whose trees have low totals: one of them is the better one for most games."""


def make_first_tree(
    game: Game, candidates: Int32s, history: History, first: Sequence[int] = ()
) -> Tree:
    """Return the tree that guesses the first candidate in each state, which takes no time.

    Where first guesses are given, it begins with the first of them.
    """
    tree = expand_plan(game, candidates, np.array(first[:1], dtype=np.int32))
    provenance = Provenance("first candidate", f"direct={game.n_codes}", history)
    return replace(tree, provenance=provenance)


def generate_greedy_trees(
    game: Game,
    history: History,
    *,
    first: Sequence[int] = (),
    eligible: str = "all",
    jobs: int = 1,
    halt: Stop | None = None,
) -> Iterator[Tree]:
    """Yield the trees of some greedy rules, the first guess one of `first`; empty: any.

    By a rule of play the first tree guesses candidates alone: they are legal by every rule, and
    what makes it compiles in half the time. The halt ends the current build: SearchStoppedError.
    """
    kinds = [(chain, eligible) for chain in CHAINS]
    if is_rule_of_play(eligible):
        kinds.insert(0, (CHAINS[0], "candidates"))
    for chain, kind in kinds:
        strategy = replace(parse_chain(chain), eligible=kind)
        if not history:
            # As a part of the rule it is in the file.
            own = game.with_symbols(None)
            strategy = replace(strategy, opening=tuple(map(own.name_guess, first)))
        yield build_tree(game, strategy, history=history, first=first, jobs=jobs, halt=halt)
