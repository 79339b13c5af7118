"""Workers that share nothing, driven part by part: the tree is that of one thread."""

from __future__ import annotations

import math
import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

from treegen import ClusterError, SearchStoppedError, UsageError, open_game, read
from treegen.builder.grow import build_sharded
from treegen.exact import request, solver
from treegen.exact.engine import INFINITE
from treegen.exact.engine.play_rule import make_rule_table
from treegen.exact.parallel import executor, nodes, worker
from treegen.exact.parallel.executor import DistributedSearch, _pack, find_grain
from treegen.exact.parallel.nodes import GuessBranch, Guesses, NodeClaim, OpenNode, SearchRecords
from treegen.exact.parallel.worker import PlainSearch, WorkItem, WorkResult
from treegen.exact.request import Aim, SearchControl, SearchLog, SearchSpec, TimeBudget
from treegen.exact.solver import make_solver, run_work_item
from treegen.strategies.named import parse_strategy
from treegen.tasks.cluster import open_workers
from treegen.tasks.run import WORKED, run_growing

from ..command import run
from ..small_games import make_pair
from .searching import AT_ONCE, WRITTEN_OFTEN, build_optimal, end_after, resume


@pytest.fixture
def at_once(monkeypatch):
    """Have the command line search as `AT_ONCE` says."""
    monkeypatch.setattr(request, "TimeBudget", lambda: AT_ONCE)


def test_results_are_taken_while_the_client_works():
    """A client that has enough to do by itself would else let all workers wait for it."""
    results, tasks = [], iter([("key", (-7,))])
    with open_workers(jobs=2) as workers:
        for _, result in run_growing(
            workers, abs, lambda: next(tasks, None if results else WORKED)
        ):
            results.append(result)
    assert results == [7]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("quick_pairs", [0, 10**9])
def test_the_tree_does_not_depend_on_what_is_sent_untried(monkeypatch, jobs, quick_pairs):
    monkeypatch.setattr(executor, "QUICK_PAIRS", quick_pairs)
    game = open_game("p4c4r")
    with open_workers(jobs=jobs) as workers:
        tree = build_optimal(
            game, workers=workers, budget=replace(AT_ONCE, local=TimeBudget().local)
        )
    assert tree.digest == build_optimal(game).digest


def test_the_log_counts_what_others_have_done():
    game, alone, shared = open_game("p4c4r"), {}, {}
    build_optimal(game, log=alone)
    build_optimal(game, n_workers=2, budget=AT_ONCE, log=shared)
    assert shared["counts"]["states"] > alone["counts"]["states"] / 2


def make_worker():
    return worker.SearchWorker(None, None)


class Node:
    """As much of a node as decides where its guesses are tried."""

    def __init__(self, guess_s):
        self.guess_s, self.members = guess_s, np.arange(9)


@pytest.mark.parametrize(
    ("guess_s", "is_idle", "n_pairs", "is_long"),
    [
        (0.02, False, 1, True),  # ten guesses of a node that took that long each
        (0.001, False, 10**9, False),
        (None, False, 10**9, False),  # nothing is known, and nobody waits
        (None, True, 10**9, True),
        (None, True, 1, False),
    ],
)
def test_guesses_that_take_long_are_sent_untried(monkeypatch, guess_s, is_idle, n_pairs, is_long):
    search = DistributedSearch(None, make_worker(), None, None, None, TimeBudget())
    monkeypatch.setattr(search, "_count_pairs", lambda node: n_pairs)
    assert search._is_long(NodeClaim(Node(guess_s), 20, 30), is_idle) == is_long


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["total", "total,worst,n_worst"])
def test_workers_may_be_processes(objective):
    game = open_game("p4c5r")
    with open_workers(jobs=2, processes=True) as workers:
        tree = build_optimal(game, objective=objective, workers=workers, budget=AT_ONCE)
    assert tree.digest == build_optimal(game, objective=objective).digest


def test_threads_of_the_client_use_its_table(monkeypatch):
    made = []

    def count(*arguments, **options):
        made.append(arguments)
        return make_rule_table(*arguments, **options)

    monkeypatch.setattr(solver, "make_rule_table", count)
    with open_workers(jobs=2) as workers:
        build_optimal(open_game("p4c5r"), workers=workers, budget=AT_ONCE)
    assert len(made) == 1


