"""Every kernel of the exact search against slow plain code (tests/naive_exact.py)."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from enum import IntEnum, auto
from functools import cache

import numpy as np
import pytest

from treegen import TreeError, open_game
from treegen.exact.engine import INFINITE
from treegen.exact.engine import problem as slots
from treegen.exact.engine.byte_sets import count_by_look_up
from treegen.exact.engine.canonical_state import make_canonizer, make_group, mark_representatives
from treegen.exact.engine.cells import (
    count_tile,
    look_ahead_in_cells,
    order_cells,
    scatter,
    try_candidates,
)
from treegen.exact.engine.cost import fill_levels, make_cost_model
from treegen.exact.engine.guess_order import read_row, sum_both, sum_cost
from treegen.exact.engine.lookahead import (
    count_by_shifts,
    forget_local_matrix,
    look_ahead,
    need_local_matrix,
)
from treegen.exact.engine.plan import complete_plan, expand_plan
from treegen.exact.engine.responses import make_response_matrix
from treegen.exact.engine.search import Pace, advance, count_work, make_search, tighten
from treegen.exact.engine.small_states import FAR, solve_by_candidates, solve_by_lookahead
from treegen.exact.engine.stack import OPEN, FrameStage
from treegen.exact.engine.table import Evidence, find_entry, make_table
from treegen.jit.compiler import has_feature, njit
from treegen.kernels.rule_kinds import EligibleKind

from .. import naive, naive_exact
from .searching import AT_ONCE, build_optimal

GAMES = ["p2c4r", "p3c3r", "p2c4n", "p3c3rb"]
MODELS = [(1, 0), (5, 1), (1, 50)]
LEFTS = [None, 2, 3, 4]


class Part(IntEnum):
    """Kernels that only other kernels call, so that they cannot be called from Python."""

    BY_CANDIDATES = auto()
    BY_LOOKAHEAD = auto()
    LOCALLY = auto()
    COUNT_COST = auto()
    READ_ROW = auto()
    COUNT_BY_SHIFTS = auto()
    COUNT_TILE = auto()
    SCATTER = auto()
    REFINE = auto()
    ORDER_CELLS = auto()


@njit(allocates=True)
def call_part(part, search, members, places, bounds, number, depth):
    """Call one of them; return two numbers that it may have found.

    All have one entry: with one for each, what they have in common would be compiled ten times.
    """
    matrix, model, scratch = search.matrix, search.model, search.scratch
    first, second = np.int64(0), np.int64(0)
    if part == Part.BY_CANDIDATES:
        first, second = solve_by_candidates(matrix, model, scratch, members, FAR, number)
    elif part == Part.BY_LOOKAHEAD:
        first, second = solve_by_lookahead(matrix, model, scratch, members, number)
    elif part == Part.LOCALLY:
        forget_local_matrix(scratch)
        need_local_matrix(matrix, scratch, members)
        begin = np.int64(2)
        for i in range(len(places)):
            scratch.places[begin + i] = places[i]
        cell = members[places]
        first, second = solve_by_candidates(matrix, model, scratch, cell, begin, number)
    elif part == Part.COUNT_COST:
        scratch.sizes[:] = 0
        first, second = sum_both(matrix, model, scratch, members, number, bounds)
    elif part == Part.READ_ROW:
        read_row(matrix, scratch, members, number)
        first = sum_cost(scratch.sizes, bounds)
    elif part == Part.COUNT_BY_SHIFTS:
        first = count_by_shifts(matrix, scratch, members, 0)
    elif part == Part.COUNT_TILE:
        count_tile(matrix, scratch, members, number)
    elif part == Part.SCATTER:
        read_row(matrix, scratch, members, number)
        scatter(matrix, model, scratch, search.stack, depth)
    elif part == Part.REFINE:
        first = np.int64(try_candidates(search, number) and look_ahead_in_cells(search, number))
    elif part == Part.ORDER_CELLS:
        order_cells(search, number)
    return first, second


NOBODY, NOTHING = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)


def call(part, search, number=0, depth=1, *, members=NOBODY, places=NOTHING, bounds=NOTHING):
    """Call a part with what it needs of all this."""
    return call_part(part.value, search, members, places, bounds, int(number), depth)


@njit(allocates=True)
def call_fill_levels(n, n_cells, max_cells, left, scale, last):
    return fill_levels(n, n_cells, max_cells, left, scale, last)


def call_count_by_shifts(search, members):
    return call(Part.COUNT_BY_SHIFTS, search, members=members)[0]


# Only where the machine looks up bytes can this be compiled.
@njit(allocates=True)
def call_count_by_look_up(search, members):
    return count_by_look_up(search.matrix, search.scratch, members, 0)


def make_case(name, scale=1, last=0, left=None, candidates_only=False):
    """Return a search and its slow twin."""
    game = open_game(name)
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    n_left = left or INFINITE
    eligible = EligibleKind.CANDIDATES if candidates_only else EligibleKind.ALL
    n, n_responses = len(candidates), game.n_responses
    model = make_cost_model(n, n_responses, scale, last, n_left, eligible=eligible)
    matrix = make_response_matrix(game.rules, candidates)
    table = make_table(make_canonizer(game.rules, candidates))
    search = make_search(matrix, make_group(game.rules), model, table, (), n_left)
    return search, make_twin(name, scale, last, candidates_only)


@cache
def make_twin(name, scale, last, candidates_only):
    """Return the slow search, which several tests ask; those of a game share what does not cost."""
    if (scale, last) == (1, 0):
        return naive_exact.Search(naive.peg_rules(name), candidates_only=candidates_only)
    plain = make_twin(name, 1, 0, candidates_only)
    return replace(plain, scale=scale, last=last, known={})


def draw_states(twin, sizes, n_states=12, seed=1):
    """Yield some sets of candidates, ascending."""
    rng, n_secrets = random.Random(seed), twin.rules.n_secrets
    for _ in range(n_states):
        yield sorted(rng.sample(range(n_secrets), min(n_secrets, rng.choice(sizes))))


def put(search, members, left=None, upper_bound=INFINITE, depth=1):
    """Put a state on the stack, as the cell of a guess that is not there."""
    stack = search.stack
    stack.members[depth - 1, : len(members)] = members
    stack.frames.start[depth], stack.frames.n[depth] = 0, len(members)
    stack.frames.left[depth] = left or INFINITE
    stack.frames.upper_bound[depth] = upper_bound
    stack.marks[:] = 1


def list_guesses(search):
    """Enter the state on top; the guesses that are marked stay so."""
    search.stack.marked[1, 0] = -1  # as if they were marked for this state before
    enter(search)


def enter(search):
    """Enter the state in the first frame, and do nothing else."""
    search.stack.frames.stage[1] = FrameStage.ENTER
    search.stack.control.depth = 1
    advance(search, 1)


def as_cost(number):
    """Return a kernel's cost as the slow code has it."""
    return math.inf if number >= INFINITE else int(number)


