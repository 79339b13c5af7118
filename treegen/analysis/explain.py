"""Why a state's guess is chosen: the best guesses with their values, tie by tie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .._options import check_whole
from .._printing import Block, Column, Paragraph, Printable, Table
from ..errors import GameError, UsageError
from ..strategies import Strategy, describe_tie_break, parse_rule
from ..tree import Tree, history_of
from .evaluation import Evaluation, evaluate_state, write_cells


@dataclass(frozen=True, slots=True)
class Stage:
    """The effect of one criterion.

    Attributes
    ----------
    criterion
        Its name.
    best
        The best value, in the criterion's own unit.
    n_before, n_left
        Guesses before it, and those as good as the best.
    """

    criterion: str
    best: str
    n_before: int
    n_left: int


@dataclass(frozen=True, slots=True)
class RankedGuess:
    """A guess with its values.

    Attributes
    ----------
    rank
        Place by the rule, the best being 1.
    guess
        The written guess.
    figures
        For each criterion its value.
    cells
        The sizes of the non-empty cells, the largest first.
    """

    rank: int
    guess: str
    figures: dict[str, str]
    cells: list[int]


@dataclass(frozen=True, slots=True)
class Explanation(Printable):
    """Why a rule chooses a guess in a state, and what the tree guesses there.

    Attributes
    ----------
    strategy, rule
        Name and exact rule.
    n_candidates
        Candidates of the state.
    guess
        What the tree guesses.
    chosen
        What the rule chooses.
    stages
        What each criterion leaves, in the order of the chain.
    verdict
        Sentences: the tie-break, and why another guess than the tree's would be chosen.
    top
        The best guesses; the tree's own comes last if it is not among them.

    Examples
    --------
    >>> import treegen
    >>> why = treegen.explain(treegen.build("p2c3r"), path="00")
    >>> why.guess, why.n_candidates, why.stages[0].best
    ('22', 4, '2')
    """

    strategy: str
    rule: str
    n_candidates: int
    guess: str
    chosen: str
    stages: list[Stage]
    verdict: list[str]
    top: list[RankedGuess]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation for JSON."""
        return {
            "strategy": self.strategy,
            "rule": self.rule,
            "candidates": self.n_candidates,
            "guess": self.guess,
            "chosen": self.chosen,
            "stages": [
                {"criterion": s.criterion, "best": s.best, "before": s.n_before, "left": s.n_left}
                for s in self.stages
            ],
            "verdict": self.verdict,
            "top": [
                {"rank": row.rank, "guess": row.guess, **row.figures, "cells": row.cells}
                for row in self.top
            ],
        }

    def describe(self) -> Iterator[Block]:
        """Yield the rule, what each criterion leaves, the verdict, and the best guesses."""
        yield Paragraph(f"{self.strategy}: {self.rule}")
        yield Paragraph(f"{self.n_candidates} candidates; the tree guesses {self.guess}")
        for stage in self.stages:
            left = f"{stage.n_left} of {stage.n_before} guesses"
            yield Paragraph(f"{stage.criterion}: best {stage.best}; {left}", "  ")
        for sentence in self.verdict:
            yield Paragraph(sentence, "  ")
        if self.top:
            names = ("rank", "guess", *self.top[0].figures)
            yield Table(
                [*map(Column, names), Column("cells", 1, is_text=True)],
                [
                    [str(row.rank), row.guess, *row.figures.values(), write_cells(row.cells)]
                    for row in self.top
                ],
            )


def explain_node(
    tree: Tree, node: int = 0, strategy: Strategy | None = None, n_top: int = 10
) -> Explanation:
    """Explain why a state's guess is the best by a rule, or which one would be.

    Parameters
    ----------
    tree
        Any tree.
    node
        The state.
    strategy
        The rule to judge by; the tree's own if None.
    n_top
        How many guesses are shown.

    Raises
    ------
    UsageError
        The tree has no rule and no strategy is given.
    StrategyError
        The tree's rule is unknown.

    Examples
    --------
    >>> from treegen.api import build
    >>> explanation = explain_node(build("p4c6r", "knuth"))
    >>> [(stage.criterion, stage.best, stage.n_left) for stage in explanation.stages]
    [('max', '256', 90), ('consistent', 'yes', 90)]
    >>> explanation.verdict
    ['lowest: 1122 is the first of 90 that tie']
    """
    check_whole(top=n_top)
    strategy = strategy or find_rule(tree)
    history = (*tree.provenance.history, *history_of(tree, node))
    evaluation = evaluate_state(tree.game, strategy, history)
    guess = int(tree.guess[node])
    return Explanation(
        strategy.name,
        strategy.rule,
        len(evaluation.candidates),
        tree.game.format_code(guess),
        tree.game.format_code(evaluation.best),
        _list_stages(evaluation),
        _judge(evaluation, guess),
        _list_top(evaluation, guess, n_top),
    )


