"""Build games on a graphics card and on the processor, compare the trees, print a table.

Usage: python scripts/bench-device.py [--jobs N] [--runs N] [--alone] [GAME:STRATEGY ...]

Each line is a row for docs/notes/performance.md: the median of the runs after a first one, which
compiles the kernels. With --alone the processor does not build, and nothing is compared. It exits
with 1 if a tree of the card differs from the processor's, or if the processor built it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from hashlib import sha256
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import treegen
from treegen.errors import TreegenError
from treegen.formats.tree_file import generate_tree_bytes

RULES = ("knuth", "most-parts", "expected-size", "entropy")
GAMES = ("p6c9r", "p7c7r")
BUILDS = [f"{game}:{rule}" for game in GAMES for rule in RULES] + ["p7c8r:knuth", "p7c9r:knuth"]


def build(game: str, rule: str, device: str | None, jobs: int) -> tuple[float, str]:
    """Return the seconds that a build takes, and the digest of its tree."""
    remarks: list[str] = []
    start_s = time.perf_counter()
    tree = treegen.build(game, rule, device=device, jobs=jobs, notice=remarks.append)
    elapsed_s = time.perf_counter() - start_s
    if remarks:
        raise TreegenError(f"{game} {rule}: {remarks[0]}")
    return elapsed_s, sha256(b"".join(generate_tree_bytes(tree))).hexdigest()


def main() -> int:
    """Print the table and whether all digests are equal."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("builds", nargs="*", default=BUILDS, metavar="GAME:STRATEGY")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    is_equal = True
    print(f"| tree | card, first, s | card, s | {options.jobs} threads, s | digest |")
    print("|---|---|---|---|---|")
    for each in options.builds:
        game, _, rule = each.partition(":")
        try:
            first_s, digest = build(game, rule, "cuda", options.jobs)
            times = [build(game, rule, "cuda", options.jobs)[0] for _ in range(options.runs)]
        except TreegenError as error:
            print(f"FAILED: {error}")
            return 1
        processor, verdict = "–", "not compared"
        if not options.alone:
            elapsed_s, expected = build(game, rule, None, options.jobs)
            processor, verdict = f"{elapsed_s:.2f}", "equal" if digest == expected else "DIFFERENT"
            is_equal &= digest == expected
        seconds = f"{first_s:.2f} | {median(times):.2f} | {processor}"
        print(f"| {game} {rule} | {seconds} | {verdict} |", flush=True)
    print("PASSED" if is_equal else "FAILED: a tree differs")
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
