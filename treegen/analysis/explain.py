"""Why a state's guess is chosen: the best guesses with their values, tie by tie."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._options import check_whole, describe_parameters
from .._printing import Block, Column, Listed, Paragraph, Printable, Tabular, tabulate
from ..errors import GameError, TreeError, UsageError
from ..exact.request import SearchSpec
from ..exact.run import choose_search_kernel, solve
from ..formats.inputs import StrategySource
from ..formats.tree_file import TreeSource, read
from ..games.base import Game, select_candidates
from ..games.eligible import is_rule_of_play
from ..games.rules import Weight, weigh, write_weights
from ..jit.interpreter import mark_search
from ..strategies.named import parse_strategy, read_provenance
from ..strategies.strategy import TIE_BREAKS, Strategy, parse_rule
from ..tree.tree import History, Tree
from ..tree.walk import cut_at, follow_history, history_of
from .evaluation import Evaluation, evaluate_state, write_cells, write_guess
from .options import EXPLAIN
from .statistics import count_in_shares


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
class Explanation(Tabular, Listed[RankedGuess]):
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
    verb
        What the tree does there: it ``"guesses"``, ``"asks"`` or ``"announces"``.

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
    verb: str = "guesses"

    columns = ("rank", "guess", "cells")

    def _list(self) -> Sequence[RankedGuess]:
        return self.top

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
            "top": self.list_rows(),
        }

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each of the best guesses, ready for JSON."""
        return [
            {"rank": row.rank, "guess": row.guess, **row.figures, "cells": row.cells}
            for row in self.top
        ]

    def describe(self) -> Iterator[Block]:
        """Yield the rule, what each criterion leaves, the verdict, and the best guesses."""
        yield Paragraph(f"{self.strategy}: {self.rule}")
        yield Paragraph(_introduce(self))
        for stage in self.stages:
            left = f"{stage.n_left} of {stage.n_before} guess{'es' * (stage.n_before != 1)}"
            yield Paragraph(f"{stage.criterion}: best {stage.best}; {left}", "  ")
        for sentence in self.verdict:
            yield Paragraph(sentence, "  ")
        if self.top:
            names = ("rank", "guess", *self.top[0].figures)
            cells: dict[Column, Callable[[dict[str, Any]], object]] = {
                Column(name): itemgetter(name) for name in names
            }
            cells[Column("cells", 1, is_text=True)] = lambda row: write_cells(row["cells"])
            yield tabulate(self.list_rows(), cells)


def explain_node(
    tree: Tree, node: int = 0, strategy: Strategy | None = None, n_top: int = 10
) -> Explanation:
    """Explain why a state's guess is the best by a rule, or which one would be.

    The rule is the tree's own if `strategy` is None. UsageError if the tree has none, StrategyError
    if it is unknown.

    >>> from treegen import build
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
        write_guess(tree.game, guess, evaluation.candidates),
        write_guess(tree.game, evaluation.best, evaluation.candidates),
        _list_stages(evaluation),
        _judge(evaluation, guess),
        _list_top(evaluation, guess, n_top),
        name_deed(tree.game, guess, evaluation.candidates),
    )


def name_deed(game: Game, guess: int, candidates: NDArray[np.int32]) -> str:
    """Return the verb for a tree's step where some candidates are left: guess, ask or announce."""
    if game.rules.is_over(candidates):
        return "announces"
    return "asks" if game.notation.name_step(guess) == "question" else "guesses"


def _introduce(found: Explanation | GuessCost) -> str:
    noun = "candidate" if found.n_candidates == 1 else "candidates"
    return f"{found.n_candidates} {noun}; the tree {found.verb} {found.guess}"


def has_rule(tree: Tree) -> bool:
    """Whether a tree states the rule of its guesses: imported and optimal ones do not."""
    rule = tree.provenance.rule
    return rule.startswith("eligible=") and "chain=" in rule


