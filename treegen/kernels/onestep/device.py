"""Kernels of a graphics card: the best guesses of many states at once, as `choose_states` has them.

A thread rates a guess. A code is two numbers: its colors, four bits each, and for each color as
many bits as it occurs, so that black pegs are equal colors, and black and white pegs together are
common bits. Guesses are compared by the criteria's integers, then by rank: neither the order in
which threads end nor a guess that is given up early can change which is the least.

Pegs, responses and criteria are arguments, so that the machine code of one game serves all.
"""

# numba has types for few of its functions, and none of the card's.
# mypy: disable-error-code="attr-defined, call-overload, no-any-return, operator"
# mypy: disallow-untyped-calls=False, disallow-untyped-decorators=False

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import cuda, int32, int64, uint32, uint64
from numpy.typing import NDArray

from ..rule_kinds import CriterionKind
from .orbits import ABSENT, FIXED, NEVER

MOST_PEGS, MOST_COLORS, MOST_BITS = 8, 16, 64  # the last is that of pegs times colors
MOST_KINDS, MOST_THREADS = 4, 128  # criteria; threads of a block, a power of two
FEW = 255  # guesses are given up early in states of at most this many candidates

# Plain integers: numba would take the members of an enum for a type of their own.
_LARGEST, _SUM = int(CriterionKind.LARGEST), int(CriterionKind.SUM)
_CONSISTENT, _REMOVALS = int(CriterionKind.CONSISTENT), int(CriterionKind.REMOVALS)

STATE, FIRST, LENGTH, CHUNK, SHARES, BLOCK, LIMIT = range(7)
"""The rows of a plan, int64[7, n_items + 1]. An item is a state and its guesses: where these begin
in the list of all, how many they are, and how many a block rates; how many threads share the
candidates of a guess; the first block, in the last column the number of all; the most that the
first criterion of the best guess may be, which falls meanwhile."""

_N_ROWS = MOST_KINDS + 1
_N_RANKED = _N_ROWS * MOST_THREADS
_NO_GUESS = np.iinfo(np.int64).max
_LOW, _HIGH = 0x77777777, 0x88888888

Array = NDArray[Any]


class CardGame(NamedTuple):
    """A game and a strategy in rank space, on the card."""

    colors: Array  # uint32[n_codes]
    counts: Array  # uint64[n_codes]
    kinds: Array  # as in `Rule`
    tables: Array
    steps: Array  # int64[n]: what one candidate more adds to the first criterion, if a sum
    least_step: int
    n_pegs: int
    n_cells: int
    has_white: bool


class CardStates(NamedTuple):
    """Some states of a level, on the card."""

    ranks: Array  # int32[n_candidates]: one state after the other
    colors: Array  # uint32[n_candidates]
    counts: Array  # uint64[n_candidates]
    starts: Array  # int64[n_states + 1]: where each state's candidates begin


class Symmetries(NamedTuple):
    """What `orbits` says of the guesses in each list."""

    classes: Array  # uint8[n_lists, n_colors]
    places: Array  # uint8[n_lists, n_colors]
    members: Array  # uint8[n_lists, 4, n_colors]
    maps: Array  # int16[n_maps, n_pegs + n_colors]
    starts: Array  # int64[n_lists + 1]: where each list's maps begin
    owners: Array  # int64[n_lists]: the state whose candidates may be guessed; -1: all codes


def _kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel when it is first used, and keep it in a file where there is a folder."""
    try:
        return cuda.jit(cache=True)(function)
    except RuntimeError:
        return cuda.jit(function)


@cuda.jit(device=True)
def find_cell(game: CardGame, guess: Any, guess_counts: Any, colors: Any, counts: Any) -> Any:
    """Return the cell of a candidate: 0 if the guess is right."""
    # Innermost numbers are cast to 32 bits without a sign: numba adds in 64 bits, and asks of every
    # other index whether it counts from the end.
    other = uint32(guess) ^ uint32(colors)
    # The high bit of each peg: whether the colors differ.
    other = uint32((uint32(uint32(other & uint32(_LOW)) + uint32(_LOW)) | other) & uint32(_HIGH))
    n_other = uint32(cuda.popc(other))
    if not game.has_white:
        return n_other
    n_common = uint32(cuda.popc(uint64(guess_counts) & uint64(counts)))
    # Cells with fewer black pegs come after; there are n_other + 1 of each number.
    n_before = uint32(uint32(n_other * uint32(n_other + uint32(3))) >> uint32(1))
    return uint32(uint32(n_before + n_common) - uint32(game.n_pegs))


@cuda.jit(device=True)
def write_values(game: CardGame, sizes: Array, thread: int, values: Array) -> Any:
    """Write the criteria's values of the cells that a thread has counted; return the largest."""
    n_threads, n_wins, largest = cuda.blockDim.x, int64(sizes[thread]), int64(0)
    for cell in range(game.n_cells):
        largest = max(largest, int64(sizes[cell * n_threads + thread]))
    for at in range(len(game.kinds)):
        values[at] = largest
        if game.kinds[at] == _REMOVALS:
            values[at] = largest - n_wins
        elif game.kinds[at] == _CONSISTENT:
            values[at] = 1 - n_wins
        elif game.kinds[at] == _SUM:
            values[at] = 0
            for cell in range(game.n_cells):
                values[at] += game.tables[at, sizes[cell * n_threads + thread]]
    return largest


