"""How codes are written and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen.errors import GameError
from treegen.games.base import default_symbols, join_symbols, parse_symbols, split_symbols


@pytest.mark.parametrize(
    ("n_colors", "first", "shown"),
    [
        (6, 1, "123456"),
        (10, 0, "0123456789"),
        (10, 1, "123456789A"),
        (35, 1, "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        (35, 0, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXY"),
        (1, 1, "1"),
    ],
)
def test_default_symbols(n_colors, first, shown):
    assert "".join(default_symbols(n_colors, first)) == shown


@pytest.mark.parametrize("first", [0, 1])
def test_over_35_colors_numbers_are_joined_by_dots(first):
    symbols = default_symbols(36, first)
    assert symbols[0] == str(first)
    assert symbols[-1] == str(35 + first)
    assert join_symbols([0, 35], symbols) == f"{first}.{35 + first}"
    assert split_symbols(f"{first}.{35 + first}", symbols) == [0, 35]


@given(st.integers(1, 60).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=1).map(
    lambda colors: (n, colors))))  # fmt: skip
def test_written_codes_are_read_back(case):
    n_colors, colors = case
    symbols = default_symbols(n_colors, 1)
    assert split_symbols(join_symbols(colors, symbols), symbols) == colors


@pytest.mark.parametrize(
    ("text", "n_colors", "expected"),
    [
        ("abcdef", 6, "abcdef"),
        ("red,green, blue", 3, ("red", "green", "blue")),
        ("🔴🟢🔵", 3, "🔴🟢🔵"),
        ("aA"[:1], 1, "a"),
    ],
)
def test_given_symbols(text, n_colors, expected):
    assert parse_symbols(text, n_colors) == tuple(expected)


@pytest.mark.parametrize(
    "text", ["", "abc", "abcdeff", "abcdea", "abcdeA", "a,b,c,d,e,", "a b,c,d,e,f,g", "ab.def"]
)
def test_symbols_that_do_not_fit(text):
    with pytest.raises(GameError, match="do not fit"):
        parse_symbols(text, 6)


def test_names_are_joined_by_dots_and_read_in_any_case():
    symbols = parse_symbols("red,green,blue", 3)
    assert join_symbols([0, 2, 2], symbols) == "red.blue.blue"
    assert split_symbols("Red,blue BLUE", symbols) == [0, 2, 2]


def test_a_wrong_symbol_is_named_with_the_allowed_ones():
    with pytest.raises(GameError, match="'7' in the code '1127' is not one of 1 2 3 4 5 6"):
        split_symbols("1127", default_symbols(6, 1))
    with pytest.raises(GameError, match="not one of 1 … C"):
        split_symbols("-", default_symbols(12, 1))


@pytest.mark.parametrize("symbols", [["a,b", "c", ","], ["1,1", "1", "11"]])
def test_symbols_with_a_comma_are_read_back(symbols):
    for colors in ([0, 1], [2, 2], [1, 0, 2], [0, 0, 0]):
        assert split_symbols(join_symbols(colors, symbols), symbols) == colors
