"""Games with weights: what every guess of a state costs at least, in one number.

A guess that tells all candidates apart costs twice their weight, less the weight of the one that it
may win. Of the candidates in a cell the heaviest is found with the guess after it at best, all
others need one more. So a guess costs at least twice the weight of the state and its *penalty*: the
weight of all that are not the heaviest of their cell, less that of the winner. If no cell has three
candidates that is its cost. Where a state has more candidates than a guess has cells, some are
found later still: by the most cells of any guess, the first of a cell has level 0, as many as these
level 1, their square level 2 ...

A survey adds up the penalties of a tile's guesses side by side. They only rise, and the heaviest
candidates come first: a tile is dropped as soon as none of its guesses is below a threshold. With
few responses a mask says for each guess which responses occurred; with many, few candidates are
compared in pairs and many have a flag for each response, as in `lookahead`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit.compiler import njit, njit_part
from . import INFINITE, Int32s, Int64s, UInts
from .lookahead import CHECK, FLAGS_CHECK, compare_earlier, copy_responses
from .responses import HOPELESS, LANES, ResponseMatrix, Scratch, has_ranking

U = np.uint32
ONE, TOP = U(1), U(31)
NOTHING = np.int32(0)

MAX_PAIRED = 160
"""With more candidates flags are quicker (measured)."""

MASKS_CHECK = 8
"""After each of these many candidates a tile is dropped if it is hopeless."""

MAX_SHALLOW = 8
"""Of more candidates some may be found later than with the second guess after this one."""

ANY: Any = np.int64(INFINITE)
"""Above all that lanes hold: as a threshold, no tile is dropped."""

YES: Any = np.bool_(True)
NO: Any = np.bool_(False)
"""For plain values numba would compile what takes them once more."""


@njit_part
def survey_penalties(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, threshold: int
) -> tuple[int, int]:
    """Return the least penalty of all guesses below a threshold, and the first tile that has it.

    Without one below, that is the threshold itself, and the tile is -1. The tile's penalties are
    written. What is returned depends on the state alone, if it is below the threshold.
    """
    limit = min(threshold, HOPELESS)
    if has_ranking(matrix):
        least, tile, _ = _survey_ranked(matrix, scratch, members, limit, YES)
    elif len(members) <= MAX_SHALLOW:
        least, tile, _ = _survey_by_masks(matrix, scratch, members, limit, YES)
    else:
        least, tile, most = _survey_by_masks(matrix, scratch, members, ANY, NO)
        if len(members) > most + 1:
            return _deepen_least(matrix, scratch, members, threshold, most)
    return (least, tile) if least < limit else (threshold, -1)


@njit_part
def survey_all_penalties(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, threshold: int
) -> tuple[int, int]:
    """Write the penalties of all guesses below a threshold; return how many tiles were surveyed.

    Among these, any number from the threshold on may be written for the others. Besides return the
    most cells of a guess, the winning one not counted; 0 if that was not counted.
    """
    if has_ranking(matrix):
        _, _, n_tiles = _survey_ranked(matrix, scratch, members, threshold, NO)
        return n_tiles, 0
    _, _, most = _survey_by_masks(matrix, scratch, members, ANY, NO)
    return scratch.penalties.shape[0], most


@njit_part
def mark_own(matrix: ResponseMatrix, scratch: Scratch, members: Int32s, is_marked: bool) -> None:
    """Let the penalty of each candidate's own guess begin with what it may win, or none of them."""
    own, lanes, shift = scratch.own, matrix.weights.lanes, matrix.weights.shift
    for i in range(len(members)):
        place = matrix.code_of[members[i]]
        if has_ranking(matrix):
            place = matrix.place_of[place]
        # What a shift cuts off is made good, so that a penalty is never too high.
        won = lanes[members[i]] + (1 if shift > 0 else 0)
        own[place // LANES, place % LANES] = -won if is_marked else 0


@njit_part
def _survey_ranked(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, threshold: int, is_best: bool
) -> tuple[int, int, int]:
    """Survey guesses in the order of the ranking; return least penalty, its tile, number of tiles.

    If only the best is wanted, the threshold falls to each penalty that is found.
    """
    tiles, tops, lanes, n = matrix.tiles, matrix.top_scores, matrix.weights.lanes, len(members)
    least, best_tile, tile = threshold, -1, 0
    is_paired = n <= MAX_PAIRED
    mark_own(matrix, scratch, members, YES)
    n_cells = _find_fewest_cells(matrix, members, threshold)
    while tile < len(tops) and tops[tile] >= n_cells:
        limit = least if is_best else threshold
        if is_paired:
            found = _add_by_pairs(tiles, tile, members, lanes, limit, scratch)
        else:
            if tile % tiles.shape[2] == 0:
                copy_responses(tiles, tile // tiles.shape[2], members, scratch)
            found = _add_by_flags(tile, members, lanes, limit, scratch)
        if found < least:
            least, best_tile = found, tile
            if is_best:
                n_cells = _find_fewest_cells(matrix, members, least)
        tile += 1
    mark_own(matrix, scratch, members, NO)
    return least, best_tile, tile


@njit_part
def _find_fewest_cells(matrix: ResponseMatrix, members: Int32s, threshold: int) -> int:
    """Return the number of cells that a guess needs for a penalty below a threshold.

    All but the heaviest of its cells count, and it wins the heaviest at best.
    """
    lanes, at = matrix.weights.lanes, len(members)
    penalty = -int(lanes[members[0]]) - (1 if matrix.weights.shift > 0 else 0)
    while at > 0 and penalty < threshold:
        at -= 1
        penalty += int(lanes[members[at]])
    return at + 1


@njit(is_leaf=True)
def _add_by_pairs(
    tiles: UInts, tile: int, members: Int32s, lanes: Int32s, threshold: int, scratch: Scratch
) -> int:
    """Write the penalties of a tile's guesses; return the least, `HOPELESS` without one below.

    Each response is compared with the earlier ones.
    """
    nearest, penalties, own = scratch.nearest, scratch.penalties, scratch.own
    n, least = len(members), NOTHING
    for x in range(LANES):
        penalties[tile, x] = own[tile, x]
    for j in range(n):
        weight = lanes[members[j]]
        compare_earlier(tiles, tile, members[j], j, scratch)
        for x in range(LANES):
            penalties[tile, x] += weight if nearest[x] == 0 else NOTHING
        if (j + 1) % CHECK == 0 or j == n - 1:
            least = _find_least(penalties, tile, threshold)
            if least >= threshold:
                return HOPELESS
    return int(least)


@njit(is_leaf=True)
def _add_by_flags(
    tile: int, members: Int32s, lanes: Int32s, threshold: int, scratch: Scratch
) -> int:
    """Do what `_add_by_pairs` does, with a flag for each response to each guess."""
    copied, seen, penalties, own = scratch.copied, scratch.seen, scratch.penalties, scratch.own
    part, n, least = tile % copied.shape[1], len(members), NOTHING
    seen[:] = 0
    for x in range(LANES):
        penalties[tile, x] = own[tile, x]
    for first in range(0, n, FLAGS_CHECK):
        for i in range(first, min(first + FLAGS_CHECK, n)):
            weight = lanes[members[i]]
            for x in range(LANES):
                response = copied[i, part, x]
                penalties[tile, x] += weight * np.int32(seen[response, x])
                seen[response, x] = 1
        least = _find_least(penalties, tile, threshold)
        if least >= threshold:
            return HOPELESS
    return int(least)


@njit_part(inline=True)
def _find_least(penalties: Int32s, tile: int, threshold: int) -> np.int32:
    """Return the least penalty of a tile; without one below, write that no guess is of use."""
    least: np.int32 = penalties[tile, 0]
    for x in range(LANES):
        least = min(least, penalties[tile, x])
    if least >= threshold:
        for x in range(LANES):
            penalties[tile, x] = HOPELESS
    return least


@njit_part
def _survey_by_masks(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, threshold: int, is_best: bool
) -> tuple[int, int, int]:
    """Survey the guesses of a game of few responses; return least penalty, its tile, most cells.

    The cells are counted only if no tile is dropped. See `_survey_ranked`.
    """
    lanes, win = matrix.weights.lanes, matrix.n_responses - 1
    least, best_tile, most = threshold, -1, 0
    mark_own(matrix, scratch, members, YES)
    for tile in range(scratch.penalties.shape[0]):
        limit = least if is_best else threshold
        found = _add_by_masks(matrix.tiles, tile, members, lanes, limit, scratch)
        if found < least:
            least, best_tile = found, tile
        if not is_best:
            most = max(most, _count_most_bits(scratch.masks, win))
    mark_own(matrix, scratch, members, NO)
    return least, best_tile, most


@njit(is_leaf=True)
def _add_by_masks(
    tiles: UInts, tile: int, members: Int32s, lanes: Int32s, threshold: int, scratch: Scratch
) -> int:
    """Do what `_add_by_pairs` does, for few responses, which are left in `Scratch.masks`.

    Two candidates at a time: half of the traffic.
    """
    masks, penalties, own = scratch.masks, scratch.penalties, scratch.own
    block, part = tile // tiles.shape[2], tile % tiles.shape[2]
    n, least = len(members), NOTHING
    for x in range(LANES):
        masks[x] = 0
        penalties[tile, x] = own[tile, x]
    for first in range(0, n, MASKS_CHECK):
        end = min(first + MASKS_CHECK, n)
        i = first
        while i + 1 < end:
            a, b = members[i], members[i + 1]
            heavy, light = lanes[a], lanes[b]
            for x in range(LANES):
                one = U(ONE << U(tiles[block, a, part, x] & TOP))
                two = U(ONE << U(tiles[block, b, part, x] & TOP))
                seen = masks[x]
                both = U(seen | one)
                rise = heavy if seen & one else NOTHING
                penalties[tile, x] += rise + (light if both & two else NOTHING)
                masks[x] = both | two
            i += 2
        if i < end:
            a = members[i]
            heavy = lanes[a]
            for x in range(LANES):
                one = U(ONE << U(tiles[block, a, part, x] & TOP))
                penalties[tile, x] += heavy if masks[x] & one else NOTHING
                masks[x] |= one
        least = _find_least(penalties, tile, threshold)
        if least >= threshold:
            return HOPELESS
    return int(least)


@njit(is_leaf=True)
def _count_most_bits(masks: UInts, win: int) -> int:
    """Return the most cells of a tile's guesses, the winning one not counted."""
    most = U(0)
    rest = ~U(ONE << U(win))
    for x in range(LANES):
        bits = U(masks[x] & rest)
        bits = U(bits - ((bits >> U(1)) & U(0x55555555)))
        bits = U((bits & U(0x33333333)) + ((bits >> U(2)) & U(0x33333333)))
        bits = U((bits + (bits >> U(4))) & U(0x0F0F0F0F))
        bits = U(bits + (bits >> U(8)))
        most = max(most, U(U(bits + (bits >> U(16))) & U(63)))
    return int(most)


@njit_part
def fill_depths(levels: Int64s, n: int, most: int) -> None:
    """Write the level of each candidate of a cell, by its place there."""
    level, room, capacity = 0, 1, 1
    for at in range(n):
        if room == 0:
            level += 1
            capacity = min(capacity * max(1, most), n)
            room = capacity
        levels[at] = level
        room -= 1


@njit_part
def deepen(matrix: ResponseMatrix, scratch: Scratch, members: Int32s, code: int, limit: int) -> int:
    """Return a guess's penalty by `Scratch.levels`; the limit if it is not below.

    What it may win is marked. A guess that tells nothing has none below any limit.
    """
    by_guess, lanes = matrix.by_guess, matrix.weights.lanes
    levels, sizes = scratch.levels, scratch.sizes
    place = matrix.place_of[code] if has_ranking(matrix) else code
    penalty = np.int64(scratch.own[place // LANES, place % LANES])
    sizes[:] = 0
    for i in range(len(members)):
        response = by_guess[code, members[i]]
        size = sizes[response]
        penalty += lanes[members[i]] * levels[size]
        if penalty >= limit:
            return limit
        sizes[response] = size + 1
    first = by_guess[code, members[0]]
    if sizes[first] == len(members) and first != matrix.n_responses - 1:
        return limit
    return int(penalty)


@njit_part
def _deepen_least(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, threshold: int, most: int
) -> tuple[int, int]:
    """Return the least penalty by levels below a threshold, and its first tile; see `deepen`."""
    penalties, n_codes = scratch.penalties, matrix.by_guess.shape[0]
    least, best_tile = threshold, -1
    fill_depths(scratch.levels, len(members), most)
    mark_own(matrix, scratch, members, YES)
    for tile in range(penalties.shape[0]):
        for x in range(min(LANES, n_codes - tile * LANES)):
            if penalties[tile, x] < least:
                found = deepen(matrix, scratch, members, tile * LANES + x, least)
                penalties[tile, x] = min(found, HOPELESS)
                if found < least:
                    least, best_tile = found, tile
    mark_own(matrix, scratch, members, NO)
    return least, best_tile
