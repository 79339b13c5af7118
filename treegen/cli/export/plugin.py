"""``treegen export`` in the format of a plug-in."""

from __future__ import annotations

import click

from ... import _loading as _plugins
from ..command import Command
from ..options import file_argument, output_option
from ..output import open_file, open_target


def make_command(name: str) -> click.Command:
    """Return the command of an exporter of another package."""

    @click.command(cls=Command, name=name, help=_plugins.describe_plugin("exporters", name))
    @file_argument()
    @click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the format; repeatable.",
    )
    @output_option("text", default="-")
    def export(file: str, settings: tuple[str, ...], output: str) -> None:
        from ... import write

        options = dict(setting.partition("=")[::2] for setting in settings)
        write(open_file(file), open_target(output), name, **options)

    return export
