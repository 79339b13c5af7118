"""The plain chooser: one guess after the other, by any criterion.

It serves weights and costs, criteria that are functions in Python, guesses that depend on the
answers before, and, by its own rules, candidates with shares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import StrategyError
from ..games.base import Game
from ..games.division import LIMIT_BITS
from ..games.rules import Rules
from ..jit.interpreter import is_small_rule, mark_small
from ..kernels.levels import Level
from ..kernels.onestep.criteria import Rule, Weighing, depends_on_history
from ..kernels.onestep.eligible import EligibleLists, list_eligible
from ..kernels.onestep.guesses import break_tie, choose_guess, choose_guesses, evaluate_guesses
from ..kernels.onestep.questions import make_cell_room, make_share_table, rate_questions
from ..kernels.responses import Scoring
from ..kernels.rule_kinds import CriterionKind, Measure, ShareMeasure
from ..strategies.strategy import (
    ENTROPY_BITS,
    Criterion,
    Strategy,
    apply_function,
    make_logs,
    read_share_criterion,
)

Ask = Callable[[NDArray[np.int32], NDArray[np.int64], tuple[int, ...], tuple[int, ...]], int]
"""Of candidates, their shares, the questions asked before, and those allowed now (none: all), which
are numbered from 0: the number of the next question."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Game and strategy in the kernels' form, and what else decides between guesses."""

    scoring: Scoring
    rule: Rule
    n_responses: int
    weighing: Weighing | None = None  # weights and costs; None if they do not matter
    # The strategy's, where some are functions in Python; else none.
    criteria: tuple[Criterion, ...] = ()
    ask: Ask | None = None  # chooses where candidates have shares
    is_small: bool = False  # whether the kernels' work is small: see `mark_small`

    def choose(
        self, candidates: NDArray[np.int32], eligible: NDArray[np.int32], key: np.uint64
    ) -> int:
        """Return the best of some guesses of a state, which are in the order of codes."""
        forms, state = (self.scoring, self.rule, self.weighing), (candidates, eligible)
        if not self.criteria:
            stop = np.zeros(1, dtype=np.int64)
            with mark_small(self.is_small):
                return int(choose_guess(*forms, *state, self.n_responses, key, stop))
        columns, sizes, starts = evaluate(*forms, self.criteria, *state, self.n_responses)
        useful = np.flatnonzero(sizes.max(axis=1) < len(candidates))
        values = columns[useful, : starts[-1]]
        best = values[np.lexsort(values.T[::-1])[:1]]
        tied = eligible[useful[(values == best).all(axis=1)]]
        with mark_small(True):
            return int(break_tie(self.rule, tied, candidates, key))

    def choose_states(
        self,
        level: Level,
        paths: NDArray[np.int32],
        chosen: NDArray[np.int64],
        guesses: NDArray[np.int32],
        stop: NDArray[np.int64],
    ) -> None:
        """Write the guesses of some states of a level, which ascend, until it is stopped.

        The paths, [n_states, n_guesses], have the guesses that led to each.
        """
        rule = self.rule
        # None are listed if the same may be guessed in all states.
        lists = EligibleLists(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64))
        if depends_on_history(rule):
            lists = list_eligible(self.scoring, rule, level, paths, chosen)
        if not self.criteria:
            forms = self.scoring, rule, self.weighing
            choose_guesses(*forms, level, chosen, lists, self.n_responses, stop, guesses)
            return
        for place, state in enumerate(chosen.tolist()):
            if stop[0]:
                return
            candidates = level.candidates[level.starts[state] : level.starts[state + 1]]
            ordered = candidates[np.argsort(rule.ranks[candidates])]
            if len(candidates) <= max(rule.n_direct, 1):
                guesses[state] = ordered[0]
                continue
            eligible = ordered if rule.candidates_only else rule.sequence
            if len(lists.codes):
                eligible = lists.codes[lists.starts[place] : lists.starts[place + 1]]
            guesses[state] = self.choose(candidates, eligible, level.keys[state])


LEAST_BITS = 8
"""Logarithms of fewer bits are too coarse."""

MOST_LOGS = 1 << 20
"""At most this many logarithms are kept in a table."""


