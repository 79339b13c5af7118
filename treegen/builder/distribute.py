"""Build a tree in tasks: the same tree, on any workers and after any interruption.

The first levels, with few, large states, are built here level by level; their guesses are chosen in
tasks. From the first level where no state is too large for one task, every task grows a run of
states to the end. The tasks depend on game and strategy alone, not on the workers.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import accumulate, chain
from math import isqrt
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .._loading import import_cuda
from ..errors import TreeError, UsageError
from ..games.base import Game
from ..strategies.strategy import Strategy
from ..tasks.checkpoint import Checkpoint, Notice, describe_work, open_checkpoint
from ..tasks.cluster import open_workers
from ..tasks.run import Workers, run_tasks
from ..tasks.work import OnProgress
from ..tree.tree import Columns, History, Provenance, Tree, list_columns
from .choose import (
    Reporter,
    check_size,
    cut_runs,
    list_useful_openings,
    make_first_level,
)
from .grow import (
    Recipe,
    StateRun,
    choose_run,
    generate_levels,
    grow_run,
    read_part,
    read_recipe,
    write_recipe,
)

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
    check_size(game)
    recipe = write_recipe(game, strategy, device)
    if device is not None:
        import_cuda()
    chooser = read_recipe(recipe)
    has_card = chooser.device is not None
    if device is not None and not has_card:
        from .device import add_card

        add_card(chooser, notice)  # which says why not
    factor = CARD_FACTOR if has_card else 1
    task_pairs = task_pairs or factor * PAIRS_PER_ROOT * isqrt(game.n_codes)
    build = describe_build(game, strategy, history, task_pairs)
    with (
        open_workers() if workers is None else nullcontext(workers) as at_work,
        open_checkpoint(folder, build, notice) as checkpoint,
    ):
        builder = _Builder(recipe, at_work, checkpoint, progress)
        with builder.halting():
            columns, run = builder.choose_top(game, strategy, history)
            names = builder.grow(run)
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


class _Builder:
    """A build in progress."""

    def __init__(
        self, recipe: Recipe, workers: Workers, checkpoint: Checkpoint, progress: OnProgress | None
    ) -> None:
        self.recipe, self.workers, self.checkpoint = recipe, workers, checkpoint
        self.task_pairs = int(checkpoint.build["task_pairs"])
        self.chooser, self.progress = read_recipe(recipe), progress

    @contextmanager
    def halting(self) -> Iterator[None]:
        """End the tasks in threads of this process if the build ends early."""
        self.chooser.halt.is_called = False
        try:
            yield
        except BaseException:
            self.chooser.halt.call()
            raise

    def choose_top(
        self, game: Game, strategy: Strategy, history: History
    ) -> tuple[list[Columns], StateRun]:
        """Return the columns of the levels at the top, and the states below them."""
        level = make_first_level(game, strategy, history)
        run = StateRun(level, np.array([[guess for guess, _ in history]], dtype=np.int32))
        codes = [] if history else strategy.opening_codes(game)
        opening = list_useful_openings(game, level.candidates, codes, history)
        self.reporter = Reporter(self.progress, len(level.candidates))
        columns: list[Columns] = []
        levels = generate_levels(
            self.chooser, run, self.reporter, opening, lambda run: self._choose(run, len(columns))
        )
        while (opening and not columns) or self._work_of(run).max(initial=0) > self.task_pairs:
            finished, run = next(levels)
            columns.append(finished)
        return columns, run

    def grow(self, run: StateRun) -> list[str]:
        """Run the tasks that grow the states below the top levels; return their names."""
        self.reporter.start_level(len(run.paths), len(run.level.candidates))
        work = self._work_of(run)
        cuts = cut_runs(work, self.task_pairs)
        names = [f"grow-{first}" for first, _ in cuts]
        todo = [
            (name, cut)
            for name, cut in zip(names, cuts, strict=True)
            if self.checkpoint.find(name) is None
        ]
        # The longest first: the last tasks to end are short ones. The tree's order is in `names`.
        todo.sort(key=lambda item: -int(work[slice(*item[1])].sum()))
        n_done = len(work) - sum(last - first for _, (first, last) in todo)
        tasks = ((item, (self.recipe, run.cut(*item[1]))) for item in todo)
        for (name, (first, last)), body in run_tasks(self.workers, grow_run, tasks):
            self.checkpoint.save(name, body)
            n_done += last - first
            self.reporter.advance(n_done, n_done / len(work))
        self.reporter.start_level(0, 0)
        return names

    def _choose(self, run: StateRun, depth: int) -> NDArray[np.int32]:
        """Return the guesses of a level's states."""
        guesses = np.empty(len(run.paths), dtype=np.int32)
        tasks = []
        factor = SYMMETRY_FACTOR if run.paths.shape[1] < 2 else CHOICE_FACTOR
        for first, last in cut_runs(self._work_of(run), factor * self.task_pairs):
            name = f"choose-{depth}-{first}"
            body = self.checkpoint.find(name)
            if body is None:
                tasks.append(((name, first, last), (self.recipe, run.cut(first, last))))
            else:
                guesses[first:last] = np.frombuffer(body, "<i4")
        for (name, first, last), body in run_tasks(self.workers, choose_run, tasks):
            self.checkpoint.save(name, body)
            guesses[first:last] = np.frombuffer(body, "<i4")
        return guesses

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
