"""``treegen play``: guesses of the player's own, limits, exit codes; answers by `treegen score`."""

import io
import json
import re

import pytest

import treegen
from treegen import build, read, write_tree

from ..command import give_input, refuse, run, show, show_json


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    path = tmp_path_factory.mktemp("samples")
    write_tree(build("p3c4r"), path / "a.tree")
    write_tree(build("p3c4r", "optimal"), path / "b.tree")
    (path / "words.txt").write_text("crane\ncrate\ntrace\nabide\nstone\n")
    return path


def prompts(out):
    """Return guess and candidates left of each prompt."""
    return re.findall(r"guess \d+(?:/\d+)?: (\S+)  (\(\S+ left\))", out)


@pytest.mark.parametrize("source", [["a.tree"], ["p3c4r", "-s", "knuth"]], ids=" ".join)
def test_something_else_was_guessed(folder, capsys, monkeypatch, source):
    """The game goes on as a build behind the real history does."""
    give_input(monkeypatch, "112:10\nq\n")
    _, second = prompts(show(capsys, "play", *source))
    assert run("build", "p3c4r", "--history", "112:10", "-o", "x.tree", "-q") == 0
    tree = read("x.tree")
    guess = tree.game.format_code(int(tree.guess[0]))
    assert second == (guess, f"({tree.n_secrets} left)")


def test_a_tree_without_a_rule_goes_on_by_a_stated_one(folder, capsys, monkeypatch):
    give_input(monkeypatch, "444:10\nq\n")
    assert run("play", "b.tree") == 0
    err = capsys.readouterr().err
    assert (
        "continuing by knuth (the tree's search is not repeated): eligible=all; chain=max," in err
    )
    give_input(monkeypatch, "444:10\nq\n")
    assert run("play", "a.tree") == 0
    assert "continuing by knuth (the tree's own rule): " in capsys.readouterr().err


def test_what_is_said_against_the_advice_can_be_taken_back(folder, capsys, monkeypatch):
    give_input(monkeypatch, "112:10\n00\nu\nu\n123:01\nu\nq\n")
    shown = prompts(show(capsys, "play", "a.tree"))
    assert shown[0] == shown[4] == shown[6] == ("123", "(64 left)")
    assert shown[1] == shown[3]


def test_the_own_guess_may_win(folder, capsys, monkeypatch):
    give_input(monkeypatch, "442:30\n")
    assert "found 442 in 1 guess\n" in show(capsys, "play", "a.tree")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("12:00", "the code '12' has 2 pegs"),
        ("112:", "'' is not an answer"),
        (":", "has 0 pegs"),
        ("112:21", "no code gives 2 black, 1 white"),
        ("111:01", "No secret fits answer 1: 111 answered 01"),
    ],
)
def test_mistakes_are_asked_again(folder, capsys, monkeypatch, line, message):
    give_input(monkeypatch, f"{line}\nq\n")
    out = show(capsys, "play", "a.tree")
    assert message in out
    assert prompts(out)[0] == prompts(out)[1]


@pytest.mark.parametrize("answer", ["0A1B", "0s1b", "w", "W--", "⚪"])
def test_answers_are_taken_as_people_write_them(folder, capsys, monkeypatch, answer):
    shown = []
    for line in (answer, f"123:{answer}", "01"):
        give_input(monkeypatch, f"{line}\nq\n")
        shown.append(prompts(show(capsys, "play", "a.tree")))
    assert shown[0] == shown[1] == shown[2]
    assert run("play", "p3c4r", "-s", "max,lowest", "--history", f"123:{answer}", "--top", "1") == 0
    advised = capsys.readouterr().out
    assert run("play", "p3c4r", "-s", "max,lowest", "--history", "123:01", "--top", "1") == 0
    assert advised == capsys.readouterr().out


def test_answers_come_from_files_of_other_systems(folder, capsys, monkeypatch):
    shown = []
    for text in ("01\nq\n", "\ufeff01\r\nq\r\n", "01\rq\r"):
        give_input(monkeypatch, text)
        shown.append(prompts(show(capsys, "play", "a.tree")))
    assert len(shown[0]) == 2
    assert shown[0] == shown[1] == shown[2]


