"""One guess of each orbit: guesses that symmetry makes equal to an earlier one are left out.

A guess is dropped only where an exchange of pegs or colors that keeps the candidates gives a
guess of lower rank: that one has the same cells, is consistent just when the dropped one is, and
the tie-break prefers it. docs/performance.md has the argument.

What is known of a state's symmetry stands in the rows of one array of numbers, `orbits`:
the class of each color (`CLASSES`) and which color of its class it is (`PLACES`), the colors of
each class (`MEMBERS` and the three rows after it); for the guess that is listed next, the colors
of its pegs (`PATH`), the ranks of its beginnings (`RANKS`) and how many colors of each class they
have (`SEEN` and the three rows after it); the peg where listing goes on and the number of
symmetries (`NUMBERS`); scratch (`NAMES`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_bare_part, njit_inline
from .board import DISTINCT, FAMILY, N_COLORS

FIXED, UNUSED, ABSENT, NEVER = range(4)
"""Classes of colors: not to be exchanged; not guessed yet; in no candidate; left out."""

CLASSES, PLACES, MEMBERS, PATH, RANKS, SEEN, NUMBERS, NAMES, N_ROWS = 0, 1, 2, 6, 7, 8, 12, 13, 14
DEPTH, N_MAPS = range(2)


@njit_bare_part
def start_orbits(
    digits: NDArray[np.uint8],
    options: NDArray[np.int64],
    candidates: NDArray[np.int32],
    history: NDArray[np.int32],
    orbits: NDArray[np.int64],
) -> bool:
    """Write the classes of the colors at a state, and start its list of guesses.

    Parameters
    ----------
    digits, options
        Of `Board`.
    candidates, history : int32[n]
        Ranks of the candidates and of the guesses made.
    orbits : int64[N_ROWS, n]
        Written in place.

    Returns
    -------
    bool
        Whether any colors are classed, so that guesses are left out.
    """
    is_present, is_used, counts = orbits[NAMES], orbits[PATH], orbits[NUMBERS]
    mark_colors(digits, candidates, options[N_COLORS], is_present)
    mark_colors(digits, history, options[N_COLORS], is_used)
    for kind in range(4):
        orbits[SEEN + kind, 0] = 0
    has_classes = False
    for color in range(options[N_COLORS]):
        kind = FIXED
        if not is_present[color]:
            kind = ABSENT
            if options[FAMILY] != DISTINCT and orbits[SEEN + ABSENT, 0] > 0:
                kind = NEVER
        elif not is_used[color]:
            kind = UNUSED
        has_classes = has_classes or kind != FIXED
        place = orbits[SEEN + kind, 0]
        orbits[CLASSES, color], orbits[PLACES, color] = kind, place
        orbits[MEMBERS + kind, place] = color
        orbits[SEEN + kind, 0] += 1
    for kind in range(4):
        orbits[SEEN + kind, 0] = 0
    orbits[PATH, 0] = -1
    orbits[RANKS, 0] = 0
    counts[DEPTH] = counts[N_MAPS] = 0
    return has_classes


@njit_inline
def mark_colors(
    digits: NDArray[np.uint8], ranks: NDArray[np.int32], n_colors: int, marks: NDArray[np.int64]
) -> None:
    """Write 1 for each color that one of the codes has, 0 for others."""
    for color in range(n_colors):
        marks[color] = 0
    missing = n_colors
    for rank in ranks:
        for peg in range(digits.shape[1]):
            missing -= 1 - marks[digits[rank, peg]]
            marks[digits[rank, peg]] = 1
        if missing == 0:
            return


@njit_bare_part
def list_guesses(
    options: NDArray[np.int64], orbits: NDArray[np.int64], guesses: NDArray[np.int32], n_pegs: int
) -> int:
    """List the next guesses, by rank, whose exchangeable colors first appear in order.

    Parameters
    ----------
    orbits : int64[N_ROWS, n]
        Tells where to go on; written in place.
    guesses : int32[n_most]
        Written in place: ranks.

    Returns
    -------
    int
        How many; none when all have been listed.
    """
    count, depth, n_colors = 0, orbits[NUMBERS, DEPTH], options[N_COLORS]
    is_distinct = options[FAMILY] == DISTINCT
    path, ranks = orbits[PATH], orbits[RANKS]
    while depth >= 0 and count < len(guesses):
        path[depth] += 1
        color = path[depth]
        if color == n_colors:
            depth -= 1
            continue
        kind = orbits[CLASSES, color]
        if kind != FIXED and (kind == NEVER or orbits[PLACES, color] > orbits[SEEN + kind, depth]):
            continue
        rank = ranks[depth] * n_colors + color
        if is_distinct:
            rank = rank_distinct(path, depth, ranks[depth], n_colors)
            if rank < 0:
                continue
        if depth == n_pegs - 1:
            guesses[count] = rank
            count += 1
            continue
        for other in range(4):
            orbits[SEEN + other, depth + 1] = orbits[SEEN + other, depth]
        if orbits[PLACES, color] == orbits[SEEN + kind, depth]:
            orbits[SEEN + kind, depth + 1] += 1
        depth += 1
        ranks[depth] = rank
        path[depth] = -1
    orbits[NUMBERS, DEPTH] = depth
    return count


@njit_inline
def rank_distinct(path: NDArray[np.int64], depth: int, rank: int, n_colors: int) -> int:
    """Return the rank of a beginning one peg longer, without repetition; -1 where it repeats."""
    smaller = 0
    for peg in range(depth):
        if path[peg] == path[depth]:
            return -1
        smaller += path[peg] < path[depth]
    return rank * (n_colors - depth) + int(path[depth]) - smaller


@njit_bare_part
def find_maps(
    digits: NDArray[np.uint8],
    permutations: NDArray[np.uint8],
    history: NDArray[np.int32],
    orbits: NDArray[np.int64],
    maps: NDArray[np.int16],
) -> None:
    """Write the symmetries of a history: permutations of pegs with the colors' renaming.

    Each guess of the history turns to itself; colors that no guess has are not renamed, and the
    identity is left out.
    """
    n_pegs = digits.shape[1]
    n_colors = maps.shape[1] - n_pegs
    taken = orbits[NAMES]
    count = 0
    for index in range(1, len(permutations)):
        for peg in range(n_pegs):
            maps[count, peg] = permutations[index, peg]
        for color in range(n_colors):
            maps[count, n_pegs + color] = -1
            taken[color] = 0
        fits = True
        for rank in history:
            fits = fits and rename_colors(digits[rank], maps[count], taken)
        if fits:
            for color in range(n_colors):
                if maps[count, n_pegs + color] < 0:
                    maps[count, n_pegs + color] = color
            count += 1
    orbits[NUMBERS, N_MAPS] = count


@njit_inline
def rename_colors(
    code: NDArray[np.uint8], symmetry: NDArray[np.int16], taken: NDArray[np.int64]
) -> bool:
    """Extend a renaming of colors so that a code turns to itself; return whether it can be."""
    n_pegs = len(code)
    for peg in range(n_pegs):
        old, new = n_pegs + np.int64(code[symmetry[peg]]), np.int64(code[peg])
        if symmetry[old] < 0 and not taken[new]:
            symmetry[old] = new
            taken[new] = 1
        elif symmetry[old] != new:
            return False
    return True


@njit_bare_part
def keep_first(
    digits: NDArray[np.uint8],
    orbits: NDArray[np.int64],
    maps: NDArray[np.int16],
    guesses: NDArray[np.int32],
) -> int:
    """Move the guesses that no symmetry turns to a lower rank to the front; return how many."""
    count = 0
    for guess in guesses:
        is_first = is_ordered(digits, orbits, guess)
        index = int(np.int64(0))
        while is_first and index < orbits[NUMBERS, N_MAPS]:
            is_first = not turns_lower(digits, orbits, maps, index, guess)
            index += 1
        if is_first:
            guesses[count] = guess
            count += 1
    return count


@njit_inline
def is_ordered(digits: NDArray[np.uint8], orbits: NDArray[np.int64], guess: int) -> bool:
    """Return whether the exchangeable colors of a code first appear in order."""
    n_pegs = digits.shape[1]
    for kind in range(4):
        orbits[SEEN + kind, n_pegs] = 0
    for peg in range(n_pegs):
        color = np.int64(digits[guess, peg])
        kind = orbits[CLASSES, color]
        if kind == FIXED:
            continue
        if kind == NEVER or orbits[PLACES, color] > orbits[SEEN + kind, n_pegs]:
            return False
        orbits[SEEN + kind, n_pegs] += orbits[PLACES, color] == orbits[SEEN + kind, n_pegs]
    return True


@njit_inline
def turns_lower(
    digits: NDArray[np.uint8],
    orbits: NDArray[np.int64],
    maps: NDArray[np.int16],
    index: int,
    guess: int,
) -> bool:
    """Return whether a symmetry, and the best exchange of colors after it, lowers a code."""
    n_pegs = digits.shape[1]
    for kind in range(4):
        orbits[SEEN + kind, n_pegs] = 0
    for color in range(orbits.shape[1]):
        orbits[NAMES, color] = -1
    for peg in range(n_pegs):
        old = np.int64(digits[guess, maps[index, peg]])
        color = int(np.int64(maps[index, n_pegs + old]))
        kind = orbits[CLASSES, color]
        if kind == NEVER:
            color = int(orbits[MEMBERS + ABSENT, 0])
        elif kind != FIXED:
            if orbits[NAMES, color] < 0:
                orbits[NAMES, color] = orbits[MEMBERS + kind, orbits[SEEN + kind, n_pegs]]
                orbits[SEEN + kind, n_pegs] += 1
            color = int(orbits[NAMES, color])
        if color != digits[guess, peg]:
            return bool(color < digits[guess, peg])
    return False