def test_what_an_item_fails_with_is_told(monkeypatch):
    def fail(*_):
        raise MemoryError("no room")

    monkeypatch.setattr("treegen.exact.parallel.worker.run_slice", fail)
    with pytest.raises(MemoryError, match="no room"), open_workers(jobs=2) as workers:
        build_optimal(open_game("p3c6r"), workers=workers, budget=AT_ONCE)


@pytest.mark.parametrize("objective", ["total", "total,worst,n_worst"])
def test_a_search_broken_off_again_and_again_ends_in_the_same_tree(tmp_path, objective):
    game, rng = open_game("p3c6r"), random.Random(0)
    options = {"objective": objective, "folder": tmp_path}
    tree, n_ends = resume(
        game, lambda n_ends: rng.randrange(20, 60) + 5 * n_ends, jobs=2, **options
    )
    assert n_ends > 0
    assert tree.digest == build_optimal(game, objective=objective).digest
    if objective == "total":  # needless records are dropped
        assert len(list(tmp_path.glob("*.part"))) == 1
    log = SearchLog()
    again = build_optimal(game, log=log, budget=WRITTEN_OFTEN, **options)
    assert again.digest == tree.digest
    assert log.counts["states"] < 10 * len(objective.split(","))


@pytest.mark.slow
@pytest.mark.parametrize("min_shared", [60, 4])
@pytest.mark.parametrize("name", ["p5c6n", "p4c7n"])
def test_work_items_broken_off_halfway_lose_nothing(tmp_path, monkeypatch, name, min_shared):
    """Items that try some of their guesses, in searches that are ended at any moment."""
    monkeypatch.setattr(nodes, "MIN_SHARED", min_shared)
    game, rng = open_game(name), random.Random(min_shared)
    want = build_optimal(game).digest
    budget = replace(WRITTEN_OFTEN, local=(0, 0.002), remote=(0.005, 0.01))
    for number in range(16):
        # In the end it is left alone.
        tree, _ = resume(
            game,
            lambda n_ends: rng.randrange(3, 120) if n_ends < 25 else 10**9,
            lambda: budget,
            folder=tmp_path / str(number),
            jobs=2,
        )
        assert tree.digest == want


def test_a_damaged_record_is_told_and_searched_again(tmp_path):
    game, notices = open_game("p3c6r"), []
    options = {"folder": tmp_path, "budget": WRITTEN_OFTEN}
    with pytest.raises(SearchStoppedError):
        build_optimal(game, watch=end_after(30), jobs=2, **options)
    parts = sorted(tmp_path.glob("*.part"))
    for number, path in enumerate(parts):
        data = bytearray(path.read_bytes())
        data[7 * number % len(data)] ^= 4
        path.write_bytes(data)
    tree = build_optimal(game, notice=notices.append, **options)
    assert tree.digest == build_optimal(game).digest
    assert notices
    assert all("it is done again" in notice for notice in notices)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"objective": "worst,total"}, "another build: its rule is optimal; eligible=all"),
        ({"max_length": 5}, "here it is optimal; eligible=all; objective=total; max-length=5"),
        ({"history": ((1, 1),)}, r"its history is \[\], here it is \[\[1, 1\]\]"),
        ({"first": ("12",)}, "first=12"),
    ],
)
def test_a_folder_of_another_search_is_refused(tmp_path, options, reason):
    build_optimal(open_game("p2c3r"), folder=tmp_path, budget=AT_ONCE)
    with pytest.raises(UsageError, match=reason):
        build_optimal(open_game("p2c3r"), folder=tmp_path, budget=AT_ONCE, **options)


def test_a_folder_of_a_strategy_is_refused(tmp_path):
    game = open_game("p2c3r")
    build_sharded(game, parse_strategy("knuth", game), tmp_path)
    with pytest.raises(UsageError, match="another build: its rule is"):
        build_optimal(game, folder=tmp_path, budget=AT_ONCE)


class Shelf(dict):
    """An archive in memory."""

    find, save, drop = dict.get, dict.__setitem__, dict.__delitem__


def make_node(upper_bound, **known):
    node = OpenNode(np.arange(9, dtype=np.int32), n_root=9, share=upper_bound)
    node.guesses = Guesses(np.arange(5), np.arange(5), 3)
    for name, value in known.items():
        setattr(node, name, value)
    return node


