"""Play every secret through a tree by the plain definition of scoring, and check its claims.

Nothing here uses the compiled kernels: feedback is scored by `Game.respond`, which is written
from the definition, so that a wrong kernel cannot hide behind itself.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._options import check_seed, check_whole
from ..errors import GameError, StrategyError, TreeError, UsageError
from ..games.base import Game, Goal
from ..games.possible import Possible
from ..strategies.named import list_names
from ..strategies.stated import Stated, check_limits, find_bound_fault, read_provenance
from ..tasks.work import PROCESS
from ..tree.tree import NULL, Tree, check_columns
from ..tree.walk import select_candidates, write_answers
from .report import Findings, Tally, write_value
from .rule import check_eligible, count_comparisons, find_other_choice
from .shares import find_other_question, play_shares

SECRETS_PER_BLOCK = 1 << 18
"""Secrets that are played at a time: bounds the memory of a large game."""

FIGURES = ("total", "worst", "histogram", "digest")
"""Claims that playing every secret checks."""


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
    progress: ProgressFunction | None = None,
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
    claims = claims or {}
    try:  # all that follows trusts the columns: places in range, responses ascending
        check_columns(tree)
    except TreeError as error:
        return Findings(0, problems=[f"structure: {error}"])
    history = tree.provenance.history
    if isinstance(tree.game, Possible):
        return _verify_shares(tree, tree.game, claims, rule, progress)
    secrets: Sequence[int] | NDArray[np.int32]
    secrets = select_candidates(tree.game, history) if history else range(tree.game.n_secrets)
    if len(secrets) != tree.n_secrets:
        problem = f"the root has {tree.n_secrets} candidates; {len(secrets)} secrets are possible"
        return Findings(0, problems=[problem])
    report, stated = Findings(0), read_provenance(tree.provenance, tree.game)
    try:
        if sample is not None and sample < len(secrets):
            places = _choose_places(len(secrets), sample, seed)
            report.is_sample = True
            _play_all(tree, np.array([secrets[at] for at in places], np.int32), None, report)
            for name, claim in claims.items():
                report.doubt(name, claim, "only a sample was played")
        else:
            visits = np.zeros(tree.n_nodes, dtype=np.int32)
            _play_all(tree, np.asarray(secrets, dtype=np.int32), visits, report)
            if report.is_sound:  # else the counts are wrong, too, and say nothing new
                _check_visits(tree, visits, report)
                check_figures(tree, claims, report)
        if report.is_sound:
            check_eligible(tree, report, stated.eligible, eligible)
            check_rule(stated, tree, report, rule, progress)
            check_search(stated, tree, report)
            check_names(tree, report)
    except KeyboardInterrupt as stop:
        if not report.n_secrets:
            raise
        PROCESS.announce_saving("what was checked")
        figures = {name: claims[name] for name in FIGURES if name in claims}
        _doubt_rest(stated, tree, figures, report)
        raise VerifyInterrupt(report) from stop
    return report


def _verify_shares(
    tree: Tree,
    game: Possible,
    claims: Mapping[str, Any],
    rule: bool | None,
    progress: ProgressFunction | None,
) -> Findings:
    """Check a tree whose candidates have shares, and what is claimed of it."""
    report = Findings(0, unit=game.share_unit)
    stated = read_provenance(tree.provenance, game)
    play_shares(tree, game, report)
    if report.is_sound:
        check_figures(tree, claims, report)
    if report.is_sound:
        check_rule(stated, tree, report, rule, progress)
        check_search(stated, tree, report)
        check_names(tree, report)
    return report


def _doubt_rest(stated: Stated, tree: Tree, figures: dict[str, Any], report: Findings) -> None:
    """List the claims that an interrupted verification did not reach as not checked."""
    known = {claim.name for claim in report.claims}
    for name, value in figures.items():
        if name not in known:
            report.miss(name, value)
    if not known & {"strategy", "rule"}:
        check_rule(stated, tree, report, False)
    elif "rule" not in known and tree.provenance.rule and stated.chooser is not None:
        report.miss("rule", tree.provenance.rule)
    if not known & {"objective", "bound"}:
        check_search(stated, tree, report)
        check_names(tree, report)


def _choose_places(n_secrets: int, sample: int, seed: int | None) -> list[int]:
    """Return which secrets are played: evenly spread, or drawn by a seed."""
    if seed is None:  # fewer than all: they are more than 1 apart, so none comes twice
        return [int(place) for place in np.linspace(0, n_secrets - 1, sample)]
    return sorted(random.Random(seed).sample(range(n_secrets), sample))


def _play_all(
    tree: Tree, secrets: NDArray[np.int32], visits: NDArray[np.int32] | None, report: Findings
) -> None:
    """Play secrets block by block; on request count how many reach each node."""
    tally = Tally(tree.game)
    try:
        for begin in range(0, len(secrets), SECRETS_PER_BLOCK):
            PROCESS.check_stop()
            _play(tree, secrets[begin : begin + SECRETS_PER_BLOCK], visits, tally, report)
        report.n_secrets = len(secrets)
    except KeyboardInterrupt:
        report.n_secrets, report.is_sample = tally.n_played, True
        raise
    finally:
        report.histogram[:], report.n_announced = tally.histogram, tally.n_announced


def _play(
    tree: Tree,
    secrets: NDArray[np.int32],
    visits: NDArray[np.int32] | None,
    tally: Tally,
    report: Findings,
) -> None:
    """Move a block of secrets down the tree together, one guess at a time."""
    nodes, spent = (np.zeros(len(secrets), dtype=np.int64) for _ in range(2))
    while len(secrets):
        if visits is not None:  # += would count a node once, however many secrets are there
            np.add.at(visits, nodes, 1)
        guesses = tree.guess[nodes]
        replies = tree.game.respond(guesses, secrets)
        costs = tally.cost_of(guesses)
        if tree.game.goal == Goal.IDENTIFY:  # what a leaf announces costs no guess
            costs[tree.first_child[nodes] == tree.first_child[nodes + 1]] = 0
        spent += costs
        going_on = replies != tree.game.win
        tally.add(secrets[~going_on], spent[~going_on])
        nodes, secrets, replies = nodes[going_on], secrets[going_on], replies[going_on]
        children = _find_children(tree, nodes, replies)
        found = children != NULL
        for lost in np.flatnonzero(~found)[:1]:  # one example a step is enough
            report.problems.append(_describe_loss(tree, secrets[lost], nodes[lost], replies[lost]))
        nodes, secrets, spent = children[found], secrets[found], spent[going_on][found]


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


MAX_COMPARISONS = 50_000_000
"""Responses that a check of the rule may compute unless asked: some seconds of one core."""

BY_SEARCH = "the file's word; --prove runs the exact search"
"""Of what only a search or a certificate can settle."""

BY_ROUNDING = "the file's word; shares are rounded, so no search proves it"
"""Of what none can."""

ProgressFunction = Callable[[int, int], object]


def check_figures(tree: Tree, claims: Mapping[str, Any], report: Findings) -> None:
    """Compare total, worst, histogram and digest with the games that were played."""
    facts = {
        "total": report.total,
        "worst": len(report.histogram),
        "histogram": report.histogram,
        "digest": tree.digest if "digest" in claims else None,
    }
    for name, claim in claims.items():
        if name not in facts:
            continue
        problem = (
            ""
            if facts[name] == claim
            else f"the file claims {name} {write_value(claim)}; it is {write_value(facts[name])}"
        )
        if name == "digest" and tree.game.excerpt and not problem:
            report.doubt(name, claim, describe_excerpt(tree.game))
        else:
            report.add(name, claim, problem)


def describe_excerpt(game: Game) -> str:
    """Return what is missing of a list of words, and so cannot be checked."""
    assert game.excerpt is not None
    return (
        f"the file has {game.n_codes:,} of the {game.excerpt.n_codes:,} words of the list"
        f" {game.excerpt.rules_name}: import the table with -g and that list"
    )


def check_rule(
    stated: Stated,
    tree: Tree,
    report: Findings,
    asked: bool | None,
    progress: ProgressFunction | None = None,
) -> None:
    """Check the name and the rule that a tree claims, if guesses are chosen by a rule.

    `asked` is True to do so however long it takes, None if it takes some seconds, False for not at
    all.
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
            report.doubt(text, claims[text], unread[text])
    if chooser is None:
        return
    if name == "rule" and "strategy" in claims and not (stated.search or "strategy" in unread):
        report.add("strategy", claims["strategy"], stated.conflict)
    value = claims[name]
    try:
        comparisons = count_comparisons(tree, chooser)
        if report.is_sample:
            report.doubt(name, value, "only a sample was played")
        elif tree.game.excerpt:
            report.doubt(name, value, describe_excerpt(tree.game))
        elif asked or (asked is None and comparisons <= MAX_COMPARISONS):
            if isinstance(tree.game, Possible):
                fault = find_other_question(tree, tree.game, chooser, progress)
            else:
                fault = find_other_choice(tree, chooser, progress)
            report.add(name, value, fault and f"the tree is not that of its rule: {fault}")
        else:
            seconds = comparisons / 15_000_000  # so many a second, about
            time = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
            report.doubt(name, value, f"--rule checks it in about {time}")
    except (GameError, StrategyError) as error:  # a rule that no tree of this game can have
        report.add(name, value, f"the rule does not fit the game: {error}")


