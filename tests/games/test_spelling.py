"""Letters of several characters, and words without their accents."""

import json

import pytest

import treegen
from treegen import Codebook, GameError, UsageError
from treegen.games.codebook import unite

from .. import naive
from ..small_games import read_description
from ..written import text_of

SPELLED = [("lj", "e", "t", "o"), ("nj", "e", "g", "o"), ("n", "j", "e", "g")]


def write(folder, name, text):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text", "rules"),
    [
        ("w.txt", "ljeto\nnjego\nplač\n", {"letters": "lj,nj"}),
        ("w.txt", "Words\nljeto\nnjego\nplač\n", {"letters": ["nj", "lj", "ng"]}),
        ("w.csv", "ljeto;\nnjego;\nplač\n", {"letters": "lj,nj"}),
        ("w.txt", "ljeto, njego, plač", {"letters": "lj,nj"}),
        ("w.json", '[["lj","e","t","o"], ["nj","e","g","o"], "plač"]', {}),
    ],
)
def test_letters_of_several_characters(tmp_path, name, text, rules):
    told = []
    path = write(tmp_path, name, text)
    game = treegen.open_game(path, feedback="position", notice=told.append, **rules)
    assert (game.rules.words, game.n_pegs) == (("ljeto", "njego", "plač"), 4)
    assert game.answer("ljeto", "njego") == "0202"
    assert game.answer("ljeto", "plač") == "0000"
    assert read_description(game.description) == game
    assert game == treegen.Codebook(game.rules.letters, feedback="position")


def test_letters_are_those_of_the_definition(tmp_path):
    game = Codebook(SPELLED, feedback="pegs")
    symbol = {letter: chr(97 + place) for place, letter in enumerate(game.notation.own_symbols)}
    words = ["".join(symbol[letter] for letter in word) for word in SPELLED]
    rules = naive.codebook_rules(words, [], "pegs")
    for guess in range(3):
        assert [game.score(guess, code) for code in range(3)] == [
            rules.respond(guess, code) for code in range(3)
        ]
    tree = treegen.build(game, "knuth")
    assert str(treegen.verify(tree)).startswith("ok: 3 secrets found")
    path = write(tmp_path, "tree.txt", text_of(tree, "text"))
    assert treegen.read_text_tree(path, game).digest == tree.digest


def test_the_longest_letter_and_any_case_count():
    game = treegen.Codebook(["Ngga", "NJab"], letters="n,ng,nj")
    assert game.rules.letters == (("Ng", "g", "a"), ("NJ", "a", "b"))
    with pytest.raises(
        GameError, match="'njabo' is not one of the 2 words of 3 letters: it has 4 letters"
    ):
        game.parse_code("njabo")


def test_letters_of_further_guesses(tmp_path):
    words, more = write(tmp_path, "w", "ljeto\nnjego\n"), write(tmp_path, "g", "plač\nljut\n")
    message = "words of 4 characters, .* of 5"
    with pytest.raises(GameError, match=message):
        treegen.open_game(words, guesses=more)
    with pytest.raises(GameError, match="line 2: 'ljut' has 3 characters"):
        treegen.open_game(words, guesses=more, letters="lj,nj")
    more.write_text("plač\nštit\n", "utf-8")
    game = treegen.open_game(words, guesses=more, letters="lj,nj")
    assert (game.n_secrets, game.n_codes) == (2, 4)
    mixed = treegen.Codebook(SPELLED[:2], ["plač", SPELLED[2]])
    assert unite(mixed, game).rules.letters[2:] == (("p", "l", "a", "č"), SPELLED[2], tuple("štit"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([["lj", ""]], "is not the letters of a word"),
        ([["a", 1]], "is not the letters of a word"),
        ([[]], "is not the letters of a word"),
        ([["a", "\u0301"]], "become others when they are joined"),
        ([["a b", "c"]], "holds white space"),
        ([["a", "bc"], ["ab", "c"]], "is twice in the codebook"),
    ],
)
def test_letters_that_are_none_are_refused(tmp_path, words, message):
    with pytest.raises(GameError, match=message):
        treegen.Codebook(words)
    with pytest.raises(GameError):
        treegen.open_game(write(tmp_path, "w.json", json.dumps(words)))


FOLDED = ("'w.txt': 2 words lose accents, such as 'hadès'; 1 is then equal to others",)


def test_words_without_accents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "w.txt", "hadès\nhades\nélite\ntalon\n")
    told = []
    game = treegen.open_game("w.txt", fold=True, guesses=["sénat", "elite"], notice=told.append)
    assert game.rules.words == ("hades", "elite", "talon", "senat")
    assert tuple(told) == FOLDED
    with pytest.raises(GameError, match="did you mean 'hades'"):
        game.parse_code("hadès")
    with pytest.raises(GameError, match="did you mean 'élite'"):
        treegen.open_game("w.txt").parse_code("ELITE")


@pytest.mark.parametrize("beside", [True, False])
def test_weights_of_words_that_become_equal_are_added(tmp_path, monkeypatch, beside):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "n.txt", "hadès 3\nhades 2\nélite 1\ntalon 0.5\n")
    write(tmp_path, "w.txt", "hadès\nhades\nélite\ntalon\n")
    game = treegen.open_game(
        "n.txt" if beside else "w.txt", fold=True, weights="n.txt", notice=[].append
    )
    assert game == treegen.Codebook({"hades": 5, "elite": 1, "talon": "0.5"})


def test_a_word_twice_is_still_refused(tmp_path):
    path = write(tmp_path, "w.txt", "hadès\nhadès\n")
    with pytest.raises(GameError, match="line 2: 'hades' is already in line 1"):
        treegen.open_game(path, fold=True)


@pytest.mark.parametrize("rules", [{"letters": "lj"}, {"fold": True}])
def test_they_are_for_lists_of_words(tmp_path, rules):
    table = write(tmp_path, "t.csv", "name,legs\ndog,4\nbird,2\n")
    for game in ("p4c6r", treegen.open_game("p2c3r"), table):
        with pytest.raises(UsageError, match=f"{next(iter(rules))}= works only with a codebook"):
            treegen.open_game(game, **rules)
