"""--time-limit does what Ctrl-C does; no clock is trusted: tests say inside when time is over."""

import json
import os
import signal
import threading
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

import treegen
from treegen import Stop, TimeLimitError, read, write_tree
from treegen.analysis import patterns
from treegen.analysis import sample as sampling
from treegen.builder import choose
from treegen.cli import options
from treegen.games import word_files
from treegen.tasks import work
from treegen.tasks.work import PROCESS
from treegen.verifier import rule, verify

from ..command import run

pytestmark = [
    pytest.mark.usefixtures("heard"),
    pytest.mark.skipif(os.name != "posix", reason="sends itself a signal"),
]


class Timer:
    """A timer that goes off when the test says so."""

    made: list = []  # noqa: RUF012

    def __init__(self, seconds, function):
        self.seconds, self.go_off, self.is_on = seconds, function, False
        Timer.made.append(self)

    def start(self):
        self.is_on = True

    def cancel(self):
        self.is_on = False


@pytest.fixture
def timers(monkeypatch):
    monkeypatch.setattr(Timer, "made", [])
    monkeypatch.setattr(threading, "Timer", Timer)
    monkeypatch.setattr(work, "time", SimpleNamespace(monotonic=lambda: 0.0))  # stands still
    yield Timer.made
    PROCESS.forget_stop()


def end_after(monkeypatch, timers, place, name, n):
    """Let a function be called `n` times; at the next call the time is over."""
    function, calls = getattr(place, name), []

    def call(*args, **kwargs):
        calls.append(args)
        if len(calls) > n:
            timers[-1].go_off()
            threading.Event().wait(300)  # only bounds a hang
        return function(*args, **kwargs)

    monkeypatch.setattr(place, name, call)


