"""The reference of the command line: every command and option, from click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click
from pages import add_entries, write_pages

from treegen.cli.main import cli


def setup(app: Any) -> dict[str, bool]:
    """Write the page before Sphinx looks for it."""
    app.connect("builder-inited", lambda _: write_pages({"commands": "\n".join(generate_page())}))
    app.connect("source-read", link_page)
    return {"parallel_read_safe": True}


def link_page(_app: Any, page: str, source: list[str]) -> None:
    """Link the page from the one that explains the command line."""
    if page == "command-line":
        mark = "## Every option\n\n"
        head, _, rest = source[0].partition(mark)
        other = "[Another page](reference/commands) has them by command, with usage and examples."
        source[0] = f"{head}{mark}{other} {rest}"
        add_entries(source, ["commands"])


def generate_page() -> Iterator[str]:
    """Yield the lines of the page."""
    title = "Every command and option"
    yield from [title, "=" * len(title), ""]
    context = click.Context(cli, info_name="treegen")
    yield from generate_command(cli, context)


def generate_command(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of a command and of those below it."""
    path = context.command_path
    yield from [path, "-" * len(path), "", f".. program:: {path}", ""]
    yield from generate_description(command, context)
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is not None and record[1]:  # arguments stand in the usage
            yield from [f".. option:: {record[0]}", "", f"   {escape(record[1])}", ""]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from generate_command(below, click.Context(below, context, info_name=name))


def generate_description(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield what a command does, how it is called, and examples."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield from [".. code-block:: text", "", f"   {usage}", ""]
    for paragraph in (command.help or "").partition("\f")[0].split("\n\n"):
        if paragraph.startswith("\b"):
            yield from [f"| {escape(line)}" for line in paragraph.splitlines()[1:]]
        else:
            yield escape(" ".join(paragraph.split()))
        yield ""
    examples = re.findall(r"^ *(treegen .*)$", command.epilog or "", re.MULTILINE)
    if examples:
        yield from [".. code-block:: console", "", *(f"   $ {line}" for line in examples), ""]


def escape(text: str) -> str:
    """Return text that Sphinx shows as it is."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)
