"""Make the packages of the players: npm, a Python distribution, an Arduino library.

Usage: build-packages.py [npm|python|arduino ...] [--to build/packages]

Each becomes a folder that its tools take as it is (`npm pack`, `python -m build`, the Arduino IDE),
made from the players in treegen/player and what is in packages/.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen import __version__  # noqa: E402
from treegen.export import generate_table_header, join_c_player, join_player  # noqa: E402
from treegen.formats import load_tree, make_table  # noqa: E402

PLAYERS = ROOT / "treegen" / "player"
MODULES = ["tgt_player.mjs", "tgt_text.mjs", "tgt_rules.mjs", "tgt_lean.mjs", "tgt_game.mjs"]
"""In the order of their imports."""
NAMES = ["Player", "START", "openTable"]


def main() -> int:
    """Make the packages that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", help="npm, python, arduino; by default all")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "packages")
    options = parser.parse_args()
    for name in options.packages or MAKERS:
        folder = options.to / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT / "packages" / name, folder)
        shutil.copy(ROOT / "LICENSE", folder)
        MAKERS[name](folder)
        print(folder)
    return 0


def make_npm(folder: Path) -> None:
    """Join the JavaScript modules to one ES module and one CommonJS module."""
    sources = [(PLAYERS / "js" / name).read_text("utf-8") for name in MODULES]
    text = "\n".join(map(strip_module, sources))
    names = ", ".join(NAMES)
    (folder / "index.mjs").write_text(f"{text}\nexport {{ {names} }};\n", "utf-8")
    (folder / "index.cjs").write_text(
        f'"use strict";\n\n{text}\nmodule.exports = {{ {names} }};\n', "utf-8"
    )
    shutil.copy(folder / "index.d.ts", folder / "index.d.cts")
    set_version(folder / "package.json")


def strip_module(source: str) -> str:
    """Return an ES module without its imports and exports."""
    source = re.sub(r"^import [^;]*;\n", "", source, flags=re.MULTILINE)
    return re.sub(r"^export (?=const|class)", "", source, flags=re.MULTILINE).strip() + "\n"


def make_python(folder: Path) -> None:
    """Write the joined Python player."""
    (folder / "tgt_player.py").write_text(join_player(), "utf-8")
    set_version(folder / "pyproject.toml")


def make_arduino(folder: Path) -> None:
    """Write the headers of the C player, and the table of the example."""
    tree = load_tree(ROOT / "trees" / "p4c6r-knuth.tgt").tree
    table = make_table(tree, profile="lean")
    lines = generate_table_header(table, tree.game, "knuth", "lean")
    (folder / "examples" / "SerialGame" / "table.h").write_text("\n".join(lines) + "\n", "utf-8")
    for name, data in join_c_player().items():
        (folder / "src" / name).write_bytes(data)
    set_version(folder / "library.properties")


def set_version(path: Path) -> None:
    """Write treegen's version in place of 0.0.0."""
    text = path.read_text("utf-8")
    path.write_text(text.replace("0.0.0", __version__, 1), "utf-8")


MAKERS: dict[str, Callable[[Path], None]] = {
    "npm": make_npm,
    "python": make_python,
    "arduino": make_arduino,
}

if __name__ == "__main__":
    sys.exit(main())
