"""Read the JSON strategies of pymm.

A state is an object with ``root``, the guess as a number whose digit of value 1 is the first peg;
``problem_size``, its candidates; and ``children``, a map from scores to states. A score is
``(P - black)(P - black + 1)/2 + white``, so that 0 wins. The root is under ``tree``.
``in_solution`` and ``stats`` of every state are compared with the tree, except ``min_depth`` and
``optimal``: what pymm writes there does not match these names.
"""

from __future__ import annotations

from typing import Any

from ..errors import FormatError, GameError
from ..games import Game, PegFeedback
from ..tree import History
from .json_text import get_field, parse_json
from .scan import Scanner
from .sketch import Claim, Sketch

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
        name: Claim(known[key], f"{place}.stats.{key}")
        for name, key in _CLAIMS.items()
        if known.get(key) is not None
    }
    if isinstance(node.get("in_solution"), bool):
        claims["wins"] = Claim(node["in_solution"], f"{place}.in_solution")
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
