"""Find phrases that have a plainer form, in pages, messages, docstrings and comments.

Usage: python scripts/check-words.py

Say who does what, in the order in which the reader needs it. A phrase joins the list when it has
been mended in several places.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

RETIRED = {
    "rules and a strategy go in": "give treegen a game and a strategy; it builds …",
    "no network to": "works offline",
    "are values": "can be compared, copied and pickled",
    "of any size that fits": "small enough for …",
    "when it strikes": "when time runs out",
    "a line says so": "treegen warns, or prints …",
    "is said of": "say who says it",
    "is held against": "is compared with",
    "is used up already": "say what happens next",
    "minds both": "considers both",
    "the bounds know": "the bounds account for",
    "that (?:is|are) there": "name what it is: finished, written, free",
    "which is not there": "is missing; needs …",
    "has none of the|has not the": "lacks; does not contain",
    "plays no game": "cannot be played",
    "no effect but for": "works only with",
    "belongs to a table of answers": "works only with tables of answers",
    "asks for no rule": "cannot be combined with --strategy",
    "if none are said|unless told": "by default",
    "ends by itself|end by itself": "stop by itself",
    "no secret answers so": "no secret fits that answer",
    "no code answers so": "no code fits that answer",
    "no secret gives the answer": "no word fits the answer",
    "the text says otherwise": "say what the text does",
    "no total below 0": "nothing proved yet",
    "owes before": "cleans up before",
    "in a class room": "for a classroom",
    "so many": "at most N; one for every N; the number of …",
    "as of `": "see `…`",
    "goes on": "continues, resumes",
    "(?:is|are) told(?! apart)": "prints, reports, lists, says",
    "none (?:is|may)": "no … is; name what is missing",
    "what is shown of": "its proved bound",
    "not checked is listed": "the report lists what it could not check",
    "count alike|counts alike": "ignores weights and costs",
    "Return which": "Return the …: a noun",
    "simply": "leave it out",
}
"""Phrases in any case, with any space between the words, and what to write instead."""

PATTERN = re.compile(
    "|".join(rf"\b({phrase})\b".replace(" ", r"\s+") for phrase in RETIRED), re.IGNORECASE
)
BETTER = list(RETIRED.values())


def list_files() -> list[Path]:
    """Return the files that hold prose for users and readers of the code."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "docs" / "tour.ipynb"]
    pages.remove(ROOT / "docs" / "notes" / "style.md")  # it quotes them
    kinds = (".py", ".mjs", ".js", ".html", ".md", ".c", ".h", ".rs", ".go", ".java")
    folders = [(ROOT / "treegen").rglob("*"), (ROOT / "scripts").rglob("*.py")]
    sources = [path for paths in folders for path in paths if path.suffix in kinds]
    sources.remove(Path(__file__).resolve())
    return sorted(path for path in (*pages, *sources) if ".min." not in path.name)


def find_retired(path: Path) -> Iterator[str]:
    """Yield a line for each phrase of a file."""
    text = path.read_text(encoding="utf-8")
    for match in PATTERN.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        better = BETTER[(match.lastindex or 1) - 1]
        yield f"{path.relative_to(ROOT)}:{line}: {match.group()!r}: {better}"


def main() -> int:
    """Print what was found."""
    files = list_files()
    faults = [fault for path in files for fault in find_retired(path)]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{'FAILED' if faults else 'PASSED'}: the words of {len(files)} files")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
