"""What the command line says to somebody who has mistaken one thing for another."""

from __future__ import annotations

import io
import sys

import pytest

from treegen import UsageError, advice, build, open_game

from ..command import run

PETS = "name,fur,legs,share\ncat,yes,4,2\ncow,no,4,1\nant,no,6,1\ncosts,1,2,\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "words.txt").write_text("crane\ncrate\ntrace\nabide\n", "utf-8")
    (tmp_path / "pets.csv").write_text(PETS, "utf-8")
    build("p4c6r").write(tmp_path / "a.tree")
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
    "compare p3c4r --openings -s optimal": "treegen openings with -s optimal ranks",
    "export game a.tree -o x.svg": "the picture of a game needs --secret or --path, and not both",
    "build p4c6r -s max:parts": "did you mean most-parts? A chain is written max,",
    "export html a.tree -o x.html --url a.example": "'a.example' is not the address of a page:",
    "build p4c6r knuth": "'knuth' is one argument too many (did you mean -s knuth?)",
    "build p4c6r knuth.tree": "(did you mean -o knuth.tree?): treegen build takes GAME",
    "build p4c6r words.txt": "'words.txt' is one argument too many: treegen build takes GAME",
    "play p4c6r 3163": "(did you mean --secret 3163?): treegen play takes [FILE|GAME]",
    "play p4c6r --secret 31 63": "'63' is one argument too many: treegen play",
    "explain a.tree 10": "(did you mean --path 10?): treegen explain takes FILE",
    "warmup now": "'now' is one argument too many: treegen warmup takes no argument",
    "play p4c6r -secret 3163": "there is no option '-secret': did you mean --secret?",
    "export html a.tree -output=page.html": "there is no option '-output': did you mean --output?",
    "play p4c6r --Secret 3163": "there is no option '--Secret': did you mean --secret?",
    "export table a.tree -p lean": "there is no option '-p': did you mean --profile?",
    "verify a.tree --words x": "there is no option '--words' (try",
    "build p4c6r -s": "-s needs a value: -s ",
    "build p4c6r --time-limit 10min": "--time-limit '10min' is not a number of seconds",
    "build p4c6r --jobs all": "--jobs 'all' is not a whole number",
    "patterns four -o patterns": "treegen: 'four' is not a whole number",
    "export table a.tree --profile Lean": "--profile 'Lean' is not one of 'full', 'lean', 'slim'",
    "completion dash": "treegen: 'dash' is not one of 'bash', 'zsh', 'fish', 'powershell'",
    "import words.txt": "(try 'treegen import --help')",
    "export C a.tree": "unknown format 'C': did you mean c?",
    "export c++ a.tree": "unknown format 'c++': did you mean c?",
    "export JavaScript a.tree": "unknown format 'JavaScript': did you mean js?",
    "solve words.txt": "unknown command 'solve': did you mean play?",
    "play p4c6r --history 1122:02,1344:11": "/ separates pairs, as in 1122:02/1344:11",
    "play words.txt --history crane:40/abide:0,crate:30": "as in abide:0/crate:30",
    "export text a.tree --path 10,02": "answers are separated by /: 10/02",
    "play p4c6r --hard": "hard mode (eligible hints) needs the feedback wordle, green and yellow"
    " letters; p4c6r has the feedback pegs; eligible consistent suits every game",
    "score words.txt slate crane": "'slate' is not one of the 4 words of 5 letters of words.txt",
    "score words.txt crane cranes": "5 letters of words.txt: it has 6 letters",
    "play p4c6r --history 1122:1122": "'1122' is not an answer: write black and white pegs as 02",
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
