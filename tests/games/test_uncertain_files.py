"""Tables with unknown answers, sets of answers and classes, as files have them."""

import io
import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from treegen import GameError, read_questions

TABLES = Path(__file__).parents[1] / "data" / "uncertain"
FACTS = sorted(TABLES.glob("*.json"))


def read_text(text, **options):
    return read_questions(io.StringIO(text), **options)


def read_facts(path):
    """Return what is known of a table, and the table, read as that says."""
    facts = json.loads(path.read_text())
    reading = dict(facts["reading"])
    options = {"goal": reading.pop("goal", "identify"), "sets": reading.pop("sets", None)}
    options |= {"weights": reading.pop("weights", None), "costs": reading.pop("costs_row", None)}
    names = reading.pop("names", "")
    options["names"] = names or ("none" if names is None else None)
    options["classes"] = reading.pop("cls", None)
    assert not reading
    return facts, lambda **more: read_questions(path.with_suffix(".csv"), **options, **more)


@pytest.mark.parametrize("path", FACTS, ids=[path.stem for path in FACTS])
def test_ten_tables_are_read_as_they_are_meant(path):
    facts, read = read_facts(path)
    game = read()
    table = game.table
    assert [*table.names] == facts["candidates"]
    assert ([*table.questions], [*table.dropped]) == (facts["questions"], facts["dropped"])
    assert [*table.classes] == facts.get("classes", [])
    costs = [1] * game.rules.n_questions if game.costs is None else [*game.costs[game.n_secrets :]]
    weights = [1] * game.n_secrets if game.weights is None else game.weights.tolist()
    given = [*map(Fraction, facts["weights"])]
    assert [Fraction(each, sum(weights)) for each in weights] == [w / sum(given) for w in given]
    assert costs == facts["costs"]
    if game.rules.shares is not None:
        separable = game.with_goal("identify").rules.division.separable  # guesses part any two
        n_bits = sum(row.bit_count() for row in separable.ravel().tolist())
        assert n_bits == 2 * facts["separable_pairs"]


def list_cells(game):
    """Return what each candidate may answer to each question, in words."""
    return {
        name: {
            question: [
                game.table.answers[place][answer]
                for answer in game.table.list_possible(place, game.table.matrix[row, place])
            ]
            for place, question in enumerate(game.table.questions)
        }
        for row, name in enumerate(game.table.names)
    }


def test_an_unknown_answer_is_any_that_occurs():
    game = read_text("animal,Legs,Wet?\nduck,2,yes\ndog,4/6,\nant,?,no\n", sets="/")
    assert list_cells(game) == {
        "duck": {"Legs": ["2"], "Wet?": ["yes"]},
        "dog": {"Legs": ["4", "6"], "Wet?": ["no", "yes"]},
        "ant": {"Legs": ["2", "4", "6"], "Wet?": ["no"]},
    }
    assert game.table.notes == (
        "2 of 6 answers are unknown, the first that of 'dog' to 'Wet?' in line 3: any answer to the"
        " question is possible there",
    )


@pytest.mark.parametrize(
    ("unknown", "labels"),
    [
        ("?", ("-", "1", "NA")),
        ("NA,-", ("1", "?")),
        (["NA", "?", "-"], ()),
        ("", ("-", "1", "?", "NA")),
        ("none", ("-", "1", "?", "NA")),
    ],
)
def test_which_cells_are_unknown(unknown, labels):
    game = read_text("n,Q,R\na,1,1\nb,?,2\nc,-,3\nd,NA,4\ne,,5\n", unknown=unknown)
    found = dict(zip(game.table.questions, game.table.answers, strict=True))
    assert found.get("Q", ()) == labels
    assert ("Q" in game.table.dropped) == (not labels)


def test_cells_may_hold_sets_of_answers():
    text = "n,Q,R\na,x / y,1\nb,y/x/,2\nc, z,3\nd,x/y/z,4\ne,?,5\nf,x/x,6\ng,x/?,7\n"
    game = read_text(text, sets="/")
    assert game.table.answers[0] == ("x", "y", "z")
    assert game.table.sets[0] == ((0, 1), (0, 1, 2))
    assert game.table.matrix[:, 0].tolist() == [3, 3, 2, 4, 4, 0, 4]
    # A sign that is a cell by itself parts nothing.
    assert read_text("n,Q\na,/\nb,x\n", sets="/").table.answers == (("/", "x"),)


def test_questions_that_tell_nothing():
    game = read_text("n,Q,R,S,T\na,?,1,x/y,1\nb,,?,y/x,2\nc,?,1,?,3\n", sets="/")
    assert (game.table.questions, game.table.dropped) == (("T",), ("Q", "R", "S"))
    assert "question 'S' dropped: every candidate answers 'x or y'" in game.table.notes
    assert game.rules.shares is None  # what is left is certain


