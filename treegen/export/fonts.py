"""Fonts of the machine for signs that the usual fonts lack; the signs that none has are told.

Pictures in SVG hold text, which the reader's fonts show; in PNG and PDF it is drawn here.
"""

from __future__ import annotations

import subprocess
import unicodedata
import warnings
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from ..errors import TreegenWarning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMMON = 0x250
"""Signs before this one, Latin letters, are in every font that pictures are drawn with."""

OURS = frozenset("→–…≈≤■×·")
"""What pictures write besides labels."""

SHOWN = 8
"""So many missing signs are named."""


def use_fonts(figure: Figure) -> set[str]:
    """Let a figure's texts take from other fonts what theirs lack; return the signs of no font."""
    from matplotlib.font_manager import FontProperties, findfont
    from matplotlib.text import Text

    texts = figure.findobj(Text)
    signs = _list_rare(sign for text in texts for sign in text.get_text())
    missing = signs - _read_signs(findfont(FontProperties())) if signs else signs
    families = []
    fonts = _list_fonts(missing) if missing else {}
    while missing and fonts:
        best = max(fonts, key=lambda name: len(fonts[name] & missing))  # of equal ones, the first
        if not fonts[best] & missing:
            break
        missing = missing - fonts.pop(best)
        families.append(best)
    for text in texts if families else ():
        text.set_fontfamily([*text.get_fontfamily(), *families])
    return missing


def find_missing(text: str) -> set[str]:
    """Return the signs of a text that no font of the machine has, as far as fontconfig knows them.

    Graphviz takes each sign from whatever font has it.
    """
    signs = _list_rare(text)
    if not signs:
        return signs
    try:
        listed = subprocess.run(
            ["fc-list", "--format", "%{charset}\n"], capture_output=True, check=True, text=True
        ).stdout
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return set()
    numbers = {sign: ord(sign) for sign in signs}
    for word in set(listed.split()):
        first, _, last = word.partition("-")
        known = range(int(first, 16), int(last or first, 16) + 1)
        numbers = {sign: number for sign, number in numbers.items() if number not in known}
    return set(numbers)


def warn_of_missing(signs: Collection[str]) -> None:
    """Warn, in one line, that a picture cannot show some signs."""
    if signs:
        shown = " ".join(sorted(signs)[:SHOWN])
        more = f" and {len(signs) - SHOWN:,} more" if len(signs) > SHOWN else ""
        text = f"no font of this machine has {shown}{more}: the picture shows boxes for them"
        warnings.warn(TreegenWarning(f"{text}; an SVG shows them"), stacklevel=2)


def _list_rare(signs: Iterable[str]) -> set[str]:
    """Return the signs that a usual font may lack; joiners and selectors are never drawn."""
    return {
        sign
        for sign in signs
        if ord(sign) >= COMMON
        and sign not in OURS
        and unicodedata.category(sign) != "Cf"
        and not 0xFE00 <= ord(sign) <= 0xFE0F
    }


def _list_fonts(wanted: set[str]) -> dict[str, set[str]]:
    """Return which of some signs the machine's fonts have, by family."""
    from matplotlib.font_manager import fontManager

    fonts: dict[str, set[str]] = {}
    for entry in sorted(fontManager.ttflist, key=lambda entry: (entry.name, entry.fname)):
        is_last_resort = "lastresort" in entry.name.replace(" ", "").lower()  # boxes for all signs
        if entry.style == "normal" and entry.name not in fonts and not is_last_resort:
            fonts[entry.name] = wanted & _read_signs(entry.fname)
    return fonts


def _read_signs(path: str) -> set[str]:
    """Return the signs of a font; none if it cannot be read."""
    from matplotlib.ft2font import FT2Font

    try:
        return set(map(chr, FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):
        return set()