def record(kept, *nodes, is_done=False):
    """Record a node; restore others from the record, which is returned."""
    shelf = Shelf()
    kept.spent_s = 9.0
    records = SearchRecords(shelf, "x", TimeBudget())
    (records.write_done if is_done else records.write_open)(kept)
    for node in nodes:
        SearchRecords(shelf, "x", TimeBudget()).restore(node)
    return shelf


PLAN = np.arange(8, dtype=np.int32)


@pytest.mark.parametrize(
    ("kept", "upper_bound", "restored"),
    [
        (make_node(100, next_guess=3), 100, (3, None)),
        (make_node(100, next_guess=3), 99, (3, None)),
        (make_node(100, next_guess=3), 101, (0, None)),
        (make_node(100, next_guess=3, running=[1]), 90, (1, None)),
        (make_node(100, next_guess=5, incumbent=80, at=2, plan=PLAN), 81, (5, 80)),
        (make_node(100, next_guess=5, incumbent=80, at=2, plan=PLAN), 80, (5, None)),
    ],
)
def test_a_record_holds_below_its_upper_bound(kept, upper_bound, restored):
    node = make_node(upper_bound)
    shelf = record(kept, node)
    best = None if node.plan is None else node.incumbent
    is_done = not len(node.guesses.codes)
    assert (5 if is_done else node.next_guess, best) == restored
    other = make_node(upper_bound)
    SearchRecords(shelf, "y", TimeBudget()).restore(other)
    assert other.next_guess == 0


def test_a_restored_node_lists_its_guesses_as_before():
    """Their order may depend on the upper bound, and the record counts places in the list."""
    node = make_node(90, guesses=None)
    record(make_node(100, next_guess=3, listed_below=120), node)
    _, item = _pack(node.claim(False))
    assert (item.upper_bound, item.listed_below, item.first) == (90, 120, 3)


def test_a_record_counts_no_guess_that_a_work_item_had_no_time_for():
    shelf, node, again = Shelf(), make_node(100, next_guess=5, running=[0]), make_node(100)
    records = SearchRecords(shelf, "x", WRITTEN_OFTEN)
    search = DistributedSearch(node, make_worker(), None, None, records, WRITTEN_OFTEN)
    result = WorkResult(2, False, None, None, 1.0, {})
    rest = search._take(NodeClaim(node, 0, 5), None, result)
    assert (rest.first, rest.end) == (2, 5)
    SearchRecords(shelf, "x", TimeBudget()).restore(again)
    assert again.next_guess <= 2


def test_quick_guesses_are_sent_in_longer_ranges():
    """To send one takes longer than to try some."""
    lengths = []
    for seconds in (0.0, 0.1, 30.0):
        guesses = Guesses(np.arange(900, dtype=np.int32), np.zeros(900, dtype=np.int64), 14)
        node = make_node(100, guesses=guesses, next_guess=20, running=[15], is_begun=True)
        search = DistributedSearch(node, make_worker(), None, None, None, WRITTEN_OFTEN)
        result = WorkResult(5, False, None, None, seconds, {})
        search._take(NodeClaim(node, 15, 20), None, result)
        first, end = node.take_range()
        lengths.append(node.keep_first(first, end, find_grain(node, first)) - first)
    assert lengths == [880, 5, 5]


def test_an_item_says_whether_its_guesses_are_sorted():
    """A node that is searched again has guesses in order, but no bounds in order: none is last."""
    bounds = np.array([70, 90, 71], dtype=np.int64)
    for is_sorted in (True, False):
        guesses = Guesses(np.arange(3, dtype=np.int32), bounds, 14, is_sorted)
        _, item = _pack(NodeClaim(make_node(100, guesses=guesses), 0, 3))
        assert item.guesses.is_sorted == is_sorted


def test_a_root_that_was_begun_keeps_what_it_knows():
    """The bounds of its tried guesses have risen: taken for untried ones, they end the list."""
    node = make_node(100, next_guess=3, incumbent=70, at=1, plan=PLAN)
    record(make_node(100, next_guess=1, incumbent=80, at=0, plan=PLAN[::-1].copy()), node)
    assert (node.next_guess, node.incumbent, node.at) == (3, 70, 1)


def test_a_tree_above_the_upper_bound_is_not_recorded_as_the_best():
    """Guesses after it were searched below a lower bound alone, so it may not be the best."""
    node = make_node(10**6)
    record(make_node(70, next_guess=5, incumbent=80, at=2, plan=PLAN), node, is_done=True)
    assert (node.plan, node.next_guess) == (None, 0)


