"""``treegen export dot``, ``svg``, ``png`` and ``pdf``: diagrams by Graphviz."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ..command import Command, Idle
from ..options import (
    choose_view,
    file_argument,
    output_option,
    scale_option,
    title_option,
    view_options,
)
from ..output import check_file, open_file, open_target

F = TypeVar("F", bound=Callable[..., Any])


IDLE = [
    Idle(
        ("max_nodes",),
        lambda given: given["show_all"] or given["depth"] is not None,
        "with --all or --depth",
    ),
    Idle(
        ("landscape",),
        lambda given: given["style"] == "radial",
        "with --style radial, which is as wide as high",
    ),
]


def _diagram_options(function: F) -> F:
    for decorate in (
        view_options,
        click.option("--all", "show_all", is_flag=True, help="Show every state."),
        click.option(
            "--max-nodes",
            type=click.IntRange(1),
            help="Without --depth and --all: about so many states (150).",
        ),
        click.option(
            "--color",
            type=click.Choice(["length", "candidates", "none"]),
            default="length",
            show_default=True,
            help="What the color of a state means.",
        ),
        click.option(
            "--landscape", is_flag=True, help="The tree grows downwards: wider than high."
        ),
        title_option,
        file_argument(),
    ):
        function = decorate(function)
    return function


def _style_option(default: str) -> Callable[[F], F]:
    return click.option(
        "--style",
        type=click.Choice(["auto", "plain", "compact", "radial"]),
        default=default,
        show_default=True,
        help="plain: a node for each state; compact: boxes; auto: by size.",
    )


@click.command(cls=Command, idle=IDLE)
@_style_option("plain")
@_diagram_options
@output_option("dot")
def export_dot(file: str, style: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as Graphviz text (DOT)."""
    from ... import write

    write(open_file(file), open_target(output), "dot", style=style, **choose_view(options))


def _make_picture(format: str) -> click.Command:
    @click.command(
        cls=Command, idle=IDLE, help=f"Draw the tree in FILE with Graphviz, as {format.upper()}."
    )
    @_style_option("auto")
    @_diagram_options
    @scale_option
    @output_option(format)
    def draw(file: str, style: str, output: str, **options: Any) -> None:
        from ... import write

        options |= {"style": style, "check_fallback": _check_dot}
        write(open_file(file), open_target(output), format, **choose_view(options))

    return draw


def _check_dot(path: Path) -> None:
    """Hold the DOT file that is written where no picture can be to the rules of all outputs."""
    check_file(str(path), "dot")


export_svg = _make_picture("svg")
export_png = _make_picture("png")
export_pdf = _make_picture("pdf")
