"""One guess of each orbit: guesses that symmetry makes equal to an earlier one are left out.

A guess is dropped only if an exchange of pegs or colors that keeps the candidates gives a guess of
lower rank: that one has the same cells, is consistent if and only if the dropped one is, and the
tie-break prefers it. docs/notes/performance.md has the argument.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.renaming import FREE
from ...jit.compiler import njit, njit_part
from ..responses import extend_renaming

FIXED, UNUSED, ABSENT, NEVER = range(4)
"""What may be done with a color: nothing; it was not guessed yet, and may be exchanged with others;
no candidate has it, so it may, too; it is left out."""


class Orbits(NamedTuple):
    """What is known about a state's symmetry, and how far its guesses have been listed."""

    classes: NDArray[np.int64]  # [n]: the class of each color
    places: NDArray[np.int64]  # [n]: which color of its class it is
    members: NDArray[np.int64]  # [4, n]: the colors of each class
    path: NDArray[np.int64]  # [n]: the colors on the pegs of the guess listed next
    ranks: NDArray[np.int64]  # [n]: the ranks of its prefixes
    seen: NDArray[np.int64]  # [4, n]: how many colors of each class those prefixes have
    depth: NDArray[np.int64]  # [1]: the peg where listing continues; -1 at the end
    n_maps: NDArray[np.int64]  # [1]: number of symmetries of the history: see `find_maps`
    scratch: NDArray[np.int64]  # [n]: for the functions here


N_ORBIT_ROWS = 15


@njit_part(inline=True)
def name_orbits(block: NDArray[np.int64]) -> Orbits:
    """Name the rows of a block of memory, `N_ORBIT_ROWS` of them.

    Each row has room for all colors, and for all pegs and one more.
    """
    return Orbits(
        block[0],
        block[1],
        block[2:6],
        block[6],
        block[7],
        block[8:12],
        block[12, :1],
        block[13, :1],
        block[14],
    )


@njit_part
def start_orbits(
    digits: NDArray[np.uint8],
    n_colors: int,
    is_distinct: bool,
    candidates: NDArray[np.int32],
    history: NDArray[np.int32],
    orbits: Orbits,
) -> bool:
    """Write the classes of the colors at a state, and start its list of guesses.

    Return whether any colors are in a class, so that guesses are left out. Candidates and history
    are ranks.
    """
    is_present, is_used, seen = orbits.scratch, orbits.path, orbits.seen
    mark_colors(digits, candidates, n_colors, is_present)
    mark_colors(digits, history, n_colors, is_used)
    for kind in range(4):
        seen[kind, 0] = 0
    may_exchange = False
    for color in range(n_colors):
        kind = FIXED
        if not is_present[color]:
            kind = ABSENT
            if not is_distinct and seen[ABSENT, 0] > 0:
                kind = NEVER
        elif not is_used[color]:
            kind = UNUSED
        may_exchange = may_exchange or kind != FIXED
        place = seen[kind, 0]
        orbits.classes[color], orbits.places[color] = kind, place
        orbits.members[kind, place] = color
        seen[kind, 0] += 1
    for kind in range(4):
        seen[kind, 0] = 0
    orbits.path[0] = -1
    orbits.ranks[0] = 0
    orbits.depth[0] = orbits.n_maps[0] = 0
    return may_exchange


@njit_part(inline=True)
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


@njit_part
def list_guesses(
    orbits: Orbits, guesses: NDArray[np.int32], n_pegs: int, n_colors: int, is_distinct: bool
) -> int:
    """List the next guesses, by rank, whose exchangeable colors first appear in order.

    Return how many; none when all have been listed. `orbits` says where to continue.
    """
    count, depth = 0, orbits.depth[0]
    path, ranks, seen = orbits.path, orbits.ranks, orbits.seen
    while depth >= 0 and count < len(guesses):
        path[depth] += 1
        color = path[depth]
        if color == n_colors:
            depth -= 1
            continue
        kind = orbits.classes[color]
        if kind != FIXED and (kind == NEVER or orbits.places[color] > seen[kind, depth]):
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
            seen[other, depth + 1] = seen[other, depth]
        if orbits.places[color] == seen[kind, depth]:
            seen[kind, depth + 1] += 1
        depth += 1
        ranks[depth] = rank
        path[depth] = -1
    orbits.depth[0] = depth
    return count


