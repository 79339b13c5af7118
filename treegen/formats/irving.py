"""Text in the notation of the papers: Knuth 1977, Irving 1979, Neuwirth 1982, Koyama & Lai 1993.

docs/text-formats.md has the notation and its short forms, docs/foreign-formats.md what is read,
fancidev's ``strats/*.txt`` included. The claims of the short forms are checked. A text without any
``*`` does not say which of its plain guesses can win: then a wrong one is not an error, but
reported (`Grown.remarks`). In a LaTeX source, whatever does not belong to the tree becomes white
space, so that errors still refer to the source's lines.
"""

from __future__ import annotations

import contextlib
import re
import textwrap
from collections.abc import Iterator
from itertools import chain

from ..errors import FormatError
from ..games.base import Game, select_candidates
from ..games.feedback import PegFeedback
from ..games.pegs import order_cells
from .format import Format, Reader, Style
from .sketch import Below, Sketch
from .view import View, describe_stub, generate_header

WIDTH = 96
"""Lines of the style irving are wrapped here."""


def generate_irving(view: View) -> Iterator[str]:
    """Yield the header and the notation, the large cells of the first guess in own paragraphs."""
    yield from generate_header(view, "irving")
    for position, paragraph in enumerate(_generate_paragraphs(view, is_short=True)):
        if position:
            yield ""
        yield from textwrap.wrap(
            paragraph,
            WIDTH,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def generate_mmstrat(view: View) -> Iterator[str]:
    """Yield what fancidev's mmstrat prints for the tree."""
    for paragraph in _generate_paragraphs(view, is_short=False):
        yield paragraph
        yield ""


def make_label(number: int) -> str:
    """Return A, B … Z, AA, AB … for 0, 1 …."""
    label = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        label = chr(ord("A") + letter) + label
    return label


def _generate_paragraphs(view: View, *, is_short: bool) -> Iterator[str]:
    """Yield the first state, then each state with a paragraph of its own."""
    text_of = _write_below(view, is_short=is_short)
    n_pegs = view.game.n_pegs
    apart: list[str] = []
    place_of = {reply: at for at, reply in enumerate(chain(*order_cells(view.game)))}
    for child in sorted(
        view.children(view.root), key=lambda child: place_of[view.response_index(child)]
    ):
        if ":" in text_of[child] and view.n_candidates(child) >= n_pegs * (n_pegs + 3) // 2:
            count, _, cells = text_of[child].partition(" ")
            text_of[child] = f"{count}{make_label(len(apart))}"
            apart.append(cells)
    yield _write_state(view, view.root, text_of, is_short=is_short)
    for number, cells in enumerate(apart):
        yield f"{make_label(number)} = {cells}"


def _write_below(view: View, *, is_short: bool) -> dict[int, str]:
    """Return the notation of the states that the first guess leads to."""
    text_of: dict[int, str] = {}
    for node in reversed(list(view.nodes())):
        if node != view.root:
            text_of[node] = _write_state(view, node, text_of, is_short=is_short)
            for child in view.children(node):
                del text_of[child]
    return text_of


def _write_state(view: View, node: int, text_of: dict[int, str], *, is_short: bool) -> str:
    """Return the notation of a state, given that of the states below it."""
    if view.is_leaf(node):
        return "1"
    n_candidates, guess = view.n_candidates(node), view.guess(node)
    if view.is_cut(node):
        return f"{n_candidates} ({guess}: {describe_stub(view.stub(node))})"
    children = view.children(node)
    # The short form that describes the state fully, if there is one.
    if all(view.is_leaf(child) for child in children):
        flag = "" if view.is_winning(node) else "*"
        is_first = len(children) == 1 and view.code(node) < view.code(children[0])
        if is_short and is_first and not flag:
            return "2"
    elif is_short and all(text_of[child] in ("1", "2") for child in children):
        flag = "x"
    else:
        cells = {view.response_index(child): text_of[child] for child in children}
        if view.is_winning(node):
            cells[view.game.win] = "1"
        rows = (", ".join(cells.get(reply, "0") for reply in row) for row in order_cells(view.game))
        return f"{n_candidates} ({guess}: {'; '.join(rows)})"
    # Symbols of several characters may end in an x.
    space = " " if flag and len(guess) != view.game.n_pegs else ""
    return f"{n_candidates} ({guess}{space}{flag})"


_COMMAND = re.compile(r"\\[a-zA-Z]+")
_BEGIN = re.compile(
    r"(?:\A|^[^\S\n]*\n|^[{\\%][^\n]*\n|\{)[^\S\n]*(\d{1,10}) ?\([^\s:(),]+ ?:", re.MULTILINE
)
"""The first line of a tree, after an empty line or markup."""
_END = re.compile(r"^[^\S\n]*\\(?:chapter|(?:sub)*section|paragraph|end\{document\})", re.MULTILINE)
_MARKUP = re.compile(
    r"(?<!\\)%[^\n]*|\\[a-zA-Z]+\*?(?:\{[^{}\n]*\}|\[[^\]\n]{0,200}\])*|\\\\|[{}$~]"
)


def is_latex(text: str) -> bool:
    """Whether a text has LaTeX commands and a tree between them."""
    return _COMMAND.search(text) is not None and _BEGIN.search(text) is not None


def cut_out(text: str, n_candidates: int) -> str:
    r"""Return a text of the same length with only the tree of this many candidates.

    Raises FormatError if the source has no such tree, or several.

    >>> cut_out(r"\section{Two}" + "\n{2 (12: 0, 1; 1)}", 2).strip()
    '2 (12: 0, 1; 1)'
    """
    begins = list(_BEGIN.finditer(text))
    fitting = [match for match in begins if int(match.group(1)) == n_candidates]
    if len(fitting) != 1:
        found = ", ".join(
            f"{match.group(1)} in line {text.count(chr(10), 0, match.start(1)) + 1}"
            for match in begins[:5]
        ) + ", …" * (len(begins) > 5)
        raise FormatError(
            f"the LaTeX source has {len(fitting)} trees of {n_candidates} candidates"
            f" (it has {found or 'none'}): give only the one that is meant"
        )
    start = fitting[0].start(1)
    later = [match.start() for match in begins if match.start(1) > start]
    heading = _END.search(text, start)
    end = min([*later[:1], heading.start() if heading else len(text)])
    block = _MARKUP.sub(lambda markup: " " * len(markup.group()), text[start:end])
    return re.sub(r"\S", " ", text[:start]) + block + re.sub(r"\S", " ", text[end:])


_MMSTRAT_DIGITS = "1234567890"
"""How mmstrat writes colors, with repetition or without."""

_LABEL = re.compile(r"[A-Z]{1,3}(?![A-Za-z])")


def read_irving(sketch: Sketch) -> Sketch:
    """Read the states; raise FormatError where the text violates the notation."""
    scanner, game = sketch.scanner, sketch.game
    if is_latex(scanner.text):
        scanner.text = cut_out(scanner.text, len(select_candidates(game, sketch.history)))
    begin = scanner.at
    try:
        return _Notation(sketch).read()
    except FormatError:
        is_known = sketch.notation is not None or not game.rules.symmetry.colors
        if is_known or game.n_colors > len(_MMSTRAT_DIGITS):
            raise
        scanner.at = begin
        digits = game.notation.with_symbols(_MMSTRAT_DIGITS[: game.n_colors])
        with contextlib.suppress(FormatError):
            return _Notation(Sketch(scanner, game, digits, sketch.history)).read()
        raise


class _Notation:
    """What is being read: the sketch, the order of cells, the states with own paragraphs."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch, self.scanner, self.game = sketch, sketch.scanner, sketch.game
        self.cells = _list_cells(sketch.game)
        self.has_marks = False
        self.state_of_label: dict[str, int] = {}
        self.pending: dict[str, int] = {}

    def read(self) -> Sketch:
        """Read the first state, then the paragraphs."""
        scanner, sketch = self.scanner, self.sketch
        count = scanner.number("a number of candidates")
        self._read_cells(self._begin_state(Sketch.NULL, Sketch.NULL, count))
        while label := scanner.match(_LABEL):
            name = label.group()
            if name not in self.pending:
                reason = (
                    "a second time" if name in self.state_of_label else "but used nowhere before"
                )
                raise scanner.error(f"the state {name} is written {reason}", label.start())
            scanner.expect("=")
            scanner.expect("(")
            self._read_cells(self._read_head(self.pending.pop(name)))
        if scanner.peek():
            raise scanner.expected("a paragraph such as 'A = (1122: …)' or the end of the text")
        for name, state in self.pending.items():
            raise sketch.error(state, f"the state {name} is not defined")
        if not self.has_marks:
            # Knuth's table of 1977 has no *: a plain guess does not say whether it may win.
            sketch.doubtful_wins.update(sketch.list_short())
        return sketch

    def _read_cells(self, opened: int | None) -> None:
        """Read the cells of a state, and of the states in it, until each of them is complete."""
        frames = [] if opened is None else [(opened, 0)]
        while frames:
            state, number = frames.pop()
            if number == len(self.cells):
                if frames:
                    self._read_separator(frames[-1][1] - 1)
                continue
            response = self.cells[number][0]
            frames.append((state, number + 1))
            if response == Sketch.NULL:
                before = self.scanner.at
                if not (self.scanner.take("0") and self.scanner.take(",")):
                    self.scanner.at = before  # the impossible cell is left out
                continue
            below = self._read_cell(state, response)
            if below is not None:
                frames.append((below, 0))
            else:
                self._read_separator(number)

    def _read_separator(self, number: int) -> None:
        response, separator = self.cells[number]
        answer = self.game.format_response(response)
        what = {",": "','", ";": "';', the row's end", ")": "')', the last cell's end"}[separator]
        self.scanner.expect(separator, f"{what}, after the cell of the answer {answer}")

    def _read_cell(self, state: int, response: int) -> int | None:
        """Read one cell; return its state if cells follow."""
        place = self.scanner.skip_space()
        answer = self.game.format_response(response)
        count = self.scanner.number(f"the number of candidates for the answer {answer}")
        if response == self.game.win:
            if count > 1:
                raise self.scanner.error(f"{count} candidates cannot all win", place)
            if self.sketch.wins.setdefault(state, count == 1) != (count == 1):
                raise self.scanner.error("the guess is marked * and cannot win", place)
            return None
        return self._begin_state(state, response, count) if count else None

    def _begin_state(self, parent: int, response: int, count: int) -> int | None:
        """Read what follows a count; return the state if its cells come next."""
        place = self.scanner.at - len(str(count))
        state = self.sketch.add(parent, response, Sketch.NULL, place, count=count)
        if label := self.scanner.match(_LABEL):
            name = label.group()
            if name in self.state_of_label:
                raise self.scanner.error(f"{name} already denotes another state", label.start())
            self.state_of_label[name] = self.pending[name] = state
            return None
        return self._read_head(state) if self.scanner.take("(") else None

    def _read_head(self, state: int) -> int | None:
        """Read a guess and what follows it; return the state if its cells come next."""
        scanner, sketch = self.scanner, self.sketch
        sketch.guess[state] = sketch.take_code()
        flag = next((mark for mark in "x*" if scanner.take(mark)), "")
        if flag == "*" or (not flag and scanner.peek() != ":"):
            sketch.wins[state] = flag != "*"
        self.has_marks |= flag == "*"
        if scanner.take(":"):
            return state
        sketch.below[state] = Below.PAIRS if flag == "x" else Below.SINGLES
        scanner.expect(")", "')', '*', 'x' or ':' after the guess")
        return None


def _list_cells(game: Game) -> list[tuple[int, str]]:
    """Return the response of each cell (`Sketch.NULL`: impossible) and the separator after it."""
    rows = order_cells(game)
    cells: list[tuple[int, str]] = []
    for number, row in enumerate(rows):
        is_last = number == len(rows) - 1
        cells += [(response, ",") for response in row[:-1]]
        if isinstance(game.feedback, PegFeedback) and number == game.n_pegs - 1:
            cells.append((Sketch.NULL, ","))
        cells.append((row[-1], ")" if is_last else ";"))
    return cells


IRVING = Format(
    "irving",
    style=Style(
        generate_irving, "cells in rows, as the papers print it", has_header=True, has_order=False
    ),
    reader=Reader(
        read_irving,
        "The papers' notation, mmstrat's output, fancidev's files.",
        "Read the papers' notation and mmstrat's output.",
        ("treegen import irving knuth.txt -g p4c6r -o copy.tree",),
        looks=r"\s*\d+ *\(|\s*[12]\s*$",
        may_misprint=True,
    ),
)
MMSTRAT = Format(
    "mmstrat",
    style=Style(
        generate_mmstrat, "the same notation as fancidev's mmstrat prints it", has_order=False
    ),
    reader=Reader(read_irving),
)
