"""A caller ends what treegen does, from any thread; no clock is trusted: events say when."""

import os
import signal
import threading

import pytest

import treegen
from treegen import Tree
from treegen.analysis import sample
from treegen.builder import choose
from treegen.verifier import verify as playing

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")

HANG_S = 300
"""Only bounds a hang."""


def call_at(monkeypatch, place, name, stop, n=1):
    """Let another thread call a stop when a function has been called `n` times."""
    function, calls, begun = getattr(place, name), [], threading.Event()

    def call(*args, **kwargs):
        calls.append(args)
        if len(calls) == n:
            begun.set()
            called.wait(HANG_S)
        return function(*args, **kwargs)

    def end():
        begun.wait(HANG_S)
        stop.call()
        called.set()

    called = threading.Event()
    monkeypatch.setattr(place, name, call)
    threading.Thread(target=end, daemon=True).start()


def run_in_thread(function):
    """Call a function in a thread; return what it returns or raises."""
    found = []

    def work():
        try:
            found.append(function())
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(HANG_S)
    return found[0]


def build(stop, *args, **options):
    with stop:
        return treegen.build(*args, **options)


@pytest.mark.parametrize("is_main", [True, False])
def test_a_build_by_a_rule_ends(monkeypatch, is_main):
    stop = treegen.Stop()
    call_at(monkeypatch, choose.Many, "choose_states", stop)
    handler = signal.getsignal(signal.SIGINT)
    if is_main:
        with pytest.raises(treegen.SearchStoppedError, match=r"^the work was stopped$"):
            build(stop, "p4c6r", "knuth", jobs=2)
    else:
        error = run_in_thread(lambda: build(stop, "p4c6r", "knuth", jobs=2))
        assert isinstance(error, treegen.SearchStoppedError)
    assert signal.getsignal(signal.SIGINT) is handler
    monkeypatch.undo()
    assert treegen.build("p3c4r").total == build(treegen.Stop(), "p3c4r").total


@pytest.mark.parametrize(
    ("strategy", "is_main"),
    [
        ("optimal", True),
        ("best", True),
        ("best", False),
        pytest.param("optimal", False, marks=pytest.mark.slow),
    ],
)
def test_a_search_has_its_best_tree(strategy, is_main):
    stop, seen = treegen.Stop(), []

    def look(progress):
        seen.append(progress.stage)
        if "none yet" not in progress.note:
            stop.call()

    def search():
        return build(stop, "p2c13rb", strategy, progress=look)  # small, and seconds to prove

    if is_main:
        with pytest.raises(treegen.Interrupted) as ended:
            search()
        error = ended.value
    else:
        error = run_in_thread(search)
    assert isinstance(error, treegen.Interrupted)
    tree = error.result
    assert isinstance(tree, Tree)
    assert treegen.verify(tree).is_sound
    assert tree.provenance.bound <= tree.total


def test_one_thread_ends_and_another_goes_on():
    """A server has several searches; only the one that is stopped ends early."""
    stop, other = treegen.Stop(), treegen.Stop()
    found = {}

    def run(key, mine, look):
        found[key] = run_in_thread(lambda: build(mine, "p4c7r", "optimal", progress=look))

    threads = [
        threading.Thread(target=run, args=("stopped", stop, lambda _: stop.call())),
        threading.Thread(target=run, args=("whole", other, None)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG_S)
    assert isinstance(found["stopped"], (treegen.Interrupted, treegen.SearchStoppedError))
    assert found["whole"].provenance.strategy == "optimal"


def test_a_stopped_sample_has_the_games_that_are_over(monkeypatch):
    stop = treegen.Stop()
    call_at(monkeypatch, sample, "play_game", stop, n=4)
    with pytest.raises(treegen.Interrupted) as ended, stop:
        treegen.simulate("p6c6r", "one-by-one", n=9)
    assert 3 <= ended.value.result.n <= 4


def test_a_stop_ends_a_verification(monkeypatch):
    tree, stop = treegen.build("p3c4r"), treegen.Stop()
    call_at(monkeypatch, playing, "_play", stop)
    with pytest.raises(treegen.SearchStoppedError), stop:
        treegen.verify(tree)


def test_it_may_be_called_before_and_is_used_again():
    stop = treegen.Stop()
    with stop:
        assert treegen.build("p2c3r").total == 24
    stop.call()
    for _ in range(2):
        with pytest.raises(treegen.SearchStoppedError), stop:
            treegen.build("p2c3r")


def test_a_stop_ends_what_runs_within_an_inner_one():
    outer, inner = treegen.Stop(), treegen.Stop()
    with pytest.raises(treegen.SearchStoppedError), outer, inner:
        outer.call()
        threading.Event().wait(HANG_S)
    with treegen.Stop():
        with pytest.raises(treegen.SearchStoppedError), inner:
            inner.call()
            threading.Event().wait(HANG_S)
        assert treegen.build("p2c3r").total == 24


def test_a_time_limit_of_its_own(monkeypatch):
    made = []

    class Timer:
        def __init__(self, seconds, function):
            made.append((seconds, function))

        def start(self):
            pass

        cancel = start

    monkeypatch.setattr(threading, "Timer", Timer)
    with pytest.raises(treegen.TimeLimitError) as ended, treegen.Stop(time_limit=5):
        made[0][1]()
        threading.Event().wait(HANG_S)
    assert str(ended.value) == "the time limit of 5 s is over"
    with pytest.raises(treegen.UsageError, match="time_limit=-1"):
        treegen.Stop(time_limit=-1)
