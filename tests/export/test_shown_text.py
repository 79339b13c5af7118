"""Pictures show labels, symbols and names as they are: their text is read back from the SVG."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import treegen
from treegen import build
from treegen.analysis.plots import plot_samples, plot_sizes
from treegen.analysis.sample import count_exactly
from treegen.export import write_figure
from treegen.export.render import find_renderer

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

graphviz = pytest.mark.skipif(find_renderer() is None, reason="no Graphviz on this machine")


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
@pytest.mark.parametrize("style", ["plain", "compact", "radial"])
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
@pytest.mark.parametrize("style", ["plain", "compact", "radial"])
def test_graphviz_shows_words_and_the_names_of_files(words, style):
    svg = draw(words, "svg", style=style)
    texts = read_texts(svg)
    for word in words.game.words:
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


@pytest.mark.parametrize("kind", ["icicle", "sunburst"])
def test_plots_show_text_and_no_formulas(questions, words, kind):
    pytest.importorskip("matplotlib")
    for tree in (questions, words):
        svg = draw(tree, kind)
        texts, hints = read_texts(svg), read_texts(svg, "title")
        assert any(text.startswith(tree.game.title) for text in texts)
        for code in set(tree.guess.tolist()):
            label = tree.game.format_code(code)
            assert any(label in hint.splitlines()[0] for hint in hints), label
            assert any(label in text for text in texts) or len(label) > 12, label


def test_games_and_histograms_show_text_and_no_formulas(words):
    pytest.importorskip("matplotlib")
    texts = read_texts(draw(words, "game", secret="$6$_"))
    assert set("$6_") <= set(texts)
    assert any(text.startswith("w$^$ &lt; <&>.txt, ") for text in texts)
    texts = read_texts(draw(words, "histogram"))
    assert any(text.startswith("w$^$ &lt; <&>.txt, ") for text in texts)
    texts = read_texts(draw(build("p2c3r"), "game", secret="$_.\\N", symbols=["$_", "\\N", "^$"]))
    assert {"$_", "\\N"} <= set(texts)


def test_figures_for_notebooks_show_text_and_no_formulas(words):
    pytest.importorskip("matplotlib")
    texts = read_texts(save(words.plot("icicle")))
    assert any(text.startswith("w$^$ &lt; <&>.txt, ") for text in texts)


NAMES = ["_a$x$.tree", "$b^$ & <c>", "\\N _d"]


@pytest.mark.parametrize("n_samples", [2, 3])
def test_comparisons_show_names_as_they_are(n_samples):
    pytest.importorskip("matplotlib")
    sample = count_exactly(treegen.open_game("p2c3r"), "knuth")
    samples = [replace(sample, game="w$^$", source=name) for name in NAMES[:n_samples]]
    texts = read_texts(save(plot_samples(samples)))
    assert "w$^$" in texts
    for name in NAMES[:n_samples]:
        assert any(text.startswith(f"{name}: average") for text in texts), name


@pytest.mark.parametrize("ending", ["", " that is far too long for the margin"])
def test_comparisons_of_sizes_show_names_as_they_are(ending, tmp_path):
    pytest.importorskip("matplotlib")
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
