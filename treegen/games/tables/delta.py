"""DELTA, descriptions of taxa: characters, items and specifications."""

from __future__ import annotations

import re
from decimal import Decimal

from ...errors import GameError
from .delta_directives import (
    LACKING,
    find_directive,
    read_characters,
    read_items,
    read_numbers,
    read_pairs,
    read_rules,
    read_span,
    read_states,
)
from .delta_key import USUAL_COST, read_costs, read_key_states, read_values, read_weights
from .sheet import JOIN, Sheet, number_alike, refuse_sparse

_OF_STATES, _OF_NUMBERS = ("UM", "OM"), ("IN", "RN")


def read_delta(text: str, name: str) -> Sheet:
    """Return the sheet of DELTA's directives.

    An implicit state holds where no state is written. A character that does not apply is
    answered by ``-``. Texts are left out, and numbers that have no key states, unless somebody asks
    for their thresholds. Reliabilities of characters are costs, abundances of items weights.
    """
    features, states, units = read_characters(find_directive(text, "CHARACTER LIST"))
    last = max(states, default=0)
    refuse_sparse(
        sum(len(read_span(span, last)) for span in re.findall(r"\b\d{1,5}-\d{1,5}\b", text)), name
    )
    kinds = dict(read_pairs(find_directive(text, "CHARACTER TYPES"), last))
    implicit = dict(read_pairs(find_directive(text, "IMPLICIT VALUES"), last))
    keys = {
        one: read_key_states(written, states[one], units[one], f"{name}, character {one}")
        for one, written in read_pairs(find_directive(text, "KEY STATES"), last)
        if one in states and (states[one] or kinds.get(one) in _OF_NUMBERS)
    }
    excluded = read_numbers(find_directive(text, "EXCLUDE CHARACTERS"), last)
    usable = [
        one
        for one in sorted(states)
        if one in keys or (states[one] and kinds.get(one, "UM") in _OF_STATES)
    ]
    asked = [one for one in usable if one not in excluded]
    numeric = [one for one in sorted(states) if one not in keys and kinds.get(one) in _OF_NUMBERS]
    measured = [one for one in numeric if one not in excluded]
    columns = [*asked, *measured]
    rules = read_rules(text, states, last)
    items = list(read_items(find_directive(text, "ITEM DESCRIPTIONS"), last))
    n_cells = len(items) * (len(columns) + sum(map(len, rules.values())))
    refuse_sparse(n_cells - sum(len(item.written) for item in items), name)
    if not items or not columns:
        raise GameError(
            f"{name} has no {'items' if columns else 'characters of states'}: DELTA has them in"
            f" {'*ITEM DESCRIPTIONS' if columns else '*CHARACTER LIST'}"
        )
    weights, how_weighed = read_weights(text, len(items), name)
    costs, how_costly = read_costs(text, last, name)
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
            chosen = known[one] = read_states(value, count)
            if not states[one]:
                chosen |= keys[one].find(read_values(value))
            for control, lacking in rules.get(one, {}).items():
                # What an item says is true, and what it takes over together with what controls it.
                if one in item.written or (one in written and control not in item.written):
                    continue
                seen = known.get(control, set())
                if seen and seen <= lacking:
                    known[one] = {LACKING}
                elif seen & lacking and chosen:  # it may apply, with what is implicit, or not
                    known[one] = known[one] | {LACKING}
        for one in keys.keys() & known.keys():
            if states[one]:
                own = [(Decimal(state), Decimal(state)) for state in known[one] - {LACKING}]
                known[one] = (known[one] & {LACKING}) | keys[one].find(own)
        cells = [JOIN.join(labels[one][state] for state in sorted(known[one])) for one in asked]
        for one in measured:
            spans = read_values(written.get(one, implicit.get(one, "")))
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
    prices |= {header[0]: USUAL_COST} if costs else {}  # a question where it holds no names
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
