"""treegen warmup compiles what later work needs, and says where it is kept."""

import json

import pytest

import treegen
from treegen.api import warming

from ..command import run


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
    assert "NUMBA_CACHE_DIR" in str(treegen.api.Warmup(None, 0, 0))


@pytest.mark.slow
def test_a_second_run_compiles_nothing():
    assert treegen.warmup().n_kernels > 0
    assert treegen.warmup().n_new == 0
