"""Give damaged certificates to the checker in C, with sanitizers: it may only take what is true.

Usage: fuzz-checker.py [--mutants 10000] [--seed 22] [--python N]

It must neither crash nor hang nor read beyond its memory. The first N mutants go to the checker in
Python, too, which must judge alike. Prints PASSED or FAILED; a certificate that fails stays in
build/fuzz/.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.checker import mutate  # noqa: E402

FOLDER = ROOT / "build" / "fuzz"


def main(args: Sequence[str] | None = None) -> int:
    """Fuzz the checkers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--python", type=int, default=500, metavar="N")
    options = parser.parse_args(args)
    FOLDER.mkdir(parents=True, exist_ok=True)
    program = mutate.compile_checker(FOLDER)
    if program is None:
        print("FAILED: no C compiler with sanitizers", file=sys.stderr)
        return 1
    paths = mutate.write_lists(FOLDER, (mutate.WORDS, mutate.OTHER_WORDS))
    bases, n_taken, n_failed = mutate.make_bases(), 0, 0
    for number, (data, words) in enumerate(mutate.mutants(bases, options.mutants, options.seed)):
        lists = paths if words else []
        try:
            if number < options.python:
                n_taken += mutate.judge(program, data, words, lists)
            elif mutate.run_c(program, data, lists)[0]:
                n_taken += 1
                assert mutate.is_true(data, words), "a false claim was taken"
        except Exception as error:  # whatever happens, the certificate is kept
            n_failed += 1
            (FOLDER / f"{number}.proof").write_bytes(data)
            print(f"mutant {number}: {error}", file=sys.stderr)
    print(f"{options.mutants} certificates, {n_taken} taken")
    print(f"FAILED: {n_failed}" if n_failed else "PASSED")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
