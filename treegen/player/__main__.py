"""Play a table on the terminal: python -m treegen.player FILE."""

from __future__ import annotations

import sys

from ..errors import UnreachableError
from .tgt_player import Player

if __name__ == "__main__":
    with Player.open(sys.argv[1]) as player:
        while player.guess:
            try:
                player.answer(*input(f"{player.guess}? ").split())
            except UnreachableError as problem:
                print(problem)  # noqa: T201
