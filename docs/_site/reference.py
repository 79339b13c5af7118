"""The reference: a page for every public name, in the groups of its first page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from pages import add_entries, remove_others, write_pages
from sphinx.util import logging

import treegen

NAME = re.compile(r"^\| `treegen\.(\w+)` \|", re.MULTILINE)

ALIASES = {
    "treegen.formats.inputs": ["GameSource", "HistorySource", "Numbers", "Symbols"],
    "treegen.formats.tree_file": ["TreeSource"],
    "treegen.analysis.compare": ["Competitor"],
    "treegen.tasks.work": ["ProgressOption"],
    "treegen._files": ["Target"],
}
"""Types of parameters, by the modules that define them."""

CLASSES = {
    "treegen.games.rules": ["Symmetry", "Goal", "Spread"],
    "treegen.games.pegs": ["PegRules"],
    "treegen.games.codebook": ["WordRules"],
    "treegen.strategies.strategy": ["Criterion"],
    "treegen.online.player": ["OnlineStrategy"],
    "treegen.tree.tree": ["Provenance", "Turn"],
    "treegen.verifier.verify": ["Claim", "Published"],
    "treegen.analysis.diff": ["Side"],
    "treegen.analysis.explain": ["RankedGuess", "Stage"],
    "treegen.exact.request": ["SearchLog"],
    "treegen.exact.opening_totals": ["OpeningRanking"],
    "treegen.analysis.statistics": ["Entry"],
    "treegen.formats.inputs": ["GameOptions"],
    "treegen.analysis.compare": ["Contest"],
}
"""Classes of which functions and results speak; nobody need import them."""

log = logging.getLogger(__name__)


def setup(app: Any) -> dict[str, bool]:
    """Write the pages before Sphinx looks for them."""
    app.connect("builder-inited", write_reference)
    app.connect("source-read", link_names)
    app.connect("missing-reference", find_public)
    return {"parallel_read_safe": True}


def write_reference(_app: Any) -> None:
    """Write a page for each name, and one of types."""
    names = [name for name in treegen.__all__ if name != "__version__"]
    pages = {name: "\n".join(generate_page(name)) for name in names}
    pages["types"] = "\n".join(generate_types())
    remove_others({*pages, "commands"})
    write_pages(pages)


def generate_page(name: str) -> Iterator[str]:
    """Yield the lines of the page of a name."""
    yield from [name, "=" * len(name), "", ".. currentmodule:: treegen", ""]
    value = getattr(treegen, name)
    if not inspect.isclass(value):
        yield from [f".. autofunction:: {name}", ""]
        return
    yield from [f".. autoclass:: {name}", "   :members:", "   :exclude-members: describe"]
    if not issubclass(value, (BaseException, dict)):
        yield "   :inherited-members:"
    yield ""


def generate_types() -> Iterator[str]:
    """Yield the lines of the page of types."""
    yield from [
        "Types in signatures",
        "===================",
        "",
        "What parameters take",
        "-" * 20,
        "",
    ]
    for module, names in ALIASES.items():
        for name in names:
            yield from [f".. autodata:: {module}.{name}", "   :no-index-entry:", ""]
    yield from ["What results hold", "-" * 17, ""]
    for module, names in CLASSES.items():
        for name in names:
            yield from [f".. autoclass:: {module}.{name}", "   :members:", ""]


def link_names(_app: Any, page: str, source: list[str]) -> None:
    """Make links of the names on the reference's first page, and its table of contents."""
    if page == "reference":
        names = NAME.findall(source[0])
        source[0] = NAME.sub(r"| {py:obj}`\1 <treegen.\1>` |", source[0])
        add_entries(source, [*names, "types"])


def find_public(app: Any, env: Any, node: Any, content: nodes.Element) -> nodes.Element | None:
    """Resolve a name of the module that defines it, or of its folder, to the page that has it."""
    target = node.get("reftarget", "")
    if node.get("refdomain") != "py":
        return None
    name = target.rpartition(".")[2]
    domain = env.get_domain("py")
    found = [full for full in domain.objects if full.rpartition(".")[2] == name]
    is_ours = target.startswith("treegen.") or (name == target and name[:1].isupper())
    if is_ours and len(found) == 1:
        place = domain.objects[found[0]]
        link: nodes.Element | None = domain.resolve_xref(
            env, node["refdoc"], app.builder, place.objtype, found[0], node, content
        )
        return link
    if target.startswith("treegen.") and node.get("reftype") == "obj":  # written by somebody
        log.warning("no page documents %s", target, location=node)
    return None
