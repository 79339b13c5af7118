"""Plans: the guesses of a tree as a search keeps them, and the tree's columns made from one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TreeError
from ..games.base import Game
from ..jit.compiler import njit_bare, njit_merged
from ..kernels.responses import Scoring, make_scoring, respond
from .engine import Int32s, Int64s

if TYPE_CHECKING:
    from ..tree.tree import Tree


class Found(NamedTuple):
    """The best tree that a search has found: its cost, and its plan (see `Stack.plans`)."""

    cost: int
    plan: Int32s


class FoundTree(NamedTuple):
    """The best tree that a search has found, and its cost."""

    cost: int
    tree: Tree


class TreeColumns(NamedTuple):
    """The columns of a tree, as `tree.Tree` has them."""

    guess: Int32s
    response: NDArray[np.int16]
    first_child: Int32s
    n_candidates: Int32s

    @classmethod
    def of(cls, tree: Tree) -> TreeColumns:
        """Return the columns of a tree."""
        return cls(tree.guess, tree.response, tree.first_child, tree.n_candidates)

    @property
    def total(self) -> int:
        """Return the sum of the game lengths."""
        # Each game passes one node per guess: the candidates of all nodes sum up to it.
        return int(self.n_candidates.sum())

    def count_lengths(self) -> list[int]:
        """Return the number of secrets found at guess 1, 2, 3 …."""
        counts: list[int] = []
        first, end = 0, 1
        while first < end:
            first_below, end_below = int(self.first_child[first]), int(self.first_child[end])
            here = int(self.n_candidates[first:end].sum())
            below = int(self.n_candidates[first_below:end_below].sum())
            counts.append(here - below)
            first, end = first_below, end_below
        return counts


class PlanColumns(NamedTuple):
    """A tree's columns, with room for twice as many nodes as candidates, and what made them.

    The first four are those of `tree.Tree`.
    """

    guess: Int32s
    response: NDArray[np.int16]
    first_child: Int32s
    n_candidates: Int32s
    start: Int32s  # [n_nodes]: where the node's candidates begin in `members`
    slot: Int32s  # [n_nodes]: its guess in the plan
    members: Int32s  # [n_candidates], those of each node together
    buffer: Int32s  # [n_candidates], scratch
    sizes: Int64s  # [n_responses], scratch


def expand_plan(game: Game, candidates: Int32s, plan: Int32s) -> TreeColumns:
    """Return the columns of the tree that a plan of some candidates represents.

    Where a plan ends before a state, the first candidate is guessed: a plan of length 0 represents
    the tree that does so in every state.
    """
    n = len(candidates)
    room = 2 * n
    columns = PlanColumns(
        np.zeros(room, dtype=np.int32),
        np.full(room, -1, dtype=np.int16),
        np.zeros(room + 1, dtype=np.int32),
        np.zeros(room, dtype=np.int32),
        np.zeros(room, dtype=np.int32),
        np.zeros(room, dtype=np.int32),
        candidates.astype(np.int32),
        np.empty(n, dtype=np.int32),
        np.zeros(game.n_responses, dtype=np.int64),
    )
    n_nodes = _expand(make_scoring(game), plan, columns)
    if n_nodes < 0:
        raise TreeError("the plan lacks a guess, or has one that gains no information")
    return TreeColumns(
        columns.guess[:n_nodes],
        columns.response[:n_nodes],
        columns.first_child[: n_nodes + 1],
        columns.n_candidates[:n_nodes],
    )


def check_cost(
    game: Game, candidates: Int32s, found: Found, left: int, scale: int, last: int
) -> None:
    """Raise TreeError if a search claims another cost than its tree has: the search has a fault.

    `left` guesses are allowed, 0: any number; see `CostModel`.
    """
    lengths = expand_plan(game, candidates, found.plan).count_lengths()
    total = sum(length * number for length, number in enumerate(lengths, start=1))
    n_last = lengths[left - 1] if 0 < left <= len(lengths) else 0
    cost = total * scale + n_last * last
    if cost != found.cost or 0 < left < len(lengths):
        raise TreeError(
            f"{game.name}: internal error: the search claims a cost of {found.cost}, but its tree"
            f" costs {cost} and has games of {len(lengths)} guesses; please report the command"
        )


@njit_bare
def _expand(scoring: Scoring, plan: Int32s, columns: PlanColumns) -> int:
    """Write the nodes in level order; return their number, -1 if a guess is invalid.

    A state of n >= 3 candidates has n - 1 slots of the plan: its guess, then those of its cells
    in the order of responses. With one or two candidates the first is guessed; only the root's
    guess stands in the plan for two, too, since it may be given.
    """
    columns.n_candidates[0] = len(columns.members)
    n_nodes = 1
    node = 0
    while node < n_nodes:
        first, n = columns.start[node], columns.n_candidates[node]
        code = columns.members[first]
        if (n > 2 or (n == 2 and node == 0)) and columns.slot[node] < len(plan):
            code = plan[columns.slot[node]]
            if code < 0 or code >= scoring.codes.shape[0]:
                return -1
        columns.guess[node] = code
        columns.first_child[node] = n_nodes
        _group(scoring, code, first, n, columns)
        slot = columns.slot[node] + 1
        for response in range(len(columns.sizes) - 1):
            size = columns.sizes[response]
            if size == n:
                return -1
            if size > 0:
                columns.response[n_nodes] = response
                columns.n_candidates[n_nodes] = size
                columns.start[n_nodes] = first
                columns.slot[n_nodes] = slot
                n_nodes += 1
                slot += size - 1
                first += size
        node += 1
    columns.first_child[n_nodes] = n_nodes
    return n_nodes


@njit_merged
def _group(scoring: Scoring, code: int, first: int, n: int, columns: PlanColumns) -> None:
    """Group a node's candidates by their response, and count each response into `sizes`."""
    sizes, members, buffer = columns.sizes, columns.members, columns.buffer
    sizes[:] = 0
    for i in range(first, first + n):
        sizes[respond(scoring, code, members[i])] += 1
        buffer[i] = members[i]
    place = first
    for response in range(len(sizes)):
        size = sizes[response]
        sizes[response] = place
        place += size
    for i in range(first, first + n):
        response = respond(scoring, code, buffer[i])
        members[sizes[response]] = buffer[i]
        sizes[response] += 1
    for response in range(len(sizes) - 1, 0, -1):
        sizes[response] -= sizes[response - 1]
    sizes[0] -= first
