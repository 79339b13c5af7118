"""Greedy strategies with weights, costs, uncertain answers or classes, against the definitions."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from treegen import Codebook, Questions, StrategyError, make_chain, open_game

from .. import naive
from ..paths import ROOT
from ..small_tables import draw_table
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


@given(st.sampled_from(["p2c3r", "p2c4n", "p3c2r"]), st.sampled_from(CHAINS), st.data())
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


# --- tables whose candidates may answer in several ways, or that have classes -------------------

FILES = ROOT / "tests" / "data" / "uncertain"
RULES = ["expected-left", "separable-pairs", "information"]
EVERY_RULE = [*RULES, *(f"{rule}/cost" for rule in RULES)]


@cache
def draw_shared(number, goal="identify"):
    """Return random tables in which answers are uncertain and some can be told apart."""
    tables = (draw_table(seed, goal=goal) for seed in range(number))
    return [
        (game, plain)
        for game, plain in tables
        if game.rules.shares is not None and plain.count_separable(plain.root)
    ]


@pytest.mark.parametrize("goal", ["identify", "win"])
@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_rules_tree_is_that_of_the_definition(rule, goal):
    n_compared = 0
    for game, plain in draw_shared(30, goal):
        found = plain.play(rule)
        tree = treegen.build(game, rule)
        tree.check()
        report = treegen.verify(bytes_of(tree, "tree"), rule=True)
        assert report.is_proved
        assert {"total", "worst", "histogram", "digest"} <= {one.name for one in report.checked}
        n_announced = sum(plain.weights) if tree.n_nodes == 1 else 0
        assert sum(tree.histogram) + n_announced == sum(plain.weights)
        if found is None:  # two questions are equally good, but for rounding
            continue
        total, worst, leaves = found
        assert tree.total == total
        assert (tree.worst, int(tree.is_winning.sum())) == (worst, leaves)
        n_compared += 1
    assert n_compared > 4


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_of_equally_good_first_questions_the_one_given_first_is_asked(rule):
    n_ties = 0
    for game, plain in draw_shared(30):
        useful = plain.list_useful(plain.root, ())
        for first in (tuple(useful[-3:]), tuple(reversed(useful[-3:]))):
            codes = tuple(game.n_secrets + question for question in first)
            tree = treegen.build(game, rule, first=[*map(game.format_code, codes)])
            assert not treegen.verify(tree, rule=True).problems
            found = plain.play(rule, first)
            if found is not None:
                assert (tree.total, tree.worst) == found[:2]
                best, _ = plain.choose(rule, plain.root, (), first)
                assert tree.guess[0] == game.n_secrets + best
                n_ties += best != plain.choose(rule, plain.root, (), sorted(first))[0]
    assert n_ties > 1 or rule.startswith("information") or "/" in rule


def test_a_rule_of_other_games_is_refused():
    game, _ = draw_shared(30)[0]
    with pytest.raises(StrategyError, match="knuth is no rule for a table with"):
        treegen.build(game, "knuth")
    with pytest.raises(StrategyError, match="separable-pairs"):
        treegen.build(game, "separable-pairs,information")
    with pytest.raises(StrategyError, match="the first of the table wins a tie"):
        treegen.build(game, "separable-pairs", eligible="candidates")


@pytest.mark.parametrize("path", sorted(FILES.glob("*.json")), ids=lambda path: path.stem)
def test_rules_make_the_trees_of_the_ten_tables(path):
    facts = json.loads(path.read_text("utf-8"))
    arguments = shlex.split(facts["command"])[3:]
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    wanted = {"--class": "classes"}
    rules = {
        wanted.get(name, name.removeprefix("--")): text
        for name, text in options.items()
        if name != "-s"
    }
    game = treegen.open_game(path.with_suffix(".csv"), notice=lambda text: None, **rules)
    if game.rules.shares is None:
        pytest.skip("a certain table without classes")
    for rule, expected in facts["greedy"].items():
        tree = treegen.build(game, rule)
        average = float(Fraction(expected["average"]))
        assert tree.average == pytest.approx(average, abs=1e-8)
        assert tree.worst == expected["worst"]
        assert (tree.n_nodes, int(tree.is_leaf.sum())) == (expected["nodes"], expected["leaves"])
        if not expected["ties"]:
            assert describe(tree.root) == rename(expected["tree"])


def describe(node):
    """Return what is below a state as the files of facts have it, without classes."""
    if node.is_leaf:
        left = treegen.advice(node.tree.game, "information", history=node.history, top=0).candidates
        return sorted(left)
    return {node.guess: {child.answer: describe(child) for child in node.children}}


def rename(facts):
    """Return the tree of such a file in the same form."""
    if "left" in facts:
        return sorted(facts["left"])
    return {facts["ask"]: {answer: rename(below) for answer, below in facts["then"].items()}}


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_a_tree_built_in_tasks_is_the_same(tmp_path, goal):
    for number, (game, _) in enumerate(draw_shared(30, goal)[:4]):
        for rule in ("separable-pairs", "information"):
            tree = treegen.build(game, treegen.make_chain(rule))
            folder = tmp_path / f"{number}-{rule}"
            for jobs in (0, 2):
                made = build_in_tasks(game, rule, folder / str(jobs), jobs=jobs, task_pairs=8)
                assert bytes_of(made, "tree") == bytes_of(tree, "tree")
            assert treegen.build(game, treegen.make_chain(rule), resume=folder / "again") == tree
