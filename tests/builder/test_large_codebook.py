"""A codebook of 2,000 secrets and 10,000 guesses with position feedback, end to end."""

import random

import pytest

from treegen.builder.grow import build_tree
from treegen.formats.load import load_tree, write_table, write_tree
from treegen.games.word_files import read_codebook
from treegen.strategies.named import NAMED
from treegen.verifier.verify import verify_tree

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def words():
    """10,000 different words of five letters, drawn as unevenly as in a language."""
    draw = random.Random(2000)
    letters = "etaoinshrdlcumwfgypbvkjxqz"
    weights = range(2 * len(letters), 0, -2)
    found = {}
    while len(found) < 10_000:
        found["".join(draw.choices(letters, weights, k=5))] = None
    return list(found)


@pytest.fixture(scope="module")
def tree(words, tmp_path_factory):
    folder = tmp_path_factory.mktemp("codebook")
    (folder / "secrets.txt").write_text("\n".join(words[:2000]) + "\n")
    (folder / "guesses.txt").write_text("\n".join(words[1000:]) + "\n")
    game = read_codebook(folder / "secrets.txt", rule="position", guesses=folder / "guesses.txt")
    assert (game.n_secrets, game.n_codes, game.n_responses) == (2000, 10_000, 243)
    return build_tree(game, NAMED["most-parts"].strategy)


def test_every_secret_is_found(tree):
    report = verify_tree(tree, {"total": tree.total, "digest": tree.digest})
    assert report.problems == []
    assert report.n_secrets == sum(tree.histogram) == 2000
    assert tree.worst <= 6
    # The rule itself: no guess has more parts than the first.
    game, everything = tree.game, range(2000)
    best = len(tree.children(0))
    for guess in range(0, 10_000, 501):
        assert len({game.score(guess, secret) for secret in everything}) <= best


@pytest.mark.parametrize("form", ["tree", "full", "lean", "slim"])
def test_it_comes_back_with_an_equal_digest(tree, tmp_path, form):
    path = tmp_path / "words"
    if form == "tree":
        write_tree(tree, path)
    else:
        write_table(tree, path, profile=form)
    loaded = load_tree(path)
    assert loaded.tree.digest == tree.digest == loaded.claims["digest"]
    if form == "tree":
        assert loaded.tree.game == tree.game
        assert loaded.tree.game.words == tree.game.words
    else:
        # A table keeps the secrets and the words that the tree guesses.
        kept = loaded.tree.game.words
        guessed = {tree.game.words[guess] for guess in tree.guess.tolist()}
        assert kept[:2000] == tree.game.words[:2000]
        assert set(kept[2000:]) == guessed.difference(kept[:2000])
