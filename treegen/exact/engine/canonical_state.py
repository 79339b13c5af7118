"""The game's symmetries: canonical states, and guesses up to symmetry.

Exchanging pegs and renaming colors keeps every response, so a set of candidates costs the same as
each of its images. One image represents most of them: pegs and colors get labels that no symmetry
changes, and the image has both in the order of their labels. The labels start from how often each
color stands on each peg, and are refined by the candidates that they occur in, as in the color
refinement of graphs [Weisfeiler & Leman 1968].

Equal labels are left as they fall. That is sound: the key is always that of an image of the set,
so equal keys mean equal costs. It is complete up to such ties: two sets that are images of each
other may still get different keys.

Of the guesses one of each orbit is tried, under the symmetries that fix the guesses made.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np

from ...games.rules import Rules, Symmetry, is_weighted
from ...jit.compiler import by_reference, njit, njit_part
from ...kernels.responses import extend_renaming, mix
from . import INFINITE, Int32s, Int64s, UInt8s, UInt64s, UInts

N_ROUNDS = 2
"""Rounds of refinement; more of them gain nothing."""

MAX_PLAIN = 1 << 62
"""Codes are numbered by their colors as digits, as long as such numbers stay below."""

U = np.uint64

_0, _1, _2, _3, _5 = map(U, (0, 1, 2, 3, 5))
"""What marks the uses of a hash."""


@by_reference
class Canonizer(NamedTuple):
    """What makes the keys of sets of candidates; a thread has its own, with scratch."""

    # [n_candidates, n_pegs]; without symmetry no columns: a candidate is numbered by its index.
    colors: UInts
    moves_pegs: Int64s  # [1]: whether pegs may be exchanged
    renames: Int64s  # [1]: whether colors may be renamed
    seeds: UInt64s  # [2]: of the two halves of a key
    counts: UInt64s  # [n_pegs, n_colors], scratch: sums over the candidates with a color on a peg
    weights: UInt64s  # the same, scratch: hash of two labels
    peg_labels: UInt64s  # [n_pegs], scratch
    color_labels: UInt64s  # [n_colors], scratch
    digits: UInt64s  # [n_pegs, n_colors], scratch: what each adds to the number of the image's code


def copy_codes(rules: Rules) -> UInts:
    """Return a game's codes as the search takes them: uint16, or wider.

    In the game's own type, a game of more than 256 colors would compile the search once more.
    """
    return rules.codes.astype(np.promote_types(np.uint16, rules.codes.dtype), order="C")


def find_symmetry(rules: Rules) -> Symmetry:
    """Return a game's symmetry; weights and costs break it."""
    return Symmetry(pegs=False, colors=False) if is_weighted(rules) else rules.symmetry


def make_canonizer(
    rules: Rules | None, candidates: Int32s, *, is_symmetric: bool = True, seed: int = 20
) -> Canonizer:
    """Return the canonizer of some candidates of a game; without a game there is no symmetry.

    If it is not symmetric, a key is that of the set itself. The seed is that of the random numbers
    in the keys.
    """
    colors: UInts = np.zeros((len(candidates), 0), dtype=np.uint16)
    moves_pegs = renames = False
    n_colors = 0
    if rules is not None and is_symmetric and rules.n_colors**rules.n_pegs < MAX_PLAIN:
        symmetry = find_symmetry(rules)
        moves_pegs, renames = symmetry.pegs, symmetry.colors
        if moves_pegs or renames:
            colors, n_colors = copy_codes(rules)[candidates], rules.n_colors
    n_pegs = colors.shape[1]
    square = n_pegs, n_colors
    return Canonizer(
        colors,
        np.array([moves_pegs], dtype=np.int64),
        np.array([renames], dtype=np.int64),
        np.random.Generator(np.random.Philox(key=seed)).integers(
            0, 2**64 - 1, 2, dtype=np.uint64, endpoint=True
        ),
        np.zeros(square, dtype=np.uint64),
        np.zeros(square, dtype=np.uint64),
        np.zeros(n_pegs, dtype=np.uint64),
        np.zeros(n_colors, dtype=np.uint64),
        np.zeros(square, dtype=np.uint64),
    )


