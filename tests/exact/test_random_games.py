"""Random small games: threads, interruptions and resumptions against the plain recursion."""

from __future__ import annotations

import random
import sys

import pytest

from treegen import Codebook, SearchStoppedError

from .. import naive, naive_exact
from .searching import build_optimal


@pytest.fixture(autouse=True)
def switch_often():
    """Let the threads take turns after every few instructions."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def make_game(rng):
    """Return random words, of which the first may be secret, and their naive rules."""
    letters, rule = "abcd"[: rng.randint(3, 4)], rng.choice(["pegs", "position"])
    words = list({"".join(rng.choices(letters, k=3)): None for _ in range(20)})
    n_secrets = rng.randint(4, 9)
    secrets, extra = words[:n_secrets], words[n_secrets:]
    return Codebook(secrets, extra, feedback=rule), naive.codebook_rules(secrets, extra, rule)


def make_budget(rng):
    """Return times that cut the work anywhere."""
    units = rng.choice([1, 2, 5, 20])
    item = (0, rng.choice([0, 0.001]))
    how = {"min_units": units, "max_units": units, "local": item, "remote": item}
    return {"alone_s": -1.0, "record_s": 0.0, **how}


def resume(game, rng, options):
    """Search, end it after some looks, and go on, until it is over."""
    n_looks = 0

    def watch(_):
        nonlocal n_looks
        n_looks -= 1
        return n_looks < 0

    while True:
        n_looks = rng.randint(20, 80)
        try:
            return build_optimal(game, watch=watch, budget=make_budget(rng), **options)
        except SearchStoppedError:
            continue


@pytest.mark.parametrize("seed", range(12))
def test_threads_and_resumed_searches_find_the_tree_of_a_recursion(seed, tmp_path):
    rng = random.Random(seed)
    game, rules = make_game(rng)
    only = rng.random() < 0.3
    what = {"eligible": "candidates" if only else "all"}
    alone = build_optimal(game, **what)
    search = naive_exact.Search(rules, candidates_only=only)
    assert alone.total == naive_exact.cost_of(search, list(range(game.n_secrets)))
    for _ in range(3):
        assert build_optimal(game, jobs=2, budget=make_budget(rng), **what).digest == alone.digest
    assert resume(game, rng, {**what, "jobs": 2, "folder": tmp_path}).digest == alone.digest
