"""``treegen build``: game and strategy in, tree out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

import click

from ..errors import TreegenError
from . import completion
from .cluster import find_patience, scheduler_option
from .command import Command, Idle
from .exact import announce_proof, follow_search, save_log, search_options
from .options import (
    eligible_option,
    game_argument,
    json_option,
    open_game,
    quiet_option,
    strategy_option,
    tell,
)
from .output import deliver, print_json, show_progress, write_tree
from .targets import Output, check_outputs, force_option, tree_output

if TYPE_CHECKING:
    from ..api import BuildOptions
    from ..exact import SearchLog
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
@strategy_option(
    "A name (`treegen strategies`), a chain like max,parts, or optimal / best.", default="knuth"
)
@click.option(
    "-o",
    "--output",
    type=completion.FILE,
    metavar="X.tree",
    help="Default: GAME-STRATEGY.tree, with the options that change the tree; - is stdout.",
)
@click.option(
    "--first", metavar="CODE,…", help="Begin with this guess, or with the best of several."
)
@eligible_option("What may be guessed; hints: Wordle's hard mode.")
@click.option("--order", type=click.Choice(["lex", "first-fastest"]), help="Which code wins a tie.")
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
    quiet: bool,
    as_json: bool,
    force: bool,
    **choices: Any,
) -> None:
    """Build the complete tree of a strategy for GAME and write it as a .tree file."""
    from .. import api
    from ..errors import Interrupted
    from ..strategies import is_search

    the_game = open_game(game, feedback, guesses)
    is_searched = is_search(strategy)
    log_path = choices.pop("log")
    log = _open_log(log_path, is_searched)
    # What a cluster does takes no CPU time here, and other beginnings are not estimated.
    is_whole = strategy == "optimal" and not any(
        map(choices.get, ("scheduler", "history", "first"))
    )
    proved = the_game if is_whole else None
    options = api.BuildOptions(
        **choices,
        log=log,
        patience=find_patience(),
        progress=follow_search(quiet, proved) if is_searched else show_progress(quiet),
        notice=tell,
    )
    api.check_build(the_game, strategy, options)

    def choose_path(is_proved: bool = True) -> str:
        stem = name_game(game, the_game, guesses)
        name = api.name_tree(the_game, strategy, options, stem, is_proved=is_proved)
        return output or f"{name}.tree"

    for is_proved in (True, False) if strategy == "optimal" else (True,):
        check_places(choose_path(is_proved))
    if not quiet:
        announce_work(the_game, strategy, options)
    beside = None if output == "-" else choose_path()

    def finish(tree: Tree | ShardedTree) -> str:
        path = choose_path(not tree.provenance.strategy.startswith("optimal-unproved"))
        deliver(
            lambda: write_result(tree, path, quiet, as_json),
            lambda: save_log(log_path, log),
        )
        return path

    try:
        with (
            _log_whatever_happens(log_path, log),
            announce_compiling(quiet or is_searched),
            api.open_build(the_game, strategy, options, beside=beside) as built,
        ):
            finish(built)
    except Interrupted as stop:  # with the best tree so far
        path = finish(cast("Tree", stop.result))
        raise KeyboardInterrupt(f"the best tree so far is in {path!r}") from stop


def _open_log(path: str | None, is_searched: bool) -> SearchLog | str | None:
    """Return a search's log; the path itself for other strategies, which refuse it."""
    if not is_searched:
        return path
    from ..exact import SearchLog

    return SearchLog()


@contextmanager
def _log_whatever_happens(path: str | None, log: SearchLog | str | None) -> Iterator[None]:
    """Write the log of a search that fails."""
    try:
        yield
    except BaseException:
        with suppress(TreegenError, OSError):  # what ended the search is reported
            save_log(path, log)
        raise


@contextmanager
def announce_compiling(quiet: bool) -> Iterator[None]:
    """Say so if kernels have to be compiled first."""
    if quiet:
        yield
        return
    from ..kernels import announce_compiling as announce

    def tell_once() -> None:
        click.echo("compiling the kernels: on the first run only, some seconds …", err=True)

    with announce(tell_once):
        yield


def announce_work(game: Game, strategy: str, options: BuildOptions) -> None:
    """Announce how long a build or a proof may take."""
    from ..strategies import parse_strategy

    if options.history:
        return
    if strategy == "optimal" and not options.first:
        announce_proof(game, options.time_limit)
    elif strategy not in ("optimal", "best"):
        announce_build(game, parse_strategy(strategy, game))


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


def name_game(text: str, game: Game, guesses: str | None) -> str:
    """Return how the game is called in the name of a file: that of its own, and what changes it."""
    from ..api import write_mark

    kept = click.get_current_context().meta
    is_words = game.kind == "codebook"
    parts = [_stem(text) if is_words or game.kind == "questions" else game.name]
    if is_words and guesses is not None:
        parts.append(write_mark(_stem(guesses)))
    if is_words and game.rule != "pegs":
        parts.append(game.rule)
    if game.goal != ("identify" if game.kind == "questions" else "win"):
        parts.append(str(game.goal))
    for name in ("weights", "costs"):
        given = kept.get(f"treegen.{name}")
        parts += [] if given is None else [f"{name}-{write_mark(_stem(given))}"]
        default = kept.get("treegen.default_weight") if name == "weights" else None
        parts += [] if default is None else [f"default-{write_mark(default)}"]
    return "-".join(parts)


def _stem(path: str) -> str:
    """Return the name of a file without folders and ending."""
    name = "stdin" if path == "-" else os.path.basename(path)  # noqa: PTH119
    return os.path.splitext(name)[0]  # noqa: PTH122


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
    claim = f"no total{given} below {bound} (gap {gap:.1%})"
    is_ended = search == "optimal-unproved"
    return f", not proved optimal by {objective}: {claim}" if is_ended else f", proved: {claim}"
