"""Measure builds in tasks: one and two workers of a dask cluster, memory, a synthetic large tree.

Usage: python scripts/bench-scaling.py [workers GAME | memory GAME | synthetic N_PARTS] ...

workers    GAME's knuth on one warm local worker, then on two: times, tasks, bytes, efficiency
memory     peak memory of building GAME in tasks, in one thread
synthetic  write a tree of N_PARTS * 1320 states, map it, look at it: times and peak memory
"""

from __future__ import annotations

import os
import pickle
import random
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from itertools import chain
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)  # for the workers

import numpy as np  # noqa: E402

from tests.synthetic import make_synthetic  # noqa: E402
from treegen.analysis.session import Session  # noqa: E402
from treegen.builder.grow import build_sharded  # noqa: E402
from treegen.formats.table import generate_table_bytes  # noqa: E402
from treegen.formats.text import generate_text  # noqa: E402
from treegen.formats.tree_file import generate_tree_bytes, unpack_tree  # noqa: E402
from treegen.games.names import parse_game  # noqa: E402
from treegen.strategies.named import parse_strategy  # noqa: E402
from treegen.tasks.cluster import open_workers  # noqa: E402
from treegen.tree.walk import summarize_levels  # noqa: E402

N_BUILDS = 5


class PeakMemory:
    """The most memory of its own that this process has while the context lasts.

    Pages of mapped files are left out: the system takes them back whenever it likes.
    """

    def __enter__(self) -> PeakMemory:
        self.peak_bytes, self.is_over = 0, False
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over = True
        self.thread.join()

    def _watch(self) -> None:
        while not self.is_over:
            for line in Path("/proc/self/status").read_text("ascii").splitlines():
                if line.startswith("RssAnon"):
                    self.peak_bytes = max(self.peak_bytes, int(line.split()[1]) * 1024)
            time.sleep(0.02)


class Counting:
    """An executor that counts the bytes of what goes out and comes back, and times the tasks."""

    def __init__(self, executor):
        self.executor = executor
        self.forget()

    def forget(self) -> None:
        """Count from nothing again."""
        self.n_out, self.n_back, self.times = 0, 0, {}

    def submit(self, function, *arguments):
        """Submit a task, count its bytes and have it timed."""
        self.n_out += len(pickle.dumps(arguments))
        future = Future()
        inner = self.executor.submit(do_timed, function, *arguments)
        inner.add_done_callback(lambda done: self._pass_on(done, function.__name__, future))
        return future

    def _pass_on(self, done, name, future):
        seconds, body = done.result()
        self.n_back += len(body)
        self.times.setdefault(name, []).append(seconds)
        future.set_result(body)

    def describe(self, n_builds: int) -> str:
        """Return tasks, their times and bytes of one of some builds."""
        kinds = [
            f"{len(times) // n_builds} {name} of {mean(times):.3f} s ({min(times):.3f} to"
            f" {max(times):.3f})"
            for name, times in self.times.items()
        ]
        average = mean(chain.from_iterable(self.times.values()))
        return (
            f"  {', '.join(kinds)}: {average:.3f} s on average;"
            f" {self.n_out // n_builds:,} bytes out, {self.n_back // n_builds:,} back"
        )


def do_timed(function, *arguments):
    """Return the seconds that a task takes, and its result."""
    start = time.perf_counter()
    body = function(*arguments)
    return time.perf_counter() - start, body


def measure_workers(name: str) -> None:
    """Build on one worker and on two."""
    from distributed import LocalCluster

    game = parse_game(name)
    strategy = parse_strategy("knuth", game)
    medians = []
    for n_workers in (1, 2):
        with (
            LocalCluster(
                n_workers=n_workers, threads_per_worker=1, dashboard_address=":0"
            ) as cluster,
            open_workers(scheduler=cluster.scheduler_address) as workers,
        ):
            counting = Counting(workers.executor)
            counted = replace(workers, executor=counting)
            build_once(game, strategy, counted)  # warms client and workers
            counting.forget()
            times = [build_once(game, strategy, counted) for _ in range(N_BUILDS)]
        medians.append(median(times))
        print(f"{name} knuth, {n_workers} workers: {write_times(times)}")
        print(counting.describe(N_BUILDS), flush=True)
    print(f"efficiency of two: {medians[0] / medians[1] / 2:.1%}")


