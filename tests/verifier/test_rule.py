"""The check of a rule, called alone: it passes what twins choose, and finds every other guess."""

from dataclasses import replace

import numpy as np
import pytest

from treegen import StrategyError, Tree, build, open_game
from treegen.builder.grow import build_tree
from treegen.strategies.strategy import parse_chain, parse_criterion
from treegen.verifier import rule as verifier_rule
from treegen.verifier.rule import count_cells, count_comparisons, find_other_choice

from .. import naive
from ..small_games import SMALL, make_pair, make_strategies

CHAINS = ["parts,max,highest", "power:0.5,lowest", "power:-1,lowest", "removals,random"]
RULES = [*naive.STRATEGIES, *CHAINS]


def make_naive_tree(game, rules, strategy, root):
    """Return the naive twin's tree as treegen's value."""
    guesses, responses, first_child, n_candidates = naive.columns(root)
    built = build(game, strategy)
    types = (built.guess, built.response, built.first_child, built.n_candidates)
    columns = (guesses, responses, first_child, n_candidates)
    return Tree(
        game,
        built.provenance,
        *(np.array(column, like.dtype) for column, like in zip(columns, types, strict=True)),
    )


@pytest.mark.parametrize("name", SMALL)
def test_trees_by_the_definitions_pass(name):
    game, rules = make_pair(name)
    for rule in ("knuth", "entropy", "r-post", "game-minimax", *CHAINS):
        strategy, twin = make_strategies(rule, seed=5)
        tree = make_naive_tree(game, rules, strategy, naive.build(rules, twin))
        assert find_other_choice(tree, strategy) == "", rule


@pytest.mark.parametrize("rule", RULES)
def test_each_named_rule_passes(rule):
    game, rules = make_pair("p3c4r")
    strategy, twin = make_strategies(rule, seed=7)
    tree = make_naive_tree(game, rules, strategy, naive.build(rules, twin))
    assert find_other_choice(tree, strategy) == ""


@pytest.mark.parametrize("name", ["p2c3r", "p3c3r", "words-pegs"])
@pytest.mark.parametrize("rule", ["knuth", "first-consistent", "removals,random"])
def test_another_guess_anywhere_is_found(name, rule):
    """Each state in turn guesses what its rule likes less, and goes on by the rule."""
    game, rules = make_pair(name)
    strategy, twin = make_strategies(rule, seed=3)
    root = naive.build(rules, twin)
    n_changed = 0
    for path, history, node in walk(root):
        if len(node.candidates) < 2:
            continue
        other = next(
            guess
            for guess in range(len(rules.codes))
            if guess != node.guess and len(naive.partition(rules, guess, node.candidates)) > 1
        )
        changed = replace_node(rules, twin, root, path, history, other)
        tree = make_naive_tree(game, rules, strategy, changed)
        written = "/".join(game.format_response(reply) for reply in path) or "no answers"
        assert find_other_choice(tree, strategy) == (
            f"the tree is not that of its rule: the state after {written} guesses"
            f" {game.format_code(other)}; the rule chooses {game.format_code(node.guess)}"
        )
        n_changed += 1
    assert n_changed >= 2


def walk(node, path=(), history=()):
    yield path, history, node
    for response, child in node.children.items():
        yield from walk(child, (*path, response), (*history, (node.guess, response)))


def replace_node(rules, twin, node, path, history, guess):
    """Return a tree in which the state after `path` guesses otherwise."""
    if path:
        children = dict(node.children)
        children[path[0]] = replace_node(rules, twin, children[path[0]], path[1:], history, guess)
        return replace(node, children=children)
    return naive._build(rules, twin, node.candidates, history, (guess,))


def test_what_was_guessed_before_the_root_counts():
    game = make_pair("p3c4r")[0]
    strategy = make_strategies("max,random", seed=9)[0]
    tree = build_tree(game, strategy, history=((6, 1),))
    assert tree.n_secrets > 3
    assert find_other_choice(tree, strategy) == ""
    assert find_other_choice(tree, replace(strategy, seed=10)) != ""


def test_openings_that_tell_nothing_are_passed_over():
    game = open_game("p3c4n")
    base = parse_chain("max,lowest")
    for opening in (("012", "013"), ("123",)):
        strategy = replace(base, opening=opening)
        assert find_other_choice(build(game, strategy), strategy) == ""
    tree = build(game, replace(base, opening=("123",)))
    assert "no answers guesses 123; the rule chooses 012" in find_other_choice(tree, base)


@pytest.mark.parametrize("name", SMALL)
def test_cells_are_those_of_the_partition(name):
    game, rules = make_pair(name)
    guesses = np.arange(len(rules.codes), dtype=np.int32)
    candidates = np.arange(0, rules.n_secrets, 2, dtype=np.int32)
    sizes = count_cells(game, guesses, candidates)
    for guess in guesses.tolist():
        cells = naive.partition(rules, guess, candidates.tolist())
        want = [len(cells.get(response, ())) for response in range(game.n_responses)]
        assert sizes[guess].tolist() == want


def test_blocks_of_guesses_make_up_the_whole(monkeypatch):
    game = open_game("p3c4r")
    guesses, candidates = np.arange(64, dtype=np.int32), np.arange(50, dtype=np.int32)
    whole = count_cells(game, guesses, candidates)
    monkeypatch.setattr("treegen.verifier.rule.RESPONSES_PER_BLOCK", 170)
    assert count_cells(game, guesses, candidates).tolist() == whole.tolist()


def test_comparing_guesses_reports_its_progress():
    tree = build(open_game("p3c4r"), "max,consistent")
    seen = []
    find_other_choice(tree, parse_chain("max,consistent"), seen.append)
    assert [(state.done, state.total) for state in seen] == [(0, tree.n_nodes), (64, tree.n_nodes)]
    sizes = [n for n in tree.n_candidates.tolist() if n > 1]
    assert count_comparisons(tree, parse_chain("max,consistent")) == 64 * sum(sizes)


def test_a_criterion_without_a_definition_is_not_taken_for_another():
    """One that was not known counted as the removals."""
    known = parse_criterion("removals")
    sizes, table = np.array([[3, 1], [2, 2]]), np.zeros(5, dtype=np.int64)
    assert verifier_rule._evaluate(known, table, sizes, 1).tolist() == [-2, -3]
    with pytest.raises(StrategyError, match="'new' has no definition"):
        verifier_rule._evaluate(replace(known, name="new", kind=99), table, sizes, 1)
