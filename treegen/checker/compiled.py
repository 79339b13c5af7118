"""The checker in C, compiled and run where there is a compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .._process import PROCESS
from ..errors import FormatError
from .check import Verdict, read_claim

SOURCE = Path(__file__).with_name("check.c")
"""The checker: one file, which needs nothing else."""

OPTIONS = (["-O3", "-march=native", "-std=c99"], ["-O2"])
"""Not every compiler knows the first ones."""

PROVED, NOT_PROVED, REFUSED = 0, 1, 2
"""Its exit codes."""


def find_compiler() -> list[str] | None:
    """Return the command of a C compiler: that of the variable ``CC``, or the system's."""
    for command in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        words = shlex.split(command)
        if words and shutil.which(words[0]):
            return words
    return None


def check_compiled(
    data: bytes, words: Sequence[Sequence[str]] = (), compiler: Sequence[str] | None = None
) -> Verdict | None:
    """Check a certificate by the checker in C; None where it cannot be compiled.

    Parameters and errors as of `check_certificate`; `compiler` is the command that compiles it, by
    default that of `find_compiler`.
    """
    compiler = compiler or find_compiler()
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory(prefix="treegen-") as name, PROCESS.remember_temporary(name):
        folder = Path(name)
        program = folder / "check"
        if not any(_compile([*compiler, *options], program) for options in OPTIONS):
            return None
        paths = [folder / f"words-{number}" for number in range(len(words))]
        for path, part in zip(paths, words, strict=True):
            path.write_text("".join(f"{word}\n" for word in part), encoding="utf-8")
        done = subprocess.run([program, *paths], input=data, capture_output=True, check=False)
    kind, _, text = done.stdout.decode("utf-8", "replace").strip().rpartition("PROVED: ")
    if done.returncode not in (PROVED, NOT_PROVED):
        reason = done.stdout.decode("utf-8", "replace").strip().rpartition("UNREADABLE: ")[2]
        raise FormatError(
            f"the certificate: {reason or f'the checker ended with code {done.returncode}'}"
        )
    fault = "" if done.returncode == PROVED and not kind else text or "the checker says nothing"
    return Verdict(read_claim(data), 1 + data.count(b"\nl "), fault)


def _compile(command: Sequence[str], program: Path) -> bool:
    try:
        done = subprocess.run([*command, "-o", program, SOURCE], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and program.exists()
