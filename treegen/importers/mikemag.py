"""Read the Graphviz strategies of mikemag/Mastermind (``mastermind_strategy_knuth_4p6c.gv``).

One statement per line: a node ``ID [label="1122", …]``, an edge ``ID -> ID [label="02"]`` whose
label is black and white. The first guess's label may continue after the code (``1122 - 0``). Codes
are digits from 1, then letters. Attributes of the graph are ignored.
"""

from __future__ import annotations

import re

from ..games import Game
from ..tree import History
from .graph import Edge, Graph
from .scan import Scanner
from .sketch import Sketch

_TEXT = r'"((?:[^"\\\n]|\\.)*)"'
_ID = r'("(?:[^"\\\n]|\\.)*"|[A-Za-z0-9_]+)'
_HEAD = re.compile(r"(?:strict )?digraph\b[^{\n]*\{")
_EDGE = re.compile(rf"{_ID} -> {_ID} \[label={_TEXT}[^\]\n]*\];?(?=\n)")
_NODE = re.compile(rf"{_ID} \[label={_TEXT}[^\]\n]*\];?(?=\n)")
_SETTING = re.compile(r"(?:(?:graph|node|edge) \[[^\]\n]*\]|\w+=[^\n]*|//[^\n]*);?(?=\n)")


def sketch_gv(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read nodes and edges; raise FormatError at the first statement that is neither."""
    if scanner.match(_HEAD) is None:
        raise scanner.expected("'digraph NAME {'")
    graph = Graph()
    while scanner.peek() != "}":
        if edge := scanner.match(_EDGE):
            response = scanner.parse(game.parse_response, _unescape(edge.group(3)), edge.start(3))
            graph.add_edge(
                _strip(edge.group(1)), Edge(_strip(edge.group(2)), response, edge.start())
            )
        elif node := scanner.match(_NODE):
            code = _unescape(node.group(2)).split(" ")[0]
            guess = scanner.parse(game.parse_code, code, node.start(2), symbols)
            graph.add_node(_strip(node.group(1)), guess, node.start(), scanner)
        elif scanner.match(_SETTING) is None:
            raise scanner.expected('ID [label="1122"], ID -> ID [label="02"] or \'}\'')
    scanner.expect("}")
    if scanner.peek():
        raise scanner.expected("the end of the text")
    return graph.sketch(game, scanner, history)


def _strip(identifier: str) -> str:
    return identifier.strip('"')


def _unescape(text: str) -> str:
    """Return a text in quotes without its escapes: a backslash before quotes and backslashes."""
    return re.sub(r"\\(.)", r"\1", text)
