"""The best guess of one state, without counting every cell of every guess.

Guesses are tried by rank, consistent ones first if that is a criterion, so that a later guess only
wins by a better value. The cells of a guess are counted one by one, beginning with those that were
large for the guesses before, until the first criterion can no longer be good enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare, njit_bare_part, njit_inline
from ..._rule_kinds import TieBreak
from ..random_keys import mix
from .bounds import Bound
from .incumbent import consider_guess
from .lanes import LANES
from .orbits import find_maps, keep_first, list_guesses, start_orbits
from .partition import Trial, fill_columns, find_survivor
from .prefixes import find_good, find_limits, start_prefixes
from .ranked_game import RankedGame
from .suffix_tables import SuffixTables, has_few, name_suffixes
from .word_game import WordGame
from .workspace import MOST, Arena, Workspace, limit_chunk, name_columns, pad_lanes

PAIRS_PER_MAP = 500
"""Pairs of guess and candidate that repay trying one permutation of the pegs."""

FEW = 256
"""Up to so many candidates, all are tried; for more, the first of each orbit."""


class States(NamedTuple):
    """The states of a level in rank space.

    Attributes
    ----------
    candidates : int32[n_candidates]
        Ranks of the candidates, ascending in each state.
    starts : int64[n_states + 1]
        Where each state's candidates begin.
    history : int32[n_states, n_guesses]
        Ranks of the guesses that led to each state.
    keys : uint64[n_states]
        Of the random tie-break.
    """

    candidates: NDArray[np.int32]
    starts: NDArray[np.int64]
    history: NDArray[np.int32]
    keys: NDArray[np.uint64]


@njit_bare
def choose_states(
    game: RankedGame,
    arena: Arena,
    states: States,
    chosen: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the best guesses of some states of a level.

    Parameters
    ----------
    arena : Arena
        Scratch memory, large enough for the largest state.
    chosen : int64[n]
        The states to process.
    guesses : int32[n_states]
        Written in place at `chosen`: code indices.
    """
    workspace = name_columns(arena, name_suffixes(arena.suffixes))
    for state in chosen:
        if workspace.stop[0]:
            return
        candidates = states.candidates[states.starts[state] : states.starts[state + 1]]
        rank = find_direct(game, candidates)
        if rank < 0:
            start_search(game, workspace, candidates)
            has_classes, is_few = False, has_few(workspace.suffixes, len(candidates))
            if game.has_symmetry:
                history = states.history[state]
                has_classes = start_orbits(
                    game.digits,
                    game.n_colors,
                    game.is_distinct,
                    candidates,
                    history,
                    workspace.orbits,
                )
                n_pairs = len(candidates) * len(game.codes)
                if not is_few and n_pairs > PAIRS_PER_MAP * len(game.permutations):
                    find_maps(
                        game.digits, game.permutations, history, workspace.orbits, workspace.maps
                    )
            try_eligible(game, workspace, candidates, has_classes, is_few)
            if is_few:
                try_prefixes(game, workspace, workspace.suffixes, candidates)
            rank = finish_search(game, workspace, candidates, states.keys[state])
        guesses[state] = game.codes[rank]


@njit_inline
def find_direct(game: RankedGame | WordGame, candidates: NDArray[np.int32]) -> int:
    """Return the rank of the guess of a state that needs no search, ``NULL`` for others."""
    n = len(candidates)
    if n <= game.n_direct:
        return int(candidates[n - 1] if game.tie_break == TieBreak.HIGHEST else candidates[0])
    if game.needs_all or not game.candidates_first:
        return -1
    if n == 2 or (game.candidates_only and len(game.kinds) == 0):
        return int(candidates[0])
    return -1


@njit_inline
def start_search(game: RankedGame, workspace: Workspace, candidates: NDArray[np.int32]) -> None:
    """Lay out a state in scratch memory and forget the best guess of the state before."""
    fill_columns(game, candidates, workspace.work)
    for rank in candidates:
        workspace.marks[rank] = 1
    best = workspace.incumbent
    for i in range(len(best.values)):
        best.values[i] = MOST
    best.guess[0], best.limit[0] = -1, MOST
    best.n_tied[0] = best.is_final[0] = 0


