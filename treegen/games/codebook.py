"""Codebook games: the secrets are a list of words read from a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from .._files import decode_text, read_text, unify_lines
from ..errors import GameError
from .base import Game
from .excerpt import Excerpt
from .feedback import make_rule
from .goal import Description
from .symbols import list_symbols
from .text import Names, is_written, normalize, split_letters

LETTERS = "letters"
"""How a codebook's description begins if it has letters of several code points."""

WordSource = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file."""


class CodebookGame(Game):
    """Words of equal length; any of them, or of some extra words, may be guessed.

    Parameters
    ----------
    secrets
        The words that may be secret, in their order; each letter, as a reader sees it, is a peg's
        value. Accents may be encoded in any way.
    extra_guesses
        Words that may be guessed but are never secret. Words among `secrets` are ignored.
    rule
        ``"pegs"``, ``"black"`` or ``"position"``, which is also called ``"wordle"``.
    label
        Its name for people: that of its file. Games that differ only in this are equal.

    Raises
    ------
    GameError
        No words, words of several lengths, a word twice; a label that is not a file name.

    Examples
    --------
    >>> game = CodebookGame(["crane", "crate", "trace"], rule="position")
    >>> game.format_response(game.score(0, 2))
    '12202'
    """

    kind = "codebook"
    excerpt: Excerpt | None = None
    """The whole codebook, if this is one with the words that a tree needs."""

    def __init__(
        self,
        secrets: Sequence[str],
        extra_guesses: Sequence[str] = (),
        *,
        rule: str = "pegs",
        label: str = "",
    ) -> None:
        rule = "position" if rule == "wordle" else rule
        secrets = _normalize(secrets)
        known = set(secrets)
        words = [*secrets, *(word for word in _normalize(extra_guesses) if word not in known)]
        self._set_words(words, _split_words(words), len(secrets), rule, label)

    def _set_words(
        self,
        words: Sequence[str],
        letters: Sequence[Sequence[str]],
        n_secrets: int,
        rule: str,
        label: str = "",
    ) -> None:
        """Set the words, each also as its letters."""
        _check_words(words, letters)
        self.words, self._letters = tuple(words), tuple(letters)
        self.n_secrets, self.n_codes, self.n_pegs = n_secrets, len(words), len(letters[0])
        self.feedback = make_rule(rule, self.n_pegs)
        self._symbols = tuple(sorted(set("".join(words) if letters is words else chain(*letters))))
        self.n_colors = len(self._symbols)
        self._names = Names(words)
        self.rename(label)

    def rename(self, label: str) -> None:
        """Name the codebook after a file, or with ``""`` by its size.

        Raises
        ------
        GameError
            The label is not a file name: it contains a slash or a control character.
        """
        if not is_label(label):
            raise GameError(f"{label!r:.80} is not the name of a codebook's file")
        self.label = label
        self.name = label or self._figures

    @property
    def _figures(self) -> str:
        words = "1 word" if self.n_secrets == 1 else f"{self.n_secrets:,} words"
        return f"{words} of {self.n_pegs} letter{'s' * (self.n_pegs != 1)}"

    @property
    def title(self) -> str:
        """Return number and length of the words, ``2,315 words of 5 letters``, and the file."""
        of = f" (a tree's words of {self.excerpt.n_codes:,})" if self.excerpt else ""
        return f"{self.label}, {self._figures}{of}" if self.label else f"{self._figures}{of}"

    @property
    def is_plain(self) -> bool:
        """Whether every letter is one code point, as players take them."""
        return all(len(letter) == 1 for letter in self._symbols)

    @property
    def rules_description(self) -> Description:
        """Return ``["codebook", rule, n_pegs, n_secrets, words]``, the words concatenated.

        With letters of several code points it is ``["letters", rule, n_pegs, n_secrets, words]``:
        a word a line, its letters separated by spaces.
        """
        kind, text = "codebook", "".join(self.words)
        if not self.is_plain:
            kind, text = LETTERS, "\n".join(map(" ".join, self._letters))
        return [kind, self.rule, self.n_pegs, self.n_secrets, text]

    @classmethod
    def from_description(cls, parameters: Sequence[int | str]) -> CodebookGame:
        """Return the game of a description's parameters; raise GameError for wrong ones.

        The words stay as they are: each code point is a letter, whatever a reader sees.
        """
        match parameters:
            case [str(rule), int(n_pegs), int(n_secrets), str(text)]:
                if n_pegs < 1 or len(text) % n_pegs or not 1 <= n_secrets <= len(text) // n_pegs:
                    raise GameError(
                        f"{len(text)} characters are not {n_secrets} or more words of"
                        f" {n_pegs} characters"
                    )
                words = [text[at : at + n_pegs] for at in range(0, len(text), n_pegs)]
                game = cls.__new__(cls)
                game._set_words(words, words, n_secrets, rule)
                return game
        raise GameError("a codebook is described by rule, pegs, number of secrets, words")

    @classmethod
    def from_letters(cls, parameters: Sequence[int | str]) -> CodebookGame:
        """Return the game of a description with separated letters; GameError for wrong ones."""
        match parameters:
            case [str(rule), int(n_pegs), int(n_secrets), str(text)]:
                letters = [tuple(line.split(" ")) for line in text.split("\n")]
                game = cls.__new__(cls)
                game._set_words(["".join(word) for word in letters], letters, n_secrets, rule)
                if game.n_pegs != n_pegs or not 1 <= n_secrets <= game.n_codes or game.is_plain:
                    raise GameError(
                        f"{game.n_codes} words of {game.n_pegs} letters are not {n_secrets} or more"
                        f" of {n_pegs}, or none of their letters has several code points"
                    )
                return game
        raise GameError("a codebook is described by rule, pegs, number of secrets, words")

    @property
    def rules_name(self) -> str:
        """Return ``codebook:`` and the sha256 of rule, number of secrets and words.

        An excerpt has the name of the whole codebook.
        """
        if self.excerpt:
            return self.excerpt.rules_name
        words = self.words if self.is_plain else map(" ".join, self._letters)
        text = "\n".join([f"{self.rule} {self.n_secrets}", *words])
        return "codebook:" + hashlib.sha256(text.encode()).hexdigest()

    def make_excerpt(self, guesses: Iterable[int]) -> CodebookGame:
        """Return a codebook of the secrets and of those other words that are guessed.

        There must be no costs, as they are those of all words.

        Parameters
        ----------
        guesses
            Numbers of words; those of secrets, and numbers that come again, are allowed.

        Examples
        --------
        >>> cut = CodebookGame(["ab", "ba"], ["bb", "aa"]).make_excerpt([3, 0, 3])
        >>> cut.words, cut.excerpt.numbers
        (('ab', 'ba', 'aa'), (3,))
        """
        numbers = tuple(sorted({int(code) for code in guesses if code >= self.n_secrets}))
        kept = [*range(self.n_secrets), *numbers]
        cut = type(self).__new__(type(self))
        cut._set_words(
            [self.words[code] for code in kept],
            [self._letters[code] for code in kept],
            self.n_secrets,
            self.rule,
            self.label,
        )
        cut.goal, cut.stakes = self.goal, self.stakes
        cut.excerpt = Excerpt(self.rules_name, self.n_codes, numbers)
        return cut

    def set_excerpt(self, excerpt: Excerpt) -> None:
        """Let this be an excerpt; raise GameError if its words cannot have these numbers."""
        excerpt.check(self.n_secrets, self.n_codes)
        self.excerpt = excerpt

    def number_codes(self, codes: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the numbers of words in the whole codebook."""
        if not self.excerpt:
            return codes
        numbers = np.array([*range(self.n_secrets), *self.excerpt.numbers], dtype=codes.dtype)
        numbered: NDArray[np.integer] = numbers[codes]
        return numbered

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the letters that occur, in the order of their code points."""
        return self._symbols

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return the words as rows of indices into the symbols."""
        dtype = np.uint8 if self.n_colors <= 256 else np.uint16
        value_of = {symbol: value for value, symbol in enumerate(self._symbols)}
        values = [value_of[letter] for word in self._letters for letter in word]
        table: NDArray[np.unsignedinteger] = np.array(values, dtype=dtype)
        return table.reshape(self.n_codes, self.n_pegs)

    def format_code(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Return a word, its letters written in another way if symbols are given."""
        if symbols is None or tuple(symbols) == self._symbols:
            return self.words[code]
        return super().format_code(code, symbols)

    def parse_code(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the index of a written word, whatever its case and however accents are encoded.

        Raises
        ------
        GameError
            The text is not a word of this codebook, or may be several; the message says why.
        """
        if symbols is not None and tuple(symbols) != self._symbols:
            return super().parse_code(text, symbols)
        found = self._names.find(text)
        if found is not None:
            return found
        word = normalize(text.strip())
        letters = split_letters(word)
        if len(letters) != self.n_pegs:
            raise GameError(
                f"the code {word!r:.80} has {len(letters)} pegs; {self.name} has {self.n_pegs}"
            )
        known = Names(self._symbols)
        for letter in letters:
            if not known.find_all(letter):
                raise GameError(
                    f"{letter!r} in the code {word!r:.80} is not one of"
                    f" {list_symbols(self._symbols)}"
                )
        raise GameError(f"{word!r:.80} is not a word of this codebook ({self.n_codes} words)")

    def index_of(self, colors: Sequence[int]) -> int:
        """Return the index of a word given by its values."""
        word = "".join(self._symbols[color] for color in colors)
        place = self._names.get(word)
        if place is None:
            raise GameError(f"{word!r} is not a word of this codebook ({self.n_codes} words)")
        return place


def _normalize(words: Iterable[str]) -> list[str]:
    found = list(words)
    return found if "".join(found).isascii() else [normalize(word) for word in found]


def _split_words(words: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return the letters of each word: itself, if each of its code points is one."""
    if "".join(words).isascii():
        return words
    letters = [tuple(split_letters(word)) for word in words]
    return words if [*map(len, letters)] == [*map(len, words)] else letters


def read_codebook(
    path: WordSource,
    *,
    rule: str = "pegs",
    guesses: WordSource | None = None,
) -> CodebookGame:
    """Read a codebook: UTF-8 text, one word per line; empty lines and ``#`` lines are ignored.

    An accented letter is one character, however the file encodes it (Unicode's form NFC).

    Parameters
    ----------
    path
        File of the words that may be secret, or an open file of bytes or text.
    rule
        ``"pegs"``, ``"black"`` or ``"position"`` (``"wordle"``).
    guesses
        The same for further words that may be guessed; the secrets may be among them.

    Raises
    ------
    FormatError
        A file cannot be read.
    GameError
        A file has no words, a word of another length, or a word twice; the message gives
        the file and the line.
    """
    secrets = _read_words(path)
    extra = _read_words(guesses) if guesses is not None else {}
    lengths = [len(split_letters(next(iter(words)))) for words in (secrets, extra) if words]
    if lengths[0] != lengths[-1]:
        raise GameError(
            f"{name_source(guesses)} has words of {lengths[1]} characters,"
            f" {name_source(path)} of {lengths[0]}"
        )
    _refuse_other_case(secrets, extra, name_source(guesses))
    return CodebookGame(list(secrets), list(extra), rule=rule, label=_label_of(path))


def find_two_cases(words: Iterable[str]) -> str:
    """Return the first letter that occurs in both cases; ``""`` if none does.

    Examples
    --------
    >>> find_two_cases(["crane", "Crate"]), find_two_cases(["CRANE", "CRATE"])
    ('c', '')
    """
    letters = set().union(*words)
    return min((c for c in letters if c.upper() != c and c.upper() in letters), default="")


def _refuse_other_case(
    secrets: Iterable[str], extra: Mapping[str, int], name_of_extra: str
) -> None:
    """Raise GameError if guesses have the secrets' letters in another case.

    Such a guess shares no letter with any secret, which nobody intends who combines a list in upper
    case with one in lower case.
    """
    letters = set().union(*secrets)
    for word, number in extra.items():
        for letter in word:
            if letter not in letters and letter.swapcase() in letters:
                raise GameError(
                    f"{name_of_extra} line {number}: {letter!r} in {word!r:.80} is"
                    f" {letter.swapcase()!r} in the secrets: they would count as two colors, so"
                    " write both lists alike"
                )


def is_label(text: str) -> bool:
    """Whether a text may name a codebook: a file name without folders."""
    return text.isprintable() and "/" not in text and "\\" not in text and len(text) <= 255


def _label_of(source: WordSource) -> str:
    """Return the name of a file without its folders; ``""`` if it is not readable text."""
    if not isinstance(source, (str, os.PathLike)):
        return ""
    name = Path(source).name
    return name if is_label(name) else ""


def name_source(source: WordSource | None) -> str:
    """Return how messages call a file: its quoted path, or the name of an open one."""
    if isinstance(source, (str, os.PathLike)):
        return repr(str(source))
    name = getattr(source, "name", None)
    return "the standard input" if name == "<stdin>" else str(name or "the input")


def read_source(source: WordSource, name: str) -> str:
    """Return the text of a file, which messages call by a name."""
    if isinstance(source, (str, os.PathLike)):
        return read_text(source)
    data = source.read()
    return unify_lines(data) if isinstance(data, str) else decode_text(data, name)


def _read_words(source: WordSource) -> dict[str, int]:
    """Return the words, each with its line."""
    name = name_source(source)
    line_of: dict[str, int] = {}
    length = 0
    for number, line in enumerate(read_source(source, name).splitlines(), start=1):
        word = normalize(line.strip())
        if not word or word.startswith("#"):
            continue
        if not _is_word(word):
            raise GameError(
                f"{name} line {number}: {word!r:.80} holds white space or a control character"
            )
        n_letters = len(split_letters(word))
        length = length or n_letters
        if n_letters != length:
            raise GameError(
                f"{name} line {number}: {word!r} has {n_letters} characters, the words"
                f" before it {length}"
            )
        if word in line_of:
            raise GameError(f"{name} line {number}: {word!r} is already in line {line_of[word]}")
        line_of[word] = number
    if not line_of:
        raise GameError(f"{name} has no words: one word per line is expected")
    return line_of


def _check_words(words: Sequence[str], letters: Sequence[Sequence[str]]) -> None:
    if not words:
        raise GameError("a codebook needs at least one word")
    if len(set(words)) != len(words):
        raise GameError("a codebook has a word twice")
    lengths = {len(word) for word in letters}
    if len(lengths) != 1 or lengths == {0}:
        raise GameError(f"the words of a codebook have several lengths: {sorted(lengths)[:5]}")
    if _is_word("".join(words)):
        return
    for word in words:
        if not _is_word(word):
            raise GameError(
                f"the word {word!r:.80} of a codebook holds white space or a control character"
            )


def _is_word(word: str) -> bool:
    return is_written(word) and " " not in word
