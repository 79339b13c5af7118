"""Trees deeper than the frames that kernels are given to begin with, or than Python's own stack."""

from __future__ import annotations

import numpy as np
import pytest

from treegen import Codebook, StrategyError, open_game, verify
from treegen.exact.engine import INFINITE
from treegen.exact.engine import stack as stack_module
from treegen.exact.engine.canonical_state import make_canonizer, make_group
from treegen.exact.engine.cost import make_cost_model
from treegen.exact.engine.responses import make_response_matrix
from treegen.exact.engine.search import Pace, make_search, run_slice
from treegen.exact.engine.table import make_table
from treegen.exact.request import TimeBudget
from treegen.jit.interpreter import compile_all
from treegen.tasks.cluster import open_workers

from .searching import build_optimal, search_best

N = 250
"""Each guess rules out one color, so the tree is as deep as there are colors."""

WIDE = 260
"""So many colors do not fit 8 bits."""

AT_ONCE = TimeBudget(alone_s=-1.0, local=(0, 0), remote=(0, 0), min_units=40, max_units=40)


def is_chain(tree, n):
    return tree.total == n * (n + 1) // 2 and not verify(tree).problems


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_tree_deeper_than_the_first_frames(jobs):
    assert is_chain(build_optimal(open_game(f"p1c{N}r"), jobs=jobs, budget=AT_ONCE), N)


@pytest.mark.slow
def test_a_deep_tree_of_wide_codes_is_found():
    with compile_all():  # interpreted for a while they take longer
        assert is_chain(build_optimal(open_game(f"p1c{WIDE}r"), jobs=1, budget=AT_ONCE), WIDE)
        assert is_chain(search_best(open_game(f"p1c{WIDE}r"), beam=2), WIDE)


@pytest.mark.slow
def test_workers_find_a_deep_tree():
    with open_workers(jobs=1) as workers:
        game = open_game("p1c150r")
        assert is_chain(build_optimal(game, workers=workers, budget=AT_ONCE), 150)


def test_beams_find_a_deep_tree():
    assert is_chain(search_best(open_game(f"p1c{N}r"), beam=2), N)


def test_a_deep_tree_keeps_within_its_limit():
    assert build_optimal(open_game("p1c130r"), max_length=130).total == 130 * 131 // 2


def make_deep_search(n, history=()):
    game = open_game(f"p1c{n}r")
    matrix = make_response_matrix(game.rules, np.arange(n, dtype=np.int32))
    model = make_cost_model(n, matrix.n_responses)
    table = make_table(make_canonizer(game.rules, matrix.code_of))
    return make_search(matrix, make_group(game.rules), model, table, history, INFINITE, INFINITE)


def test_frames_are_added_as_they_are_needed():
    search = make_deep_search(N)
    n_frames, pace = len(search.stack.frames.stage), Pace()
    assert n_frames < N
    while not run_slice(search, pace):
        assert search.stack.control.depth < len(search.stack.frames.stage)
    assert n_frames < len(search.stack.frames.stage) <= N + 2
    assert search.stack.frames.upper_bound[1] == N * (N + 1) // 2


def test_frames_that_do_not_fit_memory_are_refused(monkeypatch):
    monkeypatch.setattr(stack_module, "read_available_bytes", lambda: 1000)
    with pytest.raises(StrategyError, match=r"the search is \d+ guesses deep"):
        build_optimal(open_game(f"p1c{N}r"))


@pytest.mark.parametrize("rule", ["pegs", "black"])
def test_more_colors_than_a_byte_holds(rule):
    n = 320
    words = [chr(0x4E00 + i) + chr(0x4E00 + (i * 7 + i // 3) % n) for i in range(n)]
    game = Codebook(words, feedback=rule)
    matrix = make_response_matrix(game.rules, np.arange(n, dtype=np.int32))
    tried = range(0, n, 20)
    slow = [[game.score(guess, secret) for secret in range(n)] for guess in tried]
    assert np.array_equal(matrix.by_guess[tried], slow)
