"""Write the gallery of the shipped trees: trees/index.html and the page that plays them.

Usage: python scripts/build-gallery.py [FOLDER]

FOLDER is trees/ by default. Equal trees and files give equal pages. The gallery has statistics,
pictures and downloads of each tree.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import treegen  # noqa: E402
from treegen.games.rules import Weight, write_weight, write_weights  # noqa: E402
from treegen.page.html import (  # noqa: E402
    ICON_ADDRESS,
    add_policy,
    generate_page,
    name_trees,
)
from treegen.pictures.picture import choose_ink, list_paints  # noqa: E402

LINKS = {
    "Teach a lesson": "lesson.html",
    "Print its sheet": "lesson-sheet.html",
    "Players for boards": "INDEX.md#players",
    "How machines break codes": "../docs/tutorial.md",
    "All the documentation": "../docs/index.md",
}

PLAY_PAGE = "play.html"

WAYS = {
    "optimal": "Proved by search that no tree needs fewer guesses in all: it",
    "best": "The best tree that a long search has found: it",
    "first-consistent": "Guesses the first code that fits all answers; it",
    "r-post": "Keeps the largest cell small, as a program in R does; it",
    "codesmithy": "Rules out as many codes as it can be sure of; it",
    "entropy": "Asks what tells most, in bits; it",
    "knuth": "Keeps the worst case small, as Knuth did in 1977; it",
    "parts": "Asks what has most different answers; it",
    "minimax": "Keeps the largest cell small; it",
    "worst": "Keeps the largest cell small; it",
    "expected": "Leaves as few as it can on average; it",
}
"""How a tree chooses its guesses, by its strategy's name or the first of these words in it."""

DOWNLOADS = {
    ".tree": "tree",
    ".tgt": "table",
    ".txt": "text",
    ".html": "booklet",
    ".svg": "diagram",
}
"""Endings of the files that the gallery offers, and their labels."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A tree of the gallery."""

    name: str  # of its files, without ending
    page_name: str  # on the page that plays it
    tree: treegen.Tree
    sizes: dict[str, int]  # bytes of each of its files, by ending


def write_gallery(
    folder: Path,
    *,
    title: str = "Shipped trees",
    links: Mapping[str, str] | None = None,
) -> None:
    """Write ``index.html`` and ``play.html`` for the ``.tree`` files of a folder.

    Beside each tree stand its exports, under the same name. `title` is the heading; `links`, below
    it, are the pages where more is to be read, and their addresses. UsageError if the folder has no
    tree or cannot be written, FormatError if a tree is damaged.
    """
    exhibits = _collect(folder)
    if not exhibits:
        raise treegen.UsageError(f"{str(folder)!r:.300} has no .tree file to show")
    page = generate_page([one.tree for one in exhibits])
    (folder / PLAY_PAGE).write_bytes(page.encode())
    index = generate_gallery(exhibits, title=title, links=links or {})
    (folder / "index.html").write_bytes(index.encode())


def generate_gallery(
    exhibits: Sequence[Exhibit],
    *,
    title: str,
    links: Mapping[str, str],
) -> str:
    """Return the page of some exhibits: a table that can be sorted, in their order at first.

    On small screens each row is a card.
    """
    template = Template((ROOT / "scripts" / "gallery.html").read_text("utf-8"))
    rows = "".join(map(_format_exhibit, exhibits))
    more = " · ".join(
        f'<a href="{escape(address)}">{escape(name)}</a>' for name, address in links.items()
    )
    page = template.substitute(title=escape(title), rows=rows, icon=ICON_ADDRESS, links=more)
    return add_policy(page)


def _collect(folder: Path) -> list[Exhibit]:
    """Return the trees of a folder: the game with most trees first, the least total first."""
    loaded = [(path, treegen.read(path)) for path in sorted(folder.glob("*.tree"))]
    n_trees = Counter(tree.game.name for _, tree in loaded)

    def rank(pair: tuple[Path, treegen.Tree]) -> tuple[int, str, int, int, str]:
        path, tree = pair
        return -n_trees[tree.game.name], tree.game.name, tree.share_total, tree.worst, path.name

    loaded.sort(key=rank)
    names = name_trees([tree for _, tree in loaded])
    exhibits = []
    for name, (path, tree) in zip(names, loaded, strict=True):
        files = {suffix: path.with_suffix(suffix) for suffix in DOWNLOADS}
        sizes = {suffix: file.stat().st_size for suffix, file in files.items() if file.exists()}
        exhibits.append(Exhibit(path.stem, name, tree, sizes))
    return exhibits


