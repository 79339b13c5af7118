"""Whether every guess of a tree is allowed, the one that its strategy's rule chooses, and needed.

Every eligible guess is tried in every state, by the plain definition of scoring and of the
criteria: no compiled kernel, no symmetry, no bound, nothing of the builder.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import StrategyError
from ..games.base import Game, excludes_any, follow
from ..games.eligible import (
    describe_breach,
    describe_first_breach,
    is_rule_of_play,
    may_follow,
    resolve_eligible,
    select_eligible,
)
from ..games.rules import Rules
from ..kernels.rule_kinds import CriterionKind, Measure, ShareMeasure
from ..strategies.strategy import (
    ENTROPY_BITS,
    Criterion,
    Strategy,
    apply_function,
    make_logs,
    read_share_criterion,
    uses_weights,
)
from ..tasks.work import PROCESS, OnProgress, report_count
from ..tree.tree import History, Tree
from ..tree.walk import history_of, path_of, replay, write_answers

NODES_PER_BLOCK = 1 << 16
"""Nodes that are compared with a guess above them at a time: bounds the memory of a large tree."""


def find_illegal_guess(tree: Tree, eligible: str, *, is_first_given: bool = False) -> str:
    """Return a sentence on the first state whose guess a rule does not allow, or ``""``.

    Each guess is compared with every guess and answer before it, those of the tree's history
    included, by the definition of the rule. The history's own guesses are bound by a rule of play
    alone: whatever led to a tree, it may go on with candidates. `is_first_given`: the root's guess
    may be any code. The tree's structure is sound; GameError if its game cannot be played by the
    rule.

    >>> from treegen import build
    >>> from treegen.games.codebook import make_word_game
    >>> words = ["batch", "catch", "hatch", "latch", "match", "patch"]
    >>> tree = build(make_word_game(words, ["blimp"], rule="position"), "most-parts")
    >>> find_illegal_guess(tree, "hints")
    ''
    >>> find_illegal_guess(tree, "candidates")
    'in the state after no answers, blimp breaks eligible=candidates: it is not one of the secrets'
    """
    resolve_eligible(tree.game, eligible)
    if is_rule_of_play(eligible):  # candidates binds what the tree chooses, not what led to it
        fault = describe_first_breach(tree.game, eligible, tree.provenance.history)
        if fault:
            return f"in the tree's history, {fault}"
    parents = tree.parent
    # A block keeps to one level, so that all paths from it reach the root at the same step.
    for first, end in zip(tree.level_starts, tree.level_starts[1:], strict=False):
        for begin in range(first, end, NODES_PER_BLOCK):
            nodes = np.arange(begin, min(begin + NODES_PER_BLOCK, end))
            illegal = ~_are_legal(tree, eligible, parents, nodes)
            illegal &= (nodes > 0) | (not is_first_given)
            if illegal.any():
                node, game = int(nodes[np.argmax(illegal)]), tree.game
                answers = "/".join(game.format_response(reply) for reply in path_of(tree, node))
                history: History = (*tree.provenance.history, *history_of(tree, node))
                breach = describe_breach(game, eligible, history, int(tree.guess[node]))
                return f"in the state after {answers or 'no answers'}, {breach}"
    return ""


def _are_legal(
    tree: Tree, eligible: str, parents: NDArray[np.int32], nodes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return whether the guesses of some nodes of one level are allowed."""
    game, guesses = tree.game, tree.guess[nodes]
    legal = np.ones(len(nodes), dtype=bool)
    if eligible == "candidates":
        legal = guesses < game.n_secrets
    for guess, response in tree.provenance.history:
        legal &= may_follow(game, eligible, np.array(guess), np.array(response), guesses)
    below: NDArray[np.integer] = nodes
    while below[0] > 0:
        above = parents[below]
        legal &= may_follow(game, eligible, tree.guess[above], tree.response[below], guesses)
        below = above
    return legal


MOST_PAIRS = 1 << 16
"""Pairs of candidates that are compared question by question; of more, rows of bits are read."""


def find_wrong_end(tree: Tree) -> str:
    """Return a sentence on the first state that asks for too long, or ends too early; or ``""``.

    Questions are asked while two candidates can be told apart. Where each candidate gives one
    answer, or is guessed at the end, the games have shown it.
    """
    if tree.game.rules.division is None:
        return ""
    for first, states in zip(tree.level_starts, replay(tree), strict=False):
        for state, heaviest in enumerate(states.heaviest.tolist()):
            PROCESS.check_stop()
            node = first + state
            problem = _describe_end(tree, node, states.of(state).tolist(), heaviest)
            if problem:  # what is below a wrong state says nothing new
                return f"the state after {write_answers(tree, node) or 'no answers'} {problem}"
    return ""