ILL = "Fever?,Cough?,disease\nyes,no,flu\nno,yes,cold\nyes,no,flu\nyes,no,cold\nno,no,?\nno,no,\n"


def test_a_column_of_classes_is_read():
    game = read_text(ILL, names="none", classes="disease")
    assert game.table.names == ("row 1 | row 3 | row 4", "row 2")
    assert game.table.classes == ("cold | flu", "cold")
    assert game.weights.tolist() == [3, 1]
    assert game.aside == {"disease": ["flu", "cold", "flu", "cold"]}
    assert game.table.notes == (
        "2 rows have no class and are left out, the first line 6: 'row 5'",
        "4 rows, 2 of them different: equal ones are one candidate, which counts by their number",
        "1 of 2 candidates is of several classes: no question tells apart: row 1 (flu), row 3"
        " (flu), row 4 (cold)",
    )
    assert read_text(ILL, names="none", classes="none", unknown="").table.classes == ()
    with pytest.raises(GameError, match="has no column 'diseases'; did you mean 'disease'"):
        read_text(ILL, names="none", classes="diseases")


def test_a_class_is_announced_once_also_where_a_candidate_is_of_several():
    text = "sign,disease\nyes,flu\nyes,cold\nno,flu\nyes/no,flu\n"
    game = read_text(text, names="none", classes="disease", sets="/")
    assert game.table.classes == ("cold | flu", "flu", "flu")
    tree = treegen.build(game, "optimal")
    assert [tree.root.after(answer).guess for answer in ("no", "yes")] == ["flu", "cold | flu"]


def test_names_beside_classes_may_repeat():
    text = "genus,Legs,size\nfrog,4,big\nfrog,2,small\nant,6,small\n"
    game = read_text(text, classes="size")
    assert game.table.names == ("frog", "frog (2)", "ant")
    # The first column can hardly hold the names if it has the classes.
    assert read_text(text, classes="genus").table.names == ("row 1", "row 2", "row 3")
    assert read_text(text, classes="genus", names="genus").table.names[1] == "frog (2)"


def test_weights_beside_classes():
    text = "n,Q,size,seen\na,1,big,2\nb,1,big,3\nc,2,small,0.5\n"
    game = read_text(text, classes="size", weights="seen")
    assert (game.table.names, game.weights.tolist()) == (("a | b", "c"), [10, 1])
    assert game.table.notes == (
        "3 rows, 2 of them different: equal ones are one candidate, with the sum of their weights",
    )


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        ("n,Q\na,1\nb,?\n", {}, "line 3: the answer of 'b' to 'Q' is unknown; without strict=True"),
        ("n,Q\na,1\nb,\n", {}, "line 3: the answer of 'b' to 'Q' is unknown"),
        ("n,Q\na,1\nb,1\n", {}, "no question tells apart: a, b; without strict=True"),
        ("n,Q,c\na,1,x\nb,1,y\n", {"classes": "c"}, r"apart: a \(x\), b \(y\); without strict="),
        ("n,Q,c\na,1,x\nb,2,\n", {"classes": "c"}, "line 3: 'b' has no class"),
        ("n,Q\na,1\nb,2\nc,1/2\n", {"sets": "/"}, "tells apart for certain: a, c; without"),
        ("n,Q\na,1\nb,2\nc,1/2\n", {"sets": "/", "goal": "win"}, "apart for certain: a, c"),
    ],
)
def test_strict_reading_refuses_what_else_is_noted(text, options, problem):
    read_text(text, **options)
    with pytest.raises(GameError, match=problem):
        read_text(text, strict=True, **options)


def test_strictly_read_classes_may_have_equal_rows():
    text = "n,Q,c\na,1,x\nb,2,y\nc,2/3,y\n"
    assert read_text(text, classes="c", sets="/", strict=True).n_secrets == 3
    game = read_text("n,Q,c\na,1,x\nb,1,x\nc,2,y\n", classes="c", strict=True)
    assert game.table.names == ("a | b", "c")


def test_a_row_that_answers_nothing():
    game = read_text("n,Q,R\na,1,x\nb,?,\nc,2,y\nd,?,x\n")
    assert game.table.notes[1:] == (
        "'b' answers nothing for certain: it is possible whatever is answered",
    )


