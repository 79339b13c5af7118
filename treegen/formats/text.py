"""Trees as text: the styles, and the file that the text goes to.

A style's module holds its `Format`; `STYLES` is the list of them, to which plug-ins add. What a
style writes is read back by `treegen.formats.parse` to a tree of equal digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Unpack

from .._files import Target, write_lines
from .._loading import describe_plugin, list_plugins, load_plugin
from ..errors import UsageError
from ..tree.tree import Tree
from .booklet import BOOKLET
from .codegolf import CODEGOLF
from .format import Format, Idle, Option, Reader, Style, Writer, check_options, describe_writer
from .gv import GV
from .indented import INDENTED, KEY
from .irving import IRVING, MMSTRAT
from .lines import CSV, LINES
from .nested import NESTED
from .r_post import R_POST
from .tree_file import TreeSource, read
from .view import ViewOptions, make_view
from .wordle import WORDLE

STYLES = {
    style.name: style
    for style in (
        *(R_POST, INDENTED, BOOKLET, KEY, LINES, IRVING, MMSTRAT),
        *(CODEGOLF, CSV, NESTED, WORDLE, GV),
    )
}
"""The styles by name; those of plug-ins are found by `find_style`."""


def list_styles() -> list[str]:
    """Return the names of the styles, plug-ins' last."""
    return [*STYLES, *(name for name in list_plugins("styles") if name not in STYLES)]


def find_style(name: str) -> Style:
    """Return a style, built-in or a plug-in's; raise UsageError for an unknown one."""
    if name in STYLES and (style := STYLES[name].style):
        return style
    plugin = load_plugin("styles", name)
    if plugin is None:
        raise UsageError(f"unknown style {name!r:.80}: there are {', '.join(list_styles())}")
    return Style(
        plugin.write,
        describe_plugin("styles", name),
        questions=plugin.write if getattr(plugin, "is_of_questions", False) else None,
    )


def generate_text(
    tree: Tree,
    style: str = "indented",
    *,
    header: bool = True,
    **options: Unpack[ViewOptions],
) -> Iterator[str]:
    """Return the lines of a tree in one of `list_styles`, without line ends; cut text says so.

    Without `header`, the lines about the tree are left out in the styles that have them. The other
    options and errors are those of `make_view`; UsageError if the style does not fit the game.
    """
    found = find_style(style)
    view = make_view(tree, **options)
    write = found.function if tree.game.notation.in_columns else found.questions
    if write is None and found.questions:
        raise UsageError(f"the style {style} is for tables of answers, not for {tree.game.name}")
    if write is None:
        *known, last = (name for name in STYLES if find_style(name).questions)
        raise UsageError(
            f"the style {style} cannot show a table of answers: use {', '.join(known)} or {last}"
        )
    lines = write(view)
    if not header and found.has_header:
        while next(lines):  # an empty line ends it
            pass
    return lines


@describe_writer
def write_text(
    tree: TreeSource,
    file: Target,
    style: Annotated[
        str,
        Option(
            "lines: one secret per line; irving: the papers' notation; r-post: as the R program.",
            list_styles,
            more='``"indented"``, ``"lines"``, ``"irving"``, ``"r-post"``, ``"booklet"``,'
            ' ``"key"``, ``"mmstrat"``, ``"codegolf"``, ``"csv"``, ``"nested"``, ``"wordle"`` or'
            ' ``"gv"``; a plug-in\'s.',
        ),
    ] = "indented",
    *,
    header: Annotated[
        bool,
        Option(
            "Leave out the lines about the tree.",
            flag="--no-header",
            python="Whether the lines about the tree stand above it: game, rule, totals, digest,"
            ' and in ``"indented"`` what the signs mean.',
        ),
    ] = True,
    **options: Unpack[ViewOptions],
) -> None:
    """Write a tree as text.

    {parameters}

    {errors}

    Examples
    --------
    >>> import sys, treegen
    >>> treegen.write_text(treegen.build("p2c2r"), sys.stdout, "codegolf")
    {AA:{00:BB,10:{AB:{02:BA}}}}
    """
    check_options(write_text, options)
    write_lines(file, generate_text(read(tree), style, header=header, **options))


TEXT = Format(
    "text",
    Writer(
        write_text,
        f"Text in one of {len(STYLES)} styles.",
        "Write the tree in FILE as text.",
        examples=(
            "treegen export text knuth.tree --depth 2",
            "treegen export text knuth.tree --style irving -o knuth.txt",
        ),
        kinds=("text",),
        has_stream=True,
        by_style={name: find_style(name).kind for name in STYLES},
        idle=(
            Idle(
                ("order",),
                lambda given: not find_style(given["style"]).has_order,
                "in the papers' notation: its cells have a fixed order",
            ),
            Idle(
                ("header",),
                lambda given: not find_style(given["style"]).has_header,
                "in a style that has none",
            ),
        ),
    ),
    reader=Reader(
        None,
        "Text in one of the styles of treegen export text.",
        "Read a tree from text in a style of treegen export text.",
        ("treegen import text lines.txt -o copy.tree",),
        may_misprint=True,
    ),
)
