"""What builds: ``treegen build``, ``patterns`` and ``warmup``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import click

from ..analysis.options import PATTERNS
from ..errors import Interrupted
from ..job import STRATEGIES, Job, open_job, prepare, write_mark
from ..strategies.named import OPTIMAL, UNPROVED
from ..strategies.strategy import Strategy
from .command import Command, Idle, show_line
from .options import (
    FILE,
    add_options,
    build_options,
    game_argument,
    json_option,
    notify,
    open_game,
    output_option,
    quiet_option,
    symbols_option,
)
from .output import (
    Output,
    add_option,
    check_contents,
    check_outputs,
    force_option,
    open_target,
    report,
    show_progress,
    write_tree,
)

if TYPE_CHECKING:
    from ..exact.estimates import Estimate
    from ..games.base import Game
    from ..tasks.work import Progress
    from ..tree.tree import Tree


LONG_PROOF_S = 60
"""Proofs that may take longer are announced, with the estimate."""

SOME_S = 5.0
"""After so much CPU time a search shows how long it will still take."""

YEAR_S = 365 * 86400

UNFORESEEN_PAIRS = 1_000_000
"""From this many pairs of guess and secret on, treegen says that it has no estimate."""


IDLE = (
    Idle(
        ("as_json",),
        lambda given: given["output"] == "-",
        "where the tree goes to the standard output",
    ),
    Idle(
        ("symbols",),
        lambda given: not given["first"] and not given["history"],
        "without --first or --history, which they write",
    ),
)


@click.command(cls=Command, idle=IDLE)
@game_argument
@add_options(*STRATEGIES.values())
@build_options()
@symbols_option
@add_option(
    "-o",
    "--output",
    group="Output",
    type=FILE,
    metavar="X.tree",
    help="Default: GAME-STRATEGY.tree, with the options that change the tree; - is stdout.",
)
@quiet_option
@json_option
@force_option
def build(
    game: str,
    rules: Mapping[str, Any],
    strategy: str | None,
    symbols: str | None,
    output: str | None,
    quiet: bool,
    as_json: bool,
    **choices: Any,
) -> None:
    """Build the complete tree of a strategy for GAME and write it as a .tree file."""
    the_game = open_game(game, rules).with_symbols(symbols)
    if choices["log"] is not None:
        choices["log"] = open_target(choices["log"])
    job = prepare(the_game, strategy, **choices, notice=notify)
    job = job.change(progress=show_progress(quiet) if job.rule else follow_search(job, quiet))

    def choose_path(is_proved: bool = True) -> str:
        stem = name_game(game, job.game, rules)
        return f"{job.name_file(stem, is_proved=is_proved)}.tree" if output is None else output

    for is_proved in (True, False) if job.strategy == OPTIMAL else (True,):
        check_places(job, choose_path(is_proved))
    if not quiet:
        announce_work(job)
    beside = None if output == "-" else choose_path()

    def finish(tree: Tree) -> str:
        path = choose_path(not tree.provenance.strategy.startswith(UNPROVED))
        write_tree(path, tree)
        report(tree, path, quiet, as_json)
        return path

    try:
        with open_job(job, beside=beside) as built:
            finish(built)
    except Interrupted as stop:  # with the best tree so far
        path = finish(cast("Tree", stop.result))
        raise KeyboardInterrupt(f"the best tree so far is in {path!r:.300}") from stop


def announce_work(job: Job) -> None:
    """Announce how long a build or a proof may take."""
    if job.past:
        return
    if job.rule is not None:
        announce_build(job.game, job.rule)
    elif job.strategy == OPTIMAL and not job.first:
        announce_proof(job.game, job.options["time_limit"])


def check_places(job: Job, path: str) -> None:
    """Raise UsageError if the tree, the log or the parts cannot go to their paths."""
    parameters = click.get_current_context().params
    in_tasks = job.options["resume"] is not None or job.options["scheduler"] is not None
    # A tree built in tasks by a rule is in parts, which only a .tree file can take.
    in_parts = in_tasks and job.rule is not None
    outputs = (
        Output("output", ("tree",) if in_parts else ("tree", "table")),
        Output("log", ("json",)),
        Output("resume"),
        Output("certificate", ("proof",), may_stream=False),
    )
    check_outputs(outputs, {**parameters, "output": path})


def announce_build(game: Game, strategy: Strategy) -> None:
    """Announce how long a large codebook's tree may take to build, and how much memory."""
    from ..builder.choose import estimate_codebook_build

    estimate = estimate_codebook_build(game, strategy)
    if estimate is not None and estimate[0] > LONG_PROOF_S:
        seconds, n_bytes = estimate
        notify(
            f"the build may take {write_seconds(seconds)} of one core"
            f" and {n_bytes / 1e6:.0f} MB of memory for the tree"
        )


