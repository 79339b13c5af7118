"""States of games whose candidates may give several answers: who is left, with which share.

A tree keeps no candidates: `replay` follows them down its questions, level by level, by the plain
definition. A node's candidates are those that may have given its answers; each child has some of
them, and a candidate may be in several children.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import TreeError
from ..games.base import Game
from ..games.possible import Possible
from .walk import Split, TreeStates, history_of

if TYPE_CHECKING:
    from .tree import History, Tree


@dataclass(frozen=True, slots=True)
class ShareStates(TreeStates):
    """The states of one level, whose candidates have shares."""

    shares: NDArray[np.int64]  # of each candidate, in the order of `candidates`

    def of(self, state: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the candidates of a state, and their shares."""
        place = slice(self.starts[state], self.starts[state + 1])
        return self.candidates[place], self.shares[place]


def start_shares(game: Possible, history: History = ()) -> ShareStates:
    """Return the level that is the root alone: the candidates that may agree with a history."""
    candidates, shares = game.follow(history)
    root = np.full(1, -1, dtype=np.int64)
    return ShareStates(candidates, np.array([0, len(candidates)]), root, root, shares)


def split_shares(game: Possible, states: ShareStates, guesses: NDArray[np.integer]) -> ShareStates:
    """Return the level below the states that ask a question; the others have none below them.

    >>> from treegen.games.questions import AnswerTable
    >>> answers = (("no", "yes"),)
    >>> table = AnswerTable(("a", "b"), ("Wet?",), answers, np.array([[2], [1]]), sets=(((0, 1),),))
    >>> game = Possible(table)
    >>> below = split_shares(game, start_shares(game), np.array([2]))
    >>> below.responses.tolist(), [below.of(state)[0].tolist() for state in range(2)]
    ([0, 1], [[0], [0, 1]])
    """
    owners = np.repeat(np.arange(len(guesses)), states.sizes)
    asked = np.flatnonzero((guesses >= game.n_secrets)[owners])
    spread = game.spread(guesses[owners[asked]], states.candidates[asked], states.shares[asked])
    source = asked[spread.source]
    # Sorted by state, then answer, the cells stand in the level order of the tree. The sort is
    # stable, so the candidates of each cell stay ascending.
    keys = owners[source] * game.n_responses + spread.answers
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    parents, responses = np.divmod(keys[begins], game.n_responses)
    starts = np.append(begins, len(keys))
    return ShareStates(
        states.candidates[source][order], starts, parents, responses, spread.shares[order]
    )


def split_questions(game: Possible, states: ShareStates, guesses: NDArray[np.integer]) -> Split:
    """Split the states of a level as `split_states` does; those that ask nothing are over."""
    below = split_shares(game, states, guesses)
    is_less = np.zeros(len(guesses), dtype=bool)
    np.logical_or.at(is_less, below.parents, below.sizes < states.sizes[below.parents])
    is_over = guesses < game.n_secrets
    return Split(below, is_over, np.flatnonzero(~(is_less | is_over)[below.parents]))


def list_announced(tree: Tree) -> dict[int, str]:
    """Return what each leaf announces, by its node."""
    game, texts = as_possible(tree.game), {}
    for first, states in zip(tree.level_starts, replay(tree), strict=False):
        for node in first + np.flatnonzero(tree.is_leaf[first : first + len(states.sizes)]):
            texts[int(node)] = game.announce(states.of(int(node) - first)[0].tolist())
    return texts


def replay(tree: Tree) -> Iterator[ShareStates]:
    """Yield the states of each level of a tree, which has been checked."""
    game = as_possible(tree.game)
    states = start_shares(game, tree.provenance.history)
    for begin, end in zip(tree.level_starts, tree.level_starts[1:], strict=False):
        yield states
        states = split_shares(game, states, tree.guess[begin:end])


def check_states(tree: Tree) -> None:
    """Raise TreeError unless each state is one of those that its parent's candidates lead to.

    The columns fit each other: see `check_columns`.
    """
    above = 0
    bounds = zip(tree.level_starts, tree.level_starts[1:], strict=False)
    for (begin, end), states in zip(
        bounds, replay(tree), strict=True
    ):  # the level below comes later
        found = np.column_stack([states.parents, states.responses, states.sizes])
        here = slice(begin, end)
        said = np.column_stack(
            [tree.parent[here] - above, tree.response[here], tree.n_candidates[here]]
        )
        if not np.array_equal(found, said):
            n = min(len(found), len(said))
            at = int(np.argmax(np.append((found[:n] != said[:n]).any(axis=1), True)))
            parent = above + min(int(rows[at][0]) for rows in (found, said) if at < len(rows))
            raise TreeError(
                f"node {max(parent, 0)}: its branches are not the answers of its candidates"
            )
        above = begin


def as_possible(game: Game) -> Possible:
    """Return a game whose candidates have shares, as what it is."""
    assert isinstance(game, Possible)
    return game


def weigh_leaves(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the shares that end there, 0 where a question is asked."""
    weights = []
    for states in replay(tree):
        sums = np.concatenate(([0], np.cumsum(states.shares)))
        weights.append(np.diff(sums[states.starts]))
    found = np.concatenate(weights)
    found[~tree.is_leaf] = 0
    return np.asarray(found)


def candidates_at(tree: Tree, node: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the candidates that are left at a node, and their shares."""
    history = (*tree.provenance.history, *history_of(tree, node))
    return start_shares(as_possible(tree.game), history).of(0)


def write_announced(tree: Tree, node: int) -> str:
    """Return what a leaf announces: all that is left, candidates or classes."""
    return as_possible(tree.game).announce(candidates_at(tree, node)[0].tolist())


def list_shares(tree: Tree, node: int) -> list[tuple[str, float]]:
    """Return what may be announced at a node, the likeliest first, and its share of the weight.

    Where everything that is left weighs 0, each candidate counts 1.
    """
    game = as_possible(tree.game)
    candidates, shares = candidates_at(tree, node)
    shares = shares if shares.any() else np.ones(len(candidates), dtype=np.int64)
    sums: dict[str, int] = {}
    for candidate, share in zip(candidates.tolist(), shares.tolist(), strict=True):
        name = game.announce([candidate])
        sums[name] = sums.get(name, 0) + share
    ordered = sorted(sums.items(), key=lambda item: -item[1])
    return [(name, share / int(shares.sum())) for name, share in ordered]
