"""Trees of tables with uncertain answers or classes, against plain definitions."""

import json
import shlex
from fractions import Fraction

import pytest

import treegen
from treegen.builder.grow import build_tree
from treegen.errors import StrategyError, UsageError
from treegen.strategies.named import parse_strategy
from treegen.strategies.strategy import change_strategy
from treegen.tree.shares import candidates_at
from treegen.verifier.verify import verify_tree

from ..paths import ROOT
from ..small_tables import draw_table

FILES = ROOT / "tests" / "data" / "uncertain"
RULES = ["expected-left", "separable-pairs", "information"]
EVERY_RULE = [*RULES, *(f"{rule}/cost" for rule in RULES)]


def build(game, rule):
    return build_tree(game, parse_strategy(rule, game))


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_rules_tree_is_that_of_the_definition(rule):
    n_compared = 0
    for seed in range(60):
        game, plain = draw_table(seed)
        if not game.has_shares or not plain.count_separable(plain.root):
            continue
        found = plain.play(rule)
        tree = build(game, rule)
        tree.check()
        if found is None:  # two questions are equally good, but for rounding
            continue
        total, worst, leaves = found
        assert tree.total == total
        assert (tree.worst, int(tree.is_leaf.sum())) == (worst, leaves)
        n_compared += 1
    assert n_compared > 8


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_of_equally_good_first_questions_the_one_given_first_is_asked(rule):
    n_ties = 0
    for seed in range(80):
        game, plain = draw_table(seed)
        useful = plain.list_useful(plain.root, ())
        if not game.has_shares or not plain.count_separable(plain.root):
            continue
        strategy = parse_strategy(rule, game)
        for first in (tuple(useful[-3:]), tuple(reversed(useful[-3:]))):
            codes = tuple(game.n_secrets + question for question in first)
            given = change_strategy(strategy, opening=tuple(map(game.format_code, codes)))
            tree = build_tree(game, given)
            assert not verify_tree(tree, rule=True).problems
            found = plain.play(rule, first)
            if found is not None:
                assert (tree.total, tree.worst) == found[:2]
                best, _ = plain.choose(rule, plain.root, (), first)
                assert tree.guess[0] == game.n_secrets + best
                n_ties += best != plain.choose(rule, plain.root, (), sorted(first))[0]
    assert n_ties > 1 or rule.startswith("information") or "/" in rule


@pytest.mark.parametrize("seed", range(40))
def test_every_tree_is_found_to_be_right(seed):
    game, plain = draw_table(seed)
    if not game.has_shares or not plain.count_separable(plain.root):
        pytest.skip("the table is certain, or nothing can be told apart")
    for rule in RULES:
        tree = build(game, rule)
        claims = {name: getattr(tree, name) for name in ("total", "worst", "histogram", "digest")}
        report = verify_tree(tree, claims, rule=True)
        assert not report.problems
        assert not report.unchecked
        assert sum(tree.histogram) + report.n_announced == sum(plain.weights)


def test_a_rule_of_other_games_is_refused():
    game, _ = next((game, plain) for game, plain in map(draw_table, range(99)) if game.has_shares)
    with pytest.raises(StrategyError, match="knuth is no rule for a table with"):
        build(game, "knuth")
    with pytest.raises(StrategyError, match="separable-pairs"):
        build(game, "separable-pairs,information")


def test_a_question_is_not_asked_again():
    for seed in range(99):
        game, plain = draw_table(seed, most_rows=8)
        if not game.has_shares:
            continue
        rule = parse_strategy("expected-left", game)
        for question in plain.questions:
            for answer, left in plain.ask(plain.root, question).items():
                if not plain.count_separable(left):
                    continue
                code = game.n_secrets + question
                history = ((code, answer),)
                tree = build_tree(game, rule, history=history)
                assert tree.n_candidates[0] == len(left)
                assert code not in tree.guess
                assert not verify_tree(tree, rule=True).problems
                with pytest.raises(UsageError, match="excludes a candidate"):
                    build_tree(game, rule, history=history, first=[code])
                return
    raise AssertionError("no table of these goes on after a question")


@pytest.mark.parametrize("path", sorted(FILES.glob("*.json")), ids=lambda path: path.stem)
def test_rules_make_the_trees_of_the_ten_tables(path):
    facts = json.loads(path.read_text("utf-8"))
    if facts["goal"] == "win":
        pytest.skip("uncertain answers are identified")
    arguments = shlex.split(facts["command"])[3:]
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    wanted = {"--class": "classes"}
    rules = {
        wanted.get(name, name.removeprefix("--")): text
        for name, text in options.items()
        if name != "-s"
    }
    game = treegen.open_game(path.with_suffix(".csv"), notice=lambda text: None, **rules)
    if not game.has_shares:
        pytest.skip("a certain table without classes")
    for rule, expected in facts["greedy"].items():
        tree = build(game, rule)
        average = float(Fraction(expected["average"]))
        assert tree.average == pytest.approx(average, abs=1e-8)
        assert tree.worst == expected["worst"]
        assert (tree.n_nodes, int(tree.is_leaf.sum())) == (expected["nodes"], expected["leaves"])
        if not expected["ties"]:
            assert describe(tree, 0) == rename(game, expected["tree"])


def describe(tree, node):
    """Return a tree as the files of facts have it, without classes."""
    children = tree.children(node)
    if not children:
        return sorted(candidates_at(tree, node)[0].tolist())
    game, guess = tree.game, int(tree.guess[node])
    then = {
        game.format_response(int(tree.response[child]), guess): describe(tree, child)
        for child in children
    }
    return {game.format_code(guess): then}


def rename(game, facts):
    """Return the tree of such a file with the candidates' numbers."""
    if "left" in facts:
        return sorted(map(game.parse_secret, facts["left"]))
    then = {answer: rename(game, below) for answer, below in facts["then"].items()}
    return {facts["ask"]: then}
