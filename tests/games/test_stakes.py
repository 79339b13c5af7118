"""Weights of secrets and costs of guesses: exact, without common factor, part of the game."""

from decimal import Decimal
from fractions import Fraction

import pytest

from treegen import Codebook, GameError, open_game

from ..small_games import read_description

GAME = open_game("p2c2r")


@pytest.mark.parametrize(
    ("weights", "whole"),
    [
        ([2, 4, 0, 6], [1, 2, 0, 3]),
        (["0.1", "0.25", "0", "1"], [2, 5, 0, 20]),
        ([Decimal("0.1"), Fraction(1, 3), 0, 1], [3, 10, 0, 30]),
        (["1e-3", "1.5E2", ".5", "2."], [1, 150_000, 500, 2000]),
    ],
)
def test_weights_are_exact_without_common_factor(weights, whole):
    assert GAME.with_stakes(weights).weights.tolist() == whole


@pytest.mark.parametrize(("weights", "costs"), [([7] * 4, None), (None, [3] * 4)])
def test_equal_numbers_leave_the_game_as_it_is(weights, costs):
    game = GAME.with_stakes(weights, costs)
    assert game == GAME
    assert game.rules.digest_name == GAME.rules.digest_name


@pytest.mark.parametrize(
    ("weights", "costs", "message"),
    [
        (["NaN", 1, 1, 1], None, "'NaN' is not a number"),
        ([Decimal("nan"), 1, 1, 1], None, "NaN is not a number"),
        ([0.5, 1, 1, 1], None, "0.5 is a binary float"),
        ([True, 1, 1, 1], None, "True is not a number"),
        ([10**30, 1, 1, 1], None, r"sum up to about 10\^30; at most 1,000,000,000,000 is"),
        ([10**12 + 1, 1, 1, 1], None, r"sum up to 1,000,000,000,004; at most 1,000,000,000,000"),
        (["1e99", 1, 1, 1], None, r"sum up to about 10\^99"),
        (["1e999", 1, 1, 1], None, "'1e999' is not a number"),
        ([-1, 1, 1, 1], None, "the weight -1 is negative"),
        ([0] * 4, None, "all weights are 0"),
        ([1, 2], None, "2 weights are given; there are 4 secrets"),
        (None, [1, 2], "2 costs are given; p2c2r has 4 codes"),
        (None, [1, 2, 0, 1], "the cost 0 is not a positive integer"),
        (None, [1, 2, "0.5", 1], "the cost 0.5 is not a positive integer"),
        (None, [1, 2, 3, 10_001], "the largest cost is 10,001; at most 10,000"),
    ],
)
def test_wrong_numbers_are_refused(weights, costs, message):
    with pytest.raises(GameError, match=message):
        GAME.with_stakes(weights, costs)


TABLE = "name,Q,R\na,1,1\nb,2,1\nc,2,2\n"


@pytest.mark.parametrize(
    ("rows", "options", "heard"),
    [
        ("cost,10,30\n", {"costs": "cost"}, "10 counts 1"),
        ("cost,50,50\n", {"costs": "cost"}, "50 counts 1"),
        ("", {"costs": "Q 4\nR 6\n"}, "2 counts 1"),
        ("", {"costs": "Q 4\nR 5\n"}, None),
        ("cost,10,30\n", {"costs": "cost", "goal": "win"}, None),  # where a guess costs 1
    ],
)
def test_a_common_factor_of_costs_is_named(tmp_path, rows, options, heard):
    if "\n" in options["costs"]:
        (tmp_path / "costs").write_text(options["costs"])
        options = {"costs": tmp_path / "costs"}
    notes = []
    (tmp_path / "t.csv").write_text(TABLE + rows)
    open_game(tmp_path / "t.csv", notice=notes.append, **options)
    words = f"the costs are in lowest terms: {heard}, also in totals, lengths and `max_length`"
    assert notes == ([words] if heard else [])


@pytest.mark.parametrize(
    "game",
    [
        GAME.with_stakes([1, 2, 3, 4]),
        GAME.with_stakes(None, [1, 2, 3, 4]),
        Codebook(["crane", "slate"], ["trace"], feedback="position").with_stakes([1, 2], [1, 1, 2]),
    ],
)
def test_the_description_recreates_the_game(game):
    assert read_description(game.description) == game
    assert game.rules.digest_name.startswith(game.rules.rules_name + " weighted:")
    assert game.description[3:] == game.rules.rules_description


@pytest.mark.parametrize(
    "description",
    [
        ["weighted"],
        ["weighted", "1,2,3,4", ""],
        ["weighted", "2,4,6,8", "", "pegs", 2, 2, 1, "pegs"],
        ["weighted", "1,2,3", "", "pegs", 2, 2, 1, "pegs"],
        ["weighted", "1,-2,3,4", "", "pegs", 2, 2, 1, "pegs"],
        ["weighted", "", "1,2,3,4,5", "pegs", 1000, 1000, 1, "pegs"],
        ["weighted", 5, "", "pegs", 2, 2, 1, "pegs"],
        ["weighted", "1,2", "", "weighted", "1,2", "", "pegs", 1, 2, 1, "pegs"],
    ],
)
def test_wrong_descriptions_are_refused(description):
    with pytest.raises(GameError):
        read_description(description)
