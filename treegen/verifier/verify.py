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

from ..errors import TreeError
from ..tree import NULL, Tree, path_of, select_candidates
from .claims import ProgressFunction, check_figures, check_rule, check_search, doubt_figures
from .report import Report

SECRETS_PER_BLOCK = 1 << 18
"""Secrets that are played at a time: bounds the memory of a large game."""


def verify_tree(
    tree: Tree,
    claims: Mapping[str, Any] | None = None,
    *,
    sample: int | None = None,
    seed: int | None = None,
    rule: bool | None = None,
    progress: ProgressFunction | None = None,
) -> Report:
    """Check a tree's structure, play secrets through it, compare its claims.

    What a file says beyond that (a bound, an objective, the rule of a large tree) is named in
    the report as not checked.

    Parameters
    ----------
    tree
        The tree, from whatever source.
    claims
        What its file says of it: ``total``, ``worst``, ``histogram``, ``digest``, any of them.
    sample
        Play only so many secrets, evenly spread. Then nothing is said of branches that no
        secret reaches, of the histogram and of the claims about it.
    seed
        Draw the secrets of the sample by chance instead: each seed plays others.
    rule
        Whether to check that every guess is the one that the tree's rule chooses, by trying all
        guesses in every state. None: where that takes some seconds at most.
    progress
        Told how many nodes the check of the rule has done, and how many there are.

    Returns
    -------
    Report
        `problems` is empty when nothing is wrong, `unchecked` when everything was checked.

    Examples
    --------
    >>> from treegen import build
    >>> report = verify_tree(build("p3c3r"), {"total": 74})
    >>> [claim.name for claim in report.checked], report.problems, report.is_proved
    (['total', 'strategy', 'rule'], [], True)
    """
    try:
        tree.check()
    except TreeError as error:
        return Report(0, problems=[f"structure: {error}"])
    history = tree.provenance.history
    secrets: Sequence[int] | NDArray[np.int32]
    secrets = select_candidates(tree.game, history) if history else range(tree.game.n_secrets)
    if len(secrets) != tree.n_secrets:
        problem = f"the root has {tree.n_secrets} candidates; {len(secrets)} secrets are possible"
        return Report(0, problems=[problem])
    if sample is not None and sample < len(secrets):
        places = _choose_places(len(secrets), max(sample, 1), seed)
        report = _play_all(tree, np.array([secrets[place] for place in places], np.int32), None)
        report.is_sample = True
        doubt_figures(claims or {}, report)
    else:
        report = _play_whole(tree, secrets, claims or {})
    if report.is_sound:
        check_rule(tree, report, rule, progress)
        check_search(tree, report)
    return report


def _play_whole(
    tree: Tree, secrets: Sequence[int] | NDArray[np.int32], claims: Mapping[str, Any]
) -> Report:
    """Play every secret; where all are found, compare the figures."""
    secrets = np.asarray(secrets, dtype=np.int32)
    visits = np.zeros(tree.n_nodes, dtype=np.int32)
    report = _play_all(tree, secrets, visits)
    if report.is_sound:
        _check_visits(tree, visits, report)
        check_figures(tree, claims, report)
    return report


def _choose_places(n_secrets: int, sample: int, seed: int | None) -> list[int]:
    """Return which secrets are played: evenly spread, or drawn by a seed."""
    if seed is None:
        return [int(place) for place in np.linspace(0, n_secrets - 1, sample)]
    return sorted(random.Random(seed).sample(range(n_secrets), sample))


def _play_all(tree: Tree, secrets: NDArray[np.int32], visits: NDArray[np.int32] | None) -> Report:
    """Play secrets block by block; count how many come to each node, where that is asked for."""
    report = Report(len(secrets))
    counts = np.zeros(len(tree.level_starts), dtype=np.int64)
    for begin in range(0, len(secrets), SECRETS_PER_BLOCK):
        _play(tree, secrets[begin : begin + SECRETS_PER_BLOCK], visits, counts, report)
    report.histogram = np.trim_zeros(counts[1:], "b").tolist()
    return report


def _play(
    tree: Tree,
    secrets: NDArray[np.int32],
    visits: NDArray[np.int32] | None,
    counts: NDArray[np.int64],
    report: Report,
) -> None:
    """Move a block of secrets down the tree together, one guess at a time."""
    nodes = np.zeros(len(secrets), dtype=np.int64)
    length = 0
    while len(secrets):
        length += 1
        if visits is not None:
            np.add.at(visits, nodes, 1)
        replies = tree.game.respond(tree.guess[nodes], secrets)
        going_on = replies != tree.game.win
        counts[length] += np.count_nonzero(~going_on)
        nodes, secrets, replies = nodes[going_on], secrets[going_on], replies[going_on]
        children = _find_children(tree, nodes, replies)
        found = children != NULL
        for lost in np.flatnonzero(~found)[:1]:
            report.problems.append(_describe_loss(tree, secrets[lost], nodes[lost], replies[lost]))
        nodes, secrets = children[found], secrets[found]


def _find_children(
    tree: Tree, nodes: NDArray[np.int64], replies: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the child that each node has for a reply, `NULL` where it has none.

    The children's responses are ascending: all are looked for at once, by bisection.
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
    answers = "/".join(game.format_response(response) for response in path_of(tree, int(node)))
    return (
        f"the secret {game.format_code(int(secret))} is not found: after {answers or 'no answers'},"
        f" {game.format_code(int(tree.guess[node]))} is answered"
        f" {game.format_response(int(reply))}, and there is no such branch"
    )


def _check_visits(tree: Tree, visits: NDArray[np.int32], report: Report) -> None:
    is_wrong = visits != tree.n_candidates
    if is_wrong.any():
        node = int(np.argmax(is_wrong))
        answers = "/".join(tree.game.format_response(reply) for reply in path_of(tree, node))
        report.problems.append(
            f"the state after {answers or 'no answers'} says {tree.n_candidates[node]} candidates;"
            f" {visits[node]} secrets come there"
        )
