"""Play every secret through a tree by the plain definition of scoring; report what its file claims.

Nothing here uses the compiled kernels: feedback is scored by `Game.respond`, which is written
from the definition, so that a wrong kernel cannot hide behind itself.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._options import check_seed, check_whole
from .._printing import Block, Column, Listed, Paragraph, Printable, PrintedTable
from ..errors import GameError, StrategyError, TreeError, UsageError
from ..games.base import Game, follow
from ..games.eligible import resolve_eligible
from ..games.rules import Weight, count_shares, weigh, write_weights
from ..strategies.named import Stated, check_limits, find_bound_fault, list_names, read_provenance
from ..tasks.work import PROCESS, OnProgress
from ..tree.tree import NULL, Tree, check_columns, price_guesses, weigh_secrets
from ..tree.walk import write_answers
from .rule import count_comparisons, find_illegal_guess, find_other_choice, find_wrong_end

_COUNT = r"\d{1,40}"
_NUMBER = r"\d{1,40}(?:\.\d{1,40})?"


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
        result = "true" if self.is_true else f"it is {self.found}"
        return f"published {self.name} {self.published}: {result}"


def compare_published(report: Findings, claims: Sequence[str]) -> list[Published]:
    """Compare published statistics, each as ``total=5801``, with a report of all secrets.

    UsageError if one is malformed.
    """
    weight, histogram = _COUNT if report.unit == 1 else _NUMBER, report.histogram
    # How each statistic is written, and what is true.
    facts: dict[str, tuple[str, list[Weight]]] = {
        "total": (weight, [report.total]),
        "average": (_NUMBER, []),
        "worst": (_COUNT, [report.worst]),
        "n_worst": (weight, histogram[-1:] or [report.n_announced]),  # where nothing is guessed
        "histogram": (rf"{weight}(?:/{weight})*", histogram),
    }
    results = []
    for claim in claims:
        name, _, value = claim.partition("=")
        if name not in facts:
            raise UsageError(f"the claim {claim!r:.80} names no statistic: write {_EXAMPLE}")
        form, found = facts[name]
        if not re.fullmatch(form, value, re.ASCII):
            raise UsageError(f"the claim {claim!r:.80} cannot be read: write {_EXAMPLE}")
        if name == "average":
            results.append(_compare_average(report, value))
            continue
        texts = value.split("/")
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
            what = f"{'sampled ' * self.is_sample}secret{'s' * (self.n_secrets != 1)} found"
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
    """Return a claim of a file as text for people.

    >>> write_value([0, Fraction(4, 3)]), write_value(5801), write_value("total")
    ('0/1.3333', '5801', 'total')
    """
    if isinstance(value, list):
        return write_weights(value)
    return write_weights([value]) if isinstance(value, Fraction) else str(value)


@dataclass(slots=True)
class Findings:
    """What playing a tree has found so far; see `Report`."""

    n_secrets: int = 0  # that have found their end; no parts of them
    problems: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    is_sample: bool = False
    proof: str = ""
    is_optimal: bool = False
    unit: int = 1
    # Shares of the secrets found by the cost of their games; at no cost they are announced.
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))

    def count(
        self,
        game: Game,
        secrets: NDArray[np.integer],
        lengths: NDArray[np.int64],
        shares: NDArray[np.int64] | None,
    ) -> None:
        """Count secrets that were found, or the shares of them, and what their games cost."""
        self.n_secrets += len(secrets) if shares is None else 0
        missing = int(lengths.max(initial=0)) + 1 - len(self.counts)
        self.counts = np.pad(self.counts, (0, max(missing, 0)))
        np.add.at(self.counts, lengths, weigh_secrets(game, secrets, shares))

    @property
    def histogram(self) -> list[Weight]:
        """Weight of the secrets found at cost 1, 2, 3 … worst."""
        return [weigh(count, self.unit) for count in self.counts[1:].tolist()]

    @property
    def n_announced(self) -> Weight:
        """Weight of the secrets that were known without a guess."""
        return weigh(int(self.counts[0]), self.unit)

    @property
    def total(self) -> Weight:
        """Sum of the lengths of the games played."""
        return sum(length * count for length, count in enumerate(self.histogram, start=1))

    @property
    def worst(self) -> int:
        """Length of the longest game."""
        return len(self.counts) - 1

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
            self.histogram,
            self.total,
            tuple(self.problems),
            tuple(self.claims),
            tuple(published),
            self.is_sample,
            self.proof,
            self.is_optimal,
            self.unit,
        )


SECRETS_PER_BLOCK = 1 << 18
"""Secrets that are played at a time: bounds the memory of a large game."""


class VerifyInterrupt(KeyboardInterrupt):
    """Ctrl-C, with what was checked before it, and the other claims as not checked."""

    def __init__(self, report: Findings) -> None:
        super().__init__()
        self.report = report


def verify_tree(
    tree: Tree,
    claims: Mapping[str, Any] | None = None,
    *,
    sample: int | None = None,
    seed: int | None = None,
    rule: bool | None = None,
    eligible: str | None = None,
    on_progress: OnProgress | None = None,
) -> Findings:
    """Check a tree's structure, play secrets through it, compare the claims of its file.

    `claims` holds any of ``total``, ``worst``, ``histogram``, ``digest``; other claims (a bound, an
    objective, the rule of a large tree) are listed as not checked. The options are those of
    `treegen.verify`; a sample leaves branches that no secret reaches, and the histogram, unchecked.
    `eligible` is checked whatever the tree states, and GameError if the game cannot be played by
    it. VerifyInterrupt if Ctrl-C comes after a secret was played.

    >>> from treegen import build
    >>> report = verify_tree(build("p3c3r"), {"total": 74})
    >>> [claim.name for claim in report.claims], report.problems, report.unchecked
    (['total', 'strategy', 'rule'], [], [])
    """
    check_whole(sample=sample)
    check_seed(seed)
    try:  # all that follows trusts the columns: places in range, responses ascending
        check_columns(tree)
    except TreeError as error:
        return Findings(problems=[f"structure: {error}"])
    secrets, shares = follow(tree.game, tree.provenance.history)
    if len(secrets) != tree.n_secrets:
        problem = f"the root has {tree.n_secrets} candidates; {len(secrets)} secrets are possible"
        return Findings(problems=[problem])
    report, visits = Findings(unit=tree.game.rules.share_unit), None
    if sample is not None and sample < len(secrets):
        places = np.array(_choose_places(len(secrets), sample, seed), dtype=np.int64)
        secrets, shares = secrets[places], _select(shares, places)
        report.is_sample = True
    else:
        visits = np.zeros(tree.n_nodes, dtype=np.int32)

    def check_claims(late: str = "") -> None:
        """Run the checks that are not done; `late` is why those that take long are left out."""
        done = [(claim.name, claim.value) for claim in report.claims]
        for check in _generate_checks(
            tree, claims or {}, report, rule, eligible, on_progress, late
        ):
            if (check.name, check.value) in done:
                continue
            try:
                fault = "" if check.lack else check.find_fault()
            except (GameError, StrategyError) as error:  # a rule that no tree of this game can have
                fault = f"the rule does not fit the game: {error}"
            if not fault and (check.lack or check.rest):
                report.doubt(check.name, check.value, check.lack or check.rest)
            else:
                report.add(check.name, check.value, fault)

    try:
        _play_all(tree, secrets, shares, visits, report)
        if report.is_sound and visits is not None:
            problem = _find_wrong_count(tree, visits) or find_wrong_end(tree)
            report.problems += [problem] if problem else []
        check_claims()
    except KeyboardInterrupt as stop:
        if not report.n_secrets:
            raise
        PROCESS.announce_saving()
        check_claims(INTERRUPTED)
        raise VerifyInterrupt(report) from stop
    return report


def _choose_places(n_secrets: int, sample: int, seed: int | None) -> list[int]:
    """Return the places of the secrets to play: evenly spread, or drawn by a seed."""
    if seed is None:  # fewer than all: they are more than 1 apart, so none comes twice
        return [int(place) for place in np.linspace(0, n_secrets - 1, sample)]
    return sorted(random.Random(seed).sample(range(n_secrets), sample))


def _play_all(
    tree: Tree,
    secrets: NDArray[np.int32],
    shares: NDArray[np.int64] | None,
    visits: NDArray[np.int32] | None,
    report: Findings,
) -> None:
    """Play secrets block by block; on request count how many reach each node."""
    try:
        for begin in range(0, len(secrets), SECRETS_PER_BLOCK):
            PROCESS.check_stop()
            block = slice(begin, begin + SECRETS_PER_BLOCK)
            _play(tree, secrets[block], _select(shares, block), visits, report)
        report.n_secrets = len(secrets)
    except KeyboardInterrupt:
        report.is_sample = True
        raise


def _play(
    tree: Tree,
    secrets: NDArray[np.int32],
    shares: NDArray[np.int64] | None,
    visits: NDArray[np.int32] | None,
    report: Findings,
) -> None:
    """Move a block of secrets down the tree together, one guess at a time.

    A secret that may give several answers follows each, with a part of its shares.
    """
    nodes, spent = (np.zeros(len(secrets), dtype=np.int64) for _ in range(2))
    while len(secrets):
        if visits is not None:  # += would count a node once, however many secrets are there
            np.add.at(visits, nodes, 1)
        guesses = tree.guess[nodes]
        source, replies, shares = tree.game.rules.spread(guesses, secrets, shares)
        is_leaf = tree.first_child[nodes] == tree.first_child[nodes + 1]
        spent += price_guesses(tree.game, guesses, is_leaf)
        nodes, secrets, spent = nodes[source], secrets[source], spent[source]
        going_on = replies != tree.game.win
        ended = _select(shares, ~going_on)
        report.count(tree.game, secrets[~going_on], spent[~going_on], ended)
        nodes, secrets, replies = nodes[going_on], secrets[going_on], replies[going_on]
        children = _find_children(tree, nodes, replies)
        found = children != NULL
        for lost in np.flatnonzero(~found)[:1]:  # one example a step is enough
            report.problems.append(_describe_loss(tree, secrets[lost], nodes[lost], replies[lost]))
        nodes, secrets, spent = children[found], secrets[found], spent[going_on][found]
        shares = _select(_select(shares, going_on), found)


def _select(
    shares: NDArray[np.int64] | None, places: NDArray[np.bool_] | NDArray[np.int64] | slice
) -> NDArray[np.int64] | None:
    return None if shares is None else shares[places]


def _find_children(
    tree: Tree, nodes: NDArray[np.int64], replies: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the child that each node has for a response; `NULL` if it has none.

    The children's responses are ascending: all are found at once, by bisection.
    """
    low = tree.first_child[nodes].astype(np.int64)
    last = tree.first_child[nodes + 1].astype(np.int64)
    high = last.copy()
    # Where a search has ended, its place may lie behind the last node: node 0 is read instead.
    while np.any(low < high):
        middle = (low + high) // 2
        inside = low < high
        below = inside & (tree.response[np.where(inside, middle, 0)] < replies)
        low[below] = middle[below] + 1
        high[inside & ~below] = middle[inside & ~below]
    is_child = low < last
    is_child &= tree.response[np.where(is_child, low, 0)] == replies
    return np.where(is_child, low, NULL)


