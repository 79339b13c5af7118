"""``treegen export html``: a page that plays in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from ..command import Command
from ..options import files_argument, output_option
from ..output import check_contents, open_file, open_target


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
    from ... import write
    from ...page import SUFFIXES

    if url is not None and output != "-":
        page = Path(output)
        check_contents(str(page.parent), [f"{page.stem}{suffix}" for suffix in SUFFIXES])
    force = click.get_current_context().params["force"]
    options = {"title": title, "url": url, "force": force}
    write(list(map(open_file, files)), open_target(output), "html", **options)
