"""What was published about a tree, compared with what playing it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UsageError
from .report import Report

NAMES = ("total", "worst", "n_worst", "histogram")


@dataclass(frozen=True, slots=True)
class Published:
    """A published statistic and the true one.

    Attributes
    ----------
    name
        One of `NAMES`.
    published, found
        What is claimed, and what playing found; counts of a histogram from length 1.
    """

    name: str
    published: list[int]
    found: list[int]

    @property
    def is_true(self) -> bool:
        """Whether the claim holds."""
        return self.published == self.found

    def __str__(self) -> str:
        found, published = ("/".join(map(str, values)) for values in (self.found, self.published))
        if self.is_true:
            return f"published {self.name} {published}: true"
        return f"published {self.name} {published}: it is {found}"


def compare_published(report: Report, claims: Sequence[str]) -> list[Published]:
    """Compare published statistics with a report.

    Parameters
    ----------
    report
        Of a tree whose secrets were all played.
    claims
        Each ``total=5801``, ``worst=5``, ``n_worst=694`` or ``histogram=1/6/62/533/694``.

    Raises
    ------
    UsageError
        A claim is malformed.

    Examples
    --------
    >>> print(compare_published(Report(4, [1, 3]), ["total=8"])[0])
    published total 8: it is 7
    """
    facts = {
        "total": [report.total],
        "worst": [len(report.histogram)],
        "n_worst": report.histogram[-1:],
        "histogram": report.histogram,
    }
    results = []
    for claim in claims:
        name, _, value = claim.partition("=")
        counts = value.split("/")
        if name not in NAMES or not all(c.isascii() and c.isdigit() for c in counts):
            raise UsageError(
                f"the claim {claim!r} is not read: total=5801, worst=5, n_worst=694 and"
                " histogram=1/6/62/533/694 are"
            )
        results.append(Published(name, [int(count) for count in counts], facts[name]))
    return results
