"""Builds that are ended early, by inner flags and stand-ins rather than a clock; what they say."""

from __future__ import annotations

import os
import signal
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from treegen import SearchStoppedError, Stop, build, open_game
from treegen.builder import choose
from treegen.builder.grow import build_sharded, read_recipe, write_recipe
from treegen.kernels.onestep.guesses import choose_states
from treegen.strategies.named import parse_strategy
from treegen.tasks.cluster import open_workers
from treegen.tasks.work import PROCESS

from ..written import bytes_of
from .simulated_device import count_states


def test_halt_sets_the_flags_of_those_who_listen():
    halt, flags = Stop(), [np.zeros(1, dtype=np.int64) for _ in range(3)]
    with halt.listen(flags[0]):
        pass
    with pytest.raises(SearchStoppedError), halt.listen(flags[1]):
        halt.call()
        assert [int(flag[0]) for flag in flags] == [0, 1, 0]
    with pytest.raises(SearchStoppedError), halt.listen(flags[2]):
        raise AssertionError("nobody begins any more")
    halt.is_called = False
    with halt.listen(flags[2]):
        assert flags[2][0] == 0


def test_an_interrupted_build_is_begun_anew_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr("treegen.builder.choose.THREADED_PAIRS", 1)
    game = open_game("p4c6r")
    knuth = parse_strategy("knuth", game)
    halt = read_recipe(write_recipe(game, knuth)).halt
    called = threading.Event()
    monkeypatch.setattr(halt, "call", lambda: (Stop.call(halt), called.set()))

    def interrupt(state):
        if count_states(state)[1] > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_workers(jobs=2) as workers:
        options = {"workers": workers, "task_pairs": 20_000}
        build_sharded(game, knuth, tmp_path, progress=interrupt, **options)
    assert called.is_set()
    tree = build_sharded(game, knuth, tmp_path)
    assert bytes_of(tree, "tree") == bytes_of(build(game, knuth), "tree")


def test_a_level_under_way_ends_when_the_time_is_over(monkeypatch):
    """The thread that waits asks for the time, and tells the others, which go on until then."""
    monkeypatch.setattr(choose, "THREADED_PAIRS", 1)
    begun = threading.Event()

    def go_on(*_, stop):
        begun.set()
        for _ in range(20_000):  # only bounds a hang
            if stop[0]:
                break
            time.sleep(0.001)

    def check_stop():
        if begun.is_set():
            raise KeyboardInterrupt

    monkeypatch.setattr(choose.Many, "choose_states", go_on)
    monkeypatch.setattr(PROCESS, "check_stop", check_stop)
    game = open_game("p3c4r")
    with pytest.raises(KeyboardInterrupt):
        build(game, "knuth", jobs=2)
    assert begun.is_set()


def test_a_line_of_progress_gives_the_time_left_once_it_is_known(monkeypatch):
    clock = iter([0.0, 0.0, 0.0, 0.01, 20.0, 20.0])
    monkeypatch.setattr(choose, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr(choose, "peak_memory_bytes", lambda: 278_400_000)
    told = []
    reporter = choose.Reporter(told.append, 531_441)
    reporter.start_level(34_000, 531_424)
    reporter.advance(1, 0.01)  # just after the first: not told
    reporter.advance(1200, 0.25)
    assert [(state.stage, state.done, state.total) for state in told] == [
        ("build", 0.0, 1.0),
        ("build", 0.25, 1.0),
    ]
    assert [state.note for state in told] == [
        "guess 1: 0 of 34,000 states, 17 of 531,441 secrets found, 0/s, 278 MB",
        "guess 1: 1,200 of 34,000 states, 60 s left, 17 of 531,441 secrets found, 60/s, 278 MB",
    ]


@pytest.fixture
def last_tried(monkeypatch):
    """Send Ctrl-C as soon as a kernel tries guesses; return what waits for the last it tried.

    The build need not wait for its kernels, so the test does.
    """
    tried, ended = [], threading.Event()

    def interrupt(guesses):
        while guesses[0] < 0:
            time.sleep(0.001)  # lets the kernel's thread go on; how long does not matter
        os.kill(os.getpid(), signal.SIGINT)

    def run_kernel(board, space, *rest):
        space.guesses[:] = -1
        threading.Thread(target=interrupt, args=[space.guesses], daemon=True).start()
        choose_states(board, space, *rest)
        tried.append(int(space.guesses.max()))
        ended.set()

    def wait_for_last():
        ended.wait(300)  # only bounds a hang
        return tried

    monkeypatch.setattr(choose, "choose_states", run_kernel)
    return wait_for_last


@pytest.mark.compiled
@pytest.mark.usefixtures("heard")
@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_during_one_long_search(jobs, last_tried):
    # All 531,441 guesses tie for the draw: the first state alone is 282 thousand million pairs.
    game = open_game("p6c9r")
    strategy = parse_strategy("max,random", game)
    with pytest.raises(KeyboardInterrupt):
        build(game, strategy, jobs=jobs)
    assert [0 <= last < game.n_codes - 1 for last in last_tried()] == [True]


@pytest.mark.usefixtures("heard")
@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_does_not_wait_for_a_compiler(jobs, monkeypatch):
    """Whoever compiles a kernel hears nothing before it is done; here it is never done."""
    gate, ended = threading.Event(), []

    def compile_kernel(*_):
        # In this thread: nothing wakes the main one, as when a signal just misses its wait.
        signal.raise_signal(signal.SIGINT)
        ended.append(gate.wait(300))  # only bounds a hang

    monkeypatch.setattr(choose, "choose_states", compile_kernel)
    game = open_game("p5c9r")
    with pytest.raises(KeyboardInterrupt):
        build(game, "max,random", jobs=jobs)
    assert not ended
    gate.set()
