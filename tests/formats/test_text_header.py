"""The lines above a text: what the tree is, what the signs mean; a text without them."""

from __future__ import annotations

import io

import pytest

import treegen

from ..command import list_choices, run

STYLES = list_choices("export text", "style")
HEADED = ["indented", "booklet", "key", "lines", "irving"]


@pytest.fixture(scope="module")
def trees():
    pets = treegen.Questions([["yes", "4"], ["no", "4"], ["no", "6"]])
    return {"p3c4r": treegen.build("p3c4r"), "questions": treegen.build(pets)}


def write(tree, style, **options):
    file = io.StringIO()
    treegen.write_text(tree, file, style, **options)
    return file.getvalue()


@pytest.mark.parametrize(
    ("game", "style"),
    [
        *(("p3c4r", style) for style in HEADED if style != "key"),
        *(("questions", style) for style in ("indented", "booklet", "key")),
    ],
)
def test_a_text_without_its_header_is_the_rest_of_it(trees, game, style):
    tree = trees[game]
    head, _, body = write(tree, style).partition("\n\n")
    assert all(line.startswith("# ") for line in head.splitlines())
    assert write(tree, style, header=False) == body
    again = treegen.import_tree(io.StringIO(body), game=tree.game)
    assert again.digest == tree.digest


def test_shares_have_four_decimals():
    table = io.StringIO("n,Q,R\na,x,x\nb,?,y\nc,x,z\nd,x,x\ne,x,?\nf,z,z\n")
    tree = treegen.build(treegen.open_game(table, notice=str), "information")
    assert tree.total.denominator == 3
    assert f"# total: {float(tree.total):.4f}\n" in write(tree, "indented")


@pytest.mark.parametrize("style", [style for style in STYLES if style not in HEADED])
def test_styles_of_other_programs_have_none(trees, style, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if style != "wordle":
        tree = trees["p3c4r"]
        assert write(tree, style, header=False) == write(tree, style)
    trees["p3c4r"].write("a.tree")
    assert run("export", "text", "a.tree", "--style", style, "--no-header") == 2
    assert "--no-header has no effect in a style that has none" in capsys.readouterr().err


def test_indented_text_says_what_its_signs_mean(trees):
    lines = write(trees["p3c4r"], "indented").splitlines()
    legends = [line for line in lines if line.startswith("# legend: ")]
    assert legends == [lines[lines.index("") - 1]]
    assert "(candidates left)" in legends[0]
    assert " * " in legends[0]
    assert "legend" not in write(trees["p3c4r"], "r-post")


def test_a_text_of_before_the_legend_is_read(trees):
    text = write(trees["p3c4r"], "indented")
    old = "".join(line for line in text.splitlines(True) if "# legend" not in line)
    assert len(old) < len(text)
    found = [treegen.import_tree(io.StringIO(each)) for each in (text, old)]
    assert [tree.digest for tree in found] == [trees["p3c4r"].digest] * 2


@pytest.mark.parametrize("symbol", ["red", "a,b", "[x"])
def test_the_only_symbol_of_a_game_is_read_back(symbol):
    tree = treegen.build("p2c1r")
    text = write(tree, "indented", symbols=[symbol])
    assert f"{symbol}.{symbol}" in text
    assert treegen.import_tree(io.StringIO(text)).digest == tree.digest


@pytest.mark.parametrize("key", ["total", "worst", "histogram", "digest"])
def test_a_header_that_says_another_figure_is_refused(trees, key):
    old = next(line for line in write(trees["p3c4r"], "indented").splitlines() if key in line)
    new = old[:-1] + ("1" if old[-1] != "1" else "2")
    text = write(trees["p3c4r"], "indented").replace(old, new)
    with pytest.raises(treegen.FormatError, match=f"claims {key} "):
        treegen.import_tree(io.StringIO(text))
