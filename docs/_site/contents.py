"""The contents of the site: the lists of links on index.md, as they also read on their own.

The notes for developers have an index of their own, one entry at the end of the contents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

SECTION = re.compile(r"^## (.*)\n\n((?:- .*\n)+)", re.MULTILINE)
LINK = re.compile(r"^- \[.*\]\(([^)]+)\.\w+\)$", re.MULTILINE)


def setup(app: Any) -> dict[str, bool]:
    """Give each index a table of contents."""
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True}


def add_contents(_app: Any, name: str, source: list[str]) -> None:
    """Append what the sidebar shows: a caption for each heading, an entry for each link."""
    source[0] = re.sub(r"\n\n( *```\n)", r"\n\1", source[0])  # a doctest ends with an empty line
    if name in ("index", "notes/index"):
        source[0] += "\n".join(generate_contents(source[0]))
    if name == "index":
        source[0] += "\n".join(["", *write_entries("For developers", ["notes/index"])])


def generate_contents(text: str) -> Iterator[str]:
    """Yield the lines of the hidden tables of contents."""
    for caption, links in SECTION.findall(text):
        entries = LINK.findall(links)
        yield from ["", *write_entries(caption, entries)]


def write_entries(caption: str, entries: list[str]) -> list[str]:
    """Return the lines of a hidden table of contents."""
    return ["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```", ""]
