"""Play every secret through a tree by the plain definition of scoring, and check its claims.

Nothing here uses the compiled kernels: feedback is scored by `Game.respond`, which is written
from the definition, so that a wrong kernel cannot hide behind itself.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._options import check_seed, check_whole
from .._process import announce_saving
from ..errors import TreeError
from ..games import Goal
from ..tree import NULL, Tree, select_candidates, write_answers
from .claims import ProgressFunction, check_figures, check_rule, check_search, doubt_figures
from .report import Findings, Tally
from .rule import check_eligible

SECRETS_PER_BLOCK = 1 << 18
"""Secrets that are played at a time: bounds the memory of a large game."""


"""Why a claim was not checked."""

FIGURES = ("total", "worst", "histogram", "digest")
"""Claims that playing every secret checks."""


class VerifyInterrupt(KeyboardInterrupt):
    """Ctrl-C, with what was checked before it.

    Attributes
    ----------
    report
        Secrets played, claims checked, and the other claims as not checked.
    """

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
    """Check a tree's structure, play secrets through it, compare its claims.

    Other claims of a file (a bound, an objective, the rule of a large tree) are listed in the
    report as not checked.

    Parameters
    ----------
    tree
        The tree, from any source.
    claims
        What its file claims, any of ``total``, ``worst``, ``histogram``, ``digest``.
    sample
        Play only so many secrets, evenly spread. Then branches that no secret reaches, the
        histogram and claims about it remain unchecked.
    seed
        Draw the secrets of the sample at random instead.
    rule
        Whether to check that every guess is the one that the tree's rule chooses, by trying all
        guesses in every state. None: if that takes some seconds at most.
    eligible
        Whether every guess is one that this rule allows, whatever the tree states: ``hints``
        for Wordle's hard mode; see `treegen.games.ELIGIBLE`. What the tree states itself is
        checked in any case.
    progress
        Called with the number of nodes whose rule was checked, and of all.

    Returns
    -------
    Findings
        `problems` is empty if nothing is wrong, `unchecked` if everything was checked.

    Raises
    ------
    GameError
        The game cannot be played by the rule `eligible`.
    VerifyInterrupt
        Ctrl-C came after a secret was played at least; it holds the report so far.

    Examples
    --------
    >>> from treegen import build
    >>> report = verify_tree(build("p3c3r"), {"total": 74})
    >>> [claim.name for claim in report.claims], report.problems, report.unchecked
    (['total', 'strategy', 'rule'], [], [])
    """
    check_whole(sample=sample)
    check_seed(seed)
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
            _play_sample(tree, np.array([secrets[at] for at in places], np.int32), claims, report)
        else:
            _play_whole(tree, np.asarray(secrets, dtype=np.int32), claims or {}, report)
        if report.is_sound:
            check_eligible(tree, report, eligible)
            check_rule(tree, report, rule, progress)
            check_search(tree, report)
    except KeyboardInterrupt as stop:
        if not report.n_secrets:
            raise
        announce_saving("what was checked")
        _doubt_rest(tree, claims or {}, report)
        raise VerifyInterrupt(report) from stop
    return report


def _play_sample(
    tree: Tree, secrets: NDArray[np.int32], claims: Mapping[str, Any] | None, report: Findings
) -> None:
    """Play some secrets, which tells nothing of the figures."""
    report.is_sample = True
    _play_all(tree, secrets, None, report)
    doubt_figures(claims or {}, report)


def _play_whole(
    tree: Tree, secrets: NDArray[np.int32], claims: Mapping[str, Any], report: Findings
) -> None:
    """Play every secret; if all are found, compare the statistics."""
    visits = np.zeros(tree.n_nodes, dtype=np.int32)
    _play_all(tree, secrets, visits, report)
    if report.is_sound:
        _check_visits(tree, visits, report)
        check_figures(tree, claims, report)


def _doubt_rest(tree: Tree, claims: Mapping[str, Any], report: Findings) -> None:
    """Name what an interrupted verification has not come to."""
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
    """Return the child that each node has for a response, `NULL` if it has none.

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
            f" {visits[node]} secrets come there"
        )
