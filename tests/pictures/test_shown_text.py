"""Pictures show names and symbols as they are: their text, of charts too, is read from the SVG."""

from __future__ import annotations

import io
import os
import warnings
import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib.util import find_spec
from shutil import which

import pytest

import treegen
from treegen import build
from treegen.analysis.charts import plot_samples, plot_sizes
from treegen.analysis.sample import count_exactly
from treegen.pictures.picture import find_missing
from treegen.pictures.plot import write_figure

pytest.importorskip("matplotlib")

SVG, TITLE = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}title"

LABELS = [
    "D:\\Games\\New",
    "\\N \\G \\E \\T \\H \\L",
    "\\l\\n\\r \\\\",
    "ends in \\",
    "$5$ or $^$",
    "<b>bold</b> & <i",
    "R&amp;D &lt; &copy; &#65;",
    'say "hi"\\"',
    "_it's {x|y}; 50% #1",
]
"""What Graphviz, matplotlib and markup would take for something else."""

STRATEGY = "optimal first=\\N & <$x$>\\"

HAS_GRAPHVIZ = which("dot") or find_spec("pygraphviz")

graphviz = pytest.mark.skipif(not HAS_GRAPHVIZ, reason="no Graphviz on this machine")


def read_texts(svg: bytes, tag: str = "text") -> list[str]:
    """Return the texts of an SVG, for a plain space where Graphviz has one that does not break."""
    found = ET.fromstring(svg).iter(f"{SVG}{tag}")
    return ["".join(element.itertext()).replace("\u00a0", " ") for element in found]


def save(figure) -> bytes:
    file = io.BytesIO()
    write_figure(figure, file, "svg")
    return file.getvalue()


def draw(tree, format, **options) -> bytes:
    file = io.BytesIO()
    treegen.write(tree, file, format, **options)
    return file.getvalue()


@pytest.fixture(scope="module")
def questions():
    """Candidates, questions and answers with awkward names: each answer leads to a candidate."""
    rows = [[f"{label} {number}", "no"] for number, label in enumerate(LABELS)]
    game = treegen.Questions(rows, names=LABELS, questions=["\\N or $x$?", "<&>?"])
    tree = build(game, "optimal")
    return replace(tree, provenance=replace(tree.provenance, strategy=STRATEGY))


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    """Words of awkward letters, from a file with an awkward name."""
    path = tmp_path_factory.mktemp("words") / "w$^$ &lt; <&>.txt"
    path.write_text("$5$^\n$6$_\na\\N\\\nb\\G<\nc&L>\n", encoding="utf-8")
    return build(treegen.open_game(path, feedback="position"), "entropy")


@graphviz
@pytest.mark.parametrize("style", ["plain", "compact"])
def test_graphviz_shows_names_questions_and_answers(questions, style):
    svg = draw(questions, "svg", style=style)
    texts = read_texts(svg)
    for number, label in enumerate(LABELS):
        assert any(label in text for text in texts), label
        assert any(f"{label} {number}" in text for text in texts), label
    assert "\\N or $x$?" in texts
    assert any(text.endswith(f" · {STRATEGY}") for text in texts)
    hints = [element.get(TITLE, "") for element in ET.fromstring(svg).iter(f"{SVG}a")]
    shown = LABELS if style != "compact" else []
    for label in ["\\N or $x$?", *shown]:
        assert any(f": {label}, " in hint.replace("\u00a0", " ") for hint in hints), label


@graphviz
@pytest.mark.parametrize("style", ["plain", "compact"])
def test_graphviz_shows_words_and_the_names_of_files(words, style):
    svg = draw(words, "svg", style=style)
    texts = read_texts(svg)
    for word in words.game.rules.words:
        assert any(word in text for text in texts), word
    assert any(text.startswith("w$^$ &lt; <&>.txt, ") for text in texts)
    assert read_texts(svg, "title")[0] == "w$^$ &lt; <&>.txt-entropy"


