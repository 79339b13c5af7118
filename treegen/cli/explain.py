"""``treegen explain``: why a guess is chosen, and what others would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .command import Command, Idle, refuse_idle
from .options import file_argument, json_option, strategy_option
from .output import load, print_json
from .table import Column, print_paragraph, print_table

if TYPE_CHECKING:
    from ..analysis import Explanation, GuessCost
    from ..tree import Tree

MANY_CELLS = 16
"""More cells than this are abbreviated."""


@click.command(
    cls=Command,
    idle=[Idle(("top",), lambda given: given["exact"], "with --exact, which compares two guesses")],
)
@file_argument()
@click.option("--path", "answers", metavar="ANSWERS", help="The state after these: 02/11.")
@strategy_option("Judge by this rule instead of the tree's own.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Show N.")
@click.option(
    "--exact",
    is_flag=True,
    help="The guess's cost compared with the best one, by exact search; default without a rule.",
)
@json_option
def explain(
    file: str, answers: str | None, strategy: str | None, top: int, exact: bool, as_json: bool
) -> None:
    """Show the best guesses of a state of FILE's tree, and why one of them wins, tie by tie.

    A tree without a rule (an imported or optimal one) is judged by exact search, if the state is
    small enough: candidates times guesses, at most 4,000,000.
    """
    from ..analysis import explain_node, has_rule
    from ..errors import UsageError
    from ..strategies import parse_strategy
    from ..tree import find_answers

    tree = load(file).tree
    node = find_answers(tree, answers or "")
    if exact and strategy is not None:
        raise UsageError("--exact asks for no rule: leave out -s")
    if exact or (strategy is None and not has_rule(tree)):
        why = "for a tree without a rule, whose guess is compared with the best one"
        refuse_idle(click.get_current_context(), ("top",), why)
        _explain_cost(tree, node, as_json)
        return
    rule = None if strategy is None else parse_strategy(strategy, tree.game)
    explanation = explain_node(tree, node, rule, top)
    print_json(explanation.to_dict()) if as_json else _print_explanation(explanation)


def _explain_cost(tree: Tree, node: int, as_json: bool) -> None:
    from ..analysis import cost_guess

    cost = cost_guess(tree, node)
    print_json(cost.to_dict()) if as_json else _print_cost(cost)


def _print_cost(cost: GuessCost) -> None:
    print_paragraph("", f"{cost.n_candidates} candidates; the tree guesses {cost.guess}")
    rows = [
        (cost.best, cost.total_best, "the best guess"),
        (cost.guess, cost.total_guess, "the tree's guess, the best play behind it"),
        (cost.guess, cost.total_tree, "the tree's guess, as the tree plays on"),
    ]
    for guess, total, what in rows[cost.is_best :]:
        loss = f" (+{total - cost.total_best})" if total > cost.total_best else ""
        print_paragraph("  ", f"{guess}  total {total}{loss}: {what}")
    verdict = "no guess is better" if cost.is_best else f"{cost.best} is better"
    print_paragraph("  ", f"{verdict}: proved by exact search of the least total")


def _print_explanation(explanation: Explanation) -> None:
    print_paragraph("", f"{explanation.strategy}: {explanation.rule}")
    print_paragraph(
        "", f"{explanation.n_candidates} candidates; the tree guesses {explanation.guess}"
    )
    for stage in explanation.stages:
        print_paragraph(
            "  ",
            f"{stage.criterion}: best {stage.best}; {stage.n_left} of {stage.n_before} guesses",
        )
    for sentence in explanation.verdict:
        print_paragraph("  ", sentence)
    rows = [
        [str(row.rank), row.guess, *row.figures.values(), write_cells(row.cells)]
        for row in explanation.top
    ]
    if rows:
        names = ("rank", "guess", *explanation.top[0].figures)
        print_table([*map(Column, names), Column("cells", 1, is_text=True)], rows)


def write_cells(cells: Sequence[int]) -> str:
    """Format sizes of cells, equal ones as a product if there are many; JSON has them all.

    Examples
    --------
    >>> write_cells([6, 3, 1, 1])
    '6+3+1+1'
    >>> write_cells([55, 41, *[2] * 30, *[1] * 98])
    '55+41+30×2+98×1 (130 cells)'
    """
    if len(cells) <= MANY_CELLS:
        return "+".join(map(str, cells))
    counts = sorted(Counter(cells).items(), reverse=True)
    parts = [str(size) if n == 1 else f"{n}×{size}" for size, n in counts]
    if len(parts) > MANY_CELLS:
        parts = [*parts[: MANY_CELLS - 2], "…", parts[-1]]
    return f"{'+'.join(parts)} ({len(cells)} cells)"
