"""The scripts of the pages: plain ES modules, joined into one text for each script element.

The modules of `assets` and the JavaScript player are plain ES modules, so that node can test them.
In a page they are concatenated: their ``import`` and ``export`` keywords and their comments are
removed. The scripts of the page that plays also have a short form, written by ``make minify``; it
begins with the digest of the text that it was made from and is used as long as that is the text.
The engine (rules, player, analysis) is a separate script, because the page's worker runs the same
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple


class Script(NamedTuple):
    """A script of a page.

    Attributes
    ----------
    name
        Name of its short form in `assets`, without ending; empty if it has none.
    modules
        Its modules in the order of their imports.
    """

    name: str
    modules: tuple[str, ...]


ENGINE = Script(
    "engine",
    (
        "page/assets/engine.mjs",
        "player/js/tgt_player.mjs",
        "page/assets/tree.mjs",
        "page/assets/scores.mjs",
        "page/assets/exact.mjs",
        "page/assets/symmetry.mjs",
        "page/assets/values.mjs",
        "page/assets/advisor.mjs",
        "page/assets/clerk.mjs",
    ),
)

PAGE = Script(
    "page",
    (
        "player/js/tgt_text.mjs",
        "page/assets/ui.mjs",
        "page/assets/store.mjs",
        "page/assets/chains.mjs",
        "page/assets/levels.mjs",
        "page/assets/rule.mjs",
        "page/assets/answer.mjs",
        "page/assets/maker.mjs",
        "page/assets/drag.mjs",
        "page/assets/entry.mjs",
        "page/assets/asker.mjs",
        "page/assets/explain.mjs",
        "page/assets/report.mjs",
        "page/assets/share.mjs",
        "page/assets/confetti.mjs",
        "page/assets/breaker.mjs",
        "page/assets/analyst.mjs",
        "page/assets/zoom.mjs",
        "page/assets/explorer.mjs",
        "page/assets/main.mjs",
    ),
)

KEY = Script(
    "key",
    (
        "player/js/tgt_player.mjs",
        "player/js/tgt_text.mjs",
        "player/js/tgt_rules.mjs",
        "player/js/tgt_lean.mjs",
        "player/js/tgt_game.mjs",
        "page/assets/key.mjs",
    ),
)
"""The page of tables of answers, which asks questions."""


def write_script(script: Script) -> str:
    """Return the text of a script element: the short form where it is up to date."""
    text = bundle(script.modules)
    if not script.name or not short_path(script).exists():
        return text
    first, _, short = short_path(script).read_text(encoding="utf-8").partition("\n")
    return short if first == f"// {digest_of(text)}" else text


def bundle(modules: Sequence[str]) -> str:
    """Return modules as one script: no imports, no exports, no comments on lines of their own."""
    return "".join(map(_strip_module, map(read_asset, modules)))


def digest_of(text: str) -> str:
    """Return what a short form is checked by."""
    return sha256(text.encode()).hexdigest()


def short_path(script: Script) -> Path:
    """Return where the short form of a script lies."""
    return Path(str(files(__package__).joinpath(f"assets/{script.name}.min.js")))


def shorten_style(text: str) -> str:
    """Return a style without comments and spaces that separate nothing."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*([{};,])\s*", r"\1", text).replace(";}", "}")
    return re.sub(r"(?<=[\w-]): ", ":", text)


def read_asset(name: str) -> str:
    """Return the text of a file of the package."""
    return files(__package__.partition(".")[0]).joinpath(name).read_text(encoding="utf-8")


def _strip_module(text: str) -> str:
    text = re.sub(r"^import\s[^;]*;\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export (?=const|class|function)", "", text, flags=re.MULTILINE)
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))
