"""What pictures of trees share: the part that is shown, titles, colors, sizes, fonts.

A large tree is cut to stay readable; a state whose children are left out is a *stub*, and shows how
much is below. Pictures in SVG hold text, which the reader's fonts show; in PNG and PDF it is drawn
here, with the machine's fonts for signs that the usual fonts lack; a warning names the signs that
no font has. What a notebook shows of a tree or a game is HTML, made without any library.
"""

from __future__ import annotations

import os
import re
import subprocess
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, Unpack

from .._files import PICTURES, Target
from .._options import Option, check_whole, make_between
from .._printing import Paragraph, measure
from ..errors import UsageError, warn
from ..formats.format import Title
from ..formats.view import Stub, View, ViewOptions, make_view, walk
from ..games.base import Game
from ..games.feedback import PegFeedback
from ..games.rules import weigh, write_weight
from ..games.text import clean, reads_leftward
from ..tree.tree import Node, PlayedGame, Tree, describe_figures, iter_lengths
from ..tree.walk import count_states, find_longest, parent_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SCALES = make_between(0.1, 10.0)
"""The scales of a picture."""


def choose_format(target: Target, format: str | None) -> str:
    """Return the picture format that is asked for, by default what a path ends with, else svg."""
    kind = format or "svg"
    if format is None and isinstance(target, (str, os.PathLike)):
        kind = Path(target).suffix.lstrip(".").lower()
        if kind not in PICTURES:
            endings = ", ".join(f".{known}" for known in PICTURES)
            raise UsageError(
                f"{str(target)!r:.300} does not end as a picture does: there are {endings}"
            )
    if kind not in PICTURES:
        raise UsageError(f"unknown picture format {kind!r:.80}: there are {', '.join(PICTURES)}")
    return kind


def scale_svg(svg: bytes, scale: float) -> bytes:
    """Return an SVG of another width and height that shows the same.

    >>> scale_svg(b'<svg width="20pt" height="8.5pt" viewBox="0 0 20 8.5">', 2)
    b'<svg width="40pt" height="17pt" viewBox="0 0 20 8.5">'
    """
    sizes = re.compile(rb'(?<=<svg )([^>]*?)width="([\d.]+)pt"([^>]*?)height="([\d.]+)pt"')

    def write(found: re.Match[bytes]) -> bytes:
        before, width, between, height = found.groups()
        numbers = [f"{float(size) * scale:.10g}pt".encode() for size in (width, height)]
        return b'%swidth="%s"%sheight="%s"' % (before, numbers[0], between, numbers[1])

    return svg if scale == 1 else sizes.sub(write, svg, count=1)


_PALETTE = (
    "#c2280a",
    "#055ad1",
    "#fdf868",
    "#067660",
    "#df7197",
    "#52c4ff",
    "#dc8e00",
    "#3c2357",
    "#492618",
    "#e0e0e0",
)
"""Colors by color value, the same in pictures and on the page: vermilion, blue, yellow, green …

They were found by search for hues of these names that people without red or green cones tell apart:
seen by them, any two differ by at least 17, the first six by 19 (CIEDE2000). A game of more colors
is drawn without them, or with others; each peg has its symbol too.
"""

_MARKS = ("#b8bcc2", "#e8c547", "#6aaa64")
"""Position feedback: absent, elsewhere, in place."""


def list_paints(n_colors: int) -> list[str] | None:
    """Return the paint of each color, None for a game of too many colors."""
    return list(_PALETTE) if n_colors <= len(_PALETTE) else None


def choose_ink(paint: str) -> str:
    """Return black or white, whichever is easier to read on a color.

    Examples
    --------
    >>> choose_ink("#055ad1"), choose_ink("#fdf868")
    ('#ffffff', '#111111')
    """
    shares = (value / 255 for value in _rgb(paint))
    light = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    luminance = sum(
        part * share for part, share in zip((0.2126, 0.7152, 0.0722), light, strict=True)
    )
    # On 0.19 black and white have the same contrast, WCAG's.
    return "#111111" if luminance > 0.19 else "#ffffff"


T = TypeVar("T")


def write_tiles(feedback: str) -> str:
    """Return a position feedback, written as digits, as a row of tiles: 012 is ⬛🟨🟩."""
    return "".join("⬛🟨🟩"[int(mark)] for mark in feedback)