@pytest.mark.parametrize(("scale", "last"), MODELS)
@pytest.mark.parametrize("left", [None, 0, 1, 2, 3, 5])
def test_costs_of_full_levels_are_those_of_their_twin(scale, last, left):
    twin = naive_exact.Search(None, scale, last)
    for n in range(9):
        for n_cells in range(1, 5):
            for max_cells in range(1, 5):
                widths = [n_cells * max_cells**level for level in range(n)]
                slow = naive_exact.cost_of_levels(twin, n, widths, left)
                spare = INFINITE if left is None else left
                quick = call_fill_levels(n, n_cells, max_cells, spare, scale, last)
                assert as_cost(quick) == slow


@pytest.mark.parametrize(("scale", "last"), MODELS)
@pytest.mark.parametrize("most", [None, 4])
def test_table_of_bounds_by_size(scale, last, most):
    n, n_responses = 12, 5
    model = make_cost_model(n, n_responses, scale, last, most or INFINITE)
    twin = naive_exact.Search(None, scale, last)
    for left in [None] if most is None else range(most + 1):
        for max_cells in range(1, n_responses):
            for size in range(n + 1):
                widths = [max_cells**level for level in range(n)]
                slow = naive_exact.cost_of_levels(twin, size, widths, left)
                assert as_cost(model.lower_bounds[left or 0, max_cells, size]) == slow


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("candidates_only", [False, True])
@pytest.mark.parametrize("left", LEFTS)
def test_a_lookahead_bounds_the_cost_as_its_twin_does(name, candidates_only, left):
    search, twin = make_case(name, 5, 1, left, candidates_only)
    for state in draw_states(twin, range(3, 9)):
        members = np.array(state, dtype=np.int32)
        spare = left or INFINITE
        bound, most = look_ahead(search.matrix, search.model, search.scratch, members, spare)
        assert as_cost(bound) == naive_exact.bound_of(twin, state, left)
        assert max(most) == naive_exact.count_max_cells(twin, state)
        assert bound <= naive_exact.cost_of(twin, state, left)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("scale", "last"), MODELS)
