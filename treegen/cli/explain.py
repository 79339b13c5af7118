"""``treegen explain``: why a guess is chosen, and what others would cost."""

from __future__ import annotations

import click

from .command import Command, Idle, refuse_idle
from .options import file_argument, json_option, strategy_option
from .output import open_file, print_json
from .table import print_result


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
    from .. import api
    from ..analysis import Explanation

    found = api.explain(
        open_file(file), path=answers or "", strategy=strategy, top=top, exact=exact
    )
    if not isinstance(found, Explanation):
        why = "for a tree without a rule, whose guess is compared with the best one"
        refuse_idle(click.get_current_context(), ("top",), why)
    print_json(found.to_dict()) if as_json else print_result(found)
