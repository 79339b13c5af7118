"""Repeat the experiments of five articles: docs/data/*.csv, and docs/notes/results.md from them.

Usage: python scripts/reproduce.py [--games N] [--resume] [SECTION ...]

Sections: r-post codesmithy barr numbers gibson long sets page. Without names everything runs: some
minutes, and about half an hour each for `numbers` and `long` (--games games of each size, default
100; fewer of the largest). `sets` reads the files that docs/notes/results.md names from build/sets,
and leaves out those that are not there. `page` writes docs/notes/results.md from the data there is.

Online strategies are written game by game to docs/data/games-*.csv. With --resume the games that
stand there are not played again (only right when the strategy has not changed since).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Callable
from math import factorial, perm, sqrt
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen import build  # noqa: E402
from treegen._printing import generate_rows  # noqa: E402
from treegen.analysis.charts import plot_sizes  # noqa: E402
from treegen.analysis.compare import compare  # noqa: E402
from treegen.analysis.patterns import list_patterns  # noqa: E402
from treegen.analysis.sample import Sample, count_exactly, play_game  # noqa: E402
from treegen.formats.text import generate_text  # noqa: E402
from treegen.games.names import parse_game  # noqa: E402
from treegen.games.notation import parse_symbols  # noqa: E402
from treegen.online.named import warm_up  # noqa: E402
from treegen.pictures.plot import write_figure  # noqa: E402

DATA = ROOT / "docs" / "data"
R_POST = "ca099dc209a618fed05c0800dd831230c98b6fda5529f9dc93232fb4fdd34ffb"
BARR = {
    "barr-random": 4.6003,
    "barr-expected": 4.4144,
    "barr-worst-case": 4.5000,
    "barr-knuth-lowest": 4.4738,
    "barr-knuth-highest": 4.4745,
}
BARR_GAMES = [("barr-expected", "2132"), ("barr-worst-case", "5550"), ("barr-worst-case", "1500")]
SECOND_PHASE = {100: [4.54, 5.56, 6.77, 7.74, 9.0], 500: [5.65]}
CELLS = [3.48, 4.65, 5.0, 5.24, 5.64]
MINIMAX_AND_PARTS = {"game-minimax": 4.632, "game-most-parts": 4.57}
SMALL = [f"p3c{k}r" for k in (3, 4, 5, 6, 7, 8)] + [f"p4c{k}r" for k in (5, 6, 7, 8, 9)]
SMALL += [f"p5c{k}r" for k in (5, 6, 7)] + ["p6c5r", "p6c6r"]
SQUARES = {50: "707.03", 100: "2672.88", 200: "10240.6", 500: "62323-66891"}
ONE_BY_ONE = [("p10c10r", 1.0), ("p20c20r", 1.0), ("p50c50r", 1.0), ("p100c100r", 1.0)]
ONE_BY_ONE += [("p200c200r", 0.2), ("p500c500r", 0.02)]
DISTINCT = [("p10c10r", 1.0), ("p20c20r", 1.0), ("p50c50r", 0.4), ("p100c100r", 0.1)]
METRICS = ["max", *(f"power:{power}" for power in ("-0.5", "0.5", "1", "2", "3"))]
LONG = [
    ("p10c10r", 1.0),
    ("p5c100r", 1.0),
    ("p50c50r", 1.0),
    ("p100c100r", 1.0),
    ("p200c200r", 1.0),
    ("p300c300r", 1.0),
    ("p500c500r", 0.2),
    ("p1000c1000r", 0.01),
    ("p100c100n", 1.0),
]
SETS = {
    "mouse": [("values", "worst,nodes"), ("values", "nodes")],
    "iris": [("thresholds", "worst,total"), ("thresholds", "nodes")],
    "monk1": [("thresholds", "worst,total"), ("thresholds", "nodes")],
    "monk2": [("thresholds", "worst,total"), ("thresholds", "nodes")],
    "monk3": [("thresholds", "worst,total"), ("thresholds", "nodes")],
    "car": [
        *(("thresholds", each) for each in ("worst,total", "nodes")),
        ("values", "worst,total"),
    ],
    "balance-scale": [("thresholds", each) for each in ("worst,total", "total", "nodes")],
}
"""Sets of the UCI repository, and how they are searched: coding and objective."""

is_resumed = False


def write_rows(name: str, head: list[str], rows: list[list[object]]) -> None:
    """Write a CSV file of the data folder."""
    DATA.mkdir(parents=True, exist_ok=True)
    with (DATA / f"{name}.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([head, *rows])
    print(f"wrote docs/data/{name}.csv")


def write_samples(name: str, samples: list[Sample]) -> None:
    """Write samples as a CSV file of the data folder."""
    figures = Sample.columns[:-2]  # without what searches and files add
    rows = list(csv.reader(generate_rows([sample.to_dict() for sample in samples], figures)))
    write_rows(name, rows[0], [list(row) for row in rows[1:]])


def run_r_post(n: int) -> None:
    """Write the posted program's output and compare its digest."""
    text = "".join(f"{line}\n" for line in generate_text(build("p4c6r", "r-post"), "r-post"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    row = [text.count("\n"), len(text), digest, digest == R_POST]
    write_rows("r-post", ["lines", "bytes", "sha256", "equal"], [row])


def run_codesmithy(n: int) -> None:
    """Play the codesmithy program's game with every code."""
    write_samples("codesmithy", [count_exactly(parse_game("p4c6r"), "codesmithy")])


def run_barr(n: int) -> None:
    """Run the five solvers of the notebook and its printed games."""
    write_samples("barr", compare(parse_game("p4c6r"), list(BARR), n=100 * n, seed=1))
    rows: list[list[object]] = []
    names = parse_symbols("012345", 6)
    for strategy, secret in BARR_GAMES:
        tree = build("p4c6r", strategy)
        for number, turn in enumerate(tree.play(secret, symbols=names).turns, 1):
            guess = tree.game.format_code(turn.code, names)
            rows.append([strategy, secret, number, guess, turn.answer, turn.n_left])
    write_rows("barr-games", ["strategy", "secret", "number", "guess", "feedback", "left"], rows)


def run_numbers(n: int) -> None:
    """Run the table of the MasterMind game's article, size by size."""
    game = parse_game("p4c6r")
    samples = compare(game, list(MINIMAX_AND_PARTS))
    samples += play_sizes("one-by-one", ONE_BY_ONE, n)
    samples += play_sizes("one-by-one-distinct", DISTINCT, n)
    write_samples("numbers", samples)
    exact = [compare(parse_game(name), list(MINIMAX_AND_PARTS)) for name in SMALL]
    write_samples("numbers-small", [sample for pair in exact for sample in pair])
    run_permutation()


def run_permutation() -> None:
    """Count the second phase of `permutation` exactly: each pattern by how often it comes."""
    rows: list[list[object]] = []
    for n_pegs in (4, 5, 6, 7, 8):
        trees = [build(game.name, "knuth") for game in list_patterns(n_pegs)]
        for n_colors in (100, 500):
            ways = [_count_colorings(tree.game.description[1:], n_colors) for tree in trees]
            total = sum(way * tree.total for way, tree in zip(ways, trees, strict=True))
            squares = sum(
                way * count * length**2
                for way, tree in zip(ways, trees, strict=True)
                for length, count in enumerate(tree.histogram, 1)
            )
            average = total / n_colors**n_pegs
            deviation = sqrt(squares / n_colors**n_pegs - average**2)
            worst = max(tree.worst for tree in trees)
            rows.append([n_pegs, n_colors, average, deviation, worst])
    write_rows("permutation", ["pegs", "colors", "average", "deviation", "worst"], rows)


def _count_colorings(parts: list[int], n_colors: int) -> int:
    """Return in how many ways the colors of a pattern can be chosen."""
    ways = perm(n_colors, len(parts))
    for times in Counter(parts).values():
        ways //= factorial(times)
    return ways


def run_gibson(n: int) -> None:
    """Run the T_l family on the page's game of 360 codes, with each way to break ties."""
    game = parse_game("p4c6n")
    chains = [f"{metric},{tie}" for metric in METRICS for tie in ("lowest", "highest", "random")]
    chains += ["max,power:1,lowest", "power:1,max,lowest", "max,power:1,consistent,lowest"]
    chains += [f"{metric},consistent,lowest" for metric in METRICS]
    write_samples("gibson", compare(game, chains, n=100 * n, seed=1))


def run_long(n: int) -> None:
    """Play the adaptive strategy on every size of docs/long-codes.md."""
    write_samples("long-codes", play_sizes("adaptive", LONG, n))


def run_sets(n: int) -> None:
    """Search for the best trees of whole sets of the UCI repository, on one core."""
    build("p2c3r", "optimal", objective="nodes", jobs=1)  # what compiles and loads kernels
    rows: list[list[object]] = []
    for name, searches in SETS.items():
        path = ROOT / "build" / "sets" / f"{name}.csv"
        if not path.exists():
            print(f"left out: {path} is missing")
            continue
        with path.open(newline="", encoding="utf-8-sig") as stream:
            held = list(csv.DictReader(stream))
        target = list(held[0])[-1]
        for coding, objective in searches:
            is_split = coding == "thresholds"
            read: dict[str, Any] = (
                {"thresholds": "all", "thresholds_most": len(held)} if is_split else {}
            )
            started = time.process_time()
            tree = build(
                held if is_split else _ask_values(held, target),
                "optimal",
                objective=objective,
                names="none",
                classes=target,
                jobs=1,
                **read,
            )
            cpu_s = round(time.process_time() - started, 1)
            assert tree.provenance.strategy == "optimal", "not proved"
            n_questions = tree.game.n_codes - tree.game.n_secrets
            figures = [tree.worst, tree.n_nodes, tree.total, cpu_s]
            rows.append([name, len(held), coding, n_questions, objective, *figures])
            print(*rows[-1], flush=True)
    head = ["set", "rows", "coding", "questions", "objective", "worst", "nodes", "total", "cpu_s"]
    write_rows("sets", head, rows)


def _ask_values(rows: list[dict[str, str]], target: str) -> list[dict[str, object]]:
    """Return rows with a question of yes or no for each value of each column."""
    coded: list[dict[str, object]] = [{target: row[target]} for row in rows]
    for column in [each for each in rows[0] if each != target]:
        for value in sorted({row[column] for row in rows}, key=float):
            for row, told in zip(rows, coded, strict=True):
                told[f"{column} = {value}"] = row[column] == value
    return coded


def play_sizes(strategy: str, sizes: list[tuple[str, float]], n: int) -> list[Sample]:
    """Play part of `n` games of each size, and keep each game as it ends."""
    path = DATA / f"games-{strategy}.csv"
    if not (is_resumed and path.exists()):
        write_rows(path.stem, ["game", "number", "guesses", "cpu_s"], [])
    played = {
        (row["game"], int(row["number"])): (int(row["guesses"]), float(row["cpu_s"]))
        for row in read_rows(path.stem)
    }
    warm_up(strategy)
    samples = []
    for name, part in sizes:
        numbers = [(name, number) for number in range(max(1, round(n * part)))]
        games = [played.get(key) or _play_and_keep(strategy, *key, path) for key in numbers]
        lengths = np.array([guesses for guesses, _ in games])
        samples.append(Sample(name, strategy, lengths, 1, 0.0, sum(cpu_s for _, cpu_s in games)))
        print(f"{name} {strategy}: {samples[-1].average:.2f}", flush=True)
    return samples


def _play_and_keep(strategy: str, name: str, number: int, path: Path) -> tuple[int, float]:
    """Play a game of a sample, write its line, and return its guesses and seconds of CPU."""
    started = time.process_time()
    guesses = play_game(parse_game(name), strategy, 1, number)
    cpu_s = time.process_time() - started
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"{name},{number},{guesses},{cpu_s:.3f}\n")
    return guesses, cpu_s


def read_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file of the data folder; none where it was not made."""
    path = DATA / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def table(head: list[str], rows: list[list[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def describe(row: dict[str, str]) -> list[object]:
    """Return strategy, games, average, worst and histogram of a sample's row."""
    exact = row["exact"] == "True"
    average = float(row["average"])
    text = f"{average:.4f}" if exact else f"{average:.2f} ± {float(row['ci95']):.2f}"
    histogram = row["histogram"].replace("+", "/")
    histogram = histogram if len(histogram) < 60 else "in the data"
    games = f"{row['n']} (all)" if exact else row["n"]
    return [f"`{row['strategy']}`", games, row["total"], text, row["worst"], histogram]


SAMPLE_HEAD = ["strategy", "games", "total", "average", "worst", "histogram"]


def write_page(n: int) -> None:
    """Write docs/notes/results.md, and the picture of the square sizes, from the data."""
    (ROOT / "docs" / "notes" / "results.md").write_text(generate_page(), encoding="utf-8")
    samples = [
        sample
        for strategy in ("one-by-one", "one-by-one-distinct", "adaptive")
        for sample in read_samples(strategy)
        if (game := parse_game(sample.game)).n_pegs == game.n_colors and sample.game[-1] == "r"
    ]
    names = [*dict.fromkeys(sample.game for sample in samples)]
    of_games = [[sample for sample in samples if sample.game == name] for name in names]
    figure = plot_sizes([*map(parse_game, names)], of_games)
    write_figure(figure, ROOT / "docs" / "long-codes-sizes.svg", "svg")
    print("wrote docs/notes/results.md and docs/long-codes-sizes.svg")


def read_samples(strategy: str) -> list[Sample]:
    """Return the samples of an online strategy's games in the data folder."""
    lengths: dict[str, list[int]] = {}
    for row in read_rows(f"games-{strategy}"):
        lengths.setdefault(row["game"], []).append(int(row["guesses"]))
    return [
        Sample(name, strategy, np.array(guesses), 1, 0.0, 0.0) for name, guesses in lengths.items()
    ]


def generate_page() -> str:
    """Return docs/notes/results.md."""
    parts = [PAGE_HEAD]
    for row in read_rows("r-post"):
        parts.append(R_POST_TEXT.format(**row, verdict="equal" if row["equal"] else "DIFFERENT"))
    rows = [describe(row) for row in read_rows("codesmithy")]
    parts.append(CODESMITHY_TEXT + table(SAMPLE_HEAD, rows))
    rows = [
        [
            *describe(row)[:4],
            f"{BARR[row['strategy']]:.4f}",
            *describe(row)[4:],
            _over(row),
            _time(row),
        ]
        for row in read_rows("barr")
    ]
    head = [*SAMPLE_HEAD[:4], "published", *SAMPLE_HEAD[4:], "over 12", "s a run"]
    parts.append(BARR_TEXT + table(head, rows))
    games = read_rows("barr-games")
    parts.append(BARR_GAMES_TEXT + table(list(games[0]), [list(row.values()) for row in games]))
    rows = []
    for row in read_rows("numbers"):
        size = int(row["game"][1:].partition("c")[0])
        published = SQUARES.get(size, "") if row["strategy"] == "one-by-one" else ""
        known = MINIMAX_AND_PARTS.get(row["strategy"], published)
        rows.append([row["game"], *describe(row)[:5], known])
    parts.append(NUMBERS_TEXT + table(["game", *SAMPLE_HEAD[:5], "published"], rows))
    parts.append(CELLS_TEXT + table(["published", "sizes that fit"], fit_cells()))
    rows = [
        [row["pegs"], row["colors"], f"{float(row['average']):.3f}", row["worst"], fit_phase(row)]
        for row in read_rows("permutation")
    ]
    parts.append(PERMUTATION_TEXT + table(["pegs", "numbers", "exact", "worst", "fits"], rows))
    rows = [describe(row) for row in read_rows("gibson")]
    parts.append(GIBSON_TEXT + table(SAMPLE_HEAD, rows))
    rows = [
        [row["game"], *describe(row)[1:5], f"{float(row['time_per_game_s']):.2f}"]
        for row in read_rows("long-codes")
    ]
    parts.append(LONG_TEXT + table(["game", *SAMPLE_HEAD[1:5], "s a game"], rows))
    sets = read_rows("sets")
    parts.append(SETS_TEXT + table(list(sets[0]), [list(row.values()) for row in sets]))
    return "\n".join(parts)


def fit_cells() -> list[list[object]]:
    """Return the small sizes that an unnamed cell of 100 games may be: within 2 standard errors."""
    rows: list[list[object]] = []
    for cell in CELLS:
        fitting = []
        for row in read_rows("numbers-small"):
            average = float(row["average"])
            counts = enumerate(map(int, row["histogram"].split("+")), 1)
            squares = sum(count * length**2 for length, count in counts) / int(row["n"])
            error = sqrt(squares - average**2) / 10
            if abs(cell - average) <= 2 * error:
                fitting.append(f"{row['game']} {row['strategy'][5:]} ({average:.3f})")
        rows.append([f"{cell:.2f}", ", ".join(fitting) or "none of those tried"])
    return rows


def fit_phase(row: dict[str, str]) -> str:
    """Return the published second phases within 2 standard errors of 100 games."""
    average, error = float(row["average"]), float(row["deviation"]) / 10
    published = SECOND_PHASE[int(row["colors"])]
    fitting = [f"{x:.2f} ({(x - average) / error:+.1f} s.e.)" for x in published]
    near = [abs(x - average) <= 2 * error for x in published]
    return ", ".join(text for text, is_near in zip(fitting, near, strict=True) if is_near)


def _time(row: dict[str, str]) -> str:
    """Return the seconds for the tree (or trees) and all games."""
    return f"{float(row['build_s']) + int(row['n']) * float(row['time_per_game_s']):.2f}"


def _over(row: dict[str, str]) -> int:
    """Return how many games pass the notebook's limit of 12 guesses."""
    return sum(map(int, row["histogram"].split("+")[12:]))


PAGE_HEAD = """# The articles' experiments repeated

Written by `scripts/reproduce.py`; the data is in `docs/data`. Averages without ± are exact,
over every secret; the others are seeded samples with the half-width of their 95 % confidence
interval. Times depend on the machine and its load; they are in the data.
"""
R_POST_TEXT = """## Solving Mastermind with R

`treegen export text --style r-post` of `p4c6r` writes {lines} lines, {bytes} bytes, sha256
`{sha256}`: {verdict} to what the posted program prints, byte for byte.
"""
CODESMITHY_TEXT = """## codesmithy

The program's game with every one of the 1,296 codes (the post gives no total).

"""
BARR_TEXT = """## Barr's notebook

His five solvers, and the seconds of a whole run: the tree and all games. `barr-random` chooses at
random, so both averages are samples; ours plays along 25 trees, and its interval comes from the
differences between them.

"""
BARR_GAMES_TEXT = """
The three games that the notebook prints, guess by guess, colors from 0:

"""
NUMBERS_TEXT = """## The MasterMind game's table

The columns of the published table are damaged in its text. **Certain** are the cells that name
their algorithm and size: 4.632 (minimax) and 4.57 (most parts) on 4 pegs and 6 colors, which are
reproduced exactly (6003/1296 and 5924/1296). **Very likely** are the four averages down the
diagonal, each a column further right: one-by-one on 50, 100, 200 and 500 pegs with as many colors.
Ours are within 3 % of them, 500 by two games. One-by-one stops counting colors once all pegs are
counted, which the article does not say; `one-by-one-distinct` is the other reading of its text,
and does not match them.

"""
CELLS_TEXT = """
**Uncertain** are the small cells on the left, which name neither algorithm nor size. This table
lists the sizes whose exact average, by minimax or most parts, is within two standard errors of a
sample of 100 games. By their rows they would be 3, 4, 5 and 6 pegs; most of them fit more than one
size, so they are not assigned. 15.37, 17.34 and 21.34 belong to some of the sizes around 10 pegs,
and are not assigned either.

"""
PERMUTATION_TEXT = """
### Permutation

The article's column "100 numbers" reads 104.54, 105.56, 106.77, 107.74, 109, and the column "500
numbers" 505.65: one guess for each number, and a second phase of 4.54, 5.56 and so on. The text
does not show which lengths they belong to. Ours stops counting when all pegs are known, so only
the second phase is comparable. The table has the exact average of `permutation` over all codes,
from the trees of every pattern, and the published figures within two standard errors of 100 games:
four of them fit 5, 6, 7 and 8 pegs of 100 numbers and nothing else, and one fits 6 of 500, which
makes these cells **very likely** (and 109 would be 9 pegs).

"""
GIBSON_TEXT = """## Gibson's page

The game of 360 codes (4 of 6 colors, no duplicates). `power:L` is the metric T_L; `max` is its
limit for large L. Ties go to the first (`lowest`), last (`highest`) or a random guess; a second
metric in the chain is the lexicographic refinement.

"""
LONG_TEXT = """## Codes too long for a tree

`adaptive` ([long-codes.md](../long-codes.md)), every game solved; seed 1; seconds of CPU. Each
game is a line of [data/games-adaptive.csv](../data/games-adaptive.csv).

"""
SETS_TEXT = """## Classes of whole data sets

Trees that tell all classes of a set apart, every one proved, on one core; seconds of CPU. The files
`data/NAME.csv` are those of F. Avellaneda, *Efficient inference of optimal decision trees* (AAAI
2020), at <https://github.com/FlorentAvellaneda/InferDT>, commit 12641f2; `car.csv` lacks one of the
1,728 cars. The authors have depth 4 and 15 nodes for mouse, and, as averages over parts of the
sets, depth 3 for iris, 4.4, 5.8 and 4.8 for the monks, 8 for balance-scale.

*thresholds*: a question for each middle between neighbouring values of a column, whether a number
is less; *values*: a question for each value. `nodes` are the states of the tree, its leaves too.
`python scripts/reproduce.py sets` makes all rows from `build/sets`; one of them is made by

```sh
treegen build iris.csv --names none --class target --thresholds all --thresholds-most 150 \\
    -s optimal --objective worst,total
```

"""

SECTIONS: dict[str, Callable[[int], None]] = {
    "r-post": run_r_post,
    "codesmithy": run_codesmithy,
    "barr": run_barr,
    "numbers": run_numbers,
    "gibson": run_gibson,
    "long": run_long,
    "sets": run_sets,
    "page": write_page,
}


def main() -> int:
    """Run the sections that are named, or all of them."""
    global is_resumed
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("sections", nargs="*", metavar="SECTION", choices=[[], *SECTIONS])
    arguments = parser.parse_args()
    is_resumed = arguments.resume
    for name in arguments.sections or SECTIONS:
        SECTIONS[name](arguments.games)
    print("PASSED")
    return 0


if __name__ == "__main__":
    sys.exit(main())
