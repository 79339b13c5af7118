"""Packages that only some functions need: imported there, or named with the command to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import DependencyError


def import_matplotlib() -> None:
    """Raise DependencyError where matplotlib is not installed."""
    try:
        import_module("matplotlib.figure")
    except ImportError as error:
        raise DependencyError(
            "this picture needs matplotlib: pip install matplotlib (the extra plot of treegen)"
        ) from error


def import_pandas() -> Any:
    """Return pandas; raise DependencyError where it is not installed."""
    try:
        return import_module("pandas")
    except ImportError as error:
        raise DependencyError(
            "a frame needs pandas: pip install pandas (the extra frames of treegen)"
        ) from error