def find_rule(tree: Tree) -> Strategy:
    """Return the strategy by which a tree says it was built; UsageError without one."""
    if not has_rule(tree):
        raise UsageError(
            f"the tree ({tree.provenance.strategy}) does not state a rule:"
            " give the strategy to judge by (`strategy`)"
        )
    return parse_rule(tree.provenance.rule, tree.provenance.strategy)


def _list_stages(evaluation: Evaluation) -> list[Stage]:
    if evaluation.is_direct:
        return []
    stages = evaluation.stages
    # All that are left have the best value, so the first of them shows it.
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
    if evaluation.is_over:
        verdict = ["the game is over: what is left is announced"]
    elif evaluation.is_direct:
        few = "one candidate is" if n_left == 1 else f"{n_left} candidates are"
        verdict = [f"{few} left: the first is guessed"]
    else:
        n_tied = len(evaluation.stages[-1])
        verdict = [f"no tie: {game.format_code(best)} alone is left"]
        if n_tied > 1:
            place = {"lowest": "the first", "highest": "the last"}.get(strategy.tie_break)
            place = place or f"chosen ({TIE_BREAKS[strategy.tie_break]})"
            verdict = [
                f"{strategy.tie_break}: {game.format_code(best)} is {place} of {n_tied} that tie"
            ]
    if guess != best:
        verdict.append(_compare_with_best(evaluation, guess, best))
    return verdict


def _compare_with_best(evaluation: Evaluation, guess: int, best: int) -> str:
    """Return the criterion by which a guess is worse than the rule's choice."""
    game, strategy = evaluation.game, evaluation.strategy
    verb = name_deed(game, guess, evaluation.candidates)
    words = f"the tree {verb} {game.format_code(guess)}, the rule {game.format_code(best)}"
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
    ranked = evaluation.rank_rows()  # of useful guesses alone: the tree's may not be among them
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
            evaluation.list_figures(row),
            evaluation.list_cells(row),
        )
        for rank, row in shown
    ]


MAX_PAIRS = 4_000_000
"""The most pairs of candidate and guess that a state may have: the search takes seconds."""


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
    unit
        How many shares a weight of 1 has in JSON, where answers are uncertain; else 1.
    verb
        What the tree does there: it ``"guesses"``, ``"asks"`` or ``"announces"``.

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
    total_tree: Weight
    total_guess: Weight
    total_best: Weight
    unit: int = 1
    verb: str = "guesses"

    @property
    def is_best(self) -> bool:
        """Whether no guess is better than the tree's."""
        return self.total_guess == self.total_best

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        fields = asdict(self)
        del fields["verb"]
        row = {"candidates": fields.pop("n_candidates"), **fields}
        return count_in_shares(row, row.pop("unit"))

    def describe(self) -> Iterator[Block]:
        """Yield the totals, and which guess is better."""
        yield Paragraph(_introduce(self))
        rows = [
            (self.best, self.total_best, "the best guess"),
            (self.guess, self.total_guess, "the tree's guess, then the best play"),
            (self.guess, self.total_tree, "the tree's guess, as the tree plays on"),
        ]
        for guess, total, what in rows[self.is_best :]:  # the tree's guess may be the best one
            loss = total - self.total_best
            above = f" (+{write_weights([loss])})" if loss else ""
            yield Paragraph(f"{guess}  total {write_weights([total])}{above}: {what}", "  ")
        verdict = "no guess is better" if self.is_best else f"{self.best} is better"
        yield Paragraph(f"{verdict}: proved by exact search of the least total", "  ")


