"""A job: what is built and how, read once from what a user gave, checked, and done.

`build` and `open_build` are its doors for Python; a shell prepares a job and opens it.
"""

import json
import os
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, Unpack, cast, get_args

from ._files import WRITTEN, Target, check_file, check_path, write_atomically, write_lines
from ._options import (
    BEAM,
    COUNT,
    PERCENT,
    POSITIVE,
    RULE,
    SEED,
    Option,
    check_keywords,
    declare,
    describe_parameters,
    list_parameters,
    make_whole,
)
from .errors import Interrupted, TreegenError, UsageError, warn
from .formats.inputs import (
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    StrategySource,
    open_game,
    parse_first,
    parse_history,
)
from .formats.proof import refuse_game
from .games.base import Game
from .games.eligible import ELIGIBLE, HARD, Eligible
from .games.histories import format_history
from .games.rules import write_weights
from .strategies.named import (
    BEST,
    ENDED,
    OPTIMAL,
    ROUNDED,
    SEARCHES,
    UNPROVED,
    NamedSearch,
    Objective,
    list_objectives,
    resolve_strategy,
)
from .strategies.strategy import (
    ORDERS,
    Order,
    Strategy,
    change_strategy,
    default_rule,
    read_share_criterion,
    take_strategy,
)
from .tasks.cluster import open_cluster, open_workers
from .tasks.run import Workers
from .tasks.work import (
    PROCESS,
    READING_S,
    OnProgress,
    Progress,
    ProgressOption,
    Stop,
    add_rest,
    check_patience,
    count_jobs,
    describe_rest,
    end_in_time,
    open_progress,
    tell_what_is_kept,
)
from .tree.tree import History, Tree

if TYPE_CHECKING:
    from .exact.request import SearchLog, SearchProgress, SearchSpec, Watch

STRATEGY, SEARCH, CLUSTER = "Strategy", "Search", "Threads and cluster"
"""Headings of options in the help of a shell."""

Device = Literal["cuda"]
DEVICES = get_args(Device)

LONGEST_MARK = 20
"""In a file's name, a longer history or list of first guesses is written as a hash."""


_of_strategies = partial(Option, group=STRATEGY)
_of_rules = partial(Option, group=STRATEGY, owners=(RULE,))
_of_workers = partial(Option, group=CLUSTER)
_of_searches = partial(Option, group=SEARCH)
_of_optimal = partial(Option, group=SEARCH, owners=(OPTIMAL.name,))
_of_best = partial(Option, group=SEARCH, owners=(BEST.name,))
_of_proofs = partial(Option, group=SEARCH, owners=tuple(SEARCHES))
_of_python = partial(Option, group="")

DEFAULT_RULE = (
    "default: knuth; of tables with uncertain answers or classes separable-pairs or information"
)

STRATEGIES = declare(
    strategy=_of_strategies(
        "A name (`treegen strategies`), a chain like max,parts, or optimal / best"
        f" ({DEFAULT_RULE}).",
        flag="-s/--strategy",
        python='A name (``"knuth"``), a chain (``"max,parts,lowest"``), a search (``"optimal"``,'
        ' ``"best"``), a `Strategy`, or a function of the sizes of a guess\'s cells (`make_chain`).'
        ' None: ``"knuth"``; for tables with uncertain answers ``"separable-pairs"``, with classes'
        ' alone ``"information"``.',
    )
)
"""What a tree is built by."""


