"""treegen warmup compiles what later work needs, and says where it is kept."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treegen
from treegen.api import warming

from ..command import run

ROOT = Path(__file__).parents[2]


def test_it_says_where_kernels_are(monkeypatch, capsys):
    done = []
    tasks = [("rules", lambda: done.append(treegen.build("p2c3r"))), ("more", lambda: None)]
    monkeypatch.setattr(warming, "_list_tasks", lambda: iter(tasks))
    assert run("warmup", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() == treegen.read_schema("warmup")["properties"].keys()
    assert len(done) == 1
    told = []
    shown = treegen.warmup(progress=told.append)
    assert [state.stage for state in told] == ["rules", "more"]
    assert str(shown).endswith("0 of them compiled now")


def test_without_a_folder_it_says_so():
    assert "NUMBA_CACHE_DIR" in str(treegen.Warmup(None, 0, 0))


KERNELS = """
import importlib, pkgutil, treegen
from treegen import _interpreter
treegen.warmup()
for module in pkgutil.walk_packages(treegen.__path__, "treegen."):
    if "__main__" in module.name or "micropython" in module.name:
        continue
    for name, kernel in vars(importlib.import_module(module.name)).items():
        if isinstance(kernel, _interpreter.Kernel) and not kernel.dispatcher.signatures:
            print(module.name, name)
"""


@pytest.mark.slow
def test_every_kernel_is_compiled(tmp_path):
    # In an empty folder: a kernel loaded from a file does not load those that it calls.
    found = subprocess.run(
        [sys.executable, "-c", KERNELS],
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert found.stdout == ""


@pytest.mark.slow
def test_a_second_run_compiles_nothing():
    assert treegen.warmup().n_kernels > 0
    assert treegen.warmup().n_new == 0
