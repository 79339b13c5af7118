"""Text with one line per state or question: the styles *indented* and *key*.

docs/text-formats.md describes both. Of a table of answers *indented* has a line for each question,
``1 Feathers? no → 2, yes → 5``, and *key*, an identification key, one for each answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ..errors import GameError
from ..games.base import Game
from ..games.questions import ARROW, take_text
from .format import Format, Reader, Style
from .sketch import Scanner, Sketch
from .view import View, describe_stub, generate_header

V = TypeVar("V")

INDENT = "  "
WIDTH = 78

LEGEND = "answer, next guess, (candidates left), or * if that guess is the only one left"
"""What the columns of a line are."""


def generate_indented(view: View) -> Iterator[str]:
    """Yield the header and a line for each shown state."""
    yield from generate_header(view, "indented", LEGEND)
    for node in view.nodes():
        answer = "" if node == view.root else f"{view.response(node)} "
        count = "*" if view.is_leaf(node) else f"({view.n_candidates(node)})"
        cut = f" {describe_stub(view.stub(node))}" if view.is_cut(node) else ""
        yield f"{INDENT * (view.level(node) - 1)}{answer}{view.guess(node)} {count}{cut}"


_LINE = re.compile(r"( *)(?:(\S+) )?(\S+) (?:\((\d{1,10})\)|\*)(?=\n|$)", re.ASCII)


def read_indented(sketch: Sketch) -> Sketch:
    """Read the states; raise FormatError at the first line that is not one."""
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


def generate_outline(view: View) -> Iterator[str]:
    """Yield the header and a line for each question."""
    yield from generate_header(view, "indented")
    notation, numbers = view.game.notation, _number_questions(view)
    if not numbers:
        yield f"1{ARROW}{_target(view, view.root, numbers)}"
    for node, number in numbers.items():
        asked = notation.write_step(view.code(node))
        answers = ", ".join(
            f"{notation.quote(view.response(child))}{ARROW}{_target(view, child, numbers)}"
            for child in view.children(node)
        )
        cut = describe_stub(view.stub(node)) if view.is_cut(node) else ""
        yield f"{INDENT * (view.level(node) - 1)}{number} {asked} {answers}{cut}"


def generate_key(view: View) -> Iterator[str]:
    """Yield the header and a line for each answer."""
    yield from generate_header(view, "key")
    notation, numbers = view.game.notation, _number_questions(view)
    if not numbers:
        yield f"1  {'.' * 10} {_target(view, view.root, numbers)}"
    parent_of = {child: node for node in numbers for child in view.children(node)}
    tags = {
        node: f"{number}({numbers[parent_of[node]]})" if node in parent_of else str(number)
        for node, number in numbers.items()
    }
    room = max(map(len, tags.values()), default=0) + 2
    for node, tag in tags.items():
        asked = notation.write_step(view.code(node))
        for child in view.children(node):
            lead = f"{tag:<{room}}{asked} {notation.quote(view.response(child))} "
            target = f" {_target(view, child, numbers)}"
            yield f"{lead}{'.' * max(3, WIDTH - len(lead) - len(target))}{target}"
            tag = "-"
        if view.is_cut(node):
            yield f"{tag:<{room}}{asked} {describe_stub(view.stub(node))}"


def _number_questions(view: View) -> dict[int, int]:
    """Return the number of each state that is shown and asks something."""
    asking = (node for node in view.nodes() if not view.is_leaf(node))
    return {node: number for number, node in enumerate(asking, start=1)}


def _target(view: View, child: int, numbers: dict[int, int]) -> str:
    """Return the target of an answer: a number, or a name."""
    name = view.game.notation.quote(view.guess(child), is_name=True)
    return str(numbers[child]) if child in numbers else name


_OUTLINE = re.compile(r" *([0-9]{1,10})(?: (.*))?$", re.ASCII)
_COUPLET = re.compile(r"(?:([0-9]{1,10})(?:\([0-9]{1,10}\))?|-) ++(?:(.*) )?\.{3,} (.+)$", re.ASCII)


class _Target(NamedTuple):
    """Where an answer leads: to a number, or to a candidate."""

    text: str
    is_number: bool


@dataclass(slots=True)
class _Step:
    """A question of a key, its place in the text, and where each answer leads."""

    guess: int
    place: int
    targets: dict[int, _Target] = field(default_factory=dict)


@dataclass(slots=True)
class _Key:
    """A key as it is read: its steps by number; the name that a key of one candidate announces."""

    scanner: Scanner
    game: Game
    steps: dict[str, _Step] = field(default_factory=dict)
    only: str = ""

    def begin(self, number: str, guess: int, place: int) -> _Step:
        """Add a step."""
        if number in self.steps:
            raise self.scanner.error(f"the number {number} occurs twice", place)
        self.steps[number] = step = _Step(guess, place)
        return step

    def lead(self, step: _Step, response: int, target: _Target, place: int) -> None:
        """Add where an answer of a step leads."""
        if response in step.targets:
            answer = self.game.format_response(response, step.guess)
            raise self.scanner.error(f"the answer {answer!r:.60} is written twice", place)
        step.targets[response] = target


def read_outline(sketch: Sketch) -> Sketch:
    """Read a line for each question: ``1 Feathers? no → 2, yes → 5``."""
    key, scanner = _Key(sketch.scanner, sketch.game), sketch.scanner
    for line, place in scanner.iter_lines():
        match = _OUTLINE.match(line)
        if match is None:
            raise scanner.error("a line such as '1 Feathers? no → 2, yes → 5' is expected", place)
        number, text = match.group(1), match.group(2) or ""
        with scanner.explain(place):
            if text.startswith(ARROW.lstrip()):
                key.only = take_whole(text.removeprefix(ARROW.lstrip()))
                continue
            problem = f"{text!r:.60} begins with no question of {key.game.name}"
            guess, leads = _split(key, text, _split_leads, problem)
        step = key.begin(number, guess, place)
        for response, target in leads:
            key.lead(step, response, target, place)
    return _connect(key, sketch)


def read_key(sketch: Sketch) -> Sketch:
    """Read a line for each answer: ``2(1)  Legs: 4 .... dog``."""
    key, scanner, step = _Key(sketch.scanner, sketch.game), sketch.scanner, None
    for line, place in scanner.iter_lines():
        match = _COUPLET.match(line)
        if match is None:
            raise scanner.error("a line such as '2(1)  Legs: 4 .... dog' is expected", place)
        number, text, target = match.groups()
        with scanner.explain(place):
            if text is None:
                key.only = take_whole(target)
                continue
            problem = f"{text!r:.60} is no question of {key.game.name} with an answer"
            guess, response = _split(key, text, _read_answer, problem)
        step = step if number is None else key.begin(number, guess, place)
        if step is None:
            raise scanner.error("the first line of a key has the number 1", place)
        if step.guess != guess:
            raise scanner.error("the lines of a couplet ask different questions", place)
        with scanner.explain(place):
            end = _take_target(target)
        key.lead(step, response, end, place)
    return _connect(key, sketch)


def _split(
    key: _Key, text: str, read: Callable[[Game, int, str], V], problem: str
) -> tuple[int, V]:
    """Return a text's question and the meaning of its rest; GameError if it has no question."""
    for guess, rest in key.game.notation.take_step(text):
        try:
            return guess, read(key.game, guess, rest)
        except GameError as error:  # a shorter question may fit
            problem = str(error)
    raise GameError(problem)


