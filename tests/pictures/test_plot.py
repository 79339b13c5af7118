"""Icicle, histogram and the picture of one game, with the layout that they share."""

import os
import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise

import numpy as np
import pytest

from treegen import (
    Codebook,
    DependencyError,
    Questions,
    UsageError,
    build,
    compare,
    open_game,
    read,
    write_plot,
)
from treegen.formats.view import make_view
from treegen.pictures.game import choose_paints, play_secret, plot_game
from treegen.pictures.plot import _spread, describe_state, make_layout, plot_tree, start_figure
from treegen.tree.walk import count_below, find_node

from ..paths import ROOT

pytest.importorskip("matplotlib")
from matplotlib.backends.backend_agg import FigureCanvasAgg

BEGINNINGS = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def tree():
    return build("p3c4r", "knuth")


@pytest.fixture(scope="module")
def knuth():
    return build("p4c6r", "knuth")


def texts_of(figure):
    found = list(figure.texts)
    for axes in figure.axes:
        found += [*axes.texts, *axes.get_yticklabels(), axes.xaxis.label]
    return [text.get_text() for text in found]


def test_children_stand_inside_their_parent_side_by_side(tree):
    layout = make_layout(make_view(tree))
    at = {int(node): index for index, node in enumerate(layout.nodes)}
    assert sorted(at) == list(range(tree.n_nodes))
    for node in range(tree.n_nodes):
        place = layout.start[at[node]]
        end = place + layout.width[at[node]]
        for child in tree.children(node):
            assert layout.start[at[child]] == pytest.approx(place)
            assert layout.level[at[child]] == layout.level[at[node]] + 1
            place += layout.width[at[child]]
        assert end - place == pytest.approx(tree.is_winning[node] / tree.n_secrets)


@pytest.mark.parametrize("path", [None, "11"])
def test_colors_stand_for_lengths_and_cells(tree, path):
    view = make_view(tree, path=path)
    lengths = {}
    for secret in range(tree.game.n_secrets):
        played = play_secret(tree, secret)
        for node in played:
            lengths.setdefault(node, []).append(len(played) - int(tree.depth[view.root]))
    average, longest, cell = (make_layout(view, kind) for kind in ("average", "longest", "cell"))
    for index, node in enumerate(average.nodes.tolist()):
        assert average.value[index] == pytest.approx(np.mean(lengths[node]))
        assert longest.value[index] == max(lengths[node])
        largest = max((int(tree.n_candidates[c]) for c in tree.children(node)), default=1)
        assert 10 ** cell.value[index] == pytest.approx(largest)


def test_every_state_is_a_shape_and_large_ones_have_names(knuth):
    figure = plot_tree(knuth, "icicle")
    (shapes,) = figure.axes[0].collections
    assert len(shapes.get_paths()) == knuth.n_nodes
    words = " ".join(texts_of(figure))
    for name in (
        "1122",
        "00 → 3345",
        "11 → 1134",
        "p4c6r · knuth",
        "total 5,801",
        "average length",
    ):
        assert name in words


def test_names_stay_inside_their_shapes():
    figure = plot_tree(build("p4c4r"), "icicle")
    FigureCanvasAgg(figure).draw()
    axes = figure.axes[0]
    shapes = [path.get_extents(axes.transData) for path in axes.collections[0].get_paths()]
    assert len(axes.texts) > 20
    for text in axes.texts:
        box = text.get_window_extent()
        middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
        around = [s for s in shapes if s.contains(*middle)]
        assert any(box.width <= s.width + 2 and box.height <= s.height + 2 for s in around)


def test_path_zooms_and_depth_cuts(knuth):
    zoomed = plot_tree(knuth, "icicle", path="11")
    assert "after 1122 → 11 (guesses counted from there)" in texts_of(zoomed)
    cut = plot_tree(knuth, "icicle", depth=2, symbols="abcdef")
    assert "the first 2 of up to 5 guesses" in texts_of(cut)
    assert len(cut.axes[0].collections[0].get_paths()) == knuth.level_starts[2]
    assert any("bbdd" in text or "aabb" in text for text in texts_of(cut))


@pytest.mark.parametrize(
    ("kind", "ending"), [*(("icicle", ending) for ending in BEGINNINGS), ("histogram", "svg")]
)
def test_files_of_every_format_are_equal_when_made_again(tmp_path, kind, ending):
    tree = build("p2c3r", "knuth")
    for name in ("a", "b"):
        write_plot(tree, tmp_path / f"{name}.{ending}", kind)
    data = (tmp_path / f"a.{ending}").read_bytes()
    assert data.startswith(BEGINNINGS[ending])
    assert data == (tmp_path / f"b.{ending}").read_bytes()


