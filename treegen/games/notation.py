"""Notation: how people write a game, its codes, its answers, its aim."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import copy
from functools import lru_cache
from numbers import Integral
from operator import index
from typing import ClassVar, Self, SupportsIndex, TypeGuard

from .._options import show_value
from ..errors import GameError, UsageError
from .rules import GROUP_MARK, Description, Goal, Rules
from .text import Names, are_joined, clean, fold, normalize, read_json_list, split_letters

MAX_SINGLE_SYMBOLS = 35  # 1 to 9, A to Z
"""More colors than this are written as numbers joined by dots."""


def default_symbols(n_colors: int, first: int) -> tuple[str, ...]:
    """Return the digits from `first`, then A to Z; numbers if there are over 35 colors."""
    if n_colors > MAX_SINGLE_SYMBOLS:
        return tuple(str(number) for number in range(first, first + n_colors))
    alphabet = string.digits[first:] + string.ascii_uppercase
    return tuple(alphabet[:n_colors])


def parse_symbols(text: str | Sequence[str], n_colors: int) -> tuple[str, ...]:
    """Return the symbols of a text, ``abcdef`` or names ``red,green,blue``, or of a list.

    Names with commas are given as a JSON list. GameError unless there are `n_colors` different
    ones.
    """
    names = [clean(name) for name in _split_names(text)]
    if len(names) != n_colors or len({fold(name) for name in names}) != len(names):
        raise GameError(
            f"symbols {text!r:.80} do not fit: {n_colors} different ones are needed, as"
            " abcdef or red,green,blue"
        )
    if any(re.search(r"[\s.]", name) or not name for name in names):  # these stand between names
        raise GameError(
            f"symbols {text!r:.80} do not fit: a symbol may not be empty, nor hold a space or a dot"
        )
    return tuple(names)


def _split_names(text: str | Sequence[str]) -> Sequence[str]:
    if not isinstance(text, str):
        return text
    listed = read_json_list(text)
    if listed is not None and all(isinstance(name, str) for name in listed):
        return listed
    return text.split(",") if "," in text else split_letters(normalize(text))


def write_symbols(symbols: Sequence[str]) -> str:
    """Return symbols as `parse_symbols` reads them: ``a,b``, or a JSON list if one has a comma."""
    if any("," in symbol or symbol.startswith("[") for symbol in symbols):
        return json.dumps(list(symbols), ensure_ascii=False)
    return ",".join(symbols)


def join_symbols(colors: Sequence[int], symbols: Sequence[str]) -> str:
    """Write the colors of one code."""
    separator = "" if are_joined(tuple(symbols)) else "."
    return separator.join(symbols[color] for color in colors)


def split_symbols(text: str, symbols: Sequence[str]) -> list[int]:
    """Read the colors of one code; raise GameError at the first that is not one of the symbols."""
    names, separators = _know_symbols(tuple(symbols))
    parts = separators.split(text.strip()) if separators else split_letters(normalize(text))
    colors = []
    for part in parts:
        color = names.place_of.get(part)  # most are spelled so, and `find` is slow
        color = names.find(part) if color is None else color
        if color is None:
            joined = re.sub(r"[-.,;/|\s]+", "", text)
            hint = ""
            if separators:
                example = f"; dots separate them, as in {symbols[0]}.{symbols[-1]}"
                hint = example * (len(parts) == 1)
            elif joined not in ("", text) and all(
                map(names.find_all, split_letters(normalize(joined)))
            ):
                hint = f": write {joined!r:.80}"
            raise GameError(
                f"{part!r:.80} in the code {text!r:.80} is not one of {list_symbols(symbols)}{hint}"
            )
        colors.append(color)
    return colors


@lru_cache(maxsize=16)
def _know_symbols(symbols: tuple[str, ...]) -> tuple[Names, re.Pattern[str] | None]:
    """Return the names of symbols, and the pattern between two; None if nothing separates them."""
    if are_joined(symbols):
        return Names(symbols), None
    has_comma = any("," in symbol for symbol in symbols)
    return Names(symbols), re.compile(r"[.\s]+" if has_comma else r"[.,\s]+")


def list_symbols(symbols: Sequence[str]) -> str:
    """Return symbols for a message, the first and the last of many."""
    return f"{symbols[0]} … {symbols[-1]}" if len(symbols) > 10 else " ".join(symbols)


MOST_NAMED = 5
"""A message names at most this many of the guesses that may be made."""


class Notation:
    """How people write a game: its codes, answers and steps, its aim, its title.

    Parameters
    ----------
    rules
        The game's facts.
    symbols
        How each color is written by default.

    Attributes
    ----------
    rules : Rules
        The facts that are written.
    symbols, own_symbols : tuple of str
        How each color is read and written, as `with_symbols` has it; and by default.
    has_tiles : bool
        Whether answers mark each letter, as colored tiles do.
    how_to_answer : str
        How people answer: what follows "answer each guess".
    is_plain : bool
        Whether every symbol of words is one code point, as players take them.

    Examples
    --------
    >>> import treegen
    >>> notation = treegen.open_game("p4c6r").notation
    >>> notation.format_code(7), notation.parse_response("0A2B"), notation.step
    ('1122', 2, 'guess')
    """

    noun: ClassVar[str] = "code"
    """What people think of: a code, a number, a candidate."""

    is_of_words: ClassVar[bool] = False
    """Whether codes are words of a list: symbols are their letters, written without a dot."""

    asks_questions: ClassVar[bool] = False
    """Whether a code may be a question, with answers of its own."""

    answers_in_words: ClassVar[bool] = False
    """Whether answers are words that `list_answers` gives and a player's table has to hold."""

    instruction: ClassVar[str] = "Make the guess"
    """What a text tells people to do with a step."""

    arrow: ClassVar[str] = " "
    """What stands in a text between an answer and the guess that follows it."""

    leads_to: ClassVar[str] = "go to "
    """What stands in a text before the number of the paragraph that an answer leads to."""

    in_columns: ClassVar[bool] = True
    """Whether codes and answers are short, a word each, which texts set side by side."""

    legend: ClassVar[tuple[str, ...]] = ("the guess:", "may win", "only tells")
    """What a picture's legend calls guesses: a heading if there is one, those that win, others."""

    def __init__(self, rules: Rules, symbols: Sequence[str]) -> None:
        self.rules = rules
        self.symbols = self.own_symbols = tuple(symbols)
        self.has_tiles = rules.has_tiles
        self.how_to_answer = str(getattr(rules.feedback, "how", "as the game is answered"))
        self.is_plain = True
        self.n_signs: dict[str, tuple[int, int]] = {}  # kept by `histories`

    def of(self, rules: Rules) -> Self:
        """Return the notation of the same codes with another goal, weights or costs."""
        other = copy(self)
        other.rules = rules
        return other

    def with_symbols(self, symbols: Sequence[str]) -> Self:
        """Return the notation with other symbols, one for each color, which are not checked."""
        other = copy(self)
        other.symbols, other.n_signs = tuple(symbols), {}
        return other

    @property
    def title(self) -> str:
        """Return the game's name for people, which is its name unless that is a digest."""
        return self.rules.name

    @property
    def step(self) -> str:
        """Return the noun for a step of the game: guess, or question."""
        is_asked = self.asks_questions and self.rules.goal == Goal.IDENTIFY
        return "question" if is_asked else "guess"

    def name_step(self, code: int) -> str:
        """Return the noun for a step with a code: tables to win have guesses and questions."""
        return "question" if self.asks_questions and code >= self.rules.n_secrets else "guess"

    @property
    def aim(self) -> str:
        """Return the aim of the game, as a sentence for people who play."""
        return f"Find one of {self.rules.n_secrets:,} {self.noun}s."

    @property
    def player_description(self) -> Description:
        """Return the game as players of tables read it; its rules' description by default.

        A kind of game that they do not support is written as a codebook of all its codes, or as a
        table of answers, which then names the game, too.
        """
        return self.rules.rules_description

    def name_file(self, stem: str, guesses: str = "") -> str:
        """Return the beginning of the file name of a tree of the game.

        `stem` is the stem of the game's own file, or the name that was given for it, `guesses` that
        of a file of further guesses.
        """
        return self.rules.name

    def format_code(self, code: int) -> str:
        """Write a code."""
        return join_symbols(self.rules.codes[code].tolist(), self.symbols)

    def name_guess(self, code: int) -> str:
        """Write a code so that `parse_code` returns it, where two may be written alike."""
        return self.format_code(code)

    def parse_code(self, text: str) -> int:
        """Return the index of a written code; raise GameError, which says why, if it is none."""
        colors = split_symbols(text.strip(), self.symbols)
        if len(colors) != self.rules.n_pegs:
            raise GameError(
                f"the code {text!r:.80} has {len(colors)} peg{'s' * (len(colors) != 1)};"
                f" {self.rules.name} has"
                f" {self.rules.n_pegs}"
            )
        return self.index_of(colors)

    def index_of(self, colors: Sequence[int]) -> int:
        """Return the index of a row of valid colors; raise GameError if it is not a code."""
        return self.rules.index_of(colors, self.symbols)

    def parse_secret(self, text: str) -> int:
        """Return the index of a written code that may be secret; raise GameError otherwise."""
        code = self.parse_code(text)
        if code >= self.rules.n_secrets:
            raise GameError(f"{text!r:.80} may be guessed but is not one of the secrets")
        return code

    def write_step(self, code: int) -> str:
        """Return a guess as a text has it before its answers."""
        return self.format_code(code)

    def take_step(self, text: str) -> list[tuple[int, str]]:
        """Return the guesses that a text may begin with, as `write_step` has them, and the rest."""
        step, _, rest = text.partition(" ")
        return [(self.parse_code(step), rest)]

    def quote(self, text: str, *, is_name: bool = False) -> str:
        """Return an answer, or the name of a code, as it stands among others in a text."""
        return text

    def announces(self, text: str, *, at_end: bool = False) -> bool:
        """Return whether a text names what is announced, several secrets or a class, and no code.

        `at_end`: where a game ends nothing else can stand.
        """
        return False

    def announce(self, secrets: Sequence[int]) -> str:
        """Return the announcement where these secrets are left, one in most games."""
        return GROUP_MARK.join(map(self.format_code, secrets))

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a guess in words, by their numbers; none if a rule writes them."""
        return ()

    def format_response(self, response: int, guess: int | None = None) -> str:
        """Write a response as people do; see `Game.format_response`."""
        return self.rules.feedback.format(response)

    def parse_response(self, text: str, guess: int | None = None) -> int:
        """Return the response of a written feedback; raise GameError if there is none."""
        return self.rules.feedback.parse(text)


def check_guess(notation: Notation, code: int) -> int:
    """Return a code that may be guessed; raise GameError for a candidate that may not be."""
    first, end = notation.rules.first_guess, notation.rules.n_codes
    if code < first:
        asked = [repr(notation.name_guess(code)) for code in range(first, end)]
        more = f" … ({len(asked):,} in all)" if len(asked) > MOST_NAMED else ""
        raise GameError(
            f"{notation.format_code(code)!r:.80} is a candidate, and the goal is to identify: it is"
            f" not guessed; what may be asked: {', '.join(asked[:MOST_NAMED])}{more}"
        )
    return code


def read_code(notation: Notation, given: object, *, is_secret: bool = False) -> int:
    """Return the index of a code that a caller has given as text; GameError if it is not one.

    A number is a TypeError: 1122 could be the code 1122, or the code of index 1122.

    >>> from treegen.games import parse_game
    >>> read_code(parse_game("p4c6r").notation, 3163)
    Traceback (most recent call last):
     ...
    TypeError: a code is a text, not the number 3163: write '3163'
    """
    parse = notation.parse_secret if is_secret else notation.parse_code
    if isinstance(given, str):
        return parse(given)
    indices = range(notation.rules.n_secrets if is_secret else notation.rules.n_codes)
    meant = _guess_text(given, notation.rules.n_pegs, parse)
    found = _write_index(given, indices, notation.format_code)
    hint = found and f" ({found}; play alone takes an index, as index={given})"
    raise TypeError(f"a code is a text, not {_name_value(given)}{meant}{hint}")


def read_answer(notation: Notation, given: object, guess: int | None) -> int:
    """Return the response of an answer that a caller has given as text, to a guess.

    TypeError if it is not a text, GameError if it does not answer the guess.

    >>> from treegen.games import parse_game
    >>> read_answer(parse_game("p4c6r").notation, 2, 7)
    Traceback (most recent call last):
     ...
    TypeError: an answer is a text, not the number 2: write '02' (index 2 is '02')
    """
    if isinstance(given, str):
        return notation.parse_response(given, guess)
    width = len(notation.format_response(notation.rules.win, guess))
    meant = _guess_text(given, width, lambda text: notation.parse_response(text, guess))
    found = _write_index(
        given,
        range(notation.rules.n_responses),
        lambda response: notation.format_response(response, guess),
    )
    hint = found and f" ({found})"
    raise TypeError(f"an answer is a text, not {_name_value(given)}{meant}{hint}")


def read_pairs(notation: Notation, pairs: object) -> tuple[tuple[int, int], ...]:
    """Return codes and responses of a list of guesses with their answers, all texts.

    UsageError if it is not a list of pairs, TypeError for a number; other errors as in `read_code`
    and `read_answer`.
    """
    if isinstance(pairs, bytes) or not isinstance(pairs, Iterable):
        raise _refuse_pair(notation, pairs)
    read = []
    for pair in pairs:
        if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise _refuse_pair(notation, pair)
        code = read_code(notation, pair[0])
        read.append((code, read_answer(notation, pair[1], code)))
    return tuple(read)


def _refuse_pair(notation: Notation, given: object) -> Exception:
    code = notation.rules.first_guess
    example = (notation.format_code(code), notation.format_response(0, code))
    form = f"a history is a text, or a list of pairs such as {example}"
    if _is_number(given):
        return TypeError(f"{form}, not the number {given}: write '{given}'")
    return UsageError(f"{form}; {given!r:.80} is not one")


def _is_number(given: object) -> TypeGuard[SupportsIndex]:
    return isinstance(given, Integral) and not isinstance(given, bool)  # True is an Integral


def _name_value(given: object) -> str:
    return f"the number {given}" if _is_number(given) else show_value(given)


def _guess_text(given: object, width: int, parse: Callable[[str], int]) -> str:
    """Return a hint at the text that a number may stand for, leading zeros added; empty if none."""
    for text in (str(given), str(given).zfill(width)) if _is_number(given) else ():
        with suppress(GameError):
            parse(text)
            return f": write {text!r:.80}"
    return ""


def _write_index(given: object, indices: range, write: Callable[[int], str]) -> str:
    """Return a hint at the code with a number as its index; empty if there is none."""
    if _is_number(given) and (number := index(given)) in indices:
        with suppress(GameError):  # the table of codes may not fit memory
            return f"index {number} is {write(number)!r:.80}"
    return ""


def count_steps(number: int, step: str = "guess") -> str:
    """Return a number of guesses, or of what a game calls its steps.

    >>> count_steps(1), count_steps(3), count_steps(2, "question")
    ('1 guess', '3 guesses', '2 questions')
    """
    many = "es" if step.endswith("s") else "s"
    return f"{number:,} {step}{many * (number != 1)}"
