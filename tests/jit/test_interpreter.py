"""Small games are interpreted while their kernels are not compiled: the trees are the same."""

import random
import subprocess
import sys
import warnings

import pytest

import treegen
from treegen import UsageError
from treegen.jit import compiler, interpreter
from treegen.jit.interpreter import (
    count_compiled,
    is_interpreted,
    is_small_rule,
    is_small_search,
    mark_small,
)
from treegen.tasks.background import DaemonExecutor, run_in_background

CHAINS = [
    *("knuth", "entropy", "expected-size", "most-parts", "random-consistent", "r-post"),
    *("parts,random", "power:3,highest", "power:1,consistent,highest-consistent", "descending"),
]
CHAINS_WITH_COSTS = ["entropy/cost", "expected/cost,lowest"]


def make_game(rng):
    """Return a random small game of any kind."""
    kind = rng.choice(["pegs", "words", "table", "arrangements", "ready", "weighted"])
    if kind == "pegs":
        pegs, repetition = rng.randint(1, 4), rng.choice(["r", "n"])
        colors = rng.randint(pegs if repetition == "n" else 1, {1: 9, 2: 8, 3: 6, 4: 4}[pegs])
        name = f"p{pegs}c{colors}{repetition}{rng.choice(['', 'b'])}"
        return treegen.open_game(name, goal=rng.choice(["win", "identify"]))
    if kind == "arrangements":
        return treegen.open_game(rng.choice(["a21", "a31", "a211", "a222", "a1111"]))
    if kind == "ready":
        return treegen.open_game(rng.choice(["range9", "coins3", "range17"]))
    if kind == "table":
        rows = {tuple(rng.choice("xyz") for _ in range(5)) for _ in range(rng.randint(3, 12))}
        return treegen.Questions(sorted(rows), goal=rng.choice(["win", "identify"]))
    words = list({"".join(rng.choices("abcde", k=3)): None for _ in range(30)})
    cut = rng.randint(3, len(words))
    game = treegen.Codebook(words[:cut], words[cut:], feedback=rng.choice(["pegs", "position"]))
    if kind == "weighted":
        costs = [rng.randint(1, 4) for _ in words]
        return treegen.open_game(game).with_stakes([rng.randint(0, 9) for _ in range(cut)], costs)
    return game


def build_all(seed, choice, monkeypatch):
    """Return the digests of some random games' trees, or what they were refused for."""
    monkeypatch.setattr(interpreter, "choice", choice)
    rng, found = random.Random(seed), []
    for _ in range(12):
        game, chain = make_game(rng), rng.choice([*CHAINS, *CHAINS_WITH_COSTS])
        options = {"eligible": rng.choice(["all", "candidates", "hints", "consistent"])}
        jobs = rng.choice([1, 2])
        try:
            found.append(treegen.build(game, chain, jobs=jobs, **options).digest)
        except treegen.TreegenError as error:
            found.append(str(error))
    return found


def search_all(seed, choice, monkeypatch):
    """Return the digests of some random games' proved or near-optimal trees, or the refusals."""
    monkeypatch.setattr(interpreter, "choice", choice)
    rng, found = random.Random(seed), []
    while sum(len(text) == 64 for text in found) < 3:  # the rest was refused
        game, search = make_game(rng), rng.choice(["optimal", "optimal", "best"])
        options = {"eligible": rng.choice(["all", "candidates", "hints", "consistent"])}
        if search == "optimal":
            options["objective"] = rng.choice(["total", "worst,total", "total,worst,n_worst"])
        if rng.random() < 0.2:
            options["max_length"] = 4
        jobs = rng.choice([1, 2])
        if game.rules.n_guesses * game.n_secrets > 4000:
            continue
        try:
            found.append(treegen.build(game, search, jobs=jobs, **options).digest)
        except treegen.TreegenError as error:
            found.append(str(error))
    return found