@pytest.mark.parametrize(
    ("text", "options", "notes"),
    [
        ("n,Q\na,x\nb,y\nc,y/x\n", {}, ["'y/x' joins two answers: if both .*, `sets='/'`"]),
        ("n,Q\na,x\nb,y\nc,y/x\n", {"sets": "|"}, []),
        ("n,Q,R\na,x,z\nb,y,1\nc,z/x,2\n", {}, []),
        ("n;Q\na;x\nb;y\nc;y, x,z\nd;z\n", {}, ["'y, x,z' joins 3 answers: .*, `sets=','`"]),
        ("n,Q\na,x\nb,y\nc,y|x\nd,x or y\n", {}, [".*`sets='\\|'`", ".*, `sets=' or '`"]),
        ("n,Q\na,n\nb,a\nc,n/a\n", {}, ["'n/a' occurs once: .*'\\?,n/a'", "'n/a' joins"]),
        ("n,Q\na,NA\nb,NA\nc,x\n", {"unknown": "?,-"}, ["'NA' occurs 2 times: .*'\\?,-,NA'"]),
        ("n,Q\na,+\nb,-\n", {}, []),
        ("dog,4,yes\nbee,6,no\ncat,4,yes\n", {}, ["the header's '4' is an .* `header=False`"]),
        ("dog,4,yes\nbee,6,no\ncat,4,yes\n", {"header": False}, []),
        ("n,4,5\nbee,6,no\ncat,4,yes\n", {}, []),
        ("n,Q\na,1\na,2\na,3\n", {"count_rows": True}, ["'a' is the name of 3 rows; if the"]),
        ("n,Q\na,1\na,2\n", {"names": "n", "count_rows": True}, []),
    ],
)
def test_what_a_reader_decides_is_noted(text, options, notes):
    found = read_text(text, **options).table.notes
    found = [note for note in found if not note.startswith("no question tells apart")]
    assert len(found) == len(notes), found
    for note, pattern in zip(found, notes, strict=True):
        assert re.match(pattern, note), found


class Frame:
    """What is used of a pandas frame."""

    columns = ("Legs", "Wet?", "kind")

    def __init__(self, index):
        self.index = index

    def to_numpy(self):
        cells = [[2.0, True, "bird"], [4.0, {"no", "yes"}, "mammal"], [float("nan"), None, None]]
        return np.array(cells, dtype=object)


def test_tables_that_a_program_holds():
    frame = Frame(["duck", "dog", "ant"])
    game = treegen.open_game(frame, notice=print)
    assert list_cells(game)["ant"]["Legs"] == ["2", "4"]
    assert list_cells(game)["dog"] == {"Legs": ["4"], "Wet?": ["no", "yes"], "kind": ["mammal"]}
    rows = [
        {"animal": "duck", "Legs": 2, "Wet?": "yes", "kind": "bird"},
        {"animal": "dog", "Legs": 4, "Wet?": {"yes", "no"}, "kind": "mammal"},
        {"animal": "ant", "Legs": None, "Wet?": "?", "kind": ""},
    ]
    assert treegen.open_game(rows, notice=print) == game == read_questions(rows)
    classes = [treegen.open_game(each, classes="kind", notice=print) for each in (frame, rows)]
    assert classes[0] == classes[1]
    assert classes[0].table.classes == ("bird", "mammal")
    numbered = treegen.open_game(Frame(range(3)), names="none", notice=print)
    assert numbered.table.names == ("row 1", "row 2", "row 3")
    with pytest.raises(GameError, match="the table has no columns"):
        read_questions([{}])
    with pytest.raises(GameError, match="row 2 has other columns than the first row"):
        read_questions([{"a": 1, "b": 2}, {"a": 1}])


CELLS = st.lists(st.sampled_from("abc?"), min_size=1, max_size=3).map("/".join)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6))
def test_cells_hold_what_is_written(rows):
    lines = [f"row {place},{','.join(row)}" for place, row in enumerate(rows)]
    game = read_text("\n".join(["n,Q,R", *lines]), sets="/", count_rows=True)
    cells = list_cells(game)
    place_of = {
        row: name for name, rows in zip(cells, game.table.rows, strict=True) for row in rows
    }
    for column, question in enumerate("QR"):
        occurring = {part for row in rows for part in row[column].split("/")} - {"?"} or {"?"}
        wanted = [occurring if "?" in row[column] else set(row[column].split("/")) for row in rows]
        assert (question in game.table.dropped) == all(each == wanted[0] for each in wanted)
        for row, answers in enumerate(wanted):
            if question in game.table.questions:
                assert set(cells[place_of[row]][question]) == answers


def test_an_unknown_answer_of_very_many_is_pointed_out():
    rows = "".join(f"n{i},{i if i > 2 else '?'},{i % 2}\n" for i in range(90))
    game = read_text(f"name,host,odd\n{rows}")
    wanted = "any of the 87 answers to 'host' is possible for 2 candidates"
    assert any(note.startswith(wanted) for note in game.table.notes)
    assert not any("very large" in note for note in read_text("n,a\nx,1\ny,?\nz,2\n").table.notes)
