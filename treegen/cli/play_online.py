"""``treegen play GAME -s adaptive``: an online strategy breaks a code of any length."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from .output import print_json

if TYPE_CHECKING:
    from ..games import Game
    from ..online import OnlineStrategy

Answer = tuple[int, int]


def count_guesses(number: int | None) -> str:
    """Format a number of guesses."""
    return "1 guess" if number == 1 else f"{number} guesses"


def play_online(
    game: Game,
    strategy: str,
    *,
    seed: int | None,
    secret: str | None,
    history: str | None,
    limit: int | None,
    symbols: str | None,
    tables: str | None,
    as_json: bool,
) -> bool | None:
    """Play like ``treegen play``, but without a tree; return what `play_person` returns."""
    from ..errors import UsageError
    from ..games import parse_symbols
    from ..online import start_online

    if history is not None:
        raise UsageError(f"{strategy} chooses its own guesses: --history does not fit it")
    names = parse_symbols(symbols, game.n_colors) if symbols else game.symbols
    if secret is not None:
        player = start_online(strategy, game, seed or 0, tables=tables)
        return play_online_secret(player, secret, names, limit, as_json)
    return play_online_person(game, strategy, seed or 0, names, limit, tables)


def play_online_secret(
    player: OnlineStrategy,
    secret: str,
    symbols: tuple[str, ...],
    limit: int | None,
    as_json: bool,
) -> bool:
    """Play against a secret and print guess and answer of each turn; return whether it is found."""
    import numpy as np

    from ..games import PegFeedback
    from ..online import score_colors

    game = player.game
    rule = PegFeedback(game.n_pegs)
    colors = np.array(parse_colors(game, secret, symbols), dtype=np.int32)
    turns: list[dict[str, Any]] = []
    while not player.is_over and len(turns) != limit:
        guess = player.next_guess()
        answer = score_colors(guess, colors)
        player.observe(*answer)
        feedback = game.format_response(rule.response_of(*answer))
        turns.append({"guess": write_colors(guess.tolist(), symbols), "feedback": feedback})
        if not as_json:
            click.echo(f"{len(turns):4}  {turns[-1]['guess']}  {feedback}")
    if as_json:
        found = {"secret": secret, "turns": turns, "found": player.is_over}
        print_json({"game": game.name, "strategy": player.name, "seed": player.seed, **found})
    elif not player.is_over:
        click.echo(f"stopped at the limit of {count_guesses(limit)}: not found")
    return player.is_over


def play_online_person(
    game: Game,
    strategy: str,
    seed: int,
    symbols: tuple[str, ...],
    limit: int | None,
    tables: str | None,
) -> bool | None:
    """Ask for answers until the code is found, the limit is reached or the input ends."""
    from ..online import start_online

    player = start_online(strategy, game, seed, tables=tables)
    answers: list[Answer] = []
    rules = (
        f"Answer each guess in two numbers, black and white pegs ({_write_example(player)});"
        " u takes an answer back, q ends, ? says this again."
    )
    click.echo(f"Think of a code of {game.n_pegs} pegs and {game.n_colors} colors. {rules}")
    while not player.is_over:
        if limit is not None and len(answers) >= limit:
            click.echo(f"stopped at the limit of {count_guesses(limit)}: not found")
            return False
        guess = write_colors(player.next_guess().tolist(), symbols)
        click.echo(f"guess {len(answers) + 1}: {guess}  answer: ", nl=False)
        line = sys.stdin.readline().removeprefix("\ufeff")
        if not line or line.strip().lower() in ("q", "quit"):
            click.echo("" if line else "\nno more answers")
            return None
        if line.strip().lower() in ("?", "help"):
            click.echo(f"  {rules}")
        else:
            player = _take_line(line.strip().lower(), player, answers, tables)
    found = write_colors(player.next_guess().tolist(), symbols)
    click.echo(f"found {found} in {count_guesses(len(answers))}")
    return True


def _write_example(player: OnlineStrategy) -> str:
    """Format an answer to the first guess that some secret gives."""
    from ..games import PegFeedback
    from ..online import draw_secret, score_colors

    game = player.game
    answer = score_colors(player.next_guess(), draw_secret(game, player.seed, 0))
    return game.format_response(PegFeedback(game.n_pegs).response_of(*answer))


def _take_line(
    line: str, player: OnlineStrategy, answers: list[Answer], tables: str | None
) -> OnlineStrategy:
    """Take one answer, or one back; report mistakes and ask again."""
    from ..errors import TreegenError, UsageError
    from ..games import PegFeedback
    from ..online import replay

    game = player.game
    try:
        if line in ("u", "undo"):
            if answers:
                answers.pop()
            return replay(player.name, game, player.seed, answers, tables=tables)
        if ":" in line:
            raise UsageError(f"{player.name} knows only its own guesses: answer the one shown")
        if line:
            black, white = PegFeedback(game.n_pegs).feedback_of(game.parse_response(line))
            player.observe(black, white)
            answers.append((black, white))
    except TreegenError as error:
        click.echo(f"  {error}")
        return replay(player.name, game, player.seed, answers, tables=tables)
    return player


def parse_colors(game: Game, text: str, symbols: tuple[str, ...]) -> list[int]:
    """Return the colors of a written secret; raise GameError where it is not one."""
    from ..errors import GameError
    from ..games import split_symbols

    colors = list(split_symbols(text.strip(), symbols))
    if len(colors) != game.n_pegs:
        raise GameError(f"{text!r} has {len(colors)} pegs; {game.name} has {game.n_pegs}")
    game.index_of(colors)
    return colors


def write_colors(colors: list[int], symbols: tuple[str, ...]) -> str:
    """Write a code."""
    from ..games import join_symbols

    return join_symbols(colors, symbols)
