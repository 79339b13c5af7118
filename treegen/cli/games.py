"""What there is: ``treegen games`` and ``treegen strategies``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from .command import Command, Idle
from .options import GAME, STRATEGY, game_options, json_option, open_game
from .output import print_json, print_paragraph, print_result


@click.command(
    cls=Command,
    idle=[Idle(("feedback", "guesses"), lambda given: not given["names"], "without a GAME")],
)
@click.argument("names", metavar="[GAME]...", nargs=-1, type=GAME)
@game_options
@json_option
def games(names: tuple[str, ...], rules: Mapping[str, Any], as_json: bool) -> None:
    """List the games, or show size, responses and openings of GAME, one or several."""
    from .. import describe_game, list_games

    if not names:
        found = list_games()
        print_json(found.to_dict()) if as_json else print_result(found)
        return
    games = [open_game(name, rules) for name in names]
    described = [describe_game(game) for game in games]
    if as_json:
        rows = [about.to_dict() for about in described]
        print_json(rows if len(names) > 1 else rows[0])
        return
    for number, about in enumerate(described):
        click.echo("\n" * (number > 0), nl=False)
        print_result(about)


@click.command(cls=Command)
@click.argument("names", type=STRATEGY, metavar="[NAME]...", nargs=-1)
@json_option
def strategies(names: tuple[str, ...], as_json: bool) -> None:
    """List the named strategies, or show the exact rule and source of NAME."""
    from .. import list_strategies

    found = list_strategies(*names)
    if as_json:
        print_json([strategy.to_dict() for strategy in found])
        return
    for strategy in found:
        print_result(strategy)
    if not names:
        click.echo()
        print_paragraph("", "A chain works, too: max,power:1,parts,consistent,lowest")
