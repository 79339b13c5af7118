"""``treegen openings``: first guesses, the best first."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .._cleanup import is_saving
from . import completion
from .cluster import tell_notice
from .command import Command, Idle
from .exact import make_watch
from .options import (
    csv_option,
    eligible_option,
    game_argument,
    json_option,
    open_game,
    parse_history,
    quiet_option,
    refuse_two_streams,
    strategy_option,
    take_folder,
)
from .output import deliver, game_progress, print_json, write_lines
from .targets import Output, checks_outputs
from .time_limit import time_limit_option

if TYPE_CHECKING:
    from ..analysis import Openings

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
    history: str | None,
    jobs: int | None,
    time_limit: float | None,
    table: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Rank the first guesses of GAME by the totals of the trees that begin with them.

    With -s optimal the totals are the least there are, and every opening outside the list is
    proved to be no better than its last. First guesses that the game's symmetry maps to each
    other count once.
    """
    from ..analysis import rank_openings

    refuse_two_streams(table, as_json)
    the_game = open_game(game, feedback, guesses)
    strategy = options.pop("strategy")
    with game_progress(f"{the_game.title}: openings", quiet) as progress:
        found = rank_openings(
            the_game,
            strategy,
            history=parse_history(history, the_game),
            jobs=jobs or os.cpu_count() or 1,
            watch=make_watch(time_limit, quiet=True),
            notice=tell_notice,
            progress=progress,
            **options,
        )
    steps: list[Callable[[], object]] = []
    if as_json:
        steps.append(lambda: print_json(found.to_dict()))
    elif table != "-":
        steps.append(lambda: _print(found))
    if table is not None:
        steps.append(lambda: write_lines(table, found.generate_csv()))
    deliver(*steps)
    if is_saving():
        raise KeyboardInterrupt("the list so far is printed")


def _print(found: Openings) -> None:
    """Print the table, and what is known of the openings outside."""
    from .table import Column, print_paragraph, print_table

    print_paragraph("", f"{found.game.title}; {found.strategy}: {found.rule}")
    columns = [
        Column("rank"),
        Column("guess", is_text=True),
        Column("total"),
        Column("average"),
        Column("worst", 1),
        Column("of them", 2),
        Column("histogram", 1, is_text=True),
    ]
    rows = [
        [
            str(row["rank"]),
            row["guess"],
            str(row["total"]),
            f"{row['average']:.4f}",
            str(row["worst"]),
            str(row["n_worst"]),
            "/".join(map(str, row["histogram"])),
        ]
        for row in found.list_rows()
    ]
    print_table(columns, rows)
    print_paragraph("", _describe_rest(found))


def _describe_rest(found: Openings) -> str:
    """Return what is known of the openings that are not in the table."""
    ranking = found.ranking
    if not ranking.rows and not ranking.proved:
        return "no opening is done"
    n_rest = ranking.n_openings - len(ranking.rows)
    tied = f" ({ranking.n_tied:,} of them as good as the last)" if ranking.n_tied else ""
    if ranking.proved and not n_rest:
        return "these are all openings"
    if ranking.proved:
        return f"none of the other {n_rest:,} openings is better than the last{tied}"
    how = "searched" if found.strategy == "optimal" else "played"
    return f"{ranking.n_open:,} of the other {n_rest:,} openings were not {how}{tied}"
