"""Codebook games: the secrets are a list of words."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .._files import decode_text, read_text, unify_lines
from ..errors import GameError, UsageError
from .base import Description, Excerpt, Game, join_symbols, list_symbols, smallest_type
from .feedback import make_rule
from .text import (
    Names,
    Splitter,
    fold,
    has_plain_letters,
    is_written,
    make_splitter,
    normalize,
    split_letters,
    strip_accents,
)

LETTERS = "letters"
"""How a codebook's description begins if it has letters of several code points."""

WordSource = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file."""


class CodebookGame(Game):
    """Words of equal length; any of them, or of some extra words, may be guessed.

    Parameters
    ----------
    secrets
        The words that may be secret, any iterable of texts, in their order; each letter, as a
        reader sees it, is a peg's value. Accents may be encoded in any way. A word may also be the
        list of its letters, ``["lj", "a"]``.
    extra_guesses
        Words that may be guessed but are never secret. Words among `secrets` are ignored.
    rule
        ``"pegs"``, ``"black"`` or ``"position"``, which is also called ``"wordle"``.
    label
        Its name for people: that of its file. Games that differ only in this are equal.
    letters
        Letters that are written with several characters, ``"lj,nj"`` or a list.

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
    is_of_words = True

    symbols: tuple[str, ...] = ()
    """The letters that occur, in the order of their code points."""

    letters: tuple[Sequence[str], ...] = ()
    """The letters of each word: the word itself if each is one code point."""

    def __init__(
        self,
        secrets: Iterable[str | Sequence[str]],
        extra_guesses: Iterable[str | Sequence[str]] = (),
        *,
        rule: str = "pegs",
        label: str = "",
        letters: str | Iterable[str] = (),
    ) -> None:
        rule = "position" if rule == "wordle" else rule
        spelled: dict[str, tuple[str, ...]] = {}
        hidden = _normalize(list_words(secrets, spelled))
        known = set(hidden)
        others = _normalize(list_words(extra_guesses, spelled))
        words = [*hidden, *(word for word in others if word not in known)]
        split = _split_words(words, make_splitter(letters), spelled)
        self._set_words(words, split, len(hidden), rule, label)

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
        self.words, self.letters = tuple(words), tuple(letters)
        self.n_secrets, self.n_codes, self.n_pegs = n_secrets, len(words), len(letters[0])
        self.feedback = make_rule(rule, self.n_pegs)
        # Where the letters are the words themselves, each code point is a letter.
        self.symbols = tuple(sorted(set("".join(words) if letters is words else chain(*letters))))
        self.n_colors = len(self.symbols)
        self._names = Names(words)
        self.rename(label)

    def rename(self, label: str) -> None:
        """Name the codebook after a file, or with ``""`` by its size.

        GameError if the label is not a file name: it has a slash or a control character.
        """
        if not is_label(label):
            raise GameError(f"{label!r:.80} is not the name of a codebook's file")
        self.label = label
        self.name = label or self._figures

    @property
    def aim(self) -> str:
        """Return what is to be found, in a sentence for people who play."""
        return (
            f"One of {self.n_secrets:,} words is to be found; any word of the list may be guessed."
        )

    def name_file(self, stem: str, guesses: str = "") -> str:
        """Return the stems of both files, words and guesses, and the rule unless it is pegs."""
        rule = "" if self.rule == "pegs" else self.rule
        return "-".join(filter(None, (stem, guesses, rule)))

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
        """Whether every letter is one code point, as players need."""
        return all(len(letter) == 1 for letter in self.symbols)

    @property
    def rules_description(self) -> Description:
        """Return ``["codebook", rule, n_pegs, n_secrets, words]``, the words concatenated.

        With letters of several code points it is ``["letters", rule, n_pegs, n_secrets, words]``:
        a word a line, its letters separated by spaces.
        """
        kind, text = "codebook", "".join(self.words)
        if not self.is_plain:
            kind, text = LETTERS, "\n".join(map(" ".join, self.letters))
        return [kind, self.rule, self.n_pegs, self.n_secrets, text]

    @classmethod
    def from_description(cls, parameters: Sequence[int | str]) -> CodebookGame:
        """Return the game of a description's parameters; raise GameError for wrong ones.

        Words are not normalized: each code point is a letter, whatever a reader sees.
        """
        match parameters:
            case [str(rule), int(n_pegs), int(n_secrets), str(text)]:
                if n_pegs < 1 or len(text) % n_pegs or not 1 <= n_secrets <= len(text) // n_pegs:
                    raise GameError(
                        f"{len(text)} characters are not {n_secrets} or more words of"
                        f" {n_pegs} characters"
                    )
                words = [text[at : at + n_pegs] for at in range(0, len(text), n_pegs)]
                game = cls.__new__(cls)  # the constructor would normalize the words
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
                # A plain game is described as a codebook: one game has one description.
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
        words = self.words if self.is_plain else map(" ".join, self.letters)
        text = "\n".join([f"{self.rule} {self.n_secrets}", *words])
        return "codebook:" + hashlib.sha256(text.encode()).hexdigest()

    def make_excerpt(self, guesses: Iterable[int]) -> CodebookGame:
        """Return a codebook of the secrets and of those other words that are guessed.

        `guesses` may repeat, and may include secrets. The game must have no costs, which are given
        for all words.

        >>> cut = CodebookGame(["ab", "ba"], ["bb", "aa"]).make_excerpt([3, 0, 3])
        >>> cut.words, cut.excerpt.numbers
        (('ab', 'ba', 'aa'), (3,))
        """
        numbers = tuple(sorted({int(code) for code in guesses if code >= self.n_secrets}))
        kept = [*range(self.n_secrets), *numbers]
        cut = type(self).__new__(type(self))
        cut._set_words(
            [self.words[code] for code in kept],
            [self.letters[code] for code in kept],
            self.n_secrets,
            self.rule,
            self.label,
        )
        cut.goal, cut.stakes = self.goal, self.stakes
        cut.excerpt = Excerpt(self.rules_name, self.n_codes, numbers)
        return cut

    def set_excerpt(self, excerpt: Excerpt) -> None:
        """Make this game an excerpt; raise GameError if its words cannot have these numbers."""
        excerpt.check(self.n_secrets, self.n_codes)
        self.excerpt = excerpt

    def unite(self, other: Game) -> Game:
        """Return the codebook of all words of two with the same secrets and feedback.

        The lists may differ in order, and in the further words that may be guessed.
        """
        if not isinstance(other, CodebookGame):
            return super().unite(other)
        if self.rule != other.rule:
            raise UsageError(
                f"one tree's words are answered by {self.rule}, the other's by {other.rule}"
            )
        ours, theirs = (set(game.words[: game.n_secrets]) for game in (self, other))
        if ours != theirs:
            only = [sorted(ours - theirs), sorted(theirs - ours)]
            alone = " and ".join(
                f"{len(words):,} only in {name} ({words[0]!r:.80} first)"
                for name, words in zip("AB", only, strict=True)
                if words
            )
            raise UsageError(
                f"the trees are of two word lists with other secrets: {alone}; trees are compared"
                " where every secret is in both"
            )
        if self.n_pegs != other.n_pegs:
            raise UsageError(
                f"one tree's words have {self.n_pegs} letters, the other's {other.n_pegs}: an"
                " older file counts the parts of a letter such as ❤️"
            )
        secrets = self.words[: self.n_secrets]
        words = dict.fromkeys((*self.words, *other.words))  # a set in order: secrets stay first
        if self.is_plain and other.is_plain:  # an older file's words may be in another form
            return CodebookGame.from_description(
                [self.rule, self.n_pegs, len(secrets), "".join(words)]
            )
        letters = dict(zip(other.words, other.letters, strict=True))
        letters |= zip(self.words, self.letters, strict=True)
        united = [tuple(letters[word]) for word in words]
        return CodebookGame(united[: len(secrets)], united[len(secrets) :], rule=self.rule)

    def number_codes(self, codes: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the numbers of words in the whole codebook."""
        if not self.excerpt:
            return codes
        numbers = np.array([*range(self.n_secrets), *self.excerpt.numbers], dtype=codes.dtype)
        numbered: NDArray[np.integer] = numbers[codes]
        return numbered

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return the words as rows of indices into the symbols."""
        value_of = {symbol: value for value, symbol in enumerate(self.symbols)}
        values = [value_of[letter] for word in self.letters for letter in word]
        table: NDArray[np.unsignedinteger] = np.array(values, smallest_type(self.n_colors))
        return table.reshape(self.n_codes, self.n_pegs)

    def format_code(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Return a word, its letters written in another way if symbols are given."""
        written = symbols or self._notation
        if not written or tuple(written) == self.symbols:
            return self.words[code]
        return super().format_code(code, written)

    def parse_code(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the index of a written word, whatever its case and however accents are encoded.

        GameError if it is not a word of this codebook, or may be several.
        """
        written = symbols or self._notation
        if written and tuple(written) != self.symbols:
            return super().parse_code(text, symbols)
        place = self._names.place_of.get(text)
        if place is not None:
            return place
        found = self._names.find(text)
        if found is not None:
            return found
        word = normalize(text.strip())
        bare = fold(strip_accents(word))
        near = next((each for each in self.words if fold(strip_accents(each)) == bare), None)
        if near is not None:
            raise GameError(
                f"{word!r:.80} is not a word of this codebook ({self.n_codes} words); did you mean"
                f" {near!r:.80}?"
            )
        letters = make_splitter(each for each in self.symbols if len(each) > 1)(word)
        if len(letters) != self.n_pegs:
            raise GameError(
                f"the code {word!r:.80} has {len(letters)} pegs; {self.name} has {self.n_pegs}"
            )
        known = Names(self.symbols)
        for letter in letters:
            if not known.find_all(letter):
                raise GameError(
                    f"{letter!r} in the code {word!r:.80} is not one of"
                    f" {list_symbols(self.symbols)}"
                )
        raise GameError(f"{word!r:.80} is not a word of this codebook ({self.n_codes} words)")

    def index_of(self, colors: Sequence[int]) -> int:
        """Return the index of a word given by its values."""
        word = "".join(self.symbols[color] for color in colors)
        place = self._names.get(word)
        if place is None:
            written = join_symbols(colors, self.notation)
            raise GameError(
                f"{written!r:.80} is not a word of this codebook ({self.n_codes} words)"
            )
        return place


def list_words(
    words: Iterable[str | Sequence[str]], spelled: dict[str, tuple[str, ...]] | None = None
) -> list[str]:
    """Return the words of a list, an array, a mapping's keys or another iterable; a set's sorted.

    `spelled` gets the letters of words that are lists of letters. GameError if it is a single text,
    or holds anything but texts.
    """
    # A frame, which has columns, would iterate over their names.
    is_list = not isinstance(words, (str, bytes)) and hasattr(words, "__iter__")
    if not is_list or hasattr(words, "columns") or getattr(words, "ndim", 1) != 1:
        raise GameError(f"words are a list of texts, not {words!r:.60}")
    found: list[Any] = list(words)
    for place, word in enumerate(found):
        # A list of one is rather a row of a table than a word of one letter.
        if spelled is not None and isinstance(word, (list, tuple)) and len(word) != 1:
            found[place] = join_letters(word, spelled)
        elif not isinstance(word, str):
            raise GameError(f"{word!r:.60} among the words is not a text")
    if isinstance(words, Set):  # whose order depends on the process
        found.sort()
    # Subclasses of str, such as numpy's, become plain texts.
    return found if all(type(word) is str for word in found) else [*map(str, found)]


def join_letters(letters: Sequence[object], spelled: dict[str, tuple[str, ...]]) -> str:
    """Return the word of a list of letters, which `spelled` gets; GameError if they are none."""
    if not letters or not all(isinstance(letter, str) and letter for letter in letters):
        raise GameError(f"{list(letters)!r:.60} is not the letters of a word: texts are expected")
    found = tuple(normalize(str(letter)) for letter in letters)
    word = "".join(found)
    if normalize(word) != word:
        raise GameError(f"the letters {list(letters)!r:.60} become others when they are joined")
    spelled[word] = found
    return word


def _normalize(found: list[str]) -> list[str]:
    # All at once, as nothing is composed across a line feed.
    is_normal = unicodedata.is_normalized("NFC", "\n".join(found))
    return found if is_normal else [normalize(word) for word in found]


def _split_words(
    words: Sequence[str], split: Splitter, spelled: Mapping[str, tuple[str, ...]]
) -> Sequence[Sequence[str]]:
    """Return the letters of each word: itself, if each of its code points is one."""
    if split is split_letters and not spelled and has_plain_letters("".join(words)):
        return words
    letters = [spelled[word] if word in spelled else tuple(split(word)) for word in words]
    # With as many letters as code points, each code point is a letter.
    return words if [*map(len, letters)] == [*map(len, words)] else letters


def is_label(text: str) -> bool:
    """Whether a text may name a codebook: a file name without folders."""
    return is_written(text) and "/" not in text and "\\" not in text and len(text) <= 255


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


def _check_words(words: Sequence[str], letters: Sequence[Sequence[str]]) -> None:
    if not words:
        raise GameError("a codebook needs at least one word")
    if len(set(words)) != len(words):
        raise GameError("a codebook has a word twice")
    lengths = {len(word) for word in letters}
    if len(lengths) != 1 or lengths == {0}:
        raise GameError(f"the words of a codebook have several lengths: {sorted(lengths)[:5]}")
    if is_word("".join(words)):  # all at once; if not, the loop finds the word to name
        return
    for word in words:
        if not is_word(word):
            raise GameError(
                f"the word {word!r:.80} of a codebook holds white space or a control character"
            )


def is_word(word: str) -> bool:
    """Whether a text may be a word of a codebook: it can be printed, without a space."""
    return (word.isprintable() or is_written(word)) and " " not in word
