"""The process ends soon after Ctrl-C, also where Python drops it; guards are called alone.

No clock is trusted.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress

import pytest

from treegen import SearchStoppedError
from treegen._files import WRITTEN, write_atomically
from treegen.cli import main as program
from treegen.cli.main import PATIENCE_S, cli, guard, keep_interrupts, main, start_watchdog, watch
from treegen.tasks.background import run_in_background
from treegen.tasks.work import PROCESS

pytestmark = pytest.mark.usefixtures("heard")

CTRL_C, TERM, OTHER = bytes([signal.SIGINT]), bytes([signal.SIGTERM]), bytes([1])


class Script:
    """Signals as they come: bytes, or seconds without any; tells when the watchdog ended it."""

    def __init__(self, *events):
        self.events, self.now, self.ended_s = list(events), 0.0, None

    def receive(self, timeout):
        event = self.events.pop(0) if self.events else 1e9
        if isinstance(event, bytes):
            return event
        if timeout is None:
            assert self.events, "it waits for ever"
            self.now += event
            return self.receive(timeout)
        if event > timeout:
            self.now += timeout
            self.events.insert(0, event - timeout)
            raise TimeoutError
        self.now += event
        return self.receive(timeout - event)

    def end(self):
        self.ended_s = self.now

    def run(self):
        watch(self.receive, self.end, lambda: self.now)
        return self.ended_s


@pytest.fixture(autouse=True)
def _begun(monkeypatch):
    monkeypatch.setattr(PROCESS, "_n_sent", 0)
    monkeypatch.setattr(program, "_is_end_said", threading.Event())
    PROCESS.begin()
    yield
    PROCESS.begin()


def test_it_ends_what_does_not_end():
    assert Script(5.0, CTRL_C).run() == pytest.approx(5.0 + PATIENCE_S)


def test_other_signals_do_not_end_it_nor_put_the_end_off():
    assert Script(OTHER, 3.0, CTRL_C, 0.5, OTHER).run() == pytest.approx(3.0 + PATIENCE_S)


def test_batch_systems_end_it_likewise():
    assert Script(5.0, TERM).run() == pytest.approx(5.0 + PATIENCE_S)
    # They are in no hurry, even if both the process and its group are told.
    assert Script(5.0, TERM + TERM).run() == pytest.approx(5.0 + PATIENCE_S)
    assert Script(TERM, 0.25, CTRL_C, 0.25, CTRL_C).run() == 0.5


def test_a_second_time_ends_it_at_once():
    assert Script(CTRL_C, 0.25, CTRL_C).run() == 0.25
    assert Script(7.0, CTRL_C + CTRL_C).run() == 7.0


def test_what_it_sends_to_itself_is_no_second_time(monkeypatch):
    """A dropped interrupt is sent again: that does not end it, and does not put the end off."""
    monkeypatch.setattr(PROCESS, "_n_sent", 2)
    assert Script(CTRL_C, 0.25, CTRL_C, 0.25, CTRL_C).run() == pytest.approx(PATIENCE_S)


def test_who_saves_has_its_time():
    PROCESS.announce_saving()
    assert Script(CTRL_C, 600.0, CTRL_C).run() == 600.0


def test_who_owes_something_has_its_time_and_then_a_little_more():
    script, waits = Script(CTRL_C), []

    def receive(timeout):
        waits.append(timeout)
        if len(waits) == 5:
            owed.close()
        return script.receive(timeout)

    with ExitStack() as owed:
        owed.enter_context(PROCESS.owe_saving("a table"))
        watch(receive, lambda: waits.append("end"), lambda: script.now)
    assert waits == [None, *[pytest.approx(PATIENCE_S)] * 5, "end"]


def test_a_second_time_ends_who_owes_something():
    with PROCESS.owe_saving("a table"):
        assert Script(CTRL_C, 600.0, CTRL_C).run() == pytest.approx(600.0)


def test_saving_may_begin_while_it_waits():
    asked = []

    def receive(timeout):
        asked.append(timeout)
        if len(asked) == 2:
            PROCESS.announce_saving()
            raise TimeoutError
        return CTRL_C

    watch(receive, lambda: asked.append("end"), lambda: 0.0)
    assert asked == [None, PATIENCE_S, None, "end"]


@pytest.mark.skipif(os.name != "posix", reason="signals write to sockets there")
def test_signals_reach_it_through_a_pipe(monkeypatch):
    pipes, ended = [], threading.Event()
    monkeypatch.setattr(signal, "set_wakeup_fd", lambda fd, **_: pipes.append(fd))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    start_watchdog(ended.set)
    os.write(pipes[0], CTRL_C + CTRL_C)
    assert ended.wait(300)  # only bounds a hang


def test_no_temporary_file_stays(tmp_path, monkeypatch, capsys):
    """It ends the process while a file is being written, and says what was written before."""
    left = []
    WRITTEN.begin()
    WRITTEN.note("-")

    def generate():
        yield b"half"
        left.extend(path.name for path in tmp_path.iterdir())
        with WRITTEN.remember_temporary(str(tmp_path / "parts")):
            (tmp_path / "parts").mkdir()
            (tmp_path / "parts" / "grow-0").touch()
            with pytest.raises(SystemExit):
                program._give_up()
        left.extend(path.name for path in tmp_path.iterdir())
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "x.tree", generate())
    assert len(left) == 1
    assert left[0].startswith(".treegen-")
    assert not WRITTEN._temporary
    assert capsys.readouterr().err == "treegen: interrupted; the output is incomplete\n"


@pytest.mark.parametrize(("code", "ends_now"), [(0, False), (1, False), (130, True)])
def test_an_interrupted_command_waits_for_no_thread(monkeypatch, code, ends_now):
    ended = []
    monkeypatch.setattr(program, "start_watchdog", lambda end: None)
    monkeypatch.setattr(os, "_exit", ended.append)
    with pytest.raises(SystemExit), guard():
        sys.exit(code)
    assert ended == [130] * ends_now


@pytest.mark.parametrize("code", [0, 1, 2])
def test_a_command_waits_for_no_thread_that_is_left_behind(monkeypatch, code):
    """After a time limit, too: a compiler that runs on while Python ends would crash."""
    ended, gate = [], threading.Event()

    def stop():
        raise SearchStoppedError("enough")

    def run():
        with suppress(SearchStoppedError):
            run_in_background(gate.wait, stop, grace_s=0)
        sys.exit(code)

    monkeypatch.setattr(program, "start_watchdog", lambda end: None)
    monkeypatch.setattr(os, "_exit", ended.append)
    with pytest.raises(SystemExit), guard():
        run()
    gate.set()
    assert ended == [code]


HANG = """
import os, signal, sys, threading
from treegen.cli.main import guard
signal.signal(signal.SIGINT, signal.default_int_handler)

