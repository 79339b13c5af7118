"""Write the lesson for people who have a ZIP of the project: trees/lesson.html and a sheet.

Usage: python scripts/build-lesson.py [FOLDER]

FOLDER is trees/ by default. lesson.html is docs/how-to/lesson.md, whose links lead to files of
trees/ alone. lesson-sheet.html, to print, has a tree of few codes, tables and charts to fill in,
and the answers on its last page; each number on it is computed.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import treegen  # noqa: E402
from treegen.page.html import ICON_ADDRESS, add_policy  # noqa: E402
from treegen.pictures.picture import count_pegs  # noqa: E402
from treegen.tree.tree import Node  # noqa: E402

LESSON = ROOT / "docs" / "how-to" / "lesson.md"
TREES = ROOT / "trees"

PEG, PIN, BAR, STEP = 7.0, 4.0, 12.0, 5.0
"""Millimeters of a peg and a pin; of a chart's columns and of its rows."""

COLUMN, LEVEL, BOX, BOX_HEIGHT = 38.0, 33.0, 24.0, 14.0
"""Millimeters of the drawn tree: between two last guesses, from guess to guess, a box."""

CLASS_GUESSES, CLASS_GAMES = 10, 10
"""The class's chart has a column for each number of guesses, and room for this many games."""


def generate_lesson() -> str:
    """Return the lesson as a page."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(LESSON.read_text("utf-8"))
    for token in tokens:
        _lead_into_trees(token.children or ())
    body = markdown.renderer.render(tokens, markdown.options, {})
    body = body.replace("<pre>", '<pre tabindex="0">')  # to scroll it without a mouse
    return _fill("lesson.html", title=tokens[1].content, body=body)


def _lead_into_trees(tokens: Sequence[Token]) -> None:
    """Make links to files of trees/ relative to that folder, and of others the titles of pages."""
    is_title = False
    for token in tokens:
        if token.type == "link_open":
            address, mark, place = str(token.attrs.pop("href")).partition("#")
            path = Path(os.path.normpath(LESSON.parent / address))
            is_title = TREES not in path.parents
            if not is_title:
                token.attrs["href"] = path.relative_to(TREES).as_posix() + mark + place
        if is_title and token.type in ("link_open", "link_close"):
            token.tag = "cite"


def generate_sheet() -> str:
    """Return the sheet: two pages for pupils, then one with the answers."""
    tree = treegen.build("p2c3r", "knuth")
    large = treegen.read(TREES / "p4c6r-knuth.tree")
    game, codes = tree.game, range(tree.n_secrets)
    games = [tree.play(index=code) for code in codes]
    numbers = [len(one.turns) for one in games]
    longest = numbers.index(tree.worst)
    first = int(tree.guess[0])
    most = [max(_count_answers(game, guess).values()) for guess in codes]
    alike = [guess for guess in codes if most[guess] == most[first]]
    guesses = [first, min(alike, key=lambda guess: (_average_left(game, guess), guess))]
    n_rows = max(tree.histogram) + 1
    tenths = [10 * count / large.n_secrets for count in large.histogram]
    return _fill(
        "lesson-sheet.html",
        n_codes=len(codes),
        n_pegs=game.n_pegs,
        colors=", ".join(game.notation.own_symbols),
        codes=" ".join(_draw_code(game, code) for code in codes),
        black=_draw_pins("●"),
        white=_draw_pins("○"),
        hole=_draw_pins("·"),
        found=_draw_answer(game, game.win),
        tree=_draw_tree(tree),
        longest=_draw_code(game, longest),
        way=" ".join(_draw_code(game, turn.code) for turn in games[longest].turns),
        blanks=" ".join(["<u></u>"] * tree.worst),
        blank_numbers=_write_numbers(game, [""] * len(codes)),
        numbers=_write_numbers(game, numbers),
        blank_chart=_draw_chart([0] * (tree.worst + 1), n_rows, "codes"),
        chart=_draw_chart([*tree.histogram, 0], n_rows, "codes"),
        total=tree.total,
        average=f"{tree.average:.2f}",
        histogram=_list_numbers(tree.histogram),
        first=_draw_code(game, guesses[0]),
        other=_draw_code(game, guesses[1]),
        blank_answers=_write_answers(game, guesses, is_filled=False),
        answers=_write_answers(game, guesses, is_filled=True),
        blank_cells=_write_cells(game, guesses, is_filled=False),
        cells=_write_cells(game, guesses, is_filled=True),
        large_pegs=large.game.n_pegs,
        large_colors=large.game.n_colors,
        class_chart=_draw_chart([0] * CLASS_GUESSES, CLASS_GAMES, "games"),
        large_chart=_draw_chart(
            [*tenths, *[0] * (CLASS_GUESSES - large.worst)], round(max(tenths)) + 1, "tenths"
        ),
        large_codes=f"{large.n_secrets:,}",
        large_average=f"{large.average:.2f}",
        large_worst=large.worst,
        large_histogram=_list_numbers(large.histogram),
    )


# Codes and answers.


def _draw_code(game: treegen.Game, code: int) -> str:
    """Return a code as a drawing of its own."""
    text = game.format_code(code)
    return _draw(PEG * game.n_pegs, PEG, text, _place_pegs(text, 0, 0))


def _draw_answer(game: treegen.Game, response: int) -> str:
    """Return an answer as a drawing of its own."""
    return _draw_pins(_write_pins(game, response))


def _draw_pins(pins: str) -> str:
    names = {"●": "black", "○": "white", "·": "none"}
    return _draw(
        PIN * len(pins), PIN, " ".join(map(names.__getitem__, pins)), _place_pins(pins, 0, 0)
    )


def _write_pins(game: treegen.Game, response: int) -> str:
    black, white = count_pegs(game, response)
    return "●" * black + "○" * white + "·" * (game.n_pegs - black - white)


def _draw(width: float, height: float, label: str, shapes: str) -> str:
    return (
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}mm" height="{height:g}mm">{shapes}</svg>'
    )


def _place_pegs(text: str, x: float, y: float) -> str:
    """Return a circle for each peg, the first one's left upper corner at a place."""
    half = PEG / 2
    return "".join(
        f'<circle cx="{x + PEG * at + half:g}" cy="{y + half:g}" r="{half - 0.4:g}"/>'
        f'<text x="{x + PEG * at + half:g}" y="{y + half + 1.7:g}">{escape(symbol)}</text>'
        for at, symbol in enumerate(text)
    )


