"""The reasons for a guess, and the evaluation of states behind them, against the definition."""

import pytest

from treegen import GameError, Questions, StrategyError, UsageError, build, open_game, verify
from treegen.analysis.evaluation import evaluate_state
from treegen.analysis.explain import explain_node, find_rule
from treegen.strategies.named import NAMED, parse_strategy
from treegen.strategies.strategy import parse_rule
from treegen.tree.tree import Provenance
from treegen.tree.walk import find_node, history_of
from treegen.verifier.rule import count_comparisons

from .. import naive


@pytest.mark.parametrize("name", [name for name in NAMED if not NAMED[name].only])
def test_the_rule_is_read_back_from_the_file(name):
    strategy = NAMED[name].strategy
    assert parse_rule(strategy.rule, strategy.name) == strategy


@pytest.mark.parametrize(
    "name", ["knuth", "r-post", "entropy", "game-minimax", "gibson-minimax-random",
             "gibson-expected-last", "minimax-next-largest", "first-consistent"]
)  # fmt: skip
def test_every_guess_of_a_tree_is_the_one_explained(name):
    tree = build("p3c4r", name)
    for node in range(tree.n_nodes):
        explanation = explain_node(tree, node, n_top=3)
        assert explanation.guess == explanation.chosen
        assert len(explanation.verdict) == 1
        if explanation.stages:
            assert explanation.top[0].guess == explanation.guess
            counts = [explanation.stages[0].n_before]
            counts += [stage.n_left for stage in explanation.stages]
            assert counts == sorted(counts, reverse=True)
            assert counts[-1] >= 1