@graphviz
def test_the_title_of_a_graph_may_end_as_it_likes(questions):
    assert read_texts(draw(questions, "svg"), "title")[0] == f"{questions.game.name}-{STRATEGY}"


@graphviz
def test_graphviz_shows_symbols():
    texts = read_texts(draw(build("p2c3r"), "svg", symbols=["\\N", "<&>", "&gt;"]))
    assert {"\\N.\\N", "&gt;.<&>"} <= set(texts)


def test_plots_show_text_and_no_formulas(questions, words):
    for tree in (questions, words):
        svg = draw(tree, "icicle")
        texts, hints = read_texts(svg), read_texts(svg, "title")
        assert any(text.startswith(tree.game.notation.title) for text in texts)
        for code in set(tree.guess.tolist()):
            label = tree.game.format_code(code)
            assert any(label in hint.splitlines()[0] for hint in hints), label
            assert any(label in text for text in texts) or len(label) > 12, label


def test_games_and_histograms_show_text_and_no_formulas(words):
    texts = read_texts(draw(words, "game", secret="$6$_"))
    assert set("$6_") <= set(texts)
    assert any(text.startswith("w$^$ &lt; <&>.txt, ") for text in texts)
    texts = read_texts(draw(words, "histogram"))
    assert any(text.startswith("w$^$ &lt; <&>.txt, ") for text in texts)
    texts = read_texts(draw(build("p2c3r"), "game", secret="$_.\\N", symbols=["$_", "\\N", "^$"]))
    assert {"$_", "\\N"} <= set(texts)


def test_figures_for_notebooks_show_text_and_no_formulas(words):
    texts = read_texts(save(words.plot("icicle")))
    assert any(text.startswith("w$^$ &lt; <&>.txt, ") for text in texts)


NAMES = ["_a$x$.tree", "$b^$ & <c>", "\\N _d"]


@pytest.mark.parametrize("n_samples", [2, 3])
def test_comparisons_show_names_as_they_are(n_samples):
    sample = count_exactly(treegen.open_game("p2c3r"), "knuth")
    samples = [replace(sample, game="w$^$", source=name) for name in NAMES[:n_samples]]
    texts = read_texts(save(plot_samples(samples)))
    assert "w$^$" in texts
    for name in NAMES[:n_samples]:
        assert any(text.startswith(f"{name}: average") for text in texts), name


@pytest.mark.parametrize("ending", ["", " that is far too long for the margin"])
def test_comparisons_of_sizes_show_names_as_they_are(ending, tmp_path):
    games = []
    for name in ("a$^$", "b_$x$"):
        (tmp_path / name).write_text("abc\nabd\nacd\n"[: 8 + 4 * len(games)], encoding="utf-8")
        games.append(treegen.Codebook(tmp_path / name))
    samples = [
        [replace(count_exactly(game, "knuth"), source=f"{name}{ending}") for name in NAMES]
        for game in games
    ]
    texts = read_texts(save(plot_sizes(games, samples)))
    assert {"a$^$, b_$x$", "a$^$", "b_$x$", *(f"{name}{ending}" for name in NAMES)} <= set(texts)


FAR = "\U00013000"
"""The first of some signs that few fonts have, and none of those of the tests."""


def write_font(path, name, signs):
    """Write a font whose signs are squares."""
    builder = pytest.importorskip("fontTools.fontBuilder").FontBuilder(1000, isTTF=True)
    pen = pytest.importorskip("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 800), (800, 800), (800, 0)):
        pen.lineTo(corner)
    pen.closePath()
    names = [".notdef", "square"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(sign): "square" for sign in signs})
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": name, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


@pytest.fixture
def few_fonts(monkeypatch):
    """A machine that has the fonts of matplotlib alone."""
    manager = pytest.importorskip("matplotlib.font_manager").fontManager
    ours = [font for font in manager.ttflist if "mpl-data" in font.fname]
    monkeypatch.setattr(manager, "ttflist", ours)
    return manager


