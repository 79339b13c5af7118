"""Graphviz text: written as mikemag's Mastermind does, read as the DOT language has it.

Nodes and edges have what their labels say; a node without one has its name. Subgraphs are read as
what is in them; other attributes are ignored. pydot parses DOT too, but slowly, and without the
places that messages need; ``dot -Tjson`` needs Graphviz.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from ..errors import GameError
from ..games.text import unescape_html
from .format import Format, Reader, Style
from .graph import Edge, Graph, find_response
from .sketch import Scanner, Sketch
from .view import View, describe_cut, describe_stub


def generate_gv(view: View) -> Iterator[str]:
    """Yield the lines of the graph; if the depth cuts it, a comment says so."""
    game = view.game
    strategy = re.sub(r"\W+", "_", view.tree.provenance.strategy).strip("_")
    yield f"digraph Mastermind_Strategy_{strategy}_{game.n_pegs}p{game.n_colors}c {{"
    yield from ('size="40,40"', "overlap=true", "ranksep=5", "ordering=out")
    yield "node [shape=plaintext]"
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


_GAP = re.compile(r"(?>(?:\s++|//[^\n]*|/\*(?>(?:[^*]|\*(?!/))*)\*/|^#[^\n]*)+)", re.MULTILINE)
_QUOTED = re.compile(r'"((?>(?:[^"\\]|\\.)*))"', re.DOTALL)
_BARE = re.compile(
    r"-?(?:\.[0-9]++|[0-9]++\.[0-9]*+|[0-9]++(?![A-Za-z_\x80-\U0010ffff]))"
    r"|[A-Za-z0-9_\x80-\U0010ffff]++"
)
_SIGN = re.compile("[<>]")
_KEYWORDS = ("strict", "graph", "digraph", "subgraph", "node", "edge")


@dataclass(frozen=True, slots=True)
class _Text:
    """An ID of the language: its text, and its place."""

    text: str
    place: int
    is_html: bool = False
    keyword: str = ""

    def read_label(self) -> str:
        """Return the first line of a label."""
        if self.is_html:
            text = re.sub(r"(?i:<br\b[^<>]*>)", "\n", self.text)
            return unescape_html(re.sub("<[^<>]*>", "", text)).strip().split("\n")[0].rstrip()
        lines = re.split(r"(?<!\\)((?:\\\\)*)\\[nlr]", self.text, maxsplit=1)
        return re.sub(r"\\(.)", r"\1", "".join(lines[:2]))


class _Dot:
    """The statements of a graph as they are read: labels of nodes, and edges."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.nodes: dict[str, _Text] = {}
        self.labels: dict[str, _Text] = {}
        self.edges: list[tuple[_Text, _Text, _Text]] = []  # from, to, label

    def read(self) -> None:
        """Read the graph; raise FormatError where the text is not DOT."""
        scanner = self.scanner
        if self._take_keyword("strict", "digraph") == "strict":
            self._take_keyword("digraph")
        if not self._take("{"):
            self._expect_text("a name or '{'")
            self._expect("{")
        depth = 1
        while depth:
            if self._take("}"):
                depth -= 1
            elif self._take("{"):
                depth += 1
            elif not self._take(";"):
                depth += self._read_statement()
        self._skip()
        scanner.expect_end()

    def _read_statement(self) -> int:
        """Read a statement; return how many subgraphs it opens."""
        first = self._expect_text("""ID [label="1122"], ID -> ID [label="02"] or '}'""")
        if first.keyword == "subgraph":
            if not self._take("{"):
                self._expect_text("a name or '{'")
                self._expect("{")
            return 1
        if first.keyword:
            self._read_attributes()
        elif self._take("="):
            self._expect_text("a value")
        else:
            self._read_node_or_edges(first)
        return 0

    def _read_node_or_edges(self, first: _Text) -> None:
        chain = [first]
        self._skip_port()
        while self._take("->"):
            chain.append(self._expect_text("the name of a node"))
            self._skip_port()
        label = self._read_attributes()
        if len(chain) == 1:
            self.nodes.setdefault(first.text, first)
            if label is not None and first.text in self.labels:
                before = self.scanner.locate(self.nodes[first.text].place)
                message = f"the node {first.text:.80} is already at {before}"
                raise self.scanner.error(message, first.place)
            if label is not None:
                self.labels[first.text] = label
        elif label is None:
            message = 'expected ID -> ID [label="02"]: the edge has no label'
            raise self.scanner.error(message, first.place)
        else:
            self.edges += [(*pair, label) for pair in pairwise(chain)]

    def _read_attributes(self) -> _Text | None:
        """Read lists of attributes; return the label."""
        label = None
        while self._take("["):
            while not self._take("]"):
                name = self._expect_text("an attribute or ']'")
                value = self._expect_text("a value") if self._take("=") else name
                label = value if name.text == "label" else label
                if not self._take(","):
                    self._take(";")
        return label

    def _skip_port(self) -> None:
        while self._take(":"):
            self._expect_text("a port")

    def _skip(self) -> None:
        if gap := _GAP.match(self.scanner.text, self.scanner.at):
            self.scanner.at = gap.end()

    def _take(self, sign: str) -> bool:
        self._skip()
        return self.scanner.take(sign)

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise self.scanner.expected(repr(sign))

    def _take_keyword(self, *words: str) -> str:
        found = self._expect_text("'digraph NAME {'")
        if found.keyword not in words:
            raise self.scanner.error("expected 'digraph NAME {'", found.place)
        return found.keyword

    def _expect_text(self, what: str) -> _Text:
        """Take an ID: a word or a number, a text in quotes, or HTML."""
        self._skip()
        scanner, place = self.scanner, self.scanner.at
        if found := _QUOTED.match(scanner.text, place):
            pieces = [found[1]]
            scanner.at = found.end()
            while self._take("+"):
                self._skip()
                more = _QUOTED.match(scanner.text, scanner.at)
                if more is None:
                    raise scanner.expected("a text in quotes")
                pieces.append(more[1])
                scanner.at = more.end()
            return _Text("".join(pieces).replace("\\\n", ""), place + 1)
        if found := _BARE.match(scanner.text, place):
            scanner.at = found.end()
            word = found[0].lower()
            return _Text(found[0], place, keyword=word if word in _KEYWORDS else "")
        if scanner.text.startswith("<", place):
            return self._take_html()
        raise scanner.expected(what)

    def _take_html(self) -> _Text:
        scanner, begin, depth = self.scanner, self.scanner.at, 0
        for sign in _SIGN.finditer(scanner.text, begin):
            depth += 1 if sign[0] == "<" else -1
            if not depth:
                scanner.at = sign.end()
                return _Text(scanner.text[begin + 1 : sign.start()], begin, is_html=True)
        raise scanner.error("the HTML that begins here does not end", begin)


