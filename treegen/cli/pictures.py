"""``treegen export`` of pictures and graphs."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeVar

import click

from .options import output_option, view_options
from .output import load, write_bytes, write_lines

F = TypeVar("F", bound=Callable[..., Any])


def _choose_view(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a view under the library's names."""
    return {"path": options.pop("answers"), **options}


def _diagram_options(function: F) -> F:
    for decorate in (
        output_option(),
        view_options,
        click.option("--all", "show_all", is_flag=True, help="Show every state."),
        click.option(
            "--max-nodes",
            type=click.IntRange(1),
            help="Without --depth and --all: about so many states (150).",
        ),
        click.option(
            "--color",
            "coloring",
            type=click.Choice(["length", "candidates", "none"]),
            default="length",
            show_default=True,
            help="What the color of a state means.",
        ),
        click.argument("file"),
    ):
        function = decorate(function)
    return function


def _style_option(default: str) -> Callable[[F], F]:
    return click.option(
        "--style",
        type=click.Choice(["auto", "plain", "compact", "radial"]),
        default=default,
        show_default=True,
        help="plain: a node for each state; compact: boxes; auto: as large as it is.",
    )


@click.command()
@_style_option("plain")
@_diagram_options
def export_dot(file: str, style: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as Graphviz text (DOT)."""
    from ..export.dot import generate_dot

    write_lines(output, generate_dot(load(file).tree, style=style, **_choose_view(options)))


def _make_picture(format: str) -> click.Command:
    @click.command(help=f"Draw the tree in FILE with Graphviz, as {format.upper()}.")
    @_style_option("auto")
    @_diagram_options
    def draw(file: str, style: str, output: str, **options: Any) -> None:
        from ..export.render import write_picture

        view = _choose_view(options)
        if output == "-":
            stream = BytesIO()
            write_picture(load(file).tree, stream, format=format, style=style, **view)
            write_bytes(output, stream.getvalue())
        else:
            write_picture(load(file).tree, output, format=format, style=style, **view)

    return draw


export_svg = _make_picture("svg")
export_png = _make_picture("png")
export_pdf = _make_picture("pdf")


_color_option = click.option(
    "--color",
    "coloring",
    type=click.Choice(["average", "longest", "cell"]),
    default="average",
    show_default=True,
    help="Average or longest game through a state, or its largest cell.",
)


def _add_nothing(function: F) -> F:
    return function


def _make_plot(
    kind: str, text: str, add_options: Callable[[Any], Any] = _add_nothing
) -> click.Command:
    @click.command(help=f"{text} SVG, PNG or PDF, as OUT ends.")
    @click.argument("file")
    @add_options
    @view_options
    @output_option()
    def draw(file: str, output: str, **options: Any) -> None:
        from ..export.plot import write_plot

        stream = BytesIO()
        format = _format_of(output)
        write_plot(load(file).tree, stream, kind, format=format, **_choose_view(options))
        write_bytes(output, stream.getvalue())

    return draw


def _format_of(output: str) -> str:
    """Return the picture format of a path, svg for the standard output."""
    from ..export.target import choose_format

    return "svg" if output == "-" else choose_format(output, None)


export_icicle = _make_plot(
    "icicle", "Draw the whole tree in FILE, a row for each guess.", _color_option
)
export_sunburst = _make_plot(
    "sunburst", "Draw the whole tree in FILE, a ring for each guess.", _color_option
)
export_histogram = _make_plot("histogram", "Draw how many secrets of FILE need how many guesses.")


@click.command()
@click.argument("file")
@click.option("--secret", metavar="CODE", help="The game that finds this code; or else")
@click.option("--path", "answers", metavar="ANSWERS", help="the game so far: 02/11.")
@click.option("--symbols", help="How colors are written: abcdef, or red,green,blue.")
@output_option()
def export_game(
    file: str, secret: str | None, answers: str | None, symbols: str | None, output: str
) -> None:
    """Draw one game of the tree in FILE: pegs, pins, what remains. SVG, PNG or PDF."""
    from ..export.plot_game import write_game

    stream = BytesIO()
    options = {"secret": secret, "path": answers, "symbols": symbols}
    write_game(load(file).tree, stream, format=_format_of(output), **options)
    write_bytes(output, stream.getvalue())


@click.command()
@click.argument("file")
@view_options
@output_option("-")
def export_json(file: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as node-link JSON, the form of networkx."""
    from ..export.graph import generate_json

    write_lines(output, generate_json(load(file).tree, **_choose_view(options)))


@click.command()
@click.argument("file")
@view_options
@output_option("-")
def export_graphml(file: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as GraphML."""
    from ..export.graph import generate_graphml

    write_lines(output, generate_graphml(load(file).tree, **_choose_view(options)))


@click.command()
@click.argument("files", metavar="FILES", nargs=-1, required=True)
@click.option("--title", default=None, help="Heading of the page.")
@output_option()
def export_html(files: tuple[str, ...], title: str | None, output: str) -> None:
    """Write one page that plays the trees in FILES in a browser, from disk."""
    from ..page import generate_page

    trees = [load(file).tree for file in files]
    page = generate_page(trees) if title is None else generate_page(trees, title=title)
    write_bytes(output, page.encode())
