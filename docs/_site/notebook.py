"""Notebooks as pages, with the outputs that they hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from myst_parser.parsers.sphinx_ import MystParser


class NotebookParser(MystParser):  # type: ignore[misc, unused-ignore]
    """Reads a notebook as the Markdown that shows the same."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: Any) -> None:
        """Parse cells and outputs."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n".join(line for cell in cells for line in show_cell(cell)), document)


def setup(app: Any) -> dict[str, bool]:
    """Register the parser."""
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}


def show_cell(cell: dict[str, Any]) -> Iterator[str]:
    """Yield the Markdown of a cell."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield from [source, ""]
        return
    yield from ["````python", source, "````", ""]
    for output in cell["outputs"]:
        yield from show_output(output)


def show_output(output: dict[str, Any]) -> Iterator[str]:
    """Yield the richest form of an output."""
    data = output.get("data", {"text/plain": output.get("text", [])})
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            yield from ["````{raw} html", '<div class="output">', *data[kind], "</div>", "````", ""]
            return
    yield from ["````text", "".join(data["text/plain"]).rstrip("\n"), "````", ""]