def _describe_loss(tree: Tree, secret: int, node: int, reply: int) -> str:
    game = tree.game
    answers, guess = write_answers(tree, int(node)), int(tree.guess[node])
    return (
        f"the secret {game.format_code(int(secret))} is not found: after {answers or 'no answers'},"
        f" {game.format_code(guess)} is answered {game.format_response(int(reply), guess)}, and"
        " there is no such branch"
    )


def _find_wrong_count(tree: Tree, visits: NDArray[np.int32]) -> str:
    is_wrong = visits != tree.n_candidates
    if not is_wrong.any():
        return ""
    node = int(np.argmax(is_wrong))
    return (
        f"the state after {write_answers(tree, node) or 'no answers'} says"
        f" {tree.n_candidates[node]} candidates; {visits[node]} secrets reach it"
    )


MAX_COMPARISONS = 50_000_000
"""Responses that a check of the rule may compute unless asked: some seconds of one core."""

BY_SEARCH = "the file's word; --prove runs the exact search"
"""Of what only a search or a certificate can settle."""

BY_ROUNDING = "the file's word; shares are rounded, so no search proves it"
"""Of what none can."""


class Check(NamedTuple):
    """A claim, and how it is checked.

    `find_fault` returns what is wrong with it, ``""`` if nothing is. It is not called where it
    lacks what it needs: `lack` says what. `rest` is why a claim without a fault stays unchecked.
    """

    name: str
    value: Any
    find_fault: Callable[[], str] = str
    lack: str = ""
    rest: str = ""


