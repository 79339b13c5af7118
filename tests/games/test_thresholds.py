"""Columns of measurements, asked for by thresholds; `parse_threshold` is what `apply` takes."""

import csv
import io
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from tests.command import run
from tests.naive_tables import write_out_thresholds
from treegen import GameError
from treegen.games.thresholds import Measurements, parse_threshold, write_threshold

from .test_uncertain_files import list_cells, read_text

LEAVES = """leaf,Length (cm),Width,Edge
oak,5-12,3.5,lobed
ash,3,1.25,toothed
elm,4.1,?,toothed
fir,1e1,-0.1,smooth
"""

TENTHS = st.integers(-30, 30)
SPANS = st.none() | TENTHS.map(lambda one: (one, one)) | st.tuples(TENTHS, TENTHS).map(sorted)


def write_span(span):
    """Return a range as people write it."""
    if span is None:
        return "?"
    low, high = (f"{'-' * (end < 0)}{abs(end) // 10}.{abs(end) % 10}" for end in span)
    return low if low == high else f"{low}-{high}"


def write_csv(rows):
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def test_a_column_becomes_thresholds_midway_between_its_numbers():
    game = read_text(LEAVES, thresholds=["Length (cm)", "Width"])
    assert game.table.questions == (
        *("Length (cm) < 3.55", "Length (cm) < 4.55", "Length (cm) < 7.5"),
        *("Width < 0.575", "Width < 2.375", "Edge"),
    )
    cells = list_cells(game)
    assert cells["oak"]["Length (cm) < 7.5"] == ["no", "yes"]  # 5 to 12
    assert cells["elm"]["Width < 2.375"] == ["no", "yes"]  # not known
    assert cells["ash"]["Width < 2.375"] == ["yes"]
    assert cells["fir"]["Length (cm) < 7.5"] == ["no"]


@given(
    st.lists(st.tuples(SPANS, SPANS, st.sampled_from("xyz"), st.sampled_from("ab")), min_size=2),
    st.integers(1, 5),
    st.booleans(),
)
def test_a_table_with_thresholds_is_the_same_as_one_that_is_written_out(rows, most, has_classes):
    names = [f"r{number}" for number in range(len(rows))]
    classes = [row[3] for row in rows] if has_classes else names
    columns = [[row[place] for row in rows] for place in (0, 1)]
    asked = [
        write_out_thresholds(name, spans, classes, most)
        for name, spans in zip(("A", "B (cm)"), columns, strict=True)
    ]
    given = write_csv(
        [
            ["name", "A", "kind", "B (cm)", "class"],
            *(
                [n, write_span(a), k, write_span(b), c]
                for n, (a, b, k, c) in zip(names, rows, strict=True)
            ),
        ]
    )
    options = {"classes": "class"} if has_classes else {"ignore": "class"}

    def read():
        return read_text(given, thresholds=["A", "B (cm)"], thresholds_most=most, **options)

    if not all(asked):
        with pytest.raises(GameError, match="so no threshold"):
            read()
        return
    written = [["name", *names], *([question, *cells] for question, cells in asked[0])]
    written += [["kind", *(row[2] for row in rows)]]
    written += [[question, *cells] for question, cells in asked[1]]
    written += [["class", *(row[3] for row in rows)]]
    assert read() == read_text(write_csv(zip(*written, strict=True)), sets="/", **options)


def test_of_many_thresholds_those_are_asked_that_part_most_pairs():
    rows = [f"{number},{number},{'ab'[number > 7]}\n" for number in range(10)]
    text = "name,x,kind\n" + "".join(rows)
    options = {"thresholds": "x", "classes": "kind", "thresholds_most": 3}
    game = read_text(text, **options)
    # Of 16 pairs of an a and a b, 7.5 parts all; 6.5, 14; 5.5, 12.
    assert game.table.questions == ("x < 5.5", "x < 6.5", "x < 7.5")
    assert game.name == "3 of 9 thresholds"
    assert game.table.notes[0] == (
        "'x' has 9 thresholds; only those of a column are asked that part most pairs, at most 3"
        " (`thresholds_most`), and what is proved holds for these"
    )
    alike = read_text("name,x\na,1\nb,2\nc,3\n", thresholds="x", thresholds_most=1)
    assert alike.table.questions == ("x < 1.5",)  # of equally good ones the lower