@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("candidates_only", [False, True])
def test_bounds_of_small_states_are_bounds_and_their_guesses_attain_them(
    name, scale, last, left, candidates_only
):
    """A bound is one, and with a guess it is the cost, which that guess attains."""
    search, twin = make_case(name, scale, last, left, candidates_only)
    for state in draw_states(twin, range(3, 7)):
        members = np.array(state, dtype=np.int32)
        cost = naive_exact.cost_of(twin, state, left)
        bound = guess = -1
        if len(state) <= search.matrix.n_responses:
            bound, guess = call(Part.BY_CANDIDATES, search, left or INFINITE, members=members)
            check_verdict(twin, state, left, bound, guess, cost)
            perfect = [
                code for code in state if len(twin.open_cells(code, state)) == len(state) - 1
            ]
            assert guess == perfect[0] if perfect else guess not in perfect
        if guess < 0:  # else nothing is left to look ahead for
            bound, guess = call(Part.BY_LOOKAHEAD, search, left or INFINITE, members=members)
            check_verdict(twin, state, left, bound, guess, cost)
            assert as_cost(bound) >= naive_exact.bound_of(twin, state, left)


def check_verdict(twin, state, left, bound, guess, cost):
    assert as_cost(bound) <= cost
    if guess >= 0:
        assert bound == cost == naive_exact.cost_of_guess(twin, guess, state, left)
        assert not twin.candidates_only or guess in state


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("candidates_only", [False, True])
@pytest.mark.parametrize("left", LEFTS)
def test_guesses_are_listed_by_their_bounds(name, candidates_only, left):
    search, twin = make_case(name, 5, 1, left, candidates_only)
    stack = search.stack
    for state in draw_states(twin, range(3, 12)):
        least = naive_exact.bound_of(twin, state, left)
        for upper_bound in (INFINITE, 0 if least == math.inf else int(least) + 4):
            put(search, state, left, upper_bound)
            list_guesses(search)
            n_guesses = stack.frames.n_guesses[1]
            bounds = stack.lower_bounds[1, :n_guesses].tolist()
            listed = list(zip(bounds, stack.guesses[1, :n_guesses].tolist(), strict=True))
            assert listed == naive_exact.list_guesses(twin, state, upper_bound, left)
            assert not search.scratch.is_candidate.any()


@pytest.mark.parametrize("beam", [0, 3])
def test_guess_order_by_estimate(beam):
    search, twin = make_case("p3c3r")
    search = search._replace(model=search.model._replace(n_full=-1, beam=beam))
    estimates = search.model.estimates
    for state in draw_states(twin, range(6, 15)):
        put(search, state)
        list_guesses(search)
        ranked = sorted(
            (sum(int(estimates[len(cell)]) for cell in twin.open_cells(code, state)), code)
            for code in twin.eligible(state)
        )
        expected = [code for _, code in ranked][: beam or None]
        assert search.stack.guesses[1, : search.stack.frames.n_guesses[1]].tolist() == expected


