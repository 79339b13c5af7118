"""What a column of a NEXUS matrix asks, and which states its signs stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ..text import clean

QUOTED = "'[^']*+(?>(?:''[^']*+)*)'"
_WORD = re.compile(rf"{QUOTED}|[,/]|[^\s,/']+")
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


def read_format(form: str) -> dict[str, str]:
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


def read_labels(block: dict[str, str], count: int) -> tuple[list[str], dict[int, list[str]]]:
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
