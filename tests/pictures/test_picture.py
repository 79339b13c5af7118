"""What pictures show: how much of a tree, in which colors."""

import pytest

from treegen import build
from treegen.errors import GameError, UnreachableError, UsageError
from treegen.pictures.picture import (
    candidate_color,
    color_lengths,
    describe_stub,
    make_picture,
    mix_ramp,
    scope_of,
    subtitle_of,
)
from treegen.tree.walk import RAMP


@pytest.fixture(scope="module")
def knuth():
    return build("p4c6r", "knuth")


@pytest.mark.parametrize("game", ["p4c6r", "p5c5r", "p4c8n", "p6c3r"])
def test_large_trees_are_cut_to_about_150_states(game):
    picture = make_picture(build(game, "first-consistent"))
    assert 75 <= picture.n_shown <= 150


@pytest.mark.parametrize("options", [{}, {"depth": 2}, {"path": "11"}, {"max_nodes": 20}])
def test_shown_states_and_stubs_make_up_the_whole(knuth, options):
    picture = make_picture(knuth, **options)
    shown = list(picture.nodes())
    stubs = [node for node in shown if picture.is_stub(node)]
    below = sum(picture.view.stub(node).n_states for node in stubs)
    assert len(shown) == len(set(shown)) == picture.n_shown
    assert len(shown) + below == picture.view.n_states
    assert stubs


def test_a_stub_says_the_worst_length_below(knuth):
    picture = make_picture(knuth)
    for node in picture.nodes():
        if picture.is_stub(node):
            longest, level = 0, [node]
            while level:
                longest = int(knuth.depth[level[0]]) + 1
                level = [child for state in level for child in knuth.children(state)]
            assert picture.view.stub(node).worst == picture.longest(node) == longest


def test_all_and_depth_choose_how_much(knuth):
    assert make_picture(knuth, all=True).n_shown == knuth.n_nodes
    assert make_picture(knuth, depth=2).n_shown == knuth.level_starts[2]
    assert make_picture(knuth, depth=4).n_shown == knuth.level_starts[4]


def test_the_first_answers_are_always_shown(knuth):
    assert make_picture(knuth, max_nodes=1).n_shown == 1 + len(knuth.children(0))


def test_room_that_a_level_leaves_goes_to_the_largest_states(knuth):
    picture = make_picture(knuth, max_nodes=60)
    level = list(knuth.children(0))
    opened = [node for node in level if node in picture.opened]
    assert 30 < picture.n_shown <= 60
    assert opened
    assert max(level, key=lambda node: knuth.n_candidates[node]) in opened
    closed = [node for node in level if node not in picture.opened and knuth.children(node)]
    sizes = [[int(knuth.n_candidates[node]) for node in some] for some in (opened, closed)]
    assert min(sizes[0]) >= max(sizes[1]), "a larger state is never closed beside a smaller one"


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"max_nodes": 0}, UsageError, "max_nodes=0"),
        ({"all": True, "depth": 2}, UsageError, "all= cannot be combined with depth="),
        ({"color": "pink"}, UsageError, "length, candidates, none"),
        ({"depth": 0}, UsageError, "depth=0"),
        ({"path": "31"}, GameError, "31|3 black"),
        ({"path": "03/04/04"}, UnreachableError, "possible here"),
        ({"symbols": "abc"}, GameError, "6 different"),
    ],
)
def test_options_that_do_not_fit_are_refused(knuth, options, error, words):
    with pytest.raises(error, match=words):
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
    picture = make_picture(knuth, color="candidates")
    assert [text for _, text in picture.legend()][-1] == "1,000 or more"
    assert {picture.paint(node) for node in picture.nodes()} == {c for c, _ in picture.legend()}
    assert make_picture(knuth, color="none").legend() == []


def test_black_text_is_readable_on_every_color():
    for color in RAMP:
        channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert (luminance + 0.05) / 0.05 >= 7


def test_one_state_below_is_written_in_the_singular(knuth):
    texts = {
        describe_stub(make_picture(knuth).view.stub(n)) for n in range(14, 100) if knuth.children(n)
    }
    assert any(text.startswith("+1 state,") for text in texts)
    assert any(" states, worst 5" in text for text in texts)
