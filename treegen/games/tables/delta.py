"""DELTA, descriptions of taxa: characters, items, specifications, and what is said for KEY."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from ..._files import explain_reading, read_bytes, unify_lines
from ...errors import GameError
from ..text import clean
from .sheet import JOIN, Sheet, drop_comments, number_alike, refuse_sparse

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


_OF_STATES, _OF_NUMBERS = ("UM", "OM"), ("IN", "RN")


def read_delta(text: str, name: str) -> Sheet:
    """Return the sheet of DELTA's directives.

    An implicit state holds where no state is written. A character that does not apply is
    answered by ``-``. Texts are left out, and numbers that have no key states, unless somebody asks
    for their thresholds. Reliabilities of characters are costs, abundances of items weights.
    """
    features, states, units = _read_characters(_find_directive(text, "CHARACTER LIST"))
    last = max(states, default=0)
    refuse_sparse(
        sum(len(_read_span(span, last)) for span in re.findall(r"\b\d{1,5}-\d{1,5}\b", text)), name
    )
    kinds = dict(_read_pairs(_find_directive(text, "CHARACTER TYPES"), last))
    implicit = dict(_read_pairs(_find_directive(text, "IMPLICIT VALUES"), last))
    keys = {
        one: _read_key_states(written, states[one], units[one], f"{name}, character {one}")
        for one, written in _read_pairs(_find_directive(text, "KEY STATES"), last)
        if one in states and (states[one] or kinds.get(one) in _OF_NUMBERS)
    }
    excluded = _read_numbers(_find_directive(text, "EXCLUDE CHARACTERS"), last)
    usable = [
        one
        for one in sorted(states)
        if one in keys or (states[one] and kinds.get(one, "UM") in _OF_STATES)
    ]
    asked = [one for one in usable if one not in excluded]
    numeric = [one for one in sorted(states) if one not in keys and kinds.get(one) in _OF_NUMBERS]
    measured = [one for one in numeric if one not in excluded]
    columns = [*asked, *measured]
    rules = _read_rules(text, states, last)
    items = list(_read_items(_find_directive(text, "ITEM DESCRIPTIONS"), last))
    n_cells = len(items) * (len(columns) + sum(map(len, rules.values())))
    refuse_sparse(n_cells - sum(len(item.written) for item in items), name)
    if not items or not columns:
        raise GameError(
            f"{name} has no {'items' if columns else 'characters of states'}: DELTA has them in"
            f" {'*ITEM DESCRIPTIONS' if columns else '*CHARACTER LIST'}"
        )
    weights, how_weighed = _read_weights(text, len(items), name)
    costs, how_costly = _read_costs(text, last, name)
    labels = {one: ["-", *(keys[one].labels if one in keys else states[one])] for one in asked}
    rows = []
    name_of, main = "", dict[int, str]()
    for number, item in enumerate(items):
        if not item.is_variant:
            name_of, main = item.name, item.written
        written = {**main, **item.written}
        known: dict[int, set[int]] = {}
        for one in usable:  # what controls a character comes before it
            value = written.get(one, implicit.get(one, "U").partition(":")[0])
            # Of numbers only "any" and "none" are states.
            count = len(states[one]) or (len(keys[one].labels) if value == "V" else 0)
            chosen = known[one] = _read_states(value, count)
            if not states[one]:
                chosen |= keys[one].find(_read_values(value))
            for control, lacking in rules.get(one, {}).items():
                # What an item says is true, and what it takes over together with what controls it.
                if one in item.written or (one in written and control not in item.written):
                    continue
                seen = known.get(control, set())
                if seen and seen <= lacking:
                    known[one] = {_LACKING}
                elif seen & lacking and chosen:  # it may apply, with what is implicit, or not
                    known[one] = known[one] | {_LACKING}
        for one in keys.keys() & known.keys():
            if states[one]:
                own = [(Decimal(state), Decimal(state)) for state in known[one] - {_LACKING}]
                known[one] = (known[one] & {_LACKING}) | keys[one].find(own)
        cells = [JOIN.join(labels[one][state] for state in sorted(known[one])) for one in asked]
        for one in measured:
            spans = _read_values(written.get(one, implicit.get(one, "")))
            cells.append(
                JOIN.join(f"{low}-{high}" if low < high else f"{low}" for low, high in spans)
            )
        rows.append([item.name or name_of, *cells, *map(str, weights[number : number + 1])])
    left = len(states) - len(usable) - len(numeric)
    n_excluded = len(usable) + len(numeric) - len(columns)
    notes = [f"characters of texts left out: {left}"] * bool(left)
    notes += [f"{n_excluded} of *EXCLUDE CHARACTERS are left out"] * bool(n_excluded)
    notes += filter(None, (how_costly, how_weighed))
    named = [features[one] for one in asked]
    named += [
        f"{features[one]} ({units[one]})".strip() if units[one] else features[one]
        for one in measured
    ]
    header = ["item", *number_alike(named, "character")]
    prices = {text: costs[one - 1] for one, text in zip(columns, header[1:], strict=True) if costs}
    prices |= {header[0]: _USUAL_COST} if costs else {}  # a question where it holds no names
    numbers = header[len(asked) + 1 :]
    weight = number_alike([*header, "weight"], "")[-1:] if weights else []
    return Sheet(
        [*header, *weight],
        enumerate(rows, start=1),
        "DELTA",
        unit="item",
        joint=JOIN,
        weights=weight[0] if weight else None,
        numbers=numbers,
        ignore=[*numbers, *weight],  # if others are given
        costs=prices,
        notes=[f"DELTA: {'; '.join(notes)}"] if notes else [],
    )


# Directives: their texts, the characters and items in them, the values of items.

_LACKING = 0
"""The state of a character that does not apply."""

_LINES = re.DOTALL | re.MULTILINE
_BEFORE = r"^[^\S\n]*+"
"""The beginning of a line, and the white space there."""


class _Item(NamedTuple):
    """An item: its name, what is written of its characters, and whether that is all."""

    name: str
    written: dict[int, str]
    is_variant: bool  # has what the item before it has, unless it says otherwise


def _find_directive(text: str, directive: str) -> str:
    """Return the text of a directive; empty if it is missing."""
    found = re.search(rf"{_BEFORE}\*{directive}\b(.*?)(?={_BEFORE}\*[A-Z]|\Z)", text, _LINES)
    return found[1] if found else ""


def _read_characters(text: str) -> tuple[dict[int, str], dict[int, list[str]], dict[int, str]]:
    """Return the characters' names, their states, and what their numbers count."""
    features: dict[int, str] = {}
    states: dict[int, list[str]] = {}
    units: dict[int, str] = {}
    begin = rf"{_BEFORE}#\s*+"
    for number, body in re.findall(rf"{begin}(\d{{1,5}})\.\s(.*?)(?={begin}\d|\Z)", text, _LINES):
        feature, *parts = _split_parts(body)
        # What tells a character from others is often a comment; of a state it is a remark.
        features[int(number)] = _plain(re.sub("<<(?>(?:[^<>]|<(?!<)|>(?!>))*)>>", "", feature))
        named = [re.match(r"\s*\d+\.(.*)", part, re.DOTALL) for part in parts]
        listed = [match[1] for match in named if match]
        texts = [_plain(drop_comments(each, "<", ">")) or _plain(each) for each in listed]
        states[int(number)] = number_alike(texts, "state")
        units[int(number)] = _plain(drop_comments(parts[0], "<", ">")) if parts else ""
    return features, states, units