def _format_exhibit(one: Exhibit) -> str:
    """Return a row: the tree, its figures as numbers to sort by, links."""
    tree = one.tree
    game = tree.game
    play = f"{PLAY_PAGE}#{quote(one.page_name, safe='')}"
    links = "".join(
        f'<a href="{escape(quote(one.name + suffix))}" download>{DOWNLOADS[suffix]}</a> '
        f"<small>{size:,} B</small> "
        for suffix, size in one.sizes.items()
    )
    rule = f"<small>{escape(tree.provenance.rule)}</small>" if tree.provenance.rule else ""
    return (
        f'<tr id="{escape(one.name)}"><td class="go">{_format_picture(one)}'
        f'<a class="play" href="{escape(play)}">Play</a> <a href="{escape(play)}/">Explore</a></td>'
        f'<th scope="row">{escape(one.name)}<p>{escape(describe_tree(tree))}</p></th>'
        f"<td>{escape(game.notation.title)}<small>{game.n_codes:,} guesses,"
        f" {game.n_responses} answers</small></td>"
        f"{_format_number('Secrets', game.n_secrets)}{_format_number('Total', tree.total)}"
        f'<td class="number" data-label="Average" data-sort="{tree.average!r}">{tree.average:.4f}'
        f'</td><td class="number" data-label="Worst" data-sort="{tree.worst}">{tree.worst}'
        f"<small>{write_weight(tree.n_worst)}×</small></td>"
        f'<td class="bars">{_draw_histogram(tree)}</td>'
        f"<td><details><summary>Files</summary>{links}{rule}</details></td></tr>"
    )


def describe_tree(tree: treegen.Tree) -> str:
    """Return one plain sentence: how the tree chooses, and what it promises."""
    name = tree.provenance.strategy
    words = name.split("-")
    way = next((text for part, text in WAYS.items() if part in words or part == name), "")
    noun = "word" if tree.game.rule == "position" else "code"
    promise = f"finds every {noun} with at most {tree.worst} guesses, {tree.average:.2f} on average"
    return f"{way or 'This tree'} {promise}."


def _format_number(label: str, number: Weight) -> str:
    key, text = write_weights([number]), write_weight(number)
    return f'<td class="number" data-label="{label}" data-sort="{key}">{text}</td>'


def _format_picture(one: Exhibit) -> str:
    """Return a thumbnail of the root: its first guess; it leads to the diagram, if there is one."""
    guess = one.tree.game.format_code(int(one.tree.guess[0]))
    picture = _draw_guess(one.tree)
    if ".svg" not in one.sizes:
        return f'<b class="root">{picture}</b>'
    source = escape(quote(f"{one.name}.svg"))
    label = escape(f"Diagram of {one.name}, first guess {guess}")
    return f'<a class="root" href="{source}" title="{label}">{picture}</a>'


def _draw_guess(tree: treegen.Tree) -> str:
    """Return the first guess: its pegs in their colors, or as it is written."""
    game = tree.game
    code = int(tree.guess[0])
    paints = list_paints(game.n_colors)
    if not game.rules.symmetry.colors or paints is None:
        return escape(game.format_code(code))
    step = 20
    pegs = ""
    for place, color in enumerate(game.codes[code].tolist()):
        ink = choose_ink(paints[color])
        pegs += (
            f'<circle cx="{step * place + 10}" cy="10" r="9" fill="{paints[color]}"/>'
            f'<text x="{step * place + 10}" y="14" fill="{ink}">'
            f"{escape(game.notation.own_symbols[color])}</text>"
        )
    label = escape(game.format_code(code))
    width = step * game.n_pegs
    return (
        f'<svg class="pegs" role="img" aria-label="{label}" viewBox="0 0 {width} 20"'
        f' width="{width}" height="20">{pegs}</svg>'
    )


def _draw_histogram(tree: treegen.Tree) -> str:
    """Return the histogram as a small picture of bars, with the counts as tooltips."""
    most = max(tree.histogram)
    step, room = 14, 34
    bars = ""
    for place, count in enumerate(tree.histogram):
        height = max(1, room * count // most)
        bars += (
            f'<rect x="{step * place + 1}" y="{room - height}" width="{step - 2}"'
            f' height="{height}"><title>{place + 1}: {write_weight(count)}</title></rect>'
            f'<text x="{step * place + step // 2}" y="{room + 11}">{place + 1}</text>'
        )
    label = "Secrets per number of guesses: " + ", ".join(
        f"{length}: {write_weights([count])}"
        for length, count in enumerate(tree.histogram, start=1)
    )
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {step * tree.worst} {room + 13}"'
        f' width="{step * tree.worst}" height="{room + 13}">{bars}</svg>'
    )


def main() -> int:
    """Write both pages, say which."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "trees"
    try:
        write_gallery(folder, links=LINKS)
    except treegen.TreegenError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    print(f"PASSED: wrote {folder / 'index.html'} and {folder / 'play.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
