"""What a ``.tgt`` table says before its sections: the rules of its game, claims, counts.

Of the rules: how codes and answers are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from json import loads
from math import factorial, perm, prod
from unicodedata import normalize
from zlib import crc32

from ..errors import FormatError, UnreachableError
from .tgt_envelope import demand, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from typing import Any

MAX_ANSWERS = 65535
"""To a question of a table of answers."""
SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Rules:
    """The rules in a game's description: how codes are written, how feedback is numbered."""

    def __init__(self, description: list[Any], n_responses: int = 0) -> None:
        self._texts: dict[int, str] = {}
        self._answers: dict[str, int] = {}
        self.words, self.counts, n_colors, repetition = "", [], 1, 1
        self.texts: list[str] = []  # of a table of answers, its names and questions, or none
        self.labels: list[list[str]] = []  # the answers to each question, or to all, or none
        if description[:1] == ["weighted"]:
            description = description[3:]
        self.announces = description[-1:] == ["goal identify"]
        description = description[: len(description) - self.announces]
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
            case ["questions", int(n_secrets), int(n), str(), str(), str(), str()]:
                n_codes, n_pegs, rule = n_secrets + n, 1, "answers"
                demand(n_secrets > 0 and n >= 0, "the numbers of questions are out of range")
                demand(n_responses <= MAX_ANSWERS + 1, "there are too many answers")
                self.set_labels(*_split(description[3:6]), n_codes, n, n_responses - 1)
            case _:
                raise FormatError("the game is of an unknown kind, or its description is wrong")
        self.n_codes, self.n_secrets, self.n_pegs, self.rule = n_codes, n_secrets, n_pegs, rule
        self.is_repeating = repetition and description[0] == "pegs"
        numbers = [str(repetition + color) for color in range(n_colors)]
        self._symbols = SYMBOLS[repetition:] if n_colors <= 35 else numbers
        sizes = {"pegs": (n_pegs + 1) * (n_pegs + 2) // 2 - 1, "black": n_pegs + 1}
        sizes |= {"position": 3**n_pegs} if self.words and n_pegs <= 9 else {}
        sizes |= {"answers": n_responses} if rule == "answers" and n_responses > 1 else {}
        demand(rule in sizes, f"the feedback rule {rule!r} is unknown here")
        self.n_responses = sizes[rule]

    def set_labels(
        self, names: list[str], questions: list[str], answers: list[list[str]], *counts: int
    ) -> None:
        """Take the words of a table of answers; where there are none, numbers stand for them."""
        n_codes, n_questions, most = counts
        self.texts, self.labels = names + questions, answers
        demand(len(self.texts) in (0, n_codes), "the names or questions have a wrong number")
        demand(len(answers) in (0, 1, n_questions), "the answers have a wrong number")
        demand(max(map(len, answers), default=most) <= most, "a question has too many answers")

    def read_labels(self, text: str) -> None:
        """Take the words of a table of answers from JSON; raise FormatError if they do not fit."""
        try:
            words = loads(text)
            parts = [words[key] for key in ("names", "questions", "answers")]
        except (ValueError, KeyError, TypeError):
            raise FormatError("the labels are not JSON with names, questions, answers") from None
        demand(self.rule == "answers", "only a table of answers has labels")
        counts = self.n_codes, self.n_codes - self.n_secrets, self.n_responses - 1
        self.set_labels(*parts, *counts)

    def colors(self, code: int) -> tuple[int, ...]:
        """Return the values on a code's pegs (of a codebook: its characters' code points)."""
        return tuple(map(ord, self.format(code)) if self.words else self._unrank(code))

    def format(self, code: int) -> str:
        """Return a code as people write it."""
        if self.rule == "answers":
            question = code - self.n_secrets + 1
            number = f"question {question}" if question > 0 else f"candidate {code + 1}"
            return self.texts[code] if self.texts else number
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

    def list_answers(self, code: int) -> list[str]:
        """Return the answers to a question, or to a candidate that is guessed, the win last."""
        is_guess = code < self.n_secrets
        if is_guess and (self.n_codes > self.n_secrets or self.n_responses == 2):
            return ["no", "right"]
        rows = self.labels or [[str(at) for at in range(self.n_responses - 1)]]
        # Where there are no questions, the answers are those to a guess.
        return [*rows[0], "right"] if is_guess else rows[(code - self.n_secrets) % len(rows)]

    def response_of(self, feedback: str | Sequence[int | str], code: int | None = None) -> int:
        """Return the response of ``(0, 2)``, ``"0 2"``, ``"02"``; UnreachableError if none.

        A question, the code given, has its own answers.
        """
        between = "" if self.rule == "position" else " "
        text = feedback if isinstance(feedback, str) else between.join(map(str, feedback))
        if self.rule == "answers":
            return self._find_answer(text, code)
        parts = [text.strip()]
        if self.rule != "position":
            numbers = text.replace(".", " ").split()
            is_dense = self.rule == "pegs" and [*map(len, numbers)] == [2]
            parts = [_read_number(number) for number in (numbers[0] if is_dense else numbers)]
        plain = ("." * (self.n_pegs > 9)).join(parts)
        if plain not in self.answers:
            raise UnreachableError(f"{text or 'nothing'} is no feedback of {self.n_pegs} pegs")
        return self.answers[plain]

    def _find_answer(self, text: str, code: int | None) -> int:
        known = [] if code is None else self.list_answers(code)
        meant, labels = clean(text), [clean(label) for label in known]
        found = [at for at, label in enumerate(labels) if label == meant][:1]
        found = found or [at for at, label in enumerate(labels) if are_alike(label, meant)]
        if len(found) != 1:
            raise UnreachableError(
                f"{text or 'nothing'} is no answer; there are {', '.join(known[:20])}"
            )
        is_right = code is not None and code < self.n_secrets and found[0] == len(known) - 1
        return self.n_responses - 1 if is_right else found[0]

    @property
    def answers(self) -> dict[str, int]:
        """The response of each answer as people write it: ``02``, ``3`` or ``01020``."""
        if not self._answers:
            n, dot = self.n_pegs, "." * (self.n_pegs > 9)
            texts: Iterator[str] = map(str, range(n + 1))
            if self.rule == "answers":
                texts = map(str, range(self.n_responses))
            if self.rule == "position":
                texts = map("".join, product("012", repeat=n))
            elif self.rule == "pegs":
                pairs = ((b, w) for b in range(n + 1) for w in range(n - b + 1))
                texts = (f"{b}{dot}{w}" for b, w in pairs if (b, w) != (n - 1, 1))
            self._answers = {text: at for at, text in enumerate(texts)}
        return self._answers


def _split(texts: list[str]) -> tuple[list[str], list[str], list[list[str]]]:
    """Return the names, questions and answers of a description."""
    names, questions, answers = (text.split("\n") if text else [] for text in texts)
    return names, questions, [line.split("\t") for line in answers]


def _read_number(text: str) -> str:
    """Return a number without zeros before it; what is none as something that no answer holds."""
    return str(int(text)) if text.isascii() and text.isdigit() and len(text) < 5 else "?"


def clean(text: str) -> str:
    """Return a text in the form NFC with single spaces within."""
    return normalize("NFC", " ".join(text.split()))


def are_alike(one: str, other: str) -> bool:
    """Return whether texts differ in case alone, also where i has a dot and ı has none."""
    turkic = {"I": "ı", "İ": "i"}
    return any(
        normalize("NFC", one.translate(by).casefold())
        == normalize("NFC", other.translate(by).casefold())
        for by in ({}, str.maketrans(turkic))
    )


SECTIONS = {"full": 3, "lean": 3, "slim": 2}
"""Binary sections of each profile."""


class Header:
    """A table's values, its sections still unchecked."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        view = memoryview(data)
        demand(len(view) >= 16 and bytes(view[1:6]) == b"\xa4TGT1", "offset 0: this is no table")
        is_whole = view[-5] == 0xCE and crc32(view[:-5]) == int.from_bytes(view[-4:], "big")
        advice = "bytes were changed or lost; copy or export it again"
        demand(is_whole, f"offset {len(view) - 5}: the CRC-32 does not fit: {advice}")
        parts = unpack(view[:-5])
        _, self.minor, self.profile, self.game, self.start, self.meta, *counts = parts[:10]
        self.n_codes, self.n_responses, self.n_nodes, self.implicit = counts
        demand(self.profile in SECTIONS, f"profile {self.profile!r} is unknown")
        end = 10 + SECTIONS[self.profile]
        self.sections: list[memoryview] = parts[10:end]
        are_binary = [*map(type, self.sections)] == [memoryview] * (end - 10)
        demand(are_binary, "sections are not binary")
        demand(self.minor > 0 or len(parts) == end, "there are too many values")
        has_more = len(parts) > end and type(parts[end]) is dict
        self.more: dict[str, Any] = parts[end] if has_more else {}
        self.rules = Rules(self.game, self.n_responses)
        self._check()

    def _check(self) -> None:
        full, meta, pairs = self.profile == "full", self.meta, self.start
        demand(full or self.rules.rule != "answers", "a table of answers is full: no rule answers")
        demand(self.implicit in ((0,) if full else (1, 2)), "implicit does not fit the profile")
        demand(self.rules.n_codes == self.n_codes < 1 << 31, "n_codes is not the game's")
        demand(self.rules.n_responses == self.n_responses, "n_responses is not the game's")
        demand([*meta] == ["digest", "strategy", "total", "worst"], "meta has other keys")
        demand([*map(type, meta.values())] == [memoryview, str, int, int], "meta is wrong")
        demand(len(meta["digest"]) == 32, "the digest has not 32 bytes")
        meta["digest"] = bytes(meta["digest"])
        limits = [self.n_codes, self.n_responses] * (len(pairs) // 2)
        are_right = [type(x) is int and x < most for x, most in zip(pairs, limits, strict=False)]
        demand(len(limits) == len(pairs) and all(are_right), "start is no pairs in range")