@pytest.mark.compiled
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))]
)
@pytest.mark.parametrize(("make", "n_trees"), [(build_all, 4), (search_all, 3)])
def test_the_same_trees_interpreted(seed, make, n_trees, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        interpreted = make(seed, "never", monkeypatch)
    assert interpreted == make(seed, "always", monkeypatch)
    assert sum(len(text) == 64 for text in interpreted) >= n_trees


@pytest.mark.compiled
def test_the_same_costs_and_openings_interpreted(monkeypatch):
    tree = treegen.build("p3c5r", "knuth")
    words = treegen.Codebook(
        ["abc", "abd", "acd", "bcd", "dcb", "cab", "bad", "dab"], feedback="position"
    )
    weighted = treegen.open_game(words, weights={"abc": 3, "dab": 2})
    found = []
    for choice in ("never", "always"):
        monkeypatch.setattr(interpreter, "choice", choice)
        found.append(
            [
                treegen.explain(tree, path="01", exact=True),
                treegen.explain(treegen.build(weighted, "knuth"), exact=True),
                str(treegen.openings("p3c4r", "optimal")),
                str(treegen.openings(words, "optimal")),
            ]
        )
    assert found[0] == found[1]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["p4c5n", "p2c15rb", "p4c3r"])
def test_the_same_larger_trees_interpreted(name, monkeypatch):
    found = []
    for choice in ("never", "always"):
        monkeypatch.setattr(interpreter, "choice", choice)
        found.append([treegen.build(name, chain).digest for chain in ("knuth", "entropy")])
    assert found[0] == found[1]


@pytest.fixture
def nothing_kept(monkeypatch):
    """New kernels are in no cache."""
    monkeypatch.setattr(compiler, "_find_folder", lambda: None)
    monkeypatch.setattr(interpreter, "choice", "auto")


@pytest.mark.compiled
@pytest.mark.usefixtures("nothing_kept")
def test_small_work_compiles_nothing_for_other_types():
    """Of words with many responses every kernel of a search was compiled anew, for 45 s."""
    kernel = compiler.njit(lambda x: x + 1)
    with mark_small(True):
        assert kernel(1) == 2
    assert not kernel.dispatcher.signatures
    assert kernel(3) == 4
    (compiled,) = kernel.dispatcher.signatures
    with mark_small(True):
        assert kernel(3.5) == 4.5
        assert kernel(4) == 5
    assert kernel.dispatcher.signatures == [compiled]
    assert kernel(3.5) == 4.5
    assert len(kernel.dispatcher.signatures) == 2


@pytest.mark.compiled
@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize(
    ("options", "limit"), [({}, "KERNEL_S"), ({"is_leaf": True}, "LEAF_S")], ids=["any", "leaf"]
)
def test_a_kernel_is_compiled_once_it_has_taken_long_enough(options, limit, monkeypatch):
    kernel = compiler.njit(**options)(lambda x: x + 2)
    with mark_small(True):
        assert kernel(1) == 3
        assert not kernel.dispatcher.signatures
        monkeypatch.setattr(interpreter, limit, -1.0)
        assert kernel(1) == 3
    assert kernel.dispatcher.signatures


@compiler.njit
def add_two(x):
    return x + 2


@compiler.njit
def add_four(x):
    return add_two(add_two(x))


@pytest.mark.compiled
def test_kernels_are_counted_while_they_are_compiled(monkeypatch):
    monkeypatch.setattr(interpreter, "choice", "auto")
    told = []
    for kernel in (add_two, add_four):
        kernel.dispatcher._cache = compiler._NoCache(kernel.py_func)
    with count_compiled(lambda state: told.append((state.done, state.total))):
        assert add_four(1) == 5
        assert add_four(2) == 6
    assert told == [(1, 2), (2, 2), (0, 0)]
    assert add_four(0.5) == 4.5
    assert told == [(1, 2), (2, 2), (0, 0)]


def test_threads_go_by_the_work_that_began_them(monkeypatch):
    monkeypatch.setattr(interpreter, "choice", "auto")
    with mark_small(True), DaemonExecutor(1) as pool:
        assert run_in_background(is_interpreted)
        assert pool.submit(is_interpreted).result()
        with mark_small(False):
            assert not pool.submit(is_interpreted).result()
    assert not run_in_background(is_interpreted)


def test_small_work_is_told_from_large():
    assert is_small_rule(5040, 5040, tries_few=True)
    assert not is_small_rule(4096, 4096, tries_few=False)
    assert is_small_rule(500, 500, tries_few=False)
    assert is_small_search(1296, 1296)
    assert not is_small_search(2401, 2401)


def test_an_unknown_choice_is_refused(monkeypatch):
    monkeypatch.setenv("TREEGEN_COMPILE", "sometimes")
    with pytest.raises(UsageError, match="'sometimes': it must be auto, always or never"):
        interpreter._read_choice()
    command = [sys.executable, "-m", "treegen", "build", "p2c2r", "-o", "-"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith("treegen: TREEGEN_COMPILE is 'sometimes'")
