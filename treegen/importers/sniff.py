"""Detect a text's format from its beginning."""

from __future__ import annotations

import re

from ..errors import FormatError
from .json_text import parse_json
from .latex import is_latex
from .nested import strip_module

_SIGNS = {
    "graphml": r"\s*<(\?xml|graphml|gexf)",
    "gv": r"\s*(strict )?digraph\b",
    "yaml": r"(---\n)?- \S+\n- [XO-]+:",
    "punch-card": r" +[XO-]+ [XO-]+ ",
    "wordle": r"\S+ [BGYbgy]+\d+( |\n)",
    "codegolf": r"\s*\{",
    "indented": r"\S+ (\(\d+\)\n {2}\S|\*\n*$)|1 [^\n]* → ",
    "key": r"1 [^\n]* \.{3,} ",
    "irving": r"\s*\d+ *\(|\s*[12]\s*$",
    "r-post": r"1: {4}\S|[^\n]* \| \*\n",
    "lines": r"\S+ \d+ \S+:\S+",
}
_JSON = re.compile(r'\s*(?:\{\s*["}]|\[|export\s+default\s)')
_WORD = re.compile(r"\s*[\w.]+\s*")


def sniff_format(text: str) -> str:
    """Return the format that the beginning of a text indicates; JSON is read whole.

    Raises
    ------
    FormatError
        It is not a known format, or it is broken JSON.

    Examples
    --------
    >>> sniff_format('{"guess": "12", "map": {"00": "33"}}'), sniff_format("9 (12: 1, 2, 1; 4; 1)")
    ('nested', 'irving')
    """
    if _is_csv(text):
        return "csv"
    is_wordle = re.match(_SIGNS["wordle"], text)  # whatever signs the first word begins with
    if _JSON.match(text) and not is_wordle:
        try:
            return _sniff_json(text)
        except FormatError:
            if not _is_csv(text):
                raise
    if is_latex(text):
        return "irving"
    for name, pattern in _SIGNS.items():
        if re.match(pattern, text):
            return name
    if _WORD.fullmatch(text):  # a tree of one state; as csv it is the same
        return "codegolf"
    start = text[:40].split("\n")[0]
    raise FormatError(f"line 1: a text that begins {start!r} is in no known format")


def _sniff_json(text: str) -> str:
    value = parse_json(strip_module(text))
    keys = set(value) if isinstance(value, dict) else set()
    if "nodes" in keys:
        return "json"
    if "tree" in keys:
        return "pymm"
    if "guess" in keys:
        return "nested"
    names = ", ".join(map(repr, sorted(keys)[:5])) or "no object"
    raise FormatError(
        f"JSON of no known format ({names}): node-link has the field 'nodes', pymm 'tree',"
        " nested trees 'guess'"
    )


def _is_csv(text: str) -> bool:
    """Whether the lines are games: guesses of any signs joined by commas, the first one the same.

    Without a column of secrets, that is, which may stand before the first guess.
    """
    lines = [line.strip() for line in text[:_HEAD].split("\n")[:20] if line.strip()]
    games = [
        [guess.strip() for guess in line.split(",")]
        for line in lines[: -1 if len(text) > _HEAD else None]
    ]
    guesses = [guess for game in games for guess in game]
    if not any("," in line for line in lines) or re.search(r"\s", "".join(guesses)):
        return False
    if len(games) == 1:
        return all(map(_GUESS.fullmatch, guesses))
    is_one = len({game[0] for game in games}) == 1
    has_secrets = all(len(game) > 1 and game[0] == game[-1] for game in games)
    lengths = set(map(len, guesses))
    return (is_one or has_secrets) and 0 not in lengths and (len(lengths) == 1 or "." in text)


_HEAD = 1 << 16
_GUESS = re.compile(r"[\w.]+")