def _split_parts(text: str) -> list[str]:
    """Return the parts of a text, each ended by a slash before a space, outside of comments."""
    parts, depth, at = [], 0, 0
    for match in re.finditer(r"[<>]|/(?=\s|\Z)", text):
        depth += (match[0] == "<") - (match[0] == ">")
        if match[0] == "/" and depth <= 0:
            parts.append(text[at : match.start()])
            at = match.end()
    return [*parts, text[at:]]


def _read_items(text: str, last: int) -> Iterator[_Item]:
    """Yield the items, with what is written of characters up to the last."""
    for item in re.split(_BEFORE + "#", drop_comments(text, "<", ">"), flags=re.MULTILINE)[1:]:
        name, _, values = re.sub(r"/(?=\s)", "\0", item, count=1).partition("\0")
        is_variant = name.startswith("+")
        yield _Item(_plain(name[is_variant:]), dict(_read_pairs(values, last)), is_variant)


def _read_pairs(text: str, last: int) -> Iterator[tuple[int, str]]:
    """Yield the value of each number up to the last; a text without one."""
    for numbers, value in re.findall(r"(?:^|(?<=\s))(\d+(?:-\d+)?),(\S+)", text):
        for number in _read_span(numbers, last):
            yield number, value


def _read_numbers(text: str, last: int) -> set[int]:
    """Return the numbers of a list of them, up to the last."""
    return {number for span in text.split() for number in _read_span(span, last)}


