"""``treegen play``: a tree, or a strategy's tree built for this, breaks a code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from . import completion
from .build import announce_compiling, announce_work
from .command import Command, Idle
from .exact import follow_search
from .options import (
    eligible_option,
    game_options,
    json_option,
    list_rules,
    open_game,
    strategy_option,
    tables_option,
    tell,
)
from .output import load, print_json, show_progress
from .pegs import paint_guess
from .play_online import play_online
from .play_person import draw, play_person
from .table import print_blocks
from .targets import checks_outputs, picture_output

if TYPE_CHECKING:
    from ..analysis import Advice, Session
    from ..api import GameOptions
    from ..tree import PlayedGame, Tree


def _asks_advice(given: Mapping[str, Any]) -> bool:
    """Whether advice is wanted instead of a game."""
    return bool(given["top"] is not None or given["candidates"])


@click.command(
    cls=Command,
    idle=[
        Idle(
            ("secret", "limit", "picture"),
            _asks_advice,
            "beside --top or --candidates: no game is played",
        ),
        Idle(
            ("as_json",),
            lambda given: given["secret"] is None and not _asks_advice(given),
            "without --secret, --top or --candidates",
        ),
    ],
)
@click.argument("source", type=completion.GAME, metavar="FILE|GAME")
@game_options
@strategy_option("Build this strategy's tree of GAME and play it.")
@eligible_option("What may be guessed; hints: play GAME in Wordle's hard mode.")
@click.option("--secret", metavar="CODE", help="Play against this secret, without questions.")
@click.option("--history", metavar="H", help="Start after guesses already made: 1122:02/1344:11.")
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="Rank the best N guesses now, with what each leaves; ask nothing.",
)
@click.option("--candidates", is_flag=True, help="List what is still possible; ask nothing.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many guesses.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of a random strategy.")
@click.option("--symbols", help="How colors are written: abcdef, or red,green,blue.")
@click.option(
    "--picture", type=completion.FILE, metavar="OUT", help="Draw the game: SVG, PNG or PDF."
)
@tables_option
@json_option
@checks_outputs(picture_output("picture"))
def play(
    source: str,
    feedback: str | None,
    guesses: str | None,
    strategy: str | None,
    eligible: str | None,
    secret: str | None,
    top: int | None,
    candidates: bool,
    limit: int | None,
    picture: str | None,
    tables: str | None,
    **shared: Any,
) -> None:
    """Break a code: answer each guess with its feedback, or give the secret.

    An answer is written as black and white pegs (02), or for words as marks: 00120, --yg- or
    colored squares. If you guessed something else, write the guess too: 1234:02. c lists the
    candidates, b the best guesses, u takes the last answer back, q quits. --top and --candidates
    print the same after --history, and end. The exit code is 1 if --limit ends the game before the
    code is found.
    """
    from .. import api
    from ..errors import UsageError
    from ..games import parse_symbols
    from ..strategies import plays_online

    if secret is None and "-" in (source, guesses):
        raise UsageError("the standard input cannot give answers too: give --secret")
    if strategy is not None and plays_online(strategy):
        _refuse_beside_online(strategy, eligible, top is not None or candidates, picture)
        game = open_game(source, feedback, guesses)
        is_found = play_online(game, strategy, secret=secret, limit=limit, tables=tables, **shared)
        _end(is_found)
        return
    if tables is not None:
        raise UsageError("--tables belongs to -s permutation")
    as_json, symbols = shared.pop("as_json"), shared.pop("symbols")
    is_tree = source == "-" or api.is_tree(source)
    if top is not None or candidates:
        place, rules = _take(source, feedback, guesses, is_tree)
        n_top = top or 0
        found = api.advice(
            place, strategy, top=n_top, symbols=symbols, eligible=eligible, **shared, **rules
        )
        _print_advice(found, n_top, candidates, as_json)
        return
    place, rules = _take(source, feedback, guesses, is_tree and strategy is None)
    session = _start(place, strategy or "knuth", rules, eligible=eligible, **shared)
    game = session.tree.game
    names = parse_symbols(symbols, game.n_colors) if symbols else game.symbols
    if secret is None:
        _end(play_person(session, names, limit, picture))
    else:
        _end(_break_code(session.tree, secret, names, limit, picture, as_json))


def _take(
    source: str, feedback: str | None, guesses: str | None, is_tree: bool
) -> tuple[Any, GameOptions]:
    """Return a tree or its file, with the options of games; or the game that they make."""
    if is_tree:
        return load(source).tree if source == "-" else source, list_rules(feedback, guesses)
    return open_game(source, feedback, guesses), {}


def _start(place: Any, strategy: str, rules: GameOptions, **choices: Any) -> Session:
    """Begin a game; a build says how long it takes, and shows a bar."""
    from .. import api
    from ..games import Game
    from ..strategies import is_search

    options = api.BuildOptions(history=choices["history"])
    if isinstance(place, Game):
        announce_work(place, strategy, options)
    is_searched = is_search(strategy)
    progress = follow_search(quiet=False) if is_searched else show_progress(quiet=False)
    wanted = strategy if isinstance(place, Game) else None
    with announce_compiling(quiet=is_searched):
        return api.play(
            place, wanted, jobs=None, progress=progress, notice=tell, **choices, **rules
        )


def _break_code(
    tree: Tree,
    secret: str,
    names: tuple[str, ...],
    limit: int | None,
    picture: str | None,
    as_json: bool,
) -> bool:
    """Print and draw the game of a secret; return whether it was found."""
    played = tree.play(secret, limit=limit, symbols=names)
    print_json(played.to_dict()) if as_json else _print_played(played)
    if picture is not None:
        whole = tree.play(secret, symbols=names)
        secret_code = tree.game.parse_secret(whole.found, names)
        codes = [*(turn.code for turn in whole.turns), secret_code]
        draw(tree, played.turns, codes[len(played.turns)], names, picture)
    return played.is_found


def _print_played(played: PlayedGame) -> None:
    """Print a game, with colored pegs on a terminal that has colors."""
    game = played.game
    for number, turn in enumerate(played.turns, start=1):
        guess = paint_guess(game, turn.code, played.symbols, turn.response)
        click.echo(f"{number:2}  {guess}  {turn.answer}  {turn.n_left} left")
    for block in list(played.describe())[len(played.turns) :]:
        click.echo(getattr(block, "text", ""))


def _print_advice(found: Advice, top: int, lists_candidates: bool, as_json: bool) -> None:
    """Print the best guesses, the candidates, or both."""
    if as_json:
        print_json(found.to_dict())
        return
    if top:
        print_blocks(found.describe_guesses())
    if lists_candidates:
        print_blocks(found.describe_candidates())


def _end(is_found: bool | None) -> None:
    """Exit with 1 if the limit came first; a player who quits (None) is not a failure."""
    if is_found is False:
        raise click.exceptions.Exit(1)


def _refuse_beside_online(
    strategy: str, eligible: str | None, wants_advice: bool, picture: str | None
) -> None:
    """Raise UsageError for an option that no strategy without a tree takes."""
    from ..errors import UsageError

    if eligible is not None:
        raise UsageError(f"--eligible belongs to rules and searches; {strategy} is neither")
    if wants_advice:
        raise UsageError(f"--top and --candidates need a rule; {strategy} has none")
    if picture is not None:
        raise UsageError(f"--picture needs a tree; {strategy} plays without one")
