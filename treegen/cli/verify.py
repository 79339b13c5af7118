"""``treegen verify``: play every secret, check the claims."""

from __future__ import annotations

import click

from .options import json_option
from .output import load, print_json


@click.command()
@click.argument("file")
@click.option("--sample", type=click.IntRange(1), help="Play only N secrets, evenly spread.")
@json_option
def verify(file: str, sample: int | None, as_json: bool) -> None:
    """Check the structure of FILE's tree, play every secret, compare the file's claims.

    Scoring is done by the plain definition, apart from the kernels that built the tree.
    """
    from ..verifier import verify_tree

    loaded = load(file, check=False)
    report = verify_tree(loaded.tree, loaded.claims, sample=sample)
    if as_json:
        print_json(
            {
                "proved": report.is_proved and not sample,
                "secrets": report.n_secrets,
                "total": report.total,
                "histogram": report.histogram,
                "problems": report.problems,
            }
        )
    elif report.is_proved:
        words = "sampled secrets found" if sample else "secrets found, every claim true"
        click.echo(f"ok: {report.n_secrets} {words}: total {report.total}")
    else:
        for problem in report.problems:
            click.echo(f"wrong: {problem}")
    if not report.is_proved:
        raise click.exceptions.Exit(1)
