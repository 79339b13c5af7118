"""Combine tables, player, engine and page into one file that opens from disk."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from string import Template
from typing import Any

from .._files import write_atomically
from ..errors import UsageError
from ..formats import make_table
from ..tree import Tree
from .scripts import ENGINE, KEY, PAGE, read_asset, shorten_style, write_script

TITLE = "Mastermind, played by its tree"
KEY_TITLE = "Which one is it?"


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
        There is no tree, or tables of answers stand beside other games.
    """
    if not trees:
        raise UsageError("a page needs at least one tree")
    are_keys = {tree.game.kind == "questions" for tree in trees}
    if are_keys == {True, False}:
        raise UsageError("tables of answers have a page of their own, without other games")
    if are_keys == {True}:
        return _generate_key(trees, KEY_TITLE if title is None else title)
    title = TITLE if title is None else title
    template = Template(read_asset("page/assets/page.html"))
    return template.substitute(
        title=escape(title),
        style=shorten_style(read_asset("page/assets/page.css")),
        tables=json.dumps(list(_describe(trees)), ensure_ascii=False).replace("<", "\\u003c"),
        engine=write_script(ENGINE),
        script=write_script(PAGE),
    )


def _generate_key(trees: Sequence[Tree], title: str) -> str:
    """Return the page of tables of answers."""
    return Template(read_asset("page/assets/key.html")).substitute(
        title=escape(title),
        style=shorten_style(read_asset("page/assets/key.css")),
        tables=json.dumps(list(_describe(trees)), ensure_ascii=False).replace("<", "\\u003c"),
        script=write_script(KEY),
    )


def write_page(
    trees: Sequence[Tree], path: str | os.PathLike[str], *, title: str | None = None
) -> None:
    """Write the page of some trees; arguments as in `generate_page`."""
    write_atomically(path, generate_page(trees, title=title).encode())


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
    """Yield the tables in the page's form: the guesses before them, whether proved optimal."""
    for name, tree in zip(name_trees(trees), trees, strict=True):
        start = [list(pair) for pair in tree.provenance.history]
        entry: dict[str, Any] = {
            "name": name,
            "table": b64encode(make_table(tree, all_words=True)).decode(),
        }
        entry |= {"start": start} if start else {}
        yield entry | ({"proved": True} if _is_proved(tree) else {})


def _is_proved(tree: Tree) -> bool:
    """Tell whether no tree at all has a lesser total: the proof excluded no guess."""
    conditions = [part.strip() for part in tree.provenance.rule.split(";")]
    is_open = "eligible=all" in conditions and not any("first" in part for part in conditions)
    return is_open and tree.provenance.bound == tree.total
