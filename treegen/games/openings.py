"""The first guesses that differ essentially: one of each class of symmetric ones."""

from __future__ import annotations

from collections.abc import Iterator

from .base import Game
from .pegs import PegGame


def list_openings(game: Game) -> list[int] | None:
    """Return the least code of every class of equivalent first guesses.

    Two first guesses are equivalent when exchanging pegs and renaming colors turns one into the
    other. Without such a symmetry every code is a class of its own, and the result is None; weights
    and costs break it.

    Examples
    --------
    >>> game = PegGame(4, 6)
    >>> [game.format_code(code) for code in list_openings(game)]
    ['1111', '1112', '1122', '1123', '1234']
    """
    if not isinstance(game, PegGame) or game.stakes:
        return None
    if not game.repetition:
        return [0]  # every code has each of its colors once
    codes = []
    for counts in _partitions(game.n_pegs, game.n_pegs, game.n_colors):
        colors = [color for color, count in enumerate(counts) for _ in range(count)]
        codes.append(game.index_of(colors))
    return sorted(codes)


def _partitions(number: int, largest: int, n_parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of `n_parts` parts at most, the largest first."""
    if number == 0:
        yield ()
        return
    # A smaller part would leave more than the other parts can hold. Without this bound, all
    # partitions of 80 pegs would be tried to find the only one of a single color.
    least = -(-number // n_parts) if n_parts else number + 1
    for part in range(min(number, largest), least - 1, -1):
        for rest in _partitions(number - part, part, n_parts - 1):
            yield (part, *rest)
