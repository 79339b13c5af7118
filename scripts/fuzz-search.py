"""Search random games of all kinds, and compare each with a plain recursion.

Usage: fuzz-search.py [--games 300] [--seed 1] [--certificates]

A seed names a game: pegs, words, ready games and tables, also with gaps and classes; weights,
costs, goals, eligible guesses, objectives, caps, first guesses and histories, all crossed. Figures
and refusals must be those of `tests/naive_exact.py` and `tests/naive_shares.py`; two threads that
share even the smallest search must find the same tree; `verify` must prove it. With --certificates
each tree that certificates cover is certified, and the certificate checked. Prints how many games
of each kind there were, and for each failure a command that repeats it; then PASSED or FAILED.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import treegen  # noqa: E402
from tests.exact import test_differential as differential  # noqa: E402
from tests.exact.searching import build_optimal  # noqa: E402
from treegen.errors import UsageError  # noqa: E402

SIZES = [6, 9, 12]
"""Words of a list, or rows of a table, at most."""

SHARED = {"alone_s": -1.0, "min_units": 1, "max_units": 20, "local": (0.0, 0.001)}
"""Times with which two threads share the smallest search."""


def main(args: Sequence[str] | None = None) -> int:
    """Search and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--certificates", action="store_true", help="certify each tree, too")
    options = parser.parse_args(args)
    counts, n_failed = Counter[str](), 0
    for seed in range(options.seed, options.seed + options.games):
        try:
            counts.update(compare(seed, is_certified=options.certificates))
        except Exception:  # whatever happens, the others are compared
            n_failed += 1
            traceback.print_exc()
            more = " --certificates" * options.certificates
            print(f"FAILED: scripts/fuzz-search.py --games 1 --seed {seed}{more}", flush=True)
    print("; ".join(f"{number:,} {name}" for name, number in sorted(counts.items())))
    print(f"FAILED: {n_failed}" if n_failed else "PASSED")
    return 1 if n_failed else 0


def compare(seed: int, *, is_certified: bool) -> list[str]:
    """Search a random game; return what to count it as."""
    if seed % 3 == 0:
        drawn = differential.draw_uncertain(seed)
        if drawn is None:  # each answer is certain, or there are too many choices for a recursion
            return ["left out"]
        game, *_, options = drawn
        tree = differential.check_uncertain(seed)
    else:
        most = SIZES[seed // 3 % len(SIZES)]
        game, *_, options = differential.draw_case(random.Random(seed), most)
        tree = differential.check_case(seed, most)
    if tree is None:
        return [game.kind]
    report = treegen.verify(tree, prove=True)
    assert report.is_proved, report
    options |= {"history": tree.provenance.history, "first": tuple(options["first"] or ())}
    shared = build_optimal(game, jobs=2, budget=SHARED, **options)
    assert (shared.digest, shared.provenance) == (tree.digest, tree.provenance)
    found = [game.kind, f"{game.kind} with a tree"]
    return found + ["certificates"] * (is_certified and certify(tree))


def certify(tree: treegen.Tree) -> bool:
    """Certify a tree and check the certificate; return False if none covers it."""
    try:
        text = treegen.certify(tree)
    except UsageError as error:
        assert "certificates" in str(error) or "nothing is to be proved" in str(error), error
        return False
    report = treegen.verify(tree, certificate=text.encode())
    assert report.is_proved, report
    return True


if __name__ == "__main__":
    sys.exit(main())
