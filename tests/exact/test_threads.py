"""Threads that share a search, with their parts and kernels: the tree is that of one thread."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from treegen import (
    Codebook,
    SearchStoppedError,
    StrategyError,
    TreeError,
    build,
    open_game,
)
from treegen.exact import solver
from treegen.exact.engine import INFINITE
from treegen.exact.engine.canonical_state import make_canonizer, make_group
from treegen.exact.engine.cost import make_cost_model
from treegen.exact.engine.plan import Found, check_cost
from treegen.exact.engine.play_rule import make_play_rule, make_rule_table, number_eligible
from treegen.exact.engine.responses import make_response_matrix
from treegen.exact.engine.search import FIRST_A, FIRST_B, Pace, fit_line, make_search
from treegen.exact.engine.stack import make_stack
from treegen.exact.engine.table import Evidence, find_entry, make_table, share_table, write_entry
from treegen.exact.parallel import nodes, worker
from treegen.exact.parallel.executor import ThreadedSearch, find_grain
from treegen.exact.parallel.nodes import GuessBranch, Guesses, OpenNode
from treegen.exact.parallel.worker import SearchWorker
from treegen.exact.request import Aim, SearchControl, SearchLog, SearchSpec, TimeBudget
from treegen.exact.run import run_search
from treegen.exact.solver import Solver, make_solver

from .searching import AT_ONCE, build_optimal


def list_arrays(value, name=""):
    """Yield the arrays of nested records with their names."""
    if isinstance(value, np.ndarray):
        yield name, value
    for field in getattr(value, "_fields", ()):
        yield from list_arrays(getattr(value, field), f"{name}.{field}".lstrip("."))


@pytest.mark.parametrize("name", ["p3c4r", "consistent"])
def test_threads_share_nothing_that_they_write_but_the_table(name):
    game = make_random_words(0, 30, 40) if name == "consistent" else open_game(name)
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    matrix = make_response_matrix(game.rules, candidates)
    eligible = number_eligible(game, name if name == "consistent" else "all")
    rule = make_play_rule(game, eligible, (), matrix)
    model = make_cost_model(len(candidates), matrix.n_responses, eligible=eligible)
    common = matrix, make_group(game.rules), model, make_rule_table(game, candidates, rule)
    first, second = (
        dict(list_arrays(make_search(*common, (), INFINITE, rule=rule))) for _ in range(2)
    )
    shared = {name for name in first if np.shares_memory(first[name], second[name])}
    read_only = {"group.codes", "group.pegs", "table.canonizer.colors", "table.canonizer.seeds"}
    read_only |= {f"table.canonizer.{name}" for name in ("moves_pegs", "renames")}
    read_only |= {"table.guess_keys", "rule.legal"}
    constant = "matrix.", "model.", "rule.scoring."
    rest = {name for name in shared - read_only if not name.startswith(constant)}
    assert rest == {"table.entries"}


def make_random_words(seed, n_secrets, n_guesses):
    """Return a game of words over few letters: guesses often tie, and many are worth a try."""
    rng = random.Random(seed)
    words = list({"".join(rng.choices("abcde", k=4)): None for _ in range(n_guesses)})
    return Codebook(words[:n_secrets], words[n_secrets:], feedback="pegs")


@pytest.mark.parametrize("n_slices", [4, 12, 30])
def test_threads_begin_wherever_one_thread_was(n_slices, monkeypatch):
    """Even where the last guess was tried to its end, and its bound is above those to come."""
    looks = []

    def has_help(_):
        looks.append(1)
        return len(looks) > n_slices

    monkeypatch.setattr(Solver, "_has_help", property(has_help))
    budget = TimeBudget(alone_s=-1.0, min_units=1, max_units=1)
    for seed in (0, 6, 18):
        game = make_random_words(seed, 60, 250)
        alone = build_optimal(game, budget=replace(budget, alone_s=1e9))
        looks.clear()
        assert build_optimal(game, jobs=2, budget=budget).digest == alone.digest


def test_a_wrong_claim_is_told():
    game = open_game("p3c4r")
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    plan = make_solver(game, candidates, SearchSpec(), SearchControl()).find_best(Aim()).plan
    check_cost(game, candidates, Found(206, plan), INFINITE, 1, 0)
    n_last = build_optimal(game).histogram[3]
    check_cost(game, candidates, Found(206 * 65 + n_last, plan), 4, 65, 1)
    for claim, left, scale, last in [(205, INFINITE, 1, 0), (206 * 65, 4, 65, 1), (206, 3, 1, 0)]:
        with pytest.raises(TreeError, match=r"p3c4r: internal error: the search claims a cost of"):
            check_cost(game, candidates, Found(claim, plan), left, scale, last)


@pytest.mark.parametrize("error", [KeyboardInterrupt, None])
def test_interrupted_search_leaves_no_thread(error):
    def watch(_):
        if error is not None:
            raise error
        return True

    before = threading.active_count()
    with pytest.raises(error or SearchStoppedError):
        build_optimal(open_game("p5c5r"), jobs=3, watch=watch, budget=AT_ONCE)
    while threading.active_count() > before:  # a thread may be about to end its slice
        time.sleep(0.01)


def test_failing_thread_ends_the_search(monkeypatch):
    def fail(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(SearchWorker, "drop_guesses", fail)
    with pytest.raises(MemoryError, match="no room"):
        build_optimal(open_game("p4c6r"), jobs=2, budget=AT_ONCE)


def make_node(lower_bounds, upper_bound=INFINITE):
    node = OpenNode(np.arange(50, dtype=np.int32), n_root=50, share=upper_bound)
    codes = np.arange(len(lower_bounds), dtype=np.int32)
    node.guesses = Guesses(codes, np.array(lower_bounds, dtype=np.int64), 9)
    return node


def test_first_of_equal_guesses_is_kept_in_any_order():
    costs = [9, 7, 8, 7, 7, 12]
    for seed in range(20):
        order = list(enumerate(costs))
        random.Random(seed).shuffle(order)
        node = make_node([5] * len(costs))
        for at, cost in order:
            if cost < node.upper_bound_at(at):
                node.offer(cost, at, np.array([at], dtype=np.int32))
        assert (node.incumbent, node.at, node.plan.tolist()) == (7, 1, [1])


def claim_ranges(node, n):
    """Claim work `n` times as one that sends it to others; return the ranges."""
    ranges = []
    for _ in range(n):
        _, first, end = node.claim(True)
        ranges.append((first, node.keep_first(first, end, find_grain(node, first))))
    return ranges


def test_ranges_of_a_large_node_grow():
    """The first guesses are tried in order, by whoever is free; the many after them together."""
    node = make_node([5] * 200, upper_bound=9)
    ranges = claim_ranges(node, 20)
    ends = [end for _, end in ranges]
    assert [first for first, _ in ranges] == [0, *ends[:-1]]
    sizes = [end - first for first, end in ranges]
    assert sizes[:9] == [1] * 8 + [2]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 8
    # In a small one nobody else has to help.
    small = make_node([5] * 200, upper_bound=9)
    small.n_root = 10**6
    assert claim_ranges(small, 1) == [(0, 200)]


def test_without_a_tree_the_second_guess_waits_for_the_first():
    parent = GuessBranch(make_node([5]), 0, 40, np.zeros(50, dtype=np.int32))
    node = make_node([5] * 200)
    node.parent, node.lower_bound = parent, 30
    assert claim_ranges(node, 1) == [(0, 64)]
    assert node.claim(False) is None
    assert claim_ranges(node, 1) == [(64, 128)]
    node.offer(77, 0, np.zeros(49, dtype=np.int32))
    node.end_range(0)
    assert tuple(node.claim(False)[1:]) == (128, 200)


@pytest.mark.parametrize(
    ("upper_bound", "n_together"), [(99, 20), (101, nodes.FIRST_TOGETHER), (INFINITE, 1)]
)
def test_where_a_tree_is_likely_most_guesses_wait_for_the_first(upper_bound, n_together):
    """It is likely to lower the bound below which all others are searched."""
    node = make_node([5] * 20, upper_bound=upper_bound)
    node.likely = 100.0
    claims = 0
    while (claim := node.claim(False)) is not None:
        node.keep_first(claim.first, claim.end, 1)
        claims += 1
    assert claims == n_together


def test_guesses_of_a_node_that_is_searched_again_keep_their_order_and_their_bounds():
    node = make_node([5, 6, 7], upper_bound=9)
    node.listed_below = 20
    node.guesses.lower_bounds[:] = [12, 9, 14]  # what was proved of each
    node.next_guess, node.share = 3, 10
    node.reopen()
    assert node.has_range()
    assert node.bound() == 9
    assert node.guesses.codes.tolist() == [0, 1, 2]
    node.share = 9
    assert not node.has_range()
    assert node.shown() == 9


def test_without_a_tree_the_largest_cell_is_first():
    branch = GuessBranch(make_node([5, 6]), 0, 560, np.zeros(300, dtype=np.int32))
    branch.cells = [*make_cells(branch, [250, 210]), *make_cells(branch, [20], n=10)]
    branch.ask_cells()
    assert [len(cell.members) for cell in branch.cells] == [101, 100, 10]
    assert all(cell.share == INFINITE for cell in branch.cells)


def test_what_is_proved_of_a_cell_is_found_in_the_table():
    thread = make_worker(open_game("p3c4r"))
    table, node = thread.search.table, make_node([5, 6], upper_bound=200)
    node.next_guess, node.least, node.listed_below = 2, 190, 250
    for proved in (200, 200, 210):
        node.share = proved
        thread.remember(node)
        assert find_entry(table, node.members, INFINITE) == (True, proved, Evidence.BOUND)
    node.share = 205
    thread.remember(node)
    assert find_entry(table, node.members, INFINITE) == (True, 210, Evidence.BOUND)
    node.share = 230
    node.offer(215, 1, np.zeros(49, dtype=np.int32))
    thread.remember(node)
    assert find_entry(table, node.members, INFINITE) == (True, 215, Evidence.COST)


def test_a_node_is_recorded_by_its_path_only_where_a_rule_of_play_asks_for_it(monkeypatch):
    """Without one there are no lists to be filtered: interpreted, that ended in a traceback."""
    thread, paths = make_worker(open_game("p3c4r")), []
    monkeypatch.setattr(worker, "record_node", lambda *args: paths.append(args[4].tolist()))
    node = make_node([5, 6], upper_bound=200)
    node.history = (7, 3)
    thread.remember(node)
    eligible = number_eligible(make_random_words(0, 30, 40), "consistent")
    thread.search = thread.search._replace(model=thread.search.model._replace(eligible=eligible))
    thread.remember(node)
    assert paths == [[], [7, 3]]


def test_branch_adds_the_costs_of_its_cells():
    node = make_node([5, 6])
    branch = GuessBranch(node, 0, 20, np.zeros(6, dtype=np.int32))
    cells = [
        OpenNode(np.arange(3), (0,), 50, parent=branch, slot=s, lower_bound=f)
        for s, f in [(1, 5), (3, 9)]
    ]
    branch.cells = cells
    for cell, cost in zip(cells, (6, 11), strict=True):
        cell.guesses = Guesses(np.array([4], dtype=np.int32), np.array([cost]), 3)
        cell.next_guess = 1
        cell.offer(cost, 0, np.array([cost, cost], dtype=np.int32))
    node.next_guess = 1
    node.branches.append(branch)
    assert not node.collect_results()
    assert (node.incumbent, node.at, node.plan.tolist()) == (23, 0, [0, 6, 6, 11, 11, 0])


def make_cells(branch, lower_bounds, n=100):
    """Return open cells of a guess; each has one guess, whose bound is that of the cell."""
    cells = [
        OpenNode(np.arange(n + k), (0,), 500, parent=branch, slot=1 + n * k, lower_bound=bound)
        for k, bound in enumerate(lower_bounds)
    ]
    for cell in cells:
        codes, bounds = np.array([4], dtype=np.int32), np.array([cell.lower_bound])
        cell.guesses, cell.listed_below = Guesses(codes, bounds, 3), INFINITE
        cell.least = 0
    return cells


def make_asked_branch():
    """Return a node and its guess of two cells, which were asked for their shares."""
    node = make_node([5, 6], upper_bound=600)
    branch = GuessBranch(node, 0, 560, np.zeros(300, dtype=np.int32))
    branch.fit = (1.0, 0.29, 1)
    branch.cells = first, second = make_cells(branch, [250, 210])
    branch.ask_cells()
    node.branches.append(branch)
    return node, branch, first, second


def test_cells_are_asked_for_shares_of_what_a_guess_lacks():
    node, branch, first, second = make_asked_branch()
    asked = {cell.lower_bound: cell.share for cell in (first, second)}
    assert 0 < asked[250] < asked[210] < 40 <= asked[250] + asked[210]
    assert second.upper_bound == 210 + asked[210] < second.highest_upper_bound == 250
    # Who shows the share waits for the other, and its guesses can be tried anew.
    second.next_guess = 1
    node.collect_results()
    assert second.is_waiting
    assert (second.lower_bound, second.next_guess) == (210 + asked[210], 0)
    assert branch.cost == 560 + asked[210]
    assert all(claim is None or claim.node is first for claim in [node.claim(True)])


def test_what_the_cells_have_shown_closes_the_guess_or_is_shared_again():
    node, branch, first, second = make_asked_branch()
    first.offer(251, 0, np.zeros(99, dtype=np.int32))
    first.next_guess = second.next_guess = 1
    node.collect_results()
    assert first.is_done
    assert (branch.cost, second.is_waiting) == (561 + second.lower_bound - 210, False)
    assert second.upper_bound == second.highest_upper_bound == 210 + 600 - 561
    second.next_guess = 1
    node.collect_results()
    assert branch.is_closed
    assert node.incumbent == INFINITE


@pytest.mark.parametrize(("least", "listed_below", "shown"), [(244, 300, 244), (299, 243, 243)])
def test_a_cell_may_show_more_than_it_was_asked_for(least, listed_below, shown):
    node, branch, *_ = make_asked_branch()
    cell = min(branch.cells, key=lambda cell: cell.lower_bound)
    cell.least, cell.listed_below, cell.next_guess = least, listed_below, 1
    assert cell.upper_bound < shown == cell.shown()
    node.collect_results()
    assert (cell.lower_bound, branch.cost) == (shown, 560 + shown - 210)
    # What is listed but not tried has its own bound.
    assert make_node([5, 6], upper_bound=4).shown() == 4


def test_small_cells_are_solved_before_anything_is_shared():
    node = make_node([5, 6], upper_bound=600)
    branch = GuessBranch(node, 0, 560, np.zeros(300, dtype=np.int32))
    branch.fit = (1.0, 0.29, 1)
    (small,) = make_cells(branch, [20], n=10)
    (large,) = make_cells(branch, [250])
    branch.cells = [large, small]
    branch.ask_cells()
    assert (large.is_waiting, small.is_waiting) == (True, False)
    assert small.upper_bound == small.highest_upper_bound
    assert not large.ask_for(250)
    assert large.ask_for(255)
    assert (large.upper_bound, large.is_waiting) == (255, False)


def test_the_line_is_that_of_the_kernels():
    stack = make_stack(300, 300, 9, 5, [])
    assert fit_line(stack.control) == (FIRST_A, FIRST_B)
    x = np.log2(np.arange(30, 300))
    y = 1.1 + 0.25 * x
    sums = {"sum_1": len(x), "sum_x": x.sum(), "sum_y": y.sum(), "sum_xx": x @ x, "sum_xy": x @ y}
    for name, value in sums.items():
        setattr(stack.control, name, value)
    assert fit_line(stack.control) == pytest.approx((1.1, 0.25))


@pytest.mark.parametrize("jobs", [1, 3])
def test_shares_change_no_tree(jobs, monkeypatch, tmp_path):
    monkeypatch.setattr(nodes, "MIN_SHARED", 4)
    game = open_game("p4c5r")
    want = build_optimal(game).digest
    assert build_optimal(game, jobs=jobs, budget=AT_ONCE).digest == want
    assert build_optimal(game, jobs=jobs, folder=tmp_path, budget=AT_ONCE).digest == want


def test_branch_that_costs_too_much_is_dropped():
    node = make_node([5, 6], upper_bound=22)
    branch = GuessBranch(node, 0, 20, np.zeros(6, dtype=np.int32))
    cell = OpenNode(np.arange(3), (0,), 50, parent=branch, slot=1, lower_bound=5)
    branch.cells = [cell]
    assert cell.upper_bound == 7
    cell.guesses = Guesses(np.array([4], dtype=np.int32), np.array([7]), 3)
    node.branches.append(branch)
    node.collect_results()
    assert branch.is_closed
    assert cell.is_pruned
    assert node.incumbent == INFINITE


def test_table_refuses_what_two_threads_wrote_at_once():
    table = make_table(make_canonizer(None, np.arange(50, dtype=np.int32)))
    other = share_table(table)
    members = np.array([3, 5, 8], dtype=np.int32)
    assert not find_entry(table, members, INFINITE)[0]
    write_entry(table, 77, Evidence.COST.value)
    assert find_entry(other, members, INFINITE) == (True, 77, Evidence.COST)
    assert not find_entry(other, members, 4)[0]
    row = int(np.flatnonzero(table.entries.any(axis=1))[0])
    for column in range(4):
        torn = table.entries.copy()
        torn[row, column] += np.uint64(1)
        assert not find_entry(table._replace(entries=torn), members, INFINITE)[0]


def test_table_refuses_a_mixture_of_two_proofs_of_one_state():
    members = np.array([3, 5, 8], dtype=np.int32)
    rows = []
    for bound, evidence in [(30, Evidence.BOUND), (32, Evidence.COST), (31, Evidence.BOUND)]:
        table = make_table(make_canonizer(None, np.arange(50, dtype=np.int32)))
        find_entry(table, members, INFINITE)
        write_entry(table, bound, evidence.value)
        place = int(np.flatnonzero(table.entries.any(axis=1))[0])
        rows.append(table.entries[place].copy())
    written = {(30, Evidence.BOUND), (32, Evidence.COST), (31, Evidence.BOUND)}
    for mixture in product(*zip(*rows, strict=True)):
        table.entries[place] = mixture
        is_known, bound, evidence = find_entry(table, members, INFINITE)
        assert not is_known or (bound, evidence) in written


def test_table_keeps_the_largest_states():
    """What took the most work stays, whatever is written after it; so does what came last."""
    table = make_table(make_canonizer(None, np.arange(50, dtype=np.int32)), size=None)
    large = np.arange(40, dtype=np.int32)
    find_entry(table, large, 0)
    write_entry(table, 99, Evidence.COST.value)
    drawn = random.Random(1)
    for _ in range(20 * len(table.entries)):
        members = np.array(sorted(drawn.sample(range(50), 3)), dtype=np.int32)
        find_entry(table, members, INFINITE)
        write_entry(table, 5, Evidence.BOUND.value)
        assert find_entry(table, members, INFINITE) == (True, 5, Evidence.BOUND)
    assert find_entry(table, large, 0) == (True, 99, Evidence.COST)
    write_entry(table, 98, Evidence.BOUND.value)
    assert find_entry(table, large, 0) == (True, 98, Evidence.BOUND)


def make_worker(game):
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    matrix = make_response_matrix(game.rules, candidates, lambda: None)
    model = make_cost_model(len(candidates), matrix.n_responses)
    table = make_table(make_canonizer(game.rules, candidates))
    search = make_search(matrix, make_group(game.rules), model, table, (), INFINITE)
    return SearchWorker(search, Pace(min_units=20, max_units=20))


def test_worker_lists_a_node_whatever_it_did_before():
    game = open_game("p4c6r")
    fresh, used = make_worker(game), make_worker(game)
    everything = np.arange(game.n_secrets, dtype=np.int32)
    cells = game.respond(np.array([1]), everything)
    members = everything[cells == np.bincount(cells).argmax()]
    # Below this total there is no tree: cells are left open.
    upper_bound = 5500
    guesses = used.list_guesses(used.load(everything, ()), upper_bound)
    used.push(1, guesses, 0, len(guesses.codes), upper_bound)
    frames, base = used.search.stack.frames, used.search.stack.control
    while not (base.depth == 1 and frames.round[1] > 0):  # a cell was asked for its share
        used.run()
    listed = [each.list_guesses(each.load(members, (1,)), 1300) for each in (fresh, used)]
    assert len({(*each.codes.tolist(), *each.lower_bounds.tolist()) for each in listed}) == 1


class Counted(ThreadedSearch):
    """A search whose threads believe that somebody waits, always."""

    made = ()

    def __init__(self, *args):
        super().__init__(*args)
        self.made.append(self)

    @property
    def is_wanted(self):
        return True


SLICE_UNITS = 200

BY_UNITS = TimeBudget(alone_s=-1.0, min_units=SLICE_UNITS, max_units=SLICE_UNITS, piece_s=1e9)
"""Slices of equal work, and no piece that depends on the time."""


def count_units(search):
    """Return the work done, in the units of `advance`."""
    return sum(search.counts[name] for name in ("states", "guesses", "lookaheads"))


LARGER = pytest.param("p4c7r", marks=pytest.mark.slow)


@pytest.mark.parametrize("name", ["p4c6r", LARGER])
@pytest.mark.parametrize("jobs", [2, 5])
def test_a_search_never_falls_apart(name, jobs, monkeypatch):
    """However many wait: a piece has a slice of work or more on average, and the tree stays."""
    game = open_game(name)
    alone = build_optimal(game)
    monkeypatch.setattr(Counted, "made", [])
    monkeypatch.setattr(solver, "ThreadedSearch", Counted)
    assert build_optimal(game, jobs=jobs, budget=BY_UNITS).digest == alone.digest
    (search,) = Counted.made
    assert 0 < search.n_pieces * SLICE_UNITS <= count_units(search)


@pytest.mark.parametrize("name", ["p4c8n", LARGER])
def test_many_threads_do_hardly_more_than_one(name, monkeypatch):
    """Whether or not there are cores for them, in units of work."""
    game = open_game(name)
    monkeypatch.setattr(Counted, "made", [])
    monkeypatch.setattr(solver, "ThreadedSearch", Counted)
    for jobs in (1, 32):
        log = SearchLog()
        tree = build_optimal(game, jobs=jobs, budget=BY_UNITS, log=log)
        work = sum(log.counts[name] for name in ("states", "guesses", "lookaheads"))
        if jobs == 1:
            alone, work_alone = tree, work
    assert Counted.made
    assert tree.digest == alone.digest
    assert work <= 2 * work_alone


@pytest.mark.parametrize(("jobs", "want"), [(1, []), (3, [3]), (64, [4]), (None, [4])])
def test_build_gives_a_search_at_most_a_thread_a_core(monkeypatch, jobs, want):
    seen = []

    class Recorded(ThreadedSearch):
        def __init__(self, root, search, make_search, n_jobs, budget):
            seen.append(n_jobs)
            super().__init__(root, search, make_search, n_jobs, budget)

    monkeypatch.setattr(solver, "ThreadedSearch", Recorded)
    budget = TimeBudget(alone_s=-1.0, min_units=5, max_units=5)
    monkeypatch.setattr("treegen.exact.request.TimeBudget", lambda: budget)
    monkeypatch.setattr("treegen.tasks.work.count_cores", lambda: 4)
    tree = build("p3c4r", "optimal", jobs=jobs)
    assert (tree.total, seen) == (206, want)


def test_an_unknown_search_is_refused():
    with pytest.raises(StrategyError, match="unknown search 'quick': there are optimal and best"):
        run_search(open_game("p2c3r"), "quick")
