"""Tables without the words that are never guessed: what they store, prove and give back."""

import msgpack
import pytest

from treegen import Codebook, FormatError, Player, diff, read, verify, write_tree

from ..pseudo_words import make_words
from ..small_games import read_description
from ..written import bytes_of, import_table
from .test_table import PROFILES, assert_same, build

WORDS = make_words(400)


@pytest.fixture(scope="module")
def tree():
    return build(Codebook(WORDS[40:80], WORDS, feedback="position"), "entropy")


@pytest.mark.parametrize("profile", PROFILES)
def test_only_secrets_and_guessed_words_are_stored(tree, profile):
    data = bytes_of(tree, "table", profile=profile)
    values = msgpack.unpackb(data)
    words = {values[3][4][at : at + 5] for at in range(0, len(values[3][4]), 5)}
    guessed = {tree.game.rules.words[code] for code in tree.guess}
    assert words == guessed | set(WORDS[40:80])
    assert values[1] == 1
    assert list(values[-2]) == sorted(values[-2])
    assert len(data) < len(bytes_of(tree, "table", profile=profile, all_words=True)) / 2


@pytest.mark.parametrize("profile", PROFILES)
def test_the_whole_codebook_is_proved_and_restored(tree, profile):
    data = bytes_of(tree, "table", profile=profile)
    loaded = read(data)
    assert loaded.digest == tree.digest
    assert ("digest", tree.digest) in [(claim.name, claim.value) for claim in verify(data)]
    assert_same(import_table(data, tree.game), tree)
    assert bytes_of(loaded, "table", profile=profile) == data


def test_words_of_another_list_are_refused(tree):
    data = bytes_of(tree, "table")
    other = Codebook(WORDS[40:80], WORDS[:399], feedback="position")
    with pytest.raises(FormatError, match="words of another list"):
        import_table(data, other)
    with pytest.raises(FormatError, match="words of another list"):
        import_table(data, build("p2c2r").game)


def test_a_reader_that_ignores_the_keys_finds_a_whole_table(tree):
    """As one of minor 0 does: the digest of the meta is that of the words in the table."""
    values = msgpack.unpackb(bytes_of(tree, "table"))
    game = read_description(values[3])
    plain = build(game, "entropy")
    assert game.rules.excerpt is None
    cut = read(bytes_of(tree, "table"))
    words = tree.game.rules.words
    assert [game.rules.words[code] for code in cut.guess] == [words[code] for code in tree.guess]
    if plain.guess.tolist() == cut.guess.tolist():
        assert bytes.fromhex(plain.digest) == values[5]["digest"]


def test_players_guess_the_same_words(tree):
    cut, whole = Player(bytes_of(tree, "table")), Player(bytes_of(tree, "table", all_words=True))
    for secret in range(tree.game.n_secrets):
        cut.restart(), whole.restart()
        while cut.guess is not None:
            assert cut.guess == whole.guess
            response = tree.game.score(whole.code, secret)
            assert cut.respond(response) == whole.respond(response)


def test_a_tree_file_keeps_the_excerpt(tree, tmp_path):
    cut = read(bytes_of(tree, "table"))
    write_tree(cut, tmp_path / "x.tree")
    back = read(tmp_path / "x.tree")
    assert back.game.rules.excerpt == cut.game.rules.excerpt
    claims = [(claim.name, claim.value) for claim in verify(tmp_path / "x.tree")]
    assert ("digest", tree.digest) in claims
    assert back.digest == tree.digest


def test_the_same_tree_is_seen_as_the_same(tree):
    cut = read(bytes_of(tree, "table"))
    assert diff(cut, tree).is_equal
    assert diff(tree, cut).is_equal


def test_a_strategy_is_not_checked_against_the_words_alone(tree):
    report = verify(bytes_of(tree, "table"))
    assert report.is_sound
    assert [claim.name for claim in report.unchecked] == ["digest", "strategy", "excerpt"]


def test_words_that_take_less_than_the_keys_stay():
    game = Codebook(["crane", "crate", "trace"], ["zzzzz", "yyyyy"], feedback="position")
    values = msgpack.unpackb(bytes_of(build(game), "table"))
    assert (values[1], len(values)) == (0, 14)
    assert values[3] == game.description


def test_guesses_before_the_start_are_kept(tree):
    game = tree.game
    first = game.n_codes - 1
    history = ((first, game.score(first, 3)),)
    late = build(game, "entropy", history=history)
    assert read(bytes_of(late, "table")).digest == late.digest
    assert_same(import_table(bytes_of(late, "table"), game), late)
    assert import_table(bytes_of(late, "table"), game).provenance.history == history
