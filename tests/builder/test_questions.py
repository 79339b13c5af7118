"""Trees of questions, and trees that identify, are those of the definitions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treegen
from treegen import Codebook, Questions, TreeError, UsageError, build, make_chain, open_game, read

from .. import naive
from ..small_games import EXTRA, WORDS, columns_of, make_strategies
from ..written import bytes_of
from .in_tasks import build_in_tasks

CRITERIA = ["max", "expected", "entropy", "parts", "next-largest", "consistent", "removals"]
GOALS = ["win", "identify"]


@st.composite
def matrices(draw):
    """Different rows of answers, and no question that all answer alike."""
    n_answers = draw(st.lists(st.integers(2, 4), min_size=1, max_size=5))
    rows = st.tuples(*(st.integers(0, n - 1) for n in n_answers))
    matrix = np.array(draw(st.lists(rows, min_size=1, max_size=14, unique=True)))
    kept = (matrix != matrix[0]).any(axis=0)
    if not kept.any():
        matrix, kept = np.array([[0], [1]]), [True]
    return matrix[:, kept].tolist()


def make_game(matrix, goal):
    most = max(map(max, matrix))
    return Questions(matrix, answers=[str(number) for number in range(most + 1)], goal=goal)


@settings(max_examples=80)
@given(
    matrix=matrices(),
    goal=st.sampled_from(GOALS),
    criteria=st.lists(st.sampled_from([*CRITERIA, "power:0.3"]), max_size=2, unique=True),
    tie_break=st.sampled_from(["lowest", "highest", "highest-consistent", "random"]),
    n_direct=st.integers(1, 2),
    seed=st.integers(0, 2**64 - 1),
)
def test_trees_of_questions_are_the_definition(matrix, goal, criteria, tie_break, n_direct, seed):
    game, rules = make_game(matrix, goal), naive.QuestionRules(matrix, goal)
    chain = ",".join([*criteria, tie_break])
    ours = replace(make_chain(*criteria, tie_break), n_direct=n_direct, seed=seed)
    twin = naive.Strategy(chain, n_direct=n_direct, seed=seed)
    tree, root = build(game, ours), naive.build(rules, twin)
    tree.check()
    assert columns_of(tree) == naive.columns(root)
    assert tree.histogram == naive.histogram(rules, root)
    assert read(bytes_of(tree, "tree")).game == game
    report = treegen.verify(tree, rule=True)
    assert (report.problems, report.histogram) == ((), tree.histogram)


@pytest.mark.parametrize("strategy", ["knuth", "game-minimax", "barr-random", "codesmithy"])
@pytest.mark.parametrize("name", ["p1c1r", "p2c3r", "p3c4r", "p3c5n", "p3c4rb"])
def test_identifying_announces_what_is_left(name, strategy):
    game, rules = open_game(name), replace(naive.peg_rules(name), goal="identify")
    ours, twin = make_strategies(strategy, seed=7)
    tree, usual = build(game.with_goal("identify"), ours), build(game, ours)
    root = naive.build(rules, twin)
    assert columns_of(tree) == columns_of(usual) == naive.columns(root)
    assert tree.histogram == naive.histogram(rules, root)
    assert tree.total == usual.total - int(np.count_nonzero(usual.is_leaf))
    assert tree.digest != usual.digest
    assert treegen.verify(tree).histogram == tree.histogram


@pytest.mark.parametrize("rule", ["pegs", "position"])
def test_words_are_identified(rule):
    rules = replace(naive.codebook_rules(WORDS, EXTRA, rule), goal="identify")
    game = Codebook(WORDS, EXTRA, feedback=rule).with_goal("identify")
    ours, twin = make_strategies("entropy")
    tree, root = build(game, ours), naive.build(rules, twin)
    assert tree.histogram == naive.histogram(rules, root)
    again = read(bytes_of(tree, "tree")).game
    assert (again, again.rules.digest_name) == (game, game.rules.digest_name)


def test_parts_have_the_figures_of_the_whole(tmp_path):
    matrix = np.random.default_rng(4).integers(0, 3, (300, 40))
    game = Questions(matrix)
    tree = build(game, "entropy")
    parts = build_in_tasks(game, "entropy", tmp_path, task_pairs=500)
    assert (parts.histogram, parts.digest) == (tree.histogram, tree.digest)


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_the_most_answers_of_a_question(tmp_path, goal):
    game = Questions(
        [[str(row), row % 3] for row in range(65_535)],
        questions=["serial number", "rest"],
        goal=goal,
    )
    tree = build(game, "max,lowest")
    tree.check()
    expected = [65_535] if goal == "identify" else [0, 65_535]
    assert (tree.response.dtype, tree.histogram) == (np.int32, expected)
    parts = build_in_tasks(game, "max,lowest", tmp_path, task_pairs=10**10)
    assert parts.digest == tree.digest
    assert treegen.verify(tree, rule=False).is_sound


def test_a_candidate_is_not_guessed_where_it_is_identified():
    game = make_game([[0, 0], [0, 1], [1, 0]], "identify")
    with pytest.raises(UsageError, match="no candidate is guessed"):
        build(game, "first-consistent")
    tree = build(game, "entropy")
    guess = tree.guess.copy()
    guess[0] = 0
    with pytest.raises(TreeError, match="node 0: it guesses a candidate"):
        replace(tree, guess=guess).check()
