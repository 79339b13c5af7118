"""From a text to a tree: a reader's sketch grows into a tree, and every claim is checked.

The reader of a format gets an empty `Sketch`, moves its `Scanner` over the text and adds what it
finds: states, the place of each, and what the text claims. `grow_tree` then grows the tree level by
level.
At each state the text's guess is scored against every candidate, by the plain definition; the
resulting cells must be those of the text, no more and no fewer, unless it omits them by a short
form. What is omitted is completed: of one or two candidates left, the first is guessed. Claims are
compared with the tree that has grown.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import IntEnum
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError, GameError, TreeError, UsageError
from ..games.base import Game, follow
from ..games.notation import Notation
from ..games.rules import Weight, write_weights
from ..games.text import are_joined
from ..tree.tree import Columns, History, Provenance, Tree, join_levels
from ..tree.walk import (
    Split,
    TreeStates,
    find_longest,
    list_level,
    split_states,
    start_states,
    sum_lengths,
)
from .json_text import JsonPath, write_path

Place = int | JsonPath
"""The place of something: an offset in the text, or words."""


class Below(IntEnum):
    """What a text says about the states below one; the number is the largest cell left out."""

    LISTED = 0
    """They are written; all must be there."""
    SINGLES = 1
    """They are left out: after the guess no cell has more than one candidate."""
    PAIRS = 2
    """They are left out: no cell has more than two, and of two the first is guessed first."""


@dataclass(frozen=True, slots=True)
class TextClaim:
    """What a text claims about its tree, and where: compared once the tree is grown."""

    value: Any
    place: Place


def read_weight(text: str) -> Weight:
    """Return the number of a text, a fraction if it has decimals; raise ValueError for others.

    >>> read_weight("24"), read_weight("1.5")
    (24, Fraction(3, 2))
    """
    return Fraction(text) if re.fullmatch(r"[0-9]{1,18}\.[0-9]{1,18}", text) else int(text)


_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[0-9]{1,10}", re.ASCII)
_PARSERS: dict[str, Callable[[str], Any]] = {
    "average": float,
    "total": read_weight,
    "n_worst": read_weight,
    "histogram": lambda text: [read_weight(count) for count in text.split("/")] if text else [],
    "digest": str,
}
"""How the statistics that are no whole numbers are written."""


@dataclass(slots=True)
class Scanner:
    """A text, and the offset of the next character."""

    text: str
    at: int = 0

    def locate(self, place: Place) -> str:
        """Return a place in words: of an offset line and column, from 1."""
        if not isinstance(place, int):
            return write_path(place)
        line, column = self.text.count("\n", 0, place) + 1, place - self.text.rfind("\n", 0, place)
        return f"line {line}, column {column}"

    def error(self, message: str, place: Place | None = None) -> FormatError:
        """Return an error at a place, by default the cursor."""
        return FormatError(f"{self.locate(self.at if place is None else place)}: {message}")

    def expected(self, what: str) -> FormatError:
        """Return an error that says what was expected and what was found at the cursor."""
        rest = self.text[self.at : self.at + 12].split("\n")[0]
        found = "the end of the line" if self.at < len(self.text) else "the end of the text"
        if rest:
            found = "'...': the text is cut there" if rest.startswith("...") else repr(rest)
        return self.error(f"expected {what}, found {found}")

    def skip_space(self) -> int:
        """Skip white space; return the offset behind it."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def peek(self) -> str:
        """Return the next character that is not white space, ``""`` at the end."""
        self.skip_space()
        return self.text[self.at : self.at + 1]

    def take(self, literal: str) -> bool:
        """Skip a literal if it comes next, and white space before it."""
        self.skip_space()
        if not self.text.startswith(literal, self.at):
            return False
        self.at += len(literal)
        return True

    def step(self, symbol: str) -> bool:
        """Skip a symbol, in any case, if it comes next without white space before it."""
        part = self.text[self.at : self.at + len(symbol)]
        if part != symbol and part.casefold() != symbol.casefold():
            return False
        self.at += len(symbol)
        return True

    def expect(self, literal: str, what: str = "") -> None:
        """Skip a literal; raise FormatError if something else comes next."""
        if not self.take(literal):
            raise self.expected(what or repr(literal))

    def expect_end(self) -> None:
        """Raise FormatError if anything but white space is left."""
        if self.peek():
            raise self.expected("the end of the text")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Skip what a pattern matches next, and white space before it."""
        self.skip_space()
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def number(self, what: str) -> int:
        """Read a number."""
        match = self.match(_NUMBER)
        if match is None:
            raise self.expected(what)
        return int(match.group())

    def iter_lines(self) -> Iterator[tuple[str, int]]:
        """Yield the lines that are left and not empty, each with its offset."""
        place = self.at
        for line in self.text[self.at :].split("\n"):
            if line.strip():
                yield line.rstrip(), place
            place += len(line) + 1

    def match_lines(self, pattern: re.Pattern[str]) -> Iterator[list[re.Match[str]]]:
        """Yield what a pattern finds in each line that is left, the cursor at its beginning."""
        while self.at < len(self.text):
            yield list(pattern.finditer(self.text, self.at, self.line_end))
            self.at = self.line_end + 1

    def read_claim(self, name: str, text: str, place: Place) -> TextClaim:
        """Return the value that a text gives a claim; raise FormatError if it cannot be read."""
        try:
            return TextClaim(_PARSERS.get(name, int)(text), place)
        except ValueError as error:
            raise self.error(f"{name} is {text!r:.40}; a number is needed", place) from error

    @property
    def line_end(self) -> int:
        """The offset of the end of the cursor's line."""
        end = self.text.find("\n", self.at)
        return end if end >= 0 else len(self.text)

    @contextmanager
    def explain(self, place: Place) -> Iterator[None]:
        """Raise FormatError, which says where, if the game refuses what is written at a place."""
        try:
            yield
        except (GameError, UsageError) as error:
            raise self.error(error.args[0], place) from error


