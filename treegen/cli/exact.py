"""The exact and near-optimal searches behind ``treegen build -s optimal`` and ``-s best``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..strategies import list_objectives
from . import completion
from .options import take_folder
from .output import write_lines
from .time_limit import time_limit_option

if TYPE_CHECKING:
    from ..api import Progress
    from ..exact import Estimate, SearchLog
    from ..games import Game

F = TypeVar("F", bound=Callable[..., Any])

LONG_PROOF_S = 60
"""Proofs that may take longer are announced with the estimate."""

SOME_S = 5.0
"""After so much CPU time a search shows how long it will still take."""

YEAR_S = 365 * 86400

UNFORESEEN_PAIRS = 1_000_000
"""Without an estimate, that is announced for games with so many pairs of guess and secret."""


def search_options(function: F) -> F:
    """Add the options of the searches."""
    for decorate in (
        click.option(
            "--log",
            type=completion.FILE,
            metavar="FILE",
            help="Write the search's settings and history (JSON).",
        ),
        click.option(
            "--table-size",
            type=click.IntRange(1),
            metavar="MIB",
            help="Memory of the table of proofs (default: by the game, up to 256).",
        ),
        click.option(
            "--gap",
            type=click.FloatRange(0, 100),
            metavar="PERCENT",
            help="best: prove that no tree is better by more than that.",
        ),
        click.option(
            "--look-ahead",
            type=click.IntRange(0),
            help="best: guesses that the proved bound looks ahead (default 1; long word lists 0).",
        ),
        click.option(
            "--resume",
            type=completion.FOLDER,
            metavar="DIR",
            callback=take_folder,
            help="Keep finished work in DIR; resume from it.",
        ),
        time_limit_option(
            "Stop after S s: a search with its best tree, a rule with what --resume keeps."
        ),
        click.option("--beam", type=click.IntRange(1), help="best: guesses tried in big states."),
        click.option("--max-length", type=click.IntRange(1), help="optimal: longest game allowed."),
        click.option(
            "--objective",
            type=click.Choice(list_objectives()),
            help="optimal: what is minimised, in this order (default total).",
        ),
    ):
        function = decorate(function)
    return function


def save_log(path: str | None, log: SearchLog | str | None) -> None:
    """Write the log of a search that has begun, if requested."""
    if path is not None and log is not None and not isinstance(log, str) and log.settings:
        write_lines(path, [json.dumps(log.as_dict(), indent=1)])


def announce_proof(game: Game, limit: float | None) -> None:
    """Announce how long a long proof may take, and whether the time limit allows that."""
    from ..exact import estimate_proof

    estimate = estimate_proof(game)
    keep = "; if it is ended, the best tree so far is kept"
    if estimate is None:
        if game.n_codes * game.n_secrets >= UNFORESEEN_PAIRS:
            click.echo(f"how long the proof takes is not known before it ends{keep}", err=True)
        return
    if estimate.seconds <= LONG_PROOF_S:
        return
    fits = limit is None or limit > estimate.seconds
    advice = keep if fits else ", which the time limit does not allow: see -s best"
    click.echo(f"the proof may take {write_estimate(estimate)}{advice}", err=True)


def write_estimate(estimate: Estimate) -> str:
    """Write an estimate, and between what it likely is."""
    least, likely, most = (
        write_seconds(seconds) for seconds in (estimate.least, estimate.seconds, estimate.most)
    )
    span = "" if least == most else f" ({least} to {most})".replace("about ", "")
    return f"{likely} of one core{span}"


def follow_search(quiet: bool, game: Game | None = None) -> Callable[[Progress], None]:
    """Return what shows a search's progress on a terminal, and says when it has nothing yet.

    For the proof of a game, from the beginning and here, it shows how long that will still take.
    """
    is_told = False
    is_shown = not quiet and sys.stderr.isatty()
    rest = RestOfProof(game if is_shown else None)

    def follow(progress: Progress) -> None:
        nonlocal is_told
        if progress.stage == "greedy" and not is_told and not quiet:
            is_told = True
            click.echo("ended before any tree was complete: making a greedy one", err=True)
        if is_shown:
            line = f"{progress}, {rest.describe(progress.stage)}"
            click.echo(f"\r{line:<70}", err=True, nl=False)

    return follow


class RestOfProof:
    """How long a search has taken, and will still take.

    Parameters
    ----------
    game
        The game that is proved; None: it is not known how long that takes.
    """

    def __init__(self, game: Game | None) -> None:
        self.estimate_s = None if game is None else _estimate_long_proof(game)
        self.start, self.start_cpu = time.monotonic(), time.process_time()
        self.is_leading = False
        self.lead_s: float | None = None

    def describe(self, stage: str) -> str:
        """Write the seconds so far, and the rest if it is known."""
        seconds, cpu_s = time.monotonic() - self.start, time.process_time() - self.start_cpu
        self.note(stage, cpu_s)
        return f"{seconds:.0f} s{describe_rest(self.estimate_s, cpu_s, seconds, self.lead_s)}"

    def note(self, stage: str, cpu_s: float) -> None:
        """Note when the leading guess is searched."""
        from ..exact import LEADING_GUESS

        if self.is_leading and stage != LEADING_GUESS:
            self.lead_s = cpu_s
        self.is_leading = stage == LEADING_GUESS


def _estimate_long_proof(game: Game) -> float | None:
    """Return the estimate of a long proof in seconds of one core."""
    from ..exact import estimate_seconds

    seconds = estimate_seconds(game)
    return seconds if seconds is not None and seconds > LONG_PROOF_S else None


def describe_rest(
    estimate_s: float | None, cpu_s: float, wall_s: float, lead_s: float | None = None
) -> str:
    """Return how long a search will still take; nothing if it is not known, or has just begun."""
    from ..exact import estimate_rest

    if estimate_s is None or cpu_s < SOME_S:
        return ""
    return f", {write_seconds(estimate_rest(estimate_s, cpu_s, wall_s, lead_s))} to go"


def write_seconds(seconds: float) -> str:
    """Write an estimate in the unit that fits it."""
    if seconds < 60:
        return "less than a minute"
    if seconds < 7200:
        minutes = round(seconds / 60)
        return "about a minute" if minutes == 1 else f"about {minutes} minutes"
    if seconds < 48 * 3600:
        return f"about {seconds / 3600:.0f} hours"
    # Beyond a year the estimate is off by more than anybody would care about.
    return f"about {seconds / 86400:.0f} days" if seconds < YEAR_S else "more than a year"
