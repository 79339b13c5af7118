"""What the Python player needs for tables that leave states out: the rules of scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from operator import eq

from .tgt_envelope import demand
from .tgt_rules import Header, Rules

MAX_SECRETS = 1 << 20
"""The most candidates that are kept in memory."""
FREE_WORK, WORK_PER_NODE = 1 << 22, 1 << 10
"""A table's start is replayed with so much work, in pegs that are compared."""

Colors = tuple[int, ...] | str


class Budget:
    """Counts the work that opening a table takes; refuses more than its size is worth."""

    def __init__(self, table: Header) -> None:
        self._n_pegs: int = table.rules.n_pegs
        self._left = FREE_WORK + WORK_PER_NODE * table.n_nodes

    def spend(self, n_scored: int) -> None:
        """Take away the work of `n_scored` scorings; raise FormatError where it is too much."""
        self._left -= n_scored * self._n_pegs
        demand(self._left >= 0, "the rules would have to score too many codes")


def find_candidates(table: Header) -> Sequence[int]:
    """Return a table's first candidates."""
    rules, implicit, budget = table.rules, table.implicit, Budget(table)
    demand(rules.n_secrets <= MAX_SECRETS, f"more than {MAX_SECRETS} secrets are too many here")
    demand(table.n_nodes <= rules.n_secrets, "n_nodes is above the number of secrets")
    candidates = begin(table, budget) if table.start else range(rules.n_secrets)
    # A stored state wins one secret; each of its other answers leaves a state that is stored
    # too, or `implicit` secrets.
    most = table.n_nodes * (1 + implicit * (table.n_responses - 1))
    demand(0 < len(candidates) <= most, "n_nodes cannot tell the start's secrets apart")
    return candidates


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
    """Return the number of lower responses that lead to stored states; None if not this one."""
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


def _score_position(guess: Colors, secret: Colors) -> int:
    left = [b for a, b in zip(guess, secret, strict=True) if a != b]
    response = 0
    for a, b in zip(guess, secret, strict=True):
        mark = 2 if a == b else int(a in left)
        if mark == 1:
            left.remove(a)
        response = 3 * response + mark
    return response