def _place_pins(pins: str, x: float, y: float) -> str:
    half = PIN / 2
    looks = {"●": 'r="1.5" class="black"', "○": 'r="1.5"', "·": 'r="0.4" class="black"'}
    return "".join(
        f'<circle cx="{x + PIN * at + half:g}" cy="{y + half:g}" {looks[pin]}/>'
        for at, pin in enumerate(pins)
    )


# The tree, its root on top, a column for each last guess.


def _draw_tree(tree: treegen.Tree) -> str:
    """Return the tree as a drawing: boxes with a guess, lines with the answer that leads on."""
    middles = {int(leaf): COLUMN * (at + 0.5) for at, leaf in enumerate(_list_leaves(tree.root))}
    width = COLUMN * len(middles)
    for node in reversed(tree):  # in level order: children come after their parent
        if node.children:
            ends = node.children[0], node.children[-1]
            middles[int(node)] = sum(middles[int(child)] for child in ends) / 2
    lines = "".join(_draw_way(node, child, middles) for node in tree for child in node.children)
    boxes = "".join(_draw_state(node, middles[int(node)]) for node in tree)
    label = "; ".join(map(_describe, tree))
    return _draw(width, LEVEL * (tree.worst - 1) + BOX_HEIGHT, label, lines + boxes)


def _list_leaves(node: Node) -> Iterator[Node]:
    """Yield the states of the last guesses, from left to right."""
    if node.is_leaf:
        yield node
    for child in node.children:
        yield from _list_leaves(child)


def _draw_way(node: Node, child: Node, middles: Mapping[int, float]) -> str:
    """Return the line from a state to one that follows it, with the answer on it."""
    pins = _write_pins(node.tree.game, int(node.tree.response[child]))
    x, y, width = middles[int(child)], LEVEL * child.depth, PIN * len(pins)
    left, top = x - width / 2, y - PIN - 3
    return (
        f'<path d="M{middles[int(node)]:g} {y - LEVEL + BOX_HEIGHT:g}L{x:g} {top:g}V{y:g}"/>'
        f'<rect class="answer" x="{left - 1:g}" y="{top - 0.5:g}" width="{width + 2:g}"'
        f' height="{PIN + 1:g}" rx="1"/>{_place_pins(pins, left, top)}'
    )


def _draw_state(node: Node, x: float) -> str:
    """Return a box: the guess, and how many codes are left before it."""
    y = LEVEL * node.depth
    return (
        f'<rect x="{x - BOX / 2:g}" y="{y + 0.3:g}" width="{BOX:g}" height="{BOX_HEIGHT - 0.6:g}"'
        f' rx="2"/>{_place_pegs(node.guess, x - PEG * len(node.guess) / 2, y + 1)}'
        f'<text class="small" x="{x:g}" y="{y + BOX_HEIGHT - 1.6:g}">{_count_codes(node)}</text>'
    )


def _count_codes(node: Node) -> str:
    return f"{node.n_candidates} codes" if node.n_candidates > 1 else "the last code"


