"""The naive twins themselves, against figures from the literature."""

import pytest

from . import naive


@pytest.mark.parametrize(
    ("guess", "secret", "expected"),
    [
        ("1122", "1344", (1, 0)),
        ("1122", "2211", (0, 4)),
        ("1233", "3321", (0, 4)),
        ("1123", "1113", (3, 0)),
        ("1112", "2111", (2, 2)),
        ("1234", "5566", (0, 0)),
        ("1122", "1122", (4, 0)),
    ],
)
def test_pegs_are_scored_as_counted_by_hand(guess, secret, expected):
    assert naive.score_pegs(guess, secret) == expected


@pytest.mark.parametrize(
    ("guess", "secret", "expected"),
    [
        ("crane", "crate", "22202"),
        ("speed", "abide", "00101"),
        ("speed", "erase", "10110"),
        ("speed", "steal", "20200"),
        ("eerie", "speed", "11000"),
        ("aabbb", "baaaa", "12100"),
    ],
)
def test_positions_are_scored_as_marked_by_hand(guess, secret, expected):
    assert "".join(map(str, naive.score_position(guess, secret))) == expected


@pytest.mark.parametrize(
    ("name", "n_codes", "n_responses"),
    [("p4c6r", 1296, 14), ("p4c10n", 5040, 14), ("p3c4rb", 64, 4), ("p5c8r", 32768, 20)],
)
def test_games_have_their_numbers_of_codes_and_answers(name, n_codes, n_responses):
    rules = naive.peg_rules(name)
    assert (len(rules.codes), len(rules.responses)) == (n_codes, n_responses)


def test_knuths_opening_leaves_at_most_256():
    rules = naive.peg_rules("p4c6r")
    guess = rules.codes.index((0, 0, 1, 1))
    cells = naive.partition(rules, guess, range(1296))
    assert max(map(len, cells.values())) == 256
    assert len(cells) == 13  # (1, 3) needs three colors
    assert sum(map(len, cells.values())) == 1296


def test_generator_is_splitmix64():
    # The first outputs of splitmix64 seeded with 1234567, as its author's test vector has them.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [naive.mix(1234567, counter) for counter in range(3)] == expected
