"""SLIKS, data of keys for browsers: JavaScript with two lists, of characters and of items."""

from __future__ import annotations

import re

from ...errors import GameError
from ..text import clean, unescape_html
from .sheet import JOIN, Sheet, number_alike, refuse_sparse

_BEGIN = re.compile(r"(?>(?:\s|//[^\n]*+\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)var\s+\w+\s*=")
# A comment or a text that is not closed ends with the file.
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"((?>(?:[^"\\]|\\.?)*))"?|'((?>(?:[^'\\]|\\.?)*))'?|([\w.+?-]+)|(\S)""",
    re.DOTALL,
)


def looks_like_sliks(head: str) -> bool:
    """Whether a text begins as the data of a key does."""
    return _BEGIN.match(head) is not None


def read_sliks(text: str, name: str) -> Sheet:
    """Return the sheet of a key's data.

    A character is its name, then its states, an item its name, then the signs of its states: ``12``
    is either of the first two, ``?`` any, and ``+`` only marks what is usual.
    """
    characters = [[_strip(cell) for cell in row] for _, row in _read_list(text, "chars", name)][1:]
    labels = [number_alike(states, "state") for _, *states in characters]
    # SAIKS writes the group of a character before its name.
    asked = number_alike((row[0].rpartition("|")[2] for row in characters), "character")
    rows = []
    items = _read_list(text, "items", name)[1:]
    refuse_sparse(sum(max(0, len(asked) + 1 - len(row)) for _, row in items), name)
    for line, (item, *cells) in items:
        row = [_strip(item)]
        cells += [""] * (len(asked) - len(cells))
        for states, cell in zip(labels, cells[: len(asked)], strict=True):
            signs = [int(sign, 36) for sign in re.findall("[0-9a-z]", cell.lower())]
            named = dict(enumerate(states, start=1))  # a state may have no name
            written = JOIN.join(named.get(sign, f"state {sign}") for sign in signs)
            row.append("" if "?" in cell else written)
        rows.append((line, row))
    return Sheet(["item", *asked], iter(rows), "SLIKS", joint=JOIN)


def _read_list(text: str, what: str, name: str) -> list[tuple[int, list[str]]]:
    """Return the lists within a list, each with its line."""
    begin = re.search(rf"\b{what}\s*=\s*\[", text)
    if begin is None:
        raise GameError(f"{name} has no list `{what} = […]`, as the data of a key have")
    rows: list[tuple[int, list[str]]] = []
    depth, line, at = 1, 1, 0
    for match in _TOKEN.finditer(text, begin.end()):
        if match[4] == "[":
            depth += 1
            line, at = line + text.count("\n", at, match.start()), match.start()
            rows.append((line, []))
        elif match[4] == "]":
            depth -= 1
        elif depth == 2 and match[4] is None and not match[0].startswith(("//", "/*")):
            written = next(part for part in match.groups() if part is not None)
            rows[-1][1].append(re.sub(r"\\(.)", r"\1", written))
        if not depth:
            return [(line, row) for line, row in rows if row]
    raise GameError(f"{name}: the list '{what}' does not end")


def _strip(text: str) -> str:
    """Return a text without marks of HTML."""
    return clean(unescape_html(re.sub(r"<[^<>]*>", " ", text)))
