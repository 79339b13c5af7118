"""Games as their authors printed them come out guess by guess."""

from functools import cache

import pytest

from treegen import build, open_game

from .. import naive

pytestmark = pytest.mark.compiled
GAME = open_game("p4c6r")


@cache
def tree_of(strategy):
    return build(GAME, strategy)


# I. Barr's notebook, cells 9, 10 and 14: colors from 0, score, candidates left.
BARR = [
    (
        "barr-expected",
        "2132",
        [("1200", "02", 222), ("2134", "30", 10), ("2114", "20", 5), ("2132", "40", 1)],
    ),
    (
        "barr-worst-case",
        "5550",
        [("1100", "10", 256), ("1233", "00", 16), ("4404", "01", 1), ("5550", "40", 1)],
    ),
    (
        "barr-worst-case",
        "1500",
        [
            *[("1100", "30", 20), ("1102", "20", 8), ("0100", "21", 3)],
            *[("1300", "30", 2), ("1400", "30", 1), ("1500", "40", 1)],
        ],
    ),
]


@pytest.mark.parametrize(("strategy", "secret", "printed"), BARR, ids=["9", "10", "14"])
def test_the_notebooks_games_are_played(strategy, secret, printed):
    symbols = "012345"
    turns = tree_of(strategy).play(secret, symbols=symbols)
    shown = [(turn.guess, turn.answer, turn.n_left) for turn in turns]
    assert shown == printed


@cache
def score(guess, secret):
    return naive.score_pegs(guess, secret)


def count_removals(possible, guess, answer):
    """The post's CountRemovals, its lost indices put back."""
    feedback = score(guess, answer)
    return (guess in possible) + sum(score(guess, other) != feedback for other in possible)


def choose(codes, possible):
    """The post's GetGuess."""
    if len(possible) == len(codes):
        return codes[252]
    best, most = None, -1
    for guess in codes:
        fewest = 10**9
        for answer in possible:
            fewest = min(fewest, count_removals(possible, guess, answer))
            if fewest <= most:
                break
        if fewest > most:
            best, most = guess, fewest
    return best


def play(codes, secret):
    """The post's main loop: the guesses that it prints."""
    possible, printed = list(codes), []
    while True:
        guess = choose(codes, possible)
        printed.append("".join("ABCDEF"[color] for color in guess))
        if guess == secret:
            return printed
        feedback = score(guess, secret)
        possible = [code for code in possible if code != guess and score(guess, code) == feedback]


SLOW = [pytest.param(secret, marks=pytest.mark.slow) for secret in ("CDEF", "FEAF", "ECCE")]


@pytest.mark.parametrize("secret", ["AAAA", "BBAA", *SLOW])
def test_the_codesmiths_guesses_are_made(secret):
    codes = naive.peg_rules("p4c6r").codes
    colors = tuple("ABCDEF".index(letter) for letter in secret)
    turns = tree_of("codesmithy").play(secret, symbols="ABCDEF")
    assert [turn.guess for turn in turns] == play(codes, colors)


def test_the_codesmiths_opening_is_bbaa():
    assert GAME.format_code(252, "ABCDEF") == "BBAA"
    assert tree_of("codesmithy").guess[0] == 252


def test_averages_are_those_of_the_article():
    averages = {"game-minimax": 4.632, "game-most-parts": 4.571}
    for strategy, average in averages.items():
        assert round(tree_of(strategy).average, 3) == average


def test_averages_are_those_of_the_notebook():
    for strategy, average in {"barr-expected": 4.4144, "barr-worst-case": 4.5}.items():
        assert round(tree_of(strategy).average, 4) == average