def _generate_checks(
    tree: Tree,
    claims: Mapping[str, Any],
    report: Findings,
    rule: bool | None,
    eligible: str | None,
    on_progress: OnProgress | None,
    late: str,
) -> Iterator[Check]:
    """Yield what is claimed of a tree and its words, in the order of a report."""
    stated, game = read_provenance(tree.provenance, tree.game), tree.game
    sampled, cut = "only a sample was played" if report.is_sample else "", describe_excerpt(game)
    # Where a whole tree is wrong, its counts are, too, and say nothing new.
    if report.is_sound or sampled or late:
        for name, claim in claims.items():
            if name in ("total", "worst", "histogram"):
                yield Check(name, claim, partial(_compare, report, name, claim), late or sampled)
            elif name == "digest":
                yield Check(name, claim, partial(_compare, tree, name, claim), late or sampled, cut)
    if not (report.is_sound or late):
        return
    if eligible is not None:
        resolve_eligible(game, eligible)  # GameError if no tree of this game can have it
    # The first guess may be given instead of chosen.
    is_given = any(word in tree.provenance.rule for word in ("opening=", "first="))
    for allowed, is_free in {stated.eligible: is_given, eligible: False}.items():
        if allowed not in ("all", None):
            fault = partial(find_illegal_guess, tree, allowed, is_first_given=is_free)
            yield Check("eligible", allowed, fault, late)
    yield from _list_rule(tree, stated, rule, on_progress, sampled or cut or late)
    yield from _list_search(tree, stated, report, cut)
    if cut and game.rules.excerpt:
        yield Check("excerpt", game.rules.excerpt.rules_name, rest=cut)
    if game.rules.label and praises_tree(game.rules.label):
        rest = "a list's name shows nothing of the tree's strategy"
        yield Check("title", game.rules.label, rest=rest)


