"""``treegen play``: a tree, or a strategy's tree built for this, breaks a code."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from . import completion
from .build import make_strategy, run_build
from .command import Command, Idle
from .entrants import is_tree_file
from .exact import leave_search_options, run_search
from .options import (
    eligible_option,
    game_options,
    json_option,
    open_game,
    parse_history,
    strategy_option,
    tables_option,
)
from .output import load, print_json
from .pegs import paint_guess
from .play_advice import print_advice
from .play_online import count_guesses, play_online
from .play_person import draw, play_person
from .targets import checks_outputs, picture_output

if TYPE_CHECKING:
    from ..analysis import Turn
    from ..games import Game
    from ..tree import History, Tree

    Builder = Callable[[History], Tree]


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
    if top is not None or candidates:
        print_advice(
            source,
            feedback,
            guesses,
            strategy=strategy,
            eligible=eligible,
            top=top or 0,
            lists_candidates=candidates,
            **shared,
        )
        return
    choices, history = {"eligible": eligible, "seed": shared["seed"]}, shared["history"]
    tree, rebuild = _open_source(source, feedback, guesses, strategy, choices, history)
    symbols = shared["symbols"]
    names = parse_symbols(symbols, tree.game.n_colors) if symbols else tree.game.symbols
    if secret is None:
        _end(play_person(tree, rebuild, names, limit, picture))
    else:
        _end(_break_code(tree, secret, names, limit, picture, shared["as_json"]))


def _break_code(
    tree: Tree,
    secret: str,
    names: tuple[str, ...],
    limit: int | None,
    picture: str | None,
    as_json: bool,
) -> bool:
    """Print and draw the game of a secret; return whether it was found."""
    turns, missing = _play_secret(tree, secret, names, limit, as_json)
    if picture is not None:
        draw(tree, turns, missing[0].guess if missing else None, names, picture)
    return not missing


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


def _open_source(
    source: str,
    feedback: str | None,
    guesses: str | None,
    strategy: str | None,
    choices: dict[str, Any],
    history: str | None,
) -> tuple[Tree, Builder]:
    """Return the tree of a file or of a game, and what makes one behind another history."""
    from ..errors import UsageError

    if strategy is not None or not (source == "-" or is_tree_file(source)):
        game = open_game(source, feedback, guesses)
        rebuild = _choose_builder(game, strategy or "knuth", choices)
        return rebuild(parse_history(history, game)), rebuild
    if (feedback, guesses, *choices.values()) != (None, None, None, None):
        raise UsageError(
            "--feedback, --guesses, --eligible and --seed belong to a game;"
            f" {source!r} is a tree, which states its own"
        )
    return _load_tree(source, history)


def _choose_builder(game: Game, strategy: str, choices: dict[str, Any]) -> Builder:
    """Return a function that makes a strategy's or a search's tree after a history."""
    from ..strategies import is_search

    if is_search(strategy):
        from ..exact import SearchLog

        jobs, options = os.cpu_count() or 1, leave_search_options()
        wanted = {"first": None, "order": None, **choices}
        return lambda history: run_search(
            game, strategy, history, dict(options), wanted, False, jobs, SearchLog()
        )
    rule = make_strategy(game, strategy, **choices)
    return lambda history: run_build(game, rule, history, None, False)


def _load_tree(source: str, history: str | None) -> tuple[Tree, Builder]:
    """Read a tree and follow a history in it, or continue by its rule where the history leaves it.

    Returns the tree to play and a function that makes another one when the player leaves it.
    """
    from ..tree import cut_at

    tree = load(source).tree

    def rebuild(past: History) -> Tree:
        from ..analysis import choose_rule

        rule = choose_rule(tree)
        is_own = rule.name == tree.provenance.strategy
        reason = "the tree's own rule" if is_own else "the tree has no rule"
        told = f"not the tree's guess: continuing by {rule.name} ({reason}): {rule.rule}"
        click.echo(f"treegen: {told}", err=True)
        return run_build(tree.game, rule, past, None, False)

    pairs = parse_history(history, tree.game)
    node = _follow(tree, pairs)
    if node is None:
        return rebuild((*tree.provenance.history, *pairs)), rebuild
    return cut_at(tree, node) if pairs else tree, rebuild


def _follow(tree: Tree, history: History) -> int | None:
    """Return the state after a history; None if a guess is not the tree's."""
    from ..errors import UsageError
    from ..tree import describe_dead_end, find_child

    node = 0
    for guess, response in history:
        if guess != tree.guess[node]:
            return None
        child = find_child(tree, node, response)
        if child is None:
            raise UsageError(describe_dead_end(tree, node, response))
        node = child
    return node


def _play_secret(
    tree: Tree, text: str, symbols: tuple[str, ...], limit: int | None, as_json: bool
) -> tuple[list[Turn], list[Turn]]:
    """Play and print the guesses up to the limit; return them, and those beyond the limit."""
    from ..analysis import play_secret
    from ..errors import UsageError

    game = tree.game
    secret = game.parse_secret(text, symbols)
    if secret >= game.n_secrets:
        raise UsageError(f"{text!r} may be guessed but is not one of the secrets")
    turns = play_secret(tree, secret)
    shown, missing = turns[:limit], turns[len(turns[:limit]) :]
    if as_json:
        print_json(_describe_game(tree, text, shown, symbols, is_found=not missing))
        return shown, missing
    for number, turn in enumerate(shown, start=1):
        click.echo(_format_turn(tree, number, turn, symbols))
    if missing:
        click.echo(f"stopped at the limit of {count_guesses(limit)}: not found")
    elif not turns or turns[-1].response != game.win:
        click.echo(f"it is {game.format_code(secret, symbols)}")
    return shown, missing


def _describe_game(
    tree: Tree, secret: str, turns: list[Turn], symbols: tuple[str, ...], *, is_found: bool
) -> dict[str, object]:
    game = tree.game
    return {
        "game": game.name,
        "strategy": tree.provenance.strategy,
        "secret": secret,
        "turns": [
            {
                "guess": game.format_code(turn.guess, symbols),
                "feedback": game.format_response(turn.response, turn.guess),
                "left": turn.n_left,
            }
            for turn in turns
        ],
        "found": is_found,
    }


def _format_turn(tree: Tree, number: int, turn: Turn, symbols: tuple[str, ...]) -> str:
    guess = paint_guess(tree.game, turn.guess, symbols, turn.response)
    answer = tree.game.format_response(turn.response, turn.guess)
    return f"{number:2}  {guess}  {answer}  {turn.n_left} left"
