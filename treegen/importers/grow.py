"""From a sketch to a tree: candidates are found by playing, and every claim is checked.

The tree grows level by level. At each state the text's guess is scored against every
candidate, by the plain definition; the resulting cells must be those of the text, no more and no
fewer, unless it omits them by a short form. What is omitted is completed: of one or two candidates
left, the first is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError, TreeError
from ..tree import (
    Columns,
    Provenance,
    Split,
    States,
    Tree,
    select_candidates,
    split_states,
    start_states,
)
from .claims import Doubts, check_claims
from .sketch import Below, Sketch

NULL = Sketch.NULL

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree read from a text.

    Attributes
    ----------
    tree
        The tree, proved to find every secret.
    n_completed
        States whose guess the text leaves to the rule for one or two candidates.
    remarks
        Where the tree deviates from the text, a sentence each.
    """

    tree: Tree
    n_completed: int
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Level:
    """The states of one depth, and their numbers in the sketch (`NULL`: completed)."""

    numbers: Ints
    states: States


class _Sketched:
    """The columns of a sketch as arrays, and its states sorted by parent and response."""

    def __init__(self, sketch: Sketch) -> None:
        self.guess = np.array([*sketch.guess, NULL], dtype=np.int64)
        self.count = np.array([*sketch.count, NULL], dtype=np.int64)
        # The last row represents the states that the text leaves out, at index NULL. If their guess
        # is left out too, nothing below is written.
        below = np.array([*sketch.below, Below.SINGLES], dtype=np.int64)
        self.below = np.where(self.guess == NULL, Below.SINGLES, below)
        stride = sketch.game.n_responses
        keys = np.array(sketch.parent, dtype=np.int64) * stride + np.array(sketch.response)
        self.order = np.argsort(keys[1:], kind="stable") + 1
        self.keys = keys[self.order]
        self.is_used = np.zeros(len(self.keys), dtype=bool)
        for at in np.flatnonzero(self.keys[1:] == self.keys[:-1])[:1]:
            state = int(self.order[at + 1])
            guess = sketch.guess[sketch.parent[state]]
            written = sketch.game.format_response(sketch.response[state], guess)
            raise sketch.error(state, f"the answer {written} is written twice for one guess")


def grow_tree(sketch: Sketch, provenance: Provenance) -> Grown:
    """Grow the tree that a sketch describes.

    Parameters
    ----------
    sketch
        The states that a text describes.
    provenance
        The tree's provenance; its history must be the sketch's.

    Returns
    -------
    Grown
        The checked tree.

    Raises
    ------
    FormatError
        A count, a branch or a claim of the text is wrong; the message says where and why.
    """
    game = sketch.game
    if not sketch.guess:
        raise FormatError("the text has no state")
    sketched = _Sketched(sketch)
    candidates = select_candidates(game, sketch.history)
    if not len(candidates):
        raise FormatError("no secret agrees with the guesses before the first state")
    level = _Level(np.zeros(1, dtype=np.int64), start_states(candidates))
    columns, numbers = Columns(), []
    n_completed, doubts = 0, Doubts(sketch)
    while len(level.numbers):
        guesses = _find_guesses(sketch, sketched, level)
        n_completed += int(np.count_nonzero(sketched.guess[level.numbers] == NULL))
        columns.add(level.states, guesses)
        numbers.append(level.numbers)
        level = _split(sketch, sketched, level, guesses, doubts)
    _check_all_used(sketch, sketched)
    tree = columns.make_tree(game, provenance)
    _check_tree(tree)
    check_claims(sketch, tree, np.concatenate(numbers))
    return Grown(tree, n_completed, (*sketch.remarks, *doubts.describe()))


def _find_guesses(sketch: Sketch, sketched: _Sketched, level: _Level) -> Ints:
    """Return the guess of each state of a level, after a check of the counts."""
    numbers, states, sizes = level.numbers, level.states, level.states.sizes
    claimed = sketched.count[numbers]
    for at in np.flatnonzero((claimed != NULL) & (claimed != sizes))[:1]:
        message = f"{claimed[at]} candidates are written; there are {sizes[at]}"
        raise sketch.error(int(numbers[at]), message)
    guesses = sketched.guess[numbers]
    implied = guesses == NULL
    for at in np.flatnonzero(implied & (sizes > 2))[:1]:
        # A state that is left out has at most two candidates: the cells above were checked.
        message = f"a state with {sizes[at]} candidates needs a guess"
        raise sketch.error(int(numbers[at]), message)
    return np.where(implied, states.candidates[states.starts[:-1]], guesses)


