"""``treegen export html``: a page that plays in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import UsageError
from ..command import Command
from ..options import files_argument, output_option
from ..output import load, write_bytes
from ..targets import check_contents


@click.command(cls=Command)
@files_argument
@click.option("--title", default=None, help="Heading of the page.")
@click.option(
    "--url",
    metavar="URL",
    help="Where OUT will be served: it gets a manifest, a service worker and a picture beside it.",
)
@output_option("html")
def export_html(files: tuple[str, ...], title: str | None, url: str | None, output: str) -> None:
    """Write one page that plays the trees in FILES in a browser, from disk."""
    from ...page import generate_page, make_site

    if url is not None and output == "-":
        raise UsageError("--url writes files beside OUT: give -o a path")
    trees = [load(file).tree for file in files]
    if url is None:
        write_bytes(output, generate_page(trees, title=title).encode())
        return
    target = Path(output)
    contents = make_site(trees, target.name, url, title=title)
    check_contents(str(target.parent), contents)
    for name, data in reversed(contents.items()):
        write_bytes(str(target.with_name(name)), data)
