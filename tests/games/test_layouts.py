"""Tables whose cells are separated by spaces or bars, Markdown, JSON: as the same CSV."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from treegen import GameError, UsageError, read_questions

from ..command import run

ANIMALS = "animal,legs,wings\nant,6,no\nbee,6,yes\nspider,8,\n"


def read(text, **options):
    return treegen.open_game(io.StringIO(text), notice=lambda text: None, **options)


LAYOUTS = {
    "bars": "animal|legs|wings\nant|6|no\nbee|6|yes\nspider|8|\n",
    "Markdown": (
        "# Animals\n\nThese, as `table`:\n\n| animal | legs | wings |\n|:-------|-----:|:---:|\n"
        "| ant | 6 | no |\n| bee | 6 | yes |\n| spider | 8 | |\n\nThat is all.\n"
    ),
    "Markdown without outer bars": (
        "animal | legs | wings\n--- | --- | ---\nant | 6 | no\nbee | 6 | yes\nspider | 8 |\n"
    ),
    "Markdown with outer bars in rows alone": (
        "animal | legs | wings\n--- | --- | ---\n| ant | 6 | no |\n| bee | 6 | yes |\n"
        "| spider | 8 |\n"
    ),
    "records": json.dumps(
        [
            {"animal": "ant", "legs": 6, "wings": "no"},
            {"animal": "bee", "wings": "yes", "legs": 6},
            {"animal": "spider", "legs": 8, "wings": None},
        ],
        indent=1,
    ),
    "a record a line": (
        '{"animal": "ant", "legs": 6, "wings": false}\n\n'
        '{"animal": "bee", "legs": 6, "wings": true}\n{"animal": "spider", "legs": 8}\n'
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_table_is_the_same_in_every_layout(tmp_path, name):
    (tmp_path / "a.txt").write_bytes(
        b"\xef\xbb\xbf" + LAYOUTS[name].encode().replace(b"\n", b"\r\n")
    )
    assert read(LAYOUTS[name]) == read(ANIMALS)
    assert treegen.open_game(tmp_path / "a.txt", notice=lambda text: None) == read(ANIMALS)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("sep=;\nname;a, b, c, or d;e\nx;1;2\ny;2;1\n", ("a, b, c, or d", "e")),
        ("name,a|b\nx,1|2\ny,2|1\n", ("a|b",)),
        ('"name, too"|a\nx|1\ny|2\n', ("a",)),
    ],
)
def test_cells_stand_between_the_commonest_signs_of_the_header(text, questions):
    assert read(text, strict=False).table.questions == questions


def test_tables_separated_by_spaces():
    text = "1 0  1\n1 1 0\n 0 1 1 \n0 0 0\n"
    options = {"header": False, "names": "none"}
    game = read(text, **options)
    assert game == read(
        ",".join(text.strip().split()).replace(",", "", 0) and "1,0,1\n1,1,0\n0,1,1\n0,0,0\n",
        **options,
    )
    assert game == read(text, separator="space", **options)
    # The layout of DL8.5, STreeD and ConTree: the class, then features.
    classes = read(text, classes="column 1", **options)
    assert (classes.table.classes, len(classes.table.questions)) == (("1", "1", "0", "0"), 2)
    with pytest.raises(GameError, match="already in line 3; if the first column holds no names"):
        read(text)
    with pytest.raises(GameError, match=r"is in the columns 1 and 3.*header=False"):
        read(text, names="none")


@pytest.mark.parametrize(
    ("separator", "text"),
    [
        ("tab", ANIMALS.replace(",", "\t")),
        (":", ANIMALS.replace(",", ":")),
        ("|", ANIMALS.replace(",", "|")),
        ("space", ANIMALS.replace(",\n", " ?\n").replace(",", "  ")),
    ],
)
def test_a_separator_may_be_named(separator, text):
    assert read(text, separator=separator) == read(ANIMALS)


def test_a_named_separator_comes_before_the_form():
    text = "*SHOW y\nant 1\nbee 2\n"
    assert read(text, separator="space").table.names == ("ant", "bee")


@pytest.mark.parametrize("separator", ["", "xx", '"', "\n", "tabs"])
def test_separators_of_several_signs_are_refused(separator):
    with pytest.raises(UsageError, match=r"^separator= is one sign, tab or space, not"):
        read_questions(io.StringIO(ANIMALS), separator=separator)


def test_words_that_may_be_a_table_say_how_it_is_read():
    text = "animal legs wings\nant 6 no\nbee 6 yes\nspider 8 no\n"
    with pytest.raises(GameError, match=r"a table of cells between spaces: separator='space'\)$"):
        read(text)
    assert read(text, separator="space").table.questions == ("legs", "wings")


def test_where_no_separator_belongs(tmp_path):
    with pytest.raises(
        UsageError, match="separator= works only with tables of answers; 'p2c3r' is not one"
    ):
        treegen.open_game("p2c3r", separator="tab")
    with pytest.raises(UsageError, match="separator= works only with tables of answers"):
        read("crane\nslate\n", feedback="wordle", separator="tab")
    with pytest.raises(UsageError, match=r"^separator= is for cells in text, not for the table"):
        treegen.open_game([{"a": 1, "b": 2}, {"a": 2, "b": 3}], separator="tab")


def test_rows_that_a_tree_is_applied_to_have_separators(tmp_path, capsys):
    tree = treegen.build(read(ANIMALS), "optimal")
    rows = "name:legs:wings\nx:8:no\ny:6:yes\n"
    applied = treegen.apply(tree, io.StringIO(rows), separator=":", notice=lambda text: None)
    assert applied.announced == ["spider", "bee"]
    (tmp_path / "rows.txt").write_text(rows)
    tree.write(tmp_path / "a.tree")
    words = (tmp_path / "a.tree", tmp_path / "rows.txt", "--separator", ":", "-q")
    assert run("apply", *words) == 0
    assert "x,8,no,spider" in capsys.readouterr().out


def test_a_null_character_joins_no_answers():
    rows = '[{"a": "x", "b": "p\\u0000q"}, {"a": "y", "b": "r"}]'
    for source in (io.StringIO(rows), json.loads(rows)):
        with pytest.raises(GameError, match=r"'p\\x00q' holds a null character"):
            treegen.open_game(source)


def test_a_list_in_json_is_a_set_of_answers(capsys):
    text = '[{"n": "ant", "q": ["a", "b"], "r": 1.50}, {"n": "bee", "q": "a", "r": 10}]'
    game = treegen.open_game(io.StringIO(text), notice=print)
    assert (game.table.sets, game.table.answers) == ((((0, 1),), ()), (("a", "b"), ("1.50", "10")))
    assert "JSON: of the answers in a list, any is possible" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[{"a": 1, "b": 2}, 3]', 'record 2: "3" is no record'),
        ('[{"a": 1, "b": 2}, {"a": 1, "b": 3}]', "record 2: '1' is already in record 1"),
        ('[{"a": 1, "b": {"c": 2}}]', r"""record 1: \{"c": "2"\} in 'b' is no answer; a cell is"""),
        ('[{"a": 1, "b": [[2]]}]', "in 'b' is no answer"),
        ('[{"a": 1, "b": {"é": 2}}]', r"""record 1: \{"é": "2"\} in 'b' is no answer"""),
        ('[{"a": 1, "b": NaN}]', "NaN is not JSON; write null for what is unknown"),
        ('[{"a": 1, "a": 2}]', "the column 'a' is in a record twice"),
        ('[{"a": 1,\n "b": 2', "line 2: .*; JSON is expected here"),
        ('{"a": 1, "b": 2}\n{"a": 1, "b":}\n', "line 2: .*; JSON is expected here"),
        ('[{"a": ' + "[" * 100_000, "it is nested too deeply|JSON is expected"),
        ("a|b\n-|-\n1|2\n\nc|d\n-|-\n", "line 6: a second table"),
        ("a|b\n-|-\n1|2|3\n", "line 3: '1' has 2 answers; the header has 1 question"),
        ("|a|b|\n|-|-|\n|1|2|3|\n", "line 3: '1' has 2 answers; the header has 1 question"),
        ("| a | b |\n|---|---|\n", "has a header but no candidates"),
        ('a|b\n"1|2\n', "line 2: a quote is not closed"),
    ],
)
def test_bad_layouts_are_one_line(text, problem):
    with pytest.raises(GameError, match=problem) as error:
        read(text)
    assert "\n" not in str(error.value)


CELLS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=2, max_size=5, unique_by=lambda row: row[0]))
def test_cells_come_back_from_json_and_markdown(rows):
    records = [{"name": name, "q": cell} for name, cell in rows]
    game = read_questions(records, count_rows=True)
    assert read_questions(io.StringIO(json.dumps(records)), count_rows=True) == game
    if not any("\\" in cell for row in rows for cell in row):
        escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
        lines = ["| name | q |", "|--|--|", *(f"| {name} | {cell} |" for name, cell in escaped)]
        assert read_questions(io.StringIO("\n".join(lines)), count_rows=True) == game
