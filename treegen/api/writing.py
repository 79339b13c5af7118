"""Writing trees: the path's ending, or a format's name, chooses the form."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .._files import Target
from .._loading import list_plugins, load_plugin
from ..errors import UsageError
from ..formats import choose_kind
from ..formats.load import TreeSource, get_tree
from ..tree import ShardedTree
from .drawing import write_dot, write_game, write_picture, write_plot
from .forms import write_graphml, write_json, write_page, write_table, write_text, write_tree
from .players import PLAYERS, write_player


@dataclass(frozen=True, slots=True)
class Format:
    """A form in which `write` writes a tree.

    Attributes
    ----------
    name
        As `write` and ``treegen export`` take it.
    function
        Writes it: the function that has its options.
    fixed
        The options that the name stands for.
    to_folder
        Whether it is a folder rather than a file.
    """

    name: str
    function: Callable[..., object]
    fixed: tuple[tuple[str, str], ...] = ()
    to_folder: bool = False

    def list_options(self) -> list[str]:
        """Return the options that it takes."""
        taken = {"format", *(name for name, _ in self.fixed)}  # `write` has chosen the format
        parameters = list(inspect.signature(self.function).parameters)[2:]
        return [name for name in parameters if name not in taken]

    def write(self, tree: Any, file: Any, options: dict[str, Any]) -> None:
        """Write a tree; raise UsageError for an option that it does not have."""
        known = self.list_options()
        for name in options:
            if name not in known:
                has = f"it has {', '.join(known)}" if known else "it has none"
                raise UsageError(f"{self.name} has no option {name!r}: {has}")
        self.function(tree, file, **dict(self.fixed), **options)


def _list_formats() -> Iterator[Format]:
    yield Format("tree", write_tree)
    yield Format("table", write_table)
    yield Format("text", write_text)
    yield Format("dot", write_dot)
    for picture in ("svg", "png", "pdf"):
        yield Format(picture, write_picture, (("format", picture),))
    for plot in ("icicle", "sunburst", "histogram"):
        yield Format(plot, write_plot, (("kind", plot),))
    yield Format("game", write_game)
    yield Format("json", write_json)
    yield Format("graphml", write_graphml)
    yield Format("html", write_page)
    for language in PLAYERS:
        yield Format(language, write_player, (("language", language),), to_folder=True)


FORMATS = {format.name: format for format in _list_formats()}
"""The formats of `write`, by name."""

BY_ENDING = ("tree", "table", "text", "dot", "svg", "png", "pdf", "json", "graphml", "html", "csv")
"""The kinds of files among which a path's ending chooses; the first if there is none."""


def write(
    tree: TreeSource | ShardedTree | Sequence[TreeSource],
    file: Target,
    format: str | None = None,
    **options: Any,
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
        What the path's ending does not say: ``"icicle"``, ``"sunburst"``, ``"histogram"``,
        ``"game"`` for the pictures of matplotlib; ``"c"``, ``"js"``, ``"rust"`` and so on for a
        player in a folder.
    **options
        Those of the format: `write_text`, `write_table`, `write_picture`, `write_plot`,
        `write_game`, `write_json`, `write_graphml`, `write_page`, `write_player` say which.

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
    name = choose_format(file, format)
    if name == "csv":
        name, options = "text", {"style": "csv", **options}
    if name not in FORMATS:  # other packages take a tree as a value
        tree = get_tree(tree)  # type: ignore[arg-type]
    find_format(name).write(tree, file, options)


def find_format(name: str) -> Format:
    """Return a format, ours or a plug-in's; raise UsageError for an unknown one."""
    if name in FORMATS:
        return FORMATS[name]
    function = load_plugin("exporters", name)
    if function is None:
        known = ", ".join([*FORMATS, *list_plugins("exporters")])
        raise UsageError(f"unknown format {name!r}: there are {known}")
    return Format(name, function)


def choose_format(file: Target, format: str | None) -> str:
    """Return the name of a format; raise UsageError where nothing or something unknown names it."""
    if format is not None:
        find_format(format)
        return format
    if not isinstance(file, (str, os.PathLike)):
        raise UsageError("an open file does not say what to write: name the format")
    return choose_kind(file, BY_ENDING, is_strict=True)