def read_gv(sketch: Sketch) -> Sketch:
    """Read nodes and edges; raise FormatError where the text is not DOT or not a tree."""
    scanner, game = sketch.scanner, sketch.game
    dot, graph = _Dot(scanner), Graph()
    dot.read()
    for name, stated in dot.nodes.items():
        label = dot.labels.get(name, stated)
        code = label.read_label()
        # mikemag's Mastermind writes a remark behind the first code.
        guess = sketch.parse_code(
            code.split(" ")[0] if game.notation.in_columns else code, label.place
        )
        graph.add_node(name, guess, stated.place, scanner)
    for node in (node for edge in dot.edges for node in edge[:2]):
        if node.text not in graph.nodes:
            with suppress(GameError):  # then it is missing
                guess = game.parse_code(node.text)
                graph.add_node(node.text, guess, node.place, scanner)
    for source, target, label in dot.edges:
        answer = {"feedback": label.read_label()}
        response = find_response(sketch, graph.nodes.get(source.text), answer, label.place)
        graph.edges_of[source.text].append(Edge(target.text, response, source.place))
    return graph.fill(sketch)


GV = Format(
    "gv",
    style=Style(generate_gv, "Graphviz as mikemag's Mastermind writes it", kind="dot"),
    reader=Reader(
        read_gv,
        "Graphviz strategies of mikemag/Mastermind.",
        "Read a Graphviz strategy of mikemag/Mastermind.",
        ("treegen import gv mikemag.gv -g p4c6r -o copy.tree",),
        looks=rf"(?m:{_GAP.pattern})?(?i:strict\s+)?(?i:digraph)\b",
    ),
)
