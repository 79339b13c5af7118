"""Proved lower bounds of the total, without searching to the end: some guesses ahead."""

from __future__ import annotations

from .solver import INFINITE, UNLIMITED, Items, Solver, State


def look_ahead(solver: Solver, n_ahead: int) -> int:
    """Return a lower bound of the cost of all items; `Solver.bound` rises meanwhile.

    Parameters
    ----------
    solver
        Of the problem.
    n_ahead
        How many guesses behind the first one are tried in full, all of them with all their cells.
        What is further down costs what its sizes and weights prove.

    Notes
    -----
    Sums of lower bounds over cells, and least ones over guesses, are lower bounds. The guesses of
    a state are tried by their own bound, until it is not below what the best one proves.
    """
    return _bound(solver, solver.root, n_ahead, is_root=True)


def _bound(solver: Solver, items: Items, n_ahead: int, *, is_root: bool = False) -> int:
    solver.check()
    state = solver.analyze(items)
    entry = solver.enter(items, UNLIMITED)
    if entry.value is not None:
        return entry.value
    least, tried = INFINITE, set()
    for bound, guess in sorted(solver.rank(state)):
        if is_root:
            solver.bound = max(solver.bound, min(bound, least))
        if bound >= least:
            break
        key = state.bounds.keys[guess].tobytes()
        if key not in tried:
            tried.add(key)
            least = min(least, max(bound, _bound_guess(solver, state, guess, n_ahead, least)))
    entry.lower = max(entry.lower, least)
    if is_root:
        solver.bound = max(solver.bound, least)
    return max(least, entry.lower)


def _bound_guess(solver: Solver, state: State, guess: int, n_ahead: int, upper: int) -> int:
    """Return a lower bound of a state's cost after a guess; any above an upper bound."""
    cells = solver.divide(state, guess)
    parts = solver.list_parts(cells, UNLIMITED)
    total = solver.charge(state.items, cells, guess, UNLIMITED)
    total += sum(lower for lower, _ in parts)
    for lower, items in reversed(parts):  # the largest cell has most to gain
        if total >= upper or n_ahead == 0:
            break
        if len(items) > 1:
            total += max(0, _bound(solver, items, n_ahead - 1) - lower)
    return total
