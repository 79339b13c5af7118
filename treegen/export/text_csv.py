"""Text for the Wordle leaderboards: one game per line, its guesses, the secret last.

``SALET,COURD,NYMPH``. The games are sorted by their secrets as strings, as Doddle's ``to_csv`` and
jonathanolson's ``export.js`` sort them. Answers are not written: they follow from the secret.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import UsageError
from .view import View


def generate_csv(view: View) -> Iterator[str]:
    """Yield a line for each secret.

    Raises
    ------
    UsageError
        A depth cuts the games, another order is given, or a symbol contains a comma.
    """
    if view.is_cut_anywhere or view.order != "responses":
        raise UsageError("the style csv writes whole games, sorted: no --depth and no --order")
    if any("," in symbol for symbol in view.symbols or view.game.symbols):
        raise UsageError("the style csv cannot write a symbol that contains a comma")
    games: list[tuple[str, str]] = []
    stack = [(view.root, "")]
    while stack:
        node, before = stack.pop()
        guess = view.guess(node)
        if view.is_winning(node):
            games.append((guess, before + guess))
        stack.extend((child, f"{before}{guess},") for child in view.children(node))
    yield from (line for _, line in sorted(games))
