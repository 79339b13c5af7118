"""DOT documents: what they hold, read by Graphviz's own parser where it is there."""

import io
import re
import warnings
from html import unescape
from math import dist

import graphviz
import networkx as nx
import pytest

from treegen import (
    Codebook,
    Questions,
    TreegenWarning,
    UsageError,
    build,
    read,
    write_picture,
)

from ..command import list_choices
from ..golden import check_golden
from ..paths import ROOT
from ..pseudo_words import make_word_game
from ..written import has_graphviz, text_of

STYLES = list_choices("export dot", "style")
PAINTS = ["#c2280a", "#055ad1", "#fdf868", "#067660", "#df7197", "#52c4ff"]
"""Of the first six colors."""

needs_graphviz = pytest.mark.skipif(not has_graphviz(), reason="no Graphviz")


def source(tree, **options):
    return text_of(tree, "dot", **options)


def read_graph(text):
    """Read DOT with pygraphviz, independent of what wrote it."""
    pygraphviz = pytest.importorskip("pygraphviz")
    return pygraphviz.AGraph(string=text)


@pytest.fixture(scope="module")
def small():
    return build("p2c3r", "knuth")


@pytest.fixture(scope="module")
def knuth():
    return build("p4c6r", "knuth")


@pytest.mark.parametrize("style", ["plain", "compact"])
def test_dot_is_the_golden_one(small, style):
    check_golden(f"dot/p2c3r-knuth-{style}.gv", source(small, style=style))


@pytest.mark.parametrize("options", [{"depth": 2}, {"path": "10"}, {"symbols": "red,green,blue"}])
def test_golden_of_shared_options(small, options):
    name = "-".join(f"{key}-{value}" for key, value in options.items()).replace(",", "-")
    check_golden(f"dot/p2c3r-knuth-{name}.gv", source(small, **options))


def test_plain_has_a_node_for_each_state_and_labelled_edges(knuth):
    graph = read_graph(source(knuth, all=True))
    edges = {
        (int(a), int(b)): strip_tags(graph.get_edge(a, b).attr["headlabel"])
        for a, b in graph.edges()
    }
    assert graph.number_of_nodes() == knuth.n_nodes
    assert set(edges) == {(int(knuth.parent[n]), n) for n in range(1, knuth.n_nodes)}
    for (_, child), label in edges.items():
        assert label == knuth.game.format_response(int(knuth.response[child]))
    assert nx.is_arborescence(nx.DiGraph(list(edges)))


def strip_tags(markup):
    return re.sub("<[^>]*>", "", markup)


@pytest.mark.parametrize("landscape", [False, True])
def test_answers_stand_at_the_heads_of_their_arrows(knuth, landscape):
    """Nearer to the state that they lead to than to any other, in the picture."""
    file = io.BytesIO()
    write_picture(knuth, file, depth=2, landscape=landscape)
    places = {}
    for group in re.findall(r"<g id=.*?</g>", file.getvalue().decode(), re.DOTALL):
        name = unescape(re.search("<title>(.*?)</title>", group)[1])
        found = re.findall(r'<text [^>]*x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]+)', group)
        texts = [(text, float(x), float(y)) for x, y, text in found]
        places[name] = texts
    heads = {name: texts[-1] for name, texts in places.items() if "->" in name}
    assert len(heads) == 12
    states = {name: texts[0][1:] for name, texts in places.items() if name.isdecimal()}
    for name, (text, x, y) in heads.items():
        nearest = min(states, key=lambda node: dist((x, y), states[node]))
        assert name.partition(">")[2].partition(":")[0] == nearest
        assert text == knuth.game.format_response(int(knuth.response[int(nearest)]))


def test_a_wide_level_is_wrapped_into_columns():
    """Sixty answers are no strip: states without children share a box of several columns."""
    words = [f"{a}{b}" for a in "abcdefgh" for b in "ijklmnop"]
    game = Questions([[word, "x" if word[0] == "a" else "y"] for word in words], words, ["p", "q"])
    text = source(build(game, "parts"), style="auto")
    assert len(re.findall(r"^\t\S+ \[label", text, re.MULTILINE)) < 4
    assert 6 <= max(row.count("<TD BGCOLOR") for row in re.findall("<TR>.*?</TR>", text)) <= 10


@pytest.mark.parametrize("style", ["plain", "compact"])
def test_cut_states_say_what_is_below(knuth, style):
    text = source(knuth, style=style, max_nodes=150)
    pattern = r"\+([\d,]+) states?, worst \d"
    counts = [int(n.replace(",", "")) for n in re.findall(pattern, text)]
    assert sum(counts) == knuth.n_nodes - 120
    assert "120 of 1,378 states shown" in text
    assert len(re.findall(r", worst 4<", text)) > 1


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_compact_shows_every_state_once(knuth, depth):
    text = source(knuth, style="compact", depth=depth)
    alone = len(re.findall(r"^\t\d+ \[", text, re.M))
    boxed = len(re.findall(r"<TD BGCOLOR=\"#\w+\"(?: STYLE=\"dashed\")?>[^<]*→ <B>", text))
    assert alone + boxed == knuth.level_starts[depth]
    read_graph(text)