class BuildOptions(GameOptions, total=False):
    """The keywords of `build`, which says what they mean: its options, and those of the game.

    Examples
    --------
    >>> import treegen
    >>> options: treegen.BuildOptions = {"first": "12", "goal": "win"}
    >>> treegen.build("p2c3r", "knuth", **options).total
    21
    """

    first: Annotated[
        "str | Sequence[str] | None",
        _of_strategies(
            "Begin with this guess, or with the best of several.",
            metavar="CODE,…",
            more='``"1123"``, ``"1123,1122"``, or a list. After a history only searches take it,'
            " as the next guess.",
        ),
    ]
    eligible: Annotated[
        "Eligible | None",
        _of_strategies(
            "What may be guessed; hints: Wordle's hard mode.",
            ELIGIBLE,
            more='``"all"``, ``"candidates"``, ``"hints"``, ``"consistent"``; None: as the strategy'
            " has it.",
            switch=HARD,
        ),
    ]
    order: Annotated[
        "Order | None",
        _of_rules("Which code wins a tie.", ORDERS, more='``"lex"`` or ``"first-fastest"``.'),
    ]
    seed: Annotated[int | None, _of_rules("Seed of a random tie-break.", range=SEED)]
    history: Annotated[
        "HistorySource",
        _of_strategies(
            "Start after guesses already made: 1122:02/1344:11.",
            metavar="H",
            more="Or pairs of guess and answer.",
        ),
    ]
    jobs: Annotated[
        int | None,
        _of_workers(
            "Threads, by default all cores in a shell; same result.",
            default=1,
            range=COUNT,
            flag="-j/--jobs",
            more="None: all cores.",
        ),
    ]
    device: Annotated[
        "Device | None",
        Option(
            "Choose guesses on a graphics card of NVIDIA (extra cuda); same tree.",
            DEVICES,
            more='``"cuda"``; what the card does not serve stays on the processor, and is'
            " announced.",
            group=CLUSTER,
            owners=(RULE,),
        ),
    ]
    scheduler: Annotated[
        str | None,
        _of_workers(
            "Work on a dask cluster: tcp://host:port, or its scheduler file.", metavar="ADDRESS"
        ),
    ]
    patience: Annotated[
        float | None,
        _of_workers(
            "Give up a scheduler that is silent for S seconds (default 300).",
            metavar="S",
            range=POSITIVE,
        ),
    ]
    objective: Annotated[
        "Objective | None",
        _of_optimal(
            "What is minimised, in this order (default total).",
            list_objectives,
            more='``"total"``, ``"total,worst,n_worst"``, ``"worst,total"``,'
            ' ``"worst,n_worst,total"``; or the states of the tree, its leaves too: ``"nodes"``,'
            ' ``"nodes,total"``, ``"worst,nodes"``.',
        ),
    ]
    max_length: Annotated[int | None, _of_optimal("The longest game allowed.", range=COUNT)]
    beam: Annotated[int | None, _of_best("Guesses tried in big states.", range=BEAM)]
    time_limit: Annotated[
        float | None,
        _of_searches(
            "Stop after S seconds: a search with its best tree, a rule with what `resume` keeps.",
            metavar="S",
            range=POSITIVE,
            more='An ended ``"optimal"`` search is named ``"optimal-unproved"``.',
        ),
    ]
    resume: Annotated[
        "str | os.PathLike[str] | None",
        _of_searches("Keep finished work in this folder; resume from it.", metavar="DIR"),
    ]
    look_ahead: Annotated[
        int | None,
        _of_best(
            "Guesses that the proved bound looks ahead (default 1; long word lists 0).",
            range=make_whole(0),
        ),
    ]
    gap: Annotated[
        float | None,
        _of_best(
            "Prove that no tree is better by more than that.", metavar="PERCENT", range=PERCENT
        ),
    ]
    table_size: Annotated[
        int | None,
        _of_proofs(
            "Memory of the table of proofs (default: by the game, up to 256).",
            metavar="MIB",
            range=COUNT,
        ),
    ]
    log: Annotated[
        "Target | SearchLog | None",
        _of_proofs(
            "Write the search's settings and history (JSON).",
            metavar="FILE",
            more="A path, an open file, or a `SearchLog`.",
        ),
    ]
    certificate: Annotated[
        "str | os.PathLike[str] | None",
        _of_proofs(
            "Write a proof of the bound that anybody can check; best needs `gap`.",
            metavar="X.proof",
            more="See `certify`. A search that the time limit ends writes none.",
        ),
    ]
    progress: Annotated[
        "ProgressOption", _of_python("Called with a `Progress` now and then; True shows a bar.")
    ]
    notice: Annotated[
        "Notice | None",
        _of_python("Called with remarks meanwhile, such as that a cluster is silent."),
    ]


