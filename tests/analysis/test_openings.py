"""First guesses, the best first, by rules and by the exact search."""

from __future__ import annotations

import pytest

from treegen.analysis import compare_openings, rank_openings
from treegen.builder import build_tree
from treegen.errors import UsageError
from treegen.games import parse_game
from treegen.strategies import change_strategy, parse_strategy

from ..exact.searching import build_optimal
from ..pseudo_words import make_word_game

WORDS = make_word_game(30, 120)


def count_trees(game, name, openings, **options):
    """Return (total, code) of the tree that begins with each opening, the best first."""
    rule = parse_strategy(name, game)
    trees = [(build_tree(game, rule, first=(code,), **options), code) for code in openings]
    return sorted((tree.total, code) for tree, code in trees)


@pytest.mark.parametrize("name", ["knuth", "entropy", "most-parts"])
def test_a_rules_totals_are_those_of_its_trees(name):
    found = rank_openings(WORDS, name, top=7, every=True).ranking
    useful = [code for code in range(120) if len({*WORDS.respond([code], range(30))}) > 1]
    expected = count_trees(WORDS, name, useful)
    assert [(row.total, row.code) for row in found.rows] == expected[:7]
    assert (found.proved, found.n_openings, found.n_open) == (True, len(useful), 0)


def test_of_many_openings_the_most_promising_are_played():
    found = rank_openings(WORDS, "entropy", top=3).ranking
    whole = rank_openings(WORDS, "entropy", top=3, every=True).ranking
    assert not found.proved
    assert found.n_open == found.n_openings - 50
    assert {row.code for row in found.rows} & {row.code for row in whole.rows}


def test_it_agrees_with_compare():
    game = parse_game("p4c6r")
    found = rank_openings(game, "entropy")
    texts = [row["guess"] for row in found.list_rows()]
    samples = compare_openings(game, ["entropy"], texts)
    assert [sample.total for sample in samples] == [row["total"] for row in found.list_rows()]
    assert [sample.histogram for sample in samples] == [
        row["histogram"] for row in found.list_rows()
    ]
    assert sorted(texts) == ["1111", "1112", "1122", "1123", "1234"]


@pytest.mark.parametrize("eligible", ["hints", "consistent", "candidates"])
def test_eligible_guesses_alone(eligible):
    found = rank_openings(WORDS, "entropy", eligible=eligible, top=4, every=True)
    assert found.strategy == f"entropy eligible={eligible}"
    rule = change_strategy(parse_strategy("entropy", WORDS), eligible=eligible)
    for row in found.ranking.rows:
        tree = build_tree(WORDS, rule, first=(row.code,))
        assert (tree.total, tree.histogram) == (row.total, list(row.histogram))


def test_a_limit_that_no_opening_keeps():
    found = rank_openings(parse_game("p3c3r"), "optimal", max_length=2)
    assert not found.list_rows()
    assert str(found).endswith("none of the 3 openings has a tree that is short enough (proved)")


def test_after_a_history():
    history = ((31, WORDS.score(31, 4)),)
    for name in ("entropy", "optimal"):
        found = rank_openings(WORDS, name, history=history, top=1)
        assert found.to_dict()["history"].startswith(WORDS.words[31])
    tree = build_optimal(WORDS, history=history)
    assert found.ranking.rows[0].total == tree.total


def test_mistakes():
    with pytest.raises(UsageError, match="by optimal or by a rule, not by best"):
        rank_openings(WORDS, "best")
    with pytest.raises(UsageError, match="chooses at random"):
        rank_openings(WORDS, "random-consistent")
    with pytest.raises(UsageError, match="is for optimal"):
        rank_openings(WORDS, "knuth", max_length=4)
    with pytest.raises(UsageError, match="looked at anyway"):
        rank_openings(WORDS, "optimal", every=True)


def test_an_ended_ranking_goes_on(tmp_path):
    calls = []

    def end(_):
        calls.append(1)
        return len(calls) > 9

    begun = rank_openings(WORDS, "knuth", every=True, watch=end, folder=tmp_path / "kept")
    assert not begun.ranking.proved
    whole = rank_openings(WORDS, "knuth", every=True, folder=tmp_path / "kept")
    assert whole == rank_openings(WORDS, "knuth", every=True)


@pytest.mark.parametrize("strategy", ["knuth", "optimal"])
def test_the_game_may_be_over_before(strategy):
    game = parse_game("p2c2r").with_goal("identify").with_stakes([1, 2, 3, 9])
    past = ((0, game.parse_response("00")),)
    found = rank_openings(game, strategy, history=past)
    (row,) = found.list_rows()
    assert (row["guess"], row["total"], row["worst"], row["n_worst"]) == ("22", 0, 0, 9)
    said = "the game is over: 22 is the only candidate, and no guess is needed"
    assert str(found).splitlines()[-1] == said
    won = rank_openings(game.with_goal("win"), strategy, history=past)
    assert str(won).splitlines()[-1] == "these are all openings"