def test_marked_guesses_alone_are_listed():
    search, twin = make_case("p3c3r")
    state = next(draw_states(twin, [9]))
    put(search, state)
    search.stack.marks[1] = 0
    search.stack.marks[1, [3, 8, 20]] = 1
    list_guesses(search)
    listed = search.stack.guesses[1, : search.stack.frames.n_guesses[1]]
    assert sorted(listed.tolist()) == [code for code in (3, 8, 20) if code in twin.eligible(state)]


@pytest.mark.parametrize("name", GAMES)
def test_cost_by_sizes_and_scatter(name):
    search, twin = make_case(name)
    stack, cells = search.stack, search.stack.cells
    bounds = search.model.lower_bounds[0, 2]
    lost = np.full_like(bounds, INFINITE)
    for state in draw_states(twin, range(5, 15)):
        members = np.array(state, dtype=np.int32)
        for code in twin.eligible(state)[::3]:
            sizes = [len(cell) for cell in twin.open_cells(code, state)]
            cost = sum(int(bounds[size]) for size in sizes)
            assert call(Part.COUNT_COST, search, code, members=members, bounds=bounds)[0] == cost
            assert call(Part.READ_ROW, search, code, members=members, bounds=bounds)[0] == cost
            assert call(Part.COUNT_COST, search, code, members=members, bounds=lost)[0] == INFINITE
            put(search, state)
            stack.frames.guess[1], stack.frames.max_cells[1] = code, 2
            call(Part.SCATTER, search, code, 1, members=members)
            expected = naive_exact.list_cells(twin, code, state)
            assert stack.frames.n_cells[1] == len(expected)
            for at, (_, cell, slot) in enumerate(expected):
                first, size = cells.first[1, at], cells.size[1, at]
                assert stack.members[1, first : first + size].tolist() == cell
                assert cells.slot[1, at] == slot
                assert cells.lower_bound[1, at] == bounds[len(cell)]
                assert cells.is_exact[1, at] == 0


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("left", [None, 4])
def test_refined_bounds_never_pass_the_costs(name, left):
    """Lower bounds rise to no more than the costs; the guess is dropped at the upper bound."""
    search, twin = make_case(name, 5, 1, left)
    stack, cells = search.stack, search.stack.cells
    for state in draw_states(twin, range(7, 15), n_states=6):
        for code in twin.eligible(state)[::5]:
            for upper_bound in (INFINITE, 5 * 2 * len(state)):
                put(search, state, left, upper_bound)
                enter(search)
                members = np.array(state, dtype=np.int32)
                put_guess(search, twin, code, state, left)
                call(Part.SCATTER, search, code, 1, members=members)
                before = int(stack.frames.cost[1])
                if before >= upper_bound:  # dropped by its sizes
                    continue
                old = cells.lower_bound[1, : stack.frames.n_cells[1]].copy()
                survives = call(Part.REFINE, search, 1)[0]
                assert survives == (stack.frames.cost[1] < upper_bound)
                found = cells.lower_bound[1, : stack.frames.n_cells[1]]
                assert stack.frames.cost[1] == before + int((found - old).sum())
                check_cells(search, twin, code, state, left)


@pytest.mark.parametrize("name", ["p3c5r", "p4c4rb", "p3c5n"])
def test_cells_just_above_the_most_cells_are_looked_ahead_first(name):
    search, twin = make_case(name)
    frames = search.stack.frames
    for state in draw_states(twin, range(20, 60)):
        for code in twin.eligible(state)[::7]:
            for most in range(1, twin.win):
                put(search, state)
                frames.guess[1], frames.max_cells[1] = code, most
                call(Part.SCATTER, search, code, 1, members=np.array(state, dtype=np.int32))
                call(Part.ORDER_CELLS, search, 1)
                n_cells = int(frames.n_cells[1])
                order = search.scratch.order[:n_cells].tolist()
                assert sorted(order) == list(range(n_cells))
                sizes = [int(search.stack.cells.size[1, at]) for at in order]
                # Of sizes as far from the best one the larger is first.
                far = [(abs(size - most - 2), size < most + 2) for size in sizes]
                assert far == sorted(far)


