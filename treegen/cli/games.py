"""``treegen games``: the games; the size of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from . import completion
from .command import Command, Idle
from .options import FEEDBACK_RULES, game_options, json_option, open_game
from .output import print_json
from .table import print_paragraph

if TYPE_CHECKING:
    from ..games import Game

FAMILIES = {
    "pPcCr": "P pegs, C colors that may repeat: Mastermind",
    "pPcCn": "P pegs, C colors, none twice: Bulls and Cows",
    "pPcCrb, pPcCnb": "the same, answered with black pegs alone",
    "aNNN": "arrangements of known colors; a211: one color twice, two once",
    "rangeN": "a number from 1 to N, answered with lower or higher: range100",
    "coinsN": "one of N coins is false, heavier or lighter; a balance: coins12",
    "FILE": "a codebook: one word per line; --feedback " + ", ".join(FEEDBACK_RULES),
}
MAX_OPENINGS = 30
MOST_CODES = 10**7
"""Openings of games with more codes are not searched."""


@click.command(
    cls=Command,
    idle=[Idle(("feedback", "guesses"), lambda given: not given["names"], "without a GAME")],
)
@click.argument("names", metavar="[GAME]...", nargs=-1, type=completion.GAME)
@game_options
@json_option
def games(names: tuple[str, ...], feedback: str | None, guesses: str | None, as_json: bool) -> None:
    """List the games, or show size, responses and openings of GAME, one or several."""
    from ..games import list_aliases

    if names:
        described = [describe_game(open_game(name, feedback, guesses)) for name in names]
        if as_json:
            print_json(described if len(names) > 1 else described[0])
            return
        for number, figures in enumerate(described):
            click.echo("\n" * (number > 0), nl=False)
            _print_figures(figures)
    elif as_json:
        print_json({"families": FAMILIES, "aliases": list_aliases()})
    else:
        for name, meaning in FAMILIES.items():
            print_paragraph(f"{name:16} ", meaning)
        for alias, name in list_aliases().items():
            print_paragraph(f"{alias:16} ", name)


def describe_game(game: Game) -> dict[str, Any]:
    """Return the description of a game, ready for JSON."""
    from ..games import list_openings

    openings = list_openings(game) if game.n_codes <= MOST_CODES else None
    n_shown = min(game.n_responses, 1000)
    return {
        "game": game.name,
        "pegs": game.n_pegs,
        "colors": game.n_colors,
        "feedback": game.rule,
        "secrets": game.n_secrets,
        "guesses": game.n_codes,
        "responses": game.n_responses,
        "symbols": list(game.symbols),
        "response_order": [game.format_response(response) for response in range(n_shown)],
        "openings": None if openings is None else [game.format_code(code) for code in openings],
    }


def _print_figures(figures: dict[str, Any]) -> None:
    from ..games import write_count

    replies = figures["response_order"]
    rows = {
        "game": figures["game"],
        **(
            {"pegs, colors": f"{figures['pegs']}, {figures['colors']}"}
            if figures["feedback"] != "answers"
            else {}
        ),
        "symbols": _shorten(figures["symbols"], 40),
        "secrets": write_count(figures["secrets"]),
        "guesses": write_count(figures["guesses"]),
        "responses": f"{figures['responses']:,} ({figures['feedback']}): {_shorten(replies, 30)}",
        "openings": _describe_openings(figures["openings"], figures["guesses"]),
    }
    for name, value in rows.items():
        print_paragraph(f"{name:13} ", value)


def _describe_openings(openings: list[str] | None, n_codes: int) -> str:
    if openings is not None:
        return f"{len(openings)} up to symmetry: {_shorten(openings, MAX_OPENINGS)}"
    if n_codes > MOST_CODES:
        return "not listed: too many codes"
    return "all guesses: no symmetry is used"


def _shorten(words: list[str], limit: int) -> str:
    if len(words) <= limit:
        return " ".join(words)
    return f"{' '.join(words[: limit - 1])} … {words[-1]}"
