"""Identification keys: written as people print them, read back whatever the words are."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treegen
from treegen import FormatError, Questions, UsageError

from ..written import text_of

ROWS = [["no", 4, "land"], ["no", 4, "water"], ["yes", 2, "land"], ["yes", 2, "water"]]
GAME = Questions(ROWS, ["dog", "frog", "sparrow", "duck"], ["Feathers?", "Legs", "Home"])
TREE = treegen.build(GAME, "entropy")


def body(tree, style, **options):
    lines = text_of(tree, "text", style=style, **options).splitlines()
    return lines[lines.index("") + 1 :]


def test_indented_reads_as_a_key():
    assert body(TREE, "indented") == [
        "1 Feathers? no → 2, yes → 3",
        "  2 Home: land → dog, water → frog",
        "  3 Home: land → sparrow, water → duck",
    ]


def test_the_layout_of_biologists():
    assert body(TREE, "key") == [
        "1     Feathers? no ......................................................... 2",
        "-     Feathers? yes ........................................................ 3",
        "2(1)  Home: land ......................................................... dog",
        "-     Home: water ....................................................... frog",
        "3(1)  Home: land ..................................................... sparrow",
        "-     Home: water ....................................................... duck",
    ]


def test_keys_that_are_cut_say_so():
    assert body(TREE, "indented", depth=1) == ["1 Feathers? ... 6 more states, worst 2"]
    text = text_of(TREE, "text", style="key", depth=1)
    assert "1  Feathers? ... 6 more states" in text
    with pytest.raises(FormatError, match="the text is cut"):
        treegen.read_text_tree(f"{text}\n", GAME)


words = st.one_of(
    st.text(min_size=1, max_size=8),
    st.sampled_from(["2", "17", "a, b", "a → b", "Is it x?", "a: b", 'say "x"', "...", "a .... 2"]),
).map(lambda text: " ".join(text.split()))
words = words.filter(lambda text: text and text.isprintable())


@st.composite
def games(draw):
    n = draw(st.integers(1, 6))
    matrix = [[number >> bit & 1 for bit in range(3)] for number in range(n)]
    names, questions = (
        draw(st.lists(words, min_size=k, max_size=k, unique_by=str.casefold)) for k in (n, 3)
    )
    labels = [
        draw(st.lists(words, min_size=2, max_size=2, unique_by=str.casefold)) for _ in range(3)
    ]
    goal = draw(st.sampled_from(["win", "identify"]))
    return Questions(matrix, names, questions, labels, goal=goal)


@pytest.mark.parametrize("style", ["indented", "key", "booklet"])
@settings(max_examples=25)
@given(game=games())
def test_whatever_the_words_are(style, game):
    tree = treegen.build(game, "entropy")
    text = text_of(tree, "text", style=style)
    assert treegen.read_text_tree(f"{text}\n", game).digest == tree.digest


@pytest.mark.parametrize("style", ["indented", "key", "booklet"])
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_keys_of_any_line_ends_are_recognized(style, end):
    text = text_of(TREE, "text", style=style).replace("\n", end)
    assert treegen.import_tree(io.StringIO(text), GAME).digest == TREE.digest


OUTLINE = "1 Feathers? no → 2, yes → 3\n2 Home: land → dog, water → frog\n"
LAST = "3 Home: land → sparrow, water → duck\n"
COUPLET = "1  Feathers? no .... 2\n-  Feathers? yes .... 3\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (OUTLINE, "line 1, column 1: an answer leads to number 3, which is missing"),
        (OUTLINE + LAST.replace("duck", "2"), "leads to number 2, for the second time"),
        (OUTLINE + LAST + "4" + LAST[1:], "line 4, column 1: no answer leads to number 4"),
        (OUTLINE + LAST + LAST, "line 4, column 1: the number 3 occurs twice"),
        (OUTLINE + LAST.replace("Home", "House"), "begins with no question of"),
        (OUTLINE + LAST.replace("land", "sand"), "'sand' is not an answer; there are land, water"),
        (OUTLINE + LAST.replace("water", "land"), "the answer 'land' is written twice"),
        (OUTLINE + LAST.replace("duck", "goose"), "'goose' is not a candidate"),
        (OUTLINE + LAST.replace("→ duck", "duck"), "an arrow and where it leads must follow"),
        (OUTLINE + LAST.replace("duck", '"duck'), "the quotes in '\"duck' do not end"),
        (OUTLINE + LAST.replace("duck", '"duck"x'), "'x' follows where the answer 'water' leads"),
        (OUTLINE + LAST.replace("duck", "dog"), "one candidate is left, and dog is not it"),
        (OUTLINE + LAST.replace(", water → duck", ""), "can be answered water: that branch is mis"),
        (OUTLINE + "x\n", "a line such as '1 Feathers\\? no → 2, yes → 5' is expected"),
        (COUPLET, "an answer leads to number 2, which is missing"),
        (COUPLET + "x\n", "a line such as '2\\(1\\)  Legs: 4 .... dog' is expected"),
        (COUPLET.replace("-", "1"), "the number 1 occurs twice"),
        (COUPLET + "2 Home: land .... dog\n- Legs: 2 .... frog\n", "ask different questions"),
        (COUPLET + "2 Home: sand .... dog\n", "'sand' is not an answer"),
        (COUPLET.replace("yes", "no"), "the answer 'no' is written twice"),
    ],
)
def test_bad_keys_are_refused_with_their_place(text, problem):
    with pytest.raises(FormatError, match=problem):
        treegen.read_text_tree(text, GAME)


def test_keys_and_other_styles_have_their_games():
    with pytest.raises(UsageError, match="the style lines cannot show a table of answers"):
        text_of(TREE, "text", style="lines")
    with pytest.raises(UsageError, match="the style key is for tables of answers"):
        text_of(treegen.build("p2c2r"), "text", style="key")
    with pytest.raises(FormatError, match="a key is of a table of answers"):
        treegen.read_text_tree(COUPLET, treegen.build("p2c2r").game, "key")
