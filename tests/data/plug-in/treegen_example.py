"""An example of a plug-in: a game, a strategy, an exporter and an importer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, Any

import treegen

CAUTIOUS = "max,expected,consistent,highest"
"""A strategy may be a chain of criteria, or a `treegen.Strategy`."""


class Primes:
    """Bulls and Cows with prime numbers of N digits: primes3."""

    @staticmethod
    def from_name(name: str) -> treegen.Game | None:
        """Return the game of a name; None for a name of another family."""
        match = re.fullmatch(r"primes([1-4])", name)
        if match is None:
            return None
        least, end = 10 ** (int(match[1]) - 1), 10 ** int(match[1])
        numbers = range(max(least, 2), end)
        primes = [n for n in numbers if all(n % d for d in range(2, int(n**0.5) + 1))]
        return treegen.Codebook(list(map(str, primes)), feedback="pegs")


def write_markdown(tree: treegen.Tree, file: Any, *, depth: int | str = 2) -> None:
    """Nested Markdown lists, to a path or an open binary file."""
    lines = (
        f"{'  ' * node.depth}- {node.answer or 'start'}: **{node.guess}**\n"
        for node in iterate(tree, 0)
        if node.depth < int(depth)
    )
    if hasattr(file, "write"):
        stream: IO[bytes] = file
        stream.write("".join(lines).encode())
        return
    Path(file).write_text("".join(lines), encoding="utf-8")


def iterate(tree: treegen.Tree, number: int) -> Any:
    """Yield a state and those below it."""
    node = treegen.Node(tree, number)
    yield node
    for child in tree.children(number):
        yield from iterate(tree, child)


def read_moves(text: str) -> dict[str, Any]:
    """Lines such as "11 00:22 10:12", a guess, and the next one for each answer to it.

    treegen plays what an importer returns, a guess and what comes next for each answer, and
    refuses what does not find every secret.
    """
    tree: dict[str, Any] = {}
    for line in text.splitlines():
        first, *rest = line.split()
        state = tree if not tree else find(tree, first)
        state["guess"], state["next"] = first, {}
        for part in rest:
            answer, guess = part.split(":")
            state["next"][answer] = {"guess": guess, "next": {}}
    return tree


def find(state: dict[str, Any], guess: str) -> dict[str, Any]:
    """Return the state below that guesses something and has no answers yet."""
    for child in state["next"].values():
        if child["guess"] == guess and not child["next"]:
            return child
        if child["next"] and (found := find(child, guess)):
            return found
    return {}
