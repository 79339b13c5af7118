"""What the Python player needs for the profiles `lean` and `seed`: the rules of scoring.

The standard library alone; lies beside ``tgt_player.py``, which loads it for such a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from operator import eq
from typing import TYPE_CHECKING

if __package__:
    from .tgt_player import demand, read_field
else:
    from tgt_player import demand, read_field  # type: ignore[import-not-found, no-redef]

if TYPE_CHECKING:
    from .tgt_player import Rules, Table

MAX_SECRETS = 1 << 20
"""The candidates are kept in memory: no more than these."""


def prepare(table: Table, sections: list[memoryview]) -> list[memoryview]:
    """Set a table's first candidates; return its sections, expanded where it is a seed."""
    rules = table.rules
    rules.colors = cache(rules.colors)  # type: ignore[method-assign]
    demand(rules.n_secrets <= MAX_SECRETS, f"more than {MAX_SECRETS} secrets are too many here")
    table.candidates = range(rules.n_secrets)
    for code, response in zip(table.start[::2], table.start[1::2], strict=True):
        table.candidates = select(rules, table.candidates, code, response)
    demand(len(table.candidates) > 0, "no secret agrees with the start")
    return expand(table, sections[0]) if table.profile == "seed" else sections


def select(rules: Rules, candidates: Sequence[int], code: int, response: int) -> list[int]:
    """Return the candidates that answer a guess with a response."""
    guess, colors = rules.colors(code), rules.colors
    return [code for code in candidates if score(rules, guess, colors(code)) == response]


def score(rules: Rules, guess: Sequence[int], secret: Sequence[int]) -> int:
    """Return the response to a guess, codes given as colors."""
    n_pegs: int = rules.n_pegs
    if rules.rule == "position":
        return _score_position(guess, secret)
    black: int = sum(map(eq, guess, secret))
    if rules.rule == "black":
        return black
    left = list(secret)
    for color in guess:
        if color in left:
            left.remove(color)
    white = n_pegs - len(left) - black
    return black * (n_pegs + 1) - black * (black - 1) // 2 + white - (black == n_pegs)


def expand(table: Table, guesses: memoryview) -> list[memoryview]:
    """Return the sections guess, response, shape that the guesses of a seed stand for."""
    colors_of = {code: table.rules.colors(code) for code in table.candidates}
    codes: list[int] = []
    replies: list[int] = []
    shape: list[int] = []
    states: list[Sequence[int]] = [table.candidates]
    at = 0
    for state in states:
        demand(len(states) <= table.n_nodes, "the guesses lead to more nodes than n_nodes")
        code, at = _read_guess(table, guesses, at, state)
        guess = table.rules.colors(code)
        cells: dict[int, list[int]] = {}
        for secret in state:
            cells.setdefault(score(table.rules, guess, colors_of[secret]), []).append(secret)
        cells.pop(table.n_responses - 1, None)
        stored = [reply for reply in sorted(cells) if len(cells[reply]) > table.implicit]
        is_split = all(len(cells[reply]) < len(state) for reply in stored)
        demand(is_split, "a guess gains no information")
        states.extend(cells[reply] for reply in stored)
        codes.append(code)
        replies += stored
        shape += [1] * len(stored) + [0]
    demand(len(states) == table.n_nodes, "the guesses lead to fewer nodes than n_nodes")
    demand((at + 7) // 8 == len(guesses), "section guess has a wrong length")
    is_clean = read_field(guesses, 0, 8 * len(guesses)) & ((1 << -at % 8) - 1) == 0
    demand(is_clean, "section guess has bits set behind its end")
    guess_bits, response_bits = (
        (table.n_codes - 1).bit_length(),
        (table.n_responses - 2).bit_length(),
    )
    return [
        pack_fields(codes, guess_bits),
        pack_fields(replies, response_bits),
        pack_fields(shape, 1),
    ]


def pack_fields(values: Iterable[int], width: int) -> memoryview:
    """Return a section of fields of so many bits, the first in the highest bits."""
    bits = "".join([f"{value:0{width}b}" for value in values]) if width else ""
    bits += "0" * (-len(bits) % 8)
    return memoryview(int(bits or "0", 2).to_bytes(len(bits) // 8, "big"))


def _read_guess(
    table: Table, guesses: memoryview, at: int, candidates: Sequence[int]
) -> tuple[int, int]:
    """Return a guess and the bit behind it: a flag, then a code or a candidate's place."""
    demand(at < 8 * len(guesses), "section guess ends early")
    choices = candidates if read_field(guesses, at, 1) else range(table.n_codes)
    width = (len(choices) - 1).bit_length()
    end = at + 1 + width
    demand(end <= 8 * len(guesses), "section guess ends early")
    place = read_field(guesses, at + 1, width)
    demand(place < len(choices), f"the guess at bit {at} is out of range")
    return choices[place], end


def _score_position(guess: Sequence[int], secret: Sequence[int]) -> int:
    left = [b for a, b in zip(guess, secret, strict=True) if a != b]
    response = 0
    for a, b in zip(guess, secret, strict=True):
        mark = 2 if a == b else int(a in left)
        if mark == 1:
            left.remove(a)
        response = 3 * response + mark
    return response
