"""The cells of a question in a state, and what a cell costs at least.

Items that are separable from the same others form a *group*; no two items of one are separable.
Groups that are separable pairwise are found at different leaves. So no tree is below Huffman's for
their shares. Where some groups are not separable, they are parted into sets whose groups are, and
what these sets cost adds up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import by_reference, njit_bare_part
from ..engine import Int32s, Int64s, UInt64s


@by_reference
class ShareProblem(NamedTuple):
    """A table of sets of answers, as the kernels see it; the first three as in `ShareTable`."""

    sets: Int32s
    starts: Int32s
    answers: Int32s
    costs: Int64s  # [n_questions]
    groups: Int32s  # [n_items]: the number of each item's group
    apart: NDArray[np.uint8]  # [n_groups, n_groups]: whether two groups are separable
    are_single: int  # whether each group is one item, and all of them are separable
    keys: UInt64s  # [n_items + n_questions, 2]: random numbers for keys [Zobrist 1970]


@by_reference
class Cells(NamedTuple):
    """Room for the items of states and of the cells below them, and what kernels compute with."""

    items: Int32s  # those of a cell by descending share
    shares: Int64s
    ends: Int64s  # [most answers]: where each cell of the question that was divided last ends
    twins: Int32s  # [2, most answers]: answers of two questions that correspond
    needs: Int64s  # [n_items]: what an item of a state costs at least
    marks: Int64s  # [n_groups]: zeros between two calls
    found: Int32s  # [n_groups]: groups of a cell
    apart: Int32s  # [n_groups]: those of them that are separable pairwise
    sums: Int64s  # [n_groups]: the shares of each
    weights: Int64s  # [n_groups]: the same
    merged: Int64s  # [n_groups]
    rounded: Int64s  # [1]: whether dividing a share has left a remainder


@njit_bare_part
def divide(
    problem: ShareProblem, cells: Cells, question: int, begin: int, end: int, top: int
) -> int:
    """Write the cells of a question at `top`, by their answers; return how many there are.

    The state is what stands from `begin` to `end`.
    """
    sets, starts, answers = problem.sets[question], problem.starts, problem.answers
    ends, items, shares = cells.ends, cells.items, cells.shares
    n_answers = 0
    for at in range(begin, end):
        own = sets[items[at]]
        for place in range(starts[own], starts[own + 1]):
            answer = answers[place]
            while n_answers <= answer:
                ends[n_answers] = 0
                n_answers += 1
            ends[answer] += 1
    start = top
    for answer in range(n_answers):
        size = ends[answer]
        ends[answer] = start
        start += size
    # Each end moves on while its cell is filled.
    for at in range(begin, end):
        item, share = items[at], shares[at]
        own = sets[item]
        first, n_given = starts[own], starts[own + 1] - starts[own]
        for number in range(n_given):
            answer = answers[first + number]
            place = ends[answer]
            items[place] = item
            shares[place] = share
            if n_given > 1:
                shares[place] = share // n_given + (number < share % n_given)
                if share % n_given > 0:
                    cells.rounded[0] = 1
            ends[answer] = place + 1
    n_cells, start = 0, top
    for answer in range(n_answers):
        stop = ends[answer]
        if stop > start:
            _sort(items[start:stop], shares[start:stop])
            ends[n_cells] = stop
            n_cells += 1
            start = stop
    return n_cells


@njit_bare_part
def _sort(items: Int32s, shares: Int64s) -> None:
    """Sort items by descending share, then by number; most stand so already."""
    for at in range(1, len(items)):
        item, share = items[at], shares[at]
        place = at
        while place > 0 and (
            shares[place - 1] < share or (shares[place - 1] == share and items[place - 1] > item)
        ):
            items[place], shares[place] = items[place - 1], shares[place - 1]
            place -= 1
        items[place], shares[place] = item, share


@njit_bare_part
def bound_cell(
    problem: ShareProblem, cells: Cells, begin: int, end: int, arity: int
) -> tuple[int, int]:
    """Return the least sum of share times depth of a cell, and a number of its leaves at least.

    With one leaf the game is over. A question has `arity` answers at most, 2 or more.
    """
    if problem.are_single:
        return merge(cells.shares[begin:end], cells.merged, arity), end - begin
    found, sums = cells.found, cells.sums
    n = _collect_groups(problem, cells, begin, end, True)
    for rank in range(1, n):
        group, weight = found[rank], sums[rank]
        place = rank
        while place > 0 and sums[place - 1] < weight:
            sums[place], found[place] = sums[place - 1], found[place - 1]
            place -= 1
        sums[place], found[place] = weight, group
    total, most = 0, 0
    while n > 0:
        # The heaviest group, and each next one that is separable from those taken.
        n_apart, n_left = 0, 0
        for rank in range(n):
            group, weight = found[rank], sums[rank]
            fits = True
            for at in range(n_apart):
                if not problem.apart[group, cells.apart[at]]:
                    fits = False
                    break
            if fits:
                cells.apart[n_apart], cells.weights[n_apart] = group, weight
                n_apart += 1
            else:
                found[n_left], sums[n_left] = group, weight
                n_left += 1
        total += merge(cells.weights[:n_apart], cells.merged, arity)
        most = max(most, n_apart)
        n = n_left
    return total, most


@njit_bare_part
def _collect_groups(
    problem: ShareProblem, cells: Cells, begin: int, end: int, has_shares: bool
) -> int:
    """List a cell's groups, with the shares or the number of items of each; return how many."""
    marks, n = cells.marks, 0
    for at in range(begin, end):
        group = problem.groups[cells.items[at]]
        if marks[group] == 0:
            cells.found[n], cells.sums[n] = group, 0
            n += 1
            marks[group] = n
        cells.sums[marks[group] - 1] += cells.shares[at] if has_shares else 1
    for rank in range(n):
        marks[cells.found[rank]] = 0
    return n


@njit_bare_part
def merge(weights: Int64s, merged: Int64s, arity: int) -> int:
    """Return the least sum of weight times depth of a tree with descending weights at its leaves.

    D. A. Huffman, A method for the construction of minimum-redundancy codes, Proc. IRE 40 (1952),
    with two queues: the weights from the lightest up, and the merged ones, which come up by weight.
    """
    n = len(weights)
    lightest, first, last, total = n - 1, 0, 0, 0
    # The first node alone may have fewer children than the others.
    n_children = (n - 2) % (arity - 1) + 2
    while lightest + 1 + last - first > 1:
        weight = 0
        for _ in range(n_children):
            if lightest >= 0 and (first == last or weights[lightest] <= merged[first]):
                weight += weights[lightest]
                lightest -= 1
            else:
                weight += merged[first]
                first += 1
        merged[last] = weight
        last += 1
        total += weight
        n_children = arity
    return int(total)


@njit_bare_part
def count_pairs(problem: ShareProblem, cells: Cells, begin: int, end: int) -> int:
    """Return how many pairs of the items of a cell are separable."""
    n, pairs = _collect_groups(problem, cells, begin, end, False), 0
    for rank in range(n):
        for other in range(rank):
            if problem.apart[cells.found[rank], cells.found[other]]:
                pairs += cells.sums[rank] * cells.sums[other]
    return pairs
