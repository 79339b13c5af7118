"""Text and foreign formats on the command line."""

import json

import pytest

from treegen import build, read, write_tree

from ..command import list_choices, refuse, run, show, show_json
from ..written import bytes_of, text_of


@pytest.fixture(scope="module")
def tree():
    return build("p3c4r", "knuth")


@pytest.fixture(autouse=True)
def folder(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tree(tree, "a.tree")
    return tmp_path


@pytest.mark.parametrize(
    "style", sorted({*list_choices("export text", "style")} - {"wordle", "key"})
)
def test_an_exported_text_is_imported_to_the_same_tree(tree, style):
    assert run("export", "text", "a.tree", "--style", style, "-o", "a.txt") == 0
    assert run("import", "a.txt", "-g", "p3c4r", "-o", "b.tree") == 0
    assert read("b.tree").digest == tree.digest
    assert run("import", "text", "a.txt", "-g", "p3c4r", "-o", "b.tree", "--name", "mine") == 0
    assert read("b.tree").provenance.strategy == "mine"


def test_text_goes_to_the_standard_output(tree, capsysbinary):
    options = ["--depth", "2", "--path", "01", "--order", "largest", "--symbols", "wxyz"]
    assert run("export", "text", "a.tree", *options) == 0
    expected = text_of(tree, "text", depth=2, path="01", order="largest", symbols="wxyz")
    assert capsysbinary.readouterr().out.decode() == expected


def test_what_was_left_out_is_counted(folder, capsys):
    (folder / "k.txt").write_text("9 (12: 1, 2, 1; 4 (13x); 1)\n")
    assert run("import", "irving", "k.txt", "-g", "p2c3r", "-o", "k.tree") == 0
    assert "7 of 9 states were not in the text" in capsys.readouterr().err


@pytest.mark.parametrize("style", ["wordle", "csv", "nested"])
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "found-out"])
def test_words_are_answered_by_position_unless_said_otherwise(folder, style, is_named, capsys):
    (folder / "secrets.txt").write_text("abc\nabd\nbad\ncab\ndab\ndad\n")
    (folder / "guesses.txt").write_text("ddd\naab\n")
    book = ["secrets.txt", "--guesses", "guesses.txt"]
    made = ["build", *book, "--feedback", "position", "-s", "entropy", "-o", "w.tree"]
    assert run(*made) == 0
    assert run("export", "text", "w.tree", "--style", style, "-o", "w.txt") == 0
    named = ["import", *[style] * is_named, "w.txt", "-g", *book]
    assert run(*named, "-o", "b.tree") == 0
    assert read("b.tree").digest == read("w.tree").digest
    capsys.readouterr()
    assert run(*named, "--feedback", "pegs", "-o", "c.tree") == (2 if style != "csv" else 0)
    reading = "treegen: secrets.txt: a codebook of 6 words of 3 letters, answered by pegs\n"
    err = capsys.readouterr().err
    assert err.startswith(reading)
    assert (err == reading) == (style == "csv")


def test_misprints_are_errors_or_told(folder, capsys):
    tree = build("p3c5r", "knuth")
    text = text_of(tree, "text", style="mmstrat")
    (folder / "k.txt").write_text(text.replace("*)", ")", 1))
    given = ["import", "k.txt", "-g", "p3c5r", "-o", "k.tree"]
    assert "it is not (misprint?" in refuse(capsys, *given)
    assert run(*given, "--lenient", "--quiet") == 0
    assert "1 state is written n (g) though g cannot win" in capsys.readouterr().err
    assert read("k.tree").digest == tree.digest


@pytest.mark.parametrize("named", [[], ["irving"]], ids=["any", "named"])
def test_own_files_are_told_what_to_do_before_an_output_is_asked_for(tree, folder, capsys, named):
    (folder / "a.tgt").write_bytes(bytes_of(tree, "table"))
    hints = {"a.tgt": "treegen import table reads it", "a.tree": "is already a tree of"}
    for name, hint in hints.items():
        for output in (["-g", "p3c4r", "-o", "b.tree"], *[[]] * (not named)):
            shown = refuse(capsys, "import", *named, name, *output)
            assert hint in shown
            assert shown.count("\n") == 1


def test_import_table_says_what_it_read(tree, folder, capsys):
    (folder / "a.tgt").write_bytes(bytes_of(tree, "table"))
    given = ["import", "table", "a.tgt", "-o", "b.tree"]
    assert f"b.tree: total {tree.total}, average" in show(capsys, *given)
    assert run(*given, "-q") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("import irving k.txt -g p2c4r", "line 1, column 1: 9 candidates"),
        ("import k.txt", "does not name the game"),
        ("import irvin k.txt -g p2c3r", "did you mean irving?"),
        ("import irving none.txt -g p2c3r", "No such file"),
        ("import irving k.txt --symbols abc", "need a game"),
        ("import irving k.bin -g p2c3r", "not UTF-8 text: byte 0xff at offset 3"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(folder, capsys, args, message):
    (folder / "k.txt").write_text("9 (12: 1, 2, 1; 4 (13x); 1)\n")
    (folder / "k.bin").write_bytes(b"9 (\xff)")
    assert run(*args.split(), "-o", "out.tree") == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not (folder / "out.tree").exists()


def test_diff_and_explain_say_where_trees_part_and_why(capsys):
    write_tree(build("p3c4r", "entropy"), "b.tree")
    assert "the same tree" in show(capsys, "diff", "a.tree", "a.tree")
    assert run("diff", "a.tree", "b.tree", "--limit", "1") == 1
    assert "the trees part in" in capsys.readouterr().out
    assert run("diff", "a.tree", "b.tree", "--symmetric", "--json") == 1
    assert json.loads(capsys.readouterr().out)["equal"] is False
    assert run("explain", "a.tree", "--path", "01", "--top", "3") == 0
    assert "rank  guess  max  consistent  cells" in capsys.readouterr().out
    assert show_json(capsys, "explain", "a.tree", "-s", "entropy")["strategy"] == "entropy"


def test_explain_needs_no_rule_for_a_foreign_tree(tree, capsys):
    assert run("export", "text", "a.tree", "--style", "codegolf", "-o", "a.txt") == 0
    assert run("import", "a.txt", "-g", "p3c4r", "-o", "f.tree", "-q") == 0
    shown = show(capsys, "explain", "f.tree")
    assert shown.startswith("64 candidates; the tree guesses 123\n  112  total 206: the best")
    assert "  123  total 208 (+2): the tree's guess, then the best play" in shown
    assert f"total {tree.total} (+{tree.total - 206}): the tree's guess, as the tree plays" in shown
    assert shown.endswith("112 is better: proved by exact search of the least total\n")
    figures = show_json(capsys, "explain", "a.tree", "--exact")
    assert (figures["total_best"], figures["total_tree"]) == (206, tree.total)
    assert "rank  guess" in show(capsys, "explain", "f.tree", "-s", "knuth")
    assert run("explain", "f.tree", "-s", "knuth", "--exact") == 2
    assert "cannot be combined with -s" in capsys.readouterr().err
