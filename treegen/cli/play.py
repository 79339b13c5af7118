"""``treegen play``: a tree, or a strategy's tree built on the spot, breaks a code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..formats.kinds import PICTURES
from .build import make_strategy, run_build
from .completion import FILE, GAME, STRATEGY
from .options import game_options, json_option, open_game, parse_history, tables_option
from .output import load, print_json
from .pegs import paint_guess
from .play_online import ONLINE_NAMES, count_guesses, play_online
from .targets import Output, checks_outputs

if TYPE_CHECKING:
    from ..analysis.session import Session, Turn
    from ..tree import Tree
    from ..tree.provenance import History

TREE_SUFFIXES = (".tree", ".tgt")
HOW_TO_ANSWER = {
    "pegs": "in two numbers, black and white pegs",
    "black": "by the number of black pegs",
    "position": "by a digit for each letter: 2 green, 1 yellow, 0 grey",
}


@click.command()
@click.argument("source", type=GAME, metavar="FILE|GAME")
@game_options
@click.option(
    "-s", "--strategy", type=STRATEGY, help="Build this strategy's tree of GAME and play it."
)
@click.option("--secret", metavar="CODE", help="Play against this secret, without questions.")
@click.option("--history", metavar="H", help="Start after guesses already made: 1122:02/1344:11.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many guesses.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Of a random strategy.")
@click.option("--symbols", help="How colors are written: abcdef, or red,green,blue.")
@click.option("--picture", type=FILE, metavar="OUT", help="Draw the game: SVG, PNG or PDF.")
@tables_option
@json_option
@checks_outputs(Output("picture", PICTURES, may_stream=False))
def play(
    source: str,
    feedback: str | None,
    guesses: str | None,
    strategy: str | None,
    secret: str | None,
    history: str | None,
    limit: int | None,
    seed: int | None,
    symbols: str | None,
    picture: str | None,
    tables: str | None,
    as_json: bool,
) -> None:
    """Break a code: answer each guess with its feedback, or give the secret.

    An answer is written as black and white pegs (02). u takes the last answer back, q ends.
    """
    from ..errors import UsageError
    from ..games import parse_symbols

    if strategy in ONLINE_NAMES:
        if picture is not None:
            raise UsageError(f"--picture needs a tree; {strategy} plays without one")
        play_online(
            open_game(source, feedback, guesses),
            strategy,
            seed=seed,
            secret=secret,
            history=history,
            limit=limit,
            symbols=symbols,
            tables=tables,
            as_json=as_json,
        )
        return
    if tables is not None:
        raise UsageError("--tables belongs to -s permutation")
    if _is_file(source, strategy):
        if (feedback, guesses, seed) != (None, None, None):
            raise UsageError(
                f"--feedback, --guesses and --seed belong to a game; {source!r} is a tree"
            )
        tree = _load_tree(source, history)
    else:
        tree = _build(source, feedback, guesses, strategy, history, seed)
    names = parse_symbols(symbols, tree.game.n_colors) if symbols else tree.game.symbols
    if secret is not None:
        turns = _play_secret(tree, secret, names, limit, as_json)
    else:
        turns = _play_person(tree, names, limit)
    if picture is not None:
        _draw(tree, turns, names, picture)


def _draw(tree: Tree, turns: list[Turn], symbols: tuple[str, ...], output: str) -> None:
    from ..export.plot_game import write_game

    answers = "/".join(tree.game.format_response(turn.response) for turn in turns)
    write_game(tree, output, path=answers, symbols=symbols)


def _is_file(source: str, strategy: str | None) -> bool:
    return strategy is None and (source == "-" or source.endswith(TREE_SUFFIXES))


def _build(
    game: str,
    feedback: str | None,
    guesses: str | None,
    strategy: str | None,
    history: str | None,
    seed: int | None,
) -> Tree:
    the_game = open_game(game, feedback, guesses)
    rule = make_strategy(the_game, strategy or "knuth", seed=seed)
    return run_build(the_game, rule, parse_history(history, the_game), None, False)


def _load_tree(source: str, history: str | None) -> Tree:
    """Read a tree and follow a history in it, as far as its guesses are the tree's own."""
    from ..tree import cut_at

    tree = load(source).tree
    pairs = parse_history(history, tree.game)
    return cut_at(tree, _follow(tree, pairs)) if pairs else tree


