"""Read the notation of the papers, and of fancidev's mmstrat and ``strats/*.txt``.

`treegen.export.text_irving` describes it. Variants in the printed tables are accepted: any or no
white space, the impossible cell of a row (three black and one white of four pegs) written as
``0`` or left out, a state's letter nested in another's paragraph, paragraphs in any order. Colors
are the game's digits, or 1 to 9 and 0 as mmstrat writes them, even without repetition.

The claims of the short forms are checked. A text without any ``*`` does not say which of its plain
guesses can win: then a wrong one is not an error, but reported (`Grown.remarks`).
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field

from ..errors import FormatError
from ..games import Game, PegFeedback, order_cells
from ..tree import History, select_candidates
from .latex import cut_out, is_latex
from .scan import Scanner
from .sketch import Below, Sketch

_MMSTRAT_DIGITS = "1234567890"
"""How mmstrat writes colors, with repetition or without."""

_LABEL = re.compile(r"[A-Z]{1,3}(?![A-Za-z])")

Cell = tuple[int, str]
"""A response (`Sketch.NULL`: the impossible one) and the separator after its cell."""


@dataclass(slots=True)
class _Notation:
    """What is being read: the sketch, the order of cells, the states with own paragraphs."""

    scanner: Scanner
    sketch: Sketch
    symbols: tuple[str, ...] | None
    cells: list[Cell]
    has_marks: bool = False
    state_of_label: dict[str, int] = field(default_factory=dict)
    pending: dict[str, int] = field(default_factory=dict)


def sketch_irving(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read the states; raise FormatError where the text violates the notation."""
    if is_latex(scanner.text):
        scanner.text = cut_out(scanner.text, len(select_candidates(game, history)))
    begin = scanner.at
    try:
        return _sketch(scanner, game, symbols, history)
    except FormatError:
        if symbols or game.kind != "pegs" or game.n_colors > len(_MMSTRAT_DIGITS):
            raise
        scanner.at = begin
        with contextlib.suppress(FormatError):
            return _sketch(scanner, game, tuple(_MMSTRAT_DIGITS[: game.n_colors]), history)
        raise


def _sketch(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    sketch = Sketch(game, scanner.locate, history)
    notation = _Notation(scanner, sketch, symbols, _list_cells(game))
    count = scanner.number("a number of candidates")
    _read_state(notation, Sketch.NULL, Sketch.NULL, count)
    while label := scanner.match(_LABEL):
        _read_paragraph(notation, label)
    if scanner.peek():
        raise scanner.expected("a paragraph such as 'A = (1122: …)' or the end of the text")
    for name, state in notation.pending.items():
        raise sketch.error(state, f"the state {name} is written nowhere")
    if not notation.has_marks:
        # Knuth's table of 1977 has no *: a plain guess does not say whether it may win.
        sketch.doubtful.wins.update(sketch.list_short())
    return sketch


def _list_cells(game: Game) -> list[Cell]:
    rows = order_cells(game)
    cells: list[Cell] = []
    for number, row in enumerate(rows):
        is_last = number == len(rows) - 1
        cells += [(response, ",") for response in row[:-1]]
        if isinstance(game.feedback, PegFeedback) and number == game.n_pegs - 1:
            cells.append((Sketch.NULL, ","))
        cells.append((row[-1], ")" if is_last else ";"))
    return cells


def _read_paragraph(notation: _Notation, label: re.Match[str]) -> None:
    scanner, name = notation.scanner, label.group()
    if name not in notation.pending:
        reason = "a second time" if name in notation.state_of_label else "but used nowhere before"
        raise scanner.error(f"the state {name} is written {reason}", label.start())
    scanner.expect("=")
    state = notation.pending.pop(name)
    scanner.expect("(")
    _read_guess(notation, state)


def _read_state(notation: _Notation, parent: int, response: int, count: int) -> None:
    """Read a state after its count, and the states in it, with an explicit stack."""
    frames: list[tuple[int, int]] = []
    state = _begin_state(notation, parent, response, count)
    if state is not None:
        frames.append((state, 0))
    _read_frames(notation, frames)


def _read_guess(notation: _Notation, state: int) -> None:
    """Read ``guess: cells)`` of a state with a paragraph of its own."""
    if _read_head(notation, state):
        _read_frames(notation, [(state, 0)])


def _read_frames(notation: _Notation, frames: list[tuple[int, int]]) -> None:
    """Read cells until every open state is complete."""
    while frames:
        state, number = frames.pop()
        if number == len(notation.cells):
            if frames:
                _read_separator(notation, frames[-1][1] - 1)
            continue
        response = notation.cells[number][0]
        frames.append((state, number + 1))
        if response == Sketch.NULL:
            _take_impossible(notation)
            continue
        below = _read_cell(notation, state, response)
        if below is not None:
            frames.append((below, 0))
        else:
            _read_separator(notation, number)


def _take_impossible(notation: _Notation) -> None:
    """Skip ``0,`` where the impossible cell of a row is written."""
    scanner = notation.scanner
    before = scanner.at
    if not (scanner.take("0") and scanner.take(",")):
        scanner.at = before


def _read_separator(notation: _Notation, number: int) -> None:
    response, separator = notation.cells[number]
    answer = notation.sketch.game.format_response(response)
    what = {",": "','", ";": "';', the row's end", ")": "')', the last cell's end"}[separator]
    notation.scanner.expect(separator, f"{what}, after the cell of the answer {answer}")


def _read_cell(notation: _Notation, state: int, response: int) -> int | None:
    """Read one cell; return its state if cells follow."""
    scanner, game = notation.scanner, notation.sketch.game
    scanner.skip_space()
    place = scanner.at
    answer = game.format_response(response)
    count = scanner.number(f"the number of candidates for the answer {answer}")
    if response == game.win:
        if count > 1:
            raise scanner.error(f"{count} candidates cannot all win", place)
        if notation.sketch.wins.setdefault(state, count == 1) != (count == 1):
            raise scanner.error("the guess is marked * and cannot win", place)
        return None
    if count == 0:
        return None
    return _begin_state(notation, state, response, count)


def _begin_state(notation: _Notation, parent: int, response: int, count: int) -> int | None:
    """Read what follows a count; return the state if its cells come next."""
    scanner, sketch = notation.scanner, notation.sketch
    place = scanner.at - len(str(count))
    state = sketch.add(parent, response, Sketch.NULL, place, count=count)
    if label := scanner.match(_LABEL):
        name = label.group()
        if name in notation.state_of_label:
            raise scanner.error(f"{name} already denotes another state", label.start())
        notation.state_of_label[name] = state
        notation.pending[name] = state
        return None
    if not scanner.take("("):
        return None
    return state if _read_head(notation, state) else None


def _read_head(notation: _Notation, state: int) -> bool:
    """Read a guess and what follows it; return whether cells come next."""
    scanner, sketch = notation.scanner, notation.sketch
    sketch.guess[state] = scanner.code(sketch.game, notation.symbols)
    flag = next((mark for mark in "x*" if scanner.take(mark)), "")
    if flag == "*" or (not flag and scanner.peek() != ":"):
        sketch.wins[state] = flag != "*"
    notation.has_marks |= flag == "*"
    if scanner.take(":"):
        return True
    sketch.below[state] = Below.PAIRS if flag == "x" else Below.SINGLES
    scanner.expect(")", "')', '*', 'x' or ':' after the guess")
    return False
