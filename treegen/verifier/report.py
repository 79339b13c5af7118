"""What a verification found: which claims were checked, and which were not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CHECKED, UNCHECKED, WRONG = "checked", "not checked", "wrong"
"""States of a claim."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a file claims about its tree.

    Attributes
    ----------
    name
        ``total``, ``worst``, ``histogram``, ``digest``, ``strategy``, ``rule``, ``objective``
        or ``bound``.
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


@dataclass(slots=True)
class Report:
    """What playing a tree found.

    Attributes
    ----------
    n_secrets
        Secrets played.
    histogram
        Secrets found at guess 1, 2, 3 ….
    problems
        One sentence for each thing that is wrong.
    claims
        What the file claims about the tree, each checked, wrong or not checked.
    is_sample
        Whether only some of the secrets were played.
    n_announced
        Weight of the secrets that are known without a guess: one, if a tree to identify has one.
    """

    n_secrets: int
    histogram: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    is_sample: bool = False
    n_announced: int = 0

    @property
    def total(self) -> int:
        """Sum of the lengths of the games played."""
        return sum(length * count for length, count in enumerate(self.histogram, start=1))

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong; some claims may be unchecked."""
        return not self.problems

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

    def add(self, name: str, value: Any, problem: str = "") -> None:
        """Add a claim that was checked; `problem` says what is wrong with it."""
        self.claims.append(Claim(name, value, WRONG if problem else CHECKED, problem))
        if problem:
            self.problems.append(problem)

    def doubt(self, name: str, value: Any, reason: str) -> None:
        """Add a claim that was not checked."""
        self.claims.append(Claim(name, value, UNCHECKED, reason))

    def miss(self, name: str, value: Any) -> None:
        """Add a claim that was not checked because the verification was interrupted."""
        self.doubt(name, value, "interrupted before it was checked")

    def settle(self, name: str, problem: str = "") -> None:
        """Mark an unchecked claim as checked."""
        at = next(i for i, claim in enumerate(self.claims) if claim.name == name)
        self.add(name, self.claims[at].value, problem)
        self.claims[at] = self.claims.pop()

    def leave(self, name: str, reason: str) -> None:
        """Leave an unchecked claim so, for another reason."""
        at = next(i for i, claim in enumerate(self.claims) if claim.name == name)
        self.claims[at] = Claim(name, self.claims[at].value, UNCHECKED, reason)

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON.

        Examples
        --------
        >>> Report(2, [1, 1]).to_dict()["total"]
        3
        """
        return {
            "proved": self.is_proved,
            "sound": self.is_sound,
            "secrets": self.n_secrets,
            "total": self.total,
            "histogram": self.histogram,
            "problems": self.problems,
            "checked": {claim.name: claim.value for claim in self.checked},
            "not_checked": {
                claim.name: {"value": claim.value, "reason": claim.note} for claim in self.unchecked
            },
        }
