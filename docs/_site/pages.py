"""Pages that are written while the site is built, in docs/reference/."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "reference"


def write_pages(pages: Mapping[str, str]) -> None:
    """Write pages by name, without those that are right: Sphinx need not read them again."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages.items():
        path = FOLDER / f"{name}.rst"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def remove_others(pages: set[str]) -> None:
    """Remove the pages of names that are gone."""
    for path in FOLDER.glob("*.rst"):
        if path.stem not in pages:
            path.unlink()


def add_entries(source: list[str], names: list[str]) -> None:
    """Append a hidden table of contents of such pages to a Markdown page."""
    entries = [f"reference/{name}" for name in names]
    source[0] += "\n".join(["", "```{toctree}", ":hidden:", "", *entries, "```", ""])
