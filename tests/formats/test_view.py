"""Which nodes all exporters show, by the view that they share."""

import pytest

from treegen import GameError, UnreachableError, UsageError, build, open_game
from treegen.formats.view import ORDERS, make_view
from treegen.tree.walk import find_node

from ..small_games import iter_preorder


@pytest.fixture(scope="module")
def tree():
    return build("p3c4r", "knuth")


def test_whole_view_shows_every_node_in_preorder(tree):
    view = make_view(tree)
    assert list(view.nodes()) == list(iter_preorder(tree))
    assert not view.is_cut_anywhere
    assert not any(view.is_cut(node) for node in view.nodes())
    assert (view.n_states, view.worst) == (tree.n_nodes, tree.worst)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth_keeps_the_first_guesses(tree, depth):
    view = make_view(tree, depth=depth)
    shown = list(view.nodes())
    assert sorted(shown) == [node for node in range(tree.n_nodes) if tree.depth[node] < depth]
    hidden = sum(view.stub(node).n_states for node in shown if view.is_cut(node))
    assert len(shown) + hidden == tree.n_nodes
    assert view.is_cut_anywhere


def test_depth_of_the_longest_game_cuts_nothing(tree):
    assert not make_view(tree, depth=tree.worst).is_cut_anywhere


@pytest.mark.parametrize("depth", [None, 1, 2])
def test_path_shows_what_the_cut_tree_shows(tree, depth):
    part = tree.subtree(tree[find_node(tree, [1])].history)
    ours, theirs = make_view(tree, path="01", depth=depth), make_view(part, depth=depth)

    def look(view):
        return [
            (view.level(node), view.guess(node), view.n_candidates(node), view.is_cut(node))
            + ((view.stub(node),) if view.is_cut(node) else ())
            for node in view.nodes()
        ]

    assert look(ours) == look(theirs)
    assert ours.history == part.provenance.history


def test_stub_counts_secrets_and_length(tree):
    view = make_view(tree, depth=1)
    stub = view.stub(0)
    assert stub.n_states == tree.n_nodes - 1
    assert stub.n_candidates == tree.n_secrets - int(tree.is_winning[0])
    assert stub.worst == tree.worst


def test_costs_before_a_part_are_not_those_of_its_stub():
    tree = build(open_game("p2c3r").with_stakes(costs=range(1, 10)), "knuth")
    for child in tree.root.children:
        view = make_view(tree, path=child.answer, depth=1)
        assert view.stub(view.root).worst == tree.subtree(child.answer).worst


@pytest.mark.parametrize("order", ORDERS)
def test_orders_permute_siblings_only(tree, order):
    view = make_view(tree, order=order)
    assert sorted(view.nodes()) == list(range(tree.n_nodes))
    for node in view.nodes():
        assert sorted(view.children(node)) == list(tree.children(node))


def test_the_order_largest_begins_with_the_largest_branch(tree):
    view = make_view(tree, order="largest")
    sizes = [view.n_candidates(child) for child in view.children(0)]
    assert sizes == sorted(sizes, reverse=True)


def test_guesses_are_written_in_given_symbols(tree):
    assert make_view(tree, symbols="wxyz").guess(0) == tree.game.format_code(
        int(tree.guess[0]), "wxyz"
    )
    assert make_view(tree, symbols=["red", "tan", "sky", "jet"]).guess(0).count(".") == 2


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"depth": 0}, UsageError, "depth=0"),
        ({"order": "lex"}, UsageError, "lex"),
        ({"path": "9"}, GameError, "9"),
        ({"path": "30/00"}, UnreachableError, "30 ends the game"),
        ({"symbols": "ab"}, GameError, "4 different"),
    ],
)
def test_wrong_options_are_refused(tree, options, error, words):
    with pytest.raises(error, match=words):
        make_view(tree, **options)
