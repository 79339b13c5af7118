"""Prove the optima of treegen/optima.csv again, or add games to them.

Usage: python scripts/prove.py [--limit S] [--seed N] [--jobs N] [GAME ...]
       python scripts/prove.py --add [--objective O] [--limit S] GAME ...

Without --add, the games of the file (or those named) are searched again, with other random numbers
in the keys of the table of proofs, those that took more than --limit seconds left out; totals and
longest games must be the same. With --add, games are proved and written into the file, unless they
take longer than the limit; then the tables of docs/optima.md,
docs/data/optima-*.csv, are written anew.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen.errors import SearchStoppedError, UsageError  # noqa: E402
from treegen.exact.request import SearchControl, SearchSpec  # noqa: E402
from treegen.exact.run import run_search  # noqa: E402
from treegen.formats.proof import refuse_game  # noqa: E402
from treegen.games.names import parse_game  # noqa: E402

OPTIMA = ROOT / "treegen" / "optima.csv"
PAGE = ROOT / "docs" / "optima.md"
BEGIN = "<!-- optima: written by scripts/prove.py -->"
END = "<!-- end of optima -->"
MODES = {
    "r": "with repetition",
    "n": "without repetition",
    "rb": "with repetition, black pegs alone",
    "nb": "without repetition, black pegs alone",
}
SEED = 2026
"""Of the keys when a proof is repeated; the first ones were made with the default."""


class Optimum(NamedTuple):
    """A proved optimum: the least total, or the least worst first; and the CPU seconds it took."""

    game: str
    objective: str
    total: int
    worst: int
    seconds: float
    proof: str  # where a certificate of it is shipped, or as `name_proof` says


def main() -> int:
    """Prove or add."""
    parser = argparse.ArgumentParser(description="Prove the optima of treegen/optima.csv again.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--add", action="store_true", help="add the games to the file")
    parser.add_argument("--objective", default="total", choices=["total", "worst,total"])
    parser.add_argument("--limit", type=float, default=600.0, metavar="S")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    if arguments.add:
        for game in arguments.games:
            add(game, arguments.objective, arguments.limit)
        return 0
    rows = [row for row in read_optima() if not arguments.games or row.game in arguments.games]
    failures = [row for row in rows if not is_confirmed(row, arguments)]
    for row in failures:
        print(f"FAILED: {row.game} by {row.objective}")
    print("FAILED" if failures else "PASSED", f"{len(rows) - len(failures)} of {len(rows)} optima")
    return bool(failures)


def is_confirmed(row: Optimum, arguments: argparse.Namespace) -> bool:
    """Search once more; return whether the result is the same."""
    if row.seconds > arguments.limit:
        print(f"{row.game} {row.objective}: left out, it took {row.seconds:.0f} s")
        return True
    start = time.process_time()
    control = SearchControl(arguments.jobs, table_seed=arguments.seed)
    tree = run_search(parse_game(row.game), "optimal", SearchSpec(row.objective), control)
    seconds = time.process_time() - start
    print(f"{row.game} {row.objective}: {tree.total}, worst {tree.worst}, {seconds:.2f} s")
    # Where only the total is minimised, another tree may have another longest game.
    return (tree.total, tree.worst) == (row.total, row.worst)


def add(game: str, objective: str, limit: float) -> None:
    """Prove a game and write it into the file and the page."""
    end = time.monotonic() + limit
    start = time.process_time()
    try:
        control = SearchControl(watch=lambda _: time.monotonic() > end)
        tree = run_search(parse_game(game), "optimal", SearchSpec(objective), control)
    except SearchStoppedError:
        print(f"{game} {objective}: not within {limit:.0f} s")
        return
    seconds = round(time.process_time() - start, 2)
    print(f"{game} {objective}: {tree.total}, worst {tree.worst}, {seconds} s", flush=True)
    rows = {row[:2]: row for row in read_optima()}
    proof = rows[game, objective].proof if (game, objective) in rows else name_proof(game)
    rows[game, objective] = Optimum(game, objective, tree.total, tree.worst, seconds, proof)
    write_optima(sorted(rows.values(), key=_order))
    write_page()


def name_proof(game: str) -> str:
    """Return what makes a certificate of a game's optimum."""
    try:
        refuse_game(parse_game(game))
    except UsageError:
        return "none"
    return "certify"


def _order(row: Optimum) -> tuple[str, int, int, int]:
    """Order by objective, mode, pegs, colors."""
    pegs, colors, mode = split_name(row.game)
    return row.objective, list(MODES).index(mode), pegs, colors


def split_name(game: str) -> tuple[int, int, str]:
    """Return pegs, colors, and the letters behind."""
    match = re.fullmatch(r"p(\d+)c(\d+)([rn]b?)", game)
    assert match, game
    return int(match[1]), int(match[2]), match[3]


def read_optima() -> list[Optimum]:
    """Return the rows of the file."""
    if not OPTIMA.exists():
        return []
    with OPTIMA.open(encoding="utf-8", newline="") as lines:
        return [
            Optimum(
                row["game"],
                row["objective"],
                int(row["total"]),
                int(row["worst"]),
                float(row["seconds"]),
                row["proof"],
            )
            for row in csv.DictReader(lines)
        ]


def write_optima(rows: list[Optimum]) -> None:
    """Write the file."""
    with OPTIMA.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(Optimum._fields)
        writer.writerows(rows)


def write_page() -> None:
    """Write the tables beside the page, and into the page where each is shown."""
    rows = read_optima()
    for name, (_, text) in make_tables(rows).items():
        (PAGE.parent / "data" / name).write_text(text, "utf-8")
    PAGE.write_text(fill_page(PAGE.read_text("utf-8"), rows), "utf-8")


def fill_page(text: str, rows: list[Optimum]) -> str:
    """Return the page, which shows the tables of the rows."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    parts = [BEGIN, ""]
    for name, (title, _) in make_tables(rows).items():
        parts += [f"[{title}](data/{name}):", ""]
        parts += ["```{csv-table}", f":file: data/{name}", ":header-rows: 1", "```", ""]
    return before + "\n".join([*parts, END]) + after


def make_tables(rows: list[Optimum]) -> dict[str, tuple[str, str]]:
    """Return for the name of each table's file its title and its text."""
    tables = {}
    for mode, title in MODES.items():
        for objective, what in (("total", "Least totals"), ("worst,total", "Fewest guesses")):
            name = f"optima-{mode}-{objective.partition(',')[0]}.csv"
            lines = make_table(rows, mode, objective)
            tables[name] = (f"{what}, {title}", "\n".join([*lines, ""]))
    return tables


def make_table(rows: list[Optimum], mode: str, objective: str) -> list[str]:
    """Return the lines of a table: pegs down, colors across."""
    numbers: dict[tuple[int, int], str] = {}
    for row in rows:
        pegs, colors, own = split_name(row.game)
        if (own, row.objective) == (mode, objective):
            number = row.total if objective == "total" else row.worst
            numbers[pegs, colors] = f'"{number:,}"' if number >= 1000 else str(number)
    span = sorted({colors for _, colors in numbers})
    lines = [",".join(["pegs \\ colors", *map(str, span)])]
    for pegs in sorted({pegs for pegs, _ in numbers}):
        lines.append(",".join([str(pegs), *(numbers.get((pegs, colors), "") for colors in span)]))
    return lines


if __name__ == "__main__":
    sys.exit(main())
