"""The versions that determine a task's result: client and workers must have the same."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from .. import __version__

PACKAGES = ("numpy", "numba", "msgpack")


@cache
def read_versions() -> dict[str, str]:
    """Return the versions of treegen, Python and the packages that compute.

    Examples
    --------
    >>> sorted(read_versions())
    ['msgpack', 'numba', 'numpy', 'python', 'treegen']
    """
    found = {"treegen": __version__, "python": platform.python_version()}
    return found | {name: _find_version(name) for name in PACKAGES}


def describe_difference(here: dict[str, str], there: dict[str, str]) -> str:
    """Return the difference, ``numpy 2.1.0 here, 2.0.2 there``; empty if there is none.

    Examples
    --------
    >>> describe_difference({"numpy": "2.1.0", "python": "3.12.1"}, {"numpy": "2.0.2"})
    'numpy 2.1.0 here, 2.0.2 there; python 3.12.1 here, none there'
    """
    names = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    return "; ".join(
        f"{name} {here.get(name, 'none')} here, {there.get(name, 'none')} there" for name in names
    )


def _find_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
