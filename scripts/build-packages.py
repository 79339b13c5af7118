"""Make the Python distribution of the player alone, without a table.

Usage: build-packages.py [FOLDER]

The folder, by default build/packages/python, is taken by `python -m build` as it is. Packages for
npm and Arduino, which have a table, are written by `treegen export npm` and `arduino`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen import __version__  # noqa: E402
from treegen.formats.players import join_player  # noqa: E402


def main() -> int:
    """Write the distribution: the joined player, what is in packages/python, the license."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "packages" / "python"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "packages" / "python", folder)
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "tgt_player.py").write_text(join_player(), "utf-8")
    project = folder / "pyproject.toml"
    project.write_text(project.read_text("utf-8").replace("0.0.0", __version__, 1), "utf-8")
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
