"""``treegen export html``: a page that plays in a browser."""

from __future__ import annotations

import click

from ..command import Command
from ..options import files_argument, output_option
from ..output import load, write_bytes


@click.command(cls=Command)
@files_argument
@click.option("--title", default=None, help="Heading of the page.")
@output_option("html")
def export_html(files: tuple[str, ...], title: str | None, output: str) -> None:
    """Write one page that plays the trees in FILES in a browser, from disk."""
    from ...page import generate_page

    trees = [load(file).tree for file in files]
    page = generate_page(trees) if title is None else generate_page(trees, title=title)
    write_bytes(output, page.encode())
