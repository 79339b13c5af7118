"""The table of all formats; trees written in any of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from ._files import KINDS, Target, check_file, choose_kind, refuse_edited, write_bytes
from ._loading import describe_plugin, list_plugins, load_plugin
from ._options import describe_parameters
from .errors import UsageError
from .formats.foreign import PYMM, YAML
from .formats.format import GONE, Format, Option, Reader, Writer
from .formats.graph import GRAPHML, JSON
from .formats.inputs import GameSource, open_game
from .formats.mermaid import MERMAID
from .formats.players import PLAYERS
from .formats.rules import RULES
from .formats.text import STYLES, TEXT, find_style
from .formats.tree_file import TABLE, TREE, TreeSource, load_tree, read
from .games.base import Game
from .page.html import SUFFIXES, check_hard, generate_page, make_site
from .page.notes import HintSource, NoteSource, describe_texts
from .page.print import BOOKLET
from .page.print import write_booklet as write_booklet
from .pictures.dot import DIAGRAMS
from .pictures.game import GAME
from .pictures.plot import PLOTS
from .tree.tree import Tree


@describe_parameters
def write_page(
    trees: TreeSource | Sequence[TreeSource],
    file: Target,
    *,
    title: Annotated[str | None, Option("Heading of the page.", metavar="TEXT")] = None,
    url: Annotated[
        str | None,
        Option(
            "Where OUT will be served: it gets a manifest, a service worker and a picture"
            " beside it.",
            metavar="URL",
            python="Where the page will be served: it gets a manifest, a service worker and a"
            " picture for previews beside it.",
        ),
    ] = None,
    hard_tree: Annotated[
        TreeSource | None,
        Option(
            "Words: a tree by `eligible=hints`, which hard mode in the settings plays.",
            metavar="FILE",
            more="A tree, or its file; without one, guesses are checked and analysed all the same.",
        ),
    ] = None,
    notes: Annotated[
        NoteSource | None,
        Option(
            "Tables: columns with notes on the candidates: texts, https: links, pictures; with"
            " --game TABLE.",
            metavar="COLUMN,…",
            python="Notes on the candidates of a table: texts, ``https:`` links, pictures"
            " (``data:image/…;base64,``, or the name of a file beside the page). Columns of the"
            " game's table that are not questions, or a mapping of candidates to a text, to a list"
            " of them, or to a mapping of titles to texts.",
        ),
    ] = None,
    hints: Annotated[
        HintSource | None,
        Option(
            "Tables: a question and its hint in each line, as in CSV.",
            metavar="FILE",
            python="Hints on how to answer: a file with a question and its hint in each line, as in"
            " CSV or with a colon, or a mapping; that of a column of thresholds is for each.",
        ),
    ] = None,
    game: GameSource | None = None,
    force: bool = False,
) -> None:
    """Write one page that plays trees in a browser, from disk.

    Parameters
    ----------
    trees
        A tree or several, or their files; the page begins with the first.
    file
        A path, or an open file.
    {options}
    game
        The game of the trees; a lookup table (``.tgt``) of a table of answers does not hold its
        answers. A file or a name; `open_game` reads a table with other options. Columns of `notes`
        are no questions of a file.
    force
        Whether a page that was edited, or a file beside it, is replaced.

    Raises
    ------
    UsageError
        There is no tree, tables of answers stand beside other games, a file cannot be written, or
        was edited: then nothing is written. `notes` or `hints` are for no table of answers, or
        there is no such column or candidate. `hard_tree` is not in hard mode, or of another game.
    GameError
        There is no question of a hint, or it has two.
    FormatError
        A tree is not of the game.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_page(treegen.build("p2c3r"), file, title="Small")
    >>> b"<title>Small</title>" in file.getvalue()
    True
    """
    is_one = isinstance(trees, (Tree, str, os.PathLike, bytes)) or not isinstance(trees, Iterable)
    is_one = is_one or hasattr(trees, "read")
    sources: Any = [trees] if is_one else trees
    expected: Game | None = None
    if isinstance(game, Game) or notes is None or isinstance(notes, Mapping):
        expected = None if game is None else open_game(game)
    elif game is not None:
        expected = open_game(game, ignore=notes)
    found = [load_tree(tree, game=expected)[0] for tree in sources]
    if hard_tree is not None:
        found.append(check_hard(read(hard_tree), found))
    texts = describe_texts(expected or found[0].game, notes, hints) if found else {}
    if not isinstance(file, (str, os.PathLike)):
        if url is not None:
            raise UsageError("`url` writes files beside OUT: give `file` a path")
        write_bytes(file, generate_page(found, title=title, texts=texts).encode())
        return
    target = Path(file)
    if url is None:
        contents = {target: generate_page(found, title=title, texts=texts).encode()}
    else:
        site = make_site(found, target.name, url, title=title, texts=texts)
        contents = {target.with_name(name): data for name, data in site.items()}
    if not force:
        refuse_edited(contents)
    for path, data in reversed(contents.items()):
        write_bytes(path, data)


HTML = Format(
    "html",
    Writer(
        write_page,
        "A page that plays in the browser.",
        "Write one page that plays the trees in FILES in a browser, from disk.",
        examples=("treegen export html knuth.tree -o knuth.html",),
        kinds=("html",),
        list_others=lambda path, given: {
            str(Path(path).with_name(f"{Path(path).stem}{suffix}")): ""
            for suffix in (SUFFIXES if given["url"] is not None else ())
        },
        takes_several=True,
        game="The game of FILES; a .tgt of a table of answers needs its TABLE.csv.",
    ),
)

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
