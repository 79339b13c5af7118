"""Arrangements of a multiset: the game, its trees and tables, the permutation strategy."""

import hashlib
import itertools

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import build, patterns, verify
from treegen.analysis.patterns import list_patterns
from treegen.cli.main import cli
from treegen.errors import FormatError, GameError, StrategyError, UsageError
from treegen.formats.table import make_table, read_table
from treegen.games.names import from_description, parse_game
from treegen.games.pegs import ArrangementGame, PegGame
from treegen.online.adaptive import KnuthArranger, TableArranger
from treegen.online.named import draw_secret, play_online, start_online
from treegen.player import Player
from treegen.verifier.verify import verify_tree

from .. import naive, naive_online

COUNTS = [(1,), (3,), (1, 1), (2, 1, 1), (1, 2, 1), (3, 2), (1, 1, 1, 1)]


def all_arrangements(counts):
    colors = [color for color, count in enumerate(counts) for _ in range(count)]
    return sorted(set(itertools.permutations(colors)))


@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_codes_are_all_arrangements_in_order(counts):
    game = ArrangementGame(counts)
    codes = [tuple(code) for code in game.codes.tolist()]
    assert codes == all_arrangements(counts)
    assert game.n_codes == game.n_secrets == len(codes)
    for index, code in enumerate(codes):
        assert game.index_of(code) == index
        assert game.parse_code(game.format_code(index)) == index


@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_responses_are_the_black_pegs(counts):
    game = ArrangementGame(counts)
    for guess, secret in itertools.product(range(game.n_codes), repeat=2):
        codes = game.codes[guess].tolist(), game.codes[secret].tolist()
        assert game.score(guess, secret) == naive.score_black(*codes)
        black, white = naive.score_pegs(*codes)
        assert black + white == game.n_pegs


@given(counts=st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_names_and_descriptions_come_back(counts):
    game = ArrangementGame(counts)
    assert parse_game(game.name) == game
    assert from_description(game.description) == game
    assert len(game.digest_name) > 1


@pytest.mark.parametrize("name", ["a0", "a", "a201", "a2.0", "a999999.1"])
def test_wrong_names_are_refused(name):
    with pytest.raises(GameError):
        parse_game(name)


def test_wrong_descriptions_and_codes_are_refused():
    for parameters in ([], [0], ["2"], [1001], [-1, 2]):
        with pytest.raises(GameError):
            from_description(["arrangements", *parameters])
    with pytest.raises(GameError, match="more than 2 times"):
        parse_game("a211").parse_code("1112")


@pytest.mark.parametrize("name", ["a1", "a21", "a211", "a1111"])
@pytest.mark.parametrize("profile", ["full", "lean", "slim"])
def test_trees_verify_and_tables_read_back(name, profile):
    tree = build(name)
    tree.check()
    assert not verify(tree).problems
    assert not verify_tree(tree).problems
    data = make_table(tree, profile=profile)
    assert read_table(data).digest == tree.digest


@pytest.mark.parametrize("name", ["a21", "a211", "a1111"])
def test_player_finds_every_arrangement(name):
    game = parse_game(name)
    player = Player(make_table(build(name)))
    for secret in range(game.n_secrets):
        player.restart()
        for _ in range(10):
            code = player.code
            assert player.guess == game.format_code(code)
            player.answer(game.score(code, secret))
            if player.code is None:
                break
        assert code == secret


@pytest.mark.parametrize("name", ["a21", "a211", "a221", "a1111", "a32"])
def test_search_and_table_play_alike(name, tmp_path):
    game, path = parse_game(name), tmp_path / f"{name}.tgt"
    path.write_bytes(make_table(build(name, "knuth")))
    for secret in range(game.n_secrets):
        search, table = KnuthArranger(game), TableArranger(game, path)
        while (code := search.next_code()) != secret:
            assert table.next_code() == code
            black = game.score(code, secret)
            search.answer(black)
            table.answer(black)
        assert table.next_code() == secret


def test_a_table_of_another_game_is_refused(tmp_path):
    path = tmp_path / "a22.tgt"
    path.write_bytes(make_table(build("a31")))
    with pytest.raises(FormatError, match="a22"):
        TableArranger(parse_game("a22"), path)


def test_patterns_are_all_partitions():
    assert [len(list_patterns(n)) for n in range(1, 9)] == [1, 2, 3, 5, 7, 11, 15, 22]


def test_folder_of_patterns(tmp_path):
    index = patterns(4, tmp_path / "set").read_text()
    for game in list_patterns(4):
        data = (tmp_path / "set" / f"{game.name}.tgt").read_bytes()
        assert hashlib.sha256(data).hexdigest() in index
        assert f"| {game.name} | {game.n_codes} |" in index
    with pytest.raises(UsageError, match="1 to 8"):
        patterns(9, tmp_path)


def test_command_makes_the_folder_and_permutation_walks_it(tmp_path):
    folder = str(tmp_path / "set")
    done = CliRunner().invoke(cli, ["patterns", "4", "-o", folder], catch_exceptions=False)
    assert done.exit_code == 0
    game = parse_game("p4c9r")
    for number in range(40):
        secret = draw_secret(game, 6, number)
        plain = start_online("permutation", game)
        walked = start_online("permutation", game, tables=folder)
        assert play_online(plain, secret) == play_online(walked, secret)
        if walked._arranger is not None:
            assert isinstance(walked._arranger, TableArranger)


@given(
    secret=st.lists(st.integers(0, 7), min_size=1, max_size=6),
)
@settings(max_examples=30, deadline=None)
def test_permutation_counts_then_arranges(secret):
    game = PegGame(len(secret), 8)
    guesses = naive_online.play(start_online("permutation", game), secret, 8 + 720)
    n_counted = sum(len(set(guess)) == 1 for guess in guesses)
    assert n_counted <= 8
    for guess in guesses[n_counted:]:
        assert sorted(guess) == sorted(secret)


def test_beyond_tables_adaptive_plays_on_and_says_so():
    player = start_online("permutation", PegGame(30, 30))
    secret = draw_secret(player.game, 1, 1)
    assert play_online(player, secret) <= player.bound
    assert "adaptive" in player.note
    assert np.array_equal(player.next_guess(), secret)


def test_tables_are_for_permutation_alone(tmp_path):
    with pytest.raises(UsageError, match="not a folder of compiled arrangements"):
        start_online("permutation", PegGame(4, 6), tables=tmp_path / "none")
    with pytest.raises(StrategyError, match="permutation"):
        start_online("adaptive", PegGame(4, 6), tables=tmp_path)
