"""``--symbols``: what is typed and what is printed, messages included, is written with them."""

import json
import re

import pytest

import treegen

from ..command import give_input, refuse, run, show, show_json

OWN = str.maketrans("ROYG", "1234")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    treegen.build("p3c4r").write("a.tree")
    return tmp_path


def run_both(capsys, monkeypatch, *args, typed=""):
    """Return what a command prints with symbols, written in the game's own, and what it prints."""
    texts = []
    for given, more in ((typed, ("--symbols", "ROYG")), (typed.translate(OWN), ())):
        give_input(monkeypatch, given)
        own = [arg if more else re.sub("[ROYG]{3}", lambda code: code[0].translate(OWN), arg)
               for arg in args]  # fmt: skip
        texts.append(show(capsys, *own, *more))
    assert re.search("[ROYG]{3}", texts[0])
    return re.sub("[ROYG]{3}", lambda code: code[0].translate(OWN), texts[0]), texts[1]


@pytest.mark.parametrize("source", ["a.tree", "p3c4r"])
@pytest.mark.parametrize(
    "rest",
    [
        ["--history", "RRO:10", "--candidates"],
        ["--history", "RRO:10", "--top", "3"],
        ["--history", "YYG:20", "--secret", "YRG"],
        ["--secret", "OYR", "--json"],
        ["--history", "RRO:10", "--top", "2", "--json"],
    ],
)
def test_play_reads_and_prints_them(folder, capsys, monkeypatch, source, rest):
    named, own = run_both(capsys, monkeypatch, "play", source, *rest)
    assert named == own


@pytest.mark.parametrize("typed", ["10\nYYG:10\nc\nb\nu\nb\nRRR:30\n", "RRO:40\nYYY:03\nq\n"])
def test_a_person_types_and_reads_them(folder, capsys, monkeypatch, typed):
    for source in ("a.tree", "p3c4r"):
        named, own = run_both(capsys, monkeypatch, "play", source, typed=typed)
        assert named == own


def test_a_person_who_breaks_the_code_types_them(folder, capsys, monkeypatch):
    named, own = run_both(capsys, monkeypatch, "play", "p3c4r", "--evil", typed="RRO\nc\nGGG\nq\n")
    assert named == own


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["play", "p3c4r", "--history", "112:10"], "'1' in the code '112' is not one of R O Y G"),
        (["play", "p3c4r", "--history", "RRR:30/OOO:30", "--top", "1"], "OOO"),
        (["play", "p4c4n", "--history", "RROY:10"], "'R' occurs twice"),
        (["play", "p3c4r", "-s", "one-by-one", "--secret", "123"], "'1' in the code '123'"),
        (["openings", "p3c4r", "--history", "112:10"], "'1' in the code '112'"),
        (["build", "p3c4r", "--first", "112"], "'1' in the code '112'"),
        (
            ["import", "codegolf", "x.txt", "-g", "p3c4r", "-o", "y.tree", "--history", "112:10"],
            "'1' in the code",
        ),
    ],
)
def test_what_is_not_written_with_them_is_refused(folder, capsys, args, message):
    (folder / "x.txt").write_text("{RRO:{30:RRO}}")
    assert message in refuse(capsys, *args, "--symbols", "ROYG")


def test_a_tree_begun_with_them_is_the_same_file(folder):
    assert run("build", "p3c4r", "--first", "112", "-q") == 0
    own = (folder / "p3c4r-knuth-first112.tree").read_bytes()
    assert run("build", "p3c4r", "--first", "RRO", "--symbols", "ROYG", "-q", "-o", "x.tree") == 0
    assert (folder / "x.tree").read_bytes() == own
    game = treegen.open_game("p3c4r").with_symbols("ROYG")
    for options in ({"first": "RRO"}, {"history": "RRO:10"}):
        written = {name: text.translate(OWN) for name, text in options.items()}
        for strategy in ("knuth", "optimal"):
            tree = treegen.build(game, strategy, **options)
            assert tree.digest == treegen.build("p3c4r", strategy, **written).digest
            assert tree.provenance == treegen.build("p3c4r", strategy, **written).provenance
            assert treegen.verify(tree).problems == ()


def test_explanations_and_openings_are_written_with_them(folder, capsys):
    named = show_json(capsys, "explain", "a.tree", "--path", "10", "--symbols", "ROYG")
    own = treegen.explain("a.tree", path="10").to_dict()
    assert [row["guess"].translate(OWN) for row in named["top"]] == [
        row["guess"] for row in own["top"]
    ]
    assert run("explain", "a.tree", "--exact", "--symbols", "ROYG") == 0
    assert "the tree guesses ROY" in capsys.readouterr().out
    args = ["openings", "p3c4r", "--top", "2", "--json", "--history"]
    named = json.loads(show(capsys, *args, "RRO:10", "--symbols", "ROYG"))
    own = json.loads(show(capsys, *args, "112:10"))
    for one, other in zip(named["rows"], own["rows"], strict=True):
        assert one["guess"].translate(OWN) == other["guess"]
        assert one["total"] == other["total"]


def test_a_table_s_names_may_be_written_otherwise():
    game = treegen.Questions([["yes", "no"], ["no", "yes"]], names=[*"ab"], questions=["x?", "y?"])
    named = game.with_symbols(["ant", "bee", "six", "two"])
    assert [named.format_code(code) for code in range(4)] == ["ant", "bee", "six", "two"]
    assert (named.parse_code("SIX"), named.parse_secret("bee")) == (2, 1)
    names = named.notation.symbols
    assert (game.parse_code("six", names), game.parse_secret("bee", names)) == (2, 1)
    assert named == game and named.with_symbols(None).parse_secret("b") == 1


def test_a_history_is_typed_with_the_symbols_of_the_file(folder):
    """As a text of a tree within a game that does not say how the game began."""
    tree = treegen.build("p3c4r", history="112:10")
    tree.write("x.txt", style="lines", symbols="4321")
    text = (folder / "x.txt").read_text("utf-8")
    cut = "".join(line for line in text.splitlines(True) if not line.startswith("# after"))
    assert "# symbols: 4,3,2,1\n" in cut
    assert cut != text
    (folder / "x.txt").write_text(cut, "utf-8")
    for history in ("443:10", [("443", "10")]):
        back = treegen.import_tree("x.txt", "p3c4r", history=history)
        assert back.digest == tree.digest
        assert back.game.format_code(0) == "111"
