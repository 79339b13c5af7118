"""How long a proof takes: an estimate before the search, and its correction while it runs."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..builder import check_size
from ..games import Game, PegGame


class Fit(NamedTuple):
    """Seconds of one core: ``scale * codes ** power / responses ** relief``."""

    scale: float
    power: float
    relief: float

    def apply(self, game: Game) -> float:
        """Return the seconds for a game."""
        relief = math.pow(game.n_responses, self.relief)
        return self.scale * math.pow(game.n_codes, self.power) / relief


REPEATED = Fit(2.5e-15, 5.0, 2.5)
"""Peg games with repetition: fitted to p4c7r, p4c9r and p5c5r in docs/optima.csv.

More responses tell more, so that a game of more pegs is easier than one of as many codes. p4c8r,
p4c10r, p5c6r, p5c7r and p6c4r, which were not used, are right within a factor of three.
"""

DISTINCT = Fit(9.4e-15, 4.0, 0.0)
"""Without repetition: the median of p4c9n and p5c7n; p4c8n, p4c10n and p5c8n are right within a
factor of three."""

PATIENCE = 1.5
"""A search that has run for long likely takes as many times what it took so far, at least."""


def estimate_seconds(game: Game) -> float | None:
    """Return about how long the proof of a game takes on one core, within a factor of three or so.

    It is a fit to games of black and white pegs with symmetry and all codes eligible. None for
    all others: words of many responses are solved in seconds, words of few may take days.

    Raises
    ------
    GameError
        No memory holds a tree of the game.

    Examples
    --------
    >>> from treegen.games import CodebookGame, parse_game
    >>> round(estimate_seconds(parse_game("p4c9r")))
    41
    >>> estimate_seconds(CodebookGame(["crane", "crate"], rule="position")) is None
    True
    """
    check_size(game)
    if game.rule != "pegs" or not (game.symmetry.pegs and game.symmetry.colors):
        return None
    is_distinct = isinstance(game, PegGame) and not game.repetition
    return (DISTINCT if is_distinct else REPEATED).apply(game)


def estimate_rest(estimate_s: float, cpu_s: float, wall_s: float) -> float:
    """Return how many more seconds a search takes that has run for a while.

    The estimate counts seconds of one core. How many cores the search has had so far, and how much
    of them, shows in its own CPU time; and what has lasted longer than estimated is likely to last.

    Parameters
    ----------
    estimate_s
        The estimate before the search.
    cpu_s, wall_s
        CPU time and time of the search so far, above 0.

    Examples
    --------
    >>> estimate_rest(600, 100, 50)  # two cores
    250.0
    >>> estimate_rest(600, 800, 1600)  # half a core, and longer than was thought
    800.0
    """
    return (max(estimate_s, PATIENCE * cpu_s) - cpu_s) * wall_s / cpu_s
