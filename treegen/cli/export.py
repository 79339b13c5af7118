"""``treegen export``: one command for each format."""

from __future__ import annotations

import click

from .lazy import LazyGroup

FORMATS: dict[str, tuple[str, str]] = {
    "text": ("text:export_text", "Text in one of six styles."),
    "dot": ("pictures:export_dot", "Graphviz text, cut to about 150 states."),
    "svg": ("pictures:export_svg", "A picture by Graphviz."),
    "png": ("pictures:export_png", "The same as PNG."),
    "pdf": ("pictures:export_pdf", "The same as PDF."),
    "icicle": ("pictures:export_icicle", "The whole tree, a row for each guess."),
    "sunburst": ("pictures:export_sunburst", "The whole tree, a ring for each guess."),
    "histogram": ("pictures:export_histogram", "Secrets per length of game."),
    "game": ("pictures:export_game", "One game: pegs, pins, what remains."),
    "json": ("pictures:export_json", "Node-link JSON, the form of networkx."),
    "graphml": ("pictures:export_graphml", "GraphML."),
    "table": ("table:export_table", "A lookup table (.tgt) for the players."),
    "c": ("players:export_c", "A C99 player with its table, to a folder."),
    "js": ("players:export_js", "A JavaScript player with its table, to a folder."),
    "micropython": ("players:export_micropython", "A MicroPython player with its table."),
    "html": ("pictures:export_html", "A page that plays in the browser."),
}


@click.command(cls=LazyGroup, commands_of=FORMATS, name="export")
def export() -> None:
    """Write the tree in FILE in another form: treegen export FORMAT FILE -o OUT."""
