"""Scratch memory of one search: vectors, candidates' marks, cells, the best guess so far."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from ...jit.compiler import njit_part
from .criteria import Bound
from .game import WORD_BYTES, RankedGame, WordGame, lane_bytes
from .orbits import N_ORBIT_ROWS, Orbits, name_orbits

MOST = np.iinfo(np.int64).max
CHUNK = 4096
"""Guesses that are listed at once, at most."""

CHUNK_PAIRS = 2**26
"""Pairs of guess and candidate of the guesses listed at once, at most: a fraction of a second."""


class Incumbent(NamedTuple):
    """The best guess so far. All but its values are arrays of one number."""

    guess: NDArray[np.int64]  # its rank; -1 before there is one
    # The upper limit of the first criterion of a guess still worth comparing.
    limit: NDArray[np.int64]
    n_tied: NDArray[np.int64]  # guesses as good as the best, where the tie-break needs all of them
    is_final: NDArray[np.int64]  # whether no other guess need be tried
    values: NDArray[np.int64]  # [n]: its criteria's values


class Workspace(NamedTuple):
    """Scratch memory of an arena, by name; nothing in it outlives a state.

    `work` has rows of bytes, one lane for each candidate. For each peg and color: the weight of a
    black peg where the candidate has that color there. For each color and count: 1 where the
    candidate has it that often. Then the packed responses to the first 0, 1, … pegs of the current
    guess, the last row being the packed responses to the whole guess.
    """

    work: NDArray[np.uint8]
    marks: NDArray[np.uint8]  # [n_codes]: 1 at the ranks of the candidates
    sizes: NDArray[np.int64]  # [n_responses]: candidates in each cell of the current guess
    # [n_responses - 1]: packed responses in the order in which their cells are counted.
    order: NDArray[np.int64]
    values: NDArray[np.int64]  # [n]: the criteria's values of the current guess
    incumbent: Incumbent
    tied: NDArray[np.int32]  # [n_codes]: guesses as good as the best, where the tie-break needs all
    guesses: NDArray[np.int32]  # [CHUNK]: guesses to be tried
    orbits: Orbits  # what is known about the state's symmetry
    # [n_permutations, n_pegs + n_colors]: symmetries of the history: where each peg's color comes
    # from, and what each color becomes.
    maps: NDArray[np.int16]
    suffixes: SuffixTables  # scratch memory of states of few candidates
    # [1]: not 0 if another thread wants the search to end, whatever it has found.
    stop: NDArray[np.int64]


class Arena(NamedTuple):
    """The memory of a workspace, in few blocks: each costs time when Python calls a kernel."""

    work: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    # [4, n]: `Workspace.sizes`, `order` and `values`; the values of the incumbent.
    values: NDArray[np.int64]
    numbers: NDArray[np.int64]  # [4, 1]: the other columns of `Incumbent`
    n_responses: int
    tied: NDArray[np.int32]
    guesses: NDArray[np.int32]
    orbits: NDArray[np.int64]  # [N_ORBIT_ROWS, n]: see `name_orbits`
    maps: NDArray[np.int16]
    suffixes: SuffixArena
    stop: NDArray[np.int64]


def make_arena(game: RankedGame, n_most: int) -> Arena:
    """Return memory for states of up to `n_most` candidates."""
    n_codes, n_pegs = game.digits.shape
    n_colors = game.n_colors
    n_rows = (2 * n_colors + 1) * n_pegs + 1
    n_bytes = n_rows * -(-n_most // LANES) * LANES
    work = np.empty(n_bytes + LANES, dtype=np.uint8)
    start = -work.ctypes.data % LANES
    n_responses = game.packing.shape[1] + 1
    values = np.zeros((4, (len(game.kinds) + 1) * n_responses), dtype=np.int64)
    values[1, : n_responses - 1] = game.packing[0]
    return Arena(
        work[start : start + n_bytes],
        np.zeros(n_codes, dtype=np.uint8),
        values,
        np.zeros((4, 1), dtype=np.int64),
        n_responses,
        np.empty(n_codes if game.needs_all else 0, dtype=np.int32),
        np.empty(CHUNK, dtype=np.int32),
        np.zeros((N_ORBIT_ROWS, max(n_colors, n_pegs + 1)), dtype=np.int64),
        np.zeros((len(game.permutations), n_pegs + n_colors), dtype=np.int16),
        make_suffix_arena(game),
        np.zeros(1, dtype=np.int64),
    )


@njit_part(inline=True)
def name_columns(arena: Arena, suffixes: SuffixTables) -> Workspace:
    """Return the columns that an arena's blocks hold."""
    values, numbers, n = arena.values, arena.numbers, arena.n_responses
    return Workspace(
        arena.work,
        arena.marks,
        values[0, :n],
        values[1, : n - 1],
        values[2],
        Incumbent(numbers[0], numbers[1], numbers[2], numbers[3], values[3]),
        arena.tied,
        arena.guesses,
        name_orbits(arena.orbits),
        arena.maps,
        suffixes,
        arena.stop,
    )


