"""``treegen export c``, ``js``, ``rust`` and so on: a player and its table in a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ..command import Command
from ..options import file_argument, output_option
from ..output import load
from ..targets import check_contents

if TYPE_CHECKING:
    from ...export import Files
    from ...tree import Tree

F = TypeVar("F", bound=Callable[..., object])

HELP = {
    "full": "pure lookup",
    "lean": "smaller, the player keeps the candidates",
    "slim": "it also counts them",
    "seed": "the guesses alone",
}
"""What the profiles are."""


def profile_option(*profiles: str) -> Callable[[F], F]:
    """Return the option ``--profile`` with the profiles that a player plays."""
    return click.option(
        "--profile",
        type=click.Choice(profiles),
        default="full",
        show_default=True,
        help="; ".join(f"{name}: {HELP[name]}" for name in profiles) + ".",
    )


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_c(file: str, profile: str, output: str) -> None:
    """Write a C99 player and the tree in FILE as a constant array to the folder DIR."""
    from ...export import make_c_files

    tree, table = _make_table(file, profile)
    write_folder(output, make_c_files(table, tree.game, tree.provenance.strategy, profile))


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean")
@output_option()
def export_js(file: str, profile: str, output: str) -> None:
    """Write a JavaScript player and the tree in FILE as modules to the folder DIR."""
    from ...export import make_js_files

    write_folder(output, make_js_files(_make_table(file, profile)[1], profile))


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean")
@output_option()
def export_micropython(file: str, profile: str, output: str) -> None:
    """Write a MicroPython player and the table of the tree in FILE to the folder DIR."""
    from ...export import make_micropython_files

    tree, table = _make_table(file, profile)
    write_folder(output, make_micropython_files(table, tree.game, profile))


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim", "seed")
@output_option()
def export_python(file: str, profile: str, output: str) -> None:
    """Write a Python player, one file without dependencies, and the table to the folder DIR."""
    from ...export import make_python_files

    write_folder(output, make_python_files(_make_table(file, profile)[1], profile))


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_rust(file: str, profile: str, output: str) -> None:
    """Write a Rust crate that plays the tree in FILE to the folder DIR; it needs no std."""
    from ...export import make_rust_files

    write_folder(output, make_rust_files(_make_table(file, profile)[1], profile))


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_go(file: str, profile: str, output: str) -> None:
    """Write a Go module that plays the tree in FILE to the folder DIR."""
    from ...export import make_go_files

    write_folder(output, make_go_files(_make_table(file, profile)[1], profile))


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_java(file: str, profile: str, output: str) -> None:
    """Write a Java class that plays the tree in FILE to the folder DIR."""
    from ...export import make_java_files

    write_folder(output, make_java_files(_make_table(file, profile)[1], profile))


def _make_table(file: str, profile: str) -> tuple[Tree, bytes]:
    from ...formats import make_table

    tree = load(file).tree
    return tree, make_table(tree, profile=profile)


def write_folder(path: str, contents: Files) -> None:
    """Write files to a folder, created if missing; print their names."""
    from ..._files import write_atomically
    from ...errors import UsageError

    check_contents(path, contents)
    try:
        for name in contents:
            (Path(path) / name).parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a null byte in the path
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot make the folder {path!r}: {reason}") from error
    for name, data in contents.items():
        write_atomically(Path(path) / name, data)
        click.echo(Path(path) / name)
