"""``treegen compare``: several strategies for one game, side by side."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from .cluster import open_cluster, scheduler_option
from .options import games_argument, json_option, open_game, quiet_option
from .output import game_progress, print_json, write_lines

if TYPE_CHECKING:
    from ..analysis.sample import Sample
    from ..games import Game
    from ..tasks import Workers


@click.command()
@games_argument
@click.option("-s", "--strategy", "strategies", multiple=True, required=True, help="Repeatable.")
@click.option("-n", "--games", "n", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--openings", is_flag=True, help="Each strategy after each opening there is.")
@click.option(
    "--plot",
    metavar="OUT",
    help="Histograms and curves, or (several games) averages by size: .svg, .png, .pdf.",
)
@click.option("--csv", "table", metavar="OUT", help="Write the figures as CSV; - is stdout.")
@scheduler_option
@quiet_option
@json_option
def compare(
    games: tuple[str, ...],
    feedback: str | None,
    guesses: str | None,
    strategies: tuple[str, ...],
    n: int,
    seed: int,
    openings: bool,
    plot: str | None,
    table: str | None,
    scheduler: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Set strategies for a GAME, or for several, side by side.

    Strategies that make trees are exact over every secret; online and random ones play N games.
    """
    from ..analysis.report import describe_sample, generate_csv

    opened = [open_game(game, feedback, guesses) for game in games]
    with open_cluster(scheduler) as workers:
        tables = [_run(game, strategies, n, seed, openings, quiet, workers) for game in opened]
    samples = [sample for of_game in tables for sample in of_game]
    if plot is not None:
        _write_plot(opened, samples, plot)
    if table is not None:
        write_lines(table, generate_csv(samples))
    if as_json:
        print_json([describe_sample(sample) for sample in samples])
    elif table != "-":
        for of_game in tables:
            print_table(of_game)


def _run(
    game: Game,
    strategies: tuple[str, ...],
    n: int,
    seed: int,
    openings: bool,
    quiet: bool,
    workers: Workers | None,
) -> list[Sample]:
    from ..analysis import sample
    from ..errors import UsageError
    from ..games.openings import list_openings

    jobs = os.cpu_count() or 1
    if openings:
        codes = list_openings(game)
        if codes is None:
            raise UsageError(f"--openings needs a peg game; {game.name} has no symmetry")
        texts = [game.format_code(code) for code in codes]
        return sample.compare_openings(game, strategies, texts, jobs=jobs, workers=workers)
    with game_progress(game.name, quiet) as progress:
        return sample.compare(
            game, strategies, n=n, seed=seed, jobs=jobs, progress=progress, workers=workers
        )


def _write_plot(games: list[Game], samples: list[Sample], path: str) -> None:
    from ..analysis.plots import plot_samples, plot_sizes
    from ..export.plot import write_figure
    from ..export.target import choose_format

    chosen = choose_format(path, None)
    figure = plot_samples(samples) if len(games) == 1 else plot_sizes(games, samples)
    write_figure(figure, path, chosen)


def print_table(samples: list[Sample]) -> None:
    """Print one row for each strategy."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from ..analysis.report import format_average, format_histogram

    table = Table(title=samples[0].game, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("strategy", overflow="fold")
    for name in ("games", "total", "average", "worst", "of them"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("histogram", overflow="fold")
    table.add_column("build s", justify="right")
    table.add_column("s a game", justify="right")
    for sample in samples:
        table.add_row(
            sample.strategy,
            f"{sample.n} (all)" if sample.is_exact else str(sample.n),
            str(sample.total),
            format_average(sample),
            str(sample.worst),
            str(sample.n_worst),
            format_histogram(sample),
            f"{sample.build_s:.3f}",
            f"{sample.time_per_game_s:.2g}",
        )
    console = Console()
    Console(width=console.width if console.is_terminal else 140).print(table)
