"""Weights and costs from files: a line for each candidate or question, its name and its number."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from ..errors import GameError
from .answer_table import GROUP_MARK
from .base import Game, write_count
from .codebook import WordSource, name_source, read_source
from .questions import Questions
from .stakes import Number, read_cost, read_weight
from .text import clean

G = TypeVar("G", bound=Game)

MAX_LINES = 1_000_000
"""Games of more secrets or codes take no weights and costs from files."""


def read_stakes(game: G, weights: WordSource | None = None, costs: WordSource | None = None) -> G:
    """Return a game with weights and costs of files.

    Each line has a name and a number, separated by a comma, a semicolon, a tab or spaces; empty
    lines and ``#`` lines are ignored. Weights are given for every candidate, costs for every
    question, or for every code where candidates are guessed.

    Parameters
    ----------
    game
        The game.
    weights, costs
        The files; None keeps what the game has.

    Raises
    ------
    FormatError
        A file cannot be read.
    GameError
        A name is unknown, occurs twice or is missing, a number is out of range; the message gives
        file and line.
    """
    _check_number(game)
    found: Sequence[Number] | None = game.stakes.weights
    prices: Sequence[Number] | None = game.stakes.costs
    if weights is not None:
        found = _read_weights(game, weights)
    if costs is not None:
        prices = _read_costs(game, costs)
    return game.with_stakes(found, prices)


def sum_rows(game: Questions, numbers: Sequence[Fraction]) -> list[Fraction]:
    """Return what candidates weigh together that no question tells apart.

    Parameters
    ----------
    game
        A game of questions.
    numbers
        The weight of each row of its source.
    """
    return [sum((numbers[row] for row in rows), Fraction()) for rows in game.table.rows]


def spread_costs(game: Game, costs: Mapping[str, Fraction]) -> list[Fraction]:
    """Return a cost for each code of a game of questions, given those of its questions.

    Guessing a candidate costs 1.
    """
    plain = [Fraction(int(cost)) for cost in game.plain_costs[: game.n_secrets]]
    names = [game.format_code(code) for code in range(game.n_secrets, game.n_codes)]
    return [*plain, *(costs[name] for name in names)]


def parse_numbers(
    texts: Mapping[str, str], where: str, read: Callable[[str], Fraction]
) -> dict[str, Fraction]:
    """Return numbers by name; raise GameError, telling whose it is, if a text is none.

    Parameters
    ----------
    texts
        The written numbers, by name.
    where
        The file, for messages.
    read
        Returns the number of a text; GameError if it may not be.

    Examples
    --------
    >>> parse_numbers({"bee": "0.5"}, "animals.csv", read_weight)
    {'bee': Fraction(1, 2)}
    """
    numbers = {}
    for name, text in texts.items():
        try:
            numbers[name] = read(text)
        except GameError as error:
            raise GameError(f"{where}, {name!r:.80}: {error}") from None
    return numbers


def _check_number(game: Game) -> None:
    if game.n_codes > MAX_LINES:
        raise GameError(
            f"{game.name} has {write_count(game.n_codes)} codes; weights and costs are for games"
            f" of at most {MAX_LINES:,}"
        )


def _read_weights(game: Game, source: WordSource) -> list[Fraction]:
    if not isinstance(game, Questions):
        names = [game.format_code(code) for code in range(game.n_secrets)]
        numbers = _read_lines(source, names, "candidate", read_weight, _parse_code(game))
        return [numbers[name] for name in names]
    groups = [
        name.split(GROUP_MARK) if len(rows) > 1 else [name]
        for name, rows in zip(game.table.names, game.table.rows, strict=True)
    ]
    names = [name for group in groups for name in group]
    numbers = _read_lines(source, names, "candidate", read_weight)
    return [sum((numbers[name] for name in group), Fraction()) for group in groups]


def _read_costs(game: Game, source: WordSource) -> list[Fraction]:
    if isinstance(game, Questions):
        table = game.table
        numbers = _read_lines(source, table.questions, "question", read_cost, others=table.dropped)
        return spread_costs(game, numbers)
    names = [game.format_code(code) for code in range(game.n_codes)]
    numbers = _read_lines(source, names, "code", read_cost, _parse_code(game))
    return [numbers[name] for name in names]


def _parse_code(game: Game) -> Callable[[str], str]:
    """Return a function that writes a code as the game does, however it is given."""
    return lambda text: game.format_code(game.parse_code(text))


def _read_lines(
    source: WordSource,
    names: Iterable[str],
    what: str,
    read: Callable[[str], Fraction],
    parse: Callable[[str], str] = lambda text: text,
    others: Collection[str] = (),
) -> dict[str, Fraction]:
    """Return the numbers of a file by name; there must be one for each of some names.

    Parameters
    ----------
    what
        What the names are, for messages.
    read
        Returns a written number; GameError if it may not be.
    parse
        Returns a name as `names` has it; GameError if it is none.
    others
        Names that may occur, too.
    """
    where, wanted = name_source(source), dict.fromkeys(names)
    found: dict[str, Fraction] = {}
    for line, text in enumerate(read_source(source, where).splitlines(), start=1):
        if not text.strip() or text.startswith("#"):
            continue
        match = re.fullmatch(r"\s*(.*\S)(?:\s*[,;\t]\s*|\s+)(\S+)\s*", text)
        if match is None:
            raise GameError(f"{where} line {line}: {text!r:.80} is not a name and a number")
        try:
            name = parse(clean(match[1].strip().strip('"')))
            number = read(match[2].strip('"'))
        except GameError as error:
            raise GameError(f"{where} line {line}: {error}") from None
        if name in found:
            raise GameError(f"{where} line {line}: {name!r:.80} occurs twice")
        if name not in wanted and name not in others:
            raise GameError(f"{where} line {line}: there is no {what} {name!r:.80}")
        found[name] = number
    missing = [name for name in wanted if name not in found]
    if missing:
        raise GameError(
            f"{where} has nothing for {len(missing):,} of {len(wanted):,} {what}s; the first is"
            f" {missing[0]!r:.80}"
        )
    return found