def _split(
    sketch: Sketch, sketched: _Sketched, level: _Level, guesses: Ints, doubts: Doubts
) -> _Level:
    """Split a level by its guesses and return the next one, after checking the text."""
    split = split_states(sketch.game, level.states, guesses)
    _check_wins(sketch, level, guesses, split.may_win, doubts)
    _check_progress(sketch, level, guesses, split)
    return _Level(_match(sketch, sketched, level, guesses, split.below, doubts), split.below)


def _check_wins(
    sketch: Sketch, level: _Level, guesses: Ints, wins: NDArray[np.bool_], doubts: Doubts
) -> None:
    """Raise if the text says that a guess may win and it cannot, or the reverse."""
    for at, state in enumerate(level.numbers.tolist() if sketch.wins else ()):
        if state != NULL and sketch.wins.get(state, wins[at]) != wins[at]:
            if doubts.is_about_win(state):
                continue
            code = sketch.game.format_code(int(guesses[at]))
            hint = "; --lenient accepts it" if sketch.below[state] == Below.SINGLES else ""
            message = f"the text treats {code} as a possible secret here; it is none"
            if wins[at]:
                message = f"{code} is a possible secret here; the text says it is none"
            message += f" (misprint?{hint})"
            raise sketch.error(state, message)


def _check_progress(sketch: Sketch, level: _Level, guesses: Ints, split: Split) -> None:
    for at in split.stalled[:1]:
        owner, n_candidates = int(split.below.parents[at]), int(split.below.sizes[at])
        code = sketch.game.format_code(int(guesses[owner]))
        reason = (
            f"one candidate is left, and {code} is not it"
            if n_candidates == 1
            else f"{code} gains no information: all {n_candidates} candidates answer alike"
        )
        raise sketch.error(int(level.numbers[owner]), reason)


def _match(
    sketch: Sketch,
    sketched: _Sketched,
    level: _Level,
    guesses: Ints,
    cells: States,
    doubts: Doubts,
) -> Ints:
    """Return the sketch's state of each cell, `NULL` if a short form leaves it out."""
    game, sizes = sketch.game, cells.sizes
    parents = level.numbers[cells.parents]
    listed = sketched.below[parents] == Below.LISTED
    wanted = parents * game.n_responses + cells.responses
    places = np.searchsorted(sketched.keys, wanted)
    found = np.zeros(len(wanted), dtype=bool)
    inside = (places < len(sketched.keys)) & (parents != NULL)
    found[inside] = sketched.keys[places[inside]] == wanted[inside]
    for at in np.flatnonzero(listed & ~found)[:1]:
        raise sketch.error(int(parents[at]), _describe_missing(sketch, guesses, cells, at))
    for at in np.flatnonzero(~listed & (sizes > sketched.below[parents]) & (parents != NULL)):
        if sizes[at] <= Below.PAIRS and doubts.is_about_cells(int(parents[at])):
            continue
        asked = int(guesses[cells.parents[at]])
        answer = game.format_response(int(cells.responses[at]), asked)
        message = (
            f"the cells are left out as if none held more than {sketched.below[parents[at]]};"
            f" the answer {answer} leaves {sizes[at]} candidates"
        )
        raise sketch.error(int(parents[at]), message)
    sketched.is_used[places[found]] = True
    numbers = np.full(len(wanted), NULL, dtype=np.int64)
    numbers[found] = sketched.order[places[found]]
    return numbers


def _describe_missing(sketch: Sketch, guesses: Ints, cells: States, at: int) -> str:
    game = sketch.game
    guess = int(guesses[cells.parents[at]])
    code = game.format_code(guess)
    answer = game.format_response(int(cells.responses[at]), guess)
    return f"the guess {code} can be answered {answer}: that branch is missing"


def _check_all_used(sketch: Sketch, sketched: _Sketched) -> None:
    """Raise for the first branch of the text that no candidate takes."""
    for state in np.sort(sketched.order[~sketched.is_used])[:1].tolist():
        guess = sketch.guess[sketch.parent[state]]
        answer = sketch.game.format_response(sketch.response[state], guess)
        code = sketch.game.format_code(guess)
        message = f"no candidate answers {code} with {answer}: that branch cannot occur"
        raise sketch.error(state, message)


def _check_tree(tree: Tree) -> None:
    try:
        tree.check()
    except TreeError as error:
        raise FormatError(f"the text is not a tree: {error}") from error
