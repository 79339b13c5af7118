"""Weights and costs of any game, from files and mappings: a name and a number for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from .._files import TextSource, name_source, read_source
from ..errors import GameError
from .base import Game
from .questions import QuestionRules
from .rules import GROUP_MARK, Number, read_cost, read_weight, write_count
from .text import Names, clean, strip_accents, suggest
from .thresholds import parse_threshold, spread_columns
from .word_files import GAP, SEPARATORS, iter_entries, read_json_words

G = TypeVar("G", bound=Game)

MAX_LINES = 1_000_000
"""Games of more secrets or codes take no weights and costs from files."""


def read_stakes(
    game: G,
    weights: TextSource | Mapping[str, Number] | None = None,
    costs: TextSource | None = None,
    *,
    default_weight: Number | None = None,
    fold: bool = False,
    notice: Callable[[str], object] | None = None,
) -> G:
    """Return a game with weights and costs from files.

    Each line has a name and a number, separated by a comma, a semicolon, a tab or spaces; empty
    lines, ``#`` lines and a line of titles at the top are ignored. Weights are given for every
    candidate, also in a mapping by name; costs for every question, or for every code where
    candidates are guessed. Weights of words may be those of a whole language. None keeps what the
    game has.

    A candidate without a weight counts `default_weight`; if that is None, 1 with a mapping, and
    with a file it is a GameError. `notice` gets how many words the game lacks, and how many count
    by default, and what counts 1 if the costs have a common factor. With `fold`, names are read
    without accents, and weights of equal ones are added. GameError, with file and line, if a name
    is unknown, occurs twice or is missing, or a number is out of range; FormatError if a file
    cannot be read.
    """
    if game.n_codes > MAX_LINES:
        raise GameError(
            f"{game.name} has {write_count(game.n_codes)} codes; weights and costs are for games"
            f" of at most {MAX_LINES:,}"
        )
    found: Iterable[Number] | None = game.rules.weights
    if weights is not None:
        found = _read_weights(game, weights, default_weight, notice or (lambda text: None), fold)
    if costs is None:
        return game.with_stakes(found, game.rules.given_costs)
    prices = _read_costs(game, costs, fold)
    game = game.with_stakes(found, prices)
    note_unit(game, prices, notice)
    return game


def note_unit(game: Game, costs: Iterable[Number], notice: Callable[[str], object] | None) -> None:
    """Say what counts 1 where the costs of a game were given with a common factor."""
    pairs = zip(map(read_cost, costs), game.costs.tolist(), strict=False)
    unit = next((given / own for given, own in pairs if own), 1)
    if unit != 1 and notice is not None:
        notice(
            f"the costs are in lowest terms: {unit} counts 1, also in totals, lengths and"
            " `max_length`"
        )


def spread_costs(game: Game, costs: Mapping[str, Fraction]) -> list[Fraction]:
    """Return a cost for each code of a game of questions, given those of its questions.

    That of a column is for each of its thresholds. Guessing a candidate costs 1.
    """
    names = [game.format_code(code) for code in range(game.n_secrets, game.n_codes)]
    costs = spread_columns(names, costs)
    return [Fraction(1)] * game.n_secrets + [costs[name] for name in names]


def _read_weights(
    game: Game,
    source: TextSource | Mapping[str, Number],
    default: Number | None,
    notice: Callable[[str], object],
    fold: bool,
) -> list[Fraction]:
    groups = [[game.format_code(code)] for code in range(game.n_secrets)]
    if isinstance(game.rules, QuestionRules):
        table = game.rules.table
        groups = [
            # The name of a single row may hold the mark itself.
            name.split(GROUP_MARK) if len(rows) > 1 else [name]
            for name, rows in zip(table.names, table.rows, strict=True)
        ]
    names = [name for group in groups for name in group]
    whole = {GROUP_MARK.join(group): group for group in groups if len(group) > 1}
    takes_others = game.notation.is_of_words
    lines = _Lines(
        source,
        "candidate",
        [*names, *whole],
        _find_parser(game),
        takes_others=takes_others,
        fold=fold,
    )
    lines.read(read_weight)
    for name, group in whole.items():
        if name in lines.numbers:  # what a group weighs, not its members
            lines.numbers |= {**dict.fromkeys(group, Fraction()), group[0]: lines.numbers[name]}
    if lines.others:
        notice(
            f"{lines.where}: {len(lines.others):,} of"
            f" {len(lines.others) + len(lines.numbers):,} words are not in the game and left out,"
            f" such as {lines.others[0]!r:.80}"
        )
    missing = [name for name in names if name not in lines.numbers]
    if isinstance(source, Mapping) and default is None:  # which may hold exceptions alone
        lines.numbers |= dict.fromkeys(missing, Fraction(1))
    elif missing and default is not None:
        notice(
            f"{lines.where} has nothing for {len(missing):,} of {len(names):,} candidates, such as"
            f" {missing[0]!r:.80}: each weighs {default}"
        )
        lines.numbers |= dict.fromkeys(missing, read_weight(default))
    hint = "; `default_weight` gives them one"
    lines.refuse_missing(names, hint if lines.numbers else " (a line has a name and a number)")
    return [sum((lines.numbers[name] for name in group), Fraction()) for group in groups]


def _read_costs(game: Game, source: TextSource, fold: bool) -> list[Fraction]:
    if isinstance(game.rules, QuestionRules):
        asked = game.rules.table.questions
        known = [*asked, *game.rules.table.dropped]
        columns = [each.column for each in map(parse_threshold, known) if each]
        lines = _Lines(source, "question", [*known, *columns])
        lines.read(read_cost)
        lines.numbers = spread_columns(known, lines.numbers)
        lines.refuse_missing(asked)
        return spread_costs(game, lines.numbers)
    names = [game.format_code(code) for code in range(game.n_codes)]
    lines = _Lines(source, "code", names, _find_parser(game), fold=fold)
    lines.read(read_cost)
    lines.refuse_missing(names)
    return [lines.numbers[name] for name in names]


def _find_parser(game: Game) -> Callable[[str], str] | None:
    """Return a function that writes a code as the game does; None if there is only one way."""
    if game.notation.is_of_words or game.notation.asks_questions:
        return None
    return lambda text: game.format_code(game.parse_code(text))


class _Lines:
    """The numbers of a file, or of a mapping, by name.

    `what` says in messages what the names are. `parse` returns a name as `names` has it, or raises
    GameError. With `takes_others`, unknown names are kept in `others` instead of being refused.
    With `fold`, names are read without accents.
    """

    def __init__(
        self,
        source: TextSource | Mapping[str, Number],
        what: str,
        names: Sequence[str],
        parse: Callable[[str], str] | None = None,
        *,
        takes_others: bool = False,
        fold: bool = False,
    ) -> None:
        self.what, self.parse, self.takes_others = what, parse, takes_others
        self.is_bare = fold
        self.known, self.folded = frozenset(names), Names(names)
        self.numbers: dict[str, Fraction] = {}
        self.others: list[str] = []
        self._is_spelled: dict[str, bool] = {}
        if isinstance(source, Mapping):
            self.where = "the mapping of weights"
            self.entries: Iterable[tuple[str, str, Number]] = [
                ("", *item) for item in source.items()
            ]
        else:
            self.where = name_source(source)
            self.entries = self._split_lines(read_source(source, self.where))

    def read(self, parse_number: Callable[[Number], Fraction]) -> None:
        """Read the numbers; raise GameError at the first that is wrong."""
        place = 0
        for where, written, number in self.entries:
            place += 1
            try:
                written = strip_accents(written) if self.is_bare else written
                name = self._find(written)
                if name in self.known:
                    where = where or f", {written!r:.80}"  # a mapping has no lines
                    self._add(name, written, parse_number(number))
                elif place == 1 and isinstance(number, str) and not re.search(r"\d", number):
                    continue  # titles
                elif self.takes_others:
                    self.others.append(written)
                else:
                    near = suggest(written, self.known)
                    raise GameError(f"there is no {self.what} {written!r:.80}{near}")
            except GameError as error:
                raise GameError(f"{self.where}{where}: {error}") from None

    def refuse_missing(self, names: Collection[str], hint: str = "") -> None:
        """Raise GameError if a name has no number."""
        missing = [name for name in names if name not in self.numbers]
        if missing:
            raise GameError(
                f"{self.where} has nothing for {len(missing):,} of {len(names):,} {self.what}s; the"
                f" first is {missing[0]!r:.80}{hint}"
            )

    def _split_lines(self, text: str) -> Iterator[tuple[str, str, str]]:
        """Yield where each line is, its name and its number; those of a JSON object likewise."""
        found = read_json_words(text, self.where) if text.lstrip()[:1] == "{" else None
        if found is not None:
            for _, name, number in found.rows:
                yield "", clean(name), number
            return
        for line, entry in iter_entries(text):
            entry = entry.rstrip(SEPARATORS + " ")
            match = re.fullmatch(rf"(.*\S){GAP}(\S+)", entry)
            if match is None:
                raise GameError(
                    f"{self.where} line {line}: {entry!r:.80} is not a name and a number"
                )
            name, number = clean(match[1].strip('"')), match[2].strip('"')
            if not re.search(r"\d", number) and re.fullmatch(r"[\d.]*\d", name):
                name, number = number, name  # uniq -c counts in front
            decimal = re.fullmatch(rf'(.*\S){GAP}"?(\d+,\d+)"?', entry)
            if decimal is not None and name not in self.known:  # of crane;0,25 the number is 0,25
                shorter = clean(decimal[1].strip('"'))
                if self._find(shorter) in self.known:
                    name, number = shorter, decimal[2]
            yield f" line {line}", name, number

    def _find(self, text: str) -> str:
        """Return a name as the game has it; the text itself if the game lacks it."""
        if text in self.known:
            return text
        try:
            if self.parse is not None:
                return self.parse(text)
            place = self.folded.find(text)
        except GameError:
            if self.takes_others:
                return text
            raise
        return text if place is None else self.folded.texts[place]

    def _add(self, name: str, written: str, value: Fraction) -> None:
        """Add a number; in a list of a whole language, Reading is another word than reading."""
        is_spelled = name == written
        if name not in self.numbers:
            self.numbers[name], self._is_spelled[name] = value, is_spelled
        elif not self.takes_others or self._is_spelled[name] == is_spelled:
            if not (self.is_bare and self.takes_others):
                raise GameError(f"{name!r:.80} occurs twice")
            self.numbers[name] += value
        else:
            self.others.append(name)
            if is_spelled:
                self.numbers[name], self._is_spelled[name] = value, True
