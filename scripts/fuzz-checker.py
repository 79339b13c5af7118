"""Give damaged certificates to the checker in C, with sanitizers: it may only take what is true.

Usage: fuzz-checker.py [--mutants 10000] [--seed 22] [--python N] [--games 300] [--tables 300]

Half of them are of version 1, half of version 2. Tables stand in files, many of them damaged, and
both checkers judge them. Before, small games of all kinds are proved with
no art: what a plain recursion says must be taken, and one more refused. The checker in C must
neither crash nor hang nor read beyond its memory. The first N mutants go to the one in Python, too,
which must judge alike. Prints PASSED or FAILED; a certificate that fails stays in build/fuzz/.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.checker import mutate, naive_proofs  # noqa: E402

FOLDER = ROOT / "build" / "fuzz"


def main(args: Sequence[str] | None = None) -> int:
    """Fuzz the checkers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--python", type=int, default=500, metavar="N")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--tables", type=int, default=300)
    options = parser.parse_args(args)
    FOLDER.mkdir(parents=True, exist_ok=True)
    program = mutate.compile_checker(FOLDER)
    if program is None:
        print("FAILED: no C compiler with sanitizers", file=sys.stderr)
        return 1
    paths = mutate.write_lists(FOLDER, (mutate.WORDS, mutate.OTHER_WORDS))
    n_taken, n_failed = 0, _prove_games(program, options.games, options.seed)
    n_failed += _judge_tables(program, options.tables, options.seed)
    mutants = (
        mutant
        for bases in (mutate.make_bases(), mutate.make_all_bases(options.seed))
        for mutant in mutate.mutants(bases, options.mutants // 2, options.seed)
    )
    for number, (data, words) in enumerate(mutants):
        try:
            if number % (options.mutants // 2) < options.python // 2:
                n_taken += mutate.judge_truth(program, data, words, FOLDER)
            elif mutate.run_c(program, data, paths if words else ())[0]:
                n_taken += 1
                assert mutate.is_true(data, words), "a false claim was taken"
        except Exception as error:  # whatever happens, the certificate is kept
            n_failed += 1
            (FOLDER / f"{number}.proof").write_bytes(data)
            print(f"mutant {number}: {error}", file=sys.stderr)
    print(f"{options.mutants} certificates, {n_taken} taken")
    print(f"FAILED: {n_failed}" if n_failed else "PASSED")
    return 1 if n_failed else 0


def _judge_tables(program: Path, number: int, seed: int) -> int:
    """Judge certificates of tables in files; return how many were judged wrongly."""
    n_taken = n_failed = 0
    bases = mutate.make_all_bases(seed)
    for data, table in mutate.table_mutants(bases, number, seed):
        try:
            n_taken += mutate.judge_table(program, FOLDER, data, table)
        except Exception as error:  # whatever happens, both files are kept
            n_failed += 1
            (FOLDER / f"table-{n_failed}.proof").write_bytes(data)
            (FOLDER / f"table-{n_failed}.table").write_bytes(table)
            print(f"table {n_failed}: {error}", file=sys.stderr)
    print(f"{number} tables in files, {n_taken} taken, {n_failed} judged wrongly")
    return n_failed


def _prove_games(program: Path, number: int, seed: int) -> int:
    """Prove small games of all kinds; return how many were judged wrongly."""
    n_failed = 0
    for game in naive_proofs.draw_games(number, seed):
        paths = mutate.write_lists(FOLDER, game.words) if game.words else []
        for raised in [0, 1] if game.least < math.inf else [0]:
            data = game.prove(raised).encode()
            words = game.words
            taken = mutate.run_c(program, data, paths)[0], mutate.run_python(data, words)[0]
            if taken != (not raised, not raised):
                n_failed += 1
                (FOLDER / f"game-{n_failed}.proof").write_bytes(data)
    print(f"{number} games, {n_failed} judged wrongly")
    mutate.write_lists(FOLDER, (mutate.WORDS, mutate.OTHER_WORDS))
    return n_failed


if __name__ == "__main__":
    sys.exit(main())