@pytest.mark.parametrize("chain", ["entropy", "expected/cost", "power:2/cost,entropy", "max"])
@pytest.mark.parametrize("game", ["p2c3r", "questions"])
def test_guesses_of_games_with_weights_and_costs_are_explained(chain, game):
    rows = [[str(row % 2), str(row // 2 % 3), str(row // 5), str(row)] for row in range(9)]
    plain = Questions(rows) if game == "questions" else open_game(game)
    asked = range(plain.n_codes) if game != "questions" else (0,) * 9 + (2, 1, 3, 7)
    costs = [code % 3 + 1 for code in asked] if game != "questions" else list(asked)
    tree = build(plain.with_stakes([5, 0, 0, 7, 1, 30, 2, 0, 11], costs), chain)
    for node in range(tree.n_nodes):
        explanation = explain_node(tree, node, n_top=2)
        assert explanation.guess == explanation.chosen, (node, explanation)
        assert len(explanation.verdict) == 1


def test_what_a_guess_gains_by_its_cost():
    rows = [["yes", "2"], ["yes", "4"], ["no", "4"], ["no", "8"]]
    game = Questions(rows, questions=["Wings?", "Legs"]).with_stakes([4, 2, 1, 1], [0] * 4 + [1, 2])
    tree = build(game, "entropy/cost,expected")
    rows = [(row.guess, *row.figures.values()) for row in explain_node(tree).top]
    # Cells of 6 and 2: 0.8113 bits, squares 40 of 8; of 4, 3 and 1: 1.4056 bits by 2, squares 26.
    assert rows == [("Wings?", "0.8113", "5.0000"), ("Legs", "0.7028", "3.2500")]


def test_barr_openings_are_the_eligible_ones():
    explanation = explain_node(build("p4c6r", "barr-knuth-highest"))
    assert explanation.stages[0].n_before == 5
    assert explanation.guess == explanation.chosen == "2211"


def test_figures_agree_with_the_definition():
    game = open_game("p3c4r")
    strategy = parse_strategy("max,expected,entropy,parts,consistent,lowest", game)
    tree = build("p3c4r", "knuth")
    node = tree.children(0)[1]
    evaluation = evaluate_state(game, strategy, history_of(tree, node))
    candidates = [tuple(game.codes[code].tolist()) for code in evaluation.candidates]
    for row in range(0, len(evaluation.guesses), 7):
        guess = tuple(game.codes[evaluation.guesses[row]].tolist())
        cells = {}
        for secret in candidates:
            reply = naive.score_pegs(guess, secret)
            cells[reply] = cells.get(reply, 0) + 1
        sizes = sorted(cells.values(), reverse=True)
        assert sorted(filter(None, evaluation.sizes[row].tolist()), reverse=True) == sizes
        described = [evaluation.describe(row, number) for number in range(5)]
        assert described[0] == str(max(sizes))
        assert described[1] == f"{sum(size**2 for size in sizes) / len(candidates):.4f}"
        assert described[3] == str(len(sizes))
        assert described[4] == ("yes" if guess in candidates else "no")


def test_a_tree_judged_by_another_rule():
    tree = build("p4c4r", "first-consistent")
    other = parse_strategy("most-parts", tree.game)
    explanation = explain_node(tree, 0, other)
    assert explanation.chosen != explanation.guess
    assert "the tree guesses" in explanation.verdict[-1]
    assert "parts is" in explanation.verdict[-1]
    assert explanation.top[-1].guess == explanation.guess
    assert explanation.top[-1].rank > 1


def test_one_and_two_candidates():
    tree = build("p3c4r", "knuth")
    leaf = next(node for node in range(tree.n_nodes) if not len(tree.children(node)))
    assert explain_node(tree, leaf).verdict == ["one candidate is left: the first is guessed"]


def test_two_candidates_where_questions_alone_are_asked():
    """There a rule that guesses the first of two cannot: it asks, and its criteria decide."""
    table = {"matrix": [["a", "b"], ["a", "c"]], "names": ["c", "d"], "questions": ["p", "q"]}
    game = Questions(**table)
    tree = build(game, "game-minimax")
    found = explain_node(tree)
    assert (found.guess, found.chosen, [row.guess for row in found.top]) == ("q", "q", ["q"])
    assert found.verdict == ["no tie: q alone is left"]
    assert verify(tree).is_proved
    assert count_comparisons(tree, parse_strategy("game-minimax", game)) == 2
    both = build(Questions(**table, goal="win"), "game-minimax")
    assert explain_node(both).verdict == ["2 candidates are left: the first is guessed"]


def test_trees_without_a_rule():
    tree = build("p2c3r", "knuth")
    from dataclasses import replace

    searched = replace(tree, provenance=Provenance("optimal", "eligible=all; objective=total"))
    with pytest.raises(UsageError, match=r"\(optimal\) does not state a rule"):
        find_rule(searched)
    imported = replace(tree, provenance=Provenance("imported"))
    with pytest.raises(UsageError, match="does not state a rule"):
        find_rule(imported)
    explanation = explain_node(
        imported, find_node(imported, []), parse_strategy("knuth", tree.game)
    )
    assert explanation.guess == explanation.chosen


@pytest.mark.parametrize("text", ["", "max", "chain=nothing,lowest", "chain=max; direct=x", "a=b"])
def test_odd_rules_are_refused(text):
    with pytest.raises(StrategyError):
        parse_rule(text)


def test_huge_states_are_refused():
    game = open_game("p6c10r")
    history = ((0, 0),)
    with pytest.raises(GameError, match="are too many"):
        evaluate_state(game, parse_strategy("knuth", game), history)


@pytest.mark.parametrize("name", ["p3c4r", "p4c3rb", "p3c4n"])
def test_first_guesses_are_evaluated_by_their_patterns(name):
    game = open_game(name)
    evaluation = evaluate_state(game, parse_strategy("max,expected,next-largest,lowest", game))
    for row in range(0, len(evaluation.guesses), 5):
        sizes = [0] * game.n_responses
        for secret in range(game.n_secrets):
            sizes[game.score(int(evaluation.guesses[row]), secret)] += 1
        assert evaluation.sizes[row].tolist() == sizes
