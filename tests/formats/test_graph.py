"""Trees as networkx graphs, GraphML and node-link JSON."""

import json

import networkx as nx
import pytest

from treegen import UsageError, build, make_graph, write_graphml, write_json

from ..golden import check_golden
from ..written import text_of


def count_lengths(graph):
    """Return the histogram of game lengths, computed from a whole graph alone.

    A guess may win where a node has one candidate more than its children together.
    """
    counts = {}
    root = graph.graph["root"]
    stack = [(root, 1)]
    while stack:
        node, length = stack.pop()
        children = list(graph.successors(node))
        below = sum(graph.nodes[child]["candidates"] for child in children)
        wins = graph.nodes[node]["candidates"] - below
        counts[length] = counts.get(length, 0) + wins
        stack.extend((child, length + 1) for child in children)
    return [counts[length] for length in range(1, max(counts) + 1)]


GAMES = ["p1c1r", "p2c3r", "p3c4r", "p4c4rb", "p4c5n"]


@pytest.mark.parametrize("strategy", ["knuth", "most-parts"])
@pytest.mark.parametrize("game", GAMES)
def test_totals_follow_from_the_graph_alone(game, strategy):
    tree = build(game, strategy)
    graph = make_graph(tree)
    assert nx.is_arborescence(graph) or tree.n_nodes == 1
    assert graph.number_of_nodes() == tree.n_nodes
    assert graph.graph["total"] == tree.total
    assert count_lengths(graph) == tree.histogram


def test_depth_path_and_symbols():
    tree = build("p3c4r", "knuth")
    graph = make_graph(tree, path="11", depth=1, symbols="abcd")
    ((node, attributes),) = graph.nodes(data=True)
    assert node == graph.graph["root"]
    assert set(attributes["guess"]) <= set("abcd")
    assert (attributes["depth"], attributes["states_below"] > 0) == (0, True)
    assert graph.graph["history"] == "abc:11"
    assert graph.graph["shown"] == 1
    with pytest.raises(UsageError, match="depth=0"):
        make_graph(tree, depth=0)


@pytest.mark.parametrize("options", [{}, {"depth": 2}, {"path": "11"}, {"symbols": "&<\"'"}])
def test_networkx_reads_the_graphml_back(tmp_path, options):
    tree = build("p3c4r", "knuth")
    write_graphml(tree, tmp_path / "tree.graphml", **options)
    again = nx.read_graphml(tmp_path / "tree.graphml", node_type=int)
    graph = make_graph(tree, **options)
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert again.edges == graph.edges
    assert {edge: again.edges[edge] for edge in graph.edges} == dict(graph.edges)
    assert again.graph["digest"] == tree.digest


@pytest.mark.parametrize("options", [{}, {"depth": 2}, {"path": "11"}, {"symbols": 'äö"\\'}])
def test_networkx_reads_the_json_back(tmp_path, options):
    tree = build("p3c4r", "knuth")
    write_json(tree, tmp_path / "tree.json", **options)
    data = json.loads((tmp_path / "tree.json").read_text("utf-8"))
    again = nx.node_link_graph(data, edges="edges")
    graph = make_graph(tree, **options)
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert dict(again.edges) == dict(graph.edges)
    assert again.graph == graph.graph
    if "depth" not in options and "path" not in options:
        assert count_lengths(again) == tree.histogram


def test_graphml_is_the_golden_one():
    check_golden("graph/p2c3r-knuth.graphml", text_of(build("p2c3r", "knuth"), "graphml"))


def test_json_is_the_golden_one():
    check_golden("graph/p2c3r-knuth.json", text_of(build("p2c3r", "knuth"), "json"))
