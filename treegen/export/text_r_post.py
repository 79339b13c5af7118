"""Text as the R program of the post "Solving mastermind with R" (2012) prints it.

Printing depends on the tree alone: the tree of the strategy ``r-post`` is byte for byte what the
posted program prints, any other tree has the same form. The program's quirks:

- a line is the number of the question, a colon, four spaces for each guess made, the response as
  ``black;white``, a bar, the guess with its colors spaced apart, a bar, and the number of
  candidates with a space after it, or ``*`` if one is left;
- the first line has just ``1:    ``; a tree of one state lacks even that, and R
  prints the value of the call, ``[1] 1``;
- responses are sorted as strings, ``0;10`` before ``0;2``, a semicolon before a digit (as R sorts
  in
  every locale but C);
- colors are the letters a to z. R has no more letters: with more colors they are numbers from 1,
  as from ``set <- 1:27`` in the program.

What the program never prints is our choice: black-only and position feedback are written as
elsewhere, a codebook's characters unchanged; if guesses were made before the first state, a line
``After:`` at the end shows each; where the depth hides states, the line says how many, and a last
line says that the text is cut.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..games import default_letters
from .text_header import describe_cut, describe_stub
from .view import View


def generate_r_post(view: View) -> Iterator[str]:
    """Yield the lines of the shown states, and the statistics after them."""
    symbols = view.symbols or default_letters(view.game)
    stack = [view.root]
    while stack:
        node = stack.pop()
        yield _indent(view, node) + _space_out(view.colors(node), symbols) + _describe(view, node)
        stack.extend(reversed(_sort_children(view, node)))
    if view.is_leaf(view.root):
        yield "[1] 1"
    yield ""
    yield f"Questions in worst case: {view.worst} "
    for guess, reply in view.history:
        colors = view.game.codes[guess].tolist()
        yield f"After: {_space_out(colors, symbols)} | {format_answer(view, reply)} "
    if view.is_cut_anywhere:
        yield f"Cut: {describe_cut(view)} "


def format_answer(view: View, response: int) -> str:
    """Write a feedback as the program does: black, a semicolon, white."""
    written = view.written(response)
    if view.game.rule != "pegs":
        return written
    return written.replace(".", ";") if "." in written else f"{written[0]};{written[1]}"


def _indent(view: View, node: int) -> str:
    if node == view.root:
        return "" if view.is_leaf(node) else "1:    "
    level = view.level(node)
    return f"{level}:{'    ' * (level - 1)}{_answer(view, node)}|"


def _describe(view: View, node: int) -> str:
    if view.is_leaf(node):
        return " | *"
    cut = f"{describe_stub(view.stub(node))} " if view.is_cut(node) else ""
    return f" | {view.n_candidates(node)} {cut}"


def _answer(view: View, node: int) -> str:
    return format_answer(view, view.response_index(node))


def _sort_children(view: View, node: int) -> list[int]:
    children = list(view.children(node))
    if view.order == "responses":
        children.sort(key=lambda child: _answer(view, child).replace(";", " "))
    return children


def _space_out(colors: list[int], symbols: tuple[str, ...]) -> str:
    return " ".join(symbols[color] for color in colors)
