"""NEXUS, the files of phylogenetics: a matrix of taxa and characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import GameError
from ..text import clean
from .sheet import JOIN, Sheet, drop_comments, number_alike

_QUOTED = "'[^']*+(?:''[^']*+)*+'"
_WORD = re.compile(rf"{_QUOTED}|[,/]|[^\s,/']+")
_CELL = re.compile(r"[({][^(){}]*[)}]|\S")


def looks_like_nexus(head: str) -> bool:
    """Whether a text begins as NEXUS does."""
    return head.lstrip().upper().startswith("#NEXUS")


def read_nexus(text: str, name: str) -> Sheet:
    """Return the sheet of the first matrix of characters."""
    text = drop_comments(text, "[", "]", keeps_lines=True)
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
    for match in re.finditer(rf"{_QUOTED}|[^';]+|[;']", text):
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
    has = {
        key.upper(): value.strip("\"' ")
        for key, value in re.findall(r"\b(\w+)\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)", form)
    }
    n_characters = re.search(r"NCHAR\s*=\s*(\d{1,6})\b", block.get("DIMENSIONS", ""), re.I)
    kind = has.get("DATATYPE", "STANDARD").upper()
    refused = re.search(r"\b(TRANSPOSE|TOKENS|NOLABELS)\b", form, re.I)
    if refused or kind == "CONTINUOUS" or n_characters is None:
        what = refused[1] if refused else "no NCHAR" if n_characters is None else "measurements"
        raise GameError(f"{name}: a NEXUS matrix with {what} is not read")
    count = int(n_characters[1])
    asked, states = _read_labels(block, count)
    symbols = "".join(has.get("SYMBOLS", "0123456789").split())
    missing, gap, match_sign = has.get("MISSING", "?"), has.get("GAP", ""), has.get("MATCHCHAR", "")

    def write(sign: str, column: int) -> str:
        if sign == gap:
            return "-"
        place, own = symbols.find(sign), states.get(column, [])
        return (own[place] if 0 <= place < len(own) else "") or sign

    is_interleaved = re.search(r"\bINTERLEAVE\b(?!\s*=\s*no)", form, re.I)
    found: dict[str, tuple[int, list[str]]] = {}
    taxon = ""
    for number, written in enumerate(block["MATRIX"].split("\n"), start=line):
        rest = written.strip()
        # Not interleaved, a row may go on for lines, and has no label there.
        if rest and (is_interleaved or not taxon or len(found[taxon][1]) == count):
            _, label, rest = re.split(rf"({_QUOTED}|\S+)", rest, maxsplit=1)
            taxon = _unquote(label)
            found.setdefault(taxon, (number, []))
        for cell in _CELL.findall(rest):
            row = found[taxon][1]
            signs = re.findall(r"[^\s(){},/]", cell)
            if len(row) == count:
                raise GameError(
                    f"{name} line {number}: {taxon!r:.80} has more than {count} characters"
                )
            if match_sign and cell == match_sign:
                first = next(iter(found.values()))[1]
                row.append(first[len(row)] if len(row) < len(first) else "")
            elif missing in signs:
                row.append("")
            else:
                row.append(JOIN.join(dict.fromkeys(write(sign, len(row)) for sign in signs)))
    for taxon, (number, row) in found.items():
        if len(row) < count:
            raise GameError(
                f"{name} line {number}: {taxon!r:.80} has {len(row)} characters of {count}"
            )
    rows = ((number, [taxon, *row]) for taxon, (number, row) in found.items())
    header = ["taxon", *number_alike(asked, "character")]
    return Sheet(header, rows, "NEXUS", joint=JOIN)


def _read_labels(block: dict[str, str], count: int) -> tuple[list[str], dict[int, list[str]]]:
    """Return the names of characters, which may be empty, and by column what states are called."""
    asked = [""] * count
    states: dict[int, list[str]] = {}
    for column, word in enumerate(_WORD.findall(block.get("CHARLABELS", ""))[:count]):
        asked[column] = _unquote(word)
    for command in ("STATELABELS", "CHARSTATELABELS"):
        parts: list[list[str]] = [[]]
        for word in _WORD.findall(block.get(command, "")):
            parts.append([]) if word == "," else parts[-1].append(word)
        for number, *words in filter(None, parts):
            column = int(number) - 1 if re.fullmatch("[1-9][0-9]{0,5}", number) else count
            named = words.index("/") if "/" in words else len(words)
            named = 0 if command == "STATELABELS" else named
            if named and column < count:
                asked[column] = _unquote(" ".join(words[:named]))
            states[column] = [_unquote(word) for word in words[named:] if word != "/"]
    return asked, states


def _unquote(word: str) -> str:
    """Return a word; outside of quotes an underscore is a space."""
    is_quoted = word.startswith("'") and len(word) > 1
    return clean(word[1:-1].replace("''", "'") if is_quoted else word.replace("_", " "))