@cuda.jit(device=True)
def is_less(a: Array, at: int, step: int, b: Array, place: int, pitch: int, n_kinds: int) -> bool:
    """Return whether a guess is better than another: by criteria, then by rank.

    The values of the first begin at an offset and stand `step` apart, those of the other `pitch`.
    """
    for row in range(n_kinds + 1):
        own, other = a[row * step + at], b[row * pitch + place]
        if own != other:
            return own < other
    return False


@cuda.jit(device=True)
def keep_least(bests: Array, n_kinds: int, out: Array) -> None:
    """Write the best of all threads' guesses, whose values are in columns of `bests`."""
    thread, n = cuda.threadIdx.x, cuda.blockDim.x
    half = n // 2
    cuda.syncthreads()
    while half > 0:
        if thread < half and is_less(bests, thread + half, n, bests, thread, n, n_kinds):
            for row in range(n_kinds + 1):
                bests[row * n + thread] = bests[row * n + thread + half]
        cuda.syncthreads()
        half //= 2
    if thread == 0:
        for row in range(n_kinds + 1):
            out[row] = bests[row * n]


@cuda.jit(device=True)
def count_cells(
    game: CardGame, states: CardStates, plan: Array, item: int, rank: int, most: int, sizes: Array
) -> bool:
    """Count the cells of a guess, of a thread's share of candidates; return whether it may be best.

    It is given up when its first criterion exceeds `most`.
    """
    state, n_shares = plan[STATE, item], plan[SHARES, item]
    thread, n_threads = uint32(cuda.threadIdx.x), uint32(cuda.blockDim.x)
    begin, end = states.starts[state], uint32(states.starts[state + 1])
    at = uint32(begin + cuda.threadIdx.x % n_shares)
    n_left, kind = int64(end) - int64(at), _CONSISTENT
    if n_shares == 1 and n_left <= FEW and len(game.kinds) > 0:
        kind = game.kinds[0]
    for cell in range(game.n_cells):
        sizes[uint32(uint32(uint32(cell) * n_threads) + thread)] = 0
    guess, guess_counts = game.colors[rank], game.counts[rank]
    largest, total = int32(0), int64(game.least_step * n_left)
    while at < end:
        cell = find_cell(game, guess, guess_counts, states.colors[at], states.counts[at])
        counter = uint32(uint32(cell * n_threads) + thread)
        size = uint32(sizes[counter])
        sizes[counter] = size + 1
        at = uint32(at + uint32(n_shares))
        if kind == _SUM:
            # Each candidate that is left adds the least step at least.
            total += game.steps[size] - game.least_step
            if total > most:
                return False
        elif kind != _CONSISTENT:
            largest = max(largest, int32(size + 1))
            if largest - (kind == _REMOVALS) > most:
                return False
    return True


