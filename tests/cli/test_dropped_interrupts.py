"""Ctrl-C that strikes where Python drops exceptions ends the command: its guard is called alone."""

import ctypes
import signal
import sys
import threading

import pytest

from treegen.cli.main import cli, keep_interrupts, main

pytestmark = pytest.mark.usefixtures("heard")


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
