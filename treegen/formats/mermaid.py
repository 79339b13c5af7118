"""Mermaid text: a flowchart, which wikis, notebooks and code forges draw in their pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Unpack

from .._files import Target, write_lines
from ..errors import UsageError
from .format import Format, Writer, check_options, describe_writer
from .tree_file import TreeSource, read
from .view import View, ViewOptions, describe_stub, make_view

MOST_NODES = 500
"""Mermaid itself refuses more edges than this."""

_SPECIAL = re.compile(r"[^\w ,.?!'()/=+-]|_")
"""What a label does not hold as it is: ends of texts, markup, entities, icons."""

_LIST = re.compile(r"[0-9]*[.)+-]")
"""How an item of a list begins, which a label cannot be."""


@describe_writer
def write_mermaid(tree: TreeSource, file: Target, **options: Unpack[ViewOptions]) -> None:
    """Write a tree as a Mermaid flowchart of up to 500 nodes.

    {parameters}

    {errors} So do more nodes.

    Examples
    --------
    >>> import sys, treegen
    >>> tree = treegen.build([{"animal": "dog", "Legs": 4}, {"animal": "ant", "Legs": 6}])
    >>> treegen.write_mermaid(tree, sys.stdout)
    flowchart TD
      n0["Legs"]
      n0 -->|"4"| n1
      n1(["dog"])
      n0 -->|"6"| n2
      n2(["ant"])
    """
    check_options(write_mermaid, **options)
    write_lines(file, generate_mermaid(make_view(read(tree), **options)))


def generate_mermaid(view: View) -> Iterator[str]:
    """Yield the lines of a flowchart: each state, behind the answer that leads to it."""
    count = sum(1 for _ in view.nodes())
    if count > MOST_NODES:
        raise UsageError(
            f"Mermaid draws {MOST_NODES} nodes at most, and {count:,} would be shown: `depth` and"
            " `path` show a part; treegen export svg, dot and icicle draw more"
        )
    yield "flowchart TD"
    yield f"  n0{_write_state(view, view.root)}"
    numbers = {view.root: 0}
    for node in view.nodes():
        for child in view.children(node):
            numbers[child] = len(numbers)
            yield f'  n{numbers[node]} -->|"{escape(view.response(child))}"| n{numbers[child]}'
            yield f"  n{numbers[child]}{_write_state(view, child)}"


def _write_state(view: View, node: int) -> str:
    """Return a state in its shape, rounded where the game is over, with what is left out below."""
    text = escape(view.guess(node))
    if view.is_cut(node):
        text += f"<br/>{describe_stub(view.stub(node))}"
    return f'(["{text}"])' if view.is_leaf(node) else f'["{text}"]'


def escape(text: str) -> str:
    """Return a text as a quoted label holds it: letters and digits, other signs as entities.

    >>> escape('Is "it" <b>?')
    'Is #34;it#34; #60;b#62;?'
    """
    item = _LIST.match(text)
    last = item.end() - 1 if item else -1
    return "".join(
        f"#{ord(sign)};" if place == last or _SPECIAL.match(sign) else sign
        for place, sign in enumerate(text)
    )


MERMAID = Format(
    "mermaid",
    Writer(
        write_mermaid,
        "A Mermaid flowchart, for wikis and notebooks.",
        "Write the tree in FILE as a Mermaid flowchart of up to 500 nodes.",
        examples=("treegen export mermaid knuth.tree --depth 2",),
        kinds=("mermaid",),
        has_stream=True,
    ),
)
