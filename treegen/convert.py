"""The table of all formats; trees written in any of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ._files import KINDS, Target, check_file, choose_kind
from ._loading import describe_plugin, list_plugins, load_plugin
from .errors import UsageError
from .formats.foreign import PYMM, YAML
from .formats.format import GONE, Format, Reader, Writer
from .formats.graph import GRAPHML, JSON
from .formats.mermaid import MERMAID
from .formats.players import PLAYERS
from .formats.rules import RULES
from .formats.text import STYLES, TEXT, find_style
from .formats.tree_file import TABLE, TREE, TreeSource, read
from .page.html import HTML
from .page.print import BOOKLET
from .pictures.dot import DIAGRAMS
from .pictures.game import GAME
from .pictures.plot import PLOTS
from .tree.tree import Tree

FORMATS = {
    format.name: format
    for format in (
        *(TREE, TEXT, *STYLES.values(), YAML, PYMM),
        *(*DIAGRAMS, *PLOTS, GAME, JSON, GRAPHML, RULES, MERMAID, TABLE, *PLAYERS, HTML, BOOKLET),
    )
}
"""The formats by name; those of plug-ins are found by `find_format`."""


def find_format(name: str) -> Format | None:
    """Return a format, built-in or a plug-in's; None if there is none of the name, or it fails."""
    if name in FORMATS:
        return FORMATS[name]
    found = {group: load_plugin(group, name) for group in ("exporters", "importers", "styles")}
    text = {group: describe_plugin(group, name) for group in found}
    writer, style = found["exporters"], found["styles"]
    is_read = found["importers"] is not None or hasattr(style, "read")
    if writer is None and style is None and not is_read:
        return None
    read = text["importers"] or text["styles"]
    return Format(
        name,
        writer
        and Writer(
            writer, text["exporters"], text["exporters"], (), kinds=("text",), has_stream=True
        ),
        style and find_style(name),
        Reader(None, read, read) if is_read else None,
    )


def list_formats() -> list[Format]:
    """Return the formats, those of plug-ins that load last."""
    names = [name for group in ("exporters", "importers", "styles") for name in list_plugins(group)]
    found = (find_format(name) for name in dict.fromkeys(names) if name not in FORMATS)
    return [*FORMATS.values(), *(format for format in found if format is not None)]


def write(
    tree: TreeSource | Sequence[TreeSource], file: Target, format: str | None = None, **options: Any
) -> None:
    """Write a tree in the form that the path's ending, or a format's name, says.

    ``.tree``, ``.tgt`` (table), ``.txt``, ``.csv`` (a game a line), ``.gv`` and ``.dot``, ``.svg``,
    ``.png``, ``.pdf`` (diagrams), ``.json``, ``.graphml``, ``.html`` (a page that plays).

    Parameters
    ----------
    tree
        The tree, or its file; for a page, several.
    file
        A path, an open file, or, for a player, a folder.
    format
        What the path's ending does not say: ``"icicle"``, ``"histogram"``, ``"game"`` for the
        pictures of matplotlib; ``"c"``, ``"js"``, ``"rust"`` and so on for a player in a folder;
        ``"booklet"`` for pages to print; a style of text.
    **options
        Those of the format: `write_text`, `write_table`, `write_picture`, `write_plot`,
        `write_game`, `write_json`, `write_graphml`, `write_rules`, `write_mermaid`, `write_page`,
        `write_booklet`, `write_player` say which.

    Raises
    ------
    UsageError
        The ending or the format is unknown, the format has no such option, or the file cannot be
        written.
    GameError, UnreachableError, FormatError, DependencyError
        As the format's own function.

    Examples
    --------
    >>> import tempfile, treegen
    >>> tree = treegen.build("p4c6r")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     treegen.write(tree, f"{folder}/knuth.tgt", profile="lean")
    ...     treegen.write(tree, f"{folder}/knuth.txt", style="irving", depth=2)
    ...     treegen.stats(f"{folder}/knuth.tgt").to_dict()["total"]
    5801
    """
    name = _choose_name(file, format)
    found = find_format(name)
    if found is None or not (found.writer or found.style):
        names = (format.name for format in list_formats() if format.writer)
        hint = GONE.get(name) or f"there are {', '.join(names)}"
        raise UsageError(f"unknown format {name!r:.80}: {hint}")
    if found.writer is None:
        found, options = TEXT, {"style": name, **options}
    if name not in FORMATS:  # other packages take a tree as a value
        tree = read(tree)  # type: ignore[arg-type]
    assert found.writer is not None
    known = found.writer.list_keywords()
    for name in options:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{found.name} has no option {name!r:.80}: {has}")
    found.writer.function(tree, file, **found.writer.fixed, **options)


def _choose_name(file: Target, format: str | None) -> str:
    """Return the name of a format, by a path's ending unless it is given."""
    if format is not None:
        return format
    if isinstance(file, Tree):
        raise TypeError("the tree comes first, then the file: treegen.write(tree, file)")
    if not isinstance(file, (str, os.PathLike)):
        check_file(file, "write")
        raise UsageError("an open file does not say what to write: name the format")
    written = [name for name, format in FORMATS.items() if format.writer or format.style]
    return choose_kind(file, [name for name in written if name in KINDS], is_strict=True)