def paint_marks(feedback: str) -> list[str]:
    """Return the paint of each mark of a position feedback, written as digits."""
    return [_MARKS[int(mark)] for mark in feedback]


def arrange(symbols: Sequence[str], row: Sequence[T]) -> list[T]:
    """Return a row of things, one for each letter of a word, in the order in which it is read."""
    return list(reversed(row) if reads_leftward("".join(symbols)) else row)


def count_pegs(game: Game, response: int) -> tuple[int, int]:
    """Return the black and white pegs of a response; white is 0 where the answer lacks it."""
    rule = game.feedback
    return rule.feedback_of(response) if isinstance(rule, PegFeedback) else (response, 0)


def use_fonts(figure: Figure) -> set[str]:
    """Let a figure's texts take from other fonts what theirs lack; return the signs of no font."""
    from matplotlib.font_manager import FontProperties, findfont
    from matplotlib.text import Text

    texts = figure.findobj(Text)
    signs = _list_rare(sign for text in texts for sign in text.get_text())
    missing = signs - _read_signs(findfont(FontProperties())) if signs else signs
    families = []
    fonts = _list_fonts(missing) if missing else {}
    while missing and fonts:
        best = max(fonts, key=lambda name: len(fonts[name] & missing))  # of equal ones, the first
        if not fonts[best] & missing:
            break
        missing = missing - fonts.pop(best)
        families.append(best)
    for text in texts if families else ():
        text.set_fontfamily([*text.get_fontfamily(), *families])
    return missing


def find_missing(text: str) -> set[str]:
    """Return the signs of a text that no font of the machine has, as far as fontconfig knows them.

    Graphviz takes each sign from whatever font has it.
    """
    signs = _list_rare(text)
    if not signs:
        return signs
    try:
        listed = subprocess.run(
            ["fc-list", "--format", "%{charset}\n"], capture_output=True, check=True, text=True
        ).stdout
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return set()
    numbers = {sign: ord(sign) for sign in signs}
    for word in set(listed.split()):
        first, _, last = word.partition("-")
        known = range(int(first, 16), int(last or first, 16) + 1)
        numbers = {sign: number for sign, number in numbers.items() if number not in known}
    return set(numbers)


def warn_of_missing(signs: Collection[str]) -> None:
    """Warn, in one line, that a picture cannot show some signs."""
    if signs:
        shown = sorted(signs)[:8]
        more = f" and {len(signs) - 8:,} more" if len(signs) > 8 else ""
        text = (
            f"no font of this machine has {' '.join(shown)}{more}: the picture shows boxes for them"
        )
        warn(f"{text}; an SVG shows them")


def _list_rare(signs: Iterable[str]) -> set[str]:
    """Return the signs that a usual font may lack; joiners and selectors are never drawn."""
    return {
        sign
        for sign in signs
        if ord(sign) >= 0x250  # Latin letters are in every font that pictures are drawn with
        and sign not in "→–…≈≤■×·"  # what pictures write besides labels
        and unicodedata.category(sign) != "Cf"
        and not 0xFE00 <= ord(sign) <= 0xFE0F
    }


def _list_fonts(wanted: set[str]) -> dict[str, set[str]]:
    """Return the wanted signs that each font family of the machine has."""
    from matplotlib.font_manager import fontManager

    fonts: dict[str, set[str]] = {}
    for entry in sorted(fontManager.ttflist, key=lambda entry: (entry.name, entry.fname)):
        is_last_resort = "lastresort" in entry.name.replace(" ", "").lower()  # boxes for all signs
        if entry.style == "normal" and entry.name not in fonts and not is_last_resort:
            fonts[entry.name] = wanted & _read_signs(entry.fname)
    return fonts


