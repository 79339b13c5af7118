"""Tables without the words that are never guessed: what they store, prove and give back."""

import msgpack
import pytest

from treegen import diff, read
from treegen.errors import FormatError
from treegen.formats.load import load_tree, write_tree
from treegen.formats.table import make_table, read_table
from treegen.games.codebook import CodebookGame
from treegen.games.names import from_description
from treegen.player import Player
from treegen.tree.parts import cut_tree
from treegen.tree.walk import generate_digest_blocks
from treegen.verifier.verify import verify_tree

from ..pseudo_words import make_words
from .test_table import PROFILES, assert_same, build

WORDS = make_words(400)


@pytest.fixture(scope="module")
def tree():
    return build(CodebookGame(WORDS[40:80], WORDS, rule="position"), "entropy")


@pytest.mark.parametrize("profile", PROFILES)
def test_only_secrets_and_guessed_words_are_stored(tree, profile):
    data = make_table(tree, profile=profile)
    values = msgpack.unpackb(data)
    words = {values[3][4][at : at + 5] for at in range(0, len(values[3][4]), 5)}
    guessed = {tree.game.words[code] for code in tree.guess}
    assert words == guessed | set(WORDS[40:80])
    assert values[1] == 1
    assert list(values[-2]) == sorted(values[-2])
    assert len(data) < len(make_table(tree, profile=profile, all_words=True)) / 2


@pytest.mark.parametrize("profile", PROFILES)
def test_the_whole_codebook_is_proved_and_restored(tree, profile):
    data = make_table(tree, profile=profile)
    loaded = load_tree(data)
    assert loaded.tree.digest == loaded.claims["digest"] == tree.digest
    assert list(generate_digest_blocks(loaded.tree)) == list(generate_digest_blocks(tree))
    assert_same(read_table(data, tree.game), tree)
    assert make_table(loaded.tree, profile=profile) == data


def test_words_of_another_list_are_refused(tree):
    data = make_table(tree)
    other = CodebookGame(WORDS[40:80], WORDS[:399], rule="position")
    with pytest.raises(FormatError, match="words of another list"):
        read_table(data, other)
    with pytest.raises(FormatError, match="words of another list"):
        read_table(data, build("p2c2r").game)


def test_a_reader_that_ignores_the_keys_finds_a_whole_table(tree):
    """As one of minor 0 does: the digest of the meta is that of the words in the table."""
    values = msgpack.unpackb(make_table(tree))
    game = from_description(values[3])
    plain = build(game, "entropy")
    assert game.excerpt is None
    cut = cut_tree(tree)
    assert [game.words[code] for code in cut.guess] == [tree.game.words[c] for c in tree.guess]
    if plain.guess.tolist() == cut.guess.tolist():
        assert bytes.fromhex(plain.digest) == values[5]["digest"]


def test_players_guess_the_same_words(tree):
    cut, whole = Player(make_table(tree)), Player(make_table(tree, all_words=True))
    for secret in range(tree.game.n_secrets):
        cut.restart(), whole.restart()
        while cut.guess is not None:
            assert cut.guess == whole.guess
            response = tree.game.score(whole.code, secret)
            assert cut.respond(response) == whole.respond(response)


def test_a_tree_file_keeps_the_excerpt(tree, tmp_path):
    cut = load_tree(make_table(tree)).tree
    write_tree(cut, tmp_path / "x.tree")
    back = read(tmp_path / "x.tree")
    assert back.game.excerpt == cut.game.excerpt
    assert load_tree(tmp_path / "x.tree").claims["digest"] == back.digest == tree.digest


def test_the_same_tree_is_seen_as_the_same(tree):
    cut = load_tree(make_table(tree)).tree
    assert diff(cut, tree).is_equal
    assert diff(tree, cut).is_equal


def test_a_strategy_is_not_checked_against_the_words_alone(tree):
    loaded = load_tree(make_table(tree))
    report = verify_tree(loaded.tree, loaded.claims)
    assert report.is_sound
    assert [claim.name for claim in report.unchecked] == ["digest", "strategy", "excerpt"]


def test_words_that_take_less_than_the_keys_stay():
    game = CodebookGame(["crane", "crate", "trace"], ["zzzzz", "yyyyy"], rule="position")
    values = msgpack.unpackb(make_table(build(game)))
    assert (values[1], len(values)) == (0, 14)
    assert values[3] == game.description


def test_guesses_before_the_start_are_kept(tree):
    game = tree.game
    first = game.n_codes - 1
    history = ((first, game.score(first, 3)),)
    late = build(game, "entropy", history=history)
    read = load_tree(make_table(late)).tree
    assert read.digest == late.digest
    assert_same(read_table(make_table(late), game), late)
    assert read_table(make_table(late), game).provenance.history == history