def share_canonizer(canonizer: Canonizer) -> Canonizer:
    """Return the same canonizer for one more thread."""
    return Canonizer(*canonizer[:4], *(array.copy() for array in canonizer[4:]))


@njit
def write_key(canonizer: Canonizer, members: Int32s, left: int, key: UInt64s) -> None:
    """Write the key of a set of candidates with `left` guesses left.

    The two numbers are sums over the image's codes of two hashes of each.
    """
    colors, digits = canonizer.colors, canonizer.digits
    n_pegs = colors.shape[1]
    if n_pegs > 0:
        _number_image(canonizer, members)
    low_seed, high_seed = canonizer.seeds[0], canonizer.seeds[1]
    spare = U(left % INFINITE)  # without a limit 0: as in the tables that older versions kept
    low, high = mix(low_seed, spare), mix(high_seed, spare)
    for i in range(len(members)):
        number = U(members[i]) if n_pegs == 0 else _0
        for peg in range(n_pegs):
            number += digits[peg, colors[members[i], peg]]
        low += mix(low_seed ^ number, _0)
        high += mix(high_seed ^ number, _0)
    key[0] = low
    key[1] = high


@njit_part
def _number_image(canonizer: Canonizer, members: Int32s) -> None:
    """Find the image's order of pegs and colors, and write the `digits` that follow from it."""
    _count_colors(canonizer, members)
    _label(canonizer)
    for _ in range(N_ROUNDS):
        _sum_hashes(canonizer, members)
        _label(canonizer)
    _write_digits(canonizer)


@njit_part
def _count_colors(canonizer: Canonizer, members: Int32s) -> None:
    """Count how often each color stands on each peg."""
    colors, counts = canonizer.colors, canonizer.counts
    counts[:] = 0
    for i in range(len(members)):
        for peg in range(colors.shape[1]):
            counts[peg, colors[members[i], peg]] += _1


@njit_part
def _sum_hashes(canonizer: Canonizer, members: Int32s) -> None:
    """Sum up, for each color on each peg, the hashes of the candidates that have it there."""
    colors, counts, weights = canonizer.colors, canonizer.counts, canonizer.weights
    n_pegs, n_colors = counts.shape
    for peg in range(n_pegs):
        for color in range(n_colors):
            counts[peg, color] = 0
            label = canonizer.peg_labels[peg] + canonizer.color_labels[color]
            weights[peg, color] = mix(label, _0)
    for i in range(len(members)):
        own = _0
        for peg in range(n_pegs):
            own += weights[peg, colors[members[i], peg]]
        own = mix(own, _1)
        for peg in range(n_pegs):
            counts[peg, colors[members[i], peg]] += own


@njit_part(inline=True)
def _label(canonizer: Canonizer) -> None:
    """Label each peg by the sums of its colors, each color by those of its pegs.

    What may not be exchanged is labelled by its number, too.
    """
    counts = canonizer.counts
    pegs, colors = canonizer.peg_labels, canonizer.color_labels
    n_pegs, n_colors = counts.shape
    for peg in range(n_pegs):
        pegs[peg] = _0 if canonizer.moves_pegs[0] else mix(_3, U(peg))
    for color in range(n_colors):
        colors[color] = _0 if canonizer.renames[0] else mix(_5, U(color))
    for peg in range(n_pegs):
        for color in range(n_colors):
            pegs[peg] += mix(counts[peg, color], _2)
            colors[color] += mix(counts[peg, color], _3)


@njit_part
def _write_digits(canonizer: Canonizer) -> None:
    """Write what each color on each peg adds, both numbered in the order of their labels.

    Among equal labels the lower number is first. What may not be exchanged keeps its number.
    """
    digits, pegs, colors = canonizer.digits, canonizer.peg_labels, canonizer.color_labels
    n_pegs, n_colors = digits.shape
    for peg in range(n_pegs):
        place = _rank(pegs, peg) if canonizer.moves_pegs[0] else peg
        unit = _1
        for _ in range(place):
            unit *= U(n_colors)
        digits[peg, 0] = unit
    for color in range(n_colors - 1, -1, -1):
        name = _rank(colors, color) if canonizer.renames[0] else color
        for peg in range(n_pegs):
            digits[peg, color] = digits[peg, 0] * U(name)


