"""First guesses that the user gives, and greedy trees that begin with one.

A search finds the best tree that begins with a given guess. Greedy trees are made before it, so
that there is always a complete tree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from ..builder.choose import list_useful_openings
from ..builder.grow import build_tree
from ..errors import SearchStoppedError
from ..games.base import Game
from ..games.eligible import is_rule_of_play, select_eligible
from ..jit.compiler import is_compiling
from ..strategies.strategy import parse_chain
from ..tasks.background import run_in_background
from ..tasks.work import Stop
from ..tree.tree import History, Provenance, Tree
from .engine import Int32s
from .openings import list_openings
from .plan import expand_plan
from .request import SearchSpec

T = TypeVar("T")


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
    openings = list_openings(game, spec.guesses_made)
    return openings[np.isin(openings, legal)]


CHAINS = ("max,consistent", "parts,consistent", "entropy,consistent")
"""Knuth's rule, and rules whose trees have lower totals in most games."""

SOON_S = 1.5
"""How long a search that was ended may take to make a tree."""


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
        kinds.insert(0, ("parts,consistent", "candidates"))
    for chain, kind in kinds:
        strategy = replace(parse_chain(chain), eligible=kind)
        if not history:
            # As a part of the rule it is in the file.
            own = game.with_symbols(None)
            strategy = replace(strategy, opening=tuple(map(own.notation.name_guess, first)))
        yield build_tree(game, strategy, history=history, first=first, jobs=jobs, halt=halt)


def grade(tree: Tree) -> tuple[int, bool]:
    """Return by what greedy trees are compared: of equal totals, Knuth's rule gives way."""
    return tree.share_total, CHAINS[0] in tree.provenance.rule


def run_soon(make: Callable[[Stop], T], *, waits: bool) -> T | None:
    """Return what is made within `SOON_S`, None if nothing is.

    If it `waits`, time in which kernels are compiled does not count: it is spent once, and the
    cache keeps what it gives.
    """
    halt, end_s = Stop(), time.monotonic() + SOON_S

    def look() -> None:
        nonlocal end_s
        if waits and is_compiling():
            end_s = time.monotonic() + SOON_S
        if time.monotonic() > end_s:
            raise SearchStoppedError("greedy trees take too long")

    with suppress(SearchStoppedError):
        return run_in_background(partial(make, halt), look, halt.call)
    return None


def try_rules_soon(
    game: Game, candidates: Int32s, spec: SearchSpec, *, jobs: int = 1
) -> list[Tree]:
    """Return the greedy trees that are made soon, for an ended search of any kind.

    There are none where answers are uncertain: these rules are for cells that share nothing.
    """
    made: list[Tree] = []

    def make(halt: Stop) -> None:
        first = list_first(game, candidates, spec)
        for tree in generate_greedy_trees(
            game, spec.history, first=first, eligible=spec.eligible, jobs=jobs, halt=halt
        ):
            made.append(tree)

    if game.rules.shares is None:
        run_soon(make, waits=True)
    return list(made)
