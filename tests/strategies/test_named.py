"""The named strategies are the published rules."""

import pytest

from treegen.errors import StrategyError
from treegen.games.codebook import CodebookGame
from treegen.games.names import parse_game
from treegen.strategies.named import NAMED, list_strategies, parse_strategy
from treegen.strategies.strategy import list_criteria

from .. import naive

MASTERMIND = parse_game("p4c6r")
ONLY_MASTERMIND = ["codesmithy", *(name for name in naive.STRATEGIES if name.startswith("barr-"))]
ONLY_MASTERMIND.remove("barr-random")


@pytest.mark.parametrize("name", naive.STRATEGIES)
def test_parts(name):
    strategy, expected = parse_strategy(name, MASTERMIND), naive.STRATEGIES[name]
    assert strategy.name == name
    assert (strategy.chain, strategy.eligible) == (expected.chain, expected.eligible)
    assert (strategy.order, strategy.opening) == (expected.order, expected.opening)
    assert (strategy.n_direct, strategy.seed) == (expected.n_direct, expected.seed)


def test_each_is_documented():
    for named in list_strategies():
        assert NAMED[named.name] is named
        assert named.summary.endswith(".")
        assert named.source


def test_rules_differ_where_ideas_do():
    rules = {}
    for named in list_strategies():
        rules.setdefault(named.strategy.rule, set()).add(named.name)
    same = sorted(sorted(names) for names in rules.values() if len(names) > 1)
    assert same == [["barr-random", "random-consistent"]]


@pytest.mark.parametrize("name", ONLY_MASTERMIND)
@pytest.mark.parametrize("game", ["p4c6rb", "p4c6n", "p5c8r", "p3c4r"])
def test_some_are_defined_for_one_game(name, game):
    with pytest.raises(StrategyError, match=r"is defined for p4c6r, not for"):
        parse_strategy(name, parse_game(game))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("knut", "did you mean knuth?"),
        ("most-part", "did you mean most-parts?"),
        ("KNUTH", "unknown strategy"),
        ("", "unknown strategy ''"),
        ("zzz", "treegen strategies lists all"),
        ("optimla", "did you mean optimal"),
        ("adaptve", "did you mean adaptive"),
        ("adaptive", "makes no tree: treegen play"),
        ("maxx", "A chain is written"),
        ("maxx,lowest", "unknown criterion 'maxx'"),
        ("power:0", "out of range"),
    ],
)
def test_unknown_names(text, hint):
    with pytest.raises(StrategyError) as caught:
        parse_strategy(text, MASTERMIND)
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("word", "name"),
    [("random", "random-consistent"), ("minmax", "minimax"), ("shannon", "entropy")],
)
def test_what_people_type_leads_to_a_name(word, name):
    with pytest.raises(StrategyError, match=f"did you mean {name}\\?"):
        parse_strategy(word, MASTERMIND)


def test_a_tie_break_alone_is_no_strategy():
    with pytest.raises(StrategyError, match="it is a tie-break, which ends a chain"):
        parse_strategy("lowest", MASTERMIND)


def test_minimax_is_the_rule_of_knuth():
    assert parse_strategy("minimax", MASTERMIND) == parse_strategy("knuth", MASTERMIND)


def test_a_codebook_of_a_games_name_is_not_that_game():
    codebook = CodebookGame(["1122", "1221"])
    codebook.name = "p4c6r"
    with pytest.raises(StrategyError, match="is defined for p4c6r"):
        parse_strategy("codesmithy", codebook)


@pytest.mark.parametrize("text", list_criteria())
def test_a_criterion_alone_is_a_chain(text):
    if text != "entropy":  # also the name of a strategy
        assert parse_strategy(text, MASTERMIND).chain == f"{text},lowest"


@pytest.mark.parametrize("text", ["max,lowest", "power:2", "parts,random"])
def test_chains_are_strategies(text):
    assert parse_strategy(text, MASTERMIND).chain.startswith(text)
