"""Reads the README: its console blocks as commands with their output, its Python as doctests."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"


@dataclass(frozen=True)
class Command:
    """A command of the README and the output shown below it."""

    words: tuple[str, ...]
    output: str


def read_commands(path: Path = README) -> list[Command]:
    """Return the treegen commands in the console blocks of a page."""
    commands = []
    for block in re.findall(r"```console\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            words = shlex.split(line, comments=True)
            if words[0] == "treegen":
                commands.append(Command(tuple(words[1:]), output))
    return commands


def read_python(path: Path = README) -> str:
    """Return the interactive Python of a page, as one doctest."""
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"^( *)```pycon\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    return "\n".join(re.sub(rf"^{indent}", "", body, flags=re.M) for indent, body in blocks)