def _describe_end(tree: Tree, node: int, left: list[int], heaviest: int) -> str:
    """Return a fault in where the game ends, or continues, after a state; else ``""``."""
    rules, guess = tree.game.rules, int(tree.guess[node])
    if rules.announces_several:
        pair = find_separable(rules, left)
        if guess < rules.n_secrets and pair is not None:
            one, other = map(tree.game.format_code, pair)
            return f"is the last, and {one} and {other} can be told apart"
        if guess < rules.n_secrets and guess != heaviest:
            return (
                f"has {tree.game.format_code(guess)} for its guess; the heaviest candidate is"
                f" {tree.game.format_code(heaviest)}"
            )
        if guess >= rules.n_secrets and pair is None:
            return "asks, and nothing can be told apart"
    if guess in {code for code, _ in (*tree.provenance.history, *history_of(tree, node))}:
        return f"asks {tree.game.format_code(guess)!r:.80} again"
    return ""


def find_separable(rules: Rules, candidates: list[int]) -> tuple[int, int] | None:
    """Return two candidates that a question surely tells apart; None if there are none."""
    if len(candidates) ** 2 > MOST_PAIRS and rules.is_over(np.array(candidates)):
        return None
    assert rules.division is not None
    may_answer = rules.division.may_answer
    for one, other in combinations(candidates, 2):
        if rules.classes and rules.classes[one] == rules.classes[other]:
            continue
        for question in range(rules.n_questions):
            if set(may_answer(question, one)).isdisjoint(may_answer(question, other)):
                return one, other
    return None


Codes = NDArray[np.int32]
Sizes = NDArray[np.int64]

RESPONSES_PER_BLOCK = 1 << 20
"""Responses that are computed at a time: bounds the memory of a large game."""

_MASK = 2**64 - 1


class State(NamedTuple):
    """A node during a walk through a tree.

    `shares` is what is left of the candidates, if any is divided. `eligible` is what the rule
    allows, in the order of codes; it is not kept where a candidate is guessed outright. `key` is
    that of the random tie-break.
    """

    node: int
    candidates: Codes
    shares: NDArray[np.int64] | None
    eligible: Codes
    key: int


def count_comparisons(tree: Tree, strategy: Strategy) -> int:
    """Return the number of responses that `find_other_choice` computes for a whole tree."""
    sizes = tree.n_candidates[:].astype(np.int64)
    if tree.game.rules.shares is not None:
        # Plain Python takes as long for a share as for 60 responses.
        return 60 * int(sizes[~tree.is_leaf].sum()) * tree.game.rules.n_guesses
    sizes = sizes[sizes > _count_direct(tree.game, strategy)]
    if resolve_eligible(tree.game, strategy.eligible) == "candidates":
        return int((sizes * sizes).sum())
    # At most, for hints and consistent: what they leave is known only when it is played.
    return int(sizes.sum()) * tree.game.rules.n_guesses


def find_other_choice(tree: Tree, strategy: Strategy, on_progress: OnProgress | None = None) -> str:
    """Return a sentence on the first state whose guess is not the rule's choice; ``""`` if all are.

    The tree's structure is sound; its history is played first, and then the rule's opening does not
    apply. `on_progress` takes from time to time the number of nodes done, and of all.

    >>> from treegen import build
    >>> from treegen.strategies.strategy import parse_chain
    >>> find_other_choice(build("p3c3r", "entropy"), parse_chain("max,consistent,lowest"))
    'the tree is not that of its rule: the state after 20 guesses 122; the rule chooses 113'
    """
    chooser = _Chooser(tree.game, strategy)
    opening = [] if tree.provenance.history else chooser.list_openings(tree)
    for done, state in enumerate(_generate_states(tree, chooser)):
        PROCESS.check_stop()
        guess = int(tree.guess[state.node])
        if guess < tree.game.rules.first_guess:  # it is announced: there is nothing to choose
            continue
        chosen = chooser.choose(state, opening if state.node == 0 else [], guess)
        if chosen != guess:
            answers, game = write_answers(tree, state.node), tree.game
            verb = "guesses" if state.shares is None else "asks"
            return (
                f"the tree is not that of its rule: the state after {answers or 'no answers'}"
                f" {verb} {game.format_code(guess)}; the rule chooses {game.format_code(chosen)}"
            )
        if done % 64 == 0:
            report_count(on_progress, "checking the rule", done, tree.n_nodes)
    return ""


