"""Strategies of single programs, which are read and not written: arfst23/Mastermind, pymm.

yaml, punch-card
    Both files of arfst23/Mastermind write feedback as pegs, ``XXO-`` for two black and one white,
    and codes as digits from 0, never as numbers: 0112 is a code of four pegs. In YAML a state is a
    list of the guess and a map from feedback to what follows, a code or the next list. A punch card
    has one line per state: its number, the number of the guess, the guess, and for each feedback of
    the header line ``----``, a code that surely wins, or ``>123``, the line to continue at.
pymm
    A state is an object with ``root``, the guess as a number whose digit of value 1 is the first
    peg; ``problem_size``, its candidates; and ``children``, a map from scores to states. A score is
    ``(P - black)(P - black + 1)/2 + white``, so that 0 wins. The root is under ``tree``.
    ``in_solution`` and ``stats`` of every state are compared with the tree, except ``min_depth``
    and ``optimal``: what pymm writes there does not match these names.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from typing import Any

from ..errors import FormatError, GameError
from ..games import Game, PegFeedback
from ..tree import History
from .format import Format, Reader
from .json_text import get_field, parse_json
from .sketch import Scanner, Sketch, TextClaim

_YAML_LINE = re.compile(r"( *)(- )?(?:([XO-]+):)? ?(?:([0-9A-Za-z]+))? *(?=\n|$)")
_CARD_LINE = re.compile(r" *(\d+) (\d+) ([0-9A-Za-z]+)((?: \S+)+) *(?=\n|$)", re.ASCII)
_WORD = re.compile(r"\S+")


@dataclass(slots=True)
class _Frame:
    """A list that is being read: its state, the columns of its dashes and of its keys."""

    state: int
    dash: int
    keys: int = Sketch.NULL


@dataclass(slots=True)
class _Yaml:
    scanner: Scanner
    sketch: Sketch
    symbols: tuple[str, ...]
    frames: list[_Frame] = field(default_factory=list)
    pending: tuple[int, int] | None = (Sketch.NULL, Sketch.NULL)


def sketch_yaml(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read a YAML strategy; raise FormatError at the first line that does not fit."""
    sketch = Sketch(game, scanner.locate, history)
    reader = _Yaml(scanner, sketch, symbols or _digits(game))
    scanner.take("---\n")
    while scanner.at < len(scanner.text):
        match = _YAML_LINE.match(scanner.text, scanner.at)
        if match is None or not match.group().strip():
            raise scanner.expected("a line such as '- 0012', '- XO--:' or 'XX--: 0412'")
        _read_yaml_line(reader, match)
        scanner.at = match.end() + 1
    if reader.pending is not None:
        raise scanner.expected("'- ' and the guess that follows the feedback above")
    return sketch


def _read_yaml_line(reader: _Yaml, match: re.Match[str]) -> None:
    scanner, indent = reader.scanner, len(match.group(1))
    _, dash, feedback, _ = match.groups()
    if feedback is None:
        _begin_list(reader, match)
        return
    if reader.pending is not None:
        raise scanner.error("the feedback above has no guess yet", match.start(3))
    while reader.frames and indent not in (
        reader.frames[-1].dash if dash else reader.frames[-1].keys,
    ):
        reader.frames.pop()
    if not reader.frames or (dash and reader.frames[-1].keys != Sketch.NULL):
        raise scanner.error("the indentation of this line matches none above", match.start(3))
    reader.frames[-1].keys = match.start(3) - match.start()
    _read_entry(reader, match)


def _begin_list(reader: _Yaml, match: re.Match[str]) -> None:
    """Read ``- 0012``: a state begins."""
    scanner = reader.scanner
    if reader.pending is None or match.group(2) is None or match.group(4) is None:
        raise scanner.error("expected a feedback and a colon, such as XO--:", match.end(1))
    indent = len(match.group(1))
    if reader.frames and indent < reader.frames[-1].keys:
        raise scanner.error("the guess must be indented more than its feedback", match.start(4))
    parent, response = reader.pending
    guess = _parse_code(scanner, reader.sketch.game, match.group(4), match.start(4), reader.symbols)
    state = reader.sketch.add(parent, response, guess, match.start(4))
    reader.sketch.wins[state] = False
    reader.frames.append(_Frame(state, indent))
    reader.pending = None


