"""Tables of one state whose game is wrong, or costs a reader too much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .files import pack

ALL_SAME, FIRST_TWO = [0, 0] * 40, [0, 3] * 20
FORGED: list[tuple[str, str, list[Any], tuple[int, int], list[int]]] = [
    ("2^31 codes", "full", ["pegs", 31, 2, 1, "black"], (2**31, 32), []),
    # C shifted a width by 32 bits, and hung (#19).
    ("marks on 20 pegs", "full", ["codebook", "position", 20, 1, "a" * 20], (1, 3**20), []),
    ("marks on 20 pegs, 3^9", "full", ["codebook", "position", 20, 1, "a" * 20], (1, 3**9), []),
    ("marks on 10 pegs", "full", ["codebook", "position", 10, 1, "a" * 10], (1, 3**10), []),
    ("marks in a game of colors", "full", ["pegs", 2, 3, 1, "position"], (9, 9), []),
    # C and JavaScript printed the last of them as 4464 (#19).
    ("70,000 colors", "full", ["pegs", 1, 70_000, 1, "black"], (70_000, 2), []),
    ("1,001 colors", "full", ["pegs", 1, 1001, 1, "black"], (1001, 2), []),
    ("words of 1,001 letters", "full", ["codebook", "black", 1001, 1, "a" * 1001], (1, 1002), []),
    ("1,001 pegs of a color", "full", ["arrangements", 1001], (1, 1002), []),
    # Few bytes took Python 336 MB and 16 s, and C 7 s (#19).
    (
        "more secrets than one state tells apart",
        "lean",
        ["pegs", 20, 2, 1, "pegs"],
        (2**20, 230),
        [],
    ),
    ("a start of much work", "lean", ["pegs", 2, 1000, 1, "pegs"], (10**6, 5), ALL_SAME),
    ("a start of 2^20 secrets", "lean", ["pegs", 20, 2, 1, "pegs"], (2**20, 230), FIRST_TWO),
    ("2^21 secrets", "lean", ["pegs", 7, 8, 1, "pegs"], (2**21, 35), [0, 33]),
    ("questions without candidates", "full", ["questions", 0, 1, *"????"], (1, 3), []),
    ("questions of other codes", "full", ["questions", 1, 1, *[""] * 4], (3, 3), []),
    ("questions by the rules", "lean", ["questions", 1, 1, *[""] * 4], (2, 3), []),
    ("65,536 answers", "full", ["questions", 1, 1, *[""] * 4], (2, 65537), []),
    ("questions with a value less", "full", ["questions", 1, 1, *[""] * 3], (2, 3), []),
    ("weights of nothing", "full", ["weighted", "", "2"], (2, 3), []),
]
"""Tables of one node, sound but for the game, or for what its secrets cost: name, profile, game,
codes and responses, start."""


LABELS: list[tuple[str, str, list[Any], tuple[int, int], list[int]]] = [
    ("a name too many", "full", ["questions", 1, 1, "a\nb", "?", "n\ty", ""], (2, 3), []),
    ("no question", "full", ["questions", 1, 1, "a", "", "n\ty", ""], (2, 3), []),
    (
        "answers of too few questions",
        "full",
        ["questions", 1, 3, *[""] * 2, "n\nn", ""],
        (4, 3),
        [],
    ),
    ("too many answers", "full", ["questions", 1, 1, "a", "?", "n\ty\tx", ""], (2, 3), []),
    ("questions that are a number", "full", ["questions", 1, 1, "a", 1, "n\ty", ""], (2, 3), []),
]
"""Tables of answers whose words do not fit."""


def forge(
    profile: str, game: list[Any], n_codes: int, n_responses: int, *, start: Sequence[int]
) -> bytes:
    """Return a table of one node that guesses code 0."""
    meta = {"digest": bytes(32), "strategy": "", "total": 1, "worst": 1}
    head = ["TGT1", 0, profile, game, list(start), meta, n_codes, n_responses, 1]
    guess = bytes(-(-(n_codes - 1).bit_length() // 8))
    return pack([*head, 0 if profile == "full" else 2, guess, b"", bytes(1)])
