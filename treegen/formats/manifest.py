"""Manifests: descriptions of a set of files that ``sha256sum -c`` checks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .._files import read_bytes
from ..errors import FormatError, UsageError
from .load import load_tree


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a manifest.

    Attributes
    ----------
    name
        Its name in the manifest.
    size_bytes, sha256
        Of the file.
    digest, total, worst
        Of the tree in it; None if it is neither a ``.tree`` nor a ``.tgt`` file.
    """

    name: str
    size_bytes: int
    sha256: str
    digest: str | None = None
    total: int | None = None
    worst: int | None = None


def make_entry(path: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None) -> Entry:
    """Return the entry of a file.

    Parameters
    ----------
    path
        The file.
    folder
        The folder of the manifest, to which names are relative. None keeps them as given.

    Raises
    ------
    FormatError
        The file cannot be read, or is a damaged ``.tree`` or ``.tgt`` file.
    UsageError
        Its name has a line feed or a backslash, which a manifest cannot hold.
    """
    name = os.fspath(path) if folder is None else os.path.relpath(path, folder)
    if "\n" in name or "\\" in name:
        raise UsageError(f"a manifest cannot hold the name {name!r}")
    data = read_bytes(path)
    sha256 = hashlib.sha256(data).hexdigest()
    if Path(name).suffix not in (".tree", ".tgt"):
        return Entry(name, len(data), sha256)
    try:
        tree = load_tree(data).tree
    except FormatError as error:
        raise FormatError(f"{os.fspath(path)!r}: {error}") from error
    return Entry(name, len(data), sha256, tree.digest, tree.total, tree.worst)


def generate_manifest(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of a manifest: a comment that describes a file, then its sha256 and name.

    Examples
    --------
    >>> list(generate_manifest([Entry("a.txt", 3, "00ff")]))
    ['# a.txt: 3 bytes', '00ff  a.txt']
    """
    for entry in entries:
        about = f"# {entry.name}: {entry.size_bytes} bytes"
        if entry.digest is not None:
            about += f", total {entry.total}, worst {entry.worst}, digest {entry.digest}"
        yield about
        yield f"{entry.sha256}  {entry.name}"
