"""Names with signs that mean something elsewhere: in rules, histories, paths, files."""

import pytest

from treegen import Questions, build, explain, read, verify
from treegen.formats.tree_file import make_bytes
from treegen.strategies import name_search, parse_chain, parse_rule, split_search
from treegen.strategies.strategy import change_strategy

FIRST_GUESSES = [
    ["c | d"],
    ["a|b?"],
    ["q; r", "s"],
    ["x; eligible=hints", "y"],
    ["a eligible=hints"],
    [" first=z", "b"],
    ['["a"]', "b"],
    ["[", "b"],
    ['say "no"', "\\|"],
]


@pytest.mark.parametrize("first", FIRST_GUESSES, ids=repr)
@pytest.mark.parametrize("eligible", ["all", "hints"])
def test_first_guesses_of_any_name_stand_in_rules_and_names(first, eligible):
    assert split_search(name_search("optimal", first, eligible)) == ("optimal", tuple(first))
    rule = change_strategy(parse_chain("max"), eligible=eligible, opening=tuple(first))
    assert parse_rule(rule.rule).opening == tuple(first)
    assert parse_rule(rule.rule).eligible == eligible


def make_pairs(label):
    """Return a game whose first two candidates no question tells apart, and what asks for them."""
    rows = [["a", "x"], ["a", "x"], ["b", "y"], ["f", "z"], ["h", "z"]]
    return Questions(rows, names=list("cdefg"), questions=[f"q{label}", "r"], goal="win")


@pytest.mark.parametrize("label", ["", "a|b?", "; r", "; eligible=hints", " first=r", "["])
@pytest.mark.parametrize("strategy", ["optimal", "best", "knuth"])
def test_trees_that_begin_with_such_a_guess_are_verified_and_explained(label, strategy):
    game = make_pairs(label)
    for first in (["c | d"], [f"q{label}"], ["c | d", f"q{label}"]):
        tree = read(make_bytes(build(game, strategy, first=first)))
        assert tree.provenance.eligible == "all"
        report = verify(tree, prove=strategy == "optimal")
        assert report.problems == ()
        assert report.is_proved or strategy != "optimal"
        if strategy == "knuth":
            assert not report.unchecked
            assert explain(tree).guess in first
