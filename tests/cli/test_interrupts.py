"""Ctrl-C and failures in the middle, raised by stand-ins inside: what is done is kept, and said."""

import json
import re

import numpy as np
import pytest

from treegen import UsageError, build, open_game, read
from treegen.analysis import patterns, sample
from treegen.analysis import sample as games
from treegen.analysis.sample import SampleInterrupt, play_sample
from treegen.exact.request import Monitor

from ..command import run


def interrupt_after(monkeypatch, place, name, n, error=KeyboardInterrupt):
    """Let a function be called `n` times; the next call is ended by an error."""
    function, calls = getattr(place, name), []

    def call(*args, **kwargs):
        calls.append(args)
        if len(calls) > n:
            raise error
        return function(*args, **kwargs)

    monkeypatch.setattr(place, name, call)


def test_online_games_that_are_over_are_told(capsys, monkeypatch):
    whole = play_sample(open_game("p6c6r"), "one-by-one", 9, seed=3)
    interrupt_after(monkeypatch, sample, "play_game", 4)
    args = ["simulate", "p6c6r", "-s", "one-by-one", "-n", "9", "--seed", "3"]
    assert run(*args, "--json") == 130
    out, err = capsys.readouterr()
    figures = json.loads(out)
    assert (figures["n"], figures["total"]) == (4, int(whole.lengths[:4].sum()))
    assert err.strip() == "treegen: interrupted; the results are of 4 of 9 games"


def test_no_figures_before_the_first_game(capsys, monkeypatch):
    interrupt_after(monkeypatch, sample, "play_game", 0)
    assert run("simulate", "p6c6r", "-s", "one-by-one") == 130
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("", "treegen: interrupted; no game was finished")


@pytest.mark.parametrize("n_trees", [1, 7])
def test_trees_that_are_built_are_played(capsys, monkeypatch, n_trees):
    """Games along the finished trees; each is as it is in the whole sample."""
    game = open_game("p3c4r")
    whole = play_sample(game, "random-consistent", 60, seed=5)
    interrupt_after(monkeypatch, games, "count_tree", n_trees)
    with pytest.raises(SampleInterrupt) as stop:
        play_sample(game, "random-consistent", 60, seed=5)
    part = stop.value.sample
    kept = [length for number, length in enumerate(whole.lengths) if number % 25 < n_trees]
    assert part.lengths.tolist() == kept
    assert part.n_trees == n_trees
    assert np.isinf(part.ci95) == (n_trees == 1)


def test_games_along_one_tree_are_told(capsys, monkeypatch):
    interrupt_after(monkeypatch, sample, "derive_key", 7)
    assert run("simulate", "p3c4r", "-s", "knuth", "-n", "50") == 130
    out, err = capsys.readouterr()
    assert "games      7 (seed 0)\n" in out
    assert err.strip() == "treegen: interrupted; the results are of 7 of 50 games"


def test_tables_that_are_written_are_named(tmp_path, capsys, monkeypatch):
    interrupt_after(monkeypatch, patterns, "build_tree", 2)
    assert run("patterns", "3", "-o", str(tmp_path / "dir")) == 130
    assert capsys.readouterr().err.strip() == (
        f"treegen: interrupted; 2 of 3 tables are written to {tmp_path / 'dir'}, without the index:"
        " a3.tgt, a21.tgt; the same command writes them all"
    )
    assert sorted(path.name for path in (tmp_path / "dir").iterdir()) == ["a21.tgt", "a3.tgt"]
    assert read(tmp_path / "dir" / "a21.tgt").n_secrets == 3


@pytest.mark.parametrize(
    ("error", "reason"), [(MemoryError, "memory ran out"), (UsageError("no space"), "no space")]
)
def test_tables_stay_after_a_failure(tmp_path, capsys, monkeypatch, error, reason):
    interrupt_after(monkeypatch, patterns, "build_tree", 1, error)
    assert run("patterns", "3", "-o", str(tmp_path)) == 2
    assert f"treegen: {reason}; 1 of 3 tables are written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a3.tgt"]


def test_a_search_out_of_memory_says_what_would_be_kept(tmp_path, capsys, monkeypatch):
    interrupt_after(monkeypatch, Monitor, "run", 0, MemoryError)
    told = "memory ran out; no tree was written (with {} what is finished is kept)"
    with pytest.raises(UsageError, match=re.escape(told.format("resume=DIR"))):
        build("p3c4r", "optimal")
    assert run("build", "p3c4r", "-s", "optimal", "-o", str(tmp_path / "a.tree")) == 2
    assert capsys.readouterr().err == f"treegen: {told.format('--resume DIR')}\n"


def test_nothing_written_is_said_where_it_is_true(tmp_path, capsys, monkeypatch):
    interrupt_after(monkeypatch, patterns, "build_tree", 0)
    assert run("patterns", "3", "-o", str(tmp_path / "dir")) == 130
    assert capsys.readouterr().err == "treegen: interrupted; nothing was written\n"
    assert not (tmp_path / "dir").exists()


@pytest.mark.parametrize("search", ["best", "optimal"])
def test_ctrl_c_ends_a_comparison_with_the_search_at_hand(capsys, monkeypatch, search):
    """The search gives its best tree so far; what stands behind it is not begun."""

    def run_search(monitor, function):
        function()
        raise KeyboardInterrupt

    monkeypatch.setattr(Monitor, "run", run_search)
    args = ["compare", "p3c4r", "-s", "knuth", "-s", search, "-s", "entropy"]
    assert run(*args, "--time-limit", "500", "--json") == 130
    out, err = capsys.readouterr()
    names = [row["strategy"] for row in json.loads(out)]
    assert len(names) == 2
    assert names[1].startswith(search)
    assert err.strip().endswith("treegen: interrupted; 2 of 3 strategies done, as shown")
