"""Text as people write it: one Unicode form, letters as they are seen, names in any case.

Everything that is read or typed, in files, on the command line and in the library, goes through
these functions, so that all agree:

- A text is in Unicode's form NFC (`normalize`); names and answers have single spaces within
  (`clean`).
- A letter is what a reader sees as one (`split_letters`): a grapheme cluster, such as a letter with
  its marks, an emoji with its selector, a flag.
- A text means the name of the same spelling; failing that, the only one that differs in case alone
  (`Names`). Dotted and dotless i are two letters, and a capital ``I`` may be either.
"""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from .._options import check_lists, find_near
from ..errors import GameError

_find_beyond = re.compile("[^\x00-\u02ff]").search
"""Each code point below the first combining mark, U+0300, is a letter of its own."""

_JOINERS = {ord("\u200c"): None, ord("\u200d"): None} | dict.fromkeys(range(0xE0020, 0xE0080))
"""Invisible joiners between the parts of a letter, such as an emoji or a flag."""

Splitter = Callable[[str], Sequence[str]]
"""What splits a text into its letters."""

_TURKIC = str.maketrans("Iİ", "ıi")


def normalize(text: str) -> str:
    """Return a text in Unicode's form NFC, in which an accented letter is one code point."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def clean(text: str) -> str:
    """Return a name or an answer in its one form: NFC, single spaces within, none at the ends."""
    spaced = " ".join(text.split())
    return spaced if spaced.isascii() else unicodedata.normalize("NFC", spaced)


def unescape_html(text: str) -> str:
    """Return a text with the signs that entities of HTML stand for.

    >>> unescape_html("oak &amp; ash")
    'oak & ash'
    """
    import html  # not needed by most

    # A number of thousands of digits is no sign, and Python refuses to read it.
    return html.unescape(re.sub(r"&#\d{8,}+;?", "\ufffd", text))


def split_letters(text: str) -> list[str]:
    """Return the letters of a text, each what a reader sees as one.

    >>> split_letters("crane"), split_letters("🍎🍌❤️")
    (['c', 'r', 'a', 'n', 'e'], ['🍎', '🍌', '❤️'])
    """
    if has_plain_letters(text):
        return list(text)
    import regex  # not needed by most, and slow to load

    letters: list[str] = regex.findall(r"\X", text)
    return letters


def make_splitter(letters: str | Iterable[str] = ()) -> Splitter:
    """Return a function that splits a text into letters, some of several characters.

    `letters` are those, ``"lj,nj"`` or a list, in any case; where several fit, the longest is
    taken. GameError if one holds white space.

    >>> make_splitter("lj,nj")("njuljam")
    ['nj', 'u', 'lj', 'a', 'm']
    """
    given = letters.split(",") if isinstance(letters, str) else letters
    if not isinstance(letters, str) and isinstance(letters, Iterable):
        given = list(letters)  # which may be an iterator
    check_lists(letters=given)
    wanted = sorted(filter(None, map(clean, given)), key=len, reverse=True)
    for letter in wanted:
        if " " in letter:
            raise GameError(f"the letter {letter!r:.80} holds white space; letters are as lj,nj")
    if not wanted:
        return split_letters
    pattern = re.compile(f"({'|'.join(map(re.escape, wanted))})", re.IGNORECASE)

    def split(text: str) -> list[str]:
        parts = enumerate(pattern.split(text))  # the letters stand at odd places
        return [each for at, part in parts for each in ([part] if at % 2 else split_letters(part))]

    return split


def strip_accents(text: str) -> str:
    """Return a text without the accents of its letters, and without other marks above or below.

    >>> strip_accents("Hadès"), strip_accents("señor"), strip_accents("Łódź"), strip_accents("がく")
    ('Hades', 'senor', 'Łodz', 'がく')
    """
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", text)
    # Marks of other classes, such as voiced kana, vowels and points, make other letters.
    return normalize("".join(sign for sign in apart if unicodedata.combining(sign) < 200))


def has_plain_letters(text: str) -> bool:
    """Return whether each code point of a text is surely a letter of its own."""
    return text.isascii() or not _find_beyond(text)


@lru_cache(maxsize=64)
def are_joined(symbols: tuple[str, ...]) -> bool:
    """Return whether the symbols of a code can be written without anything between them.

    They can if each is one letter, and none makes one letter with its neighbor.

    >>> are_joined(("1", "2")), are_joined(("red", "green")), are_joined(("🇩", "🇪"))
    (True, False, False)
    """
    if all(len(symbol) == 1 for symbol in symbols) and has_plain_letters("".join(symbols)):
        return True
    # A mark joins whatever comes before it; flags and jamo join others of their kind, and so
    # themselves.
    twice = [symbol for symbol in symbols for symbol in (symbol, symbol)]
    return all(
        split_letters("".join(row)) == row for row in (list(symbols), list(symbols[::-1]), twice)
    )


def reads_leftward(text: str) -> bool:
    """Return whether a text has letters that are read from right to left, as Hebrew is."""
    return not text.isascii() and any(
        unicodedata.bidirectional(letter) in ("R", "AL") for letter in text
    )


def is_written(text: str) -> bool:
    r"""Return whether a text can be printed: no control characters, and joiners only in letters.

    >>> is_written("né"), is_written("👩‍🚀"), is_written("a\tb"), is_written("\u200d")
    (True, True, False, False)
    """
    if text.isprintable():
        return True
    bare = text.translate(_JOINERS)
    # A joiner elsewhere would not be seen either, and would make a different text.
    return bare.isprintable() and all(
        letter.isprintable() or letter.translate(_JOINERS) for letter in split_letters(text)
    )


def is_label(text: str) -> bool:
    """Whether a text may name a game: a file's name without folders."""
    return is_written(text) and "/" not in text and "\\" not in text and len(text) <= 255


