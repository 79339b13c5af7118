"""Text export: the styles by name, and the file they go to.

=========== ==================================================== =============
style       what it is                                           module
=========== ==================================================== =============
r-post      what the R program of the 2012 post prints           r_post
indented    one line per state, indented by its guesses          indented
lines       one line a secret, its whole game on it              lines
irving      cells in rows, as the papers of the 1970s print it   irving
mmstrat     the same as fancidev's mmstrat prints it             irving
codegolf    the grammar of codegolf.stackexchange 31926          codegolf
csv         one game a line, as the Wordle leaderboards take it  lines
nested      JSON of guesses and answers, jonathanolson's         nested
wordle      columns, as alex1770's wordle prints them            wordle
gv          Graphviz, as mikemag's Mastermind dumps it           gv
=========== ==================================================== =============

Tables of answers have the styles indented and key, both of the module key.

Each can be read back by `treegen.formats.read` to a tree of equal digest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .._files import Target, write_lines
from ..errors import UsageError
from ..tree import Tree
from .codegolf import generate_codegolf
from .gv import generate_gv
from .indented import generate_indented
from .irving import generate_irving, generate_mmstrat
from .key import generate_key, generate_outline
from .lines import generate_csv, generate_lines
from .nested import generate_nested
from .r_post import generate_r_post
from .view import View, make_view
from .wordle import generate_wordle

STYLES: dict[str, Callable[[View], Iterator[str]]] = {
    "r-post": generate_r_post,
    "indented": generate_indented,
    "lines": generate_lines,
    "irving": generate_irving,
    "mmstrat": generate_mmstrat,
    "codegolf": generate_codegolf,
    "csv": generate_csv,
    "nested": generate_nested,
    "wordle": generate_wordle,
    "gv": generate_gv,
}
"""Generator of the lines of each style."""

QUESTION_STYLES: dict[str, Callable[[View], Iterator[str]]] = {
    "indented": generate_outline,
    "key": generate_key,
}
"""The same for tables of answers, where indented text reads as a key."""

HEADED = ("indented", "lines", "irving", "key")
"""Styles whose first lines say what the tree is, and what it claims."""


def generate_text(
    tree: Tree,
    style: str = "indented",
    *,
    path: str | Sequence[str] | None = None,
    depth: int | None = None,
    order: str = "responses",
    symbols: str | Sequence[str] | None = None,
    header: bool = True,
) -> Iterator[str]:
    r"""Return the lines of a tree in a style, without line ends.

    Parameters
    ----------
    tree
        Any tree.
    style
        A key of `STYLES`.
    path, depth, order, symbols
        What is shown, as `treegen.formats.view.make_view` says. Cut text says that it is cut.
    header
        Whether the lines about the tree stand above it, in the styles of `HEADED`.

    Raises
    ------
    UsageError
        The style, depth or order is unknown or does not fit.
    GameError
        Path or symbols do not fit the game.
    UnreachableError
        The tree does not hold the path.

    Examples
    --------
    >>> from treegen import build
    >>> for line in generate_text(build("p1c3r", "r-post"), "r-post"):
    ...     print(repr(line))
    '1:    a | 3 '
    '2:    0;0|b | 2 '
    '3:        0;0|c | *'
    ''
    'Questions in worst case: 3 '
    """
    if style not in STYLES and style not in QUESTION_STYLES:
        raise UsageError(f"unknown style {style!r}: there are {', '.join(STYLES)}, key")
    view = make_view(tree, path=path, depth=depth, order=order, symbols=symbols)
    lines = _choose_style(tree, style)(view)
    if not header and style in HEADED:
        while next(lines):  # an empty line ends it
            pass
    return lines


def _choose_style(tree: Tree, style: str) -> Callable[[View], Iterator[str]]:
    """Return what generates a style's lines; raise UsageError if the game is not written so."""
    if tree.game.kind == "questions":
        if style not in QUESTION_STYLES:
            known = " and ".join(QUESTION_STYLES)
            raise UsageError(
                f"the style {style} writes guesses and feedback; a table of answers has the styles"
                f" {known}"
            )
        return QUESTION_STYLES[style]
    return STYLES.get(style, generate_key)


def write_text(
    tree: Tree,
    target: Target,
    style: str = "indented",
    *,
    path: str | Sequence[str] | None = None,
    depth: int | None = None,
    order: str = "responses",
    symbols: str | Sequence[str] | None = None,
    header: bool = True,
) -> None:
    """Write a tree as text to a path (UTF-8, whole or not at all) or to an open text file.

    Parameters
    ----------
    target
        Where it goes.
    tree, style, path, depth, order, symbols, header
        As in `generate_text`.

    Raises
    ------
    UsageError, GameError, UnreachableError
        As in `generate_text`, or if the path cannot be written.
    """
    view: dict[str, Any] = {"path": path, "depth": depth, "order": order, "symbols": symbols}
    write_lines(target, generate_text(tree, style, header=header, **view))
