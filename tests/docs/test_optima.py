"""The table of proved optima: what the page shows, what is published, what is quick to prove."""

import runpy

import pytest

from treegen import open_game

from ..exact.searching import build_optimal
from ..paths import ROOT

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "prove.py"))
ROWS = SCRIPT["read_optima"]()
QUICK_S = 0.02


def list_rows(mode, objective, pegs):
    """Return colors and row of the games of so many pegs."""
    names = [(SCRIPT["split_name"](row.game), row) for row in ROWS if row.objective == objective]
    return [(colors, row) for (own, colors, kind), row in names if (own, kind) == (pegs, mode)]


def test_the_page_and_its_tables_show_the_file():
    text = (ROOT / "docs" / "optima.md").read_text("utf-8")
    assert SCRIPT["fill_page"](text, ROWS) == text
    for name, (_, table) in SCRIPT["make_tables"](ROWS).items():
        assert (ROOT / "docs" / "data" / name).read_text("utf-8") == table


def test_every_game_stands_in_its_place_once():
    assert sorted(set(ROWS), key=SCRIPT["_order"]) == ROWS
    assert len({row[:2] for row in ROWS}) == len(ROWS)


def test_totals_of_two_pegs_are_those_of_chen_and_lin():
    rows = [(n, row) for n, row in list_rows("r", "total", 2) if n >= 3]
    assert len(rows) >= 13
    for n, row in rows:
        rest = -80 * n + 69 if n % 2 else -74 * n + 48
        assert row.total * 24 == 8 * n**3 + 51 * n**2 + rest, row


@pytest.mark.parametrize("objective", ["total", "worst,total"])
def test_totals_of_two_pegs_with_black_ones_alone_are_as_the_page_says(objective):
    for n, row in list_rows("rb", objective, 2):
        assert row.total * 3 == n * (n + 2) * (2 * n - 1), row
    for n, row in list_rows("nb", objective, 2):
        assert row.total * 3 == (n - 1) * (2 * n**2 + 2 * n - 3), row


def test_fewest_guesses_are_those_of_jaeger_and_peczarski():
    for n, row in list_rows("r", "worst,total", 2):
        assert row.worst == n // 2 + 2, row
    rows = [(n, row) for n, row in list_rows("r", "worst,total", 3) if n >= 5]
    assert len(rows) >= 10
    for n, row in rows:
        assert row.worst == (n - 1) // 3 + 4, row


def test_the_two_objectives_agree():
    """Fewest guesses are not more, and their total is not less; equal lengths have one total."""
    totals = {row.game: row for row in ROWS if row.objective == "total"}
    for row in ROWS:
        other = totals[row.game]
        assert row.worst <= other.worst and row.total >= other.total, row
        assert row.worst < other.worst or row.total == other.total, row


@pytest.mark.parametrize("objective", sorted({row.objective for row in ROWS}))
def test_quick_ones_are_proved_again(objective):
    rows = [row for row in ROWS if row.objective == objective and row.seconds <= QUICK_S]
    assert rows
    for row in rows:
        tree = build_optimal(open_game(row.game), objective=objective, table_seed=4)
        assert (tree.total, tree.worst) == (row.total, row.worst), row
