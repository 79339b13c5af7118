"""``treegen build``: game and strategy in, tree out."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from . import completion
from .cluster import read_patience, run_tasks, scheduler_option
from .command import Command, Idle
from .exact import (
    read_first,
    refuse_search_options,
    run_search,
    save_log,
    search_options,
    take_search_options,
)
from .options import (
    eligible_option,
    game_argument,
    json_option,
    open_game,
    parse_history,
    quiet_option,
    strategy_option,
)
from .output import build_progress, deliver, print_json, write_tree
from .targets import Output, check_outputs, force_option, tree_output
from .time_limit import limit_time

if TYPE_CHECKING:
    from ..games import Game
    from ..strategies import Strategy
    from ..tree import ShardedTree, Tree


def _searches(given: Mapping[str, Any]) -> bool:
    """Whether the strategy is a search."""
    from ..strategies import is_search

    return is_search(given["strategy"] or "")


IDLE = (
    Idle(
        ("first",),
        lambda given: given["history"] is not None and not _searches(given),
        "with --history: a rule has it for the first guess of all, which is made",
    ),
    Idle(
        ("as_json",),
        lambda given: given["output"] == "-",
        "where the tree goes to the standard output",
    ),
)


@click.command(cls=Command, idle=IDLE)
@game_argument
@strategy_option("Name or chain.", default="knuth")
@click.option(
    "-o",
    "--output",
    type=completion.FILE,
    metavar="X.tree",
    help="Default: GAME-STRATEGY.tree; - is stdout.",
)
@click.option(
    "--first", metavar="CODE,…", help="Begin with this guess, or with the best of several."
)
@eligible_option("What may be guessed; hints: Wordle's hard mode.")
@click.option("--order", type=click.Choice(["lex", "first-fastest"]), help="Order of codes.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of a random tie-break.")
@click.option("--history", metavar="H", help="Start after guesses already made: 1122:02/1344:11.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), help="Threads (default: all cores); same tree."
)
@scheduler_option
@search_options
@quiet_option
@json_option
@force_option
def build(
    game: str,
    feedback: str | None,
    guesses: str | None,
    strategy: str,
    output: str | None,
    history: str | None,
    jobs: int | None,
    scheduler: str | None,
    quiet: bool,
    as_json: bool,
    force: bool,
    **choices: Any,
) -> None:
    """Build the complete tree of a strategy for GAME and write it as a .tree file."""
    from ..strategies import is_search, name_search

    the_game = open_game(game, feedback, guesses)
    options = take_search_options(choices)
    past = parse_history(history, the_game)
    if is_search(strategy):
        from ..exact import SearchLog

        # An ended search names its tree differently: both places are tried.
        for name in (strategy, f"{strategy}-unproved"):
            full_name = name_search(
                name, read_first(the_game, choices["first"]), choices["eligible"] or "all"
            )
            check_places(output or default_name(game, the_game, full_name))
        n_jobs, log = jobs or os.cpu_count() or 1, SearchLog()
        tree = run_search(the_game, strategy, past, options, choices, quiet, n_jobs, log, scheduler)
        path = output or default_name(game, the_game, tree.provenance.strategy)
        deliver(
            lambda: write_result(tree, path, quiet, as_json),
            lambda: save_log(options["log"], log),
        )
        return
    resume, time_limit = options.pop("resume"), options.pop("time_limit")
    refuse_search_options(strategy, options)
    rule = make_strategy(the_game, strategy, **choices)
    path = output or default_name(game, the_game, rule.name)
    check_places(path)
    read_patience(scheduler)
    if scheduler is None and resume is None:
        with limit_time(time_limit):
            tree = run_build(the_game, rule, past, jobs, quiet)
        write_result(tree, path, quiet, as_json)
        return
    with ExitStack() as stack:
        with limit_time(time_limit):
            tasks = run_tasks(the_game, rule, past, path, jobs, scheduler, resume, quiet)
            tasks_tree = stack.enter_context(tasks)
        write_result(tasks_tree, path, quiet, as_json)


def check_places(path: str) -> None:
    """Raise UsageError if the tree, the log or the parts cannot go to their paths."""
    from ..strategies import is_search

    parameters = click.get_current_context().params
    in_tasks = parameters["resume"] is not None or parameters["scheduler"] is not None
    # A tree built in tasks by a rule is in parts, which only a .tree file can take.
    in_parts = in_tasks and not is_search(parameters["strategy"])
    outputs = [tree_output("output", in_parts=in_parts), Output("log", ("json",)), Output("resume")]
    check_outputs(outputs, {**parameters, "output": path})


def write_result(tree: Tree | ShardedTree, path: str, quiet: bool, as_json: bool) -> None:
    """Write the tree and print its statistics."""
    write_tree(path, tree)
    report(tree, path, quiet, as_json)


def make_strategy(
    game: Game,
    text: str,
    *,
    first: str | None = None,
    eligible: str | None = None,
    order: str | None = None,
    seed: int | None = None,
) -> Strategy:
    """Return the named strategy or chain, modified by the options."""
    from ..errors import UsageError
    from ..strategies import change_strategy, parse_strategy

    strategy = parse_strategy(text, game)
    if seed is not None and strategy.is_deterministic:
        raise UsageError(f"--seed is for strategies that choose at random; {text} does not")
    opening = None if first is None else read_first(game, first)
    return change_strategy(strategy, eligible=eligible, order=order, seed=seed, opening=opening)


def run_build(game: Game, strategy: Strategy, history: Any, jobs: int | None, quiet: bool) -> Tree:
    """Build with a progress bar; say so if kernels have to be compiled first."""
    from ..builder import build_tree
    from ..kernels import announce_compiling

    def tell() -> None:
        if not quiet:
            click.echo("compiling the kernels: on the first run only, some seconds …", err=True)

    if not (quiet or history):
        announce_build(game, strategy)
    with (
        announce_compiling(tell),
        build_progress(f"{game.name}-{strategy.name}", quiet) as progress,
    ):
        return build_tree(
            game,
            strategy,
            history=history,
            jobs=jobs or os.cpu_count() or 1,
            quick_start=True,
            progress=progress,
        )


def announce_build(game: Game, strategy: Strategy) -> None:
    """Announce how long a large codebook's tree may take to build, and how much memory."""
    from ..builder import estimate_codebook_build
    from .exact import LONG_PROOF_S, write_seconds

    estimate = estimate_codebook_build(game, strategy)
    if estimate is not None and estimate[0] > LONG_PROOF_S:
        seconds, n_bytes = estimate
        click.echo(
            f"the build may take {write_seconds(seconds)} of one core"
            f" and {n_bytes / 1e6:.0f} MB of memory for the tree",
            err=True,
        )


