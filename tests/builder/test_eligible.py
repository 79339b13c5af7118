"""Trees that keep to a rule of play: hard mode, or guesses that agree with all answers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import Codebook, GameError, UsageError, build, make_chain, open_game

from .. import naive
from ..pseudo_words import make_word_game
from ..small_games import columns_of, make_pair, write_history
from .in_tasks import build_in_tasks

words = st.lists(st.text("abc", min_size=4, max_size=4), min_size=2, max_size=16, unique=True)
CHAIN = ("parts", "consistent", "lowest")


@settings(max_examples=60)
@given(words, st.data())
def test_trees_as_their_twins_build_them(listed, data):
    n_secrets = data.draw(st.integers(1, len(listed)))
    feedback = data.draw(st.sampled_from(["position", "pegs", "black"]))
    rules_of_play = ["all", "candidates", "consistent"]
    rules_of_play += ["hints"] * (feedback == "position")
    eligible = data.draw(st.sampled_from(rules_of_play))
    chain = f"{data.draw(st.sampled_from(['max', 'parts,max', 'entropy,consistent']))},"
    chain += data.draw(st.sampled_from(["lowest", "highest", "highest-consistent", "random"]))
    parts = {"eligible": eligible, "n_direct": data.draw(st.integers(1, 3)), "seed": 7}
    game = Codebook(listed[:n_secrets], listed[n_secrets:], feedback=feedback)
    rules = naive.codebook_rules(listed[:n_secrets], listed[n_secrets:], feedback)
    secret = data.draw(st.integers(0, n_secrets - 1))
    history = ()
    for _ in range(data.draw(st.integers(0, 2))):
        allowed = naive.list_eligible(rules, eligible, history)
        guess = data.draw(st.sampled_from(allowed))
        history = (*history, (guess, rules.respond(guess, secret)))
    strategy = replace(make_chain(*chain.split(",")), **parts)
    tree = build(game, strategy, history=write_history(game, history))
    root = naive.build(rules, naive.Strategy(chain, **parts), history)
    assert columns_of(tree) == naive.columns(root)
    assert not naive.breaks_rule(rules, eligible, root, history)


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_neither_threads_nor_tasks_change_the_tree(eligible, tmp_path):
    game = make_word_game(300, 900)
    strategy = replace(make_chain(*CHAIN), eligible=eligible)
    expected = columns_of(build(game, strategy))
    assert columns_of(build(game, strategy, jobs=3)) == expected
    parts = build_in_tasks(game, strategy, tmp_path / "parts", task_pairs=20_000)
    assert parts.digest == build(game, strategy).digest
    parts = build_in_tasks(game, strategy, tmp_path / "parts", task_pairs=20_000)
    assert parts.total == build(game, strategy).total


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_a_tree_behind_a_history_is_the_part_below_it(eligible):
    game = make_word_game(80, 200)
    strategy = replace(make_chain(*CHAIN), eligible=eligible)
    tree = build(game, strategy)
    node = tree[tree.level_starts[2]]
    below = build(game, strategy, history=node.history)
    assert node.guess == below.root.guess
    assert tree[node.history] == node
    assert below.n_secrets == node.n_candidates


def test_consistent_is_candidates_in_a_peg_game():
    game = open_game("p3c4r")
    trees = [
        build(game, "max,consistent", eligible=eligible)
        for eligible in ("consistent", "candidates")
    ]
    assert columns_of(trees[0]) == columns_of(trees[1])


def test_hints_are_refused_where_there_are_none():
    with pytest.raises(
        GameError, match=r"hints'\) needs green and yellow letters.*p3c4r is answered by pegs"
    ):
        build("p3c4r", ",".join(CHAIN), eligible="hints")


def test_a_history_that_breaks_the_rule_is_refused():
    game, rules = make_pair("words-position")
    crane, speed = game.parse_code("crane"), game.parse_code("speed")
    history = tuple((guess, rules.respond(guess, 0)) for guess in (crane + 1, speed))
    given, chain = write_history(game, history), ",".join(CHAIN)
    assert not naive.may_follow(rules, "hints", *history[0], speed)
    with pytest.raises(UsageError, match=r"not one of a game with eligible=hints: guess 2, speed"):
        build(game, chain, eligible="hints", history=given)
    with pytest.raises(UsageError, match="eligible=consistent: guess 2, speed, breaks"):
        build(game, chain, eligible="consistent", history=given)
    assert build(game, chain, eligible="hints", history=given[:1]).total
    assert build(game, chain, eligible="candidates", history=given).total


def test_the_best_of_given_first_guesses_is_made_where_two_candidates_are_left():
    game = Codebook(["ab", "ba"], ["aa", "bb", "ac"])
    assert build(game, "max,consistent", first="ac,ba").root.guess == "ba"