@_kernel
def rate_guesses(
    game: CardGame, states: CardStates, lists: Array, plan: Array, first_block: int, found: Array
) -> None:
    """Write the values and the rank of each block's best guess.

    Several threads may share the candidates of a guess, so that the whole card rates few guesses of
    large states.
    """
    thread, n_threads, n_kinds = cuda.threadIdx.x, cuda.blockDim.x, len(game.kinds)
    block = first_block + cuda.blockIdx.x
    item, end = 0, plan.shape[1] - 1
    while end - item > 1:
        middle = (item + end) // 2
        if plan[BLOCK, middle] <= block:
            item = middle
        else:
            end = middle
    state, n_shares = plan[STATE, item], plan[SHARES, item]
    n = states.starts[state + 1] - states.starts[state]
    first = plan[FIRST, item] + (block - plan[BLOCK, item]) * plan[CHUNK, item]
    last = min(first + plan[CHUNK, item], plan[FIRST, item] + plan[LENGTH, item])
    share, limit = thread % n_shares, plan[LIMIT, item]
    sizes = cuda.shared.array(0, uint32)
    bests = cuda.shared.array(_N_RANKED, int64)
    values = cuda.local.array(_N_ROWS, int64)
    for row in range(n_kinds + 1):
        bests[row * n_threads + thread] = _NO_GUESS
    # All threads of a block go through the loop as often: they may wait for each other in it.
    for base in range(first, last, n_threads // n_shares):
        place = base + thread // n_shares
        is_good, rank = place < last, int64(0)
        if is_good:
            rank = int64(lists[place])
            is_good = count_cells(game, states, plan, item, rank, limit, sizes)
        if n_shares > 1:
            cuda.syncthreads()
            for cell in range(share, game.n_cells, n_shares):
                owner, size = cell * n_threads + thread - share, int64(0)
                for other in range(n_shares):
                    size += sizes[owner + other]
                sizes[owner] = size
            cuda.syncthreads()
        if is_good and share == 0:
            largest = write_values(game, sizes, thread, values)
            values[n_kinds] = rank << 32 | largest
            # A guess with all candidates in one cell says nothing.
            if largest < n and is_less(values, 0, 1, bests, thread, n_threads, n_kinds):
                for row in range(n_kinds + 1):
                    bests[row * n_threads + thread] = values[row]
                limit = min(limit, values[0])
        if n_shares > 1:
            cuda.syncthreads()
    keep_least(bests, n_kinds, found[block])
    if thread == 0:
        cuda.atomic.min(plan, (LIMIT, item), bests[0])


@_kernel
def merge_blocks(plan: Array, found: Array, bests: Array) -> None:
    """Write the best of the blocks of each item."""
    item, n_kinds = cuda.grid(1), found.shape[1] - 1
    if item < len(bests):
        best = plan[BLOCK, item]
        for block in range(best + 1, plan[BLOCK, item + 1]):
            if is_less(found[block], 0, 1, found[best], 0, 1, n_kinds):
                best = block
        for row in range(n_kinds + 1):
            bests[item, row] = found[best, row]


@cuda.jit(device=True)
def is_first(game: CardGame, symmetries: Symmetries, number: int, guess: Any) -> bool:
    """Return whether no symmetry of a list maps a guess to a lower rank, as `keep_first` does."""
    seen = cuda.local.array(4, int32)
    names = cuda.local.array(MOST_COLORS, int32)
    # The first is the identity: only exchanges of colors.
    first = symmetries.starts[number]
    for index in range(first - 1, symmetries.starts[number + 1]):
        for kind in range(4):
            seen[kind] = 0
        for color in range(MOST_COLORS):
            names[color] = -1
        for peg in range(game.n_pegs):
            own = int32((uint32(guess) >> uint32(4 * peg)) & uint32(15))
            color = own
            if index >= first:
                old = (uint32(guess) >> uint32(4 * symmetries.maps[index, peg])) & uint32(15)
                color = int32(symmetries.maps[index, game.n_pegs + int32(old)])
            kind = symmetries.classes[number, color]
            if kind == NEVER:
                color = int32(symmetries.members[number, ABSENT, 0])
            elif kind != FIXED:
                if names[color] < 0:
                    names[color] = symmetries.members[number, kind, seen[kind]]
                    seen[kind] += 1
                color = names[color]
            if color < own:
                return False
            if color > own:
                break
    return True


@_kernel
def list_first(
    game: CardGame, states: CardStates, symmetries: Symmetries, ends: Array, lists: Array
) -> None:
    """Append the guesses that no symmetry lowers to each list, and move the list's end.

    If there is no room for lists, they are only counted.
    """
    thread, number, index = cuda.threadIdx.x, cuda.blockIdx.y, cuda.grid(1)
    n_kept = cuda.shared.array(2, int64)
    if thread == 0:
        n_kept[0] = 0
    cuda.syncthreads()
    owner, rank, place = symmetries.owners[number], int64(-1), int64(0)
    if owner < 0:
        if index < len(game.colors):
            rank = int64(index)
    elif index < states.starts[owner + 1] - states.starts[owner]:
        rank = int64(states.ranks[states.starts[owner] + index])
    is_kept = rank >= 0 and is_first(game, symmetries, number, game.colors[max(rank, 0)])
    if is_kept:
        place = cuda.atomic.add(n_kept, 0, 1)
    cuda.syncthreads()
    if thread == 0:
        n_kept[1] = cuda.atomic.add(ends, number, n_kept[0])
    cuda.syncthreads()
    if is_kept and len(lists) > 0:
        lists[n_kept[1] + place] = rank