def test_all_columns_of_numbers_but_zeros_and_ones():
    text = "name,size,wet,mass,kind,even\na,1,0,2.5,x,3\nb,2,1,3-4,y,3\nc,?,0,2.5,?,3\n"
    game = read_text(text, thresholds="all")
    assert game.table.questions == ("size < 1.5", "wet", "mass < 2.75", "kind")
    assert game.table.dropped == ("even",)
    same = read_text("name,x\na,1\nb,3-3\nc,5\n", thresholds="all")
    assert same.table.questions == ("x < 2", "x < 4")
    wide = read_text("name,x,y\na,1-4,2\nb,2-3,3\n", thresholds="all")
    assert wide.table.questions == ("y < 2.5",)
    assert wide.table.notes == ("'x' has no two numbers apart, so no threshold",)
    assert read_text(text, thresholds="all", ignore="size").table.questions[0] == "wet"
    with pytest.raises(GameError, match="no column of numbers: thresholds= asks for nothing"):
        read_text("name,kind\na,x\nb,y\n", thresholds="all")
    named = read_text('name,all,"a,b"\nx,1,2\ny,2,1\n', thresholds=["all", "a,b"])
    assert named.table.questions == ("all < 1.5", "a,b < 1.5")


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("red", "'red' is neither a number .* nor a range"),
        ("NA", "'NA' is neither a number"),
        ("1,234", "'1,234' is no number: decimals have a point, thousands no separator"),
        ("1 234", "'1 234' is no number: decimals have a point"),
        ("1_234", "'1_234' is no number: decimals have a point"),
        ("5-3", "'5-3' is no range: its first number is the greater one"),
        ("-1--3", "'-1--3' is no range"),
        ("1-2-3", "'1-2-3' is neither a number"),
        ("12 cm", "'12 cm' is neither a number"),
        ("inf", "'inf' is neither a number"),
        ("1e999", "'1e999' is neither a number"),
        ("٣", "'٣' is neither a number"),
        ("9" * 50, "'9+' is neither a number"),
    ],
)
def test_what_is_no_number_is_refused_with_its_line(cell, problem):
    text = write_csv([["name", "x"], ["a", "1"], ["b", cell], ["c", "2"]])
    with pytest.raises(GameError, match=f"^the input line 3, 'x': {problem}"):
        read_text(text, thresholds="x")


@pytest.mark.parametrize(
    ("cells", "question"),
    [
        (("-3--1", "0"), "x < -0.5"),
        (("-3 - -1", "0"), "x < -0.5"),
        (("−3–−1", "0"), "x < -0.5"),
        (("1e3", "1.5e3"), "x < 1250"),
        (("1e-3", "1e-3-2e-3", "3e-3"), "x < 0.0025"),
        (("0.1", "0.2"), "x < 0.15"),
        (("2.4", "2.5"), "x < 2.45"),
        (("1e30", "3e30"), "x < 2E+30"),
        ((".5", "+1."), "x < 0.75"),
        (("0.1234567890123456789", "0.1234567890123456788"), "x < 0.12345678901234567885"),
    ],
)
def test_numbers_are_exact_however_they_are_written(cells, question):
    rows = [["name", "x"], *([f"r{place}", cell] for place, cell in enumerate(cells))]
    game = read_text(write_csv(rows), thresholds="x")
    assert game.table.questions[-1] == question
    assert parse_threshold(question).column == "x"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"thresholds": "sise"}, "has no column 'sise'; did you mean 'size'?"),
        ({"thresholds": " ,"}, "thresholds=' ,' names no column; the input has 'name', 'size'"),
        ({"thresholds": "name"}, "'name' is the column of names"),
        ({"thresholds": "name", "names": "name"}, "'name' has names, classes or weights, or is"),
        ({"thresholds": "size", "ignore": "size"}, "'size' has names, classes or weights, or is"),
        ({"thresholds": "size", "weights": "size"}, "'size' has names, classes or weights, or"),
        ({"thresholds": "size", "classes": "size"}, "'size' has names, classes or weights, or"),
        ({"thresholds": "one"}, "'one' has one number, so no threshold"),
        ({"thresholds": "wide"}, "'wide' has no two numbers apart, so no threshold"),
        ({"thresholds": "gap"}, "'gap' has no two numbers apart, so no threshold"),
    ],
)
def test_columns_without_thresholds_are_refused(options, problem):
    with pytest.raises(GameError, match=problem):
        read_text("name,size,one,wide,gap\na,1,5,1-4,?\nb,2,5,2-3,?\n", **options)


