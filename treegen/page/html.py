"""Combine tables, player, engine and page into one file that opens from disk."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from .._files import write_atomically
from ..errors import UsageError
from ..formats import make_table
from ..tree import Tree
from .scripts import ENGINE, KEY, PAGE, read_asset, shorten_style, write_script
from .site import check_url, make_companions, write_foot, write_head

TITLE = "Mastermind, played by its tree"
KEY_TITLE = "Which one is it?"
MAX_CODES = 1 << 20
"""The page lists the codes of its games: these take about 700 MB in the browser."""


def generate_page(trees: Sequence[Tree], *, title: str | None = None) -> str:
    """Return the page of some trees.

    Parameters
    ----------
    trees
        At least one; the page begins with the first. Lengths of one that begins in the middle of
        a game count from there. Trees of tables of answers have a page of their own, which asks
        their questions.
    title
        Heading of the page.

    Raises
    ------
    UsageError
        There is no tree, tables of answers stand beside other games, or a game has weights or more
        codes than a page lists.
    """
    return _fill(trees, _choose_title(trees, title))


def make_site(
    trees: Sequence[Tree], name: str, url: str, *, title: str | None = None
) -> dict[str, bytes]:
    """Return a page for a server and the files beside it, by name.

    Parameters
    ----------
    trees, title
        As in `generate_page`.
    name
        Name of the page's file, such as ``index.html``.
    url
        The address at which the page will be, or its folder's with a slash at the end: previews of
        links name their picture by it.

    Raises
    ------
    UsageError
        As in `generate_page`, or `url` is no address.
    DependencyError
        matplotlib, which draws the picture for previews, is not installed.
    """
    check_url(url)
    title = _choose_title(trees, title)
    page = _fill(trees, title, write_head(trees, name, url, title), write_foot(name)).encode()
    return {name: page, **make_companions(trees, name, page, title)}


def write_page(
    trees: Sequence[Tree],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    url: str | None = None,
) -> None:
    """Write the page of some trees; with `url` also what `make_site` puts beside it."""
    if url is None:
        write_atomically(path, generate_page(trees, title=title).encode())
        return
    target = Path(path)
    for name, data in reversed(make_site(trees, target.name, url, title=title).items()):
        write_atomically(target.with_name(name), data)


def _choose_title(trees: Sequence[Tree], title: str | None) -> str:
    """Return the heading, after a look at what the page is asked to hold."""
    if not trees:
        raise UsageError("a page needs at least one tree")
    are_keys = set(map(_is_key, trees))
    if are_keys == {True, False}:
        raise UsageError("tables of answers have a page of their own, without other games")
    weighted = [tree for tree in trees if tree.game.stakes and not _is_key(tree)]
    if weighted:
        name = weighted[0].game.name
        raise UsageError(f"{name} has weights or costs: a page plays games without them")
    large = [tree.game for tree in trees if tree.game.n_codes > MAX_CODES and not _is_key(tree)]
    if large:
        raise UsageError(
            f"a page plays games of at most {MAX_CODES:,} codes, which it lists; {large[0].name}"
            f" has {large[0].n_codes:,}"
        )
    if title is not None:
        return title
    return KEY_TITLE if are_keys == {True} else TITLE


def _is_key(tree: Tree) -> bool:
    """Whether a tree's page asks, with a button for each answer; a range has answers, too."""
    return tree.game.kind in ("questions", "range")


def _fill(trees: Sequence[Tree], title: str, head: str = "", foot: str = "") -> str:
    """Return a page; one with a head of its own is served, and may load what lies beside it."""
    parts = {
        "title": escape(title),
        "tables": json.dumps(list(_describe(trees)), ensure_ascii=False).replace("<", "\\u003c"),
        "head": head,
        "foot": foot,
    }
    if _is_key(trees[0]):
        name, script, scripts = "key", KEY, {}
    else:
        name, script, scripts = "page", PAGE, {"engine": write_script(ENGINE)}
    return Template(read_asset(f"page/assets/{name}.html")).substitute(
        parts,
        style=shorten_style(read_asset(f"page/assets/{name}.css")),
        served=" 'self'; manifest-src 'self'" if head else "",
        script=write_script(script),
        **scripts,
    )


def name_trees(trees: Sequence[Tree]) -> list[str]:
    """Return the names of the trees on a page; a repeated name gets a number."""
    seen: dict[str, int] = {}
    names = []
    for tree in trees:
        name = f"{tree.game.name.replace(' ', '-')}-{tree.provenance.strategy}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names


def _describe(trees: Sequence[Tree]) -> Iterator[dict[str, Any]]:
    """Yield the tables in the page's form: guesses before them, chain, whether proved optimal."""
    for name, tree in zip(name_trees(trees), trees, strict=True):
        start = [list(pair) for pair in tree.provenance.history]
        entry: dict[str, Any] = {
            "name": name,
            "table": b64encode(make_table(tree, all_words=not _is_key(tree))).decode(),
        }
        entry |= {"start": start} if start else {}
        chain = _find_chain(tree)
        entry |= {"chain": chain} if chain else {}
        yield entry | ({"proved": True} if _is_proved(tree) else {})


def _find_chain(tree: Tree) -> str | None:
    """Return the chain by which a tree chooses among all guesses in their order, if it does."""
    conditions = dict(part.strip().partition("=")[::2] for part in tree.provenance.rule.split(";"))
    is_plain = {**conditions, "chain": ""} == {"eligible": "all", "chain": "", "order": "lex"}
    return conditions.get("chain") if is_plain else None


def _is_proved(tree: Tree) -> bool:
    """Tell whether no tree at all has a lesser total: the proof excluded no guess."""
    conditions = [part.strip() for part in tree.provenance.rule.split(";")]
    is_open = "eligible=all" in conditions and not any("first" in part for part in conditions)
    return is_open and tree.provenance.bound == tree.total
