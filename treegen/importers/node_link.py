"""Read node-link JSON and GraphML, as networkx writes them.

Nodes have ``code``, the index of the guess, or ``guess`` (or ``label``), the code as written, and
may have ``candidates``, ``depth`` and ``wins``; edges have ``feedback`` (or ``label``), black and
white as ``02`` or as a list of two numbers, or ``response``, the index. The graph may have
``game``, ``strategy``, ``rule``, ``history`` (``1122:02/1344:11``) and the statistics that our own
export writes: ``total``, ``worst`` and the rest are compared if the graph is the whole tree. Other
attributes are ignored, as are ``depth`` and ``wins`` of graphs that are not ours: there they may
mean something else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from ..errors import FormatError, GameError
from ..games import Game, parse_game
from ..tree import History
from .graph import Edge, Graph
from .graphml import GraphmlReader
from .json_text import get_field, parse_json
from .scan import Scanner
from .sketch import Claim, Place, Sketch

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
    return _sketch(graph, scanner, game, symbols, history, _describe(value), "$.graph")


def _describe(value: Any) -> Attributes:
    """Return the attributes of a node-link graph."""
    about = value.get("graph") if isinstance(value, dict) else None
    return about if isinstance(about, dict) else {}


def sketch_graphml(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read GraphML; raise FormatError at the first element that does not fit."""
    reader = GraphmlReader()
    reader.read(scanner.text)
    graph = Graph()
    for name, attributes, place in reader.nodes:
        _add_node(graph, scanner, game, symbols, name, attributes, place)
    for source, target, attributes, place in reader.edges:
        _add_edge(graph, scanner, game, source, target, attributes, place)
    return _sketch(graph, scanner, game, symbols, history, reader.about, "<graph>")


def find_game(text: str, *, is_graphml: bool) -> Game | None:
    """Return the peg game that a graph names in its attribute ``game``, None if it names none.

    Raises
    ------
    FormatError
        The text is not JSON, or not XML.
    """
    if is_graphml:
        reader = GraphmlReader()
        reader.read(text)
        about: Attributes = reader.about
    else:
        about = _describe(parse_json(text))
    try:
        return parse_game(str(about.get("game", "")))
    except GameError:
        return None


def _sketch(
    graph: Graph,
    scanner: Scanner,
    game: Game,
    symbols: tuple[str, ...] | None,
    history: History,
    about: Attributes,
    place: Place,
) -> Sketch:
    """Return the graph's states with the claims of its attributes."""
    past = scanner.parse_history(game, str(about.get("history", "")), place, symbols=symbols)
    sketch = graph.sketch(game, scanner, past or history, is_ours="shown" in about)
    sketch.strategy, sketch.rule = str(about.get("strategy", "")), str(about.get("rule", ""))
    if str(about.get("shown")) == str(about.get("nodes")):
        sketch.claims = read_figures(about, scanner, place)
    return sketch


def read_figures(about: Attributes, scanner: Scanner, place: Place) -> dict[str, Claim]:
    """Return the statistics that a graph claims for its tree, as numbers or text."""
    claims = {}
    for key, (name, parse) in _FIGURES.items():
        if about.get(key) not in (None, ""):
            try:
                claims[name] = Claim(parse(str(about[key])), place)
            except ValueError as error:
                message = f"{key} is {about[key]!r:.40}; a number is needed"
                raise scanner.error(message, place) from error
    return claims


_FIGURES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "secrets": ("n_secrets", int),
    "nodes": ("n_nodes", int),
    "total": ("total", int),
    "average": ("average", float),
    "worst": ("worst", int),
    "n_worst": ("n_worst", int),
    "histogram": ("histogram", lambda text: [int(count) for count in text.split("/")]),
    "digest": ("digest", str),
}
"""For each attribute of the graph its name in the tree, and how it is written."""


def _add_node(
    graph: Graph,
    scanner: Scanner,
    game: Game,
    symbols: tuple[str, ...] | None,
    name: Hashable,
    attributes: Attributes,
    place: Place,
) -> None:
    guess = _find_guess(scanner, game, symbols, name, attributes, place)
    graph.add_node(name, guess, place, scanner)
    count = attributes.get("candidates", attributes.get("n_candidates"))
    if count is not None:
        if not str(count).isdigit():
            raise scanner.error(f"candidates is {count!r}; a number is needed", place)
        graph.count_of[name] = int(count)
    graph.claims_of[name] = _read_node_claims(attributes, place)


def _read_node_claims(attributes: Attributes, place: Place) -> dict[str, Claim]:
    """Return what a node claims about its depth and whether its guess may win."""
    depth, wins = str(attributes.get("depth")), str(attributes.get("wins")).lower()
    claims = {"depth": Claim(int(depth), place)} if depth.isdigit() else {}
    if wins in ("true", "false"):
        claims["wins"] = Claim(wins == "true", place)
    return claims


def _find_guess(
    scanner: Scanner,
    game: Game,
    symbols: tuple[str, ...] | None,
    name: Hashable,
    attributes: Attributes,
    place: Place,
) -> int:
    index = str(attributes.get("code", ""))
    if index.isdigit() and int(index) < game.n_codes:
        return int(index)
    code = attributes.get("guess", attributes.get("label"))
    if not isinstance(code, str):
        raise scanner.error(f"the node {name} has no guess: a code as text is expected", place)
    return scanner.parse(game.parse_code, code, place, symbols)


def _add_edge(
    graph: Graph,
    scanner: Scanner,
    game: Game,
    source: Hashable,
    target: Hashable,
    attributes: Attributes,
    place: Place,
) -> None:
    response = _find_response(scanner, game, graph.guess_of.get(source), attributes, place)
    graph.add_edge(source, Edge(target, response, place))


def _find_response(
    scanner: Scanner, game: Game, guess: int | None, attributes: Attributes, place: Place
) -> int:
    feedback = attributes.get("feedback", attributes.get("label"))
    if game.kind == "questions" and isinstance(feedback, str) and "response" not in attributes:
        try:
            return game.parse_response(feedback, guess)
        except GameError as error:
            raise scanner.error(str(error), place) from error
    if game.kind == "questions":
        feedback = None
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
