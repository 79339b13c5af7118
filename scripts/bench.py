"""Measure the builder: build times in process, whole commands, compiling, peak memory.

Usage::

    python scripts/bench.py [--json OUT.json] [--against OLD.json] [--all] [--runs N] [NAME ...]

Each build runs in a process of its own, kernels warm, `N` times; medians are printed. Wall time
and CPU time are told apart because a machine is rarely idle. ``--all`` adds the builds that take
minutes. ``--json`` keeps the run; ``--against`` prints how this run compares with a kept one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Work:
    """A tree to build.

    Attributes
    ----------
    game, strategy, eligible, jobs
        As on the command line; or the name of a game in `MADE`.
    must_s
        The time that it may take, ``None`` where there is no such figure.
    is_long
        Whether it takes minutes.
    """

    game: str
    strategy: str
    must_s: float | None = None
    eligible: str = "all"
    jobs: int = 1
    is_long: bool = False

    @property
    def name(self) -> str:
        """Name of the row."""
        words = [f"{self.game}-{self.strategy}"]
        words += ["candidates"] if self.eligible != "all" else []
        words += [f"jobs={self.jobs}"] if self.jobs > 1 else []
        return " ".join(words)


WORKS = (
    Work("p4c6r", "knuth", 0.008),
    Work("p4c10n", "knuth", 0.060),
    Work("p5c6r", "knuth", 0.150),
    Work("p5c8r", "knuth", 2.0),
    Work("p5c8r", "expected-size", 2.0),
    Work("p5c8r", "entropy", 2.0),
    Work("p5c8r", "most-parts", 2.0),
    Work("p5c8r", "knuth", jobs=2),
    Work("p6c6r", "knuth", 6.0),
    Work("p6c7r", "expected-size", 30.0, is_long=True),
    Work("p6c9r", "knuth", 600.0, jobs=2, is_long=True),
    Work("p7c7r", "knuth", eligible="candidates", jobs=2, is_long=True),
    Work("p4c5r-weighted", "optimal", 6.0),
    Work("words800-weighted", "optimal", 0.8),
    Work("binary60x40-stakes", "optimal", 0.8),
    Work("binary100x60", "optimal", 0.7),
    Work("binary48x60-rare", "optimal", 1.5),
    Work("evolved100x50-stakes", "optimal", 3.0),
)


def make_weighted_codes() -> Any:
    """Return p4c5r with weights 1 to 9."""
    import treegen

    draw = random.Random(7)
    return treegen.open_game("p4c5r").with_stakes([draw.randint(1, 9) for _ in range(625)])


def make_weighted_words() -> Any:
    """Return a word game of 800 pseudo-words with weights 1 to 100."""
    import treegen
    from tests.pseudo_words import make_words

    draw = random.Random(3)
    words = treegen.Codebook(make_words(800), feedback="wordle")
    return words.with_stakes([draw.randint(1, 100) for _ in range(800)])


def make_table(kind: str, n: int, n_questions: int, *, has_stakes: bool, share: float = 0.5) -> Any:
    """Return a table of yes and no.

    ``binary`` answers are independent, each yes with a probability of `share`; ``evolved`` ones
    descend from a candidate before them, with one to three changes. With stakes, candidates have
    weights 1 to 20, questions costs 1 to 9.
    """
    import treegen

    draw = random.Random(f"{kind} {n} {n_questions}")
    rows: dict[tuple[int, ...], None] = {(0,) * n_questions: None}
    while len(rows) < n:
        row = [int(draw.random() < share) for _ in range(n_questions)]
        if kind == "evolved":
            row = list(draw.choice(list(rows)))
            for _ in range(draw.randint(1, 3)):
                row[draw.randrange(n_questions)] ^= 1
        rows[tuple(row)] = None
    table = [
        {"name": f"row {at}", **{f"q{place}": f"{answer}" for place, answer in enumerate(row)}}
        for at, row in enumerate(rows)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", treegen.TreegenWarning)  # of questions that tell nothing
        game = treegen.open_game(table)
    if not has_stakes:
        return game
    weights = [draw.randint(1, 20) for _ in range(game.n_secrets)]
    costs = [0] * game.n_secrets + [draw.randint(1, 9) for _ in range(game.rules.n_questions)]
    return game.with_stakes(weights, costs)


MADE: dict[str, Callable[[], Any]] = {
    "p4c5r-weighted": make_weighted_codes,
    "words800-weighted": make_weighted_words,
    "binary60x40-stakes": lambda: make_table("binary", 60, 40, has_stakes=True, share=0.15),
    "binary100x60": lambda: make_table("binary", 100, 60, has_stakes=False, share=0.15),
    "binary48x60-rare": lambda: make_table("binary", 48, 60, has_stakes=False, share=0.06),
    "evolved100x50-stakes": lambda: make_table("evolved", 100, 50, has_stakes=True),
}
"""Games that no name describes, always the same."""


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(description="Measure the builder.")
    parser.add_argument("names", nargs="*", help="only rows whose name begins so")
    parser.add_argument("--json", type=Path, metavar="OUT", help="keep the run")
    parser.add_argument("--against", type=Path, metavar="OLD", help="a kept run to compare with")
    parser.add_argument("--all", action="store_true", help="the builds that take minutes, too")
    parser.add_argument("--runs", type=int, default=5, help="runs of each build (default 5)")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure_here(Work(**json.loads(options.child)), options.runs)))
        return 0
    rows = measure_all(options)
    run = {"machine": describe_machine(), "rows": rows}
    if options.json:
        options.json.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    if options.against:
        print_comparison(json.loads(options.against.read_text(encoding="utf-8"))["rows"], rows)
    return 0


def measure_all(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure and print all rows that were asked for."""
    machine = describe_machine()
    print(f"{machine['processor']}, {machine['cores']} cores, load {machine['load']}")
    print(f"{'what':34}{'wall s':>10}{'cpu s':>10}{'must s':>9}{'peak MB':>9}  total/worst")
    rows = []
    for work in WORKS:
        is_wanted = any(work.name.startswith(name) for name in options.names)
        if is_wanted or (not options.names and (options.all or not work.is_long)):
            rows.append(measure_build(work, 1 if work.is_long else options.runs))
            print_row(rows[-1])
    if not options.names:
        for row in measure_commands(options.runs):
            rows.append(row)
            print_row(row)
    return rows


