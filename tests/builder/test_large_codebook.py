"""A codebook of 2,000 secrets and 10,000 guesses with position feedback, end to end."""

import random

import pytest

from treegen import build, manifest, open_game, read, verify, write_table, write_tree

from ..written import bytes_of

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
    guesses = folder / "guesses.txt"
    game = open_game(folder / "secrets.txt", feedback="position", guesses=guesses)
    assert (game.n_secrets, game.n_codes, game.n_responses) == (2000, 10_000, 243)
    return build(game, "most-parts")


def test_every_secret_is_found(tree):
    report = verify(bytes_of(tree, "tree"))
    assert {"total", "digest"} <= {claim.name for claim in report.checked}
    assert report.is_sound
    assert report.n_secrets == sum(tree.histogram) == 2000
    assert tree.worst <= 6
    # The rule itself: no guess has more parts than the first.
    game, everything = tree.game, range(2000)
    best = len(tree.children(0))
    for guess in range(0, 10_000, 501):
        assert len({game.score(guess, secret) for secret in everything}) <= best


@pytest.mark.parametrize("form", ["tree", "full", "lean", "slim"])
def test_it_comes_back_with_an_equal_digest(tree, tmp_path, form):
    path = tmp_path / ("words.tree" if form == "tree" else "words.tgt")
    if form == "tree":
        write_tree(tree, path)
    else:
        write_table(tree, path, profile=form)
    loaded = read(path)
    assert loaded.digest == tree.digest
    assert tree.digest in str(manifest(path).to_dict())
    if form == "tree":
        assert loaded.game == tree.game
        assert loaded.game.rules.words == tree.game.rules.words
    else:
        # A table keeps the secrets and the words that the tree guesses.
        kept = loaded.game.rules.words
        guessed = {tree.game.rules.words[guess] for guess in tree.guess.tolist()}
        assert kept[:2000] == tree.game.rules.words[:2000]
        assert set(kept[2000:]) == guessed.difference(kept[:2000])
