"""What the command line says to somebody who has mistaken one thing for another."""

from __future__ import annotations

import io
import sys

import pytest

from treegen import UsageError, advice, open_game

from ..command import run

PETS = "name,fur,legs,share\ncat,yes,4,2\ncow,no,4,1\nant,no,6,1\ncosts,1,2,\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "words.txt").write_text("crane\ncrate\ntrace\nabide\n", "utf-8")
    (tmp_path / "pets.csv").write_text(PETS, "utf-8")
    plain = "\n".join(line.rpartition(",")[0] for line in PETS.splitlines())
    (tmp_path / "plain.csv").write_text(plain, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


HINTS = {
    "compare p3c4r -s knuth,entropy": "'knuth' is a whole strategy, not a criterion of a chain;"
    " several strategies are compared as -s knuth -s entropy",
    "build p3c4r -s optimal,lowest": "'optimal' is a whole strategy",
    "compare p3c4r -s knuth entropy": "unknown game 'entropy': it is a strategy, -s entropy",
    "compare p3c4r -s knuth minimax": "unknown game 'minimax': it is a strategy, -s minimax",
    "compare p3c4r --openings -s optimal": "treegen openings -s optimal ranks",
    "build p4c6r --history 1122": "written 1122:02",
    "build p3c4r --history 112": "written 111:00",
    "build words.txt --feedback position --history slate": "written crane:00000",
    "build words.txt --history slate": "written crane:00",
    "build plain.csv --history cat": "written fur:1",
    "build pets.csv --weights shares --costs costs": "no column 'shares'; did you mean 'share'?",
    "build pets.csv --weights Share --costs costs": "no column 'Share'; did you mean 'share'?",
    "build plain.csv --costs cost": "no row 'cost'; did you mean 'costs'?",
}


@pytest.mark.parametrize("line", HINTS)
def test_a_mistake_is_answered_with_what_was_meant(capsys, line):
    assert run(*line.split()) == 2
    assert HINTS[line] in capsys.readouterr().err.splitlines()[-1]


def test_criteria_that_are_strategies_too_make_chains(capsys):
    assert run("build", "p2c3r", "-s", "entropy,parts", "-q") == 0


def test_the_example_of_a_history_is_one():
    for name in ("p4c6r", "p2c3r", "p3c3rb", "range9", "coins3"):
        game = open_game(name)
        with pytest.raises(UsageError, match="is not a pair") as told:
            advice(game, history="nothing", top=0)
        example = str(told.value).partition(" are written ")[2].partition(";")[0]
        try:
            assert len(advice(game, history=example, top=0).history) == 1
        except UsageError as error:  # it is read: no number is lower than 1
            assert str(error) == "No secret fits answer 1: 1 answered lower"


@pytest.mark.parametrize("wish", ["help", "?", "HELP"])
@pytest.mark.parametrize("source", [["p2c3r"], ["p2c3r", "-s", "adaptive"]], ids=" ".join)
def test_a_question_mark_repeats_how_to_answer(capsys, monkeypatch, source, wish):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{wish}\nq\n".encode())))
    assert run("play", *source) == 0
    first, again = (line for line in capsys.readouterr().out.splitlines() if "Answer each" in line)
    assert first.endswith("q ends, ? repeats this.")
    assert again.partition("answer: ")[2].strip() == first[first.index("Answer each") :]
