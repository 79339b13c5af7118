"""NEXUS, the files of phylogenetics: a matrix of taxa and characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import GameError
from .nexus_states import QUOTED, make_speller, read_format, read_labels, unquote
from .sheet import JOIN, Sheet, drop_comments, number_alike

_CELL, _SIGN = re.compile(r"[({][^(){}]*[)}]|\S"), re.compile(r"[^\s(){},/]")
_MEASURED_CELL, _NUMBER = (
    re.compile(r"[({][^(){}]*[)}]|[(){}]|[^\s(){}]+"),
    re.compile(r"[^\s(){},/]+"),
)


def looks_like_nexus(head: str) -> bool:
    """Whether a text begins as NEXUS does."""
    return head.lstrip().upper().startswith("#NEXUS")


def read_nexus(text: str, name: str) -> Sheet:
    """Return the sheet of the first matrix of characters."""
    text = drop_comments(text, "[", "]", keeps_lines=True, quote="'")
    block: dict[str, str] = {}
    is_matrix = False
    for line, word, rest in _split_commands(text):
        if word == "BEGIN":
            is_matrix, block = rest.strip().upper() in ("CHARACTERS", "DATA"), {}
        elif is_matrix:
            block[word] = rest
        if "MATRIX" in block:
            return _read_matrix(block, line, name)
    raise GameError(f"{name} has no matrix: NEXUS has it in a block CHARACTERS or DATA")


def _split_commands(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the commands: the line, their first word in capitals, and what follows it."""
    at, line = 0, 1
    # A semicolon within quotes ends no command.
    for match in re.finditer(rf"{QUOTED}|[^';]+|[;']", text):
        if match[0] != ";":
            continue
        command, at = text[at : match.start()], match.end()
        begin = re.match(r"\s*(?:#NEXUS\s+)?(\S*)", command, re.IGNORECASE)
        if begin:
            behind = begin.end()
            yield line + command.count("\n", 0, behind), begin[1].upper(), command[behind:]
        line += command.count("\n")


def _read_matrix(block: dict[str, str], line: int, name: str) -> Sheet:
    """Return the sheet of the commands of a block, whose matrix begins at a line."""
    form = block.get("FORMAT", "")
    has = read_format(form)
    n_characters = re.search(r"NCHAR\s*=\s*(\d{1,6})\b", block.get("DIMENSIONS", ""), re.I)
    kind = has.get("DATATYPE", "STANDARD").upper()
    refused = re.search(r"\b(TRANSPOSE|TOKENS|NOLABELS)\b", form, re.I)
    if refused or n_characters is None:
        what = refused[1] if refused else "no NCHAR"
        raise GameError(f"{name}: a NEXUS matrix with {what} is not read")
    count = int(n_characters[1])
    asked, states = read_labels(block, count)
    spell = make_speller(has, states, respects_case="RESPECTCASE" in form.upper())
    match_sign, is_measured = has.get("MATCHCHAR", ""), kind == "CONTINUOUS"
    cell_in, sign_in = (_MEASURED_CELL, _NUMBER) if is_measured else (_CELL, _SIGN)
    is_interleaved = re.search(r"\bINTERLEAVE\b(?!\s*=\s*no)", form, re.I)
    found: dict[str, tuple[int, list[str]]] = {}
    taxon = ""
    for number, written in enumerate(block["MATRIX"].split("\n"), start=line):
        rest = written.strip()
        # Not interleaved, a row may go on for lines, and has no label there.
        if rest and (is_interleaved or not taxon or len(found[taxon][1]) == count):
            _, label, rest = re.split(rf"({QUOTED}|\S+)", rest, maxsplit=1)
            taxon = unquote(label)
            found.setdefault(taxon, (number, []))
        for cell in cell_in.findall(rest):
            if cell in tuple("(){}"):
                raise GameError(
                    f"{name} line {number}: {taxon!r:.80} has a {cell!r:.80} without its pair"
                )
            row = found[taxon][1]
            signs = sign_in.findall(cell)
            if len(row) == count:
                raise GameError(
                    f"{name} line {number}: {taxon!r:.80} has more than {count} characters"
                )
            if match_sign and cell == match_sign:
                first = next(iter(found.values()))[1]
                row.append(first[len(row)] if len(row) < len(first) else "")
            elif is_measured:
                row.append("" if has.get("MISSING", "?") in signs else JOIN.join(signs))
            else:
                row.append(JOIN.join(spell(signs, len(row))))
    for taxon, (number, row) in found.items():
        if len(row) < count:
            raise GameError(
                f"{name} line {number}: {taxon!r:.80} has {len(row)} characters of {count}"
            )
    rows = ((number, [taxon, *row]) for taxon, (number, row) in found.items())
    header = ["taxon", *number_alike(asked, "character")]
    return Sheet(header, rows, "NEXUS", joint=JOIN, numbers=header[1:] if is_measured else ())
