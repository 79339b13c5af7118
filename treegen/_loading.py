"""What is loaded only on request: optional packages, plug-ins."""

from __future__ import annotations

import importlib
import os
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import DependencyError, UsageError, warn

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def import_matplotlib() -> None:
    """Raise DependencyError where matplotlib is not installed."""
    _import("matplotlib.figure", "this picture needs matplotlib", "plot")


def import_pandas() -> Any:
    """Return pandas; raise DependencyError where it is not installed."""
    return _import("pandas", "a frame needs pandas", "frames")


def import_calamine() -> Any:
    """Return python_calamine; raise DependencyError where it is not installed."""
    why = "a workbook that is not saved as CSV needs python-calamine"
    return _import("python_calamine", why, "sheets")


def import_cuda() -> None:
    """Raise an error that says what to type where no graphics card can be used."""
    # Small states are no mistake that numba should warn of.
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
    try:
        # numba's simulator needs no package.
        if os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
            import_module("numba_cuda")
        cuda = import_module("numba.cuda")
    except Exception as error:  # versions that do not fit each other fail in any way
        is_missing = isinstance(error, ModuleNotFoundError)
        reason = "" if is_missing else f", which fails to load ({type(error).__name__}: {error})"
        raise DependencyError(
            f"a build on a graphics card needs numba-cuda{reason}:"
            " pip install 'numba-cuda[cu12]' 'numpy<2.5' (the extra cuda of treegen)"
        ) from error
    if not cuda.is_available():
        raise UsageError(
            "`device=cuda` finds no graphics card of NVIDIA: nvidia-smi lists those that the driver"
            " knows; without `device` the processor builds the same tree"
        )


def _import(module: str, why: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0].replace("_", "-")
        text = f"{why}: pip install {package} (the extra {extra} of treegen)"
        raise DependencyError(text) from error


# Plug-ins: what other packages add under the entry points ``treegen.games`` and so on.
#
# A package declares one in its ``pyproject.toml``; docs/notes/plug-ins.md has their kinds. One
# that fails to load is named in a warning and left out: it never keeps treegen from working.


GROUPS = ("games", "strategies", "exporters", "importers", "styles")


@lru_cache
def list_plugins(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name; of two of one name the first counts.

    The group is what follows ``treegen.`` in theirs, one of `GROUPS`.
    """
    from importlib.metadata import entry_points  # slow, and rarely needed

    found = sorted(entry_points(group=f"treegen.{group}"), key=lambda point: point.name)
    return {point.name: point for point in reversed(found)}


@lru_cache
def load_plugin(group: str, name: str) -> Any | None:
    """Return the object of a plug-in's entry point; None, after a warning, if that fails."""
    point = list_plugins(group).get(name)
    if point is None:
        return None
    try:
        return point.load()
    except Exception as error:  # a foreign package may fail in any way
        reason = f"{type(error).__name__}: {error}"
        warn(
            f"the plug-in {name!r} of {_describe(point)} is left out, as it fails to load: {reason}"
        )
        return None


def call_plugin(group: str, name: str, function: Any, *args: Any, **options: Any) -> Any | None:
    """Call a function of a plug-in; None, after a warning, where it fails."""
    try:
        return function(*args, **options)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        point = list_plugins(group)[name]
        warn(f"the plug-in {name!r} of {_describe(point)} failed: {reason}")
        return None


def describe_plugin(group: str, name: str) -> str:
    """Return a plug-in's description: its summary or first docstring line, and its package."""
    plugin = load_plugin(group, name)
    if plugin is None:
        return ""
    text = plugin if isinstance(plugin, str) else getattr(plugin, "summary", None)
    text = text or getattr(plugin, "__doc__", None) or "no description"
    first = str(text).strip().partition("\n")[0]
    return f"{first} (from {_describe(list_plugins(group)[name])})"


def forget_plugins() -> None:
    """Look for plug-ins again: packages were installed meanwhile."""
    # Import remembers what a folder held, by a time that two changes in a row may share.
    importlib.invalidate_caches()
    list_plugins.cache_clear()
    load_plugin.cache_clear()


def _describe(point: EntryPoint) -> str:
    """Return the package of an entry point, or its module where that is not known."""
    return point.dist.name if point.dist is not None else point.module
