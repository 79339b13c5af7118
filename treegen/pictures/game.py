"""The picture of one game: pegs in their colors, the answers as pins, what remains after each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from .._files import PICTURES, Target
from .._printing import measure
from ..errors import UnreachableError, UsageError
from ..formats.format import Format, Option, Scale, Title, Writer, describe_writer
from ..formats.tree_file import TreeSource, read
from ..formats.view import Symbols, make_view, parse_path
from ..games.base import Game
from ..games.notation import read_code
from ..tree.tree import Tree
from ..tree.walk import describe_dead_end, find_child, find_node, is_announced, path_of
from .picture import (
    arrange,
    choose_format,
    choose_ink,
    count_pegs,
    list_paints,
    paint_marks,
    title_of,
)
from .plot import check_plot_scale, keep_text, start_figure, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .figure import Figure


ROW = 0.62
"""Height of a row in inches; pegs are drawn on a grid of this size."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A guess as a row of a picture; its response is None if it is still to come.

    `n_candidates` are the codes that are possible before it.
    """

    guess: int
    response: int | None
    n_candidates: int


def play_secret(tree: Tree, secret: int) -> list[int]:
    """Return the states that a game with a secret goes through, the root first.

    Raises UsageError if the code is not among the secrets of the tree.
    """
    nodes = [0]
    while tree.guess[nodes[-1]] != secret:
        response = tree.game.score(int(tree.guess[nodes[-1]]), secret)
        child = find_child(tree, nodes[-1], response)
        if child is None:
            code = tree.game.format_code(secret)
            raise UsageError(f"{code} is not a secret of this tree")
        nodes.append(child)
    return nodes


def plot_game(
    tree: Tree,
    *,
    secret: str | None = None,
    path: str | Sequence[str] | None = None,
    symbols: str | Sequence[str] | None = None,
    title: str | None = None,
) -> Figure:
    """Draw one game, a row for each guess: the one that finds `secret`, or the one along `path`.

    The last row of a path is the guess then proposed, unless the last answer wins. For errors see
    `write_game`.
    """
    if (secret is None) == (path is None):
        raise UsageError("the picture of a game needs `secret` or `path`, and not both")
    game = tree.game
    if not game.notation.in_columns:
        raise UsageError("the picture of a game shows pegs or letters; a table of answers has none")
    view = make_view(tree, symbols=symbols)
    if secret is not None:
        nodes = play_secret(tree, read_code(view.game.notation, secret, is_secret=True))
        replies = [int(tree.response[node]) for node in nodes[1:]]
        if not is_announced(tree, nodes[-1]):
            replies.append(game.win)
    else:
        replies = parse_path(game, path or "")
        is_won = replies[-1:] == [game.win]
        last = find_node(tree, replies[:-1] if is_won else replies)
        if is_won and not tree.wins(last):
            raise UnreachableError(describe_dead_end(tree, last, game.win))
        way = path_of(tree, last)
        nodes = [find_node(tree, way[:step]) for step in range(len(way) + 1)]
    rows = [
        GameRow(
            int(tree.guess[node]),
            replies[number] if number < len(replies) else None,
            int(tree.n_candidates[node]),
        )
        for number, node in enumerate(nodes)
    ]
    return plot_rows(view.game, title_of(view, title), rows)


@describe_writer
def write_game(
    tree: TreeSource,
    file: Target,
    *,
    format: str | None = None,
    secret: Annotated[
        str | None, Option("The game that finds this code; or give `path`.", metavar="CODE")
    ] = None,
    path: Annotated[
        str | Sequence[str] | None,
        Option("The game so far: 02/11; or give `secret`.", metavar="ANSWERS"),
    ] = None,
    symbols: Symbols = None,
    title: Title = None,
    scale: Scale = 1.0,
) -> None:
    """Draw one game of a tree: pegs, pins, what remains.

    {parameters}
    format
        See `write_picture`.

    {errors}
    DependencyError
        matplotlib is not installed.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_game(treegen.build("p2c3r"), file, secret="32")
    >>> file.getvalue()[:5]
    b'<?xml'
    """
    chosen = choose_format(file, format)
    check_plot_scale(scale, chosen)
    figure = plot_game(read(tree), secret=secret, path=path, symbols=symbols, title=title)
    write_figure(figure, file, chosen, scale)


def plot_rows(game: Game, title: str, rows: Sequence[GameRow]) -> Figure:
    """Draw a game whose guesses need not come from a tree; the last may wait for its answer.

    With the goal to identify, one candidate is announced instead.
    """
    symbols = game.notation.symbols
    columns, n_rows = game.n_pegs + 5.6, len(rows)
    width, height = max(ROW * columns, 5.2), 0.95 + ROW * n_rows + 0.15
    last = rows[-1]
    is_alone = last.response is None and last.n_candidates == 1
    is_over = is_alone and game.rules.is_over(np.zeros(1, dtype=np.int64))
    line = f"guess {n_rows} is next"
    if last.response == game.win:
        line = f"found at guess {n_rows}"
    elif is_over:
        line = f"identified by {n_rows - 1} guess{'es' * (n_rows != 2)}"
    figure = start_figure((width, height), title, [line])
    axes = figure.add_axes((0, 0.15 / height, 1, ROW * n_rows / height))
    axes.set(xlim=(0, width / ROW), ylim=(n_rows, 0))
    axes.set_axis_off()
    paints = choose_paints(game)
    for number, row in enumerate(rows):
        label, note = str(number + 1), f"{row.n_candidates:,} possible"
        if row.response == game.win:
            note = "found"
        elif number + 1 < n_rows:
            note = f"{row.n_candidates:,} → {rows[number + 1].n_candidates:,}"
        elif is_over:
            label, note = "", "announced"
        y, tiles = number + 0.5, game.notation.has_tiles
        axes.text(0.55, y, label, size=12, va="center", ha="center", color="#555555")
        answer = "" if row.response is None else game.format_response(row.response)
        marks = paint_marks(answer) if tiles else []
        colors = game.codes[row.guess].tolist()
        faces = marks or ["#ffffff" if tiles else paints[color] for color in colors]
        pegs = arrange(symbols, list(zip(faces, colors, strict=True)))
        for peg, (face, color) in enumerate(pegs):
            _draw_peg(axes, 1.5 + peg, y, face, symbols[color], square=tiles)
        if row.response is not None and not tiles:
            _draw_pins(axes, game.n_pegs + 1.35, y, game, row.response)
        axes.text(game.n_pegs + (1.6 if tiles else 3.2), y, note, size=11, va="center")
    return keep_text(figure)


def choose_paints(game: Game) -> list[str]:
    """Return the paint of each color's pegs.

    Symbols that name colors get these colors; up to ten others get the palette, more go around the
    color circle.
    """
    from matplotlib.colors import is_color_like, to_hex

    symbols = game.notation.symbols
    if all(len(symbol) > 2 and is_color_like(symbol) for symbol in symbols):
        return [to_hex(symbol) for symbol in symbols]
    paints = list_paints(game.n_colors)
    if paints is not None:
        return paints
    from colorsys import hls_to_rgb

    share = 1 / game.n_colors
    return [
        to_hex(hls_to_rgb(color * share, 0.78 if color % 2 else 0.66, 0.65))
        for color in range(game.n_colors)
    ]


def _draw_peg(axes: Axes, x: float, y: float, face: str, symbol: str, *, square: bool) -> None:
    from matplotlib.patches import Circle, FancyBboxPatch

    shape = (
        FancyBboxPatch((x - 0.36, y - 0.36), 0.72, 0.72, boxstyle="round,pad=0,rounding_size=0.1")
        if square
        else Circle((x, y), 0.4)
    )
    shape.set(facecolor=face, edgecolor="#333333", linewidth=1.1)
    axes.add_patch(shape)
    size = 13 if measure(symbol) == 1 else max(5.0, 15 - 1.8 * measure(symbol))
    axes.text(
        x, y, symbol, size=size, weight="bold", color=choose_ink(face), ha="center", va="center"
    )


def _draw_pins(axes: Axes, x: float, y: float, game: Game, reply: int) -> None:
    """Draw black pins, then white ones, then empty holes, in two rows."""
    from matplotlib.patches import Circle

    black, white = count_pegs(game, reply)
    faces = ["#111111"] * black + ["#ffffff"] * white
    faces += [""] * (game.n_pegs - len(faces))
    n_columns = (game.n_pegs + 1) // 2
    step = min(0.4, 1.6 / n_columns)
    for index, face in enumerate(faces):
        place = (x + step * (index % n_columns), y - 0.19 + 0.38 * (index // n_columns))
        if face:
            axes.add_patch(Circle(place, step * 0.38, facecolor=face, edgecolor="#111111"))
        else:
            axes.add_patch(Circle(place, step * 0.14, facecolor="#bbbbbb"))


GAME = Format(
    "game",
    Writer(
        write_game,
        "One game: pegs, pins, what remains.",
        "Draw one game of the tree in FILE: pegs, pins, what remains. SVG, PNG or PDF.",
        examples=("treegen export game knuth.tree --secret 3163 -o game.svg",),
        kinds=PICTURES,
    ),
)
