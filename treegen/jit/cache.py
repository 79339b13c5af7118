"""Where compiled kernels are kept: a private folder named by everything machine code depends on.

numba itself checks the file of the kernel that Python calls, but not those of the kernels compiled
into it, and would keep running code whose source has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

SOURCES = (
    "jit/compiler.py",
    "games/renaming.py",
    "kernels",
    "online",
    "exact/engine",
    "exact/openings.py",
    "exact/tables/bounds.py",
    "exact/tables/refutation.py",
    "exact/tables/search.py",
)
"""Modules and folders that hold every kernel and what kernels read of other modules;
`tests/jit/test_cache.py` finds any that is missing."""

PREFIX = "treegen-kernels-"

KEPT = 4
"""When a folder is created, this many others are kept, those used last."""

HARMLESS = (
    *("CACHE_DIR", "NUM_THREADS", "THREADING_LAYER", "DEBUG_CACHE", "WARNINGS"),
    *("ENABLE_CUDASIM", "CUDA_LOW_OCCUPANCY_WARNINGS"),
)
"""Settings of numba that change no machine code."""


def digest_kernels(versions: Iterable[str], package: Path = PACKAGE) -> str | None:
    """Return a digest of all kernels' sources, and of everything else that determines machine code.

    `versions` are those of the compiler. None if there are no sources to read: then compiled code
    must not be kept.
    """
    # Length before content: no two sets of sources make the same stream.
    digest = hashlib.sha256("\n".join([*versions, *_list_settings()]).encode())
    files = list(list_sources(package))
    if len(files) < len(SOURCES):
        return None
    for path in files:
        content = path.read_bytes()
        digest.update(f"\n{path.relative_to(package).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def list_sources(package: Path = PACKAGE) -> Iterator[Path]:
    """Yield the files of `SOURCES`, always in the same order."""
    for name in SOURCES:
        path = package / name
        if path.suffix:
            yield from [path] if path.is_file() else []
            continue
        for folder, folders, files in os.walk(path):
            folders.sort()
            yield from (Path(folder, file) for file in sorted(files) if file.endswith(".py"))


def _list_settings() -> list[str]:
    """Return numba's settings in the environment, as ``NUMBA_BOUNDSCHECK=1``."""
    harmless = {f"NUMBA_{name}" for name in HARMLESS}
    return sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name not in harmless
    )


def open_folder(digest: str, wanted: str = "", prefix: str = PREFIX) -> tuple[Path | None, str]:
    """Return the folder of a digest's machine code, created if necessary; None where none can be.

    Whoever writes compiled code decides what runs, so a folder is only used if nobody else can
    write to it: a directory, not a link, owned by this user, and not writable by others.

    `wanted` is the user's choice, numba's ``NUMBA_CACHE_DIR``; without one it is the folder of the
    package, of the user, or of temporary files, whichever is writable first. Folders of another
    `prefix` are another kind's, and stay. Also returned is what the user should know, or nothing.
    """
    name = _name_folders(prefix)
    warning = ""
    if wanted:
        try:
            return _make_private(Path(wanted), name, digest), ""
        except OSError as error:
            warning = f"NUMBA_CACHE_DIR={wanted} cannot be used ({error.strerror or error}): "
    for parent in _list_parents():
        with suppress(OSError):
            folder = _make_private(parent, name, digest)
            if parent == Path(tempfile.gettempdir()):  # which may be emptied at any time
                warning = warning or "neither the package nor the home folder can be written: "
            return folder, warning and f"{warning}compiled kernels are kept in {folder}"
    warning = warning or "no folder can be written: "
    return None, f"{warning}kernels are compiled at every start"


def list_folders(wanted: str = "", prefix: str = PREFIX) -> list[Path]:
    """Return the folders of this user's machine code, of all versions, wherever they may be kept.

    `wanted` and `prefix` are those of `open_folder`.
    """
    name = _name_folders(prefix)
    parents = [Path(wanted)] if wanted else []
    found = [path for parent in [*parents, *_list_parents()] for path in parent.glob(f"{name}*")]
    return [path for path in dict.fromkeys(found) if _is_own(path)]


def _name_folders(prefix: str) -> str:
    """Return the prefix of the names of this user's folders."""
    return f"{prefix}{os.getuid() if hasattr(os, 'getuid') else 'user'}-"


def _is_own(path: Path) -> bool:
    """Return whether a path is a folder of this user, and no link."""
    state = path.lstat()
    return stat.S_ISDIR(state.st_mode) and (
        not hasattr(os, "getuid") or state.st_uid == os.geteuid()
    )


def _list_parents() -> Iterator[Path]:
    """Yield where the folder may be, the package's own place first."""
    yield PACKAGE / "__pycache__"
    with suppress(RuntimeError):  # a user without a home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "treegen"
    temporary = Path(tempfile.gettempdir())
    # Where anybody may rename any file, a folder may be replaced after the check.
    mode = temporary.stat().st_mode
    if mode & stat.S_ISVTX or not mode & 0o022:
        yield temporary


def _make_private(parent: Path, name: str, digest: str) -> Path:
    """Return a folder that only this user can write to; raise OSError if that is impossible."""
    folder = parent / (name + digest)
    parent.mkdir(parents=True, exist_ok=True)
    is_new = not folder.is_symlink() and not folder.exists()
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise OSError(f"{folder} is no directory")
    if hasattr(os, "getuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
        raise OSError(f"others can write {folder}")
    tempfile.TemporaryFile(dir=folder).close()
    with suppress(OSError):
        os.utime(folder)  # records when it was used last
    if is_new:
        _remove_old(parent, name, folder)
    return folder


def _remove_old(parent: Path, name: str, newest: Path) -> None:
    """Remove other folders except those used last; a process may still use them.

    That process then misses its files and compiles again.
    """

    def find_use(folder: Path) -> float:
        try:
            return folder.lstat().st_mtime
        except OSError:
            return 0.0

    others = [path for path in parent.glob(f"{name}*") if path != newest and not path.is_symlink()]
    for folder in sorted(others, key=find_use, reverse=True)[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)
