"""What a verification found: which claims were checked, and which were not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._printing import Block, Column, Listed, Paragraph, Printable, PrintedTable
from ..errors import UsageError
from ..games.base import Game
from ..games.rules import Weight, count_shares, weigh, write_weights
from ..kernels.rule_kinds import Measure
from ..strategies.strategy import ENTROPY_BITS, Criterion, make_logs


class Tally:
    """Counts the secrets found, or their weights, by the costs of their games."""

    def __init__(self, game: Game) -> None:
        self.n_played = 0  # secrets that have found their end; no parts of them
        self._unit = game.rules.share_unit
        self._weights = game.weights
        self._counts = np.zeros(1, dtype=np.int64)  # [0]: announced, at no cost

    def add(
        self,
        secrets: NDArray[np.integer],
        lengths: NDArray[np.int64],
        shares: NDArray[np.int64] | None = None,
    ) -> None:
        """Count secrets that were found, or the shares of them, and what their games cost."""
        if not len(secrets):
            return
        self.n_played += len(secrets) if shares is None else 0
        missing = int(lengths.max()) + 1 - len(self._counts)
        self._counts = np.pad(self._counts, (0, max(missing, 0)))
        if shares is not None:
            np.add.at(self._counts, lengths, shares)
        elif self._weights is None:
            self._counts += np.bincount(lengths, minlength=len(self._counts))
        else:  # bincount would add up weights as floats
            np.add.at(self._counts, lengths, self._weights[secrets])

    @property
    def histogram(self) -> list[Weight]:
        """Weight of the secrets found at cost 1, 2, 3 … worst."""
        return [weigh(count, self._unit) for count in self._counts[1:].tolist()]

    @property
    def n_announced(self) -> Weight:
        """Weight of the secrets that were known without a guess."""
        return weigh(int(self._counts[0]), self._unit)


MOST_LOGS = 1 << 20
"""Logarithms up to it are additive over prime factors; those of larger numbers are not."""


class Weigher:
    """Evaluates criteria of the cells of guesses, by what their candidates weigh."""

    def __init__(self, game: Game) -> None:
        weights = game.weights
        self.weights = np.ones(game.n_secrets, dtype=np.int64) if weights is None else weights
        self.costs = game.costs
        # A state whose candidates all weigh 0 counts them: together at most all secrets.
        self.whole = max(int(self.weights.sum()), game.n_secrets)
        # As many bits as keep the weight times its logarithm below 2 ** 62.
        self.bits = min(ENTROPY_BITS, 62 - (self.whole * self.whole.bit_length()).bit_length())

    def find_best(
        self, criterion: Criterion, guesses: NDArray[np.int32], cells: list[dict[int, int]]
    ) -> NDArray[np.bool_]:
        """Return which guesses, int32[n], are best by a criterion that uses weights.

        `cells` has for each of them the weight of each cell.
        """
        values = [
            self._evaluate(criterion, int(guess), list(cell.values()))
            for guess, cell in zip(guesses, cells, strict=True)
        ]
        best = min(values)
        return np.array([value == best for value in values])

    def weigh_cells(
        self, game: Game, guesses: NDArray[np.int32], candidates: NDArray[np.int32]
    ) -> list[dict[int, int]]:
        """Return the weight of each cell of each guess; candidates that all weigh 0 count 1."""
        weights = self.weights[candidates].tolist()
        if not any(weights):
            weights = [1] * len(candidates)
        found = []
        for guess in guesses:
            cells: dict[int, int] = {}
            replies = game.respond(np.array([guess]), candidates).tolist()
            for reply, weight in zip(replies, weights, strict=True):
                cells[reply] = cells.get(reply, 0) + weight
            found.append(cells)
        return found

    def _evaluate(self, criterion: Criterion, guess: int, weights: list[int]) -> Fraction:
        parts = sum(self._measure(criterion, weight) for weight in weights)
        if not criterion.is_per_cost:
            return Fraction(parts)
        gain = self._measure(criterion, sum(weights)) - parts
        return Fraction(-gain, int(self.costs[guess]))  # above 0: codes without cost are not asked

    def _measure(self, criterion: Criterion, weight: int) -> int:
        if criterion.measure == Measure.POWER:
            return int(weight**criterion.power)
        return weight * find_log(weight, min(self.whole, MOST_LOGS), self.bits)


def find_log(number: int, largest: int, bits: int) -> int:
    """Return the logarithm of a number in multiples of 2 ** -bits, as in docs/strategies.md.

    >>> find_log(8, 10, 4), find_log(11, 10, 4), 11 - 2 ** (55 / 16) < 1
    (48, 55, True)
    """
    if number <= largest:
        return int(make_logs(largest, bits)[number])
    whole = number.bit_length() - 1
    scaled, log = (number << 30) >> whole, whole
    # Squaring a number between 1 and 2 doubles its logarithm: the next bit is 1 if that passes 2.
    for _ in range(bits):
        scaled = (scaled * scaled) >> 30
        log = 2 * log + (scaled >> 31)
        scaled >>= scaled >> 31
    return log


_COUNT = r"\d{1,40}"
_NUMBER = r"\d{1,40}(?:\.\d{1,40})?"


def _write_forms(weight: str) -> dict[str, str]:
    return {
        "total": weight,
        "average": _NUMBER,
        "worst": _COUNT,
        "n_worst": weight,
        "histogram": rf"{weight}(?:/{weight})*",
    }


_FORMS, _FORMS_OF_SHARES = _write_forms(_COUNT), _write_forms(_NUMBER)
"""The statistics that can be compared, and how each is written; where answers are uncertain."""

_EXAMPLE = "total=5801, average=4.4761, worst=5, n_worst=694 and histogram=1/6/62/533/694"


@dataclass(frozen=True, slots=True)
class Published:
    """A published statistic and the true one.

    Attributes
    ----------
    name
        ``total``, ``average``, ``worst``, ``n_worst`` or ``histogram``.
    published, found
        What is claimed, and what playing found.
    is_true
        Whether the claim holds: decimals at the digits that are given.
    """

    name: str
    published: str
    found: str
    is_true: bool

    def __str__(self) -> str:
        told = "true" if self.is_true else f"it is {self.found}"
        return f"published {self.name} {self.published}: {told}"


def compare_published(report: Findings, claims: Sequence[str]) -> list[Published]:
    """Compare published statistics, each as ``total=5801``, with a report of all secrets.

    UsageError if one is malformed.
    """
    facts: dict[str, list[Weight]] = {
        "total": [report.total],
        "worst": [len(report.histogram)],
        "n_worst": report.histogram[-1:] or [report.n_announced],  # where nothing is guessed
        "histogram": report.histogram,
    }
    results, forms = [], _FORMS if report.unit == 1 else _FORMS_OF_SHARES
    for claim in claims:
        name, _, value = claim.partition("=")
        if name not in forms:
            raise UsageError(f"the claim {claim!r:.80} names no statistic: write {_EXAMPLE}")
        if not re.fullmatch(forms[name], value, re.ASCII):
            raise UsageError(f"the claim {claim!r:.80} cannot be read: write {_EXAMPLE}")
        if name == "average":
            results.append(_compare_average(report, value))
            continue
        texts, found = value.split("/"), facts[name]
        is_true = len(texts) == len(found) and all(map(_agrees, texts, found))
        results.append(Published(name, value, write_weights(found), is_true))
    return results


def _agrees(text: str, fact: Weight) -> bool:
    """Return whether a text has a number, at the digits that are given; as treegen writes it, too.

    4.476 and 4.48 are both true of 4.4761, and 12 of 12, but not of 12.3.
    """
    if text == write_weights([fact]):
        return True
    n_digits = len(text.partition(".")[2])
    if not n_digits:
        return int(text) == fact
    # Half a unit of the last digit: one in the middle may have been rounded up or down.
    return 2 * abs(Fraction(text) - fact) <= Fraction(1, 10**n_digits)


def _compare_average(report: Findings, value: str) -> Published:
    """Compare an average at the digits that are given."""
    n_digits = len(value.partition(".")[2])
    average = Fraction(report.total) / (sum(report.histogram) or 1)
    is_true = 2 * abs(Fraction(value) - average) <= Fraction(1, 10**n_digits)
    n_shown = max(n_digits, 4)
    whole, part = divmod(round(average * 10**n_shown), 10**n_shown)
    return Published("average", value, f"{whole}.{part:0{n_shown}}", is_true)


CHECKED, UNCHECKED, WRONG = "checked", "not checked", "wrong"
"""States of a claim."""

INTERRUPTED = "interrupted before it was checked"
"""Why a claim was not checked if Ctrl-C came, or the time limit was over."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a file claims about its tree.

    Attributes
    ----------
    name
        ``total``, ``worst``, ``histogram``, ``digest``, ``eligible``, ``strategy``, ``rule``,
        ``max-length``, ``first``, ``objective``, ``bound``, ``excerpt``, ``title`` (the name of a
        list, if it names a strategy), ``certificate``.
    value
        The value in the file.
    state
        `CHECKED` (found to be true), `UNCHECKED` or `WRONG`.
    note
        Why it was not checked and what would check it, or what is wrong.
    """

    name: str
    value: Any
    state: str = CHECKED
    note: str = ""


@dataclass(frozen=True, slots=True)
class Report(Printable, Listed[Claim]):
    """What verifying a tree found.

    Attributes
    ----------
    n_secrets
        Secrets played.
    histogram
        Secrets found at guess 1, 2, 3 …, as `Tree.histogram`.
    total
        Sum of the lengths of the games played, as `Tree.total`.
    problems
        One sentence for each thing that is wrong.
    claims
        What the file claims about the tree, each checked, wrong or not checked.
    published
        The published statistics that were compared.
    is_sample
        Whether only some of the secrets were played.
    proof
        What a certificate proves about the tree, in a sentence; empty without one.
    is_optimal
        Whether it proves that no strategy has a smaller total.
    unit
        How many shares weigh 1, which `to_dict` counts: see `Rules.share_unit`.

    Examples
    --------
    >>> import treegen
    >>> report = treegen.verify(treegen.build("p2c3r"))
    >>> report.is_proved, report.total, report.problems
    (True, 24, ())
    """

    n_secrets: int
    histogram: list[Weight]
    total: Weight
    problems: tuple[str, ...]
    claims: tuple[Claim, ...]
    published: tuple[Published, ...] = ()
    is_sample: bool = False
    proof: str = ""
    is_optimal: bool = field(default=False, repr=False)
    unit: int = field(default=1, repr=False)

    def _list(self) -> Sequence[Claim]:
        return self.claims

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong; some claims may be unchecked."""
        return not self.problems and all(row.is_true for row in self.published)

    @property
    def is_proved(self) -> bool:
        """Whether all secrets were found and every claim was checked and is true."""
        return self.is_sound and not self.is_sample and not self.unchecked

    @property
    def checked(self) -> list[Claim]:
        """The claims that were found to be true."""
        return [claim for claim in self.claims if claim.state == CHECKED]

    @property
    def unchecked(self) -> list[Claim]:
        """The claims that were not checked."""
        return [claim for claim in self.claims if claim.state == UNCHECKED]

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "proved": self.is_proved,
            "sound": self.is_sound,
            "secrets": self.n_secrets,
            "total": self._count(self.total),
            "histogram": self._count(self.histogram),
            "problems": list(self.problems),
            "checked": {claim.name: self._count(claim.value) for claim in self.checked},
            "not_checked": {
                claim.name: {"value": self._count(claim.value), "reason": claim.note}
                for claim in self.unchecked
            },
            "published": {row.name: row.is_true for row in self.published},
            **({"proof": self.proof} if self.proof else {}),
            **({"unit": self.unit} if self.unit > 1 else {}),
        }

    def _count(self, value: Any) -> Any:
        """Return a weight, or several, in shares; anything else as it is."""
        if isinstance(value, list):
            return list(map(self._count, value))
        return count_shares(value, self.unit) if isinstance(value, Fraction) else value

    def describe(self) -> Iterator[Block]:
        """Yield what is wrong, or what was checked and what was not."""
        wrong = [*self.problems, *(str(row) for row in self.published if not row.is_true)]
        for problem in wrong:
            yield Paragraph(f"wrong: {problem}")
        if not wrong:
            what = "sampled secrets found" if self.is_sample else "secrets found"
            yield Paragraph(f"ok: {self.n_secrets} {what}, total {write_weights([self.total])}")
            if self.proof:
                yield Paragraph(self.proof)
        if not self.problems:
            yield from (Paragraph(str(row)) for row in self.published if row.is_true)
            yield from self._describe_claims()

    def _describe_html(self) -> Iterator[Block]:
        claims = [str(block) for block in self._describe_claims()]
        yield from (block for block in self.describe() if str(block) not in claims)
        if self.claims and not self.problems:
            names = ["claim", "value", "result", "remark"]
            rows = [[one.name, write_value(one.value), one.state, one.note] for one in self.claims]
            n_shown = 4 if any(claim.note for claim in self.claims) else 3
            columns = [Column(name, is_text=True) for name in names[:n_shown]]
            yield PrintedTable(columns, [row[:n_shown] for row in rows])

    def _describe_claims(self) -> Iterator[Block]:
        if self.checked:
            yield Paragraph(f"checked: {', '.join(_name(claim) for claim in self.checked)}")
        reasons: dict[str, list[Claim]] = {}
        for claim in self.unchecked:
            reasons.setdefault(claim.note, []).append(claim)
        for reason, claims in reasons.items():
            names = ", ".join(_name(claim) for claim in claims)
            yield Paragraph(f"not checked: {names} ({reason})")


