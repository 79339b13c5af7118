"""States of some hundred candidates: the search by planes and the plain kernels agree."""

import numpy as np
import pytest

from treegen import build, open_game
from treegen.builder import choose
from treegen.jit.compiler import has_feature
from treegen.jit.interpreter import compile_all
from treegen.kernels.onestep import planes
from treegen.kernels.onestep.game import make_ranked_game
from treegen.kernels.onestep.guesses import States, choose_guess
from treegen.kernels.responses import make_scoring
from treegen.strategies.named import parse_strategy

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not has_feature("avx2"), reason="planes are not for this machine"),
]

CRITERIA = ["max", "parts", "expected", "entropy"]
ENDS = ["", ",consistent", ",highest", ",consistent,highest"]
CHAINS = [*(f"max{end}" for end in ENDS), *(f"{one},consistent,highest" for one in CRITERIA[1:])]
EDGES = [3, 8, 9, 32, 33, 63, 64, 65, 127, 128, 129, 192, 193, 1023, 1024]


def make_ranked(game, chain):
    """Return a game and a chain of criteria, in rank space and as the plain kernels take them."""
    scoring, rule = make_scoring(game.rules), choose.number_rule(game, parse_strategy(chain, game))
    return make_ranked_game(game.rules, scoring, rule), scoring, rule


def choose_both_ways(name, chain, sizes, seed):
    """Return the guesses of some states, by planes and by the plain kernels.

    The candidates are any codes. No symmetry applies: the history uses every color and is kept
    by no exchange of pegs.
    """
    game, rng = open_game(name), np.random.default_rng(seed)
    ranked, scoring, rule = make_ranked(game, chain)
    assert planes.fits_planes(ranked)
    sizes = [min(size, game.n_codes) for size in sizes]
    parts = [np.sort(rng.choice(game.n_codes, n, replace=False)).astype(np.int32) for n in sizes]
    starts, keys = np.cumsum([0, *sizes], dtype=np.int64), np.zeros(len(sizes), dtype=np.uint64)
    history = np.tile(rng.choice(game.n_codes, 30, replace=False), (len(sizes), 1))
    ranks = [np.sort(rule.ranks[part]).astype(np.int32) for part in parts]
    if chain.endswith("highest"):
        ranks = [np.sort(game.n_codes - 1 - rank).astype(np.int32) for rank in ranks]
    states = States(np.concatenate(ranks), starts, history.astype(np.int32), keys)
    fast = np.full(len(sizes), -1, dtype=np.int32)
    planes.choose_by_planes(planes.make_planes(ranked), states, np.arange(len(sizes)), fast)
    never = np.zeros(1, dtype=np.int64)
    plain = [
        choose_guess(scoring, rule, None, part, rule.sequence, game.n_responses, keys[0], never)
        for part in parts
    ]
    return fast.tolist(), plain


@pytest.mark.parametrize("chain", CHAINS)
def test_sizes_at_the_edges_of_words_and_vectors(chain):
    fast, plain = choose_both_ways("p4c6r", chain, EDGES, 1)
    assert fast == plain


@pytest.mark.parametrize("chain", CRITERIA)
@pytest.mark.parametrize("name", ["p4c7n", "p4c5rb", "p5c4r", "p6c3r", "p7c3r"])
def test_other_games_are_chosen_alike_without_planes(name, chain):
    fast, plain = choose_both_ways(name, f"{chain},consistent", [5, 33, 64, 65, 100, 300], 2)
    assert fast == plain


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("p4c6r", ""),
        ("p4c7n", ",consistent"),
        ("p4c6rb", ",consistent,highest"),
        ("p5c5r", ",consistent"),
        ("p6c3r", ",highest"),
    ],
)
def test_whole_trees_are_equal(name, criterion, end, monkeypatch):
    game = open_game(name)
    strategy = parse_strategy(criterion + end, game)
    monkeypatch.setattr(choose, "FEWEST", 12)
    with compile_all():
        assert len(choose.make_chooser(game, strategy).many.ways) == 2
        by_planes = build(game, strategy)
        monkeypatch.setattr(choose, "fits_planes", lambda ranked: False)
        assert build(game, strategy).digest == by_planes.digest


def test_only_states_of_their_size_are_searched_by_planes(monkeypatch):
    game, sizes = open_game("p4c7r"), []
    kernel = choose.choose_by_planes

    def note(room, states, chosen, guesses):
        sizes.extend(np.diff(states.starts)[chosen].tolist())
        kernel(room, states, chosen, guesses)

    monkeypatch.setattr(choose, "choose_by_planes", note)
    with compile_all():
        build(game, "knuth")
    assert planes.FEWEST <= min(sizes) <= max(sizes) <= planes.MOST


@pytest.mark.parametrize(
    ("name", "chain"),
    [
        ("p4c6r", "max,parts"),
        ("p4c6r", "max,consistent,random"),
        ("p4c6r", "next-largest"),
        ("p8c3r", "max"),
        ("p3c9r", "max"),
    ],
)
def test_what_planes_do_not_serve(name, chain):
    assert not planes.fits_planes(make_ranked(open_game(name), chain)[0])


def test_small_games_are_not_worth_compiling_for():
    game = open_game("p4c6r")
    chooser = choose.make_chooser(game, parse_strategy("knuth", game))
    assert len(chooser.many.ways) == 1
