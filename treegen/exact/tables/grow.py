"""Trees of what a search has found, and what is proved of the states in them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...builder.grow import grow_tree as grow_by_questions
from ...games.base import Game
from ...tree.tree import History, Provenance, Tree
from ..engine import Int32s, Int64s, UInt64s
from ..engine.cost import spend
from .problem import Table, TableState, list_answers
from .search import TableAim
from .solver import TableRun

Choose = Callable[[TableState, int], int]
"""Returns the question of a state in which the game continues, from what may be spent there."""


def divide_state(table: Table, state: TableState, question: int) -> list[tuple[TableState, bool]]:
    """Return the cells of a question with whether the question wins there, by their answers."""
    problem, (items, shares, asked) = table.problem, state
    answers, source = list_answers(problem, question, items)
    sizes = np.bincount(source)
    place = np.arange(len(source)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    whole, rest = np.divmod(shares, sizes)
    given = whole[source] + (place < rest[source])
    below = tuple(sorted({*asked, question}))
    found = []
    for answer in np.unique(answers):
        cell = answers == answer
        own = items[source[cell]]
        is_won = len(problem.owners) > 0 and own.tolist() == [problem.owners[question]]
        found.append((TableState(own, given[cell], below), bool(is_won)))
    return found


def list_entries(
    run: TableRun, state: TableState, aim: TableAim, left: int, question: int
) -> list[UInt64s]:
    """Return the proved bounds of the states below one, as entries of the table of states.

    The tree has been searched for; the question is the first one.
    """
    table, rows = run.solver.table, []
    states = [(state, left, question)]
    while states:
        state, left, question = states.pop()
        left = spend(left, int(table.problem.costs[question]))
        for cell, is_won in divide_state(table, state, question):
            run.begin(cell, aim, left)
            if not is_won and run.finish() is not None and run.found >= 0:
                rows.append(run.write_entry())
                states.append((cell, left, run.found))
    return rows


def grow_tree(
    game: Game,
    run: TableRun,
    aim: TableAim,
    left: int,
    question: int,
    history: History,
    choose: Choose | None = None,
) -> Tree:
    """Return the tree that a search has found, from its first question on; -1: the best one.

    `choose` says what is asked in the other states; by default the search does.
    """
    table = run.solver.table
    places = np.full(game.n_secrets, -1, dtype=np.int32)
    places[table.members] = np.arange(table.n)
    first, owners = game.rules.first_guess, table.problem.owners
    number_of = {  # a guess is never made again
        int(code) - first: at
        for at, code in enumerate(table.codes)
        if not len(owners) or owners[at] < 0
    }
    n_before, costs = len(history), game.costs[first:]

    def find(state: TableState, left: int) -> int:
        run.begin(state, aim, left)
        run.finish()
        return run.found

    def ask(items: Int32s, shares: Int64s, asked: tuple[int, ...]) -> int:
        chosen, made = question, asked[n_before:]
        if made or question < 0:
            known = tuple(sorted({number_of[each] for each in asked if each in number_of}))
            spare = spend(left, int(costs[[*made]].sum()))
            chosen = (choose or find)(TableState(places[items], shares, known), spare)
        return int(table.codes[chosen]) - first

    return grow_by_questions(game, ask, Provenance("", "", history))
