"""Decision tables: what their rules say of each combination of answers."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..answer_table import AnswerTable
from ..rules import GROUP_MARK, smallest_type
from ..text import name_few

MAX_COMBINATIONS = 1_000_000


def expand_rules(rules: AnswerTable, source: str, *, strict: bool = False) -> AnswerTable:
    """Return the table of all combinations of answers that rules match, a candidate each.

    A rule matches the combinations of the answers that its cells may stand for; its class is their
    outcome. The answers to the last question change first. Notes count the combinations that have
    several outcomes, and those without a rule, which are left out; with `strict` either is a
    GameError, as are too many combinations. `source` names the file in messages.

    >>> rules = AnswerTable(
    ...     ("1", "2"), ("Wet?", "Hot?"), (("no", "yes"), ("no", "yes")),
    ...     np.array([[1, 2], [0, 1]]), sets=((), ((0, 1),)), classes=("stay", "swim"),
    ... )
    >>> table = expand_rules(rules, "'trips.csv'")
    >>> table.names, table.classes
    (('no, yes', 'yes, no', 'yes, yes'), ('swim', 'stay', 'stay'))
    """
    widths = [len(labels) for labels in rules.answers]
    count = prod(widths)
    if count > MAX_COMBINATIONS:
        raise GameError(
            f"{source}: the conditions have {count:,} combinations of answers; at most"
            f" {MAX_COMBINATIONS:,} are listed: `ignore` leaves columns out"
        )
    outcomes, found = _find_outcomes(rules, widths)
    has_several = np.array([len(each) > 1 for each in outcomes])[found]
    notes = []
    for places, what, more in (
        (np.flatnonzero(has_several), "rules with several outcomes (an overlap)", ""),
        (np.flatnonzero(found == 0), "no rule (a gap)", " and {are} left out"),
    ):
        if len(places):
            has, are = ("has", "is") if len(places) == 1 else ("have", "are")
            first = _describe(rules, widths, int(places[0]))
            notes.append(
                f"{len(places):,} of {count:,} combinations {has} {what}"
                f"{more.format(are=are) * (not strict)}, the first {first}"
            )
    if strict and notes:
        raise GameError(f"{source}: {notes[0]}")
    kept = np.flatnonzero(found)
    numbers = np.array(np.unravel_index(kept, widths) if widths else np.zeros((0, 1), np.int64)).T
    names = [
        ", ".join(labels[number] for labels, number in zip(rules.answers, row, strict=True))
        for row in numbers.tolist()
    ]
    if len(set(names)) < len(names) or not all(names):  # an answer may hold a comma
        names = [f"combination {place + 1}" for place in kept.tolist()]
    several = "" if len(rules.names) == 1 else "s"
    notes.append(
        f"{len(rules.names):,} rule{several} for {len(kept):,} of {count:,} combinations of"
        " answers, a candidate each"
    )
    return AnswerTable(
        tuple(names),
        rules.questions,
        rules.answers,
        numbers.astype(smallest_type(max(widths, default=1))),
        notes=(*rules.notes, *notes),
        classes=tuple(GROUP_MARK.join(outcomes[number]) for number in found[kept].tolist()),
    )


def _find_outcomes(
    rules: AnswerTable, widths: list[int]
) -> tuple[list[tuple[str, ...]], NDArray[np.int64]]:
    """Return lists of outcomes, an empty one first, and the number of each combination's."""
    rows_of: dict[str, list[int]] = {}
    for row, outcome in enumerate(rules.classes):
        rows_of.setdefault(outcome, []).append(row)
    outcomes: list[tuple[str, ...]] = [()]
    found = np.zeros(prod(widths), dtype=np.int64)
    for outcome in sorted(rows_of):
        matched = np.zeros(len(found), dtype=bool)
        for row in rows_of[outcome]:
            matched[_list_combinations(rules, row, widths)] = True
        before, places = np.unique(found[matched], return_inverse=True)
        found[matched] = len(outcomes) + places
        outcomes += [(*outcomes[number], outcome) for number in before.tolist()]
    return outcomes, found


def _list_combinations(rules: AnswerTable, row: int, widths: list[int]) -> NDArray[np.int64]:
    """Return the numbers of the combinations that a rule matches."""
    numbers = np.zeros(1, dtype=np.int64)
    for question, width in enumerate(widths):
        answers = rules.list_possible(question, int(rules.matrix[row, question]))
        numbers = (numbers[:, None] * width + np.array(answers)).reshape(-1)
    return numbers


def _describe(rules: AnswerTable, widths: list[int], number: int) -> str:
    """Return a combination of answers, and the rules that match it with their outcomes."""
    answers = [int(each) for each in np.unravel_index(number, widths)] if widths else []
    texts = [
        f"{question:.60} {labels[answer]:.60}"
        for question, labels, answer in zip(rules.questions, rules.answers, answers, strict=True)
    ]
    matching = [
        f"{rules.names[row]!r:.60} ({outcome:.60})"
        for row, outcome in enumerate(rules.classes)
        if all(
            answer in possible for answer, possible in zip(answers, _allow(rules, row), strict=True)
        )
    ]
    return ", ".join(texts) + f": {name_few(matching)}" * bool(matching)


def _allow(rules: AnswerTable, row: int) -> Iterator[tuple[int, ...]]:
    """Yield the answers that a rule takes for each question."""
    for question, number in enumerate(rules.matrix[row].tolist()):
        yield rules.list_possible(question, number)
