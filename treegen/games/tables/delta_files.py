"""The files of DELTA: a folder of characters, items and specifications, known by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..._files import explain_reading, read_bytes, unify_lines

_FILES = ("specs", "chars", "items")
_BEGIN = re.compile(r"\s*\*(SHOW|COMMENT|CHARACTER|ITEM|NUMBER|MAXIMUM|DATA)\b")


def looks_like_delta(head: str) -> bool:
    """Whether a text begins with a directive."""
    return _BEGIN.match(head) is not None


def find_files(path: Path) -> list[Path]:
    """Return the files of the folder at a path, or beside the file there; none if it is no such."""
    with explain_reading(path):
        if path.is_file():
            with path.open("rb") as stream:
                if not looks_like_delta(stream.read(200).decode("latin-1")):
                    return []
        elif not path.is_dir():
            return []
        folder = path if path.is_dir() else path.parent
        beside = {each.name.lower(): each for each in folder.iterdir()}
    if {"chars", "items"} <= beside.keys():
        own = (path.name.lower(),) if path.is_file() else ()  # may be one of directives for keys
        return [beside[name] for name in dict.fromkeys((*_FILES, *own)) if name in beside]
    return [path] if path.is_file() else []


def join_files(paths: Sequence[Path]) -> str:
    """Return the text of files; those of older programs are in the encoding of their Windows."""
    texts = []
    for data in map(read_bytes, paths):
        try:
            texts.append(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            texts.append(data.decode("cp1252", errors="replace"))
    return unify_lines("\n".join(texts))
