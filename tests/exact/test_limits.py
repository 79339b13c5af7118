"""Searches that are ended at any look, and the threads and bounds inside that end with them."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import Questions, SearchStoppedError, Stop, UsageError, build, open_game, verify
from treegen.exact.engine_kernel import choose_depth
from treegen.exact.openings import bound_by_size, list_openings, make_size_costs, measure_openings
from treegen.exact.request import Monitor, SearchControl, SearchProgress, SearchSpec
from treegen.exact.run import CHAINS, Driver, find_least_bound, generate_rule_trees, run_soon
from treegen.tasks import background
from treegen.tasks.background import DaemonExecutor, run_in_background, run_together
from treegen.tasks.work import Process

from ..pseudo_words import make_word_game
from .searching import build_optimal, search_best

WORDS = make_word_game(40, 90)


class Clock:
    """A watch whose time is the number of looks: it ends the search at one of them."""

    def __init__(self, n_looks, error=None):
        self.n_looks, self.error = n_looks, error
        self.seen = []

    def __call__(self, progress):
        self.seen.append(progress)
        is_over = len(self.seen) >= self.n_looks
        if is_over and self.error is not None:
            raise self.error
        return is_over


def list_optimum(game):
    return build_optimal(game).total


@pytest.mark.parametrize("n_looks", [1, 2, 3, 5, 8, 13, 40])
@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
@pytest.mark.parametrize("game", [WORDS, open_game("p3c5r")], ids=["words", "p3c5r"])
def test_a_search_ends_at_the_look_that_says_so(game, n_looks, error):
    clock = Clock(n_looks, error)
    tree = search_best(game, watch=clock)
    tree.check()
    assert not verify(tree).problems
    assert 0 < tree.provenance.bound <= list_optimum(game) <= tree.total
    assert error is not None or len(clock.seen) <= n_looks  # nobody is asked after it


@pytest.mark.parametrize("n_looks", [1, 2, 4, 8])
@pytest.mark.parametrize("objective", ["total", "worst,total", "worst,n_worst,total"])
def test_the_best_tree_of_an_ended_proof_is_kept(n_looks, objective):
    game = open_game("p4c5r")
    whole = build_optimal(game, objective=objective)
    tree = build_optimal(game, objective=objective, watch=Clock(n_looks), keep_best=True)
    tree.check()
    assert not verify(tree).problems
    assert tree.provenance.bound <= list_optimum(game)
    if objective == "total":
        assert tree.total >= whole.total
    else:
        reached, least = (
            [getattr(one, name) for name in objective.split(",")] for one in (tree, whole)
        )
        assert reached >= least


def test_a_long_proof_that_ends_keeps_no_worse_tree_than_the_rules(monkeypatch):
    monkeypatch.setattr("treegen.exact.run.RULES_S", -1)  # every search is long
    game = WORDS
    n_looks = 0

    def watch(progress: SearchProgress) -> bool:
        nonlocal n_looks
        n_looks += progress.stage == "total" and progress.best is not None
        return n_looks > 0

    tree = build_optimal(game, watch=watch, keep_best=True)
    assert tree.total <= min(greedy_totals(game))


def test_trees_by_rules_do_not_hold_up_a_long_proof(monkeypatch):
    monkeypatch.setattr("treegen.exact.run.RULES_S", -1)
    want = build_optimal(WORDS).digest
    begun, over, halts = threading.Event(), threading.Event(), []

    def hang(*_, halt, **options):
        halts.append(halt)
        begun.set()
        over.wait(600)  # only bounds a hang
        halt.check()

    def watch(progress: SearchProgress) -> bool:
        return not begun.wait(600)

    monkeypatch.setattr("treegen.exact.run.build_tree", hang)
    assert build_optimal(WORDS, watch=watch, keep_best=True).digest == want
    over.set()
    assert halts[0].is_called  # so that the thread that is left behind ends


@pytest.mark.parametrize("most", [None, 1])
def test_an_ended_search_does_not_wait_long_for_a_tree(monkeypatch, most):
    monkeypatch.setattr("treegen.exact.run.SOON_S", -1)
    options = {"watch": lambda _: True, "keep_best": True, "max_length": most}
    if most:  # the first tree has longer games
        with pytest.raises(SearchStoppedError):
            build_optimal(WORDS, **options)
        return
    tree = build_optimal(WORDS, **options)
    assert not verify(tree).problems


@pytest.mark.parametrize("pairs", [0, 30_000_000], ids=["large", "small"])
@pytest.mark.parametrize("objective", ["total", "worst,total", "worst,n_worst,total"])
def test_a_proof_that_is_ended_at_once_is_no_worse_than_knuths_rule(monkeypatch, pairs, objective):
    monkeypatch.setattr("treegen.exact.run.MIN_PAIRS", pairs)
    for game in (WORDS, open_game("p3c5r"), open_game("p4c5n")):
        options = {"objective": objective, "keep_best": True}
        trees = [build_optimal(game, watch=lambda _: True, **options)]
        trees += [search_best(game, watch=lambda _: True)] * (objective == "total")
        rule = build(game, "knuth")
        for tree in trees:
            ended, whole = (
                [getattr(each, name) for name in objective.split(",")] for each in (tree, rule)
            )
            assert ended <= whole


@pytest.mark.parametrize("costs", [None, [1] * 60 + [3, 1] * 6])
def test_an_ended_search_of_a_table_is_no_worse_than_knuths_rule(monkeypatch, costs):
    monkeypatch.setattr("treegen.exact.tables.kernel.SOON_S", -1)  # as in a large table
    draw = random.Random(5)
    rows = [[draw.choice("abc"[: 2 + at % 2]) for at in range(12)] for _ in range(60)]
    weights = [draw.randint(1, 9) for _ in rows] if costs else None
    game = Questions(rows, [f"c{at}" for at in range(60)]).with_stakes(weights, costs)
    knuth = build(game, "knuth")
    for tree in (
        build_optimal(game, watch=lambda _: True, keep_best=True),
        search_best(game, watch=lambda _: True),
    ):
        assert tree.provenance.bound <= tree.total <= knuth.total
        assert not verify(tree).problems


@pytest.mark.parametrize("waits", [True, False])
def test_an_ended_search_waits_for_its_rules_to_be_compiled(monkeypatch, waits):
    monkeypatch.setattr("treegen.exact.run.SOON_S", 0.01)
    compiled = threading.Event()
    looks = []

    def look() -> bool:
        looks.append(len(looks))
        if len(looks) == 5:
            compiled.set()
        return True

    monkeypatch.setattr("treegen.exact.run.is_compiling", look)
    found = run_soon(lambda halt: compiled.wait() and "tree", waits=waits)
    compiled.set()  # for the thread that is left behind
    assert found == ("tree" if waits else None)


def greedy_totals(game):
    return [build(game, chain).total for chain in CHAINS]


@pytest.mark.parametrize("game", [WORDS, open_game("p4c4n"), open_game("p3c5r")])
@pytest.mark.parametrize("beam", [1, 2])
def test_best_is_never_worse_than_the_rules_tried_first(game, beam):
    assert search_best(game, beam=beam).total <= min(greedy_totals(game))


@pytest.mark.parametrize(
    ("game", "stage"), [(WORDS, "first guesses"), (open_game("p4c4n"), "openings")]
)
def test_a_search_that_was_ended_is_no_worse_than_the_rules(game, stage):
    seen = set()

    def watch(progress: SearchProgress) -> bool:
        seen.add(progress.stage)
        return progress.stage == stage

    assert search_best(game, watch=watch).total <= min(greedy_totals(game))
    assert seen == {"rules", stage}


def test_a_kernel_that_does_not_end_is_left_behind():
    gate, is_stopped = threading.Event(), threading.Event()
    n_looks = 0

    def look():
        nonlocal n_looks
        n_looks += 1
        if n_looks == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_in_background(gate.wait, look, is_stopped.set, grace_s=0)
    assert is_stopped.is_set()
    gate.set()


def test_who_saves_something_is_waited_for(monkeypatch):
    """The work ends only after it was asked whether it owes something; there is no other grace."""
    is_begun, is_asked, saved = threading.Event(), threading.Event(), []

    class Asked(Process):
        @property
        def is_saving_owed(self):
            is_asked.set()
            return super().is_saving_owed

    process = Asked()

    def work():
        with process.owe_saving("a table"):
            is_begun.set()
            is_asked.wait(600)  # only bounds a hang
            saved.append("a table")

    def look():
        is_begun.wait(600)
        raise KeyboardInterrupt

    monkeypatch.setattr(background, "PROCESS", process)
    with pytest.raises(KeyboardInterrupt):
        run_in_background(work, look, grace_s=0)
    assert saved == ["a table"]


def test_work_that_ends_in_time_tells_more():
    is_stopped = threading.Event()

    def work():
        is_stopped.wait()
        raise UsageError("the exact reason")

    def look():
        raise SearchStoppedError("ended")

    # The grace only bounds a hang.
    with pytest.raises(UsageError, match="the exact reason"):
        run_in_background(work, look, is_stopped.set, grace_s=600)


def test_a_search_that_ends_without_a_tree_says_what_is_proved(monkeypatch):
    def prove(driver):  # whose thread ends first, and knows no bound
        while not driver.monitor.halt.is_called:
            pass
        driver.monitor.halt.check()

    monkeypatch.setattr(Driver, "prove", prove)
    monkeypatch.setattr(Stop, "is_late", True)
    told = "^the search was ended; no total is below 182: that is proved$"
    with pytest.raises(SearchStoppedError, match=told):
        build("p3c4r", "optimal", max_length=2, time_limit=99)


def test_a_monitor_asks_nobody_after_the_end():
    clock = Clock(2)
    monitor = Monitor(SearchControl(watch=clock))
    progress = SearchProgress("total", 0, None, 0)
    assert [monitor(progress) for _ in range(4)] == [False, True, True, True]
    assert len(clock.seen) == 2
    with pytest.raises(SearchStoppedError):
        monitor.halt.check()


def test_one_that_fails_ends_what_runs_together():
    gate, before = threading.Event(), set(threading.enumerate())

    def fail():
        raise UsageError("the exact reason")

    with pytest.raises(UsageError, match="the exact reason"):
        run_together([gate.wait, fail])
    gate.set()
    # None waits for more work.
    for thread in set(threading.enumerate()) - before:
        thread.join(300)  # only bounds a hang
        assert not thread.is_alive()


def test_a_single_one_runs_here():
    here = []
    run_together([lambda: here.append(threading.current_thread())])
    assert here == [threading.current_thread()]


def test_threads_of_a_pool_are_daemons_and_tasks_can_be_dropped():
    gate = threading.Event()
    pool = DaemonExecutor(1)
    running, waiting = pool.submit(gate.wait), pool.submit(sum, (1, 2))
    while not running.running():
        pass
    pool.shutdown(wait=False, cancel_futures=True)
    assert waiting.cancelled()
    gate.set()
    assert running.result()


@pytest.fixture
def cut_start(monkeypatch):
    """Let Ctrl-C end the second start of a thread: before it runs, or just after."""

    def cut(is_running):
        start, calls = threading.Thread.start, []

        def start_or_end(thread):
            calls.append(thread)
            if len(calls) == 2:
                if is_running:  # `start` waits for the thread to say so
                    threading._start_new_thread(lambda: thread._target(*thread._args), ())
                raise KeyboardInterrupt
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", start_or_end)
        return calls

    return cut


@pytest.mark.parametrize("is_running", [False, True])
def test_ctrl_c_may_come_while_a_thread_starts(cut_start, is_running):
    calls = cut_start(is_running)
    with pytest.raises(KeyboardInterrupt):
        run_together([lambda: None] * 3)
    assert len(calls) == 2
    calls[0].join(300)  # only bounds a hang
    assert not calls[0].is_alive()


def test_work_whose_thread_was_just_started_is_told_to_end(cut_start):
    calls, is_stopped = cut_start(is_running=True), threading.Event()
    run_in_background(lambda: None)
    with pytest.raises(KeyboardInterrupt):
        run_in_background(is_stopped.wait, stop=is_stopped.set, grace_s=600)
    assert len(calls) == 2
    assert is_stopped.is_set()


@pytest.mark.parametrize("name", ["p1c1r", "p2c3r", "p3c4r", "p3c3rb", "p4c4n"])
def test_bound_by_size_is_a_bound(name):
    game = open_game(name)
    assert bound_by_size(game, np.arange(game.n_secrets, dtype=np.int32)) <= list_optimum(game)


def test_size_costs_fill_levels():
    assert make_size_costs(0, 3).tolist() == [0]
    assert make_size_costs(8, 3).tolist() == [0, 1, 3, 5, 8, 11, 14, 17, 21]


def test_openings_are_measured_as_they_are_defined():
    game = WORDS
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    openings = list_openings(game, ())
    costs = make_size_costs(len(candidates), game.n_responses)
    measured = measure_openings(game, candidates, openings, costs)
    for guess, value in zip(openings[::17], measured[::17], strict=True):
        sizes = {}
        for secret in candidates:
            response = game.score(int(guess), int(secret))
            sizes[response] = sizes.get(response, 0) + 1
        sizes.pop(game.win, None)
        assert value == (-1 if len(candidates) in sizes.values() else sum(costs[[*sizes.values()]]))


def test_long_word_lists_are_not_looked_behind_unless_asked():
    assert choose_depth(open_game("p5c8r"), 7, 32768) == 1
    assert choose_depth(WORDS, 90, 40) == 1
    assert choose_depth(make_word_game(1500, 3000), 3000, 1500) == 0


@given(total=st.integers(1, 10**12), gap=st.floats(0, 100))
def test_the_bound_is_the_least_that_keeps_the_gap(total, gap):
    bound = find_least_bound(total, gap)
    numerator, denominator = gap.as_integer_ratio()
    most = [n * (100 * denominator + numerator) for n in (bound - 1, bound)]
    assert 0 < bound <= total
    assert most[0] < total * 100 * denominator <= most[1]


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_the_first_tree_of_a_rule_guesses_candidates(eligible):
    game = make_word_game(40, 120)
    first = next(generate_rule_trees(game, SearchSpec(eligible=eligible)))
    assert first.provenance.rule.startswith("eligible=candidates; ")
    assert verify(first, eligible=eligible).is_sound


def test_a_look_shows_the_progress_that_another_thread_reported_first():
    shown = threading.Event()
    bounds = []

    def watch(progress):
        bounds.append(progress.bound)
        shown.set()
        return False

    monitor = Monitor(SearchControl(watch=watch))

    class Lock:
        """A lock that another thread has first, which reports a bound of 2."""

        def __enter__(self):
            monitor.progress = SearchProgress("total", 2, None, 0)

        def __exit__(self, *error):
            pass

    monitor._lock = Lock()
    monitor.run(lambda: shown.wait(600))  # only bounds a hang
    assert set(bounds) == {2}