@njit_part(inline=True)
def _rank(labels: UInt64s, at: int) -> int:
    """Return the number of labels before the one at a place."""
    rank = 0
    for i in range(len(labels)):
        if labels[i] < labels[at] or (labels[i] == labels[at] and i < at):
            rank += 1
    return rank


MAX_PERMUTED_PEGS = 7
"""With more pegs there are too many exchanges to try, and only colors are renamed."""


@by_reference
class SymmetryGroup(NamedTuple):
    """The symmetries of a game: exchanges of pegs, each with any renaming of colors."""

    codes: UInts  # [n_codes, n_pegs]: all codes
    # [n_exchanges, n_pegs]: peg ``i`` of the image is peg ``pegs[x, i]`` of the code; the first row
    # is the identity.
    pegs: Int64s
    renames: bool  # whether colors may be renamed
    # [n_exchanges, n_colors + 1], scratch: for each exchange that may fix the history the colors'
    # images (-1: free), and at the end of the row the number of the exchange.
    maps: Int64s
    image: Int64s  # [n_colors], scratch


def make_group(rules: Rules) -> SymmetryGroup:
    """Return the symmetries that a game offers."""
    exchanges = [tuple(range(rules.n_pegs))]
    symmetry = find_symmetry(rules)
    if symmetry.pegs and rules.n_pegs <= MAX_PERMUTED_PEGS:
        exchanges = list(permutations(range(rules.n_pegs)))
    pegs = np.array(exchanges, dtype=np.int64)
    return SymmetryGroup(
        copy_codes(rules),
        pegs,
        symmetry.colors,
        np.zeros((len(pegs), rules.n_colors + 1), dtype=np.int64),
        np.zeros(rules.n_colors, dtype=np.int64),
    )


def share_group(group: SymmetryGroup) -> SymmetryGroup:
    """Return the same symmetries for one more thread."""
    return group._replace(maps=group.maps.copy(), image=group.image.copy())


@njit
def mark_representatives(group: SymmetryGroup, history: Int64s, marks: UInt8s) -> None:
    """Mark the first guess of each orbit under the symmetries that fix all guesses made.

    A symmetry that fixes the guesses made maps candidates to candidates, for any responses: so two
    guesses of one orbit are worth the same [fancidev's mmstrat; Neuwirth 1982]. `marks`,
    uint8[n_codes], gets 1 for the least code of each orbit, 0 for the others.
    """
    maps, n_colors = group.maps, len(group.image)
    n_maps = 0
    for exchange in range(group.pegs.shape[0]):
        if _fixes(group, history, exchange, maps[n_maps]):
            maps[n_maps, n_colors] = exchange
            n_maps += 1
    for code in range(group.codes.shape[0]):
        marks[code] = 1
        for i in range(n_maps):
            if _lowers(group, maps[i], code):
                marks[code] = 0
                break


@njit_part
def _fixes(group: SymmetryGroup, history: Int64s, exchange: int, colors: Int64s) -> bool:
    """Find the renaming with which an exchange of pegs fixes the history; False if none does.

    Colors that no guess used stay free (-1), or themselves if no color may be renamed.
    """
    n_colors = len(group.image)
    for color in range(n_colors):
        colors[color] = -1 if group.renames else color
    for guess in history:
        code = group.codes[guess]
        if not extend_renaming(colors[:n_colors], group.pegs[exchange], code, code):
            return False
    return True


@njit_part
def _lowers(group: SymmetryGroup, colors: Int64s, code: int) -> bool:
    """Whether a symmetry, with its free colors mapped best, gives a lower code.

    Free colors are mapped among themselves, the least first.
    """
    image, n_colors = group.image, len(group.image)
    exchange = colors[n_colors]
    for color in range(n_colors):
        image[color] = colors[color]
    least_free = 0
    for peg in range(group.codes.shape[1]):
        source = group.codes[code, group.pegs[exchange, peg]]
        if image[source] == -1:
            while least_free < n_colors and colors[least_free] != -1:
                least_free += 1
            image[source] = least_free
            least_free += 1
        own = int(group.codes[code, peg])
        if image[source] != own:
            return bool(image[source] < own)
    return False
