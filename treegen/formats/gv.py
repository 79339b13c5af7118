"""Graphviz text as mikemag's Mastermind writes a strategy (``mastermind_strategy_knuth_4p6c.gv``).

Every state is a node, breadth first, named by its answers in hexadecimal, one after the other, the
first guess ``IG``. Answers that win lead nowhere and are not written.

One statement per line is read: a node ``ID [label="1122", …]``, an edge ``ID -> ID [label="02"]``
whose label is black and white. The first guess's label may continue after the code (``1122 - 0``).
Codes are digits from 1, then letters. Attributes of the graph are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .format import Format, Reader, Style
from .graph import Edge, Graph
from .header import describe_cut, describe_stub
from .sketch import Sketch
from .view import View

_SETTINGS = ('size="40,40"', "overlap=true", "ranksep=5", "ordering=out", "node [shape=plaintext]")


def generate_gv(view: View) -> Iterator[str]:
    """Yield the lines of the graph; if the depth cuts it, a comment says so."""
    game = view.game
    strategy = re.sub(r"\W+", "_", view.tree.provenance.strategy).strip("_")
    yield f"digraph Mastermind_Strategy_{strategy}_{game.n_pegs}p{game.n_colors}c {{"
    yield from _SETTINGS
    if view.is_cut_anywhere:
        yield f"// Cut: {describe_cut(view)}"
    if view.is_cut(view.root):
        yield f"// IG {describe_stub(view.stub(view.root))}"
    yield "root=IG"
    yield f'IG [label="{_escape(view.guess(view.root))}",shape=circle,color=red]'
    width = max(2, len(f"{game.n_responses - 1:x}"))
    level = [(view.root, "")]
    while level:
        below = [
            (child, f"{path}{view.response_index(child):0{width}x}", path)
            for node, path in level
            for child in view.children(node)
        ]
        for node, path, above in below:
            yield f'"{path}" [label="{_escape(view.guess(node))}",fontcolor=green,style=bold]'
            source = f'"{above}"' if above else "IG"
            yield f'{source} -> "{path}" [label="{view.response(node)}"]'
            if view.is_cut(node):
                yield f'// "{path}" {describe_stub(view.stub(node))}'
        level = [(node, path) for node, path, _ in below]
    yield "}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


_TEXT = r'"((?:[^"\\\n]|\\.)*)"'
_ID = r'("(?:[^"\\\n]|\\.)*"|[A-Za-z0-9_]+)'
_HEAD = re.compile(r"(?:strict )?digraph\b[^{\n]*\{")
_EDGE = re.compile(rf"{_ID} -> {_ID} \[label={_TEXT}[^\]\n]*\];?(?=\n)")
_NODE = re.compile(rf"{_ID} \[label={_TEXT}[^\]\n]*\];?(?=\n)")
_SETTING = re.compile(r"(?:(?:graph|node|edge) \[[^\]\n]*\]|\w+=[^\n]*|//[^\n]*);?(?=\n)")


def read_gv(sketch: Sketch) -> Sketch:
    """Read nodes and edges; raise FormatError at the first statement that is neither."""
    scanner, graph = sketch.scanner, Graph()
    if scanner.match(_HEAD) is None:
        raise scanner.expected("'digraph NAME {'")
    while scanner.peek() != "}":
        if edge := scanner.match(_EDGE):
            source, target, answer = edge.groups()
            response = sketch.parse_response(_unescape(answer), edge.start(3))
            graph.add_edge(source.strip('"'), Edge(target.strip('"'), response, edge.start()))
        elif node := scanner.match(_NODE):
            code = _unescape(node.group(2)).split(" ")[0]
            guess = sketch.parse_code(code, node.start(2))
            graph.add_node(node.group(1).strip('"'), guess, node.start(), scanner)
        elif scanner.match(_SETTING) is None:
            raise scanner.expected('ID [label="1122"], ID -> ID [label="02"] or \'}\'')
    scanner.expect("}")
    scanner.expect_end()
    return graph.fill(sketch)


def _unescape(text: str) -> str:
    """Return a text in quotes without its escapes: a backslash before quotes and backslashes."""
    return re.sub(r"\\(.)", r"\1", text)


GV = Format(
    "gv",
    style=Style(generate_gv, "Graphviz as mikemag's Mastermind writes it", kind="dot"),
    reader=Reader(
        read_gv,
        "Graphviz strategies of mikemag/Mastermind.",
        "Read a Graphviz strategy of mikemag/Mastermind.",
        ("treegen import gv mikemag.gv -g p4c6r -o copy.tree",),
        looks=r"\s*(strict )?digraph\b",
    ),
)
