"""Play every secret through a tree by the plain definition of scoring, and check its claims.

Nothing here uses the compiled kernels: feedback is scored by `Game.respond`, which is written
from the definition, so that a wrong kernel cannot hide behind itself.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._options import check_seed, check_whole
from ..errors import GameError, StrategyError, TreeError, UsageError
from ..games.base import Game, follow
from ..games.eligible import resolve_eligible
from ..games.rules import Rules
from ..strategies.named import list_names
from ..strategies.stated import Stated, check_limits, find_bound_fault, read_provenance
from ..tasks.work import PROCESS, Tell
from ..tree.tree import NULL, Tree, check_columns, price_guesses
from ..tree.walk import history_of, replay, write_answers
from .report import INTERRUPTED, Findings, Tally, write_value
from .rule import count_comparisons, find_illegal_guess, find_other_choice

SECRETS_PER_BLOCK = 1 << 18
"""Secrets that are played at a time: bounds the memory of a large game."""

MOST_PAIRS = 1 << 16
"""Pairs of candidates that are compared question by question; of more, rows of bits are read."""


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
    tell: Tell | None = None,
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
        return Findings(0, problems=[f"structure: {error}"])
    secrets, shares = follow(tree.game, tree.provenance.history)
    if len(secrets) != tree.n_secrets:
        problem = f"the root has {tree.n_secrets} candidates; {len(secrets)} secrets are possible"
        return Findings(0, problems=[problem])
    report, visits = Findings(0, unit=tree.game.rules.share_unit), None
    if sample is not None and sample < len(secrets):
        places = np.array(_choose_places(len(secrets), sample, seed), dtype=np.int64)
        secrets, shares = secrets[places], _select(shares, places)
        report.is_sample = True
    else:
        visits = np.zeros(tree.n_nodes, dtype=np.int32)

    def check_claims(late: str = "") -> None:
        """Run the checks that are not done; `late` is why those that take long are left out."""
        done = [(claim.name, claim.value) for claim in report.claims]
        for check in _generate_checks(tree, claims or {}, report, rule, eligible, tell, late):
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
            _check_visits(tree, visits, report)
            _check_ends(tree, report)
        check_claims()
    except KeyboardInterrupt as stop:
        if not report.n_secrets:
            raise
        PROCESS.announce_saving("what was checked")
        check_claims(INTERRUPTED)
        raise VerifyInterrupt(report) from stop
    return report


def _choose_places(n_secrets: int, sample: int, seed: int | None) -> list[int]:
    """Return which secrets are played: evenly spread, or drawn by a seed."""
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
    tally = Tally(tree.game)
    try:
        for begin in range(0, len(secrets), SECRETS_PER_BLOCK):
            PROCESS.check_stop()
            block = slice(begin, begin + SECRETS_PER_BLOCK)
            _play(tree, secrets[block], _select(shares, block), visits, tally, report)
        report.n_secrets = len(secrets)
    except KeyboardInterrupt:
        report.n_secrets, report.is_sample = tally.n_played, True
        raise
    finally:
        report.histogram[:], report.n_announced = tally.histogram, tally.n_announced


def _play(
    tree: Tree,
    secrets: NDArray[np.int32],
    shares: NDArray[np.int64] | None,
    visits: NDArray[np.int32] | None,
    tally: Tally,
    report: Findings,
) -> None:
    """Move a block of secrets down the tree together, one guess at a time.

    A secret that may give several answers goes on along each, with a part of its shares.
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
        tally.add(secrets[~going_on], spent[~going_on], _select(shares, ~going_on))
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


def _check_visits(tree: Tree, visits: NDArray[np.int32], report: Findings) -> None:
    is_wrong = visits != tree.n_candidates
    if is_wrong.any():
        node = int(np.argmax(is_wrong))
        answers = write_answers(tree, node)
        report.problems.append(
            f"the state after {answers or 'no answers'} says {tree.n_candidates[node]} candidates;"
            f" {visits[node]} secrets reach it"
        )


def _check_ends(tree: Tree, report: Findings) -> None:
    """Check that questions are asked while two candidates can be told apart, and no longer.

    Where each candidate gives one answer, or is guessed at the end, the games have shown it.
    """
    game = tree.game
    if game.rules.division is None or report.problems:
        return
    for first, states in zip(tree.level_starts, replay(tree), strict=False):
        for state, heaviest in enumerate(states.heaviest.tolist()):
            PROCESS.check_stop()
            node = first + state
            problem = _describe_end(tree, node, states.of(state).tolist(), heaviest)
            if problem:
                where = f"the state after {write_answers(tree, node) or 'no answers'}"
                report.problems.append(f"{where} {problem}")
                return  # what is below a wrong state says nothing new


def _describe_end(tree: Tree, node: int, left: list[int], heaviest: int) -> str:
    """Return what is wrong with where the game ends, or goes on, after a state; else ``""``."""
    rules, guess = tree.game.rules, int(tree.guess[node])
    if rules.announces_several:
        pair = find_separable(rules, left)
        if guess < rules.n_secrets and pair is not None:
            one, other = map(tree.game.format_code, pair)
            return f"is the last, and {one} and {other} can be told apart"
        if guess < rules.n_secrets and guess != heaviest:
            return (
                f"has {tree.game.format_code(guess)} for its guess; the heaviest candidate is"
                f" {tree.game.format_code(heaviest)}"
            )
        if guess >= rules.n_secrets and pair is None:
            return "asks, and nothing can be told apart"
    if guess in {code for code, _ in (*tree.provenance.history, *history_of(tree, node))}:
        return f"asks {tree.game.format_code(guess)!r:.80} again"
    return ""


def find_separable(rules: Rules, candidates: list[int]) -> tuple[int, int] | None:
    """Return two candidates that a question surely tells apart; None if there are none."""
    if len(candidates) ** 2 > MOST_PAIRS and rules.is_over(np.array(candidates)):
        return None
    assert rules.division is not None
    may_answer = rules.division.may_answer
    for one, other in combinations(candidates, 2):
        if rules.classes and rules.classes[one] == rules.classes[other]:
            continue
        for question in range(rules.n_questions):
            if set(may_answer(question, one)).isdisjoint(may_answer(question, other)):
                return one, other
    return None


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
    tell: Tell | None,
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
    yield from _list_rule(tree, stated, rule, tell, sampled or cut or late)
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
    """Return what is missing of a list of words, and so cannot be checked; ``""`` if nothing is."""
    if game.rules.excerpt is None:
        return ""
    return (
        f"the file has {game.n_codes:,} of the {game.rules.excerpt.n_codes:,} words of the list"
        f" {game.rules.excerpt.rules_name}: import the table with -g and that list"
    )


def _list_rule(
    tree: Tree,
    stated: Stated,
    asked: bool | None,
    tell: Tell | None,
    lack: str,
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
    check = Check(name, claims[name], partial(find_other_choice, tree, chooser, tell))
    try:
        comparisons = count_comparisons(tree, chooser)
    except (GameError, StrategyError):
        yield check  # which finds this fault
        return
    if not (lack or asked or (asked is None and comparisons <= MAX_COMPARISONS)):
        seconds = comparisons / 15_000_000  # so many a second, about
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
        is_idle &= not stated.is_rounded
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