def _split_leads(game: Game, guess: int, rest: str) -> list[tuple[int, _Target]]:
    """Return the answers of a line, and where each leads."""
    leads, at = [], 0
    while at < len(rest):
        answer, end = take_text(rest, at)
        if not rest.startswith(ARROW, end):
            raise GameError(f"an arrow and where it leads must follow {answer!r:.60}")
        begin = end + len(ARROW)
        _, end = take_text(rest, begin)
        leads.append((game.parse_response(answer, guess), _take_target(rest[begin:end])))
        if end < len(rest) and not rest.startswith(", ", end):
            after = rest[end : end + 40]
            raise GameError(f"{after!r:.40} follows where the answer {answer!r:.60} leads")
        at = end + len(", ")
    return leads


def _read_answer(game: Game, guess: int, rest: str) -> int:
    return game.parse_response(take_whole(rest), guess)


def _take_target(text: str) -> _Target:
    return _Target(take_whole(text), text.isdecimal())


def take_whole(text: str) -> str:
    """Return a text without its quotes; raise GameError if something follows it."""
    value, end = take_text(text)
    if end < len(text):
        raise GameError(f"{text[end:]!r:.40} follows {value!r:.40}")
    return value


def _connect(key: _Key, sketch: Sketch) -> Sketch:
    """Add the states that the numbers of a key connect, from number 1 on."""
    scanner = key.scanner
    left = dict(key.steps)
    end = _Target(key.only, False) if key.only else _Target("1", True)
    stack = [(Sketch.NULL, Sketch.NULL, end, scanner.at)]
    while stack:
        parent, response, target, place = stack.pop()
        if not target.is_number:
            with scanner.explain(place):
                guess = sketch.read_end(target.text)
            sketch.add(parent, response, guess, place)
            if key.only:
                return sketch
            continue
        if target.text not in left:
            what = "for the second time" if target.text in key.steps else "which is missing"
            raise scanner.error(f"an answer leads to number {target.text}, {what}", place)
        step = left.pop(target.text)
        state = sketch.add(parent, response, step.guess, step.place)
        leads = sorted(step.targets.items(), reverse=True)
        stack.extend((state, reply, below, step.place) for reply, below in leads)
    for number, step in left.items():
        raise scanner.error(f"no answer leads to number {number}", step.place)
    return sketch


INDENTED = Format(
    "indented",
    style=Style(
        generate_indented,
        "one line per state, indented by the guesses before it",
        has_header=True,
        questions=generate_outline,
    ),
    reader=Reader(
        read_indented, questions=read_outline, looks=r"\S+ (\(\d+\)\n {2}\S|\*\n*$)|1 [^\n]* → "
    ),
)
KEY = Format(
    "key",
    style=Style(
        None,
        "an identification key, of tables of answers",
        has_header=True,
        questions=generate_key,
    ),
    reader=Reader(None, questions=read_key, looks=r"1 [^\n]* \.{3,} "),
)
