"""Codebook games: the secrets are a list of words."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, UsageError
from .base import Game
from .feedback import make_rule
from .notation import Notation, count_steps, join_symbols
from .rules import DIFFERENCES, Description, Excerpt, Rules, smallest_type
from .text import (
    Names,
    Splitter,
    check_label,
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


class WordRules(Rules):
    """Words of equal length; any of them, or of some extra words, may be guessed.

    Parameters
    ----------
    words
        The secrets, then the words that may only be guessed.
    letters
        The letters of each word: the words themselves if each letter is one code point.
    n_secrets
        How many of the words may be secret.
    rule
        ``"pegs"``, ``"black"`` or ``"position"``.
    label
        The name of their file. Games that differ only in this are equal.

    Raises
    ------
    GameError
        No words, words of several lengths, a word twice; a label that is not a file name.
    """

    kind = "codebook"

    def __init__(
        self,
        words: Sequence[str],
        letters: Sequence[Sequence[str]],
        n_secrets: int,
        rule: str,
        label: str = "",
    ) -> None:
        _check_words(words, letters)
        self.words, self.letters, self.label = tuple(words), tuple(letters), label
        # Where the letters are the words themselves, each code point is a letter.
        self.alphabet = tuple(sorted(set("".join(words) if letters is words else chain(*letters))))
        self.is_plain = all(len(letter) == 1 for letter in self.alphabet)
        self.names = Names(words)
        n_pegs = len(letters[0])
        self.figures = f"{count_steps(n_secrets, 'word')} of {count_steps(n_pegs, 'letter')}"
        check_label(label)
        super().__init__(
            label or self.figures,
            n_pegs,
            len(self.alphabet),
            len(words),
            n_secrets,
            make_rule(rule, n_pegs),
        )

    @property
    def rules_description(self) -> Description:
        """Return ``["codebook", rule, n_pegs, n_secrets, words]``, the words concatenated.

        With letters of several code points it is ``["letters", rule, n_pegs, n_secrets, words]``:
        a word a line, its letters separated by spaces.
        """
        kind, text = "codebook", "".join(self.words)
        if not self.is_plain:
            kind, text = LETTERS, "\n".join(map(" ".join, self.letters))
        return [kind, self.feedback.name, self.n_pegs, self.n_secrets, text]

    @property
    def rules_name(self) -> str:
        """Return ``codebook:`` and the sha256 of rule, number of secrets and words.

        An excerpt has the name of the whole codebook.
        """
        if self.excerpt:
            return self.excerpt.rules_name
        words = self.words if self.is_plain else map(" ".join, self.letters)
        text = "\n".join([f"{self.feedback.name} {self.n_secrets}", *words])
        return "codebook:" + hashlib.sha256(text.encode()).hexdigest()

    def number_codes(self, codes: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the numbers of words in the whole codebook."""
        if not self.excerpt:
            return codes
        numbers = np.array([*range(self.n_secrets), *self.excerpt.numbers], dtype=codes.dtype)
        numbered: NDArray[np.integer] = numbers[codes]
        return numbered

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return the words as rows of indices into the alphabet."""
        value_of = {symbol: value for value, symbol in enumerate(self.alphabet)}
        values = [value_of[letter] for word in self.letters for letter in word]
        table: NDArray[np.unsignedinteger] = np.array(values, smallest_type(self.n_colors))
        return table.reshape(self.n_codes, self.n_pegs)

    def index_of(self, colors: Sequence[int], symbols: Sequence[str]) -> int:
        """Return the index of a word given by its values."""
        place = self.names.get("".join(self.alphabet[color] for color in colors))
        if place is None:
            raise GameError(
                f"{join_symbols(colors, symbols)!r:.80} is not a word of this codebook"
                f" ({count_steps(self.n_codes, 'word')})"
            )
        return place


class WordNotation(Notation):
    """How people write words: in any case, however accents are encoded."""

    noun = "word"
    is_of_words = True

    rules: WordRules

    def __init__(self, rules: WordRules) -> None:
        super().__init__(rules, rules.alphabet)
        self.is_plain = rules.is_plain

    @property
    def aim(self) -> str:
        """Return the aim of the game, as a sentence for people who play."""
        return f"{super().aim} Any word of the list may be guessed."

    def name_file(self, stem: str, guesses: str = "") -> str:
        """Return the stems of both files, words and guesses, and the rule unless it is pegs."""
        rule = self.rules.feedback.name
        return "-".join(filter(None, (stem, guesses, "" if rule == "pegs" else rule)))

    @property
    def title(self) -> str:
        """Return number and length of the words, ``2,315 words of 5 letters``, and the file."""
        rules = self.rules
        of = f" (a tree's words of {rules.excerpt.n_codes:,})" if rules.excerpt else ""
        return f"{rules.label}, {rules.figures}{of}" if rules.label else f"{rules.figures}{of}"

    def format_code(self, code: int) -> str:
        """Return a word, its letters written in another way if there are other symbols."""
        if self.symbols == self.own_symbols:
            return self.rules.words[code]
        return super().format_code(code)

    def parse_code(self, text: str) -> int:
        """Return the index of a written word, whatever its case and however accents are encoded.

        GameError if it is not a word of this codebook, or may be several.
        """
        if self.symbols != self.own_symbols:
            return super().parse_code(text)
        rules = self.rules
        place = rules.names.place_of.get(text)
        if place is not None:
            return place
        found = rules.names.find(text)
        if found is not None:
            return found
        word = normalize(text.strip())
        bare = fold(strip_accents(word))
        near = next((each for each in rules.words if fold(strip_accents(each)) == bare), None)
        of = f" of {rules.label:.80}" if rules.label else ""
        n_letters = len(make_splitter(each for each in rules.alphabet if len(each) > 1)(word))
        if near is not None:
            hint = f"; did you mean {near!r:.80}?"
        elif n_letters != rules.n_pegs:
            hint = f": it has {count_steps(n_letters, 'letter')}"
        else:
            hint = ""
        known = f"{rules.figures}{of}"
        if rules.n_codes > rules.n_secrets:
            known = f"{count_steps(rules.n_codes, 'word')}{of} that may be guessed"
        raise GameError(f"{word!r:.80} is not one of the {known}{hint}")


def make_word_game(
    secrets: Iterable[str | Sequence[str]],
    extra_guesses: Iterable[str | Sequence[str]] = (),
    *,
    rule: str = "pegs",
    label: str = "",
    letters: str | Iterable[str] = (),
) -> Game:
    """Return a word game.

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
        Its name for people: that of its file.
    letters
        Letters that are written with several characters, ``"lj,nj"`` or a list.

    Raises
    ------
    GameError
        See `WordRules`.

    Examples
    --------
    >>> game = make_word_game(["crane", "crate", "trace"], rule="position")
    >>> game.format_response(game.score(0, 2))
    '12202'
    """
    rule = "position" if rule == "wordle" else rule
    spelled: dict[str, tuple[str, ...]] = {}
    hidden = _normalize(list_words(secrets, spelled))
    known = set(hidden)
    others = _normalize(list_words(extra_guesses, spelled))
    words = [*hidden, *(word for word in others if word not in known)]
    split = _split_words(words, make_splitter(letters), spelled)
    return Game(WordNotation(WordRules(words, split, len(hidden), rule, label)))


def read_words(parameters: Sequence[int | str]) -> Game:
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
            return Game(WordNotation(WordRules(words, words, n_secrets, rule)))
    raise GameError("a codebook is described by rule, pegs, number of secrets, words")


def read_spelled_words(parameters: Sequence[int | str]) -> Game:
    """Return the game of a description with separated letters; GameError for wrong ones."""
    match parameters:
        case [str(rule), int(n_pegs), int(n_secrets), str(text)]:
            letters = [tuple(line.split(" ")) for line in text.split("\n")]
            rules = WordRules(["".join(word) for word in letters], letters, n_secrets, rule)
            # A plain game is described as a codebook: one game has one description.
            if rules.n_pegs != n_pegs or not 1 <= n_secrets <= rules.n_codes or rules.is_plain:
                raise GameError(
                    f"{rules.n_codes} words of {rules.n_pegs} letters are not {n_secrets} or more"
                    f" of {n_pegs}, or none of their letters has several code points"
                )
            return Game(WordNotation(rules))
    raise GameError("a codebook is described by rule, pegs, number of secrets, words")


def make_excerpt(game: Game, guesses: Iterable[int]) -> Game:
    """Return a codebook of the secrets and of those other words that are guessed.

    `guesses` may repeat, and may include secrets. The game must have no costs, which are given for
    all words. A game that is no codebook is returned as it is.

    >>> cut = make_excerpt(make_word_game(["ab", "ba"], ["bb", "aa"]), [3, 0, 3])
    >>> cut.rules.words, cut.rules.excerpt.numbers
    (('ab', 'ba', 'aa'), (3,))
    """
    rules = game.rules
    if not isinstance(rules, WordRules):
        return game
    numbers = tuple(sorted({int(code) for code in guesses if code >= rules.n_secrets}))
    kept = [*range(rules.n_secrets), *numbers]
    cut = WordRules(
        [rules.words[code] for code in kept],
        [rules.letters[code] for code in kept],
        rules.n_secrets,
        rules.feedback.name,
        rules.label,
    )
    cut.goal, cut.weights = rules.goal, rules.weights
    cut.excerpt = Excerpt(rules.rules_name, rules.n_codes, numbers)
    return Game(WordNotation(cut))


def set_excerpt(game: Game, excerpt: Excerpt) -> None:
    """Make a game an excerpt; raise GameError if its words cannot have these numbers."""
    if not isinstance(game.rules, WordRules):
        raise GameError(f"{game.name} has no list of words that it may be an excerpt of")
    excerpt.check(game.n_secrets, game.n_codes)
    game.rules.excerpt = excerpt


def unite(one: Game, other: Game) -> Game:
    """Return a game with the codes of two games, whose trees are compared: all words of both.

    Two lists of words with the same secrets and feedback may differ in order, and in the further
    words that may be guessed. UsageError if there is no such game; the message says why.
    """
    ours, theirs = one.rules, other.rules
    if not isinstance(ours, WordRules) or not isinstance(theirs, WordRules):
        if one.name == other.name:
            raise UsageError(f"the trees are of {one.name} with {DIFFERENCES}: one game is needed")
        raise UsageError(f"the trees are of {one.name} and of {other.name}: one game is needed")
    if one.rule != other.rule:
        raise UsageError(
            f"one tree's words are answered by {one.rule}, the other's by {other.rule}"
        )
    hidden = [set(rules.words[: rules.n_secrets]) for rules in (ours, theirs)]
    if hidden[0] != hidden[1]:
        only = [sorted(hidden[0] - hidden[1]), sorted(hidden[1] - hidden[0])]
        alone = " and ".join(
            f"{len(words):,} only in {name} ({words[0]!r:.80} first)"
            for name, words in zip("AB", only, strict=True)
            if words
        )
        raise UsageError(
            f"the trees are of two word lists with other secrets: {alone}; trees are compared"
            " where every secret is in both"
        )
    if one.n_pegs != other.n_pegs:
        raise UsageError(
            f"one tree's words have {one.n_pegs} letters, the other's {other.n_pegs}: an"
            " older file counts the parts of a letter such as ❤️"
        )
    secrets = ours.words[: ours.n_secrets]
    words = dict.fromkeys((*ours.words, *theirs.words))  # a set in order: secrets stay first
    if ours.is_plain and theirs.is_plain:  # an older file's words may be in another form
        return read_words([one.rule, one.n_pegs, len(secrets), "".join(words)])
    letters = dict(zip(theirs.words, theirs.letters, strict=True))
    letters |= zip(ours.words, ours.letters, strict=True)
    united = [tuple(letters[word]) for word in words]
    return make_word_game(united[: len(secrets)], united[len(secrets) :], rule=one.rule)


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


def _check_words(words: Sequence[str], letters: Sequence[Sequence[str]]) -> None:
    if not words:
        raise GameError("a codebook needs at least one word")
    if len(set(words)) != len(words):
        twice = next(word for word, count in Counter(words).items() if count > 1)
        raise GameError(f"the word {twice!r:.80} is twice in the codebook")
    lengths = [len(word) for word in letters]
    first = lengths[0]
    if not all(length == first > 0 for length in lengths):
        other = next(n for n, length in enumerate(lengths) if not length == first > 0)
        raise GameError(
            f"the words of a codebook have one length: {words[0]!r:.80} has {first} letters,"
            f" {words[other]!r:.80} has {lengths[other]}"
        )
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
