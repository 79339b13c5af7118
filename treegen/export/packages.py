"""Export as packages: a player, its table and an example, for npm and for the Arduino IDE."""

from __future__ import annotations

import json
import re

from .. import __version__
from ..games import Game
from .c import HEADERS, join_c_player, make_c_files
from .js import make_js_files
from .player_files import Files, read_player_files

JS_MODULES = ["tgt_player.mjs", "tgt_text.mjs", "tgt_rules.mjs", "tgt_lean.mjs", "tgt_game.mjs"]
"""In the order of their imports."""
JS_NAMES = "Player, START, openTable, table"
OWN_IMPORT = 'import { Player, table } from "./index.mjs";'
SKETCH = "examples/SerialGame/SerialGame.ino"
MAX_NAME = 100


def make_npm_files(table: bytes, game: Game, strategy: str, profile: str = "full") -> Files:
    """Return an npm package that plays a table: ES and CommonJS modules, types, a program.

    Parameters
    ----------
    table
        The bytes of a table of the profile ``"full"``, ``"lean"`` or ``"slim"``.
    game, strategy
        What it plays.
    profile
        Its profile.

    Raises
    ------
    UsageError
        The player does not play the profile, or the table is too large.
    """
    files = make_js_files(table, profile)
    modules = [*JS_MODULES, "table.mjs"]
    text = "\n".join(_strip_module(files[name].decode()) for name in modules)
    own = read_player_files("npm", ["package.json", "index.d.ts", "README.md"])
    name = _name_package(f"treegen-{game.name}-{strategy}")
    package = json.loads(own["package.json"])
    about = {"name": name, "version": __version__, "description": f"Plays {game.title}"}
    example = files["example.mjs"].decode().replace("node example.mjs", f"npx {name}")
    program = re.sub(r'(?s)import \{ Player \}.*?"./table.mjs";', OWN_IMPORT, example)
    return {
        "package.json": (json.dumps(package | about, indent=2, ensure_ascii=False) + "\n").encode(),
        "index.mjs": f"{text}\nexport {{ {JS_NAMES} }};\n".encode(),
        "index.cjs": f'"use strict";\n\n{text}\nmodule.exports = {{ {JS_NAMES} }};\n'.encode(),
        "index.d.ts": own["index.d.ts"],
        "index.d.cts": own["index.d.ts"],
        "play.mjs": f"#!/usr/bin/env node\n{program}".encode(),
        "table.tgt": table,
        "README.md": _fill(own["README.md"], table, game, strategy, profile, name=name),
    }


def make_arduino_files(table: bytes, game: Game, strategy: str, profile: str = "full") -> Files:
    """Return an Arduino library that plays a table over the serial port, as `make_npm_files`.

    Raises
    ------
    UsageError
        As `make_c_files`.
    """
    header = make_c_files(table, game, strategy, profile)["table.h"]
    own = ["library.properties", "keywords.txt", "src/TreegenPlayer.h", SKETCH, "README.md"]
    files = read_player_files("arduino", own)
    properties = files["library.properties"].decode().replace("0.0.0", __version__, 1)
    return {
        **files,
        "library.properties": properties.encode(),
        **{f"src/{name}": data for name, data in join_c_player(HEADERS).items()},
        "src/table.h": header,
        "table.tgt": table,
        "README.md": _fill(files["README.md"], table, game, strategy, profile),
    }


def _strip_module(source: str) -> str:
    """Return an ES module without its imports and exports."""
    source = re.sub(r"^import [^;]*;\n", "", source, flags=re.MULTILINE)
    return re.sub(r"^export (?=const|class)", "", source, flags=re.MULTILINE).strip() + "\n"


def _name_package(text: str) -> str:
    """Return a name that npm takes."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower())
    return plain[:MAX_NAME].strip("-")


def _fill(
    text: bytes, table: bytes, game: Game, strategy: str, profile: str, **others: str
) -> bytes:
    """Return the README of a package."""
    about = {"title": game.title, "strategy": strategy, "profile": profile, "size": len(table)}
    return text.decode().format(**about, **others).encode()