@dataclass(frozen=True, slots=True)
class Job:
    """What is built, and where: all that a user asked for, read and checked once by `prepare`."""

    game: Game
    strategy: Strategy | NamedSearch  # without what the options change
    rule: Strategy | None  # with that; None if a search chooses the guesses
    past: History  # the guesses already made
    first: tuple[str, ...]  # the first guesses allowed, in the game's own notation
    options: BuildOptions

    def change(self, **options: Unpack[BuildOptions]) -> Self:
        """Return the same job with other options, of those that make no other tree."""
        return replace(self, options={**self.options, **options})

    @property
    def title(self) -> str:
        """The name of the game and of what plays it."""
        return f"{self.game.name}-{(self.rule or self.strategy).name}"

    @property
    def spec(self) -> "SearchSpec":
        """What is searched, if no rule chooses the guesses."""
        from .exact.request import SearchSpec

        given: dict[str, Any] = {**self.options, "history": self.past, "first": self.first}
        if given["time_limit"] is None:
            given["beam"] = given["beam"] or 8
        asked = {each.name: given[each.name] for each in fields(SearchSpec)}
        return SearchSpec(
            **{name: value for name, value in asked.items() if value not in (None, "")}
        )

    def name_file(self, stem: str, *, is_proved: bool = True) -> str:
        """Return the name of the tree's file, without its ending: all that makes another tree.

        `stem` is the game's part of it; `is_proved` is False for the best tree of an optimal search
        that was ended.

        >>> options = {"objective": "worst,total", "history": "1123:01"}
        >>> prepare(open_game("p4c6r"), "optimal", **options).name_file("p4c6r")
        'p4c6r-optimal-worst-total-after1123-01'
        """
        options, name, gap = self.options, self.strategy.name, self.options["gap"]
        # What the strategy has anyway is left out.
        eligible = getattr(self.strategy, "eligible", "all")
        order = getattr(self.strategy, "order", "lex")
        marks = {
            "": name.replace(":-", "-minus") if is_proved else f"{name}-unproved",
            "eligible": "" if options["eligible"] == eligible else options["eligible"],
            "objective": "" if options["objective"] == "total" else options["objective"],
            "max": options["max_length"],
            "first": write_mark(",".join(self.first)),
            "order": "" if options["order"] == order else options["order"],
            "seed": options["seed"],
            "beam": options["beam"],
            "gap": gap if gap is None else f"{gap:g}",
            "after": write_mark(format_history(self.game.notation, self.past)),
        }
        speaking = ("eligible", "objective", "order")  # without the option's name
        parts = [
            f"{'' if mark in speaking else mark}{value}"
            for mark, value in marks.items()
            if value not in (None, "")
        ]
        return "-".join([stem, *(re.sub(r"[^A-Za-z0-9.]+", "-", part) for part in parts)])


def write_mark(text: str) -> str:
    """Return a text as a part of a file's name: itself, or a hash if it is long or has odd signs.

    >>> write_mark("1122:02/1344:11"), write_mark("1122:02/1344:11/3526:12")
    ('1122-02-1344-11', '187cb850')
    """
    if len(text) > LONGEST_MARK or re.search(r"[^\w.:/, -]", text, re.ASCII):
        return sha256(text.encode()).hexdigest()[:8]
    return re.sub(r"[^A-Za-z0-9.]+", "-", text)


OPTIONS = list_parameters(BuildOptions)


def prepare(game: Game, strategy: StrategySource | None, **given: Unpack[BuildOptions]) -> Job:
    """Return the job; raise before any work if its parts do not fit each other.

    None stands for the rule by which the game's tree is built unless another is asked for.

    The job's game is in its own notation: trees, rules and the names of files are the same whatever
    the symbols are in which `options` writes guesses.
    """
    options = cast(BuildOptions, {each.name: each.default for each in OPTIONS} | given)
    for each in OPTIONS:
        each.check(options[each.name])  # type: ignore[literal-required]
    check_patience(options["scheduler"], options["patience"])
    strategy = default_rule(game) if strategy is None else strategy
    name = strategy if isinstance(strategy, str) else take_strategy(strategy).name
    own, past = game.with_symbols(None), parse_history(options["history"], game)
    _refuse_options(name, options)
    found = resolve_strategy(strategy, own)
    if isinstance(found, NamedSearch):
        from .exact.request import SearchLog
        from .exact.run import check_search, choose_search_kernel

        job = Job(own, found, None, past, parse_first(options["first"], game), options)
        check_search(own, found.name, job.spec, options["table_size"])
        if options["log"] is not None and not isinstance(options["log"], SearchLog):
            check_file(options["log"], "write")
        if options["certificate"] is not None:
            check_path(options["certificate"], "a certificate is given by its path")
            eligible, objective = options["eligible"] or "all", options["objective"] or "total"
            refuse_game(own, options["max_length"], eligible, objective)
            search = choose_search_kernel(own)
            proves_bound = options["gap"] is not None or search.proves_without_gap(own)
            if found == BEST and not proves_bound:
                raise UsageError(
                    "`certificate` of `strategy=best` needs `gap`, whose bound it proves"
                )
        return job
    if options["seed"] is not None and found.is_deterministic:
        raise UsageError(f"`seed` is for strategies that choose at random; {name} does not")
    first = parse_first(options["first"], game)
    if first and past:
        raise UsageError(
            f"`first={','.join(first)}` is a rule's first guess of a game, and `history` has made"
            " that: leave one out, or search (`strategy=optimal`), which makes it the next guess"
        )
    changes: dict[str, Any] = {name: options[name] for name in ("eligible", "order", "seed")}
    rule = change_strategy(found, **changes, opening=first or None)
    if own.rules.shares is not None:
        read_share_criterion(rule, own.rules)
    return Job(own, found, rule, past, first, options)


