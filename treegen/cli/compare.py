"""``treegen compare``: several strategies and trees for one game."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import starmap
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from . import completion
from .cluster import find_patience, scheduler_option
from .command import Command, refuse_idle
from .exact import announce_proof
from .options import (
    csv_option,
    eligible_option,
    games_argument,
    json_option,
    list_rules,
    quiet_option,
    refuse_two_streams,
    tell,
)
from .output import deliver, print_json, show_progress, write_lines
from .table import print_result
from .targets import Output, checks_outputs, picture_output
from .time_limit import time_limit_option

if TYPE_CHECKING:
    from ..api import Contest

NONE_DONE = "no strategy is done"


@click.command(cls=Command)
@games_argument
@click.option(
    "-s",
    "--strategy",
    "strategies",
    type=completion.STRATEGY_OR_FILE,
    metavar="NAME|FILE",
    multiple=True,
    help="A name, a chain, optimal, best, or a tree file; repeatable.",
)
@click.option("-n", "--games", "n", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--openings", is_flag=True, help="Play each strategy after each possible opening.")
@eligible_option("What all of them may guess; hints: Wordle's hard mode.")
@time_limit_option("End each search (optimal, best) after S s; the best tree so far counts.")
@click.option(
    "--plot",
    type=completion.FILE,
    metavar="OUT",
    help="Histograms and curves, or (several games) averages by size: .svg, .png, .pdf.",
)
@csv_option
@scheduler_option
@quiet_option
@json_option
@checks_outputs(picture_output("plot"), Output("table", ("csv",)))
def compare(
    games: tuple[str, ...],
    feedback: str | None,
    guesses: str | None,
    strategies: tuple[str, ...],
    plot: str | None,
    table: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare strategies and trees, for a GAME or for several.

    A tree's FILE (.tree, .tgt) may stand among the games or after -s; it goes into the table of its
    game. Strategies that make trees are exact over every secret; online and random ones play N
    games.
    """
    from .. import api
    from ..errors import Interrupted

    refuse_two_streams(table, as_json)
    rules = list_rules(feedback, guesses)
    entrants = list(map(_take, games)), list(map(_take, strategies))
    contests = api.gather(*entrants, rules, options["eligible"])
    for contest in [] if quiet else contests:
        if contest.game.reading:
            tell(contest.game.reading)
    _refuse_idle(contests, options["openings"])
    if not quiet and not options["openings"]:
        _announce(contests, options["time_limit"])
    try:
        found = api.compare(
            contests,
            patience=find_patience(),
            jobs=None,
            progress=show_progress(quiet),
            notice=tell,
            **options,
        )
    except Interrupted as stop:
        _report(stop.result, table, as_json)
        raise KeyboardInterrupt(_tell_how_far(stop.result)) from stop
    _report(found, table, as_json, plot)


def _take(text: str) -> str | BinaryIO:
    """Return a name or a path; the standard input for ``-``."""
    return sys.stdin.buffer if text == "-" else text


def _announce(contests: list[Contest], time_limit: float | None) -> None:
    """Announce how long the proofs may take."""
    for contest in contests:
        if "optimal" in contest.entrants:
            announce_proof(contest.game, time_limit)


def _tell_how_far(found: Any) -> str:
    n_done = len(found.samples)
    return f"{n_done} of {found.n_wanted} strategies done, as shown" if n_done else NONE_DONE


def _refuse_idle(contests: list[Contest], openings: bool) -> None:
    """Raise UsageError where an option is given that changes nothing for any entrant."""
    from ..api import is_random, list_names
    from ..strategies import is_search

    context = click.get_current_context()
    pairs = list_names(contests)
    names = [name for _, name in pairs]
    if openings or not any(starmap(is_random, pairs)):
        refuse_idle(context, ("n", "seed"), "where all is exact: nothing is random")
    if not any(map(is_search, names)):
        refuse_idle(context, ("time_limit",), "without -s optimal and -s best")
    if all(map(is_search, names)):
        refuse_idle(context, ("scheduler",), "where no strategy follows a rule")


def _report(found: Any, table: str | None, as_json: bool, plot: str | None = None) -> None:
    """Print the results, write them as CSV, draw them."""
    if not found.samples:
        return
    steps: list[Callable[[], object]] = []
    if as_json:
        steps.append(lambda: print_json(found.to_dict()["samples"]))
    elif table != "-":
        steps.append(lambda: print_result(found))
    if table is not None:
        steps.append(lambda: write_lines(table, found.generate_csv()))
    if plot is not None:
        steps.append(lambda: _write_plot(found, plot))
    deliver(*steps)


def _write_plot(found: Any, path: str) -> None:
    from ..export import choose_format, write_figure

    write_figure(found.plot(), path, choose_format(path, None))
