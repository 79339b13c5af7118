"""The README of an exported player: three commands that work as they are pasted, the license."""

from __future__ import annotations

COMMANDS = {
    "C": (
        "cc -std=c99 -O2 example.c -o example && ./example",
        "cc -std=c99 -O2 stream.c -o stream && ./stream table.tgt",
        "./example < /dev/null",
    ),
    "Go": ("go build -o game .", "./game", "./game < /dev/null"),
    "Java": ("javac Game.java", "java Game", "java Game < /dev/null"),
    "JavaScript": (
        "node example.mjs",
        "node example.mjs < /dev/null",
        "node --input-type=module -e \"import { Player } from './tgt_game.mjs';"
        " import { table } from './table.mjs'; console.log(new Player(table).guess)\"",
    ),
    "MicroPython": (
        "micropython example.py",
        "python3 example.py",
        "python3 example.py < /dev/null",
    ),
    "Python": (
        "python3 tgt_player.py table.tgt",
        "python3 tgt_player.py --help",
        "python3 -c \"from tgt_player import Player; print(Player.open('table.tgt').guess)\"",
    ),
    "Rust": (
        "cargo build --release --offline",
        "./target/release/tgt-game",
        "./target/release/tgt-game < /dev/null",
    ),
}
"""For each language: to build or play, to play, to see the first guess."""

NOTES = {
    "C": "`stream.c` leaves the table in a file and reads it through `TGT_READ`."
    " `tgt_player.h` alone walks a table by response numbers; the other headers show codes to"
    " people and play the profiles that leave states out.",
    "JavaScript": "`tgt_player.min.mjs` alone walks a full table by response numbers; the modules"
    " run in browsers and workers, too.",
    "MicroPython": "The same files run on a board: copy `table.tgt` and the `.py` files to it.",
}

TEXT = """# A game from a table, in {language}

The example breaks the code that you think of: answer each guess with black and white pegs, `0 2`;
with black pegs alone, `3`; with marks (grey 0, yellow 1, green 2), `01020`; a question with one of
its answers. The table, {size:,} bytes of the profile `{profile}`, holds the complete
decision tree, so nothing is searched. A damaged table is refused before the first guess.

In this folder:

```sh
{commands}
```

The last one shows that it works without asking anything.{note}

License of the player: MIT. Copyright (c) 2026 The treegen developers.
"""


def make_readme(language: str, table: bytes, profile: str) -> bytes:
    """Return the README of a folder with a player and its table."""
    commands = "\n".join(COMMANDS[language])
    note = f" {NOTES[language]}" if language in NOTES else ""
    return TEXT.format(
        language=language, size=len(table), profile=profile, commands=commands, note=note
    ).encode()
