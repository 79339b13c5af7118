"""``treegen compare``: several strategies and trees for one game."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import starmap
from typing import TYPE_CHECKING, Any

import click

from .._cleanup import announce_saving, is_saving
from . import completion
from .cluster import open_cluster, scheduler_option
from .command import Command, refuse_idle
from .entrants import gather
from .exact import announce_proof
from .options import (
    csv_option,
    eligible_option,
    games_argument,
    json_option,
    quiet_option,
    refuse_two_streams,
)
from .output import deliver, game_progress, print_json, write_lines
from .targets import Output, checks_outputs, picture_output
from .time_limit import time_limit_option

if TYPE_CHECKING:
    from ..analysis import Sample
    from ..exact import Watch
    from ..games import Game
    from ..tasks import Workers
    from ..tree import Tree
    from .entrants import Contest


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
@eligible_option("What all of them may guess; hints: Wordle's hard mode.")
@click.option("-n", "--games", "n", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--openings", is_flag=True, help="Play each strategy after each possible opening.")
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
    scheduler: str | None,
    eligible: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare strategies and trees, for a GAME or for several.

    A tree's FILE (.tree, .tgt) may stand among the games or after -s; it goes into the table of its
    game. Strategies that make trees are exact over every secret; online and random ones play N
    games.
    """
    refuse_two_streams(table, as_json)
    contests = gather(games, strategies, feedback, guesses, eligible)
    _refuse_openings(contests, options["openings"])
    _refuse_idle(contests, options["openings"])
    done: list[list[Sample]] = [[] for _ in contests]
    with open_cluster(scheduler) as workers:
        try:
            for contest, samples in zip(contests, done, strict=True):
                for sample in _run(contest, workers, eligible=eligible, **options):
                    samples.append(sample)
                    if is_saving():  # Ctrl-C ended a search, and this is its best tree so far
                        raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            announce_saving("the strategies that are done")
            _report(contests, done, table, as_json)
            raise KeyboardInterrupt(_tell_how_far(contests, done)) from stop
    _report(contests, done, table, as_json, plot)


def _tell_how_far(contests: list[Contest], done: list[list[Sample]]) -> str:
    n_done, n_all = sum(map(len, done)), sum(len(contest.entrants) for contest in contests)
    if not n_done:
        return "no strategy is done"
    return f"{n_done} of {n_all} strategies done, as shown"


def _run(
    contest: Contest,
    workers: Workers | None,
    *,
    eligible: str | None,
    n: int,
    seed: int,
    openings: bool,
    time_limit: float | None,
    quiet: bool,
) -> Iterator[Sample]:
    """Yield the sample of each strategy and tree for one game."""
    from ..analysis import generate_samples

    jobs = os.cpu_count() or 1
    if openings:
        yield from _run_openings(contest, eligible, jobs, workers)
        return
    if "optimal" in contest.entrants and not quiet:
        announce_proof(contest.game, time_limit, keep_best=True)
    with game_progress(contest.title, quiet) as progress:
        samples = generate_samples(
            contest.game,
            contest.entrants,
            eligible=eligible,
            n=n,
            seed=seed,
            jobs=jobs,
            progress=progress,
            workers=workers,
            make_watch=None if time_limit is None else lambda: _make_watch(time_limit),
        )
        for sample, source in zip(samples, contest.sources, strict=True):
            yield replace(sample, source=source)


def _make_watch(time_limit: float) -> Watch:
    """Return a watch that ends a search in time."""
    end = time.monotonic() + time_limit
    return lambda _: time.monotonic() > end


def _refuse_openings(contests: list[Contest], openings: bool) -> None:
    """Raise UsageError if --openings does not apply to the strategy or game."""
    from ..errors import UsageError
    from ..strategies import is_search

    if not openings:
        return
    for contest in contests:
        for entrant, source in zip(contest.entrants, contest.sources, strict=True):
            if source is not None or not isinstance(entrant, str) or is_search(entrant):
                raise UsageError(
                    f"--openings is for strategies that follow a rule, not for {source or entrant}"
                )


