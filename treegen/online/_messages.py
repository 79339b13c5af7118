"""Kernels of belief propagation: known sums over pegs give each peg's colors their weights.

A *factor* has one color for each peg, of which exactly `target` are right: the black pegs of a
guess, or the count of a color. Its message to a peg is a ratio that multiplies the weight of the
factor's color there. Only ``+ - * /`` and square roots are used, in a fixed order and without
fast-math, so that every machine computes the same bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compiler import njit, njit_part
from ..kernels.responses import mix

TINY, HUGE = 1e-200, 1e200
LIMIT = 400.0
"""Bound on a message and on its inverse."""


class Field(NamedTuple):
    """Weights of all (color, peg) pairs, and scratch."""

    # [n_colors, n_pegs], not normalised; 0 where the color is excluded.
    weights: NDArray[np.float64]
    sums: NDArray[np.float64]  # [n_pegs]: sum of each peg's weights
    odds: NDArray[np.float64]  # with the next two: [n_pegs], scratch
    tilted: NDArray[np.float64]
    pull: NDArray[np.float64]


@njit
def bounded_exp(x: float) -> float:
    """Return an approximation of ``exp(x)`` (Padé), x clipped to -1.6 … 1.6."""
    x = min(1.6, max(-1.6, x))
    return (12.0 + 6.0 * x + x * x) / (12.0 - 6.0 * x + x * x)


@njit
def tilt_odds(field: Field, target: float, tilt: float) -> tuple[float, float, float]:
    """Multiply all odds by one ratio, from `tilt` on, so that the probabilities sum to the target.

    The probabilities are written to `Field.tilted`. Return the ratio, the variance, and the mean
    probability weighted by variance.
    """
    n_pegs = len(field.odds)
    variance, skew = 0.0, 0.0
    for step in range(4):
        mean, variance, skew = 0.0, 0.0, 0.0
        for peg in range(n_pegs):
            ratio = field.odds[peg] * tilt
            p = ratio / (1.0 + ratio)
            field.tilted[peg] = p
            spread = p * (1.0 - p)
            mean += p
            variance += spread
            skew += p * spread
        gap = target - mean
        if step == 3 or abs(gap) < 0.02:
            break
        tilt *= bounded_exp(gap / (variance + 1e-3))
        tilt = min(1e12, max(1e-12, tilt))
    return tilt, variance, skew / (variance + 1e-12)


@njit_part
def update_factor(
    field: Field,
    colors: NDArray[np.int32],
    target: float,
    messages: NDArray[np.float64],
    tilt: float,
    is_damped: bool,
) -> float:
    """Update the messages of one factor and the weights that they multiply; return its new tilt.

    It is the saddle point of the sum's distribution: the common tilt that makes the mean equal the
    target, with the first correction for removing one peg from the sum. `colors` are the factor's
    at each peg; `target` is how many of them are right. Damped, it goes only half the way
    (geometrically).
    """
    weights, sums = field.weights, field.sums
    for peg in range(len(colors)):
        weight = weights[colors[peg], peg]
        rest = max(sums[peg] - weight, 1e-9 * sums[peg])
        field.odds[peg] = weight / messages[peg] / rest
    tilt, variance, center = tilt_odds(field, target, tilt)
    scale = 1.0 / (variance + 0.1)
    for peg in range(len(colors)):
        message = tilt * bounded_exp((field.tilted[peg] - center) * scale)
        message = min(LIMIT, max(1.0 / LIMIT, message))
        if is_damped:
            message = np.sqrt(message * messages[peg])
        field.pull[peg] = message / messages[peg]
        messages[peg] = message
    for peg in range(len(colors)):
        weight = weights[colors[peg], peg]
        if weight > 0.0:
            changed = min(HUGE, max(TINY, weight * field.pull[peg]))
            sums[peg] += changed - weight
            weights[colors[peg], peg] = changed
    return tilt


@njit
def sweep_guesses(
    field: Field,
    guesses: NDArray[np.int32],
    blacks: NDArray[np.int64],
    messages: NDArray[np.float64],
    tilts: NDArray[np.float64],
    order: NDArray[np.int64],
    is_damped: bool,
) -> None:
    """Update the factors of the guesses in `order`; field, messages, tilts in place."""
    for turn in order:
        if blacks[turn] > 0:
            tilts[turn] = update_factor(
                field, guesses[turn], blacks[turn], messages[turn], tilts[turn], is_damped
            )


@njit(allocates=True)
def sweep_colors(
    field: Field,
    counts: NDArray[np.int64],
    messages: NDArray[np.float64],
    tilts: NDArray[np.float64],
    is_damped: bool,
) -> None:
    """Update the factors of the colors whose positive count is known; in place."""
    colors = np.empty(len(field.sums), dtype=np.int32)
    for color in range(len(counts)):
        if counts[color] > 0:
            colors[:] = color
            tilts[color] = update_factor(
                field, colors, counts[color], messages[color], tilts[color], is_damped
            )


@njit
def normalise(field: Field) -> None:
    """Scale the weights of each peg to sum 1; a peg without weights stays so."""
    weights, sums = field.weights, field.sums
    n_colors, n_pegs = weights.shape
    sums[:] = 0.0
    for color in range(n_colors):
        for peg in range(n_pegs):
            sums[peg] += weights[color, peg]
    for peg in range(n_pegs):
        field.odds[peg] = 1.0 / max(sums[peg], TINY)
        sums[peg] = 0.0
    for color in range(n_colors):
        for peg in range(n_pegs):
            weights[color, peg] *= field.odds[peg]
            sums[peg] += weights[color, peg]


@njit(allocates=True)
def find_best(
    weights: NDArray[np.float64], best: NDArray[np.int32], value: NDArray[np.float64]
) -> None:
    """Write the heaviest color of each peg (the first of equal ones) and its weight."""
    n_colors, n_pegs = weights.shape
    best[:] = 0
    value[:] = weights[0]
    for color in range(1, n_colors):
        for peg in range(n_pegs):
            if weights[color, peg] > value[peg]:
                value[peg] = weights[color, peg]
                best[peg] = color


@njit
def forbid_pairs(weights: NDArray[np.float64], allowed: NDArray[np.bool_]) -> None:
    """Set the weight of every pair that is not allowed to 0; in place."""
    n_colors, n_pegs = weights.shape
    for color in range(n_colors):
        for peg in range(n_pegs):
            weights[color, peg] *= allowed[color, peg]


@njit(allocates=True)
def shuffle(key: np.uint64, n: int) -> NDArray[np.int64]:
    """Return 0 … n - 1 in an order determined by the key."""
    order = np.arange(n)
    for last in range(n - 1, 0, -1):
        other = np.int64(mix(key, np.uint64(last)) % np.uint64(last + 1))
        order[last], order[other] = order[other], order[last]
    return order


@njit
def draw_code(
    field: Field,
    usable: NDArray[np.bool_],
    key: np.uint64,
    flat: bool,
    drawn: NDArray[np.float64],
    guess: NDArray[np.int32],
) -> None:
    """Draw a color for each peg from the beliefs, tempered toward the most informative.

    The field is normalised. `usable`, bool[n_colors], are the colors that may be drawn: in
    proportion to ``p (1 - p)`` if it is `flat`, else to ``p ** 1.25 (1 - p)``. `guess` is -1 where
    no usable color is possible; `drawn`, float64[n_colors, n_pegs], is scratch.
    """
    n_colors, n_pegs = field.weights.shape
    total = field.odds
    total[:] = 0.0
    for color in range(n_colors):
        if usable[color]:
            for peg in range(n_pegs):
                p = field.weights[color, peg]
                value = p * (1.001 - p)
                if not flat:
                    value *= np.sqrt(np.sqrt(p))
                drawn[color, peg] = value
                total[peg] += value
    for peg in range(n_pegs):
        total[peg] *= np.float64(mix(key, np.uint64(peg)) >> np.uint64(11)) / 9007199254740992.0
        guess[peg] = -1
    for color in range(n_colors):
        if usable[color]:
            pick_color(drawn[color], total, color, guess)


@njit_part
def pick_color(
    drawn: NDArray[np.float64], left: NDArray[np.float64], color: int, guess: NDArray[np.int32]
) -> None:
    """Give a color to the open pegs whose draw falls on it; `left` and `guess` in place."""
    for peg in range(len(guess)):
        if guess[peg] < 0 and drawn[peg] > 0.0:
            left[peg] -= drawn[peg]
            if left[peg] <= 0.0:
                guess[peg] = color
