"""What the MicroPython players promise beyond what all players do."""

import pytest

from treegen import Codebook, Player, open_game

from ..formats.test_table import build
from ..players import SOURCES, run_in_micropython
from ..written import bytes_of

WORDS = ["crane", "crate", "trace", "react", "eagle", "geese", "llama"]
MARKS = Codebook(WORDS, feedback="position")
GAMES = ["p3c4n", "p2c3r", "a211", MARKS, open_game("a211").with_goal("identify")]

PLAY = """
import gc

def play(guess, answer, undo):
    before = gc.mem_alloc()
    for response in range(3):
        guess()
        answer(response)
        answer(1)
        guess()
        undo()
        undo()
    return gc.mem_alloc() - before

gc.disable()  # nothing is collected: garbage would be counted
for data, game in TABLES:
    functions = open_lean(data, game) if game else open_table(data)
    play(*functions)  # the interpreter keeps each letter that it meets, once
    print(play(*functions))
"""


@pytest.mark.slow
def test_nothing_stays_on_the_heap_while_playing():
    trees = [build(game) for game in GAMES]
    full = [(bytes_of(tree, "table"), None) for tree in trees]
    lean = [bytes_of(tree, "table", profile="lean") for tree in trees]
    tables = [*full, *((table, Player(table).table.game) for table in lean)]
    walker = (SOURCES / "micropython" / "tgt_player.min.py").read_text("utf-8")
    player = (SOURCES / "micropython" / "tgt_lean.py").read_text("utf-8")
    player = player.replace("from tgt_player import open_table", "")
    code = f"{walker}\n{player}\nTABLES = {tables!r}\n{PLAY}"
    assert run_in_micropython(code) == "0\n" * len(tables)