def _count_direct(game: Game, strategy: Strategy) -> int:
    """Return the largest number of candidates of which the first is guessed outright."""
    # A game of questions alone guesses none.
    return 1 if game.rules.first_guess else strategy.n_direct


def _generate_states(tree: Tree, chooser: _Chooser) -> Iterator[State]:
    """Yield the nodes in depth-first order with their candidates and what may be guessed."""
    game, history = tree.game, tree.provenance.history
    key = chooser.strategy.seed
    for guess, response in history:
        key = _mix(_mix(key, guess), response)
    candidates, shares = follow(game, history)
    eligible = chooser.sort(select_eligible(game, chooser.eligible, history))
    if shares is not None:  # a question that was asked may divide them again, and tells nothing
        eligible = eligible[~np.isin(eligible, [guess for guess, _ in history])]
    stack = [State(0, candidates, shares, eligible, key)]
    while stack:
        state = stack.pop()
        yield state
        children = tree.children(state.node)
        if not children:
            continue
        guess = int(tree.guess[state.node])
        spread = game.rules.spread(np.array([guess]), state.candidates, state.shares)
        candidates, shares = state.candidates[spread.source], spread.shares
        for child in reversed(children):  # the first comes off the stack first
            response = int(tree.response[child])
            is_here = spread.answers == response
            cell, parts = candidates[is_here], None if shares is None else shares[is_here]
            below = _mix(_mix(state.key, guess), response)
            # Each answer only forbids: what an earlier one did stays forbidden.
            codes = chooser.filter(state.eligible, guess, response, len(cell))
            codes = codes if parts is None else codes[codes != guess]
            stack.append(State(child, cell, parts, codes, below))


def _mix(key: int, value: int) -> int:
    """Return splitmix64's output: the generator of the random tie-break (docs/strategies.md)."""
    z = (key + 0x9E3779B97F4A7C15 * (value + 1)) & _MASK  # + 1: seed 0 and code 0 would give 0
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


MOST_LOGS = 1 << 20
"""Logarithms up to it are additive over prime factors; those of larger numbers are not."""


class Weigher:
    """Evaluates criteria of the cells of guesses, by what their candidates weigh."""

    def __init__(self, game: Game) -> None:
        self.game, weights = game, game.weights
        self.weights = np.ones(game.n_secrets, dtype=np.int64) if weights is None else weights
        # A state whose candidates all weigh 0 counts them: together at most all secrets.
        self.whole = max(int(self.weights.sum()), game.n_secrets)
        # As many bits as keep the weight times its logarithm below 2 ** 62.
        self.bits = min(ENTROPY_BITS, 62 - (self.whole * self.whole.bit_length()).bit_length())

    def find_best(
        self, criterion: Criterion, guesses: Codes, candidates: Codes
    ) -> NDArray[np.bool_]:
        """Return the best guesses by a criterion that uses weights; all of weight 0 count 1."""
        weights = self.weights[candidates]
        weights = weights if weights.any() else np.ones_like(weights)
        values = []
        for guess in guesses.tolist():
            cells = np.zeros(self.game.n_responses, dtype=np.int64)
            np.add.at(cells, self.game.respond(np.array([guess]), candidates), weights)
            values.append(self._evaluate(criterion, guess, cells[cells > 0].tolist()))
        best = min(values)
        return np.array([value == best for value in values])

    def _evaluate(self, criterion: Criterion, guess: int, weights: list[int]) -> Fraction:
        parts = sum(self._measure(criterion, weight) for weight in weights)
        if not criterion.is_per_cost:
            return Fraction(parts)
        gain = self._measure(criterion, sum(weights)) - parts
        # The cost is above 0: codes without one are not asked.
        return Fraction(-gain, int(self.game.costs[guess]))

    def _measure(self, criterion: Criterion, weight: int) -> int:
        if criterion.measure == Measure.POWER:
            return int(weight**criterion.power)
        return weight * find_log(weight, min(self.whole, MOST_LOGS), self.bits)


