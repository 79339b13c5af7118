"""Lists of words from files, in whatever form people have them.

A list has one word per line; empty lines and lines that begin with ``#`` are ignored in lists of
every kind. Other forms are read with a notice: a line of several words, JSON, a title, numbers
beside the words. What can be read in two ways is refused.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from .._files import TextSource, name_source, read_source
from ..errors import GameError
from .base import Game
from .codebook import (
    is_word,
    join_letters,
    make_word_game,
)
from .text import (
    Splitter,
    clean,
    has_plain_letters,
    is_label,
    make_splitter,
    normalize,
    split_letters,
    strip_accents,
)

SEPARATORS = "\t;,"
"""What may stand between the cells of a line."""

SEPARATOR_LINE = re.compile(r'\s*"?sep=([^\w"])"?[\t;,\s]*', re.IGNORECASE)
"""The first line in which spreadsheets name the separator."""

MAX_ALONE = 50
"""A single text of this length, or longer, is no word."""

_TITLE = re.compile(
    "words?|secrets?|answers?|solutions?|guess(es)?|codes?|names?|text", re.IGNORECASE
)
"""What stands above a column of words."""

GAP = r"(?=[\s;,])\s*+[;,]?\s*+"
"""White space, a separator, or both; possessive, so that a long gap is looked at once."""

# A number has a decimal comma only behind a space or semicolon, or in quotes: crane;0,25.
_COUNTED = re.compile(
    rf'"?([^\s;,"]+)"?(?:\s*+,\s*+[\d.]+|(?=[\s;])\s*+;?\s*+[\d.,]+|{GAP}"[\d.,]+)'
    r'(?:[eE][+-]?\d+)?"?'
)
_COUNTED_FIRST = re.compile(rf'"?(\d[\d.]*)"?{GAP}"?([^\s;,"]+)"?')
_TITLED = re.compile(rf'"?(\S+?)"?{GAP}"?([^;,\t"]+)"?')
_PLAIN = re.compile(r"(?:[^\W_]+\n)*[^\W_]+\n?")
_JAMO = re.compile("[\u1100-\u11ff]")
_LIST = re.compile(r"""\s*(?:\[\s*["'\[\]{]|\{\s*")""")


@dataclass(frozen=True, slots=True)
class WordList:
    """The words of a file.

    `name` is how messages call the file, `label` its name without folders. `words` has the line of
    each word, `numbers` what stands beside it as written, `column` the title of those numbers.
    `letters` has those of words that are lists of letters. `notes` say how the file was read unless
    it has a word a line.
    """

    name: str
    label: str
    words: Mapping[str, int]
    numbers: Mapping[str, str] = field(default_factory=dict)
    column: str = ""
    notes: tuple[str, ...] = ()
    letters: Mapping[str, Sequence[str]] = field(default_factory=dict)


def is_comment(line: str) -> bool:
    """Whether a line of a list is a comment: it begins with ``#``."""
    return line.lstrip().startswith("#")


def iter_entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a list that are neither empty nor comments, with their numbers."""
    for number, line in enumerate(text.splitlines(), start=1):
        entry = line.strip()
        is_separator = number == 1 and SEPARATOR_LINE.fullmatch(line)
        if entry and not is_comment(entry) and not is_separator:
            yield number, entry


def looks_like_counts(head: str, *, titled: bool = False) -> bool:
    """Return whether each line has a word, all of one length, and a number beside it.

    `head` is the beginning of a file. With `titled`, the first line may hold two titles, as in a
    table.
    """
    entries = list(iter_entries(head))
    found = _split_counts(entries)
    if found is None or (found.title and not titled):
        return False
    lengths = {_count_letters(word) for _, word, _ in found.rows}
    return len(lengths) == 1 and lengths != {1}


def looks_like_words(head: str) -> bool:
    """Return whether a file that looks like a table is a list: one line, one column, JSON."""
    if _LIST.match(head) or looks_like_counts(head):
        return True
    named = SEPARATOR_LINE.fullmatch(head.partition("\n")[0])
    signs = SEPARATORS + (named[1] if named else "")
    lines = [line.strip(signs + " ") for _, line in iter_entries(head)]
    is_split = [any(sign in line for sign in signs) for line in lines]
    if len(lines) == 1:
        return not is_split[0] or _split_line(lines[0], split_letters) is not None
    return bool(lines) and not any(is_split)


def read_word_list(
    source: TextSource, *, letters: str | Iterable[str] = (), fold: bool = False
) -> WordList:
    """Read the words of a file, whose `letters` of several characters are given.

    With `fold`, words are read without accents, equal ones once; the numbers beside them keep the
    words as they are written. FormatError if it cannot be read or is not UTF-8 text; GameError,
    with the line, if it has no words, words of several lengths, or a word twice.
    """
    name, split = name_source(source), make_splitter(letters)
    text = read_source(source, name)
    is_path = isinstance(source, (str, PathLike))
    label = Path(source).name if is_path else ""  # type: ignore[arg-type]
    label = label if is_label(label) else ""
    is_column = is_path and Path(label).suffix.lower() in (".csv", ".tsv")
    is_special = split is not split_letters or (fold and not text.isascii())
    plain = None if is_column or is_special else _read_plain(text)
    if plain is not None:
        return WordList(name, label, plain)
    found = read_json_words(text, name) if _LIST.match(text) else None
    if found is None:
        found = _interpret(list(iter_entries(text)), name, split, is_column)
        if _LIST.match(text) and not _are_words(found.rows, split):
            raise GameError(
                f"{name} begins like JSON but is not valid JSON: one word per line is expected, or"
                ' a list ["crane", "slate"]'
            )
    if _JAMO.search(text):
        found.notes += _note_jamo(found.rows, name)
    numbers = {word: number for _, word, number in found.rows if number}
    if fold:
        _strip_rows(found, name)
    return WordList(
        name,
        label,
        _check(found, name, split),
        numbers,
        found.title,
        tuple(found.notes),
        found.letters,
    )


def _strip_rows(found: Rows, name: str) -> None:
    """Take the accents off the words; of those that are then equal the first stays."""
    first: dict[str, str] = {}
    rows = found.rows
    # The same word twice is a mistake, which is refused later.
    found.rows = [
        (number, bare, beside)
        for number, word, beside in rows
        if first.setdefault(bare := strip_accents(word), word) == word
    ]
    found.letters = {
        strip_accents(word): tuple(map(strip_accents, letters))
        for word, letters in found.letters.items()
    }
    changed = [word for _, word, _ in rows if strip_accents(word) != word]
    if changed:
        n_equal = len(rows) - len(found.rows)
        are = "is" if n_equal == 1 else "are"
        found.notes.append(
            f"{name}: {len(changed):,} word{'s' * (len(changed) > 1)} lose accents, such as"
            f" {changed[0]!r:.80}" + f"; {n_equal:,} {are} then equal to others" * bool(n_equal)
        )


def _note_jamo(rows: Sequence[tuple[int, str, str]], name: str) -> Iterator[str]:
    """Yield what becomes of jamo that Unicode composes, and how to count them as letters."""
    for _, word, _ in rows:
        apart = unicodedata.normalize("NFD", word)
        if len(apart) > len(word):
            letters = "".join(map(_find_letter, apart))
            yield (
                f"{name}: {word!r:.80} has {_count_letters(word)} letters, its syllables; to count"
                f" its {len(apart)} jamo, write them as letters of their own, {letters!r:.80}"
            )
            return


def _find_letter(sign: str) -> str:
    """Return the letter of its own for a conjoining jamo, any other sign as it is."""
    kind, _, name = unicodedata.name(sign, "").rpartition(" ")
    try:
        return unicodedata.lookup(f"HANGUL LETTER {name}") if kind.startswith("HANGUL") else sign
    except KeyError:  # of the old script
        return sign


def _read_plain(text: str) -> dict[str, int] | None:
    """Return the words of a text that is surely a word a line, each with its line; else None."""
    text = normalize(text)
    if not (has_plain_letters(text) and _PLAIN.fullmatch(text)):
        return None
    line_of = {word: number for number, word in enumerate(text.split(), start=1)}
    # Fewer words than lines: one comes twice.
    is_sure = len(line_of) == text.count("\n") + (not text.endswith("\n"))
    return line_of if is_sure and len(line_of) > 1 and len({*map(len, line_of)}) == 1 else None


def read_codebook(
    path: TextSource,
    *,
    rule: str = "pegs",
    guesses: TextSource | None = None,
    letters: str | Iterable[str] = (),
    notice: Callable[[str], object] | None = None,
) -> Game:
    """Read a codebook: UTF-8 text, a word a line; empty lines and ``#`` lines are ignored.

    An accented letter is one letter, however the file encodes it (Unicode's form NFC). Several
    words on one line, a JSON list, a title and numbers beside the words are read as well; `notice`
    then gets how the file was read. `guesses` has further words that may be guessed, and may repeat
    secrets. Errors are those of `read_word_list`.
    """
    sources = [source for source in (path, guesses) if source is not None]
    lists = [read_word_list(source, letters=letters) for source in sources]
    for note in (note for found in lists for note in found.notes):
        if notice is not None:
            notice(note)
    return make_codebook(*lists, rule=rule, letters=letters)


def make_codebook(
    secrets: WordList,
    extra: WordList | None = None,
    *,
    rule: str = "pegs",
    letters: str | Iterable[str] = (),
) -> Game:
    """Return the game of one list of words or of two; raise GameError if two do not fit."""
    if extra is not None:
        split = make_splitter(letters)
        firsts = [(each.letters, next(iter(each.words))) for each in (secrets, extra)]
        ours, theirs = (len(known.get(word) or split(word)) for known, word in firsts)
        if ours != theirs:
            raise GameError(
                f"{extra.name} has words of {theirs} characters, {secrets.name} of {ours}"
            )
        _refuse_other_case(secrets.words, extra)
    hidden, others = (
        [found.letters.get(word, word) for word in found.words] if found else []
        for found in (secrets, extra)
    )
    return make_word_game(hidden, others, rule=rule, label=secrets.label, letters=letters)


def find_two_cases(words: Iterable[str]) -> str:
    """Return the first letter that occurs in both cases; ``""`` if none does."""
    letters = set().union(*words)
    return min((c for c in letters if c.upper() != c and c.upper() in letters), default="")


def _refuse_other_case(secrets: Iterable[str], extra: WordList) -> None:
    """Raise GameError if guesses have the secrets' letters in another case.

    Such a guess shares no letter with any secret: nobody who combines a list in upper case with one
    in lower case intends that.
    """
    letters = set().union(*secrets)
    for word, number in extra.words.items():
        for letter in word:
            if letter not in letters and letter.swapcase() in letters:
                line = f" line {number}" if number else ""
                raise GameError(
                    f"{extra.name}{line}: {letter!r} in {word!r:.80} is"
                    f" {letter.swapcase()!r} in the secrets: they would count as two letters, so"
                    " write both lists alike"
                )


@dataclass(slots=True)
class Rows:
    """Rows of a line's number, a word and the number beside it, empty without one."""

    rows: list[tuple[int, str, str]]
    title: str = ""
    notes: list[str] = field(default_factory=list)
    letters: dict[str, tuple[str, ...]] = field(default_factory=dict)


def _interpret(
    entries: Sequence[tuple[int, str]], name: str, split: Splitter, is_column: bool
) -> Rows:
    """Return the meaning of lines; `is_column`: they are a column of a spreadsheet."""
    entries = _strip_cells(entries, split)
    counts = _split_counts(entries)
    if counts is not None:
        return counts
    plain = Rows([(number, normalize(line), "") for number, line in entries])
    if len(entries) != 1 and _are_words(
        plain.rows, split
    ):  # a single line likely has several words
        return _drop_title(plain, name, split) if is_column else plain
    parts = [_split_line(line, split) for _, line in entries]
    if any(len(part or "") > 1 for part in parts) and None not in parts:
        rows = [
            (number, normalize(word), "")
            for (number, _), part in zip(entries, parts, strict=True)
            for word in part or ()
        ]
        # "ab cd" is more likely a name with a space.
        is_list = any(
            len(part or "") > 2 or any(sign in line for sign in f"{SEPARATORS}|/")
            for (_, line), part in zip(entries, parts, strict=True)
        )
        if is_list and _are_words(rows, split):
            words, lines = f"{len(rows):,} words", f"{len(entries):,} lines"
            where = "one line" if len(entries) == 1 else lines
            return Rows(rows, notes=[f"{name}: {words} on {where}; one word per line is usual"])
    return _drop_title(plain, name, split, is_sure=is_column)


def _strip_cells(entries: Sequence[tuple[int, str]], split: Splitter) -> list[tuple[int, str]]:
    """Return lines without the quotes and the trailing separators that all of them have."""
    found = list(entries)
    if len(found) < 2:
        return found
    # The last line may lack the separator: then it is shorter than the others.
    n_ended = len(found) - (not _are_words([(number, line, "") for number, line in found], split))
    for sign in SEPARATORS:
        if all(len(line) > 1 and line.endswith(sign) for _, line in found[:n_ended]):
            found = [(number, line.rstrip(sign + " ")) for number, line in found]
    if all(re.fullmatch(r'"[^"]+"', line) for _, line in found):
        found = [(number, line[1:-1].strip()) for number, line in found]
    return found


def _split_counts(entries: Sequence[tuple[int, str]]) -> Rows | None:
    """Return words with the numbers beside them, None if not every line has both."""
    title, rows = "", []
    if not any(all(sign in line for _, line in entries) for sign in f"{SEPARATORS} "):
        return None
    for place, (number, line) in enumerate(entries):
        pair = _split_pair(line.rstrip(SEPARATORS + " "))
        if pair is None and place == 0 and (head := _TITLED.fullmatch(line)):
            title = clean(head[2])
        elif pair is None:
            return None
        else:
            rows.append((number, *pair))
    if all(word.isdecimal() for _, word, _ in rows):  # 12 34 may as well be two words
        return None
    is_first = all(_COUNTED_FIRST.fullmatch(line) for _, line in entries)
    if is_first and [each[2].rstrip(".") for each in rows] == [*map(str, range(1, len(rows) + 1))]:
        return Rows([(line, word, "") for line, word, _ in rows])  # they are numbered
    return Rows(rows, title)


def _split_pair(line: str) -> tuple[str, str] | None:
    """Return the word and the number of a line, whichever comes first."""
    if match := _COUNTED.fullmatch(line):
        number = line[match.end(1) :].strip(SEPARATORS + ' "')
        return (normalize(match[1]), number) if re.match(r"[.,]?\d", number) else None
    match = _COUNTED_FIRST.fullmatch(line)
    return (normalize(match[2]), match[1]) if match else None


def _split_line(line: str, split: Splitter) -> list[str] | None:
    """Return the words of a line; None if they have several lengths, or are letters."""
    parts = [part.strip("\"'") for part in re.split(r"[\s;,]+", line.strip(SEPARATORS + " ."))]
    if len(parts) == 1 and all(part.isalpha() for part in re.split(r"[|/]", line)):
        parts = re.split(r"[|/]", line)
    lengths = {len(split(part)) for part in parts}
    return parts if len(lengths) == 1 and min(lengths) > 1 else None


def _are_words(rows: Sequence[tuple[int, str, str]], split: Splitter) -> bool:
    words = [word for _, word, _ in rows]
    lengths = {len(split(word)) for word in words}
    return len(lengths) == 1 and 0 not in lengths and is_word("".join(words))


def _drop_title(found: Rows, name: str, split: Splitter, *, is_sure: bool = False) -> Rows:
    """Return rows without a title above them.

    With `is_sure`, a first line of another length than all others is one.
    """
    first, *rest = found.rows or [(0, "", "")]
    number, title, _ = first
    is_title = _TITLE.fullmatch(title) or (
        is_sure and _are_words(rest, split) and title.isprintable()
    )
    if (
        rest
        and is_title
        and _are_words(rest, split)
        and not (is_sure and _are_words(found.rows, split))
    ):
        return Rows(rest, notes=[f"{name} line {number}: {title!r:.80} is read as a title"])
    return found


def _check(found: Rows, name: str, split: Splitter) -> dict[str, int]:
    """Return the words, each with its line; raise GameError at the first that is wrong."""
    rows = found.rows
    line_of: dict[str, int] = {}
    length = 0
    for number, word, _ in rows:
        if not is_word(word):
            raise GameError(
                f"{name} line {number}: {word!r:.80} holds white space or a control character; a"
                " word a line is expected (a table of cells between spaces: `separator='space'`)"
            )
        n_letters = len(found.letters.get(word) or split(word))
        parts = re.split(f"[{SEPARATORS}]", word)
        if len(rows) == 1 and len(parts) > 1 and min(map(len, parts)) > 1:
            raise GameError(
                f"{name} line {number}: {word!r:.80} holds several words of different lengths; a"
                " word a line is expected, all of one length"
            )
        if len(rows) == 1 and n_letters >= MAX_ALONE:
            raise GameError(
                f"{name} is one text of {n_letters} letters, {word!r:.80}: neither a list of words"
                " nor a table of a kind that is read"
            )
        length = length or n_letters
        if n_letters != length:
            raise GameError(
                f"{name} line {number}: {word!r:.80} has {n_letters} characters, the words"
                f" before it {length}"
            )
        if word in line_of:
            first = line_of[word]
            where = "in this line twice" if first == number else f"already in line {first}"
            raise GameError(f"{name} line {number}: {word!r:.80} is {where}")
        line_of[word] = number
    if not line_of:
        raise GameError(f"{name} has no words: one word per line is expected")
    return line_of


def _are_letters(word: object) -> bool:
    """Whether a value of JSON is a word as the list of its letters."""
    if not isinstance(word, list) or not word:
        return False
    return all(isinstance(letter, str) and letter for letter in word)


def _count_letters(word: str) -> int:
    return len(word) if word.isascii() else len(split_letters(word))


def read_json_words(text: str, name: str) -> Rows | None:
    """Return the words of a JSON list, or of an object with numbers; None if it is not JSON."""
    for written in (text, text.replace("'", '"')):
        try:
            value = json.loads(written)
            spelled = json.loads(written, parse_float=str, parse_int=str)  # no digit is rounded
            break
        except (ValueError, RecursionError):
            continue
    else:
        return None
    is_object = isinstance(value, dict)
    letters: dict[str, tuple[str, ...]] = {}
    wrong = [word for word in value if not (isinstance(word, str) or _are_letters(word))]
    if is_object:
        wrong += [one for one in value.values() if type(one) not in (int, float)]
    if wrong:
        raise GameError(
            f"{name} is JSON that holds {json.dumps(wrong[0], ensure_ascii=False):.80}: a list of"
            ' words is expected, ["crane", "slate"], words with numbers, {"crane": 3}, or a table,'
            ' [{"animal": "ant", "legs": 6}]'
        )
    rows = [
        (1, join_letters(word, letters), "")
        if isinstance(word, list)
        else (1, normalize(word.strip()), spelled[word] if is_object else "")
        for word in value
    ]
    what = f"a JSON {'object' if is_object else 'list'} of {len(rows):,} words"
    return Rows(rows, notes=[f"{name}: {what}"], letters=letters)
