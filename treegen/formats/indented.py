"""Text with one line per state, indented by the guesses made before it.

``02 1344 (276)`` is the state after the answer 02, with 276 candidates, where 1344 is guessed;
``40 1344 *`` one that 1344 wins for sure. The first state has no answer. Tables of answers are
written as keys (`treegen.formats.key`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .format import Format, Reader, Style
from .header import describe_stub, generate_header
from .key import generate_outline, read_outline
from .sketch import Scanner, Sketch
from .view import View

INDENT = "  "

LEGEND = "answer, next guess, (candidates left), or * if that guess is the only one left"
"""What the columns of a line are."""


def generate_indented(view: View) -> Iterator[str]:
    """Yield the header and a line for each shown state; of questions, a key."""
    if view.game.asks_questions:
        yield from generate_outline(view)
        return
    yield from generate_header(view, "indented", LEGEND)
    for node in view.nodes():
        answer = "" if node == view.root else f"{view.response(node)} "
        count = "*" if view.is_leaf(node) else f"({view.n_candidates(node)})"
        cut = f" {describe_stub(view.stub(node))}" if view.is_cut(node) else ""
        yield f"{INDENT * (view.level(node) - 1)}{answer}{view.guess(node)} {count}{cut}"


_LINE = re.compile(r"( *)(?:(\S+) )?(\S+) (?:\((\d{1,10})\)|\*)(?=\n|$)", re.ASCII)


def read_indented(sketch: Sketch) -> Sketch:
    """Read the states, or a key; raise FormatError at the first line that is not one."""
    if sketch.game.asks_questions:
        return read_outline(sketch)
    scanner = sketch.scanner
    # The last state read at each depth.
    above: list[int] = []
    while scanner.at < len(scanner.text):
        match = _LINE.match(scanner.text, scanner.at)
        if match is None:
            raise scanner.expected("a line such as '  02 1344 (276)' or '  02 1344 *'")
        depth = _find_depth(scanner, match, len(above))
        del above[depth:]
        response = Sketch.NULL
        if match.group(2) is not None:
            response = sketch.parse_response(match.group(2), match.start(2))
        guess = sketch.parse_code(match.group(3), match.start(3))
        count = 1 if match.group(4) is None else int(match.group(4))
        parent = above[-1] if above else Sketch.NULL
        above.append(sketch.add(parent, response, guess, match.start(3), count=count))
        scanner.at = match.end() + 1
    return sketch


def _find_depth(scanner: Scanner, match: re.Match[str], n_open: int) -> int:
    depth, rest = divmod(len(match.group(1)), len(INDENT))
    is_first = match.group(2) is None
    if rest or depth > n_open or (depth == 0) != (n_open == 0) or is_first != (depth == 0):
        raise scanner.error(
            f"{len(match.group(1))} spaces before a state that"
            f" {'is the first' if is_first else 'an answer leads to'} do not fit the lines before"
        )
    return depth


INDENTED = Format(
    "indented",
    style=Style(
        generate_indented,
        "one line per state, indented by the guesses before it",
        has_header=True,
        is_of_questions=True,
    ),
    reader=Reader(read_indented, looks=r"\S+ (\(\d+\)\n {2}\S|\*\n*$)|1 [^\n]* → "),
)
