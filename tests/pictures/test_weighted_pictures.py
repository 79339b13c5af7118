"""Pictures of games with weights and costs: title, legend, colors and bars say the same."""

from __future__ import annotations

import re

import pytest

import treegen
from treegen import build, make_graph

from ..written import text_of

pytest.importorskip("matplotlib")

WORDS = ["crane", "slate", "trace", "crate", "grace", "brace", "place", "stone", "abide", "speed"]
WEIGHTS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
COSTS = [2, 7, 1, 8, 2, 8, 1, 8, 2, 8]


def build_words(**stakes):
    game = treegen.Codebook(WORDS, feedback="position")
    return build(game.with_stakes(**stakes), "knuth")


STAKES = [
    {"weights": WEIGHTS},
    {"costs": COSTS},
    {"weights": WEIGHTS, "costs": COSTS},
    {},
]


def list_bars(figure):
    (axes,) = figure.axes
    return [round(bar.get_height()) for bar in axes.patches], axes


@pytest.mark.parametrize("stakes", STAKES)
def test_bars_are_the_histogram_of_the_title(stakes):
    tree = build_words(**stakes)
    figure = tree.plot("histogram")
    bars, axes = list_bars(figure)
    assert bars == tree.histogram
    assert "/".join(map(str, tree.histogram)) in figure.texts[1].get_text()
    assert axes.get_xlabel() == ("cost" if "costs" in stakes else "guesses")
    assert axes.get_ylabel() == ("weight of secrets" if "weights" in stakes else "secrets")
    root = max(tree.root.children, key=lambda node: node.n_candidates)
    assert list_bars(tree.plot("histogram", path=root.answer))[0] == (
        tree.subtree(root.answer).histogram
    )


@pytest.mark.parametrize("stakes", STAKES)
@pytest.mark.parametrize("depth", [1, 2, None])
def test_lengths_of_a_diagram_are_those_of_the_title(stakes, depth):
    tree = build_words(**stakes)
    text = text_of(tree, "dot", depth=depth)
    name = "highest cost" if "costs" in stakes else "longest game"
    assert f'<TD BORDER="0">{name}</TD>' in text
    assert f" {name} {tree.worst}" in text  # of the first state
    if depth == 1:
        assert f", worst {tree.worst}<" in text
        assert make_graph(tree, depth=1).nodes[0]["worst_below"] == tree.worst
    if "weights" in stakes:
        found = f"10 secrets of weight {sum(WEIGHTS)} · total {tree.total:,} · average"
        assert found in text
        assert f"worst {tree.worst} (weight {tree.n_worst})" in text
    else:
        assert f"10 secrets · total {tree.total:,} · average" in text
    assert ("guesses count their costs" in text) == ("costs" in stakes)


def test_legends_of_plots_say_what_is_averaged():

    def read_legend(color, **stakes):
        figure = build_words(**stakes).plot("icicle", color=color)
        return figure.axes[1].get_xlabel()

    average = "average length of the games through a state"
    assert read_legend("average") == average
    assert read_legend("average", weights=WEIGHTS) == f"{average}, by weight"
    assert read_legend("average", costs=COSTS) == "average cost of the games through a state"
    assert read_legend("longest") == "longest game through a state"
    assert read_legend("longest", costs=COSTS) == "highest cost of a game through a state"


def test_many_costs_crowd_neither_titles_nor_legends_nor_axes():
    game = treegen.open_game("p3c3r").with_stakes(costs=range(20, 47))
    tree = build(game)
    assert len(tree.histogram) > 60
    figure = tree.plot("histogram")
    bars, axes = list_bars(figure)
    assert bars == tree.histogram
    assert len(axes.get_xticks()) < 20
    assert "/" not in figure.texts[1].get_text()
    assert len(re.findall("<tr", tree._repr_html_())) <= 1 + len(game.rules.given_costs)


def test_lengths_that_spread_are_marked_at_1_2_and_5():
    figure = treegen.compare(["p1c2r", "p1c40r"], ["knuth"]).plot()
    (axes,) = figure.axes
    assert axes.get_yscale() == "log"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["2", "5", "10", "20"]


def test_axes_count_in_whole_numbers():
    figure = build(treegen.Codebook(["ab", "ac"])).plot("histogram")
    figure.draw_without_rendering()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == sorted(set(labels))


def test_rows_of_an_icicle_say_where_candidates_are_announced():
    rows = [["red", "yes"], ["red", "no"], ["blue", "no"]]
    table = treegen.Questions(rows, names=["a", "b", "c"], questions=["Color?", "Legs?"])
    for game, first in (
        (table, "question 1"),
        (treegen.Mastermind(2, 2, goal="identify"), "guess 1"),
    ):
        axes, *_ = build(game, "optimal").plot("icicle").axes
        names = [label.get_text() for label in axes.get_yticklabels()]
        assert (names[0], names[-1]) == (first, "announced")
    axes, *_ = build("p2c2r").plot("icicle").axes
    assert [label.get_text() for label in axes.get_yticklabels()][-1].startswith("guess ")


def test_a_game_that_is_over_has_pictures():
    tree = build("p2c2r", goal="identify", history="11:10/12:20")
    assert (tree.n_nodes, tree.worst) == (1, 0)
    assert "0" in tree._repr_html_()
    assert list_bars(tree.plot("histogram"))[0] == [1]
    assert tree.plot("icicle").axes
    assert "1 secret ·" in text_of(tree, "dot")
