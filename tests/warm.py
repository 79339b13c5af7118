"""Compile the kernels that most tests call, once for all workers, on as many cores."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TREES = """
from treegen.builder import build_tree
from treegen.games import CodebookGame, parse_game
from treegen.strategies import parse_strategy
games = parse_game("p2c3r"), CodebookGame(["ab", "ba"], ["aa"], rule="position")
for game in games:
    build_tree(game, parse_strategy("knuth", game))
"""
SEARCHES = """
from treegen.exact import run_search
from treegen.games import parse_game
from treegen.online import draw_secret, play_online, start_online
run_search(parse_game("p3c5r"), "best")
for game in map(parse_game, ("p4c6r", "p20c20r")):
    play_online(start_online("adaptive", game), draw_secret(game, 1, 1))
"""


def compile_kernels():
    """Fill numba's cache; where it is full already this takes a second."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", part], cwd=ROOT, env=os.environ | {"TREEGEN_COMPILE": "always"}
        )
        for part in (TREES, SEARCHES)
    ]
    for process in started:
        process.wait()
