"""Trees as networkx graphs, GraphML and node-link JSON; as a pandas frame.

A tree becomes an arborescence: a directed graph whose edges lead away from the root.
docs/diagrams.md lists its attributes, the same in all three forms. Graphs of other programs are
read as docs/foreign-formats.md says. Statistics of the graph are compared if it is the whole tree.
Other attributes are ignored, as are ``depth`` and ``wins`` of graphs that are not ours: there they
may mean something else.
"""

from __future__ import annotations

import json
import reprlib
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack
from xml.parsers import expat

from .._files import Target, write_lines
from .._loading import import_pandas
from .._options import check_names
from ..errors import FormatError, GameError
from ..games.base import Game
from ..games.histories import format_history, parse_history
from ..games.names import parse_game
from ..games.rules import weigh
from ..tree.tree import Tree
from .format import Format, Reader, Writer, check_options, describe_writer
from .json_text import get_field, parse_json
from .sketch import Place, Scanner, Sketch, TextClaim
from .tree_file import TreeSource, read
from .view import View, ViewOptions, make_view

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


def make_graph(tree: Tree, **options: Unpack[ViewOptions]) -> nx.DiGraph[int]:
    """Return a tree as a `networkx.DiGraph`; nodes are numbered as in the tree.

    Parameters
    ----------
    tree
        Any tree.
    **options
        depth, path, symbols, order: see `write_json`.

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
    """
    import networkx as nx

    check_names("make_graph", options, ViewOptions.__annotations__)
    view = make_view(tree, **options)
    graph = nx.DiGraph(**_graph_attributes(view))
    for node in view.nodes():
        graph.add_node(node, **_node_attributes(view, node))
        for child in view.children(node):
            graph.add_edge(node, child, **_edge_attributes(view, child))
    return graph


def generate_graphml(tree: Tree, **options: Unpack[ViewOptions]) -> Iterator[str]:
    """Yield the lines of a GraphML document, without line feeds."""
    import networkx as nx

    yield from nx.generate_graphml(make_graph(tree, **options), named_key_ids=True)


