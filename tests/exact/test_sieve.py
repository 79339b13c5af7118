"""The sieve, called as a kernel: it raises bounds as far as lookaheads go, and changes no more."""

from __future__ import annotations

import numpy as np
import pytest

from treegen import open_game
from treegen.exact.engine import INFINITE
from treegen.exact.engine import problem as slots
from treegen.exact.engine.search import advance
from treegen.exact.engine.stack import FrameStage

from .. import naive_exact
from .searching import AT_ONCE, build_optimal
from .test_kernels import as_cost, draw_states, enter, make_case, put

GAMES = ["p3c4r", "p3c5n", "p4c3r", "p3c4rb"]


def list_all(search):
    """List the guesses of the state, those that are images of others among them."""
    # The marks that `put` has set are those for no guess.
    search.stack.marked[1, 0] = -1
    enter(search)


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


@pytest.mark.parametrize("name", GAMES)
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
            list_all(search)
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


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("left", [None, 4])
def test_bounds_that_were_reached_before_do_not_add_up(name, left):
    """Guesses that are tried again stand with the bounds that they had reached."""
    search, twin = make_sieve_case(name, 1, 0, left)
    stack = search.stack
    for state in draw_states(twin, range(20, 30), n_states=3):
        upper_bound = 3 * len(state)
        put(search, state, left, upper_bound)
        list_all(search)
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
    list_all(search)
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