def _describe(node: Node) -> str:
    """Return a state as it is read aloud."""
    before = f"after {node.history}" if node.history else "first"
    return f"{before} guess {node.guess}, {_count_codes(node)}"


# Tables and charts, blank or filled in.


def _write_row(head: str, cells: Iterable[object]) -> str:
    return f'<tr><th scope="row">{head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _write_head(head: str, cells: Iterable[str]) -> str:
    columns = "".join(f'<th scope="col">{cell}</th>' for cell in cells)
    return f'<tr><th scope="col">{head}</th>{columns}</tr>'


def _write_numbers(game: treegen.Game, numbers: Sequence[object]) -> str:
    """Return a table: how many guesses the tree needs for each code."""
    codes = [_draw_code(game, code) for code in range(game.n_secrets)]
    return f"{_write_head('Hidden code', codes)}{_write_row('Guesses', numbers)}"


def _write_answers(game: treegen.Game, guesses: Sequence[int], *, is_filled: bool) -> str:
    """Return a table: what each code answers to each guess."""
    codes = range(game.n_secrets)
    rows = "".join(
        _write_row(
            f"Answer to {_draw_code(game, guess)}",
            [_draw_answer(game, game.score(guess, code)) if is_filled else "" for code in codes],
        )
        for guess in guesses
    )
    return _write_head("Hidden code", [_draw_code(game, code) for code in codes]) + rows


def _write_cells(game: treegen.Game, guesses: Sequence[int], *, is_filled: bool) -> str:
    """Return a table: how many codes each answer to each guess leaves, at most and on average."""
    answers = range(game.n_responses)
    heads = [*(_draw_answer(game, answer) for answer in answers), "most", "average"]
    rows = ""
    for guess in guesses:
        counts, average = _count_answers(game, guess), _average_left(game, guess)
        figures = [*(counts[answer] for answer in answers), max(counts.values()), f"{average:.2f}"]
        rows += _write_row(_draw_code(game, guess), figures if is_filled else [""] * len(figures))
    return _write_head("Codes left after", heads) + rows


def _count_answers(game: treegen.Game, guess: int) -> Counter[int]:
    """Return how many codes give each answer to a guess."""
    return Counter(game.score(guess, code) for code in range(game.n_secrets))


def _average_left(game: treegen.Game, guess: int) -> float:
    """Return how many codes a guess leaves on average."""
    return sum(n * n for n in _count_answers(game, guess).values()) / game.n_secrets


def _draw_chart(bars: Sequence[float], n_rows: int, unit: str) -> str:
    """Return a chart with a column for each number of guesses; a bar of 1 fills a box."""
    left, top = 9.0, 6.0
    right, bottom = left + BAR * len(bars), top + STEP * n_rows
    shapes = "".join(
        f'<rect class="bar" x="{left + BAR * at:g}" y="{bottom - STEP * bar:g}" width="{BAR:g}"'
        f' height="{STEP * bar:g}"/>'
        for at, bar in enumerate(bars)
        if bar
    )
    heights, places = range(n_rows + 1), range(len(bars) + 1)
    lines = "".join(f"M{left:g} {bottom - STEP * row:g}H{right:g}" for row in heights)
    lines += "".join(f"M{left + BAR * at:g} {top:g}V{bottom:g}" for at in places)
    texts = [(left - 3, bottom - STEP * row + 1.2, row) for row in heights]
    texts += [(left + BAR * (at - 0.5), bottom + 4, at) for at in places[1:]]
    texts += [(left, 3, unit), ((left + right) / 2, bottom + 8, "guesses")]
    shapes += f'<path class="grid" d="{lines}"/>' + "".join(
        f'<text class="small" x="{x:g}" y="{y:g}">{text}</text>' for x, y, text in texts
    )
    told = [f"{at}: {bar:.3g}" for at, bar in enumerate(bars, start=1) if bar]
    label = f"Chart of {unit} by number of guesses: {', '.join(told) or 'empty'}"
    return _draw(right + 1, bottom + 9, label, shapes)


def _list_numbers(numbers: Sequence[object]) -> str:
    shown = [f"{number:,}" for number in numbers]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def _fill(name: str, **texts: object) -> str:
    """Return a page made from a template beside this script."""
    template = Template((ROOT / "scripts" / name).read_text("utf-8"))
    return add_policy(template.substitute(texts, icon=ICON_ADDRESS))


def main() -> int:
    """Write both pages, say which."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TREES
    for name, page in {"lesson": generate_lesson(), "lesson-sheet": generate_sheet()}.items():
        (folder / f"{name}.html").write_bytes(page.encode())
    print(f"PASSED: wrote {folder / 'lesson.html'} and {folder / 'lesson-sheet.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
