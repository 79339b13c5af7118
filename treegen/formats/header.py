"""The first lines of our own styles of text: what the text is, and what it claims.

Each line is ``# key: value``; an empty line ends the header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from ..errors import FormatError
from ..games.base import Game
from ..games.eligible import resolve_eligible
from ..games.histories import format_history, parse_history
from ..games.names import parse_game
from ..games.notation import parse_symbols, write_symbols
from ..games.rules import parse_goal, weigh, write_weights
from ..games.text import read_json_list
from ..strategies.stated import check_limits, find_bound_fault, read_provenance
from ..tree.tree import History, Provenance, Tree
from ..tree.walk import cut_at
from .sketch import Scanner, TextClaim
from .view import Stub, View


def generate_header(view: View, style: str, legend: str = "") -> Iterator[str]:
    """Yield the header of a text in one of treegen's styles, and the empty line that ends it.

    A legend says what the lines below consist of.
    """
    tree = cut_at(view.tree, view.root) if view.root else view.tree
    provenance, write = (
        tree.provenance,
        partial(write_weights, n_decimals=count_decimals(tree.game)),
    )
    lines = {
        "treegen": f"text in the style {style}",
        "game": view.game.rules.digest_name,
        "strategy": provenance.strategy,
        "rule": provenance.rule or None,
        "objective": provenance.objective or None,
        "bound": None if provenance.bound is None else write([provenance.bound]),
        "after": format_history(view.game.notation, view.history, joint=" ") or None,
        "symbols": None if view.symbols is None else write_symbols(view.symbols),
        "total": write([tree.total]),
        "worst": tree.worst,
        "histogram": write(tree.histogram),
        "digest": tree.digest,
        "cut": describe_cut(view) if view.is_cut_anywhere else None,
        "legend": legend or None,
    }
    yield from (f"# {key}: {value}" for key, value in lines.items() if value is not None)
    yield ""


def describe_cut(view: View) -> str:
    """Say how much of a cut view is shown."""
    n_shown = sum(1 for _ in view.nodes())
    return (
        f"guesses 1 to {view.depth} of {view.worst}; {n_shown} of {view.n_states} states are shown"
    )


def describe_stub(stub: Stub) -> str:
    """Say what is missing below a cut state."""
    states = "state" if stub.n_states == 1 else "states"
    return f"... {stub.n_states} more {states}, worst {stub.worst}"


def count_decimals(game: Game) -> int:
    """Return the number of decimals that tell any two weights of a game apart, at least 4."""
    return max(4, len(str(game.rules.share_unit)))


KEYS = (
    *("game", "strategy", "rule", "objective", "bound", "after", "symbols", "total"),
    *("worst", "histogram", "digest", "cut", "legend"),
)
"""Keys of a header that are read, or need not be."""

_HEADER_START = re.compile(r"# treegen: text in the style ([a-z-]+)\n")
_HEADER_LINE = re.compile(r"# ([a-z]+): (.*)\n")


@dataclass(slots=True)
class TextHeader:
    """The content of a header; everything is empty if a text has none.

    `end` is the offset of the first character after it; `fields` has for each key its value and the
    value's offset.
    """

    style: str = ""
    end: int = 0
    fields: dict[str, tuple[str, int]] = field(default_factory=dict)

    def get(self, key: str) -> str:
        """Return a value, ``""`` if the header does not have it."""
        return self.fields.get(key, ("", 0))[0]


def read_header(text: str) -> TextHeader:
    """Read a header if the text begins with one; raise FormatError if it is damaged or cut."""
    first = _HEADER_START.match(text)
    if first is None:
        return TextHeader()
    scanner = Scanner(text, first.end())
    header = TextHeader(style=first.group(1))
    while line := _HEADER_LINE.match(text, scanner.at):
        key, value = line.groups()
        if key in header.fields:
            raise scanner.error(f"the header says {key} twice")
        header.fields[key] = (value, line.start(2))
        scanner.at = line.end()
    if not text.startswith("\n", scanner.at):
        raise scanner.expected("'# key: value' or the empty line that ends the header")
    header.end = scanner.at + 1
    if "cut" in header.fields:
        value, place = header.fields["cut"]
        raise scanner.error(f"the text is cut and is not a whole tree: {value}", place)
    return header


def choose_game(header: TextHeader, scanner: Scanner, game: Game | None) -> Game:
    """Return the given game, or the header's; raise FormatError if they differ."""
    name, place = header.fields.get("game", ("", 0))
    if game is None:
        rules, _, goal = name.partition(" goal ")
        if not name or ":" in rules or " weighted:" in goal:
            raise FormatError("the text does not name the game: give it by `game=GAME`")
        with scanner.explain(place):
            return parse_game(rules).with_goal(parse_goal(goal)) if goal else parse_game(name)
    if name and name != game.rules.digest_name:
        raise scanner.error(
            f"the text is of {name:.120}; the game is {game.rules.digest_name}", place
        )
    return game


