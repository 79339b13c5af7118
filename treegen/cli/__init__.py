"""The command line: parses, calls the library, prints."""

from __future__ import annotations

from .main import main
from .process import run_guarded

__all__ = ["main", "run_guarded"]
