"""Trees that keep to a rule of play: hard mode, or guesses that agree with all answers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen.builder.choose import make_first_level, number_rule, refuse_breach
from treegen.builder.distribute import build_sharded
from treegen.builder.grow import build_tree
from treegen.errors import GameError, UsageError
from treegen.games.codebook import CodebookGame
from treegen.games.eligible import ELIGIBLE, describe_first_breach, select_eligible
from treegen.games.names import parse_game
from treegen.kernels.onestep.eligible import list_eligible
from treegen.kernels.responses import make_scoring
from treegen.strategies.strategy import list_tie_breaks, parse_chain
from treegen.tree.walk import find_node, history_of

from .. import naive
from ..pseudo_words import make_word_game
from ..small_games import columns_of, make_pair

words = st.lists(st.text("abc", min_size=4, max_size=4), min_size=2, max_size=16, unique=True)
CHAIN = "parts,consistent,lowest"


@settings(max_examples=60)
@given(words, st.data())
def test_trees_as_their_twins_build_them(listed, data):
    n_secrets = data.draw(st.integers(1, len(listed)))
    feedback = data.draw(st.sampled_from(["position", "pegs", "black"]))
    rules_of_play = [rule for rule in ELIGIBLE if rule != "hints" or feedback == "position"]
    eligible = data.draw(st.sampled_from(rules_of_play))
    chain = f"{data.draw(st.sampled_from(['max', 'parts,max', 'entropy,consistent']))},"
    chain += data.draw(st.sampled_from(list_tie_breaks()))
    parts = {"eligible": eligible, "n_direct": data.draw(st.integers(1, 3)), "seed": 7}
    game = CodebookGame(listed[:n_secrets], listed[n_secrets:], rule=feedback)
    rules = naive.codebook_rules(listed[:n_secrets], listed[n_secrets:], feedback)
    secret = data.draw(st.integers(0, n_secrets - 1))
    history = ()
    for _ in range(data.draw(st.integers(0, 2))):
        guess = data.draw(st.sampled_from(select_eligible(game, eligible, history).tolist()))
        history = (*history, (guess, rules.respond(guess, secret)))
    tree = build_tree(game, replace(parse_chain(chain), **parts), history=history)
    root = naive.build(rules, naive.Strategy(chain, **parts), history)
    assert columns_of(tree) == naive.columns(root)
    assert not naive.breaks_rule(rules, eligible, root, history)


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_neither_threads_nor_tasks_change_the_tree(eligible, tmp_path):
    game = make_word_game(300, 900)
    strategy = replace(parse_chain(CHAIN), eligible=eligible)
    expected = columns_of(build_tree(game, strategy))
    assert columns_of(build_tree(game, strategy, jobs=3)) == expected
    with build_sharded(game, strategy, tmp_path / "parts", task_pairs=20_000) as parts:
        assert parts.digest == build_tree(game, strategy).digest
    with build_sharded(game, strategy, tmp_path / "parts", task_pairs=20_000) as parts:
        assert parts.total == build_tree(game, strategy).total


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_a_tree_behind_a_history_is_the_part_below_it(eligible):
    game = make_word_game(80, 200)
    strategy = replace(parse_chain(CHAIN), eligible=eligible)
    tree = build_tree(game, strategy)
    node = int(tree.level_starts[2])
    history = history_of(tree, node)
    below = build_tree(game, strategy, history=history)
    assert int(tree.guess[node]) == int(below.guess[0])
    assert find_node(tree, [response for _, response in history]) == node
    assert below.n_secrets == int(tree.n_candidates[node])


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_lists_of_a_level_in_any_order(eligible):
    """Neighbours share what they have in common; strangers must not."""
    game = make_word_game(60, 150)
    strategy = replace(parse_chain(CHAIN), eligible=eligible, n_direct=2)
    tree = build_tree(game, strategy)
    scoring, rule = make_scoring(game), number_rule(game, strategy)
    for first, last in zip(tree.level_starts, tree.level_starts[1:], strict=False):
        histories = [history_of(tree, node) for node in range(first, last)]
        levels = [make_first_level(game, strategy, history) for history in histories]
        sizes = [len(level.candidates) for level in levels]
        level = levels[0]._replace(
            candidates=np.concatenate([level.candidates for level in levels]),
            starts=np.concatenate(([0], np.cumsum(sizes))),
        )
        paths = np.array([[guess for guess, _ in history] for history in histories], np.int32)
        chosen = np.random.default_rng(3).permutation(len(histories))
        lists = list_eligible(scoring, rule, level, paths.reshape(len(histories), -1), chosen)
        for place, state in enumerate(chosen):
            listed = lists.codes[lists.starts[place] : lists.starts[place + 1]].tolist()
            expected = select_eligible(game, eligible, histories[state]).tolist()
            assert listed == (expected if sizes[state] > 2 else [])


def test_consistent_is_candidates_in_a_peg_game():
    game = parse_game("p3c4r")
    trees = [
        build_tree(game, replace(parse_chain("max,consistent"), eligible=eligible))
        for eligible in ("consistent", "candidates")
    ]
    assert columns_of(trees[0]) == columns_of(trees[1])


def test_hints_are_refused_where_there_are_none():
    strategy = replace(parse_chain(CHAIN), eligible="hints")
    with pytest.raises(
        GameError, match=r"hints needs position feedback.*p3c4r is answered by pegs"
    ):
        build_tree(parse_game("p3c4r"), strategy)


def test_a_history_that_breaks_the_rule_is_refused():
    game, rules = make_pair("words-position")
    crane, speed = game.parse_code("crane"), game.parse_code("speed")
    history = tuple((guess, rules.respond(guess, 0)) for guess in (crane + 1, speed))
    strategy = replace(parse_chain(CHAIN), eligible="hints")
    assert describe_first_breach(game, "hints", history)
    with pytest.raises(UsageError, match=r"not one of a game with eligible=hints: guess 2, speed"):
        build_tree(game, strategy, history=history)
    with pytest.raises(UsageError, match="eligible=consistent: guess 2, speed, breaks"):
        build_tree(game, replace(strategy, eligible="consistent"), history=history)
    refuse_breach(game, "hints", history[:1])
    assert build_tree(game, replace(strategy, eligible="candidates"), history=history).total
