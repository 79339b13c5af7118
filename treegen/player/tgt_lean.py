"""What the Python player needs for tables that leave states out: the rules of scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from operator import eq

from .tgt_envelope import demand, read_field
from .tgt_rules import Header, Rules

MAX_SECRETS = 1 << 20
"""The most candidates that are kept in memory."""
FREE_WORK, WORK_PER_NODE = 1 << 22, 1 << 10
"""A table is expanded or its start replayed with so much work, in pegs that are compared."""

Colors = tuple[int, ...] | str


class Budget:
    """Counts the work that opening a table takes; refuses more than its size is worth."""

    def __init__(self, table: Header) -> None:
        self._n_pegs: int = table.rules.n_pegs
        self._left = FREE_WORK + WORK_PER_NODE * table.n_nodes

    def spend(self, n_scored: int) -> None:
        """Take away the work of so many scorings; raise FormatError where none is left."""
        self._left -= n_scored * self._n_pegs
        demand(self._left >= 0, "the rules would have to score too many codes")


def prepare(table: Header) -> tuple[Sequence[int], list[memoryview]]:
    """Return a table's first candidates, and its sections, expanded if it is a seed."""
    rules, implicit, budget = table.rules, table.implicit, Budget(table)
    demand(rules.n_secrets <= MAX_SECRETS, f"more than {MAX_SECRETS} secrets are too many here")
    demand(table.n_nodes <= rules.n_secrets, "n_nodes is above the number of secrets")
    candidates = begin(table, budget) if table.start else range(rules.n_secrets)
    # A stored state wins one secret; each of its other answers leaves a state that is stored
    # too, or `implicit` secrets.
    most = table.n_nodes * (1 + implicit * (table.n_responses - 1))
    demand(0 < len(candidates) <= most, "n_nodes cannot tell the start's secrets apart")
    if table.profile != "seed":
        return candidates, table.sections
    return candidates, expand(table, candidates, budget)


def begin(table: Header, budget: Budget) -> list[int]:
    """Return the secrets that answer the guesses of the start as it says."""
    rules, candidates = table.rules, []
    codes, responses = table.start[::2], table.start[1::2]
    guesses = [colors_of(rules, code) for code in codes]
    budget.spend(rules.n_secrets)
    for secret, colors in enumerate(generate_secrets(rules)):
        for n_agreeing, (guess, response) in enumerate(zip(guesses, responses, strict=True)):
            budget.spend(1 if n_agreeing else 0)  # the first is paid for
            if score(rules, guess, colors) != response:
                break
        else:
            candidates.append(secret)
    return candidates


def score_all(rules: Rules, candidates: Sequence[int], code: int) -> list[int]:
    """Return the responses that candidates give to a guess."""
    guess = colors_of(rules, code)
    return [score(rules, guess, colors) for _, colors in pair_colors(rules, candidates)]


def count_stored(replies: list[int], response: int, implicit: int) -> int | None:
    """Return how many responses below this one lead to stored states; None if this does not."""
    sizes = Counter(replies)
    if sizes[response] <= implicit:
        return None
    return sum(1 for reply, size in sizes.items() if reply < response and size > implicit)


def pair_colors(rules: Rules, candidates: Sequence[int]) -> Iterable[tuple[int, Colors]]:
    """Return candidates with their colors; all secrets much faster than one by one."""
    if len(candidates) == rules.n_secrets:
        return enumerate(generate_secrets(rules))
    return ((secret, colors_of(rules, secret)) for secret in candidates)


def colors_of(rules: Rules, code: int) -> Colors:
    """Return the colors of a code, of a codebook its word."""
    at = code * rules.n_pegs
    return rules.words[at : at + rules.n_pegs] if rules.words else rules.colors(code)


def generate_secrets(rules: Rules) -> Iterator[Colors]:
    """Yield the colors of all secrets in their order, much faster than one by one."""
    n_colors: int = len(rules.counts)
    if rules.words:
        return (colors_of(rules, code) for code in range(rules.n_secrets))
    if rules.is_repeating:
        return product(range(n_colors), repeat=rules.n_pegs)
    if max(rules.counts) == 1:
        return permutations(range(n_colors), rules.n_pegs)
    return permute([color for color in range(n_colors) for _ in range(rules.counts[color])])


def permute(row: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the arrangements of ascending colors, in lexicographic order."""
    last = len(row) - 1
    at = 0
    while at >= 0:
        yield tuple(row)
        at = last - 1
        while at >= 0 and row[at] >= row[at + 1]:
            at -= 1
        other = last
        while row[other] <= row[at] and at >= 0:
            other -= 1
        row[at], row[other] = row[other], row[at]
        row[at + 1 :] = row[:at:-1]


def score(rules: Rules, guess: Colors, secret: Colors) -> int:
    """Return the response to a guess; codes are given as colors."""
    n_pegs: int = rules.n_pegs
    if rules.rule == "position":
        return _score_position(guess, secret)
    black: int = sum(map(eq, guess, secret))
    if rules.rule == "black":
        return black
    left: list[int | str] = list(secret)
    for color in guess:
        if color in left:
            left.remove(color)
    white = n_pegs - len(left) - black
    return black * (n_pegs + 1) - black * (black - 1) // 2 + white - (black == n_pegs)


def expand(table: Header, candidates: Sequence[int], budget: Budget) -> list[memoryview]:
    """Return the sections guess, response, shape that a seed's guesses determine."""
    guesses = table.sections[0]
    demand(table.n_nodes <= 8 * len(guesses), "section guess is too short for n_nodes")
    budget.spend(len(candidates))
    colors = dict(pair_colors(table.rules, candidates))
    codes: list[int] = []
    replies: list[int] = []
    shape: list[int] = []
    states: list[Sequence[int]] = [candidates]
    at = 0
    for state in states:
        demand(len(states) <= table.n_nodes, "the guesses lead to more nodes than n_nodes")
        code, at = _read_guess(table, guesses, at, state)
        guess = colors_of(table.rules, code)
        cells: dict[int, list[int]] = {}
        for secret in state:
            cells.setdefault(score(table.rules, guess, colors[secret]), []).append(secret)
        cells.pop(table.n_responses - 1, None)
        stored = [reply for reply in sorted(cells) if len(cells[reply]) > table.implicit]
        budget.spend(sum(len(cells[reply]) for reply in stored))
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
    table: Header, guesses: memoryview, at: int, candidates: Sequence[int]
) -> tuple[int, int]:
    """Return a guess and the bit after it: a flag, then a code or a candidate's place."""
    demand(at < 8 * len(guesses), "section guess ends early")
    choices = candidates if read_field(guesses, at, 1) else range(table.n_codes)
    width = (len(choices) - 1).bit_length()
    end = at + 1 + width
    demand(end <= 8 * len(guesses), "section guess ends early")
    place = read_field(guesses, at + 1, width)
    demand(place < len(choices), f"the guess at bit {at} is out of range")
    return choices[place], end


def _score_position(guess: Colors, secret: Colors) -> int:
    left = [b for a, b in zip(guess, secret, strict=True) if a != b]
    response = 0
    for a, b in zip(guess, secret, strict=True):
        mark = 2 if a == b else int(a in left)
        if mark == 1:
            left.remove(a)
        response = 3 * response + mark
    return response