def test_an_exact_cost_holds_below_any_upper_bound():
    node = make_node(10**6)
    record(make_node(100, next_guess=5, incumbent=80, at=2, plan=PLAN), node, is_done=True)
    assert (node.incumbent, node.at, node.plan.tolist()) == (80, 2, PLAN.tolist())
    assert node.collect_results()


def test_a_refutation_holds_below_its_own_upper_bound_alone():
    """That nothing costs less than 100 says nothing of trees that cost 100."""
    for upper_bound, is_refuted in ((99, True), (100, True), (101, False)):
        node = make_node(upper_bound)
        record(make_node(100, next_guess=5), node, is_done=True)
        assert (not len(node.guesses.codes), node.plan) == (is_refuted, None)


def make_cell(upper_bound, **known):
    """Return a cell with a lower bound of 10, whose guess leaves it so much."""
    branch = GuessBranch(make_node(1000), 0, 1000 - upper_bound + 10, np.zeros(8, dtype=np.int32))
    node = make_node(INFINITE, **known)
    node.parent, node.lower_bound = branch, 10
    return node


def test_a_refuted_cell_that_is_asked_for_more_tries_its_guesses_again():
    """What a record leaves out, the guesses of a complete node, is no proof for all of them."""
    node = make_cell(120)
    record(make_cell(100, next_guess=5, listed_below=150), node, is_done=True)
    assert (node.collect_results(), node.upper_bound, node.shown()) == (True, 100, 100)
    node.reopen()
    node.ask_for(110)
    assert (node.guesses, node.collect_results()) == (None, False)


@pytest.mark.parametrize("is_done", [True, False])
def test_a_restored_tree_that_costs_too_much_proves_no_more_than_its_cost(is_done):
    """The guesses after it were tried below its cost, those before it below the upper bound."""
    node = make_cell(75)
    known = {"next_guess": 5, "incumbent": 80, "at": 2, "plan": PLAN, "listed_below": 100}
    record(make_cell(100, **known), node, is_done=is_done)
    node.guesses = node.guesses or Guesses(np.arange(5), np.arange(5), 3)
    assert (node.collect_results(), node.has_tree) == (True, False)
    assert 75 <= node.shown() <= 80


LONG = TimeBudget(remote=(math.inf, math.inf))


def make_plain(game, history=()):
    everything = np.arange(game.n_secrets, dtype=np.int32)
    spec = SearchSpec(history=tuple((guess, 0) for guess in history))
    return make_solver(game, everything, spec, SearchControl()).make_plain(Aim())


def put_item(game, members, path, upper_bound, history=(), guesses=None):
    plain = make_plain(game, history)
    item = WorkItem(members.astype(np.int32), path, upper_bound, guesses)
    return run_work_item(plain, item, LONG)


@pytest.mark.parametrize("name", ["p3c5r", "p4c4r", "words-position"])
def test_work_items_make_up_the_search(name):
    """The cells of the first guess, each an item below what the others leave, give its cost."""
    game = make_pair(name)[0] if name.startswith("words") else open_game(name)
    tree, everything = build_optimal(game), np.arange(game.n_secrets)
    first = int(tree.guess[0])
    whole = put_item(game, everything, (), tree.total + 1)
    cost, place, plan = whole.found
    assert (cost, int(whole.listed.codes[place]), int(plan[0])) == (tree.total, first, first)
    assert whole.next_guess == len(whole.listed.codes)
    listed = whole.listed
    only = Guesses(listed.codes[place:][:1], listed.lower_bounds[place:][:1], listed.max_cells)
    assert put_item(game, everything, (), tree.total, guesses=only).found is None
    responses = game.respond(np.array([first]), everything.astype(np.int32))
    total = game.n_secrets
    for response in set(responses.tolist()) - {game.win}:
        cell = everything[responses == response]
        if len(cell) < 3:
            total += [0, 1, 3][len(cell)]
        else:
            total += put_item(game, cell, (first,), tree.total).found[0]
    assert total == tree.total