def measure_build(work: Work, runs: int) -> dict[str, Any]:
    """Build in a fresh process some times; return the medians."""
    command = [sys.executable, __file__, "--runs", str(runs), "--child", json.dumps(asdict(work))]
    child = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    figures: dict[str, Any] = json.loads(child.stdout)
    return {"name": work.name, "must_s": work.must_s, **figures}


def measure_here(work: Work, runs: int) -> dict[str, Any]:
    """Build in this process some times, the kernels having been loaded before."""
    sys.path.insert(0, str(ROOT))
    from treegen import build
    from treegen.builder.grow import build_tree
    from treegen.games.names import parse_game
    from treegen.strategies.named import parse_strategy

    if work.game in MADE:
        game = MADE[work.game]()
        make = partial(build, game, work.strategy, jobs=work.jobs)
        make()  # loads the kernels
    else:
        small, game = parse_game("p2c3r"), parse_game(work.game)
        build_tree(small, parse_strategy(work.strategy, small), jobs=work.jobs)
        strategy = replace(parse_strategy(work.strategy, game), eligible=work.eligible)
        make = partial(build_tree, game, strategy, jobs=work.jobs)
    game.codes  # noqa: B018 (made once, whatever is built)
    wall, cpu = [], []
    for _ in range(runs):
        wall_start, cpu_start = time.perf_counter(), time.process_time()
        tree = make()
        wall.append(time.perf_counter() - wall_start)
        cpu.append(time.process_time() - cpu_start)
    return {
        "wall_s": statistics.median(wall),
        "cpu_s": statistics.median(cpu),
        "least_cpu_s": min(cpu),
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "total": tree.total,
        "worst": tree.worst,
        "digest": tree.digest,
    }


def measure_commands(runs: int) -> list[dict[str, Any]]:
    """Measure whole commands: the first ever (empty cache), and with all caches warm."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": str(ROOT)}
        build = ["build", "p4c6r", "-s", "knuth", "-q", "-o", str(Path(folder) / "x.tree")]
        cold = [run_command(build, environment)]
        warm = [run_command(build, environment) for _ in range(runs)]
        helps = [run_command(["--help"], environment) for _ in range(runs)]
    return [
        {"name": "command: build p4c6r, first ever", "must_s": 15.0, **median_of(cold)},
        {"name": "command: build p4c6r, warm", "must_s": 0.8, **median_of(warm)},
        {"name": "command: --help", "must_s": None, **median_of(helps)},
    ]


def run_command(arguments: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run the command line once; return wall and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "treegen", *arguments]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median_of(times: list[tuple[float, float]]) -> dict[str, float]:
    """Return the medians of wall and CPU seconds."""
    wall, cpu = zip(*times, strict=True)
    return {"wall_s": statistics.median(wall), "cpu_s": statistics.median(cpu)}


def print_row(row: dict[str, Any]) -> None:
    """Print one line of the table."""
    must = "" if row["must_s"] is None else f"{row['must_s']:g}"
    peak = f"{row['peak_bytes'] / 1e6:.0f}" if "peak_bytes" in row else ""
    tree = f"{row['total']}/{row['worst']}" if "total" in row else ""
    times = f"{row['wall_s']:>10.4f}{row['cpu_s']:>10.4f}"
    print(f"{row['name']:34}{times}{must:>9}{peak:>9}  {tree}", flush=True)


def print_comparison(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    """Print by what factor each row's CPU time changed, and whether the tree is the same."""
    before = {row["name"]: row for row in old}
    print("\nagainst the kept run (CPU time, new / old):")
    for row in new:
        if row["name"] not in before:
            continue
        kept = before[row["name"]]
        same = "" if kept.get("digest") == row.get("digest") else "  THE TREE DIFFERS"
        print(f"{row['name']:34}{row['cpu_s'] / kept['cpu_s']:>8.2f}{same}")


def describe_machine() -> dict[str, Any]:
    """Return what the times depend on."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        processor = names[0] if names else processor
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
    }


if __name__ == "__main__":
    sys.exit(main())
