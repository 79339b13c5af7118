"""The evil code-maker: its answers leave the most candidates, the first of equal ones."""

from collections import Counter

import pytest

from treegen import UsageError, build

from ..command import give_input, refuse, run, show
from ..small_games import write_history
from ..small_tables import draw_table


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
    give_input(monkeypatch, typed)
    out = show(capsys, "play", "p2c3r", "--evil")
    assert "  11  00  4 left" in out
    assert "'x'" in out
    assert "  22 23 32 33\n" in out
    assert out.endswith("found 32 in 4 guesses\n")


def test_the_limit_and_the_end_of_the_input(monkeypatch, capsys):
    give_input(monkeypatch, "11\n")
    assert run("play", "p2c3r", "--evil", "--limit", "1") == 1
    give_input(monkeypatch, "11\n")
    assert "no more guesses" in show(capsys, "play", "p2c3r", "--evil")
    out = show(capsys, "play", "p1c1r", "--evil")
    assert out.startswith("Guess my code: one is possible. Each answer")


def test_a_tree_plays_against_it(capsys):
    assert " 1  11  00  4 left" in show(capsys, "play", "p2c3r", "-s", "knuth", "--evil")


@pytest.mark.parametrize("more", [["--secret", "11"], ["--json"], ["--top", "3"]])
def test_what_does_not_fit_is_refused(more):
    assert run("play", "p2c3r", "--evil", *more) == 2


def test_a_person_keeps_to_hard_mode(monkeypatch, capsys, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("crane\ncrate\ntrace\nbrave\nirate\ncaret\n", encoding="utf-8")
    rules = (str(words), "--feedback", "wordle", "--evil", "--eligible", "hints")
    give_input(monkeypatch, "brave\ncaret\nirate\ncrane\n")
    told = show(capsys, "play", *rules).splitlines()
    assert "(Wordle's hard mode). c lists" in told[0]
    assert told[1:] == [
        "guess 1:   brave  02202  4 left",
        "guess 2:   caret breaks eligible=hints: brave was answered 02202, so peg 2 must be 'r'",
        "guess 2:   irate  02202  1 left",
        "guess 3:   crane  22222  1 left",
        "found crane in 3 guesses",
    ]
    assert "must be" in refuse(capsys, "play", *rules, "--history", "brave:02202/caret:21110")


def test_what_breaks_the_rule_is_no_guess(monkeypatch, capsys):
    give_input(monkeypatch, "112\n113\nq\n")
    told = show(capsys, "play", "p3c4r", "--evil", "--eligible", "consistent")
    assert "guess 1:   112  10" in told
    assert "guess 2:   113 breaks eligible=consistent: 112 was answered 10" in told


def test_questions_are_asked_until_one_is_left():
    tree = build("coins3", "optimal")
    played = tree.play(evil=True)
    assert len(played.turns) == tree.worst
    assert [turn.n_left == 1 for turn in played.turns][-1]
    assert tree[[turn.answer for turn in played.turns]].is_leaf


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_of_uncertain_answers_it_gives_the_one_that_leaves_the_most(goal):
    n_shared = 0
    for seed in range(40):
        game, plain = draw_table(seed, goal=goal, most_rows=5)
        if game.rules.shares is None or not plain.count_separable(plain.root):
            continue
        tree = build(game)
        played, left = tree.play(evil=True), plain.root
        for turn in played.turns:
            if len(left) == 1:  # it is guessed
                assert (turn.response, [turn.code]) == (game.win, list(left))
                break
            cells = plain.ask(left, turn.code - game.rules.first_guess)
            assert turn.response == min(cells, key=lambda reply: (-len(cells[reply]), reply))
            left = cells[turn.response]
            assert turn.n_left == len(left)
        assert played.is_found
        assert not played.others
        assert played.share == 1
        if goal == "identify":
            assert played.secret == game.notation.announce(list(left))
        n_shared += len(left) > 1
    assert n_shared or goal == "win"


GAPS = "who,Hat?,Glasses?,Hair\nAda,?,no,fair\nBob,yes,?,fair\nCy,no,no,black\nDee,yes,yes,?\n"


def play_table(rows, tmp_path, monkeypatch, capsys, typed, *more):
    """Play a table at the terminal; return what is printed."""
    path = tmp_path / "gaps.csv"
    path.write_text(rows, encoding="utf-8")
    give_input(monkeypatch, typed)
    return show(capsys, "play", path, *more)


def test_a_person_asks_it_about_a_table_with_gaps(tmp_path, monkeypatch, capsys):
    typed = "Hat?\nc\nHair\nGlasses?\n"
    out = play_table(GAPS, tmp_path, monkeypatch, capsys, typed, "--evil")
    assert "question 1:   Hat?  yes  3 left\nquestion 2:   Ada Bob Dee\n" in out
    assert out.endswith("  Glasses?  no  2 left\nfound Ada | Bob in 3 questions\n")


def test_asked_again_it_answers_alike(tmp_path, monkeypatch, capsys):
    rows = "who,a,b,e,d\nw,1,1,1,1\nx,1,2,1,2\ny,2,?,1,1\nz,2,?,2,1\nv,2,?,1,?\nu,1,2,2,1\n"
    out = play_table(rows, tmp_path, monkeypatch, capsys, "b\na\nb\ne\n", "--evil")
    asked = (
        "question 1:   b  2  5 left",
        "question 2:   a  2  3 left",
        "question 3:   b  2  3 left",
    )
    assert "\n".join(asked) in out
    assert out.endswith("found y | v in 4 questions\n")


def test_questions_and_guesses_are_counted_apart(tmp_path, monkeypatch, capsys):
    typed = "Hair\nAda\nBob\nDee\n"
    out = play_table(GAPS, tmp_path, monkeypatch, capsys, typed, "--evil", "--goal", "win")
    assert out.endswith("found Dee in 1 question and 3 guesses\n")
    rows = f"{GAPS}Eve,no,no,red\n".replace("Cy,no", "Cy,yes")
    typed = "fair\nno\ns\nright\n"
    out = play_table(rows, tmp_path, monkeypatch, capsys, typed, "--goal", "win", "-s", "optimal")
    assert "question 1: Hair  (5 left)" in out
    assert "guess 2: Ada  (3 left)" in out
    assert "  only a question may be skipped; 'Bob' is a guess\n" in out
    assert out.endswith("found Bob in 1 question and 2 guesses\n")
