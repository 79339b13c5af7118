"""Arrangements of a multiset: the game, its trees and tables, the permutation strategy."""

import hashlib
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import (
    GameError,
    Mastermind,
    StrategyError,
    UsageError,
    open_game,
    patterns,
    start_online,
)
from treegen.online import draw_secret

from .. import naive, naive_online
from ..small_games import read_description

COUNTS = [(1,), (3,), (1, 1), (2, 1, 1), (1, 2, 1), (3, 2), (1, 1, 1, 1)]


def make_game(counts):
    if max(counts) < 10:
        return open_game("a" + "".join(map(str, counts)))
    return open_game("a" + "".join(f"{count}." for count in counts))


def all_arrangements(counts):
    colors = [color for color, count in enumerate(counts) for _ in range(count)]
    return sorted(set(itertools.permutations(colors)))


@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_codes_are_all_arrangements_in_order(counts):
    game = make_game(counts)
    codes = [tuple(code) for code in game.codes.tolist()]
    assert codes == all_arrangements(counts)
    assert game.n_codes == game.n_secrets == len(codes)
    for index, code in enumerate(codes):
        assert game.notation.index_of(code) == index
        assert game.parse_code(game.format_code(index)) == index


@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_responses_are_the_black_pegs(counts):
    game = make_game(counts)
    for guess, secret in itertools.product(range(game.n_codes), repeat=2):
        codes = game.codes[guess].tolist(), game.codes[secret].tolist()
        assert game.score(guess, secret) == naive.score_black(*codes)
        black, white = naive.score_pegs(*codes)
        assert black + white == game.n_pegs


@given(counts=st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_names_and_descriptions_come_back(counts):
    game = make_game(counts)
    assert (game.name, open_game(game.name)) == (game.name, game)
    assert read_description(game.description) == game
    assert len(game.rules.digest_name) > 1


@pytest.mark.parametrize("name", ["a0", "a", "a201", "a2.0", "a999999.1"])
def test_wrong_names_are_refused(name):
    with pytest.raises(GameError):
        open_game(name)


def test_wrong_descriptions_and_codes_are_refused():
    for parameters in ([], [0], ["2"], [1001], [-1, 2]):
        with pytest.raises(GameError):
            read_description(["arrangements", *parameters])
    with pytest.raises(GameError, match="more than 2 times"):
        open_game("a211").parse_code("1112")


def test_a_folder_of_patterns_has_a_table_of_each(tmp_path):
    index = patterns(4, tmp_path / "set").read_text()
    files = {path.stem: path.read_bytes() for path in (tmp_path / "set").glob("*.tgt")}
    assert sorted(files) == ["a1111", "a211", "a22", "a31", "a4"]
    for name, data in files.items():
        game = open_game(name)
        assert hashlib.sha256(data).hexdigest() in index
        assert f"| {game.name} | {game.n_codes} |" in index
    with pytest.raises(UsageError, match="1 to 8"):
        patterns(9, tmp_path)


@given(secret=st.lists(st.integers(0, 7), min_size=1, max_size=6))
@settings(max_examples=30)
def test_permutation_counts_then_arranges(secret):
    game = Mastermind(len(secret), 8)
    guesses = naive_online.play(start_online("permutation", game), secret, 8 + 720)
    n_counted = sum(len(set(guess)) == 1 for guess in guesses)
    assert n_counted <= 8
    for guess in guesses[n_counted:]:
        assert sorted(guess) == sorted(secret)


def test_beyond_tables_adaptive_plays_on_and_says_so():
    player = start_online("permutation", Mastermind(30, 30))
    secret = draw_secret(player.game, 1, 1)
    naive_online.play(player, secret.tolist(), player.bound)
    assert "adaptive" in player.note
    assert np.array_equal(player.next_guess(), secret)


def test_tables_are_for_permutation_alone(tmp_path):
    with pytest.raises(UsageError, match="not a folder of compiled arrangements"):
        start_online("permutation", Mastermind(4, 6), tables=tmp_path / "none")
    with pytest.raises(StrategyError, match="permutation"):
        start_online("adaptive", Mastermind(4, 6), tables=tmp_path)
