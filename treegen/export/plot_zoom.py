"""Names and zoom in the SVG of an icicle or a sunburst, as flame graphs have them.

Each state gets a title, which viewers show as a tooltip and screen readers speak. A small script
enlarges a state that is clicked; viewers without scripts ignore it.
"""

from __future__ import annotations

import re
from importlib.resources import files
from xml.sax.saxutils import escape

from ..tree import parent_of
from .picture import write_step
from .plot_layout import STATES, Layout

_STYLE = '<style>[id^="label-"], #tiles { pointer-events: none }</style>\n'
"""Labels lie over the states; the pointer is for these."""

_PATH = re.compile(r'(<path d="[^"]*"[^>]*?)/>')


def add_names(svg: str, layout: Layout, kind: str, *, script: bool = True) -> str:
    """Return an SVG of matplotlib with a title for each state, and the script that zooms.

    Parameters
    ----------
    svg
        The picture; its states are the paths of the group `STATES`, in the layout's order.
    layout
        The states.
    kind
        ``"icicle"`` or ``"sunburst"``.
    script
        Whether it zooms.

    Notes
    -----
    A picture whose states are pixels has no paths: it stays as it is.
    """
    begin = svg.find(f'<g id="{STATES}">')
    end = svg.find("</g>", begin)
    if begin < 0 or len(_PATH.findall(svg, begin, end)) != len(layout.nodes):
        return svg
    number = iter(range(len(layout.nodes)))
    states = _PATH.sub(lambda path: _name(path[1], layout, next(number)), svg[begin:end])
    named = (svg[:begin] + states + svg[end:]).replace("</svg>", f"{_STYLE}</svg>")
    return _embed(named, kind) if script else named


def describe_state(layout: Layout, index: int) -> str:
    """Return what the tooltip says: answer and guess, then what is known of the state."""
    view = layout.view
    node = int(layout.nodes[index])
    n_candidates = view.n_candidates(node)
    facts = [
        f"{n_candidates:,} candidate{'' if n_candidates == 1 else 's'}",
        layout.write_value(index),
    ]
    before: list[str] = []
    above = parent_of(view.tree, node) if node != view.root else node
    while above != view.root:
        before.insert(0, layout.write_answer(above))
        above = parent_of(view.tree, above)
    if before:
        facts.insert(0, f"after {', '.join(before)}")
    name = view.guess(node)
    if node != view.root:
        name = write_step(layout.write_answer(node), name)
    return f"{name}\n{' · '.join(facts)}"


def _name(path: str, layout: Layout, index: int) -> str:
    numbers = f"{layout.start[index]:.9g} {layout.width[index]:.9g} {layout.level[index]}"
    text = escape(describe_state(layout, index))
    return f'{path} data-state="{numbers}"><title>{text}</title></path>'


def _embed(svg: str, kind: str) -> str:
    source = files(__package__).joinpath("plot_zoom.js").read_text(encoding="utf-8")
    lines = (line.strip() for line in source.splitlines())
    short = "\n".join(line for line in lines if line and not line.startswith("//"))
    svg = re.sub(r"<svg ", f'<svg data-kind="{kind}" ', svg, count=1)
    return svg.replace("</svg>", f"<script><![CDATA[\n{short}\n]]></script>\n</svg>")
