"""The peg games: sizes, codes, their order, their texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import GameError, Mastermind, open_game

from .. import naive
from ..small_games import read_description

NAMES = ["p1c1r", "p1c3rb", "p2c3r", "p3c4r", "p4c3r", "p2c2n", "p3c5n", "p4c4n", "p3c5nb"]


@pytest.mark.parametrize("name", NAMES)
def test_codes_are_in_lexicographic_order(name):
    game, rules = open_game(name), naive.peg_rules(name)
    assert [tuple(code) for code in game.codes.tolist()] == rules.codes
    assert (game.n_codes, game.n_secrets) == (len(rules.codes), rules.n_secrets)
    assert (game.n_responses, game.win) == (len(rules.responses), rules.win)
    assert [game.notation.index_of(code) for code in rules.codes] == list(range(game.n_codes))


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_the_definition(name):
    game, rules = open_game(name), naive.peg_rules(name)
    everything = np.arange(game.n_codes)
    table = game.respond(everything[:, None], everything[None, :])
    for guess in range(game.n_codes):
        expected = [rules.respond(guess, secret) for secret in range(game.n_codes)]
        assert table[guess].tolist() == expected
        assert game.score(guess, 0) == expected[0]


@pytest.mark.parametrize("name", [*NAMES, "p4c36r", "p3c40n"])
def test_written_codes_are_read_back(name):
    game = open_game(name)
    for code in range(0, game.n_codes, max(1, game.n_codes // 500)):
        assert game.parse_code(game.format_code(code)) == code


@pytest.mark.parametrize(
    ("name", "text", "index"),
    [("p4c6r", "1122", 7), ("p4c10n", "0123", 0), ("p4c10n", "9876", 5039), ("p2c12r", "aC", 119)],
)
def test_codes_as_the_literature_has_them(name, text, index):
    assert open_game(name).parse_code(text) == index


def test_codes_are_written_with_other_symbols_on_request():
    game = Mastermind(4, 6)
    assert game.format_code(7, "abcdef") == "aabb"
    assert game.parse_code("AABB", "abcdef") == 7
    assert game.format_code(7, ("red", "green", "b", "c", "d", "e")) == "red.red.green.green"


@pytest.mark.parametrize("text", ["", "112", "11222", "1127", "0123", "11 2", "１１２２", "11-2"])
def test_what_is_no_code_is_refused(text):
    with pytest.raises(GameError):
        Mastermind(4, 6).parse_code(text)


def test_a_color_twice_without_repetition_is_refused():
    with pytest.raises(GameError, match="'1' occurs twice"):
        Mastermind(4, 10, repetition=False).parse_code("0112")


@pytest.mark.parametrize("size", [(0, 6), (4, 0), (-1, 6), (1001, 2), (2, 1001), (4, -6)], ids=str)
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(GameError, match="out of range"):
        Mastermind(*size)


def test_too_few_colors_and_a_wrong_rule_are_refused():
    with pytest.raises(GameError, match="at least 4 colors"):
        Mastermind(4, 3, repetition=False)
    with pytest.raises(GameError, match="not by 'position'"):
        Mastermind(4, 3, feedback="position")


def test_huge_games_are_values_without_a_table():
    game = Mastermind(500, 500)
    assert game.n_codes == 500**500
    assert game.n_responses == 501 * 502 // 2 - 1
    with pytest.raises(GameError, match="holds at most"):
        game.codes  # noqa: B018


def test_codes_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        Mastermind(2, 3).codes[0, 0] = 1


@pytest.mark.parametrize("name", NAMES)
def test_descriptions_are_read_back(name):
    game = open_game(name)
    again = read_description(game.description)
    assert again == game
    assert hash(again) == hash(game)
    assert (again.name, again.rules.digest_name) == (name, name)
    assert (game.rules.symmetry.pegs, game.rules.symmetry.colors) == (True, True)
    assert repr(game).startswith(f"<Game {name}: ")


@pytest.mark.parametrize(
    "description",
    [
        [],
        ["unknown", 1],
        [None],
        [["pegs"]],
        ["pegs"],
        ["pegs", 4, 6, 2, "pegs"],
        ["pegs", 4, 6, 1, "position"],
        ["pegs", 4, 6, 1, "no"],
        ["pegs", 4.0, 6, 1, "pegs"],
        ["pegs", True, 6, 1, "pegs"],
        ["pegs", "4", 6, 1, "pegs"],
        ["pegs", 4, 6, 1, "pegs", 0],
        ["pegs", 0, 6, 1, "pegs"],
        ["pegs", 4, 2, 0, "pegs"],
        ["pegs", 10**30, 6, 1, "pegs"],
    ],
    ids=repr,
)
def test_wrong_descriptions_are_refused(description):
    with pytest.raises(GameError):
        read_description(description)


def test_games_differ_by_every_parameter():
    names = ["p4c6r", "p4c6rb", "p4c6n", "p4c7r", "p5c6r"]
    games = [open_game(name) for name in names]
    assert len(set(games)) == len(games)
    assert games[0] != "p4c6r"


@given(st.integers(1, 8), st.integers(1, 12), st.booleans(), st.data())
def test_index_and_code_are_inverse_in_any_size(n_pegs, n_colors, repetition, data):
    n_colors = n_colors if repetition else max(n_colors, n_pegs)
    game = Mastermind(n_pegs, n_colors, repetition=repetition)
    colors = data.draw(
        st.lists(
            st.integers(0, n_colors - 1), min_size=n_pegs, max_size=n_pegs, unique=not repetition
        )
    )
    index = game.notation.index_of(colors)
    assert 0 <= index < game.n_codes
    if game.n_codes <= 10**5:
        assert game.codes[index].tolist() == colors


@pytest.mark.parametrize(("sizes", "what"), [((4, "6"), "colors"), (("4", 6), "pegs")])
def test_a_size_that_is_no_int(sizes, what):
    for size in (sizes, [6.0 if isinstance(each, str) else each for each in sizes]):
        with pytest.raises(GameError, match=f"the number of {what} is an int, not '?[46]"):
            Mastermind(*size)
