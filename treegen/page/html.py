"""Combine tables, player, engine and page into one file that opens from disk.

The modules of `assets` and the JavaScript player are plain ES modules, so that node can test them.
In the page they are concatenated: their ``import`` and ``export`` keywords and their comments are
removed, nothing else is changed. The engine (rules, player, analysis) is a separate script, because
the page's worker runs the same text.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from .._files import write_atomically
from ..errors import UsageError
from ..formats import make_table
from ..tree import Tree

ENGINE = (
    "page/assets/engine.mjs",
    "player/js/tgt_player.mjs",
    "page/assets/tree.mjs",
    "page/assets/scores.mjs",
    "page/assets/exact.mjs",
    "page/assets/symmetry.mjs",
    "page/assets/values.mjs",
    "page/assets/advisor.mjs",
    "page/assets/clerk.mjs",
)
MODULES = (
    "page/assets/ui.mjs",
    "page/assets/store.mjs",
    "page/assets/levels.mjs",
    "page/assets/answer.mjs",
    "page/assets/maker.mjs",
    "page/assets/drag.mjs",
    "page/assets/entry.mjs",
    "page/assets/asker.mjs",
    "page/assets/report.mjs",
    "page/assets/share.mjs",
    "page/assets/breaker.mjs",
    "page/assets/analyst.mjs",
    "page/assets/explorer.mjs",
    "page/assets/main.mjs",
)
"""In the order of their imports."""

KEY_MODULES = (
    "player/js/tgt_player.mjs",
    "player/js/tgt_rules.mjs",
    "player/js/tgt_lean.mjs",
    "player/js/tgt_game.mjs",
    "page/assets/key.mjs",
)
"""The same for tables of answers, whose page asks questions."""

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
    template = Template(_read("page/assets/page.html"))
    return template.substitute(
        title=escape(title),
        style=_shorten_style(_read("page/assets/page.css")),
        tables=json.dumps(list(_describe(trees)), ensure_ascii=False).replace("<", "\\u003c"),
        engine=_bundle(ENGINE),
        script=_bundle(MODULES),
    )


def _generate_key(trees: Sequence[Tree], title: str) -> str:
    """Return the page of tables of answers."""
    return Template(_read("page/assets/key.html")).substitute(
        title=escape(title),
        style=_shorten_style(_read("page/assets/key.css")),
        tables=json.dumps(list(_describe(trees)), ensure_ascii=False).replace("<", "\\u003c"),
        script=_bundle(KEY_MODULES),
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


def _bundle(modules: Sequence[str]) -> str:
    """Return modules as one script: no imports, no exports, no comments on lines of their own."""
    return "".join(map(_strip_module, map(_read, modules)))


def _strip_module(text: str) -> str:
    text = re.sub(r"^import\s[^;]*;\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export (?=const|class|function)", "", text, flags=re.MULTILINE)
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def _shorten_style(text: str) -> str:
    """Return a style without comments and spaces that separate nothing."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*([{};,])\s*", r"\1", text).replace(";}", "}")
    return re.sub(r"(?<=[\w-]): ", ":", text)


def _read(name: str) -> str:
    return files(__package__.partition(".")[0]).joinpath(name).read_text(encoding="utf-8")
