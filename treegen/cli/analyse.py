"""What looks at games, strategies and trees, and changes nothing.

games, strategies; stats, diff, explain, manifest; openings, compare, simulate; apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .._printing import Paragraph, generate_rows
from ..analysis.options import APPLY, COMPARE, DIFF, EXPLAIN, OPENINGS, SIMULATE
from ..errors import Interrupted, UsageError
from ..strategies.named import OPTIMAL, SEARCHES, is_search
from ..tasks.work import PROCESS, Stop
from .build import announce_proof
from .command import Command, Idle, refuse_idle
from .options import (
    FILE,
    GAME,
    STRATEGY,
    add_options,
    build_options,
    csv_option,
    file_argument,
    files_argument,
    game_argument,
    game_options,
    games_argument,
    json_option,
    notify,
    open_game,
    open_rules,
    output_option,
    quiet_option,
    refuse_two_streams,
    row_options,
    scheduler_option,
    symbols_option,
)
from .output import (
    Output,
    checks_outputs,
    deliver,
    open_file,
    picture_output,
    print_blocks,
    print_json,
    print_result,
    show_progress,
    write_lines,
    write_plot,
)

if TYPE_CHECKING:
    from ..analysis.compare import Comparison, Contest


@click.command(
    cls=Command,
    idle=[Idle(("feedback", "guesses"), lambda given: not given["wanted"], "without a GAME")],
)
@click.argument("wanted", metavar="[GAME]...", nargs=-1, type=GAME)
@game_options
@csv_option
@json_option
@checks_outputs(Output("table", ("csv",)))
def games(
    wanted: tuple[str, ...], rules: Mapping[str, Any], table: str | None, as_json: bool
) -> None:
    """List the games, or show size, responses and openings of GAME, one or several."""
    from ..catalogue import describe_game, list_games

    refuse_two_streams(table, as_json)
    if not wanted:
        found = list_games()
        _present(found, found.to_dict(), as_json, table)
        return
    described = [describe_game(open_game(name, rules)) for name in wanted]

    def show() -> None:
        for number, about in enumerate(described):
            click.echo("\n" * (number > 0), nl=False)
            print_result(about)

    values = [about.to_dict() for about in described]
    rows = [row for about in described for row in about.list_rows()]
    lines = generate_rows(rows, described[0].columns)
    _deliver(show, values if len(wanted) > 1 else values[0], lines, as_json, table)


@click.command(cls=Command)
@click.argument("names", type=STRATEGY, metavar="[NAME]...", nargs=-1)
@csv_option
@json_option
@checks_outputs(Output("table", ("csv",)))
def strategies(names: tuple[str, ...], table: str | None, as_json: bool) -> None:
    """List the named strategies, or show the exact rule and source of NAME."""
    from ..catalogue import list_strategies

    refuse_two_streams(table, as_json)
    found = list_strategies(*names)

    def show() -> None:
        for strategy in found:
            print_result(strategy)
        if names:
            return
        click.echo()
        print_blocks(
            [
                Paragraph("A chain works, too: max,power:1,parts,consistent,lowest"),
                Paragraph(
                    "Tables with uncertain answers or classes: separable-pairs, expected-left,"
                    " information, each also per cost (information/cost)"
                ),
            ]
        )

    rows = [strategy.to_dict() for strategy in found]
    _deliver(show, rows, generate_rows(rows, found[0].columns), as_json, table)


@click.command(cls=Command)
@files_argument
@csv_option
@json_option
@checks_outputs(Output("table", ("csv",)))
def stats(files: tuple[str, ...], table: str | None, as_json: bool) -> None:
    """Show total, average, worst, histogram and digest of the tree in FILE.

    Several files make a table, one row each; a file that cannot be read is named, the others are
    shown, and the exit code is 2.
    """
    from ..analysis.statistics import stats

    refuse_two_streams(table, as_json)
    names = list(dict.fromkeys(files))
    # Of several files the readable ones are shown.
    skip = None if len(files) == 1 else (lambda error: notify(error.to_shell()))
    found = stats(*map(open_file, names), skip=skip)
    _present(found, found.rows if len(files) > 1 else found.to_dict(), as_json, table)
    if len(found.trees) < len(names):
        raise click.exceptions.Exit(2)


@click.command(
    cls=Command,
    idle=[Idle(("limit",), lambda given: given["as_json"], "with --json, which shows everything")],
)
@file_argument("first")
@file_argument("second")
@add_options(*DIFF.values())
@csv_option
@json_option
@checks_outputs(Output("table", ("csv",)))
def diff(
    first: str, second: str, symmetric: bool, limit: int, table: str | None, as_json: bool
) -> None:
    """Show where the trees in FIRST and SECOND differ, and what it costs; exit 1 if they do."""
    from ..analysis.diff import diff

    refuse_two_streams(table, as_json)
    wanted = None if as_json else limit
    outcome = diff(open_file(first), open_file(second), symmetric=symmetric, limit=wanted)
    _present(outcome, outcome.to_dict(), as_json, table)
    if not outcome.is_equal:
        raise click.exceptions.Exit(1)


@click.command(
    cls=Command,
    idle=[
        Idle(
            ("top", "table"),
            lambda given: given["exact"],
            "with --exact, which compares two guesses",
        )
    ],
)
@file_argument()
@add_options(*EXPLAIN.values())
@csv_option
@json_option
@checks_outputs(Output("table", ("csv",)))
def explain(
    file: str,
    path: str | None,
    table: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show the best guesses of a state of FILE's tree, and why one of them wins, tie by tie.

    A tree without a rule (an imported or optimal one) is judged by exact search, if the state is
    small enough: candidates times guesses, at most 4,000,000.
    """
    from ..analysis.explain import Explanation, explain

    refuse_two_streams(table, as_json)
    found = explain(open_file(file), path=path or "", **options)
    if not isinstance(found, Explanation):
        why = "for a tree without a rule, whose guess is compared with the best one"
        refuse_idle(click.get_current_context(), ("top", "table"), why)
    _present(found, found.to_dict(), as_json, table)


