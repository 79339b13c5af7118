"""Fuzz the readers of files for a stated time.

Usage: fuzz.py [--seconds 60] [--seed 1] [--only c|python|import|tables|state]

c: tables and the C player, by libFuzzer; python: tables and the Python player, by atheris; import:
texts, graphs, lists of words; tables: tables of answers in every form, with options; state: the
folder of a build that is resumed. The last three need nothing else; an input fails that raises what
is no TreegenError, takes more than 5 s or lets memory grow by more than 500 MB.

Prints PASSED or FAILED and exits non-zero where an input makes a reader fail; the input stays in
build/fuzz/. A fuzzer that is not installed is named and passed over; with none at all it fails.
The first two need clang with libclang-rt-14-dev (or later), and atheris from PyPI.
"""

from __future__ import annotations

import argparse
import base64
import importlib.util
import json
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "fuzz"
FLAGS = [
    "-g",
    "-O1",
    "-std=c99",
    "-fsanitize=fuzzer,address,undefined",
    "-fno-sanitize-recover=all",
]
MAX_BYTES = 4096


def main() -> int:
    """Run what is there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each fuzzer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["c", "python", "import", "tables", "state"])
    options = parser.parse_args()
    corpus = write_corpus()
    fuzzers = {"c": make_c_command, "python": make_python_command}
    codes = []
    for name in ("import", "tables", "state"):
        if options.only in (None, name):
            codes.append(mutate(name, options.seconds, options.seed))
    for name, make in fuzzers.items():
        if options.only not in (None, name):
            continue
        command = make()
        if command is not None:
            codes.append(run(name, command, corpus, options.seconds))
    print("PASSED" if codes and not any(codes) else "FAILED")
    return 0 if codes and not any(codes) else 1


def write_corpus() -> Path:
    """Write the small conformance tables as files to begin with."""
    corpus = FOLDER / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for name in ("tables", "damaged"):
        vectors = json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text("utf-8"))
        for number, vector in enumerate(vectors):
            (coding, text), *_ = vector["file"].items()
            data = base64.b64decode(text)
            data = zlib.decompress(data) if coding == "zlib_base64" else data
            if len(data) <= MAX_BYTES:
                (corpus / f"{name}-{number}").write_bytes(data)
    return corpus


def make_c_command() -> list[str] | None:
    """Compile the C target; None where there is no clang."""
    if shutil.which("clang") is None:
        print("clang is not installed: the C player is not fuzzed")
        return None
    program = FOLDER / "fuzz_player"
    include = ["-I", str(ROOT / "treegen" / "player" / "c"), "-I", str(ROOT / "tests" / "players")]
    source = str(ROOT / "tests" / "fuzz" / "fuzz_player.c")
    subprocess.run(["clang", *FLAGS, *include, source, "-o", str(program)], check=True)
    return [str(program)]


def make_python_command() -> list[str] | None:
    """Return the command of the Python target; None where there is no atheris."""
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed: the Python reader is not fuzzed")
        return None
    return [sys.executable, str(ROOT / "tests" / "fuzz" / "fuzz_reader.py")]


def run(name: str, command: list[str], corpus: Path, seconds: int) -> int:
    """Fuzz for so long; print the last line of what the fuzzer says."""
    found = FOLDER / name
    found.mkdir(exist_ok=True)
    limits = [f"-max_total_time={seconds}", f"-max_len={MAX_BYTES}", "-timeout=20", "-seed=1"]
    print(f"fuzzing the {name} player for {seconds} s", flush=True)
    result = subprocess.run(
        [*command, *limits, f"-artifact_prefix={found}/", str(found), str(corpus)],
        cwd=ROOT, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    lines = result.stderr.splitlines()
    print("\n".join(lines[-20:] if result.returncode else lines[-1:]))
    return result.returncode


def mutate(name: str, seconds: int, seed: int) -> int:
    """Give the readers mutated files for so long; print what the fuzzer says."""
    print(f"fuzzing {name} for {seconds} s", flush=True)
    target = ROOT / "tests" / "fuzz" / f"fuzz_{name}.py"
    try:
        return subprocess.run(
            [sys.executable, str(target), str(seconds), str(seed)], cwd=ROOT, timeout=seconds + 300
        ).returncode
    except subprocess.TimeoutExpired:  # in code that hears no signal
        print(f"no end; the input is {FOLDER / name / 'current'}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