def _refuse_options(strategy: str, options: BuildOptions) -> None:
    """Raise UsageError if a strategy gets an option that belongs to others."""
    for each in OPTIONS:
        if options[each.name] is not None:  # type: ignore[literal-required]
            each.refuse_beside(strategy, is_search=strategy in SEARCHES)
    device = options["device"]
    if device is not None and device not in DEVICES:
        raise UsageError(f"unknown device {device!r:.80}: there is {', '.join(DEVICES)}")
    if device is not None and options["scheduler"] is not None:
        raise UsageError("`device` and `scheduler` cannot be combined: leave one of them out")
    if strategy != BEST.name:
        return
    if options["eligible"] in ("all", "candidates"):
        raise UsageError(
            "`strategy=best` takes no `eligible` but hints and consistent; `strategy=optimal` and"
            " rules take all"
        )
    # A near-optimal search has a table of proofs only where an exact one goes with it.
    is_beside = options["time_limit"] is not None and options["beam"] is None
    if options["table_size"] is not None and options["gap"] is None and not is_beside:
        raise UsageError(
            "`table_size` of `strategy=best` needs `gap`, or `time_limit` without `beam`"
        )


@contextmanager
def open_job(
    job: Job,
    limit: Stop | None = None,
    beside: str | os.PathLike[str] | None = None,
) -> Iterator[Tree]:
    """Do a job; its log and its certificate are written when the context ends.

    `limit` is the job's time limit where it has begun already; for `beside` see `open_build`.
    """
    options, limit = job.options, limit or Stop(job.options["time_limit"])
    if job.rule is None:
        with _keep_log(job) as logged:
            tree, proof = _search(logged, limit)
            try:  # neither costs the other: an error in the block, or one of writing
                yield tree
            finally:
                if proof is not None:
                    write_atomically(cast(str, options["certificate"]), proof.encode())
    elif options["scheduler"] is None and options["resume"] is None:
        yield _build_here(job, job.rule, limit)
    else:
        with _build_in_tasks(job, job.rule, limit, beside) as tree:
            yield tree


def _build_here(job: Job, rule: Strategy, limit: Stop) -> Tree:
    """Build a rule's tree in this process."""
    from .builder.grow import build_tree

    with end_in_time(limit), open_progress(job.options["progress"], job.title) as on_progress:
        return build_tree(
            job.game,
            rule,
            history=job.past,
            jobs=count_jobs(job.options["jobs"]),
            progress=on_progress,
            device=job.options["device"],
            notice=job.options["notice"],
        )


