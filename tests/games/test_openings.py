"""Openings up to symmetry."""

import itertools

import pytest

from treegen import Codebook, describe_game, open_game

from .. import naive


def naive_openings(name):
    """Keep the first code of every set that exchanging pegs and renaming colors connects."""
    rules = naive.peg_rules(name)
    n_pegs, n_colors = len(rules.codes[0]), 1 + max(max(code) for code in rules.codes)
    seen, least = set(), []
    for index, code in enumerate(rules.codes):
        if code in seen:
            continue
        least.append(index)
        for pegs in itertools.permutations(range(n_pegs)):
            for names in itertools.permutations(range(n_colors)):
                seen.add(tuple(names[code[peg]] for peg in pegs))
    return least


@pytest.mark.parametrize("name", ["p1c1r", "p2c3r", "p3c2r", "p4c3r", "p4c5r", "p3c4n", "p4c4rb"])
def test_openings_are_one_of_each_class(name):
    game = open_game(name)
    openings = [game.parse_code(text) for text in describe_game(game).openings]
    assert openings == naive_openings(name)


def test_the_five_openings_of_mastermind():
    openings = describe_game("p4c6r").openings
    assert openings == ("1111", "1112", "1122", "1123", "1234")


def test_a_codebook_has_no_classes():
    assert describe_game(Codebook(["ab", "ba"])).openings is None


def test_weights_break_the_symmetry():
    assert describe_game("p2c2r", weights=[1, 2, 3, 4]).openings is None
