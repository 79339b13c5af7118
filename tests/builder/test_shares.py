"""Trees of tables with uncertain answers or classes, against plain definitions."""

import json
import shlex
from fractions import Fraction

import pytest

import treegen
from treegen import StrategyError, advice, build, verify

from ..paths import ROOT
from ..small_games import write_history
from ..small_tables import draw_table
from ..written import bytes_of
from .in_tasks import build_in_tasks

FILES = ROOT / "tests" / "data" / "uncertain"
RULES = ["expected-left", "separable-pairs", "information"]
EVERY_RULE = [*RULES, *(f"{rule}/cost" for rule in RULES)]


@pytest.mark.parametrize("goal", ["identify", "win"])
@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_rules_tree_is_that_of_the_definition(rule, goal):
    n_compared = 0
    for seed in range(30):
        game, plain = draw_table(seed, goal=goal)
        if game.rules.shares is None or not plain.count_separable(plain.root):
            continue
        found = plain.play(rule)
        tree = build(game, rule)
        tree.check()
        if found is None:  # two questions are equally good, but for rounding
            continue
        total, worst, leaves = found
        assert tree.total == total
        assert (tree.worst, int(tree.is_winning.sum())) == (worst, leaves)
        assert verify(tree, rule=True).is_proved
        n_compared += 1
    assert n_compared > 4


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_of_equally_good_first_questions_the_one_given_first_is_asked(rule):
    n_ties = 0
    for seed in range(40):
        game, plain = draw_table(seed)
        useful = plain.list_useful(plain.root, ())
        if game.rules.shares is None or not plain.count_separable(plain.root):
            continue
        for first in (tuple(useful[-3:]), tuple(reversed(useful[-3:]))):
            codes = tuple(game.n_secrets + question for question in first)
            tree = build(game, rule, first=[*map(game.format_code, codes)])
            assert not verify(tree, rule=True).problems
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
    if game.rules.shares is None or not plain.count_separable(plain.root):
        pytest.skip("the table is certain, or nothing can be told apart")
    for rule in RULES:
        tree = build(game, rule)
        report = verify(bytes_of(tree, "tree"), rule=True)
        assert report.is_proved
        assert {"total", "worst", "histogram", "digest"} <= {one.name for one in report.checked}
        n_announced = sum(plain.weights) if tree.n_nodes == 1 else 0
        assert sum(tree.histogram) + n_announced == sum(plain.weights)


def test_a_rule_of_other_games_is_refused():
    games = [game for game, _ in map(draw_table, range(99))]
    game = next(game for game in games if game.rules.shares is not None)
    with pytest.raises(StrategyError, match="knuth is no rule for a table with"):
        build(game, "knuth")
    with pytest.raises(StrategyError, match="separable-pairs"):
        build(game, "separable-pairs,information")


def test_a_question_is_not_asked_again():
    for seed in range(99):
        game, plain = draw_table(seed, most_rows=8)
        if game.rules.shares is None:
            continue
        for question in plain.questions:
            for answer, left in plain.ask(plain.root, question).items():
                if not plain.count_separable(left):
                    continue
                code = game.n_secrets + question
                history = write_history(game, [(code, answer)])
                tree = build(game, "expected-left", history=history)
                assert tree.n_candidates[0] == len(left)
                assert code not in tree.guess
                assert not verify(tree, rule=True).problems
                return
    raise AssertionError("no table of these goes on after a question")


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
        tree = build(game, rule)
        average = float(Fraction(expected["average"]))
        assert tree.average == pytest.approx(average, abs=1e-8)
        assert tree.worst == expected["worst"]
        assert (tree.n_nodes, int(tree.is_leaf.sum())) == (expected["nodes"], expected["leaves"])
        if not expected["ties"]:
            assert describe(tree.root) == rename(expected["tree"])


def describe(node):
    """Return what is below a state as the files of facts have it, without classes."""
    if node.is_leaf:
        left = advice(node.tree.game, "information", history=node.history, top=0).candidates
        return sorted(left)
    return {node.guess: {child.answer: describe(child) for child in node.children}}


def rename(facts):
    """Return the tree of such a file in the same form."""
    if "left" in facts:
        return sorted(facts["left"])
    return {facts["ask"]: {answer: rename(below) for answer, below in facts["then"].items()}}


@pytest.mark.parametrize("goal", ["identify", "win"])
def test_a_tree_built_in_tasks_is_the_same(tmp_path, goal):
    for seed in range(8):
        game, _ = draw_table(seed, goal=goal)
        if game.rules.shares is None:
            continue
        for rule in ("separable-pairs", "information"):
            tree = build(game, treegen.make_chain(rule))
            folder = tmp_path / f"{seed}-{rule}"
            for jobs in (0, 2):
                made = build_in_tasks(game, rule, folder / str(jobs), jobs=jobs, task_pairs=8)
                assert bytes_of(made, "tree") == bytes_of(tree, "tree")
            assert build(game, treegen.make_chain(rule), resume=folder / "again") == tree