def run():
    while True:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            while True:
                threading.Event().wait(300)
        except KeyboardInterrupt:
            threading.Event().wait(300)  # as if nothing had been asked

with guard():
    run()
"""


@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
def test_a_process_that_hangs_is_ended():
    done = subprocess.run(
        [sys.executable, "-c", HANG], capture_output=True, text=True, timeout=250, check=False
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "treegen: interrupted; nothing was written\n"


@ctypes.CFUNCTYPE(None)
def strike():
    signal.raise_signal(signal.SIGINT)


def wait_for_interrupt():
    threading.Event().wait(300)  # only bounds a hang
    pytest.fail("the interrupt was lost")


def test_a_dropped_interrupt_is_sent_again(capsys):
    hook = sys.unraisablehook
    with pytest.raises(KeyboardInterrupt), keep_interrupts():
        strike()
        wait_for_interrupt()
    assert sys.unraisablehook is hook
    assert capsys.readouterr().err == ""


def test_what_fails_for_it_is_an_interrupt():
    with pytest.raises(KeyboardInterrupt), keep_interrupts():
        strike()
        raise RuntimeError("no compiled object yet")
    with pytest.raises(RuntimeError, match="another"), keep_interrupts():
        raise RuntimeError("another")


def test_other_exceptions_that_python_drops_are_shown(monkeypatch):
    @ctypes.CFUNCTYPE(None)
    def fail():
        raise ValueError

    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with keep_interrupts():
        fail()
    assert [unraisable.exc_type for unraisable in told] == [ValueError]


def test_a_command_ends_as_interrupted(monkeypatch, capsys):
    def run(**_):
        strike()
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(cli, "main", run)
    with pytest.raises(SystemExit) as ended:
        main(["games"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "treegen: interrupted; nothing was written\n"
