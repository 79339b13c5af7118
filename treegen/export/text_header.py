"""The first lines of our own styles: what the text is, and what it claims.

Each line is ``# key: value``; an empty line ends the header. `treegen.importers.text_header`
reads it back.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..games import format_history, list_names
from ..tree import cut_at
from .view import Stub, View


def generate_header(view: View, style: str, legend: str = "") -> Iterator[str]:
    """Yield the header of a text in a style of ours, and the empty line that ends it.

    A legend says what the lines below consist of.
    """
    tree = cut_at(view.tree, view.root) if view.root else view.tree
    provenance = tree.provenance
    yield f"# treegen: text in the style {style}"
    yield f"# game: {view.game.digest_name}"
    yield f"# strategy: {provenance.strategy}"
    if provenance.rule:
        yield f"# rule: {provenance.rule}"
    if provenance.objective:
        yield f"# objective: {provenance.objective}"
    if provenance.bound is not None:
        yield f"# bound: {provenance.bound}"
    if view.history:
        yield f"# after: {write_history(view)}"
    if view.symbols is not None:
        yield f"# symbols: {list_names(view.symbols)}"
    yield f"# total: {tree.total}"
    yield f"# worst: {tree.worst}"
    yield f"# histogram: {'/'.join(map(str, tree.histogram))}"
    yield f"# digest: {tree.digest}"
    if view.is_cut_anywhere:
        yield f"# cut: {describe_cut(view)}"
    if legend:
        yield f"# legend: {legend}"
    yield ""


def write_history(view: View) -> str:
    """Write the guesses and answers before the first state shown, as ``1122:02 1344:11``."""
    return format_history(view.game, view.history, joint=" ", symbols=view.symbols)


def describe_cut(view: View) -> str:
    """Say how much of a cut view is shown."""
    n_shown = sum(1 for _ in view.nodes())
    return (
        f"guesses 1 to {view.depth} of {view.worst}; {n_shown} of {view.n_states} states are shown"
    )


def describe_stub(stub: Stub) -> str:
    """Say what is missing below a cut state."""
    states = "state" if stub.n_states == 1 else "states"
    return f"... {stub.n_states} more {states}, worst {stub.worst}"
