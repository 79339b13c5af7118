"""The exact totals of known strategies: data/totals.csv, checked row by row.

Rows whose source is ``tests/naive.py`` follow from the slow definitions there (those of p4c6r
are compared state by state in test_expand.py, behind the slow marker); the others were
published. Ties are broken as `treegen strategies` says.
"""

import csv

import pytest

from treegen import build, open_game, verify

from .. import naive
from ..paths import ROOT

with (ROOT / "tests" / "data" / "totals.csv").open(newline="") as lines:
    ROWS = list(csv.DictReader(lines))
SMALL = 40


def mark(row):
    game = open_game(row["rules"])
    marks = [pytest.mark.compiled] if game.n_codes > SMALL else []
    return pytest.param(row, marks=marks, id=f"{row['rules']}-{row['strategy']}")


@pytest.mark.parametrize("row", [mark(row) for row in ROWS])
def test_total_histogram_and_opening_are_those_of_the_table(row):
    game = open_game(row["rules"])
    tree = build(game, row["strategy"])
    figures = [tree.total, tree.worst, "/".join(map(str, tree.histogram))]
    assert figures == [int(row["total"]), int(row["worst"]), row["histogram"]]
    assert game.format_code(int(tree.guess[0])) == row["opening"]
    # The rule of a shipped tree is checked, state by state, in test_trees.py.
    is_shipped = (ROOT / "trees" / f"{row['rules']}-{row['strategy']}.tree").exists()
    report = verify(tree, rule=False if is_shipped else None)
    assert (report.problems, report.total) == ((), tree.total)


def test_the_table_is_consistent_in_itself():
    assert len({(row["rules"], row["strategy"]) for row in ROWS}) == len(ROWS) > 100
    for row in ROWS:
        counts = [int(count) for count in row["histogram"].split("/")]
        assert sum(counts) == open_game(row["rules"]).n_secrets
        assert sum(n * count for n, count in enumerate(counts, start=1)) == int(row["total"])
        assert len(counts) == int(row["worst"])
        assert row["source"]


def test_every_named_strategy_has_its_total_for_mastermind():
    assert {row["strategy"] for row in ROWS if row["rules"] == "p4c6r"} == set(naive.STRATEGIES)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if open_game(row["rules"]).n_codes <= SMALL],
    ids=lambda row: f"{row['rules']}-{row['strategy']}",
)  # fmt: skip
def test_small_rows_follow_from_the_definitions(row):
    rules = naive.peg_rules(row["rules"])
    root = naive.build(rules, naive.STRATEGIES[row["strategy"]])
    assert "/".join(map(str, naive.histogram(rules, root))) == row["histogram"]


@pytest.mark.slow
def test_super_mastermind_behind_the_published_opening():
    """mikemag/Mastermind gives 5.6084, at most 7, for Knuth's rule behind 11223."""
    game = open_game("super-mastermind")
    tree = build(game, "knuth", first="11223", jobs=2)
    assert (round(tree.average, 4), tree.worst) == (5.6084, 7)
    assert tree.histogram == [1, 9, 98, 1258, 11373, 18638, 1391]
    report = verify(tree)  # checking the rule would take minutes
    assert (report.problems, [claim.name for claim in report.unchecked]) == ((), ["rule"])
    # The rule alone begins with a guess that leaves fewer at worst, and needs more on average.
    assert build(game, "knuth", jobs=2).total == 183966 > tree.total == 183775
