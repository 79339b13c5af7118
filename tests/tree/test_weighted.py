from dataclasses import replace

import pytest

import treegen
from treegen.tree.walk import (
    average_lengths,
    cut_at,
    find_longest,
    find_node,
    measure_states,
    sum_lengths,
)

WEIGHTS = list(range(9))
COSTS = [3, 1, 2, 1, 5, 1, 1, 2, 1]


def play(tree, secret):
    """Return the costs of the guesses that find a secret."""
    answers, costs = [], 0
    while True:
        node = find_node(tree, answers)
        guess = int(tree.guess[node])
        costs += int(tree.game.costs[guess])
        answers.append(tree.game.score(guess, secret))
        if answers[-1] == tree.game.win:
            return costs


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


def test_sums_below_count_weights():
    tree = treegen.build("p2c3r")
    tree = replace(tree, game=tree.game.with_stakes(WEIGHTS, COSTS))
    assert sum_lengths(tree)[0] == tree.total
    assert find_longest(tree)[0] == tree.worst


def test_average_lengths_count_weights_where_there_are_any():
    rows = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    game = treegen.Questions(rows, goal="identify").with_stakes([9, 1, 0, 0], [0] * 4 + [1, 3])
    tree = treegen.build(game, "max,lowest")
    children = list(tree.children(0))
    assert average_lengths(tree)[[0, *children]].tolist() == [4, 4, 4]
    game = treegen.Questions([*rows, ["c", "x"]]).with_stakes([0, 0, 0, 1, 9])
    tree = treegen.build(game, "parts,lowest")
    # Three cells: two need a second question, and one of their candidates weighs 1.
    assert average_lengths(tree)[[0, *tree.children(0)]].tolist() == [1.1, 2, 2, 1]


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize(("weights", "costs"), [(WEIGHTS, None), (None, COSTS), (WEIGHTS, COSTS)])
def test_each_state_has_the_figures_of_its_subtree(goal, weights, costs):
    game = treegen.open_game("p2c3r", goal=goal).with_stakes(weights, costs)
    tree = treegen.build(game, "max,lowest")
    totals, worsts = measure_states(tree)
    for node in range(tree.n_nodes):
        part = cut_at(tree, node)
        assert (totals[node], worsts[node]) == (part.total, part.worst)


@pytest.mark.parametrize("strategy", ["max,lowest", "optimal", "best"])
def test_the_only_candidate_counts_its_weight(strategy, tmp_path):
    game = treegen.open_game("p2c2r", goal="identify").with_stakes([1, 2, 3, 9])
    tree = treegen.build(game, strategy, history="11:00")
    assert (tree.total, tree.worst, tree.n_worst, tree.histogram) == (0, 0, 9, [])
    assert treegen.verify(tree, claim={"n_worst": 9, "worst": 0}).is_sound
    assert not treegen.verify(tree, claim={"n_worst": 1}).is_sound
    if strategy == "max,lowest":
        options = treegen.BuildOptions(history="11:00", resume=tmp_path / "parts")
        with treegen.open_build(game, strategy, options) as parts:
            assert parts.n_worst == 9
