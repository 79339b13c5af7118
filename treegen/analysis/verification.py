"""Verification: every secret played, every claim compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Unpack

from .._options import (
    TRUTH,
    check_keywords,
    check_range,
    check_seed,
    check_whole,
    describe_parameters,
)
from ..errors import GameError, Interrupted, StrategyError, TimeLimitError, UsageError
from ..formats.inputs import GameOptions, GameSource, Notice, open_game
from ..formats.proof import ProofSource
from ..formats.tree_file import TreeSource, load_tree
from ..games.eligible import Eligible
from ..games.rules import write_weights
from ..strategies.named import OPTIMAL, Stated, measure, read_provenance
from ..tasks.work import ProgressOption, Stop, count_jobs, end_in_time, open_progress
from ..tree.tree import Tree
from ..verifier.verify import (
    BY_ROUNDING,
    BY_SEARCH,
    INTERRUPTED,
    Findings,
    Report,
    VerifyInterrupt,
    compare_published,
    verify_tree,
    write_value,
)
from .certificates import check_with_certificate, read_matching
from .options import VERIFY

Figures = Sequence[str] | Mapping[str, float | str | Sequence[int]]
"""Published statistics: ``["total=5801"]``, or ``{"total": 5801}``."""


@partial(describe_parameters, declared=VERIFY)
def verify(
    tree: TreeSource,
    *,
    game: GameSource | None = None,
    sample: int | None = None,
    seed: int | None = None,
    rule: bool | None = None,
    eligible: Eligible | None = None,
    prove: bool = False,
    certificate: ProofSource | None = None,
    claim: Figures = (),
    time_limit: float | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Report:
    """Play every secret through a tree; check what the tree and its file claim.

    Scoring follows the plain definition, independently of the kernels that build trees.

    Parameters
    ----------
    tree
        The tree, or its file.
    {options}
    notice
        Called with a remark if checking the certificate may take long, and with those of
        `open_game`.
    jobs, progress
        See `build`.
    **rules
        Of a game given by name or file, as in `open_game`.

    Returns
    -------
    Report
        `Report.problems` lists what is wrong, `Report.unchecked` what was not checked;
        `Report.is_proved` is True where both are empty.

    Raises
    ------
    FormatError
        The file cannot be read, is damaged, or not of the game.
    UsageError
        The options contradict each other, a claim is malformed, or the certificate is about
        something else.
    TimeLimitError
        The time limit was over before a secret was played.
    Interrupted
        Ctrl-C; its `result` is the report on what was checked before.

    Examples
    --------
    >>> import treegen
    >>> report = treegen.verify(treegen.build("p3c4r", "optimal"))
    >>> report.is_sound, report.is_proved, [claim.name for claim in report.unchecked]
    (True, False, ['strategy', 'rule', 'objective', 'bound'])
    >>> treegen.verify(treegen.build("p3c4r", "optimal"), prove=True).is_proved
    True
    >>> print(treegen.verify(treegen.build("p4c6r"), claim={"total": 5801}))
    ok: 1296 secrets found, total 5801
    published total 5801: true
    checked: strategy, rule
    """
    check_whole(sample=sample, jobs=jobs)
    check_range(TRUTH, rule=rule, prove=prove)
    check_seed(seed)
    figures = _write_figures(claim)
    if seed is not None and sample is None:
        raise UsageError("`seed` draws the secrets of `sample`, which is missing")
    if sample is not None and (figures or prove or certificate is not None):
        raise UsageError(
            "`claim`, `prove` and `certificate` need the whole tree: leave `sample` out"
        )
    check_keywords(verify, rules, GameOptions)
    if game is None and rules:
        raise UsageError(f"`{next(iter(rules))}` needs a game: `game=GAME`")
    expected = None if game is None else open_game(game, notice=notice, **rules)
    # `verify_tree` lists what is wrong with the tree.
    loaded, claims = load_tree(tree, check=False, game=expected)
    # Malformed ones are refused before the work.
    compare_published(Findings(unit=loaded.game.rules.share_unit), figures)
    proof = None if certificate is None else read_matching(loaded, certificate)
    draft: Findings | None = None
    try:
        with (
            end_in_time(Stop(time_limit)),
            open_progress(progress, "checking the rule") as on_progress,
        ):
            try:
                draft = verify_tree(
                    loaded,
                    claims,
                    sample=sample,
                    seed=seed,
                    rule=rule,
                    eligible=eligible,
                    on_progress=on_progress,
                )
            except VerifyInterrupt as ended:
                draft = ended.report
                raise
            if proof is not None and draft.is_sound:
                check_with_certificate(loaded, proof, draft, notice)
            if prove and draft.is_sound:
                prove_claims(loaded, draft, jobs=count_jobs(jobs))
    except TimeLimitError:  # else a report of what was checked by then
        if draft is None:
            raise
    except KeyboardInterrupt as stop:
        if draft is None:
            raise
        raise Interrupted(_finish(draft, figures)) from stop
    return _finish(draft, figures)


def _finish(draft: Findings, figures: Sequence[str]) -> Report:
    """Return the report of what was found, with published statistics compared."""
    if not draft.is_sample:
        return draft.make_report(compare_published(draft, figures))
    for text in figures:  # it was interrupted, as no sample is compared
        draft.doubt(text, text, INTERRUPTED)
    return draft.make_report(())


def _write_figures(claim: Figures) -> list[str]:
    """Return published statistics as ``total=5801``."""
    if isinstance(claim, str) or not isinstance(claim, Iterable):
        return [str(claim)]
    if not isinstance(claim, Mapping):
        return list(map(str, claim))
    return [f"{name}={_write_value(value)}" for name, value in claim.items()]


def _write_value(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "/".join(map(_write_value, value))
    # Enough decimals to tell any two weights apart.
    return write_weights([value], 20) if isinstance(value, Fraction) else str(value)


def prove_claims(tree: Tree, report: Findings, *, jobs: int = 1) -> None:
    """Check by the exact search what only it can settle, and update the report in place.

    That are objective and bound, and the name and the rule of a search; nothing is done for a tree
    that claims none of them. `report` found nothing wrong before. For `jobs` see
    `treegen.exact.SearchControl`.

    >>> from treegen import build
    >>> from treegen.verifier.verify import verify_tree
    >>> tree = build("p3c4r", "optimal")
    >>> report = verify_tree(tree)
    >>> prove_claims(tree, report)
    >>> [(claim.name, claim.value, claim.state) for claim in report.claims[2:]]
    [('objective', 'total', 'checked'), ('bound', 206, 'checked')]
    """
    names = [claim.name for claim in report.unchecked if claim.note == BY_SEARCH]
    if not names:
        return
    stated = read_provenance(tree.provenance, tree.game)
    try:
        best = _search(stated, tree, jobs)
    except (GameError, StrategyError, UsageError) as error:  # such as a game that is too large
        for name in names:
            report.leave(name, f"the exact search cannot check it: {error}")
        return
    if read_provenance(best.provenance, best.game).is_rounded:
        for name in names:
            report.leave(name, BY_ROUNDING)
        return
    if "bound" in names:
        bound = tree.provenance.bound
        wrong = (
            f"the file claims the bound {write_value(bound)}; the exact search finds a tree of"
            f" total {write_value(best.total)}"
        )
        report.settle("bound", wrong if bound is not None and bound > best.total else "")
    if names == ["strategy"] and not stated.objective:  # a table, which says no more than "optimal"
        _judge_table(stated, tree, best, report)
        return
    for name in names:
        if name != "bound":
            report.settle(name, _judge_objective(stated, tree, best))


def _search(stated: Stated, tree: Tree, jobs: int) -> Tree:
    """Return the best tree by a tree's own objective, under the restrictions that it states."""
    from ..exact.request import SearchControl, SearchSpec
    from ..exact.run import run_search

    spec = SearchSpec(
        stated.objective or "total",
        stated.max_length,
        stated.eligible,
        tree.provenance.history,
        stated.first,
    )
    return run_search(tree.game.with_symbols(None), OPTIMAL.name, spec, SearchControl(jobs))


def _judge_table(stated: Stated, tree: Tree, best: Tree, report: Findings) -> None:
    """Settle the name `optimal` of a table, which does not state a limit on the length of a game.

    With a limit, a tree has a higher total and a shorter longest game than the best of all; whether
    it is the best within its limit stays open.
    """
    if tree.total > best.total and tree.worst < best.worst:
        report.leave(
            "strategy",
            f"a table does not say how long games may be: without a limit the least total is"
            f" {best.total} with games of up to {best.worst}; verify the .tree",
        )
    else:
        report.settle("strategy", _judge_objective(stated, tree, best))


def _judge_objective(stated: Stated, tree: Tree, best: Tree) -> str:
    """Return a fault of the claim that no tree is better; "" if there is none, or no such claim."""
    bound, objective = tree.provenance.bound, stated.objective or "total"
    # As a near-optimal search leaves it.
    is_open = stated.is_unproved or (bound is not None and bound < tree.total)
    if is_open and not stated.is_optimal:
        return ""
    own, its = measure(tree, objective), measure(best, objective)
    for name, found in own.items():
        if found != (least := its[name]):
            return (
                f"the file claims the least {objective}; its {name} is {write_value(found)}, and"
                f" the exact search finds {write_value(least)}"
            )
    return ""
