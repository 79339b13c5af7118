"""How turns of a game are printed: guesses as colored pegs, numbers of guesses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from ..pictures.picture import list_paints, paint_marks

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ..games import Game


def count_guesses(number: int | None) -> str:
    """Format a number of guesses."""
    return "1 guess" if number == 1 else f"{number} guesses"


WHITE_INK = frozenset(("#0072b2", "#6a3d9a", "#8c564b"))


def paint_guess(
    game: Game, code: int, symbols: Sequence[str] | None = None, response: int | None = None
) -> str:
    """Return a guess for the terminal: colored pegs, or the plain code.

    Parameters
    ----------
    game
        The game.
    code
        The guess.
    symbols
        How colors are written, None for the game's own way.
    response
        The answer; it colors the letters of a game with position feedback.
    """
    plain = game.format_code(code, symbols)
    if game.asks_questions:
        return plain
    console = _console()
    backgrounds = _backgrounds(game, code, response)
    if console is None or backgrounds is None:
        return plain
    from rich.text import Text

    names = symbols or game.symbols
    text = Text()
    for color, background in zip(game.codes[code].tolist(), backgrounds, strict=True):
        ink = "white" if background in WHITE_INK else "black"
        text.append(f" {names[color]} ", style=f"bold {ink} on {background}")
        text.append(" ")
    return _render(console, text)


def _backgrounds(game: Game, code: int, response: int | None) -> list[str] | None:
    if game.has_tiles:
        if response is None:
            return None
        return paint_marks(game.format_response(response))
    paints = list_paints(game.n_colors)
    return None if paints is None else [paints[color] for color in game.codes[code].tolist()]


def _console() -> Console | None:
    """Return a console for standard output if that shows colors."""
    if not sys.stdout.isatty():
        return None
    console = _make_console()
    return console if console.color_system and not console.no_color else None


@cache
def _make_console() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def _render(console: Console, text: Text) -> str:
    with console.capture() as capture:
        console.print(text, end="")
    return capture.get()
