"""Give mutated tables to every player: it must not crash or hang, and play as the Python player.

Usage: fuzz-players.py [--tables 50000] [--only PLAYER] [--seed 1] [--limit 1]

Of twenty tables nineteen have a checksum that is right again. Half of the mutations change bytes,
half put another value in place of one. A table may take a limit of CPU seconds, which a busy
machine does not change; the start of an interpreter is not counted. Prints for each player how many
tables it took, and PASSED or FAILED; a table that makes a player fail stays in build/fuzz/.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import random
import resource
import signal
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgpack

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.players import PLAYERS, WON, align, profiles_of, run  # noqa: E402

FOLDER = ROOT / "build" / "fuzz"
BATCH, MOST_BYTES = 250, 700
HANGING = (
    5  # times the limit: then a batch is ended, and halved to find the table that takes so long
)
GAMES = [[], [0], [1, 0], [2, 0, 1], [3, 1], [0, 2, 2, 1], [5, 0], [1, 1, 1], [4, 2, 0]]
NUMBERS = [0, 1, 2, 3, 8, 9, 10, 20, 255, 256, 999, 1000, 1001, 2**16, 2**20, 2**31 - 1, 2**31]
NUMBERS += [2**32 - 1, 2**32, 2**53, 2**64 - 1]
TEXTS = ["", "pegs", "black", "position", "codebook", "arrangements", "full", "lean", "slim"]
TEXTS += ["questions", "weighted", "goal identify", "xpegs", "slack", "a" * 20, "é"]

Result = list[list[int]] | None


def main(args: Sequence[str] | None = None) -> int:
    """Fuzz each player."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=50_000, help="for each player")
    parser.add_argument("--only", choices=PLAYERS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1.0, help="CPU seconds for a table")
    options = parser.parse_args(args)
    FOLDER.mkdir(parents=True, exist_ok=True)
    players = [name for name in PLAYERS if options.only in (None, name)]
    n_failed = sum(
        fuzz(name, options.tables, random.Random(f"{options.seed} {name}"), options.limit)
        for name in players
    )
    print("FAILED" if n_failed else "PASSED")
    return 1 if n_failed else 0


def fuzz(player: str, n_tables: int, rng: random.Random, limit: float) -> int:
    """Give a player mutated tables; return how many make it fail."""
    corpus = read_corpus(profiles_of(player))  # type: ignore[no-untyped-call]
    n_taken, failed = 0, []
    for begin in range(0, n_tables, BATCH):
        count = min(BATCH, n_tables - begin)
        tables = [mutate(rng.choice(corpus), rng) for _ in range(count)]
        results, bad = play(player, tables, limit)
        failed += bad
        if player != "python":
            failed += find_other(player, tables, results, limit)
        n_taken += sum(result is not None for result in results)
    for number, table in enumerate(failed):
        (FOLDER / f"{player}-{number}.tgt").write_bytes(table)
    print(f"{player}: {n_tables} tables, {n_taken} taken, {len(failed)} failed", flush=True)
    return len(failed)


def play(player: str, tables: list[bytes], limit: float) -> tuple[list[Result], list[bytes]]:
    """Return the results of tables, and those that make the player fail or take too long."""
    most = measure_start(player) + limit
    begin = measure_cpu()
    try:
        results = play_all(player, tables, math.ceil(most + HANGING * limit))
        is_slow = measure_cpu() - begin > most
    except Exception as error:
        print(f"{player}: {str(error)[-300:]!r}")
        is_slow, results = True, [None] * len(tables)
    if not is_slow or len(tables) == 1:
        return results, tables if is_slow else []
    half = len(tables) // 2
    first, second = play(player, tables[:half], limit), play(player, tables[half:], limit)
    return first[0] + second[0], first[1] + second[1]


@cache
def measure_start(player: str) -> float:
    """Return the CPU seconds that a player takes to begin, the most of three times."""
    play_all(player, [], 600)  # it is compiled now
    times = [measure_cpu()]
    for _ in range(3):
        play_all(player, [], 600)
        times.append(measure_cpu())
    return max(after - before for before, after in pairwise(times))


def play_all(player: str, tables: list[bytes], most_cpu_s: int) -> list[Result]:
    """Return what a player makes of tables; raise if it fails, or takes more than so long."""
    with tempfile.TemporaryDirectory() as folder, end_after(most_cpu_s):
        pairs = [(table, GAMES) for table in tables]
        results: list[Result] = run(player, pairs, Path(folder), most_cpu_s)  # type: ignore[no-untyped-call]
    return results