@pytest.fixture
def more_fonts(tmp_path, few_fonts):
    """A machine that has two fonts more; the second has two rare signs."""
    for name, signs in (("Aone", "\U00013001"), ("Btwo", "\U00013001\U00013002")):
        write_font(tmp_path / f"{name}.ttf", name, signs)
        few_fonts.addfont(tmp_path / f"{name}.ttf")


@pytest.mark.filterwarnings("error")
def test_another_font_of_the_machine_has_what_the_usual_one_lacks(more_fonts):
    tree = build(treegen.Codebook(["\U00013001a", "a\U00013002"]))
    for format in ("icicle", "game"):
        options = {"secret": "a\U00013002"} if format == "game" else {}
        file = io.BytesIO()
        export = treegen.write_game if format == "game" else treegen.write_plot
        export(tree, file, format="png", **options)
        assert file.getvalue().startswith(b"\x89PNG")
    families = {tuple(text.get_fontfamily()[1:]) for text in tree.plot("icicle").texts}
    assert families == {("Btwo",)}


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_one_line_says_which_signs_no_font_has(few_fonts, kind):
    tree = build(treegen.Codebook([f"{chr(ord(FAR) + number)}a" for number in range(10)]))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        treegen.write_plot(tree, io.BytesIO(), "icicle", format=kind)
    lines = [str(warning.message) for warning in told]
    if kind == "svg":  # the reader's fonts show it
        assert lines == []
        return
    assert [warning.category for warning in told] == [treegen.TreegenWarning]
    shown = " ".join(chr(ord(FAR) + number) for number in range(8))
    assert lines[0].startswith(f"no font of this machine has {shown} and 2 more: ")


@graphviz
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_one_line_says_which_signs_graphviz_cannot_draw(kind, tmp_path, monkeypatch):
    program = tmp_path / "fc-list"
    program.write_text("#!/bin/sh\necho '20-7e 4e00-4e8c 13001'\necho '5fc3'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    tree = build(treegen.Codebook(["一心", "二心", f"{FAR}心"]))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        treegen.write_picture(tree, io.BytesIO(), format=kind)
    lines = [str(warning.message) for warning in told]
    assert [line.partition(":")[0] for line in lines] == (
        [] if kind == "svg" else [f"no font of this machine has {FAR}"]
    )


def test_a_machine_without_fontconfig_draws_without_a_word(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_missing(FAR) == set()


def test_wide_letters_take_the_room_of_two():

    def list_sizes(letter):
        names = [letter * 24 + digit for digit in "1234567"]
        rows = [[digit] for digit in "1234567"]
        tree = build(treegen.Questions(rows, names=names, questions=["q"]), "optimal")
        (axes, *_) = tree.plot("icicle").axes
        return [text.get_size() for text in axes.texts]

    assert list_sizes("一") == list_sizes("aa") != list_sizes("a")


@pytest.mark.parametrize("kind", ["icicle", "svg"])
def test_an_arrow_points_from_the_answer_to_the_guess_in_every_script(kind):
    """Marks keep the order of a line: between letters from right to left it would be reversed."""
    if kind == "svg" and not HAS_GRAPHVIZ:
        pytest.skip("no Graphviz")
    names, answers = ["כלב", "חתול", "ant", "سمكة"], ["אדום", "red", "כחול", "3"]
    game = treegen.Questions([[answer] for answer in answers], names=names, questions=["צבע"])
    options = {"style": "compact"} if kind == "svg" else {}
    texts = " ".join(read_texts(draw(build(game, "optimal"), kind, **options)))
    marked = ["\u200eאדום\u200e", "red", "\u200eכחול\u200e", "3"]
    assert all(f"{answer} → " in texts for answer in marked)
    if kind != "svg":  # there the guess is a text of its own
        assert "\u200eאדום\u200e → \u200eכלב\u200e" in texts
        assert "red → \u200eחתול\u200e" in texts
        assert "\u200eכחול\u200e → ant" in texts
