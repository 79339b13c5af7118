"""The command line: parses, calls the library, prints."""

from __future__ import annotations

from .._process import run_guarded
from .main import main

__all__ = ["main", "run_guarded"]