def test_auto_is_plain_when_small_and_compact_when_large(small, knuth):
    assert source(small, style="auto") == source(small, style="plain")
    assert source(knuth, style="auto") == source(knuth, style="compact")
    with pytest.raises(UsageError, match=", ".join(STYLES)):
        source(small, style="round")


def test_coloring_changes_the_legend(knuth):
    assert "longest game" in source(knuth)
    assert ">candidates<" in source(knuth, color="candidates")
    plain = source(knuth, color="none")
    assert "longest game<" not in plain
    assert "may win" in plain


def test_answers_of_words_are_tiles():
    game = Codebook(["crane", "slate", "table", "eerie"], feedback="position")
    tree = build(game, "first-consistent")
    for style in ("plain", "compact"):
        text = source(tree, style=style)
        assert "■" in text
        assert not re.search(r"[>\s\"][012]{5}[<\s\"]", text)
        read_graph(text)
    cell = r'<TD BORDER="0" BGCOLOR="#ffffff">(?:<FONT COLOR="#\w+">■</FONT>){5}'
    assert len(re.findall(cell, text)) == tree.n_nodes - 1


def test_a_picture_of_very_many_states_is_announced(monkeypatch):
    monkeypatch.setattr("treegen.pictures.dot.draw", lambda *_: graphviz.Digraph())
    monkeypatch.setattr("treegen.pictures.dot.render", lambda source, kind: b"<svg/>")
    tree = read(ROOT / "trees" / "p5c8r-best.tree")
    with pytest.warns(
        TreegenWarning, match="33,411 states: .* 20 minutes, .* 32 MB; treegen export icicle"
    ):
        write_picture(tree, io.BytesIO(), all=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_picture(tree, io.BytesIO())


def read_shapes(svg):
    """Return the paint of each circle, and the place and text of each state of its own."""
    circles = re.findall(r'<circle fill="(#\w+)"', svg)
    nodes = re.findall(r'<g id="node\d+".*?<title>(\d+)</title>.*?<text ([^>]*)>', svg, re.DOTALL)
    places = {int(node): float(re.search(r' y="([-\d.]+)"', text)[1]) for node, text in nodes}
    return circles, places


def draw_svg(tree, **options):
    file = io.BytesIO()
    write_picture(tree, file, **options)
    return file.getvalue().decode()


@needs_graphviz
@pytest.mark.parametrize("style", ["plain", "compact"])
def test_pegs_stand_beside_codes(knuth, style):
    circles, _ = read_shapes(draw_svg(knuth, style=style, depth=2))
    pegs = [PAINTS[color] for code in knuth.guess[:13] for color in knuth.game.codes[code]]
    assert sorted(circles) == sorted(pegs)
    assert "<circle" not in draw_svg(knuth, style=style, depth=2, pegs="none")
    assert "ROUNDED" not in source(knuth, style=style)
    assert source(knuth, style=style, depth=2, pegs="drawn").count("ROUNDED") == 4 * 13


@needs_graphviz
@pytest.mark.parametrize(
    ("game", "options"),
    [("p2c9n", {}), ("p2c3r", {"symbols": "blue,red,green"}), ("range20", {})],
)
def test_pegs_are_left_out_where_they_would_not_help(game, options):
    assert "<circle" not in draw_svg(build(game), **options)


@needs_graphviz
def test_pegs_of_many_colors_are_drawn_on_request():
    tree = build("p2c10n")
    assert read_shapes(draw_svg(tree, pegs="drawn", depth=1))[0] == PAINTS[:2]


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("p2c11n", {"pegs": "drawn"}, "at most 10 colors"),
        ("p2c3r", {"pegs": "drawn", "symbols": "blue,red,green"}, "one letter for each"),
        ("range20", {"pegs": "drawn"}, "needs pegs"),
        ("p2c3r", {"pegs": "round"}, "auto, drawn, none"),
    ],
)
def test_pegs_that_cannot_be_drawn_are_refused(game, options, message):
    with pytest.raises(UsageError, match=message):
        source(build(game), **options)


@needs_graphviz
@pytest.mark.parametrize("landscape", [False, True])
def test_a_tree_of_words_is_packed(landscape):
    """The box of the root is in line with the others', and is no longer than they are together."""
    tree = build(make_word_game(300, 300), "max,parts,lowest")
    svg = draw_svg(tree, landscape=landscape)
    width, height = map(float, re.findall(r'(?:width|height)="([\d.]+)pt"', svg)[:2])
    assert 0.6 < width / height < 1.6
    if landscape:
        return
    _, places = read_shapes(svg)
    root = places.pop(0)
    assert min(places.values()) < root < max(places.values())
