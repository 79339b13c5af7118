"""Plans: the guesses of a tree as a search keeps them, and the tree's columns made from one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TreeError
from ..games.base import Game
from ..jit.compiler import njit, njit_part
from ..kernels.responses import Scoring, make_scoring, respond
from ..tree.tree import History, Provenance, Tree
from .engine import Int32s, Int64s
from .engine.responses import order_by_weight


class Found(NamedTuple):
    """The best tree that a search has found: its cost, and its plan (see `Stack.plans`)."""

    cost: int
    plan: Int32s


def expand_plan(game: Game, candidates: Int32s, plan: Int32s, history: History = ()) -> Tree:
    """Return the tree that a plan of some candidates represents, without a name.

    Where a plan ends before a state, its heaviest candidate is guessed, the first of equal ones: a
    plan of length 0 represents the tree that does so in every state.
    """
    n, candidates = len(candidates), order_by_weight(game.rules, candidates)
    # There is room for twice as many nodes as candidates.
    guess, first_child, n_candidates, starts, slots = np.zeros((5, 2 * n + 1), dtype=np.int32)
    response = np.full(2 * n, -1, dtype=np.int16)
    n_nodes = _expand(
        make_scoring(game.rules),
        plan,
        (guess, response, first_child, n_candidates),
        starts,
        slots,
        candidates.astype(np.int32),
        np.empty(n, dtype=np.int32),
        np.zeros(game.n_responses, dtype=np.int64),
    )
    if n_nodes < 0:
        raise TreeError("the plan lacks a guess, or has one that gains no information")
    return Tree(
        game,
        Provenance("", "", history),
        guess[:n_nodes].copy(),
        response[:n_nodes],
        first_child[: n_nodes + 1].copy(),
        n_candidates[:n_nodes].copy(),
    )


def check_cost(
    game: Game, candidates: Int32s, found: Found, left: int, scale: int, last: int
) -> None:
    """Raise TreeError if a search claims another cost than its tree has: the search has a fault.

    `left` guesses are allowed; see `CostModel`.
    """
    tree = expand_plan(game, candidates, found.plan)
    cost = tree.share_total * scale + (tree.share_n_worst * last if tree.worst == left else 0)
    if cost != found.cost or left < tree.worst:
        raise TreeError(
            f"{game.name}: internal error: the search claims a cost of {found.cost}, but its tree"
            f" costs {cost} and has games of {tree.worst} guesses; please report the command"
        )


@njit
def _expand(
    scoring: Scoring,
    plan: Int32s,
    columns: tuple[Int32s, NDArray[np.int16], Int32s, Int32s],
    starts: Int32s,
    slots: Int32s,
    members: Int32s,
    buffer: Int32s,
    sizes: Int64s,
) -> int:
    """Write the nodes in level order; return their number, -1 if a guess is invalid.

    A state of n >= 3 candidates has n - 1 slots of the plan: its guess, then those of its cells
    in the order of responses. With one or two candidates the heaviest is guessed; only the root's
    guess stands in the plan for two, too, since it may be given.

    `columns` are those of a `Tree`; `starts` says where a node's candidates begin in `members`,
    `slots` where its guess is in the plan; `buffer` and `sizes` are scratch.
    """
    guess, response_to, first_child, n_candidates = columns
    n_candidates[0] = len(members)
    n_nodes = 1
    node = 0
    while node < n_nodes:
        first, n, slot = starts[node], n_candidates[node], slots[node]
        code = members[first]
        if (n > 2 or (n == 2 and node == 0)) and slot < len(plan):
            code = plan[slot]
            if code < 0 or code >= scoring.codes.shape[0]:
                return -1
        guess[node] = code
        first_child[node] = n_nodes
        _group(scoring, code, members[first : first + n], buffer, sizes)
        slot += 1
        for response in range(len(sizes) - 1):
            size = sizes[response]
            if size == n:
                return -1
            if size > 0:
                response_to[n_nodes] = response
                n_candidates[n_nodes] = size
                starts[n_nodes] = first
                slots[n_nodes] = slot
                n_nodes += 1
                slot += size - 1
                first += size
        node += 1
    first_child[n_nodes] = n_nodes
    return n_nodes


@njit_part
def _group(scoring: Scoring, code: int, members: Int32s, buffer: Int32s, sizes: Int64s) -> None:
    """Group a node's candidates by their response, and count each response into `sizes`."""
    sizes[:] = 0
    for i in range(len(members)):
        sizes[respond(scoring, code, members[i])] += 1
        buffer[i] = members[i]
    place = 0
    for response in range(len(sizes)):
        size = sizes[response]
        sizes[response] = place
        place += size
    for i in range(len(members)):
        response = respond(scoring, code, buffer[i])
        members[sizes[response]] = buffer[i]
        sizes[response] += 1
    for response in range(len(sizes) - 1, 0, -1):
        sizes[response] -= sizes[response - 1]
