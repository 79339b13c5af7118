"""Text and foreign formats on the command line."""

import json

import pytest

from treegen import build, read, write_tree

from ..command import list_choices, run
from ..written import bytes_of, text_of


@pytest.fixture
def files(tmp_path):
    tree = build("p3c4r", "knuth")
    write_tree(tree, tmp_path / "a.tree")
    return tmp_path, tree


@pytest.mark.parametrize(
    "style", sorted({*list_choices("export text", "style")} - {"wordle", "key"})
)
def test_an_exported_text_is_imported_to_the_same_tree(files, style):
    folder, tree = files
    text, again = str(folder / "a.txt"), str(folder / "b.tree")
    assert run("export", "text", str(folder / "a.tree"), "--style", style, "-o", text) == 0
    assert run("import", text, "-g", "p3c4r", "-o", again) == 0
    assert read(again).digest == tree.digest
    assert run("import", "text", text, "-g", "p3c4r", "-o", again, "--name", "mine") == 0
    assert read(again).provenance.strategy == "mine"


def test_text_goes_to_the_standard_output(files, capsysbinary):
    folder, tree = files
    options = ["--depth", "2", "--path", "01", "--order", "largest", "--symbols", "wxyz"]
    assert run("export", "text", str(folder / "a.tree"), *options) == 0
    expected = text_of(tree, "text", depth=2, path="01", order="largest", symbols="wxyz")
    assert capsysbinary.readouterr().out.decode() == expected


def test_what_was_left_out_is_counted(files, capsys):
    folder, _ = files
    (folder / "k.txt").write_text("9 (12: 1, 2, 1; 4 (13x); 1)\n")
    out = str(folder / "k.tree")
    assert run("import", "irving", str(folder / "k.txt"), "-g", "p2c3r", "-o", out) == 0
    assert "7 of 9 states were not in the text" in capsys.readouterr().err


@pytest.mark.parametrize("style", ["wordle", "csv", "nested"])
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "found-out"])
def test_words_are_answered_by_position_unless_said_otherwise(tmp_path, style, is_named, capsys):
    secrets, guesses = tmp_path / "secrets.txt", tmp_path / "guesses.txt"
    secrets.write_text("abc\nabd\nbad\ncab\ndab\ndad\n")
    guesses.write_text("ddd\naab\n")
    book = ["--guesses", str(guesses)]
    tree, text, again = (str(tmp_path / name) for name in ("a.tree", "a.txt", "b.tree"))
    made = ["build", str(secrets), *book, "--feedback", "position", "-s", "entropy", "-o", tree]
    assert run(*made) == 0
    assert run("export", "text", tree, "--style", style, "-o", text) == 0
    named = ["import", style] if is_named else ["import"]
    assert run(*named, text, "-g", str(secrets), *book, "-o", again) == 0
    assert read(again).digest == read(tree).digest
    capsys.readouterr()
    code = run(*named, text, "-g", str(secrets), *book, "--feedback", "pegs", "-o", f"{again}2")
    assert code == (2 if style != "csv" else 0)
    reading = "treegen: secrets.txt: a codebook of 6 words of 3 letters, answered by pegs\n"
    err = capsys.readouterr().err
    assert err.startswith(reading)
    assert (err == reading) == (style == "csv")


def test_misprints_are_errors_or_told(tmp_path, capsys):
    tree = build("p3c5r", "knuth")
    text = text_of(tree, "text", style="mmstrat")
    (tmp_path / "k.txt").write_text(text.replace("*)", ")", 1))
    given = ["import", str(tmp_path / "k.txt"), "-g", "p3c5r", "-o", str(tmp_path / "k.tree")]
    assert run(*given) == 2
    assert "it is not (misprint?" in capsys.readouterr().err
    assert run(*given, "--lenient", "--quiet") == 0
    assert "1 state is written n (g) though g cannot win" in capsys.readouterr().err
    assert read(tmp_path / "k.tree").digest == tree.digest


@pytest.mark.parametrize("named", [[], ["irving"]], ids=["any", "named"])
def test_own_files_are_told_what_to_do(files, capsys, named):
    folder, tree = files
    (folder / "a.tgt").write_bytes(bytes_of(tree, "table"))
    for name, hint in (
        ("a.tgt", "treegen import table reads it"),
        ("a.tree", "is already a tree of"),
    ):
        out = str(folder / "b.tree")
        assert run("import", *named, str(folder / name), "-g", "p3c4r", "-o", out) == 2
        shown = capsys.readouterr().err
        assert hint in shown
        assert shown.count("\n") == 1


def test_own_files_are_told_before_an_output_is_asked_for(files, capsys):
    folder, tree = files
    (folder / "a.tgt").write_bytes(bytes_of(tree, "table"))
    assert run("import", str(folder / "a.tgt")) == 2
    assert "treegen import table reads it" in capsys.readouterr().err


