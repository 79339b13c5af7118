"""TNT and Hennig86, files of phylogenetics: the matrix of their command ``xread``."""

from __future__ import annotations

import re

from ...errors import GameError
from .nexus import Speller, make_speller, unquote
from .sheet import JOIN, Sheet, number_alike

_BEGIN = re.compile(r"(?>(?:\s*+(?!xread\b)[a-z]\w*+[^;\n]*+;)*)\s*+xread\s", re.IGNORECASE)
_COUNTS = re.compile(r"xread\s+(?:'[^']*+'\s*+)?(\d{1,6})\s+(\d{1,6})\s", re.IGNORECASE)
_KIND = re.compile(r"\bnstates\s+(num|dna|prot|cont)\b", re.IGNORECASE)
_BLOCK = re.compile(r"\s*&\s*\[\s*([a-z]+)[^\]]*\]\s*", re.IGNORECASE)
_CELL = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}|\S")
_NAMES = re.compile(r"\{\s*+(\d{1,6})\s++([^;{}]*+);")
_KINDS = {"num": "", "dna": "DNA", "prot": "PROTEIN"}
_SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUV"


def looks_like_tnt(head: str) -> bool:
    """Whether a text has the command ``xread``, and before it only others, each on a line."""
    return _BEGIN.match(head) is not None


def read_tnt(text: str, name: str) -> Sheet:
    """Return the sheet of the matrix: ``[01]`` is a set, ``?`` is unknown, ``-`` an answer."""
    begin = _COUNTS.search(text)
    if begin is None:
        raise GameError(f"{name} has no counts: TNT has those of characters and taxa behind xread")
    count, n_taxa = int(begin[1]), int(begin[2])
    body, _, behind = text[begin.end() :].partition(";")
    asked, states = _read_names(behind, count)
    kind = _KIND.search(text, 0, begin.start())
    spell = _choose_speller(kind[1] if kind else "num", states, name)
    found: dict[str, tuple[int, list[str]]] = {}
    taxon, has_blocks = "", False
    first = text.count("\n", 0, begin.end()) + 1
    for number, line in enumerate(body.split("\n"), start=first):
        if block := _BLOCK.fullmatch(line):
            spell, has_blocks = _choose_speller(block[1], states, name), True
            continue
        rest = line.strip()
        # In blocks each line has a label; else a row may go on for lines.
        if rest and (has_blocks or not taxon or len(found[taxon][1]) == count):
            label, _, rest = rest.replace("\t", " ").partition(" ")
            taxon = unquote(label)
            found.setdefault(taxon, (number, []))
        for cell in _CELL.findall(rest):
            if cell in tuple("[]{}"):
                raise GameError(
                    f"{name} line {number}: {taxon!r:.80} has a {cell!r:.80} without its pair"
                )
            row = found[taxon][1]
            if len(row) == count:
                raise GameError(
                    f"{name} line {number}: {taxon!r:.80} has more than {count} characters"
                )
            row.append(JOIN.join(spell(re.findall(r"[^\s\[\]{}]", cell), len(row))))
    for taxon, (number, row) in found.items():
        if len(row) < count:
            raise GameError(
                f"{name} line {number}: {taxon!r:.80} has {len(row)} characters of {count}"
            )
    if len(found) != n_taxa:
        raise GameError(f"{name} has {len(found):,} taxa; xread says {n_taxa:,}")
    rows = ((number, [taxon, *row]) for taxon, (number, row) in found.items())
    return Sheet(["taxon", *number_alike(asked, "character")], rows, "TNT", joint=JOIN)


def _choose_speller(kind: str, states: dict[int, list[str]], name: str) -> Speller:
    """Return the speller of a block's signs; raise GameError if it has measurements."""
    if kind.lower() not in _KINDS:
        raise GameError(f"{name}: a TNT matrix of the kind {kind!r:.40} is not read")
    datatype = _KINDS[kind.lower()]
    symbols = "" if datatype else _SYMBOLS
    has = {"DATATYPE": datatype, "SYMBOLS": symbols, "GAP": "-"}
    return make_speller(has, states, respects_case=False)


def _read_names(text: str, count: int) -> tuple[list[str], dict[int, list[str]]]:
    """Return the names of characters, which may be empty, and those of their states."""
    asked = [""] * count
    states: dict[int, list[str]] = {}
    begin = re.search(r"\bcnames\b", text, re.IGNORECASE)
    for number, written in _NAMES.findall(text, begin.end()) if begin else ():
        if int(number) < count and written.split():
            asked[int(number)], *states[int(number)] = map(unquote, written.split())
    return asked, states
