"""``treegen diff``: where two trees differ, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .command import Command, Idle
from .explain import write_cells
from .options import file_argument, json_option
from .output import load, print_json
from .table import print_paragraph

if TYPE_CHECKING:
    from ..analysis import Diff, Difference


@click.command(
    cls=Command,
    idle=[Idle(("limit",), lambda given: given["as_json"], "with --json, which shows everything")],
)
@file_argument("first")
@file_argument("second")
@click.option(
    "--symmetric",
    is_flag=True,
    help="Treat guesses as equal that a renaming of pegs and colors exchanges.",
)
@click.option("--limit", type=click.IntRange(0), default=10, show_default=True, help="Show N.")
@json_option
def diff(first: str, second: str, symmetric: bool, limit: int, as_json: bool) -> None:
    """Show where the trees in FIRST and SECOND differ, and what it costs; exit 1 if they do."""
    from ..analysis import compare_trees, to_dict

    outcome = compare_trees(
        load(first).tree,
        load(second).tree,
        symmetric=symmetric,
        n_reasons=None if as_json else limit,
    )
    print_json(to_dict(outcome)) if as_json else _print_diff(outcome, limit, symmetric)
    if not outcome.is_equal:
        raise click.exceptions.Exit(1)


def _print_diff(outcome: Diff, limit: int, symmetric: bool) -> None:
    if outcome.is_by_words:
        print_paragraph("", "two word lists with the same secrets: guesses are compared as words")
    if outcome.is_equal:
        how = " up to a renaming of pegs and colors" if symmetric else ""
        print_paragraph(
            "", f"the same tree{how}: {outcome.n_equal} states, total {outcome.totals[0]}"
        )
        return
    (total_a, total_b), (worst_a, worst_b) = outcome.totals, outcome.worsts
    print_paragraph("", f"A total {total_a}, worst {worst_a}; B total {total_b}, worst {worst_b}")
    n_parted = len(outcome.differences)
    states = "state" if outcome.n_equal == 1 else "states"
    print_paragraph("", f"{outcome.n_equal} {states} alike; the trees part in {n_parted}")
    for item in outcome.differences[:limit]:
        _print_difference(item)
    if n_parted > limit:
        print_paragraph("", f"… {n_parted - limit} more (--limit, or --json for all)")


def _print_difference(item: Difference) -> None:
    click.echo()
    print_paragraph("", f"{item.history or 'at the root'}: {item.n_candidates} candidates")
    for name, side in (("A", item.a), ("B", item.b)):
        cells = write_cells(side.cells)
        figures = f"total {side.total}, worst {side.worst}, cells {cells}"
        print_paragraph(f"  {name} ", f"{side.guess}  {figures}")
    change = item.b.total - item.a.total
    print_paragraph(
        "  ", f"B costs {change:+d} in total, {item.b.worst - item.a.worst:+d} in worst"
    )
    for reason in item.reasons:
        print_paragraph("  ", reason)