def _read_entry(reader: _Yaml, match: re.Match[str]) -> None:
    """Read ``XO--:`` with a code after it or a list on the next line."""
    scanner, sketch, state = reader.scanner, reader.sketch, reader.frames[-1].state
    response = _parse_pegs(scanner, sketch.game, match.group(3), match.start(3))
    if match.group(4) is None:
        reader.pending = (state, response)
        return
    place = match.start(4)
    code = _parse_code(scanner, sketch.game, match.group(4), place, reader.symbols)
    _add_code(scanner, sketch, state, response, code, place)


def sketch_punch_card(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read a punch card; raise FormatError at the first line that does not fit."""
    symbols = symbols or _digits(game)
    head_end = scanner.text.find("\n")
    responses = [
        _parse_pegs(scanner, game, word.group(), word.start())
        for word in _WORD.finditer(scanner.text, 0, max(head_end, 0))
    ]
    if len(set(responses)) != game.n_responses:
        raise scanner.error(f"the first line must list the {game.n_responses} feedbacks")
    scanner.at = head_end + 1
    sketch = Sketch(game, scanner.locate, history)
    awaited: dict[int, tuple[int, int, int]] = {0: (Sketch.NULL, Sketch.NULL, 0)}
    depth_of: list[int] = []
    while line := _CARD_LINE.match(scanner.text, scanner.at):
        _read_card_line(scanner, sketch, line, responses, symbols, awaited, depth_of)
        scanner.at = line.end() + 1
    if not sketch.guess or not re.fullmatch(r"\s*(cpu=\S*\s*)?", scanner.text[scanner.at :]):
        raise scanner.expected("a line such as '003 2 1323 >037 ---- 1344 …'")
    for number, (_, _, place) in awaited.items():
        raise scanner.error(f"line number {number} is missing", place)
    return sketch


def _read_card_line(
    scanner: Scanner,
    sketch: Sketch,
    line: re.Match[str],
    responses: list[int],
    symbols: tuple[str, ...],
    awaited: dict[int, tuple[int, int, int]],
    depth_of: list[int],
) -> None:
    """Read one state and its cells; `awaited` has what leads to the lines not read yet."""
    game, number = sketch.game, int(line.group(1))
    if number not in awaited:
        raise scanner.error(
            f"no line above leads to line number {number}, or two do", line.start(1)
        )
    parent, response, _ = awaited.pop(number)
    guess = _parse_code(scanner, game, line.group(3), line.start(3), symbols)
    state = sketch.add(parent, response, guess, line.start(3))
    sketch.wins[state] = False
    depth = 1 if parent == Sketch.NULL else depth_of[parent] + 1
    depth_of.extend([depth] * (state + 1 - len(depth_of)))
    if int(line.group(2)) != depth:
        raise scanner.error(f"this is guess {depth}, not {line.group(2)}", line.start(2))
    cells = list(_WORD.finditer(scanner.text, line.start(4), line.end(4)))
    if len(cells) != len(responses):
        raise scanner.error(f"{len(cells)} cells, not {len(responses)}", line.start(4))
    for answer, cell in zip(responses, cells, strict=True):
        word = cell.group()
        if word.startswith(">") and word[1:].isdigit():
            if int(word[1:]) in awaited:
                raise scanner.error(f"two lines lead to line number {word[1:]}", cell.start())
            awaited[int(word[1:])] = (state, answer, cell.start())
        elif set(word) != {"-"}:
            code = _parse_code(scanner, game, word, cell.start(), symbols)
            _add_code(scanner, sketch, state, answer, code, cell.start())
            depth_of.extend([depth + 1] * (len(sketch.guess) - len(depth_of)))


def _add_code(
    scanner: Scanner, sketch: Sketch, state: int, response: int, code: int, place: int
) -> None:
    """Add a state whose code surely wins; the winning feedback must repeat the guess."""
    if response != sketch.game.win:
        sketch.add(state, response, code, place, count=1)
        return
    sketch.wins[state] = True
    if code != sketch.guess[state]:
        raise scanner.error("after the winning feedback the guess itself is expected", place)


def _parse_pegs(scanner: Scanner, game: Game, pegs: str, place: int) -> int:
    rule = game.feedback
    if not isinstance(rule, PegFeedback):
        raise scanner.error(f"pegs such as {pegs} answer black and white; {game.name} has others")
    if len(pegs) != game.n_pegs or not re.fullmatch("X*O*-*", pegs):
        raise scanner.error(
            f"{pegs!r} is not a feedback: {game.n_pegs} pegs, X then O then -, are needed", place
        )
    try:
        return rule.response_of(pegs.count("X"), pegs.count("O"))
    except GameError as error:
        raise scanner.error(str(error), place) from error


def _parse_code(
    scanner: Scanner, game: Game, text: str, place: int, symbols: tuple[str, ...]
) -> int:
    return scanner.parse(game.parse_code, text, place, symbols)


def _digits(game: Game) -> tuple[str, ...]:
    """Return digits from 0, then letters."""
    return tuple((string.digits + string.ascii_uppercase)[: game.n_colors])


_CLAIMS = {"total": "total_moves", "worst": "max_depth", "average": "average_game_length"}


def sketch_pymm(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read the states; raise FormatError at the first field that does not fit."""
    value = parse_json(scanner.text)
    tree = get_field(value, "tree", dict, "$")
    sketch = Sketch(game, scanner.locate, history)
    response_of = _map_scores(game)
    pending: list[tuple[int, int, Any, str]] = [(Sketch.NULL, Sketch.NULL, tree, "$.tree")]
    for parent, response, node, place in pending:
        guess = _decode(game, get_field(node, "root", int, place), place)
        count = get_field(node, "problem_size", int, place)
        state = sketch.add(parent, response, guess, place, count=count)
        _read_claims(sketch, state, node, place)
        for score, child in node.get("children", {}).items():
            if score not in response_of:
                raise FormatError(f"{place}.children: {score!r} is not a score of {game.name}")
            pending.append((state, response_of[score], child, f"{place}.children.{score}"))
    return sketch


def _read_claims(sketch: Sketch, state: int, node: dict[str, Any], place: str) -> None:
    """Record a state's claims."""
    stats = node.get("stats")
    known = stats if isinstance(stats, dict) else {}
    claims = {
        name: TextClaim(known[key], f"{place}.stats.{key}")
        for name, key in _CLAIMS.items()
        if known.get(key) is not None
    }
    if isinstance(node.get("in_solution"), bool):
        claims["wins"] = TextClaim(node["in_solution"], f"{place}.in_solution")
    sketch.claims_of[state] = claims


def _map_scores(game: Game) -> dict[str, int]:
    """Return the response of each score that is not the winning one."""
    rule = game.feedback
    if not isinstance(rule, PegFeedback):
        raise FormatError(f"pymm's scores are black and white pegs; {game.name} has others")
    scores = {}
    for response in range(game.win):
        black, white = rule.feedback_of(response)
        missing = game.n_pegs - black
        scores[str(missing * (missing + 1) // 2 + white)] = response
    return scores


def _decode(game: Game, number: int, place: str) -> int:
    if not 0 <= number < game.n_colors**game.n_pegs:
        raise FormatError(f"{place}.root: {number} is not in 0 … {game.n_colors**game.n_pegs - 1}")
    colors = []
    for _ in range(game.n_pegs):
        number, color = divmod(number, game.n_colors)
        colors.append(color)
    try:
        return game.index_of(colors)
    except GameError as error:
        raise FormatError(f"{place}.root: {error}") from error


YAML = Format(
    "yaml",
    reader=Reader(
        sketch_yaml,
        "YAML strategies of arfst23/Mastermind.",
        "Read a YAML strategy of arfst23/Mastermind.",
        ("treegen import yaml arfst.yaml -g p4c6r -o copy.tree",),
        looks=r"(---\n)?- \S+\n- [XO-]+:",
    ),
)
PUNCH_CARD = Format(
    "punch-card",
    reader=Reader(
        sketch_punch_card,
        "Punch cards of arfst23/Mastermind.",
        "Read a punch card of arfst23/Mastermind.",
        ("treegen import punch-card arfst.txt -g p4c6r -o copy.tree",),
        looks=r" +[XO-]+ [XO-]+ ",
    ),
)
PYMM = Format(
    "pymm",
    reader=Reader(
        sketch_pymm,
        "JSON strategies of pymm.",
        "Read a JSON strategy of pymm.",
        ("treegen import pymm pymm.json -g p4c6r -o copy.tree",),
        field="tree",
    ),
)
