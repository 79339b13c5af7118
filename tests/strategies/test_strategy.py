"""Strategies as values: chains, their canonical text, the order of codes."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import Codebook, GameError, Strategy, StrategyError, build, make_chain, open_game

from .. import naive

TIE_BREAKS = ["lowest", "highest", "highest-consistent", "random"]
CRITERIA = ["max", "expected", "entropy", "parts", "next-largest", "consistent", "removals"]


@given(
    st.lists(st.sampled_from([*CRITERIA, "power:2", "power:0.5"]), max_size=4),
    st.sampled_from([*TIE_BREAKS, ""]),
)
def test_chains_are_read_back(criteria, tie_break):
    text = ",".join([*criteria, tie_break]).strip(",")
    if not text:
        return
    strategy = make_chain(*text.split(","))
    assert [criterion.name for criterion in strategy.criteria] == criteria
    assert strategy.tie_break == (tie_break or "lowest")
    assert make_chain(*strategy.chain.split(",")) == strategy
    assert strategy.name == strategy.chain


@pytest.mark.parametrize(
    "text", ["", ",", "max,,lowest", "lowest,max", "max,lowest,", "max,best", "random,lowest"]
)
def test_malformed_chains_are_refused(text):
    with pytest.raises(StrategyError):
        build("p2c3r", text)


def test_strategies_are_values():
    strategy = make_chain("power:0.5", "expected", "parts", "random")
    again = pickle.loads(pickle.dumps(strategy))
    assert again == strategy
    assert hash(again) == hash(strategy)
    tables = [[c.table(9).tolist() for c in each.criteria] for each in (strategy, again)]
    assert tables[0] == tables[1]
    assert make_chain("power:0.5", "lowest") != make_chain("power:0.25", "lowest")


def test_the_rule_says_everything():
    spaced = build("p2c3r", " max , consistent").provenance.rule
    strategy = make_chain("max", "consistent")
    assert spaced == strategy.rule
    assert strategy.rule == "eligible=all; chain=max,consistent,lowest; order=lex"
    changed = replace(
        strategy,
        eligible="candidates",
        order="first-fastest",
        opening=("1122", "1234"),
        n_direct=2,
        tie_break="random",
        seed=5,
    )
    assert changed.rule == (
        "eligible=candidates; chain=max,consistent,random; order=first-fastest;"
        " opening=1122|1234; direct=2; seed=5"
    )
    assert strategy.is_deterministic
    assert not changed.is_deterministic


@pytest.mark.parametrize(
    "change",
    [
        {"tie_break": "last"},
        {"eligible": "some"},
        {"order": "random"},
        {"seed": -1},
        {"seed": 2**64},
        {"n_direct": 0},
    ],
    ids=str,
)
def test_wrong_parts_are_refused(change):
    with pytest.raises(StrategyError):
        replace(Strategy("x", ()), **change)


@pytest.mark.parametrize("name", ["p2c3r", "p3c4r", "p3c5n"])
def test_codes_stand_in_the_order_of_the_definition(name):
    game, rules = open_game(name), naive.peg_rules(name)
    for order in ("lex", "first-fastest"):
        ranks = replace(make_chain("lowest"), order=order).code_ranks(game)
        everything = naive.order_codes(
            rules, naive.Strategy("lowest", order=order), range(game.n_codes)
        )
        assert [everything.index(code) for code in range(game.n_codes)] == ranks.tolist()


def test_first_peg_fastest_is_what_expand_grid_does():
    game = open_game("p2c3r")
    ranks = replace(make_chain("lowest"), order="first-fastest").code_ranks(game)
    written = sorted(range(9), key=lambda code: ranks[code])
    assert " ".join(game.format_code(code) for code in written) == "11 21 31 12 22 32 13 23 33"


def test_a_codebook_keeps_its_own_order():
    game = Codebook(["ba", "ab", "cc"], ["aa"])
    assert make_chain("lowest").code_ranks(game).tolist() == [0, 1, 2, 3]


def test_openings_are_codes_of_the_game():
    game = open_game("p4c6r")
    assert Strategy("x", (), opening=("1122", "1234")).opening_codes(game) == [7, 51]
    with pytest.raises(GameError):
        Strategy("x", (), opening=("7777",)).opening_codes(game)