def name_game(text: str, game: Game, rules: Mapping[str, Any]) -> str:
    """Return the game's name in the name of a file: its own, and the options that change it."""
    guesses = rules["guesses"]
    parts = [
        game.notation.name_file(_stem(text), "" if guesses is None else write_mark(_stem(guesses)))
    ]
    if game.goal != game.rules.usual_goal:
        parts.append(str(game.goal))
    parts += [] if rules["header"] else ["no-header"]
    parts += [mark for mark in ("fold", "count-rows") if rules[mark.replace("-", "_")]]
    for name in ("letters", "names", "classes", "ignore", "thresholds", "thresholds_most"):
        mark = "class" if name == "classes" else name.replace("_", "-")
        parts += [] if rules[name] is None else [f"{mark}-{write_mark(str(rules[name]))}"]
    for name in ("unknown", "sets", "any", "separator"):  # signs, which names of files seldom hold
        parts += [] if rules[name] is None else [f"{name}-{write_mark(repr(rules[name]))}"]
    for name in ("weights", "costs"):
        given = rules[name]
        parts += [] if given is None else [f"{name}-{write_mark(_stem(given))}"]
        default = rules["default_weight"] if name == "weights" else None
        parts += [] if default is None else [f"default-{write_mark(default)}"]
    return "-".join(parts)


def _stem(path: str) -> str:
    """Return the name of a file without folders and ending."""
    name = "stdin" if path == "-" else os.path.basename(path.rstrip(os.sep))  # noqa: PTH119
    return os.path.splitext(name)[0]  # noqa: PTH122


def announce_proof(game: Game, limit: float | None) -> None:
    """Announce how long a long proof may take, and whether the time limit allows that."""
    from ..exact.estimates import estimate_proof

    estimate = estimate_proof(game)
    keep = "; Ctrl-C keeps the best tree so far, once there is one"
    if estimate is None:
        if game.n_codes * game.n_secrets >= UNFORESEEN_PAIRS:
            notify(f"it is not known how long the proof will take{keep}")
        return
    if estimate.seconds <= LONG_PROOF_S:
        return
    fits = limit is None or limit > estimate.seconds
    advice = keep if fits else ", which the time limit does not allow: see -s best"
    notify(f"the proof may take {write_estimate(estimate)}{advice}")


def write_estimate(estimate: Estimate) -> str:
    """Write an estimate, and the range in which it likely is."""
    least, likely, most = (
        write_seconds(seconds) for seconds in (estimate.least, estimate.seconds, estimate.most)
    )
    span = "" if least == most else f" ({least} to {most})".replace("about ", "")
    return f"{likely} of one core{span}"


def follow_search(job: Job | None, quiet: bool) -> Callable[[Progress], None]:
    """Return a callback that shows a search's progress on a terminal, and says if it has no tree.

    For the proof of a game, from the beginning and here, it shows how long that will still take.
    """
    is_told = False
    is_shown = not quiet and sys.stderr.isatty()
    # Work on a cluster takes no CPU time here; estimates are only for a game from its beginning.
    is_whole = job is not None and job.strategy == OPTIMAL and not (job.past or job.first)
    is_estimated = is_shown and is_whole and job is not None and job.options["scheduler"] is None
    rest = RestOfProof(job.game if job is not None and is_estimated else None)

    def follow(progress: Progress) -> None:
        nonlocal is_told
        if progress.stage == "greedy" and not is_told and not quiet:
            is_told = True
            notify("ended before any tree was complete: making a greedy one")
        if is_shown:
            show_line(f"{progress}, {rest.describe(progress.stage)}")

    return follow


class RestOfProof:
    """How long a search has taken and, if it proves a known game, how long it will still take."""

    def __init__(self, game: Game | None) -> None:
        from ..exact.estimates import estimate_proof

        estimate = None if game is None else estimate_proof(game)
        is_long = estimate is not None and estimate.seconds > LONG_PROOF_S
        self.estimate_s = estimate.seconds if estimate and is_long else None  # of one core
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
        from ..exact.request import LEADING_GUESS

        if self.is_leading and stage != LEADING_GUESS:
            self.lead_s = cpu_s
        self.is_leading = stage == LEADING_GUESS


def describe_rest(
    estimate_s: float | None, cpu_s: float, wall_s: float, lead_s: float | None = None
) -> str:
    """Return a search's remaining time as text; empty if it is not known, or has just begun."""
    from ..exact.estimates import estimate_rest

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


@click.command(cls=Command)
@click.argument("length", type=int)
@add_options(*PATTERNS.values())
@output_option()
@quiet_option
def patterns(
    length: int, strategy: str, output: str, time_limit: float | None, quiet: bool
) -> None:
    """Compile a table for each way in which colors can share LENGTH pegs; write an index, too."""
    from ..analysis.patterns import MOST_PEGS, list_patterns, patterns

    if 1 <= length <= MOST_PEGS:  # others are refused
        kinds = {f"{game.name}.tgt": "table" for game in list_patterns(length)}
        kinds[f"INDEX-{length}.md"] = "text"
        check_contents(output, kinds, kinds)
    index = patterns(
        length,
        output,
        strategy=strategy,
        time_limit=time_limit,
        jobs=None,
        progress=show_progress(quiet),
    )
    if not quiet:
        click.echo(f"wrote {index} and its tables", err=True)
