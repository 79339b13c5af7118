"""Packages that only some functions need: imported there, or named with the command to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import DependencyError


def import_pandas() -> Any:
    """Return pandas; raise DependencyError where it is not installed."""
    try:
        return import_module("pandas")
    except ImportError as error:
        raise DependencyError("a frame needs pandas: pip install pandas") from error
