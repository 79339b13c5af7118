"""Where results go: files written whole, the standard output, JSON; progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from .._files import note_write, write_atomically
from ..errors import TreegenError, UsageError

if TYPE_CHECKING:
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


class StandardOutput:
    """The standard output as a file that results are written to."""

    def write(self, data: bytes) -> int:
        """Write bytes, and note that something was written."""
        note_write("-")
        n_bytes = sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return n_bytes


def open_target(path: str) -> Any:
    """Return a path, or the standard output for ``-``."""
    return StandardOutput() if path == "-" else path


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


def open_file(path: str) -> str | BinaryIO:
    """Return a path, or the standard input for ``-``."""
    return sys.stdin.buffer if path == "-" else path


def show_progress(quiet: bool) -> bool:
    """Whether progress is shown: only on a terminal."""
    return not quiet and sys.stderr.isatty()


def load(path: str, *, check: bool = True) -> LoadedTree:
    """Read a tree from a file or from the standard input."""
    from ..formats import load_tree

    return load_tree(sys.stdin.buffer.read() if path == "-" else path, check=check)