@dataclass(slots=True)
class Sketch:
    """The states that a text describes, in any order, but the root first."""

    NULL: ClassVar[int] = -1
    """No parent, no response, no guess, no count."""

    scanner: Scanner
    game: Game
    notation: Notation | None = None  # how codes are written; None: as the format has it
    history: History = ()  # guesses made before the root
    # For each state:
    parent: list[int] = field(default_factory=list)
    response: list[int] = field(default_factory=list)  # that leads to it
    guess: list[int] = field(default_factory=list)  # `NULL`: left to the rule for one or two
    count: list[int] = field(default_factory=list)  # candidates claimed
    below: list[int] = field(default_factory=list)  # a member of `Below`
    place: list[Place] = field(default_factory=list)
    # What the text says about the tree's origin:
    strategy: str = ""
    rule: str = ""
    wins: dict[int, bool] = field(default_factory=dict)  # whether a guess may win, where it is said
    claims: dict[str, TextClaim] = field(default_factory=dict)  # total, worst, histogram, …
    claims_of: dict[int, dict[str, TextClaim]] = field(default_factory=dict)  # of single states
    # States whose short form may claim too much, about the win or the cells left out: a remark.
    doubtful_wins: set[int] = field(default_factory=set)
    doubtful_cells: set[int] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)  # where the tree deviates, a sentence each
    announced: list[str] = field(default_factory=list)  # see `announce`
    _entered: dict[tuple[int, int], int] = field(default_factory=dict)
    _codes: dict[str, int] = field(default_factory=dict)
    _responses: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)

    def add(
        self, parent: int, response: int, guess: int, place: Place, *, count: int = NULL
    ) -> int:
        """Add a state and return its number."""
        self.parent.append(parent)
        self.response.append(response)
        self.guess.append(guess)
        self.count.append(count)
        self.below.append(Below.LISTED)
        self.place.append(place)
        return len(self.parent) - 1

    def enter(
        self, parent: int, response: int, guess: int, place: Place, *, is_new: bool = False
    ) -> int:
        """Return the state after a response, added unless it was entered before.

        Raises FormatError if it was entered with another guess.
        """
        key = parent, response
        if is_new or key not in self._entered:
            self._entered[key] = self.add(parent, response, guess, place)
        state = self._entered[key]
        if self.guess[state] != guess:
            ours, theirs = map(self.write_code, (guess, self.guess[state]))
            where = self.scanner.locate(self.place[state])
            raise self.scanner.error(f"{ours} is guessed where {theirs} was at {where}", place)
        return state

    def list_short(self) -> list[int]:
        """Return the states written as plain ``n (g)``: g may win, no cell has two."""
        return [
            state
            for state, below in enumerate(self.below)
            if below == Below.SINGLES and self.wins.get(state)
        ]

    def error(self, state: int, message: str) -> FormatError:
        """Return an error that says where the state is."""
        return self.scanner.error(message, self.place[state])

    def write_code(self, code: int) -> str:
        """Return a guess, or what is announced."""
        if code >= self.game.n_codes:
            return self.announced[code - self.game.n_codes]
        return self.game.format_code(code)

    def announce(self, text: str) -> int:
        """Return the number of what a leaf announces where several candidates may be left.

        It is no code: which of them is the leaf's guess is known when the tree has grown.
        """
        if text not in self.announced:
            self.announced.append(text)
        return self.game.n_codes + self.announced.index(text)

    def read_end(self, text: str) -> int:
        """Return the candidate of a name, or what is announced; GameError if it is neither."""
        if self.game.notation.announces(text, at_end=True):
            return self.announce(text)
        return self.game.parse_secret(text)

    def parse_code(self, text: str, place: Place) -> int:
        """Return the index of a code written at a place."""
        if self.game.notation.announces(text):
            return self.announce(text)
        if text not in self._codes:
            with self.scanner.explain(place):
                self._codes[text] = (self.notation or self.game.notation).parse_code(text)
        return self._codes[text]

    def parse_response(self, text: str, place: Place, guess: int | None = None) -> int:
        """Return the response written at a place, to a question in its own words."""
        guess = guess if guess is not None and 0 <= guess < self.game.n_codes else None
        key = text, () if guess is None else self.game.notation.list_answers(guess)
        if key not in self._responses:
            with self.scanner.explain(place):
                self._responses[key] = self.game.parse_response(text, guess)
        return self._responses[key]

    def take_code(self) -> int:
        """Take the code at the scanner's cursor, which ends where its symbols do."""
        scanner, game = self.scanner, self.game
        begin, notation = scanner.skip_space(), self.notation or game.notation
        written = notation.symbols
        is_dotted = not ((notation.is_of_words and self.notation is None) or are_joined(written))
        by_length = sorted(written, key=len, reverse=True)
        for peg in range(game.n_pegs):
            is_apart = not (peg and is_dotted) or scanner.step(".")
            if not is_apart or not any(map(scanner.step, by_length)):
                word = re.match(r"[^\s:;,(){}\[\]]*", scanner.text[begin:])
                found, example = word.group() if word else "", game.format_code(0)
                raise scanner.error(
                    f"expected a code of {game.name} such as {example}, found {found!r:.80}", begin
                )
        return self.parse_code(scanner.text[begin : scanner.at], begin)


