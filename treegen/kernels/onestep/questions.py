"""What questions leave of a state whose candidates may give several answers, compiled.

A question sends each candidate to every answer that it may give, its shares divided evenly. Rules
measure each answer's cell: its shares times the candidates there, times the pairs of them that can
be told apart, or times the bits that are still unknown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.rules import Rules
from ...jit.compiler import njit, njit_part
from ..rule_kinds import ShareMeasure
from .criteria import log2_of

LOG_BITS = 20
"""Logarithms are multiples of 2 ** -20, or coarser where shares times bits would pass 2 ** 62."""

_EXPECTED_LEFT = int(ShareMeasure.EXPECTED_LEFT)
_SEPARABLE_PAIRS = int(ShareMeasure.SEPARABLE_PAIRS)


class ShareTable(NamedTuple):
    """What kernels need to know of a game whose candidates may give several answers."""

    # int32[n_questions, n_items]: which set of answers each candidate may give. The sets of all
    # questions are numbered together. To win, guesses are the first questions: yes, or no.
    sets: NDArray[np.int32]
    starts: NDArray[np.int32]  # [n_sets + 1]: where each set's answers begin
    answers: NDArray[np.int32]  # ascending in each set
    n_answers: NDArray[np.int32]  # [n_questions]
    separable: NDArray[np.uint64]  # [n_items, n_words]: bit j of row i
    classes: NDArray[np.int32]  # [n_items]: the number of each one's class; else its own
    costs: NDArray[np.int64]  # [n_questions]
    shares: NDArray[np.int64]  # [n_items]: before the first question
    log_bits: int  # logarithms are multiples of 2 ** -log_bits


def make_share_table(rules: Rules) -> ShareTable:
    """Return the arrays with which kernels divide the candidates of rules that have shares."""
    division = rules.division
    assert division is not None
    numbers, starts, answers, n_answers = division.sets
    n, n_sets, shares = rules.n_secrets, len(starts) - 1, division.shares
    classes = np.arange(n)
    if rules.classes:
        _, classes = np.unique(rules.classes, return_inverse=True)
    # Before the questions stand the guesses, if there are any.
    guesses = np.eye(n - rules.first_guess, n, rules.first_guess, dtype=np.int32)
    numbers = np.concatenate((n_sets + guesses, numbers))
    n_answers = np.append(np.full(len(guesses), 2), n_answers)
    return ShareTable(
        np.ascontiguousarray(numbers, dtype=np.int32),
        # Behind the sets of all questions stand those of guesses: no, and yes.
        np.append(starts, starts[-1] + np.arange(1, 3)).astype(np.int32),
        np.append(answers, [0, 1]).astype(np.int32),
        n_answers.astype(np.int32),
        division.separable.copy(),  # as kernels would be compiled anew for a read-only array
        classes.astype(np.int32),
        rules.costs[rules.first_guess :].copy(),
        shares,
        min(LOG_BITS, 62 - 6 - int(shares.sum()).bit_length()),
    )


class CellRoom(NamedTuple):
    """Room for the cells of one question."""

    starts: NDArray[np.int64]  # [most answers + 1]
    places: NDArray[np.int64]  # [most answers]
    sums: NDArray[np.int64]  # [most answers]: the shares in each cell
    items: NDArray[np.int32]  # [n_items * most answers]: one cell after the other
    shares: NDArray[np.int64]
    words: NDArray[np.uint64]  # [n_words]: a cell as bits
    of_class: NDArray[np.int64]  # [n_items]: shares of each class in a cell; zeros between calls


def make_cell_room(table: ShareTable) -> CellRoom:
    """Return the room that `rate_questions` takes for a table."""
    most, n_items = int(table.n_answers.max(initial=1)), table.sets.shape[1]
    largest = int(np.diff(table.starts).max(initial=1))
    return CellRoom(
        np.zeros(most + 1, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(n_items * largest, dtype=np.int32),
        np.zeros(n_items * largest, dtype=np.int64),
        np.zeros(table.separable.shape[1], dtype=np.uint64),
        np.zeros(n_items, dtype=np.int64),
    )


@njit
def rate_questions(
    table: ShareTable,
    items: NDArray[np.int32],
    shares: NDArray[np.int64],
    measure: int,
    work: CellRoom,
    values: NDArray[np.int64],
) -> int:
    """Write what each question leaves into `values`, int64[n_questions]; return what is there now.

    `measure` is the number of a `ShareMeasure`. A question after which nobody is excluded gets -1.
    """
    n = len(items)
    for question in range(len(table.n_answers)):
        divide(table, question, items, shares, work)
        values[question] = -1
        for answer in range(table.n_answers[question]):
            if 0 < work.starts[answer + 1] - work.starts[answer] < n:
                values[question] = 0
        if values[question] < 0:
            continue
        for answer in range(table.n_answers[question]):
            begin, end = work.starts[answer], work.starts[answer + 1]
            if end - begin > 1:
                cell = measure_cell(
                    table, work.items[begin:end], work.shares[begin:end], measure, work
                )
                values[question] += cell
            elif end - begin == 1 and measure == _EXPECTED_LEFT:
                values[question] += work.sums[answer]
    return measure_cell(table, items, shares, measure, work)


@njit_part
def divide(
    table: ShareTable,
    question: int,
    items: NDArray[np.int32],
    shares: NDArray[np.int64],
    work: CellRoom,
) -> None:
    """Divide the candidates of a state into the cells of a question's answers."""
    n_answers = table.n_answers[question]
    work.starts[: n_answers + 1] = 0
    work.sums[:n_answers] = 0
    for item in items:
        own = table.sets[question, item]
        for at in range(table.starts[own], table.starts[own + 1]):
            work.starts[table.answers[at] + 1] += 1
    for answer in range(n_answers):
        work.starts[answer + 1] += work.starts[answer]
        work.places[answer] = work.starts[answer]
    for i in range(len(items)):
        own = table.sets[question, items[i]]
        begin = table.starts[own]
        size = table.starts[own + 1] - begin
        whole = shares[i] // size
        rest = shares[i] - whole * size
        for k in range(size):
            answer = table.answers[begin + k]
            place = work.places[answer]
            share = whole + (1 if k < rest else 0)
            work.items[place] = items[i]
            work.shares[place] = share
            work.sums[answer] += share
            work.places[answer] = place + 1