def test_a_work_item_ends_in_time_and_says_where():
    game = open_game("p4c5r")
    plain = make_plain(game)
    everything = np.arange(game.n_secrets, dtype=np.int32)
    result = run_work_item(plain, WorkItem(everything, (), INFINITE), TimeBudget(remote=(0, 0)))
    assert (result.next_guess, result.is_hard, result.found) == (0, True, None)
    result = run_work_item(
        plain, WorkItem(everything, (), INFINITE), TimeBudget(remote=(0, math.inf))
    )
    assert (result.next_guess, result.is_hard) == (1, False)
    only_listed = WorkItem(everything, (), INFINITE, is_search=False)
    result = run_work_item(plain, only_listed, LONG)
    assert (result.next_guess, result.is_hard, result.found) == (0, False, None)
    assert len(result.listed.codes) == 5  # the patterns aaaa, aaab, aabb, aabc, abcd


@pytest.mark.usefixtures("at_once")
def test_the_command_goes_on_from_its_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["build", "p4c5r", "-s", "optimal", "-o", "x.tree", "--resume", "state"]
    assert run(*words, "--time-limit", "0.000001") == 0
    error = capsys.readouterr().err
    assert error.splitlines()[0] == (
        "treegen: ended before any tree was complete: making a greedy one"
    )
    assert len(error.splitlines()) == 2
    assert "what is finished is in state: the same command resumes from there" in error
    assert read("x.tree").provenance.strategy == "optimal-unproved"
    assert run(*words) == 0
    assert read("x.tree").digest == build_optimal(open_game("p4c5r")).digest
    assert run(*words, "--objective", "worst,total") == 2
    assert "belongs to another build" in capsys.readouterr().err


@pytest.mark.usefixtures("at_once")
def test_an_interrupted_command_says_what_it_keeps(tmp_path, monkeypatch, capsys):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("treegen.exact.parallel.executor.run_growing", interrupt)
    words = ["build", "p4c5r", "-s", "optimal", "-o", "x.tree"]
    assert run(*words, "--resume", "state") == 130
    error = capsys.readouterr().err
    assert "what is finished is in state" in error
    assert "interrupted; the best tree so far is in 'x.tree'" in error
    assert read("x.tree").provenance.strategy == "optimal-unproved"


@pytest.mark.usefixtures("at_once")
def test_a_search_on_a_cluster(tmp_path, monkeypatch, capsys):
    distributed = pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    want = build_optimal(open_game("p4c4r"), objective="worst,total").digest
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
    ) as here:
        words = ["build", "p4c4r", "-s", "optimal", "--objective", "worst,total", "-o", "x.tree"]
        assert run(*words, "--scheduler", here.scheduler_address) == 0, capsys.readouterr().err
    assert read("x.tree").digest == want


def watch_for(number, act):
    """Return a watch that acts when it is called for the given time."""
    n_calls = 0

    def watch(_):
        nonlocal n_calls
        n_calls += 1
        if n_calls == number:
            act()
        return False

    return watch


@pytest.mark.slow
@pytest.mark.compiled
def test_a_worker_killed_and_a_scheduler_killed(tmp_path):
    """One of two workers goes in the middle; then the scheduler does, and threads go on."""
    pytest.importorskip("distributed")
    from ..tasks.test_cluster import tcp_cluster

    game = open_game("p4c7r")
    want = build_optimal(game).digest
    # So the search looks around some 230 times, however quick the machine is.
    budget = replace(WRITTEN_OFTEN, remote=(0.01, 0.02))
    with tcp_cluster(tmp_path) as (path, scheduler, processes):
        with open_workers(scheduler=str(path)) as workers:
            watch = watch_for(40, processes[0].kill)
            tree = build_optimal(
                game, workers=workers, budget=budget, folder=tmp_path / "one", watch=watch
            )
        assert tree.digest == want
        assert processes[0].poll() is not None
        with (
            pytest.raises(ClusterError, match="scheduler at"),
            open_workers(scheduler=str(path)) as workers,
        ):
            watch = watch_for(40, scheduler.kill)
            build_optimal(
                game, workers=workers, budget=budget, folder=tmp_path / "two", watch=watch
            )
    assert list(tmp_path.glob("two/*.part"))
    assert build_optimal(game, folder=tmp_path / "two", jobs=2, budget=budget).digest == want


def test_problems_are_equal_after_pickling():
    plain = PlainSearch("{}", b"", SearchSpec(history=((1, 0),)), Aim(below=5))
    again = pickle.loads(pickle.dumps(plain))
    assert (again, hash(again)) == (plain, hash(plain))
    assert again != plain._replace(aim=Aim(3))
