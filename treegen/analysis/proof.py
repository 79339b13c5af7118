"""Check by exact search what playing cannot: whether a bound is true, and no tree is better."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..strategies import split_search
from ..tree import Tree
from ..verifier import Report

if TYPE_CHECKING:
    from ..exact import Watch

_FIGURES: dict[str, Callable[[Tree], int]] = {
    "total": lambda tree: tree.total,
    "worst": lambda tree: tree.worst,
    "n_worst": lambda tree: tree.n_worst,
}


def prove_claims(tree: Tree, report: Report, *, jobs: int = 1, watch: Watch | None = None) -> None:
    """Check a tree's objective and bound by the exact search, and update the report.

    Nothing is done for a tree that claims neither.

    Parameters
    ----------
    tree
        A tree in which `report` found nothing wrong.
    report
        Changed in place: ``objective`` and ``bound``, or the name ``optimal`` of a table, become
        checked or wrong.
    jobs, watch
        See `treegen.exact.SearchControl`.

    Raises
    ------
    SearchStoppedError
        The watch ended the search.

    Examples
    --------
    >>> from treegen import build
    >>> from treegen.verifier import verify_tree
    >>> tree = build("p3c4r", "optimal")
    >>> report = verify_tree(tree)
    >>> prove_claims(tree, report)
    >>> [(claim.name, claim.value, claim.state) for claim in report.claims]
    [('objective', 'total', 'checked'), ('bound', 206, 'checked')]
    """
    claimed = {claim.name for claim in report.unchecked} & {"objective", "bound", "strategy"}
    if not claimed:
        return
    best = _search(tree, jobs, watch)
    if "bound" in claimed:
        report.settle("bound", _judge_bound(tree, best))
    if "objective" in claimed:
        report.settle("objective", _judge_objective(tree, best))
    if "strategy" in claimed:  # a table, which says no more than "optimal"
        _judge_table(tree, best, report)


def _search(tree: Tree, jobs: int, watch: Watch | None) -> Tree:
    """Return the best tree by a tree's own objective, under the restrictions that it states."""
    from ..exact import SearchControl, SearchSpec, run_search

    provenance = tree.provenance
    spec = SearchSpec(
        provenance.objective or "total",
        provenance.max_length,
        provenance.eligible,
        provenance.history,
        split_search(provenance.strategy)[1],
    )
    return run_search(tree.game, "optimal", spec, SearchControl(jobs, watch=watch))


def _judge_bound(tree: Tree, best: Tree) -> str:
    """Return what is wrong with a tree's bound, given the best tree."""
    bound = tree.provenance.bound
    if bound is None or bound <= best.total:
        return ""
    return f"the file claims the bound {bound}; the exact search finds a tree of total {best.total}"


def _judge_table(tree: Tree, best: Tree, report: Report) -> None:
    """Settle the name `optimal` of a table, which tells no limit on the length of a game.

    A tree of a limit has a higher total and a shorter longest game than the best of all; whether
    it is the best of its limit stays open.
    """
    if tree.total > best.total and tree.worst < best.worst:
        report.leave(
            "strategy",
            f"no longest game allowed is told in a table: without one the least total is"
            f" {best.total} with games of up to {best.worst}; verify the .tree",
        )
    else:
        report.settle("strategy", _judge_objective(tree, best))


def _judge_objective(tree: Tree, best: Tree) -> str:
    """Return what is wrong with the claim that no tree is better; "" if there is no such claim."""
    bound, objective = tree.provenance.bound, tree.provenance.objective or "total"
    is_optimal = split_search(tree.provenance.strategy)[0] == "optimal"
    if not is_optimal and bound is not None and bound < tree.total:  # as of a near-optimal search
        return ""
    for name in objective.split(","):
        found, least = _FIGURES[name](tree), _FIGURES[name](best)
        if found != least:
            return (
                f"the file claims the least {objective}; its {name} is {found}, and the exact"
                f" search finds {least}"
            )
    return ""