@njit_part(inline=True)
def pad_lanes(n: int) -> int:
    """Return the least multiple of the vector's lanes that is not below `n`."""
    return (n + LANES - 1) // LANES * LANES


@njit_part(inline=True)
def limit_chunk(n: int) -> int:
    """Return the number of guesses that are listed at once for a state of `n` candidates."""
    return min(CHUNK, max(1, CHUNK_PAIRS // n))


class WordArena(NamedTuple):
    """Scratch memory of a word game for states of some size; nothing in it outlives a state."""

    # [n_parts * n_words]: the marks of each part, its candidates' lanes together.
    rows: NDArray[np.uint64]
    lanes: NDArray[np.unsignedinteger]  # [n]: the same memory, a number for each lane
    answers: NDArray[np.uint64]  # the responses to the current guess
    answer_lanes: NDArray[np.unsignedinteger]  # the same memory, a number for each lane
    sizes: NDArray[np.int64]  # [n_responses]: candidates in each cell of the current guess
    tallies: NDArray[np.uint32]  # [4 * n_responses]: the same, counted in four parts
    marks: NDArray[np.uint8]  # [n_codes]: 1 at the ranks of the candidates
    values: NDArray[np.int64]  # [n]: the criteria's values of the current guess
    incumbent: Incumbent  # the best guess so far
    tied: NDArray[np.int32]  # [n_codes]: guesses as good as the best, where the tie-break needs all
    # [1]: not 0 if another thread wants the search to end, whatever it has found.
    stop: NDArray[np.int64]


def make_word_arena(game: WordGame, n_most: int) -> WordArena:
    """Return memory for states of up to `n_most` candidates."""
    n_codes, n_pegs = game.letters.shape
    n_bytes = lane_bytes(n_pegs)
    kind = np.uint8 if n_bytes == 1 else np.uint16
    n_words = -(-n_most * n_bytes // WORD_BYTES)
    rows = np.zeros(len(game.places) * n_words, dtype=np.uint64)
    answers = np.zeros(n_words, dtype=np.uint64)
    width = len(game.kinds) + game.n_responses
    single = np.zeros((4, 1), dtype=np.int64)
    return WordArena(
        rows,
        rows.view(kind),
        answers,
        answers.view(kind),
        np.zeros(game.n_responses, dtype=np.int64),
        np.zeros(4 * game.n_responses, dtype=np.uint32),
        np.zeros(n_codes, dtype=np.uint8),
        np.zeros(width, dtype=np.int64),
        Incumbent(single[0], single[1], single[2], single[3], np.zeros(width, dtype=np.int64)),
        np.empty(n_codes if game.needs_all else 0, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
    )


# Vectors of bytes: 64 lanes at once, in a few instructions if the machine has them.
#
# numba's own loops over bytes widen every lane to 64 bits; these operations do not. Each has a
# plain twin that runs if compiling is switched off (``NUMBA_DISABLE_JIT=1``).


LANES = 64

_BYTE = ir.IntType(8)
_INT = ir.IntType(64)
_VECTOR = ir.VectorType(_BYTE, LANES)
_Bytes = NDArray[np.uint8]


def add_lanes(work: _Bytes, out: int, a: int, b: int, c: int) -> None:
    """Add three vectors of `work`, modulo 256; the other arguments are byte offsets."""
    n = LANES
    work[out : out + n] = work[a : a + n] + work[b : b + n] + work[c : c + n]


def move_lanes(work: _Bytes, out: int, a: int, b: int, c: int) -> None:
    """Write ``a - b + c``, like `add_lanes`."""
    n = LANES
    work[out : out + n] = work[a : a + n] - work[b : b + n] + work[c : c + n]


def merge_lanes(work: _Bytes, out: int, a: int, b: int) -> None:
    """Write the larger byte of two, in each lane."""
    n = LANES
    work[out : out + n] = np.maximum(work[a : a + n], work[b : b + n])


def tally_lanes(work: _Bytes, rows: int, n: int, out: int, n_steps: int, most: int) -> int:
    """Rate the partition in each lane; return how many lanes have no more than `most`, 0 to 254.

    `rows` is the offset of `n` vectors, 64 at most, a response in each lane, and of one more: each
    lane's initial value. A response that occurred e times before adds e if `n_steps` is 0, or the
    sum of the first e of the `n_steps` bytes after `out`, up to 255 in all. If `n_steps` is
    negative, the rating is the maximum of e. The ratings are written at `out`; they are meaningless
    if no lane has `most` or less.
    """
    lanes = work[rows : rows + (n + 1) * LANES].reshape(n + 1, LANES).astype(np.int64)
    sums = np.cumsum([0, *work[out + LANES : out + LANES + max(n_steps, 0)].tolist()])
    ratings = lanes[n].copy()
    for i in range(1, n):
        before = (lanes[:i] == lanes[i]).sum(axis=0)
        if n_steps < 0:
            ratings = np.maximum(ratings, before)
        else:
            ratings += sums[np.minimum(before, n_steps)] if n_steps else before
    work[out : out + LANES] = np.minimum(ratings, 255)
    return int(np.count_nonzero(work[out : out + LANES] <= most))


def count_lanes(work: _Bytes, at: int, value: int) -> int:
    """Return the number of the 64 bytes at an offset that equal a value."""
    return int(np.count_nonzero(work[at : at + LANES] == value))


@intrinsic
def _add_lanes(_context: Any, work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    signature = types.void(work, types.int64, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        total = _load(builder, data, values[2])
        total = builder.add(total, _load(builder, data, values[3]))
        total = builder.add(total, _load(builder, data, values[4]))
        builder.store(total, _place(builder, data, values[1]), align=1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _move_lanes(_context: Any, work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    signature = types.void(work, types.int64, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        total = _load(builder, data, values[2])
        total = builder.sub(total, _load(builder, data, values[3]))
        total = builder.add(total, _load(builder, data, values[4]))
        builder.store(total, _place(builder, data, values[1]), align=1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _merge_lanes(_context: Any, work: Any, out: Any, a: Any, b: Any) -> Any:
    signature = types.void(work, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        larger = _larger(builder, *(_load(builder, data, place) for place in values[2:]))
        builder.store(larger, _place(builder, data, values[1]), align=1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _tally_lanes(
    _context: Any, work: Any, rows: Any, n: Any, out: Any, n_steps: Any, most: Any
) -> Any:
    signature = types.int64(work, *(types.int64,) * 5)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        rows, n, out, n_steps, most = values[1:]
        ratings, before = _make_variable(builder, _VECTOR), _make_variable(builder, _VECTOR)
        n_good = _make_variable(builder, _INT)
        builder.store(_INT(0), n_good)
        highest = _splat(builder, builder.trunc(most, _BYTE))
        row = partial(_load_row, builder, data, rows)
        builder.store(row(n), ratings)
        with cgutils.for_range(builder, n, start=_INT(1)) as outer:
            answers = row(outer.index)
            builder.store(ir.Constant(_VECTOR, None), before)
            with cgutils.for_range(builder, outer.index) as inner:
                equal = builder.icmp_unsigned("==", row(inner.index), answers)
                # A true comparison widens to a byte of ones, which is -1: subtracting it counts.
                # `before` is at most n - 1, 63.
                ones = builder.sext(equal, _VECTOR)
                builder.store(builder.sub(builder.load(before), ones), before)
            _rate(builder, data, out, n_steps, builder.load(before), ratings)
            is_good = builder.icmp_unsigned("<=", builder.load(ratings), highest)
            # 64 truth values of one bit each are one integer of 64 bits.
            mask = builder.bitcast(is_good, _INT)
            builder.store(builder.ctpop(mask), n_good)
            # Ratings only rise: if no lane is good any more, none will be.
            with builder.if_then(builder.icmp_unsigned("==", mask, _INT(0)), likely=False):
                outer.do_break()
        builder.store(builder.load(ratings), _place(builder, data, out), align=1)
        return builder.load(n_good)

    return signature, generate


def _rate(builder: Any, data: Any, out: Any, n_steps: Any, before: Any, ratings: Any) -> None:
    """Update the ratings by one candidate's responses, which occurred `before` times."""
    is_largest = builder.icmp_signed("<", n_steps, _INT(0))
    with builder.if_else(is_largest) as (largest, total):
        with largest:
            builder.store(_larger(builder, builder.load(ratings), before), ratings)
        with total:
            is_linear = builder.icmp_signed("==", n_steps, _INT(0))
            with builder.if_then(is_linear):
                _add(builder, ratings, before)
            with cgutils.for_range(builder, n_steps) as steps:
                place = builder.add(builder.add(out, _INT(LANES)), steps.index)
                step = _splat(builder, builder.load(builder.gep(data, [place])))
                number = _splat(builder, builder.trunc(steps.index, _BYTE))
                has_step = builder.icmp_unsigned(">", before, number)
                _add(builder, ratings, builder.and_(builder.sext(has_step, _VECTOR), step))


def _add(builder: Any, ratings: Any, more: Any) -> None:
    """Add to the ratings, to at most 255."""
    # Modulo 256 a sum that exceeded 255 is less than either addend; then all its bits are set.
    total = builder.add(builder.load(ratings), more)
    has_passed = builder.sext(builder.icmp_unsigned("<", total, more), _VECTOR)
    builder.store(builder.or_(total, has_passed), ratings)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.icmp_unsigned(">", a, b), a, b)


def _make_variable(builder: Any, kind: Any) -> Any:
    return cgutils.alloca_once(builder, kind)  # type: ignore[no-untyped-call]


def _splat(builder: Any, byte: Any) -> Any:
    """Return a vector with a byte in every lane."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, byte, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, nothing, zeros)


def _load_row(builder: Any, data: Any, rows: Any, index: Any) -> Any:
    """Return the vector with an index, of those that begin at an offset."""
    return _load(builder, data, builder.add(rows, builder.mul(index, _INT(LANES))))


@intrinsic
def _count_lanes(_context: Any, work: Any, at: Any, value: Any) -> Any:
    signature = types.int64(work, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        wanted = _splat(builder, builder.trunc(values[2], _BYTE))
        equal = builder.icmp_unsigned("==", _load(builder, data, values[1]), wanted)
        return builder.ctpop(builder.bitcast(equal, _INT))

    return signature, generate


def _place(builder: Any, data: Any, offset: Any) -> Any:
    return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())


def _load(builder: Any, data: Any, offset: Any) -> Any:
    return builder.load(_place(builder, data, offset), align=1)


@overload(add_lanes)
def _overload_add_lanes(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    def add(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
        return _add_lanes(work, out, a, b, c)  # type: ignore[call-arg]

    return add


@overload(count_lanes)
def _overload_count_lanes(work: Any, at: Any, value: Any) -> Any:
    def count(work: Any, at: Any, value: Any) -> Any:
        return _count_lanes(work, at, value)  # type: ignore[call-arg]

    return count


@overload(move_lanes)
def _overload_move_lanes(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    def move(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
        return _move_lanes(work, out, a, b, c)  # type: ignore[call-arg]

    return move


@overload(merge_lanes)
def _overload_merge_lanes(work: Any, out: Any, a: Any, b: Any) -> Any:
    def merge(work: Any, out: Any, a: Any, b: Any) -> Any:
        return _merge_lanes(work, out, a, b)  # type: ignore[call-arg]

    return merge


@overload(tally_lanes)
def _overload_tally_lanes(work: Any, rows: Any, n: Any, out: Any, n_steps: Any, most: Any) -> Any:
    def tally(work: Any, rows: Any, n: Any, out: Any, n_steps: Any, most: Any) -> Any:
        return _tally_lanes(work, rows, n, out, n_steps, most)  # type: ignore[call-arg]

    return tally


# Scratch memory of the search in a state of few candidates: a lane for each ending of a guess.
#
# A guess is a *prefix*, its first pegs, and a *suffix*. The packed responses of one candidate to
# all guesses with the same prefix are in a row of bytes, one lane for each suffix. The rows of
# longer prefixes come from those of shorter ones: one more peg adds its own part, and subtracts
# what suffixes with the same color had for a candidate that has this color less often than the
# guess. The colors that may be guessed are numbered without gaps; the suffixes of each number of
# colors are written once, as a *pattern*: rows of lanes that do not depend on the state.


FEWEST_CANDIDATES, MOST_CANDIDATES = 3, 64
"""The least and the most candidates of a state that is searched this way."""

MAX_COLORS = 16
MAX_SUFFIXES = 1024


class Offset(IntEnum):
    """Where something begins in `SuffixTables.work`; kernels index by the values."""

    VALUES = 0
    """Rows of the four values that a peg may have."""
    RATINGS = 4 * LANES
    """What `tally_lanes` writes."""
    STEPS = 5 * LANES
    """What `tally_lanes` adds for each time an answer was given before."""
    PATTERNS = 6 * LANES


class Shapes(NamedTuple):
    """The patterns, by the number of colors."""

    n_pegs: NDArray[np.int64]  # pegs of a suffix
    n_lanes: NDArray[np.int64]  # suffixes, and unused lanes
    starts: NDArray[np.int64]  # offset of the pattern
    colors: NDArray[np.int64]  # offset of its last rows, the suffixes' colors


class SuffixTables(NamedTuple):
    """Scratch memory, empty if a game or a strategy does not fit.

    Arrays without a shape hold one number. `work` has what `Offset` lists; the patterns; for each
    length of a prefix the candidates' rows, those of the same 64 lanes together, the last row
    marking lanes without a guess.
    """

    work: NDArray[np.uint8]
    shapes: Shapes  # of the patterns
    rows: int  # offset of the prefixes' rows, 0 if game or strategy does not fit
    n_steps: NDArray[np.int64]  # with `most`: the last two arguments of `tally_lanes`
    most: NDArray[np.int64]
    is_new: NDArray[np.int64]  # whether they changed since it was called
    n_numbers: NDArray[np.int64]  # how many colors are numbered
    depth: NDArray[np.int64]  # in the list of guesses, the length of the prefix
    lane: NDArray[np.int64]  # the next lane
    answers: NDArray[np.int64]  # offset of the responses to the guess listed last, one in each row
    numbers: NDArray[np.int64]  # [n]: the number of each color
    names: NDArray[np.int64]  # [n]: the color of each number
    prefix: NDArray[np.int64]  # [n]: the current prefix, as numbers of colors
    path: NDArray[np.int64]  # [n]: the current guess, as colors
    # [n_pegs + n_colors, MOST_CANDIDATES]: for each peg the number of each candidate's color; for
    # each number of a color, how often a candidate has it.
    looks: NDArray[np.int64]


class SuffixArena(NamedTuple):
    """The memory of `SuffixTables`, in few blocks: each costs time when Python calls a kernel."""

    work: NDArray[np.uint8]
    rows: int
    shapes: NDArray[np.int64]  # [4, n_colors + 1]: the columns of `Shapes`
    # [11, n]: the columns from `n_steps` to `path`; single numbers stand first.
    numbers: NDArray[np.int64]
    looks: NDArray[np.int64]


def make_suffix_arena(game: RankedGame) -> SuffixArena:
    """Return memory for states of few candidates."""
    n_pegs, n_colors = game.digits.shape[1], game.n_colors
    patterns = np.zeros(0, dtype=np.uint8)
    shapes = np.zeros((4, n_colors + 1), dtype=np.int64)
    n_rows = 0
    if fits_suffix_tables(game):
        patterns, shapes = make_patterns(n_colors, n_pegs, game.weight, game.is_distinct)
        n_rows = int(((n_pegs - shapes[0] + 1) * shapes[1]).max())
    work = np.zeros(len(patterns) + n_rows * (MOST_CANDIDATES + 1) + LANES, dtype=np.uint8)
    work = work[-work.ctypes.data % LANES :]
    work[: len(patterns)] = patterns
    return SuffixArena(
        work,
        len(patterns),
        shapes,
        np.zeros((11, max(n_colors, n_pegs)), dtype=np.int64),
        np.zeros((n_pegs + n_colors, MOST_CANDIDATES), dtype=np.int64),
    )


@njit_part(inline=True)
def name_suffixes(arena: SuffixArena) -> SuffixTables:
    """Return the columns that blocks of memory hold."""
    numbers = arena.numbers
    return SuffixTables(
        arena.work,
        Shapes(arena.shapes[0], arena.shapes[1], arena.shapes[2], arena.shapes[3]),
        arena.rows,
        numbers[0, :1],
        numbers[1, :1],
        numbers[2, :1],
        numbers[3, :1],
        numbers[4, :1],
        numbers[5, :1],
        numbers[6, :1],
        numbers[7],
        numbers[8],
        numbers[9],
        numbers[10],
        arena.looks,
    )


def fits_suffix_tables(game: RankedGame) -> bool:
    """Return whether all codes may be guessed and the first criterion can be bounded by lane."""
    if not game.has_symmetry or game.candidates_only or game.n_colors > MAX_COLORS:
        return False
    table = game.lines[0, : MOST_CANDIDATES + 1]
    is_convex = bool(table[0] == 0 and np.all(np.diff(table, 2) >= 0))
    return game.bound != Bound.NONE and (game.bound != Bound.TABLE_SUM or is_convex)


@lru_cache(maxsize=4)
def make_patterns(
    n_colors: int, n_pegs: int, weight: int, is_distinct: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the first bytes of `work`, up to the prefixes' rows, and `shapes`."""
    values = np.repeat(np.array([0, 1, weight, weight + 1], dtype=np.uint8), LANES)
    parts = [values, np.zeros(Offset.PATTERNS - len(values), dtype=np.uint8)]
    block = np.zeros((4, n_colors + 1), dtype=np.int64)
    shapes = Shapes(block[0], block[1], block[2], block[3])
    end = int(Offset.PATTERNS)
    for count in range(n_colors if is_distinct else 1, n_colors + 1):
        pattern = make_pattern(count, n_pegs, weight, is_distinct)
        n_suffix_pegs = (len(pattern) - count - 2) // (2 * count + 1)
        shapes.n_pegs[count], shapes.n_lanes[count] = n_suffix_pegs, pattern.shape[1]
        shapes.starts[count] = end
        end += pattern.size
        shapes.colors[count] = end - n_suffix_pegs * pattern.shape[1]
        parts.append(pattern.ravel())
    return np.concatenate(parts), block


def make_pattern(n_colors: int, n_pegs: int, weight: int, is_distinct: bool) -> NDArray[np.uint8]:
    """Return the pattern of a number of colors.

    Its rows are: for each peg and color, the weight of a black peg where the suffix has it; for
    each color and count, 1 where the suffix has it at least so often; for each color, 255 where the
    suffix has it (not allowed after a prefix with that color if codes are without repetition);
    zeros; 255 where there is no suffix; for each peg the suffix's color.
    """
    n_suffix_pegs = 1
    while n_suffix_pegs < n_pegs and n_colors ** (n_suffix_pegs + 1) <= MAX_SUFFIXES:
        n_suffix_pegs += 1
    digits = np.indices((n_colors,) * n_suffix_pegs, dtype=np.uint8).reshape(n_suffix_pegs, -1)
    colors = np.arange(n_colors, dtype=np.uint8)
    is_at = digits[:, None, :] == colors[:, None]
    counts = is_at.sum(axis=0, dtype=np.uint8)
    if is_distinct:
        is_suffix = (counts <= 1).all(axis=0)
        digits, is_at, counts = digits[:, is_suffix], is_at[:, :, is_suffix], counts[:, is_suffix]
    n_suffixes = digits.shape[1]
    pattern = np.zeros(
        ((2 * n_suffix_pegs + 1) * n_colors + 2 + n_suffix_pegs, -(-n_suffixes // LANES) * LANES),
        dtype=np.uint8,
    )
    rows = iter(np.split(pattern, np.cumsum([n_suffix_pegs * n_colors] * 2 + [n_colors, 1, 1])))
    next(rows)[:, :n_suffixes] = weight * is_at.reshape(-1, n_suffixes)
    least = np.arange(1, n_suffix_pegs + 1, dtype=np.uint8)[:, None]
    next(rows)[:, :n_suffixes] = (counts[:, None, :] >= least).reshape(-1, n_suffixes)
    next(rows)[:, :n_suffixes] = 255 * (counts > 0) * is_distinct
    next(rows)
    next(rows)[:, n_suffixes:] = 255
    next(rows)[:, :n_suffixes] = digits
    return pattern


def are_few(sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for each state whether it has few enough candidates to try vectors of guesses."""
    return sizes <= MOST_CANDIDATES


@njit_part(inline=True)
def has_few(suffixes: SuffixTables, n: int) -> bool:
    """Return whether a state's guesses are tried by prefix and suffix."""
    return suffixes.rows > 0 and FEWEST_CANDIDATES <= n <= MOST_CANDIDATES