def check_search(stated: Stated, tree: Tree, report: Findings) -> None:
    """Check a search's claims as far as playing can, and list those that only a search proves."""
    provenance, claims, reason = stated.provenance, stated.claims, BY_SEARCH
    if stated.is_part:
        reason = "the tree may be a part of a larger one, of which this is said"
    else:
        worst = None if report.is_sample else len(report.histogram)
        for found in check_limits(stated, tree, worst):
            report.add(*found)
    if stated.is_rounded:
        reason = BY_ROUNDING
    if tree.game.excerpt:
        reason = describe_excerpt(tree.game)
    known = {claim.name for claim in report.claims}
    for name in ("strategy", "rule", "objective"):
        if name not in claims or name in known:
            continue
        is_idle = name == "strategy" and not stated.is_optimal and provenance.bound is None
        is_idle &= not stated.is_rounded
        note = "it names a search that proves a bound, and the file states none"
        report.doubt(name, claims[name], stated.unread.get(name, note if is_idle else reason))
    if provenance.bound is None:
        return
    problem = "" if report.is_sample else find_bound_fault(stated, report.total)
    if problem:
        report.add("bound", provenance.bound, problem)
    else:
        report.doubt("bound", provenance.bound, reason)


def check_names(tree: Tree, report: Findings) -> None:
    """List what else the file says of its words: of which list they are, by what name."""
    game = tree.game
    if game.excerpt:
        report.doubt("excerpt", game.excerpt.rules_name, describe_excerpt(game))
    if praises_tree(game.label):
        report.doubt("title", game.label, "a list's name shows nothing of the tree's strategy")


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
