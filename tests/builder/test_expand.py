"""Built trees are those that the definitions give, state by state."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import Codebook, GameError, StrategyError, UsageError, build, make_chain, open_game

from .. import naive
from ..small_games import SMALL, columns_of, make_pair, make_strategies, write_history

TIE_BREAKS = ["lowest", "highest", "highest-consistent", "random"]
CRITERIA = ["max", "expected", "entropy", "parts", "next-largest", "consistent", "removals"]
CHAINS = [
    "power:0.5,lowest",
    "power:-0.5,consistent,highest",
    "power:-1,max,highest-consistent",
    "entropy,parts,random",
    "consistent,next-largest,highest",
    "removals,expected,highest-consistent",
    "next-largest,random",
    "consistent,lowest",
    "highest",
    "random",
]


@pytest.mark.parametrize("name", SMALL)
def test_trees_are_the_definition(name):
    chains = CHAINS if name in ("p3c4r", "p3c5n", "words-position") else []
    game, rules = make_pair(name)
    for strategy in (*naive.STRATEGIES, *chains):
        ours, twin = make_strategies(strategy, seed=7)
        tree = build(game, ours)
        tree.check()
        root = naive.build(rules, twin)
        assert columns_of(tree) == naive.columns(root), strategy
        assert tree.histogram == naive.histogram(rules, root), strategy
        assert tree.provenance.rule == ours.rule
        assert tree.provenance.strategy == ours.name


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@pytest.mark.parametrize("name", ["p3c4r", "p3c5n", "words-position"])
def test_orders_and_eligible_guesses_are_the_definition(name, tie_break):
    game, rules = make_pair(name)
    for order, eligible in product(["lex", "first-fastest"], ["all", "candidates", "consistent"]):
        parts = {"eligible": eligible, "order": order, "n_direct": 2, "seed": 2**64 - 1}
        ours = replace(make_chain("expected", tie_break), **parts)
        twin = naive.Strategy(f"expected,{tie_break}", **parts)
        assert columns_of(build(game, ours)) == naive.columns(naive.build(rules, twin)), parts


criteria = st.lists(
    st.sampled_from([*CRITERIA, "power:2", "power:0.3", "power:-0.3"]), max_size=3, unique=True
)


@settings(max_examples=60)
@given(
    name=st.sampled_from(SMALL),
    criteria=criteria,
    tie_break=st.sampled_from(TIE_BREAKS),
    eligible=st.sampled_from(["all", "candidates"]),
    order=st.sampled_from(["lex", "first-fastest"]),
    n_direct=st.integers(1, 3),
    seed=st.integers(0, 2**64 - 1),
    data=st.data(),
)
def test_any_strategy_after_any_history(
    name, criteria, tie_break, eligible, order, n_direct, seed, data
):
    game, rules = make_pair(name)
    chain = ",".join([*criteria, tie_break])
    parts = {"eligible": eligible, "order": order, "n_direct": n_direct, "seed": seed}
    secret = data.draw(st.integers(0, game.n_secrets - 1))
    guesses = data.draw(st.lists(st.integers(0, game.n_codes - 1), max_size=2))
    history = tuple((guess, rules.respond(guess, secret)) for guess in guesses)
    ours = replace(make_chain(*criteria, tie_break), **parts)
    tree = build(game, ours, history=write_history(game, history))
    root = naive.build(rules, naive.Strategy(chain, **parts), history)
    assert columns_of(tree) == naive.columns(root)
    assert tree.provenance.history == history


def test_after_every_first_guess_and_answer():
    game, rules = make_pair("p3c3r")
    strategy, twin = make_strategies("knuth")
    for guess in range(game.n_codes):
        replies = {rules.respond(guess, secret) for secret in range(game.n_secrets)}
        for response in range(game.n_responses):
            history = ((guess, response),)
            given = write_history(game, history)
            if response not in replies:
                with pytest.raises(UsageError, match=r"No secret fits|cannot all be true"):
                    build(game, strategy, history=given)
                continue
            tree = build(game, strategy, history=given)
            assert columns_of(tree) == naive.columns(naive.build(rules, twin, history))


@pytest.mark.parametrize("opening", [("1122",), ("4444",), ("1111", "1234"), ("1234", "1123")])
def test_the_best_of_the_openings_is_guessed_first(opening):
    game, rules = make_pair("p4c4r")
    strategy = replace(make_chain("max", "consistent", "lowest"), opening=opening)
    tree = build(game, strategy)
    codes = [game.parse_code(code) for code in opening]
    assert int(tree.guess[0]) in codes
    root = naive.build(rules, naive.Strategy(strategy.chain), opening=codes)
    assert columns_of(tree) == naive.columns(root)


@pytest.mark.parametrize("answer", ["03", "30", "21"])
def test_an_opening_does_not_hold_behind_a_history(answer):
    game = open_game("p4c6r")
    history = ((game.parse_code("1122"), game.parse_response(answer)),)
    tree = build(game, "codesmithy", history=f"1122:{answer}")
    twin = replace(naive.STRATEGIES["codesmithy"], opening=())
    root = naive.build(naive.peg_rules("p4c6r"), twin, history)
    assert columns_of(tree) == naive.columns(root)


def test_an_opening_that_tells_nothing_is_refused():
    game = Codebook(["ab", "ba"], ["zz"])
    strategy = replace(make_chain("max", "lowest"), opening=("zz",))
    with pytest.raises(UsageError, match="gains no information"):
        build(game, strategy)


@pytest.mark.parametrize("strategy", ["knuth", "random-consistent", "entropy"])
@pytest.mark.parametrize("jobs", [2, 3, 8])
def test_threads_do_not_change_the_tree(strategy, jobs):
    game = open_game("p4c4r")
    seed = 3 if strategy == "random-consistent" else None
    alone = build(game, strategy, seed=seed)
    assert build(game, strategy, seed=seed, jobs=jobs).digest == alone.digest


def test_progress_rises_to_the_end():
    states = []
    build("p3c4r", "max", progress=states.append)
    moments = [
        (int(solved), int(guess))
        for state in states
        for guess, solved in re.findall(r"^guess (\d+): .* (\d+) of 64 secrets found", state.note)
    ]
    assert len(moments) == len(states) > 3
    assert moments == sorted(moments)
    assert moments[-1][0] == 64


def test_stopping_from_the_progress_callback():
    def stop(state):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build("p3c4r", "max", progress=stop)


@pytest.mark.parametrize("jobs", [0, -1])
def test_jobs_out_of_range_are_refused(jobs):
    with pytest.raises(UsageError, match="at least 1"):
        build(open_game("p2c3r"), "max", jobs=jobs)


@pytest.mark.parametrize("name", ["p8c20r", "p20c20r", "p500c500r", "p1000c1000rb", "p12c12n"])
def test_games_that_do_not_fit_memory_are_refused_at_once(name, tmp_path):
    for options in ({}, {"resume": tmp_path / "state"}):
        with pytest.raises(GameError, match=r"needs about .* GB of memory"):
            build(name, "max", **options)
    assert not (tmp_path / "state").exists()


def test_sums_beyond_64_bits_are_refused_before_the_build():
    calls = []
    with pytest.raises(StrategyError, match="64 bits"):
        build("p4c6r", "power:9", progress=calls.append)
    assert calls == []


@pytest.mark.slow
@pytest.mark.parametrize("strategy", naive.STRATEGIES)
def test_mastermind_is_the_definition(strategy):
    game, rules = make_pair("p4c6r")
    twin = naive.STRATEGIES[strategy]
    root = naive.build(rules, twin, opening=[game.parse_code(code) for code in twin.opening])
    assert columns_of(build(game, strategy)) == naive.columns(root)


def test_columns_have_the_types_that_files_need():
    tree = build(open_game("p3c3r"), "max")
    dtypes = [tree.guess.dtype, tree.response.dtype, tree.first_child.dtype]
    assert dtypes == [np.int32, np.int16, np.int32]
    assert tree.n_candidates.dtype == np.int32
