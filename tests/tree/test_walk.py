"""Ways through a tree."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import build
from treegen.builder.grow import build_tree
from treegen.errors import GameError, UnreachableError, UsageError
from treegen.strategies.strategy import parse_chain
from treegen.tree.walk import (
    cut_at,
    describe_conflict,
    describe_dead_end,
    find_child,
    find_conflict,
    find_node,
    history_of,
    path_of,
    select_candidates,
    subtree,
)

from ..small_games import iter_preorder, make_pair

NAMES = ["p3c4r", "p3c5n", "words-position"]
TREES = {name: build_tree(make_pair(name)[0], parse_chain("max,consistent")) for name in NAMES}


@pytest.fixture(params=NAMES)
def tree(request):
    return TREES[request.param]


def test_paths_lead_back(tree):
    for node in range(tree.n_nodes):
        assert find_node(tree, path_of(tree, node)) == node


def test_children(tree):
    for node in range(tree.n_nodes):
        responses = [int(tree.response[child]) for child in tree.children(node)]
        for response in range(tree.game.n_responses):
            child = find_child(tree, node, response)
            expected = response in responses
            assert (child is not None) == expected
            if expected:
                assert tree.parent[child] == node
                assert tree.response[child] == response


def test_candidates_of_every_state(tree):
    for node in range(tree.n_nodes):
        history = history_of(tree, node)
        candidates = select_candidates(tree.game, history)
        game = tree.game
        expected = [
            secret
            for secret in range(game.n_secrets)
            if all(game.score(guess, secret) == response for guess, response in history)
        ]
        assert candidates.tolist() == expected
        assert len(candidates) == tree.n_candidates[node]


def test_cells_are_disjoint_and_cover_the_candidates(tree):
    for node in range(tree.n_nodes):
        guess = int(tree.guess[node])
        candidates = select_candidates(tree.game, history_of(tree, node))
        cells = [
            select_candidates(tree.game, history_of(tree, child)).tolist()
            for child in tree.children(node)
        ]
        found = [guess] if tree.is_winning[node] else []
        assert sorted([*itertools.chain(*cells), *found]) == candidates.tolist()


def test_subtrees(tree):
    for node in range(0, tree.n_nodes, 3):
        below = set(iter_preorder(tree, node))
        nodes = subtree(tree, node)
        assert nodes[0] == node
        assert set(nodes.tolist()) == below
        assert (np.diff(tree.depth[nodes]) >= 0).all()


def test_a_cut_tree_is_the_one_built_there(tree):
    for node in range(tree.n_nodes):
        part = cut_at(tree, node)
        part.check()
        built = build_tree(tree.game, parse_chain("max,consistent"), history=history_of(tree, node))
        assert part.digest == built.digest
        assert part.provenance == built.provenance


def test_cutting_twice_adds_the_histories():
    tree = TREES["p3c4r"]
    node = next(node for node in range(1, tree.n_nodes) if tree.depth[node] == 2)
    once = cut_at(tree, node)
    first = cut_at(tree, int(tree.parent[node]))
    twice = cut_at(first, find_node(first, path_of(tree, node)[1:]))
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


def test_a_possible_history_has_no_conflict():
    game, _ = make_pair("p3c4r")
    assert find_conflict(game, ()) == []
    assert find_conflict(game, ((0, 0), (63, 0))) == []
    assert describe_conflict(game, ((0, 0),)) == ""


def test_one_answer_that_no_secret_gives():
    game, _ = make_pair("p3c4r")
    white = game.parse_response("01")
    history = ((5, 0), (0, white))
    assert find_conflict(game, history) == [1]
    assert describe_conflict(game, history) == "No secret fits answer 2: 111 answered 01"


@given(st.lists(st.tuples(st.integers(0, 63), st.integers(0, 8)), max_size=5))
def test_a_conflict_is_a_least_set(history):
    game, _ = make_pair("p3c4r")
    history = tuple(history)
    places = find_conflict(game, history)
    if len(select_candidates(game, history)):
        assert places == []
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
    problem = "a history is a list of pairs such as .'1111', '00'.; .* is none"
    with pytest.raises(UsageError, match=problem):
        tree.guess_after(history)
    if isinstance(history, list):
        with pytest.raises(UsageError, match=problem):
            build("p4c6r", history=history)
