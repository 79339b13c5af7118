"""The answer to a guess, for every kind of game, as texts."""

import io
import json
from itertools import product

import pytest

import treegen

from .. import naive
from ..command import run


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("p4c6r 1122 3163", "10\n"),
        ("p4c6r 1122 3163 6543", "3163  10\n6543  00\n"),
        ("p4c6r --symbols abcdef aabb caef", "10\n"),
        ("words.txt --feedback wordle crane grace -q", "12202  🟨🟩🟩⬛🟩\n"),
        ("animals.csv Legs dog -q", "4\n"),
        ("animals.csv --goal win duck dog duck -q", "dog   no\nduck  right\n"),
        ("range9 5 3 5 9", "3  lower\n5  right\n9  higher\n"),
        ("gaps.csv Legs ant bee cat -q", "ant  4 | 6 | 8  (1/3 each)\nbee  6\ncat  4\n"),
    ],
)
def test_answers_are_printed(tmp_path, monkeypatch, capsys, words, shown):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("crane\ngrace\ntrace\n", encoding="utf-8")
    (tmp_path / "animals.csv").write_text("animal,Legs\ndog,4\nduck,2\n", encoding="utf-8")
    (tmp_path / "gaps.csv").write_text("name,Legs\nant,?\nbee,6\ncat,4\ndye,8\n", encoding="utf-8")
    assert run("score", *words.split()) == 0
    assert capsys.readouterr().out == shown


def test_answers_are_written_as_json(capsys):
    assert run("score", "p4c6r", "1122", "3163", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found == [{"guess": "1122", "secret": "3163", "answer": "10"}]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("p4c6r 112 3163", "the code '112' has 3 pegs; p4c6r has 4"),
        ("p4c6r 1122 3169", "'9' in the code '3169' is not one of 1 2 3 4 5 6"),
        ("p4c6r 1122", "SECRET... is missing; write it as in"),
    ],
)
def test_what_is_no_code_is_refused(capsys, words, problem):
    assert run("score", *words.split()) == 2
    assert problem in capsys.readouterr().err


def test_a_game_answers_by_the_plain_rules():
    game = treegen.open_game("p3c3r")
    codes = [game.format_code(code) for code in range(game.n_codes)]
    for guess, secret in product(codes, repeat=2):
        assert game.answer(guess, secret) == "".join(map(str, naive.score_pegs(guess, secret)))


def test_texts_alone_are_taken():
    game = treegen.open_game("p4c6r")
    with pytest.raises(TypeError, match="a code is a text, not the number 1122: write '1122'"):
        game.answer(1122, "3163")
    table = treegen.read_questions(io.StringIO("animal,Legs\ndog,4\nduck,2\n"))
    assert table.answer("Legs", "dog") == "4"
    with pytest.raises(treegen.GameError, match="'dog' is a candidate"):
        table.answer("dog", "dog")


def test_play_without_a_game_plays_the_usual_one(capsys):
    assert run("play", "--secret", "3163") == 0
    assert capsys.readouterr().out.startswith(" 1  1122  10  ")
