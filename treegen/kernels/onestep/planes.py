"""The guesses of a state of some hundred candidates, eight at a time: a bit for each candidate.

How many black pegs a guess has with a candidate is a number of three bits; so is the number of its
black and white pegs together. The six bits of 64 candidates are in six words, the *planes* of the
guess: one more peg is added to all 64 by a few operations on bits, and a cell is the candidates
whose planes show its two numbers.

Eight guesses are a *vector*, a lane each. They share a *prefix*, all pegs but the last two, so the
planes of its pegs differ only where the last two have the same color. Prefixes are listed by rank:
a guess is tried after all of lower rank, and must be better in the first criterion to win.
"""

# numba has types for few of its functions.
# mypy: disallow-untyped-calls=False, disallow-untyped-decorators=False

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from ...jit.compiler import by_reference, has_feature, njit, njit_part
from .criteria import Bound
from .game import RankedGame
from .guesses import PAIRS_PER_MAP, States
from .orbits import (
    N_ORBIT_ROWS,
    NEVER,
    find_maps,
    keep_first,
    list_guesses,
    name_orbits,
    rank_distinct,
    start_orbits,
)
from .workspace import CHUNK

FEWEST, MOST = 33 if has_feature("avx512vpopcntdq") else 65, 1024
"""The least and the most candidates of a state that is searched this way."""

MAX_COLORS = 16
LANES = 8
N_WORDS, N_VECTORS = MOST // 64, MOST // LANES
N_PLANES = 6
N_SUFFIX_PEGS = 2

MOST_PEGS = 7
N_SMALL = 64
"""Cells of fewer candidates are in the table that bounds a sum."""


class Slot(IntEnum):
    """What stands where in `Planes.numbers`; kernels index by the values."""

    KIND = 0
    """Of the first criterion's bound."""
    N_PEGS = 1
    N = 2
    """Candidates."""
    N_WORDS = 3
    """Words that they take."""
    BEST = 4
    """The rank of the best guess."""
    LIMIT = 5
    """The most that the first criterion of a better one may be."""
    GOOD = 6
    """The lanes of the current vector that are within the limit, a bit each."""
    N_VECTORS = 7
    AT = 8
    """Offset of the current prefix's planes, without its last peg."""
    BLACK = 9
    """Offset of the words of that peg: which candidates have the color there."""
    COMMON = 10
    """The same: which have the color as often as the prefix, `STEP` behind it more often."""
    STEP = 11
    COLOR = 12
    """Offset of the lanes whose suffix has the color."""
    UNIT = 13
    """Of the table for small cells, and what each candidate more adds to one that is not."""
    RISE = 14
    IS_EXACT = 15
    """Whether the sums of the current vector are counted once more, not in units."""


class Planes(NamedTuple):
    """A game and a strategy, and scratch memory for a search by planes."""

    game: RankedGame
    table: NDArray[np.int64]  # of the first criterion, if it is a sum
    small: NDArray[np.uint16]  # [N_SMALL + 1]: the same in units, rounded down; then 0
    # [n_pegs + 1]: black and white pegs together: the cells of each number are counted at once,
    # those first that are often large, or empty if the number of cells is the criterion.
    order: NDArray[np.int64]
    numbers: NDArray[np.int64]
    # [2 * n_pegs * n_colors + 2, N_WORDS]: a bit for each candidate: all; none; those that have
    # each color at each peg; each color more than 0, 1, … times.
    words: NDArray[np.uint64]
    # [n_vectors, n_words, N_PLANES, LANES] for each length of a prefix.
    rows: NDArray[np.uint64]
    # [2 * n_colors + 2, N_VECTORS]: a bit for each lane: those that may be guessed; none; for each
    # color those whose suffix has it once at least, and twice.
    lanes: NDArray[np.int64]
    suffixes: NDArray[np.int64]  # [N_SUFFIX_PEGS, n_lanes]: the last colors of each lane's guess
    # [11, LANES]: the first criterion in each lane. Then by number of black and white pegs: slope
    # and start of the line that bounds what the cells not yet counted add; their candidates.
    values: NDArray[np.int64]
    listed: NDArray[np.int32]  # [CHUNK]: the first guess of each prefix that is tried next
    orbits: NDArray[np.int64]
    maps: NDArray[np.int16]
    stop: NDArray[np.int64]


by_reference(Planes)