@contextmanager
def end_after(most_cpu_s: int) -> Iterator[None]:
    """Raise TimeoutError when this process, where Python plays, has taken that CPU time."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {most_cpu_s} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, most_cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def measure_cpu() -> float:
    """Return the CPU seconds that this process and those it has waited for have taken."""
    uses = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def find_other(
    player: str, tables: list[bytes], results: list[Result], limit: float
) -> list[bytes]:
    """Return the tables that Python plays otherwise; those that it refuses are not compared."""
    expected, _ = play("python", tables, limit)
    return [
        table
        for table, result, wanted in zip(tables, results, expected, strict=True)
        if result and wanted and not are_alike(player, result, wanted)
    ]


def are_alike(player: str, result: list[list[int]], wanted: list[list[int]]) -> bool:
    """Tell whether a player plays as Python, up to the win."""
    made, expected = align(player, [*map(end_at_win, result)], [*map(end_at_win, wanted)])  # type: ignore[no-untyped-call]
    return bool(made == expected)


def end_at_win(guesses: list[int]) -> list[int]:
    """Return what a game has given up to its end."""
    return guesses[: guesses.index(WON) + 1] if WON in guesses else guesses


def read_corpus(profiles: tuple[str, ...]) -> list[bytes]:
    """Return the small conformance tables of some profiles."""
    vectors = json.loads((ROOT / "tests" / "vectors" / "tables.json").read_text("utf-8"))
    tables = [
        base64.b64decode(vector["file"]["base64"])
        for vector in vectors
        if vector["profile"] in profiles and "base64" in vector["file"]
    ]
    return [table for table in tables if len(table) <= MOST_BYTES]


def mutate(table: bytes, rng: random.Random) -> bytes:
    """Return a table with some bytes or values changed, its checksum mostly right again."""
    body = mutate_values(table, rng) if rng.random() < 0.5 else mutate_bytes(table, rng)
    checksum = zlib.crc32(body) if rng.random() < 0.95 else rng.getrandbits(32)
    return body + b"\xce" + checksum.to_bytes(4, "big")


def mutate_bytes(table: bytes, rng: random.Random) -> bytes:
    """Return a table without its checksum, up to four bytes of it changed."""
    changed = bytearray(table[:-5])
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(6, len(changed) if rng.random() < 0.5 else min(130, len(changed)))
        flipped = changed[place] ^ (1 << rng.randrange(8))
        head = rng.randrange(0xC0, 0x100)
        changed[place] = rng.choice([rng.randrange(256), flipped, head, rng.choice(changed)])
    cut = 0 if rng.random() < 0.95 else rng.randrange(1, 9)
    return bytes(changed[: len(changed) - cut])


def mutate_values(table: bytes, rng: random.Random) -> bytes:
    """Return a table without its checksum, one or two of its values others."""
    values: list[Any] = msgpack.unpackb(table)[:-1]
    for _ in range(rng.randint(1, 2)):
        place = rng.randrange(1, len(values))
        if isinstance(values[place], list) and values[place] and rng.random() < 0.8:
            at = rng.randrange(len(values[place]))
            values[place][at] = draw_value(values[place][at], rng)
        else:
            values[place] = draw_value(values[place], rng)
    packer = msgpack.Packer()
    head: bytes = packer.pack_array_header(len(values) + 1)
    return head + b"".join(map(packer.pack, values))


def draw_value(old: Any, rng: random.Random) -> Any:
    """Return a value, mostly of the type of another one."""
    near = [min(2**64 - 1, old + 1), max(0, old - 1)] if isinstance(old, int) else [old]
    binary = [rng.randbytes(rng.randrange(9))]
    if isinstance(old, bytes) and old and rng.random() < 0.7:
        return bytes([*old[:-1], old[-1] ^ (1 << rng.randrange(8))])
    if isinstance(old, int) and rng.random() < 0.7:
        return rng.choice([*near, *NUMBERS])
    starts = [[], [0, 0], [0, 0] * 40, [1, 1, 2, 0], {}, {"a": 1}]
    return rng.choice([*near, *NUMBERS, *TEXTS, *binary, *starts])


if __name__ == "__main__":
    sys.exit(main())
