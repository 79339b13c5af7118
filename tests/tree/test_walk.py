"""Ways through a tree, by their plain definitions: every caller relies on these functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treegen
from treegen import GameError, UnreachableError, UsageError, build
from treegen.games.base import select_candidates
from treegen.tree.walk import (
    average_lengths,
    describe_conflict,
    describe_dead_end,
    find_answers,
    find_child,
    find_conflict,
    find_node,
    history_of,
    measure_states,
    path_of,
    subtree,
    summarize_levels,
    write_answers,
)

from .. import naive
from ..small_games import iter_preorder, list_candidates, make_pair
from ..test_names_crossed import GAMES, make_game

NAMES = ["p3c4r", "p3c5n", "words-position"]
TREES = {name: build(make_pair(name)[0], "max,consistent") for name in NAMES}


@pytest.fixture(params=NAMES)
def tree(request):
    return TREES[request.param]


def test_candidates_of_every_state(tree):
    for node in range(tree.n_nodes):
        history = history_of(tree, node)
        candidates = select_candidates(tree.game, history)
        assert candidates.tolist() == list_candidates(tree.game, history)
        assert len(candidates) == tree.n_candidates[node]


def test_a_subtree_holds_all_below_level_by_level(tree):
    for node in range(0, tree.n_nodes, 3):
        below = set(iter_preorder(tree, node))
        nodes = subtree(tree, node)
        assert nodes[0] == node
        assert set(nodes.tolist()) == below
        assert (np.diff(tree.depth[nodes]) >= 0).all()


def test_a_cut_tree_is_the_one_built_there(tree):
    for node in range(tree.n_nodes):
        part = tree.subtree(tree[node].history)
        part.check()
        built = build(tree.game, "max,consistent", history=tree[node].history)
        assert part.digest == built.digest
        assert part.provenance == built.provenance


def test_cutting_twice_adds_the_histories():
    tree = TREES["p3c4r"]
    node = next(node for node in range(1, tree.n_nodes) if tree.depth[node] == 2)
    once = tree.subtree(tree[node].history)
    first = tree.subtree(tree[int(tree.parent[node])].history)
    twice = first.subtree(first[find_node(first, path_of(tree, node)[1:])].history)
    assert once.digest == twice.digest
    assert once.provenance == twice.provenance


def test_what_the_tree_does_not_hold():
    tree = TREES["p3c4r"]
    with pytest.raises(UnreachableError, match=r"step 1: .* ends the game|step 1: no secret"):
        find_node(tree, [tree.game.win])
    for wrong in (-1, 9, 10**9):
        with pytest.raises(UnreachableError, match=r"step 1: response .* is out of range 0 … 8"):
            find_node(tree, [wrong])
    missing = next(r for r in range(9) if find_child(tree, 1, r) is None)
    with pytest.raises(KeyError, match=r"step 2: no secret answers|step 2: .* ends the game"):
        find_node(tree, [int(tree.response[1]), missing])


def test_dead_ends_name_the_answers_that_lead_on():
    tree = TREES["p3c4r"]
    for node in range(tree.n_nodes):
        for response in range(tree.game.win):
            if find_child(tree, node, response) is None:
                text = describe_dead_end(tree, node, response)
                offered = text.split("possible here: ")[1].split()
                secrets = select_candidates(tree.game, history_of(tree, node))
                guess = int(tree.guess[node])
                replies = sorted({tree.game.score(guess, int(secret)) for secret in secrets})
                assert offered == [tree.game.format_response(reply) for reply in replies]


@given(st.lists(st.tuples(st.integers(0, 63), st.integers(0, 8)), max_size=5))
def test_a_conflict_is_a_least_set(history):
    game, _ = make_pair("p3c4r")
    history = tuple(history)
    places = find_conflict(game, history)
    if len(select_candidates(game, history)):
        assert (places, describe_conflict(game, history)) == ([], "")
        return
    kept = [history[place] for place in places]
    assert not len(select_candidates(game, tuple(kept)))
    for place in range(len(kept)):
        assert len(select_candidates(game, tuple(kept[:place] + kept[place + 1 :])))
    text = describe_conflict(game, history)
    assert all(f"{place + 1}: " in text for place in places)


def test_states_by_number_and_by_what_was_answered(tree):
    assert tree.root == tree[0] == tree[""] == tree[[]]
    assert [tree[number] for number in range(tree.n_nodes)] == list(tree)
    for node in tree:
        assert tree[node.number] == tree[np.int32(node.number)] == tree[node] == tree[node.history]
        for child in node.children:
            assert node.after(child.answer) == child
    for number in (-1, tree.n_nodes):
        with pytest.raises(IndexError, match=f"state {number} is out of range"):
            tree[number]
    leaf = next(node for node in tree if node.is_leaf)
    win = tree.game.format_response(tree.game.win)
    with pytest.raises(UnreachableError, match=f"{win} ends the game: {leaf.guess} is the secret"):
        leaf.after(win)
    with pytest.raises(GameError):
        tree.root.after("?")
    with pytest.raises(TypeError, match="an answer is a text"):
        tree.root.after(3)


WRONG = [5, None, 1.5, b"02", {"1122": "02"}, [None], [("1122",)], [("1122", "02", "x")]]


@pytest.mark.parametrize("history", [*WRONG, ["02", ("1122", "02")], slice(0, 2)])
def test_histories_that_are_none(history):
    tree = build("p4c6r")
    problem = "a history is a text, or a list of pairs such as .'1111', '00'.; .* is not one"
    if history == 5:
        with pytest.raises(TypeError, match="not the number 5: write '5'"):
            tree.guess_after(history)
        return
    with pytest.raises(UsageError, match=problem):
        tree.guess_after(history)
    if isinstance(history, list):
        with pytest.raises(UsageError, match=problem):
            build("p4c6r", history=history)


@pytest.mark.parametrize("name", ["p1c1r", "p3c3r", "p3c5n", "p3c4rb", "words-position"])
def test_levels_are_those_of_the_definition(name):
    game, rules = make_pair(name)
    tree, root = build(game, "max,consistent"), naive.build(rules, naive.STRATEGIES["knuth"])
    nodes = [(root, 0)]
    for node, depth in nodes:
        nodes.extend((child, depth + 1) for child in node.children.values())
    for depth, row in enumerate(summarize_levels(tree)):
        level = [node for node, other in nodes if other == depth]
        below = [len(child.candidates) for node in level for child in node.children.values()]
        found = sum(node.guess in node.candidates for node in level)
        assert (row.guess, row.n_states, row.n_found) == (depth + 1, len(level), found)
        assert row.most_left == max(below, default=0)
        # A secret that is found counts as one candidate left: itself.
        in_play = found + sum(below)
        assert row.mean_left == (found + sum(n * n for n in below)) / in_play


WEIGHTS = list(range(9))
COSTS = [3, 1, 2, 1, 5, 1, 1, 2, 1]


def test_average_lengths_count_weights_where_there_are_any():
    rows = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    game = treegen.Questions(rows, goal="identify").with_stakes([9, 1, 0, 0], [0] * 4 + [1, 3])
    tree = treegen.build(game, "max,lowest")
    children = list(tree.children(0))
    assert average_lengths(tree)[[0, *children]].tolist() == [4, 4, 4]
    game = treegen.Questions([*rows, ["c", "x"]]).with_stakes([0, 0, 0, 1, 9])
    tree = treegen.build(game, "parts,lowest")
    # Three cells: two need a second question, and one of their candidates weighs 1.
    assert average_lengths(tree)[[0, *tree.children(0)]].tolist() == [1.1, 2, 2, 1]


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize(("weights", "costs"), [(WEIGHTS, None), (None, COSTS), (WEIGHTS, COSTS)])
def test_each_state_has_the_figures_of_its_subtree(goal, weights, costs):
    game = treegen.open_game("p2c3r", goal=goal).with_stakes(weights, costs)
    tree = treegen.build(game, "max,lowest")
    totals, worsts = measure_states(tree)
    for node in range(tree.n_nodes):
        part = tree.subtree(tree[node].history)
        assert (totals[node], worsts[node]) == (part.total, part.worst)


def test_answers_with_any_names_lead_back_as_they_are_written():
    for case in GAMES:
        game = make_game(case)
        tree = build(game, "entropy" if game.kind == "range" else "knuth")
        for node in range(tree.n_nodes):
            assert find_answers(tree, write_answers(tree, node)) == node, case
