"""Guesses up to symmetry: one of each orbit under the symmetries that fix the guesses made."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare, njit_bare_part
from ...games import Game
from ...kernels import extend_renaming

MAX_PERMUTED_PEGS = 7
"""With more pegs there are too many exchanges to try, and only colors are renamed."""


class Group(NamedTuple):
    """The symmetries of a game: exchanges of pegs, each with any renaming of colors.

    Attributes
    ----------
    codes : uint8[n_codes, n_pegs]
        All codes.
    pegs : int64[n_exchanges, n_pegs]
        Peg ``i`` of the image is peg ``pegs[x, i]`` of the code; the first row is the identity.
    n_colors : int
        Number of colors.
    renames : bool
        Whether colors may be renamed.
    maps : int64[n_exchanges, n_colors + 1]
        Scratch: for each exchange that may fix the history the colors' images (-1: free), and at
        the end of the row the number of the exchange.
    image : int64[n_colors]
        Scratch.
    """

    codes: NDArray[np.unsignedinteger]
    pegs: NDArray[np.int64]
    n_colors: int
    renames: bool
    maps: NDArray[np.int64]
    image: NDArray[np.int64]


def make_group(game: Game) -> Group:
    """Return the symmetries that a game offers."""
    exchanges = [tuple(range(game.n_pegs))]
    if game.symmetry.pegs and game.n_pegs <= MAX_PERMUTED_PEGS:
        exchanges = list(permutations(range(game.n_pegs)))
    pegs = np.array(exchanges, dtype=np.int64)
    return Group(
        np.ascontiguousarray(game.codes),
        pegs,
        game.n_colors,
        game.symmetry.colors,
        np.zeros((len(pegs), game.n_colors + 1), dtype=np.int64),
        np.zeros(game.n_colors, dtype=np.int64),
    )


def share_group(group: Group) -> Group:
    """Return the same symmetries for one more thread."""
    return group._replace(maps=group.maps.copy(), image=group.image.copy())


@njit_bare
def mark_representatives(
    group: Group, history: NDArray[np.int64], marks: NDArray[np.uint8]
) -> None:
    """Mark the first guess of each orbit under the symmetries that fix all guesses made.

    Parameters
    ----------
    group : Group
        The game's symmetries; its scratch is written.
    history : int64[n_history]
        Guesses made.
    marks : uint8[n_codes]
        Written in place: 1 for the least code of each orbit.

    Notes
    -----
    A symmetry that fixes the guesses made maps candidates to candidates, for any responses: so
    two guesses of one orbit are worth the same [fancidev's mmstrat; Neuwirth 1982].
    """
    maps = group.maps
    n_maps = 0
    for exchange in range(group.pegs.shape[0]):
        if _fixes(group, history, exchange, maps[n_maps]):
            maps[n_maps, group.n_colors] = exchange
            n_maps += 1
    for code in range(group.codes.shape[0]):
        marks[code] = 1
        for i in range(n_maps):
            if _lowers(group, maps[i], code):
                marks[code] = 0
                break


@njit_bare_part
def _fixes(
    group: Group, history: NDArray[np.int64], exchange: int, colors: NDArray[np.int64]
) -> bool:
    """Find the renaming with which an exchange of pegs fixes the history; False if none does.

    Colors that no guess used stay free (-1), or themselves if none may be renamed.
    """
    for color in range(group.n_colors):
        colors[color] = -1 if group.renames else color
    for guess in history:
        code = group.codes[guess]
        if not extend_renaming(colors[: group.n_colors], group.pegs[exchange], code, code):
            return False
    return True


@njit_bare_part
def _lowers(group: Group, colors: NDArray[np.int64], code: int) -> bool:
    """Whether a symmetry, with its free colors mapped best, gives a lower code.

    Free colors are mapped among themselves, the least first.
    """
    exchange = colors[group.n_colors]
    image = group.image
    for color in range(group.n_colors):
        image[color] = colors[color]
    least_free = 0
    for peg in range(group.codes.shape[1]):
        source = group.codes[code, group.pegs[exchange, peg]]
        if image[source] == -1:
            while least_free < group.n_colors and colors[least_free] != -1:
                least_free += 1
            image[source] = least_free
            least_free += 1
        own = int(group.codes[code, peg])
        if image[source] != own:
            return bool(image[source] < own)
    return False