def make_weighing(game: Game, strategy: Strategy) -> Weighing:
    """Return weights and costs of a game, and how a strategy's criteria use them.

    StrategyError: a criterion cannot be weighed, or passes 64 bits with these weights.
    """
    weights = game.weights
    if weights is None:
        weights = np.ones(game.n_secrets, dtype=np.int64)
    # A state whose candidates weigh nothing counts them.
    whole = max(int(weights.sum()), game.n_secrets)
    bits = min(ENTROPY_BITS, LIMIT_BITS - (whole * whole.bit_length()).bit_length())
    for criterion in strategy.criteria:
        if criterion.function and game.weights is not None:
            raise StrategyError(f"{criterion.name} counts candidates: no weights are in its cells")
        if criterion.measure == Measure.POWER and whole**criterion.power > 1 << LIMIT_BITS:
            raise StrategyError(
                f"{criterion.name} of weights that sum up to {whole:,} passes 64 bits: round them"
            )
        if criterion.measure == Measure.ENTROPY and bits < LEAST_BITS:
            raise StrategyError(f"entropy of weights that sum up to {whole:,} passes 64 bits")
        is_sum = criterion.kind == CriterionKind.SUM and criterion.name not in ("parts", "power:-1")
        if is_sum and criterion.measure == Measure.NUMBER and game.weights is not None:
            raise StrategyError(f"{criterion.name} is for games without weights: L must be whole")
    return Weighing(
        weights,
        np.maximum(game.costs, 1),
        np.array([criterion.measure for criterion in strategy.criteria], dtype=np.int64),
        np.array([criterion.power for criterion in strategy.criteria], dtype=np.int64),
        np.array([criterion.is_per_cost for criterion in strategy.criteria], dtype=np.int64),
        bits,
        # Kernels would be compiled anew for a read-only array.
        make_logs(min(whole, MOST_LOGS), bits).copy(),
    )


class Values(NamedTuple):
    """The values of some guesses of a state."""

    columns: NDArray[np.int64]  # [m, width]: of each criterion one or several; less is better
    sizes: NDArray[np.int64]  # [m, n_responses]: candidates in each cell
    starts: tuple[int, ...]  # first column of each criterion, and the width


def evaluate(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    criteria: Sequence[Criterion],
    candidates: NDArray[np.int32],
    guesses: NDArray[np.int32],
    n_responses: int,
) -> Values:
    """Return the values of guesses, by kernels and by functions."""
    widths = [_count_columns(criterion, n_responses) for criterion in criteria]
    starts = tuple(np.cumsum([0, *widths]).tolist())
    sizes = np.zeros((len(guesses), n_responses), dtype=np.int64)
    columns = np.zeros((len(guesses), starts[-1] + n_responses), dtype=np.int64)
    with mark_small(is_small_rule(len(guesses), len(candidates), tries_few=False)):
        evaluate_guesses(scoring, rule, weighing, candidates, guesses, columns, sizes)
    if any(criterion.function for criterion in criteria):
        numbers, partitions = _number_partitions(sizes)
        for criterion, column in zip(criteria, starts, strict=False):
            if criterion.function:
                values = [apply_function(criterion, partition) for partition in partitions]
                places = {value: place for place, value in enumerate(sorted(set(values)))}
                ranks = np.array([places[value] for value in values], dtype=np.int64)
                columns[:, column] = ranks[numbers]
    return Values(columns, sizes, starts)