def build_once(game, strategy, workers) -> float:
    """Build a tree in a new folder, write its file, and return the seconds that took."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        tree = build_sharded(game, strategy, folder, workers=workers)
        write(Path(folder) / "x", generate_tree_bytes(tree))
        return time.perf_counter() - start


def write_times(times: list[float]) -> str:
    """Return the median of some times, and all of them."""
    return f"{median(times):.2f} s (of {', '.join(f'{each:.2f}' for each in times)})"


def measure_memory(name: str) -> None:
    """Build in one thread."""
    game = parse_game(name)
    with tempfile.TemporaryDirectory() as folder, PeakMemory() as memory:
        start = time.process_time()
        tree = build_sharded(game, parse_strategy("knuth", game), folder)
        path = Path(folder) / "x"
        with path.open("wb") as stream:
            stream.writelines(generate_tree_bytes(tree))
        states = tree.n_nodes
        used = time.process_time() - start
        size = path.stat().st_size
    print(
        f"{name} knuth in tasks: {used:.1f} s of CPU, {states:,} states, {size:,} bytes, peak"
        f" {memory.peak_bytes / 1e6:.0f} MB"
    )


def measure_synthetic(n_parts: int) -> None:
    """Write, map, look."""
    tree = make_synthetic(n_parts)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.tree"
        steps = {
            "write": lambda: write(path, generate_tree_bytes(tree)),
            "read and check": lambda: unpack_tree(path),
            "play 1,000 games": lambda: play_games(mapped, 1000),
            "text of a path": lambda: list(generate_text(mapped, "lines", path="0.0/0.1/0.2")),
            "figures": lambda: (mapped.total, mapped.histogram, summarize_levels(mapped)),
            "digest": lambda: mapped.digest,
            "table": lambda: write(Path(folder) / "x.tgt", generate_table_bytes(mapped)),
        }
        mapped = None
        for name, step in steps.items():
            with PeakMemory() as memory:
                start = time.process_time()
                found = step()
                used = time.process_time() - start
            if name == "read and check":
                mapped = found[0]
                mapped.game.rules.__dict__["codes"] = Digits()
                print(f"{mapped.n_nodes:,} states, {path.stat().st_size:,} bytes")
            print(f"{name}: {used:.1f} s of CPU, peak {memory.peak_bytes / 1e6:.0f} MB", flush=True)


def play_games(tree, n: int) -> None:
    """Play games with answers drawn from those that the tree has."""
    draw = random.Random(0)
    for _ in range(n):
        session, node = Session(tree), 0
        while tree.children(node):
            node = draw.choice(tree.children(node))
            session.respond(int(tree.response[node]))
        session.respond(tree.game.win)


class Digits:
    """Codes of p8c10r one at a time: their table would hide the tree's memory."""

    def __getitem__(self, code):
        return np.array([int(digit) for digit in f"{code:08}"])


def write(path: Path, chunks) -> None:
    """Write a file."""
    with path.open("wb") as stream:
        stream.writelines(chunks)


def main() -> int:
    """Measure what the words ask for."""
    words = sys.argv[1:] or ["workers", "p6c7r", "memory", "p6c7r", "synthetic", "37900"]
    for what, value in zip(words[::2], words[1::2], strict=True):
        if what == "workers":
            measure_workers(value)
        elif what == "memory":
            measure_memory(value)
        else:
            measure_synthetic(int(value))
    return 0


if __name__ == "__main__":
    sys.exit(main())