def find_log(number: int, largest: int, bits: int) -> int:
    """Return the logarithm of a number in multiples of 2 ** -bits, as in docs/strategies.md.

    >>> find_log(8, 10, 4), find_log(11, 10, 4), 11 - 2 ** (55 / 16) < 1
    (48, 55, True)
    """
    if number <= largest:
        return int(make_logs(largest, bits)[number])
    whole = number.bit_length() - 1
    scaled, log = (number << 30) >> whole, whole
    # Squaring a number between 1 and 2 doubles its logarithm: the next bit is 1 if that passes 2.
    for _ in range(bits):
        scaled = (scaled * scaled) >> 30
        log = 2 * log + (scaled >> 31)
        scaled >>= scaled >> 31
    return log


class _Chooser:
    """A strategy's choice among guesses, written from the definitions."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game, self.strategy = game, strategy
        self.eligible = resolve_eligible(game, strategy.eligible)
        self.ranks = strategy.code_ranks(game)
        self.n_direct = _count_direct(game, strategy)
        self.tables = [criterion.table(game.n_secrets) for criterion in strategy.criteria]
        self.weigher = Weigher(game) if uses_weights(strategy, game.rules) else None
        self.measure: Callable[[Codes, NDArray[np.int64]], float] | None = None
        if game.rules.shares is not None:
            criterion = read_share_criterion(strategy, game.rules)
            self.measure = partial(measure_shares, game.rules, criterion.share_measure)

    def sort(self, codes: Codes) -> Codes:
        """Return codes in the strategy's order of codes."""
        return codes[np.argsort(self.ranks[codes])]

    def filter(self, codes: Codes, guess: int, response: int, n_candidates: int) -> Codes:
        """Return the eligible guesses that may still follow one more guess."""
        if self.eligible == "all" or n_candidates <= self.n_direct:
            return codes
        return codes[
            may_follow(self.game, self.eligible, np.array(guess), np.array(response), codes)
        ]

    def list_openings(self, tree: Tree) -> list[int]:
        """Return the rule's first guesses that gain information."""
        secrets = np.arange(self.game.n_secrets, dtype=np.int32)
        return [
            code
            for code in self.strategy.opening_codes(self.game)
            if excludes_any(self.game, code, secrets)
            or self.game.n_secrets == 1  # where no guess gains any, and the opening is played
        ]

    def choose(self, state: State, opening: list[int], guess: int) -> int:
        """Return the guess for a state; if `opening` is not empty, one of it.

        Where figures are rounded and a given guess may be the best one, it is that.
        """
        candidates = state.candidates
        # With one candidate no guess makes two cells, so none could be chosen below.
        if opening and (len(opening) == 1 or len(candidates) == 1):
            return opening[0]
        if state.shares is not None:
            return self._choose_by_shares(state, state.shares, opening, guess)
        if not opening and len(candidates) <= self.n_direct:
            return int(self.sort(candidates)[0])
        eligible = np.array(opening, dtype=np.int32) if opening else state.eligible
        sizes = count_cells(self.game, eligible, candidates)
        tied = np.flatnonzero(np.count_nonzero(sizes, axis=1) > 1)  # those that gain information
        for criterion, table in zip(self.strategy.criteria, self.tables, strict=True):
            if self.weigher is not None and criterion.measure != Measure.NUMBER:
                tied = tied[self.weigher.find_best(criterion, eligible[tied], candidates)]
                continue
            tied = tied[_are_best(criterion, table, sizes[tied], self.game.win)]
        is_consistent = sizes[tied, self.game.win] > 0
        return int(eligible[tied[self._break_tie(is_consistent, state.key)]])

    def _choose_by_shares(
        self, state: State, shares: NDArray[np.int64], opening: list[int], guess: int
    ) -> int:
        """Return the first question after which the least is left.

        Bits of information are floats here: of questions that differ by less than their rounding,
        any is the rule's choice.
        """
        assert self.measure is not None
        [criterion], candidates, left = self.strategy.criteria, state.candidates, shares
        if len(candidates) == 1:
            return int(candidates[0])
        if not shares.any():
            shares = np.full(len(candidates), self.game.rules.share_unit)
        values, now = dict[int, float](), self.measure(candidates, shares)
        codes = state.eligible
        if not self.game.rules.first_guess:  # of equal guesses the one that wins most often counts
            heavy = candidates[np.argsort(-left, kind="stable")]
            codes = np.concatenate((heavy, codes[codes >= self.game.n_secrets]))
        for code in opening or codes.tolist():
            if not excludes_any(self.game, code, candidates):
                continue
            spread = self.game.rules.spread(np.array([code]), candidates, shares)
            assert spread.shares is not None
            asked, values[code] = candidates[spread.source], 0
            for answer in np.unique(spread.answers[spread.answers != self.game.win]):
                cell = spread.answers == answer
                values[code] += self.measure(asked[cell], spread.shares[cell])
            if criterion.is_per_cost:
                values[code] = (values[code] - now) / int(self.game.costs[code])
        best = min(values, key=lambda code: values[code])
        is_rounded = criterion.share_measure == ShareMeasure.INFORMATION or criterion.is_per_cost
        slack = 1e-3 * int(shares.sum()) if is_rounded else 0
        return guess if values[best] < values.get(guess, math.inf) <= values[best] + slack else best

    def _break_tie(self, is_consistent: NDArray[np.bool_], key: int) -> int:
        """Return the index of the chosen one among guesses that tie in every criterion."""
        tie_break = self.strategy.tie_break
        if tie_break == "random":
            return _mix(key, 0) % len(is_consistent)
        if tie_break == "highest":
            return len(is_consistent) - 1
        if tie_break == "highest-consistent" and is_consistent.any():
            return int(np.flatnonzero(is_consistent)[-1])
        return 0  # guesses are in the order of codes, or of the opening


