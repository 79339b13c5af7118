"""``treegen export c``, ``js``, ``micropython``, ``python``: a player and its table in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..command import Command
from ..options import file_argument, output_option
from ..output import load
from ..targets import check_contents

if TYPE_CHECKING:
    from ...export import Files


@click.command(cls=Command)
@file_argument()
@click.option(
    "--profile",
    type=click.Choice(["full", "lean", "slim"]),
    default="full",
    show_default=True,
    help="full: pure lookup; lean: smaller, the player keeps the candidates; slim: it counts them.",
)
@output_option()
def export_c(file: str, profile: str, output: str) -> None:
    """Write a C99 player and the tree in FILE as a constant array to the folder DIR."""
    from ...export import make_c_files
    from ...formats import make_table

    tree = load(file).tree
    table = make_table(tree, profile=profile)
    write_folder(output, make_c_files(table, tree.game, tree.provenance.strategy, profile))


@click.command(cls=Command)
@file_argument()
@click.option(
    "--profile",
    type=click.Choice(["full", "lean"]),
    default="full",
    show_default=True,
    help="full: pure lookup; lean: smaller, the player keeps the candidates.",
)
@output_option()
def export_js(file: str, profile: str, output: str) -> None:
    """Write a JavaScript player and the tree in FILE as modules to the folder DIR."""
    from ...export import make_js_files
    from ...formats import make_table

    table = make_table(load(file).tree, profile=profile)
    write_folder(output, make_js_files(table, profile))


@click.command(cls=Command)
@file_argument()
@output_option()
def export_micropython(file: str, output: str) -> None:
    """Write a MicroPython player and the table of the tree in FILE to the folder DIR."""
    from ...export import make_micropython_files
    from ...formats import make_table

    tree = load(file).tree
    write_folder(output, make_micropython_files(make_table(tree), tree.game))


@click.command(cls=Command)
@file_argument()
@click.option(
    "--profile",
    type=click.Choice(["full", "lean", "slim", "seed"]),
    default="full",
    show_default=True,
    help="As of export table: the player plays all of them.",
)
@output_option()
def export_python(file: str, profile: str, output: str) -> None:
    """Write a Python player, one file without dependencies, and the table to the folder DIR."""
    from ...export import make_python_files
    from ...formats import make_table

    write_folder(output, make_python_files(make_table(load(file).tree, profile=profile)))


def write_folder(path: str, contents: Files) -> None:
    """Write files to a folder, created if missing; print their names."""
    from ..._files import write_atomically
    from ...errors import UsageError

    check_contents(path, contents)
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a null byte in the path
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot make the folder {path!r}: {reason}") from error
    for name, data in contents.items():
        write_atomically(Path(path) / name, data)
        click.echo(Path(path) / name)
