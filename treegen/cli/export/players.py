"""``treegen export c``, ``js``, ``rust`` and so on: a player and its table in a folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from ..command import Command
from ..options import file_argument, output_option
from ..output import check_contents, open_file

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
    _write(file, "c", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_js(file: str, profile: str, output: str) -> None:
    """Write a JavaScript player and the tree in FILE as modules to the folder DIR."""
    _write(file, "js", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean")
@output_option()
def export_micropython(file: str, profile: str, output: str) -> None:
    """Write a MicroPython player and the table of the tree in FILE to the folder DIR."""
    _write(file, "micropython", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim", "seed")
@output_option()
def export_python(file: str, profile: str, output: str) -> None:
    """Write a Python player, one file without dependencies, and the table to the folder DIR."""
    _write(file, "python", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_rust(file: str, profile: str, output: str) -> None:
    """Write a Rust crate that plays the tree in FILE to the folder DIR; it needs no std."""
    _write(file, "rust", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_go(file: str, profile: str, output: str) -> None:
    """Write a Go module that plays the tree in FILE to the folder DIR."""
    _write(file, "go", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_java(file: str, profile: str, output: str) -> None:
    """Write a Java class that plays the tree in FILE to the folder DIR."""
    _write(file, "java", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_npm(file: str, profile: str, output: str) -> None:
    """Write a package for npm that plays the tree in FILE to the folder DIR."""
    _write(file, "npm", profile, output)


@click.command(cls=Command)
@file_argument()
@profile_option("full", "lean", "slim")
@output_option()
def export_arduino(file: str, profile: str, output: str) -> None:
    """Write an Arduino library that plays the tree in FILE from flash to the folder DIR."""
    _write(file, "arduino", profile, output)


def _write(file: str, language: str, profile: str, output: str) -> None:
    """Write a player to a folder, created if missing; print the names of its files."""
    from ... import make_player
    from ..._files import write_folder

    contents = make_player(open_file(file), language, profile=profile)
    check_contents(output, contents)
    for path in write_folder(output, contents, force=click.get_current_context().params["force"]):
        click.echo(path)
