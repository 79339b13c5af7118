"""``treegen play GAME --evil``: you break the code of a code-maker that has none yet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from .turns import count_guesses, paint_guess

if TYPE_CHECKING:
    from ..games import Game

MOST_LISTED = 20
"""At most this many candidates are listed."""


def play_evil(
    game: Game,
    limit: int | None,
    *,
    symbols: str | None,
    history: str | None,
    **others: Any,
) -> bool | None:
    """Answer the guesses of a person; return whether the code was found, None if they quit."""
    from ..analysis.evil import EvilMaker
    from ..errors import GameError, UsageError
    from ..games import parse_history, parse_symbols

    for name, value in others.items():
        if value:
            option = name.removeprefix("as_")
            raise UsageError(f"--{option} needs a tree that guesses: add -s STRATEGY")
    names = parse_symbols(symbols, game.n_colors) if symbols else game.symbols
    past = parse_history(history, game) if history else ()
    maker, n_guesses = EvilMaker(game, past), 0
    click.echo(
        f"Guess my {game.noun}: {len(maker.candidates):,} are possible. Each answer is the one that"
        " leaves the most. c lists what is possible, q ends."
    )
    while limit is None or n_guesses < limit:
        click.echo(f"{game.step} {n_guesses + 1}: ", nl=False)
        line = sys.stdin.readline()
        text = line.strip()
        if not line or text in ("q", "quit"):
            click.echo("" if line else "\nno more guesses")
            return None
        if text in ("c", "candidates"):
            _list(game, maker.candidates.tolist(), names)
            continue
        try:
            guess = game.parse_code(text, names)
        except GameError as error:
            click.echo(f"  {error}")
            continue
        n_guesses += 1
        response = maker.answer(guess)
        written = game.format_response(response, guess)
        shown = paint_guess(game, guess, names, response)
        click.echo(f"  {shown}  {written}  {len(maker.candidates):,} left")
        if maker.is_over(response):
            found = game.format_code(int(maker.candidates[0]), names)
            click.echo(f"found {found} in {count_guesses(n_guesses)}")
            return True
    click.echo(f"stopped at the limit of {count_guesses(limit)}: not found")
    return False


def _list(game: Game, candidates: list[int], symbols: tuple[str, ...]) -> None:
    shown = " ".join(game.format_code(code, symbols) for code in candidates[:MOST_LISTED])
    more = f" … {len(candidates):,} in all" if len(candidates) > MOST_LISTED else ""
    click.echo(f"  {shown}{more}")
