"""Long texts of one line, kind or nest: every reader, called alone, ends soon with a short line."""

import contextlib
import io
import json
import signal
from functools import partial

import pytest

import treegen
from treegen import Codebook, FormatError, GameError, TreegenError, open_game, read_questions
from treegen.formats.json_text import parse_json
from treegen.formats.text import READERS, detect_format, parse_tree
from treegen.games.word_files import read_word_list

from .hostile import DATASETS, HEADS, NESTS, TABLE_HEADS, UNITS

MOST_CPU_S = 5
"""Only bounds a hang: of 15,000 texts none takes 0.3 s, a loop in a loop takes more than this.

Of Python's loops 10,000 steps within each other take that long, of those of C 100,000.
"""

TAILS = ("", "\n", "!", ' "]')
TABLE = "animal,Has wings?,Swims?\nheron,true,false\nswan,true,true\ngoat,false,false\n"
PEGS = open_game("p2c3r")
GAMES = {
    **dict.fromkeys(("indented", "key", "booklet"), read_questions(io.StringIO(TABLE))),
    "wordle": Codebook(["abc", "bcd", "abd"], feedback="position"),
}


@contextlib.contextmanager
def bounded():
    def give_up(*_):
        pytest.fail(f"no end after {MOST_CPU_S} s of work")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def refuse(read, text):
    """Read a text, which ends; an error must be one short line that a terminal can show."""
    try:
        with bounded():
            read(text)
    except TreegenError as error:
        message = str(error)
        assert len(message) < 600, (text[:60], message[:200])
        assert message.replace("\t", " ").isprintable(), message


def test_every_reader_has_hostile_texts():
    assert set(HEADS) == set(READERS)


