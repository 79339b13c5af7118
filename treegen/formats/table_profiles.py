"""The profiles of a table: which nodes it stores, and how the tree is reconstructed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..games import Game, LookupQuestions
from ..player.tgt_lean import FREE_WORK, MAX_SECRETS, WORK_PER_NODE
from ..player.tgt_player import Table
from ..tree import (
    NULL,
    Provenance,
    States,
    Tree,
    iter_families,
    iter_pieces,
    list_columns,
    select_candidates,
)
from .table_bits import generate_fields, generate_shape, unpack_fields, unpack_shape, width_of
from .table_replay import expand_tree, generate_levels

PROFILES = ("full", "lean", "slim", "seed")


@dataclass(frozen=True, slots=True)
class Section:
    """A binary section, whose bytes are computed as they are written.

    Attributes
    ----------
    size_bytes
        How many they are.
    pieces
        The bytes, piece by piece; an iterator that can be consumed once.
    """

    size_bytes: int
    pieces: Iterable[bytes]


@dataclass(frozen=True, slots=True)
class PackedProfile:
    """What a profile stores in a table.

    Attributes
    ----------
    n_nodes
        Nodes that the table stands for; all profiles but `full` leave the implicit ones out.
    implicit
        States with so many candidates or fewer are left out: their first candidate is guessed.
    sections
        The binary sections.
    """

    n_nodes: int
    implicit: int
    sections: list[Section]


def pack_profile(tree: Tree, profile: str) -> PackedProfile:
    """Return what a profile stores of a checked tree.

    Raises
    ------
    FormatError
        No player would take the table: it would have to keep too many candidates, or score them.
    """
    implicit = 0 if profile == "full" else find_implicit(tree)
    n_stored = _count_stored(tree, implicit)
    if implicit:
        _check_work(tree, profile, implicit, n_stored)
    if profile == "seed":
        seed = _pack_seed(tree, implicit)
        return PackedProfile(n_stored, implicit, [Section(len(seed), [seed])])
    sections = _pack_nodes(tree, implicit, n_stored)
    if profile == "slim":
        del sections[1]  # the responses
    return PackedProfile(n_stored, implicit, sections)


def _check_work(tree: Tree, profile: str, implicit: int, n_stored: int) -> None:
    """Raise FormatError where a player would keep, or score before the first guess, too much."""
    game, history = tree.game, tree.provenance.history
    if game.n_secrets > MAX_SECRETS:
        raise FormatError(
            f"the profile {profile} is for games of at most {MAX_SECRETS:,} secrets, which the"
            f" player keeps; {game.name} has {game.n_secrets:,}: take the profile full"
        )
    earlier = [history[:length] for length in range(len(history))]
    n_scored = sum(len(select_candidates(game, part)) for part in earlier)
    if profile == "seed":
        for begin, end in iter_pieces(0, tree.n_nodes):
            is_stored = _is_stored(tree, implicit, begin, end)
            n_scored += int(tree.n_candidates[begin:end][is_stored].sum(dtype=np.int64))
    n_pegs, most = n_scored * game.n_pegs, FREE_WORK + WORK_PER_NODE * n_stored
    if n_pegs > most:
        raise FormatError(
            f"a player would compare {n_pegs:,} pegs to open a table of the profile {profile} of"
            f" this tree, and may compare {most:,}: take the profile full"
        )


def find_implicit(tree: Tree) -> int:
    """Return the most candidates of a state whose guess need not be stored: 2 or 1.

    A single candidate is always guessed. Of two candidates most strategies guess the lower one; 2
    means that this tree does so in every such state.
    """
    for begin, end in iter_pieces(1, tree.n_nodes):
        pairs = begin + np.flatnonzero(tree.n_candidates[begin:end] == 2)
        # The guess is one of the two if it has one child: else it separates them.
        is_winning = tree.first_child[pairs + 1] - tree.first_child[pairs] == 1
        if not is_winning.all() or np.any(tree.guess[pairs] >= tree.guess[tree.first_child[pairs]]):
            return 1
    return 2


def make_tree(table: Table, game: Game, provenance: Provenance) -> Tree:
    """Return the tree of a checked table.

    Raises
    ------
    FormatError
        The guesses of a table that leaves states out do not lead to its nodes.
    """
    if game.n_codes != table.n_codes or game.n_responses != table.n_responses:
        raise FormatError(f"the counts are not those of {game.name}")
    guess = unpack_fields(table.guesses, table.n_nodes, width_of(game.n_codes)).astype(np.int32)
    if table.implicit == 0:
        return _make_full(table, game, provenance, guess)
    tree = expand_tree(game, provenance, _StoredGuesses(guess, table.implicit))
    n_stored = _count_stored(tree, table.implicit)
    # The guesses alone made this tree. That its shape and responses come out as they are stored
    # proves that the table is consistent.
    stored = [section for section in (table.responses, table.shape) if section is not None]
    sections = _pack_nodes(tree, table.implicit, n_stored)[-len(stored) :]
    if n_stored != table.n_nodes or [b"".join(s.pieces) for s in sections] != stored:
        raise FormatError("the guesses do not lead to the table's nodes")
    return tree


def _is_stored(tree: Tree, implicit: int, begin: int, end: int) -> NDArray[np.bool_]:
    """Return which of some nodes a table stores: the root, and those with enough candidates."""
    is_stored = tree.n_candidates[begin:end] > implicit
    if begin == 0 and end:
        is_stored[0] = True
    return is_stored


def _count_stored(tree: Tree, implicit: int) -> int:
    """Return how many nodes a table stores."""
    pieces = iter_pieces(0, tree.n_nodes)
    return sum(int(_is_stored(tree, implicit, *piece).sum()) for piece in pieces)


def _pack_nodes(tree: Tree, implicit: int, n_stored: int) -> list[Section]:
    """Return the sections guess, response, shape of the nodes that are stored."""
    guess_width = width_of(tree.game.n_codes)
    response_width = width_of(tree.game.n_responses - 1)
    guesses = _iter_stored(tree, implicit, tree.guess, 0)
    responses = _iter_stored(tree, implicit, tree.response, 1)
    return [
        Section(-(-n_stored * guess_width // 8), generate_fields(guesses, guess_width)),
        Section(
            -(-(n_stored - 1) * response_width // 8), generate_fields(responses, response_width)
        ),
        Section(-(-(2 * n_stored - 1) // 8), generate_shape(_iter_n_children(tree, implicit))),
    ]


def _iter_stored(
    tree: Tree, implicit: int, column: NDArray[np.integer], first: int
) -> Iterator[NDArray[np.integer]]:
    """Yield a column's values at the stored nodes, from the node `first` on, in pieces."""
    for begin, end in iter_pieces(first, tree.n_nodes):
        yield column[begin:end][_is_stored(tree, implicit, begin, end)]