def _follow(tree: Tree, history: History) -> int:
    from ..errors import UsageError
    from ..tree import describe_dead_end, find_child

    node = 0
    for guess, response in history:
        if guess != tree.guess[node]:
            raise UsageError(
                f"the tree guesses {tree.game.format_code(int(tree.guess[node]))} here, not"
                f" {tree.game.format_code(guess)}; treegen play GAME -s STRATEGY --history goes on"
                " from any guesses"
            )
        child = find_child(tree, node, response)
        if child is None:
            raise UsageError(describe_dead_end(tree, node, response))
        node = child
    return node


def _play_secret(
    tree: Tree, text: str, symbols: tuple[str, ...], limit: int | None, as_json: bool
) -> list[Turn]:
    from ..analysis.session import play_secret
    from ..errors import UsageError

    game = tree.game
    secret = game.parse_code(text, symbols)
    if secret >= game.n_secrets:
        raise UsageError(f"{text!r} may be guessed but is not one of the secrets")
    turns = play_secret(tree, secret)
    shown = turns[:limit]
    if as_json:
        print_json(_describe_game(tree, text, shown, symbols))
        return shown
    for number, turn in enumerate(shown, start=1):
        click.echo(_format_turn(tree, number, turn, symbols))
    if len(shown) < len(turns):
        click.echo(f"stopped at the limit of {count_guesses(limit)}: not found")
    return shown


def _describe_game(
    tree: Tree, secret: str, turns: list[Turn], symbols: tuple[str, ...]
) -> dict[str, object]:
    game = tree.game
    return {
        "game": game.name,
        "strategy": tree.provenance.strategy,
        "secret": secret,
        "turns": [
            {
                "guess": game.format_code(turn.guess, symbols),
                "feedback": game.format_response(turn.response),
                "left": turn.n_left,
            }
            for turn in turns
        ],
        "found": turns[-1].response == game.win,
    }


def _format_turn(tree: Tree, number: int, turn: Turn, symbols: tuple[str, ...]) -> str:
    guess = paint_guess(tree.game, turn.guess, symbols, turn.response)
    return f"{number:2}  {guess}  {tree.game.format_response(turn.response)}  {turn.n_left} left"


def choose_example(tree: Tree) -> int:
    """Return an answer to the first guess that can be given: that of the most secrets."""
    children = tree.children(0)
    if not len(children):
        return tree.game.win
    return int(tree.response[max(children, key=lambda child: int(tree.n_candidates[child]))])


def _play_person(tree: Tree, symbols: tuple[str, ...], limit: int | None) -> list[Turn]:
    """Ask for answers until the code is found, the limit is reached or the input ends."""
    from ..analysis.session import Session

    game = tree.game
    marks = game.format_response(choose_example(tree))
    click.echo(
        f"Think of a code: {tree.n_secrets:,} are possible. Answer each guess"
        f" {HOW_TO_ANSWER[game.rule]} ({marks}); u takes an answer back, q ends."
    )
    session = Session(tree)
    while not session.is_over:
        number = len(session.turns) + 1
        if limit is not None and number > limit:
            click.echo(f"stopped at the limit of {count_guesses(limit)}: not found")
            return session.turns
        of = f"/{limit}" if limit else ""
        guess = paint_guess(game, session.guess, symbols)
        click.echo(f"guess {number}{of}: {guess}  ({session.n_left:,} left)  answer: ", nl=False)
        if not _take_answer(session):
            return session.turns
    found = game.format_code(session.guess, symbols)
    click.echo(f"found {found} in {count_guesses(len(session.turns))}")
    return session.turns


def _take_answer(session: Session) -> bool:
    """Read one answer; return whether the game goes on. Mistakes are told and asked again."""
    from ..errors import TreegenError

    line = sys.stdin.readline()
    answer = line.strip().lower()
    if not line or answer in ("q", "quit"):
        click.echo("" if line else "\nno more answers")
        return False
    try:
        if answer in ("u", "undo"):
            session.undo()
        elif answer:
            session.answer(session.tree.game.parse_response(answer))
    except TreegenError as error:
        click.echo(f"  {error}")
    return True
