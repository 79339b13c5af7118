"""Build a tree level by level: here, or in tasks, on any workers and after any interruption.

In tasks the tree is the same. Its first levels, with few, large states, are built here; their
guesses are chosen in tasks. From the first level where no state is too large for one task, every
task grows a run of states to the end. A task carries everything it needs as plain values and
arrays, so that any thread, process or machine can run it; what is derived from game and strategy is
made once in each process and kept. The tasks depend on these alone, not on the workers.
"""

from __future__ import annotations

import json
import mmap
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain
from math import isqrt
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .._loading import import_cuda
from .._options import check_whole
from ..errors import FormatError, TreeError, UsageError
from ..games.base import Game
from ..games.names import from_description
from ..jit.interpreter import mark_small
from ..kernels.levels import Level, split_level
from ..strategies.strategy import Strategy, parse_rule
from ..tasks.checkpoint import Checkpoint, Notice, describe_work, open_checkpoint
from ..tasks.run import Workers, keep_in_process, run_tasks
from ..tasks.work import PROCESS, OnProgress, Stop
from ..tree.tree import Columns, History, Provenance, Tree, join_levels, list_columns
from ..tree.walk import split_states
from .choose import (
    Chooser,
    Reporter,
    check_size,
    choose_level,
    cut_runs,
    list_states,
    list_useful_openings,
    make_chooser,
    make_first_level,
)


def build_tree(
    game: Game,
    strategy: Strategy,
    *,
    history: History = (),
    first: Sequence[int] = (),
    jobs: int = 1,
    symmetry: bool = True,
    progress: OnProgress | None = None,
    halt: Stop | None = None,
    device: str | None = None,
    notice: Notice | None = None,
) -> Tree:
    """Build the complete tree of a strategy; game lengths count from its root, after the history.

    The first guess is chosen among the codes `first`; empty: the strategy's opening, if nothing was
    guessed before. The tree depends neither on the threads that choose guesses (`jobs`) nor on
    `symmetry`, whether only one of several symmetric guesses is tried. `progress` takes its
    progress; `halt` ends the build from another thread. With the device "cuda" a graphics card
    chooses the guesses, the same ones; `notice` gets a line where it does not serve the build.

    GameError: the game's tree would not fit into memory; the message gives the estimate.
    UsageError: no secret agrees with the history, or the opening gains no information.
    SearchStoppedError: the halt was called. DependencyError: the packages for the card are missing.

    >>> from treegen.games import parse_game
    >>> from treegen.strategies.named import parse_strategy
    >>> game = parse_game("p2c3r")
    >>> build_tree(game, parse_strategy("knuth", game)).total
    24
    """
    check_whole(jobs=jobs)
    check_size(game)
    if device is not None:
        import_cuda()
    chooser = make_chooser(game, strategy, jobs=jobs, symmetry=symmetry, halt=halt)
    chooser = _use(device, chooser, notice)
    run, opening = _start(game, strategy, history, first)
    provenance = Provenance(strategy.name, strategy.rule, history)
    return _grow(chooser, run, provenance, progress, opening)


def _start(
    game: Game, strategy: Strategy, history: History, first: Sequence[int] = ()
) -> tuple[StateRun, list[int]]:
    """Return the root's state, and the codes among which its guess is chosen; empty: all."""
    level = make_first_level(game, strategy, history)
    codes = list(first) or ([] if history else strategy.opening_codes(game))
    opening = list_useful_openings(game, level.candidates, codes, history)
    return StateRun(level, np.array([[guess for guess, _ in history]], dtype=np.int32)), opening


ChooseQuestion = Callable[[NDArray[np.int32], NDArray[np.int64], tuple[int, ...]], int]
"""Of candidates, their shares and the questions asked before, the number of the next question."""


def grow_tree(game: Game, choose: ChooseQuestion, provenance: Provenance) -> Tree:
    """Return the tree in which `choose` says what is asked in each state that is not over.

    UsageError: no candidate agrees with the history.
    """
    plain = Strategy(provenance.strategy, ())
    chooser = make_chooser(
        game, plain, ask=lambda items, shares, asked, _: choose(items, shares, asked)
    )
    return _grow(chooser, _start(game, plain, provenance.history)[0], provenance)


