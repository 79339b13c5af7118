"""What a tree's guess costs compared with the best guess of its state, by exact search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._printing import Block, Paragraph, Printable
from ..errors import TreeError, UsageError
from ..exact import GuessTotals, SearchSpec, cost_guesses, is_weighted, solve
from ..games import is_rule_of_play, resolve_eligible
from ..tree import History, Tree, cut_at, history_of, select_candidates

MAX_PAIRS = 4_000_000
"""The most pairs of candidate and guess that a state may have: the search takes seconds."""

MAX_WEIGHTED = 128
"""The most candidates with weights, costs or the goal to identify, where no symmetry helps."""


@dataclass(frozen=True, slots=True)
class GuessCost(Printable):
    """A state's guess compared with the best one, lengths counted from the state.

    Attributes
    ----------
    n_candidates
        Candidates of the state.
    guess, best
        The tree's guess, and a guess that is proved to be the best.
    total_tree
        Sum of the lengths in the tree.
    total_guess
        The least sum that begins with the tree's guess.
    total_best
        The least sum of all.

    Examples
    --------
    >>> import treegen
    >>> cost = treegen.explain(treegen.build("p2c3r"), exact=True)
    >>> cost.guess, cost.total_guess, cost.best, cost.total_best
    ('11', 24, '12', 21)
    """

    n_candidates: int
    guess: str
    best: str
    total_tree: int
    total_guess: int
    total_best: int

    @property
    def is_best(self) -> bool:
        """Whether no guess is better than the tree's."""
        return self.total_guess == self.total_best

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        fields = asdict(self)
        return {"candidates": fields.pop("n_candidates"), **fields}

    def describe(self) -> Iterator[Block]:
        """Yield the totals, and which guess is better."""
        yield Paragraph(f"{self.n_candidates} candidates; the tree guesses {self.guess}")
        rows = [
            (self.best, self.total_best, "the best guess"),
            (self.guess, self.total_guess, "the tree's guess, the best play behind it"),
            (self.guess, self.total_tree, "the tree's guess, as the tree plays on"),
        ]
        for guess, total, what in rows[self.is_best :]:
            loss = f" (+{total - self.total_best})" if total > self.total_best else ""
            yield Paragraph(f"{guess}  total {total}{loss}: {what}", "  ")
        verdict = "no guess is better" if self.is_best else f"{self.best} is better"
        yield Paragraph(f"{verdict}: proved by exact search of the least total", "  ")


def cost_guess(tree: Tree, node: int = 0) -> GuessCost:
    """Return what a state's guess costs compared with the best possible guess.

    Where the tree states a rule of play, such as hard mode, that rule says what is possible.
    ``eligible=candidates`` is none: it binds the strategy, and all guesses are compared.

    Parameters
    ----------
    tree
        Any tree; it need not have a rule.
    node
        The state.

    Raises
    ------
    UsageError
        The state is too large: more than `MAX_PAIRS` pairs of candidate and guess, or, with
        weights, costs or the goal to identify, more than `MAX_WEIGHTED` candidates.
    StrategyError
        The game is too large for the search's tables.

    Examples
    --------
    >>> from treegen.api import build
    >>> cost = cost_guess(build("p3c4r", "knuth"))
    >>> cost.guess, cost.best, cost.total_guess - cost.total_best
    ('123', '112', 2)
    """
    game = tree.game
    history = (*tree.provenance.history, *history_of(tree, node))
    candidates = select_candidates(game, history)
    guess = int(tree.guess[node])
    found, total = _find_totals(tree, history, candidates, guess), cut_at(tree, node).total
    if not found.total_best <= found.total_guess <= total:
        raise TreeError(
            f"{game.name}: internal error: the search proves the total {found.total_best}, and"
            f" {found.total_guess} with the tree's guess, whose tree has {total}; please report the"
            " command"
        )
    return GuessCost(
        len(candidates),
        game.format_code(guess),
        game.format_code(found.best),
        total,
        found.total_guess,
        found.total_best,
    )


def _find_totals(
    tree: Tree, history: History, candidates: NDArray[np.int32], guess: int
) -> GuessTotals:
    """Return the least totals of a state."""
    game, spec = tree.game, _make_spec(tree, history)
    _check_size(len(candidates), game.n_guesses)
    if not is_weighted(game):
        best = solve(game, candidates, spec)
        least = _find_least(tree, guess, candidates, history)
        return GuessTotals(int(best.guess[0]), best.total, least)
    if is_rule_of_play(resolve_eligible(game, spec.eligible)):
        raise UsageError(
            f"the tree keeps to eligible={spec.eligible}, which no search does with weights, costs"
            " or the goal to identify; treegen explain -s RULE explains it by a rule"
        )
    if len(candidates) > MAX_WEIGHTED:
        raise UsageError(
            f"the state is too large for an exact search with weights, costs or the goal to"
            f" identify: {len(candidates):,} candidates are more than {MAX_WEIGHTED}; go deeper"
            " (--path), or give a rule to judge by (-s)"
        )
    return cost_guesses(game, candidates, guess, candidates_only=spec.is_for_candidates(game))


def _make_spec(tree: Tree, history: History) -> SearchSpec:
    """Return the search of a tree's state: by the tree's rule of play, if it states one."""
    eligible = tree.provenance.eligible
    return SearchSpec(history=history, eligible=eligible if is_rule_of_play(eligible) else "all")


def _check_size(n_candidates: int, n_codes: int) -> None:
    if n_candidates * n_codes > MAX_PAIRS:
        raise UsageError(
            f"the state is too large for an exact search: {n_candidates:,} candidates times"
            f" {n_codes:,} guesses are more than {MAX_PAIRS:,}; go deeper (--path), or give a rule"
            " to judge by (-s)"
        )


def _find_least(tree: Tree, guess: int, candidates: NDArray[np.int32], history: History) -> int:
    """Return the least sum of lengths that begins with a guess."""
    game = tree.game
    responses = game.respond(np.full(len(candidates), guess), candidates)
    total = len(candidates)
    for reply in np.unique(responses):
        if reply != game.win:
            behind = (*history, (guess, int(reply)))
            total += solve(game, candidates[responses == reply], _make_spec(tree, behind)).total
    return total
