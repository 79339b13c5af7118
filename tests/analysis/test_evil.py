"""The evil code-maker: its answers leave the most candidates, the first of equal ones."""

import io
import sys
from collections import Counter

import pytest

from treegen import UsageError, build

from ..command import run
from ..small_games import write_history


def play_by_definition(game, choose):
    """Return the turns against an evil code-maker, by the plain definition."""
    candidates, turns = list(range(game.n_secrets)), []
    while True:
        guess = choose(turns)
        counts = Counter(game.score(guess, secret) for secret in candidates)
        response = min(counts, key=lambda reply: (-counts[reply], reply))
        candidates = [code for code in candidates if game.score(guess, code) == response]
        turns.append((guess, response))
        if response == game.win:
            return turns


@pytest.mark.parametrize("name", ["p3c4r", "p3c5n", "p4c3rb", "a211", "range20"])
def test_a_tree_meets_the_answers_of_the_definition(name):
    tree = build(name, "entropy")

    def choose(turns):
        return int(tree.guess[tree[write_history(tree.game, turns)].number])

    turns = play_by_definition(tree.game, choose)
    played = tree.play(evil=True)
    assert [(turn.code, turn.response) for turn in played.turns] == turns


def test_a_secret_and_evil_exclude_each_other():
    with pytest.raises(UsageError, match="evil=True"):
        build("p2c3r").play("11", evil=True)
    with pytest.raises(UsageError, match="evil=True"):
        build("p2c3r").play()


def test_a_person_plays_against_it(monkeypatch, capsys):
    typed = "11\nx\nc\n22\n23\n32\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert run("play", "p2c3r", "--evil") == 0
    out = capsys.readouterr().out
    assert "  11  00  4 left" in out
    assert "'x'" in out
    assert "  22 23 32 33\n" in out
    assert out.endswith("found 32 in 4 guesses\n")


def test_the_limit_and_the_end_of_the_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("11\n"))
    assert run("play", "p2c3r", "--evil", "--limit", "1") == 1
    monkeypatch.setattr(sys, "stdin", io.StringIO("11\n"))
    assert run("play", "p2c3r", "--evil") == 0
    assert "no more guesses" in capsys.readouterr().out


def test_a_tree_plays_against_it(capsys):
    assert run("play", "p2c3r", "-s", "knuth", "--evil") == 0
    assert " 1  11  00  4 left" in capsys.readouterr().out


@pytest.mark.parametrize("more", [["--secret", "11"], ["--json"], ["--top", "3"]])
def test_what_does_not_fit_is_refused(more):
    assert run("play", "p2c3r", "--evil", *more) == 2


def test_a_person_keeps_to_hard_mode(monkeypatch, capsys, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("crane\ncrate\ntrace\nbrave\nirate\ncaret\n", encoding="utf-8")
    rules = (str(words), "--feedback", "wordle", "--evil", "--eligible", "hints")
    monkeypatch.setattr(sys, "stdin", io.StringIO("brave\ncaret\nirate\ncrane\n"))
    assert run("play", *rules) == 0
    told = capsys.readouterr().out.splitlines()
    assert "(Wordle's hard mode). c lists" in told[0]
    assert told[1:] == [
        "guess 1:   brave  02202  4 left",
        "guess 2:   caret breaks eligible=hints: brave was answered 02202, so peg 2 must be 'r'",
        "guess 2:   irate  02202  1 left",
        "guess 3:   crane  22222  1 left",
        "found crane in 3 guesses",
    ]
    assert run("play", *rules, "--history", "brave:02202/caret:21110") == 2
    assert "must be" in capsys.readouterr().err


def test_what_breaks_the_rule_is_no_guess(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("112\n113\nq\n"))
    assert run("play", "p3c4r", "--evil", "--eligible", "consistent") == 0
    told = capsys.readouterr().out
    assert "guess 1:   112  10" in told
    assert "guess 2:   113 breaks eligible=consistent: 112 was answered 10" in told
    assert run("play", "p3c4r", "--evil", "--eligible", "hints") == 2
    assert "eligible=hints needs position feedback" in capsys.readouterr().err


def test_questions_are_asked_until_one_is_left():
    tree = build("coins3", "optimal")
    played = tree.play(evil=True)
    assert len(played.turns) == tree.worst
    assert [turn.n_left == 1 for turn in played.turns][-1]
    assert tree[[turn.answer for turn in played.turns]].is_leaf