def _read_span(text: str, last: int) -> range:
    """Return the numbers of ``3`` or ``3-5`` up to the last."""
    ends = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", text)
    return range(int(ends[1]), min(int(ends[2] or ends[1]), last) + 1) if ends else range(0)


def _read_rules(
    text: str, states: Mapping[int, Sequence[str]], last: int
) -> dict[int, dict[int, set[int]]]:
    """Return by character, and by what controls it, the states with which it does not apply."""
    rules: dict[int, dict[int, set[int]]] = {}
    dependent = _find_directive(text, "(?:DEPENDENT|INAPPLICABLE) CHARACTERS")
    for control, by, those in re.findall(r"(\d{1,5}),([\d/-]+):([\d:-]+)", dependent):
        n_states = len(states.get(int(control), ()))
        lacking = {state for part in by.split("/") for state in _read_span(part, n_states)}
        for one in (one for part in those.split(":") for one in _read_span(part, last)):
            rules.setdefault(one, {}).setdefault(int(control), {_LACKING}).update(lacking)
    return rules


def _read_states(text: str, count: int) -> set[int]:
    """Return the states that a value may mean; none if it is unknown."""
    found: set[int] = set()
    for part in re.split("[/&]", text):
        if part == "V":
            found.update(range(1, count + 1))
        elif part == "-":
            found.add(_LACKING)
        else:
            found.update(_read_span(part, count))
    return found


def _plain(text: str) -> str:
    """Return a text without marks of type and of comments."""
    return clean(re.sub(r"\\[a-z]+-?\d*(\{\}| )?|[{}<>]", "", text))


# What is said for KEY: other states, intervals of numbers, costs, weights.

_NUMBER = r"(-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))"
_PART = re.compile(rf"~{_NUMBER}|{_NUMBER}~|{_NUMBER}(?:-{_NUMBER})?")
_VALUE = re.compile(
    rf"(?:\({_NUMBER}-\))?{_NUMBER}(?:-{_NUMBER})?(?:-{_NUMBER})?(?:\(-{_NUMBER}\))?"
)
_USUAL = Decimal(5)  # of 0 to 10: the reliability, or abundance, of what has none
_SCALE = 100
_MOST_BASE = Decimal("2.5")  # up to this, a question costs from 1 to 10,000

_USUAL_COST = _SCALE
"""What a question of the usual reliability costs, whatever RBASE is."""

_Interval = tuple[Decimal, Decimal]  # numbers, or states, between two that belong to it


class _KeyStates(NamedTuple):
    """The states that a character has in a key: their labels, and the values that each covers."""

    labels: list[str]
    covers: list[list[_Interval]]

    def find(self, values: Collection[_Interval]) -> set[int]:
        """Return the states, from 1, that some of the values belong to."""
        numbered = enumerate(self.covers, start=1)
        return {number for number, parts in numbered if any(_meet(parts, one) for one in values)}


def _meet(parts: Iterable[_Interval], value: _Interval) -> bool:
    return any(low <= value[1] and value[0] <= high for low, high in parts)


