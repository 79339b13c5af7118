"""Trees as networkx graphs, GraphML and node-link JSON.

A tree becomes an arborescence: a directed graph whose edges lead away from the root. Its
attributes, the same in all three forms:

graph
    game, strategy, rule, secrets, nodes, total, average, worst, n_worst, histogram (``1/6/62``),
    digest: those of the whole tree. history: ``1122:02`` pairs before the first node, joined by
    ``/``. shown: how many nodes the graph has. root: its first node.
node
    guess as written, code (index of the guess), candidates, depth (guesses made before), wins
    (whether the guess may be the secret). Where `depth` cuts: states_below, worst_below.
edge
    feedback as written, response (its index).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .._files import Target, write_lines
from .._options import check_names
from ..games import format_history
from ..tree import Tree
from .view import VIEW_OPTIONS, View, make_view

if TYPE_CHECKING:
    import networkx as nx


def make_graph(tree: Tree, **options: Any) -> nx.DiGraph[int]:
    """Return a tree as a `networkx.DiGraph`; nodes are numbered as in the tree.

    Parameters
    ----------
    tree
        Any tree.
    **options
        What is shown: path, depth, order, symbols as in `make_view`.

    Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree.

    Examples
    --------
    >>> import treegen
    >>> graph = make_graph(treegen.build("p4c6r", "knuth"))
    >>> graph.nodes[0]["guess"], graph.nodes[0]["candidates"], graph.edges[0, 1]["feedback"]
    ('1122', 1296, '00')
    >>> count_lengths(graph)
    [1, 6, 62, 533, 694]
    """
    import networkx as nx

    check_names("make_graph", options, VIEW_OPTIONS)
    view = make_view(tree, **options)
    graph = nx.DiGraph(**_graph_attributes(view))
    for node in view.nodes():
        graph.add_node(node, **_node_attributes(view, node))
        for child in view.children(node):
            graph.add_edge(node, child, **_edge_attributes(view, child))
    return graph


def count_lengths(graph: nx.DiGraph[int]) -> list[int]:
    """Return the histogram of game lengths, computed from a whole graph alone.

    A guess may win where a node has one candidate more than its children together.
    """
    counts: dict[int, int] = {}
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


def generate_graphml(tree: Tree, **options: Any) -> Iterator[str]:
    """Yield the lines of a GraphML document, without line feeds; options as in `make_graph`."""
    import networkx as nx

    yield from nx.generate_graphml(make_graph(tree, **options), named_key_ids=True)


def write_graphml(tree: Tree, target: Target, **options: Any) -> None:
    """Write GraphML to a path or an open text file; options as in `make_graph`."""
    write_lines(target, generate_graphml(tree, **options))


def generate_json(tree: Tree, **options: Any) -> Iterator[str]:
    """Yield the lines of a node-link JSON document, without line feeds.

    ``networkx.node_link_graph(data, edges="edges")`` reads it, as do most tools that draw graphs:
    one object with directed, multigraph, graph, nodes (each with its id), edges (source, target).
    One line holds one node or edge.

    Parameters
    ----------
    tree
        Any tree.
    **options
        What is shown: path, depth, order, symbols as in `make_view`.

    Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree.
    """
    view = make_view(tree, **options)
    yield '{"directed": true,'
    yield ' "multigraph": false,'
    yield f' "graph": {_dump(_graph_attributes(view))},'
    yield ' "nodes": ['
    yield from _join_rows({"id": node, **_node_attributes(view, node)} for node in view.nodes())
    yield " ],"
    yield ' "edges": ['
    yield from _join_rows(
        {"source": node, "target": child, **_edge_attributes(view, child)}
        for node in view.nodes()
        for child in view.children(node)
    )
    yield " ]}"


def write_json(tree: Tree, target: Target, **options: Any) -> None:
    """Write node-link JSON to a path or an open text file; options as in `make_graph`."""
    write_lines(target, generate_json(tree, **options))


def _graph_attributes(view: View) -> dict[str, Any]:
    tree = view.tree
    return {
        "game": tree.game.digest_name,
        "strategy": tree.provenance.strategy,
        "rule": tree.provenance.rule,
        "secrets": tree.n_secrets,
        "nodes": tree.n_nodes,
        "total": tree.total,
        "average": tree.average,
        "worst": tree.worst,
        "n_worst": tree.n_worst,
        "histogram": "/".join(map(str, tree.histogram)),
        "digest": tree.digest,
        "history": format_history(view.game, view.history, symbols=view.symbols),
        "shown": view.n_states if view.depth is None else sum(1 for _ in view.nodes()),
        "root": view.root,
    }


def _node_attributes(view: View, node: int) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "guess": view.guess(node),
        "code": int(view.tree.guess[node]),
        "candidates": view.n_candidates(node),
        "depth": view.level(node) - 1,
        "wins": view.is_winning(node),
    }
    if view.is_cut(node):
        stub = view.stub(node)
        attributes |= {"states_below": stub.n_states, "worst_below": stub.worst}
    return attributes


def _edge_attributes(view: View, child: int) -> dict[str, Any]:
    return {"feedback": view.response(child), "response": int(view.tree.response[child])}


def _join_rows(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each row, a comma after each but the last."""
    line = None
    for row in rows:
        if line is not None:
            yield f"  {line},"
        line = _dump(row)
    if line is not None:
        yield f"  {line}"


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
