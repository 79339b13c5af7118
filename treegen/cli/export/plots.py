"""``treegen export icicle``, ``sunburst``, ``histogram`` and ``game``: our own pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..command import Command
from ..options import (
    choose_view,
    file_argument,
    output_option,
    part_options,
    scale_option,
    title_option,
    view_options,
)
from ..output import open_file, open_target

F = TypeVar("F", bound=Callable[..., Any])


_color_option = click.option(
    "--color",
    type=click.Choice(["average", "longest", "cell"]),
    default="average",
    show_default=True,
    help="Average or longest game through a state, or its largest cell.",
)


_static_option = click.option(
    "--static", is_flag=True, help="Leave the script that zooms out of an SVG."
)


def _states_options(function: F) -> F:
    """Add the options of a picture that shows states."""
    return _color_option(_static_option(view_options(function)))


def _make_plot(kind: str, text: str, add_options: Callable[[Any], Any]) -> click.Command:
    @click.command(cls=Command, help=f"{text} SVG, PNG or PDF, as OUT ends.")
    @file_argument()
    @add_options
    @title_option
    @scale_option
    @output_option("svg", "png", "pdf")
    def draw(file: str, output: str, **options: Any) -> None:
        from ... import write

        write(open_file(file), open_target(output), kind, **choose_view(options))

    return draw


export_icicle = _make_plot(
    "icicle", "Draw the whole tree in FILE, a row for each guess.", _states_options
)
export_sunburst = _make_plot(
    "sunburst", "Draw the whole tree in FILE, a ring for each guess.", _states_options
)
export_histogram = _make_plot(
    "histogram", "Draw how many secrets of FILE need how many guesses.", part_options
)


@click.command(cls=Command)
@file_argument()
@click.option("--secret", metavar="CODE", help="The game that finds this code; or else")
@click.option("--path", "answers", metavar="ANSWERS", help="the game so far: 02/11.")
@click.option("--symbols", help="How colors are written: abcdef, or red,green,blue.")
@title_option
@scale_option
@output_option("svg", "png", "pdf")
def export_game(file: str, answers: str | None, output: str, **options: Any) -> None:
    """Draw one game of the tree in FILE: pegs, pins, what remains. SVG, PNG or PDF."""
    from ... import write

    write(open_file(file), open_target(output), "game", path=answers, **options)
