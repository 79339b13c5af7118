"""Where two trees of one game differ, state by state, and what it costs.

Two trees are walked together from the root. Where the guesses are equal, the states after each
answer are compared; where they differ, the walk stops and the pair of states is a *difference*. Up
to symmetry, guesses count as equal if a renaming of pegs and colors that keeps the history maps one
to the other. Every state may use another renaming, since all of them are equivalent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from .._options import check_whole, describe_parameters
from .._printing import Block, Listed, Paragraph, Printable, Tabular
from ..errors import StrategyError, UsageError
from ..formats.tree_file import TreeSource, read
from ..games.base import Game
from ..games.codebook import unite
from ..games.histories import format_history
from ..games.renaming import FREE, extend_renaming
from ..games.rules import Weight, weigh, write_weights
from ..strategies.strategy import Strategy, parse_chain, parse_rule
from ..tree.tree import Tree
from ..tree.walk import history_of, measure_states, write_answers
from .evaluation import Evaluation, evaluate_state, write_cells
from .options import DIFF
from .statistics import count_in_shares

MAX_PEGS = 8
"""The most pegs whose orders are tried: 40,320 of them."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """An order of the pegs, and what each color becomes as far as it is determined.

    `pegs` has the position in the second code of each peg of the first; `colors` what each color of
    the first code is in the second, `FREE` if undetermined.
    """

    pegs: tuple[int, ...]
    colors: tuple[int, ...]

    def extend(self, first: list[int], second: list[int]) -> Renaming | None:
        """Return the renaming that also maps a code to another; None if none does."""
        colors = list(self.colors)
        moved = [second[place] for place in self.pegs]  # back in the first code's order of pegs
        if not extend_renaming(colors, range(len(moved)), first, moved):
            return None
        return Renaming(self.pegs, tuple(colors))


def list_renamings(game: Game, *, symmetric: bool = True) -> list[Renaming]:
    """Return the renamings that a game allows before any guess, or only the identity.

    UsageError if the game has too many pegs to try all their orders.
    """
    identity = tuple(range(game.n_pegs))
    fixed = tuple(range(game.n_colors))
    if not symmetric:
        return [Renaming(identity, fixed)]
    symmetry = game.rules.symmetry
    if symmetry.pegs and game.n_pegs > MAX_PEGS:
        raise UsageError(
            f"{game.n_pegs} pegs have too many orders to try; at most {MAX_PEGS} can be"
        )
    orders = permutations(identity) if symmetry.pegs else [identity]
    colors = (FREE,) * game.n_colors if symmetry.colors else fixed
    return [Renaming(tuple(order), colors) for order in orders]


def match_guesses(game: Game, renamings: list[Renaming], first: int, second: int) -> list[Renaming]:
    """Return the renamings, extended, that turn one guess into the other."""
    a, b = game.codes[first].tolist(), game.codes[second].tolist()
    return [found for renaming in renamings if (found := renaming.extend(a, b)) is not None]


def _move(tree: Tree, game: Game) -> Tree:
    """Return a tree with its guesses as words of another list."""
    place = {game.format_code(code): code for code in range(game.n_codes)}
    words = map(tree.game.format_code, range(tree.game.n_codes))
    index = np.array([place[word] for word in words], dtype=np.int32)
    history = tuple((int(index[guess]), reply) for guess, reply in tree.provenance.history)
    provenance = replace(tree.provenance, history=history)
    return replace(tree, game=game, provenance=provenance, guess=index[tree.guess])


COMMON_CHAIN = "max,expected,entropy,parts,consistent,lowest"
"""The criteria that are shown if a tree has no rule."""

HEAVY_CHAIN = "entropy,parts,consistent,lowest"
"""Those of a game with weights, whose squares may pass 64 bits."""

SHARE_CHAINS = ("separable-pairs", "expected-left", "information")
"""Those of a table with uncertain answers or classes, where a rule has one criterion."""


@dataclass(frozen=True, slots=True)
class Side:
    """One tree's part in a difference.

    Attributes
    ----------
    node
        The state.
    guess
        The written guess.
    cells
        Sizes of the non-empty cells, the largest first; a win counts as a cell.
    total, worst
        Sum and longest of the games from this state on, by weights and costs.
    """

    node: int
    guess: str
    cells: list[int]
    total: Weight
    worst: int


@dataclass(frozen=True, slots=True)
class Difference(Printable):
    """A state in which two trees guess differently for the first time.

    Attributes
    ----------
    answers
        The answers that lead there, ``00/11``; the same in both trees.
    history
        Guesses and answers in the first tree, ``1122:00/3345:11``.
    n_candidates
        Candidates of the state.
    a, b
        What each tree does.
    reasons
        For each tree's rule, or the usual criteria, what decides between the two guesses.
    unit
        How many shares a weight of 1 has in JSON, where answers are uncertain; else 1.

    Examples
    --------
    >>> import treegen
    >>> trees = [treegen.build("p2c3r", name) for name in ("knuth", "entropy")]
    >>> first = treegen.diff(*trees).differences[0]
    >>> first.n_candidates, first.a.guess, first.b.guess
    (9, '11', '12')
    """

    answers: str
    history: str
    n_candidates: int
    a: Side
    b: Side
    reasons: list[str]
    unit: int = 1

    def to_dict(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        return count_in_shares(self._list_figures(), self.unit)

    def list_row(self) -> dict[str, Any]:
        """Return the line of a table, of the trees a and b."""
        row = self._list_figures() | {"reasons": "; ".join(self.reasons)}
        for name in ("guess", "total", "worst", "cells"):
            row[f"{name}_a"], row[f"{name}_b"] = row[name]
        return {name: row[name] for name in Diff.columns}

    def _list_figures(self) -> dict[str, Any]:
        return {
            "answers": self.answers,
            "history": self.history,
            "candidates": self.n_candidates,
            "guess": [self.a.guess, self.b.guess],
            "cells": [self.a.cells, self.b.cells],
            "total": [self.a.total, self.b.total],
            "worst": [self.a.worst, self.b.worst],
            "reasons": self.reasons,
        }

    def describe(self) -> Iterator[Block]:
        """Yield the state, what each tree does there, and what it costs."""
        yield Paragraph(f"{self.history or 'at the root'}: {self.n_candidates} candidates")
        for name, side in (("A", self.a), ("B", self.b)):
            total, cells = write_weights([side.total]), write_cells(side.cells)
            figures = f"total {total}, worst {side.worst}, cells {cells}"
            yield Paragraph(f"{side.guess}  {figures}", f"  {name} ")
        worse = f"{self.b.worst - self.a.worst:+d} in worst"
        more = self.b.total - self.a.total
        written = f"{'-' if more < 0 else '+'}{write_weights([abs(more)])}"
        yield Paragraph(f"B costs {written} in total, {worse}", "  ")
        for reason in self.reasons:
            yield Paragraph(reason, "  ")


@dataclass(frozen=True, slots=True)
class Diff(Tabular, Listed[Difference]):
    """The outcome of a comparison.

    Attributes
    ----------
    n_equal
        States of both trees in which the guesses are equal.
    differences
        The pairs of states where they first differ, sorted by the difference in total, then in
        worst, then by depth.
    totals, worsts
        Of the whole trees.
    is_by_words
        Whether the trees are of two word lists, which were compared as words.
    is_symmetric
        Whether guesses that a renaming of pegs and colors exchanges counted as equal.
    n_shown
        At most this many differences are printed; None: all.
    unit
        How many shares a weight of 1 has in JSON, where answers are uncertain; else 1.

    Examples
    --------
    >>> import treegen
    >>> found = treegen.diff(treegen.build("p2c3r"), treegen.build("p2c3r", "entropy"))
    >>> found.totals, found.n_equal
    ((24, 21), 0)
    """

    n_equal: int
    differences: list[Difference]
    totals: tuple[Weight, Weight]
    worsts: tuple[int, int]
    is_by_words: bool = False
    is_symmetric: bool = False
    n_shown: int | None = None
    unit: int = 1

    columns = (
        *("answers", "history", "candidates", "guess_a", "guess_b", "total_a", "total_b"),
        *("worst_a", "worst_b", "cells_a", "cells_b", "reasons"),
    )

    def _list(self) -> Sequence[Difference]:
        return self.differences

    @property
    def is_equal(self) -> bool:
        """Whether the trees are the same."""
        return not self.differences

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison for JSON, with all differences."""
        row = {
            "equal": self.is_equal,
            "by_words": self.is_by_words,
            "equal_states": self.n_equal,
            "total": list(self.totals),
            "worst": list(self.worsts),
            "differences": [item.to_dict() for item in self.differences],
        }
        return count_in_shares(row, self.unit)

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each difference, of the trees a and b."""
        return [item.list_row() for item in self.differences]

    def describe(self) -> Iterator[Block]:
        """Yield whether the trees are the same, and where they part."""
        if self.is_by_words:
            yield Paragraph("two word lists with the same secrets: guesses are compared as words")
        if self.is_equal:
            how = " up to a renaming of pegs and colors" if self.is_symmetric else ""
            total = write_weights(self.totals[:1])
            yield Paragraph(f"the same tree{how}: {self.n_equal} states, total {total}")
            return
        total_a, total_b = (write_weights([total]) for total in self.totals)
        worst_a, worst_b = self.worsts
        yield Paragraph(f"A total {total_a}, worst {worst_a}; B total {total_b}, worst {worst_b}")
        n_parted = len(self.differences)
        states = "state" if self.n_equal == 1 else "states"
        yield Paragraph(f"{self.n_equal} {states} alike; the trees part in {n_parted}")
        for item in self.differences[: self.n_shown]:
            yield Paragraph("")
            yield from item.describe()
        if self.n_shown is not None and n_parted > self.n_shown:
            yield Paragraph(f"… {n_parted - self.n_shown} more (--limit, or --json for all)")


@partial(describe_parameters, declared=DIFF)
def diff(
    first: TreeSource, second: TreeSource, *, symmetric: bool = False, limit: int | None = 10
) -> Diff:
    """Return the differences between two trees of one game, with their costs.

    Parameters
    ----------
    first, second
        The trees, or their files. Two codebooks with the same secrets are allowed: guesses are
        compared as words.
    {options}

    Raises
    ------
    UsageError
        They are of different games, of codebooks with other secrets, or begin after different
        guesses.
    FormatError
        A file cannot be read or is damaged.

    Examples
    --------
    >>> import treegen
    >>> knuth, parts = treegen.build("p3c4r", "knuth"), treegen.build("p3c4r", "most-parts")
    >>> found = treegen.diff(knuth, parts)
    >>> found.is_equal, found.totals
    (False, (216, 208))
    """
    a, b = read(first), read(second)
    check_whole(0, limit=limit)
    is_one_game = a.game.rules.digest_name == b.game.rules.digest_name
    if a.game != b.game:  # also an excerpt of a codebook and the whole one
        game = unite(a.game, b.game)
        a, b = _move(a, game), _move(b, game)
    answers_a, answers_b = ([reply for _, reply in t.provenance.history] for t in (a, b))
    if answers_a != answers_b or (not symmetric and a.provenance.history != b.provenance.history):
        raise UsageError("the trees begin after different guesses and answers")
    pairs, n_equal = _walk(a, b, symmetric=symmetric)
    describe = _Describer(a, b, is_one_game=is_one_game)
    pairs.sort(key=describe.rank)  # stable: of equal ones the one nearest to the root comes first
    return Diff(
        n_equal,
        [
            # Reasons take time: each state is reached and evaluated anew.
            describe.describe(node_a, node_b, with_reasons=limit is None or number < limit)
            for number, (node_a, node_b) in enumerate(pairs)
        ],
        (a.total, b.total),
        (a.worst, b.worst),
        not is_one_game,
        symmetric,
        limit,
        a.game.rules.share_unit,
    )


def _walk(a: Tree, b: Tree, *, symmetric: bool) -> tuple[list[tuple[int, int]], int]:
    """Return the pairs of states where the trees differ, and how many states are equal."""
    renamings = list_renamings(a.game, symmetric=symmetric)
    for (guess_a, _), (guess_b, _) in zip(a.provenance.history, b.provenance.history, strict=True):
        renamings = match_guesses(a.game, renamings, guess_a, guess_b)
    if not renamings:
        raise UsageError("no renaming turns the guesses before one tree into those of the other")
    parted: list[tuple[int, int]] = []
    n_equal = 0
    pending: deque[tuple[int, int, list[Renaming]]] = deque([(0, 0, renamings)])
    while pending:
        node_a, node_b, left = pending.popleft()
        left = match_guesses(a.game, left, int(a.guess[node_a]), int(b.guess[node_b]))
        if not left:
            parted.append((node_a, node_b))
            continue
        n_equal += 1
        # Equal guesses divide equal candidates into equal cells, so the children pair off.
        pending.extend(
            (child_a, child_b, left)
            for child_a, child_b in zip(a.children(node_a), b.children(node_b), strict=True)
        )
    return parted, n_equal


class _Describer:
    """Describes a pair of states in words and numbers."""

    def __init__(self, a: Tree, b: Tree, *, is_one_game: bool) -> None:
        self.trees = (a, b)
        self.is_one_game = is_one_game
        self.figures = tuple(map(measure_states, self.trees))
        self.rules = [_find_rule(tree) for tree in self.trees]

    def rank(self, pair: tuple[int, int]) -> tuple[int, int]:
        """Return the sort key of a difference: the costliest comes first."""
        (total_a, worst_a), (total_b, worst_b) = map(self._measure, (0, 1), pair)
        return -abs(total_b - total_a), -abs(worst_b - worst_a)

    def describe(self, node_a: int, node_b: int, *, with_reasons: bool) -> Difference:
        """Return the difference of two states."""
        a, game = self.trees[0], self.trees[0].game
        history = (*a.provenance.history, *history_of(a, node_a))
        return Difference(
            answers=write_answers(a, node_a),
            history=format_history(game.notation, history),
            n_candidates=int(a.n_candidates[node_a]),
            a=self._describe_side(0, node_a),
            b=self._describe_side(1, node_b),
            reasons=self._find_reasons(node_a, node_b) if with_reasons else [],
            unit=game.rules.share_unit,
        )

    def _measure(self, which: int, node: int) -> tuple[int, int]:
        """Return the sum and the longest of the games from a state on, by weights and costs."""
        totals, worsts = self.figures[which]
        return int(totals[node]), int(worsts[node])

    def _describe_side(self, which: int, node: int) -> Side:
        tree = self.trees[which]
        total, worst = self._measure(which, node)
        cells: list[int] = tree.n_candidates[list(tree.children(node))].tolist()
        return Side(
            node,
            tree.game.format_code(int(tree.guess[node])),
            sorted(cells + [1] * bool(tree.is_winning[node]), reverse=True),  # a win has no node
            weigh(total, tree.game.rules.share_unit),
            worst,
        )

    def _find_reasons(self, node_a: int, node_b: int) -> list[str]:
        """Return the reasons why each tree's rule prefers its guess."""
        tree, other = self.trees
        history = (*tree.provenance.history, *history_of(tree, node_a))
        guesses = (int(tree.guess[node_a]), int(other.guess[node_b]))
        if (*other.provenance.history, *history_of(other, node_b)) != history:
            # Equal only up to symmetry: the guesses belong to different candidates.
            return []
        rules = [(name, rule) for name, rule in zip("AB", self.rules, strict=True) if rule]
        if len(rules) == 2 and rules[0][1] == rules[1][1]:
            rules = [("A and B", rules[0][1])]
        reasons = [
            f"by the rule of {name} ({rule.chain}): "
            + _decide(
                evaluate_state(tree.game, rule, history, guesses), is_one_game=self.is_one_game
            )
            for name, rule in rules
            if rule is not None
        ]
        if reasons:
            return reasons
        chains = [HEAVY_CHAIN if tree.game.weights is not None else COMMON_CHAIN]
        if tree.game.rules.shares is not None:
            chains = list(SHARE_CHAINS)
        figures = list[str]()
        for chain in chains:
            common = evaluate_state(tree.game, parse_chain(chain), history, guesses)
            figures += [
                f"{criterion.name} {common.describe(0, number)} / {common.describe(1, number)}"
                for number, criterion in enumerate(common.strategy.criteria)
            ]
        return [f"no rule is known; {', '.join(figures)}"]


