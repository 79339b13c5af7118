"""``treegen play`` without a secret: a person answers, and may guess something else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ..games import Goal, Questions, parse_pair, read_json_list
from .pegs import paint_guess
from .play_online import count_guesses
from .table import print_blocks

if TYPE_CHECKING:
    from ..analysis import Session
    from ..games import Game
    from ..tree import Tree, Turn

HOW_TO_ANSWER = {
    "pegs": "in two numbers, black and white pegs",
    "black": "by the number of black pegs",
    "position": "by a digit for each letter: 2 green, 1 yellow, 0 grey",
    "answers": "in its own words",
    "order": "by lower, higher or right",
}


MOST_ANSWERS = 12
"""So many answers to a question are listed."""

HELP = ("c", "candidates", "b", "best")
"""What a player may type to see more, each in short and in full."""

KEYS = (
    "c lists the candidates, b the best guesses; u takes an answer back, q ends, ? says this again."
)
"""What a player may type besides answers."""


def play_person(
    session: Session,
    symbols: tuple[str, ...],
    limit: int | None,
    picture: str | None = None,
) -> bool | None:
    """Play with a person; return whether the code was found, None if the person quit."""
    tree = session.tree
    is_found = _ask(session, symbols, limit)
    if picture is not None:
        draw(tree, session.turns, session.code, symbols, picture)
    return is_found


def draw(
    tree: Tree, turns: Sequence[Turn], code: int, symbols: tuple[str, ...], output: str
) -> None:
    """Draw a game, and what is guessed or announced next unless it is won."""
    from ..export import GameRow, choose_format, plot_rows, write_figure

    before = [tree.n_secrets, *(turn.n_left for turn in turns)]
    rows = [
        GameRow(turn.code, turn.response, n_candidates)
        for turn, n_candidates in zip(turns, before, strict=False)
    ]
    if not turns or turns[-1].response != tree.game.win:
        rows.append(GameRow(code, None, before[-1]))
    chosen = choose_format(output, None)
    title = f"{tree.game.title} · {tree.provenance.strategy}"
    write_figure(plot_rows(tree.game, title, rows, symbols), output, chosen)


def choose_example(tree: Tree) -> int:
    """Return a possible answer to the first guess: that of the most secrets."""
    children = tree.children(0)
    if not len(children):
        return tree.game.win
    return int(tree.response[max(children, key=lambda child: int(tree.n_candidates[child]))])


def _ask(session: Session, symbols: tuple[str, ...], limit: int | None) -> bool | None:
    """Ask for answers until the code is found, the limit is reached or the input ends."""
    tree = session.tree
    game = tree.game
    if session.is_over:
        click.echo(f"{game.format_code(session.code, symbols)} alone is possible")
        return True
    marks = game.format_response(choose_example(tree), int(tree.guess[0]))
    what = {"questions": "candidate", "range": "number"}.get(game.kind, "code")
    how = HOW_TO_ANSWER.get(game.rule, "as the game is answered")
    rules = (
        f"Answer each {_name_step(game)} {how} ({marks}); {_name_step(game).upper()}:ANSWER tells"
        f" what you {'asked' if game.kind == 'questions' else 'guessed'} instead; {KEYS}"
    )
    click.echo(f"Think of a {what}: {tree.n_secrets:,} are possible. {rules}")
    while not session.is_over:
        number = len(session.turns) + 1
        if limit is not None and number > limit:
            click.echo(f"stopped at the limit of {count_guesses(limit)}: not found")
            return False
        of = f"/{limit}" if limit else ""
        guess = paint_guess(game, session.code, symbols)
        answers = _list_answers(session)
        left = f"{session.n_left:,} left"
        step = f"{_name_step(game)} {number}{of}: {guess}"
        click.echo(f"{step}  ({left})  answer{answers}: ", nl=False)
        if not _take_answer(session, symbols, rules):
            return None
    found = game.format_code(session.code, symbols)
    length = len(session.turns)
    asked = f"{length} question{'s' * (length != 1)}" if game.kind == "questions" else ""
    click.echo(f"found {found} in {asked or count_guesses(length)}")
    return True


def _name_step(game: Game) -> str:
    """Return what a step of the game is called."""
    return "question" if game.kind == "questions" and game.goal == Goal.IDENTIFY else "guess"


def _list_answers(session: Session) -> str:
    """Return the answers to a question, if it has its own."""
    game = session.tree.game
    if not isinstance(game, Questions):
        return ""
    answers = game.list_answers(session.code)
    joint = ", " if any("/" in answer for answer in answers) else "/"
    shown = joint.join([*answers[:MOST_ANSWERS], *["…"] * (len(answers) > MOST_ANSWERS)])
    return f" ({shown})"


def _help(session: Session, wish: str, symbols: tuple[str, ...]) -> None:
    """Print the candidates or the best guesses."""
    found = replace(session.advise(), symbols=symbols)
    is_about_guesses = wish in ("b", "best")
    print_blocks(found.describe_guesses() if is_about_guesses else found.describe_candidates())


def _is_answer(session: Session, text: str) -> bool:
    """Whether a text is an answer to a question, whatever else it may mean here."""
    game = session.tree.game
    return isinstance(game, Questions) and text in game.list_answers(session.code)


def _take_answer(session: Session, symbols: tuple[str, ...], rules: str) -> bool:
    """Read one answer; return whether the game continues. Report mistakes and ask again."""
    from ..errors import TreegenError

    line = sys.stdin.readline().removeprefix("\ufeff")
    answer = line.strip()
    is_end = answer.lower() in ("q", "quit") and not _is_answer(session, answer)
    if not line or is_end:
        click.echo("" if line else "\nno more answers")
        return False
    game = session.tree.game
    try:
        if _is_answer(session, answer):
            session.answer(answer)
        elif answer.lower() in ("u", "undo"):
            session.undo()
        elif answer.lower() in ("?", "help"):
            click.echo(f"  {rules}")
        elif answer.lower() in HELP:
            _help(session, answer.lower(), symbols)
        elif ":" in answer or read_json_list(answer) is not None:
            code, response = parse_pair(answer, game, symbols)
            session.respond(response, code)
        elif answer:
            session.answer(answer)
    except TreegenError as error:
        click.echo(f"  {error}")
    return True
