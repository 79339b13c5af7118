"""The reasons for a guess, what it costs, and the evaluation of states, against the definition."""

from dataclasses import replace
from functools import cache

import pytest

from treegen import (
    Codebook,
    GameError,
    Questions,
    StrategyError,
    UsageError,
    build,
    explain,
    open_game,
    verify,
)
from treegen.analysis.evaluation import evaluate_state
from treegen.analysis.explain import explain_node, find_rule
from treegen.strategies.named import NAMED, parse_strategy
from treegen.strategies.strategy import parse_rule
from treegen.tree.tree import Provenance
from treegen.tree.walk import find_node
from treegen.verifier.rule import count_comparisons

from .. import naive
from ..exact.searching import build_optimal
from ..small_games import history_of, iter_preorder, list_candidates, write_history
from ..written import import_text


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


def cost_guess(tree, number=0):
    """Return what a state's guess costs against the best one."""
    history = write_history(tree.game, history_of(tree, number))
    return explain(tree, path=[answer for _, answer in history], exact=True)


def make_words():
    game = Codebook(["abc", "abd", "bad", "cab", "dab", "dad"], ["ddd"], feedback="position")
    return build(game, "first-consistent")


def slow_costs(game):
    """Return the definition: the least total, and the least that begins with a guess."""

    @cache
    def least(candidates):
        if len(candidates) <= 2:
            return 2 * len(candidates) - 1
        return min(
            behind(guess, candidates)
            for guess in range(game.n_codes)
            if max(map(len, split(guess, candidates).values())) < len(candidates)
        )

    def split(guess, candidates):
        cells = {}
        for secret in candidates:
            cells.setdefault(game.score(guess, secret), []).append(secret)
        return cells

    def behind(guess, candidates):
        cells = split(guess, candidates)
        cells.pop(game.win, None)
        return len(candidates) + sum(least(tuple(cell)) for cell in cells.values())

    return least, behind


@pytest.mark.parametrize(
    "make",
    [lambda: build("p2c4r", "r-post"), lambda: build("p2c5n", "first-consistent"), make_words],
    ids=["pegs", "no-repetition", "words"],
)
def test_costs_are_those_of_the_definition(make):
    tree = make()
    least, behind = slow_costs(tree.game)
    for node in range(tree.n_nodes):
        candidates = tuple(list_candidates(tree.game, history_of(tree, node)))
        cost = cost_guess(tree, node)
        assert cost.n_candidates == len(candidates)
        assert cost.total_best == least(candidates)
        assert behind(tree.game.parse_code(cost.best), candidates) == cost.total_best
        assert cost.total_guess == behind(int(tree.guess[node]), candidates)
        assert cost.total_tree == sum(
            tree.n_candidates[below] for below in iter_preorder(tree, node)
        )
        assert cost.total_best <= cost.total_guess <= cost.total_tree
        assert cost.is_best == (cost.total_guess == cost.total_best)


def test_a_tree_that_begins_after_guesses():
    tree = build("p3c4r", "r-post")
    node = max(tree.children(0), key=lambda child: tree.n_candidates[child])
    assert cost_guess(tree.subtree(tree[node].history)) == cost_guess(tree, node)


def test_a_foreign_tree_needs_no_rule():
    text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"
    tree = import_text(text, "p2c3r")
    assert tree.provenance.rule == ""
    assert explain(tree) == cost_guess(tree)
    assert cost_guess(tree).is_best


def test_large_states_are_refused_in_a_line(monkeypatch):
    monkeypatch.setattr("treegen.analysis.explain.MAX_PAIRS", 80)
    tree = build("p2c3r", "knuth")
    with pytest.raises(UsageError, match="9 candidates times 9 guesses are more than 80"):
        cost_guess(tree)
    assert cost_guess(tree, 1).n_candidates == 4


def test_hard_mode_is_judged_by_its_own_rule():
    """After light, only words of its kind are legal; in the free game blend tells them apart."""
    words = [f"{first}ight" for first in "lmnrstfbewd"]
    game = Codebook(words, ["blend", "stamp", "frown", "words"], feedback="position")
    hard = build_optimal(game, eligible="hints", first=("light",))
    cost = cost_guess(hard, 1)
    assert (cost.total_tree, cost.total_best, cost.is_best) == (55, 55, True)
    free = replace(hard, provenance=replace(hard.provenance, strategy="optimal", rule=""))
    assert cost_guess(free, 1).total_best < 55


def test_what_no_search_with_costs_does_is_refused(monkeypatch):
    words = make_words().game
    game = words.with_stakes(None, [1 + code % 2 for code in range(words.n_codes)])
    with pytest.raises(UsageError, match="keeps to eligible=hints"):
        cost_guess(build(game, "entropy", eligible="hints"))
    monkeypatch.setattr("treegen.exact.tables.kernel.TableKernel.most_judged", 5)
    with pytest.raises(UsageError, match="6 candidates are more than 5"):
        cost_guess(build(game, "entropy"))


def test_totals_of_a_state_count_what_is_spent_from_there_on():
    tree = build(make_words().game.with_stakes(range(1, 7), [1, 2] * 3 + [3]), "parts,lowest")
    for node in range(tree.n_nodes):
        cost = cost_guess(tree, node)
        assert (
            cost.total_best
            <= cost.total_guess
            <= cost.total_tree
            == tree.subtree(tree[node].history).total
        )
    assert cost_guess(tree).total_tree == tree.total


def test_candidates_bind_the_strategy_and_not_the_best_guess():
    tree = build("p3c5n", "optimal", eligible="candidates")
    free = build("p3c5n", "optimal")
    cost = cost_guess(tree)
    assert (cost.total_tree, cost.total_best) == (tree.total, free.total)
    assert tree.total > free.total


def test_one_guess_that_is_left_is_counted_as_one():
    assert "  consistent: best yes; 1 of 1 guess\n" in str(explain(build("range9")))
