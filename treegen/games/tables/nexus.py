"""NEXUS, the files of phylogenetics: a matrix of taxa and characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...errors import GameError
from ..text import clean
from .sheet import JOIN, Sheet, drop_comments, number_alike

_QUOTED = "'[^']*+(?>(?:''[^']*+)*)'"
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
    has = _read_format(form)
    n_characters = re.search(r"NCHAR\s*=\s*(\d{1,6})\b", block.get("DIMENSIONS", ""), re.I)
    kind = has.get("DATATYPE", "STANDARD").upper()
    refused = re.search(r"\b(TRANSPOSE|TOKENS|NOLABELS)\b", form, re.I)
    if refused or n_characters is None:
        what = refused[1] if refused else "no NCHAR"
        raise GameError(f"{name}: a NEXUS matrix with {what} is not read")
    count = int(n_characters[1])
    asked, states = _read_labels(block, count)
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
            _, label, rest = re.split(rf"({_QUOTED}|\S+)", rest, maxsplit=1)
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


# What a column of a matrix asks, and which states its signs stand for.

_WORD = re.compile(rf"{_QUOTED}|[,/]|[^\s,/']+")
_EQUAL = re.compile(r"(\S)\s*=\s*(?:[({]([^(){}]*)[)}]|(\S))")
_BASES = {
    **{"R": "AG", "Y": "CT", "M": "AC", "K": "GT", "S": "CG", "W": "AT"},
    **{"H": "ACT", "B": "CGT", "V": "ACG", "D": "AGT", "N": "ACGT", "X": "ACGT"},
}
_KINDS = {
    **dict.fromkeys(("DNA", "NUCLEOTIDE"), ("ACGT", {**_BASES, "U": "T"})),
    "RNA": ("ACGU", {key: text.replace("T", "U") for key, text in _BASES.items()} | {"T": "U"}),
    "PROTEIN": ("ACDEFGHIKLMNPQRSTVWY*", {"B": "DN", "Z": "EQ"}),
}
"""By datatype its symbols, and those that its other signs stand for."""

Speller = Callable[[Sequence[str], int], list[str]]
"""What returns the states that signs in a column stand for; none if any may hold."""


def _read_format(form: str) -> dict[str, str]:
    """Return the settings of a FORMAT, by its words in capitals."""
    found = re.findall(r"\b(\w+)\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)", form)
    return {key.upper(): value.strip("\"' ") for key, value in found}


def make_speller(
    has: Mapping[str, str], states: Mapping[int, Sequence[str]], *, respects_case: bool
) -> Speller:
    """Return the speller of a matrix's signs, by its FORMAT and its states by column."""
    own, others = _KINDS.get(has.get("DATATYPE", "").upper(), ("", {}))
    symbols = own + "".join(has.get("SYMBOLS", "" if own else "0123456789").split())
    for first, last in re.findall("([A-Za-z0-9])~([A-Za-z0-9])", symbols):
        between = "".join(map(chr, range(ord(first), ord(last) + 1)))
        symbols = symbols.replace(f"{first}~{last}", between)
    given = _EQUAL.findall(has.get("EQUATE", ""))
    equal = {**others, **{sign: re.sub("[ ,]", "", several) or one for sign, several, one in given}}
    missing, gap = has.get("MISSING", "?"), has.get("GAP", "")
    known = {*symbols, *equal, missing, gap}

    def spell(signs: Sequence[str], column: int) -> list[str]:
        found: dict[str, None] = {}
        for sign in signs:
            if sign not in known and (own or not respects_case):
                sign = next((each for each in (sign.upper(), sign.lower()) if each in known), sign)
            found |= dict.fromkeys(equal.get(sign, sign))
        if missing in found or (own and found.keys() >= set(own)):
            return []
        labels = states.get(column, [])
        named = dict(zip(symbols, labels, strict=False))
        return ["-" if sign == gap else named.get(sign) or sign for sign in found]

    return spell


def _read_labels(block: dict[str, str], count: int) -> tuple[list[str], dict[int, list[str]]]:
    """Return the names of characters, which may be empty, and by column what states are called."""
    asked = [""] * count
    states: dict[int, list[str]] = {}
    for column, word in enumerate(_WORD.findall(block.get("CHARLABELS", ""))[:count]):
        asked[column] = unquote(word)
    for command in ("STATELABELS", "CHARSTATELABELS"):
        parts: list[list[str]] = [[]]
        for word in _WORD.findall(block.get(command, "")):
            parts.append([]) if word == "," else parts[-1].append(word)
        for number, *words in filter(None, parts):
            column = int(number) - 1 if re.fullmatch("[1-9][0-9]{0,5}", number) else count
            named = words.index("/") if "/" in words else len(words)
            named = 0 if command == "STATELABELS" else named
            if named and column < count:
                asked[column] = unquote(" ".join(words[:named]))
            states[column] = [unquote(word) for word in words[named:] if word != "/"]
    return asked, states


def unquote(word: str) -> str:
    """Return a word; outside of quotes an underscore is a space."""
    is_quoted = word.startswith("'") and len(word) > 1
    return clean(word[1:-1].replace("''", "'") if is_quoted else word.replace("_", " "))
