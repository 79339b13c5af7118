"""What a guess costs against the best one."""

from dataclasses import replace
from functools import cache

import pytest

from treegen import Codebook, UsageError, build, explain

from ..exact.searching import build_optimal
from ..small_games import history_of, iter_preorder, list_candidates, write_history
from ..written import import_text


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
    [lambda: build("p2c4r", "r-post"), lambda: build("p3c4n", "first-consistent"), make_words],
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
