"""The few functions that most users need: build, read, verify."""

from __future__ import annotations

import os

from . import builder, exact
from .analysis import prove_claims
from .formats import load_tree
from .games import Game, parse_game
from .strategies import Strategy, is_search, parse_strategy
from .tree import Tree
from .verifier import Report, verify_tree


def build(game: str | Game, strategy: str | Strategy = "knuth", *, jobs: int = 1) -> Tree:
    """Build the complete tree of a strategy.

    Parameters
    ----------
    game
        A name (``"p4c6r"``) or a `Game`.
    strategy
        A name (``"knuth"``), a chain (``"max,parts,lowest"``), a search (``"optimal"``,
        ``"best"``) or a `Strategy`.
    jobs
        Number of threads; the tree does not depend on it.

    Raises
    ------
    GameError, StrategyError
        The name is unknown or out of range.

    Examples
    --------
    >>> tree = build("p4c6r", strategy="knuth")
    >>> tree.total, tree.worst
    (5801, 5)
    """
    game = parse_game(game) if isinstance(game, str) else game
    if isinstance(strategy, str) and is_search(strategy):
        return exact.run_search(game, strategy, control=exact.SearchControl(jobs=jobs))
    strategy = parse_strategy(strategy, game) if isinstance(strategy, str) else strategy
    return builder.build_tree(game, strategy, jobs=jobs)


def read(path: str | os.PathLike[str]) -> Tree:
    """Read a tree from a ``.tree`` file or a ``.tgt`` table.

    Raises
    ------
    FormatError
        The file cannot be read or is damaged; the message says where.
    """
    return load_tree(path).tree


def verify(
    tree: Tree,
    *,
    sample: int | None = None,
    seed: int | None = None,
    rule: bool | None = None,
    eligible: str | None = None,
    prove: bool = False,
    jobs: int = 1,
) -> Report:
    """Play every secret through a tree, and check what the tree claims.

    Parameters
    ----------
    tree
        The tree.
    sample, seed, rule, eligible
        See `treegen.verifier.verify_tree`.
    prove
        Whether to run the exact search for the objective and the bound of an optimal tree.
    jobs
        Threads of that search.

    Returns
    -------
    Report
        `Report.problems` lists what is wrong, `Report.unchecked` what was not checked;
        `Report.is_proved` is True where both are empty.

    Examples
    --------
    >>> report = verify(build("p3c4r", "optimal"))
    >>> report.is_sound, report.is_proved, [claim.name for claim in report.unchecked]
    (True, False, ['objective', 'bound'])
    >>> verify(build("p3c4r", "optimal"), prove=True).is_proved
    True
    """
    report = verify_tree(tree, sample=sample, seed=seed, rule=rule, eligible=eligible)
    if prove and report.is_sound:
        prove_claims(tree, report, jobs=jobs)
    return report
