"""Read node-link JSON and GraphML, as networkx writes them.

Nodes have ``guess`` (or ``label``), the code as it is written, and may have ``candidates``; edges
have ``feedback`` (or ``label``), black and white as ``02`` or as a list of two numbers, or
``response``, the index. Other attributes are passed over.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any
from xml.parsers import expat

from ..errors import FormatError
from ..games import Game
from ..tree.provenance import History
from .graph import Edge, Graph
from .json_text import get_field, parse_json
from .scan import Scanner
from .sketch import Place, Sketch

Attributes = Mapping[str, Any]


def sketch_node_link(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read node-link JSON; raise FormatError at the first field that does not fit."""
    value = parse_json(scanner.text)
    links = "links" if isinstance(value, dict) and "links" in value else "edges"
    graph = Graph()
    for number, node in enumerate(get_field(value, "nodes", list, "$")):
        place = f"$.nodes[{number}]"
        _add_node(graph, scanner, game, symbols, _get_id(node, "id", place), node, place)
    for number, edge in enumerate(get_field(value, links, list, "$")):
        place = f"$.{links}[{number}]"
        source, target = _get_id(edge, "source", place), _get_id(edge, "target", place)
        _add_edge(graph, scanner, game, source, target, edge, place)
    return graph.sketch(game, scanner, history)


def sketch_graphml(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read GraphML; raise FormatError at the first element that does not fit."""
    nodes, edges = _GraphmlReader().read(scanner.text)
    graph = Graph()
    for name, attributes, place in nodes:
        _add_node(graph, scanner, game, symbols, name, attributes, place)
    for source, target, attributes, place in edges:
        _add_edge(graph, scanner, game, source, target, attributes, place)
    return graph.sketch(game, scanner, history)


def _add_node(
    graph: Graph,
    scanner: Scanner,
    game: Game,
    symbols: tuple[str, ...] | None,
    name: Hashable,
    attributes: Attributes,
    place: Place,
) -> None:
    code = attributes.get("guess", attributes.get("label"))
    if not isinstance(code, str):
        raise scanner.error(f"the node {name} has no guess: a code as text is expected", place)
    graph.add_node(name, scanner.parse(game.parse_code, code, place, symbols), place, scanner)
    count = attributes.get("candidates", attributes.get("n_candidates"))
    if count is not None:
        if not str(count).isdigit():
            raise scanner.error(f"candidates is {count!r}; a number is needed", place)
        graph.count_of[name] = int(count)


def _add_edge(
    graph: Graph,
    scanner: Scanner,
    game: Game,
    source: Hashable,
    target: Hashable,
    attributes: Attributes,
    place: Place,
) -> None:
    graph.add_edge(source, Edge(target, _find_response(scanner, game, attributes, place), place))


def _find_response(scanner: Scanner, game: Game, attributes: Attributes, place: Place) -> int:
    feedback = attributes.get("feedback", attributes.get("label"))
    if isinstance(feedback, list):
        feedback = ".".join(map(str, feedback))
    if isinstance(feedback, str):
        return scanner.parse(game.parse_response, feedback, place)
    response = str(attributes.get("response"))
    if not response.isdigit() or int(response) >= game.n_responses:
        raise scanner.error("the edge has neither a feedback nor a response of the game", place)
    return int(response)


def _get_id(value: Any, key: str, place: str) -> Hashable:
    if not isinstance(value, dict) or not isinstance(value.get(key), (str, int)):
        raise FormatError(f"{place}: the field {key!r}, a number or a text, is missing")
    name: Hashable = value[key]
    return name


class _GraphmlReader:
    """Collects the nodes and edges of a GraphML document with their lines."""

    def __init__(self) -> None:
        self.nodes: list[tuple[str, dict[str, Any], Place]] = []
        self.edges: list[tuple[str, str, dict[str, Any], Place]] = []
        self.name_of_key: dict[str, str] = {}
        self.attributes: dict[str, Any] | None = None
        self.key = ""
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse_entity

    def read(
        self, text: str
    ) -> tuple[
        list[tuple[str, dict[str, Any], Place]], list[tuple[str, str, dict[str, Any], Place]]
    ]:
        """Return (id, attributes, place) of the nodes and (source, target, …) of the edges."""
        try:
            self.parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FormatError(f"{self._place(error.lineno, error.offset)}: {reason}") from error
        return self.nodes, self.edges

    def _start(self, tag: str, given: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        place = self._place(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)
        try:
            if tag == "key":
                self.name_of_key[given["id"]] = given["attr.name"]
            elif tag == "node":
                self.attributes = {}
                self.nodes.append((given["id"], self.attributes, place))
            elif tag == "edge":
                self.attributes = {}
                self.edges.append((given["source"], given["target"], self.attributes, place))
            elif tag == "data" and self.attributes is not None:
                self.key = self.name_of_key[given["key"]]
                self.attributes[self.key] = ""
        except KeyError as error:
            raise FormatError(f"{place}: <{tag}> has no known {error.args[0]!r}") from error

    def _end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag in ("node", "edge"):
            self.attributes = None
        elif tag == "data":
            self.key = ""

    def _text(self, text: str) -> None:
        if self.key and self.attributes is not None:
            self.attributes[self.key] += text

    def _refuse_entity(self, *_: Any) -> None:
        raise FormatError("entities are not read")

    @staticmethod
    def _place(line: int, column: int) -> str:
        return f"line {line}, column {column + 1}"