def _grow(
    chooser: Chooser,
    run: StateRun,
    provenance: Provenance,
    progress: OnProgress | None = None,
    opening: Sequence[int] = (),
) -> Tree:
    """Return the tree that a chooser grows from its first level on."""
    reporter = Reporter(progress, len(run.level.candidates))
    levels = generate_levels(chooser, run, reporter, opening)
    tree = join_levels(chooser.game, provenance, (columns for columns, _ in levels))
    reporter.start_level(0, 0)
    return tree


@dataclass(frozen=True, slots=True, eq=False)
class StateRun:
    """Consecutive states of one level."""

    level: Level  # the states with their candidates; `parents` are those of the whole level
    paths: NDArray[np.int32]  # [n_states, n_guesses]: the guesses that led to each state

    def cut(self, first: int, last: int) -> StateRun:
        """Return the states `first` to `last - 1`."""
        level = self.level
        begin, end = level.starts[first], level.starts[last]
        return StateRun(
            Level(
                level.candidates[begin:end],
                level.starts[first : last + 1] - begin,
                level.keys[first:last],
                level.parents[first:last],
                level.responses[first:last],
                None if level.shares is None else level.shares[begin:end],
            ),
            self.paths[first:last],
        )

    def own(self) -> StateRun:
        """Return the states in arrays that the kernels accept: received ones are read-only."""
        own = partial(np.require, requirements=("C", "W"))
        columns = (each if each is None else own(each) for each in self.level)
        return StateRun(Level._make(columns), own(self.paths))


def generate_levels(
    chooser: Chooser,
    run: StateRun,
    reporter: Reporter,
    opening: Sequence[int] = (),
    choose: Callable[[StateRun], NDArray[np.int32]] | None = None,
) -> Iterator[tuple[Columns, StateRun]]:
    """Yield the columns of each level and the states below it, from some states down.

    The only state's guess is chosen among the codes of the opening; empty: all. `choose` returns
    the guesses of all other states; None: they are chosen here. The reporter is notified of each
    level and of finished tasks.
    """
    while len(run.paths):
        chooser.halt.check()
        PROCESS.check_stop()
        reporter.start_level(len(run.paths), len(run.level.candidates))
        if opening:
            guesses, opening = choose_opening(chooser, run.level, opening), ()
        elif choose is not None:
            guesses = choose(run)
        else:
            guesses = choose_level(chooser, run.level, run.paths, reporter)
        columns, below = finish_level(chooser, run.level, guesses)
        # The guesses that led to a state lead to those below it, then its own does.
        paths = np.column_stack((run.paths[below.parents], guesses[below.parents]))
        run = StateRun(below, paths)
        yield columns, run


def finish_level(
    chooser: Chooser, level: Level, guesses: NDArray[np.int32]
) -> tuple[Columns, Level]:
    """Return the columns of a level whose guesses are chosen, and the next level."""
    if chooser.plain.ask is None:
        with mark_small(chooser.plain.is_small):
            below = split_level(chooser.plain.scoring, level, guesses, chooser.game.n_responses)
    else:
        below = _divide_level(chooser.game, level, guesses)
    _check_progress(level, below)
    columns: Columns = {
        "guess": guesses,
        "n_candidates": np.diff(level.starts),
        "response": level.responses,
        "n_children": np.bincount(below.parents, minlength=len(guesses)),
    }
    return columns, below


def _divide_level(game: Game, level: Level, guesses: NDArray[np.int32]) -> Level:
    """Return the next level, in which a candidate may be in several states."""
    below = split_states(game, list_states(level), guesses).below
    return Level(
        below.candidates,
        below.starts,
        np.zeros(len(below.parents), dtype=np.uint64),  # nothing is chosen at random
        below.parents.astype(np.int32),
        below.responses.astype(level.responses.dtype),
        below.shares,
    )


def choose_opening(chooser: Chooser, level: Level, opening: Sequence[int]) -> NDArray[np.int32]:
    """Return the best of the opening's codes, whose own order replaces the order of codes."""
    first = chooser.game.rules.first_guess
    if chooser.plain.ask is not None and level.shares is not None and len(level.candidates) > 1:
        among = tuple(code - first for code in opening)
        opening = [first + chooser.plain.ask(level.candidates, level.shares, (), among)]
    elif len(opening) > 1 and len(level.candidates) > 1:
        eligible = np.array(opening, dtype=np.int32)
        opening = [chooser.plain.choose(level.candidates, eligible, level.keys[0])]
    return np.array(opening[:1], dtype=np.int32)


