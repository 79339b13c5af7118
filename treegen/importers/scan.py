"""A cursor over a text, whose errors give line and column."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..errors import FormatError, GameError, UsageError
from ..games import Game, are_joined, parse_history
from ..tree import History
from .sketch import Place, locate_in


@dataclass(slots=True)
class Scanner:
    """A text and the position reached in it.

    Attributes
    ----------
    text
        All of it.
    at
        Offset of the next character.
    """

    text: str
    at: int = 0
    locate: Callable[[Place], str] = field(init=False)
    _parsed: dict[tuple[str, str, Sequence[str] | None], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.locate = locate_in(self.text)

    def error(self, message: str, place: Place | None = None) -> FormatError:
        """Return an error at a place, the cursor if none is given."""
        return FormatError(f"{self.locate(self.at if place is None else place)}: {message}")

    def expected(self, what: str) -> FormatError:
        """Return an error that says what was expected and what was found at the cursor."""
        return self.error(f"expected {what}, found {self.describe_next()}")

    def describe_next(self) -> str:
        """Return what is at the cursor, for a message."""
        rest = self.text[self.at : self.at + 12].split("\n")[0]
        if self.text.startswith("...", self.at):
            return "'...': the text is cut there"
        if rest:
            return repr(rest)
        return "the end of the line" if self.at < len(self.text) else "the end of the text"

    def skip_space(self) -> None:
        """Skip white space."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

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

    def expect(self, literal: str, what: str = "") -> None:
        """Skip a literal; raise FormatError if something else comes next."""
        if not self.take(literal):
            raise self.expected(what or repr(literal))

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

    def code(self, game: Game, symbols: Sequence[str] | None = None) -> int:
        """Read a code written in the game's symbols or the given ones; return its index."""
        self.skip_space()
        begin = self.at
        written = symbols or game.symbols
        is_word = game.kind == "codebook" and symbols is None
        is_dotted = not (is_word or are_joined(tuple(written)))
        by_length = sorted(written, key=len, reverse=True)
        for peg in range(game.n_pegs):
            if peg and is_dotted and not self._step("."):
                raise self.error(self._describe_code(game, begin), begin)
            if not any(self._step(symbol) for symbol in by_length):
                raise self.error(self._describe_code(game, begin), begin)
        return self.parse(game.parse_code, self.text[begin : self.at], begin, symbols)

    def parse(
        self,
        function: Callable[..., int],
        text: str,
        place: Place,
        symbols: Sequence[str] | None = None,
    ) -> int:
        """Parse a code or a response at a place; its error says where."""
        key = (function.__name__, text, symbols)
        if key not in self._parsed:
            try:
                self._parsed[key] = function(text, symbols) if symbols else function(text)
            except GameError as error:
                raise self.error(str(error), place) from error
        return self._parsed[key]

    def parse_history(
        self,
        game: Game,
        text: str,
        place: Place,
        *,
        joint: str = "/",
        symbols: Sequence[str] | None = None,
    ) -> History:
        """Parse guesses and answers at a place; the error says where."""
        try:
            return parse_history(text, game, joint=joint, symbols=symbols)
        except (GameError, UsageError) as error:
            raise self.error(str(error), place) from error

    def _step(self, symbol: str) -> bool:
        part = self.text[self.at : self.at + len(symbol)]
        if part != symbol and part.casefold() != symbol.casefold():
            return False
        self.at += len(symbol)
        return True

    def _describe_code(self, game: Game, begin: int) -> str:
        word = re.match(r"[^\s:;,(){}\[\]]*", self.text[begin:])
        found = word.group() if word else ""
        example = game.format_code(0)
        return f"expected a code of {game.name} such as {example}, found {found!r}"


_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[0-9]{1,10}", re.ASCII)
