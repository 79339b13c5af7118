"""Golden files: compared by every run, written again by `make refdata` alone."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "refdata"


def check_golden(name, text):
    """Compare a text with tests/refdata/`name`."""
    path = FOLDER / name
    if os.environ.get("TREEGEN_REFDATA"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