@pytest.mark.slow
def test_pictures_do_not_depend_on_the_order_of_sets(tmp_path):
    code = "import sys, treegen as t; t.write_plot(t.read('a.tree'), sys.argv[1], 'icicle')"
    tree = build("coins12")
    tree.write(tmp_path / "a.tree")
    write_plot(tree, tmp_path / "here.svg", "icicle")
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-c", code, "there.svg"]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run(command, cwd=tmp_path, env=env, check=True)
    assert (tmp_path / "here.svg").read_bytes() == (tmp_path / "there.svg").read_bytes()


def test_states_of_an_svg_are_named(knuth, tmp_path):
    write_plot(knuth, tmp_path / "a.svg", path="11")
    text = (tmp_path / "a.svg").read_text("utf-8")
    root = find_node(knuth, [knuth.game.parse_response("11")])
    titles = re.findall(r"<title>([^<]*)</title></path>", text)
    assert len(titles) == count_below(knuth, root)
    assert titles[0].splitlines() == ["1134", "208 candidates · average game 3.51"]
    child = root_child = int(knuth.children(root)[1])
    below = int(knuth.children(child)[0])
    assert any(
        title.startswith(f"{knuth.game.format_response(int(knuth.response[below]))} → ")
        and f"after {knuth.game.format_response(int(knuth.response[root_child]))} · " in title
        for title in titles
    )
    states = [tuple(map(float, one.split())) for one in re.findall(r'data-state="([^"]*)"', text)]
    assert states[0] == (0, 1, 1)
    assert "<script" not in text
    ElementTree.fromstring(text)


def test_answers_of_words_are_drawn_as_tiles(tmp_path):
    game = Codebook(["crane", "slate", "table", "eerie"], feedback="position")
    tree = build(game, "first-consistent")
    figure = plot_tree(tree, "icicle")
    _, tiles = figure.axes[0].collections
    assert len(tiles.get_paths()) % 5 == 0
    assert not re.search("[012]{5}", " ".join(texts_of(figure)))
    write_plot(tree, tmp_path / "a.svg")
    assert "⬛⬛🟩⬛🟩 → slate" in (tmp_path / "a.svg").read_text("utf-8")


def test_one_state_and_large_trees_can_be_drawn(tmp_path):
    write_plot(build("p1c1r", "knuth"), tmp_path / "one.svg")
    write_plot(build("p4c7n", "first-consistent"), tmp_path / "many.svg", color="cell")
    assert (tmp_path / "many.svg").stat().st_size < 700_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "pie"}, "icicle, histogram"),
        ({"kind": "sunburst"}, "icicle draws the same states"),
        ({"color": "red"}, "average, longest, cell"),
    ],
)
def test_options_that_do_not_fit_are_refused(tree, options, words):
    with pytest.raises(UsageError, match=words):
        plot_tree(tree, **options)


