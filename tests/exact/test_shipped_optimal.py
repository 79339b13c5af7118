"""The shipped optimal and near-optimal trees keep what docs/optima.md says of them."""

from __future__ import annotations

import pytest

from treegen import read, verify

from ..paths import ROOT

TREES = ROOT / "trees"

SHIPPED = [
    ("p4c6r-optimal", 5625, 6, 1, "total,worst,n_worst"),
    ("p4c6r-optimal-worst5", 5626, 5, 559, "total"),
    ("p4c6n-optimal", 1446, 5, 89, "total,worst,n_worst"),
    ("p4c7r-optimal", 11228, 6, 114, "total,worst,n_worst"),
    ("p4c9r-optimal", 34666, 8, 1, "total"),
    ("p5c6r-optimal", 36721, 7, 1, "total"),
    ("p6c4r-optimal", 17281, 6, 36, "total"),
    ("p4c10r-optimal", 55632, 8, 8, "total"),
    ("p5c7r-optimal", 85645, 7, 42, "total"),
    ("p6c5r-optimal", 73795, 7, 15, "total"),
    ("p5c8n-optimal", 34444, 7, 91, "total"),
    ("p4c10n-optimal", 26274, 7, 69, "total,worst,n_worst"),
]


@pytest.mark.parametrize(("name", "total", "worst", "n_worst", "objective"), SHIPPED)
def test_a_shipped_optimal_tree_has_its_figures(name, total, worst, n_worst, objective):
    tree = read(TREES / f"{name}.tree")
    tree.check()
    assert (tree.total, tree.worst, tree.n_worst) == (total, worst, n_worst)
    assert (tree.provenance.objective, tree.provenance.bound) == (objective, total)
    assert not verify(tree).problems


def test_best_tree_of_super_mastermind():
    tree = read(TREES / "p5c8r-best.tree")
    tree.check()
    assert tree.total <= 178368
    assert tree.provenance.bound is not None
    assert tree.provenance.bound < tree.total
    assert not verify(tree).problems


def test_documented_totals_are_the_files():
    text = (TREES.parent / "docs" / "optima.md").read_text("utf-8")
    total = read(TREES / "p5c8r-best.tree").total
    assert f"{total:,}" in text
