"""Text in the notation of the papers: Knuth 1977, Irving 1979, Neuwirth 1982, Koyama & Lai 1993.

A state is written ``n (guess: cells)``: how many candidates it has, the guess, and after the colon
the states that the answers lead to. With black and white pegs the cells come in rows of equal
black, ``;`` between the rows, white descending within a row: for four pegs ``04,03,02,01,00;
13,12,11,10; 22,21,20; 30; 40``. With other feedback the cells are in one row, in the order of the
responses. An empty cell is ``0``, the winning cell ``0`` or ``1``. Short forms:

============= ================================================================================
``1``         one candidate, which is guessed
``2``         two: the first in the game's order of codes is guessed, then the other
``n (g)``     g is a candidate, and after it no cell holds more than one
``n (g*)``    the same, but g is none of the candidates
``n (gx)``    after g no cell holds more than two, and those with two are played as ``2`` says
``n L``       written apart, in a paragraph ``L = (guess: cells)``
============= ================================================================================

Style *mmstrat* is what fancidev's program prints: no line is wrapped, ``2`` and ``x`` are not
used, and cells of the first guess with p(p + 3)/2 candidates or more have their own paragraphs.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import chain

from ..games import order_cells
from .text_header import describe_stub, generate_header
from .view import View

WIDTH = 96
"""Lines of the style irving are wrapped here."""


def generate_irving(view: View) -> Iterator[str]:
    """Yield the header and the notation, the large cells of the first guess in own paragraphs."""
    yield from generate_header(view, "irving")
    for position, paragraph in enumerate(_generate_paragraphs(view, is_short=True)):
        if position:
            yield ""
        yield from textwrap.wrap(
            paragraph,
            WIDTH,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def generate_mmstrat(view: View) -> Iterator[str]:
    """Yield what fancidev's mmstrat prints for the tree."""
    for paragraph in _generate_paragraphs(view, is_short=False):
        yield paragraph
        yield ""


def make_label(number: int) -> str:
    """Return A, B … Z, AA, AB … for 0, 1 …."""
    label = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        label = chr(ord("A") + letter) + label
    return label


def _generate_paragraphs(view: View, *, is_short: bool) -> Iterator[str]:
    """Yield the first state, then each state with a paragraph of its own."""
    text_of = _write_below(view, is_short=is_short)
    n_pegs = view.game.n_pegs
    apart: list[str] = []
    place_of = {reply: at for at, reply in enumerate(chain(*order_cells(view.game)))}
    for child in sorted(
        view.children(view.root), key=lambda child: place_of[view.response_index(child)]
    ):
        if ":" in text_of[child] and view.n_candidates(child) >= n_pegs * (n_pegs + 3) // 2:
            count, _, cells = text_of[child].partition(" ")
            text_of[child] = f"{count}{make_label(len(apart))}"
            apart.append(cells)
    yield _write_state(view, view.root, text_of, is_short=is_short)
    for number, cells in enumerate(apart):
        yield f"{make_label(number)} = {cells}"


def _write_below(view: View, *, is_short: bool) -> dict[int, str]:
    """Return the notation of the states that the first guess leads to."""
    text_of: dict[int, str] = {}
    for node in reversed(list(view.nodes())):
        if node != view.root:
            text_of[node] = _write_state(view, node, text_of, is_short=is_short)
            for child in view.children(node):
                del text_of[child]
    return text_of


def _write_state(view: View, node: int, text_of: dict[int, str], *, is_short: bool) -> str:
    """Return the notation of a state, given that of the states below it."""
    if view.is_leaf(node):
        return "1"
    n_candidates, guess = view.n_candidates(node), view.guess(node)
    if view.is_cut(node):
        return f"{n_candidates} ({guess}: {describe_stub(view.stub(node))})"
    flag = _find_flag(view, node, text_of, is_short=is_short)
    if flag is None:
        return f"{n_candidates} ({guess}: {_write_cells(view, node, text_of)})"
    if flag == "2":
        return "2"
    # Symbols of several characters may end in an x.
    space = " " if flag and len(guess) != view.game.n_pegs else ""
    return f"{n_candidates} ({guess}{space}{flag})"


def _find_flag(view: View, node: int, text_of: dict[int, str], *, is_short: bool) -> str | None:
    """Return the short form that describes a state fully, None if its cells must be written."""
    children = view.children(node)
    if all(view.is_leaf(child) for child in children):
        if not view.is_winning(node):
            return "*"
        is_first = len(children) == 1 and view.code_index(node) < view.code_index(children[0])
        return "2" if is_short and is_first else ""
    if is_short and all(text_of[child] in ("1", "2") for child in children):
        return "x"
    return None


def _write_cells(view: View, node: int, text_of: dict[int, str]) -> str:
    cells = {view.response_index(child): text_of[child] for child in view.children(node)}
    if view.is_winning(node):
        cells[view.game.win] = "1"
    rows = order_cells(view.game)
    return "; ".join(", ".join(cells.get(response, "0") for response in row) for row in rows)
