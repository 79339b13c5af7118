"""What proves and checks without trust: ``treegen certify`` and ``treegen check``."""

from __future__ import annotations

import click

from .command import Command
from .options import FILE, FOLDER, build_options, quiet_option, take_folder
from .output import Output, check_contents, checks_outputs, open_file, show_progress, write_bytes

NOT_PROVED = 1
"""Exit code."""


@click.command(cls=Command)
@click.argument("file", type=FILE, required=False)
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="X.proof",
    help="Where the certificate goes; - is the standard output.",
)
@click.option(
    "--checker",
    type=FOLDER,
    metavar="DIR",
    callback=take_folder,
    help="Write the checker in C, check.c, to DIR.",
)
@build_options("table_size")
@quiet_option
@checks_outputs(Output("output", ("proof",)), Output("checker"))
def certify(
    file: str | None,
    output: str | None,
    checker: str | None,
    table_size: int | None,
    quiet: bool,
) -> None:
    """Write a certificate: a proof that no strategy has a total below the bound of FILE's tree.

    FILE is a tree of the searches optimal or best. `treegen check` and the checker in C check the
    certificate without trusting the search.
    """
    from .. import certify, write_checker
    from ..errors import UsageError

    if (file is None) != (output is None):
        raise UsageError("FILE and --output go together: the tree, and where its certificate goes")
    if file is None and checker is None:
        raise UsageError("nothing to write: give FILE and --output, or --checker")
    if checker is not None:
        check_contents(checker, ["check.c"])
        path = write_checker(checker, force=click.get_current_context().params["force"])
        if not quiet:
            click.echo(f"{path}: compile it by cc -O3 -o check {path}", err=True)
    if file is not None and output is not None:
        text = certify(open_file(file), table_size=table_size, progress=show_progress(quiet))
        write_bytes(output, text.encode())
        if not quiet:
            lemmas = 1 + text.count("\nl ")
            click.echo(f"{output}: {len(text):,} bytes, {lemmas:,} lemmas", err=True)


@click.command(cls=Command)
@click.argument("proof", type=FILE)
@click.option(
    "--words",
    type=FILE,
    metavar="HIDDEN",
    help="Of a codebook: the words that may be secret; then, as ALL, those that may be guessed.",
)
@click.argument("guesses", type=FILE, metavar="[ALL]", required=False)
@quiet_option
def check(proof: str, words: str | None, guesses: str | None, quiet: bool) -> None:
    """Check the certificate in PROOF, which may be packed by xz; exit 1 if it does not prove.

    By plain Python from the definitions, without the search. The checker in C (`treegen certify
    --checker DIR`) does the same many times faster.
    """
    from .. import check
    from ..errors import UsageError

    if [proof, words, guesses].count("-") > 1:
        raise UsageError("only one file can be read from the standard input")
    if guesses is not None and words is None:
        raise UsageError(f"what is {guesses!r}? ALL stands after --words HIDDEN")
    verdict = check(
        open_file(proof),
        words=None if words is None else open_file(words),
        guesses=None if guesses is None else open_file(guesses),
        progress=show_progress(quiet),
    )
    click.echo(str(verdict))
    if not verdict.is_proved:
        raise click.exceptions.Exit(NOT_PROVED)