def test_import_table_says_what_it_read(files, capsys):
    folder, tree = files
    (folder / "a.tgt").write_bytes(bytes_of(tree, "table"))
    given = ["import", "table", str(folder / "a.tgt"), "-o", str(folder / "b.tree")]
    assert run(*given) == 0
    assert f"b.tree: total {tree.total}, average" in capsys.readouterr().out
    assert run(*given, "-q") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["import", "-", "-g", "-"], "cannot both be read from the standard input"),
        (["import", "irving", "{}/k.txt", "-g", "p2c4r"], "line 1, column 1: 9 candidates"),
        (["import", "{}/k.txt"], "does not name the game"),
        (["import", "{}/none.txt", "-g", "p2c3r"], "No such file"),
        (["import", "irvin", "{}/k.txt", "-g", "p2c3r"], "did you mean irving?"),
        (["import", "irving", "{}/none.txt", "-g", "p2c3r"], "No such file"),
        (["import", "irving", "{}/k.txt", "--symbols", "abc"], "need a game"),
        (["import", "irving", "{}/k.bin", "-g", "p2c3r"], "not UTF-8 text: byte 0xff at offset 3"),
    ],
    ids=[
        "two-inputs",
        "counts",
        "no-game",
        "no-text",
        "no-format",
        "no-file",
        "no-game-symbols",
        "bytes",
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(files, capsys, args, message):
    folder, _ = files
    (folder / "k.txt").write_text("9 (12: 1, 2, 1; 4 (13x); 1)\n")
    (folder / "k.bin").write_bytes(b"9 (\xff)")
    out = folder / "out.tree"
    assert run(*[arg.format(folder) for arg in args], "-o", str(out)) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not out.exists()


def test_diff_and_explain_say_where_trees_part_and_why(files, capsys):
    folder, _ = files
    write_tree(build("p3c4r", "entropy"), folder / "b.tree")
    a, b = str(folder / "a.tree"), str(folder / "b.tree")
    assert run("diff", a, a) == 0
    assert "the same tree" in capsys.readouterr().out
    assert run("diff", a, b, "--limit", "1") == 1
    assert "the trees part in" in capsys.readouterr().out
    assert run("diff", a, b, "--symmetric", "--json") == 1
    assert json.loads(capsys.readouterr().out)["equal"] is False
    assert run("explain", a, "--path", "01", "--top", "3") == 0
    assert "rank  guess  max  consistent  cells" in capsys.readouterr().out
    assert run("explain", a, "-s", "entropy", "--json") == 0
    assert json.loads(capsys.readouterr().out)["strategy"] == "entropy"


def test_explain_needs_no_rule_for_a_foreign_tree(files, capsys):
    folder, tree = files
    text, foreign = str(folder / "a.txt"), str(folder / "f.tree")
    assert run("export", "text", str(folder / "a.tree"), "--style", "codegolf", "-o", text) == 0
    assert run("import", text, "-g", "p3c4r", "-o", foreign, "-q") == 0
    assert run("explain", foreign) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("64 candidates; the tree guesses 123\n  112  total 206: the best")
    assert "  123  total 208 (+2): the tree's guess, then the best play" in shown
    assert f"total {tree.total} (+{tree.total - 206}): the tree's guess, as the tree plays" in shown
    assert shown.endswith("112 is better: proved by exact search of the least total\n")
    assert run("explain", str(folder / "a.tree"), "--exact", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["total_best"], figures["total_tree"]) == (206, tree.total)
    assert run("explain", foreign, "-s", "knuth") == 0
    assert "rank  guess" in capsys.readouterr().out
    assert run("explain", foreign, "-s", "knuth", "--exact") == 2
    assert "cannot be combined with -s" in capsys.readouterr().err


def test_explain_says_when_a_state_is_too_large(tmp_path, capsys):
    write_tree(build("p4c7r", "first-consistent"), tmp_path / "a.tree")
    given = ["explain", str(tmp_path / "a.tree"), "--exact"]
    assert run(*given) == 2
    shown = capsys.readouterr().err
    assert "2,401 candidates times 2,401 guesses are more than 4,000,000" in shown
    assert shown.count("\n") == 1
    assert run(*given, "--path", "20") == 0


def test_diff_of_two_word_lists(tmp_path, capsys):
    words = ["abc", "abd", "bad", "cab", "dab", "dad", "cad", "add"]
    for name, listed in (("a", words), ("b", words[::-1])):
        (tmp_path / f"{name}.txt").write_text("\n".join(listed))
        out = str(tmp_path / f"{name}.tree")
        assert run("build", str(tmp_path / f"{name}.txt"), "-s", "knuth", "-o", out, "-q") == 0
    code = run("diff", str(tmp_path / "a.tree"), str(tmp_path / "b.tree"))
    shown = capsys.readouterr().out
    assert shown.startswith("two word lists with the same secrets: guesses are compared as words\n")
    assert code == ("the same tree" not in shown)


def test_published_figures_are_compared(files, capsys):
    folder, tree = files
    a = str(folder / "a.tree")
    histogram = "/".join(map(str, tree.histogram))
    assert (
        run("verify", a, "--claim", f"total={tree.total}", "--claim", f"histogram={histogram}") == 0
    )
    assert capsys.readouterr().out.count(": true") == 2
    assert run("verify", a, "--claim", "worst=9") == 1
    assert f"published worst 9: it is {tree.worst}" in capsys.readouterr().out
    assert run("verify", a, "--claim", "best=9") == 2