@njit_part(inline=True)
def rank_distinct(path: NDArray[np.int64], depth: int, rank: int, n_colors: int) -> int:
    """Return the rank of a prefix one peg longer, without repetition; -1 if it repeats."""
    smaller = 0
    for peg in range(depth):
        if path[peg] == path[depth]:
            return -1
        smaller += path[peg] < path[depth]
    return rank * (n_colors - depth) + int(path[depth]) - smaller


@njit_part
def find_maps(
    digits: NDArray[np.uint8],
    permutations: NDArray[np.uint8],
    history: NDArray[np.int32],
    orbits: Orbits,
    maps: NDArray[np.int16],
) -> None:
    """Write the symmetries of a history: permutations of pegs with the colors' renaming.

    Each guess of the history is mapped to itself; colors that no guess has are not renamed, and the
    identity is left out.
    """
    n_pegs = digits.shape[1]
    n_colors = maps.shape[1] - n_pegs
    count = 0
    for index in range(1, len(permutations)):
        for peg in range(n_pegs):
            maps[count, peg] = permutations[index, peg]
        for color in range(n_colors):
            maps[count, n_pegs + color] = FREE
        fits = True
        for rank in history:
            pegs, colors = maps[count, :n_pegs], maps[count, n_pegs:]
            fits = fits and extend_renaming(colors, pegs, digits[rank], digits[rank])
        if fits:
            for color in range(n_colors):
                if maps[count, n_pegs + color] < 0:
                    maps[count, n_pegs + color] = color
            count += 1
    orbits.n_maps[0] = count


@njit
def list_maps(
    digits: NDArray[np.uint8],
    permutations: NDArray[np.uint8],
    history: NDArray[np.int32],
    block: NDArray[np.int64],
    maps: NDArray[np.int16],
) -> int:
    """Write the symmetries of a history as `find_maps` does; return how many."""
    orbits = name_orbits(block)
    find_maps(digits, permutations, history, orbits, maps)
    return int(orbits.n_maps[0])


@njit_part
def keep_first(
    digits: NDArray[np.uint8],
    orbits: Orbits,
    maps: NDArray[np.int16],
    guesses: NDArray[np.int32],
    n_known: int,
) -> int:
    """Move the guesses that no symmetry maps to a lower rank to the front; return how many.

    A guess stands for all that begin with its first `n_known` pegs: it is left out if all these
    are mapped to lower ranks.
    """
    count = 0
    for guess in guesses:
        is_first = is_ordered(digits, orbits, guess, n_known)
        index = int(np.int64(0))
        while is_first and index < orbits.n_maps[0]:
            is_first = not turns_lower(digits, orbits, maps, index, guess, n_known)
            index += 1
        if is_first:
            guesses[count] = guess
            count += 1
    return count


@njit_part(inline=True)
def is_ordered(digits: NDArray[np.uint8], orbits: Orbits, guess: int, n_known: int) -> bool:
    """Return whether the exchangeable colors of a code's first pegs first appear in order."""
    n_pegs = digits.shape[1]
    for kind in range(4):
        orbits.seen[kind, n_pegs] = 0
    for peg in range(n_known):
        color = np.int64(digits[guess, peg])
        kind = orbits.classes[color]
        if kind == FIXED:
            continue
        if kind == NEVER or orbits.places[color] > orbits.seen[kind, n_pegs]:
            return False
        orbits.seen[kind, n_pegs] += orbits.places[color] == orbits.seen[kind, n_pegs]
    return True


@njit_part(inline=True)
def turns_lower(
    digits: NDArray[np.uint8],
    orbits: Orbits,
    maps: NDArray[np.int16],
    index: int,
    guess: int,
    n_known: int,
) -> bool:
    """Return whether a symmetry, and the best exchange of colors after it, lowers a code.

    Whatever stands on its pegs after the first `n_known`.
    """
    n_pegs = digits.shape[1]
    for kind in range(4):
        orbits.seen[kind, n_pegs] = 0
    for color in range(len(orbits.scratch)):
        orbits.scratch[color] = -1
    for peg in range(n_known):
        if maps[index, peg] >= n_known:
            return False
        old = np.int64(digits[guess, maps[index, peg]])
        color = int(np.int64(maps[index, n_pegs + old]))
        kind = orbits.classes[color]
        if kind == NEVER:
            color = int(orbits.members[ABSENT, 0])
        elif kind != FIXED:
            if orbits.scratch[color] < 0:
                orbits.scratch[color] = orbits.members[kind, orbits.seen[kind, n_pegs]]
                orbits.seen[kind, n_pegs] += 1
            color = int(orbits.scratch[color])
        if color != digits[guess, peg]:
            return bool(color < digits[guess, peg])
    return False