def test_words_are_guessed_instead(folder, capsys, monkeypatch):
    give_input(monkeypatch, "zzzzz:00000\nstone:--g-y\nstone:----g\nabide:yyyyy\ncrane:g-g-g\nq\n")
    out = show(capsys, "play", "words.txt", "--feedback", "position")
    assert "'zzzzz' is not one of the" in out
    assert "No secret fits answer 1: stone answered 00201" in out
    shown = prompts(out)
    assert shown[0] == shown[1] == shown[2] != shown[3]
    assert "answer 2: abide answered 11111" in out


def test_a_history_that_leaves_the_tree(folder, capsys):
    args = ["--history", "112:10", "--secret", "143", "--json"]
    assert run("play", "a.tree", *args) == 0
    out, err = capsys.readouterr()
    assert "continuing by knuth" in err
    by_file = json.loads(out)
    assert json.loads(show(capsys, "play", "p3c4r", "-s", "knuth", *args)) == by_file
    assert "cannot all be true" in refuse(capsys, "play", "a.tree", "--history", "112:10/112:00")
    assert run("play", "a.tree", "--history", "111:00", "--secret", "111") == 2
    assert "the secret 111 answers 111 with 30; the history says 00" in capsys.readouterr().err


@pytest.mark.parametrize("strategy", ["optimal", "best"])
def test_a_search_plays_as_a_tree_does(folder, capsys, monkeypatch, strategy):
    game = show_json(capsys, "play", "p3c4r", "-s", strategy, "--secret", "421")
    assert game["found"]
    give_input(monkeypatch, "112:10\n443:02\nq\n")
    assert len(prompts(show(capsys, "play", "p3c4r", "-s", strategy))) == 3
    assert "--seed" in refuse(capsys, "play", "p3c4r", "-s", strategy, "--seed", "1")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["a.tree", "--secret", "442", "--limit", "2"], 1),
        (["a.tree", "--secret", "442", "--limit", "2", "--json"], 1),
        (["a.tree", "--secret", "123", "--limit", "1"], 0),
        (["p4c4r", "-s", "one-by-one", "--secret", "4321"], 0),
        (["p4c4r", "-s", "one-by-one", "--secret", "4321", "--limit", "1"], 1),
        (["p4c4r", "-s", "one-by-one", "--secret", "4321", "--limit", "1", "--json"], 1),
    ],
    ids=str,
)
def test_exit_codes_say_whether_the_secret_was_found(folder, capsys, args, code):
    assert run("play", *args) == code
    if "--json" in args:
        assert json.loads(capsys.readouterr().out)["found"] is False


@pytest.mark.parametrize("source", [["a.tree"], ["p3c4r", "-s", "one-by-one"]], ids=" ".join)
@pytest.mark.parametrize(
    ("lines", "code"), [("00\n", 1), ("q\n", 0), ("", 0), ("30\n", 0)], ids=repr
)
def test_exit_codes_with_a_person(folder, monkeypatch, source, lines, code):
    give_input(monkeypatch, lines)
    assert run("play", *source, "--limit", "1") == code


def test_online_strategies_know_their_own_guesses_alone(folder, capsys, monkeypatch):
    give_input(monkeypatch, "1234:11\nq\n")
    assert "knows only its own guesses" in show(capsys, "play", "p4c6r", "-s", "adaptive")


@pytest.mark.parametrize("args", [["-"], ["words.txt", "--guesses", "-"]], ids=" ".join)
def test_one_standard_input_for_two(folder, capsys, args):
    assert "cannot give answers too" in refuse(capsys, "play", *args)


WORDS = ["words.txt", "--feedback", "position"]


@pytest.mark.parametrize("marks", ["00202", "--g-g", "⬛⬜🟩⬛🟩", "⬛\ufe0f⬛\ufe0f🟧⬛🟧"])
def test_a_helper_for_words_without_a_tree(folder, capsys, marks):
    args = ["-s", "entropy", "--history", f"SLATE:{marks}", "--top", "9", "--candidates"]
    (folder / "more.txt").write_text("slate\ncrane\n")
    out = show(capsys, "play", *WORDS, "--guesses", "more.txt", *args)
    assert out.splitlines()[-1] == "crane"
    assert "1 candidate; the best guesses by entropy: eligible=all; chain=entropy," in out
    advice = show_json(capsys, "play", *WORDS, "--guesses", "more.txt", *args)
    assert (advice["left"], advice["candidates"]) == (1, ["crane"])
    assert advice["history"] == [{"guess": "slate", "feedback": "00202"}]


