"""Settings of the whole suite: hypothesis repeats itself, uncompiled runs leave long tests out."""

import gc
import os
import signal
import time

import pytest
from hypothesis import HealthCheck, settings

from treegen.jit.memory import read_available_bytes
from treegen.tasks.background import list_busy_threads
from treegen.tasks.work import count_cores

from . import warm

# A slow machine is no fault of the code: no deadline, no complaint that examples take long.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("treegen", derandomize=True, max_examples=40, **PATIENT)
settings.register_profile("fuzz", max_examples=2000, **PATIENT)
settings.load_profile(os.environ.get("TREEGEN_HYPOTHESIS", "treegen"))


def pytest_configure(config):
    config.addinivalue_line("markers", "compiled: too long for a run with NUMBA_DISABLE_JIT=1")
    # Only numpy's scalars warn where the generator of random numbers wraps around.
    config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar")


WORKER_BYTES = 2 * 2**30
"""What a worker and the processes of its tests may take at once."""


@pytest.hookimpl(optionalhook=True)  # pytest-xdist may be missing
def pytest_xdist_auto_num_workers(config):
    """Return how many workers ``-n auto`` starts: one a core, if there is memory for all."""
    return max(1, min(count_cores(), read_available_bytes() // WORKER_BYTES))


def pytest_sessionstart(session):
    # Workers do not have the option; alone, a test compiles what it needs.
    if getattr(session.config.option, "numprocesses", None):
        warm.compile_kernels()


def pytest_collection_modifyitems(config, items):
    if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"):
        return
    skip = pytest.mark.skip(reason="needs compiled kernels")
    for item in items:
        if item.get_closest_marker("compiled"):
            item.add_marker(skip)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Keep the garbage collector from the thousands of tests, which stay to the end.

    It would take a third of the time in which they are collected.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


given_up = set()
"""Threads that are not waited for again."""


@pytest.fixture(autouse=True)
def no_thread_works_on():
    """What a test left behind ends before the next: it may not hear warnings otherwise.

    While numba compiles, it hears the warnings of all threads.
    """
    yield
    end_s = time.monotonic() + 60  # only bounds a hang
    while busy := set(list_busy_threads()) - given_up:
        if time.monotonic() > end_s:
            given_up.update(busy)
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def give_time_to_read(monkeypatch):
    """A game is read before the shortest time limit is over, on a busy machine, too."""
    for place in ("treegen.job", "treegen.cli.options"):
        monkeypatch.setattr(f"{place}.READING_S", 300)  # only bounds a hang


@pytest.fixture
def heard():
    """Ctrl-C is heard, even where the shell that started the tests lets them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
