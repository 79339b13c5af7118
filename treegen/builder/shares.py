"""Trees of tables with uncertain answers or classes, by a rule.

A question is asked if an answer excludes somebody who is left and it was not asked before: asked
again it would be answered alike. A game is over when no two candidates left are separable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import StrategyError, TreeError, UsageError
from ..games.possible import LIMIT_BITS, Possible
from ..jit.interpreter import mark_small
from ..kernels.rule_kinds import ShareMeasure
from ..kernels.shares import make_share_table, make_share_work, rate_questions
from ..strategies.strategy import Strategy, read_share_criterion
from ..tasks.work import PROCESS, Stop
from ..tree.tree import History, Provenance, Tree, weigh_secrets
from ..tree.walk import NodeColumns, describe_conflict, follow, split_states, start_states
from .choose import Progress, Reporter

FEW_STEPS = 60_000
"""A table of so few questions times candidates squared is rated by interpreted kernels."""

ChooseQuestion = Callable[[NDArray[np.int32], NDArray[np.int64], tuple[int, ...]], int]
"""Of candidates, their shares and the questions asked before, the number of the next question."""


class Rater:
    """What each question leaves of a state, by a rule of such tables; StrategyError for others."""

    def __init__(self, game: Possible, strategy: Strategy) -> None:
        self.game, self.criterion = game, read_share_criterion(strategy, game)
        self.table = make_share_table(game)
        self._work = make_share_work(self.table)
        pairs = int(game.shares.sum()) * (game.n_secrets * (game.n_secrets - 1) // 2)
        is_of_pairs = self.criterion.share_measure == ShareMeasure.SEPARABLE_PAIRS
        if is_of_pairs and pairs >> LIMIT_BITS:
            raise StrategyError(
                f"{self.criterion.name} of {game.n_secrets:,} candidates passes 64 bits"
            )

    def rate(
        self, items: NDArray[np.int32], shares: NDArray[np.int64], asked: Sequence[int]
    ) -> tuple[int, NDArray[np.int64]]:
        """Return the measure of a state, and what each question leaves of it.

        It is negative for a question that was asked, or after which nobody is excluded.
        """
        if not shares.any():  # each counts 1
            shares = np.full(len(items), self.game.share_unit)
        values = np.zeros(self.game.n_questions, dtype=np.int64)
        measure = int(self.criterion.share_measure)
        with mark_small(self.game.n_questions * self.game.n_secrets**2 < FEW_STEPS):
            now = rate_questions(self.table, items, shares, measure, self._work, values)
        values[list(asked)] = -1
        return now, values

    def choose(
        self, now: int, values: NDArray[np.int64], total: int, order: Sequence[int] = ()
    ) -> int:
        """Return the first of the best questions: of `order`, or of all if it is empty.

        It is -1 if none of them excludes anybody. Logarithms are rounded: what differs by no more
        than that is equal.
        """
        is_rounded = self.criterion.share_measure == ShareMeasure.INFORMATION
        slack = 2 * total if is_rounded else 0
        chosen = order or range(len(values))
        asked = [(question, int(values[question])) for question in chosen if values[question] >= 0]
        if not asked:
            return -1
        if not self.criterion.is_per_cost:
            least = min(value for _, value in asked)
            return next(question for question, value in asked if value <= least + slack)
        costs = self.table.costs.tolist()
        best, most = asked[0][0], now - asked[0][1]
        for question, value in asked[1:]:
            # Gains per cost, multiplied out.
            if (now - value) * costs[best] > (most + slack) * costs[question]:
                best, most = question, now - value
        return best

    def describe(self, now: int, value: int, question: int, total: int) -> str:
        """Return what a question leaves for people: of information, the bits that it gives."""
        figure = value / total
        if self.criterion.share_measure == ShareMeasure.INFORMATION:
            figure = (now - value) / total / 2**self.table.log_bits
        cost = int(self.table.costs[question]) if self.criterion.is_per_cost else 1
        return f"{figure / cost:.4f}"


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
    rater = Rater(game, strategy)

    def choose(items: NDArray[np.int32], shares: NDArray[np.int64], asked: tuple[int, ...]) -> int:
        now, values = rater.rate(items, shares, asked)
        is_first = len(asked) == len(history)
        order = [code - game.n_secrets for code in first] if is_first else []
        question = rater.choose(now, values, int(shares.sum()), order)
        if question < 0:
            named = " or ".join(map(game.format_code, first))
            raise UsageError(f"no answer to {named:.80} excludes a candidate: ask another first")
        return question

    provenance = Provenance(strategy.name, strategy.rule, history)
    return grow_tree(game, choose, provenance, progress=progress, halt=halt)


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
    states = start_states(*follow(game, provenance.history))
    if not len(states.candidates):
        raise UsageError(describe_conflict(game, provenance.history))
    asked = np.array([[guess for guess, _ in provenance.history]], dtype=np.int64) - game.n_secrets
    reporter, columns = Reporter(progress, len(states.candidates)), NodeColumns()
    while len(states.sizes):
        if halt is not None:
            halt.check()
        PROCESS.check_stop()
        reporter.start_level(len(states.sizes), len(states.candidates))
        guesses = states.heaviest.astype(np.int64)
        parts = weigh_secrets(game, states.candidates, states.shares)
        known: dict[tuple[bytes, ...], int] = {}  # an unknown cell makes many answers' states alike
        for state in np.flatnonzero(states.sizes > 1).tolist():
            items, shares = states.of(state), parts[states.starts[state] : states.starts[state + 1]]
            key = items.tobytes(), shares.tobytes(), asked[state].tobytes()
            if key not in known and game.is_over(items):
                known[key] = int(guesses[state])
            elif key not in known:
                known[key] = game.n_secrets + choose(items, shares, tuple(asked[state].tolist()))
            guesses[state] = known[key]
        columns.add(states, guesses)
        split = split_states(game, states, guesses)
        below = split.below
        if len(split.stalled):
            state = int(below.parents[split.stalled[0]])
            raise TreeError(f"the question of state {state} excludes nobody: a fault of treegen")
        asked = np.column_stack((asked[below.parents], guesses[below.parents] - game.n_secrets))
        states = below
    reporter.start_level(0, 0)
    return columns.make_tree(game, provenance)
