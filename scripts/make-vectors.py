"""Write the conformance vectors of the table format: tests/vectors/*.json.

Usage: make-vectors.py [FOLDER]

tables.json    tables that every player must play, with transcripts and figures
damaged.json   tables that every player must refuse, each with one check in mind

docs/notes/table-format.md explains both files. The output depends on nothing but the code.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from vectors import generate_damaged, generate_tables


def main() -> int:
    """Write both files."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "tests/vectors")
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "tables.json", list(generate_tables()))
    write(folder / "damaged.json", list(generate_damaged()))
    return 0


def write(path: Path, vectors: list[dict[str, Any]]) -> None:
    """Write vectors, one on a line."""
    lines = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{path}: {len(vectors)} vectors, {path.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