def _check_progress(level: Level, below: Level) -> None:
    """Raise TreeError if no answer to a guess excludes a candidate: the tree would never end."""
    is_less = np.diff(below.starts) < np.diff(level.starts)[below.parents]
    gains = np.zeros(len(level.starts) - 1, dtype=bool)
    gains[below.parents[is_less]] = True
    stuck = ~gains[below.parents]
    if stuck.any():
        state = int(below.parents[np.argmax(stuck)])
        raise TreeError(f"the guess of state {state} gains no information: a fault of treegen")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a task builds by: game and strategy as plain text."""

    description: str  # the game's description as JSON
    rule: str  # the strategy's exact rule
    device: str | None = None  # "cuda": a graphics card chooses the guesses if it serves the build


def write_recipe(game: Game, strategy: Strategy, device: str | None = None) -> Recipe:
    """Return game and strategy in the form that tasks carry."""
    return Recipe(json.dumps(game.description), strategy.rule, device)


def choose_run(recipe: Recipe, run: StateRun) -> bytes:
    """Return the guesses of some states as 32-bit integers."""
    chooser = read_recipe(recipe)
    run = run.own()
    guesses = choose_level(chooser, run.level, run.paths, Reporter(None, 0))
    return guesses.astype("<i4").tobytes()


def grow_run(recipe: Recipe, run: StateRun) -> bytes:
    """Return the part of the tree from some states down, as `pack_part` writes it."""
    chooser = read_recipe(recipe)
    run = run.own()
    levels = generate_levels(chooser, run, Reporter(None, 0))
    return pack_part([columns for columns, _ in levels])


PART_TYPES: dict[str, np.dtype[Any]] = {
    "guess": np.dtype("<i4"),
    "n_candidates": np.dtype("<i4"),
    "response": np.dtype("<i2"),
    "n_children": np.dtype("<i2"),
}
"""Columns of a part in the order of its bytes: concatenated, each one is aligned."""

WIDE_TYPES = dict.fromkeys(PART_TYPES, np.dtype("<i4"))
"""The same where a game has more responses than 16 bits hold."""

_COUNT = np.dtype("<u4")


def pack_part(levels: Sequence[Columns]) -> bytes:
    """Return consecutive states of a level, and all below them, level by level, as bytes.

    First the number of levels and their sizes, then each column of all levels.
    """
    head = np.array([len(levels), *(len(level["guess"]) for level in levels)], dtype=_COUNT)
    types = WIDE_TYPES if levels[0]["response"].dtype.itemsize > 2 else PART_TYPES
    columns = (level[name].astype(dtype) for name, dtype in types.items() for level in levels)
    return b"".join([head.tobytes(), *(column.tobytes() for column in columns)])


def read_part(data: Any) -> list[Columns]:
    """Return the levels of a part, without a copy; raise FormatError if bytes are not a part."""
    view = memoryview(data)
    n_levels = int.from_bytes(view[:4], "little")
    offset = 4 * (n_levels + 1)
    if len(view) < offset:
        raise FormatError(f"offset {len(view)}: the part ends in its sizes")
    sizes = np.frombuffer(view, _COUNT, n_levels, 4).tolist()
    kinds = {
        sum(sizes) * sum(dtype.itemsize for dtype in types.values()): types
        for types in (WIDE_TYPES, PART_TYPES)
    }
    if len(view) - offset not in kinds:
        raise FormatError(f"offset {offset}: the part's length is not that of {sum(sizes)} states")
    levels: list[Columns] = [{} for _ in sizes]
    for name, dtype in kinds[len(view) - offset].items():
        for level, size in zip(levels, sizes, strict=True):
            level[name] = np.frombuffer(view, dtype, size, offset)
            offset += size * dtype.itemsize
    return levels


@keep_in_process(2)
def read_recipe(recipe: Recipe) -> Chooser:
    """Return the chooser of a recipe; made once in a process."""
    game = from_description(json.loads(recipe.description))
    strategy = parse_rule(recipe.rule)
    return _use(recipe.device, make_chooser(game, strategy))


def _use(device: str | None, chooser: Chooser, notice: Notice | None = None) -> Chooser:
    """Let a device, if there is one, choose the guesses of a chooser that it serves."""
    if device is None:
        return chooser
    from .device import add_card

    return add_card(chooser, notice)


PAIRS_PER_ROOT = 2_500_000
"""Pairs of guess and candidate in a task, at its first states, for each square root of codes.

