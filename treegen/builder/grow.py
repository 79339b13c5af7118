"""Tasks of a build: choose the guesses of some states, or grow everything below them.

A task carries everything it needs as plain values and arrays, so that any thread, process or
machine can run it; what is derived from game and strategy is made once in each process and kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..games import Game, from_description
from ..kernels import Level, make_scoring
from ..strategies import Strategy, parse_rule
from ..tasks import keep_in_process
from ..tree import join_levels
from .choose import Chooser, choose_level, make_chooser
from .expand import generate_levels
from .plan import make_rule
from .progress import Reporter
from .weighing import make_weighing

A = TypeVar("A", bound=NDArray[Any])


@dataclass(frozen=True, slots=True)
class Job:
    """Game and strategy as plain text.

    Attributes
    ----------
    description
        The game's description as JSON.
    rule
        The strategy's exact rule.
    """

    description: str
    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class StateRun:
    """Consecutive states of one level.

    Attributes
    ----------
    level
        The states with their candidates; `parents` are those of the whole level.
    paths : int32[n_states, n_guesses]
        The guesses that led to each state.
    """

    level: Level
    paths: NDArray[np.int32]

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
            ),
            self.paths[first:last],
        )

    def own(self) -> StateRun:
        """Return the states in arrays that the kernels accept: received ones are read-only."""
        level = self.level
        return StateRun(
            Level(
                _own(level.candidates),
                _own(level.starts),
                _own(level.keys),
                _own(level.parents),
                _own(level.responses),
            ),
            _own(self.paths),
        )


def make_job(game: Game, strategy: Strategy) -> Job:
    """Return game and strategy in the form that tasks carry."""
    return Job(json.dumps(game.description), strategy.rule)


def choose_run(job: Job, run: StateRun) -> bytes:
    """Return the guesses of some states as 32-bit integers."""
    chooser = prepare(job)
    run = run.own()
    guesses = choose_level(chooser, run.level, run.paths, Reporter(None, 0))
    return guesses.astype("<i4").tobytes()


def grow_run(job: Job, run: StateRun) -> bytes:
    """Return the part of the tree from some states down, as `Part.to_bytes` writes it."""
    chooser = prepare(job)
    run = run.own()
    levels = generate_levels(chooser, run.level, run.paths, Reporter(None, 0))
    return join_levels(levels).to_bytes()


@keep_in_process(2)
def prepare(job: Job) -> Chooser:
    """Return the chooser of a job; made once in a process."""
    game = from_description(json.loads(job.description))
    strategy = parse_rule(job.rule)
    weighing = make_weighing(game, strategy)
    return make_chooser(game, make_scoring(game), make_rule(game, strategy), weighing=weighing)


def _own(array: A) -> A:
    return array if array.flags.writeable and array.flags.c_contiguous else array.copy()
