"""What was published about a tree, compared with what playing it found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import UsageError
from .report import Report

_COUNT = r"\d{1,40}"
_FORMS = {
    "total": _COUNT,
    "average": r"\d{1,40}(?:\.\d{1,40})?",
    "worst": _COUNT,
    "n_worst": _COUNT,
    "histogram": rf"{_COUNT}(?:/{_COUNT})*",
}
"""The statistics that can be compared, and how each is written."""

_EXAMPLE = "total=5801, average=4.4761, worst=5, n_worst=694 and histogram=1/6/62/533/694"

AVERAGE_DIGITS = 4
"""Digits after the point of the average that was found, unless more are claimed."""


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
        Whether the claim holds: an average at the digits that are given.
    """

    name: str
    published: str
    found: str
    is_true: bool

    def __str__(self) -> str:
        told = "true" if self.is_true else f"it is {self.found}"
        return f"published {self.name} {self.published}: {told}"


def compare_published(report: Report, claims: Sequence[str]) -> list[Published]:
    """Compare published statistics with a report.

    Parameters
    ----------
    report
        Of a tree whose secrets were all played.
    claims
        Each ``total=5801``, ``average=4.4761``, ``worst=5``, ``n_worst=694`` or
        ``histogram=1/6/62/533/694``.

    Raises
    ------
    UsageError
        A claim is malformed.

    Examples
    --------
    >>> print(compare_published(Report(4, [1, 3]), ["total=8"])[0])
    published total 8: it is 7
    >>> [claim.is_true for claim in compare_published(Report(3, [1, 2]), ["average=1.67"])]
    [True]
    """
    facts = {
        "total": [report.total],
        "worst": [len(report.histogram)],
        "n_worst": report.histogram[-1:] or [report.n_announced],
        "histogram": report.histogram,
    }
    results = []
    for claim in claims:
        name, value = _split(claim)
        if name == "average":
            results.append(_compare_average(report, value))
            continue
        is_true = [int(count) for count in value.split("/")] == facts[name]
        results.append(Published(name, value, "/".join(map(str, facts[name])), is_true))
    return results


def _split(claim: str) -> tuple[str, str]:
    """Return name and value of a claim; raise UsageError if it is malformed."""
    name, _, value = claim.partition("=")
    if name not in _FORMS:
        raise UsageError(f"the claim {claim!r} is about no statistic: {_EXAMPLE} are read")
    if not re.fullmatch(_FORMS[name], value, re.ASCII):
        raise UsageError(f"the claim {claim!r} is not read: {_EXAMPLE} are")
    return name, value


def _compare_average(report: Report, value: str) -> Published:
    """Compare an average at the digits that are given: both 4.476 and 4.48 are true of 4.4761."""
    n_digits = len(value.partition(".")[2])
    average = Fraction(report.total, max(sum(report.histogram), 1))
    is_true = 2 * abs(Fraction(value) - average) <= Fraction(1, 10**n_digits)
    n_shown = max(n_digits, AVERAGE_DIGITS)
    whole, part = divmod(round(average * 10**n_shown), 10**n_shown)
    return Published("average", value, f"{whole}.{part:0{n_shown}}", is_true)