Growing them takes about 0.3 s: in a larger game a pair costs less.
"""

CHOICE_FACTOR = 3
"""Choosing only the guesses of large states is so much faster than growing the tree below."""

SYMMETRY_FACTOR = 40
"""The same after at most one guess: most guesses are then equivalent by symmetry."""

CARD_FACTOR = 64
"""A graphics card does so much more in a task, or its launches would take most of the time."""


def build_sharded(
    game: Game,
    strategy: Strategy,
    folder: str | os.PathLike[str],
    *,
    room: str | os.PathLike[str] | None = None,
    history: History = (),
    workers: Workers | None = None,
    task_pairs: int | None = None,
    progress: OnProgress | None = None,
    device: str | None = None,
    notice: Notice | None = None,
) -> Tree:
    """Build the complete tree of a strategy in tasks whose results a folder keeps.

    The folder is absent or empty at first; a build that was killed is resumed from it, with or
    without a device. The tree's columns are mapped from a file without a name in the folder `room`;
    None: in the same one. The workers run the tasks; None: this thread. The size of a task, in
    pairs of guess and candidate, suits the game if None. `notice` is called with what the user
    should know: damaged files. The rest is as in `build_tree`; with a device the workers are
    threads of this process, which share the card.

    GameError, UsageError: as `build_tree`; the folder belongs to another build; a result cannot be
    written. ClusterError: the workers are lost; their finished results are in the folder.
    """
    from ..tasks.cluster import open_workers

    check_size(game)
    recipe = write_recipe(game, strategy, device)
    if device is not None:
        import_cuda()
    chooser = read_recipe(recipe)
    has_card = chooser.device is not None
    if not has_card:
        _use(device, chooser, notice)  # which says why not
    factor = CARD_FACTOR if has_card else 1
    task_pairs = task_pairs or factor * PAIRS_PER_ROOT * isqrt(game.n_codes)
    build = describe_build(game, strategy, history, task_pairs)
    with (
        open_workers() if workers is None else nullcontext(workers) as at_work,
        open_checkpoint(folder, build, notice) as checkpoint,
    ):
        run, opening = _start(game, strategy, history)
        reporter = Reporter(progress, len(run.level.candidates))
        task_pairs = int(checkpoint.build["task_pairs"])  # those of a build that is resumed
        builder = _Builder(recipe, chooser, at_work, checkpoint, task_pairs, reporter)
        chooser.halt.is_called = False
        try:
            columns, run = builder.choose_top(run, opening)
            names = builder.grow(run)
        except BaseException:  # ends the tasks in threads of this process
            chooser.halt.call()
            raise
        provenance = Provenance(strategy.name, strategy.rule, history)
        try:
            with tempfile.TemporaryFile(prefix=".treegen-", dir=room or folder) as file:
                return map_tree(
                    game,
                    provenance,
                    columns,
                    lambda: (read_part(checkpoint.read(name)) for name in names),
                    file,
                )
        except OSError as error:
            raise UsageError(f"cannot join the parts of the tree: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class _Builder:
    """A build in tasks."""

    recipe: Recipe
    chooser: Chooser
    workers: Workers
    checkpoint: Checkpoint
    task_pairs: int
    reporter: Reporter

    def choose_top(self, run: StateRun, opening: Sequence[int]) -> tuple[list[Columns], StateRun]:
        """Return the columns of the levels at the top, and the states below them."""
        columns: list[Columns] = []

        def choose(run: StateRun) -> NDArray[np.int32]:
            guesses = np.empty(len(run.paths), dtype=np.int32)
            factor = SYMMETRY_FACTOR if run.paths.shape[1] < 2 else CHOICE_FACTOR
            cuts = cut_runs(self._work_of(run), factor * self.task_pairs)
            for first, last, body in self._work_off(
                choose_run, f"choose-{len(columns)}", run, cuts
            ):
                guesses[first:last] = np.frombuffer(body, "<i4")
            return guesses

        levels = generate_levels(self.chooser, run, self.reporter, opening, choose)
        while (opening and not columns) or self._work_of(run).max(initial=0) > self.task_pairs:
            finished, run = next(levels)
            columns.append(finished)
        return columns, run

    def grow(self, run: StateRun) -> list[str]:
        """Run the tasks that grow the states below the top levels; return their names."""
        self.reporter.start_level(len(run.paths), len(run.level.candidates))
        cuts, n_done = cut_runs(self._work_of(run), self.task_pairs), 0
        for first, last, _ in self._work_off(grow_run, "grow", run, cuts):
            n_done += last - first
            self.reporter.advance(n_done, n_done / len(run.paths))
        self.reporter.start_level(0, 0)
        return [f"grow-{first}" for first, _ in cuts]

    def _work_off(
        self,
        task: Callable[[Recipe, StateRun], bytes],
        kind: str,
        run: StateRun,
        cuts: Sequence[tuple[int, int]],
    ) -> Iterator[tuple[int, int, Any]]:
        """Yield the first state of each part, the one behind its last, and what a task makes of it.

        What the folder has comes first; then the parts come as they are finished.
        """
        todo, work = [], self._work_of(run)
        for first, last in cuts:
            body = self.checkpoint.find(f"{kind}-{first}")
            if body is None:
                todo.append((first, last))
            else:
                yield first, last, body
        # The longest first: the last tasks to end are short ones.
        todo.sort(key=lambda cut: -int(work[slice(*cut)].sum()))
        tasks = ((cut, (self.recipe, run.cut(*cut))) for cut in todo)
        for (first, last), body in run_tasks(self.workers, task, tasks):
            self.checkpoint.save_part(f"{kind}-{first}", body)
            yield first, last, body

    def _work_of(self, run: StateRun) -> NDArray[np.int64]:
        """Return the pairs of guess and candidate of each state, a measure of its work."""
        sizes, rule = np.diff(run.level.starts), self.chooser.plain.rule
        n_guesses = sizes if rule.candidates_only else len(rule.sequence)
        return np.asarray(sizes * n_guesses, dtype=np.int64)


def describe_build(
    game: Game, strategy: Strategy, history: History, task_pairs: int
) -> dict[str, Any]:
    """Return a build's description in its folder: everything that determines the tasks' results."""
    return {
        **describe_work(game.rules.digest_name, strategy.rule, history),
        "task_pairs": task_pairs,
    }


MAX_NODES = 2**31 - 1
"""Node numbers have 32 bits."""


def map_tree(
    game: Game,
    provenance: Provenance,
    top: Sequence[Columns],
    parts: Callable[[], Iterable[Sequence[Columns]]],
    file: IO[bytes],
) -> Tree:
    """Return the tree of its top levels and the parts below them, whose columns a file holds.

    `parts` is called twice. The first levels of the parts follow each other in the level below the
    top; one part at a time is in memory. TreeError if the tree has too many states.
    """
    sizes = [len(level["guess"]) for level in top]
    for levels in parts():
        for depth, level in enumerate(levels, start=len(top)):
            sizes += [0] * (depth + 1 - len(sizes))
            sizes[depth] += len(level["guess"])
    n_nodes = sum(sizes)
    if n_nodes > MAX_NODES:
        raise TreeError(f"the tree has {n_nodes:,} states; at most {MAX_NODES:,} are numbered")
    types = list_columns(game.n_responses)
    rooms = [-(-dtype.itemsize * (n_nodes + 1) // 8) * 8 for dtype in types.values()]
    begins = dict(zip(types, accumulate(rooms, initial=0), strict=False))

    def put(name: str, node: int, values: NDArray[np.integer]) -> None:
        file.seek(begins[name] + node * types[name].itemsize)
        file.write(values.astype(types[name]).tobytes())

    put("first_child", 0, np.ones(1, dtype=np.int64))
    free = list(accumulate(sizes, initial=0))  # the next node of each level, and behind the last
    for first, levels in chain([(0, top)], ((len(top), levels) for levels in parts())):
        for depth, level in enumerate(levels, start=first):
            for name in ("guess", "response", "n_candidates"):
                put(name, free[depth], level[name])
            ends = free[depth + 1] + np.cumsum(level["n_children"], dtype=np.int64)
            put("first_child", free[depth] + 1, ends)
            free[depth] += len(level["guess"])
    file.flush()
    data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    columns = {
        name: np.frombuffer(data, dtype, n_nodes + (name == "first_child"), begins[name])
        for name, dtype in types.items()
    }
    return Tree(game, provenance, **columns)
