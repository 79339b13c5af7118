"""The checker in C, compiled and run where there is a compiler."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from .._files import WRITTEN
from ..errors import FormatError
from ..jit.cache import open_folder
from .claims import Verdict, read_claims

SOURCE = files(__package__) / "check.c"
"""The checker: one file, which needs nothing else."""

OPTIONS = (["-O3", "-march=native", "-std=c99"], ["-O2"])
"""Not every compiler knows the first ones."""

PREFIX = "treegen-checker-"

PROVED, NOT_PROVED = 0, 1
"""Its exit codes; 2 refuses."""


def find_compiler() -> list[str] | None:
    """Return the command of a C compiler: that of the variable ``CC``, or the system's."""
    for command in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        with suppress(ValueError):  # a quotation without an end is no command
            words = shlex.split(command)
            if words and shutil.which(words[0]):
                return words
    return None


def check_compiled(
    data: bytes,
    words: Sequence[Sequence[str]] = (),
    table: bytes | None = None,
    compiler: Sequence[str] | None = None,
) -> Verdict | None:
    """Check a certificate by the checker in C; None where it cannot be compiled or run.

    `data`, `words`, `table` and the errors are those of `check_certificate`; `compiler` is a
    command (None: `find_compiler`). The compiled checker is kept beside the compiled kernels.
    """
    compiler = compiler or find_compiler()
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory(prefix="treegen-") as name, WRITTEN.remember_temporary(name):
        folder = Path(name)
        paths = [folder / f"words-{number}" for number in range(len(words))]
        for path, part in zip(paths, words, strict=True):
            path.write_text("".join(f"{word}\n" for word in part), encoding="utf-8")
        if table is not None:
            paths.append(folder / "table")
            paths[-1].write_bytes(table)
        for program in _find_programs(compiler, folder):
            command = [str(program), "-", *map(str, paths)]
            try:
                done = subprocess.run(command, input=data, capture_output=True, check=False)
            except OSError:  # such as a folder whose programs may not be run
                continue
            return _read_verdict(data, done.returncode, done.stdout.decode("utf-8", "replace"))
    return None


def _read_verdict(data: bytes, code: int, said: str) -> Verdict:
    kind, _, text = said.strip().rpartition("PROVED: ")
    if code not in (PROVED, NOT_PROVED):
        reason = said.strip().rpartition("UNREADABLE: ")[2]
        raise FormatError(f"the certificate: {reason or f'the checker ended with code {code}'}")
    fault = "" if code == PROVED and not kind else text or "the checker says nothing"
    n_lemmas = data.count(b"\nl ") + data.count(b"\nroot ")
    return Verdict(read_claims(data, is_whole=not fault), n_lemmas, fault)


def _find_programs(compiler: Sequence[str], temporary: Path) -> Iterator[Path]:
    """Yield the compiled checker: the kept one, then one in a temporary folder."""
    for options in OPTIONS:
        command = [*compiler, *options]
        defined = _list_macros(tuple(command))
        if defined is not None:
            parts = [SOURCE.read_bytes(), "\0".join(command).encode(), defined]
            digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts))
            folder = open_folder(digest.hexdigest()[:16], prefix=PREFIX)[0]
            if folder is not None and _keep(command, folder / "check"):
                yield folder / "check"
        program = temporary / "check"
        if _compile(command, program):
            yield program
            return


@cache
def _list_macros(command: tuple[str, ...]) -> bytes | None:
    """Return all that a compiler defines: its version, and what its target can do."""
    return _run([*command, "-dM", "-E", "-x", "c", os.devnull])


def _keep(command: Sequence[str], program: Path) -> bool:
    """Compile the checker unless it is there, as its sha256 beside it says; return whether it is.

    It is written beside its place first: another process may compile it, too, or run it.
    """
    seal = program.with_suffix(".sha256")
    with suppress(OSError):
        if program.exists() and seal.read_text() == _hash(program):
            return True
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=program.parent)
        os.close(handle)
        with WRITTEN.remember_temporary(name):
            try:
                if _compile(command, Path(name)):
                    seal.write_text(_hash(Path(name)))
                    Path(name).replace(program)
                    return True
            finally:
                Path(name).unlink(missing_ok=True)
    return False


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _compile(command: Sequence[str], program: Path) -> bool:
    """Compile the checker, which need not be a file; return whether that worked."""
    whole = [*command, "-o", str(program), "-x", "c", "-"]
    return _run(whole, SOURCE.read_bytes()) is not None


def _run(command: Sequence[str], data: bytes = b"") -> bytes | None:
    """Return the output of a command; None if it fails."""
    try:
        done = subprocess.run(command, input=data, capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