def test_games_that_are_over_are_told(capsys, monkeypatch, timers):
    end_after(monkeypatch, timers, sampling, "play_game", 4)
    args = ["simulate", "p6c6r", "-s", "one-by-one", "-n", "9", "--time-limit", "2.5"]
    assert run(*args, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["n"] == 4
    assert err == "treegen: the time limit of 2.5 s is over; the results are of 4 of 9 games\n"
    assert [(timer.seconds, timer.is_on) for timer in timers[1:]] == [(2.5, False)]


def test_a_build_writes_nothing(tmp_path, capsys, monkeypatch, timers):
    end_after(monkeypatch, timers, choose.Many, "choose_states", 1)
    path = tmp_path / "x.tree"
    assert run("build", "p3c4r", "-q", "--time-limit", "1", "-o", str(path)) == 130
    message = "treegen: the time limit of 1 s is over; nothing was written"
    assert capsys.readouterr().err.strip() == message
    assert not list(tmp_path.iterdir())


def test_a_build_in_time_is_whole(tmp_path, timers):
    path = tmp_path / "x.tree"
    assert run("build", "p3c4r", "-q", "--time-limit", "inf", "-o", str(path)) == 0
    assert read(path).total == 216
    assert timers[0].seconds == threading.TIMEOUT_MAX


def test_a_build_keeps_its_parts(tmp_path, capsys, monkeypatch, timers):
    folder = tmp_path / "parts"
    args = ["build", "p3c4r", "-q", "-j", "1", "-o", str(tmp_path / "x.tree")]
    args += ["--resume", str(folder)]
    end_after(monkeypatch, timers, choose.Many, "choose_states", 0)
    assert run(*args, "--time-limit", "1") == 130
    assert capsys.readouterr().err.strip() == (
        "treegen: the time limit of 1 s is over; what is finished is in"
        f" {folder}: the same command resumes from there"
    )
    monkeypatch.undo()
    assert run(*args) == 0


@pytest.fixture
def tree_file(tmp_path):
    from treegen import build

    path = tmp_path / "knuth.tree"
    write_tree(build("p3c4r"), path)
    return str(path)


def test_what_was_checked_is_shown(tree_file, capsys, monkeypatch, timers):
    end_after(monkeypatch, timers, rule._Chooser, "choose", 5)
    assert run("verify", tree_file, "--time-limit", "4") == 3
    out, err = capsys.readouterr()
    assert out.startswith("ok: 64 secrets found, total 216\nchecked: total, ")
    assert "not checked: rule (interrupted before it was checked)\n" in out
    assert err.strip() == "treegen: the time limit of 4 s is over; what was checked is shown"


def test_secrets_that_were_played_are_shown(tree_file, capsys, monkeypatch, timers):
    monkeypatch.setattr(verify, "SECRETS_PER_BLOCK", 10)
    end_after(monkeypatch, timers, verify, "_play", 2)
    assert run("verify", tree_file, tree_file, "--json", "--time-limit", "4") == 3
    out, err = capsys.readouterr()
    (row,) = json.loads(out)
    assert (row["secrets"], row["proved"], row["checked"]) == (20, False, {"strategy": "knuth"})
    assert {"total", "worst", "histogram", "digest", "rule"} <= row["not_checked"].keys()
    assert err.strip().endswith("is over; what was checked is shown (1 of 2 files)")


def test_ctrl_c_shows_what_was_checked(tree_file, capsys, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(rule._Chooser, "choose", interrupt)
    assert run("verify", tree_file) == 130
    out, err = capsys.readouterr()
    assert "not checked: rule" in out
    assert err.strip() == "treegen: interrupted; what was checked is shown"
    monkeypatch.setattr(verify, "_play", interrupt)
    assert run("verify", tree_file) == 130
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("", "treegen: interrupted; nothing was checked")


def test_it_strikes_where_ctrl_c_is_ignored(timers):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with pytest.raises(KeyboardInterrupt), Stop(5).interrupt():
        os.kill(os.getpid(), signal.SIGINT)
        timers[0].go_off()
        threading.Event().wait(300)  # only bounds a hang
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert PROCESS.describe_stop() == "the time limit of 5 s is over"


def test_it_does_not_strike_what_comes_after(timers):
    with Stop(5).interrupt():
        pass
    timers[0].go_off()
    assert not PROCESS.is_time_over


def test_it_strikes_while_a_list_is_read(tmp_path, capsys, monkeypatch, timers):
    end_after(monkeypatch, timers, word_files, "make_codebook", 0)
    path = tmp_path / "words.txt"
    path.write_text("abc\nabd\n")
    assert run("build", str(path), "-s", "optimal", "--time-limit", "2") == 130
    message = "treegen: the time limit of 2 s is over; nothing was written"
    assert capsys.readouterr().err.strip() == message


def test_a_list_has_its_time_whatever_the_limit(tmp_path, timers):
    path = tmp_path / "words.txt"
    path.write_text("abc\nabd\n")
    assert run("build", path, "-q", "-o", tmp_path / "x.tree", "--time-limit", "1e-9") == 0
    assert timers[0].seconds == options.READING_S == 300
    assert timers[-1].seconds == 1e-9


def test_what_strikes_at_the_end_of_the_work_is_undone():
    """A call has begun when the work ends: it strikes there, and nobody afterwards."""

    class Called:
        def __enter__(self):
            PROCESS.interrupt_for(stop)
            threading.Event().wait(300)  # only bounds a hang

        def __exit__(self, *_):
            pass

    before, stop, lock = signal.getsignal(signal.SIGINT), Stop(500), threading.Lock()
    with pytest.raises(KeyboardInterrupt), stop.interrupt():
        stop._lock = Called()
    assert signal.getsignal(signal.SIGINT) is before
    PROCESS.forget_stop()
    stop._lock = lock
    stop.call()
    assert not PROCESS.is_time_over


@pytest.fixture
def call_aside(monkeypatch, timers):
    """Return what calls a function in another thread; the time is over after some calls inside."""

    def call(place, name, n, function):
        inner, calls, ended = getattr(place, name), [], Future()

        def go_on(*args, **kwargs):
            calls.append(args)
            if len(calls) == n:
                timers[-1].go_off()
            return inner(*args, **kwargs)

        monkeypatch.setattr(place, name, go_on)
        thread = threading.Thread(target=lambda: ended.set_result(attempt(function)))
        thread.start()
        return ended.result(300)  # only bounds a hang

    return call


def attempt(function):
    """Return what a function returns, or the error that it raises."""
    try:
        return function()
    except TimeLimitError as error:
        return error


def test_a_build_in_another_thread_keeps_its_parts(tmp_path, call_aside):
    def build():
        return treegen.build("p3c4r", time_limit=3, resume=tmp_path / "parts")

    error = call_aside(choose.Many, "choose_states", 1, build)
    assert "what is finished is in" in str(error)
    assert build().total == 216


def test_games_in_another_thread_are_told(call_aside):
    def simulate(game, strategy, n):
        return lambda: treegen.simulate(game, strategy, n=n, time_limit=3)

    assert call_aside(sampling, "play_game", 4, simulate("p6c6r", "one-by-one", 9)).n == 4
    found = call_aside(sampling, "count_tree", 4, simulate("p3c4r", "random-consistent", 50))
    assert found.n_trees == 3


def test_what_was_checked_in_another_thread_is_told(call_aside):
    tree = treegen.build("p3c4r")
    report = call_aside(rule._Chooser, "choose", 5, lambda: treegen.verify(tree, time_limit=3))
    assert [claim.name for claim in report.unchecked] == ["rule"]


def test_tables_from_another_thread_are_named(tmp_path, call_aside):
    def write():
        return treegen.patterns(3, tmp_path, time_limit=3)

    error = call_aside(patterns, "_write_table", 2, write)
    assert "1 of 3 tables are written" in str(error)
