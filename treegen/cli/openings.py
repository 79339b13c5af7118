"""``treegen openings``: first guesses, the best first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .._cleanup import is_saving
from . import completion
from .command import Command, Idle
from .options import (
    csv_option,
    eligible_option,
    game_argument,
    json_option,
    open_game,
    quiet_option,
    refuse_two_streams,
    strategy_option,
    take_folder,
    tell,
)
from .output import deliver, print_json, show_progress, write_lines
from .table import print_result
from .targets import Output, checks_outputs
from .time_limit import time_limit_option

SEARCHES = ("optimal", "best")


@click.command(
    cls=Command,
    idle=[
        Idle(
            ("max_length",),
            lambda given: given["strategy"] not in SEARCHES,
            "without -s optimal: a rule plays as it does",
        ),
        Idle(
            ("every",),
            lambda given: given["strategy"] in SEARCHES,
            "with -s optimal, which looks at every opening",
        ),
    ],
)
@game_argument
@strategy_option("What is played after the first guess: a rule, or optimal.", default="knuth")
@click.option(
    "--top", type=click.IntRange(1), default=20, show_default=True, help="List the best N."
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Of many openings, build a rule's tree after each, not after the most promising.",
)
@eligible_option("What may be guessed.")
@click.option("--history", metavar="H", help="Rank the next guess after guesses already made.")
@click.option("--max-length", type=click.IntRange(1), help="optimal: longest game allowed.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), help="Threads (default: all cores); same list."
)
@time_limit_option("Stop after S s; the list so far is printed, and says so.")
@click.option(
    "--resume",
    "folder",
    type=completion.FOLDER,
    metavar="DIR",
    callback=take_folder,
    help="Keep finished openings in DIR; resume from it.",
)
@csv_option
@quiet_option
@json_option
@checks_outputs(Output("table", ("csv",)), Output("folder"))
def openings(
    game: str,
    feedback: str | None,
    guesses: str | None,
    table: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Rank the first guesses of GAME by the totals of the trees that begin with them.

    With -s optimal the totals are the least there are, and every opening outside the list is
    proved to have no smaller total than its last. First guesses that the game's symmetry maps to
    each other count once.
    """
    from .. import api

    refuse_two_streams(table, as_json)
    found = api.openings(
        open_game(game, feedback, guesses),
        all=options.pop("every"),
        resume=options.pop("folder"),
        progress=show_progress(quiet),
        notice=tell,
        **options,
    )
    steps: list[Callable[[], object]] = []
    if as_json:
        steps.append(lambda: print_json(found.to_dict()))
    elif table != "-":
        steps.append(lambda: print_result(found))
    if table is not None:
        steps.append(lambda: write_lines(table, found.generate_csv()))
    deliver(*steps)
    if is_saving():
        raise KeyboardInterrupt("the list so far is printed")