@pytest.mark.parametrize("name", HEADS)
def test_long_texts_of_one_kind_end_soon_in_a_short_line(name):
    game = GAMES.get(name, PEGS)
    for head in HEADS[name]:
        for unit in (" ", "a", "1", "... "):
            refuse(partial(parse_tree, game=game, name=name), f"{head}{unit * 10_000} !")
    for number, unit in enumerate(UNITS):
        head, tail = (these[number % len(these)] for these in (HEADS[name], TAILS))
        text = head + unit * (10_000 // len(unit)) + tail
        refuse(partial(parse_tree, game=PEGS, name=name), text)
        refuse(detect_format, text)


@pytest.mark.parametrize("name", HEADS)
def test_very_long_texts_of_one_line(name):
    for unit in (" ", "1, "):
        text = f"{HEADS[name][-1]}{unit * (100_000 // len(unit))} !"
        refuse(partial(parse_tree, game=PEGS, name=name), text)


@pytest.mark.parametrize("name", NESTS)
def test_deep_nests_end_soon_in_a_short_line(name):
    opening, core, closing = NESTS[name]
    for text in (opening * 4_000 + core + closing * 4_000, opening + "[" * 4_000 + "]" * 4_000):
        refuse(partial(parse_tree, game=PEGS, name=name), text)
    deep = opening + "[" * 4_000 + "]" * 4_000 + closing
    refuse(partial(parse_tree, game=PEGS, name=name), deep)


@pytest.mark.parametrize("head", ["", "a", "a,b\n", "a,b\nc,", "a 1\n", '["', '{"'])
def test_long_lists_and_tables_end_soon_in_a_short_line(head):
    for number, unit in enumerate(UNITS[len(head) % 2 :: 2]):
        tail = ("!", ' "')[number // 2 % 2]
        text = head + unit * (10_000 // len(unit)) + tail
        refuse(lambda text: read_word_list(io.StringIO(text)), text)
        refuse(lambda text: read_questions(io.StringIO(text)), text)
        with contextlib.suppress(GameError, FormatError), bounded():
            treegen.open_game(io.StringIO(f"crane\nslate\n{text}"), notice=lambda text: None)


def test_a_key_that_stands_twice_among_many():
    text = json.dumps({str(number): 1 for number in range(20_000)})[:-1] + ', "0": 1}'
    with pytest.raises(FormatError, match="the key '0' stands twice"):
        parse_tree(text, PEGS, "json")


LONG_TABLES = {
    "empty lines in a character of DELTA": ("*SHOW\n*CHARACTER LIST\n#1. leaf/\n1. a", "\n", ""),
    "angle brackets in a name of DELTA": ("*SHOW\n*CHARACTER LIST\n#1. ", "<", "/\n1. a/\n2. b/"),
    "ranges of characters of DELTA": (
        f"{TABLE_HEADS['delta'][4]}*IMPLICIT VALUES ",
        "1-99999,1 ",
        "\n*ITEM DESCRIPTIONS\n# x/ 1,1",
    ),
    "ranges of states of DELTA": (f"{TABLE_HEADS['delta'][8]}1", "/1-99999", "\n"),
    "nested comments of NEXUS": ("#NEXUS ", "[", "]" * 100_000),
    "a long word in a format of NEXUS": (TABLE_HEADS["nexus"][3], "a", "; MATRIX\na 01\n;"),
    "nested lists of SLIKS": ("var chars = [", "[", ""),
    "comments before SLIKS": ("", "/**/", "x"),
    "comments of SLIKS that do not end": ("var chars = [", "/*", ""),
    "quotes in a text of SLIKS": ('var chars = ["', '\\"', ""),
    "elements of SDD within each other": (DATASETS, "<a>", ""),
    "commands of TNT": ("", "a;", "xread 1 1"),
    "names of TNT": ("xread 1 1\na 0;\ncnames", "{0 ", ""),
    "lists of JSON within each other": ('[{"a":', "[", ""),
    "rules of Markdown": ("a|b\n", "-|-\n", ""),
    "dashes of Markdown": ("a|b\n", "-|", "x"),
    "lines of YAML": ("", "a: b\n", "!"),
    "notes of C4.5": ("|x\n", "a.", ""),
    "comments before XML": ("", "<!-- -->", "x"),
    "quotes of ARFF that do not close": (TABLE_HEADS["arff"][4], "\\'", ""),
    "spaces in a row of ARFF": (TABLE_HEADS["arff"][4], " ", "' \"]"),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG_TABLES)
def test_tables_of_which_a_part_is_long(name):
    head, unit, tail = LONG_TABLES[name]
    text = head + unit * (60_000 // len(unit)) + tail
    refuse(lambda text: treegen.open_game(io.StringIO(text), notice=lambda text: None), text)


@pytest.mark.slow
@pytest.mark.parametrize("head", [head for heads in TABLE_HEADS.values() for head in heads])
def test_tables_that_repeat_something(head):
    for unit in [*UNITS, *"<>]})'/?+", "''", "\\'", "\n#", "\n*", "1,1-99999 ", "#1. ", "{0", "0="]:
        for tail in ("", "\n!", "' \"]"):
            text = head + unit * (30_000 // len(unit)) + tail
            refuse(
                lambda text: treegen.open_game(io.StringIO(text), notice=lambda text: None), text
            )


@pytest.mark.parametrize(
    ("begin", "end", "message"),
    [
        ("[", "1}", "line 1, column 2002: Expecting ',' delimiter"),
        ("[", "", "line 1, column 2001: Expecting value"),
        ('{"a":', "1 2", "line 1, column 10003: Expecting ',' delimiter"),
        ('{"a":', "NaN", "NaN is not JSON"),
        ('{"a":', '{"b":1,"b":2}', "the key 'b' stands twice"),
        ('{"a":', "{1:2}", "column 10002: Expecting property name"),
        ('{"a":', '{"b" 1}', "column 10006: Expecting ':' delimiter"),
    ],
)
def test_errors_in_deep_json_say_where_they_are(begin, end, message):
    with pytest.raises(FormatError, match=message):
        parse_json(begin * 2000 + end)
    with pytest.raises(FormatError, match="Extra data"):
        parse_json("[" * 2000 + "]" * 2001)


def test_deep_json_is_what_it_says():
    value = parse_json('{"a":[1,' * 1500 + '{"b": [], "c": {}, "d": "x\\n"}' + ", null]}" * 1500)
    for _ in range(1500):
        one, value, nothing = value["a"]
        assert (one, nothing) == (1, None)
    assert value == {"b": [], "c": {}, "d": "x\n"}