def test_without_matplotlib_the_error_says_what_to_install(tree, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(DependencyError, match=r"pip install matplotlib"):
        tree.plot()


@pytest.mark.parametrize("secret", ["6543", "1122", "2211"])
def test_a_game_is_drawn_guess_by_guess(knuth, secret):
    game = knuth.game
    nodes = play_secret(knuth, game.parse_code(secret))
    figure = plot_game(knuth, secret=secret)
    words = texts_of(figure)
    assert f"found at guess {len(nodes)}" in words
    rows = (text.get_text() for text in figure.axes[0].texts)
    pegs = "".join(text for text in rows if re.fullmatch("[1-6]", text))
    drawn = [
        f"{row}{game.format_code(int(knuth.guess[node]))}" for row, node in enumerate(nodes, 1)
    ]
    assert pegs == "".join(drawn)
    for before, after in pairwise(nodes):
        assert f"{knuth.n_candidates[before]:,} → {knuth.n_candidates[after]:,}" in words


def test_pins_are_those_of_the_answer(knuth):
    figure = plot_game(knuth, path="03/21", symbols="red,green,blue,yellow,orange,pink")
    faces = [patch.get_facecolor() for patch in figure.axes[0].patches]
    black, white = (17 / 255, 17 / 255, 17 / 255, 1.0), (1.0, 1.0, 1.0, 1.0)
    assert (faces.count(black), faces.count(white)) == (2, 4)
    assert (1.0, 0.0, 0.0, 1.0) in faces  # red
    wide = plot_game(build("p8c2r"), secret="11111111")
    assert wide.get_figwidth() > figure.get_figwidth()
    assert "guess 3 is next" in texts_of(figure)


def test_symbols_that_name_colors_are_painted_so():
    game = open_game("p4c3r")
    assert choose_paints(game.with_symbols("red,blue,white")) == ["#ff0000", "#0000ff", "#ffffff"]
    coins = game.with_symbols("C0,C1,C2")  # names of colors for matplotlib alone
    assert choose_paints(coins) == choose_paints(game)
    many = open_game("p2c20r")
    assert len(set(choose_paints(many))) == 20


def test_a_histogram_leaves_room_for_the_lines_above(knuth):
    figure = plot_tree(knuth, "histogram", path="02/11")
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    assert len(figure.texts) == 3
    least = min(text.get_window_extent().y0 for text in figure.texts)
    assert axes.get_window_extent().y1 + 0.1 * figure.dpi < least


LONG = ["ant", "a domestic dog (Canis familiaris)", "robin redbreast", "duck", "wolf", "ladybird"]
ANSWERS = [
    ["no", "x"],
    ["yes, and often", "x"],
    ["no", "y"],
    ["yes", "y"],
    ["no", "z"],
    ["yes", "z"],
]


def test_every_state_of_a_small_table_is_labeled_readably():
    questions = ["Does it bark when it sees a stranger at night?", "Which group does it belong to?"]
    tree = build(Questions(ANSWERS, names=LONG, questions=questions), "optimal")
    figure = plot_tree(tree, "icicle")
    labels = figure.axes[0].texts
    assert len(labels) == tree.n_nodes
    assert min(label.get_size() for label in labels) >= 6
    texts = [" ".join(label.get_text().split()) for label in labels]
    for node in tree:
        assert any(node.guess in text or text.endswith("…") for text in texts), node.guess
    # No label is wider or higher than its box: they do not lie over each other.
    FigureCanvasAgg(figure).draw()
    boxes = [label.get_window_extent() for label in labels]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("secret", ["35", "21", "33"])
def test_a_game_to_identify_ends_with_what_is_announced(secret):
    tree = build("p2c5r", "optimal", goal="identify")
    played = tree.play(secret)
    figure = plot_game(tree, secret=secret)
    texts = texts_of(figure)
    if played.turns[-1].response == tree.game.win:
        assert f"found at guess {len(played)}" in texts
        return
    assert f"identified by {len(played)} guess{'es' * (len(played) != 1)}" in texts
    assert "announced" in texts
    assert "found" not in texts
    assert str(len(played)) in texts
    assert str(len(played) + 1) not in texts[-4:]  # the last row has no number
    path = "/".join(turn.answer for turn in played.turns)
    assert texts_of(plot_game(tree, path=path)) == texts


@pytest.mark.parametrize("options", [{}, {"secret": "123", "path": "11"}])
def test_a_game_needs_a_secret_or_a_path(tree, options):
    with pytest.raises(UsageError, match="needs secret= or path="):
        plot_game(tree, **options)


@pytest.mark.parametrize("name", ["p5c8r-best.tgt", "p4c6r-knuth.tgt"])
def test_titles_and_labels_of_a_histogram_are_whole(name):
    """Nothing is written beyond the picture, nor do the bars' numbers meet."""
    figure = plot_tree(read(ROOT / "trees" / name), "histogram")
    FigureCanvasAgg(figure).draw()
    width, height = figure.bbox.width, figure.bbox.height
    axes = figure.axes[0]
    ticks = axes.get_yticklabels() + axes.get_xticklabels()
    for text in [*figure.texts, *axes.texts, axes.yaxis.label, axes.xaxis.label, *ticks]:
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, text
    boxes = sorted(text.get_window_extent().x0 for text in axes.texts)
    rights = sorted(text.get_window_extent().x1 for text in axes.texts)
    assert all(right <= left for right, left in zip(rights, boxes[1:], strict=False))


def test_a_long_title_fits():
    figure = start_figure((5.0, 2.0), "a very long title " * 6, ["a line " * 30])
    FigureCanvasAgg(figure).draw()
    assert all(text.get_window_extent().x1 <= figure.bbox.width for text in figure.texts)


def test_a_tooltip_counts_candidates_in_words():
    layout = make_layout(make_view(build("p2c3r")))
    for index, node in enumerate(layout.nodes):
        count = layout.view.n_candidates(node)
        shown = re.search(r"(\d+) (candidates?)\b", describe_state(layout, index))
        assert shown.groups() == (str(count), "candidates" if count > 1 else "candidate")


def test_colors_are_spread_over_the_states_of_most_area():
    layout = make_layout(make_view(read(ROOT / "trees" / "p5c8r-best.tgt")))
    low, high = _spread(layout)
    inside = layout.width[(layout.value >= low) & (layout.value <= high)].sum()
    assert high - low < 0.5 * (layout.value.max() - layout.value.min())
    assert inside >= 0.97 * layout.width.sum()


def test_a_notebook_shows_figures_without_pyplot(tree):
    for figure in (
        tree.plot("histogram"),
        compare("p2c3r", "knuth").plot(),
        plot_game(tree, secret="123"),
    ):
        shown = ElementTree.fromstring(figure._repr_svg_())
        assert shown.tag == "{http://www.w3.org/2000/svg}svg" and len(shown)
        assert pickle.loads(pickle.dumps(figure))._repr_svg_() == figure._repr_svg_()
