"""``treegen warmup``: compile every kernel once."""

from __future__ import annotations

import click

from .command import Command
from .options import json_option, quiet_option
from .output import print_json, show_progress
from .table import print_result


@click.command(cls=Command)
@quiet_option
@json_option
def warmup(quiet: bool, as_json: bool) -> None:
    """Compile all kernels, so that no later command has to; say where they are kept.

    For images, class rooms and clusters. NUMBA_CACHE_DIR chooses the folder.
    """
    from ..api import warmup

    found = warmup(progress=show_progress(quiet))
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        print_result(found)
