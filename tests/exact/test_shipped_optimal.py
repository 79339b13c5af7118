"""The shipped optimal trees have the totals of the proved optima."""

from __future__ import annotations

import pytest

from treegen import describe_game, read

from ..paths import ROOT

TREES = sorted((ROOT / "trees").glob("*-optimal*.tree"))


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.stem)
def test_a_shipped_optimal_tree_is_an_optimum(path):
    tree = read(path)
    known = [optimum.total for optimum in describe_game(tree.game).optima]
    assert tree.total == tree.provenance.bound
    assert tree.total in known


def test_the_best_tree_of_super_mastermind_is_the_documented_one():
    tree = read(ROOT / "trees" / "p5c8r-best.tree")
    assert tree.provenance.bound < tree.total <= 178_368
    assert f"{tree.total:,}" in (ROOT / "docs" / "optima.md").read_text("utf-8")
