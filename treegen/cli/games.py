"""``treegen games``: the games; the size of one."""

from __future__ import annotations

import click

from . import completion
from .command import Command, Idle
from .options import game_options, json_option, open_game
from .output import print_json
from .table import print_result


@click.command(
    cls=Command,
    idle=[Idle(("feedback", "guesses"), lambda given: not given["names"], "without a GAME")],
)
@click.argument("names", metavar="[GAME]...", nargs=-1, type=completion.GAME)
@game_options
@json_option
def games(names: tuple[str, ...], feedback: str | None, guesses: str | None, as_json: bool) -> None:
    """List the games, or show size, responses and openings of GAME, one or several."""
    from .. import api

    if not names:
        found = api.list_games()
        print_json(found.to_dict()) if as_json else print_result(found)
        return
    games = [open_game(name, feedback, guesses) for name in names]
    described = [api.describe_game(game) for game in games]
    if as_json:
        rows = [about.to_dict() for about in described]
        print_json(rows if len(names) > 1 else rows[0])
        return
    for number, about in enumerate(described):
        click.echo("\n" * (number > 0), nl=False)
        print_result(about)
