"""``treegen verify``: play every secret, check the claims, list those not checked.

``treegen certify`` and ``treegen check`` write and check what proves without trust.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from .._printing import Paragraph
from ..analysis.options import CERTIFY, CHECK, VERIFY
from ..errors import Interrupted, UsageError
from ..formats.format import Idle
from ..formats.proof import read_proof
from ..tasks.work import PROCESS, Stop
from .command import Command
from .options import (
    FILE,
    FOLDER,
    GAME_OPTIONS,
    add_options,
    build_options,
    files_argument,
    game_options,
    json_option,
    notify,
    open_game,
    quiet_option,
    take_folder,
)
from .output import (
    Output,
    check_contents,
    checks_outputs,
    is_forced,
    open_file,
    print_blocks,
    print_json,
    show_progress,
    write_bytes,
)

if TYPE_CHECKING:
    from ..verifier.verify import Report

WRONG, NOT_CHECKED = 1, 3
"""Exit codes: something is wrong or not proved; nothing is, but not every claim was checked."""


@click.command(
    cls=Command,
    idle=(
        Idle(
            tuple(option.name for option in GAME_OPTIONS),
            lambda given: given["game"] is None,
            "without -g",
        ),
    ),
)
@files_argument
@add_options(VERIFY["game"])
@game_options
@add_options(VERIFY["sample"], VERIFY["seed"])
@click.option("--rule/--no-rule", default=None, help=VERIFY["rule"].help)  # or neither
@add_options(VERIFY["eligible"], VERIFY["prove"], VERIFY["certificate"])
@click.option("--trust", is_flag=True, help="Exit with 0 even if some claims were not checked.")
@add_options(VERIFY["claim"], multiple=True)
@add_options(VERIFY["time_limit"])
@quiet_option
@json_option
def verify(
    files: tuple[str, ...],
    game: str | None,
    rules: Mapping[str, Any],
    certificate: str | None,
    trust: bool,
    time_limit: float | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Check the structure of FILE's tree, play every secret, compare the file's claims.

    Scoring follows the plain definition, independently of the kernels that built the tree. If some
    claims are not checked, they are listed and the exit code is 3. It is 1 if something is wrong.
    """
    from ..analysis.certificates import read_certificate
    from ..analysis.verification import verify

    if [*files, certificate, game, rules["guesses"]].count("-") > 1:
        raise UsageError("only one file can be read from the standard input")
    expected = None if game is None else open_game(game, rules)
    proof = None if certificate is None else read_certificate(open_file(certificate))
    codes: list[int] = []
    rows: list[dict[str, Any]] = []
    stop: KeyboardInterrupt | None = None
    options["progress"], options["jobs"] = show_progress(options.pop("quiet")), None

    def show(file: str, report: Any) -> None:
        rows.append(report.to_dict())
        if not as_json:
            prefix = f"{file}: " if len(files) > 1 else ""
            print_blocks(Paragraph(block.text, prefix) for block in report.describe())
        codes.append(_choose_exit(report, trust))

    try:
        with Stop(time_limit).interrupt():
            for file in files:
                show(
                    file,
                    verify(
                        open_file(file),
                        game=expected,
                        certificate=proof,
                        notice=notify,
                        **options,
                    ),
                )
    except Interrupted as ended:
        show(files[len(rows)], ended.result)
        stop = ended
    except KeyboardInterrupt as ended:  # nothing was checked of the file at hand
        stop = ended
    if as_json and rows:
        many = [{"file": file, **row} for file, row in zip(files, rows, strict=False)]
        print_json(rows[0] if len(files) == 1 else many)
    if stop:
        codes.append(_end_early(stop, len(rows), len(files)))
    code = WRONG if WRONG in codes else max(codes)
    if code:
        raise click.exceptions.Exit(code)


def _end_early(stop: KeyboardInterrupt, n_shown: int, n_files: int) -> int:
    """Report what was checked; return the exit code of a time limit, raise for Ctrl-C."""
    outcome = "what was checked is shown" if n_shown else "nothing was checked"
    if n_files > 1:
        outcome += f" ({n_shown} of {n_files} files)"
    if n_shown and PROCESS.is_time_over:
        click.echo(f"treegen: {PROCESS.describe_stop()}; {outcome}", err=True)
        return NOT_CHECKED
    raise KeyboardInterrupt(outcome) from stop


def _choose_exit(report: Report, trust: bool) -> int:
    from ..analysis.certificates import LEAST_TOTAL

    if not report.is_sound:
        return WRONG
    # A request for a sample asks for no more than that, and one for a proof of the optimal total
    # for nothing about the other parts of an objective such as total,worst.
    is_enough = report.is_sample or (
        report.is_optimal and all(claim.note == LEAST_TOTAL for claim in report.unchecked)
    )
    return NOT_CHECKED if report.unchecked and not (trust or is_enough) else 0


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
@add_options(*CERTIFY.values())
@quiet_option
@checks_outputs(Output("output", ("proof",)), Output("checker"))
def certify(
    file: str | None,
    output: str | None,
    checker: str | None,
    only_total: bool,
    table_size: int | None,
    time_limit: float | None,
    quiet: bool,
) -> None:
    """Write a certificate: a proof that no strategy is better than FILE's tree, or than its bound.

    FILE is a tree of the searches optimal or best. `treegen check` and the checker in C check the
    certificate without trusting the search.
    """
    from ..analysis.certificates import certify, write_checker

    if file is not None and output is None:
        raise UsageError("-o X.proof is missing: where the certificate of the tree goes")
    if file is None and output is not None:
        raise UsageError("FILE is missing: the tree whose certificate is to be written")
    if file is None and checker is None:
        raise UsageError("nothing to write: give FILE and --output, or --checker")
    if checker is not None:
        check_contents(checker, ["check.c"])
        path = write_checker(checker, force=is_forced())
        if not quiet:
            click.echo(f"{path}: cc -O3 -o check {path}, then ./check X.proof", err=True)
            click.echo(f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}", err=True)
    if file is not None and output is not None:
        text = certify(
            open_file(file),
            only_total=only_total,
            table_size=table_size,
            time_limit=time_limit,
            progress=show_progress(quiet),
        )
        write_bytes(output, text.encode())
        if not quiet:
            n_lemmas = text.count("\nroot ") + text.count("\nl ")
            lemmas = "1 lemma" if n_lemmas == 1 else f"{n_lemmas:,} lemmas"
            click.echo(f"{output}: {len(text):,} bytes, {lemmas}", err=True)


@click.command(cls=Command)
@click.argument("proof", type=FILE)
@click.argument("guesses", type=FILE, metavar="[ALL]", required=False)
@add_options(*CHECK.values())
@quiet_option
def check(
    proof: str, words: str | None, guesses: str | None, table: str | None, quiet: bool
) -> None:
    """Check the certificate in PROOF, which may be packed by xz; exit 1 if it fails.

    By plain Python from the definitions, without the search. The checker in C (`treegen certify
    --checker DIR`) does the same many times faster.
    """
    from ..analysis.certificates import check

    if [proof, words, guesses, table].count("-") > 1:
        raise UsageError("only one file can be read from the standard input")
    if guesses is not None and words is None:
        raise UsageError(f"what is {guesses!r:.80}? ALL stands after --words HIDDEN")
    verdict = check(
        open_file(proof),
        words=None if words is None else open_file(words),
        guesses=None if guesses is None else open_file(guesses),
        table=None if table is None else read_proof(open_file(table)),
        progress=show_progress(quiet),
    )
    click.echo(str(verdict))
    if not verdict.is_proved:
        raise click.exceptions.Exit(WRONG)
