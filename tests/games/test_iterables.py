"""Words, guesses and weights in whatever holds texts and numbers; what does not fit is told."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import treegen
from treegen import Codebook, GameError

pandas = pytest.importorskip("pandas")

WORDS = ["crane", "crate", "trace"]
GAME = treegen.Codebook(WORDS, ["slate"], feedback="position")

CONTAINERS = {
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "keys": lambda items: dict.fromkeys(items).keys(),
    "array": np.array,
    "objects": lambda items: np.array(items, dtype=object),
    "series": pandas.Series,
    "named-series": lambda items: pandas.Series(items, index=["x", "y", "z"][: len(items)]),
    "index": pandas.Index,
    "set": set,
    "frozen-set": frozenset,
}


@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
def test_words_of_any_iterable(make):
    game = treegen.Codebook(make(WORDS), make(["slate"]), feedback="position")
    assert game == GAME
    assert {type(word) for word in game.rules.words} == {str}
    opened = treegen.open_game(GAME)
    assert opened.rules.words == game.rules.words


def test_guesses_beside_a_file_may_be_texts(tmp_path):
    (tmp_path / "w.txt").write_text("crane\ncrate\ntrace\n")
    for guesses in (["slate"], np.array(["slate"]), iter(["crane", "slate"])):
        opened = treegen.open_game(tmp_path / "w.txt", feedback="position", guesses=guesses)
        assert opened == GAME
    assert treegen.open_game(tmp_path / "w.txt", guesses=[]).n_codes == 3
    with pytest.raises(GameError, match="the list of guesses has words of 3 characters"):
        treegen.open_game(tmp_path / "w.txt", guesses=["abc"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("crane", "'crane' is no file; give words as a list of texts"),
        (b"crane", "words are a list of texts, not b'crane'"),
        (7, "words are a list of texts, not 7"),
        (None, "words are a list of texts, not None"),
        ([["crane"], ["crate"]], r"\['crane'\] among the words is not a text"),
        (np.array([["crane"], ["crate"]]), "words are a list of texts, not array"),
        (np.array("crane"), "words are a list of texts, not array"),
        (["crane", 7], "7 among the words is not a text"),
        (["crane", None], "None among the words is not a text"),
        (["crane", b"crate"], "b'crate' among the words is not a text"),
        (np.array([b"crane"]), "b'crane'.* among the words is not a text"),
        (pandas.Series(["crane", float("nan")]), "nan among the words is not a text"),
        (pandas.DataFrame({"word": WORDS}), "words are a list of texts, not"),
        ({"crane", 3}, "3 among the words is not a text"),
        ([], "a codebook needs at least one word"),
    ],
)
def test_what_holds_no_words_is_told(words, message):
    with pytest.raises(GameError, match=message):
        treegen.Codebook(words)
    if not isinstance(words, str):
        with pytest.raises(GameError, match=message):
            Codebook(words)
    if not isinstance(words, list) or words:
        with pytest.raises(GameError):
            treegen.Codebook(WORDS, words)


@pytest.mark.parametrize(
    "game", [WORDS, tuple(WORDS), np.array(WORDS), {"crane": 1}, 7, None, b"p"]
)
def test_a_list_is_made_a_game_by_codebook(game):
    with pytest.raises(GameError, match=r"a game is a name.*treegen.Codebook\(words\) makes"):
        treegen.open_game(game)


NUMBERS = {
    "list": [3, 1, 2],
    "texts": ["0.3", "0.1", "0.2"],
    "decimals": [Decimal("0.3"), Decimal("0.1"), Fraction(1, 5)],
    "generator": range(3, 0, -1),
    "array": np.array([3, 1, 2]),
    "small-array": np.array([3, 1, 2], dtype=np.uint8),
    "whole-floats": np.array([3.0, 1.0, 2.0]),
    "floats-of-32-bits": np.array([3, 1, 2], dtype=np.float32),
    "series": pandas.Series([3, 1, 2]),
    "mapping": {"crane": 3, "trace": 2},
    "counter": Counter(["crane", "crane", "crane", "trace", "trace", "crate"]),
    "named-series": pandas.Series({"trace": 2, "crane": 3, "crate": 1}),
    "language": pandas.Series({"trace": "2", "the": "900", "Crane": "3", "crate": "1"}),
}


@pytest.mark.filterwarnings("ignore::treegen.TreegenWarning")
@pytest.mark.parametrize("name", NUMBERS)
def test_weights_of_any_iterable(name):
    expected = [3, 2, 1] if name == "generator" else [3, 1, 2]
    weights = NUMBERS[name]
    assert treegen.Codebook(WORDS, weights=weights).weights.tolist() == expected
    opened = treegen.open_game(GAME, weights=weights)
    assert opened.weights.tolist() == expected
    if not hasattr(weights, "keys"):
        assert GAME.with_stakes(weights).weights.tolist() == expected


def test_a_mapping_of_words_has_their_weights():
    game = treegen.Codebook({"crane": 3, "crate": 1, "trace": 2}, {"slate": 9}, feedback="position")
    assert game == GAME.with_stakes([3, 1, 2])


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"ant": 2, "bee": 1, "Dog": 3}, (3, 3)),
        ({"ant | bee": 7}, (7, 1)),
        (pandas.Series({"ant": 2}), (3, 1)),
        ([5, 6], (5, 6)),
    ],
)
def test_weights_of_candidates_and_groups(weights, expected):
    game = treegen.Questions([["6"], ["6"], ["4"]], ["ant", "bee", "dog"], ["Legs"])
    opened = treegen.open_game(game, weights=weights)
    assert opened == game.with_stakes(expected)
    with pytest.raises(GameError, match="the mapping of weights: there is no candidate 'wolf'"):
        treegen.open_game(game, weights={"wolf": 2})


def test_words_that_the_game_lacks_are_told():
    weights = {"crane": 3, "the": 900, "of": 700}
    with pytest.warns(treegen.TreegenWarning, match="2 of 3 words are not in the game .* 'the'"):
        assert treegen.open_game(GAME, weights=weights) == GAME.with_stakes([3, 1, 1])
    told = []
    game = treegen.open_game(GAME, weights=weights, default_weight="0.5", notice=told.append)
    assert game == GAME.with_stakes([6, 1, 1])
    assert "nothing for 2 of 3 candidates, such as 'crate': each weighs 0.5" in told[1]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, None, 2], "None is not a number"),
        ([1, float("nan"), 2], "nan is not a number"),
        (np.array([1, np.nan, 2]), "nan is not a number"),
        ([1, 0.25, 2], "0.25 is a binary float, which is rounded"),
        ([1, float("inf"), 2], "inf is not a number that can be counted"),
        ([1, b"2", 3], "b'2' is not a number"),
        ([1, [2], 3], r"\[2\] is not a number"),
        ([1, True, 2], "True is not a number"),
        ([1, np.bool_(True), 2], "is not a number"),
        ([1, "2,5", 3], "'2,5' has a comma: write decimals with a point, 2.5"),
        ([1, 2], "2 weights are given; there are 3 secrets"),
        ({1, 2, 3}, "weights are numbers in order"),
        (b"\x01\x02\x03", "weights are numbers in order"),
        (7, "weights are numbers in order, not 7"),
        (np.array([[1, 2, 3]]), "weights are numbers in order"),
        ({"crane": None}, "the mapping of weights, 'crane': None is not a number"),
        ({"Crane": 2, "CRANE": 3}, "'crane' occurs twice"),
    ],
)
@pytest.mark.filterwarnings("ignore::treegen.TreegenWarning")
def test_what_holds_no_weights_is_told(weights, message):
    with pytest.raises(GameError, match=message):
        treegen.open_game(GAME, weights=weights)


@pytest.mark.parametrize(
    "costs", [np.array([1, 2, 1, 3]), pandas.Series([1, 2, 1, 3]), iter([1, 2, 1, 3])]
)
def test_costs_of_any_iterable(costs):
    assert treegen.open_game(GAME, costs=costs).costs.tolist() == [1, 2, 1, 3]