def put_guess(search, twin, code, state, left):
    """Put a guess under trial, its cost as `try_guesses` has it."""
    frames = search.stack.frames
    bounds = search.model.lower_bounds[left - 1 if left else 0, frames.max_cells[1]]
    sizes = [len(cell) for cell in twin.open_cells(code, state)]
    frames.guess[1] = code
    frames.cost[1] = len(state) * twin.scale + sum(int(bounds[size]) for size in sizes)


def check_cells(search, twin, code, state, left):
    cells = search.stack.cells
    for at, (_, cell, slot) in enumerate(naive_exact.list_cells(twin, code, state)):
        cost = naive_exact.cost_of(twin, cell, naive_exact.below(left))
        assert as_cost(cells.lower_bound[1, at]) <= cost
        if cells.is_exact[1, at]:
            assert cells.lower_bound[1, at] == cost
            guess = int(search.stack.plans[1, 1, slot])
            if guess == OPEN:  # known from an image
                continue
            below = naive_exact.below(left)
            assert naive_exact.cost_of_guess(twin, guess, cell, below) == cost


@pytest.mark.parametrize("name", ["p2c4r", "p2c4n", "p3c3rb"])
@pytest.mark.parametrize(("scale", "last"), MODELS)
@pytest.mark.parametrize(("left", "candidates_only"), [(None, False), (4, False), (3, True)])
def test_branch_and_bound_finds_the_least_cost_below_its_limit(
    name, scale, last, left, candidates_only
):
    """The cost of the whole game where it is below the upper bound, else that it is not."""
    everything = list(range(naive.peg_rules(name).n_secrets))
    search, twin = make_case(name, scale, last, left, candidates_only)
    cost = naive_exact.cost_of(twin, everything, left)
    for upper_bound in {INFINITE, *([cost + 1, cost] if cost < math.inf else [])}:
        search, _ = make_case(name, scale, last, left, candidates_only)
        frames, control = search.stack.frames, search.stack.control
        frames.upper_bound[1] = upper_bound
        while control.depth >= control.base_depth:
            advance(search, 7)
        assert frames.has_incumbent[1] == (cost < upper_bound)
        assert frames.upper_bound[1] == min(cost, upper_bound)
        if cost < upper_bound:
            guess = int(search.stack.plans[1, 0, 0])
            assert naive_exact.cost_of_guess(twin, guess, everything, left) == cost


def test_a_slice_ends_with_its_work():
    search, _ = make_case("p3c3r")
    advance(search, 1)
    assert count_work(search.stack.control) == 1
    assert search.stack.frames.stage[1] == FrameStage.TRY
    advance(search, 0)
    assert search.stack.frames.next_guess[1] == 0
    advance(search, 1)
    assert search.stack.frames.next_guess[1] == 1


def test_a_tighter_upper_bound_reaches_all_frames():
    """What the first frame may cost less, the frames below may cost less, too."""
    search, _ = make_case("p3c3r")
    stack, frames = search.stack, search.stack.frames
    stack.control.depth = 2
    frames.stage[1], frames.upper_bound[1], frames.has_incumbent[1] = FrameStage.DESCEND, 100, 1
    frames.cost[1], frames.cell[1], stack.cells.lower_bound[1, 0] = 80, 0, 10
    frames.stage[2], frames.upper_bound[2], frames.has_incumbent[2] = FrameStage.TRY, 25, 1
    tighten(stack, 200)
    assert (frames.upper_bound[1], frames.upper_bound[2]) == (100, 25)
    assert frames.has_incumbent[1:3].tolist() == [1, 1]
    tighten(stack, 92)
    assert (frames.upper_bound[1], frames.upper_bound[2]) == (92, 22)
    assert frames.has_incumbent[1:3].tolist() == [0, 0]


