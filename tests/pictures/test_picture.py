"""The parts that all pictures share: how much of a tree is shown, in which colors."""

from itertools import combinations
from math import dist
from xml.etree import ElementTree

import numpy as np
import pytest

from treegen import UsageError, build, open_game
from treegen.pictures.dot import render, shorten_svg
from treegen.pictures.picture import (
    RAMP,
    candidate_color,
    choose_ink,
    color_lengths,
    describe_stub,
    list_paints,
    make_picture,
    mix_ramp,
    scope_of,
    subtitle_of,
)

from ..written import has_graphviz, text_of
from .test_weighted_pictures import STAKES, build_words


@pytest.fixture(scope="module")
def knuth():
    return build("p4c6r", "knuth")


@pytest.mark.parametrize("game", ["p4c6r", "p5c5r", "p4c8n", "p6c3r"])
def test_large_trees_are_cut_to_about_150_states(game):
    picture = make_picture(build(game, "first-consistent"))
    assert 75 <= len(picture.nodes) <= 150


@pytest.mark.parametrize("options", [{}, {"depth": 2}, {"path": "11"}, {"max_nodes": 20}])
def test_shown_states_and_stubs_make_up_the_whole(knuth, options):
    picture = make_picture(knuth, **options)
    shown = picture.nodes
    stubs = [node for node in shown if picture.is_stub(node)]
    below = sum(picture.view.stub(node).n_states for node in stubs)
    assert len(shown) == len(set(shown)) == len(picture.nodes)
    assert len(shown) + below == picture.view.n_states
    assert stubs


def test_a_stub_says_the_worst_length_below(knuth):
    picture = make_picture(knuth)
    for node in picture.nodes:
        if picture.is_stub(node):
            longest, level = 0, [node]
            while level:
                longest = int(knuth.depth[level[0]]) + 1
                level = [child for state in level for child in knuth.children(state)]
            assert picture.view.stub(node).worst == picture.longest[node] == longest


def test_all_and_depth_choose_how_much(knuth):
    assert len(make_picture(knuth, all=True).nodes) == knuth.n_nodes
    assert len(make_picture(knuth, depth=2).nodes) == knuth.level_starts[2]
    assert len(make_picture(knuth, depth=4).nodes) == knuth.level_starts[4]


def test_the_first_answers_are_always_shown(knuth):
    assert len(make_picture(knuth, max_nodes=1).nodes) == 1 + len(knuth.children(0))


def test_room_that_a_level_leaves_goes_to_the_largest_states(knuth):
    picture = make_picture(knuth, max_nodes=60)
    level = list(knuth.children(0))
    opened = [node for node in level if node in picture.opened]
    assert 30 < len(picture.nodes) <= 60
    assert opened
    assert max(level, key=lambda node: knuth.n_candidates[node]) in opened
    closed = [node for node in level if node not in picture.opened and knuth.children(node)]
    sizes = [[int(knuth.n_candidates[node]) for node in some] for some in (opened, closed)]
    assert min(sizes[0]) >= max(sizes[1]), "a larger state is never closed beside a smaller one"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_nodes": 0}, "max_nodes=0"),
        ({"all": True, "depth": 2}, "all= cannot be combined with depth="),
        ({"color": "pink"}, "length, candidates, none"),
    ],
)
def test_options_that_do_not_fit_are_refused(knuth, options, words):
    with pytest.raises(UsageError, match=words):
        make_picture(knuth, **options)


def test_titles_give_the_figures_and_what_is_cut(knuth):
    picture = make_picture(knuth, path="11", symbols="abcdef")
    assert subtitle_of(picture.view) == (
        "1,296 secrets · total 5,801 · average 4.4761 · worst 5 (694×) · 1/6/62/533/694"
    )
    assert scope_of(picture).startswith("after aabb → 11 (guesses counted from there) · ")
    assert f"of {picture.view.n_states} states shown" in scope_of(picture)
    assert scope_of(make_picture(build("p2c3r", "knuth"))) == ""


