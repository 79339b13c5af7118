"""Text as alex1770's wordle prints a tree: guesses and colored answers in columns.

``salet BBBBB1 courd BBBBB2 nymph GGGGG3``: a guess, its answer with the number of the guess, the
next guess …; B is grey, Y yellow, G green. A line omits the answers that it shares with the line
above. Answers are sorted as in the program, B before G before Y. Guesses already made stand in
front, with their answers, and are counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import UsageError
from .text_header import describe_stub
from .view import View

_LETTERS = str.maketrans("012", "BYG")

Branch = tuple[str, int | None]
"""An answer as written, and the state after it; None if the game is won."""


def generate_wordle(view: View) -> Iterator[str]:
    """Yield a line for each game of the shown states, and for each state that is cut.

    Raises
    ------
    UsageError
        The game does not use position feedback.
    """
    if view.game.rule != "position":
        raise UsageError(
            f"the style wordle writes position feedback; {view.game.title} has other feedback"
        )
    line = _write_history(view)
    stack: list[tuple[Branch, int]] = [(("", view.root), len(line))]
    while stack:
        (answer, node), column = stack.pop()
        line = f"{line or ' ' * column}{answer}"
        if node is None:
            yield line
            line = ""
            continue
        line += f"{' ' if answer else ''}{view.guess(node)} "
        branches = _list_branches(view, node)
        stack.extend((branch, len(line)) for branch in reversed(branches))
        if view.is_cut(node):
            yield line + describe_stub(view.stub(node))
            line = ""


def _write_history(view: View) -> str:
    """Return the guesses already made, with their answers."""
    pairs = enumerate(view.history, start=1)
    return "".join(
        f"{view.write_code(guess)} {view.written(response).translate(_LETTERS)}{number} "
        for number, (guess, response) in pairs
    )


def _list_branches(view: View, node: int) -> list[Branch]:
    """Return the answers to a state's guess; for a cut one only the winning answer, if any."""
    if view.is_cut(node):
        return []
    number = len(view.history) + view.level(node)
    branches: list[Branch] = [
        (f"{view.response(child).translate(_LETTERS)}{number}", child)
        for child in view.children(node)
    ]
    if view.is_winning(node):
        branches.append((f"{view.written(view.game.win).translate(_LETTERS)}{number}", None))
    return sorted(branches, key=lambda branch: branch[0]) if view.order == "responses" else branches