def _find_rule(tree: Tree) -> Strategy | None:
    try:
        return parse_rule(tree.provenance.rule, tree.provenance.strategy)
    except StrategyError:
        return None


def _decide(evaluation: Evaluation, *, is_one_game: bool) -> str:
    """Return the first criterion in which two guesses differ, and which guess it favors."""
    figures: list[str] = []
    for number, criterion in enumerate(evaluation.strategy.criteria):
        first, stop = evaluation.starts[number : number + 2]
        ours, theirs = (evaluation.describe(row, number) for row in (0, 1))
        one, other = evaluation.values[:, first:stop].tolist()
        if one != other:  # lists, as next-largest has a column for each cell
            winner = "A" if one < other else "B"
            return ", ".join([*figures, f"{criterion.name} {ours} against {theirs}, so {winner}"])
        figures.append(f"{criterion.name} {ours} in both")
    # Two word lists may be in different orders.
    tie = _break_tie(evaluation) if is_one_game else "then the order of each word list"
    return ", ".join([*figures, tie])


def _break_tie(evaluation: Evaluation) -> str:
    """Return the tie-break in words: which of two tied guesses the order of codes puts first."""
    tie_break = evaluation.strategy.tie_break
    ours, theirs = evaluation.rule.ranks[evaluation.guesses].tolist()
    if tie_break == "lowest":
        return f"then lowest, so {'A' if ours < theirs else 'B'}"
    if tie_break == "highest":
        return f"then highest, so {'A' if ours > theirs else 'B'}"
    return f"then {tie_break}"