def test_advice_ranks_the_guesses_and_says_what_each_leaves(folder, capsys):
    best, second = show_json(capsys, "play", *WORDS, "-s", "entropy", "--top", "2")["guesses"]
    assert (best["guess"], best["possible"], best["cells"]) == ("crane", True, [1] * 5)
    assert (second["rank"], second["cells"]) == (2, [1] * 5)
    out = show(capsys, "play", "a.tree", "--history", "123:10", "--top", "1")
    assert out.startswith("12 candidates; the best guesses by knuth: eligible=all; chain=max,")
    assert "--top ranks by a rule" in refuse(capsys, "play", "p3c4r", "-s", "optimal", "--top", "1")
    assert run("play", "p4c4r", "-s", "one-by-one", "--candidates") == 2
    assert "one-by-one has none" in capsys.readouterr().err


def test_a_player_may_ask_for_candidates_and_guesses(folder, capsys, monkeypatch):
    give_input(monkeypatch, "stone:00002\nc\nb\nq\n")
    out = show(capsys, "play", *WORDS, "-s", "entropy")
    assert "crane crate trace abide" not in out
    assert "abide" in out and "1 candidate; the best guesses by entropy" in out


HARD = ["words.txt", "--feedback", "position", "-s", "most-parts", "--eligible", "hints"]


def test_hard_mode_refuses_what_leaves_a_hint_out(folder, capsys, monkeypatch):
    """The answer 12202 to crane shows four letters; abide has none of them in its place."""
    give_input(monkeypatch, "crane:12202\nabide:00002\ntrace:22222\n")
    out = show(capsys, "play", *HARD)
    assert "  abide breaks eligible=hints: crane was answered 12202, so peg 2 must be 'r'\n" in out
    assert out.endswith("found trace in 2 guesses\n")


def test_hard_is_a_name_of_eligible_hints(folder, capsys):
    """Wherever there is --eligible; with it, it is refused, and so is --hard of pegs."""
    assert run("build", *HARD[:-2], "--hard", "--hard", "-o", "hard.tree", "-q") == 0
    assert run("verify", "hard.tree", "--hard") == 0
    assert "checked: total, worst, histogram, digest, eligible hints, " in capsys.readouterr().out
    for name in ("openings", "compare", "simulate"):
        assert "most-parts eligible=hints" in show(capsys, name, *HARD[:-2], "--hard", "--json")
    assert run("build", *HARD, "--hard", "-o", "hard.tree") == 2
    assert "give either --eligible or --hard, not both" in capsys.readouterr().err
    assert run("play", "p3c4r", "--evil", "--hard") == 2
    assert "(--eligible hints) needs green and yellow letters" in capsys.readouterr().err


def test_a_tree_of_hard_mode_keeps_its_rule(folder, capsys, monkeypatch):
    assert run("build", *HARD, "-o", "hard.tree", "-q") == 0
    assert run("export", "table", "hard.tree", "-o", "hard.tgt") == 0
    for file in ("hard.tree", "hard.tgt"):
        give_input(monkeypatch, "crane:12202\nstone:00002\nq\n")
        assert "stone breaks eligible=hints: crane was answered 12202" in show(capsys, "play", file)
    assert "digest, eligible hints, strategy, rule\n" in show(capsys, "verify", "hard.tree")


def test_advice_keeps_to_hard_mode(folder, capsys):
    history = ["--history", "abide:10002", "--top", "9", "--json"]
    hard = json.loads(show(capsys, "play", *HARD, *history))
    free = json.loads(show(capsys, "play", *HARD[:-2], *history))
    assert {row["guess"] for row in hard["guesses"]} < {row["guess"] for row in free["guesses"]}
    assert all("a" in row["guess"] and row["guess"][4] == "e" for row in hard["guesses"])
    assert "eligible=hints" in hard["rule"]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("bee,y", "bee"),
        ("ant,y;z\nbee,y", "bee 67 %, ant 33 %"),
        ("ant,y;z\nbee,y\ncat,w;y;z", "bee 55 %, ant 27 %, cat 18 %"),
    ],
)
def test_all_that_may_be_found_is_shown_with_its_share(folder, capsys, monkeypatch, rows, found):
    (folder / "a.csv").write_text(f"animal,legs\n{rows}\ndog,x\neel,x;w\n")
    give_input(monkeypatch, "y\n")
    assert show(capsys, "play", "a.csv", "--sets", ";").endswith(f": found {found} in 1 question\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", *HARD, "--history", "crane:12202/abide:10002"], "guess 2, abide, breaks"),
        (
            ["play", "a.tree", "--eligible", "hints"],
            "--eligible works only with a game; 'a.tree' is",
        ),
        (["play", "a.tree", "--fold", "--top", "3"], "--fold works only with a game; 'a.tree' is"),
        (
            ["play", "p3c4r", "-s", "adaptive", "--eligible", "all"],
            "--eligible works only with rules",
        ),
        (
            ["simulate", "p3c4r", "--eligible", "all"],
            "--eligible works only with rules and searches",
        ),
        (
            ["verify", "a.tree", "--eligible", "hints"],
            "(--eligible hints) needs green and yellow letters",
        ),
    ],
)
def test_a_rule_of_play_that_does_not_fit(folder, capsys, words, told):
    lines = refuse(capsys, *words).splitlines()
    assert told in lines[-1]
    assert [line for line in lines[:-1] if ": a codebook of 5 words" not in line] == []


