"""``treegen manifest``: descriptions of files, for ``sha256sum -c``."""

from __future__ import annotations

from pathlib import Path

import click

from . import completion
from .command import Command, Idle
from .options import json_option, output_option
from .output import print_json, write_lines


@click.command(
    cls=Command,
    idle=[Idle(("output",), lambda given: given["as_json"], "with --json, which is printed")],
)
@click.argument("files", type=completion.FILE, nargs=-1, required=True)
@output_option("manifest", default="-")
@json_option
def manifest(files: tuple[str, ...], output: str, as_json: bool) -> None:
    """Print name, size, sha256 of FILES and the statistics of their trees.

    The result can be checked by sha256sum -c, in the folder where it is.
    """
    from .. import api

    found = api.manifest(*files, folder=None if output == "-" else Path(output).parent)
    if as_json:
        print_json(found.to_dict()["files"])
    else:
        write_lines(output, found.to_text().splitlines())