def generate_json(tree: Tree, **options: Unpack[ViewOptions]) -> Iterator[str]:
    """Yield the lines of a node-link JSON document, one for each node or edge, without line feeds.

    ``networkx.node_link_graph(data, edges="edges")`` reads it, as do most tools that draw graphs.
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


@describe_writer
def write_json(tree: TreeSource, file: Target, **options: Unpack[ViewOptions]) -> None:
    """Write a tree as node-link JSON, the form of networkx.

    {parameters}

    {errors}

    Examples
    --------
    >>> import io, json, treegen
    >>> file = io.StringIO()
    >>> treegen.write_json(treegen.build("p2c3r"), file)
    >>> len(json.loads(file.getvalue())["nodes"])
    9
    """
    check_options(write_json, **options)
    write_lines(file, generate_json(read(tree), **options))


@describe_writer
def write_graphml(tree: TreeSource, file: Target, **options: Unpack[ViewOptions]) -> None:
    """Write a tree as GraphML.

    {parameters}

    {errors}

    Examples
    --------
    >>> import io, treegen
    >>> file = io.StringIO()
    >>> treegen.write_graphml(treegen.build("p2c3r"), file)
    >>> file.getvalue().count("<node ")
    9
    """
    check_options(write_graphml, **options)
    write_lines(file, generate_graphml(read(tree), **options))


def _graph_attributes(view: View) -> dict[str, Any]:
    tree = view.tree
    return {
        "game": tree.game.rules.digest_name,
        "strategy": tree.provenance.strategy,
        "rule": tree.provenance.rule,
        "secrets": tree.n_secrets,
        "nodes": tree.n_nodes,
        "total": tree.share_total,
        "average": tree.average,
        "worst": tree.worst,
        "n_worst": tree.share_n_worst,
        "histogram": "/".join(map(str, tree.share_histogram)),
        **({"unit": tree.game.rules.share_unit} if tree.game.rules.share_unit > 1 else {}),
        "digest": tree.digest,
        "history": format_history(view.game.notation, view.history),
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


def make_dataframe(tree: Tree) -> pd.DataFrame:
    """Return a pandas frame with a row for each state, its index the number of the node.

    The columns are ``parent`` (-1 at the root), ``depth``, ``answer`` (None at the root),
    ``guess``, ``candidates``, ``wins`` (whether the guess may win). Raises DependencyError if
    pandas is not installed.
    """
    pandas = import_pandas()
    game, parent = tree.game, tree.parent.tolist()
    guesses, responses = tree.guess.tolist(), tree.response.tolist()
    answers = [
        None if above < 0 else game.format_response(response, guesses[above])
        for above, response in zip(parent, responses, strict=True)
    ]
    columns = {
        "parent": tree.parent,
        "depth": tree.depth,
        "answer": answers,
        "guess": list(map(View(tree).guess, range(tree.n_nodes))),
        "candidates": tree.n_candidates,
        "wins": tree.is_winning,
    }
    frame: pd.DataFrame = pandas.DataFrame(columns)
    frame.index.name = "node"
    return frame


@dataclass(frozen=True, slots=True)
class Edge:
    """A branch: the node that it leads to, the response, its place in the text."""

    target: Hashable
    response: int
    place: Place


@dataclass(slots=True)
class Vertex:
    """A node: its guess, its place in the text, what it claims."""

    guess: int
    place: Place
    count: int = Sketch.NULL  # candidates
    claims: dict[str, TextClaim] = field(default_factory=dict)  # others


@dataclass(slots=True)
class Graph:
    """Nodes and the edges that leave them, as they are read."""

    nodes: dict[Hashable, Vertex] = field(default_factory=dict)
    edges_of: dict[Hashable, list[Edge]] = field(default_factory=lambda: defaultdict(list))

    def add_node(self, node: Hashable, guess: int, place: Place, scanner: Scanner) -> Vertex:
        """Add a node; raise FormatError if it is there already."""
        if node in self.nodes:
            before = scanner.locate(self.nodes[node].place)
            raise scanner.error(f"the node {node!s:.80} is already at {before}", place)
        self.nodes[node] = Vertex(guess, place)
        return self.nodes[node]

    def fill(self, sketch: Sketch, *, is_ours: bool = False) -> Sketch:
        """Add the states from the root down; raise FormatError unless they are one tree.

        Claims about single states are kept if treegen wrote the graph.
        """
        scanner, reached = sketch.scanner, set[Hashable]()
        root = self._find_root(scanner)
        pending = [(Sketch.NULL, Edge(root, Sketch.NULL, self.nodes[root].place))]
        for parent, edge in pending:
            node, one = edge.target, self.nodes[edge.target]
            if node in reached:
                raise scanner.error(f"a second edge leads to the node {node!s:.80}", edge.place)
            reached.add(node)
            state = sketch.add(parent, edge.response, one.guess, one.place, count=one.count)
            if is_ours:
                sketch.claims_of[state] = one.claims
            # Edges to the end of the game add nothing to the guess.
            pending.extend(
                (state, below)
                for below in self.edges_of.get(node, ())
                if below.response != sketch.game.win
            )
        for node, one in self.nodes.items():  # one without edges may be the end of a game
            if node not in reached and node in self.edges_of:
                message = f"the node {node!s:.80} is not reached from the root"
                raise scanner.error(message, one.place)
        return sketch

    def _find_root(self, scanner: Scanner) -> Hashable:
        targets = set()
        for source, edges in self.edges_of.items():
            for edge in edges:
                targets.add(edge.target)
                for node in (source, edge.target):
                    if node not in self.nodes:
                        raise scanner.error(f"the edge's node {node!s:.80} is missing", edge.place)
        roots = [node for node in self.nodes if node not in targets]
        if not roots:
            raise FormatError("no node is the root: an edge leads to each of them")
        if len(roots) > 1:
            place = self.nodes[roots[1]].place
            raise scanner.error(f"no edge leads to the node {roots[1]!s:.80}", place)
        return roots[0]


class _GraphmlReader:
    """Collects the nodes, the edges and the graph's attributes of a document, with places."""

    def __init__(self, text: str) -> None:
        self.about: dict[str, Any] = {}
        self.nodes: list[tuple[str, dict[str, Any], Place]] = []
        self.edges: list[tuple[str, str, dict[str, Any], Place]] = []
        self.name_of_key: dict[str, str] = {}
        self.attributes: dict[str, Any] | None = None
        self.key: str | None = None
        self.pieces: list[str] = []  # of the text of the data
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse_entity
        fault = "it is no XML"
        try:
            self.parser.Parse(text.encode())
            fault = "the text ends there"
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FormatError(
                f"{self._place(error.lineno, error.offset)}: {reason}; {fault}"
            ) from error

    def _start(self, tag: str, given: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        place = self._place(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)
        if tag == "gexf":
            raise FormatError("GEXF cannot be read: save the graph as GraphML")
        if self.key is not None and tag in ("graph", "node", "edge", "data"):
            raise FormatError(f"{place}: <{tag}> stands within <data>")
        try:
            if tag == "key":
                self.name_of_key[given["id"]] = given["attr.name"]
            elif tag == "node":
                self.attributes = {}
                self.nodes.append((given["id"], self.attributes, place))
            elif tag == "edge":
                self.attributes = {}
                self.edges.append((given["source"], given["target"], self.attributes, place))
            elif tag == "graph":
                self.attributes = self.about
            elif tag == "data" and self.attributes is not None:
                self.key = self.name_of_key[given["key"]]
                self.pieces.clear()
        except KeyError as error:
            raise FormatError(f"{place}: <{tag}> has no known {error.args[0]!r:.80}") from error

    def _end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag in ("node", "edge"):
            self.attributes = self.about
        elif tag == "data" and self.key is not None and self.attributes is not None:
            self.attributes[self.key] = "".join(self.pieces)
            self.key = None

    def _text(self, text: str) -> None:
        if self.key is not None:
            self.pieces.append(text)

    def _refuse_entity(self, *_: Any) -> None:
        raise FormatError("XML entities are not supported")

    @staticmethod
    def _place(line: int, column: int) -> str:
        return f"line {line}, column {column + 1}"


Attributes = Mapping[str, Any]


def read_node_link(sketch: Sketch) -> Sketch:
    """Read node-link JSON; raise FormatError at the first field that does not fit."""
    value = parse_json(sketch.scanner.text)
    links = "links" if isinstance(value, dict) and "links" in value else "edges"
    graph = Graph()
    for number, node in enumerate(get_field(value, "nodes", list, "$")):
        place = f"$.nodes[{number}]"
        _add_node(graph, sketch, _get_id(node, "id", place), node, place)
    for number, edge in enumerate(get_field(value, links, list, "$")):
        place = f"$.{links}[{number}]"
        source, target = _get_id(edge, "source", place), _get_id(edge, "target", place)
        response = find_response(sketch, graph.nodes.get(source), edge, place)
        graph.edges_of[source].append(Edge(target, response, place))
    return _fill(graph, sketch, _describe(value), "$.graph")


def _describe(value: Any) -> Attributes:
    """Return the attributes of a node-link graph."""
    about = value.get("graph") if isinstance(value, dict) else None
    return about if isinstance(about, dict) else {}


def read_graphml(sketch: Sketch) -> Sketch:
    """Read GraphML; raise FormatError at the first element that does not fit."""
    reader = _GraphmlReader(sketch.scanner.text)
    graph = Graph()
    for name, attributes, place in reader.nodes:
        _add_node(graph, sketch, name, attributes, place)
    for source, target, attributes, place in reader.edges:
        response = find_response(sketch, graph.nodes.get(source), attributes, place)
        graph.edges_of[source].append(Edge(target, response, place))
    return _fill(graph, sketch, reader.about, "<graph>")


def _find_game(about: Attributes) -> Game | None:
    """Return the peg game that a graph names in its attribute ``game``, None if it names none."""
    try:
        return parse_game(_write(about.get("game")))
    except GameError:
        return None


def _fill(graph: Graph, sketch: Sketch, about: Attributes, place: Place) -> Sketch:
    """Add the graph's states, with the claims of its attributes."""
    with sketch.scanner.explain(place):
        history = _write(about.get("history"))
        past = parse_history(history, sketch.game.notation)
    sketch.history = past or sketch.history
    graph.fill(sketch, is_ours="shown" in about)
    sketch.strategy, sketch.rule = _write(about.get("strategy")), _write(about.get("rule"))
    if _write(about.get("shown")) == _write(about.get("nodes")):
        names = {"secrets": "n_secrets", "nodes": "n_nodes"}  # of the tree's attributes
        sketch.claims = {
            names.get(key, key): sketch.scanner.read_claim(key, _write(about[key]), place)
            for key in (*names, "total", "average", "worst", "n_worst", "histogram", "digest")
            if about.get(key) not in (None, "")
        }
    unit = sketch.game.rules.share_unit
    if "unit" in about and unit > 1:  # these attributes count shares
        for key in {"total", "n_worst", "histogram"} & sketch.claims.keys():
            claim = sketch.claims[key]
            counts = claim.value if key == "histogram" else [claim.value]
            weights = [weigh(count, unit) for count in counts]
            value = weights if key == "histogram" else weights[0]
            sketch.claims[key] = replace(claim, value=value)
    return sketch


def _add_node(
    graph: Graph, sketch: Sketch, name: Hashable, attributes: Attributes, place: Place
) -> None:
    index, code = _write(attributes.get("code")), attributes.get("guess", attributes.get("label"))
    is_code = index.isdecimal() and len(index) < 20 and int(index) < sketch.game.n_codes
    if isinstance(code, str) and sketch.game.notation.announces(code):
        guess = sketch.announce(code)
    elif is_code:
        guess = int(index)
    elif isinstance(code, str):
        guess = sketch.parse_code(code, place)
    else:
        message = f"the node {name!s:.80} has no guess: a code as text is expected"
        raise sketch.scanner.error(message, place)
    node = graph.add_node(name, guess, place, sketch.scanner)
    count = attributes.get("candidates", attributes.get("n_candidates"))
    if count is not None:
        is_number = _write(count).isdecimal()
        if not is_number or len(_write(count)) > 18:
            needed = "a number of at most 18 digits" if is_number else "a number"
            message = f"candidates is {reprlib.repr(count)}; {needed} is needed"
            raise sketch.scanner.error(message, place)
        node.count = int(count)
    # What a node claims about its depth and whether its guess may win.
    depth, wins = _write(attributes.get("depth")), _write(attributes.get("wins")).lower()
    if depth.isdecimal() and len(depth) < 20:
        node.claims["depth"] = TextClaim(int(depth), place)
    if wins in ("true", "false"):
        node.claims["wins"] = TextClaim(wins == "true", place)


def find_response(
    sketch: Sketch, source: Vertex | None, attributes: Attributes, place: Place
) -> int:
    """Return the response of an edge's attributes; raise FormatError if they have none."""
    scanner, game = sketch.scanner, sketch.game
    feedback = attributes.get("feedback", attributes.get("label"))
    if isinstance(feedback, list):
        feedback = ".".join(map(_write, feedback))
    if isinstance(feedback, str) and (source is not None or "response" not in attributes):
        return sketch.parse_response(feedback, place, source.guess if source else None)
    response = _write(attributes.get("response"))
    if not response.isdecimal() or len(response) > 19 or int(response) >= game.n_responses:
        raise scanner.error("the edge has neither a feedback nor a response of the game", place)
    return int(response)


def _write(value: Any) -> str:
    """Return the text of an attribute, empty if it is missing, a list or an object."""
    return "" if value is None or isinstance(value, (list, dict)) else str(value)


def _get_id(value: Any, key: str, place: str) -> Hashable:
    if not isinstance(value, dict) or not isinstance(value.get(key), (str, int)):
        raise FormatError(f"{place}: the field {key!r:.80}, a number or a text, is missing")
    name: Hashable = value[key]
    return name


JSON = Format(
    "json",
    Writer(
        write_json,
        "Node-link JSON, the form of networkx.",
        "Write the tree in FILE as node-link JSON, the form of networkx.",
        examples=("treegen export json knuth.tree --depth 2",),
        kinds=("json",),
        has_stream=True,
    ),
    reader=Reader(
        read_node_link,
        "Node-link JSON as networkx and treegen export json write it.",
        "Read node-link JSON, as networkx writes it.",
        ("treegen import json knuth.json -o copy.tree",),
        field="nodes",
        find_game=lambda text: _find_game(_describe(parse_json(text))),
    ),
)
GRAPHML = Format(
    "graphml",
    Writer(
        write_graphml,
        "GraphML.",
        "Write the tree in FILE as GraphML.",
        examples=("treegen export graphml knuth.tree -o knuth.graphml",),
        kinds=("graphml",),
        has_stream=True,
    ),
    reader=Reader(
        read_graphml,
        "GraphML as networkx and treegen export graphml write it.",
        "Read GraphML, as networkx writes it.",
        ("treegen import graphml knuth.graphml -o copy.tree",),
        looks=r"\s*<(\?xml|graphml|gexf)",
        find_game=lambda text: _find_game(_GraphmlReader(text).about),
    ),
)
