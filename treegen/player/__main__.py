"""Play a table on the terminal: python -m treegen.player FILE."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from os.path import isfile

from ..errors import FormatError, UnreachableError
from .tgt_player import Player

USAGE = """usage: python -m treegen.player FILE
FILE is a table (.tgt). Answer each guess with its black and white pegs: 0 2, or 02; with black pegs
alone, 3; with marks, 01020, where the game is answered by position; or with one of the answers that
are shown. The words of a table of answers may lie in FILE.labels.json."""


def main(args: Sequence[str]) -> int:
    """Play one game; return 0 when the code is found, 1 when the answers end, 2 on bad use."""
    if len(args) != 1 or args[0] in ("-h", "--help"):
        is_help = len(args) == 1
        print(USAGE, file=sys.stdout if is_help else sys.stderr)
        return 0 if is_help else 2
    try:
        labels = f"{args[0]}.labels.json"
        with Player.open(args[0], labels if isfile(labels) else "") as player:  # noqa: PTH113
            return play(player)
    except OSError as error:
        problem: object = f"cannot read {args[0]!r}: {error.strerror}"
    except FormatError as error:
        problem = error
    except ValueError as error:  # a null byte in the path
        problem = f"{args[0]!r}: {error}"
    print(f"treegen.player: {problem}", file=sys.stderr)  # noqa: T201
    return 2


def play(player: Player) -> int:
    """Ask for the answers to one guess after another."""
    n_guesses, is_asked = 0, player.rules.rule == "answers" and player.rules.announces
    for guess, answer in player.before:
        print(f"guessed before: {guess}, answered {answer}")  # noqa: T201
    while player.guess is not None:
        try:
            line = input(ask(player))
        except EOFError:
            print("\nno more answers: the code is not found")  # noqa: T201
            return 1
        try:
            player.answer(line)
            n_guesses += 1
        except UnreachableError as problem:
            print(problem.args[0])  # noqa: T201
    if player.rules.announces:
        print(f"it is {player.found}")  # noqa: T201
    one, many = ("question", "questions") if is_asked else ("guess", "guesses")
    print(f"found in {n_guesses} {one if n_guesses == 1 else many}")  # noqa: T201
    return 0


def ask(player: Player) -> str:
    """Return the guess as a question, with its answers if it has its own."""
    code = player.code
    if player.rules.rule != "answers" or code is None:
        return f"{player.guess}? "
    mark = "" if str(player.guess).endswith("?") else "?"
    answers = player.rules.list_answers(code)
    more = "/..." if len(answers) > 12 else ""
    return f"{player.guess}{mark} ({'/'.join(answers[:12])}{more}) "


def run() -> None:
    """Play as the command line says, and end the program."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")  # what is no text is no answer
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print()  # noqa: T201
        sys.exit(130)


if __name__ == "__main__":
    run()