@click.command(cls=Command)
@file_argument("tree")
@click.argument("rows", type=FILE, metavar="ROWS")
@add_options(*APPLY.values())
@row_options
@output_option("csv", default="-")
@quiet_option
@json_option
def apply(
    tree: str, rows: str, header: bool, output: str, quiet: bool, as_json: bool, **options: Any
) -> None:
    """Add to ROWS a column with what TREE announces for each of them.

    ROWS is a table whose columns are the questions, or guesses, of the tree. Where a row lacks an
    answer, the candidates left are announced with their shares.
    """
    from ..analysis.apply import apply

    if tree == rows == "-":
        raise UsageError("TREE and ROWS cannot both be read from the standard input")
    found = apply(
        open_file(tree),
        open_file(rows),
        header=header,
        progress=show_progress(quiet),
        notice=notify,
        **options,
    )
    is_streamed = output == "-"
    steps: list[Callable[[], object]] = []
    if not (as_json and is_streamed):
        steps.append(lambda: write_lines(output, found.generate_csv()))
    if as_json:
        steps.append(lambda: print_json(found.to_dict()))
    elif found.check is not None and is_streamed:
        steps.append(lambda: notify(f"{found}"))
    elif not (is_streamed or quiet):
        steps.append(lambda: print_result(found))
    deliver(*steps)


def _present(
    found: Any,
    value: Any,
    as_json: bool,
    table: str | None = None,
    draw: Callable[[], object] | None = None,
) -> None:
    """Print a result, or its value as JSON; write its table as CSV; draw it."""
    lines = () if table is None else found.generate_csv()
    _deliver(lambda: print_result(found), value, lines, as_json, table, draw)


def _deliver(
    show: Callable[[], object],
    value: Any,
    lines: Iterable[str],
    as_json: bool,
    table: str | None,
    draw: Callable[[], object] | None = None,
) -> None:
    """Show a result, or print its value as JSON; write its lines of CSV; draw it."""
    steps: list[Callable[[], object]] = []
    if as_json:
        steps.append(lambda: print_json(value))
    elif table != "-":
        steps.append(show)
    if table is not None:
        steps.append(lambda: write_lines(table, lines))
    deliver(*steps, *([draw] if draw else []))


