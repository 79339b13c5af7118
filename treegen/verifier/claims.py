"""A file's claims compared with what playing its tree found, or listed as not checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..errors import GameError, StrategyError, UsageError
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
from ..tree import Provenance, Tree
from .report import Findings
from .rule import count_comparisons, find_other_choice

MAX_COMPARISONS = 50_000_000
"""Responses that a check of the rule may compute unless asked: some seconds of one core."""

COMPARISONS_PER_S = 15_000_000
"""For the estimate printed with a rule that was not checked."""

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
            is_true = facts[name] == claim
            problem = "" if is_true else f"the file claims {name} {claim}; it is {facts[name]}"
            report.add(name, claim, problem)


def doubt_figures(claims: Mapping[str, Any], report: Findings) -> None:
    """List every statistic as not checked, since a sample cannot check it."""
    for name, claim in claims.items():
        report.doubt(name, claim, "only a sample was played")


def check_rule(
    tree: Tree, report: Findings, asked: bool | None, progress: ProgressFunction | None = None
) -> None:
    """Check the name and the rule that a tree claims, if guesses are chosen by a rule.

    Parameters
    ----------
    asked
        True: however long it takes. None: where it takes some seconds. False: not at all.
    """
    provenance = tree.provenance
    strategy, problem = _read_rule(tree)
    if strategy is not None:
        _check_name(provenance, strategy, report)
        _check_choices(tree, strategy, "rule", provenance.rule, report, asked, progress)
    elif not provenance.rule:
        _check_by_name(tree, report, asked, progress)
    elif asked:
        raise UsageError(f"there is no rule to check: {problem}")
    elif "chain=" in provenance.rule:
        report.doubt("rule", provenance.rule, problem)


def _read_rule(tree: Tree) -> tuple[Strategy | None, str]:
    """Return the rule of a file; None, and why, if it states none by which guesses are chosen."""
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


def _check_by_name(
    tree: Tree, report: Findings, asked: bool | None, progress: ProgressFunction | None
) -> None:
    """Check a tree that states no rule, as tables do, by what its strategy's name means."""
    name = tree.provenance.strategy
    if split_search(name)[0] == "optimal":
        if not tree.provenance.objective:  # as in a table: else the objective is the claim
            _check_given(tree, report)
            report.doubt("strategy", name, BY_SEARCH)
        return
    try:
        strategy = parse_strategy(name, tree.game)
    except StrategyError as error:
        if asked:
            raise UsageError(
                f"there is no rule to check: the file states none, and {name!r:.80} names none"
            ) from None
        if OWN in name:
            report.doubt("strategy", name, str(error))
        return
    _check_choices(tree, strategy, "strategy", name, report, asked, progress)


def _check_choices(
    tree: Tree,
    strategy: Strategy,
    name: str,
    value: str,
    report: Findings,
    asked: bool | None,
    progress: ProgressFunction | None,
) -> None:
    """Compare every guess with the strategy's choice, if that is asked for or quick."""
    try:
        comparisons = count_comparisons(tree, strategy)
    except GameError as error:
        report.add(name, value, _describe_misfit(error))
        return
    if report.is_sample:
        report.doubt(name, value, "only a sample was played")
    elif getattr(tree.game, "excerpt", None):
        report.doubt(name, value, "the table has only the words that its tree guesses")
    elif asked or (asked is None and comparisons <= MAX_COMPARISONS):
        report.add(name, value, _find_fault(tree, strategy, progress))
    else:
        reason = f"--rule checks it in about {_write_seconds(comparisons / COMPARISONS_PER_S)}"
        report.doubt(name, value, reason)


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


def _find_fault(tree: Tree, strategy: Strategy, progress: ProgressFunction | None) -> str:
    try:
        fault = find_other_choice(tree, strategy, progress)
    except (GameError, StrategyError) as error:  # a rule that no tree of this game can have
        return _describe_misfit(error)
    return fault and f"the tree is not that of its rule: {fault}"


def _describe_misfit(error: Exception) -> str:
    return f"the rule does not fit the game: {error}"


def check_search(tree: Tree, report: Findings) -> None:
    """Check a search's claims as far as playing can; list those that only a search proves."""
    provenance = tree.provenance
    if provenance.objective:
        _check_given(tree, report)
        report.doubt("objective", provenance.objective, BY_SEARCH)
    if provenance.bound is None:
        return
    is_optimal = split_search(provenance.strategy)[0] == "optimal"
    if not report.is_sample and provenance.bound > report.total:
        problem = (
            f"the file claims the bound {provenance.bound}; its own tree has total {report.total}"
        )
        report.add("bound", provenance.bound, problem)
    elif not report.is_sample and is_optimal and provenance.bound < report.total:
        problem = (
            f"the file calls its tree optimal, and claims the bound {provenance.bound}; the tree"
            f" has total {report.total}"
        )
        report.add("bound", provenance.bound, problem)
    else:
        report.doubt("bound", provenance.bound, BY_SEARCH)


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


def _write_seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
