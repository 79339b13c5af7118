"""Export for MicroPython: the player in its short form, the table, an example."""

from __future__ import annotations

from ..errors import UsageError
from ..games import Game
from ..player import Player
from .player_files import Files, demand_profile, demand_size, read_player_files
from .readme import make_readme

MAX_NODES = 1 << 26
"""Larger tables need integers that MicroPython keeps on the heap."""
EXAMPLE_GAME = b'GAME = ["pegs", 4, 6, 1, "pegs"]'
EXAMPLE_BEFORE = b"BEFORE = []"
EXAMPLE_WIN = b"WIN = 13"
LEAN = [
    (b"from tgt_player import open_table", b"from tgt_lean import open_lean"),
    (b"open_table(stream.read())", b"open_lean(stream.read(), GAME)"),
]
"""What the example says otherwise for a lean table."""


def make_micropython_files(table: bytes, game: Game, profile: str = "full") -> Files:
    """Return the files that play a table on MicroPython.

    Parameters
    ----------
    table
        The bytes of a table of the profile ``"full"`` or ``"lean"``.
    game
        Its game.
    profile
        Its profile.

    Raises
    ------
    UsageError
        The player does not play the profile, or the table is too large.
    """
    demand_profile(profile, "MicroPython", ("full", "lean"))
    demand_size(table, "MicroPython")
    contents = read_player_files("micropython", ["tgt_player.min.py", "example.py"])
    player = Player(table)  # its game may have fewer words
    if player.table.n_nodes >= MAX_NODES:
        raise UsageError(
            f"the MicroPython player plays tables of fewer than {MAX_NODES:,} states; this one has"
            f" {player.table.n_nodes:,}"
        )
    example = contents["example.py"].replace(EXAMPLE_GAME, f"GAME = {player.table.game!r}".encode())
    before = f"BEFORE = {player.before!r}".encode()
    win = f"WIN = {player.table.n_responses - 1}".encode()
    if profile == "lean":
        for full, lean in LEAN:
            example = example.replace(full, lean)
    return {
        **(read_player_files("micropython", ["tgt_lean.py"]) if profile == "lean" else {}),
        "tgt_player.py": contents["tgt_player.min.py"],
        "table.tgt": table,
        "README.md": make_readme("MicroPython", table, profile),
        "example.py": example.replace(EXAMPLE_BEFORE, before).replace(EXAMPLE_WIN, win),
    }
