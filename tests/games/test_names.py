"""Names of games."""

import pytest

from treegen import GameError, list_games, open_game


@pytest.mark.parametrize(
    ("name", "n_secrets", "rule"),
    [
        ("p4c6r", 1296, "pegs"),
        ("P4C6R", 1296, "pegs"),
        ("p4c6n", 360, "pegs"),
        ("p4c6rb", 1296, "black"),
        ("p4c10nb", 5040, "black"),
        ("p04c06r", 1296, "pegs"),
        ("mastermind", 1296, "pegs"),
        ("Bulls-and-Cows", 5040, "pegs"),
        ("super-mastermind", 32768, "pegs"),
        ("Bagels", 720, "pegs"),
    ],
)
def test_a_name_gives_its_game(name, n_secrets, rule):
    game = open_game(name)
    assert (game.n_secrets, game.rule) == (n_secrets, rule)


@pytest.mark.parametrize("alias", list_games().aliases)
def test_aliases_are_the_games_they_name(alias):
    assert open_game(alias).name == list_games().aliases[alias]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mastermnd", "did you mean mastermind?"),
        ("Wordle", "it needs a list of words: treegen build words.txt"),
        ("wordel", "did you mean wordle?"),
        ("bull-and-cow", "did you mean bulls-and-cows?"),
        ("p4c6", "did you mean p4c6r .* or p4c6n"),
        ("p4c6x", "did you mean p4c6r?"),
        ("4p6c", "did you mean p4c6r .* or p4c6n"),
        ("4P6CR", "did you mean p4c6r\\?"),
        ("4p10cn", "did you mean p4c10n\\?"),
        ("5p8crb", "did you mean p5c8rb\\?"),
        ("c6p4", "did you mean p4c6r .* or p4c6n"),
        ("zzzz", "a game is written p4c6r"),
        ("", "a game is written p4c6r"),
        ("p４c６r", "unknown game"),
        ("p4c6rbb", "unknown game"),
        ("p4c6r\n", "unknown game"),
        ("p-4c6r", "unknown game"),
    ],
)
def test_unknown_names_get_a_suggestion(name, hint):
    with pytest.raises(GameError, match=f"unknown game .*{hint}|^{hint}"):
        open_game(name)


@pytest.mark.parametrize("name", ["p0c6r", "p4c0r", "p1001c2r", "p4c999999999r", "p6c5n"])
def test_sizes_out_of_range_are_refused(name):
    with pytest.raises(GameError, match=r"out of range|at least"):
        open_game(name)


def test_blanks_around_a_name_do_not_count():
    assert open_game(" P2c3r ").name == "p2c3r"
