"""The suite once more without compiling, and with every index checked.

Uncompiled, the kernels' integers and branches are Python's own; with checks, a read outside an
array is an error instead of garbage.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from treegen import build

ROOT = Path(__file__).parents[2]
KERNELS = [
    "tests/builder/test_expand.py",
    "tests/builder/test_search.py",
    "tests/builder/test_totals.py",
]
UNCOMPILED = [
    "tests/analysis/test_session.py",
    "tests/builder/test_expand.py",
    "tests/builder/test_totals.py",
    "tests/formats/test_tree_file.py",
    "tests/tree/test_tree.py",
    "tests/tree/test_walk.py",
    "tests/verifier/test_verify.py",
]


def run_pytest(arguments, folder, **variables):
    environment = {**os.environ, **variables, "NUMBA_CACHE_DIR": str(folder)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-500:]
    assert " passed" in result.stdout


def test_a_small_game_uncompiled():
    code = "import treegen; print(treegen.build('p2c3r', 'knuth').digest)"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (result.stdout.strip(), result.stderr) == (build("p2c3r", "knuth").digest, "")


# Without compiling but with numba at work, test_interpreter.py builds the same trees, too.
@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", [{"NUMBA_DISABLE_JIT": "1"}, {"TREEGEN_COMPILE": "never"}], ids=str
)
def test_small_games_uncompiled(mode, tmp_path):
    chosen = "definition and (p2c3r or p2c6n or p4c4nb) or kernel or opening_that_tells_nothing"
    files = ["tests/builder/test_expand.py", "tests/verifier/test_verify.py"]
    run_pytest([*files, "-k", chosen], tmp_path, **mode)


@pytest.mark.slow
def test_the_suite_passes_uncompiled(tmp_path):
    run_pytest(UNCOMPILED, tmp_path, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_kernels_with_every_index_checked(tmp_path):
    # Compiled at once: kernels that are interpreted for a while check less and take longer.
    checked = {"NUMBA_BOUNDSCHECK": "1", "TREEGEN_COMPILE": "always"}
    run_pytest([*KERNELS, "tests/builder/test_large_codebook.py"], tmp_path, **checked)
