"""A graphics card builds the same bytes, here in numba's simulator; what is said where none is."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import treegen
from treegen import DependencyError, UsageError
from treegen.builder import device

from .simulated_device import BUILDS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def simulated():
    """What `simulated_device` prints."""
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-m", "tests.builder.simulated_device"]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", BUILDS)
def test_the_card_builds_the_same_bytes(simulated, name):
    ours, theirs = simulated["digests"][name]
    assert ours == theirs


def test_progress_rises_to_the_end_of_each_level(simulated):
    reports = simulated["reports"]
    assert reports == sorted(reports)
    second = [report for report in reports if report[0] == 2]
    assert len(second) > 10  # of 7 states: between launches, too
    assert second[-1][1:] == [7, 1.0]


def test_a_halt_ends_the_work_between_launches(simulated):
    stopped = simulated["stopped"]
    assert stopped is not None, "the build went on to its end"
    level, n_done, share = stopped[-1]
    assert level == 2
    assert n_done == 2
    assert share < 1


def test_a_build_on_the_card_is_resumed_with_and_without_it(simulated):
    resumed = simulated["resumed"]
    assert resumed["rest"]["none"] == 0
    assert 0 < resumed["rest"]["cuda"] < resumed["whole"]
    assert resumed["digests"] == [resumed["ours"]] * 2


@pytest.fixture
def has_card(monkeypatch):
    """Let the packages and a card seem to be there."""
    monkeypatch.setitem(sys.modules, "numba_cuda", ModuleType("numba_cuda"))
    monkeypatch.setattr("numba.cuda.is_available", lambda: True)


STAYS = "the processor builds this tree, not the graphics card: "


@pytest.mark.parametrize(
    ("game", "strategy", "options", "reason"),
    [
        ("p2c3r", "knuth", {}, "with 9 codes the processor is quicker"),
        ("p9c2r", "max,lowest", {"eligible": "candidates"}, "it takes at most 8 pegs, 16 colors"),
        ("p2c40r", "max,lowest", {"eligible": "candidates"}, "it takes at most 8 pegs, 16 colors"),
        ("p2c3r", "max,random", {}, "of the tie-breaks it takes lowest and highest"),
        ("p2c3r", "max,next-largest,lowest", {}, "it takes 4 criteria at most"),
        (
            treegen.Codebook(["abc", "abd", "acd"], feedback="position"),
            "knuth",
            {},
            "it takes pegs",
        ),
        (treegen.Questions([[0, 1], [1, 1]]), "knuth", {}, "it takes pegs"),
    ],
)
def test_what_the_card_does_not_serve_is_announced_and_built(
    has_card, game, strategy, options, reason
):
    told = []
    tree = treegen.build(game, strategy, device="cuda", notice=told.append, **options)
    assert tree == treegen.build(game, strategy, **options)
    assert len(told) == 1
    assert told[0].startswith(STAYS + reason)


def test_a_resumed_build_says_that_the_processor_goes_on(has_card, tmp_path):
    told = []
    options = {"resume": tmp_path / "kept", "device": "cuda", "notice": told.append}
    assert treegen.build("p2c3r", "knuth", **options) == treegen.build("p2c3r", "knuth")
    assert told == [STAYS + "with 9 codes the processor is quicker"]


def test_without_the_extra_one_line_says_what_to_type(monkeypatch):
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    with pytest.raises(DependencyError, match=r"pip install 'numba-cuda\[cu12\]'"):
        treegen.build("p2c3r", device="cuda")


def test_a_package_that_fails_to_load_is_one_line(has_card, monkeypatch):
    def fail(name):
        raise AttributeError("module 'numpy' has no attribute 'row_stack'")

    monkeypatch.setattr("treegen._loading.import_module", fail)
    with pytest.raises(DependencyError, match=r"fails to load \(AttributeError: .*'numpy<2\.5'"):
        treegen.build("p2c3r", device="cuda")


def test_without_a_card_one_line_says_how_to_look(has_card, monkeypatch):
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    with pytest.raises(UsageError, match=r"device=cuda finds no graphics card.*nvidia-smi"):
        treegen.build("p2c3r", device="cuda")


def test_workers_do_not_go_with_a_card():
    with pytest.raises(UsageError, match=r"^device= and scheduler= cannot be combined"):
        treegen.build("p2c3r", device="cuda", scheduler="x")


def test_searches_refuse_a_card():
    with pytest.raises(UsageError, match="device= works only with strategies that follow a rule"):
        treegen.build("p2c3r", "optimal", device="cuda")


def test_an_unknown_device_is_refused():
    with pytest.raises(UsageError, match="unknown device 'rocm': there is cuda"):
        treegen.build("p2c3r", device="rocm")


def test_full_memory_is_one_line():
    with pytest.raises(UsageError, match="memory is full"), device.telling_of_memory():
        raise RuntimeError("[CUDA_ERROR_OUT_OF_MEMORY] Call to cuMemAlloc failed")