NULL = Sketch.NULL

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree read from a text, proved to find every secret."""

    tree: Tree
    n_completed: int  # states whose guess the text leaves to the rule for one or two candidates
    remarks: tuple[str, ...] = ()  # where the tree deviates from the text, a sentence each


def grow_tree(sketch: Sketch, provenance: Provenance) -> Grown:
    """Grow the tree that a sketch describes, and check it; the provenance has the sketch's history.

    Raises FormatError if a count, a branch or a claim of the text is wrong; the message says where
    and why.
    """
    if not sketch.guess:
        raise FormatError("the text has no state")
    return _Grower(sketch).grow(provenance)


class _Grower:
    """The columns of a sketch as arrays, its states sorted by parent and response.

    The methods take the states of one level: their `numbers` in the sketch, `NULL` where the text
    leaves a state out, and their `guesses`. Claims that are wrong, and tolerated as the sketch
    doubts them, are noted.
    """

    def __init__(self, sketch: Sketch) -> None:
        self.sketch, self.game = sketch, sketch.game
        self.wrong_wins: set[int] = set()
        self.wrong_cells: set[int] = set()
        self.guess = np.array([*sketch.guess, NULL], dtype=np.int64)
        self.count = np.array([*sketch.count, NULL], dtype=np.int64)
        # The last row represents the states that the text leaves out, at index NULL. If their guess
        # is left out too, nothing below is written.
        below = np.array([*sketch.below, Below.SINGLES], dtype=np.int64)
        self.below = np.where(self.guess == NULL, Below.SINGLES, below)
        stride = self.game.n_responses
        keys = np.array(sketch.parent, dtype=np.int64) * stride + np.array(sketch.response)
        self.order = np.argsort(keys[1:], kind="stable") + 1
        self.keys = keys[self.order]
        self.is_used = np.zeros(len(self.keys), dtype=bool)
        for at in np.flatnonzero(self.keys[1:] == self.keys[:-1])[:1]:
            state = int(self.order[at + 1])
            guess = sketch.guess[sketch.parent[state]]
            written = self.game.format_response(sketch.response[state], guess)
            raise sketch.error(state, f"the answer {written} is written twice for one guess")

    def grow(self, provenance: Provenance) -> Grown:
        """Grow level by level."""
        states = start_states(*follow(self.game, self.sketch.history))
        if not len(states.candidates):
            raise FormatError("no secret agrees with the guesses before the first state")
        numbers = np.zeros(1, dtype=np.int64)
        levels, found, n_completed = list[Columns](), [], 0
        while len(numbers):
            guesses = self._find_guesses(numbers, states)
            n_completed += int(np.count_nonzero(self.guess[numbers] == NULL))
            found.append(numbers)
            split = split_states(self.game, states, guesses)
            levels.append(list_level(states, guesses, split.below))
            self._check_wins(numbers, guesses, split.may_win)
            self._check_progress(numbers, guesses, split)
            numbers, states = self._match(numbers, guesses, split.below), split.below
        self._check_all_used()
        tree = join_levels(self.game, provenance, levels)
        try:
            tree.check()
        except TreeError as error:
            raise FormatError(f"the text is not a tree: {error}") from error
        _check_claims(self.sketch, tree, np.concatenate(found))
        return Grown(tree, n_completed, (*self.sketch.remarks, *self._describe_wrong()))

    def _find_guesses(self, numbers: Ints, states: TreeStates) -> Ints:
        """Return the guess of each state of a level, after a check of the counts."""
        claimed, sizes = self.count[numbers], states.sizes
        for at in np.flatnonzero((claimed != NULL) & (claimed != sizes))[:1]:
            message = f"{claimed[at]} candidates are written; there are {sizes[at]}"
            raise self.sketch.error(int(numbers[at]), message)
        guesses = self.guess[numbers]
        if self.sketch.announced:
            return self._find_announced(numbers, guesses, states)
        implied = guesses == NULL
        for at in np.flatnonzero(implied & (sizes > 2))[:1]:
            # A state that is left out has at most two candidates: the cells above were checked.
            message = f"a state with {sizes[at]} candidates needs a guess"
            raise self.sketch.error(int(numbers[at]), message)
        return np.where(implied, states.candidates[states.starts[:-1]], guesses)

    def _find_announced(self, numbers: Ints, guesses: Ints, states: TreeStates) -> Ints:
        """Return the questions of a level, and for what it announces the heaviest candidate."""
        found = guesses.copy()
        for at, (guess, heaviest) in enumerate(zip(guesses, states.heaviest, strict=True)):
            candidates = states.of(at)
            left = self.game.notation.announce(candidates.tolist())
            is_over, written = self.game.rules.is_over(candidates), self.sketch.write_code(guess)
            if is_over and written != left:
                message = (
                    f"nothing more can be told apart: {left!r:.80} is left, not {written!r:.80}"
                )
                raise self.sketch.error(int(numbers[at]), message)
            if not is_over and guess >= self.game.rules.n_codes:
                message = f"{written!r:.80} is announced where {left!r:.80} can still be told apart"
                raise self.sketch.error(int(numbers[at]), message)
            found[at] = heaviest if is_over else guess
        return found

    def _check_wins(self, numbers: Ints, guesses: Ints, wins: NDArray[np.bool_]) -> None:
        """Raise if the text says that a guess may win and it cannot, or the reverse."""
        sketch = self.sketch
        for at, state in enumerate(numbers.tolist() if sketch.wins else ()):
            if state == NULL or sketch.wins.get(state, wins[at]) == wins[at]:
                continue
            if state in sketch.doubtful_wins:
                self.wrong_wins.add(state)
                continue
            code = self.sketch.write_code(int(guesses[at]))
            hint = "; `lenient=True` accepts it" if sketch.below[state] == Below.SINGLES else ""
            message = f"the text treats {code} as a possible secret here; it is not"
            if wins[at]:
                message = f"{code} is a possible secret here; the text says it is none"
            raise sketch.error(state, f"{message} (misprint?{hint})")

    def _check_progress(self, numbers: Ints, guesses: Ints, split: Split) -> None:
        for at in split.stalled[:1]:
            owner, n_candidates = int(split.below.parents[at]), int(split.below.sizes[at])
            code = self.game.format_code(int(guesses[owner]))
            reason = (
                f"one candidate is left, and {code} is not it"
                if n_candidates == 1
                else f"{code} gains no information: all {n_candidates} candidates answer alike"
            )
            raise self.sketch.error(int(numbers[owner]), reason)

    def _match(self, numbers: Ints, guesses: Ints, cells: TreeStates) -> Ints:
        """Return the sketch's state of each cell, `NULL` if a short form leaves it out."""
        sketch, game, sizes = self.sketch, self.game, cells.sizes
        parents = numbers[cells.parents]
        listed = self.below[parents] == Below.LISTED
        wanted = parents * game.n_responses + cells.responses
        places = np.searchsorted(self.keys, wanted)
        found = np.zeros(len(wanted), dtype=bool)
        inside = (places < len(self.keys)) & (parents != NULL)
        found[inside] = self.keys[places[inside]] == wanted[inside]

        def write(at: int) -> tuple[str, str]:
            guess = int(guesses[cells.parents[at]])
            response = int(cells.responses[at])
            return game.format_code(guess), game.format_response(response, guess)

        for at in np.flatnonzero(listed & ~found)[:1].tolist():
            code, answer = write(at)
            message = f"the guess {code} can be answered {answer}: that branch is missing"
            raise sketch.error(int(parents[at]), message)
        is_larger = sizes > self.below[parents]
        for at in np.flatnonzero(~listed & is_larger & (parents != NULL)).tolist():
            state = int(parents[at])
            if sizes[at] <= Below.PAIRS and state in sketch.doubtful_cells:
                self.wrong_cells.add(state)
                continue
            message = (
                f"the cells are left out as if none held more than {self.below[state]};"
                f" the answer {write(at)[1]} leaves {sizes[at]} candidates"
            )
            raise sketch.error(state, message)
        self.is_used[places[found]] = True
        below = np.full(len(wanted), NULL, dtype=np.int64)
        below[found] = self.order[places[found]]
        return below

    def _check_all_used(self) -> None:
        """Raise for the first branch of the text that no candidate takes."""
        sketch = self.sketch
        for state in np.sort(self.order[~self.is_used])[:1].tolist():
            guess = sketch.guess[sketch.parent[state]]
            if guess >= self.game.n_codes:
                raise sketch.error(
                    state, f"nothing follows what is announced: {sketch.write_code(guess)}"
                )
            answer = self.game.format_response(sketch.response[state], guess)
            code = sketch.write_code(guess)
            message = f"no candidate answers {code} with {answer}: that branch cannot occur"
            raise sketch.error(state, message)

    def _describe_wrong(self) -> Iterator[str]:
        """Yield a sentence for each kind of claim that was tolerated."""
        for states, note in (
            (self.wrong_wins, "though g cannot win: read as n (g*)"),
            (self.wrong_cells, "though a cell holds two: read as n (gx)"),
        ):
            if states:
                first = self.sketch.scanner.locate(self.sketch.place[min(states)])
                kind = "state is" if len(states) == 1 else "states are"
                yield f"{len(states)} {kind} written n (g) {note}; the first at {first}"


