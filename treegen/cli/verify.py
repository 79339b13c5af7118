"""``treegen verify``: play every secret, check the claims."""

from __future__ import annotations

import click

from .options import json_option
from .output import load, print_json


@click.command()
@click.argument("file")
@click.option("--sample", type=click.IntRange(1), help="Play only N secrets, evenly spread.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Draw them by chance instead.")
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="FIGURE",
    help="Compare a published figure: total=5801, worst=5, histogram=1/6/62/533/694.",
)
@json_option
def verify(
    file: str, sample: int | None, seed: int | None, claims: tuple[str, ...], as_json: bool
) -> None:
    """Check the structure of FILE's tree, play every secret, compare the file's claims.

    Scoring is done by the plain definition, apart from the kernels that built the tree.
    """
    from ..errors import UsageError
    from ..verifier import verify_tree
    from ..verifier.published import compare_published

    if seed is not None and sample is None:
        raise UsageError("--seed draws the secrets of --sample, which is not there")
    loaded = load(file, check=False)
    report = verify_tree(loaded.tree, loaded.claims, sample=sample, seed=seed)
    published = compare_published(report, claims)
    if as_json:
        print_json(
            {
                "proved": report.is_proved and not sample,
                "secrets": report.n_secrets,
                "total": report.total,
                "histogram": report.histogram,
                "problems": report.problems,
                "published": {item.name: item.is_true for item in published},
            }
        )
    elif report.is_proved:
        words = "sampled secrets found" if sample else "secrets found, every claim true"
        click.echo(f"ok: {report.n_secrets} {words}: total {report.total}")
    else:
        for problem in report.problems:
            click.echo(f"wrong: {problem}")
    for item in () if as_json else published:
        click.echo(str(item))
    if not report.is_proved or not all(item.is_true for item in published):
        raise click.exceptions.Exit(1)
