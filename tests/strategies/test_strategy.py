"""Strategies as values: chains, their canonical text, the order of codes."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen.errors import GameError, StrategyError
from treegen.games.codebook import CodebookGame
from treegen.games.names import parse_game
from treegen.strategies.strategy import TIE_BREAKS, Strategy, parse_chain

from .. import naive

CRITERIA = ["max", "expected", "entropy", "parts", "next-largest", "consistent", "removals"]


@given(
    st.lists(st.sampled_from([*CRITERIA, "power:2", "power:0.5"]), max_size=4),
    st.sampled_from([*TIE_BREAKS, ""]),
)
def test_chains_are_read_back(criteria, tie_break):
    text = ",".join([*criteria, tie_break]).strip(",")
    if not text:
        return
    strategy = parse_chain(text)
    assert [criterion.name for criterion in strategy.criteria] == criteria
    assert strategy.tie_break == (tie_break or "lowest")
    assert parse_chain(strategy.chain) == strategy
    assert strategy.name == strategy.chain


@pytest.mark.parametrize(
    "text", ["", ",", "max,,lowest", "lowest,max", "max,lowest,", "max,best", "random,lowest"]
)
def test_malformed_chains(text):
    with pytest.raises(StrategyError):
        parse_chain(text)


def test_strategies_are_values():
    strategy = parse_chain("power:0.5,expected,parts,random")
    again = pickle.loads(pickle.dumps(strategy))
    assert again == strategy
    assert hash(again) == hash(strategy)
    tables = [[c.table(9).tolist() for c in each.criteria] for each in (strategy, again)]
    assert tables[0] == tables[1]
    assert parse_chain("power:0.5,lowest") != parse_chain("power:0.25,lowest")


def test_the_rule_says_everything():
    strategy = parse_chain(" max , consistent")
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
def test_wrong_parts(change):
    with pytest.raises(StrategyError):
        replace(Strategy("x", ()), **change)


@pytest.mark.parametrize("name", ["p2c3r", "p3c4r", "p3c5n"])
def test_order_of_codes(name):
    game, rules = parse_game(name), naive.peg_rules(name)
    for order in ("lex", "first-fastest"):
        ranks = replace(parse_chain("lowest"), order=order).code_ranks(game)
        everything = naive.order_codes(
            rules, naive.Strategy("lowest", order=order), range(game.n_codes)
        )
        assert [everything.index(code) for code in range(game.n_codes)] == ranks.tolist()


def test_first_peg_fastest_is_what_expand_grid_does():
    game = parse_game("p2c3r")
    ranks = replace(parse_chain("lowest"), order="first-fastest").code_ranks(game)
    written = sorted(range(9), key=lambda code: ranks[code])
    assert " ".join(game.format_code(code) for code in written) == "11 21 31 12 22 32 13 23 33"


def test_a_codebook_keeps_its_own_order():
    game = CodebookGame(["ba", "ab", "cc"], ["aa"])
    assert parse_chain("lowest").code_ranks(game).tolist() == [0, 1, 2, 3]


def test_opening_codes():
    game = parse_game("p4c6r")
    assert Strategy("x", (), opening=("1122", "1234")).opening_codes(game) == [7, 51]
    with pytest.raises(GameError):
        Strategy("x", (), opening=("7777",)).opening_codes(game)
