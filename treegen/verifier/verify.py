"""Play every secret through a tree by the plain definition of scoring, and check its claims.

Nothing here uses the compiled kernels: feedback is scored by `Game.respond`, which is written
from the definition, so that a wrong kernel cannot hide behind itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._options import check_seed, check_whole
from .._process import PROCESS
from ..errors import GameError, StrategyError, TreeError, UsageError
from ..games import Goal
from ..strategies import (
    OWN,
    Strategy,
    find_named,
    join_names,
    parse_rule,
    parse_strategy,
    split_search,
)
from ..tree import NULL, Provenance, Tree, select_candidates, write_answers
from .report import Findings, Tally
from .rule import check_eligible, count_comparisons, find_other_choice

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
    try:
        tree.check()
    except TreeError as error:
        return Findings(0, problems=[f"structure: {error}"])
    history = tree.provenance.history
    secrets: Sequence[int] | NDArray[np.int32]
    secrets = select_candidates(tree.game, history) if history else range(tree.game.n_secrets)
    if len(secrets) != tree.n_secrets:
        problem = f"the root has {tree.n_secrets} candidates; {len(secrets)} secrets are possible"
        return Findings(0, problems=[problem])
    report = Findings(0)
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
            if report.is_sound:
                _check_visits(tree, visits, report)
                check_figures(tree, claims, report)
        if report.is_sound:
            check_eligible(tree, report, eligible)
            check_rule(tree, report, rule, progress)
            check_search(tree, report)
    except KeyboardInterrupt as stop:
        if not report.n_secrets:
            raise
        PROCESS.announce_saving("what was checked")
        _doubt_rest(tree, claims, report)
        raise VerifyInterrupt(report) from stop
    return report


def _doubt_rest(tree: Tree, claims: Mapping[str, Any], report: Findings) -> None:
    """List the claims that an interrupted verification did not reach as not checked."""
    known = {claim.name for claim in report.claims}
    for name in FIGURES:
        if name in claims and name not in known:
            report.miss(name, claims[name])
    if not known & {"strategy", "rule"}:
        check_rule(tree, report, False)
    elif "rule" not in known and tree.provenance.rule:
        report.miss("rule", tree.provenance.rule)
    if not known & {"objective", "bound"}:
        check_search(tree, report)


def _choose_places(n_secrets: int, sample: int, seed: int | None) -> list[int]:
    """Return which secrets are played: evenly spread, or drawn by a seed."""
    if seed is None:
        return [int(place) for place in np.linspace(0, n_secrets - 1, sample)]
    return sorted(random.Random(seed).sample(range(n_secrets), sample))


def _play_all(
    tree: Tree, secrets: NDArray[np.int32], visits: NDArray[np.int32] | None, report: Findings
) -> None:
    """Play secrets block by block; on request count how many reach each node."""
    tally = Tally(tree.game)
    try:
        for begin in range(0, len(secrets), SECRETS_PER_BLOCK):
            _play(tree, secrets[begin : begin + SECRETS_PER_BLOCK], visits, tally, report)
        report.n_secrets = len(secrets)
    except KeyboardInterrupt:
        report.n_secrets, report.is_sample = tally.n_played, True
        raise
    finally:
        report.histogram, report.n_announced = tally.histogram, tally.n_announced


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
        if visits is not None:
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
        for lost in np.flatnonzero(~found)[:1]:
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
        if name in facts:
            problem = f"the file claims {name} {claim}; it is {facts[name]}"
            report.add(name, claim, "" if facts[name] == claim else problem)


def check_rule(
    tree: Tree, report: Findings, asked: bool | None, progress: ProgressFunction | None = None
) -> None:
    """Check the name and the rule that a tree claims, if guesses are chosen by a rule.

    `asked` is True to do so however long it takes, None if it takes some seconds, False for not at
    all.
    """
    name, value = "rule", tree.provenance.rule
    strategy, problem = _read_rule(tree)
    if strategy is not None:
        _check_name(tree.provenance, strategy, report)
    elif not value:
        name, value = "strategy", tree.provenance.strategy
        strategy = _find_by_name(tree, report, asked)
    elif asked:
        raise UsageError(f"there is no rule to check: {problem}")
    elif "chain=" in value:
        report.doubt("rule", value, problem)
    if strategy is None:
        return
    try:
        comparisons = count_comparisons(tree, strategy)
        if report.is_sample:
            report.doubt(name, value, "only a sample was played")
        elif getattr(tree.game, "excerpt", None):
            report.doubt(name, value, "the table has only the words that its tree guesses")
        elif asked or (asked is None and comparisons <= MAX_COMPARISONS):
            fault = find_other_choice(tree, strategy, progress)
            report.add(name, value, fault and f"the tree is not that of its rule: {fault}")
        else:
            seconds = comparisons / 15_000_000  # so many a second, about
            time = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
            report.doubt(name, value, f"--rule checks it in about {time}")
    except (GameError, StrategyError) as error:  # a rule that no tree of this game can have
        report.add(name, value, f"the rule does not fit the game: {error}")


def _read_rule(tree: Tree) -> tuple[Strategy | None, str]:
    """Return the rule of a file; None and the reason if it states none that chooses guesses."""
    rule = tree.provenance.rule
    try:
        return parse_rule(rule), ""
    except StrategyError as error:
        problem = f"it cannot be read: {error}"
    if OWN in rule:  # another package's strategy brings its functions
        with suppress(StrategyError):
            strategy = parse_strategy(tree.provenance.strategy, tree.game)
            if strategy.rule == rule:
                return strategy, ""
    return None, problem


def _find_by_name(tree: Tree, report: Findings, asked: bool | None) -> Strategy | None:
    """Return the strategy that a tree without a rule, as tables are, names; None if it has none."""
    name = tree.provenance.strategy
    if split_search(name)[0] == "optimal":
        if not tree.provenance.objective:  # as in a table: else the objective is the claim
            _check_given(tree, report)
            report.doubt("strategy", name, BY_SEARCH)
        return None
    try:
        return parse_strategy(name, tree.game)
    except StrategyError as error:
        if asked:
            raise UsageError(
                f"there is no rule to check: the file states none, and {name!r:.80} names none"
            ) from None
        if OWN in name:
            report.doubt("strategy", name, str(error))
        return None


def _check_name(provenance: Provenance, strategy: Strategy, report: Findings) -> None:
    """Compare the rule that a file states with that of the strategy it names."""
    named = find_named(provenance.strategy)
    if named is None:
        return
    rule = replace(named, seed=strategy.seed).rule
    problem = (
        f"the file names the strategy {named.name}, whose rule is {rule!r}; its own rule is"
        f" {provenance.rule!r}"
    )
    report.add("strategy", provenance.strategy, "" if rule == strategy.rule else problem)


def check_search(tree: Tree, report: Findings) -> None:
    """Check a search's claims as far as playing can, and list those that only a search proves."""
    provenance = tree.provenance
    if provenance.objective:
        _check_given(tree, report)
        report.doubt("objective", provenance.objective, BY_SEARCH)
    if provenance.bound is None:
        return
    bound, total, problem = provenance.bound, report.total, ""
    if bound > total:
        problem = f"the file claims the bound {bound}; its own tree has total {total}"
    elif bound < total and split_search(provenance.strategy)[0] == "optimal":
        problem = (
            f"the file calls its tree optimal, and claims the bound {bound}; the tree has total"
            f" {total}"
        )
    if problem and not report.is_sample:
        report.add("bound", bound, problem)
    else:
        report.doubt("bound", bound, BY_SEARCH)


def _check_given(tree: Tree, report: Findings) -> None:
    """Check that a tree keeps to the first guesses and the longest game of its search."""
    longest = tree.provenance.max_length
    if longest is not None and not report.is_sample:
        worst = len(report.histogram)
        problem = f"the file claims games of at most {longest}; its tree has one of {worst}"
        report.add("max-length", longest, problem if worst > longest else "")
    _, first = split_search(tree.provenance.strategy)
    is_announced = tree.game.goal == Goal.IDENTIFY and tree.n_nodes == 1
    if first and not is_announced:
        guess = tree.game.name_guess(int(tree.guess[0]))
        given = join_names(first)
        problem = f"the file claims the first guess {given}; its tree begins with {guess}"
        report.add("first", given, "" if guess in first else problem)
