"""The exact and near-optimal searches behind ``treegen build -s optimal`` and ``-s best``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import TreegenError, UsageError
from ..strategies import list_objectives
from . import completion
from .cluster import open_cluster, tell_notice, tell_what_is_kept
from .options import take_folder
from .output import write_lines
from .time_limit import time_limit_option

if TYPE_CHECKING:
    from ..exact import Progress, SearchLog, Watch
    from ..games import Game
    from ..tree import History, Tree

F = TypeVar("F", bound=Callable[..., Any])

LONG_PROOF_S = 60
"""Proofs that may take longer are announced with the estimate."""

YEAR_S = 365 * 86400

UNFORESEEN_PAIRS = 1_000_000
"""Without an estimate, that is announced for games with so many pairs of guess and secret."""

OWNERS = {
    "objective": ("optimal",),
    "max_length": ("optimal",),
    "beam": ("best",),
    "time_limit": ("optimal", "best"),
    "keep_best": ("optimal",),
    "resume": ("optimal", "best"),
    "log": ("optimal", "best"),
    "look_ahead": ("best",),
    "table_size": ("optimal",),
}
"""The options of the searches, and which of them have each.

All strategies resume and have a time limit.
"""


def take_search_options(choices: dict[str, Any]) -> dict[str, Any]:
    """Take the options of the searches out of a command's."""
    return {name: choices.pop(name) for name in OWNERS}


def leave_search_options() -> dict[str, Any]:
    """Return the options of the searches, none of them given."""
    return dict.fromkeys(OWNERS)


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
            help="optimal: memory of the table of proofs (default: by the game, up to 256).",
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
        click.option("--keep-best", is_flag=True, help="optimal: if stopped, keep the best tree."),
        time_limit_option("Stop after S s; a build by a rule keeps its parts with --resume alone."),
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


def refuse_search_options(strategy: str, options: dict[str, Any]) -> None:
    """Raise UsageError if a strategy gets an option that belongs to others."""
    for name, value in options.items():
        if value is not None and value is not False and strategy not in OWNERS[name]:
            option, owners = f"--{name.replace('_', '-')}", " and ".join(OWNERS[name])
            raise UsageError(f"{option} belongs to -s {owners}, not to {strategy}")


def run_search(
    game: Game,
    strategy: str,
    history: History,
    options: dict[str, Any],
    choices: dict[str, Any],
    quiet: bool,
    jobs: int,
    log: SearchLog,
    scheduler: str | None = None,
) -> Tree:
    """Search for an optimal or near-optimal tree, showing progress."""
    refuse_search_options(strategy, options)
    for name in ("order", "seed"):
        if choices.get(name) is not None:
            raise UsageError(f"--{name} belongs to strategies that follow a rule, not to a search")
    try:
        return _run(game, strategy, history, options, choices, quiet, jobs, log, scheduler)
    except BaseException:
        with suppress(TreegenError, OSError):  # what ended the search is reported
            save_log(options["log"], log)
        raise


def save_log(path: str | None, log: SearchLog) -> None:
    """Write the log of a search that has begun, if requested."""
    if path is not None and log.settings:
        write_lines(path, [json.dumps(log.as_dict(), indent=1)])


def _run(
    game: Game,
    strategy: str,
    history: History,
    options: dict[str, Any],
    choices: dict[str, Any],
    quiet: bool,
    jobs: int,
    log: SearchLog,
    scheduler: str | None,
) -> Tree:
    """Run the search; before an exact one, announce how long the proof may take."""
    from .. import exact

    eligible, first = choices["eligible"], read_first(game, choices["first"])
    if strategy == "best":
        if eligible in ("all", "candidates"):
            raise UsageError(
                "--eligible belongs to -s optimal and to rules; -s best takes only hints and"
                " consistent"
            )
    elif not (history or first or quiet):
        announce_proof(game, options["time_limit"], options["keep_best"])
    spec = exact.SearchSpec(
        objective=options["objective"] or "total",
        max_length=options["max_length"],
        eligible=eligible or "all",
        history=history,
        first=first,
        beam=options["beam"] or (8 if options["time_limit"] is None else None),
        look_ahead=options["look_ahead"],
    )
    watch = make_watch(options["time_limit"], quiet)
    with (
        open_cluster(scheduler, options["resume"]) as workers,
        _tell_of_folder(strategy, options["resume"]),
    ):
        control = exact.SearchControl(
            jobs=jobs,
            workers=workers,
            folder=options["resume"],
            notice=tell_notice,
            watch=watch,
            keep_best=options["keep_best"],
            log=log,
            table_size=options["table_size"],
        )
        return exact.run_search(game, strategy, spec, control)


def _tell_of_folder(strategy: str, folder: str | None) -> AbstractContextManager[None]:
    """Return a sentence on what the folder of an ended search keeps; ``best`` ends with a tree."""
    return tell_what_is_kept(folder) if strategy == "optimal" else nullcontext()


def read_first(game: Game, text: str | None) -> tuple[str, ...]:
    """Return the first guesses of ``--first`` in the game's notation, each of them once."""
    codes = [] if text is None else map(game.parse_code, text.split(","))
    return tuple(map(game.format_code, dict.fromkeys(codes)))


def announce_proof(game: Game, limit: float | None, keep_best: bool) -> None:
    """Announce how long a long proof may take, and whether the time limit allows that."""
    from ..exact import estimate_seconds

    seconds = estimate_seconds(game)
    keep = "" if keep_best else "; --keep-best keeps the best tree if you end it"
    if seconds is None:
        if game.n_codes * game.n_secrets >= UNFORESEEN_PAIRS:
            click.echo(f"how long the proof takes is not known before it ends{keep}", err=True)
        return
    if seconds <= LONG_PROOF_S:
        return
    fits = limit is None or limit > seconds
    advice = keep if fits else ", which the time limit does not allow: see -s best"
    click.echo(f"the proof may take {write_seconds(seconds)} of one core{advice}", err=True)


def make_watch(time_limit: float | None, quiet: bool) -> Watch:
    """Return a watch that shows progress on a terminal and ends the search in time."""
    start = time.monotonic()
    shown, is_told = start, False
    is_shown = not quiet and sys.stderr.isatty()

    def watch(progress: Progress) -> bool:
        nonlocal shown, is_told
        now = time.monotonic()
        if progress.stage == "greedy" and not is_told and not quiet:
            is_told = True
            click.echo("ended before any tree was complete: making a greedy one", err=True)
        if is_shown and now - shown > 0.5:
            shown = now
            line = f"{progress.stage}: {describe_gap(progress)}, {now - start:.0f} s"
            click.echo(f"\r{line:<70}", err=True, nl=False)
        return time_limit is not None and now - start > time_limit

    return watch


def describe_gap(progress: Progress) -> str:
    """Return what is proved, the best total known, and how much lies between."""
    bound, best = progress.bound, progress.best
    if best is None:
        return f"bound {bound}, best none yet"
    # "n_worst" counts secrets, whose bound may be 0.
    gap = f", gap {100 * (best - bound) / bound:.1f} %" if 0 < bound <= best else ""
    return f"bound {bound}, best {best}{gap}"


def write_seconds(seconds: float) -> str:
    """Write an estimate in the unit that fits it."""
    if seconds < 7200:
        return f"about {seconds / 60:.0f} minutes"
    if seconds < 48 * 3600:
        return f"about {seconds / 3600:.0f} hours"
    # Beyond a year the estimate is off by more than anybody would care about.
    return f"about {seconds / 86400:.0f} days" if seconds < YEAR_S else "more than a year"
