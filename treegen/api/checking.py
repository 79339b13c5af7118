"""Verification: every secret played, every claim compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._options import check_seed, check_whole
from .._printing import Block, Paragraph, Printable
from ..errors import Interrupted, TimeLimitError, UsageError
from ..formats import LoadedTree
from ..verifier import Claim, Published, VerifyInterrupt, compare_published, verify_tree
from ..verifier import Report as Draft
from .progress import ProgressOption, count_games, open_progress
from .sources import TreeSource, open_tree
from .workers import count_jobs, end_in_time

Figures = Sequence[str] | Mapping[str, float | str | Sequence[int]]
"""Published statistics: ``["total=5801"]``, or ``{"total": 5801}``."""


@dataclass(frozen=True, slots=True)
class Report(Printable):
    """What verifying a tree found.

    Attributes
    ----------
    n_secrets
        Secrets played.
    histogram
        Secrets found at guess 1, 2, 3 …, as `Tree.histogram`.
    total
        Sum of the lengths of the games played.
    problems
        One sentence for each thing that is wrong.
    claims
        What the file claims about the tree, each checked, wrong or not checked.
    published
        The published statistics that were compared.
    is_sample
        Whether only some of the secrets were played.

    Examples
    --------
    >>> import treegen
    >>> report = treegen.verify(treegen.build("p2c3r"))
    >>> report.is_proved, report.total, report.problems
    (True, 24, ())
    """

    n_secrets: int
    histogram: list[int]
    total: int
    problems: tuple[str, ...]
    claims: tuple[Claim, ...]
    published: tuple[Published, ...] = ()
    is_sample: bool = False

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
        return [claim for claim in self.claims if claim.state == "checked"]

    @property
    def unchecked(self) -> list[Claim]:
        """The claims that were not checked."""
        return [claim for claim in self.claims if claim.state == "not checked"]

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "proved": self.is_proved,
            "sound": self.is_sound,
            "secrets": self.n_secrets,
            "total": self.total,
            "histogram": list(self.histogram),
            "problems": list(self.problems),
            "checked": {claim.name: claim.value for claim in self.checked},
            "not_checked": {
                claim.name: {"value": claim.value, "reason": claim.note} for claim in self.unchecked
            },
            "published": {row.name: row.is_true for row in self.published},
        }

    def describe(self) -> Iterator[Block]:
        """Yield what is wrong, or what was checked and what was not."""
        wrong = [*self.problems, *(str(row) for row in self.published if not row.is_true)]
        for problem in wrong:
            yield Paragraph(f"wrong: {problem}")
        if not wrong:
            what = "sampled secrets found" if self.is_sample else "secrets found"
            yield Paragraph(f"ok: {self.n_secrets} {what}, total {self.total}")
        if not self.problems:
            yield from (Paragraph(str(row)) for row in self.published if row.is_true)
            yield from self._describe_claims()

    def _describe_claims(self) -> Iterator[Block]:
        if self.checked:
            yield Paragraph(f"checked: {', '.join(_name(claim) for claim in self.checked)}")
        reasons: dict[str, list[Claim]] = {}
        for claim in self.unchecked:
            reasons.setdefault(claim.note, []).append(claim)
        for reason, claims in reasons.items():
            names = ", ".join(_name(claim) for claim in claims)
            yield Paragraph(f"not checked: {names} ({reason})")


def verify(
    tree: TreeSource,
    *,
    sample: int | None = None,
    seed: int | None = None,
    rule: bool | None = None,
    eligible: str | None = None,
    prove: bool = False,
    claim: Figures = (),
    time_limit: float | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
) -> Report:
    """Play every secret through a tree; check what the tree and its file claim.

    Scoring follows the plain definition, independently of the kernels that build trees.

    Parameters
    ----------
    tree
        The tree, or its file.
    sample
        Play only so many secrets, evenly spread.
    seed
        Draw the secrets of the sample at random instead.
    rule
        Whether to check that every guess is the one that the tree's rule chooses. None: if that
        takes some seconds at most.
    eligible
        Check that this rule allows every guess: ``"hints"`` for Wordle's hard mode.
    prove
        Whether to run the exact search for the objective and the bound of an optimal tree.
    claim
        Published statistics to compare: ``["total=5801", "worst=5"]``, or ``{"total": 5801}``; any
        of total, average, worst, n_worst and histogram. An average is compared at the digits given.
    time_limit
        Stop after so many seconds; what was not checked by then is listed as such.
    jobs
        Threads of the search; None: all cores.
    progress
        Called with a `Progress` now and then; True shows a bar.

    Returns
    -------
    Report
        `Report.problems` lists what is wrong, `Report.unchecked` what was not checked;
        `Report.is_proved` is True where both are empty.

    Raises
    ------
    FormatError
        The file cannot be read or is damaged.
    UsageError
        The options contradict each other, or a claim is malformed.
    TimeLimitError
        The time limit was over before a secret was played.
    Interrupted
        Ctrl-C; its `result` is the report on what was checked before.

    Examples
    --------
    >>> import treegen
    >>> report = treegen.verify(treegen.build("p3c4r", "optimal"))
    >>> report.is_sound, report.is_proved, [claim.name for claim in report.unchecked]
    (True, False, ['objective', 'bound'])
    >>> treegen.verify(treegen.build("p3c4r", "optimal"), prove=True).is_proved
    True
    >>> print(treegen.verify(treegen.build("p4c6r"), claim={"total": 5801}))
    ok: 1296 secrets found, total 5801
    published total 5801: true
    checked: strategy, rule
    """
    check_whole(sample=sample, jobs=jobs)
    check_seed(seed)
    figures = _write_figures(claim)
    if seed is not None and sample is None:
        raise UsageError("--seed draws the secrets of --sample, which is missing")
    if sample is not None and (figures or prove):
        raise UsageError("--claim and --prove need the whole tree: leave --sample out")
    compare_published(Draft(0), figures)  # malformed ones are refused before the work
    loaded = open_tree(tree, check=False)
    draft: list[Draft] = []
    try:
        with end_in_time(time_limit), open_progress(progress, "checking the rule") as tell:
            check = {"sample": sample, "seed": seed, "rule": rule, "eligible": eligible}
            _check(loaded, draft, count_games(tell, "checking the rule"), check)
            if prove and draft[0].is_sound:
                _prove(loaded, draft[0], count_jobs(jobs))
    except TimeLimitError:
        if not draft:
            raise
    except KeyboardInterrupt as stop:
        if draft:
            raise Interrupted(_finish(draft[0], figures)) from stop
        raise
    return _finish(draft[0], figures)


def _check(loaded: LoadedTree, draft: list[Draft], progress: Any, check: dict[str, Any]) -> None:
    """Add a report to a list; one that is not complete too, before Ctrl-C is passed on."""
    try:
        draft.append(verify_tree(loaded.tree, loaded.claims, progress=progress, **check))
    except VerifyInterrupt as ended:
        draft.append(ended.report)
        raise


def _prove(loaded: LoadedTree, draft: Draft, jobs: int) -> None:
    from ..analysis import prove_claims

    prove_claims(loaded.tree, draft, jobs=jobs)


def _finish(draft: Draft, figures: Sequence[str]) -> Report:
    """Return the report of a draft, with published statistics compared."""
    compared: Sequence[Published] = ()
    if draft.is_sample:  # an interrupted one, as no sample is compared
        for text in figures:
            draft.miss(text, text)
    else:
        compared = compare_published(draft, figures)
    return Report(
        draft.n_secrets,
        list(draft.histogram),
        draft.total,
        tuple(draft.problems),
        tuple(draft.claims),
        tuple(compared),
        draft.is_sample,
    )


def _write_figures(claim: Figures) -> list[str]:
    """Return published statistics as ``total=5801``."""
    if isinstance(claim, str) or not isinstance(claim, Iterable):
        return [str(claim)]
    if not isinstance(claim, Mapping):
        return list(map(str, claim))
    return [f"{name}={_write_value(value)}" for name, value in claim.items()]


def _write_value(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "/".join(map(str, value))
    return str(value)


def _name(claim: Claim) -> str:
    """Return a claim's name, with its value if that is short and was not counted."""
    if claim.name == "eligible":
        return f"{claim.name} {claim.value}"
    is_told = claim.name in ("bound", "objective") and claim.state != "checked"
    return f"{claim.name} {claim.value}" if is_told else claim.name
