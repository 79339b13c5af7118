"""Measure the tables: bytes, opening, one step, in CPython and in C.

Usage: bench-tables.py [GAME ...]          default: p4c6r p4c10n

Prints a line for each figure with the median of several runs, in user CPU time. C needs gcc.
"""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import treegen
from treegen.formats.table import make_table
from treegen.player import Player

ROOT = Path(__file__).resolve().parent.parent
RUNS = 15
GAMES = 2000

C_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "tgt_player.h"
#include "table.h"
#include "games.h"
int main(void) {
    tgt_table table;
    tgt_state state;
    unsigned long steps = 0, sum = 0, i, round;
    clock_t begin;
    if (tgt_open(&table, table_data, table_size) != TGT_OK) return 1;
    begin = clock();
    for (round = 0; round < 50; round++)
        for (i = 0, tgt_start(&state); i < n_answers; i++, steps++) {
            if (tgt_answer(&table, &state, answers[i]) == TGT_WON) tgt_start(&state);
            sum += tgt_guess(&table, &state);
        }
    printf("%.4f %lu\n", 1e6 * (double)(clock() - begin) / CLOCKS_PER_SEC / (double)steps, sum);
    return 0;
}
"""


def main() -> int:
    """Measure each game."""
    for name in sys.argv[1:] or ["p4c6r", "p4c10n"]:
        tree = treegen.build(name)
        tables = {
            profile: make_table(tree, profile=profile) for profile in ("full", "lean", "slim")
        }
        for profile, table in tables.items():
            opening = measure(lambda table=table: Player(table)) * 1e3
            print(f"{name} {profile}: {len(table)} bytes, opened by CPython in {opening:.2f} ms")
        answers = draw_games(tree)
        report_python(name, tables["full"], answers)
        report_c(name, tables["full"], answers)
    return 0


def draw_games(tree: treegen.Tree) -> list[int]:
    """Return the answers of whole games against secrets drawn at random, one after the other."""
    game, draw = tree.game, random.Random(1)
    player = Player(make_table(tree))
    answers = []
    for _ in range(GAMES):
        player.restart()
        secret = draw.randrange(game.n_secrets)
        while player.code is not None:
            answers.append(game.score(player.code, secret))
            player.respond(answers[-1])
    return answers


def report_python(name: str, table: bytes, answers: list[int]) -> None:
    """Print what one answer costs: the next state and its guess as text."""
    player = Player(table)

    def play() -> None:
        player.restart()
        for answer in answers:
            if player.respond(answer) is None:
                player.restart()

    print(f"{name}: a step in CPython {measure(play) / len(answers) * 1e6:.2f} us")


def report_c(name: str, table: bytes, answers: list[int]) -> None:
    """Print what one answer costs in C."""
    if shutil.which("gcc") is None:
        print(f"{name}: gcc is not installed, C is not measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "table.h").write_text(write_array("uint8_t table_data", table, "table_size"))
        (path / "games.h").write_text(write_array("uint16_t answers", answers, "n_answers"))
        (path / "bench.c").write_text(C_PROGRAM)
        include = ROOT / "treegen" / "player" / "c"
        command = ["gcc", "-std=c99", "-O2", "-I", str(include), "bench.c", "-o", "bench"]
        subprocess.run(command, cwd=path, check=True)
        runs = [subprocess.check_output([path / "bench"], text=True) for _ in range(5)]
    step = statistics.median(float(run.split()[0]) for run in runs)
    print(f"{name}: a step in C {step:.3f} us")


def write_array(name: str, values: bytes | list[int], size_name: str) -> str:
    """Return C code of a constant array."""
    size = f"static const uint32_t {size_name} = {len(values)};\n"
    return f"{size}static const {name}[] = {{{','.join(map(str, values))}}};\n"


def measure(function: Callable[[], object]) -> float:
    """Return the median CPU time of some runs, in seconds."""
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        function()
        times.append(time.process_time() - begin)
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main())
