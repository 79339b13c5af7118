"""Tables of answers in lookup tables: every player identifies every candidate."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treegen
from treegen import FormatError, GameError, Player, Questions, UnreachableError, open_game

from ..paths import ROOT
from ..written import bytes_of, import_table

SOURCES = ROOT / "treegen" / "player"
ROWS = [["no", 4, "land"], ["no", 4, "water"], ["yes", 2, "land"], ["yes", 2, "water"]]
NAMES = ["dog", "frog", "sparrow", "duck"]
GAME = Questions(ROWS, NAMES, ["Feathers?", "Legs", "Home"])
TREE = treegen.build(GAME, "entropy")


def make_labels(tree):
    """Return the text of the words that are written beside a table."""
    with tempfile.TemporaryDirectory() as folder:
        treegen.write_table(tree, f"{folder}/x.tgt", labels="file")
        return Path(f"{folder}/x.tgt.labels.json").read_text("utf-8")


def play(player, game, secret):
    player.restart()
    n_guesses = 0
    while player.found is None:
        player.respond(game.score(player.code, secret))
        n_guesses += 1
    assert (player.guess, player.code) == (None, None)
    return player.found, n_guesses


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=12, unique=True),
    goal=st.sampled_from(["win", "identify"]),
    labels=st.sampled_from(["inside", "none"]),
)
def test_tables_are_read_and_played(rows, goal, labels):
    game = Questions(rows, goal=goal)
    tree = treegen.build(game, "entropy")
    data = bytes_of(tree, "table", labels=labels)
    again = treegen.read(data)
    assert (again.digest, again.histogram) == (tree.digest, tree.histogram)
    assert bytes_of(again, "table", labels=labels) == data
    assert import_table(data, game).game == game
    player = Player(data, make_labels(tree) if labels == "none" else "")
    games = [play(player, game, secret) for secret in range(game.n_secrets)]
    assert [name for name, _ in games] == list(game.table.names)
    assert sum(length for _, length in games) == tree.total


def test_words_of_a_table_of_answers(tmp_path):
    (tmp_path / "a.tgt").write_bytes(bytes_of(TREE, "table", labels="none"))
    (tmp_path / "a.json").write_text(make_labels(TREE), "utf-8")
    with Player.open(str(tmp_path / "a.tgt")) as player:
        assert (player.guess, player.answer("1")) == ("question 1", "question 3")
    with Player.open(str(tmp_path / "a.tgt"), str(tmp_path / "a.json")) as player:
        assert (player.guess, player.answer("YES")) == ("Feathers?", "Home")
        with pytest.raises(UnreachableError, match="air is no answer; there are land, water"):
            player.answer("air")
        assert (player.answer("water"), player.found) == (None, "duck")
        with pytest.raises(UnreachableError, match="the game is won"):
            player.respond(0)
        assert player.probe(["no", "land"]) is None


def test_labels_have_their_game():
    with pytest.raises(FormatError, match="unknown labels 'x': there are inside, file, none"):
        bytes_of(TREE, "table", labels="x")
    with pytest.raises(GameError, match="p2c2r has no labels"):
        make_labels(treegen.build("p2c2r"))
    table = bytes_of(TREE, "table", labels="none")
    for labels in ("[]", "{", '{"names": [], "questions": [], "answers": []}, 1'):
        with pytest.raises(FormatError, match="the labels are not JSON"):
            Player(table, labels)
    words = json.loads(make_labels(TREE))
    with pytest.raises(FormatError, match="the answers have a wrong number"):
        Player(table, json.dumps({**words, "answers": words["answers"][1:]}))
    with pytest.raises(FormatError, match="the names or questions have a wrong number"):
        Player(table, json.dumps({**words, "names": words["names"][1:]}))
    with pytest.raises(FormatError, match="the table is not of"):
        import_table(table, GAME.with_goal("win"))


def test_a_lookup_table_has_no_answers():
    tree = treegen.read(bytes_of(TREE, "table"))
    with pytest.raises(GameError, match="a lookup table has no table of answers"):
        treegen.verify(tree)


@pytest.mark.slow
def test_the_player_in_c_survives_damaged_tables(tmp_path):
    pegs, arrangements = (open_game(name).with_goal("identify") for name in ("p2c3r", "a211"))
    weighted = pegs.with_stakes(list(range(1, 10)))
    tables = [
        bytes_of(TREE, "table"),
        *(bytes_of(treegen.build(g), "table") for g in (pegs, arrangements, weighted)),
    ]
    folders = [f"-I{SOURCES / 'c'}", f"-I{ROOT / 'tests' / 'players'}"]
    flags = ["-std=c99", "-O1", "-DTGT_QUESTIONS", "-fsanitize=address,undefined", *folders]
    source = str(ROOT / "tests" / "players" / "mutate.c")
    subprocess.run(["gcc", *flags, source, "-o", tmp_path / "mutate"], check=True)
    for number, table in enumerate(tables):
        (tmp_path / f"{number}.tgt").write_bytes(table)
        subprocess.run(["./mutate", f"{number}.tgt", "10000"], cwd=tmp_path, check=True)


def test_questions_that_are_never_asked_have_no_words(tmp_path):
    assert len(bytes_of(TREE, "table")) < len(bytes_of(TREE, "table", all_words=True))
    asked = treegen.read(bytes_of(TREE, "table")).game
    assert asked.table.questions == ("Feathers?", "question 2", "Home")
    treegen.write(TREE, tmp_path / "a.tgt", labels="file")
    words = json.loads((tmp_path / "a.tgt.labels.json").read_text())
    assert (words["questions"], words["answers"][1]) == (["Feathers?", "", "Home"], [])
    treegen.write(TREE, tmp_path / "a.tgt", labels="file", all_words=True)
    words = json.loads((tmp_path / "a.tgt.labels.json").read_text())
    assert words["questions"] == ["Feathers?", "Legs", "Home"]


def test_words_beside_a_table_are_found(tmp_path):
    treegen.write(TREE, tmp_path / "a.tgt", labels="file")
    read = treegen.read(tmp_path / "a.tgt")
    assert read.digest == TREE.digest
    assert read.game.table.names == tuple(NAMES)
    command = [sys.executable, "-m", "treegen.player", str(tmp_path / "a.tgt")]
    said = subprocess.run(command, input="no\nwater\n", capture_output=True, text=True)
    told = "Feathers? (no/yes) Home? (land/water) it is frog\nfound in 2 questions\n"
    assert (said.stdout, said.stderr) == (told, "")
    for text in ("{}", "[]", '{"names": ["a"], "questions": [], "answers": []}'):
        (tmp_path / "a.tgt.labels.json").write_text(text)
        with pytest.raises(FormatError, match="does not contain this table's labels"):
            treegen.read(tmp_path / "a.tgt")


def test_a_probe_is_read_by_the_answers_that_are_known():
    rows = [["1/2", "x"], ["1/2", "y"], ["1", "1"], ["1", "2"], ["2", "1"]]
    game = Questions(rows, ["a", "a2", "b", "c", "d"], ["Petals", "Sepals"])
    with Player(bytes_of(treegen.build(game, first="Petals"), "table")) as player:
        assert player.probe("1/2") == player.probe(["1/2"]) == "Sepals"
        assert (player.probe("1/2/y"), player.found) == (None, None)
        assert player.get("1/2/z") is player.get("3/1") is None
    table = [["x", "a", "1"], ["x", "a/b", "1"], ["x/a", "b", "1"], ["x/a", "c", "1"]]
    game = Questions([*table, ["x", "d", "1"]], questions=["one", "two", "three"])
    with Player(bytes_of(treegen.build(game, first="one"), "table")) as player:
        assert player.probe("x/d") is None
        with pytest.raises(ValueError, match="give a list of answers"):
            player.get("x/a/b")