@pytest.mark.parametrize("name", ["p3c5r", "p3c5n", "p4c4rb"])
def test_sizes_of_a_tiles_cells(name):
    search, twin = make_case(name)
    for state in draw_states(twin, (1, 7, 30, 250), n_states=8):
        for tile in range(-(-len(twin.rules.codes) // 64)):
            call(Part.COUNT_TILE, search, tile, members=np.array(state, dtype=np.int32))
            codes = range(64 * tile, min(64 * tile + 64, len(twin.rules.codes)))
            for code in codes:
                cells = naive.partition(twin.rules, code, state)
                sizes = [len(cells.get(response, ())) for response in range(twin.win)]
                assert search.scratch.small_counts[:, code % 64].tolist() == sizes
            # Few candidates' responses are read from the tile, those of many from the guess's row.
            members, bounds = np.array(state, dtype=np.int32), search.model.estimates
            call(Part.READ_ROW, search, code, members=members, bounds=bounds)
            assert search.scratch.sizes[:-1].tolist() == sizes
            responses = search.matrix.by_guess[code, state]
            assert search.scratch.row[: len(state)].tolist() == responses.tolist()


@pytest.mark.parametrize(("name", "left"), [("p3c4r", INFINITE), ("p4c4rb", 2), ("p4c5n", 3)])
def test_the_local_matrix_tests_candidates(name, left):
    search, twin = make_case(name, 5, 1, left)
    rng = random.Random(7)
    for state in draw_states(twin, (20, 40, 60), n_states=30):
        cell = sorted(rng.sample(range(len(state)), rng.randint(3, twin.win)))
        members = np.array(state, dtype=np.int32)
        places = np.array(cell, dtype=np.int64)
        expected = call(Part.BY_CANDIDATES, search, left, members=members[places])
        assert call(Part.LOCALLY, search, left, members=members, places=places) == expected


@pytest.mark.parametrize("name", ["p4c4rb", "p3c5r", "p5c3r", "p6c2r"])
def test_both_ways_of_counting_cells(name):
    """By looking bytes up, where the machine can, and by shifting bits."""
    search, twin = make_case(name)
    for state in draw_states(twin, (1, 3, 10, 60), n_states=8):
        members = np.array(state, dtype=np.int32)
        codes = range(min(512, len(twin.rules.codes)))
        cells = [len(naive.partition(twin.rules, code, state)) for code in codes]
        for count in [call_count_by_shifts, call_count_by_look_up][: 1 + has_feature("avx512vbmi")]:
            search.scratch.n_cells[:] = 77
            most = count(search, members)
            assert search.scratch.n_cells[: len(cells)].tolist() == cells
            assert most == max(cells)


@pytest.mark.parametrize("name", ["p4c4r", "p3c7r", "p5c3r", "p4c5n"])
def test_shared_deficits_change_neither_cost_nor_guesses(name):
    game = open_game(name)
    candidates, results = np.arange(game.n_secrets, dtype=np.int32), []
    matrix = make_response_matrix(game.rules, candidates)
    for depth in (0, 1, 2):
        model = make_cost_model(len(candidates), game.n_responses, shared_depth=depth)
        table = make_table(make_canonizer(game.rules, candidates))
        search = make_search(matrix, make_group(game.rules), model, table, (), INFINITE)
        while search.stack.control.depth > 0:
            advance(search, 1000)
        plan = search.stack.plans[1, 0, : len(candidates) - 1].copy()
        complete_plan(search, candidates, (), plan, Pace())
        tree = expand_plan(game, candidates, plan)
        results.append((search.stack.frames.upper_bound[1], tree.guess.tolist()))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("name", ["p2c4r", "p2c5n"])
def test_what_the_table_holds_is_true(name):
    """Even where upper bounds are lowered on the way, and incumbents dropped."""
    rng, n_known = random.Random(3), 0
    for _ in range(12):
        search, twin = make_case(name)
        stack, everything = search.stack, list(range(twin.rules.n_secrets))
        cost = naive_exact.cost_of(twin, everything)
        while stack.control.depth >= stack.control.base_depth:
            advance(search, 3)
            if stack.control.depth > 1 and rng.random() < 0.3:
                tighten(stack, int(stack.frames.upper_bound[1]) - rng.randint(0, 2))
        assert stack.frames.upper_bound[1] <= cost or stack.frames.has_incumbent[1]
        for state in generate_states(twin, everything):
            members = np.array(state, dtype=np.int32)
            is_known, bound, evidence = find_entry(search.table, members, INFINITE)
            n_known += is_known
            true_cost = naive_exact.cost_of(twin, state)
            assert not is_known or bound <= true_cost
            assert not is_known or bound == true_cost or evidence != Evidence.COST
    assert n_known > 0


def generate_states(twin, everything):
    """Yield the states after one and two guesses."""
    codes = range(len(twin.rules.codes))
    for code in codes:
        for cell in naive.partition(twin.rules, code, everything).values():
            yield cell
            for guess in codes:
                yield from naive.partition(twin.rules, guess, cell).values()


def test_a_plan_that_does_not_split_is_refused():
    game = open_game("p2c3r")
    candidates = np.array([1, 5], dtype=np.int32)  # 12 and 23: 33 is answered 01 by both
    guess = game.parse_code("31")
    assert {game.score(guess, int(secret)) for secret in candidates} == {game.parse_response("01")}
    with pytest.raises(TreeError, match="gains no information"):
        expand_plan(game, candidates, np.full(2, guess, dtype=np.int32))


@pytest.mark.parametrize("name", ["p2c4r", "p3c4r", "p3c4n", "p4c3r"])
def test_representatives_cover_all_guesses(name):
    """A guess and its representative give partitions of equal sizes, whatever was guessed."""
    game = open_game(name)
    group = make_group(game.rules)
    marks = np.zeros(game.n_codes, dtype=np.uint8)
    scores = np.array(
        [[game.score(g, s) for s in range(game.n_codes)] for g in range(game.n_codes)]
    )
    for history in ([], [0], [1], [game.n_codes - 1], [1, 2]):
        mark_representatives(group, np.array(history, dtype=np.int64), marks)

        def sizes(guess, history=history):
            rows = scores[[*history, guess]]
            return sorted(zip(*rows.tolist(), strict=True))

        kept = {tuple(sizes(guess)) for guess in range(game.n_codes) if marks[guess]}
        assert {tuple(sizes(guess)) for guess in range(game.n_codes)} == kept


SIEVED = ["p3c4r", "p3c5n", "p4c3r", "p3c4rb"]


def try_from(search, at, n_units=1 << 40):
    """Try the listed guesses from a place on, until one survives or the work is done."""
    frames, control = search.stack.frames, search.stack.control
    frames.next_guess[1], frames.sieved[1], frames.is_retried[1] = at, 0, 0
    frames.least[1] = INFINITE
    frames.stage[1] = FrameStage.TRY
    control.depth = control.pause_depth = 1
    advance(search, n_units)
    return int(frames.sieved[1])


def make_sieve_case(name, *model):
    """Return a search that sieves all that it can, and its slow twin."""
    search, twin = make_case(name, *model)
    return search._replace(slots=search.slots._replace(least=1, first_at=1, fewest=1)), twin


@pytest.mark.parametrize("name", SIEVED)
@pytest.mark.parametrize("model", [(1, 0, None), (5, 1, 4), (1, 40, 3)])
def test_raised_bounds_are_sums_of_bounds_of_cells(name, model):
    """A guess is dropped if the bounds of its cells say so; if not, its bound is their sum."""
    search, twin = make_sieve_case(name, *model)
    stack, left = search.stack, model[2]
    n_raised = 0
    for state in draw_states(twin, range(12, 30), n_states=3):
        least = naive_exact.bound_of(twin, state, left)
        if least == np.inf:
            continue
        for upper_bound in (least + twin.scale, least + 4 * twin.scale, 3 * least):
            put(search, state, left, upper_bound)
            list_guesses(search)
            n_guesses = int(stack.frames.n_guesses[1])
            begin = n_guesses // 3
            if begin == 0:
                continue
            listed = stack.lower_bounds[1, :n_guesses].copy()
            end = try_from(search, begin)
            assert 2 * begin <= end <= n_guesses
            for at in range(begin, end):
                raised = as_cost(stack.raised[1, at])
                bound = naive_exact.bound_by_cells_of(twin, int(stack.guesses[1, at]), state, left)
                bound = max(bound, int(listed[at]))
                assert raised == bound or upper_bound <= raised <= bound
                n_raised += raised > listed[at]
            assert (search.slots.at == -1).all()
    assert n_raised > 5


@pytest.mark.parametrize("name", SIEVED)
@pytest.mark.parametrize("left", [None, 4])
def test_bounds_that_were_reached_before_do_not_add_up(name, left):
    """Guesses that are tried again stand with the bounds that they had reached."""
    search, twin = make_sieve_case(name, 1, 0, left)
    stack = search.stack
    for state in draw_states(twin, range(20, 30), n_states=3):
        upper_bound = 3 * len(state)
        put(search, state, left, upper_bound)
        list_guesses(search)
        n_guesses = int(stack.frames.n_guesses[1])
        for at in range(n_guesses):
            code = int(stack.guesses[1, at])
            bound = naive_exact.bound_by_cells_of(twin, code, state, left)
            stack.lower_bounds[1, at] = min(bound, upper_bound - 1)
        begin = n_guesses // 3
        for at in range(begin, try_from(search, begin)):
            code = int(stack.guesses[1, at])
            bound = naive_exact.bound_by_cells_of(twin, code, state, left)
            assert as_cost(stack.raised[1, at]) <= bound


def test_what_is_not_sieved():
    search, twin = make_case("p3c5r")
    stack, given = search.stack, search.slots
    state = next(draw_states(twin, [60]))
    put(search, state, None, 4 * len(state))
    list_guesses(search)
    n_guesses = int(stack.frames.n_guesses[1])
    assert n_guesses > 60
    all_of_them = {"least": 60, "first_at": 10, "fewest": 20}
    for change, at, expected in [
        ({}, 10, True),
        ({}, 9, False),
        ({}, n_guesses - 20, True),
        ({}, n_guesses - 19, False),
        ({"least": 61}, 10, False),
        ({"members": given.members[:, :59].copy()}, 10, False),
    ]:
        changed = given._replace(**all_of_them | change)
        assert (try_from(search._replace(slots=changed), at, 1) > 0) == expected
    # Not while no tree is known, and not for guesses that are not tried.
    changed = search._replace(slots=given._replace(**all_of_them))
    stack.frames.upper_bound[1] = INFINITE
    assert try_from(changed, 10, 1) == 0
    stack.frames.upper_bound[1] = stack.lower_bounds[1, 29]
    assert try_from(changed, 10, 1) == 0


@pytest.mark.parametrize("name", ["p3c5r", "p4c4r"])
@pytest.mark.parametrize("model", [(1, 0, None), (1, 0, 5), (200, 1, 5)])
def test_a_sieve_changes_neither_cost_nor_plan(name, model):
    """Cost and plan of a search are the same with the sieve and without."""
    results = []
    for make in (make_sieve_case, make_case):
        search, _ = make(name, *model)
        frames, control, n_sieved = search.stack.frames, search.stack.control, 0
        while control.depth >= control.base_depth:
            advance(search, 7)
            n_sieved = max(n_sieved, int(frames.sieved.max()))
        guess = int(search.stack.plans[1, 0, 0]) if frames.has_incumbent[1] else None
        results.append((int(frames.upper_bound[1]), guess, n_sieved > 0))
    assert results[0][:2] == results[1][:2]
    assert (results[0][2], results[1][2]) == (True, False)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("p4c4r", {"objective": "total,worst,n_worst"}),
        ("p3c6r", {"max_length": 6}),
        ("p4c5n", {}),
    ],
)
def test_the_same_tree_however_many_search(name, options, monkeypatch, tmp_path):
    game = open_game(name)
    want = build_optimal(game, **options).digest
    for constant in ("MIN_BYTES", "FIRST_SIEVED", "FEWEST_SIEVED"):
        monkeypatch.setattr(slots, constant, 1)
    assert build_optimal(game, **options).digest == want
    for jobs in (2, 5):
        assert build_optimal(game, jobs=jobs, budget=AT_ONCE, **options).digest == want
    resumed = build_optimal(game, jobs=2, folder=tmp_path, budget=AT_ONCE, **options)
    assert resumed.digest == want