def _number_partitions(sizes: NDArray[np.int64]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return for each guess the number of its partition, and the partitions, largest cell first."""
    rows = np.ascontiguousarray(np.sort(sizes, axis=1)[:, ::-1]).astype(np.int32)
    width, data = rows.shape[1] * rows.itemsize, rows.tobytes()
    number_of: dict[bytes, int] = {}
    numbers = [
        number_of.setdefault(data[at : at + width], len(number_of))
        for at in range(0, len(data), width)
    ]
    cells = (np.frombuffer(row, dtype=np.int32).tolist() for row in number_of)
    return numbers, [tuple(filter(None, row)) for row in cells]


def _count_columns(criterion: Criterion, n_responses: int) -> int:
    """Return the number of integers in a criterion's value."""
    if criterion.is_per_cost:  # a fraction: its whole part, and the rest
        return 2
    return n_responses if criterion.kind == CriterionKind.DESCENDING else 1


FEW_STEPS = 60_000
"""A table of so few questions times candidates squared is rated by interpreted kernels."""


class Rater:
    """What each question leaves of candidates with shares, by a rule.

    A question is asked if an answer excludes somebody who is left and it was not asked before:
    asked again it would be answered alike. StrategyError: it is not a rule for such tables.
    """

    def __init__(self, rules: Rules, strategy: Strategy) -> None:
        self.game, self.criterion = rules, read_share_criterion(strategy, rules)
        self.table = make_share_table(rules)
        self._room = make_cell_room(self.table)
        pairs = int(self.table.shares.sum()) * (rules.n_secrets * (rules.n_secrets - 1) // 2)
        is_of_pairs = self.criterion.share_measure == ShareMeasure.SEPARABLE_PAIRS
        if is_of_pairs and pairs >> LIMIT_BITS:
            raise StrategyError(
                f"{self.criterion.name} of {rules.n_secrets:,} candidates passes 64 bits"
            )

    def rate(
        self, items: NDArray[np.int32], shares: NDArray[np.int64], asked: Sequence[int]
    ) -> tuple[int, NDArray[np.int64]]:
        """Return the measure of a state, and what each question leaves of it.

        It is negative for a question that was asked, or after which nobody is excluded.
        """
        if not shares.any():  # each counts 1
            shares = np.full(len(items), self.game.share_unit)
        values = np.zeros(self.game.n_guesses, dtype=np.int64)
        measure = int(self.criterion.share_measure)
        with mark_small(self.game.n_guesses * self.game.n_secrets**2 < FEW_STEPS):
            now = rate_questions(self.table, items, shares, measure, self._room, values)
        values[list(asked)] = -1
        if measure == ShareMeasure.EXPECTED_LEFT:  # nothing is left of what a guess wins
            may_win = items >= self.game.first_guess
            values[items[may_win]] -= shares[may_win]
        return now, values

    def ask(
        self,
        items: NDArray[np.int32],
        shares: NDArray[np.int64],
        asked: Sequence[int],
        among: Sequence[int] = (),
    ) -> int:
        """Return the number of the best question, of some or, if there are none, of all."""
        now, values = self.rate(items, shares, asked)
        order = among or self.list_order(items, shares)
        return self.choose(now, values, int(shares.sum()), order)

    def list_order(self, items: NDArray[np.int32], shares: NDArray[np.int64]) -> Sequence[int]:
        """Return the questions of a state in the order in which the first of equal ones counts.

        To win, before them stand the guesses, the one that is right most often first.
        """
        first = self.game.first_guess
        guesses = items[np.argsort(-shares, kind="stable")]
        guesses = guesses[guesses >= first]
        return [*guesses.tolist(), *range(self.game.n_secrets - first, self.game.n_guesses)]

    def choose(self, now: int, values: NDArray[np.int64], total: int, order: Sequence[int]) -> int:
        """Return the first of the best questions in an order.

        It is -1 if none of them excludes anybody. Logarithms are rounded: what differs by no more
        than that is equal.
        """
        is_rounded = self.criterion.share_measure == ShareMeasure.INFORMATION
        slack = 2 * total if is_rounded else 0
        asked = [(question, int(values[question])) for question in order if values[question] >= 0]
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

    def rank_codes(self, items: NDArray[np.int32], shares: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the place of each code in the order of `list_order`, the rest last."""
        n_codes = self.game.n_codes
        ranks = np.full(n_codes, n_codes, dtype=np.int32)
        codes = self.game.first_guess + np.array(self.list_order(items, shares), dtype=np.int64)
        ranks[codes] = np.arange(len(codes))
        return ranks

    def grade(self, now: int, value: int, question: int) -> Fraction:
        """Return the grade of a question by the rule; less is better."""
        if not self.criterion.is_per_cost:
            return Fraction(value)
        return Fraction(value - now, int(self.table.costs[question]))

    def describe(self, now: int, value: int, question: int, total: int) -> str:
        """Return a question's grade for people: what it leaves, or gains in bits or per cost."""
        is_of_bits = self.criterion.share_measure == ShareMeasure.INFORMATION
        figure = now - value if is_of_bits or self.criterion.is_per_cost else value
        unit = 2**self.table.log_bits if is_of_bits else 1
        cost = int(self.table.costs[question]) if self.criterion.is_per_cost else 1
        return f"{figure / total / unit / cost:.4f}"
