"""Builds that are ended early: their threads end, and the next build is none the worse."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from treegen.builder import choose
from treegen.builder.distribute import build_sharded
from treegen.builder.grow import build_tree, read_recipe, write_recipe
from treegen.errors import SearchStoppedError
from treegen.formats.tree_file import generate_tree_bytes
from treegen.games.names import parse_game
from treegen.strategies.named import parse_strategy
from treegen.tasks.cluster import open_workers
from treegen.tasks.work import PROCESS, Stop


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
    game = parse_game("p4c6r")
    knuth = parse_strategy("knuth", game)
    halt = read_recipe(write_recipe(game, knuth)).halt
    called = threading.Event()
    monkeypatch.setattr(halt, "call", lambda: (Stop.call(halt), called.set()))

    def interrupt(state):
        if state.n_done > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_workers(jobs=2) as workers:
        options = {"workers": workers, "task_pairs": 20_000}
        with build_sharded(game, knuth, tmp_path, progress=interrupt, **options):
            pass
    assert called.is_set()
    with open_workers(jobs=2) as workers, build_sharded(game, knuth, tmp_path) as tree:
        assert b"".join(generate_tree_bytes(tree)) == b"".join(
            generate_tree_bytes(build_tree(game, knuth))
        )


def test_a_level_under_way_ends_when_the_time_is_over(monkeypatch):
    """The thread that waits asks for the time, and tells the others, which go on until then."""
    monkeypatch.setattr(choose, "THREADED_PAIRS", 1)
    begun = threading.Event()

    def go_on(run, chosen):
        begun.set()
        for _ in range(20_000):  # only bounds a hang
            if run.stop[0]:
                break
            time.sleep(0.001)
        return chosen

    def check_stop():
        if begun.is_set():
            raise KeyboardInterrupt

    monkeypatch.setattr(choose._Run, "do", go_on)
    monkeypatch.setattr(PROCESS, "check_stop", check_stop)
    game = parse_game("p3c4r")
    with pytest.raises(KeyboardInterrupt):
        build_tree(game, parse_strategy("knuth", game), jobs=2)
    assert begun.is_set()