def test_colors_go_from_few_to_many(knuth):
    assert list(color_lengths([5, 3, 4])) == [3, 4, 5]
    assert (mix_ramp(0), mix_ramp(1)) == (RAMP[0], RAMP[-1])
    assert [candidate_color(n) for n in (1, 3, 9, 99, 999, 10**6)] == list(RAMP)
    assert [candidate_color(n) for n in (1, 2, 4, 10, 100, 1000)] == list(RAMP)
    picture = make_picture(knuth, color="candidates")
    assert [text for _, text in picture.legend()][-1] == "1,000 or more"
    assert {picture.paint(node) for node in picture.nodes} == {c for c, _ in picture.legend()}
    assert make_picture(knuth, color="none").legend() == []


def test_one_state_below_is_written_in_the_singular(knuth):
    texts = {
        describe_stub(make_picture(knuth).view.stub(n)) for n in range(14, 100) if knuth.children(n)
    }
    assert any(text.startswith("+1 state,") for text in texts)
    assert any(" states, worst 5" in text for text in texts)


PAINTS = list_paints(10)

# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
SIGHTS = {
    "usual": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
}  # fmt: skip
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
WHITE = np.array([0.95047, 1.0, 1.08883])


def make_linear(paint):
    share = np.array([int(paint[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def make_lab(linear):
    ratio = TO_XYZ @ np.clip(linear, 0, 1) / WHITE
    x, y, z = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize(
    ("sight", "all_of_them", "first_six"),
    [("usual", 42, 55), ("deuteranopia", 21, 21), ("protanopia", 20, 20)],
)
def test_everybody_tells_the_colors_apart(sight, all_of_them, first_six):
    """By the distance in CIELAB, of which 2.3 is just seen."""
    seen = [make_lab(SIGHTS[sight] @ make_linear(paint)) for paint in PAINTS]
    assert min(dist(*pair) for pair in combinations(seen, 2)) > all_of_them
    assert min(dist(*pair) for pair in combinations(seen[:6], 2)) > first_six


@pytest.mark.parametrize(
    ("paint", "ink", "least"),
    [*((paint, "#000000", 7) for paint in RAMP), *((one, choose_ink(one), 4.5) for one in PAINTS)],
)
def test_texts_can_be_read_on_every_color(paint, ink, least):
    """By WCAG's contrast: black on the colors of states of level AAA, symbols on pegs of AA."""
    dark, light = sorted(TO_XYZ[1] @ make_linear(one) for one in (paint, ink))
    assert (light + 0.05) / (dark + 0.05) >= least


@pytest.mark.parametrize("stakes", STAKES)
@pytest.mark.parametrize("depth", [1, 2, None])
def test_legends_of_weighted_trees_end_with_the_highest_cost(stakes, depth):
    tree = build_words(**stakes)
    assert make_picture(tree, depth=depth).legend()[-1][1] == str(tree.worst)


def test_many_costs_do_not_crowd_the_legend():
    tree = build(open_game("p3c3r").with_stakes(costs=range(20, 47)))
    picture = make_picture(tree)
    assert len(picture.colors) > 12 >= len(picture.legend())
    assert picture.legend()[-1][1] == str(tree.worst)


@pytest.mark.skipif(not has_graphviz(), reason="no Graphviz")
def test_an_svg_is_a_third_shorter_than_graphviz_makes_it(knuth):
    drawn = render(text_of(knuth, "dot", style="compact", pegs="drawn"))
    assert len(shorten_svg(drawn)) < len(drawn) * 2 / 3
    assert ElementTree.fromstring(shorten_svg(drawn)) is not None


def test_the_wheel_reports_bad_input(monkeypatch, tmp_path):
    pytest.importorskip("pygraphviz")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(UsageError, match="pygraphviz failed"):
        render("digraph { a -> ", "svg")
