"""Renamings of pegs and colors that map one game's history to another's."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from ..errors import UsageError
from ..games import Game
from ..games.renaming import FREE, extend_renaming

MAX_PEGS = 8
"""The most pegs whose orders are tried: 40,320 of them."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """An order of the pegs, and what each color becomes as far as it is determined.

    Attributes
    ----------
    pegs
        The position in the second code of each peg of the first.
    colors
        What each color of the first code is in the second, `FREE` if undetermined.
    """

    pegs: tuple[int, ...]
    colors: tuple[int, ...]

    def extend(self, first: list[int], second: list[int]) -> Renaming | None:
        """Return the renaming that also maps a code to another, None if none does."""
        colors = list(self.colors)
        moved = [second[place] for place in self.pegs]
        if not extend_renaming(colors, range(len(moved)), first, moved):
            return None
        return Renaming(self.pegs, tuple(colors))


def list_renamings(game: Game, *, symmetric: bool = True) -> list[Renaming]:
    """Return the renamings that a game allows before any guess, or only the identity.

    Raises
    ------
    UsageError
        The game has too many pegs to try all their orders.
    """
    identity = tuple(range(game.n_pegs))
    fixed = tuple(range(game.n_colors))
    if not symmetric:
        return [Renaming(identity, fixed)]
    symmetry = game.symmetry
    if symmetry.pegs and game.n_pegs > MAX_PEGS:
        raise UsageError(
            f"{game.n_pegs} pegs have too many orders: up to {MAX_PEGS} are compared so"
        )
    orders = permutations(identity) if symmetry.pegs else [identity]
    colors = (FREE,) * game.n_colors if symmetry.colors else fixed
    return [Renaming(tuple(order), colors) for order in orders]


def match_guesses(game: Game, renamings: list[Renaming], first: int, second: int) -> list[Renaming]:
    """Return the renamings, extended, that turn one guess into the other."""
    a, b = game.codes[first].tolist(), game.codes[second].tolist()
    return [found for renaming in renamings if (found := renaming.extend(a, b)) is not None]
