"""Compile the kernels that most tests call, once for all workers, on as many cores."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TREES = """
import treegen
from treegen.games import CodebookGame
treegen.build("p2c3r", "knuth")
treegen.build(CodebookGame(["ab", "ba"], ["aa"], rule="position"), "knuth")
"""
SEARCHES = """
from treegen.builder import build_best
from treegen.games import parse_game
from treegen.online import draw_secret, play_online, start_online
build_best(parse_game("p3c5r"))
for game in map(parse_game, ("p4c6r", "p20c20r")):
    play_online(start_online("adaptive", game), draw_secret(game, 1, 1))
"""


def compile_kernels():
    """Fill numba's cache; where it is full already this takes a second."""
    started = [
        subprocess.Popen([sys.executable, "-c", part], cwd=ROOT) for part in (TREES, SEARCHES)
    ]
    for process in started:
        process.wait()
