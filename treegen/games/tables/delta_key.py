"""What DELTA says for its program KEY: other states, intervals of numbers, costs, weights."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from ...errors import GameError
from .delta_directives import find_directive, read_pairs
from .sheet import number_alike

_NUMBER = r"(-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))"
_PART = re.compile(rf"~{_NUMBER}|{_NUMBER}~|{_NUMBER}(?:-{_NUMBER})?")
_VALUE = re.compile(
    rf"(?:\({_NUMBER}-\))?{_NUMBER}(?:-{_NUMBER})?(?:-{_NUMBER})?(?:\(-{_NUMBER}\))?"
)
_USUAL = Decimal(5)  # of 0 to 10: the reliability, or abundance, of what has none
_SCALE = 100
_MOST_BASE = Decimal("2.5")  # up to this, a question costs from 1 to 10,000

USUAL_COST = _SCALE
"""What a question of the usual reliability costs, whatever RBASE is."""

Interval = tuple[Decimal, Decimal]  # numbers, or states, between two that belong to it


class KeyStates(NamedTuple):
    """The states that a character has in a key: their labels, and the values that each covers."""

    labels: list[str]
    covers: list[list[Interval]]

    def find(self, values: Collection[Interval]) -> set[int]:
        """Return the states, from 1, that some of the values belong to."""
        numbered = enumerate(self.covers, start=1)
        return {number for number, parts in numbered if any(_meet(parts, one) for one in values)}


def _meet(parts: Iterable[Interval], value: Interval) -> bool:
    return any(low <= value[1] and value[0] <= high for low, high in parts)


def read_key_states(written: str, states: Sequence[str], units: str, where: str) -> KeyStates:
    """Return the key states of a character that has `states`, or else numbers.

    ``1&3/2`` puts the first and the third state together; ``~2/2-5/5~`` are three intervals.
    GameError, with `where`, if they are not written so.
    """
    found = KeyStates([], [])
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
    return KeyStates(number_alike(found.labels, "state"), found.covers)


def read_values(written: str) -> list[Interval]:
    """Return the numbers that a value of an item may mean, extreme ones too: ``(1-)2-3/7``."""
    found = []
    for match in map(_VALUE.fullmatch, re.split("[/&]", written)):
        numbers = [Decimal(number) for number in match.groups() if number] if match else []
        found += [(min(numbers), max(numbers))] if numbers else []
    return found


def read_costs(text: str, last: int, name: str) -> tuple[list[int], str]:
    """Return the costs of all characters, and the formula; empty if the text has none.

    KEY's formula, RBASE^(5 - reliability), in hundredths.
    """
    levels = _read_levels(text, "CHARACTER RELIABILITIES", "CHARACTER WEIGHTS", last, name)
    base = _read_base(text, "RBASE", "1.4", name)
    costs = [round(_SCALE * base ** (_USUAL - level)) for level in levels]
    note = f"questions cost {_SCALE} × {base}^(5 - reliability) (`costs='none'`: 1 each)"
    return costs, note * bool(costs)


def read_weights(text: str, last: int, name: str) -> tuple[list[int], str]:
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
        for number, written in read_pairs(find_directive(text, directive), last):
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
    written = find_directive(text, directive).strip() or usual
    if not re.fullmatch(_NUMBER, written) or not 1 <= Decimal(written) <= _MOST_BASE:
        raise GameError(f"{name}: {directive} is from 1 to {_MOST_BASE}, not {written!r:.40}")
    return Decimal(written)