def cost_guess(tree: Tree, node: int = 0) -> GuessCost:
    """Return the cost of a state's guess beside that of the best possible guess.

    If the tree states a rule of play, such as hard mode, only guesses that it allows are compared.
    ``eligible=candidates`` is none: it binds the strategy, and all guesses are compared. UsageError
    if the state is too large: more than `MAX_PAIRS` pairs of candidate and guess, or, with costs,
    questions or the goal to identify, more than 128 candidates; StrategyError if the
    game is too large for the search's tables.
    """
    game = tree.game
    history = (*tree.provenance.history, *history_of(tree, node))
    candidates = select_candidates(game, history)
    guess = int(tree.guess[node])
    best, total_best, total_guess = _find_totals(tree, history, candidates, guess)
    total = cut_at(tree, node).share_total
    if not total_best <= total_guess <= total:
        raise TreeError(
            f"{game.name}: internal error: the search proves the total {total_best}, and"
            f" {total_guess} with the tree's guess, whose tree has {total}; please report the"
            " command"
        )
    unit = game.rules.share_unit
    return GuessCost(
        len(candidates),
        write_guess(game, guess, candidates),
        write_guess(game, best, candidates),
        weigh(total, unit),
        weigh(total_guess, unit),
        weigh(total_best, unit),
        unit,
        name_deed(game, guess, candidates),
    )


def _find_totals(
    tree: Tree, history: History, candidates: NDArray[np.int32], guess: int
) -> tuple[int, int, int]:
    """Return the best guess of a state, its least total, and the least after a guess."""
    game, spec = tree.game, _make_spec(tree, history)
    if game.rules.is_over(candidates):
        return guess, 0, 0
    if len(candidates) * game.rules.n_guesses > MAX_PAIRS:
        raise UsageError(
            f"the state is too large for an exact search: {len(candidates):,} candidates times"
            f" {game.rules.n_guesses:,} guesses are more than {MAX_PAIRS:,}; go deeper (`path`), or"
            " give a rule to judge by (`strategy`)"
        )
    kernel = choose_search_kernel(game)
    try:
        kernel.refuse(game, spec, None)
    except UsageError:
        raise UsageError(
            f"the tree keeps to eligible={spec.eligible}, which exact search cannot combine with"
            " costs or the goal to identify; treegen explain -s RULE explains it by a rule"
        ) from None
    if len(candidates) > kernel.most_judged:
        raise UsageError(
            f"the state is too large for an exact search with costs or the goal to"
            f" identify: {len(candidates):,} candidates are more than {kernel.most_judged}; go"
            " deeper (`path`), or give a rule to judge by (`strategy`)"
        )
    with mark_search(game.rules.n_guesses, len(candidates)):
        best = least = solve(game, candidates, spec)
        if len(candidates) > 1:  # else nothing tells more than the only candidate
            least = solve(game, candidates, replace(spec, first=(game.format_code(guess),)))
    return int(best.guess[0]), best.share_total, least.share_total


def _make_spec(tree: Tree, history: History) -> SearchSpec:
    """Return the search of a tree's state: by the tree's rule of play, if it states one."""
    eligible = read_provenance(tree.provenance, tree.game).eligible
    return SearchSpec(history=history, eligible=eligible if is_rule_of_play(eligible) else "all")


@partial(describe_parameters, declared=EXPLAIN)
def explain(
    tree: TreeSource,
    *,
    path: str | Sequence[str] = "",
    strategy: StrategySource | None = None,
    top: int = 10,
    exact: bool = False,
    symbols: str | Sequence[str] | None = None,
) -> Explanation | GuessCost:
    """Return the best guesses of a state, and why one of them wins, tie by tie.

    Parameters
    ----------
    tree
        The tree, or its file.
    {options}

    Returns
    -------
    Explanation or GuessCost
        The ranked guesses of a rule, or the cost by exact search.

    Raises
    ------
    UsageError
        `exact` and a strategy are both given, or the state is too large for the search.
    GameError, UnreachableError
        The tree has no such state.

    Examples
    --------
    >>> import treegen
    >>> why = treegen.explain(treegen.build("p4c6r"), path="02/11")
    >>> why.guess, why.stages[0].criterion
    ('2415', 'max')
    """
    check_whole(top=top)
    found = read(tree)
    if symbols is not None:
        found = replace(found, game=found.game.with_symbols(symbols))
    node = follow_history(found, path)
    if exact and strategy is not None:
        raise UsageError("`exact` cannot be combined with `strategy`")
    if exact or (strategy is None and not has_rule(found)):
        return cost_guess(found, node)
    rule = None if strategy is None else parse_strategy(strategy, found.game)
    return explain_node(found, node, rule, top)
