"""How long a proof takes: an estimate before the search, and its correction while it runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from ..builder.choose import check_size
from ..games.base import Game
from ..games.rules import is_weighted
from .engine.responses import FEW_RESPONSES


class Estimate(NamedTuple):
    """Seconds of one core that a proof may take, likely right within a `factor`."""

    seconds: float
    factor: float

    @property
    def least(self) -> float:
        """The seconds that it likely takes at least."""
        return self.seconds / self.factor

    @property
    def most(self) -> float:
        """The seconds that it likely takes at most."""
        return self.seconds * self.factor


MAX_LOG = 690.0
"""Of the seconds: larger numbers are not finite."""


def fit(scale: float, power: float, factor: float = 3.0) -> Callable[[float], Estimate]:
    """Return the estimate by size for games of one kind: ``scale * (size / 1000) ** power``."""

    def estimate(size: float) -> Estimate:
        log = math.log(scale) + power * math.log(size / 1000)
        return Estimate(math.exp(min(log, MAX_LOG)), factor)

    return estimate


FAR = 10.0
"""The factor within which a fit may be right that no other game confirms."""

REPEATED = {
    2: fit(1.2, 3.0),
    3: fit(0.087, 5.0),
    4: fit(0.0016, 5.0),
    5: fit(0.00068, 5.0),
    6: fit(1.5e-4, 6.0, FAR),
}
"""By pegs, the size is the codes: fitted to p2c18r, p3c12r, p4c9r, p5c5r, p6c4r and p6c5r.

The power is that of p3c11r to p3c13r, and of p4c8r to p4c9r; for two pegs that of p2c15r to
p2c18r. From p6c4r to p6c5r it is six.
"""

DISTINCT = {
    2: fit(1.2, 3.0, FAR),
    3: fit(0.055, 5.0),
    4: fit(0.00087, 5.0),
    5: fit(0.0030, 5.0),
    6: fit(0.52, 5.0, FAR),
}
"""Without repetition: fitted to p3c12n, p4c9n, p5c7n, p6c6n."""

BLACK_REPEATED = {
    2: fit(3.3e9, 12.0, FAR),
    3: fit(27_400, 8.0),
    4: fit(1_700, 6.5),
    5: fit(390, 6.5, FAR),
    6: fit(22, 6.5, FAR),
}
"""Only black pegs: fitted to p2c12rb, p3c6rb, p4c4rb, p5c3rb, p6c3rb.

The power for two pegs is that of p2c12rb to p2c15rb, for three that of p3c7rb to p3c8rb.
"""

BLACK_DISTINCT = {3: fit(862, 8.0), 4: fit(23, 6.5), 5: fit(1.6, 6.5, FAR)}
"""Only black pegs, without repetition: fitted to p3c8nb, p4c6nb, p5c6nb."""

WORDS = fit(2.0e-7, 2.0)
"""Of many responses, the size is the pairs of guess and secret.

Fitted to 400 to 1,000 of Wordle's secrets with 1,500 to 3,000 guesses.
"""

PATIENCE = 1.5
"""A search that has run for long likely takes as many times what it took so far, at least."""

LEAD_LEAST, LEAD_MOST = 1.5, 5.0
"""As many times what the leading guess took, the whole search likely takes."""


def estimate_proof(game: Game) -> Estimate | None:
    """Return about how long the proof of a game takes on one core, and how sure that is.

    It is a fit to games of the same kind, with all codes eligible: see docs/notes/lab-notes.md.
    None for others: words of few responses take seconds or days, and so do games of two colors.
    GameError: no memory holds a tree of the game.

    >>> from treegen.games import parse_game
    >>> from treegen.games.codebook import make_word_game
    >>> estimate = estimate_proof(parse_game("p4c10r"))
    >>> [round(seconds) for seconds in (estimate.least, estimate.seconds, estimate.most)]
    [53, 160, 480]
    >>> estimate_proof(make_word_game(["1123", "1322"])) is None
    True
    """
    check_size(game)
    if is_weighted(game.rules) or not game.goal.last_step:  # no game of the fits
        return None
    if game.rules.symmetry.pegs and game.rules.symmetry.colors:
        found = _choose_fits(game).get(game.n_pegs)
        return None if found is None else found(game.n_codes)
    if game.rules.has_tiles and game.n_responses > FEW_RESPONSES:
        return WORDS(game.n_codes * game.n_secrets)
    return None


def _choose_fits(game: Game) -> dict[int, Callable[[float], Estimate]]:
    """Return the fits of a peg game's kind, by pegs."""
    if game.rule not in ("pegs", "black"):
        return {}
    is_distinct = game.n_codes < game.n_colors**game.n_pegs
    if game.rule == "black":
        return BLACK_DISTINCT if is_distinct else BLACK_REPEATED
    return DISTINCT if is_distinct else REPEATED


def estimate_rest(
    estimate_s: float, cpu_s: float, wall_s: float, lead_s: float | None = None
) -> float:
    """Return an estimate of the seconds that a running search still takes.

    The estimate counts seconds of one core. How many cores the search has had so far, and how much
    of them, shows in its own CPU time; and what has lasted longer than estimated is likely to last.
    Once the leading first guess is searched (`lead_s`, CPU time), the rest is a matter of what that
    took.

    >>> estimate_rest(600, 100, 50)  # two cores
    250.0
    >>> estimate_rest(600, 800, 1600)  # half a core, and longer than was thought
    800.0
    >>> estimate_rest(600, 60, 60, lead_s=50)  # at most five times that
    190.0
    """
    if lead_s is not None:
        estimate_s = min(max(estimate_s, LEAD_LEAST * lead_s), LEAD_MOST * lead_s)
    return (max(estimate_s, PATIENCE * cpu_s) - cpu_s) * wall_s / cpu_s
