"""``treegen verify``: play every secret, check the claims, list those not checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .command import Command
from .options import eligible_option, files_argument, json_option, quiet_option
from .output import game_progress, load, print_json
from .time_limit import describe_stop, is_time_over, limit_time, time_limit_option

if TYPE_CHECKING:
    from ..verifier import Claim, Published, Report

WRONG, NOT_CHECKED = 1, 3
"""Exit codes: something is wrong; nothing is, but not every claim was checked."""


@click.command(cls=Command)
@files_argument
@click.option("--sample", type=click.IntRange(1), help="Play only N secrets, evenly spread.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Draw them at random instead.")
@click.option(
    "--rule/--no-rule",
    default=None,
    help="Check that the rule chooses every guess: even on large trees, or not at all.",
)
@eligible_option("Check that this rule allows every guess: hints for Wordle's hard mode.")
@click.option("--prove", is_flag=True, help="Run the exact search for objective and bound.")
@click.option("--trust", is_flag=True, help="Exit with 0 even if some claims were not checked.")
@click.option(
    "--claim",
    "published",
    multiple=True,
    metavar="FIGURE",
    help="Compare a published statistic: total=5801, worst=5, histogram=1/6/62/533/694.",
)
@time_limit_option("Stop after S s: what was not checked by then is named.")
@quiet_option
@json_option
def verify(
    files: tuple[str, ...],
    published: tuple[str, ...],
    trust: bool,
    time_limit: float | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Check the structure of FILE's tree, play every secret, compare the file's claims.

    Scoring follows the plain definition, independently of the kernels that built the tree. If some
    claims are not checked, they are listed and the exit code is 3. It is 1 if something is wrong.
    """
    _refuse_options(options["sample"], options["seed"], published, options["prove"])
    rows: list[dict[str, Any]] = []
    codes: list[int] = []
    stop = None
    try:
        with limit_time(time_limit):
            for file in files:
                report, compared, stop = _verify(file, published, **options)
                figures = {row.name: row.is_true for row in compared}
                rows.append({**report.to_dict(), "published": figures})
                if not as_json:
                    _print_report(report, compared, f"{file}: " if len(files) > 1 else "")
                codes.append(_choose_exit(report, compared, trust))
                if stop:
                    break
    except KeyboardInterrupt as ended:  # nothing was checked of the file at hand
        stop = ended
    if as_json and rows:
        print_json(
            rows[0]
            if len(files) == 1
            else [{"file": file, **row} for file, row in zip(files, rows, strict=False)]
        )
    if stop:
        codes.append(_end_early(stop, len(rows), len(files)))
    code = WRONG if WRONG in codes else max(codes)
    if code:
        raise click.exceptions.Exit(code)


def _end_early(stop: KeyboardInterrupt, n_shown: int, n_files: int) -> int:
    """Tell what was checked; return the exit code of a time limit, raise for Ctrl-C."""
    told = "what was checked is shown" if n_shown else "nothing was checked"
    if n_files > 1:
        told += f" ({n_shown} of {n_files} files)"
    if n_shown and is_time_over():
        click.echo(f"treegen: {describe_stop()}; {told}", err=True)
        return NOT_CHECKED
    raise KeyboardInterrupt(told) from stop


def _refuse_options(
    sample: int | None, seed: int | None, published: tuple[str, ...], prove: bool
) -> None:
    """Raise UsageError if options contradict each other."""
    from ..errors import UsageError

    if seed is not None and sample is None:
        raise UsageError("--seed draws the secrets of --sample, which is missing")
    if sample is not None and (published or prove):
        raise UsageError("--claim and --prove need the whole tree: leave --sample out")


def _verify(
    file: str,
    published: tuple[str, ...],
    *,
    sample: int | None,
    seed: int | None,
    rule: bool | None,
    eligible: str | None,
    prove: bool,
    quiet: bool,
) -> tuple[Report, list[Published], KeyboardInterrupt | None]:
    """Return what was found, and what ended it early."""
    from ..verifier import VerifyInterrupt, compare_published, verify_tree

    loaded = load(file, check=False)
    stop: KeyboardInterrupt | None = None
    try:
        with game_progress("checking the rule", quiet) as progress:
            report = verify_tree(
                loaded.tree,
                loaded.claims,
                sample=sample,
                seed=seed,
                rule=rule,
                eligible=eligible,
                progress=progress,
            )
    except VerifyInterrupt as ended:
        report, stop = ended.report, ended
    if prove and report.is_sound and not stop:
        try:
            _prove(loaded.tree, report, quiet)
        except KeyboardInterrupt as ended:
            stop = ended
    if report.is_sample:
        for text in published:
            report.miss(text, text)
        return report, [], stop
    return report, compare_published(report, published), stop


def _prove(tree: Any, report: Report, quiet: bool) -> None:
    """Run the exact search on all cores, showing progress."""
    import os

    from ..analysis import prove_claims
    from .exact import make_watch

    prove_claims(tree, report, jobs=os.cpu_count() or 1, watch=make_watch(None, quiet))


def _choose_exit(report: Report, published: list[Published], trust: bool) -> int:
    if not report.is_sound or not all(row.is_true for row in published):
        return WRONG
    # A request for a sample asks for no more than that.
    return NOT_CHECKED if report.unchecked and not (trust or report.is_sample) else 0


def _print_report(report: Report, published: list[Published], prefix: str) -> None:
    """Print what is wrong, or what was checked and what was not."""
    wrong = report.problems + [str(row) for row in published if not row.is_true]
    for problem in wrong:
        click.echo(f"{prefix}wrong: {problem}")
    if not wrong:
        what = "sampled secrets found" if report.is_sample else "secrets found"
        click.echo(f"{prefix}ok: {report.n_secrets} {what}, total {report.total}")
    if report.is_sound:
        for row in published:
            if row.is_true:
                click.echo(f"{prefix}{row}")
        _print_claims(report, prefix)


def _print_claims(report: Report, prefix: str) -> None:
    if report.checked:
        click.echo(f"{prefix}checked: {', '.join(_name(claim) for claim in report.checked)}")
    reasons: dict[str, list[Claim]] = {}
    for claim in report.unchecked:
        reasons.setdefault(claim.note, []).append(claim)
    for reason, claims in reasons.items():
        names = ", ".join(_name(claim) for claim in claims)
        click.echo(f"{prefix}not checked: {names} ({reason})")


def _name(claim: Claim) -> str:
    """Return a claim's name, with its value if that is short and was not counted."""
    if claim.name == "eligible":
        return f"{claim.name} {claim.value}"
    is_told = claim.name in ("bound", "objective") and claim.state != "checked"
    return f"{claim.name} {claim.value}" if is_told else claim.name
