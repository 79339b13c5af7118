r"""A folder that keeps the results of a build's tasks, so that a killed build can be resumed.

Each task's result has a file, which names its build, too. In short::

    8 bytes   magic  "\x89TCPT\r\n\x1a"
    4 bytes   length of the header, little-endian
    header    msgpack array: version, build (32 bytes), name of the task
    padding   zero bytes up to a multiple of 64
    body      what the task returned
    32 bytes  sha256 of all bytes before
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import msgpack

from .. import __version__
from .._files import map_file, read_text, refuse_file_name, write_atomically
from ..errors import FormatError, UsageError, warn

MAGIC = b"\x89TCPT\r\n\x1a"
VERSION = 1
_ALIGNMENT = 64
_CHECKSUM_BYTES = 32


def pack_result(build: bytes, task: str, body: bytes) -> bytes:
    """Return the bytes of a file."""
    header = msgpack.packb([VERSION, build, task])
    head = MAGIC + struct.pack("<I", len(header)) + header
    data = head + bytes(-len(head) % _ALIGNMENT) + body
    return bytes(data + hashlib.sha256(data).digest())


def unpack_result(data: Any, build: bytes, task: str, is_checked: bool = True) -> memoryview:
    """Return the body of a file's bytes, with `is_checked` after comparing its checksum.

    FormatError if it is damaged, or belongs to another build or task.
    """
    view = memoryview(data)
    if view[: len(MAGIC)] != MAGIC or len(view) < 12 + _CHECKSUM_BYTES:
        raise FormatError("it is not the result of a task")
    end = len(view) - _CHECKSUM_BYTES
    if is_checked and hashlib.sha256(view[:end]).digest() != view[end:]:
        raise FormatError("its checksum does not match")
    (length,) = struct.unpack("<I", view[8:12])
    if msgpack.unpackb(view[12 : 12 + length]) != [VERSION, build, task]:
        raise FormatError("it belongs to another build or task")
    begin = 12 + length
    return view[begin + -begin % _ALIGNMENT : end]


MANIFEST = "build.json"
LOCK = "lock"
SUFFIX = ".part"

Notice = Callable[[str], object]
"""Called with a sentence that the user should see."""


def describe_work(game: str, rule: str, history: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Return the description of work in its folder: all that determines its tasks' results.

    `game` identifies the game to the last code, `rule` says what is built or searched, `history`
    has the guesses already made and the responses to them.
    """
    return {
        "format": VERSION,
        "treegen": __version__,
        "game": game,
        "rule": rule,
        "history": [list(pair) for pair in history],
    }


class Checkpoint:
    """The results of a build's tasks, each in a file of its own; `describe_work` makes `build`."""

    def __init__(self, folder: Path, build: dict[str, Any], notice: Notice | None = None) -> None:
        self.folder, self.build = folder, build
        self._checked: set[str] = set()
        self._notice, self._has_failed = notice or warn, False
        text = json.dumps(build, sort_keys=True)
        self._build_id = hashlib.sha256(text.encode("ascii")).digest()

    def find(self, task: str) -> memoryview | None:
        """Return the result of a task; None if there is none, or if it is damaged."""
        path = self.path_of(task)
        try:
            return unpack_result(map_file(path), self._build_id, task)
        except FileNotFoundError:
            return None
        except (FormatError, ValueError, OSError) as error:
            self._notice(f"{path}: {error}; it is done again")
            return None

    def save_part(self, task: str, body: bytes) -> None:
        """Write the result of a task, whole or not at all; raise UsageError if that fails."""
        try:
            write_atomically(self.path_of(task), pack_result(self._build_id, task, body))
        except UsageError as error:
            raise UsageError(
                f"{error}; what is finished stays in {str(self.folder)!r:.300}"
            ) from error

    def save(self, task: str, body: bytes) -> None:
        """Write what a search has proved; report a failure once: its tree is not lost."""
        try:
            write_atomically(self.path_of(task), pack_result(self._build_id, task, body))
        except UsageError as error:
            if not self._has_failed:
                self._notice(f"{error}; the search continues, and what it proves is not kept")
            self._has_failed = True

    def drop(self, task: str) -> None:
        """Forget the result of a task."""
        self.path_of(task).unlink(missing_ok=True)

    def read(self, task: str) -> memoryview:
        """Return an existing result; raise FormatError if it was damaged since.

        Its checksum is compared when it is read for the first time.
        """
        path = self.path_of(task)
        try:
            body = unpack_result(map_file(path), self._build_id, task, task not in self._checked)
            self._checked.add(task)
            return body
        except (FormatError, ValueError, OSError) as error:
            raise FormatError(f"{str(path)!r:.300}: {error}") from error

    def path_of(self, task: str) -> Path:
        """Return the file of a task."""
        return self.folder / f"{task}{SUFFIX}"


@contextmanager
def open_checkpoint(
    folder: str | os.PathLike[str], build: dict[str, Any], notice: Notice | None = None
) -> Iterator[Checkpoint]:
    """Open the folder of a build, absent or empty at first, for this process alone.

    `build` is the description of `describe_work`, perhaps with more; an older folder's `task_pairs`
    are kept. `notice` is called for damaged files. UsageError if the folder belongs to another
    build or program, or is in use; FormatError if its description of the build cannot be read.
    """
    refuse_file_name(folder)
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / LOCK).open("ab")
    except OSError as error:
        raise UsageError(f"cannot use the folder {str(path)!r:.300}: {error.strerror}") from error
    with lock:
        _take(lock, path)
        for stale in path.glob(".treegen-*.tmp"):
            stale.unlink(missing_ok=True)
        if (path / MANIFEST).exists():
            build = _compare(path, build)
        else:
            _begin(path, build)
        yield Checkpoint(path, build, notice)


def _take(lock: IO[bytes], path: Path) -> None:
    """Hold the folder's lock as long as this process lives."""
    with suppress(ImportError):  # no such locks on Windows
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"another build is using the folder {str(path)!r:.300}") from error


def _begin(path: Path, build: dict[str, Any]) -> None:
    """Write the description of the build into an empty folder."""
    others = [entry.name for entry in path.iterdir() if entry.name != LOCK]
    if others:
        raise UsageError(
            f"the folder {str(path)!r:.300} is not a build's checkpoint: it contains"
            f" {min(others)!r:.80}"
        )
    write_atomically(path / MANIFEST, (json.dumps(build, indent=1) + "\n").encode("ascii"))


def _compare(path: Path, build: dict[str, Any]) -> dict[str, Any]:
    """Return the folder's build; raise UsageError if it is another one."""
    try:
        found = json.loads(read_text(path / MANIFEST))
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{str(path / MANIFEST)!r:.300} cannot be read: it is no JSON") from error
    if not isinstance(found, dict):
        raise FormatError(f"{str(path / MANIFEST)!r:.300} does not describe its build")
    for name, value in build.items():
        if name != "task_pairs" and found.get(name, value) != value:
            raise UsageError(
                f"the folder {str(path)!r:.300} belongs to another build: its {name} is"
                f" {_write(found[name])}, here it is {_write(value)}"
            )
    if found.keys() != build.keys():
        raise FormatError(f"{str(path / MANIFEST)!r:.300} does not describe its build")
    if "task_pairs" not in build:
        return found
    if type(found["task_pairs"]) is not int or not 1 <= found["task_pairs"] < 10**18:
        raise FormatError(f"{str(path / MANIFEST)!r:.300} does not describe its tasks")
    return found


def _write(value: Any) -> str:
    return f"{value if isinstance(value, str) else json.dumps(value)!s:.120}"