def _check_claims(sketch: Sketch, tree: Tree, states: NDArray[np.int64]) -> None:
    """Compare what a text says of its tree and of single states with the facts.

    `states`, int64[n_nodes], has for each node its state in the sketch, `NULL` where the text
    leaves it out. Raises FormatError if a claim is wrong; the message says where it is.
    """
    for name, claim in sketch.claims.items():
        _compare(sketch, name, claim, getattr(tree, name), "its tree")
    if not sketch.claims_of:
        return
    # Other programs know no weights and no costs: a guess counts 1, whatever the game says.
    plain = replace(tree, game=tree.game.with_stakes())
    depth, sizes = plain.depth.astype(np.int64), plain.n_candidates.astype(np.int64)
    totals = sum_lengths(plain) - depth * sizes  # lengths count from the state
    facts: dict[str, Sequence[Any]] = {
        "depth": depth.tolist(),
        "wins": plain.is_winning.tolist(),
        "total": totals.tolist(),
        "average": (totals / sizes).tolist(),
        "worst": (find_longest(plain) - depth).tolist(),
    }
    if any("histogram" in claims for claims in sketch.claims_of.values()):
        facts["histogram"] = _list_histograms(plain)
    for node, state in enumerate(states.tolist()):
        for name, claim in sketch.claims_of.get(state, {}).items():
            _compare(sketch, name, claim, facts[name][node], "that state" if node else "its tree")


