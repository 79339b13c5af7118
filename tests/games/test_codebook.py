"""Codebooks: words from files, with three rules of feedback."""

import hashlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import Codebook, FormatError, GameError, build, open_game

from .. import naive
from ..small_games import read_description

WORDS = ["crane", "crate", "trace", "eerie", "abide"]


@pytest.mark.parametrize("rule", ["pegs", "black", "position"])
def test_scores_are_the_definition(rule):
    game = Codebook(WORDS, ["speed", "zzzzz"], feedback=rule)
    rules = naive.codebook_rules(WORDS, ["speed", "zzzzz"], rule)
    assert (game.n_secrets, game.n_codes) == (5, 7)
    for guess, secret in itertools.product(range(7), repeat=2):
        assert game.score(guess, secret) == rules.respond(guess, secret)


def test_codes_keep_the_files_order_and_extra_guesses_follow():
    game = Codebook(["ba", "ab"], ["zz", "ab", "aa"])
    assert game.rules.words == ("ba", "ab", "zz", "aa")
    assert [game.format_code(code) for code in range(4)] == list(game.rules.words)
    assert [game.parse_code(word) for word in game.rules.words] == [0, 1, 2, 3]
    assert game.notation.own_symbols == ("a", "b", "z")


def test_the_digest_name_is_the_sha256_of_rule_and_words():
    game = Codebook(["ab", "cd"], ["ef"], feedback="black")
    sha = hashlib.sha256(b"black 2\nab\ncd\nef").hexdigest()
    assert game.rules.digest_name == f"codebook:{sha}"
    assert game.name == game.notation.title == f"{game.n_secrets} words of {game.n_pegs} letters"


def test_every_part_changes_the_name():
    games = [
        Codebook(["ab", "cd"]),
        Codebook(["cd", "ab"]),
        Codebook(["ab"], ["cd"]),
        Codebook(["ab", "cd"], feedback="black"),
        Codebook(["ab", "cd"], ["ef"]),
    ]
    assert len({game.rules.digest_name for game in games}) == len(games)
    assert len(set(games)) == len(games)


@pytest.mark.parametrize(
    "parameters",
    [
        ["pegs", 2, 1],
        ["pegs", 2, 1, "abc"],
        ["pegs", 0, 1, "ab"],
        ["pegs", -2, 1, "ab"],
        ["pegs", 2, 0, "ab"],
        ["pegs", 2, 2, "ab"],
        ["pegs", 2, 1, ""],
        ["pegs", 2, 2, "abab"],
        ["pegs", 2, 1, "abab"],
        ["pegs", 2, 1, "a b "],
        ["wordle", 2, 1, "ab"],
        ["position", 10, 1, "abcdefghij"],
        ["pegs", 2, 1, b"ab"],
        ["pegs", True, True, "ab"],
    ],
    ids=repr,
)
def test_wrong_descriptions_are_refused(parameters):
    with pytest.raises(GameError):
        read_description(["codebook", *parameters])


@pytest.mark.parametrize("words", [[], [""], ["ab", "abc"], ["ab", "ab"], ["a b"], ["a\tb", "abc"]])
def test_wrong_words_are_refused(words):
    with pytest.raises(GameError):
        Codebook(words)


def write(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_a_file_is_read_with_further_guesses(tmp_path):
    path = write(tmp_path, "words.txt", "\ufeff# five\ncrane\r\n\n  crate \ntrace")
    extra = write(tmp_path, "more.txt", "speed\ncrane\n")
    game = open_game(path, feedback="position", guesses=extra)
    assert game.rules.words == ("crane", "crate", "trace", "speed")
    assert (game.n_secrets, game.rule) == (3, "position")


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ("cafés\ncafe\u0301s\n", GameError, "line 2: 'cafés' is already in line 1"),
        ("crane\ncafe\u0301\n", GameError, "line 2: 'café' has 4 characters"),
        ("", GameError, "has no words"),
        ("# only a remark\n\n", GameError, "has no words"),
        ("crane\ncrates\n", GameError, "line 2: 'crates' has 6 characters"),
        ("crane\n\ncrane\n", GameError, "line 3: 'crane' is already in line 1"),
        ("two words\nthree words\n", GameError, "line 1: 'two words' holds white space"),
        (b"crane\n\xff\xfe\n", FormatError, "not UTF-8 text: byte 0xff at offset 6"),
        ("ab\x00cd\nabcde\n", GameError, "line 1: .* control character"),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path, data, error, message):
    path = write(tmp_path, "bad.txt", data)
    with pytest.raises(error, match=message) as caught:
        open_game(path, feedback="pegs")
    assert "\n" not in str(caught.value)


def test_a_missing_file_a_folder_and_guesses_of_another_length_are_refused(tmp_path):
    good = write(tmp_path, "good.txt", "ab\nba\n")
    with pytest.raises(FormatError, match="No such file"):
        open_game(tmp_path / "none.txt", feedback="pegs")
    with pytest.raises(FormatError, match="Is a directory"):
        open_game(tmp_path, feedback="pegs")
    with pytest.raises(GameError, match="words of 3 characters"):
        open_game(good, guesses=write(tmp_path, "long.txt", "abc\n"))


@given(
    st.lists(st.text("abcß🟩é", min_size=3, max_size=3), min_size=1, max_size=30, unique=True),
    st.data(),
)
def test_index_and_word_are_inverse(words, data):
    n_secrets = data.draw(st.integers(1, len(words)))
    rule = data.draw(st.sampled_from(["pegs", "black", "position"]))
    game = Codebook(words[:n_secrets], words[n_secrets:], feedback=rule)
    codes = range(game.n_codes)
    assert [game.parse_code(game.format_code(code)) for code in codes] == list(codes)
    again = read_description(game.description)
    assert again == game
    assert (again.name, again.n_secrets, again.rules.words) == (game.name, n_secrets, tuple(words))


def test_a_word_that_may_only_be_guessed_is_no_secret():
    game = Codebook(["crane", "crate", "trace"], guesses=["hello"])
    tree = build(game)
    for ask in (game.parse_secret, tree.play, lambda word: game.answer("crane", word)):
        with pytest.raises(GameError, match="'hello' may be guessed but is not one of the secrets"):
            ask("hello")