def has_rule(tree: Tree) -> bool:
    """Whether a tree states the rule of its guesses: imported and optimal ones do not."""
    rule = tree.provenance.rule
    return rule.startswith("eligible=") and "chain=" in rule


def find_rule(tree: Tree) -> Strategy:
    """Return the strategy by which a tree says it was built; raise UsageError if it does not."""
    if not has_rule(tree):
        raise UsageError(
            f"the tree ({tree.provenance.strategy}) does not state a rule:"
            " give the strategy to judge by (-s)"
        )
    return parse_rule(tree.provenance.rule, tree.provenance.strategy)


def _list_stages(evaluation: Evaluation) -> list[Stage]:
    if evaluation.is_direct:
        return []
    stages = evaluation.stages
    return [
        Stage(criterion.name, evaluation.describe(int(after[0]), number), len(before), len(after))
        for number, (criterion, before, after) in enumerate(
            zip(evaluation.strategy.criteria, stages, stages[1:], strict=False)
        )
    ]


def _judge(evaluation: Evaluation, guess: int) -> list[str]:
    """Return how the tie is broken, and why the tree's guess is not the rule's."""
    game, strategy = evaluation.game, evaluation.strategy
    best, n_left = evaluation.best, len(evaluation.candidates)
    if evaluation.is_direct:
        few = "one candidate is" if n_left == 1 else f"{n_left} candidates are"
        verdict = [f"{few} left: the first is guessed"]
    else:
        n_tied = len(evaluation.stages[-1])
        verdict = [f"no tie: {game.format_code(best)} alone is left"]
        if n_tied > 1:
            place = {"lowest": "the first", "highest": "the last"}.get(strategy.tie_break)
            place = place or f"chosen ({describe_tie_break(strategy.tie_break)})"
            verdict = [
                f"{strategy.tie_break}: {game.format_code(best)} is {place} of {n_tied} that tie"
            ]
    if guess != best:
        verdict.append(_compare_with_best(evaluation, guess, best))
    return verdict


def _compare_with_best(evaluation: Evaluation, guess: int, best: int) -> str:
    """Return the criterion by which a guess is worse than the rule's choice."""
    game, strategy = evaluation.game, evaluation.strategy
    words = f"the tree guesses {game.format_code(guess)}, the rule {game.format_code(best)}"
    try:
        row, best_row = evaluation.row_of(guess), evaluation.row_of(best)
    except GameError as error:
        return f"{words}: {error}"
    if not evaluation.is_useful[row]:
        return f"{words}: the first leaves all candidates in one cell"
    for number, criterion in enumerate(strategy.criteria):
        first, stop = evaluation.starts[number : number + 2]
        if (evaluation.values[row, first:stop] != evaluation.values[best_row, first:stop]).any():
            ours, theirs = (evaluation.describe(at, number) for at in (row, best_row))
            return f"{words}: {criterion.name} is {ours} against {theirs}"
    return f"{words}: they tie, and {strategy.tie_break} decides"


def _list_top(evaluation: Evaluation, guess: int, n_top: int) -> list[RankedGuess]:
    ranked = evaluation.rank_rows()
    shown = list(enumerate(ranked[:n_top], start=1))
    shown += [
        (rank, row)
        for rank, row in enumerate(ranked, start=1)
        if rank > n_top and evaluation.guesses[row] == guess
    ]
    return [
        RankedGuess(
            rank,
            evaluation.game.format_code(int(evaluation.guesses[row])),
            {
                criterion.name: evaluation.describe(row, number)
                for number, criterion in enumerate(evaluation.strategy.criteria)
            },
            sorted(filter(None, evaluation.sizes[row].tolist()), reverse=True),
        )
        for rank, row in shown
    ]