def check_label(label: str) -> None:
    """Raise GameError unless a label is empty or may name a game."""
    if not isinstance(label, str) or not is_label(label):
        raise GameError(
            f"the label {label!r:.80} is not the name of a file: at most 255 characters that can be"
            " printed, without / and \\"
        )


def fold(text: str) -> str:
    """Return a form that is equal for texts that differ in case alone.

    >>> fold("STRASSE") == fold("straße"), fold("ΟΔΟΣ") == fold("οδος"), fold("I") == fold("ı")
    (True, True, False)
    """
    folded = normalize(text).casefold()  # which takes some letters apart, such as ǰ
    return folded if folded.isascii() else normalize(folded)


def _fold_turkic(text: str) -> str:
    """Return a form that is equal for texts that differ by the case of a dotted or dotless i."""
    return fold(normalize(text).translate(_TURKIC))


def name_few(names: Sequence[str]) -> str:
    """Return the first five of some names, each cut, and how many more there are.

    >>> name_few("abc"), name_few("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    shown = ", ".join(f"{name:.80}" for name in names[:5])
    return f"{shown} and {len(names) - 5:,} more" if len(names) > 5 else shown


def suggest_name(text: str, names: Collection[str]) -> str:
    """Return a hint at the name that a user may have meant, or else at those that there are."""
    listed = name_few([f"{name!r:.80}" for name in names])
    return suggest(text, names) or (f"; it has {listed}" if names else "")


def suggest(text: str, names: Iterable[str]) -> str:
    """Return a hint at the name that a user may have meant by an unknown one."""
    near = find_near(normalize(text), names)
    return f"; did you mean {near[0]!r:.80}?" if near else ""


def choose_one(text: str, meant: Mapping[int, str]) -> int | None:
    """Return the only one of the places that a text may mean; None if it means nothing.

    GameError if it may mean several; the message shows how they are spelled.
    """
    if len(meant) > 1:
        shown = [f"{name!r:.80}" for name in islice(meant.values(), 5)]
        listed = f"{', '.join(shown[:-1])} or {shown[-1]}"
        raise GameError(f"{text!r:.80} may mean {listed}: give one as it is spelled")
    return next(iter(meant), None)


def read_json_list(text: str) -> list[Any] | None:
    """Return the list of a JSON text; None if it is not one."""
    if not text.lstrip().startswith("["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def split_quoted(text: str) -> list[str]:
    """Return the texts that commas join; quotes are around what holds a comma, as in CSV.

    >>> split_quoted('"yes, always",no'), split_quoted('5",x')
    (['yes, always', 'no'], ['5"', 'x'])
    """
    try:
        return next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error:
        return text.split(",")


class Names:
    """Texts and their places, found in any spelling that is clear; of equal ones the first.

    >>> names = Names(["Yes", "yes", "no"])
    >>> names.find("yes"), names.find("NO"), names.find("maybe")
    (1, 2, None)
    >>> names.find("YES")
    Traceback (most recent call last):
        ...
    treegen.errors.GameError: 'YES' may mean 'Yes' or 'yes': give one as it is spelled
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(texts)
        places = range(len(self.texts) - 1, -1, -1)  # backwards: the first of equal ones stays
        self.place_of = dict(zip(reversed(self.texts), places, strict=True))

    def get(self, text: str) -> int | None:
        """Return the place of the text of exactly this spelling; None if there is none."""
        for written in (text, clean(text)):
            if written in self.place_of:
                return self.place_of[written]
        return None

    def find(self, text: str) -> int | None:
        """Return the place of the text that is meant; None if it is not one of them.

        GameError if it differs in case alone from several.
        """
        return choose_one(text, {place: self.texts[place] for place in self.find_all(text)})

    def find_all(self, text: str) -> list[int]:
        """Return the places of the texts that may be meant: one if a text has this spelling."""
        place = self.get(text)
        if place is not None:
            return [place]
        # In one mapping; \0, which no name holds, keeps the two kinds of keys apart.
        keys = (fold(clean(text)), f"\0{_fold_turkic(clean(text))}")
        return sorted({place for key in keys for place in self._places_of_folded.get(key, ())})

    @cached_property
    def _places_of_folded(self) -> dict[str, list[int]]:
        """The places of the texts by their folded forms."""
        places: dict[str, list[int]] = {}
        for text, place in self.place_of.items():
            for key in (fold(text), f"\0{_fold_turkic(text)}"):
                places.setdefault(key, []).append(place)
        return places
