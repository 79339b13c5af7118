"""Measure word games on the lists of Wordle, which are not ours to ship.

Usage::

    python scripts/bench-words.py [--lists DIR] [--all] [NAME ...]

DIR (or the environment's TREEGEN_WORD_LISTS) holds the files ``wordlist_*`` of
https://github.com/alex1770/wordle; without them it measures nothing, and prints that. Each row
is a whole command, start included, and its result is compared with the published one. CPU seconds
of all threads count. ``--all`` adds the rows that take minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

ORIGINAL = "wordlist_orig_hidden", "wordlist_orig_all"
EVERY_WORD = "wordlist_nyt20220830_all", ""
IN_2022 = "wordlist_nyt20220830_hidden", "wordlist_nyt20220830_all"
IN_2023 = "wordlist_nyt20230701_hidden", "wordlist_all"
HARD = "--eligible", "hints"
SIX = "--max-length", "6"
"""Published totals of hard mode allow six guesses."""


@dataclass(frozen=True, slots=True)
class Row:
    """A command to measure.

    Attributes
    ----------
    name
        What it does.
    lists
        Files of the secrets and of all guesses.
    options
        Of ``treegen build``, or of ``treegen openings`` if they begin with that word.
    total
        The published total, or that of the rule; None: no tree is short enough, which is proved.
    must_s
        CPU seconds that it may take.
    is_limit
        Whether a lower total is as good.
    is_long
        Whether it takes minutes.
    published
        The file that lists openings with their totals, the best first.
    """

    name: str
    lists: tuple[str, str]
    options: tuple[str, ...]
    total: int | None
    must_s: float
    is_limit: bool = False
    is_long: bool = False
    published: str = ""


def _optimal(*options: str) -> tuple[str, ...]:
    return ("-s", "optimal", *options)


def _rank(name: str, lists: tuple[str, str], published: str, total: int, *options: str) -> Row:
    words = ("openings", *_optimal("--top", "20", *options))
    return Row(name, lists, words, total, 1800.0, is_long=True, published=published)


ROWS = (
    Row("a rule's tree", ORIGINAL, ("-s", "entropy"), 8018, 1.0),
    Row("a rule's tree, every word hidden", EVERY_WORD, ("-s", "entropy"), 61315, 5.0),
    Row("optimal after salet", ORIGINAL, _optimal("--first", "salet"), 7920, 3.0),
    Row("best in 10 s", ORIGINAL, ("-s", "best", "--time-limit", "10"), 7930, 25.0, is_limit=True),
    Row("no tree of 4 guesses", ORIGINAL, _optimal("--max-length", "4"), None, 480.0),
    Row("optimal", ORIGINAL, _optimal(), 7920, 480.0, is_long=True),
    Row("optimal, 2022", IN_2022, _optimal(), 7883, 600.0, is_long=True),
    Row("optimal, 2023", IN_2023, _optimal(), 11219, 600.0, is_long=True),
    Row("a rule's tree, hard mode", ORIGINAL, ("-s", "most-parts", *HARD), 8174, 1.5),
    Row("hard mode after salet", ORIGINAL, _optimal("--first", "salet", *HARD, *SIX), 8122, 5.0),
    Row(
        "hard mode after salet, 2022", IN_2022, _optimal("--first", "salet", *HARD, *SIX), 8097, 6.0
    ),
    Row(
        "hard mode after tarse, 2023",
        IN_2023,
        _optimal("--first", "tarse", *HARD, *SIX),
        11627,
        30.0,
    ),
    Row("hard mode", ORIGINAL, _optimal(*HARD, *SIX), 8122, 480.0, is_long=True),
    Row("optimal, 5 guesses", ORIGINAL, _optimal("--max-length", "5"), 7920, 480.0, is_long=True),
    Row(
        "optimal, fewest longest games",
        ORIGINAL,
        _optimal("--objective", "total,worst,n_worst"),
        7920,
        1440.0,
        is_long=True,
    ),
    _rank("20 best openings", ORIGINAL, "normal.top105.proven", 7920),
    _rank("20 best openings, 2023", IN_2023, "results_easy_nyt20230701", 11219),
    _rank("20 best openings, hard mode", ORIGINAL, "hard.top101.proven", 8122, *HARD, *SIX),
)


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(description="Measure word games.")
    parser.add_argument("names", nargs="*", help="only rows whose name begins so")
    parser.add_argument(
        "--lists", type=Path, default=os.environ.get("TREEGEN_WORD_LISTS"), metavar="DIR"
    )
    parser.add_argument("--all", action="store_true", help="the rows that take minutes, too")
    options = parser.parse_args()
    if options.lists is None or not (Path(options.lists) / ORIGINAL[0]).is_file():
        print("bench-words: SKIPPED: no word lists (--lists DIR, or TREEGEN_WORD_LISTS)")
        return 0
    print(f"{'what':36}{'cpu s':>9}{'wall s':>9}{'must s':>9}  total")
    is_good = True
    for row in ROWS:
        is_named = any(row.name.startswith(name) for name in options.names)
        if is_named or (not options.names and (options.all or not row.is_long)):
            is_good = measure(row, Path(options.lists)) and is_good
    print("PASSED" if is_good else "FAILED")
    return 0 if is_good else 1


def measure(row: Row, lists: Path) -> bool:
    """Run a command twice, the second time warm if it is short; print it; whether it is good."""
    for _ in range(1 if row.is_long else 2):
        found, cpu_s, wall_s = run(row, lists)
    total = None if found is None else get_total(found)
    is_right = found is not None and is_as_good(row, total)
    if found is not None and row.published and not agrees(found, lists / row.published):
        is_right = False
    told = "" if is_right else f", not {row.total}: WRONG"
    print(f"{row.name:36}{cpu_s:9.2f}{wall_s:9.2f}{row.must_s:9.2f}  {total}{told}", flush=True)
    return is_right


def is_as_good(row: Row, total: int | None) -> bool:
    """Whether a total is that of the row, or below it where this is a limit."""
    if row.is_limit and row.total is not None and total is not None:
        return total <= row.total
    return total == row.total


def get_total(found: dict[str, Any]) -> int | None:
    """Return the total of a tree, or that of the best opening; None where there is no tree."""
    total: int | None = found["rows"][0]["total"] if "rows" in found else found["total"]
    return total


def agrees(found: dict[str, Any], published: Path) -> bool:
    """Whether the openings of a ranking are the first ones of a published list.

    Openings of equal totals may stand in another order there, and the last ones may be others.
    """
    rows = sorted((row["total"], row["guess"].lower()) for row in found["rows"])
    lines = map(str.split, published.read_text().splitlines())
    listed = sorted((int(words[-1]), words[0]) for words in lines)[: len(rows) + found["tied"]]
    last = rows[-1][0]
    ours, theirs = ([row for row in part if row[0] < last] for part in (rows, listed))
    return found["proved"] and ours == theirs and set(rows) <= set(listed)


def run(row: Row, lists: Path) -> tuple[dict[str, Any] | None, float, float]:
    """Return what a command prints, and the CPU and wall seconds that it takes."""
    secrets, guesses = row.lists
    is_build = row.options[0] != "openings"
    words = ["build", *row.options] if is_build else list(row.options)
    words += [str(lists / secrets), "--feedback", "position", "--json", "--quiet"]
    words += ["--guesses", str(lists / guesses)] if guesses else []
    with tempfile.TemporaryDirectory() as folder:
        words += ["--output", f"{folder}/x.tree"] if is_build else []
        start, before = time.perf_counter(), os.times()
        done = subprocess.run(
            [sys.executable, "-m", "treegen", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        wall_s, after = time.perf_counter() - start, os.times()
    cpu_s = after.children_user + after.children_system
    cpu_s -= before.children_user + before.children_system
    if done.returncode == 2 and done.stderr.rstrip().endswith("(proved)"):
        return {"total": None}, cpu_s, wall_s
    if done.returncode != 0:
        print(done.stderr.strip(), file=sys.stderr)
        return None, cpu_s, wall_s
    return json.loads(done.stdout), cpu_s, wall_s


if __name__ == "__main__":
    sys.exit(main())