def _iter_n_children(tree: Tree, implicit: int) -> Iterator[NDArray[np.integer]]:
    """Yield the numbers of stored children of the stored nodes, in pieces."""
    for begin, end in iter_families(tree.first_child):
        first, last = int(tree.first_child[begin]), int(tree.first_child[end])
        counted = np.concatenate(([0], np.cumsum(_is_stored(tree, implicit, first, last))))
        n_children = np.diff(counted[tree.first_child[begin : end + 1] - first])
        yield n_children[_is_stored(tree, implicit, begin, end)]


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
    response = np.full(n_nodes, NULL, dtype=list_columns(game.n_responses)["response"])
    width = width_of(game.n_responses - 1)
    response[1:] = unpack_fields(table.sections[1], n_nodes - 1, width)
    first_child = unpack_shape(table.shape, n_nodes)
    # A full table has no counts. A node's own candidate is its guess, where that may win; the
    # levels are then summed from the last one up.
    bare = Tree(game, provenance, guess, response, first_child, np.ones(n_nodes, dtype=np.int32))
    # What a lookup table of questions does not tell, its shape does: only leaves are candidates.
    is_lookup = isinstance(game, LookupQuestions)
    ends = bare.guess < game.n_secrets if is_lookup else _find_winning(bare)
    n_candidates = ends.astype(np.int32)
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
    # All nodes climb together, one ancestor at a time: as many rounds as the tree has levels.
    while np.any(ancestors != NULL):
        below = np.flatnonzero(ancestors != NULL)
        replies = game.respond(tree.guess[ancestors[below]], tree.guess[below])
        wins[below] &= replies == tree.response[children[below]]
        children = np.where(ancestors == NULL, NULL, ancestors)
        ancestors = np.where(ancestors == NULL, NULL, tree.parent[ancestors])
    return wins
