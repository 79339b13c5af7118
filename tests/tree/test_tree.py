"""The tree's columns and the figures that follow from them."""

import hashlib
from dataclasses import asdict, replace

import numpy as np
import pytest

from treegen import BuildOptions, Tree, TreeError, build, open_build, open_game, verify

from .. import naive
from ..small_games import SMALL, make_pair, write_history

HISTORY = ((0, 0),)


@pytest.fixture(scope="module", params=["p1c1r", "p3c3r", "p3c5n", "p3c4rb", "words-position"])
def pair(request):
    game, rules = make_pair(request.param)
    tree = build(game, "max,consistent")
    return tree, rules, naive.build(rules, naive.STRATEGIES["knuth"])


@pytest.fixture(scope="module")
def tree():
    return build(make_pair("p3c4r")[0], "max,consistent")


def state(strategy, **others):
    """Return what a tree states of its strategy."""
    return replace(build("p1c1r").provenance, **{"strategy": strategy, "rule": "", **others})


def change(tree, column, at, value):
    """Return a tree with one entry changed."""
    values = getattr(tree, column).copy()
    values[at] = value
    return replace(tree, **{column: values})


def naive_nodes(root):
    """Return (node, parent's place, depth) in level order."""
    nodes = [(root, -1, 0)]
    for at, (node, _, depth) in enumerate(nodes):
        nodes.extend((child, at, depth + 1) for child in node.children.values())
    return nodes


def test_figures_are_those_of_the_definition(pair):
    tree, rules, root = pair
    nodes = naive_nodes(root)
    assert tree.parent.tolist() == [parent for _, parent, _ in nodes]
    assert tree.depth.tolist() == [depth for _, _, depth in nodes]
    assert tree.is_winning.tolist() == [node.guess in node.candidates for node, _, _ in nodes]
    lengths = [len(naive.play(rules, root, secret)) for secret in range(rules.n_secrets)]
    assert tree.histogram == naive.histogram(rules, root)
    assert (tree.total, tree.worst) == (sum(lengths), max(lengths))
    assert tree.average == sum(lengths) / len(lengths)
    assert tree.n_worst == lengths.count(max(lengths))
    assert (tree.n_nodes, tree.n_secrets) == (len(nodes), rules.n_secrets)
    tree.check()


@pytest.mark.parametrize("history", [(), HISTORY], ids=["root", "mid-game"])
@pytest.mark.parametrize("name", SMALL)
def test_digest_is_the_sha256_of_the_states_in_depth_first_order(name, history):
    game, rules = make_pair(name)
    if history and not any(rules.respond(0, secret) == 0 for secret in range(rules.n_secrets)):
        pytest.skip("no secret agrees with the history")
    tree = build(game, "max,consistent", history=write_history(game, history))
    root = naive.build(rules, naive.STRATEGIES["knuth"], history)
    lines = list(naive.digest_lines(game.rules.digest_name, root, history))
    text = "".join(f"{line}\n" for line in lines)
    assert tree.digest == hashlib.sha256(text.encode("ascii")).hexdigest()


def test_digest_of_the_smallest_tree_is_pinned():
    tree = build(make_pair("p1c1r")[0], "max")
    assert hashlib.sha256(b"p1c1r\n- 0\n").hexdigest() == tree.digest
    expected = "91ef2d8d0bbaa7006a049e7c88db6d85529bd5bb7998823c1bbab72b69eb185b"
    assert tree.digest == expected


def test_digest_does_not_depend_on_provenance(tree):
    other = replace(tree, provenance=state("other", rule="rule", objective="total", bound=3))
    assert other.digest == tree.digest
    assert replace(tree, provenance=state("other", history=HISTORY)).digest != tree.digest


def test_provenance_names_no_machine_and_compares_by_value():
    given = {"rule": "", "history": (), "objective": "", "bound": None}
    assert state("knuth") == state("knuth", **given)
    assert state("knuth", bound=3) != state("knuth")
    assert asdict(state("knuth")) == {"strategy": "knuth", **given}


def test_a_tree_shows_its_name_and_size(tree):
    assert repr(tree) == f"<Tree p3c4r-max,consistent,lowest: {tree.n_nodes} nodes, 64 secrets>"