def _compare(source: Tree | Findings, name: str, claim: Any) -> str:
    fact = getattr(source, name)
    problem = f"the file claims {name} {write_value(claim)}; it is {write_value(fact)}"
    return "" if fact == claim else problem


def describe_excerpt(game: Game) -> str:
    """Return the missing part of a list of words, which cannot be checked; ``""`` if none."""
    if game.rules.excerpt is None:
        return ""
    return (
        f"the file has {game.n_codes:,} of the {game.rules.excerpt.n_codes:,} words of the list"
        f" {game.rules.excerpt.rules_name}: import the table with -g and that list"
    )


def _list_rule(
    tree: Tree, stated: Stated, asked: bool | None, on_progress: OnProgress | None, lack: str
) -> Iterator[Check]:
    """Yield the name and the rule that a tree claims, if guesses are chosen by a rule.

    `asked` is True to check the rule however long it takes, None if it takes some seconds, False
    for not at all.
    """
    chooser, claims, unread = stated.chooser, stated.claims, stated.unread
    # Guesses are checked by the rule where there is one; the name is then only compared with it.
    name = "rule" if "rule" in claims else "strategy"
    if asked and chooser is None and (name == "rule" or "strategy" in unread):
        reason = f"the file states none, and {claims.get('strategy')!r:.80} names none"
        if name == "rule":
            reason = unread.get("rule", "it is that of a search")
        raise UsageError(f"there is no rule to check: {reason}")
    for text in ("strategy", "rule"):
        if text in claims and text in unread:
            yield Check(text, claims[text], rest=unread[text])
    if chooser is None:
        return
    if name == "rule" and "strategy" in claims and not (stated.search or "strategy" in unread):
        yield Check("strategy", claims["strategy"], partial(str, stated.conflict))
    check = Check(name, claims[name], partial(find_other_choice, tree, chooser, on_progress))
    try:
        comparisons = count_comparisons(tree, chooser)
    except (GameError, StrategyError):
        yield check  # which finds this fault
        return
    if not (lack or asked or (asked is None and comparisons <= MAX_COMPARISONS)):
        seconds = comparisons / 15_000_000  # comparisons per second, about
        time = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
        lack = f"--rule checks it in about {time}"
    yield check._replace(lack=lack)


