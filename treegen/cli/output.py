"""Where results go: files written whole, the standard output, JSON; progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from .._files import note_write, write_atomically
from ..errors import TreegenError, UsageError

if TYPE_CHECKING:
    from ..builder import BuildState
    from ..formats import LoadedTree
    from ..tree import ShardedTree, Tree


def print_json(value: Any) -> None:
    """Print JSON on one line."""
    click.echo(json.dumps(value, ensure_ascii=False))


def write_bytes(path: str, chunks: bytes | Iterable[bytes]) -> None:
    """Write to a file, whole or not at all, or to the standard output."""
    if path != "-":
        write_atomically(path, chunks)
        return
    for chunk in [chunks] if isinstance(chunks, bytes) else chunks:
        note_write(path)
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


def write_tree(path: str, tree: Tree | ShardedTree) -> None:
    """Write a tree in the format of the path's ending: a table to ``.tgt``, else a tree file."""
    from ..formats import choose_kind, generate_table_bytes, generate_tree_bytes
    from ..tree import ShardedTree

    if isinstance(tree, ShardedTree) or choose_kind(path, ("tree", "table")) == "tree":
        write_bytes(path, generate_tree_bytes(tree))
    else:
        write_bytes(path, generate_table_bytes(tree))


def deliver(*steps: Callable[[], object]) -> None:
    """Take every step, even if others fail, and raise in the end what went wrong.

    After long work one output that fails must not cost the others.
    """
    errors: list[Exception] = []
    for step in steps:
        try:
            step()
        except (TreegenError, OSError) as error:
            errors.append(error)
    failures = [error for error in errors if not isinstance(error, BrokenPipeError)]
    if len(failures) > 1:
        raise UsageError("; ".join(map(str, failures)))
    if errors:
        raise (failures or errors)[0]


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write lines of text as UTF-8."""
    write_bytes(path, (f"{line}\n".encode() for line in lines))


def load(path: str, *, check: bool = True) -> LoadedTree:
    """Read a tree from a file or from the standard input."""
    from ..formats import load_tree

    return load_tree(sys.stdin.buffer.read() if path == "-" else path, check=check)


@contextmanager
def build_progress(title: str, quiet: bool) -> Iterator[Callable[[BuildState], None] | None]:
    """Show a bar while a tree grows; nothing unless stderr is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[report]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(title, total=1.0, report="")
        yield lambda state: bar.update(
            task, completed=state.work_done, report=describe_progress(state)
        )


@contextmanager
def game_progress(title: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar while games are played; nothing unless stderr is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def describe_progress(state: BuildState) -> str:
    """Return states done, rate, time left for the level, memory."""
    left = "" if state.left_s is None else f", {state.left_s:,.0f} s left"
    return (
        f"guess {state.level + 1}: {state.n_done:,} of {state.n_states:,} states"
        f" ({state.rate:,.0f}/s{left}), {state.n_solved:,} of {state.n_secrets:,} secrets found,"
        f" {state.memory_bytes / 1e6:,.0f} MB"
    )