@pytest.mark.parametrize(
    ("column", "at", "value", "message"),
    [
        ("guess", 3, -1, "node 3: its guess is not in 0 … 63"),
        ("guess", 3, 64, "node 3: its guess is not in 0 … 63"),
        ("response", 0, 0, "node 0: the root's response is 0"),
        ("response", 2, -1, "node 2: its response is not in 0 … 7"),
        ("response", 2, 8, "node 2: its response is not in 0 … 7"),
        ("response", 2, 0, "node 2: its response does not follow its sibling's"),
        ("first_child", 0, 0, "runs from 0 to"),
        ("first_child", 0, 2, "runs from 2 to"),
        ("first_child", -1, 0, "runs from 1 to 0"),
        ("first_child", 1, 0, "node 0: first_child decreases"),
        ("first_child", 1, 10**6, "node 1: first_child decreases"),
        ("n_candidates", 0, 0, "node 0: 0 candidates; the game has 64"),
        ("n_candidates", 0, 65, "node 0: 65 candidates; the game has 64"),
        ("n_candidates", 0, 62, "node 0: 62 candidates; the game has 64"),
        ("n_candidates", 5, 0, "node 5: no candidate is left|node 0"),
        ("n_candidates", 5, -7, "node 5: no candidate is left"),
        ("n_candidates", -1, 2, "candidates are not those|does not win"),
    ],
)
def test_broken_columns_are_refused(tree, column, at, value, message):
    with pytest.raises(TreeError, match=message):
        change(tree, column, at, value).check()


@pytest.mark.parametrize("column", ["guess", "response", "first_child", "n_candidates"])
def test_wrong_types_and_shapes_are_refused(tree, column):
    values = getattr(tree, column)
    for wrong in (values.astype(np.int64), values[:-1], values[:, None], values[:0]):
        with pytest.raises(TreeError):
            replace(tree, **{column: wrong}).check()


def test_a_tree_without_nodes_is_refused(tree):
    empty = {name: getattr(tree, name)[:0] for name in ("guess", "response", "n_candidates")}
    with pytest.raises(TreeError, match="at least one node"):
        replace(tree, first_child=tree.first_child[:1], **empty).check()


@pytest.mark.parametrize(
    ("guess", "response", "first_child", "n_candidates", "problem"),
    [
        ([0, 1, 0], [-1, 2, 0], [1, 2, 3, 3], [1, 1, 1], "gains no information"),
        ([0, 1], [-1, 2], [1, 1, 2], [2, 1], "children do not come after it"),
    ],
    ids=["idle", "loop"],
)
def test_states_that_lead_nowhere_are_refused(
    tree, guess, response, first_child, n_candidates, problem
):
    guess, first_child, n_candidates = (
        np.array(column, dtype=np.int32) for column in (guess, first_child, n_candidates)
    )
    response, begun = np.array(response, dtype=np.int16), state("x", history=HISTORY)
    with pytest.raises(TreeError, match=problem):
        Tree(tree.game, begun, guess, response, first_child, n_candidates).check()


@pytest.mark.parametrize("pair", [(-1, 0), (64, 0), (0, -1), (0, 9)], ids=str)
def test_a_history_out_of_range_is_refused(tree, pair):
    with pytest.raises(TreeError, match="out of range"):
        replace(tree, provenance=state("x", history=(pair,))).check()


# --- weights of secrets, costs of guesses

WEIGHTS = list(range(9))
COSTS = [3, 1, 2, 1, 5, 1, 1, 2, 1]


def play(tree, secret):
    """Return the costs of the guesses that find a secret."""
    node, costs = 0, 0
    while True:
        guess = int(tree.guess[node])
        costs += int(tree.game.costs[guess])
        response = tree.game.score(guess, secret)
        if response == tree.game.win:
            return costs
        (node,) = (child for child in tree.children(node) if tree.response[child] == response)


@pytest.mark.parametrize(("weights", "costs"), [(WEIGHTS, None), (None, COSTS), (WEIGHTS, COSTS)])
def test_the_histogram_counts_weights_by_cost(weights, costs):
    tree = build("p2c3r")
    tree = replace(tree, game=tree.game.with_stakes(weights, costs))
    lengths = [play(tree, secret) for secret in range(9)]
    counts = weights or [1] * 9
    assert tree.worst == max(lengths)
    assert tree.total == sum(a * b for a, b in zip(lengths, counts, strict=True))
    assert tree.average == tree.total / sum(counts)
    for length in range(1, tree.worst + 1):
        expected = sum(n for a, n in zip(lengths, counts, strict=True) if a == length)
        assert tree.histogram[length - 1] == expected


@pytest.mark.parametrize("strategy", ["max,lowest", "optimal", "best"])
def test_the_only_candidate_counts_its_weight(strategy, tmp_path):
    game = open_game("p2c2r", goal="identify").with_stakes([1, 2, 3, 9])
    tree = build(game, strategy, history="11:00")
    assert (tree.total, tree.worst, tree.n_worst, tree.histogram) == (0, 0, 9, [])
    assert verify(tree, claim={"n_worst": 9, "worst": 0}).is_sound
    assert not verify(tree, claim={"n_worst": 1}).is_sound
    if strategy == "max,lowest":
        options = BuildOptions(history="11:00", resume=tmp_path / "parts")
        with open_build(game, strategy, **options) as parts:
            assert parts.n_worst == 9
