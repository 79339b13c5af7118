"""Lists of rules: they say what the tree says, and read back.

What a leaf announces comes from an inner module: no writer shows it alone.
"""

import csv
import io
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from treegen.tree.walk import list_announced

ANSWERS = {"Q": "ab", "R": "abc", "S": "ab"}


@st.composite
def tables(draw):
    """A table of classes, of some combinations of answers, perhaps with gaps."""
    signs = [[*answers, "?"] if draw(st.booleans()) else [*answers] for answers in ANSWERS.values()]
    row = st.tuples(*map(st.sampled_from, signs), st.sampled_from("xyz"))
    rows = draw(st.lists(row, min_size=1, max_size=18))
    return "Q,R,S,class\n" + "".join(f"{','.join(row)}\n" for row in rows)


def build(text, **options):
    options = {"names": "none", "classes": "class", **options}
    return treegen.build(io.StringIO(text), notice=lambda _: None, **options)


def write(tree, **options):
    file = io.StringIO()
    treegen.write_rules(tree, file, **options)
    return file.getvalue()


def ask_tree(tree, answers):
    """What a tree announces where questions have these answers; None if it has no such branch."""
    node, game = 0, tree.game
    while tree.first_child[node] < tree.first_child[node + 1]:
        guess = int(tree.guess[node])
        answer = answers[game.format_code(guess)]
        below = [
            child
            for child in tree.children(node)
            if game.format_response(int(tree.response[child]), guess) == answer
        ]
        if not below:
            return None
        (node,) = below
    return list_announced(tree).get(node)


def ask_rules(rows, answers):
    """What the rules that match say: one text, or None."""
    found = [
        row["outcome"]
        for row in rows
        if all(row.get(name, "-") in ("-", answer) for name, answer in answers.items())
    ]
    assert len(found) < 2  # no two rules overlap
    return found[0] if found else None


@given(tables())
def test_rules_say_what_the_tree_says(text):
    tree = build(text, strategy="separable-pairs")
    rows = list(csv.DictReader(io.StringIO(write(tree))))
    asked = dict(zip(tree.game.table.questions, tree.game.table.answers, strict=True))
    for combination in product(*asked.values()):
        answers = dict(zip(asked, combination, strict=True))
        assert ask_rules(rows, answers) == ask_tree(tree, answers)
    # None can be merged: of no question do rules alike have all answers.
    conditions = {frozenset(row.items()) - {("rule", row["rule"])} for row in rows}
    for row in conditions:
        for name, answer in row:
            if name in asked and answer != "-":
                others = {(name, other) for other in asked[name]}
                assert not all((row - {(name, answer)}) | {other} in conditions for other in others)


@given(tables())
def test_rules_read_back_to_the_same_classes(text):
    tree = build(text, strategy="separable-pairs")
    written = write(tree)
    if written.count(",") == written.count("\n"):
        return  # nothing is asked, and a table has a question
    options = {"names": "rule", "classes": "outcome", "any": "-"}
    again = build(written, strategy="information", **options)
    rows = list(csv.DictReader(io.StringIO(written)))
    assert set(again.game.table.classes) == {row["outcome"] for row in rows}
    table = again.game.table
    for numbers, outcome in zip(table.matrix.tolist(), table.classes, strict=True):
        answers = {
            question: labels[number]
            for question, labels, number in zip(
                table.questions, table.answers, numbers, strict=True
            )
        }
        assert ask_rules(rows, answers) == outcome
        unasked = {name: labels[0] for name, labels in ANSWERS.items()}
        assert ask_tree(tree, unasked | answers) == outcome


def test_rules_are_merged_and_sorted():
    # A tree that asks R at first has Q below each of its answers.
    tree = build("Q,R,class\na,a,x\nb,a,y\na,b,x\nb,b,y\na,c,x\nb,c,z\n", first="R")
    assert write(tree) == "rule,Q,R,outcome\n1,a,-,x\n2,b,a,y\n3,b,b,y\n4,b,c,z\n"


def test_candidates_are_outcomes_too():
    tree = treegen.build(io.StringIO("n,Q,R\np,1,1\nq,1,2\nr,2,1\n"), "optimal", first="Q")
    assert write(tree) == "rule,Q,R,outcome\n1,1,1,p\n2,1,2,q\n3,2,-,r\n"


def test_answers_before_the_tree_are_conditions():
    text = "Q,R,class\na,a,x\na,b,y\nb,a,z\nb,b,z\n"
    tree = build(text, history=[("Q", "a")])
    assert write(tree) == "rule,Q,R,outcome\n1,a,a,x\n2,a,b,y\n"


def test_a_table_for_players_has_the_rules_of_its_tree(tmp_path):
    tree = treegen.build(io.StringIO("n,Q,R\np,1,1\nq,1,2\nr,2,1\n"), "optimal")
    tree.write(tmp_path / "x.tgt")
    assert write(tmp_path / "x.tgt") == write(tree)


def test_texts_that_csv_must_quote_read_back():
    texts = ['a,"b"', "; x;y;z", "#1", "'", "\t1", "é"]
    rows = [{"a;b;c;d": text, "rule": text, "outcome": "no", "k": text} for text in texts]
    rows += [{**row, "outcome": "yes", "k": "other"} for row in rows]
    quiet = {"notice": lambda _: None}
    tree = treegen.build(rows, "optimal", names="none", classes="k", ignore="rule", **quiet)
    written = write(tree)
    assert written.splitlines()[0] == 'rule,"a;b;c;d",outcome,outcome (2)'
    options = {"any": "-", "classes": "outcome (2)", **quiet}
    game = treegen.open_game(io.BytesIO(written.encode()), **options)
    assert set(game.table.classes) == set(tree.game.table.classes)
    assert set(game.table.answers[0]) == set(tree.game.table.answers[0])


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("p2c2r", {}, "rules are written of tables of answers .* in p2c2r codes are guessed"),
        ("p2c2r", {"goal": "identify"}, "in p2c2r codes are guessed"),
        (io.StringIO("n,Q\np,1\nq,2\n"), {"goal": "win"}, "with the goal to identify"),
        (io.StringIO("n,Q\np,1\nq,-\n"), {}, "'-' is an answer to 'Q': give another text"),
    ],
)
def test_what_has_no_rules_is_refused(game, options, message):
    tree = treegen.build(game, notice=lambda _: None, **options)
    with pytest.raises(treegen.UsageError, match=message):
        write(tree)


def test_another_text_for_any_answer():
    tree = build("Q,R,class\n-,a,x\n-,b,y\nb,a,z\nb,b,z\n", first="Q")
    assert write(tree, any="any") == "rule,Q,R,outcome\n1,-,a,x\n2,-,b,y\n3,b,any,z\n"
