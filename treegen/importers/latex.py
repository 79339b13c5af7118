"""Find a tree in the papers' notation in a LaTeX source, keeping every character's place.

A paper prints ``1296 (1122: …)`` and the paragraphs ``A = (…)`` between headings and commands.
Whatever does not belong to the tree becomes white space, so that errors still refer to the source's
lines.
"""

from __future__ import annotations

import re

from ..errors import FormatError

_COMMAND = re.compile(r"\\[a-zA-Z]+")
_BEGIN = re.compile(
    r"(?:\A|^[^\S\n]*\n|^[{\\%][^\n]*\n|\{)[^\S\n]*(\d{1,10}) ?\([^\s:(),]+ ?:", re.MULTILINE
)
"""The first line of a tree, after an empty line or markup."""
_END = re.compile(r"^[^\S\n]*\\(?:chapter|(?:sub)*section|paragraph|end\{document\})", re.MULTILINE)
_MARKUP = re.compile(r"(?<!\\)%[^\n]*|\\[a-zA-Z]+\*?(?:\{[^{}\n]*\}|\[[^\]\n]*\])*|\\\\|[{}$~]")


def is_latex(text: str) -> bool:
    """Whether a text has LaTeX commands and a tree between them."""
    return _COMMAND.search(text) is not None and _BEGIN.search(text) is not None


def cut_out(text: str, n_candidates: int) -> str:
    r"""Return a text of the same length with only the tree of so many candidates.

    Raises
    ------
    FormatError
        The source has no such tree, or several.

    Examples
    --------
    >>> cut_out(r"\\section{Two}" + "\\n{2 (12: 0, 1; 1)}", 2).strip()
    '2 (12: 0, 1; 1)'
    """
    begins = list(_BEGIN.finditer(text))
    fitting = [match for match in begins if int(match.group(1)) == n_candidates]
    if len(fitting) != 1:
        found = ", ".join(f"{match.group(1)} in line {_line(text, match)}" for match in begins)
        raise FormatError(
            f"the LaTeX source has {len(fitting)} trees of {n_candidates} candidates"
            f" (it has {found or 'none'}): give only the one that is meant"
        )
    start = fitting[0].start(1)
    later = [match.start() for match in begins if match.start(1) > start]
    heading = _END.search(text, start)
    end = min([*later[:1], heading.start() if heading else len(text)])
    block = _MARKUP.sub(lambda markup: " " * len(markup.group()), text[start:end])
    return re.sub(r"\S", " ", text[:start]) + block + re.sub(r"\S", " ", text[end:])


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start(1)) + 1
