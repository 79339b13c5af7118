"""Games: what a code is, what may be secret, how a guess is answered, how codes are written."""

from __future__ import annotations

from .arrangements import ArrangementGame
from .base import Description, Game, Symmetry
from .codebook import CodebookGame, read_codebook
from .names import ALIASES, from_description, parse_game
from .pegs import PegGame
from .symbols import parse_symbols

__all__ = [
    "ALIASES",
    "ArrangementGame",
    "CodebookGame",
    "Description",
    "Game",
    "PegGame",
    "Symmetry",
    "from_description",
    "parse_game",
    "parse_symbols",
    "read_codebook",
]