def _list_search(tree: Tree, stated: Stated, report: Findings, cut: str) -> Iterator[Check]:
    """Yield a search's claims: some are checked by play, the others need a search."""
    provenance, claims, reason = stated.provenance, stated.claims, BY_SEARCH
    if stated.is_part:
        reason = "the tree may be a part of a larger one, of which this is said"
    else:
        worst = None if report.is_sample else report.worst
        for name, value, fault in check_limits(stated, tree, worst):
            yield Check(name, value, partial(str, fault))
    reason = cut or (BY_ROUNDING if stated.is_rounded else reason)
    known = {claim.name for claim in report.claims}
    for name in ("strategy", "rule", "objective"):
        if name not in claims or name in known:
            continue
        is_idle = name == "strategy" and not stated.is_optimal and provenance.bound is None
        is_idle &= not stated.is_rounded and "nodes" not in stated.objective
        note = "it names a search that proves a bound, and the file states none"
        rest = stated.unread.get(name, note if is_idle else reason)
        yield Check(name, claims[name], rest=rest)
    if provenance.bound is not None:
        fault = "" if report.is_sample else find_bound_fault(stated, report.total)
        yield Check("bound", provenance.bound, partial(str, fault), rest=reason)


_OTHERS = "авсԁеһіјкӏмпорԛгѕтухԝαβεηικμνορτυχγωօոսհցյıɑɡłø01345789l|"
_LATIN = "abcdehijkimnopqrstyxwabenikmvoptuxywonuhgjiagiooieastbgii"
_LOOK_ALIKE = str.maketrans(_OTHERS, _LATIN)
"""Letters and digits, and the Latin letters that they look like; 1, l and i are one."""

_BLANK = dict.fromkeys(map(ord, "\u115f\u1160\u2800"))
"""Letters and symbols that nobody sees."""

PRAISE = ("optimum", "optimise", "optimisation", "optimize", "optimization")
WHOLE_WORDS = ("best", "proved", "proven", "proof", "provably")
"""What speaks of a tree's quality; the latter are parts of harmless words, such as approved."""


def praises_tree(title: str) -> bool:
    """Whether a title names a strategy or a proof, within other words or in look-alike letters.

    >>> [praises_tree(title) for title in ("words.txt", "approved.txt", "Proved_0ptima1.txt")]
    [False, False, True]
    """
    words = re.findall(r"[^\W_]+", _spell_plainly(title))
    names = [name for name in (*list_names(), *PRAISE) if name not in WHOLE_WORDS]
    run_together = "".join(words)
    return any(_spell_plainly(name).replace("-", "") in run_together for name in names) or any(
        _spell_plainly(word) in words for word in WHOLE_WORDS
    )


def _spell_plainly(text: str) -> str:
    """Return a text without marks, in lower case, in Latin letters that look like its own."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    seen = (
        sign for sign in apart.translate(_BLANK) if not unicodedata.category(sign).startswith("M")
    )
    return "".join(seen).translate(_LOOK_ALIKE)