def fits_planes(game: RankedGame) -> bool:
    """Return whether a guess must be better in a first criterion that planes can bound."""
    is_served = game.has_symmetry and game.is_strict and not game.candidates_only
    is_served = is_served and 4 <= game.digits.shape[1] <= MOST_PEGS and game.n_colors <= MAX_COLORS
    if not (is_served and game.n_direct < FEWEST and has_feature("avx2")):
        return False
    table = game.lines[0, : MOST + 1]
    is_convex = bool(table[0] == 0 and np.all(np.diff(table, 2) > 0))
    has_bound = game.bound in (Bound.LARGEST_CELL, Bound.PARTS)
    return has_bound or (game.bound == Bound.TABLE_SUM and is_convex)


def make_planes(game: RankedGame, _n_most: int = MOST) -> Planes:
    """Return memory for all states that are searched this way."""
    n_pegs, n_colors = game.digits.shape[1], game.n_colors
    n_vectors = -(-(n_colors**N_SUFFIX_PEGS) // LANES)
    n_rows = max(n_vectors * (n_pegs - N_SUFFIX_PEGS), N_VECTORS) * N_WORDS * N_PLANES
    rows = np.zeros((n_rows + 1) * LANES, dtype=np.uint64)
    order = sorted(range(n_pegs + 1), key=lambda total: abs(total - 0.42 * n_pegs))
    if game.bound == Bound.PARTS:
        order = list(range(n_pegs, -1, -1))
    return Planes(
        game,
        game.lines[0].copy(),
        np.zeros(N_SMALL + 1, dtype=np.uint16),
        np.array(order),
        np.zeros(len(Slot), dtype=np.int64),
        np.zeros((2 * n_pegs * n_colors + 2, N_WORDS), dtype=np.uint64),
        rows[-rows.ctypes.data % 64 // 8 :],
        np.zeros((2 * n_colors + 2, N_VECTORS), dtype=np.int64),
        np.zeros((N_SUFFIX_PEGS, n_vectors * LANES), dtype=np.int64),
        np.zeros((11, LANES), dtype=np.int64),
        np.empty(CHUNK, dtype=np.int32),
        np.zeros((N_ORBIT_ROWS, max(n_colors, n_pegs + 1)), dtype=np.int64),
        np.zeros((len(game.permutations), n_pegs + n_colors), dtype=np.int16),
        np.zeros(1, dtype=np.int64),
    )


@njit
def choose_by_planes(
    planes: Planes, states: States, chosen: NDArray[np.int64], guesses: NDArray[np.int32]
) -> None:
    """Write the guesses of the chosen states of a level, as `choose_states` does.

    Each has `FEWEST` to `MOST` candidates.
    """
    game, orbits = planes.game, name_orbits(planes.orbits)
    for state in chosen:
        if planes.stop[0]:
            return
        candidates = states.candidates[states.starts[state] : states.starts[state + 1]]
        history = states.history[state]
        start_orbits(game.digits, game.n_colors, game.is_distinct, candidates, history, orbits)
        if len(candidates) * len(game.codes) > PAIRS_PER_MAP * len(game.permutations):
            find_maps(game.digits, game.permutations, history, orbits, planes.maps)
        start_search(planes, candidates)
        if game.candidates_first:
            lay_out_candidates(planes, candidates)
            try_vectors(planes, candidates, int(np.int64(-1)))
        lay_out_suffixes(planes)
        try_prefixes(planes, candidates)
        guesses[state] = game.codes[planes.numbers[Slot.BEST.value]]


@njit_part
def start_search(planes: Planes, candidates: NDArray[np.int32]) -> None:
    """Lay out a state, and forget the best guess of the state before."""
    game, words, numbers, n = planes.game, planes.words, planes.numbers, len(candidates)
    n_pegs, n_colors, n_words = game.digits.shape[1], game.n_colors, (n + 63) // 64
    for row in range(len(words)):
        for word in range(n_words):
            words[row, word] = 0
    for i in range(n):
        rank, word, bit = candidates[i], i // 64, np.uint64(1) << np.uint64(i % 64)
        words[0, word] |= bit
        for peg in range(n_pegs):
            color, repeat = np.int64(game.digits[rank, peg]), np.int64(game.repeats[rank, peg])
            words[2 + peg * n_colors + color, word] |= bit
            words[2 + (n_colors + color) * n_pegs + repeat, word] |= bit
    numbers[Slot.KIND.value], numbers[Slot.N_PEGS.value] = game.bound, n_pegs
    numbers[Slot.N.value], numbers[Slot.N_WORDS.value] = n, n_words
    # A guess that says something is better than one with all candidates in a cell.
    numbers[Slot.LIMIT.value] = n - 1
    if game.bound == Bound.PARTS:
        numbers[Slot.LIMIT.value] = -2
    elif game.bound == Bound.TABLE_SUM:
        numbers[Slot.LIMIT.value] = planes.table[n] - 1
        unit = planes.table[n] // 60000 + 1
        for size in range(N_SMALL):
            planes.small[size] = min(planes.table[min(size, n)] // unit, 65535)
        numbers[Slot.UNIT.value] = unit
        numbers[Slot.RISE.value] = 0
        if n >= N_SMALL:
            numbers[Slot.RISE.value] = planes.table[N_SMALL] - planes.table[N_SMALL - 1]
    for row in range(3, 11):
        planes.values[row, 0] = 0
    find_bounds(planes, int(np.int64(0)))


@njit_part
def find_bounds(planes: Planes, lane: int) -> None:
    """Write what the cells not yet counted add at least to the first criterion.

    Of a sum it is a line, that for cells as large as they are on average with the guess of a lane.
    """
    game, values, n_left = planes.game, planes.values, 0
    n_pegs = game.digits.shape[1]
    for index in range(n_pegs, -1, -1):
        total = planes.order[index]
        values[1, total], values[2, total] = 0, 0
        if game.bound == Bound.PARTS:
            values[2, total] = -n_left
        elif game.bound == Bound.TABLE_SUM and n_left > 0:
            mean = values[3 + total, lane] // n_left
            values[1, total], values[2, total] = game.lines[1, mean], game.lines[2, mean] * n_left
        # No candidate has one white peg and all others black.
        n_left += total + 1 - (total == n_pegs) if game.has_white else 1


@njit_part
def lay_out_candidates(planes: Planes, candidates: NDArray[np.int32]) -> None:
    """Write the planes of the candidates: the lanes of a prefix without pegs."""
    game, numbers = planes.game, planes.numbers
    path = name_orbits(planes.orbits).scratch
    for lane in range(len(candidates)):
        for peg in range(game.digits.shape[1]):
            path[peg] = game.digits[candidates[lane], peg]
        write_lane(planes, int(np.int64(0)), lane)
    allow_lanes(planes, len(candidates))
    numbers[Slot.AT.value] = numbers[Slot.STEP.value] = 0
    numbers[Slot.BLACK.value] = numbers[Slot.COMMON.value] = N_WORDS
    numbers[Slot.COLOR.value] = N_VECTORS


@njit_part
def lay_out_suffixes(planes: Planes) -> None:
    """Write the planes of all suffixes: the lanes of every prefix, without its pegs."""
    game, lanes, suffixes = planes.game, planes.lanes, planes.suffixes
    n_known, n_colors = game.digits.shape[1] - N_SUFFIX_PEGS, game.n_colors
    orbits, lane = name_orbits(planes.orbits), int(np.int64(0))
    path = orbits.scratch
    for row in range(2, len(lanes)):
        for vector in range(suffixes.shape[1] // LANES):
            lanes[row, vector] = 0
    for pair in range(n_colors * n_colors):
        first, second = pair // n_colors, pair % n_colors
        if orbits.classes[first] == NEVER or orbits.classes[second] == NEVER:
            continue
        path[n_known] = suffixes[0, lane] = first
        path[n_known + 1] = suffixes[1, lane] = second
        lanes[2 + 2 * first, lane // LANES] |= 1 << lane % LANES
        lanes[2 + 2 * second + (first == second), lane // LANES] |= 1 << lane % LANES
        write_lane(planes, n_known, lane)
        lane += 1
    allow_lanes(planes, lane)
    planes.numbers[Slot.STEP.value] = N_WORDS * game.has_white


@njit_part
def write_lane(planes: Planes, first: int, lane: int) -> None:
    """Write the planes of a guess, the orbits' `scratch`, with its pegs before `first` left out."""
    game, words, rows = planes.game, planes.words, planes.rows
    n_pegs, n_colors, n_words = (
        game.digits.shape[1],
        game.n_colors,
        planes.numbers[Slot.N_WORDS.value],
    )
    path = name_orbits(planes.orbits).scratch
    for word in range(n_words):
        a = b = c = x = y = z = np.uint64(0)
        for peg in range(first, n_pegs):
            color, repeat = path[peg], 0
            for other in range(first, peg):
                repeat += path[other] == color
            more = words[2 + peg * n_colors + color, word]
            # Without white pegs the second number has the black ones, and the first is 0.
            if game.has_white:
                a, more = a ^ more, a & more
                b, c = b ^ more, c ^ (b & more)
                more = words[2 + (n_colors + color) * n_pegs + repeat, word]
            x, more = x ^ more, x & more
            y, z = y ^ more, z ^ (y & more)
        at = (lane // LANES * n_words + word) * N_PLANES * LANES + lane % LANES
        rows[at], rows[at + LANES], rows[at + 2 * LANES] = a, b, c
        rows[at + 3 * LANES], rows[at + 4 * LANES], rows[at + 5 * LANES] = x, y, z


@njit_part
def allow_lanes(planes: Planes, n: int) -> None:
    """Write how many vectors the first `n` lanes are, and that these may be guessed."""
    n_vectors = (n + LANES - 1) // LANES
    for vector in range(n_vectors):
        planes.lanes[0, vector] = (1 << LANES) - 1
    planes.lanes[0, n_vectors - 1] >>= n_vectors * LANES - n
    planes.numbers[Slot.N_VECTORS.value] = n_vectors


@njit_part
def try_vectors(planes: Planes, candidates: NDArray[np.int32], guess: int) -> None:
    """Try the guesses with the prefix of a guess, or the candidates if that is -1."""
    numbers, vector = planes.numbers, int(np.int64(0))
    while vector < numbers[Slot.N_VECTORS.value]:
        vector = find_good(planes, vector)
        for lane in range(LANES):
            value = planes.values[0, lane]
            if numbers[Slot.GOOD.value] >> lane & 1 and value <= numbers[Slot.LIMIT.value]:
                place = vector * LANES + lane
                rank = candidates[place] if guess < 0 else find_rank(planes, guess, place)
                numbers[Slot.BEST.value], numbers[Slot.LIMIT.value] = rank, value - 1
                find_bounds(planes, lane)
        vector += 1


@njit_part
def try_prefixes(planes: Planes, candidates: NDArray[np.int32]) -> None:
    """Try all guesses by rank, until each candidate is in a cell of its own."""
    game, numbers, listed, n = planes.game, planes.numbers, planes.listed, len(candidates)
    orbits = name_orbits(planes.orbits)
    n_known, n_colors = game.digits.shape[1] - N_SUFFIX_PEGS, game.n_colors
    n_suffixes = n_colors * n_colors
    if game.is_distinct:
        n_suffixes = (n_colors - n_known) * (n_colors - n_known - 1)
    least = 1 if game.bound == Bound.LARGEST_CELL else -n
    if game.bound == Bound.TABLE_SUM:
        least = n * game.lines[0, 1]
    previous = int(np.int64(-1))
    while True:
        count = list_guesses(orbits, listed, n_known, n_colors, game.is_distinct)
        if count == 0:
            return
        for i in range(count):
            listed[i] *= n_suffixes
        if orbits.n_maps[0] > 0:
            count = keep_first(game.digits, orbits, planes.maps, listed[:count], n_known)
        for i in range(count):
            if numbers[Slot.LIMIT.value] < least:
                return
            guess = int(np.int64(listed[i]))
            add_pegs(planes, previous, guess)
            try_vectors(planes, candidates, guess)
            previous = guess


@njit_part
def add_pegs(planes: Planes, previous: int, guess: int) -> None:
    """Write the planes of a prefix from those of the prefix before.

    The last peg is not added: that is done where the guesses are rated.
    """
    game, numbers, lanes = planes.game, planes.numbers, planes.lanes
    digits, n_colors, n_pegs = game.digits, game.n_colors, game.digits.shape[1]
    n_known, n_vectors = n_pegs - N_SUFFIX_PEGS, numbers[Slot.N_VECTORS.value]
    size = n_vectors * numbers[Slot.N_WORDS.value] * N_PLANES * LANES
    peg = int(np.int64(0))
    while previous >= 0 and digits[previous, peg] == digits[guess, peg]:
        peg += 1
    while peg < n_known:
        color, repeat = np.int64(digits[guess, peg]), np.int64(game.repeats[guess, peg])
        numbers[Slot.AT.value], numbers[Slot.COLOR.value] = peg * size, (2 + 2 * color) * N_VECTORS
        numbers[Slot.BLACK.value] = N_WORDS
        numbers[Slot.COMMON.value] = (2 + peg * n_colors + color) * N_WORDS
        if game.has_white:
            numbers[Slot.BLACK.value] = numbers[Slot.COMMON.value]
            numbers[Slot.COMMON.value] = (2 + (n_colors + color) * n_pegs + repeat) * N_WORDS
        if peg < n_known - 1:
            add_peg(planes)
        peg += 1
    if game.is_distinct:  # allow suffixes that repeat no color
        for vector in range(n_vectors):
            lanes[0, vector] = 0
            for number in range(n_colors):
                lanes[0, vector] |= lanes[2 + 2 * number, vector]
            for number in range(n_colors):
                lanes[0, vector] &= ~lanes[3 + 2 * number, vector]
            for peg in range(n_known):
                lanes[0, vector] &= ~lanes[2 + 2 * np.int64(digits[guess, peg]), vector]


@njit_part
def find_rank(planes: Planes, guess: int, lane: int) -> int:
    """Return the rank of the guess with the prefix of a guess and the suffix of a lane."""
    game, path, rank = planes.game, name_orbits(planes.orbits).scratch, int(np.int64(0))
    n_known = game.digits.shape[1] - N_SUFFIX_PEGS
    for peg in range(game.digits.shape[1]):
        path[peg] = game.digits[guess, peg]
        if peg >= n_known:
            path[peg] = planes.suffixes[peg - n_known, lane]
        if game.is_distinct:
            rank = rank_distinct(path, peg, rank, game.n_colors)
        else:
            rank = rank * game.n_colors + int(path[peg])
    return rank


@njit_part
def add_peg(planes: Planes) -> None:
    """Write the planes of the current prefix with its last peg behind those without it."""
    _add_peg(planes)  # type: ignore[call-arg]


@njit_part
def find_good(planes: Planes, vector: int) -> int:
    """Return the next vector of the current prefix with a guess within the limit, or their number.

    Its lanes are written in `Slot.GOOD`, and their first criterion in `values`.
    """
    return int(_find_good(planes, vector))  # type: ignore[call-arg]


# The same in LLVM's words: vectors of eight words.


_INT = ir.IntType(64)
_VECTOR = ir.VectorType(_INT, LANES)
_BITS = ir.VectorType(ir.IntType(1), LANES)
_ZERO = ir.Constant(_VECTOR, None)


class _Prefix:
    """Code that adds the last peg of the current prefix, and counts cells."""

    def __init__(self, context: Any, builder: Any, kind: Any, planes: Any) -> None:
        self.builder, self.context, self.kind, self.planes = builder, context, kind, planes
        self.numbers, self.words, self.rows = map(self.find, ("numbers", "words", "rows"))
        self.lanes = self.find("lanes")
        self.n_words, self.n_vectors = self.read(Slot.N_WORDS), self.read(Slot.N_VECTORS)
        self.at, self.step, self.color = map(self.read, (Slot.AT, Slot.STEP, Slot.COLOR))
        self.black, self.common = self.read(Slot.BLACK), self.read(Slot.COMMON)

    def find(self, name: str) -> Any:
        """Return a pointer to the data of an array."""
        own = self.kind.kinds[self.kind.names.index(name)]
        read = self.context.get_getattr(self.kind, name)
        array = read(self.context, self.builder, self.kind, self.planes, name)
        return self.context.make_array(own)(self.context, self.builder, array).data

    def read(self, slot: Slot) -> Any:
        return self.builder.load(self.builder.gep(self.numbers, [_INT(int(slot))]))

    def read_lanes(self, start: Any, vector: Any) -> Any:
        return self.builder.load(self.builder.gep(self.lanes, [self.builder.add(start, vector)]))

    def splat(self, data: Any, *offsets: Any) -> Any:
        """Return a vector with a number of an array in every lane."""
        b, nothing = self.builder, ir.Constant(_VECTOR, ir.Undefined)
        place = offsets[0] if len(offsets) == 1 else b.add(*offsets)
        one = b.insert_element(nothing, b.load(b.gep(data, [place])), ir.IntType(32)(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), None)
        return b.shuffle_vector(one, nothing, zeros)

    def place(self, vector: Any, word: Any, plane: int) -> Any:
        """Return the address of a plane of the prefix without its last peg."""
        b = self.builder
        index = b.mul(b.add(b.mul(vector, self.n_words), word), _INT(N_PLANES * LANES))
        return _place(b, self.rows, b.add(b.add(self.at, index), _INT(plane * LANES)))

    def add_peg(self, vector: Any, word: Any) -> list[Any]:
        """Return the planes of the prefix."""
        b, start = self.builder, self.common
        planes = [b.load(self.place(vector, word, i), align=8) for i in range(N_PLANES)]
        common = self.splat(self.words, start, word)
        for row in range(N_SUFFIX_PEGS):
            # A candidate must have the color more often where the suffix has it.
            start = b.add(start, self.step)
            lanes = self.read_lanes(b.add(self.color, _INT(row * N_VECTORS)), vector)
            has_color = b.bitcast(b.trunc(lanes, ir.IntType(LANES)), _BITS)
            common = b.select(has_color, self.splat(self.words, start, word), common)
        for first, more in ((0, self.splat(self.words, self.black, word)), (3, common)):
            for i in range(first, first + 3):
                planes[i], more = b.xor(planes[i], more), b.and_(planes[i], more)
        return planes

    def count_cells(self, planes: list[Any], total: int, word: Any) -> list[Any]:
        """Return the sizes of the cells of one number of black and white pegs, by black pegs."""
        b = self.builder
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        count = cgutils.get_or_insert_function(b.module, kind, f"llvm.ctpop.v{LANES}i64")
        within = self.match(planes[3:], total)
        if total == 0:  # as in a bit without a candidate
            within = b.and_(within, self.splat(self.words, word))
        cells = [b.and_(within, self.match(planes[:3], black)) for black in range(total + 1)]
        return [b.call(count, [cell]) for cell in cells]

    def match(self, planes: list[Any], number: int) -> Any:
        """Return the bits whose three planes show a number."""
        b = self.builder
        a, c, d = (p if number >> i & 1 else b.not_(p) for i, p in enumerate(planes))
        return b.and_(b.and_(a, c), d)


def _place(builder: Any, data: Any, offset: Any) -> Any:
    return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())


@intrinsic
def _add_peg(_context: Any, planes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        prefix = _Prefix(context, builder, planes, arguments[0])
        with (
            cgutils.for_range(builder, prefix.n_vectors) as outer,
            cgutils.for_range(builder, prefix.n_words) as inner,
        ):
            behind = builder.add(outer.index, prefix.n_vectors)
            for i, plane in enumerate(prefix.add_peg(outer.index, inner.index)):
                builder.store(plane, prefix.place(behind, inner.index, i), align=8)
        return context.get_dummy_value()

    return types.void(planes), generate


@intrinsic
def _find_good(_context: Any, planes: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        prefix = _Prefix(context, builder, planes, arguments[0])
        found = cgutils.alloca_once_value(builder, prefix.n_vectors)
        with cgutils.for_range(builder, prefix.n_vectors, start=arguments[1]) as loop:
            good = _rate(prefix, loop.index)
            with builder.if_then(builder.icmp_unsigned("!=", good, _INT(0))):
                builder.store(loop.index, found)
                loop.do_break()
        return builder.load(found)

    return types.int64(planes, types.int64), generate


def _rate(prefix: _Prefix, vector: Any) -> Any:
    """Rate the guesses of a vector, and return those within the limit."""
    b, values, order = prefix.builder, prefix.find("values"), prefix.find("order")
    good = cgutils.alloca_once_value(b, prefix.read_lanes(_INT(0), vector))
    step = cgutils.alloca_once_value(b, _INT(0))
    kept = cgutils.alloca_once(b, _VECTOR, size=_INT(N_WORDS * N_PLANES))
    sizes = [cgutils.alloca_once(b, _VECTOR) for _ in range(MOST_PEGS + 1)]
    sums = _Sums(prefix)
    with cgutils.for_range(b, prefix.n_words) as loop:
        for i, plane in enumerate(prefix.add_peg(vector, loop.index)):
            b.store(plane, b.gep(kept, [b.add(b.mul(loop.index, _INT(N_PLANES)), _INT(i))]))
    head, check, done, end = (b.append_basic_block(x) for x in ("head", "check", "done", "end"))
    b.branch(head)
    b.position_at_end(head)
    total = b.load(b.gep(order, [b.load(step)]))
    switch = b.switch(total, done)
    b.position_at_end(check)
    bound = b.phi(_VECTOR)
    bound_is_within = b.icmp_signed(
        "<=",
        b.add(bound, prefix.splat(values, b.add(total, _INT(2 * LANES)))),
        prefix.splat(prefix.numbers, _INT(int(Slot.LIMIT))),
    )
    mask = b.zext(b.bitcast(bound_is_within, ir.IntType(LANES)), _INT)
    b.store(b.and_(b.load(good), mask), good)
    b.store(b.add(b.load(step), _INT(1)), step)
    is_over = b.icmp_signed(">", b.load(step), prefix.read(Slot.N_PEGS))
    is_over = b.or_(is_over, b.icmp_unsigned("==", b.load(good), _INT(0)))
    b.cbranch(is_over, done, head)
    for number in range(MOST_PEGS + 1):
        case = b.append_basic_block("total")
        switch.add_case(_INT(number), case)
        b.position_at_end(case)
        for size in sizes[: number + 1]:
            b.store(_ZERO, size)
        with cgutils.for_range(b, prefix.n_words) as loop:
            start = b.mul(loop.index, _INT(N_PLANES))
            planes = [b.load(b.gep(kept, [b.add(start, _INT(i))])) for i in range(N_PLANES)]
            cells = prefix.count_cells(planes, number, loop.index)
            for size, more in zip(sizes, cells, strict=False):
                b.store(b.add(b.load(size), more), size)
        for least in sums.add([b.load(size) for size in sizes[: number + 1]], number):
            bound.add_incoming(least, b.block)
            b.branch(check)
    # A sum that is within the limit as far as units say is counted once more.
    again, exact, passed = (b.append_basic_block(name) for name in ("again", "exact", "passed"))
    b.position_at_end(done)
    b.cbranch(b.icmp_unsigned("==", b.load(good), _INT(0)), end, passed)
    b.position_at_end(passed)
    is_sum = b.icmp_signed("==", prefix.read(Slot.KIND), _INT(int(Bound.TABLE_SUM)))
    is_exact = b.icmp_signed("!=", prefix.read(Slot.IS_EXACT), _INT(0))
    b.cbranch(b.and_(is_sum, b.not_(is_exact)), again, exact)
    b.position_at_end(again)
    sums.start(is_exact=True)
    b.store(_INT(0), step)
    b.branch(head)
    b.position_at_end(exact)
    value = sums.finish()
    b.store(value, _place(b, values, _INT(0)), align=8)
    within = b.icmp_signed("<=", value, prefix.splat(prefix.numbers, _INT(int(Slot.LIMIT))))
    b.store(b.and_(b.load(good), b.zext(b.bitcast(within, ir.IntType(LANES)), _INT)), good)
    b.branch(end)
    b.position_at_end(end)
    b.store(b.load(good), b.gep(prefix.numbers, [_INT(int(Slot.GOOD))]))
    return b.load(good)


class _Sums:
    """Code that adds cells to the first criterion of each lane.

    Its kind is read from memory each time, or LLVM would copy all code for each kind.
    """

    def __init__(self, prefix: _Prefix) -> None:
        b = self.builder = prefix.builder
        self.prefix = prefix
        names = ("values", "table", "small")
        self.values, self.table, self.small = (prefix.find(name) for name in names)
        self.value, self.n_left, self.excess = (cgutils.alloca_once(b, _VECTOR) for _ in range(3))
        self.n_cells = cgutils.alloca_once(b, _INT)
        n_most = (MOST_PEGS + 1) * (MOST_PEGS + 2) // 2
        self.cells = cgutils.alloca_once(b, _VECTOR, size=_INT(n_most))
        self.start(is_exact=False)

    def start(self, *, is_exact: bool) -> None:
        """Forget the cells counted so far."""
        b, prefix = self.builder, self.prefix
        b.store(_ZERO, self.value)
        b.store(_ZERO, self.excess)
        b.store(_INT(0), self.n_cells)
        b.store(_INT(int(is_exact)), b.gep(prefix.numbers, [_INT(int(Slot.IS_EXACT))]))
        b.store(prefix.splat(prefix.numbers, _INT(int(Slot.N))), self.n_left)

    def add(self, sizes: list[Any], total: int) -> Iterator[Any]:
        """Yield for each kind what the criterion is at least, but for the cells not counted."""
        b, kinds = self.builder, (Bound.LARGEST_CELL, Bound.PARTS, Bound.TABLE_SUM)
        blocks = [b.append_basic_block(kind.name) for kind in kinds]
        switch = b.switch(self.prefix.read(Slot.KIND), blocks[2])
        for kind, block in zip(kinds, blocks, strict=True):
            switch.add_case(_INT(int(kind)), block)
            b.position_at_end(block)
            now = b.load(self.value)
            for size in sizes:
                if kind == Bound.LARGEST_CELL:
                    now = b.select(b.icmp_signed(">", size, now), size, now)
                elif kind == Bound.PARTS:  # a true comparison widens to -1
                    now = b.add(now, b.sext(b.icmp_signed("!=", size, _ZERO), _VECTOR))
            if kind == Bound.TABLE_SUM:
                now = self.add_small(sizes, now, total)
            else:
                b.store(now, self.value)
            yield now

    def add_small(self, sizes: list[Any], units: Any, total: int) -> Any:
        """Add the units of some cells, and return what the sum is at least."""
        b, prefix, rest = self.builder, self.prefix, self.builder.load(self.n_left)
        with b.if_then(b.icmp_signed("!=", prefix.read(Slot.IS_EXACT), _INT(0))):
            at = b.load(self.n_cells)
            for i, size in enumerate(sizes):
                b.store(size, b.gep(self.cells, [b.add(at, _INT(i))]))
            b.store(b.add(at, _INT(len(sizes))), self.n_cells)
        for size in sizes:
            rest = b.sub(rest, size)
        b.store(rest, self.n_left)
        b.store(rest, _place(b, self.values, _INT((3 + total) * LANES)), align=8)
        slope = prefix.splat(self.values, _INT(LANES + total))
        # The cells of one word are all small: 64 candidates in one count as none, at least as few.
        has_one_word = b.icmp_signed("==", prefix.read(Slot.N_WORDS), _INT(1))
        with b.if_else(has_one_word) as (one, many):
            with one:
                now = units
                for size in sizes:
                    now = b.add(now, self.look_up(size))
                b.store(now, self.value)
            with many:
                now, excess = units, b.load(self.excess)
                last = ir.Constant(_VECTOR, [N_SMALL - 1] * LANES)
                for size in sizes:
                    least = b.select(b.icmp_signed("<", size, last), size, last)
                    excess = b.add(excess, b.sub(size, least))
                    now = b.add(now, self.look_up(least))
                b.store(now, self.value)
                b.store(excess, self.excess)
        units = prefix.splat(prefix.numbers, _INT(int(Slot.UNIT)))
        rise = prefix.splat(prefix.numbers, _INT(int(Slot.RISE)))
        least = b.add(b.mul(b.load(self.value), units), b.mul(b.load(self.excess), rise))
        return b.add(b.mul(rest, slope), least)

    def look_up(self, sizes: Any) -> Any:
        """Return the units of small cells."""
        b = self.builder
        if has_feature("avx512bw"):
            half = ir.VectorType(ir.IntType(16), N_SMALL // 2)
            name = "llvm.x86.avx512.vpermi2var.hi.512"
            look_up = cgutils.get_or_insert_function(
                b.module, ir.FunctionType(half, [half] * 3), name
            )
            places = (b.gep(self.small, [_INT(i)]) for i in (0, N_SMALL // 2))
            low, high = (b.load(b.bitcast(x, half.as_pointer()), align=2) for x in places)
            # The other three numbers of a lane are those of empty cells, 0.
            return b.bitcast(b.call(look_up, [low, b.bitcast(sizes, half), high]), _VECTOR)
        return self.look_up_each(self.small, sizes)

    def look_up_each(self, table: Any, sizes: Any) -> Any:
        """Return the numbers of a table."""
        b, found = self.builder, _ZERO
        for lane in map(ir.IntType(32), range(LANES)):
            number = b.load(b.gep(table, [b.extract_element(sizes, lane)]))
            number = b.zext(number, _INT) if number.type != _INT else number
            found = b.insert_element(found, number, lane)
        return found

    def finish(self) -> Any:
        """Return the first criterion."""
        b = self.builder
        kind = self.prefix.read(Slot.KIND)
        with b.if_then(b.icmp_signed("==", kind, _INT(int(Bound.TABLE_SUM)))):
            b.store(_ZERO, self.value)
            with cgutils.for_range(b, b.load(self.n_cells)) as loop:
                more = self.look_up_each(self.table, b.load(b.gep(self.cells, [loop.index])))
                b.store(b.add(b.load(self.value), more), self.value)
        return b.load(self.value)