def _read_key_states(written: str, states: Sequence[str], units: str, where: str) -> _KeyStates:
    """Return the key states of a character that has `states`, or else numbers.

    ``1&3/2`` puts the first and the third state together; ``~2/2-5/5~`` are three intervals.
    GameError, with `where`, if they are not written so.
    """
    found = _KeyStates([], [])
    for state in written.split("/"):
        parts, labels = [], []
        for match in map(_PART.fullmatch, state.split("&")):
            if match is None:
                raise GameError(
                    f"{where}: {written!r:.80} are no key states, as 1&2/3 or ~2/3-5/6~"
                )
            most, least, low, high = match.groups()
            parts.append(
                (Decimal(least or low or "-Infinity"), Decimal(most or high or low or "Infinity"))
            )
            label = f"up to {most}" if most else f"{least} or more" if least else low
            labels.append(f"{low} to {high}" if high else label)
        if states:
            numbered = enumerate(map(Decimal, range(1, len(states) + 1)))
            labels = [states[place] for place, one in numbered if _meet(parts, (one, one))]
        found.labels.append(" or ".join(labels) + f" {units}".rstrip() * (not states))
        found.covers.append(parts)
    return _KeyStates(number_alike(found.labels, "state"), found.covers)


def _read_values(written: str) -> list[_Interval]:
    """Return the numbers that a value of an item may mean, extreme ones too: ``(1-)2-3/7``."""
    found = []
    for match in map(_VALUE.fullmatch, re.split("[/&]", written)):
        numbers = [Decimal(number) for number in match.groups() if number] if match else []
        found += [(min(numbers), max(numbers))] if numbers else []
    return found


def _read_costs(text: str, last: int, name: str) -> tuple[list[int], str]:
    """Return the costs of all characters, and the formula; empty if the text has none.

    KEY's formula, RBASE^(5 - reliability), in hundredths.
    """
    levels = _read_levels(text, "CHARACTER RELIABILITIES", "CHARACTER WEIGHTS", last, name)
    base = _read_base(text, "RBASE", "1.4", name)
    costs = [round(_SCALE * base ** (_USUAL - level)) for level in levels]
    note = f"questions cost {_SCALE} × {base}^(5 - reliability) (`costs='none'`: 1 each)"
    return costs, note * bool(costs)


def _read_weights(text: str, last: int, name: str) -> tuple[list[int], str]:
    """Return the weights of all items, and the formula; empty if the text has none.

    KEY's formula, ABASE^(abundance - 5), in hundredths of the least.
    """
    levels = _read_levels(text, "ITEM ABUNDANCES", "ITEM WEIGHTS", last, name)
    base = _read_base(text, "ABASE", "2", name)
    weights = [round(_SCALE * base**level) for level in levels]
    return weights, f"items weigh {base}^(abundance - 5) (`weights='none'`: 1 each)" * bool(weights)


def _read_levels(text: str, levels: str, weights: str, last: int, name: str) -> list[Decimal]:
    """Return the levels of numbers up to the last, of which a weight is 2^(level - 5)."""
    found = dict.fromkeys(range(1, last + 1), _USUAL)
    given = 0
    for directive in (levels, weights):
        for number, written in _read_pairs(_find_directive(text, directive), last):
            value = Decimal(written) if re.fullmatch(_NUMBER, written) else Decimal(-1)
            if directive == weights and value > 0:
                value = round(_USUAL + value.ln() / Decimal(2).ln(), 20)
            if not 0 <= value <= 10:
                what = "0 to 10" if directive == levels else "0.03125 to 32"
                raise GameError(f"{name}: {directive} are {what}, not {written!r:.40} of {number}")
            found[number], given = value, given + 1
    return [found[number] for number in range(1, last + 1)] if given else []


def _read_base(text: str, directive: str, usual: str, name: str) -> Decimal:
    """Return the base of a formula, as a directive has it."""
    written = _find_directive(text, directive).strip() or usual
    if not re.fullmatch(_NUMBER, written) or not 1 <= Decimal(written) <= _MOST_BASE:
        raise GameError(f"{name}: {directive} is from 1 to {_MOST_BASE}, not {written!r:.40}")
    return Decimal(written)
