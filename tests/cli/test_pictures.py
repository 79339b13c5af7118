"""Pictures, graphs and the page on the command line."""

import json
from pathlib import Path

import pytest

import treegen
from treegen import build, write_tree

from ..command import refuse, run
from ..written import text_of

BEGINNINGS = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF"}


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tree(build("p3c4r", "knuth"), "a.tree")
    return "a.tree"


def test_dot_takes_the_options_of_a_view(file, capsysbinary):
    options = ["--depth", "2", "--path", "01", "--symbols", "wxyz", "--style", "compact"]
    assert run("export", "dot", file, *options, "-o", "-") == 0
    written = capsysbinary.readouterr().out.decode()
    tree = build("p3c4r", "knuth")
    options = {"depth": 2, "path": "01", "symbols": "wxyz"}
    assert written == text_of(tree, "dot", style="compact", **options)


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_graphviz_draws_each_kind_of_picture(file, tmp_path, kind, capsysbinary):
    pytest.importorskip("pygraphviz")
    out = tmp_path / f"out.{kind}"
    assert run("export", kind, file, "-o", out, "--all") == 0
    assert out.read_bytes().startswith(BEGINNINGS[kind])
    assert run("export", kind, file, "-o", "-", "--all") == 0
    assert capsysbinary.readouterr().out.startswith(BEGINNINGS[kind])


@pytest.fixture
def no_renderer(monkeypatch):
    monkeypatch.setattr("treegen.pictures.dot._render_with_program", lambda *_: None)
    monkeypatch.setattr("treegen.pictures.dot._render_with_wheel", lambda *_: None)


@pytest.mark.parametrize(
    ("content", "reason"),
    [("crane\nslate\n", "is a list of words"), ("", None), ("graph {}", None)],
)
def test_the_dot_beside_a_picture_replaces_only_its_kind(
    file, tmp_path, capsys, no_renderer, content, reason
):
    beside, out = tmp_path / "out.gv", tmp_path / "out.svg"
    beside.write_text(content)
    told = refuse(capsys, "export", "svg", file, "-o", out)
    assert (reason or "wrote") in told
    is_replaced = bool(content) and not reason
    assert told.startswith(f"treegen: replaced {str(beside)!r}\n") == is_replaced
    assert told.count("\n") == 1 + is_replaced
    assert (beside.read_text() == content) == bool(reason)
    assert run("export", "svg", file, "-o", out, "--force") == 2
    assert beside.read_text("utf-8").startswith("digraph")


def test_the_dot_beside_a_picture_is_not_the_input(file, tmp_path, capsys, no_renderer):
    source = tmp_path / "out.gv"
    Path(file).rename(source)
    before = source.read_bytes()
    assert "is the input" in refuse(capsys, "export", "png", source, "-o", "out.png", "--force")
    assert source.read_bytes() == before


@pytest.mark.parametrize("kind", ["icicle", "histogram"])
@pytest.mark.parametrize("ending", BEGINNINGS)
def test_plots_are_drawn_as_the_file_ends(file, tmp_path, kind, ending):
    pytest.importorskip("matplotlib")
    out = tmp_path / f"out.{ending}"
    assert run("export", kind, file, "-o", out, "--path", "01") == 0
    assert out.read_bytes().startswith(BEGINNINGS[ending])


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["sunburst"], "icicle draws the same states, a row for each guess"),
        (["icicle", "--static"], "--static is gone: pictures hold no script"),
        (["svg", "--all", "--depth", "2"], "--all cannot be combined with --depth"),
        (["svg", "--path", "77"], "7 black, 7 white"),
        (["icicle", "--symbols", "ab"], "4 different"),
        (["game"], "needs --secret or --path"),
        (["game", "--secret", "9999"], "9999"),
    ],
)
def test_bad_use_is_one_line_and_writes_nothing(file, tmp_path, capsys, args, words):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out.svg"
    error = refuse(capsys, "export", args[0], file, *args[1:], "-o", out)
    assert words in error
    assert len(error.splitlines()) == 1
    assert not out.exists()


def test_graphs_go_to_the_standard_output(file, capsysbinary):
    assert run("export", "json", file, "--depth", "1") == 0
    data = json.loads(capsysbinary.readouterr().out)
    assert (len(data["nodes"]), data["graph"]["total"]) == (1, 216)
    assert run("export", "graphml", file) == 0
    assert b"<graphml" in capsysbinary.readouterr().out


def test_a_path_says_which_picture_is_drawn(tmp_path):
    tree = build("p2c3r", "knuth")
    for write in (treegen.write_picture, treegen.write_plot):
        for name in ("x.docx", "x"):
            problem = rf"{name}' does not end as a picture does: there are \.svg, \.png, \.pdf"
            with pytest.raises(treegen.UsageError, match=problem):
                write(tree, tmp_path / name)


def test_one_page_holds_several_trees(file, tmp_path):
    write_tree(build("p2c3r", "knuth"), tmp_path / "b.tree")
    out = tmp_path / "page.html"
    assert run("export", "html", file, tmp_path / "b.tree", "--title", "Two games", "-o", out) == 0
    text = out.read_text("utf-8")
    assert '<h1 id="title">Two games</h1>' in text
    assert "p3c4r-knuth" in text and "p2c3r-knuth" in text


def test_the_game_that_was_played_is_drawn(file, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    played, drawn = tmp_path / "played.svg", tmp_path / "drawn.svg"
    assert run("play", file, "--secret", "421", "--picture", str(played)) == 0
    assert run("export", "game", file, "--secret", "421", "-o", str(drawn)) == 0
    assert played.read_bytes() == drawn.read_bytes()
    assert "found at guess" in drawn.read_text("utf-8")
    write_tree(build("p2c5r", goal="identify"), tmp_path / "b.tree")
    for secret in ("35", "21", "12"):
        options = ["b.tree", "--secret", secret]
        assert run("play", *options, "--picture", str(played)) == 0
        assert run("export", "game", *options, "-o", str(drawn)) == 0
        assert played.read_bytes() == drawn.read_bytes()
    options = ["--secret", "421", "--limit", "1", "--picture", str(played)]
    assert run("play", file, *options) == 1
    assert "guess 2 is next" in played.read_text("utf-8")
    capsys.readouterr()
    assert run("play", "p4c6r", "-s", "one-by-one", "--picture", str(played)) == 2
    assert "--picture needs a tree" in capsys.readouterr().err