def _list_histograms(tree: Tree) -> list[list[int]]:
    """Return for each node how many secrets are found with 1, 2, 3 … guesses from there."""
    histograms = [[int(wins)] for wins in tree.is_winning]
    parents = tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        above, below = histograms[parents[node]], histograms[node]
        above += [0] * (len(below) + 1 - len(above))
        for length, count in enumerate(below, start=1):
            above[length] += count
    return histograms


def _compare(sketch: Sketch, name: str, claim: TextClaim, fact: Any, whose: str) -> None:
    is_true = claim.value == fact
    unit = sketch.game.rules.share_unit
    if name in ("total", "n_worst", "histogram") and unit > 1:  # a text has some decimals
        claimed, found = (
            value if name == "histogram" else [value] for value in (claim.value, fact)
        )
        is_true = [round(each * unit) for each in claimed] == [each * unit for each in found]
        claim, fact = replace(claim, value=write_weights(claimed)), write_weights(found)
    if name == "average" and isinstance(claim.value, (int, float)):
        is_true = abs(claim.value - fact) <= 5e-5  # as printed, with at least four decimals
    if not is_true:
        is_text = isinstance(claim.value, str)
        value = claim.value if is_text else reprlib.repr(claim.value)
        message = f"the text claims {name} {value:.80}; {whose} has {fact}"
        raise sketch.scanner.error(message, claim.place)
