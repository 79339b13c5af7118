"""The command line: parses, calls the library, prints."""

from __future__ import annotations

from .main import main

__all__ = ["main"]
