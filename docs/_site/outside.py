"""Links from the pages to files outside docs/: the trees, the schemas, which the site has, too."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent

PLACES = {"trees": "trees", "treegen/schemas": "schemas"}
"""Folders of the checkout, and where the site has them."""

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+)(trees|treegen/schemas)/([^)]*)\)")
FRAME = re.compile(r'(<(?:iframe|img|a) [^>]*(?:src|href)=")((?:\.\./)+)(trees|treegen/schemas)/')


def setup(app: Any) -> dict[str, bool]:
    """Rewrite such links, and copy what they lead to."""
    app.connect("source-read", rewrite_links)
    app.connect("build-finished", copy_folders)
    return {"parallel_read_safe": True}


def rewrite_links(_app: Any, name: str, source: list[str]) -> None:
    """Point links at the site's copies."""
    up = "../" * name.count("/")

    def link(match: re.Match[str]) -> str:
        text = re.sub(r"`([^`]*)`", r"<code>\1</code>", match[1])
        return f'<a href="{up}{PLACES[match[3]]}/{match[4]}">{text}</a>'

    text = LINK.sub(link, source[0])
    source[0] = FRAME.sub(lambda match: f"{match[1]}{up}{PLACES[match[3]]}/", text)


def copy_folders(app: Any, error: Exception | None) -> None:
    """Copy the folders into the site; the gallery leads to its pages."""
    if error is None and app.builder.format == "html":
        for place, name in PLACES.items():
            shutil.copytree(ROOT / place, Path(app.outdir) / name, dirs_exist_ok=True)
        gallery = Path(app.outdir) / "trees" / "index.html"
        text = gallery.read_text("utf-8")
        gallery.write_text(re.sub(r'"\.\./docs/(\w+)\.md"', r'"../\1.html"', text), "utf-8")
