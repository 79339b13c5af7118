"""Decision tables: rules with open cells stand for combinations of answers."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from tests.command import run

from .test_uncertain_files import read_text as read

DISHES = """rule,Season,Guests,Vegetarian,dish
1,Fall,few,-,spareribs
2,Winter,few,-,roastbeef
3,Spring,-,yes,salad
4,Spring,few,-,steak
5,-,many,no,stew
"""


def list_classes(table):
    """The class of each combination of answers of a table."""
    rows = zip(table.matrix.tolist(), table.classes, strict=True)
    return {
        tuple(labels[number] for labels, number in zip(table.answers, row, strict=True)): outcome
        for row, outcome in rows
    }


def test_each_combination_that_rules_match_is_a_candidate():
    game = read(DISHES, any="-", classes="dish")
    assert game.weights is None
    assert game.table.names[:3] == ("Fall, few, no", "Fall, few, yes", "Fall, many, no")
    assert list_classes(game.table) == {
        ("Fall", "few", "no"): "spareribs",
        ("Fall", "few", "yes"): "spareribs",
        ("Fall", "many", "no"): "stew",
        ("Spring", "few", "no"): "steak",
        ("Spring", "few", "yes"): "salad | steak",
        ("Spring", "many", "no"): "stew",
        ("Spring", "many", "yes"): "salad",
        ("Winter", "few", "no"): "roastbeef",
        ("Winter", "few", "yes"): "roastbeef",
        ("Winter", "many", "no"): "stew",
    }
    assert game.table.notes == (
        "1 of 12 combinations has rules with several outcomes (an overlap), the first Season"
        " Spring, Guests few, Vegetarian yes: '3' (salad), '4' (steak)",
        "2 of 12 combinations have no rule (a gap) and are left out, the first Season Fall,"
        " Guests many, Vegetarian yes",
        "5 rules for 10 of 12 combinations of answers, a candidate each",
    )


CELLS = {"Q": "ab", "R": "cde", "S": "fg"}


@given(
    st.lists(
        st.tuples(
            *(st.sampled_from([*answers, "-"]) for answers in CELLS.values()),
            st.sampled_from("xyz"),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_a_decision_table_equals_its_expansion_written_out(rules):
    text = "".join(f"{number},{','.join(rule)}\n" for number, rule in enumerate(rules))
    game = read(f"rule,Q,R,S,class\n{text}", any="-", classes="class")
    answers = [sorted({rule[place] for rule in rules} - {"-"}) or ["?"] for place in range(3)]
    rows = ""
    for case in product(*answers):
        found = {
            rule[-1]
            for rule in rules
            if all(cell in ("-", answer) for cell, answer in zip(rule, case, strict=False))
        }
        if found:
            rows += f"{','.join(case)},{' | '.join(sorted(found))}\n"
    written = read(f"Q,R,S,class\n{rows}", names="none", classes="class", unknown="")
    for part in ("questions", "answers", "classes", "sets"):
        assert getattr(game.table, part) == getattr(written.table, part)
    assert game.table.matrix.tolist() == written.table.matrix.tolist()
    assert game.weights is written.weights is None


def test_a_rule_may_have_sets_of_answers():
    text = "rule,Q,R,class\n1,a/b,-,x\n2,c,d,y\n3,c,e,x\n"
    assert list_classes(read(text, any="-", sets="/", classes="class").table) == {
        **{(first, second): "x" for first in "ab" for second in "de"},
        ("c", "d"): "y",
        ("c", "e"): "x",
    }


def test_the_empty_cell_may_be_the_one_that_any_answer_fits():
    game = read(DISHES.replace("-", ""), any="", classes="dish")
    assert list_classes(game.table) == list_classes(read(DISHES, any="-", classes="dish").table)


def test_a_question_of_many_answers_may_stand_beside_one_of_two():
    rows = [f"{q},{r},{(q + r) % 3}\n" for q in range(300) for r in (0, 1)]
    game = read("Q,R,outcome\n" + "".join(rows), any="-", names="none", classes="outcome")
    assert game.table.names[-1] == "299, 1"
    assert (game.answer("Q", "299, 1"), game.answer("R", "299, 1")) == ("299", "1")


def test_rows_may_be_held_in_memory():
    rules = [{"Q": "a", "R": None, "dish": "x"}, {"Q": "b", "R": "c", "dish": "y"}]
    notes = []
    game = treegen.open_game(rules, any="", names="none", classes="dish", notice=notes.append)
    assert "2 rules for 2 of 2 combinations of answers, a candidate each" in notes
    assert game.table.classes == ("x", "y")


def test_costs_of_questions_stand_in_a_row():
    game = read(f"{DISHES}cost,3,1,2,\n", any="-", classes="dish", costs="cost")
    assert game.costs[-3:].tolist() == [3, 1, 2]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (DISHES, {}, "any= needs classes=COLUMN"),
        (DISHES, {"classes": "dish", "unknown": "NA,-"}, "'-' cannot be both any=, .* unknown="),
        (DISHES, {"classes": "dish", "weights": "Guests"}, "each combination weighs 1"),
        (
            DISHES,
            {"classes": "dish", "strict": True},
            "1 of 12 combinations has rules with several",
        ),
        (
            DISHES.replace("4,Spring,few,-,steak\n", ""),
            {"classes": "dish", "strict": True},
            "3 of 12 combinations have no rule .a gap., the first Season Fall",
        ),
        (
            DISHES.replace("5,-,many", "5,,many"),
            {"classes": "dish"},
            "line 6: the answer of '5' to 'Season' is unknown; a rule has an answer there, or '-'",
        ),
        (
            f"n,{','.join(map('Q{}'.format, range(20)))},class\n"
            + "".join(f"{row},{','.join(row * 20)},x\n" for row in "ab"),
            {"classes": "class"},
            "1,048,576 combinations of answers; at most 1,000,000",
        ),
    ],
)
def test_what_is_no_decision_table_is_refused(text, options, message):
    with pytest.raises(treegen.GameError, match=message):
        read(text, any="-", **options)


def test_rules_are_not_counted():
    with pytest.raises(treegen.UsageError, match="any= takes no count_rows=: each combination"):
        read(DISHES, any="-", classes="dish", count_rows=True)


@pytest.mark.slow
def test_a_million_combinations_are_read():
    answers = [f"{row},{','.join(str(row) * 6)},{row}" for row in range(10)]
    game = read(
        "n,A,B,C,D,E,F,class\n" + "\n".join(answers) + "\nz,-,-,-,-,-,-,0\n",
        any="-",
        classes="class",
    )
    assert (game.n_secrets, len(set(game.table.classes))) == (1_000_000, 10)


def test_names_of_combinations_differ():
    text = 'rule,Q,R,class\n1,"a, b",c,x\n2,a,"b, c",y\n'
    names = read(text, any="-", classes="class").table.names
    assert names == ("combination 1", "combination 4")


def test_the_shell_takes_rules(tmp_path, capsys):
    path, tree = tmp_path / "dishes.csv", tmp_path / "dishes.tree"
    path.write_text(DISHES)
    words = [str(path), "-s", "optimal", "-o", str(tree)]
    assert run("build", *words, "--any", "-", "--class", "dish") == 0
    captured = capsys.readouterr()
    assert "5 rules for 10 of 12 combinations" in captured.err
    assert "total 22" in captured.out
    assert run("build", *words, "--force", "--class", "dish") == 0
    assert "if any answer fits, --any -" in capsys.readouterr().err
    assert run("games", str(path), "--any", "-") == 2
    assert run("build", "p2c2r", "--any", "-") == 2
    assert "--any works only with tables of answers" in capsys.readouterr().err
