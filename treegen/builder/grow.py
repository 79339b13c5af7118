"""Tasks of a build: choose the guesses of some states, or grow everything below them.

A task carries everything it needs as plain values and arrays, so that any thread, process or
machine can run it; what is derived from game and strategy is made once in each process and kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._loading import import_cuda
from .._options import check_whole
from ..errors import FormatError, TreeError
from ..games.base import Game
from ..games.names import from_description
from ..jit.interpreter import mark_small
from ..kernels.levels import Level, split_level
from ..strategies.strategy import Strategy, parse_rule
from ..tasks.checkpoint import Notice
from ..tasks.run import keep_in_process
from ..tasks.work import PROCESS, OnProgress, Stop
from ..tree.tree import Columns, History, Provenance, Tree, join_levels
from ..tree.walk import split_states
from .choose import (
    Chooser,
    Reporter,
    check_size,
    choose_level,
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
    if device is not None:
        from .device import add_card

        chooser = add_card(chooser, notice)
    level = make_first_level(game, strategy, history)
    codes = list(first) or ([] if history else strategy.opening_codes(game))
    opening = list_useful_openings(game, level.candidates, codes, history)
    provenance = Provenance(strategy.name, strategy.rule, history)
    return _grow(chooser, level, provenance, progress, opening)


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
    return _grow(chooser, make_first_level(game, plain, provenance.history), provenance)


def _grow(
    chooser: Chooser,
    level: Level,
    provenance: Provenance,
    progress: OnProgress | None = None,
    opening: Sequence[int] = (),
) -> Tree:
    """Return the tree that a chooser grows from its first level on."""
    paths = np.array([[guess for guess, _ in provenance.history]], dtype=np.int32)
    reporter = Reporter(progress, len(level.candidates))
    levels = generate_levels(chooser, StateRun(level, paths), reporter, opening)
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
        return StateRun(Level._make(map(_own, self.level)), _own(self.paths))


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
    chooser = make_chooser(game, strategy)
    if recipe.device is None:
        return chooser
    from .device import add_card

    return add_card(chooser, None)


def _own(array: Any) -> Any:
    return (
        array
        if array is None or (array.flags.writeable and array.flags.c_contiguous)
        else array.copy()
    )
