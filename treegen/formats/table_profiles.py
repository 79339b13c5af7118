"""The profiles of a table: which nodes it stores, and how its tree is had back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..games import Game
from ..player.tgt_player import Table
from ..tree import NULL, Provenance, Tree
from .table_bits import pack_fields, pack_shape, unpack_fields, unpack_shape, width_of
from .table_replay import States, expand_tree, generate_levels

PROFILES = ("full", "lean", "seed")


@dataclass(frozen=True, slots=True)
class PackedProfile:
    """What a profile puts into a table.

    Attributes
    ----------
    n_nodes
        Nodes that the table stands for; `lean` and `seed` leave the implicit ones out.
    implicit
        States with so many candidates or fewer are left out: their first candidate is guessed.
    sections
        The binary sections.
    """

    n_nodes: int
    implicit: int
    sections: list[bytes]


def pack_profile(tree: Tree, profile: str) -> PackedProfile:
    """Return what a profile puts into the table of a checked tree."""
    implicit = 0 if profile == "full" else find_implicit(tree)
    stored = _find_stored(tree, implicit)
    if profile == "seed":
        return PackedProfile(len(stored), implicit, [_pack_seed(tree, implicit)])
    return PackedProfile(len(stored), implicit, _pack_nodes(tree, stored))


def find_implicit(tree: Tree) -> int:
    """Return how few candidates make a state whose guess needs not be stored: 2 or 1.

    A single candidate is always guessed. Of two candidates most strategies guess the lower; 2
    says that this tree does so in every such state.
    """
    pairs = np.flatnonzero(tree.n_candidates == 2)
    pairs = pairs[pairs > 0]
    if not tree.is_winning[pairs].all():
        return 1
    other = tree.guess[tree.first_child[pairs]]
    return 2 if np.all(tree.guess[pairs] < other) else 1


def make_tree(table: Table, game: Game, provenance: Provenance) -> Tree:
    """Return the tree of a checked table.

    Raises
    ------
    FormatError
        The guesses of a `lean` or `seed` table do not lead to its nodes.
    """
    if game.n_codes != table.n_codes or game.n_responses != table.n_responses:
        raise FormatError(f"the counts are not those of {game.name}")
    guess = unpack_fields(table.guesses, table.n_nodes, width_of(game.n_codes)).astype(np.int32)
    if table.implicit == 0:
        return _make_full(table, game, provenance, guess)
    tree = expand_tree(game, provenance, _StoredGuesses(guess, table.implicit))
    stored = _find_stored(tree, table.implicit)
    if len(stored) != table.n_nodes or _pack_nodes(tree, stored)[1:] != [
        bytes(table.responses),
        bytes(table.shape),
    ]:
        raise FormatError("the guesses do not lead to the table's nodes")
    return tree


def _find_stored(tree: Tree, implicit: int) -> NDArray[np.intp]:
    """Return the nodes that a table stores: the root, and those with enough candidates."""
    is_stored = tree.n_candidates > implicit
    is_stored[0] = True
    return np.flatnonzero(is_stored)


def _pack_nodes(tree: Tree, stored: NDArray[np.integer]) -> list[bytes]:
    """Return the sections guess, response, shape of some nodes that hang together."""
    place = np.full(tree.n_nodes, NULL, dtype=np.int64)
    place[stored] = np.arange(len(stored))
    n_children = np.bincount(place[tree.parent[stored[1:]]], minlength=len(stored))
    return [
        pack_fields(tree.guess[stored], width_of(tree.game.n_codes)),
        pack_fields(tree.response[stored[1:]], width_of(tree.game.n_responses - 1)),
        pack_shape(n_children),
    ]


def _pack_seed(tree: Tree, implicit: int) -> bytes:
    """Return the guesses: a flag, then the place among the candidates or the code's index."""
    fields: list[str] = []
    code_width = width_of(tree.game.n_codes)
    nodes = iter(range(tree.n_nodes))

    def guess(states: States) -> NDArray[np.integer]:
        return np.array([tree.guess[next(nodes)] for _ in states.sizes])

    for states, guesses in generate_levels(tree.game, tree.provenance, guess):
        for state, code in enumerate(guesses.tolist()):
            candidates = states.candidates[states.starts[state] : states.starts[state + 1]]
            if len(candidates) <= implicit and fields:
                continue
            at = int(np.searchsorted(candidates, code))
            if at < len(candidates) and candidates[at] == code:
                width = width_of(len(candidates))
                fields.append(f"1{at:0{width}b}" if width else "1")
            else:
                fields.append(f"0{code:0{code_width}b}")
    bits = "".join(fields)
    return int(bits + "0" * (-len(bits) % 8), 2).to_bytes(-(-len(bits) // 8), "big")


class _StoredGuesses:
    """Guess what a table stores, and the first candidate in implicit states."""

    def __init__(self, guess: NDArray[np.int32], implicit: int) -> None:
        self._guess, self._implicit, self._used = guess, implicit, 0

    def __call__(self, states: States) -> NDArray[np.integer]:
        guesses = states.candidates[states.starts[:-1]].copy()
        is_stored = states.sizes > self._implicit
        if self._used == 0:
            is_stored[0] = True
        end = self._used + int(is_stored.sum())
        if end > len(self._guess):
            raise FormatError("the guesses lead to more nodes than n_nodes")
        guesses[is_stored] = self._guess[self._used : end]
        self._used = end
        return guesses


def _make_full(table: Table, game: Game, provenance: Provenance, guess: NDArray[np.int32]) -> Tree:
    n_nodes = table.n_nodes
    if not provenance.history and n_nodes < game.n_secrets:
        raise FormatError(f"{n_nodes} nodes cannot find the {game.n_secrets} secrets")
    response = np.full(n_nodes, NULL, dtype=np.int16)
    width = width_of(game.n_responses - 1)
    response[1:] = unpack_fields(table.responses, n_nodes - 1, width)
    first_child = unpack_shape(table.shape, n_nodes)
    bare = Tree(game, provenance, guess, response, first_child, np.ones(n_nodes, dtype=np.int32))
    n_candidates = _find_winning(bare).astype(np.int32)
    for begin, end in reversed(list(zip(bare.level_starts, bare.level_starts[1:], strict=False))):
        if begin:
            np.add.at(n_candidates, bare.parent[begin:end], n_candidates[begin:end])
    return Tree(game, provenance, guess, response, first_child, n_candidates)


def _find_winning(tree: Tree) -> NDArray[np.bool_]:
    """Return which guesses agree with all answers before them, and so may win."""
    game = tree.game
    wins = tree.guess < game.n_secrets
    for guess, response in tree.provenance.history:
        wins &= game.respond(np.array([guess]), tree.guess) == response
    children = np.arange(tree.n_nodes)
    ancestors = tree.parent.astype(np.int64)
    while np.any(ancestors != NULL):
        below = np.flatnonzero(ancestors != NULL)
        replies = game.respond(tree.guess[ancestors[below]], tree.guess[below])
        wins[below] &= replies == tree.response[children[below]]
        children = np.where(ancestors == NULL, NULL, ancestors)
        ancestors = np.where(ancestors == NULL, NULL, tree.parent[ancestors])
    return wins