def count_cells(game: Game, guesses: Codes, candidates: Codes) -> Sizes:
    """Return the number of candidates for each guess and response, int64[guesses, responses]."""
    n_responses = game.n_responses
    sizes = np.zeros((len(guesses), n_responses), dtype=np.int64)
    step = max(1, RESPONSES_PER_BLOCK // max(1, len(candidates)))
    for begin in range(0, len(guesses), step):
        block = guesses[begin : begin + step]
        replies = game.rules.respond(block[:, None], candidates[None, :])
        # One number for guess and response, so that all guesses are counted at once.
        replies += n_responses * np.arange(len(block))[:, None]
        counts = np.bincount(replies.ravel(), minlength=n_responses * len(block))
        sizes[begin : begin + step] = counts.reshape(len(block), n_responses)
    return sizes


def _are_best(
    criterion: Criterion, table: NDArray[np.int64], sizes: Sizes, win: int
) -> NDArray[np.bool_]:
    """Return for each row of cell sizes whether it has the least value of a criterion."""
    if criterion.function:
        cells = [sorted(filter(None, row), reverse=True) for row in sizes.tolist()]
        found = [apply_function(criterion, tuple(row)) for row in cells]
        best = min(found)
        return np.array([value == best for value in found], dtype=bool)
    if criterion.kind == CriterionKind.DESCENDING:
        is_best = np.ones(len(sizes), dtype=bool)
        for column in -np.sort(-sizes, axis=1).T:  # a later column only decides between equal rows
            is_best &= column == column[is_best].min()
        return is_best
    values = _evaluate(criterion, table, sizes, win)
    return np.asarray(values == values.min())


def _evaluate(
    criterion: Criterion, table: NDArray[np.int64], sizes: Sizes, win: int
) -> NDArray[np.int64]:
    """Return a criterion's value of each row of cell sizes; less is better."""
    largest: NDArray[np.int64] = sizes.max(axis=1)
    if criterion.kind == CriterionKind.LARGEST:
        return largest
    if criterion.kind == CriterionKind.SUM:
        return np.asarray(table[sizes].sum(axis=1))
    may_win = np.asarray(sizes[:, win] > 0, dtype=np.int64)
    if criterion.kind == CriterionKind.CONSISTENT:
        return -may_win
    if criterion.kind == CriterionKind.REMOVALS:  # surely gone: all but the largest cell
        return np.asarray(largest - sizes.sum(axis=1) - may_win)
    raise StrategyError(f"the criterion {criterion.name!r} has no definition here to be checked by")


def measure_shares(
    rules: Rules, of: ShareMeasure, candidates: Codes, shares: NDArray[np.int64]
) -> float:
    """Return a measure of some candidates with their shares."""
    total = int(shares.sum())
    if of == ShareMeasure.EXPECTED_LEFT:
        return total * len(candidates)
    if of == ShareMeasure.SEPARABLE_PAIRS:
        assert rules.division is not None
        rows = rules.division.separable[candidates].astype("<u8").view(np.uint8)
        bits = np.unpackbits(rows, axis=1, bitorder="little")
        return total * (int(bits[:, candidates].sum()) // 2)
    known = dict[str | int, int]()
    for candidate, share in zip(candidates.tolist(), shares.tolist(), strict=True):
        name = rules.classes[candidate] if rules.classes else candidate
        known[name] = known.get(name, 0) + share
    bits_known = sum(share * math.log2(share) for share in known.values() if share)
    return total * math.log2(max(total, 1)) - bits_known
