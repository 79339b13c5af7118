"""Guesses by criteria that are functions in Python: all values are kept, then compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.interpreter import is_small_rule, mark_small
from ..kernels.onestep.criteria import Rule, Weighing
from ..kernels.onestep.guesses import break_tie, evaluate_guesses
from ..kernels.responses import Scoring
from ..kernels.rule_kinds import CriterionKind
from ..strategies.strategy import Criterion, apply_function


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


def _number_partitions(
    sizes: NDArray[np.int64],
) -> tuple[list[int], list[tuple[int, ...]]]:
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


def choose_by_functions(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    criteria: Sequence[Criterion],
    candidates: NDArray[np.int32],
    eligible: NDArray[np.int32],
    n_responses: int,
    key: np.uint64,
) -> int:
    """Return the best of the eligible guesses, which are in the order of codes."""
    state = (candidates, eligible, n_responses)
    columns, sizes, starts = evaluate(scoring, rule, weighing, criteria, *state)
    useful = np.flatnonzero(sizes.max(axis=1) < len(candidates))
    values = columns[useful, : starts[-1]]
    best = values[np.lexsort(values.T[::-1])[:1]]
    tied = eligible[useful[(values == best).all(axis=1)]]
    with mark_small(True):
        return int(break_tie(rule, tied, candidates, key))


def _count_columns(criterion: Criterion, n_responses: int) -> int:
    """Return how many numbers a criterion's value has."""
    if criterion.is_per_cost:  # a fraction: its whole part, and the rest
        return 2
    return n_responses if criterion.kind == CriterionKind.DESCENDING else 1
