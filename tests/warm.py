"""Compile all kernels before the tests, once for all workers, on two cores.

``python -m tests.warm rules | python -m tests.warm searches`` from the project's root.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEARCHES = (
    "proofs",
    "shared proofs",
    "certificates",
    "given first guesses",
    "legal proofs",
    "openings",
    "near-optimal trees",
)
APART = "long codes"


def compile_kernels():
    """Fill numba's cache; where it is full already this takes seconds."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return
    command = [sys.executable, "-m", "tests.warm"]
    rules = subprocess.Popen([*command, "rules"], cwd=ROOT, stdout=subprocess.PIPE)
    searches = subprocess.Popen([*command, "searches"], cwd=ROOT, stdin=rules.stdout)
    rules.stdout.close()
    if any([rules.wait(), searches.wait()]):
        raise RuntimeError("the kernels cannot be compiled")


def main():
    """Do one half of the work of `treegen warmup`."""
    from treegen.jit.interpreter import compile_all
    from treegen.warming import _list_tasks

    tasks = dict(_list_tasks())
    with compile_all():
        if sys.argv[1] == "searches":
            tasks[APART]()
            sys.stdin.readline()  # searches call the kernels of rules: when these are compiled
            for name in SEARCHES:
                tasks[name]()
            return
        for number, (name, run) in enumerate(tasks.items()):
            if name not in (*SEARCHES, APART):
                run()
            if number == 0:
                print(f"{name} are compiled", flush=True)


if __name__ == "__main__":
    main()
