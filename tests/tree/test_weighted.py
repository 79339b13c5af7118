"""Figures of trees whose secrets have weights and whose guesses have costs."""

from dataclasses import replace

import pytest

import treegen

WEIGHTS = list(range(9))
COSTS = [3, 1, 2, 1, 5, 1, 1, 2, 1]


def play(tree, secret):
    """Return the costs of the guesses that find a secret."""
    node, costs = 0, 0
    while True:
        guess = int(tree.guess[node])
        costs += int(tree.game.costs[guess])
        response = tree.game.score(guess, secret)
        if response == tree.game.win:
            return costs
        (node,) = (child for child in tree.children(node) if tree.response[child] == response)


@pytest.mark.parametrize(("weights", "costs"), [(WEIGHTS, None), (None, COSTS), (WEIGHTS, COSTS)])
def test_the_histogram_counts_weights_by_cost(weights, costs):
    tree = treegen.build("p2c3r")
    tree = replace(tree, game=tree.game.with_stakes(weights, costs))
    lengths = [play(tree, secret) for secret in range(9)]
    counts = weights or [1] * 9
    assert tree.worst == max(lengths)
    assert tree.total == sum(a * b for a, b in zip(lengths, counts, strict=True))
    assert tree.average == tree.total / sum(counts)
    for length in range(1, tree.worst + 1):
        expected = sum(n for a, n in zip(lengths, counts, strict=True) if a == length)
        assert tree.histogram[length - 1] == expected


def test_weights_are_part_of_the_digest():
    tree = treegen.build("p2c3r")
    digests = {
        replace(tree, game=tree.game.with_stakes(weights, costs)).digest
        for weights in (None, WEIGHTS)
        for costs in (None, COSTS)
    }
    assert len(digests) == 4
    assert tree.digest in digests


@pytest.mark.parametrize("strategy", ["max,lowest", "optimal", "best"])
def test_the_only_candidate_counts_its_weight(strategy, tmp_path):
    game = treegen.open_game("p2c2r", goal="identify").with_stakes([1, 2, 3, 9])
    tree = treegen.build(game, strategy, history="11:00")
    assert (tree.total, tree.worst, tree.n_worst, tree.histogram) == (0, 0, 9, [])
    assert treegen.verify(tree, claim={"n_worst": 9, "worst": 0}).is_sound
    assert not treegen.verify(tree, claim={"n_worst": 1}).is_sound
    if strategy == "max,lowest":
        options = treegen.BuildOptions(history="11:00", resume=tmp_path / "parts")
        with treegen.open_build(game, strategy, **options) as parts:
            assert parts.n_worst == 9