def test_most_of_a_column_needs_a_column():
    with pytest.raises(treegen.UsageError, match="thresholds_most= needs thresholds="):
        read_text(LEAVES, thresholds_most=3)
    with pytest.raises(treegen.UsageError, match="thresholds= works only with tables of answers"):
        treegen.open_game("p2c2r", thresholds="all")


def test_the_cost_of_a_column_is_that_of_each_of_its_thresholds(tmp_path):
    text = "name,size,kind\na,1,x\nb,2,x\nc,3,y\ncost,3,2\n"
    wanted = [3, 3, 2]
    assert [*read_text(text, thresholds="size", costs="cost").costs[3:]] == wanted
    game = treegen.open_game(io.StringIO(text[: text.index("cost")]), thresholds="size")
    (tmp_path / "costs").write_text("size,3\nkind,2\n")
    assert [*treegen.open_game(game, costs=tmp_path / "costs").costs[3:]] == wanted
    assert [*treegen.open_game(game, costs={"size": 3, "kind": 2}).costs[3:]] == wanted
    assert [*treegen.open_game(game, costs={"size < 1.5": 3, "kind": 2}).costs[3:]] == [3, 1, 2]
    (tmp_path / "costs").write_text("size < 1.5,3\nkind,2\n")
    with pytest.raises(
        GameError, match=r"nothing for 1 of 3 questions; the first is 'size < 2\.5'"
    ):
        treegen.open_game(game, costs=tmp_path / "costs")
    (tmp_path / "costs").write_text("size < 2.5,7\nsize,3\nkind,2\n")
    wanted[1] = 7
    assert [*treegen.open_game(game, costs=tmp_path / "costs").costs[3:]] == wanted
    assert [
        *treegen.open_game(game, costs={"size": 3, "size < 2.5": 7, "kind": 2}).costs[3:]
    ] == wanted


def test_weights_classes_unknown_answers_and_sets_work_with_thresholds():
    text = "x,kind,n\n1,a,2\n2/4,b,1\nNA,a,5\n3,b,1\n"
    options = {"names": "none", "classes": "kind", "weights": "n", "unknown": "NA", "sets": "/"}
    game = read_text(text, thresholds="x", **options)
    assert list_cells(game) == {
        "row 1": {"x < 1.5": ["yes"], "x < 2.5": ["yes"], "x < 3.5": ["yes"]},
        "row 2": {"x < 1.5": ["no"], "x < 2.5": ["no", "yes"], "x < 3.5": ["no", "yes"]},
        "row 3": {each: ["no", "yes"] for each in ("x < 1.5", "x < 2.5", "x < 3.5")},
        "row 4": {"x < 1.5": ["no"], "x < 2.5": ["no"], "x < 3.5": ["yes"]},
    } or game.table.questions == ("x < 1.5", "x < 2.5")
    assert game.weights.tolist() == [2, 1, 5, 1]
    tree = treegen.build(game, "optimal")
    assert treegen.verify(tree, prove=True).problems == ()