TABLE = "animal,Feathers?,Legs\nsparrow,yes,2\ndog,no,4\nspider,no,8\n"


def test_the_evil_code_maker_is_asked_questions_alone(folder, capsys, monkeypatch):
    (folder / "animals.csv").write_text(TABLE)
    give_input(monkeypatch, "sparrow\nLegs\n")
    out = show(capsys, "play", "animals.csv", "--evil")
    assert "'sparrow' is a candidate, and the goal is to identify: it is not guessed" in out
    assert out.endswith("Legs  2  1 left\nfound sparrow in 1 question\n")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["animals.csv", "--history", "Legs:4"], "dog is the only one possible\n"),
        (["p3c4r", "--history", "112:30"], "112 is the only one possible\n"),
        (
            ["doubt.csv", "--history", "Sign:a"],
            "only these are possible, and no question tells them apart: ant | bee\n",
        ),
    ],
)
def test_an_evil_game_that_is_over_asks_nothing(folder, capsys, monkeypatch, options, told):
    (folder / "animals.csv").write_text(TABLE)
    (folder / "doubt.csv").write_text("animal,Sign\nant,?\nbee,a\ncow,b\n")
    give_input(monkeypatch, "Legs\nFeathers?\n")
    assert show(capsys, "play", *options, "--evil") == told


def test_a_game_that_is_over_lists_what_no_question_tells_apart(folder, capsys):
    (folder / "doubt.csv").write_text("animal,Sign\nant,?\nbee,a\ncow,b\n")
    assert run("play", "doubt.csv", "--history", "Sign:a") == 0
    told = "only these are possible, and no question tells them apart: bee 67 %, ant 33 %\n"
    assert capsys.readouterr().out == told
    out = show(capsys, "play", "doubt.csv", "--history", "Sign:a", "--top", "3")
    assert out == "2 candidates; no question tells more\n"


@pytest.mark.parametrize("option", ["weights", "costs"])
def test_where_a_person_guesses_no_weights_and_costs_are_taken(capsys, tmp_path, option):
    (tmp_path / "numbers").write_text("11 2\n12 1\n21 1\n22 1\n")
    given = ("play", "p2c2r", f"--{option}", tmp_path / "numbers", "--evil")
    assert f"--{option} has no effect where you guess: add -s STRATEGY" in refuse(capsys, *given)
    assert show(capsys, *given, "-s", "entropy")


def test_an_evil_game_without_a_secret(folder, capsys):
    assert run("play", "p3c4r", "--evil", "--history", "112:30/222:30") == 2
    assert "These answers cannot all be true" in capsys.readouterr().err


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
    assert show(capsys, "score", *words.split()) == shown


def test_answers_are_written_as_json(capsys):
    found = show_json(capsys, "score", "p4c6r", "1122", "3163")
    assert found == [{"guess": "1122", "secret": "3163", "answer": "10"}]


def test_texts_alone_are_taken():
    game = treegen.open_game("p4c6r")
    with pytest.raises(TypeError, match="a code is a text, not the number 1122: write '1122'"):
        game.answer(1122, "3163")
    table = treegen.read_questions(io.StringIO("animal,Legs\ndog,4\nduck,2\n"))
    assert table.answer("Legs", "dog") == "4"
    with pytest.raises(treegen.GameError, match="'dog' is a candidate"):
        table.answer("dog", "dog")


def test_play_without_a_game_plays_the_usual_one(capsys):
    assert show(capsys, "play", "--secret", "3163").startswith(" 1  1122  10  ")
