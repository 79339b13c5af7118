"""Strategies of single programs, read alone: arfst23/Mastermind and pymm.

docs/foreign-formats.md has their grammars. Of pymm's statistics ``min_depth`` and ``optimal`` are
not compared: what pymm writes there does not match these names.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import Any

from ..errors import FormatError, GameError
from ..games.base import Game
from ..games.feedback import PegFeedback
from .format import Format, Reader
from .json_text import JsonPath, get_field, parse_json
from .sketch import Sketch, TextClaim

_DIGITS = string.digits + string.ascii_uppercase
_YAML_LINE = re.compile(r"( *+)(- )?(?:([XO-]+):)? ?([0-9A-Za-z]++)? *+(?=\n|$)")


@dataclass(slots=True)
class _Frame:
    """A list that is being read: its state, the columns of its dashes and of its keys."""

    state: int
    dash: int
    keys: int = Sketch.NULL


def read_yaml(sketch: Sketch) -> Sketch:
    """Read the lists; raise FormatError at the first line that does not fit."""
    scanner = sketch.scanner
    sketch.notation = sketch.notation or sketch.game.notation.with_symbols(
        _DIGITS[: sketch.game.n_colors]
    )
    frames: list[_Frame] = []
    # The state and feedback whose list comes next.
    pending: tuple[int, int] | None = (Sketch.NULL, Sketch.NULL)
    scanner.take("---\n")
    while scanner.at < len(scanner.text):
        match = _YAML_LINE.match(scanner.text, scanner.at)
        if match is None or not match.group().strip():
            raise scanner.expected("a line such as '- 0012', '- XO--:' or 'XX--: 0412'")
        indent, (_, dash, pegs, code) = len(match.group(1)), match.groups()
        if pegs is None:  # ``- 0012``: a state begins
            if pending is None or dash is None or code is None:
                message = "expected a feedback and a colon, such as XO--:"
                raise scanner.error(message, match.end(1))
            if frames and indent < frames[-1].keys:
                message = "the guess must be indented more than its feedback"
                raise scanner.error(message, match.start(4))
            guess = sketch.parse_code(code, match.start(4))
            state = sketch.add(*pending, guess, match.start(4))
            sketch.wins[state] = False
            frames.append(_Frame(state, indent))
            pending = None
        else:  # ``XO--:`` with a code after it, or a list on the next line
            place = match.start(3)
            if pending is not None:
                raise scanner.error("the feedback above has no guess yet", place)
            while frames and indent != (frames[-1].dash if dash else frames[-1].keys):
                frames.pop()
            if not frames or (dash and frames[-1].keys != Sketch.NULL):
                raise scanner.error("the indentation of this line matches none above", place)
            frames[-1].keys = place - match.start()
            state, response = frames[-1].state, _parse_pegs(sketch, pegs, place)
            if code is None:
                pending = (state, response)
            else:
                _add_code(sketch, state, response, code, match.start(4))
        scanner.at = match.end() + 1
    if pending is not None:
        raise scanner.expected("'- ' and the guess that follows the feedback above")
    return sketch


def _add_code(sketch: Sketch, state: int, response: int, text: str, place: int) -> None:
    """Add a state whose code surely wins; the winning feedback must repeat the guess."""
    code = sketch.parse_code(text, place)
    if response != sketch.game.win:
        sketch.add(state, response, code, place, count=1)
        return
    sketch.wins[state] = True
    if code != sketch.guess[state]:
        message = "after the winning feedback the guess itself is expected"
        raise sketch.scanner.error(message, place)


def _parse_pegs(sketch: Sketch, pegs: str, place: int) -> int:
    scanner, game, rule = sketch.scanner, sketch.game, sketch.game.feedback
    if not isinstance(rule, PegFeedback):
        raise scanner.error(
            f"pegs such as {pegs:.80} answer black and white; {game.name} has others"
        )
    if len(pegs) != game.n_pegs or not re.fullmatch("X*O*-*", pegs):
        raise scanner.error(
            f"{pegs!r:.80} is not an answer: {game.n_pegs} pegs, X then O then -, are needed",
            place,
        )
    with scanner.explain(place):
        return rule.response_of(pegs.count("X"), pegs.count("O"))


def read_pymm(sketch: Sketch) -> Sketch:
    """Read the states; raise FormatError at the first field that does not fit."""
    tree = get_field(parse_json(sketch.scanner.text), "tree", dict, "$")
    game = sketch.game
    response_of = _map_scores(game)
    pending: list[tuple[int, int, Any, JsonPath]] = [(Sketch.NULL, Sketch.NULL, tree, "$.tree")]
    for parent, response, node, place in pending:
        number = get_field(node, "root", int, place)
        with sketch.scanner.explain((place, ".root")):
            guess = _decode(game, number)
        count = get_field(node, "problem_size", int, place)
        state = sketch.add(parent, response, guess, place, count=count)
        sketch.claims_of[state] = _read_claims(node, place)
        children = get_field(node, "children", dict, place) if "children" in node else {}
        for score, child in children.items():
            if score not in response_of:
                message = f"{score!r:.80} is not a score of {game.name}"
                raise sketch.scanner.error(message, (place, ".children"))
            pending.append((state, response_of[score], child, (place, f".children.{score}")))
    return sketch


def _read_claims(node: dict[str, Any], place: JsonPath) -> dict[str, TextClaim]:
    """Return the claims of a state."""
    stats = node.get("stats")
    known = stats if isinstance(stats, dict) else {}
    names = {"total": "total_moves", "worst": "max_depth", "average": "average_game_length"}
    claims = {
        name: TextClaim(known[key], (place, f".stats.{key}"))
        for name, key in names.items()
        if known.get(key) is not None
    }
    if isinstance(node.get("in_solution"), bool):
        claims["wins"] = TextClaim(node["in_solution"], (place, ".in_solution"))
    return claims


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


def _decode(game: Game, number: int) -> int:
    """Return the code of a number whose digit of value 1 is the first peg."""
    if not 0 <= number < game.n_colors**game.n_pegs:
        raise GameError(f"{number} is not in 0 … {game.n_colors**game.n_pegs - 1}")
    colors = []
    for _ in range(game.n_pegs):
        number, color = divmod(number, game.n_colors)
        colors.append(color)
    return game.notation.index_of(colors)


YAML = Format(
    "yaml",
    reader=Reader(
        read_yaml,
        "YAML strategies of arfst23/Mastermind.",
        "Read a YAML strategy of arfst23/Mastermind.",
        ("treegen import yaml arfst.yaml -g p4c6r -o copy.tree",),
        looks=r"(---\n)?- \S+\n- [XO-]+:",
    ),
)
PYMM = Format(
    "pymm",
    reader=Reader(
        read_pymm,
        "JSON strategies of pymm.",
        "Read a JSON strategy of pymm.",
        ("treegen import pymm pymm.json -g p4c6r -o copy.tree",),
        field="tree",
    ),
)
