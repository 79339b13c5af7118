"""Graphviz text as mikemag's Mastermind writes a strategy: every state a node, breadth first.

A node is named by its answers in hexadecimal, one after the other, the first guess ``IG``. Answers
that win lead nowhere and are not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text_header import describe_cut, describe_stub
from .view import View

_SETTINGS = ('size="40,40"', "overlap=true", "ranksep=5", "ordering=out", "node [shape=plaintext]")


def generate_gv(view: View) -> Iterator[str]:
    """Yield the lines of the graph; if the depth cuts it, a comment says so."""
    strategy = re.sub(r"\W+", "_", view.tree.provenance.strategy).strip("_")
    yield f"digraph Mastermind_Strategy_{strategy}_{_write_size(view)} {{"
    yield from _SETTINGS
    if view.is_cut_anywhere:
        yield f"// Cut: {describe_cut(view)}"
    if view.is_cut(view.root):
        yield f"// IG {describe_stub(view.stub(view.root))}"
    yield "root=IG"
    yield f'IG [label="{_escape(view.guess(view.root))}",shape=circle,color=red]'
    width = max(2, len(f"{view.game.n_responses - 1:x}"))
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


def _write_size(view: View) -> str:
    return f"{view.game.n_pegs}p{view.game.n_colors}c"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
