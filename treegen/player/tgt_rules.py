"""The rules of a game as a ``.tgt`` table describes it: how codes and answers are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import factorial, perm, prod

from ..errors import FormatError, UnreachableError
from .tgt_envelope import demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Rules:
    """The rules in a game's description: how codes are written, how feedback is numbered."""

    def __init__(self, description: list[Any]) -> None:
        self._texts: dict[int, str] = {}
        self._answers: dict[str, int] = {}
        self.words, self.counts, n_colors, repetition = "", [], 1, 1
        match description:
            case ["pegs", int(n_pegs), int(n_colors), (0 | 1) as repetition, str(rule)]:
                demand(1 <= n_pegs <= 1000 and 1 <= n_colors <= 1000, "the game is out of range")
                n_codes = n_secrets = n_colors**n_pegs if repetition else perm(n_colors, n_pegs)
                self.counts = [1] * n_colors
            case ["arrangements", int(), *_]:
                self.counts = counts = description[1:]
                demand(all(type(n) is int and 0 < n <= 1000 for n in counts), "counts are wrong")
                n_pegs, n_colors, rule = sum(counts), len(counts), "black"
                demand(n_pegs <= 1000, "the game is out of range")
                n_codes = n_secrets = factorial(n_pegs) // prod(map(factorial, counts))
            case ["codebook", str(rule), int(n_pegs), int(n_secrets), str(words)]:
                demand(1 <= n_pegs <= 1000 and not len(words) % n_pegs, "the codebook is ragged")
                self.words, n_codes = words, len(words) // n_pegs
                demand(1 <= n_secrets <= n_codes, "the number of secrets is out of range")
            case _:
                raise FormatError("the game is of an unknown kind, or its description is wrong")
        self.n_codes, self.n_secrets, self.n_pegs, self.rule = n_codes, n_secrets, n_pegs, rule
        self.is_repeating = repetition and description[0] == "pegs"
        numbers = [str(repetition + color) for color in range(n_colors)]
        self._symbols = SYMBOLS[repetition:] if n_colors <= 35 else numbers
        sizes = {"pegs": (n_pegs + 1) * (n_pegs + 2) // 2 - 1, "black": n_pegs + 1}
        sizes |= {"position": 3**n_pegs} if self.words and n_pegs <= 9 else {}
        demand(rule in sizes, f"the feedback rule {rule!r} is unknown here")
        self.n_responses = sizes[rule]

    def colors(self, code: int) -> tuple[int, ...]:
        """Return the values on a code's pegs (of a codebook: its characters' code points)."""
        return tuple(map(ord, self.format(code)) if self.words else self._unrank(code))

    def format(self, code: int) -> str:
        """Return a code as people write it."""
        if code not in self._texts:
            word = self.words[code * self.n_pegs : (code + 1) * self.n_pegs]
            colors, dot = () if word else self.colors(code), "." * (len(self.counts) > 35)
            self._texts[code] = word or dot.join([self._symbols[color] for color in colors])
        return self._texts[code]

    def _unrank(self, code: int) -> Iterator[int]:
        """Yield a code's colors: each selects a block of the codes still possible."""
        left, n_left, size = list(self.counts), sum(self.counts), self.n_codes
        for _ in range(self.n_pegs):
            color = 0
            while code >= (block := size * left[color] // n_left):
                code, color = code - block, color + 1
            size = block
            left[color] -= not self.is_repeating
            n_left -= not self.is_repeating
            yield color

    def response_of(self, feedback: str | Sequence[int | str]) -> int:
        """Return the response of ``(0, 2)``, ``"02"``, ``"0.2"``; UnreachableError if none."""
        text = feedback if isinstance(feedback, str) else ".".join(map(str, feedback))
        parts = [text] if self.rule == "black" else text.split(".") if "." in text else text
        plain = ("." * (self.n_pegs > 9)).join(parts)
        if plain not in self.answers:
            raise UnreachableError(f"{text} is no feedback of {self.n_pegs} pegs")
        return self.answers[plain]

    @property
    def answers(self) -> dict[str, int]:
        """The response of each answer as people write it: ``02``, ``3`` or ``01020``."""
        if not self._answers:
            n, dot = self.n_pegs, "." * (self.n_pegs > 9)
            texts: Iterator[str] = map(str, range(n + 1))
            if self.rule == "position":
                texts = map("".join, product("012", repeat=n))
            elif self.rule == "pegs":
                pairs = ((b, w) for b in range(n + 1) for w in range(n - b + 1))
                texts = (f"{b}{dot}{w}" for b, w in pairs if (b, w) != (n - 1, 1))
            self._answers = {text: at for at, text in enumerate(texts)}
        return self._answers
