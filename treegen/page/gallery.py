"""The gallery of a folder of trees: statistics, pictures, downloads, and a page that plays them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from urllib.parse import quote

from .._files import write_atomically
from ..errors import UsageError
from ..formats import load_tree
from ..tree import Tree
from .html import generate_page, name_trees

PLAY_PAGE = "play.html"

DOWNLOADS = {".tree": "tree", ".tgt": "table", ".txt": "text", ".svg": "diagram"}
"""Endings of the files that the gallery offers, and their labels."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A tree of the gallery.

    Attributes
    ----------
    name
        Name of its files, without ending.
    page_name
        Its name on the page that plays it.
    tree
        The tree.
    sizes
        Bytes of each of its files, by ending.
    """

    name: str
    page_name: str
    tree: Tree
    sizes: dict[str, int]


def write_gallery(folder: str | os.PathLike[str], *, title: str = "Shipped trees") -> None:
    """Write ``index.html`` and ``play.html`` for the ``.tree`` files of a folder.

    Parameters
    ----------
    folder
        The folder of the trees, each with its exports under the same name.
    title
        Heading of the gallery.

    Raises
    ------
    UsageError
        The folder has no tree, or it cannot be written.
    FormatError
        A tree is damaged.
    """
    exhibits = _collect(Path(folder))
    if not exhibits:
        raise UsageError(f"{str(folder)!r} has no .tree file to show")
    page = generate_page([one.tree for one in exhibits])
    write_atomically(Path(folder) / PLAY_PAGE, page.encode())
    write_atomically(Path(folder) / "index.html", generate_gallery(exhibits, title=title).encode())


def generate_gallery(exhibits: Sequence[Exhibit], *, title: str = "Shipped trees") -> str:
    """Return the page of some exhibits, grouped by game, in their order."""
    games: dict[str, list[Exhibit]] = {}
    for one in exhibits:
        games.setdefault(one.tree.game.name, []).append(one)
    sections = "".join(map(_format_game, games.values()))
    template = Template(
        files(__package__).joinpath("assets/gallery.html").read_text(encoding="utf-8")
    )
    return template.substitute(title=escape(title), sections=sections)


def _collect(folder: Path) -> list[Exhibit]:
    """Return the trees of a folder: the game with most trees first, the least total first."""
    loaded = [(path, load_tree(path).tree) for path in sorted(folder.glob("*.tree"))]
    n_trees = Counter(tree.game.name for _, tree in loaded)
    loaded.sort(
        key=lambda pair: (
            -n_trees[pair[1].game.name],
            pair[1].game.name,
            pair[1].total,
            pair[1].worst,
            pair[0].name,
        )
    )
    names = name_trees([tree for _, tree in loaded])
    return [
        Exhibit(path.stem, name, tree, _measure_files(path))
        for name, (path, tree) in zip(names, loaded, strict=True)
    ]


def _measure_files(path: Path) -> dict[str, int]:
    present = ((suffix, path.with_suffix(suffix)) for suffix in DOWNLOADS)
    return {suffix: file.stat().st_size for suffix, file in present if file.exists()}


def _format_game(group: Sequence[Exhibit]) -> str:
    game = group[0].tree.game
    return (
        f"<section><h2>{escape(game.title)}</h2>"
        f"<p>{game.n_secrets:,} secrets, {game.n_codes:,} guesses, {game.n_responses} answers.</p>"
        f"<ul>{''.join(map(_format_exhibit, group))}</ul></section>"
    )


def _format_exhibit(one: Exhibit) -> str:
    tree = one.tree
    play = f"{PLAY_PAGE}#{quote(one.page_name, safe='')}"
    rule = f"<p><code>{escape(tree.provenance.rule)}</code></p>" if tree.provenance.rule else ""
    links = "".join(
        f'<a href="{escape(quote(one.name + suffix))}" download>{DOWNLOADS[suffix]}'
        f" <small>{size:,} B</small></a>"
        for suffix, size in one.sizes.items()
    )
    return (
        f'<li id="{escape(one.name)}"><h3>{escape(one.name)}</h3>'
        f"<p>total <b>{tree.total:,}</b> · average <b>{tree.average:.4f}</b> · worst"
        f" <b>{tree.worst}</b> ({tree.n_worst:,}×)</p>"
        f"{_draw_histogram(tree)}{_format_picture(one)}{rule}"
        f'<p class="links"><a class="play" href="{escape(play)}">Play</a>'
        f'<a href="{escape(play)}/">Explore</a>{links}</p></li>'
    )


def _format_picture(one: Exhibit) -> str:
    if ".svg" not in one.sizes:
        return ""
    source = escape(quote(f"{one.name}.svg"))
    image = f'<img src="{source}" alt="Diagram of {escape(one.name)}" loading="lazy">'
    return f'<a class="picture" href="{source}">{image}</a>'


def _draw_histogram(tree: Tree) -> str:
    """Return the histogram as a small picture of bars, the count above each."""
    most = max(tree.histogram)
    step, room = 44, 60
    bars = ""
    for place, count in enumerate(tree.histogram):
        height = max(1, room * count // most)
        left, middle, top = step * place + 4, step * place + step // 2, 12 + room - height
        bars += (
            f'<rect x="{left}" y="{top}" width="{step - 8}" height="{height}"/>'
            f'<text x="{middle}" y="{top - 3}">{count:,}</text>'
            f'<text x="{middle}" y="{room + 24}">{place + 1}</text>'
        )
    label = "Secrets per number of guesses: " + ", ".join(
        f"{length}: {count}" for length, count in enumerate(tree.histogram, start=1)
    )
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {step * tree.worst} {room + 28}"'
        f' width="{step * tree.worst}" height="{room + 28}">{bars}</svg>'
    )