def _name(claim: Claim) -> str:
    """Return a claim's name, with its value if that is short and was not counted."""
    is_open = claim.name in ("bound", "objective") and claim.state != CHECKED
    return (
        f"{claim.name} {write_value(claim.value)}"
        if is_open or claim.name == "eligible"
        else claim.name
    )


def write_value(value: Any) -> str:
    """Return what a file claims, for people.

    >>> write_value([0, Fraction(4, 3)]), write_value(5801), write_value("total")
    ('0/1.3333', '5801', 'total')
    """
    if isinstance(value, list):
        return write_weights(value)
    return write_weights([value]) if isinstance(value, Fraction) else str(value)


@dataclass(slots=True)
class Findings:
    """What playing a tree has found so far; see `Report`.

    `n_announced` is the weight of the secrets that are known without a guess: one, if a tree to
    identify has only one.
    """

    n_secrets: int
    histogram: list[Weight] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    is_sample: bool = False
    n_announced: Weight = 0
    proof: str = ""
    is_optimal: bool = False
    unit: int = 1

    @property
    def total(self) -> Weight:
        """Sum of the lengths of the games played."""
        return sum(length * count for length, count in enumerate(self.histogram, start=1))

    @property
    def worst(self) -> int:
        """Length of the longest game."""
        return len(self.histogram)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong; some claims may be unchecked."""
        return not self.problems

    @property
    def unchecked(self) -> list[Claim]:
        """The claims that were not checked."""
        return [claim for claim in self.claims if claim.state == UNCHECKED]

    def add(self, name: str, value: Any, problem: str = "") -> None:
        """Add a claim that was checked; `problem` says what is wrong with it."""
        self.claims.append(Claim(name, value, WRONG if problem else CHECKED, problem))
        if problem and problem not in self.problems:
            self.problems.append(problem)

    def doubt(self, name: str, value: Any, reason: str) -> None:
        """Add a claim that was not checked."""
        self.claims.append(Claim(name, value, UNCHECKED, reason))

    def settle(self, name: str, problem: str = "") -> None:
        """Mark an unchecked claim as checked; `problem` says what is wrong with it."""
        at = next(i for i, claim in enumerate(self.claims) if claim.name == name)
        self.add(name, self.claims[at].value, problem)
        self.claims[at] = self.claims.pop()  # what was added takes its place

    def leave(self, name: str, reason: str) -> None:
        """Leave an unchecked claim unchecked, for another reason."""
        at = next(i for i, claim in enumerate(self.claims) if claim.name == name)
        self.claims[at] = Claim(name, self.claims[at].value, UNCHECKED, reason)

    def make_report(self, published: Sequence[Published] = ()) -> Report:
        """Return the report, with published statistics that were compared."""
        return Report(
            self.n_secrets,
            list(self.histogram),
            self.total,
            tuple(self.problems),
            tuple(self.claims),
            tuple(published),
            self.is_sample,
            self.proof,
            self.is_optimal,
            self.unit,
        )
