"""Whether a tree of a table with uncertain answers or classes is what it says, by the definitions.

Every candidate is sent down the tree with its weight, along every answer that it may give. Nothing
of the builder is used, and nothing of what follows a tree's candidates elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from ..games.base import weigh
from ..games.possible import Possible
from ..kernels.rule_kinds import ShareMeasure
from ..strategies.strategy import Criterion, Strategy, read_share_criterion
from ..tasks.work import PROCESS
from ..tree.tree import Tree
from ..tree.walk import history_of, write_answers
from .report import Findings

Shares = dict[int, int]
"""The candidates that are left, ascending, with the share of each."""

MOST_PAIRS = 1 << 16
"""Pairs of candidates that are compared question by question; of more, rows of bits are read."""


def play_shares(tree: Tree, game: Possible, report: Findings) -> None:
    """Send every candidate down a tree whose structure is sound, and note what is wrong."""
    cost_of, asked_before = game.costs.tolist(), {guess for guess, _ in tree.provenance.history}
    spent, histogram = np.zeros(tree.n_nodes, dtype=np.int64), dict[int, int]()
    for node, left in generate_states(tree, game):
        PROCESS.check_stop()
        if report.problems:  # what is below a wrong state says nothing new
            break
        if len(left) != tree.n_candidates[node]:
            report.problems.append(
                f"{_name(tree, node)} says {tree.n_candidates[node]} candidates; {len(left)} reach"
                " it"
            )
            continue
        pair, guess = find_separable(game, list(left)), int(tree.guess[node])
        children = tree.children(node)
        if not children:
            heaviest = max(left, key=lambda candidate: (left[candidate], -candidate))
            if pair is not None:
                one, other = map(game.format_code, pair)
                report.problems.append(
                    f"{_name(tree, node)} is the last, and {one} and {other} can be told apart"
                )
            elif guess != heaviest:
                report.problems.append(
                    f"{_name(tree, node)} has {game.format_code(guess)} for its guess; the heaviest"
                    f" candidate is {game.format_code(heaviest)}"
                )
            length = int(spent[node])
            histogram[length] = histogram.get(length, 0) + sum(left.values())
            continue
        if pair is None:
            report.problems.append(f"{_name(tree, node)} asks, and nothing can be told apart")
        if guess in asked_before or guess in {code for code, _ in history_of(tree, node)}:
            report.problems.append(
                f"{_name(tree, node)} asks {game.format_code(guess)!r:.80} again"
            )
        answers = {answer for candidate in left for answer in game.may_answer(guess, candidate)}
        given = {int(tree.response[child]) for child in children}
        for answer in sorted(answers ^ given)[:1]:
            written = game.format_response(answer, guess)
            what = "has no branch for" if answer in answers else "has a branch that nobody takes,"
            report.problems.append(f"{_name(tree, node)} {what} {written!r:.80}")
        spent[children.start : children.stop] = spent[node] + cost_of[guess]
    if report.problems:
        return
    report.n_secrets = int(tree.n_candidates[0])
    weights = [
        weigh(histogram.get(length, 0), game.share_unit) for length in range(max(histogram) + 1)
    ]
    report.n_announced, *report.histogram = weights


def generate_states(tree: Tree, game: Possible) -> Iterator[tuple[int, Shares]]:
    """Yield the nodes in depth-first order, with the candidates that reach each."""
    left = dict(enumerate(game.shares.tolist()))
    for guess, response in tree.provenance.history:
        left = ask(game, left, guess).get(response, {})
    stack = [(0, left)]
    while stack:
        node, left = stack.pop()
        yield node, left
        children = tree.children(node)
        if children:
            cells = ask(game, left, int(tree.guess[node]))
            below = ((child, cells.get(int(tree.response[child]), {})) for child in children)
            stack.extend(reversed([*below]))


def ask(game: Possible, left: Shares, guess: int) -> dict[int, Shares]:
    """Return who is left after each answer; a weight is divided evenly, the first get the rest."""
    cells: dict[int, Shares] = {}
    for candidate, share in left.items():
        possible = game.may_answer(guess, candidate)
        whole, rest = divmod(share, len(possible))
        for place, answer in enumerate(possible):
            cells.setdefault(answer, {})[candidate] = whole + (place < rest)
    return cells


def find_separable(game: Possible, candidates: list[int]) -> tuple[int, int] | None:
    """Return two candidates that a question surely tells apart; None if there are none."""
    if len(candidates) ** 2 > MOST_PAIRS:
        if game.classes and len({game.classes[candidate] for candidate in candidates}) == 1:
            return None
        if game.is_over(np.array(candidates)):
            return None
    questions = range(game.n_secrets, game.n_codes)
    for one, other in combinations(candidates, 2):
        if game.classes and game.classes[one] == game.classes[other]:
            continue
        for guess in questions:
            if set(game.may_answer(guess, one)).isdisjoint(game.may_answer(guess, other)):
                return one, other
    return None


def find_other_question(
    tree: Tree,
    game: Possible,
    strategy: Strategy,
    progress: Callable[[int, int], object] | None = None,
) -> str:
    """Return a sentence on the first state whose question is not the rule's choice, or ``""``.

    Bits of information are floats here: of questions that differ by less than their rounding, any
    is the rule's choice.
    """
    criterion = read_share_criterion(strategy, game)
    opening = [] if tree.provenance.history else strategy.opening_codes(game)
    before = {guess for guess, _ in tree.provenance.history}
    for done, (node, left) in enumerate(generate_states(tree, game)):
        PROCESS.check_stop()
        guess = int(tree.guess[node])
        if guess < game.n_secrets:
            continue
        asked = before | {code for code, _ in history_of(tree, node)}
        allowed = opening if node == 0 and opening else range(game.n_secrets, game.n_codes)
        if not any(left.values()):
            left = dict.fromkeys(left, game.share_unit)
        now, values = measure(game, criterion, left), dict[int, float]()
        for code in allowed:
            cells = ask(game, left, code).values()
            if code not in asked and any(len(cell) < len(left) for cell in cells):
                values[code] = sum(measure(game, criterion, cell) for cell in cells)
        if criterion.is_per_cost:
            values = {code: (value - now) / game.costs[code] for code, value in values.items()}
        slack = 0.0
        if criterion.share_measure == ShareMeasure.INFORMATION or criterion.is_per_cost:
            slack = 1e-3 * sum(left.values())
        best = min(values, key=lambda code: values[code])
        if guess not in values or values[guess] > values[best] + slack:
            return (
                f"{_name(tree, node)} asks {game.format_code(guess)}; the rule chooses"
                f" {game.format_code(best)}"
            )
        if values[guess] == values[best] and guess != best:
            return f"{_name(tree, node)} asks {game.format_code(guess)}, not the first that ties"
        if progress is not None and done % 64 == 0:
            progress(done, tree.n_nodes)
    return ""


def measure(game: Possible, criterion: Criterion, left: Shares) -> float:
    """Return a criterion's measure of some candidates with their shares."""
    total = sum(left.values())
    if criterion.share_measure == ShareMeasure.EXPECTED_LEFT:
        return total * len(left)
    if criterion.share_measure == ShareMeasure.SEPARABLE_PAIRS:
        rows = game.separable[list(left)]
        wanted = np.zeros(game.n_secrets, dtype=np.uint8)
        wanted[list(left)] = 1
        bits = np.packbits(wanted, bitorder="little")
        mask = np.zeros(rows.shape[1] * 8, dtype=np.uint8)
        mask[: len(bits)] = bits
        return total * (int(np.unpackbits((rows & mask.view("<u8")).view(np.uint8)).sum()) // 2)
    known: dict[str | int, int] = {}
    for candidate, share in left.items():
        name = game.classes[candidate] if game.classes else candidate
        known[name] = known.get(name, 0) + share
    bits_known = sum(share * math.log2(share) for share in known.values() if share)
    return total * math.log2(max(total, 1)) - bits_known


def _name(tree: Tree, node: int) -> str:
    return f"the state after {write_answers(tree, node) or 'no answers'}"
