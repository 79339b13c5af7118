"""Codebooks as people meet them: by the name of their file, in one case, with true examples."""

import io
import re

import pytest

import treegen
from treegen import Codebook, FormatError, GameError, Questions, build, open_game, read
from treegen.games.names import label_game

from ..command import give_input, refuse, run, show, show_json
from ..make_invalid import change_header

WORDS = ["crane", "crate", "trace", "abide"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "words.txt").write_text("\n".join(WORDS), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_tree(path="w.tree"):
    assert run("build", "lists/words.txt", "--feedback", "position", "-q", "-o", path) == 0


COMMANDS = [
    ["games", "lists/words.txt"],
    ["stats", "w.tree"],
    ["stats", "w.tree", "--json"],
    ["compare", "lists/words.txt", "-s", "knuth"],
    ["compare", "lists/words.txt", "-s", "knuth", "--csv", "-"],
    ["simulate", "lists/words.txt", "-n", "2"],
    ["play", "lists/words.txt", "--secret", "abide", "--json"],
    ["export", "html", "w.tree", "-o", "-"],
    ["export", "histogram", "w.tree", "-o", "-"],
    ["export", "game", "w.tree", "--secret", "abide", "-o", "-"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_codebook_goes_by_its_files_name(capsys, command):
    make_tree()
    assert run(*command) == 0
    out, err = capsys.readouterr()
    assert "words.txt" in out
    assert not re.search("codebook:[0-9a-f]{8}", out + err)
    assert "lists/" not in out


def test_the_name_travels_in_the_tree_and_changes_no_digest(folder):
    make_tree()
    tree = read("w.tree")
    assert (tree.game.rules.label, tree.game.name) == ("words.txt", "words.txt")
    assert tree.game.notation.title == "words.txt, 4 words of 5 letters"
    unnamed = build(Codebook(WORDS, feedback="position"))
    assert tree.game == unnamed.game
    assert tree.digest == unnamed.digest
    assert unnamed.game.name == "4 words of 5 letters"
    (folder / "lists" / "words.txt").rename(folder / "other.txt")
    assert run("build", "other.txt", "--feedback", "position", "-q", "-o", "x.tree") == 0
    assert read("x.tree").digest == tree.digest


TRAITS = [{"name": "ant", "legs": 6}, {"name": "bee", "legs": 7}]


@pytest.mark.parametrize("label", ["a/b", "a\\b", "a\nb", "x" * 256, 7])
def test_only_a_files_name_is_a_label(folder, label):
    told = r"the label .* is not the name of a file: at most 255|label= is a text, not 7"
    with pytest.raises((GameError, TypeError), match=told):
        Questions([["no"], ["yes"]], label=label)
    for game in (Codebook(WORDS), open_game(TRAITS), open_game(TRAITS, feedback="traits")):
        assert label_game(game, "x" * 255).name == "x" * 255
        with pytest.raises(GameError, match=r"the label .* is not the name of a file: at most 255"):
            label_game(game, label)
    make_tree()
    data = (folder / "w.tree").read_bytes()
    provenance = {"strategy": "knuth", "rule": "", "history": [], "objective": "", "bound": None}
    for wrong in (label, 7):
        header = change_header(data, provenance={**provenance, "codebook": wrong})
        with pytest.raises(FormatError):
            read(header)


def test_guesses_in_another_case_are_refused(folder, capsys):
    (folder / "extra.txt").write_text("trace\nSPEED\n", "utf-8")
    said = refuse(capsys, "build", "lists/words.txt", "--guesses", "extra.txt", "-o", "x.tree")
    assert "'extra.txt' line 2: 'E' in 'SPEED' is 'e' in the secrets" in said
    assert not (folder / "x.tree").exists()
    assert open_game("lists/words.txt", guesses=io.StringIO("speed")).n_codes == 5


def test_two_cases_in_one_list_are_pointed_out(folder, capsys):
    (folder / "mixed.txt").write_text("crane\nCrate\n", "utf-8")
    assert run("games", "mixed.txt") == 0
    assert capsys.readouterr().err == (
        "treegen: mixed.txt holds 'c' and 'C', which count as two letters: write all in one case\n"
        "treegen: mixed.txt: a codebook of 2 words of 5 letters, answered by pegs"
        " (--feedback position answers as Wordle does)\n"
    )


@pytest.mark.parametrize(
    "args",
    [["w.tree"], ["p2c1r"], ["p3c4r"], ["p4c4n", "-s", "adaptive"], ["p9c1r", "-s", "adaptive"]],
    ids=" ".join,
)
def test_the_example_of_an_answer_can_be_given(capsys, monkeypatch, args):
    make_tree()
    capsys.readouterr()
    give_input(monkeypatch, "q\n")
    example = show(capsys, "play", *args).split("(")[1].split(")")[0]
    give_input(monkeypatch, f"{example}\nq\n")
    out = show(capsys, "play", *args)
    assert "guess 2" in out or "found" in out
    assert "no secret" not in out


def test_words_are_simulated_by_a_strategy_that_plays_them(capsys):
    for game, strategy in (
        ("lists/words.txt", "knuth"),
        ("p4c4rb", "knuth"),
        ("p20c20r", "adaptive"),
    ):
        assert show_json(capsys, "simulate", game, "-n", "2")["strategy"] == strategy


def test_wordle_is_a_name_of_position_feedback(folder, capsys):
    make_tree("a.tree")
    assert run("build", "lists/words.txt", "--feedback", "wordle", "-q", "-o", "b.tree") == 0
    assert (folder / "a.tree").read_bytes() == (folder / "b.tree").read_bytes()
    named = treegen.Codebook(WORDS, feedback="wordle")
    opened = open_game("lists/words.txt", feedback="wordle")
    assert named.rule == opened.rule == "position"
    assert opened.description == open_game("lists/words.txt", feedback="position").description


def test_black_feedback_of_a_peg_game_has_a_name(capsys):
    assert run("build", "p4c6r", "--feedback", "black") == 2
    assert capsys.readouterr().err.endswith("(with black pegs alone it is p4c6rb)\n")
    assert "with black pegs" not in refuse(capsys, "build", "p4c6rb", "--feedback", "black")
