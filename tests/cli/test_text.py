"""Text and foreign formats on the command line."""

import json

import pytest

from treegen import build, read
from treegen.cli.main import main
from treegen.export.text import generate_text
from treegen.formats.tree_file import write_tree


def run(*args):
    with pytest.raises(SystemExit) as stop:
        main(args)
    return stop.value.code


@pytest.fixture
def files(tmp_path):
    tree = build("p3c4r", "knuth")
    write_tree(tree, tmp_path / "a.tree")
    return tmp_path, tree


@pytest.mark.parametrize("style", ["r-post", "indented", "lines", "irving", "mmstrat", "codegolf"])
def test_out_and_in_again(files, style):
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
    expected = generate_text(tree, depth=2, path="01", order="largest", symbols="wxyz")
    assert capsysbinary.readouterr().out.decode() == "".join(f"{line}\n" for line in expected)


def test_what_was_left_out_is_counted(files, capsys):
    folder, _ = files
    (folder / "k.txt").write_text("9 (12: 1, 2, 1; 4 (13x); 1)\n")
    out = str(folder / "k.tree")
    assert run("import", "irving", str(folder / "k.txt"), "-g", "p2c3r", "-o", out) == 0
    assert "7 of 9 states are left out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["import", "irving", "{}/k.txt", "-g", "p2c4r"], "line 1, column 1: 9 candidates"),
        (["import", "{}/k.txt"], "does not say the game"),
        (["import", "{}/none.txt", "-g", "p2c3r"], "No such file"),
        (["import", "irvin", "{}/k.txt", "-g", "p2c3r"], "did you mean irving?"),
        (["import", "irving", "{}/none.txt", "-g", "p2c3r"], "No such file"),
        (["import", "irving", "{}/k.txt", "--symbols", "abc"], "need a game"),
        (["import", "irving", "{}/k.bin", "-g", "p2c3r"], "not UTF-8 text: byte 0xff at offset 3"),
    ],
    ids=["counts", "no-game", "no-text", "no-format", "no-file", "no-game-symbols", "bytes"],
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


def test_diff_and_explain(files, capsys):
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
