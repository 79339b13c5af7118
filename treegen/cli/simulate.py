"""``treegen simulate``: seeded games of one strategy, on codes of any length."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from .cluster import open_cluster, scheduler_option
from .command import Command, Idle
from .options import (
    eligible_option,
    game_argument,
    json_option,
    open_game,
    quiet_option,
    strategy_option,
    tables_option,
)
from .output import game_progress, print_json
from .table import print_paragraph
from .time_limit import describe_stop, is_time_over, limit_time, time_limit_option

if TYPE_CHECKING:
    from ..analysis import Sample
    from ..games import Game


def _is_search(given: Mapping[str, Any]) -> bool:
    from ..strategies import is_search

    return is_search(given["strategy"] or "")


IDLE = (
    Idle(
        ("tables",),
        lambda given: given["strategy"] != "permutation",
        "but for -s permutation",
    ),
    Idle(("scheduler",), _is_search, "on a search for one tree"),
)


@click.command(cls=Command, idle=IDLE)
@game_argument
@strategy_option(
    "Name or chain (default adaptive; knuth if adaptive cannot play: words, black pegs)."
)
@eligible_option("What may be guessed; hints: Wordle's hard mode.")
@click.option("-n", "--games", "n", type=click.IntRange(1), default=100, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@tables_option
@time_limit_option("Stop after S s, with the figures of the games that are over.")
@scheduler_option
@quiet_option
@json_option
def simulate(
    game: str,
    feedback: str | None,
    guesses: str | None,
    strategy: str | None,
    eligible: str | None,
    n: int,
    seed: int,
    tables: str | None,
    time_limit: float | None,
    scheduler: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play N games of GAME against secrets drawn by the seed.

    Ctrl-C ends it with the figures of the games that are over, and exit code 130; so does
    --time-limit, with exit code 0 where there are any.
    """
    from ..analysis import SampleInterrupt
    from ..analysis import simulate as run

    the_game = open_game(game, feedback, guesses)
    strategy = strategy or choose_strategy(the_game)
    jobs, title = os.cpu_count() or 1, f"{the_game.name} {strategy}"
    try:
        with (
            limit_time(time_limit),
            open_cluster(scheduler) as workers,
            game_progress(title, quiet) as progress,
        ):
            sample = run(
                the_game,
                strategy,
                n,
                seed,
                eligible=eligible,
                jobs=jobs,
                tables=tables,
                progress=progress,
                workers=workers,
            )
    except SampleInterrupt as stop:
        _print_sample(stop.sample, as_json)
        told = f"the results are of {stop.sample.n:,} of {n:,} games"
        if not is_time_over():
            raise KeyboardInterrupt(told) from stop
        click.echo(f"treegen: {describe_stop()}; {told}", err=True)
        return
    except KeyboardInterrupt as stop:
        raise KeyboardInterrupt("no game was finished") from stop
    _print_sample(sample, as_json)


def _print_sample(sample: Sample, as_json: bool) -> None:
    from ..analysis import describe_sample, format_average, format_histogram

    if as_json:
        print_json(describe_sample(sample))
        return
    rows = {
        "game": sample.game,
        "strategy": sample.strategy,
        "games": f"{sample.n} (seed {sample.seed})",
        "average": format_average(sample),
        "worst": sample.worst,
        "histogram": format_histogram(sample),
        "time": f"{sample.time_per_game_s:.3g} s a game",
    }
    for name, value in rows.items():
        print_paragraph(f"{name:10} ", str(value))


def choose_strategy(game: Game) -> str:
    """Return the default strategy: one for any length if it can play the game."""
    from ..games import PegGame

    return "adaptive" if isinstance(game, PegGame) and game.rule == "pegs" else "knuth"