def default_name(text: str, game: Game, strategy: str) -> str:
    """Return GAME-STRATEGY.tree; for a codebook, GAME is its file's name."""
    stem = game.name
    if game.kind in ("codebook", "questions"):
        name = "stdin" if text == "-" else os.path.basename(text)  # noqa: PTH119
        stem = os.path.splitext(name)[0]  # noqa: PTH122
    return f"{stem}-{re.sub(r'[^A-Za-z0-9.]+', '-', strategy)}.tree"


def report(tree: Tree | ShardedTree, path: str, quiet: bool, as_json: bool) -> None:
    """Print the tree's statistics, unless the tree itself went to standard output."""
    from ..analysis import describe_tree

    if as_json and path != "-":
        print_json(describe_tree(tree))
    elif not quiet:
        histogram = "/".join(map(str, tree.histogram))
        click.echo(
            f"{path}: total {tree.total}, average {tree.average:.4f}, worst {tree.worst},"
            f" histogram {histogram}{describe_proof(tree)}",
            err=path == "-",
        )


def describe_proof(tree: Tree | ShardedTree) -> str:
    """Return what a search proved about a tree, empty if none made it."""
    from ..strategies import split_search

    objective, bound = tree.provenance.objective, tree.provenance.bound
    if not objective or bound is None:
        return ""
    search, first = split_search(tree.provenance.strategy)
    given = f" with the first guess {' or '.join(first)}" if first else ""
    if search == "optimal":
        return f", proved optimal by {objective}{given}"
    gap = (tree.total - bound) / max(bound, 1)
    return f", proved: no total{given} below {bound} (gap {gap:.1%})"
