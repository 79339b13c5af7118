"""The named strategies are the published rules."""

from dataclasses import replace

import pytest

from treegen import Codebook, StrategyError, build, list_strategies, verify

from .. import naive

ONLY_MASTERMIND = ["codesmithy", *(name for name in naive.STRATEGIES if name.startswith("barr-"))]
ONLY_MASTERMIND.remove("barr-random")


@pytest.mark.parametrize("name", naive.STRATEGIES)
def test_the_rule_is_that_of_the_definition(name):
    (strategy,), twin = list_strategies(name), naive.STRATEGIES[name]
    expected = [f"eligible={twin.eligible}; chain={twin.chain}; order={twin.order}"]
    expected += [f"opening={'|'.join(twin.opening)}"] * bool(twin.opening)
    expected += [f"direct={twin.n_direct}"] * (twin.n_direct > 1)
    expected += [f"seed={twin.seed}"] * twin.chain.endswith("random")
    assert (strategy.name, strategy.rule) == (name, "; ".join(expected))


def test_each_strategy_has_a_summary_and_a_source():
    for named in list_strategies(*naive.STRATEGIES):
        assert named.summary.endswith(".")
        assert named.source


def test_rules_differ_where_ideas_do():
    rules = {}
    for named in list_strategies(*naive.STRATEGIES):
        rules.setdefault(named.rule, set()).add(named.name)
    same = sorted(sorted(names) for names in rules.values() if len(names) > 1)
    assert same == [["barr-random", "random-consistent"]]


@pytest.mark.parametrize("name", ONLY_MASTERMIND)
@pytest.mark.parametrize("game", ["p4c6rb", "p4c6n", "p5c8r", "p3c4r"])
def test_some_are_defined_for_one_game(name, game):
    with pytest.raises(StrategyError, match=r"is defined for p4c6r, not for"):
        build(game, name)


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
        ("random", "did you mean random-consistent?"),
        ("minmax", "did you mean minimax?"),
        ("shannon", "did you mean entropy?"),
        ("lowest", "it is a tie-break, which ends a chain"),
    ],
)
def test_unknown_names_are_refused_with_a_hint(text, hint):
    with pytest.raises(StrategyError) as caught:
        build("p4c6r", text)
    assert hint in str(caught.value)


def test_a_codebook_of_a_games_name_is_not_that_game():
    codebook = Codebook(["1122", "1221"])
    codebook.name = "p4c6r"
    with pytest.raises(StrategyError, match="is defined for p4c6r"):
        build(codebook, "codesmithy")


@pytest.mark.parametrize(
    "text", ["max", "expected", "parts", "next-largest", "consistent", "removals", "power:3"]
)
def test_chains_are_strategies_and_end_with_a_tie_break(text):
    assert build("p2c3r", text).provenance.strategy == f"{text},lowest"
    assert build("p2c3r", f"{text},random").provenance.strategy.startswith(f"{text},random")


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("max,consistent,lowest opening=slate", None),
        ("max,consistent opening=slate", None),
        ("max,consistent,lowest opening=SLATE", "the game writes the opening ('SLATE',) otherwise"),
        ("max, consistent opening=slate", "is not how treegen names a strategy"),
    ],
)
@pytest.mark.parametrize("has_rule", [True, False])
def test_a_file_names_its_strategy_as_treegen_writes_it(name, note, has_rule):
    words = Codebook(["trace", "crane", "slate", "stare"])
    tree = build(words, "max,consistent", first="slate")
    rule = tree.provenance.rule if has_rule else ""
    stated = replace(tree.provenance, strategy=name, rule=rule)
    report = verify(replace(tree, provenance=stated))
    assert report.is_sound
    if note is None:
        assert not report.unchecked
    else:
        assert [claim.name for claim in report.unchecked] == ["strategy"]
        assert note in report.unchecked[0].note
