"""Trees of tables with uncertain answers or classes, by a rule.

A question is asked if an answer excludes somebody who is left and it was not asked before: asked
again it would be answered alike. A game is over when no two candidates left are separable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..errors import StrategyError, TreeError, UsageError
from ..games.possible import LIMIT_BITS, Possible
from ..jit.interpreter import mark_small
from ..kernels.rule_kinds import ShareMeasure
from ..kernels.shares import ShareTable, make_share_table, make_share_work, rate_questions
from ..strategies.strategy import Criterion, Strategy, read_share_criterion
from ..tasks.work import PROCESS, Stop
from ..tree.shares import ShareStates, split_questions, start_shares
from ..tree.tree import History, Provenance, Tree
from ..tree.walk import NodeColumns, describe_conflict
from .choose import Progress, Reporter

FEW_STEPS = 60_000
"""A table of so few questions times candidates squared is rated by interpreted kernels."""

ChooseQuestion = Callable[[NDArray[np.int32], NDArray[np.int64], tuple[int, ...]], int]
"""Of candidates, their shares and the questions asked before, the number of the next question."""


def build_shares(
    game: Possible,
    strategy: Strategy,
    *,
    history: History = (),
    first: tuple[int, ...] = (),
    progress: Progress | None = None,
    halt: Stop | None = None,
) -> Tree:
    """Build the tree of a rule; lengths count from its root, after the history.

    The first question is chosen among the codes `first`; empty: all. StrategyError: the rule is not
    one of such tables. UsageError: no candidate agrees with the history, or no first question
    excludes anybody.
    """
    criterion = read_share_criterion(strategy, game)
    table = make_share_table(game)
    work, values = make_share_work(table), np.zeros(game.n_questions, dtype=np.int64)
    whole = int(game.shares.sum())
    pairs = game.n_secrets * (game.n_secrets - 1) // 2
    if criterion.share_measure == ShareMeasure.SEPARABLE_PAIRS and whole * pairs >> LIMIT_BITS:
        raise StrategyError(f"{criterion.name} of {game.n_secrets:,} candidates passes 64 bits")

    def choose(items: NDArray[np.int32], shares: NDArray[np.int64], asked: tuple[int, ...]) -> int:
        if not shares.any():  # each counts 1
            shares = np.full(len(items), game.share_unit)
        now = rate_questions(table, items, shares, int(criterion.share_measure), work, values)
        values[list(asked)] = -1
        if first and len(asked) == len(history):
            kept = [code - game.n_secrets for code in first]
            values[np.setdiff1d(np.arange(len(values)), kept)] = -1
            if values.max() < 0:
                named = " or ".join(map(game.format_code, first))
                raise UsageError(
                    f"no answer to {named:.80} excludes a candidate: ask another first"
                )
        return choose_least(criterion, table, now, values, int(shares.sum()))

    provenance = Provenance(strategy.name, strategy.rule, history)
    with mark_small(game.n_questions * game.n_secrets**2 < FEW_STEPS):
        return grow_tree(game, choose, provenance, progress=progress, halt=halt)


def choose_least(
    criterion: Criterion, table: ShareTable, now: int, values: NDArray[np.int64], total: int
) -> int:
    """Return the first of the best questions; those whose value is negative are not asked.

    Logarithms are rounded: what differs by no more than that is equal.
    """
    is_rounded = criterion.share_measure == ShareMeasure.INFORMATION
    slack = 2 * total if is_rounded else 0
    asked = [(question, int(value)) for question, value in enumerate(values) if value >= 0]
    if not criterion.is_per_cost:
        least = min(value for _, value in asked)
        return next(question for question, value in asked if value <= least + slack)
    costs = table.costs.tolist()
    best, most = asked[0][0], now - asked[0][1]
    for question, value in asked[1:]:
        # Gains per cost, multiplied out.
        if (now - value) * costs[best] > most * costs[question] + slack * costs[question]:
            best, most = question, now - value
    return best


def grow_tree(
    game: Possible,
    choose: ChooseQuestion,
    provenance: Provenance,
    *,
    progress: Progress | None = None,
    halt: Stop | None = None,
) -> Tree:
    """Return the tree in which `choose` says what is asked in each state.

    A leaf has the heaviest of its candidates for its guess, the first of equal ones.
    """
    states = start_shares(game, provenance.history)
    if not len(states.candidates):
        raise UsageError(describe_conflict(game, provenance.history))
    asked = np.array([[guess for guess, _ in provenance.history]], dtype=np.int64) - game.n_secrets
    reporter, columns = Reporter(progress, len(states.candidates)), NodeColumns()
    while len(states.sizes):
        if halt is not None:
            halt.check()
        PROCESS.check_stop()
        reporter.start_level(len(states.sizes), len(states.candidates))
        guesses = np.zeros(len(states.sizes), dtype=np.int64)
        for state in range(len(guesses)):
            items, shares = states.of(state)
            if game.is_over(items):
                guesses[state] = items[np.argmax(shares)]
            else:
                question = choose(items, shares, tuple(asked[state].tolist()))
                guesses[state] = game.n_secrets + question
        columns.add(states, guesses)
        split = split_questions(game, states, guesses)
        below = cast(ShareStates, split.below)
        if len(split.stalled):
            state = int(below.parents[split.stalled[0]])
            raise TreeError(f"the question of state {state} excludes nobody: a fault of treegen")
        asked = np.column_stack((asked[below.parents], guesses[below.parents] - game.n_secrets))
        states = below
    reporter.start_level(0, 0)
    return columns.make_tree(game, provenance)
