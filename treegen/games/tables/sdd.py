"""SDD, Structured Descriptive Data of TDWG: characters and coded descriptions in XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...errors import GameError
from ..text import clean
from .sheet import JOIN, Sheet, number_alike, refuse_sparse

if TYPE_CHECKING:
    from collections.abc import Sequence
    from xml.etree.ElementTree import Element

_BEGIN = re.compile(r"<(?:\w+:)?Datasets\b[^<>]*\btdwg\.org")
_LACKING = "NotApplicable"


def looks_like_sdd(head: str) -> bool:
    """Whether a text is XML whose root is that of SDD."""
    return head.lstrip().startswith("<") and _BEGIN.search(head) is not None


def read_sdd(text: str, name: str) -> Sheet:
    """Return the sheet of the coded descriptions.

    Several states are a set; a character that does not apply is answered by ``-``. Numbers, texts
    and samples are left out.
    """
    root = _parse(text, name)
    taxa = {each.get("id"): _label(each) for each in root.iterfind(".//{*}TaxonNames/{*}TaxonName")}
    asked = root.findall(".//{*}Characters/{*}CategoricalCharacter")
    states = {
        state.get("id"): label
        for each in asked
        for state, label in _name_states(each.findall("./{*}States/{*}StateDefinition"))
    }
    described = root.findall(".//{*}CodedDescriptions/{*}CodedDescription")
    coded = [each.findall("./{*}SummaryData/{*}Categorical") for each in described]
    refuse_sparse(len(described) * len(asked) - sum(map(len, coded)), name)
    if not described or not asked:
        what = "coded descriptions" if asked else "categorical characters"
        raise GameError(f"{name} has no {what}: SDD has them in {what.title().replace(' ', '')}")
    rows = []
    for description, own in zip(described, coded, strict=True):
        scope = description.find("./{*}Scope/{*}TaxonName")
        label = _label(description) or taxa.get(None if scope is None else scope.get("ref"), "")
        found: dict[str | None, dict[str, None]] = {}
        for each in own:  # a character comes again where its states have other conditions
            found.setdefault(each.get("ref"), {}).update(dict.fromkeys(_list_states(each, states)))
        rows.append([label, *(JOIN.join(found.get(each.get("id"), ())) for each in asked)])
    left = len(root.findall(".//{*}Characters/*")) - len(asked)
    notes = [f"SDD: {left} characters of numbers or texts are left out"] * bool(left)
    header = ["taxon", *number_alike(map(_label, asked), "character")]
    return Sheet(
        header, enumerate(rows, start=1), "SDD", unit="description", joint=JOIN, notes=notes
    )


def _parse(text: str, name: str) -> Element:
    """Return the root; raise GameError for what is not XML, or may stand for other texts."""
    from xml.etree.ElementTree import ParseError, fromstring  # not needed by most

    # Entities, which may grow without an end or name files, are declared nowhere else.
    if "<!DOCTYPE" in text:
        raise GameError(f"{name} has a DOCTYPE, as SDD never has: nothing of it is read")
    try:
        return fromstring(text)
    except (ParseError, ValueError) as error:
        raise GameError(f"{name} is not XML: {error}") from None


def _label(element: Element) -> str:
    """Return the label of an element, in its first language; empty if it has none."""
    return clean(element.findtext("./{*}Representation/{*}Label") or "")


def _name_states(states: Sequence[Element]) -> list[tuple[Element, str]]:
    """Return states with labels of which each is another."""
    return list(zip(states, number_alike(map(_label, states), "state"), strict=True))


def _list_states(categorical: Element, states: dict[str | None, str]) -> list[str]:
    """Return the states of a character in a description; empty if they are not known."""
    found = [states.get(each.get("ref"), "") for each in categorical.iterfind("./{*}State")]
    lacking = [each for each in categorical.iterfind("./{*}Status") if each.get("code") == _LACKING]
    return [*filter(None, found), *["-"] * bool(lacking)]
