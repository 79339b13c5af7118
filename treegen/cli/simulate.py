"""``treegen simulate``: seeded games of one strategy, on codes of any length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from .cluster import find_patience, scheduler_option
from .command import Command, Idle
from .options import (
    eligible_option,
    game_argument,
    json_option,
    open_game,
    quiet_option,
    strategy_option,
    tables_option,
    tell,
)
from .output import print_json, show_progress
from .table import print_result
from .time_limit import describe_stop, time_limit_option


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
    n: int,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Play N games of GAME against secrets drawn by the seed.

    Ctrl-C ends it with the figures of the games that are over, and exit code 130; so does
    --time-limit, with exit code 0 where there are any.
    """
    from .. import api
    from ..errors import Interrupted

    try:
        sample = api.simulate(
            open_game(game, feedback, guesses),
            patience=find_patience(),
            jobs=None,
            progress=show_progress(quiet),
            notice=tell,
            n=n,
            **options,
        )
    except Interrupted as stop:
        _print_sample(stop.result, as_json)
        raise KeyboardInterrupt(_tell_how_far(stop.result, n)) from stop
    except KeyboardInterrupt as stop:
        raise KeyboardInterrupt("no game was finished") from stop
    _print_sample(sample, as_json)
    if sample.n < n:
        tell(f"{describe_stop()}; {_tell_how_far(sample, n)}")


def _print_sample(sample: Any, as_json: bool) -> None:
    print_json(sample.to_dict()) if as_json else print_result(sample)


def _tell_how_far(sample: Any, n: int) -> str:
    return f"the results are of {sample.n:,} of {n:,} games"
