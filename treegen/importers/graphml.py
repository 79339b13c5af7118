"""GraphML parsed strictly: nodes, edges and attributes, with the place of each."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from ..errors import FormatError
from .sketch import Place


class GraphmlReader:
    """Collects the nodes, the edges and the graph's attributes of a document, with places."""

    def __init__(self) -> None:
        self.about: dict[str, Any] = {}
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

    def read(self, text: str) -> None:
        """Read a document."""
        try:
            self.parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FormatError(f"{self._place(error.lineno, error.offset)}: {reason}") from error

    def _start(self, tag: str, given: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        place = self._place(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)
        if tag == "gexf":
            raise FormatError("GEXF is not read; GraphML is: save the graph as that")
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
                self.attributes[self.key] = ""
        except KeyError as error:
            raise FormatError(f"{place}: <{tag}> has no known {error.args[0]!r}") from error

    def _end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag in ("node", "edge"):
            self.attributes = self.about
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
