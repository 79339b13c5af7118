"""ARFF, the tables of Weka: declared attributes, then rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from ...errors import GameError
from ..text import clean
from .sheet import NO_NAMES, Sheet, number_alike

_QUOTED = r"""'(?>(?:[^'\\]|\\.)*)'|"(?>(?:[^"\\]|\\.)*)\""""
_QUOTED_OR_OPEN = r"""'(?>(?:[^'\\]|\\.)*)(?:'|\\?\Z)|"(?>(?:[^"\\]|\\.)*)(?:"|\\?\Z)"""
"""A text to its end, also if its quote is not closed: else each further quote is tried again."""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.+)", re.IGNORECASE)
_CELL = re.compile(rf"\s*+({_QUOTED}|[^,\t'\"]*+)(?:\s*+(?=,|\Z)|[^\S\t]*+)(,|\t|\Z)")
_SPACED_CELL = re.compile(rf"({_QUOTED}|[^\s'\"]++)(\s++|\Z)")
_PEEKED = 1000
"""Where rows have weights, one of this many at the beginning has."""
_KINDS = {
    **dict.fromkeys(("numeric", "real"), "number"),
    **dict.fromkeys(("string", "date"), "text"),
    "integer": "count",
}


def looks_like_arff(head: str) -> bool:
    """Whether a text begins as ARFF does: comments behind ``%``, then ``@relation``."""
    if head.startswith("%PDF-"):
        return False
    lines = [line for line in map(str.strip, head.split("\n")) if line]
    first = next((line for line in lines if not line.startswith("%")), "")
    # Comments may be longer than a head.
    return first.lower().startswith("@relation") or (not first and bool(lines))


def read_arff(lines: Iterator[str], name: str) -> Sheet:
    """Return the sheet of ARFF.

    Its class is the last attribute, as is its custom. What stands in braces behind a row is its
    weight; a row without counts 1.
    """
    kinds: dict[str, str] = {}
    number = 0
    for number, line in enumerate(lines, start=1):
        entry = line.strip()
        if entry.lower().startswith("@data"):
            if behind := entry[len("@data") :].strip():  # the first row
                lines, number = chain([behind], lines), number - 1
            break
        if not entry.lower().startswith("@attribute"):
            continue
        match = _ATTRIBUTE.match(entry)
        kind = match[2].split()[0].lower() if match else ""
        if match is None or not (kind.startswith("{") or kind in _KINDS):
            raise GameError(f"{name} line {number}: {entry!r:.80} is no attribute that is known")
        attribute = clean(_unquote(match[1]))
        if attribute in kinds:
            raise GameError(f"{name} line {number}: the attribute {attribute!r:.80} is there twice")
        kinds[attribute] = _KINDS.get(kind, "answer")
    if not kinds:
        raise GameError(f"{name} has no attributes: ARFF has @attribute lines, then @data")
    *others, last = kinds
    texts = [attribute for attribute in kinds if kinds[attribute] == "text"]
    numbers = [attribute for attribute in others if kinds[attribute] == "number"]
    has_class = bool(others) and kinds[last] == "answer"
    begin = [*islice(lines, _PEEKED)]
    lines = chain(begin, lines)
    rows = [line for line in begin if line.lstrip()[:1] not in ("%", "{")]
    has_weights = any(line.rstrip().endswith("}") for line in rows)
    weight = number_alike([*kinds, "weight"], "")[-1:] if has_weights else []
    return Sheet(
        [*kinds, *weight],
        _split_rows(lines, name, number, has_weights=has_weights),
        "ARFF",
        names=texts[0] if texts else NO_NAMES,
        classes=last if has_class else None,
        custom=", the last attribute",
        weights=weight[0] if weight else None,
        numbers=numbers,
        ignore=[*texts[1:], *weight],
    )


def _split_rows(
    lines: Iterator[str], name: str, n_before: int, *, has_weights: bool
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows below ``@data`` with their lines."""
    for number, line in enumerate(lines, start=n_before + 1):
        entry = line.strip()
        if not entry or entry.startswith("%"):
            continue
        if entry.startswith("{"):
            raise GameError(
                f"{name} line {number}: a sparse row; write all cells, as Weka's filter"
                " SparseToNonSparse does"
            )
        weight = ["1"] * has_weights
        if entry.endswith("}"):
            entry, _, written = entry[:-1].rpartition("{")
            if not has_weights:
                raise GameError(
                    f"{name} line {number}: {{{written:.40}}} is a weight, and none of the"
                    f" first {_PEEKED:,} rows has one: write {{1}} behind the first"
                )
            entry, weight = entry.rstrip().removesuffix(",").rstrip(), [written.strip()]
        if "'" not in entry and '"' not in entry:
            yield number, [*entry.split("," if "," in entry else None), *weight]
            continue
        is_spaced = not re.search("[,\t]", re.sub(_QUOTED_OR_OPEN, "", entry))
        cell = _SPACED_CELL if is_spaced else _CELL
        cells, at = [], 0
        while match := cell.match(entry, at):
            cells.append(_unquote(match[1].rstrip()))
            at = match.end()
            if not match[2]:
                break
        if match is None:
            raise GameError(f"{name} line {number}: a quote is not closed, or stands in a text")
        yield number, [*cells, *weight]


def _unquote(text: str) -> str:
    """Return a text without the quotes around it."""
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[:1] in ("'", '"') else text
