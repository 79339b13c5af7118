"""Greedy strategies with weights and costs: against the definitions, in whole numbers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treegen
from treegen import Codebook, Questions, StrategyError, make_chain, open_game

from .. import naive
from ..written import bytes_of
from .in_tasks import build_in_tasks

CHAINS = ["entropy,lowest", "expected", "entropy/cost", "expected/cost", "power:2/cost,entropy"]


def find_candidates(tree):
    """Return the candidates of every node, by playing all secrets."""
    candidates = {0: list(range(tree.game.n_secrets))}
    for node in range(tree.n_nodes):
        for child in tree.children(node):
            guess, response = int(tree.guess[node]), int(tree.response[child])
            candidates[child] = [
                secret for secret in candidates[node] if tree.game.score(guess, secret) == response
            ]
    return candidates


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["p2c3r", "p2c4n", "p3c2r"]),
    st.sampled_from(CHAINS),
    st.data(),
)
def test_guesses_are_those_of_the_definition(name, chain, data):
    game, rules = open_game(name), naive.peg_rules(name)
    weights = data.draw(
        st.lists(st.integers(0, 4), min_size=game.n_secrets, max_size=game.n_secrets).filter(any)
    )
    costs = data.draw(st.lists(st.integers(1, 3), min_size=game.n_codes, max_size=game.n_codes))
    tree = treegen.build(game.with_stakes(weights, costs), chain)
    for node, candidates in find_candidates(tree).items():
        if len(candidates) > 1:
            criteria = chain.removesuffix(",lowest").split(",")
            expected = naive.choose_weighted(rules, criteria, weights, costs, candidates)
            assert tree.guess[node] == expected


@pytest.mark.parametrize("chain", [*CHAINS, "knuth", "parts,entropy/cost,random", "most-parts"])
def test_the_verifier_finds_the_same_guesses(chain):
    game = Questions(
        [[str(row % 2), str(row // 2 % 3), str(row // 5), str(row)] for row in range(13)]
    ).with_stakes([900_000, 600_000, 1, *range(10)], [1] * 13 + [2, 3, 3, 9])
    tree = treegen.build(game, chain)
    report = treegen.verify(tree, rule=True)
    assert report.is_proved, report.problems


@pytest.mark.parametrize("chain", ["entropy,lowest", "expected,consistent", "power:2"])
def test_equal_weights_change_nothing(chain):
    game = open_game("p3c3r")
    even = game.with_stakes([1] * 26 + [2]).with_stakes([3] * 27)
    assert treegen.build(even, chain).digest == treegen.build(game, chain).digest
    per_cost = treegen.build(game, chain.replace("entropy", "entropy/cost"))
    assert np.array_equal(per_cost.guess, treegen.build(game, chain).guess)


def test_frequent_words_come_first():
    words = Codebook(["abcd", "abce", "abcf", "abcg"], feedback="position")
    tree = treegen.build(words.with_stakes([1, 1, 1, 97]), "expected,consistent,entropy")
    assert tree.average < 2


def test_cheap_questions_come_first():
    rows = [[str(row % 2), str(row % 2), str(row // 2)] for row in range(4)]
    game = Questions(rows).with_stakes(None, [0] * 4 + [5, 1, 2])
    tree = treegen.build(game, "entropy/cost")
    assert (tree.worst, tree.total) == (3, 12)


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        ("expected", "expected of weights that sum up to 1,000,000,000,000 passes 64 bits"),
        ("power:0.5", "power:0.5 is for games without weights"),
    ],
)
def test_criteria_that_cannot_weigh_are_refused(chain, message):
    game = open_game("p2c2r").with_stakes([10**12 - 3, 1, 1, 1])
    with pytest.raises(StrategyError, match=message):
        treegen.build(game, chain)


@pytest.mark.parametrize(
    "chain", ["max/cost", "parts/cost", "power:-0.5/cost", "entropy/cost/cost"]
)
def test_criteria_without_a_gain_are_not_divided(chain):
    with pytest.raises(StrategyError, match="are divided by the cost"):
        make_chain(*chain.split(","))


def make_game(kind, goal, has_weights, has_costs):
    """Return a game of a kind with weights, some of them 0, and costs."""
    match kind:
        case "questions":
            matrix = np.random.default_rng(3).integers(0, 3, (60, 12))
            game = Questions(matrix, goal=goal)
        case "words":
            words = ["".join(word) for word in product("abc", repeat=4)]
            game = Codebook(words[::2], words[1::2], feedback="position").with_goal(goal)
        case _:
            game = open_game("p3c4r").with_goal(goal)
    weights = [code * 7 % 5 for code in range(game.n_secrets)] if has_weights else None
    costs = [1 + code * 3 % 4 for code in range(game.n_codes)] if has_costs else None
    return game.with_stakes(weights, costs)


STAKES = [("win", True, True), ("identify", True, False), ("identify", False, True)]


@pytest.mark.parametrize("stakes", STAKES)
@pytest.mark.parametrize("kind", ["questions", "words", "pegs"])
def test_tasks_give_the_bytes_of_the_serial_build(tmp_path, kind, stakes):
    game = make_game(kind, *stakes)
    pairs = game.n_secrets * game.rules.n_guesses
    for chain, n_cuts in [("entropy/cost", 4), ("expected", 15), ("parts,random", 1)]:
        tree, folder = treegen.build(game, chain), tmp_path / chain[:5]
        parts = build_in_tasks(game, chain, folder, task_pairs=pairs // n_cuts)
        assert (len(list(folder.glob("grow-*"))) > 1) == (n_cuts > 1)
        assert bytes_of(parts, "tree") == bytes_of(tree, "tree")
