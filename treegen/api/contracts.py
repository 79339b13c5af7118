"""The JSON that commands print and files hold, as schemas that programs can rely on."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from ..errors import UsageError

VERSION = 1
"""A schema of one version only gains optional fields."""


def list_schemas(version: int = VERSION) -> dict[str, str]:
    """Return the names of the JSON schemas, and which output each is of.

    Parameters
    ----------
    version
        Of the schemas; 1 is the only one.

    Raises
    ------
    UsageError
        There is no such version.

    Examples
    --------
    >>> import treegen
    >>> treegen.list_schemas()["sample"]
    'treegen simulate --json'
    """
    folder = files(__package__.partition(".")[0]) / "schemas" / f"v{version}"
    if not folder.is_dir():
        raise UsageError(f"there are no schemas of version {version!r}: there is {VERSION}")
    names = sorted(path.name.removesuffix(".json") for path in folder.iterdir())
    return {name: _load(name, version)["title"] for name in names}


def read_schema(name: str, version: int = VERSION) -> dict[str, Any]:
    """Return a JSON schema (draft 2020-12).

    Parameters
    ----------
    name
        One of `list_schemas`.
    version
        Of the schemas.

    Raises
    ------
    UsageError
        There is no such schema.

    Examples
    --------
    >>> import treegen
    >>> treegen.read_schema("tree")["$id"]
    'urn:treegen:schema:tree:1'
    """
    known = list_schemas(version)
    if name not in known:
        raise UsageError(f"there is no schema {name!r}: there are {', '.join(known)}")
    return _load(name, version)


def _load(name: str, version: int) -> dict[str, Any]:
    folder = files(__package__.partition(".")[0]) / "schemas" / f"v{version}"
    schema: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return schema