def _refuse_idle(contests: list[Contest], openings: bool) -> None:
    """Raise UsageError where an option is given that changes nothing for any entrant."""
    from ..strategies import is_search

    context = click.get_current_context()
    pairs = [(contest.game, entrant) for contest in contests for entrant in contest.entrants]
    names = [entrant for _, entrant in pairs if isinstance(entrant, str)]
    if openings or not any(starmap(_is_random, pairs)):
        refuse_idle(context, ("n", "seed"), "where all is exact: nothing is random")
    if not any(map(is_search, names)):
        refuse_idle(context, ("time_limit",), "without -s optimal and -s best")
    if all(map(is_search, names)):
        refuse_idle(context, ("scheduler",), "where no strategy follows a rule")


def _is_random(game: Game, entrant: str | Tree) -> bool:
    """Whether a sample of games is played."""
    from ..strategies import is_search, parse_strategy, plays_online

    if not isinstance(entrant, str) or is_search(entrant):
        return False
    return plays_online(entrant) or not parse_strategy(entrant, game).is_deterministic


def _run_openings(
    contest: Contest, eligible: str | None, jobs: int, workers: Workers | None
) -> list[Sample]:
    from ..analysis import compare_openings
    from ..errors import UsageError
    from ..games import list_openings

    game = contest.game
    codes = list_openings(game)
    if codes is None:
        raise UsageError(
            f"--openings needs a peg game; {contest.title} has no symmetry, and"
            " treegen openings ranks its first guesses"
        )
    texts = [game.format_code(code) for code in codes]
    names = [entrant for entrant in contest.entrants if isinstance(entrant, str)]
    return compare_openings(game, names, texts, eligible=eligible, jobs=jobs, workers=workers)


def _report(
    contests: list[Contest],
    done: list[list[Sample]],
    table: str | None,
    as_json: bool,
    plot: str | None = None,
) -> None:
    """Print the results, write them as CSV, draw them."""
    from ..analysis import describe_sample, generate_csv

    samples = [sample for of_game in done for sample in of_game]
    if not samples:
        return
    steps: list[Callable[[], object]] = []
    if as_json:
        steps.append(lambda: print_json([describe_sample(sample) for sample in samples]))
    elif table != "-":
        steps.append(lambda: _print_tables(contests, done))
    if table is not None:
        steps.append(lambda: write_lines(table, generate_csv(samples)))
    if plot is not None:
        steps.append(lambda: _write_plot([contest.game for contest in contests], done, plot))
    deliver(*steps)


def _print_tables(contests: list[Contest], done: list[list[Sample]]) -> None:
    """Print a table for each game that has results."""
    shown = [(contest, of_game) for contest, of_game in zip(contests, done, strict=True) if of_game]
    for number, (contest, of_game) in enumerate(shown):
        click.echo(f"\n{contest.title}" if number else contest.title)
        print_samples(of_game)


def print_samples(samples: list[Sample]) -> None:
    """Print one row for each strategy."""
    from ..analysis import format_average, format_histogram
    from .table import Column, print_table

    columns = [
        Column("strategy", is_text=True),
        Column("games", 3),
        Column("total"),
        Column("average"),
        Column("worst"),
        Column("of them", 2),
        Column("histogram", 1, is_text=True),
        Column("build s", 4),
        Column("s a game", 5),
    ]
    rows = [
        [
            sample.label,
            f"{sample.n} (all)" if sample.is_exact else str(sample.n),
            str(sample.total),
            format_average(sample),
            str(sample.worst),
            str(sample.n_worst),
            format_histogram(sample),
            f"{sample.build_s:.3f}",
            f"{sample.time_per_game_s:.2g}",
        ]
        for sample in samples
    ]
    print_table(columns, rows)


def _write_plot(games: list[Game], done: list[list[Sample]], path: str) -> None:
    from ..analysis import plot_samples, plot_sizes
    from ..export import choose_format, write_figure

    chosen = choose_format(path, None)
    figure = plot_samples(done[0]) if len(games) == 1 else plot_sizes(games, done)
    write_figure(figure, path, chosen)
