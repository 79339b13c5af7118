"""``treegen export``: one command for each format."""

from __future__ import annotations

import click

from ..command import LazyGroup

FORMATS: dict[str, tuple[str, str]] = {
    "text": ("export.text:export_text", "Text in one of ten styles."),
    "dot": ("export.diagrams:export_dot", "Graphviz text, cut to about 150 states."),
    "svg": ("export.diagrams:export_svg", "A picture by Graphviz."),
    "png": ("export.diagrams:export_png", "The same as PNG."),
    "pdf": ("export.diagrams:export_pdf", "The same as PDF."),
    "icicle": ("export.plots:export_icicle", "The whole tree, a row for each guess."),
    "sunburst": ("export.plots:export_sunburst", "The whole tree, a ring for each guess."),
    "histogram": ("export.plots:export_histogram", "Secrets per length of game."),
    "game": ("export.plots:export_game", "One game: pegs, pins, what remains."),
    "json": ("export.graphs:export_json", "Node-link JSON, the form of networkx."),
    "graphml": ("export.graphs:export_graphml", "GraphML."),
    "table": ("export.table:export_table", "A lookup table (.tgt) for the players."),
    "c": ("export.players:export_c", "A C99 player with its table, to a folder."),
    "js": ("export.players:export_js", "A JavaScript player with its table, to a folder."),
    "micropython": ("export.players:export_micropython", "A MicroPython player with its table."),
    "python": ("export.players:export_python", "A Python player, one file, with its table."),
    "rust": ("export.players:export_rust", "A Rust crate without std, with its table."),
    "go": ("export.players:export_go", "A Go module with its table."),
    "java": ("export.players:export_java", "A Java class with its table."),
    "npm": ("export.players:export_npm", "A package for npm with its table, to a folder."),
    "arduino": ("export.players:export_arduino", "An Arduino library with its table."),
    "html": ("export.page:export_html", "A page that plays in the browser."),
}

STYLES = (
    *("r-post", "indented", "key", "lines", "irving", "mmstrat", "codegolf"),
    *("csv", "nested", "wordle", "gv"),
)
"""Styles of text; `import` has some of them as formats."""

ELSEWHERE = {
    **{style: f"treegen export text --style {style}" for style in STYLES},
    "tgt": "treegen export table",
}
"""What is looked for among the formats, and the command that writes it."""


def _make_plugin(name: str) -> click.Command:
    from .plugin import make_command

    return make_command(name)


@click.command(
    cls=LazyGroup,
    commands_of=FORMATS,
    elsewhere=ELSEWHERE,
    plugins=("exporters", _make_plugin),
    name="export",
)
def export() -> None:
    """Write the tree in FILE in another form: treegen export FORMAT FILE -o OUT."""
