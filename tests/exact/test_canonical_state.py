"""Canonical states, by plain twins of the kernels: images share a key, and only images do."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import combinations, permutations

import numpy as np
import pytest

from treegen import StrategyError, open_game
from treegen.exact.engine import INFINITE
from treegen.exact.engine.canonical_state import make_canonizer, make_group, write_key
from treegen.exact.engine.cost import make_cost_model
from treegen.exact.engine.plan import complete_plan
from treegen.exact.engine.responses import make_response_matrix
from treegen.exact.engine.search import Pace, make_search, run_slice
from treegen.exact.engine.stack import OPEN
from treegen.exact.engine.table import count_entries, make_table

from .. import naive, naive_exact
from .searching import build_optimal


def find_key(canonizer, members, left=INFINITE):
    key = np.zeros(2, dtype=np.uint64)
    write_key(canonizer, np.array(members, dtype=np.int32), left, key)
    return tuple(key.tolist())


def make_canonizer_of(name, **options):
    game = open_game(name)
    return make_canonizer(game.rules, np.arange(game.n_secrets, dtype=np.int32), **options), game


def draw_image(game, members, rng):
    """Return a set's image under a random exchange of pegs and renaming of colors."""
    pegs, colors = list(range(game.n_pegs)), list(range(game.n_colors))
    rng.shuffle(pegs)
    if game.rules.symmetry.colors:
        rng.shuffle(colors)
    codes = [[colors[game.codes[m][peg]] for peg in pegs] for m in members]
    return sorted(game.notation.index_of(code) for code in codes)


@pytest.mark.parametrize("name", ["p2c3r", "p2c4n", "p3c2r", "p2c3rb"])
def test_sets_of_one_key_cost_the_same(name):
    canonizer, game = make_canonizer_of(name)
    twin, costs = naive_exact.Search(naive.peg_rules(name)), defaultdict(set)
    for size in range(1, 6):
        for members in combinations(range(game.n_secrets), size):
            costs[find_key(canonizer, members)].add(naive_exact.cost_of(twin, members))
    assert all(len(some) == 1 for some in costs.values())


@pytest.mark.parametrize("name", ["p3c5r", "p4c6r", "p4c7n", "p5c4r", "p4c5rb", "a2211"])
def test_most_images_share_a_key(name):
    canonizer, game = make_canonizer_of(name)
    rng, n_shared = random.Random(4), 0
    for _ in range(200):
        members = rng.sample(range(game.n_secrets), rng.randint(3, 30))
        image = draw_image(game, members, rng)
        n_shared += find_key(canonizer, members) == find_key(canonizer, image)
    assert n_shared > 180


@pytest.mark.parametrize("name", ["p3c4r", "p3c4n", "p3c4rb"])
def test_keys_of_images_only_are_equal(name):
    canonizer, game = make_canonizer_of(name)
    rng, sets = random.Random(7), {}
    for _ in range(600):
        members = tuple(sorted(rng.sample(range(game.n_secrets), rng.randint(2, 4))))
        sets.setdefault(find_key(canonizer, members), set()).add(members)
    assert max(len(some) for some in sets.values()) > 1
    for first, *others in [some for some in sets.values() if len(some) > 1][:40]:
        images = {tuple(image) for image in generate_images(game, first)}
        assert images.issuperset(others)


def generate_images(game, members):
    for pegs in permutations(range(game.n_pegs)):
        for colors in permutations(range(game.n_colors)):
            codes = [[colors[game.codes[m][peg]] for peg in pegs] for m in members]
            yield sorted(game.notation.index_of(code) for code in codes)


def test_key_depends_on_guesses_left_and_seed():
    canonizer, _ = make_canonizer_of("p3c4r")
    other, _ = make_canonizer_of("p3c4r", seed=5)
    members = [3, 8, 21]
    keys = {find_key(canonizer, members), find_key(canonizer, members, 4), find_key(other, members)}
    assert len(keys) == 3


def test_without_symmetry_each_set_has_its_own_key():
    canonizer, game = make_canonizer_of("p3c3r", is_symmetric=False)
    sets = [m for size in (1, 2, 3) for m in combinations(range(game.n_secrets), size)]
    assert len({find_key(canonizer, members) for members in sets}) == len(sets)


@pytest.mark.parametrize("name", ["p3c5r", "p4c4r", "p3c6n"])
@pytest.mark.parametrize("is_cold", [False, True])
def test_open_states_of_a_plan_get_the_guess_that_a_search_finds(name, is_cold):
    canonizer, game = make_canonizer_of(name)
    candidates, n = np.arange(game.n_secrets, dtype=np.int32), game.n_secrets
    matrix, model = (
        make_response_matrix(game.rules, candidates),
        make_cost_model(n, game.n_responses),
    )
    table = make_table(canonizer)
    search = make_search(matrix, make_group(game.rules), model, table, (), INFINITE, INFINITE)
    while not run_slice(search, Pace()):
        pass
    plan = search.stack.plans[1, 0, : n - 1].copy()
    complete_plan(search, candidates, (), plan, Pace())
    if is_cold:
        table.entries[:] = 0
    opened = plan.copy()
    first_cells = np.bincount(matrix.by_guess[plan[0]], minlength=game.n_responses)[:-1]
    slots = 1 + np.cumsum([0, *np.maximum(first_cells - 1, 0)])[:-1]
    for slot, size in zip(slots, first_cells, strict=True):
        if size > 2:
            opened[slot] = OPEN
            opened[slot + 1 : slot + size - 1] = 0
    assert (opened != plan).any()
    complete_plan(search, candidates, (), opened, Pace())
    # Slots of cells of two, and those that no state uses, mean nothing.
    again = [find_tree(matrix, p) for p in (plan, opened)]
    assert again[0] == again[1]


def find_tree(matrix, plan):
    """Return (candidates, guess) of all states with three candidates or more."""
    found, todo = [], [(0, np.arange(len(matrix.code_of)))]
    while todo:
        slot, members = todo.pop()
        found.append((members.tolist(), int(plan[slot])))
        responses = matrix.by_guess[plan[slot], members]
        slot += 1
        for response in range(matrix.n_responses - 1):
            cell = members[responses == response]
            if len(cell) > 2:
                todo.append((slot, cell))
            slot += max(len(cell) - 1, 0)
    return found


@pytest.mark.parametrize(
    ("name", "objective"),
    [
        ("p3c5r", "total"),
        ("p4c4r", "total,worst,n_worst"),
        ("p3c4rb", "worst,n_worst,total"),
        ("a221", "total"),
    ],
)
def test_tree_depends_on_neither_size_nor_seed_of_the_table(name, objective, monkeypatch):
    game = open_game(name)
    digest = build_optimal(game, objective=objective).digest
    assert build_optimal(game, objective=objective, table_size=1, table_seed=9).digest == digest
    monkeypatch.setattr("treegen.exact.engine.table.count_entries", lambda *_: 2)
    assert build_optimal(game, objective=objective).digest == digest


def test_the_table_of_states_grows_with_the_game():
    assert count_entries(1296) == 1 << 17
    assert count_entries(10_000) == 1 << 23
    assert count_entries(10_000, 3) == 1 << 16
    with pytest.raises(StrategyError, match=r"cannot have 0 MiB: 1 to [\d,]+ are possible"):
        count_entries(10_000, 0)