@click.command(
    cls=Command,
    idle=[
        Idle(
            ("max_length",),
            lambda given: given["strategy"] not in SEARCHES,
            "without -s optimal: a rule plays as it does",
        ),
        Idle(
            ("certificate",),
            lambda given: given["strategy"] not in SEARCHES,
            "without -s optimal: only its totals are the least",
        ),
        Idle(
            ("all",),
            lambda given: given["strategy"] in SEARCHES,
            "with -s optimal, which looks at every opening",
        ),
    ],
)
@game_argument
@add_options(*OPENINGS.values())
@build_options("eligible", "max_length", "jobs")
@csv_option
@quiet_option
@json_option
@symbols_option
@checks_outputs(
    Output("table", ("csv",)),
    Output("resume"),
    Output("certificate", ("proof",), may_stream=False),
)
def openings(
    game: str,
    rules: Mapping[str, Any],
    symbols: str | None,
    table: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Rank the first guesses of GAME by the totals of the trees that begin with them.

    With -s optimal these are the least totals, and it is proved that no opening outside the list is
    better than the last one in it. First guesses that the game's symmetry maps to each other count
    once.
    """
    from ..analysis.openings import openings

    refuse_two_streams(table, as_json)
    stop: Interrupted | None = None
    try:
        found: Any = openings(
            open_game(game, rules).with_symbols(symbols),
            progress=show_progress(quiet),
            notice=notify,
            **options,
        )
    except Interrupted as ended:
        stop, found = ended, ended.result
    _present(found, found.to_dict(), as_json, table)
    unproved = "" if options["certificate"] is None else ", and no proof was written"
    if stop is not None:
        raise KeyboardInterrupt(f"the ranking is printed{unproved}") from stop
    if PROCESS.is_saving_here:
        raise KeyboardInterrupt(f"the list so far is printed{unproved}")
    if unproved and not found.ranking.proved:
        notify(f"{Stop(options['time_limit']).describe()}; the list so far is printed{unproved}")
        raise click.exceptions.Exit(130)


@click.command(cls=Command)
@games_argument
@add_options(COMPARE["strategies"], multiple=True)
@add_options(*(option for name, option in COMPARE.items() if name != "strategies"))
@click.option(
    "--plot",
    type=FILE,
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
    rules: Mapping[str, Any],
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
    from ..analysis.compare import compare, gather

    refuse_two_streams(table, as_json)
    entrants = list(map(open_file, games)), list(map(open_file, strategies))
    contests = gather(*entrants, open_rules(rules), options["eligible"])
    for contest in [] if quiet else contests:
        if contest.game.reading:
            notify(contest.game.reading)
    _refuse_idle(contests, options["openings"])
    if not quiet and not options["openings"]:
        for contest in contests:
            if OPTIMAL.name in contest.entrants:
                announce_proof(contest.game, options["time_limit"])
    try:
        found = compare(
            contests,
            jobs=None,
            progress=show_progress(quiet),
            notice=notify,
            **options,
        )
    except Interrupted as stop:
        done: Any = stop.result
        _report(done, table, as_json)
        outcome = f"{len(done.samples)} of {done.n_wanted} strategies done, as shown"
        outcome = outcome if done.samples else "no strategy is done"
        raise KeyboardInterrupt(outcome) from stop
    _report(found, table, as_json, plot)


def _refuse_idle(contests: list[Contest], openings: bool) -> None:
    """Raise UsageError where an option is given that changes nothing for any entrant."""
    from ..analysis.compare import is_random, list_named

    context = click.get_current_context()
    pairs = list_named(contests)
    names = [name for _, name in pairs]
    if openings or not any(starmap(is_random, pairs)):
        refuse_idle(context, ("n", "seed"), "where all is exact: nothing is random")
    if not any(map(is_search, names)):
        refuse_idle(context, ("time_limit",), "without -s optimal and -s best")
    if all(map(is_search, names)):
        refuse_idle(context, ("scheduler",), "where no strategy follows a rule")


def _report(found: Comparison, table: str | None, as_json: bool, plot: str | None = None) -> None:
    """Print the results, write them as CSV, draw them."""
    if found.samples:
        draw = None if plot is None else lambda: write_plot(found.plot(), plot)
        _present(found, found.to_dict()["samples"], as_json, table, draw)


@click.command(
    cls=Command,
    idle=(
        Idle(
            ("tables",),
            lambda given: given["strategy"] != "permutation",
            "without -s permutation",
        ),
        Idle(
            ("scheduler",),
            lambda given: given["strategy"] in SEARCHES,
            "on a search for one tree",
        ),
    ),
)
@game_argument
@add_options(*SIMULATE.values())
@build_options("eligible")
@scheduler_option
@click.option("--plot", type=FILE, metavar="OUT", help="Histogram: .svg, .png, .pdf.")
@csv_option
@quiet_option
@json_option
@checks_outputs(picture_output("plot"), Output("table", ("csv",)))
def simulate(
    game: str,
    rules: Mapping[str, Any],
    n: int,
    plot: str | None,
    table: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Play N games of GAME against secrets drawn by the seed.

    Ctrl-C ends it with the figures of the games that are over, and exit code 130; so does
    --time-limit, with exit code 0 where there are any.
    """
    from ..analysis.charts import plot_samples
    from ..analysis.sample import simulate

    refuse_two_streams(table, as_json)
    stop: Interrupted | None = None
    try:
        sample: Any = simulate(
            open_game(game, rules),
            jobs=None,
            progress=show_progress(quiet),
            notice=notify,
            n=n,
            **options,
        )
    except Interrupted as ended:
        stop, sample = ended, ended.result
    except KeyboardInterrupt as ended:
        raise KeyboardInterrupt("no game was finished") from ended
    draw = None if plot is None else lambda: write_plot(plot_samples([sample]), plot)
    _present(sample, sample.to_dict(), as_json, table, draw)
    outcome = f"the results are of {sample.n:,} of {n:,} games"
    if stop is not None:
        raise KeyboardInterrupt(outcome) from stop
    if sample.n < n:
        notify(f"{PROCESS.describe_stop()}; {outcome}")


@click.command(
    cls=Command,
    idle=[Idle(("output",), lambda given: given["as_json"], "with --json, which is printed")],
)
@click.argument("files", type=FILE, nargs=-1, required=True)
@output_option("manifest", default="-")
@json_option
def manifest(files: tuple[str, ...], output: str, as_json: bool) -> None:
    """Print name, size, sha256 of FILES and the statistics of their trees.

    The result can be checked by sha256sum -c, in the folder where it is.
    """
    from ..analysis.statistics import manifest

    found = manifest(*files, folder=None if output == "-" else Path(output).parent)
    if as_json:
        print_json(found.to_dict()["files"])
    else:
        write_lines(output, found.to_text().splitlines())