def _read_signs(path: str) -> set[str]:
    """Return the signs of a font; none if it cannot be read."""
    from matplotlib.ft2font import FT2Font

    try:
        return set(map(chr, FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):
        return set()


RAMP = ("#fffbe0", "#fff0b3", "#ffdf8a", "#ffc76b", "#ffab5c", "#f98e5a")
"""From few to many; black text stays readable on each."""

MAX_NODES = 150
"""States in a picture unless the user asks for a depth or for all of them."""

COLORINGS = ("length", "candidates", "none")
"""Color by the longest game through a state, by its candidates, or not at all."""

PEGS = ("auto", "drawn", "none")
"""``auto`` draws pegs beside codes in SVG alone, of up to `MOST_COLORS` colors."""

MOST_COLORS = 8
"""Of more colors, pegs are harder to tell apart than digits are to read."""

ANSWERS = {
    "pegs": "answers: black, white",
    "black": "answers: black",
    "position": "answers: green, yellow and grey tiles",
    "answers": "answers: in the question's words",
    "order": "answers: the secret is lower or higher",
}
"""How to read the answers of each feedback rule."""


class Picture:
    """The states that a picture shows, a part of a view.

    Attributes
    ----------
    nodes
        The shown states, each before its children.
    longest
        Of each, the length of the longest game through it, counted from the first shown.
    colors
        The color of each of these lengths, the shortest first.
    title
        Its first line; None: that of `title_of`.
    paints
        By color, where pegs are drawn beside codes.
    """

    def __init__(
        self,
        view: View,
        limit: int | None,
        color: str,
        title: str | None,
        paints: Sequence[str] | None,
    ) -> None:
        self.view, self.color, self.title, self.paints = view, color, title, paints
        self.opened = frozenset(_open_states(view, limit))  # states whose children are shown
        self.nodes = list(walk(view.root, self.children))
        self.longest: dict[int, int] = {}
        for node in reversed(self.nodes):
            below = [self.longest[child] for child in self.children(node)]
            self.longest[node] = max(below, default=view.length(node))
            if self.is_stub(node):
                self.longest[node] = view.stub(node).worst
        self.colors = color_lengths(self.longest.values())

    def children(self, node: int) -> Sequence[int]:
        """Return the children of a state that are shown, in the view's order."""
        return self.view.children(node) if node in self.opened else ()

    def is_stub(self, node: int) -> bool:
        """Whether a shown state has children, none of which is shown."""
        return node not in self.opened and not self.view.is_leaf(node)

    def paint(self, node: int) -> str:
        """Return the color of a state as ``#rrggbb``."""
        if self.color == "none":
            return "#ffffff"
        if self.color == "length":
            return self.colors[self.longest[node]]
        return candidate_color(self.view.n_candidates(node))

    def legend(self) -> list[tuple[str, str]]:
        """Return (color, meaning) pairs; empty if nothing is colored."""
        if self.color == "none":
            return []
        if self.color == "length":
            lengths = list(self.colors.items())
            # Of more than 12, every second, third … is named, the longest always.
            step = max(1, ceil(len(lengths) / 12))
            return [(color, str(length)) for length, color in lengths[::-step][::-1]]
        present = {candidate_color(self.view.n_candidates(node)) for node in self.nodes}
        names = ("1", "2–3", "4–9", "10–99", "100–999", "1,000 or more")
        return [pair for pair in zip(RAMP, names, strict=True) if pair[0] in present]


class PictureOptions(ViewOptions, total=False):
    """The options of `make_picture`."""

    pegs: Annotated[
        str,
        Option(
            "Pegs in their colors beside each code; auto: in SVG, for up to 8 colors.",
            PEGS,
            "auto",
        ),
    ]
    title: Title
    color: Annotated[
        str,
        Option(
            "What the color of a state means.",
            COLORINGS,
            "length",
            more='``"length"``, ``"candidates"`` or ``"none"``.',
        ),
    ]
    max_nodes: Annotated[
        int | None,
        Option("Show about N states (default 150), if neither `depth` nor `all` is given."),
    ]
    all: Annotated[bool, Option("Show every state.", default=False)]


def make_picture(
    tree: Tree,
    kind: str = "dot",
    *,
    all: bool = False,
    max_nodes: int | None = None,
    color: str = "length",
    title: str | None = None,
    pegs: str = "auto",
    **view: Unpack[ViewOptions],
) -> Picture:
    """Choose what a picture shows in a format.

    A depth is followed exactly, however many states there are; without it and `all`, about
    `max_nodes` states are shown (None: 150). An empty title leaves the line out. Raises UsageError
    if an option is out of range; other errors: see `make_view`.
    """
    if color not in COLORINGS:
        raise UsageError(f"unknown coloring {color!r:.80}: there are {', '.join(COLORINGS)}")
    check_whole(max_nodes=max_nodes)
    depth = view.get("depth")
    if all and depth is not None:
        raise UsageError("`all` cannot be combined with `depth`")
    shown = make_view(tree, **view)
    limit = None if all or depth is not None else max_nodes or MAX_NODES
    paints = _choose_paints(shown, pegs, kind)
    return Picture(shown, limit, color, title, paints)


def _choose_paints(view: View, pegs: str, kind: str) -> list[str] | None:
    """Return the paint of each color, None if no pegs are drawn.

    Symbols of several letters may name colors, which the paints would contradict.
    """
    game = view.game
    if pegs not in PEGS:
        raise UsageError(f"unknown pegs {pegs!r:.80}: there are {', '.join(PEGS)}")
    if pegs == "none" or (pegs == "auto" and (kind != "svg" or game.n_colors > MOST_COLORS)):
        return None
    is_drawn = game.rules.symmetry.pegs and all(
        measure(symbol) == 1 for symbol in game.notation.symbols
    )
    paints = list_paints(game.n_colors) if is_drawn else None
    if pegs == "drawn" and not paints:
        raise UsageError("`pegs=drawn` needs pegs of at most 10 colors, one letter for each")
    return paints


def title_of(view: View, title: str | None = None) -> str:
    """Return the first line of a title: game and strategy unless it is given."""
    if title is not None:
        return clean(title)
    return f"{view.game.notation.title} · {name_strategy(view.tree)}"


def name_strategy(tree: Tree) -> str:
    """Return what a heading calls a tree's strategy: ``eligible=hints`` is hard mode there."""
    name = tree.provenance.strategy.replace(" eligible=hints", ", hard mode")
    return name.replace(" eligible=consistent", ", ultra hard")


def subtitle_of(view: View) -> str:
    """Return the second line: the statistics, in the usual order."""
    return " · ".join(describe_figures(view.tree))


def scope_of(picture: Picture) -> str:
    """Return the part of the tree that a picture shows, ``""`` for the whole tree."""
    view, shown = picture.view, ""
    if len(picture.nodes) < view.n_states:
        shown = f"{len(picture.nodes):,} of {view.n_states:,} states shown; + is what is below"
    return " · ".join(filter(None, (describe_past(view), shown)))


def describe_past(view: View) -> str:
    """Return the guesses before the first state shown, ``""`` if there are none."""
    pairs = ((view.write_code(g), view.written(r, g)) for g, r in view.history)
    steps = ", ".join(write_step(code, reply) for code, reply in pairs)
    return f"after {steps} (guesses counted from there)" if steps else ""


def write_step(left: str, right: str) -> str:
    """Return ``left → right``, in this order also where they are read from right to left."""
    return f"{keep_direction(left)} → {keep_direction(right)}"


def keep_direction(text: str) -> str:
    """Return a text with a mark at each end if it has letters that are read from right to left.

    Between the marks it is read so; what stands around it is not.
    """
    mark = "\u200e"  # from left to right: an invisible letter
    return f"{mark}{text}{mark}" if reads_leftward(text) else text


def describe_stub(stub: Stub) -> str:
    """Return a short description of the states below a stub."""
    states = "state" if stub.n_states == 1 else "states"
    return f"+{stub.n_states:,} {states}, worst {stub.worst}"


def color_lengths(lengths: Iterable[int]) -> dict[int, str]:
    """Return a color for each length, spread evenly over the ramp."""
    values = sorted(set(lengths))
    return {
        length: mix_ramp(index / max(1, len(values) - 1)) for index, length in enumerate(values)
    }


def candidate_color(n_candidates: int) -> str:
    """Return the color of a number of candidates: 1, 2–3, 4–9, 10–99, 100–999, more."""
    return RAMP[sum(n_candidates >= bound for bound in (2, 4, 10, 100, 1000))]


def mix_ramp(fraction: float) -> str:
    """Return the color at a fraction, 0 to 1, of the ramp."""
    place = fraction * (len(RAMP) - 1)
    index = min(int(place), len(RAMP) - 2)
    low, high = _rgb(RAMP[index]), _rgb(RAMP[index + 1])
    share = place - index
    mixed = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _open_states(view: View, limit: int | None) -> list[int]:
    """Choose the states whose children are shown.

    Whole levels while they fit the limit, the first one in any case; if that leaves more than half
    of the limit free, also those states of the next level with the most candidates, up to the first
    that does not fit: no state is opened while a larger one stays closed.
    """
    opened: list[int] = []
    level = [view.root]
    n_shown = 1
    while level:
        below = [child for node in level for child in view.children(node)]
        if limit is not None and n_shown + len(below) > limit and opened:
            room = limit - n_shown if n_shown < limit / 2 else 0
            for node in sorted(level, key=lambda node: (-view.n_candidates(node), node)):
                n_children = len(view.children(node))
                if n_children > room:
                    break
                if n_children:
                    room -= n_children
                    opened.append(node)
            break
        opened.extend(node for node in level if view.children(node))
        n_shown += len(below)
        level = below
    return opened


_CHIP = (
    "display:inline-block;margin:2px;padding:1px 7px;border:1px solid #777;border-radius:6px;"
    "color:#111;background:{color}"
)


def format_html(tree: Tree) -> str:
    """Return a tree as a fragment of HTML: title, statistics, histogram, states to unfold.

    It has about `MAX_NODES` states, those of the first levels. A state whose answers are left out
    shows how many states are below it, and the longest game through them.
    """
    return "".join(_generate_html(tree))


def _generate_html(tree: Tree) -> Iterator[str]:
    name = escape(f"{tree.game.name} · {tree.provenance.strategy}")
    fitting = [level for level, start in enumerate(tree.level_starts) if start <= MAX_NODES]
    n_levels = min(max(2, fitting[-1]), len(tree.level_starts) - 1)
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


def _format_histogram(tree: Tree) -> str:
    most = max(tree.share_histogram, default=0)
    has_costs = tree.game.rules.given_costs is not None
    step, unit = "cost" if has_costs else "guesses", tree.game.rules.share_unit
    # Most costs occur in no game.
    counts = tree.share_histogram
    lengths = iter_lengths(counts) if has_costs else enumerate(counts, start=1)
    rows = "".join(
        '<tr style="background:none"><td style="text-align:right;padding:0 6px">'
        f'{length}</td><td style="text-align:left;padding:0">'
        f'<span style="display:inline-block;height:9px;width:{max(1, 200 * count // most)}px;'
        f'background:#5b8db8"></span> {write_weight(weigh(count, unit))}</td></tr>'
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
        shade = (int(longest[entry]) - 1) * (len(RAMP) - 1) // max(1, tree.worst - 1)
        text = _format_state(tree, entry, RAMP[shade])
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
    guess = escape(Node(tree, node).guess)
    n_candidates = int(tree.n_candidates[node])
    left = f" · {n_candidates:,} left" if n_candidates > 1 else ""
    chip = _CHIP.format(color=color)
    return f'<span style="{chip}">{answer}<b>{guess}</b>{left}</span>'


def make_game_html(played: PlayedGame) -> str:
    """Return a game as a table for notebooks: pegs or tiles, pins, what remains."""
    rows = ""
    for number, turn in enumerate(played.turns, start=1):
        pegs = _draw_code(played, turn.code, turn.response)
        pins = "" if played.game.notation.has_tiles else _draw_pins(played.game, turn.response)
        rows += (
            f"<tr><td>{number}</td><td>{pegs}</td><td>{pins}</td>"
            f'<td style="text-align:left">{turn.n_left:,} left</td></tr>'
        )
    last = list(played.describe())[len(played.turns) :]
    paragraphs = "".join(
        f"<p>{escape(block.text)}</p>" for block in last if isinstance(block, Paragraph)
    )
    return f"<table><tbody>{rows}</tbody></table>{paragraphs}"


def _draw_code(played: PlayedGame, code: int, response: int) -> str:
    game = played.game
    colors = game.codes[code].tolist()
    if game.notation.has_tiles:
        faces = paint_marks(game.format_response(response))
    else:
        paints = list_paints(game.n_colors)
        faces = [paints[color] if paints else "#f4f4f2" for color in colors]
    shape = (
        "display:inline-block;width:1.6em;line-height:1.6em;margin:1px;text-align:center;"
        "font-weight:bold;border:1px solid #888;"
        + ("" if game.notation.has_tiles else "border-radius:1em;")
    )
    return "".join(
        f'<span style="{shape}background:{face};color:{choose_ink(face)}">'
        f"{escape(played.symbols[color])}</span>"
        for color, face in arrange(game.notation.own_symbols, list(zip(colors, faces, strict=True)))
    )


def _draw_pins(game: Game, response: int) -> str:
    """Return black and white pins as signs, and the answer as it is written as their title."""
    black, white = count_pegs(game, response)
    pins = "●" * black + "○" * white + "·" * (game.n_pegs - black - white)
    return f'<span title="{escape(game.format_response(response))}">{pins}</span>'