@contextmanager
def _build_in_tasks(
    job: Job, rule: Strategy, limit: Stop, beside: str | os.PathLike[str] | None
) -> Iterator[Tree]:
    """Build a tree in tasks, here or on a cluster; say what is kept if the context ends early."""
    from .builder.grow import build_sharded

    options = job.options
    with ExitStack() as stack, end_in_time(limit):
        folder, room = options["resume"], None
        if folder is None:
            folder = stack.enter_context(_open_folder_beside(beside))
            room = Path(folder).parent
        workers = stack.enter_context(
            open_workers(
                jobs=count_jobs(options["jobs"]),
                scheduler=options["scheduler"],
                notice=add_rest(options["notice"], options["resume"]),
                patience_s=options["patience"],
            )
        )
        with (
            tell_what_is_kept(options["resume"]),
            open_progress(options["progress"], job.title) as on_progress,
        ):
            tree = build_sharded(
                job.game,
                rule,
                folder,
                room=room,
                history=job.past,
                workers=workers,
                progress=on_progress,
                device=options["device"],
                notice=options["notice"],
            )
    with tell_what_is_kept(options["resume"]):
        yield tree


@contextmanager
def _open_folder_beside(path: str | os.PathLike[str] | None) -> Iterator[str]:
    """Create a folder for the parts beside the tree: both fit on that disk, or neither."""
    parent = None if path is None else Path(path).absolute().parent
    with (
        tempfile.TemporaryDirectory(
            prefix=".treegen-", dir=parent if parent and parent.is_dir() else None
        ) as folder,
        WRITTEN.remember_temporary(folder),
    ):
        yield folder


def _search(job: Job, limit: Stop) -> tuple[Tree, str | None]:
    """Search for an optimal or near-optimal tree; return it with its certificate, if it has one.

    After Ctrl-C, Interrupted has the best so far.
    """
    PROCESS.forget_saving()  # not what an earlier, interrupted call kept
    options, tree = job.options, _run_search(job, limit)
    is_unproved = tree.provenance.strategy.startswith(UNPROVED)
    is_ended = tree.provenance.rule.endswith(ENDED)
    if is_ended and options["resume"] is not None and options["notice"] is not None:
        options["notice"](describe_rest(options["resume"]))
    if PROCESS.is_saving_here:  # Ctrl-C ended the search, and this is its best tree so far
        raise Interrupted(tree)
    if options["certificate"] is not None and not is_unproved and tree.provenance.bound is not None:
        from .exact.certificate import certify_tree

        try:  # the same search, asked again; where it rounds shares, the tree is kept all the same
            with open_progress(options["progress"], "certificate") as on_progress:
                proof = certify_tree(
                    tree, table_size=options["table_size"], on_progress=on_progress
                )
            return tree, proof
        except UsageError as error:
            (options["notice"] or warn)(f"no certificate is written: {error}")
        except KeyboardInterrupt as stop:
            raise Interrupted(tree) from stop
    elif options["certificate"] is not None and ROUNDED in tree.provenance.rule:
        (options["notice"] or warn)("no certificate is written: shares are rounded")
    return tree, None


def _run_search(job: Job, limit: Stop) -> Tree:
    from .exact.request import SearchControl, SearchLog
    from .exact.run import run_search

    options = job.options
    # The search `best` always ends with a tree.
    kept = tell_what_is_kept(options["resume"]) if job.strategy == OPTIMAL else nullcontext()
    cluster: AbstractContextManager[Workers | None] = nullcontext()
    if options["scheduler"] is not None:
        cluster = open_cluster(
            options["scheduler"], options["patience"], options["notice"], options["resume"]
        )
    with (
        cluster as workers,
        kept,
        open_progress(options["progress"], job.title) as on_progress,
    ):
        control = SearchControl(
            jobs=count_jobs(options["jobs"]),
            workers=workers,
            folder=options["resume"],
            notice=options["notice"],
            watch=make_watch(limit, on_progress),
            keep_best=True,
            log=options["log"] if isinstance(options["log"], SearchLog) else SearchLog(),
            table_size=options["table_size"],
        )
        return run_search(job.game, job.strategy.name, job.spec, control)


@contextmanager
def _keep_log(job: Job) -> Iterator[Job]:
    """Write the log of a search whatever ends it, and after what is done with its tree."""
    from .exact.request import SearchLog

    target = job.options["log"]
    if target is None or isinstance(target, SearchLog):
        yield job
        return
    log = SearchLog()

    def save() -> None:
        if log.settings:  # it has begun
            write_lines(target, [json.dumps(log.as_dict(), indent=1)])

    try:
        yield job.change(log=log)
    except BaseException as error:
        try:
            save()
        except (TreegenError, OSError) as fault:  # what ended the search is reported
            if isinstance(error, UsageError) and isinstance(fault, UsageError):
                raise UsageError(f"{error.args[0]}; {fault.args[0]}") from error
        raise
    save()


