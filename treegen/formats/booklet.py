"""A strategy as numbered paragraphs that people follow: a guess, and for each answer what is next.

docs/text-formats.md describes the text. Paragraphs stand in the order in which a reader turns
pages; `treegen.page.print` has the same on pages for print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from .._printing import measure
from ..errors import GameError
from ..games.questions import ARROW, take_text
from .format import Format, Reader, Style
from .indented import take_whole
from .sketch import Sketch
from .view import View, describe_stub, generate_header

INDENT, GAP, WIDTH = "    ", "   ", 80
"""What stands before the answers of a paragraph and between them; the longest line."""

ELSE = ", else "
"""Between two codes that are tried in turn."""

LEGEND = "paragraph and guess; after each answer the code, or two in turn, or where to go"
"""What the lines are."""


def list_guesses(view: View, node: int) -> list[int]:
    """Return the states whose guesses stand for one without a paragraph: one, or two in turn."""
    if view.is_leaf(node):
        return [node]
    children = view.children(node)
    if view.n_candidates(node) == 2 and view.is_winning(node) and len(children) == 1:
        return [node, children[0]]
    return []


def list_chapters(view: View) -> list[list[int]]:
    """Return the states that have a paragraph: the first, then those below each answer to it."""
    chapters = [[view.root]]
    for first in view.children(view.root):
        chapter = _choose(view, [first])
        for node in chapter:
            chapter += _choose(view, view.children(node))
        if chapter:
            chapters.append(chapter)
    return chapters


def _choose(view: View, nodes: Sequence[int]) -> list[int]:
    return [node for node in nodes if not (list_guesses(view, node) or view.is_cut(node))]


def generate_booklet(view: View) -> Iterator[str]:
    """Yield the header and the paragraphs."""
    yield from generate_header(view, "booklet", LEGEND)
    chapters = list_chapters(view)
    numbers = {node: at for at, node in enumerate(chain.from_iterable(chapters), start=1)}
    for chapter in chapters:
        for node in chapter:
            if node != view.root:
                yield ""
            if node == chapter[0] != view.root:
                yield from (f"= after {_write_answer(view, node)}", "")
            cut = f" {describe_stub(view.stub(node))}" if view.is_cut(node) else ""
            yield f"{numbers[node]}  {_write_guess(view, node)}{cut}"
            yield from _arrange(
                view, [_lead(view, child, numbers) for child in view.children(node)]
            )


def _write_guess(view: View, node: int) -> str:
    """Return the guess of a paragraph; what a question asks."""
    notation = view.game.notation
    if view.is_leaf(node):
        return notation.quote(view.guess(node), is_name=True)
    return notation.write_step(view.code(node))


def _write_answer(view: View, node: int) -> str:
    return view.game.notation.quote(view.response(node))


def _lead(view: View, child: int, numbers: dict[int, int]) -> str:
    """Return an answer and what comes next."""
    notation = view.game.notation
    answer = f"{_write_answer(view, child)}{notation.arrow}"
    if child in numbers:
        return f"{answer}{notation.leads_to}{numbers[child]}"
    if view.is_cut(child):
        return f"{answer}{_write_guess(view, child)} {describe_stub(view.stub(child))}"
    names = map(view.guess, list_guesses(view, child))
    return answer + ELSE.join(notation.quote(name, is_name=True) for name in names)


def _arrange(view: View, leads: list[str]) -> Iterator[str]:
    """Yield the lines of a paragraph's answers: in columns, to a question one in each line."""
    widest = max(map(measure, leads), default=0)
    n_columns = max(1, (WIDTH - len(INDENT) + len(GAP)) // (widest + len(GAP)))
    if not view.game.notation.in_columns:
        n_columns = 1
    for begin in range(0, len(leads), n_columns):
        cells = (f"{lead}{' ' * (widest - measure(lead))}" for lead in leads[begin:][:n_columns])
        yield f"{INDENT}{GAP.join(cells)}".rstrip()


_HEAD = re.compile(r"([0-9]{1,10})  (\S.*)$")
_LEAD = re.compile(r"(\S+) (?:go to ([0-9]{1,10})|(\S+), else (\S+)|(\S+))(?= {2}|$)\s*")


class _BookletReader:
    """Paragraphs as they are read, and the answers that lead to others."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch, self.scanner, self.game = sketch, sketch.scanner, sketch.game
        self.in_columns = self.game.notation.in_columns
        # For each paragraph that is still to come: the state and the answer that lead to it.
        self.awaited = {"1": (Sketch.NULL, Sketch.NULL)}
        self.reached = {"1"}

    def read(self) -> Sketch:
        """Read the paragraphs; raise FormatError at the first line that is none."""
        state = Sketch.NULL
        lines = list(self.scanner.iter_lines())
        for at, (line, place) in enumerate(lines):
            after = lines[at + 1][0] if at + 1 < len(lines) else ""
            if line.startswith("= "):
                continue
            if not line.startswith(INDENT):
                state = self._begin(line, place, is_alone=not after.startswith(INDENT))
            elif state == Sketch.NULL:
                raise self.scanner.error("the first line of a booklet has the number 1", place)
            elif self.in_columns:
                self._take_leads(state, line, place)
            else:
                self._take_line(state, line.strip(), place + len(INDENT))
        for number in self.awaited:
            raise self.scanner.error(
                f"the text ends without paragraph {number}", len(self.scanner.text)
            )
        return self.sketch

    def _begin(self, line: str, place: int, *, is_alone: bool) -> int:
        """Add the state of a paragraph; among questions, one without answers is a candidate."""
        match = _HEAD.match(line)
        if match is None:
            raise self.scanner.error("a line such as '17  1344' is expected", place)
        number, text = match.groups()
        if number not in self.awaited:
            what = "for the second time" if number in self.reached else "to which no answer led"
            raise self.scanner.error(f"paragraph {number} begins here, {what}", place)
        parent, response = self.awaited.pop(number)
        where = place + match.start(2)
        with self.scanner.explain(where):
            guess = self._read_name(text) if is_alone else self._ask(text)
        return self.sketch.add(parent, response, guess, where)

    def _ask(self, text: str) -> int:
        """Return the code of a guess, or of a question."""
        for guess, rest in self.game.notation.take_step(f"{text} "):
            if not rest:
                return guess
        raise GameError(f"{text!r:.60} is no question of {self.game.name}")

    def _take_leads(self, state: int, line: str, place: int) -> None:
        """Read the answers of a line, and where each leads."""
        at = len(INDENT)
        while at < len(line):
            match = _LEAD.match(line, at)
            if match is None:
                message = "answers such as '02 1344   10 go to 17' are expected"
                raise self.scanner.error(message, place + at)
            response = self.sketch.parse_response(match[1], place + at)
            codes = [
                self.sketch.parse_code(code, place + at)
                for code in match.group(3, 4, 5)
                if code is not None
            ]
            self._lead(state, response, match[2] or codes, place + at)
            at = match.end()

    def _take_line(self, state: int, line: str, place: int) -> None:
        """Read an answer to a question, and where it leads."""
        with self.scanner.explain(place):
            answer, end = take_text(line)
            if not line.startswith(ARROW, end):
                raise self.scanner.error("a line such as 'no → 17' is expected", place)
            target = line[end + len(ARROW) :]
            response = self.game.parse_response(answer, self.sketch.guess[state])
            codes = [] if target.isdecimal() else self._split(target)
        self._lead(state, response, codes or target, place)

    def _split(self, text: str) -> list[int]:
        """Return one candidate, or two in turn."""
        if self.game.notation.announces(text, at_end=True):
            return [self._read_name(text)]
        first, end = take_text(text)
        if not text.startswith(ELSE, end):
            return [self._read_name(text)]
        return [self.game.parse_secret(first), self._read_name(text[end + len(ELSE) :])]

    def _read_name(self, text: str) -> int:
        return self.sketch.read_end(text if self.in_columns else take_whole(text))

    def _lead(self, state: int, response: int, target: str | list[int], place: int) -> None:
        """Add where an answer leads: to a paragraph, or to one or two codes."""
        if isinstance(target, str):
            if target in self.reached:
                raise self.scanner.error(f"a second answer leads to paragraph {target}", place)
            self.reached.add(target)
            self.awaited[target] = (state, response)
            return
        # Of what is announced nobody knows how many are left.
        count = len(target) if target[0] < self.game.n_codes else Sketch.NULL
        first = self.sketch.add(state, response, target[0], place, count=count)
        for code in target[1:]:
            reply = self.game.score(target[0], code)
            self.sketch.add(first, reply, code, place, count=1)


BOOKLET = Format(
    "booklet",
    style=Style(
        generate_booklet,
        "numbered paragraphs, to be followed by people",
        has_header=True,
        questions=generate_booklet,
    ),
    reader=Reader(lambda sketch: _BookletReader(sketch).read(), looks=r"1  [^\n]+(\n {4}\S|\n*\Z)"),
)
