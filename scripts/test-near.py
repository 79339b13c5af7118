"""Print the tests next to the changes of the working tree, a path on each line.

Usage: test-near.py [REVISION]

The changes are those since a revision (HEAD by default), files that git does not know included. A
module of the package is tested by the folder of tests/ that mirrors its own, and by those of the
folders whose modules import it, or one that does, and by the tests beside these folders that name
the package. What writes, reads, draws or explains trees (`NAMED`) is imported by nearly all: of the
other folders, and beside them, only the modules of tests count that name it or what users call of
it. A module of tests is tested by itself and those that name it; a script, or what tests share, by
the modules of tests that name it; a page of docs/ by tests/docs, and the tests beside it that name
it. Where anything else changed, say pyproject.toml, this prints `tests` and `treegen`: all of them.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.test_layers import MODULES, PACKAGE, imported_modules  # noqa: E402

TESTS = ROOT / "tests"
NAMED = {"analysis", "formats", "page", "pictures"}
"""Folders whose modules are called by name, in tests as in the package."""


def run_git(*arguments: str) -> list[str]:
    """Return the lines that a git command prints."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def find_folder(module: Path) -> Path | None:
    """Return the folder of tests/ for a module's own folder; None for the package's own modules."""
    parts = module.relative_to(PACKAGE).parts
    return TESTS / parts[0] if len(parts) > 1 else None


def list_users(changed: Path) -> set[Path]:
    """Return a module with those that import it, directly or not; not by way of `treegen` itself.

    Nearly all that tests import goes through that door.
    """
    door = PACKAGE / "__init__.py"
    users = {path: {*imported_modules(path)} for path in MODULES if path != door}
    found, new = {changed}, {changed}
    while new:
        new = {path for path, used in users.items() if used & new} - found
        found |= new
    return found


def list_users_by_name(module: Path, paths: Iterable[Path]) -> set[Path]:
    """Return those modules of tests that name what a module gives the door, or it as users do.

    That is as ``treegen.write_dot`` or in ``from treegen import``; the module in quotes, as a
    format, or behind a dot, as the ending of a file or in an import. What a fifth of the modules
    name, `read` say, is no reason to run these.
    """
    own = module.parent.name if module.stem == "__init__" else module.stem
    is_read = module.suffix == ".py" and module.exists()  # it is no asset, nor deleted
    body = ast.parse(module.read_text("utf-8") if is_read else "").body
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    texts = {path: path.read_text("utf-8") for path in paths}
    pattern = re.compile(rf"""["'.]{own}\b|\b{own}["']""")
    users = {path for path, text in texts.items() if pattern.search(text)}
    for name in names:
        imported = rf"from {PACKAGE.name} import (?:\([^)]*|[^\n(]*)\b{name}\b"
        pattern = re.compile(rf"{imported}|\b{PACKAGE.name}\.{name}\b")
        callers = {path for path, text in texts.items() if pattern.search(text)}
        if len(callers) <= len(texts) / 5:
            users |= callers
    return users


def list_naming(name: str, paths: Iterable[Path]) -> set[Path]:
    """Return those modules of tests in whose text a name stands."""
    return {path for path in paths if name in path.read_text("utf-8")}


def list_near(changed: Path) -> set[Path] | None:
    """Return folders and modules of tests for one changed file; None if all tests are near."""
    beside = [*TESTS.glob("test_*.py")]
    if changed.is_relative_to(PACKAGE):
        own, folders = find_folder(changed), {*map(find_folder, list_users(changed))} - {None}
        if own is None or own.name not in NAMED:
            return {changed, *folders, *list_naming(PACKAGE.name, beside)}
        others = [*beside, *(path for folder in folders for path in folder.rglob("test_*.py"))]
        return {changed, own, *list_users_by_name(changed, others)}
    if changed == TESTS / "conftest.py":
        return None
    if changed.is_relative_to(TESTS) and changed.name.startswith("test_"):
        return {changed, *list_naming(changed.stem, TESTS.rglob("test_*.py"))}
    if changed.parent in (TESTS, ROOT / "scripts"):
        return list_naming(changed.stem, TESTS.rglob("test_*.py"))
    if changed.is_relative_to(TESTS):
        return {TESTS / changed.relative_to(TESTS).parts[0], *beside}
    if changed.is_relative_to(ROOT / "docs") or changed.suffix == ".md":
        return {TESTS / "docs", *list_naming(changed.name, beside)}
    return None


def main() -> None:
    """Print the paths, those below another one left out."""
    revision = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    names = run_git("diff", "--name-only", "--relative", revision)
    names += run_git("ls-files", "--others", "--exclude-standard")
    near = {TESTS / "test_layers.py"}  # tests mirror the package: it compares their folders
    for name in names:
        paths = list_near(ROOT / name)
        if paths is None:
            near = {TESTS, PACKAGE}
            break
        near |= paths
    near = {path for path in near if path.is_dir() or (path.suffix == ".py" and path.exists())}
    for path in sorted(near):
        if not near & {*path.parents}:
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