@njit_bare_part
def try_eligible(
    game: RankedGame,
    workspace: Workspace,
    candidates: NDArray[np.int32],
    has_classes: bool,
    is_few: bool,
) -> None:
    """Try the guesses of a state, the candidates first if the rule says so.

    In a state of few candidates, only these.
    """
    orbits, n = workspace.orbits, len(candidates)
    n_pegs = game.digits.shape[1]
    n_first = n if game.candidates_first else 0
    n_tried = 0
    n_most = limit_chunk(n)
    while not workspace.incumbent.is_final[0] and not workspace.stop[0]:
        is_first = n_tried < n_first
        if is_first:
            count = min(n_most, n - n_tried)
            for i in range(count):
                workspace.guesses[i] = candidates[n_tried + i]
        elif game.candidates_only or is_few:
            return
        elif not has_classes:
            count = min(n_most, n_first + len(game.codes) - n_tried)
            for i in range(count):
                workspace.guesses[i] = n_tried - n_first + i
        else:
            listed = workspace.guesses[:n_most]
            count = list_guesses(orbits, listed, n_pegs, game.n_colors, game.is_distinct)
        if count == 0:
            return
        n_tried += count
        guesses = workspace.guesses[:count]
        if orbits.n_maps[0] > 0 or (is_first and n > FEW and has_classes):
            guesses = guesses[: keep_first(game.digits, orbits, workspace.maps, guesses)]
        if n_first > 0 and not is_first:
            guesses = guesses[: drop_marked(workspace.marks, guesses)]
        try_guesses(game, workspace, guesses, n)


@njit_bare_part
def try_prefixes(
    game: RankedGame,
    workspace: Workspace,
    suffixes: SuffixTables | None,
    candidates: NDArray[np.int32],
) -> None:
    """Try all guesses of a state of few candidates; the best becomes the incumbent."""
    if suffixes is None:  # then numba leaves out all that follows
        return
    best, n, n_pegs = workspace.incumbent, len(candidates), game.digits.shape[1]
    start = (2 * game.n_colors + 1) * n_pegs * LANES
    answers = workspace.work[start : start + LANES]
    start_prefixes(game, workspace, suffixes, candidates)
    while not best.is_final[0]:
        rank = find_good(workspace.orbits, suffixes, n, n_pegs, game.n_colors, game.is_distinct)
        if rank < 0:
            return
        for i in range(LANES):
            answers[i] = suffixes.work[suffixes.answers[0] + i * LANES] if i < n else 255
        workspace.sizes[game.packing.shape[1]] = workspace.marks[rank]
        consider_guess(game, workspace, answers, rank, n)
        if best.guess[0] == rank:
            find_limits(game.lines, game.bound, best, suffixes, n)


@njit_inline
def drop_marked(marks: NDArray[np.uint8], guesses: NDArray[np.int32]) -> int:
    """Move the guesses that are not candidates to the front; return how many."""
    count = 0
    for guess in guesses:
        if not marks[guess]:
            guesses[count] = guess
            count += 1
    return count


@njit_bare_part
def try_guesses(game: RankedGame, workspace: Workspace, guesses: NDArray[np.int32], n: int) -> None:
    """Try guesses by rank; the best becomes the incumbent.

    Parameters
    ----------
    guesses : int32[m]
        Ranks, ascending.
    n : int
        Number of candidates.
    """
    digits, repeats, lines = game.digits, game.repeats, game.lines
    work, marks, best = workspace.work, workspace.marks, workspace.incumbent
    n_lanes = pad_lanes(n)
    start = (2 * game.n_colors + 1) * digits.shape[1] * n_lanes
    answers = work[start : start + n_lanes]
    index = int(np.int64(0))
    while not best.is_final[0]:
        kind = game.bound if best.guess[0] >= 0 else Bound.NONE
        trial = Trial(kind, best.limit[0], n, game.n_colors)
        index = find_survivor(
            digits, repeats, work, marks, workspace.order, lines, guesses, index, trial
        )
        if index == len(guesses):
            return
        guess = int(np.int64(guesses[index]))
        workspace.sizes[game.packing.shape[1]] = marks[guess]
        consider_guess(game, workspace, answers, guess, n)
        index += 1


@njit_inline
def finish_search(
    game: RankedGame, workspace: Workspace, candidates: NDArray[np.int32], key: np.uint64
) -> int:
    """Apply the tie-break, clear the marks, and return the rank of the best guess."""
    rank = workspace.incumbent.guess[0]
    n_tied = workspace.incumbent.n_tied[0]
    if game.tie_break == TieBreak.RANDOM:
        rank = np.int64(workspace.tied[np.int64(mix(key, 0) % np.uint64(n_tied))])
    elif game.tie_break == TieBreak.HIGHEST_CONSISTENT:
        rank = np.int64(workspace.tied[0])
        for i in range(n_tied):
            if workspace.marks[workspace.tied[i]]:
                rank = np.int64(workspace.tied[i])
    for candidate in candidates:
        workspace.marks[candidate] = 0
    return int(rank)