@njit_part
def measure_cell(
    table: ShareTable,
    items: NDArray[np.int32],
    shares: NDArray[np.int64],
    measure: int,
    work: CellRoom,
) -> int:
    """Return the measure of some candidates with their shares."""
    total = np.int64(0)
    for share in shares:
        total += share
    if measure == _EXPECTED_LEFT:
        return int(total * len(items))
    if measure == _SEPARABLE_PAIRS:
        return int(total * count_separable(table, items, work))
    for i in range(len(items)):
        work.of_class[table.classes[items[i]]] += shares[i]
    left = int(total) * log2_of(int(total), table.log_bits)
    for item in items:
        known = work.of_class[table.classes[item]]
        work.of_class[table.classes[item]] = 0
        left -= int(known) * log2_of(int(known), table.log_bits)
    return left


@njit_part
def count_separable(table: ShareTable, items: NDArray[np.int32], work: CellRoom) -> int:
    """Return the number of separable pairs among some candidates."""
    work.words[:] = 0
    for item in items:
        work.words[item >> 6] |= np.uint64(1) << np.uint64(item & 63)
    pairs = np.int64(0)
    for item in items:
        row = table.separable[item]
        for word in range(len(row)):
            pairs += count_bits(row[word] & work.words[word])
    return int(pairs >> 1)


@njit_part(inline=True)
def count_bits(x: np.uint64) -> int:
    """Return the number of bits of a word that are set."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56)))
