"""What a notebook shows of a tree: its statistics, and its first guesses to unfold."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from .below import count_states, find_longest
from .figures import describe_figures
from .tree import Tree
from .walk import parent_of
from .weighted import iter_lengths

MAX_STATES = 150
"""About how many states are shown; whole levels, the first answers in any case."""

SHADES = ("#fffbe0", "#fff0b3", "#ffdf8a", "#ffc76b", "#ffab5c", "#f98e5a")
"""From the shortest games to the longest."""

_CHIP = (
    "display:inline-block;margin:2px;padding:1px 7px;border:1px solid #777;border-radius:6px;"
    "color:#111;background:{color}"
)


def format_html(tree: Tree) -> str:
    """Return a tree as a fragment of HTML: title, statistics, histogram, states to unfold.

    It has about 150 states, those of the first levels. A state whose answers are left out shows how
    many states are below it, and the longest game through them.

    Examples
    --------
    >>> import treegen
    >>> format_html(treegen.build("p2c3r", "knuth"))[:48]
    '<div style="line-height:1.5"><b>p2c3r · knuth</b'
    """
    return "".join(_generate_html(tree))


def _generate_html(tree: Tree) -> Iterator[str]:
    name = escape(f"{tree.game.name} · {tree.provenance.strategy}")
    n_levels = _choose_levels(tree)
    yield f'<div style="line-height:1.5"><b>{name}</b><br>'
    yield " · ".join([*describe_figures(tree)[:4], f"{tree.n_nodes:,} states"])
    yield _format_histogram(tree)
    yield from _generate_states(tree, n_levels)
    if n_levels < len(tree.level_starts) - 1:
        yield (
            f"<small>The first {n_levels} guesses are shown;"
            " + says how many states are below, and the longest game there.</small>"
        )
    yield "</div>"


def _choose_levels(tree: Tree) -> int:
    """Return how many whole levels are shown."""
    fitting = [level for level, start in enumerate(tree.level_starts) if start <= MAX_STATES]
    return min(max(2, fitting[-1]), len(tree.level_starts) - 1)


def _format_histogram(tree: Tree) -> str:
    most = max(tree.histogram, default=0)
    has_costs = tree.game.stakes.costs is not None
    step = "cost" if has_costs else "guesses"
    # Most costs are those of no game.
    lengths = iter_lengths(tree.histogram) if has_costs else enumerate(tree.histogram, start=1)
    rows = "".join(
        '<tr style="background:none"><td style="text-align:right;padding:0 6px">'
        f'{length}</td><td style="text-align:left;padding:0">'
        f'<span style="display:inline-block;height:9px;width:{max(1, 200 * count // most)}px;'
        f'background:#5b8db8"></span> {count:,}</td></tr>'
        for length, count in lengths
    )
    caption = f'<tr style="background:none"><td style="padding:0 6px">{step}</td><td></td></tr>'
    return f'<table style="border:0;margin:4px 0;font-size:90%">{caption}{rows}</table>'


def _generate_states(tree: Tree, n_levels: int) -> Iterator[str]:
    """Yield the shown states, each before those below it, with the tags that nest them."""
    states, longest = count_states(tree), find_longest(tree)
    stack: list[int | str] = [0]
    while stack:
        entry = stack.pop()
        if isinstance(entry, str):
            yield entry
            continue
        children = tree.children(entry)
        text = _format_state(tree, entry, _shade(int(longest[entry]), tree.worst))
        if tree.depth[entry] + 1 >= n_levels:
            below = f"<small>+{states[entry] - 1:,}, worst {longest[entry]}</small> "
            yield f'<span style="white-space:nowrap">{text}{below if children else ""}</span> '
        elif not children:
            yield f'<div style="margin-left:2.2em">{text}</div>'
        else:
            unfolded = " open" if entry == 0 else ""
            yield f'<details{unfolded} style="margin-left:1.2em"><summary>{text}</summary>'
            yield '<div style="margin-left:2.2em">'
            stack.append("</div></details>")
            stack.extend(reversed(children))


def _format_state(tree: Tree, node: int, color: str) -> str:
    game = tree.game
    answer = ""
    if node:
        asked = int(tree.guess[parent_of(tree, node)])
        answer = f"{escape(game.format_response(int(tree.response[node]), asked))} → "
    guess = escape(game.format_code(int(tree.guess[node])))
    n_candidates = int(tree.n_candidates[node])
    left = f" · {n_candidates:,} left" if n_candidates > 1 else ""
    chip = _CHIP.format(color=color)
    return f'<span style="{chip}">{answer}<b>{guess}</b>{left}</span>'


def _shade(length: int, worst: int) -> str:
    return SHADES[(length - 1) * (len(SHADES) - 1) // max(1, worst - 1)]