@partial(describe_parameters, declared=STRATEGIES, rules=GameOptions)
def build(
    game: "GameSource", strategy: "StrategySource | None" = None, **options: Unpack[BuildOptions]
) -> "Tree":
    """Build the complete tree of a strategy.

    Parameters
    ----------
    game
        A game (`Mastermind`, `Codebook`, …), its name (``"p4c6r"``), or the path of a codebook or
        a table of answers.
    {options}
    **rules
        Of a game given by name or file: see `open_game`.

    Returns
    -------
    Tree
        Game lengths count from its root: the guesses of the history are not counted.

    Raises
    ------
    GameError, StrategyError, UsageError
        The game or the strategy is unknown, or an option does not fit it.
    SearchStoppedError, TimeLimitError
        The time limit is over and there is no tree.
    ClusterError
        The cluster is lost.
    Interrupted
        Ctrl-C ended a search; its `result` is the best tree so far.

    See Also
    --------
    open_build : The same for a tree that does not fit into memory.

    Examples
    --------
    >>> import treegen
    >>> tree = treegen.build("p4c6r", "knuth")
    >>> tree.total, tree.worst
    (5801, 5)
    >>> treegen.build("p3c4r", "optimal", objective="worst,total", max_length=5).worst
    4
    """
    check_keywords(build, options, BuildOptions)
    found: Tree | None = None
    try:
        with open_build(game, strategy, **options) as tree:
            found = tree
    except UsageError as error:
        if found is None:
            raise
        # Log or certificate could not be written: that must not cost the tree.
        warn(str(error))
    assert found is not None
    return found


@contextmanager
def open_build(
    game: GameSource,
    strategy: StrategySource | None = None,
    *,
    beside: str | os.PathLike[str] | None = None,
    **options: Unpack[BuildOptions],
) -> Iterator[Tree]:
    """Build a tree that need not fit into memory.

    A build with `resume` or `scheduler` by a rule grows in parts on disk, and the tree's columns
    are mapped from a file. Log and certificate of a search are written when the context ends.

    Parameters
    ----------
    beside
        A path: the parts of a build without `resume` are kept in the same folder.
    game, strategy, **options
        See `build`.

    Raises
    ------
    GameError, StrategyError, UsageError, SearchStoppedError, TimeLimitError, ClusterError,
    Interrupted
        See `build`.

    Examples
    --------
    >>> import treegen
    >>> with treegen.open_build("p2c3r", "knuth") as tree:
    ...     print(tree.total)
    24
    """
    check_keywords(open_build, options, BuildOptions)
    limit = Stop(options.get("time_limit"))
    rules = {name: value for name, value in options.items() if name in GameOptions.__annotations__}
    with nullcontext() if isinstance(game, Game) else end_in_time(limit, READING_S):
        game = open_game(game, notice=options.get("notice"), **cast(GameOptions, rules))
    with open_job(prepare(game, strategy, **options), limit, beside) as tree:
        yield tree


BETWEEN_S = 0.5
"""Progress is reported no more often than this."""


def make_watch(limit: Stop, on_progress: OnProgress | None = None) -> "Watch":
    """Return a watch that reports a search's progress and ends it in time."""
    shown_s = time.monotonic()
    stage = ""

    def watch(progress: "SearchProgress") -> bool:
        nonlocal shown_s, stage
        now = time.monotonic()
        # A new stage is reported at once: it may be the last.
        if on_progress is not None and (now - shown_s > BETWEEN_S or progress.stage != stage):
            shown_s, stage = now, progress.stage
            n_states = progress.n_states  # of how many is not known
            on_progress(Progress(progress.stage, n_states, None, describe_gap(progress)))
        return limit.is_late

    return watch


def describe_gap(state: "SearchProgress") -> str:
    """Return the proved bound, the best total known, and the gap between them, as text."""
    bound, best = state.bound, state.best
    if best is None:
        return f"bound {write_weights([bound])}, best none yet"
    # "n_worst" counts secrets, whose bound may be 0.
    gap = f", gap {float(100 * (best - bound) / bound):.1f} %" if 0 < bound <= best else ""
    return f"bound {write_weights([bound])}, best {write_weights([best])}{gap}"