def read_symbols(header: TextHeader, scanner: Scanner, game: Game) -> tuple[str, ...] | None:
    """Return the header's symbols, None if it has none."""
    if "symbols" not in header.fields:
        return None
    value, place = header.fields["symbols"]
    with scanner.explain(place):
        is_one = game.n_colors == 1 and read_json_list(value) is None
        return (value,) if is_one else parse_symbols(value, game.n_colors)


def read_history(header: TextHeader, scanner: Scanner, game: Game) -> History:
    """Return the header's guesses and answers before the first state."""
    if "after" not in header.fields:
        return ()
    value, place = header.fields["after"]
    with scanner.explain(place):
        return parse_history(value, game.notation, joint=" ")


def make_provenance(
    header: TextHeader, scanner: Scanner, game: Game, history: History
) -> Provenance:
    """Return the tree's provenance as the header has it."""
    bound, place = header.fields.get("bound", ("", 0))
    proved, unit = None, game.rules.share_unit
    if re.fullmatch(r"[0-9]{1,18}", bound):
        proved = weigh(int(bound) * unit, unit)
    elif unit > 1 and re.fullmatch(r"[0-9]{1,18}\.[0-9]{1,18}", bound):
        proved = weigh(round(Fraction(bound) * unit), unit)
    elif bound:
        needed = "a number of at most 18 digits" if bound.isdecimal() else "a number"
        raise scanner.error(f"bound is {bound!r:.80}; {needed} is needed", place)
    return Provenance(
        strategy=header.get("strategy") or "imported",
        rule=header.get("rule"),
        history=history,
        objective=header.get("objective"),
        bound=proved,
    )


def read_claims(header: TextHeader, scanner: Scanner) -> dict[str, TextClaim]:
    """Return the header's statistics, to be compared with the tree's."""
    return {
        key: scanner.read_claim(key, *header.fields[key])
        for key in ("total", "worst", "histogram", "digest")
        if key in header.fields
    }


def refuse_contradiction(header: TextHeader, scanner: Scanner, tree: Tree) -> None:
    """Raise FormatError if what a text says of its tree contradicts the tree.

    `verify` does so, too; whether name and rule are those of the tree is left to it.
    """
    places = {key: place for key, (_, place) in header.fields.items()}
    stated = read_provenance(tree.provenance, tree.game)
    with scanner.explain(places.get("rule", places.get("strategy", "rule"))):
        resolve_eligible(tree.game, stated.eligible)
    limits = [] if stated.is_part else check_limits(stated, tree, tree.worst)
    for key, problem in (
        ("objective", stated.unread.get("objective")),
        ("bound", find_bound_fault(stated, tree.total)),
        *(("rule", problem) for _, _, problem in limits),
    ):
        if problem:
            raise scanner.error(problem, places.get(key, key))
