"""From the guesses of a weighted search to the columns of its tree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...games import Game
from ...tree import Provenance, Tree, list_columns
from .problem import Problem
from .solver import UNLIMITED, Items

Choose = Callable[[Items, int], int]
"""Returns the guess, by its number in the problem, of a state of several items."""


def expand_choices(
    game: Game, problem: Problem, choose: Choose, provenance: Provenance, left: int = UNLIMITED
) -> Tree:
    """Return the tree of the guesses that a function chooses.

    Parameters
    ----------
    game, problem
        The game, and the problem made from it.
    choose
        Called for each state of the tree with several items, and what may still be spent there.
    provenance
        Of the tree.
    left
        What may be spent in all.
    """
    guess, response, n_candidates, n_children = [], [-1], [], []
    states: list[tuple[Items, int]] = [(np.arange(problem.n, dtype=np.int32), left)]
    for items, spare in states:  # the list grows while it is read: level order
        n_candidates.append(len(items))
        if len(items) == 1:
            guess.append(int(problem.members[items[0]]))
            n_children.append(0)
            continue
        chosen = choose(items, spare)
        guess.append(int(problem.codes[chosen]))
        if spare != UNLIMITED:
            spare -= int(problem.costs[chosen])
        cells = _divide(game, problem, guess[-1], items)
        n_children.append(len(cells))
        response += [reply for reply, _ in cells]
        states += [(cell, spare) for _, cell in cells]
    types = list_columns(game.n_responses)
    first_child = np.concatenate(([1], 1 + np.cumsum(n_children)))
    return Tree(
        game,
        provenance,
        np.array(guess, dtype=types["guess"]),
        np.array(response, dtype=types["response"]),
        first_child.astype(types["first_child"]),
        np.array(n_candidates, dtype=types["n_candidates"]),
    )


def _divide(
    game: Game, problem: Problem, code: int, items: NDArray[np.int32]
) -> list[tuple[int, Items]]:
    """Return (response, items) of the cells of a guess that do not win, by response."""
    replies = game.respond(np.array([code]), problem.members[items])
    found = np.unique(replies)
    return [(int(reply), items[replies == reply]) for reply in found if reply != game.win]