def test_numbers_that_are_asked_one_by_one_are_pointed_out():
    rows = "".join(f"n{number},{number}.5,{number % 3}\n" for number in range(43))
    notes = read_text(f"name,length,size\n{rows}").table.notes
    assert "'length' has 43 numbers: `thresholds='length'` asks \"length < x\"" in notes
    rows = "".join(f"n{number},{number}.5,{number}\n" for number in range(43))
    notes = read_text(f"name,body length,n\n{rows}", ignore="n").table.notes
    told = "'body length' has 43 numbers: `thresholds='body length'` asks \"body length < x\""
    assert told in notes
    notes = read_text(f"name,length,width\n{rows}").table.notes
    told = "'length' has 43 numbers, as others: `thresholds='all'` asks \"length < x\""
    assert told in notes
    for options in ({"thresholds": "all"}, {"ignore": "length,width"}):
        notes = read_text(f"name,length,width\n{rows}", **options).table.notes
        assert not any("numbers" in note for note in notes)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Petal length (cm) < 2.45", "Petal length less than 2.45 cm?"),
        ("Petal length [cm high] < 2.45", "Petal length less than 2.45 cm high?"),
        ("Height (max) < 3", "Height (max) less than 3?"),
        ("Speed (km/h) < 3.5", "Speed less than 3.5 km/h?"),
        ("Area (cm²) < 1E-30", "Area less than 1E-30 cm²?"),
        ("a, b < -3", '"a, b less than -3?":'),
        ("x < y < 3", "x < y less than 3?"),
        ("x < y", "x < y:"),
    ],
)
def test_keys_write_thresholds_in_words_and_are_read_back(question, words):
    game = treegen.Questions([["no"], ["yes"]], ["ant", "bee"], [question])
    tree = treegen.build(game, "optimal")
    for style in ("key", "indented", "booklet"):
        stream = io.StringIO()
        treegen.write_text(tree, stream, style=style)
        text = stream.getvalue()
        assert words in text
        assert treegen.import_tree(io.StringIO(text), game) == tree
        plain = text.replace(words, f"{game.notation.quote(question)}:")
        assert treegen.import_tree(io.StringIO(plain), game) == tree


def test_a_threshold_is_answered_by_a_number():
    asked = parse_threshold("Petal length (cm) < 2.45")
    assert asked == ("Petal length (cm)", Decimal("2.45"))
    answers = {"2.4": ("yes",), "2.45": ("no",), "3": ("no",), "2-3": ("no", "yes")}
    assert {cell: asked.list_answers(cell) for cell in answers} == answers
    with pytest.raises(GameError, match="'big' is neither a number"):
        asked.list_answers("big")
    assert [*map(parse_threshold, ("Legs", "a < b", " < 3", "x<3"))] == [None] * 4


def test_a_shell_builds_and_names_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leaves.csv").write_text(LEAVES)
    options = ["--thresholds", "all", "--thresholds-most", "2"]
    assert run("build", "leaves.csv", *options, "-s", "optimal", "-q") == 0
    (made,) = tmp_path.glob("*.tree")
    assert made.name.startswith("leaves-thresholds-all-thresholds-most-2")
    assert run("stats", made.name) == 0
    assert "leaves.csv (4 of 5 thresholds)" in capsys.readouterr().out
    assert run("verify", made.name, "--prove", "--game", "leaves.csv", *options) == 0
    assert run("build", "leaves.csv", "--thresholds", "Edge", "-o", "x.tree") == 2
    told = capsys.readouterr().err
    assert told.endswith(
        "'leaves.csv' line 2, 'Edge': 'lobed' is neither a number (12, -0.5, 1e3)"
        " nor a range (3-5)\n"
    )
    assert not (tmp_path / "x.tree").exists()


@pytest.mark.parametrize(
    "numbers", [("0", "1e-99"), (f"1.{'1' * 40}", f"1.{'1' * 39}2"), ("1e-99", "1e99")]
)
def test_thresholds_of_any_numbers_are_read_as_they_are_written(numbers):
    value = Measurements.read([[each] for each in numbers]).find_midway(0)
    assert parse_threshold(write_threshold("x", value)) == ("x", value)
