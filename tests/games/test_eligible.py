"""What may be guessed after an answer: hard mode and the other rules, against their twins."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import Codebook, GameError, Questions, open_game
from treegen.games.eligible import (
    ELIGIBLE,
    describe_breach,
    describe_first_breach,
    is_rule_of_play,
    may_follow,
    resolve_eligible,
    select_eligible,
)

from .. import naive
from ..small_games import SMALL, make_pair

words = st.lists(st.text("abc", min_size=4, max_size=4), min_size=1, max_size=12, unique=True)


def may_play(game, word, answer, later):
    """Return whether a word may follow an answer in hard mode."""
    pair = game.parse_code(word), game.parse_response(answer)
    return not describe_breach(game, "hints", [pair], game.parse_code(later))


@pytest.mark.parametrize(
    ("word", "answer", "later", "is_legal"),
    [
        ("crane", "00000", "crane", True),  # a grey letter may be guessed again
        ("crane", "00120", "speed", False),  # both hints left out
        ("crane", "00120", "nasal", False),  # the green n has moved
        ("crane", "00120", "plans", True),
        ("crane", "00120", "crane", True),  # a yellow letter may stay where it was
        ("speed", "00110", "crane", False),  # one e is not enough for two
        ("speed", "00110", "eerie", True),
        ("speed", "00110", "erase", True),
        ("speed", "00120", "eerie", False),  # two e, but not the fourth letter
        ("speed", "00120", "steel", True),
        ("eerie", "10002", "erase", True),  # one yellow, one green: two e
        ("eerie", "10002", "crane", False),
        ("eerie", "10000", "crane", True),  # three e guessed, one marked
    ],
)
def test_hard_mode_allows_what_was_found_by_hand(word, answer, later, is_legal):
    listed = ["crane", "speed", "nasal", "plans", "eerie", "erase", "steel"]
    assert may_play(Codebook(listed, feedback="position"), word, answer, later) is is_legal


@given(words, st.data())
def test_rules_as_their_twins_have_them(listed, data):
    n_secrets = data.draw(st.integers(1, len(listed)))
    feedback = data.draw(st.sampled_from(["position", "pegs", "black"]))
    game = Codebook(listed[:n_secrets], listed[n_secrets:], feedback=feedback)
    rules = naive.codebook_rules(listed[:n_secrets], listed[n_secrets:], feedback)
    guess = data.draw(st.integers(0, len(listed) - 1))
    response = data.draw(st.integers(0, game.n_responses - 1))
    for eligible in ELIGIBLE:
        if eligible == "hints" and feedback != "position":
            continue
        expected = [
            code
            for code in range(n_secrets if eligible == "candidates" else len(listed))
            if naive.may_follow(rules, eligible, guess, response, code)
        ]
        assert select_eligible(game, eligible, [(guess, response)]).tolist() == expected
        for code in range(len(listed)):
            breach = describe_breach(game, eligible, [(guess, response)], code)
            assert (breach == "") is (code in expected)


def test_many_pairs_at_once_are_judged_as_the_twin_does():
    game, rules = make_pair("words-position")
    cases = list(itertools.product(range(game.n_codes), range(0, 243, 7), range(game.n_codes)))
    columns = (np.array(column) for column in zip(*cases, strict=True))
    expected = [naive.may_follow(rules, "hints", *case) for case in cases]
    assert may_follow(game, "hints", *columns).tolist() == expected


@given(st.data())
def test_each_rule_allows_what_the_stricter_one_allows(data):
    game, rules = make_pair("words-position")
    secret = data.draw(st.integers(0, game.n_secrets - 1))
    guesses = data.draw(st.lists(st.integers(0, game.n_codes - 1), max_size=4))
    history = [(guess, rules.respond(guess, secret)) for guess in guesses]
    lists = [
        set(select_eligible(game, rule, history).tolist())
        for rule in ("candidates", "consistent", "hints", "all")
    ]
    assert secret in lists[0]
    assert lists[0] <= lists[1] <= lists[2] <= lists[3] == set(range(game.n_codes))


@given(st.data())
def test_comparing_with_the_last_guess_alone_is_the_same(data):
    """Wordle's program looks at the last guess only: in a legal game the others follow from it."""
    game, rules = make_pair("words-position")
    secret = data.draw(st.integers(0, game.n_secrets - 1))
    history = []
    for _ in range(4):
        legal = select_eligible(game, "hints", history).tolist()
        assert legal == select_eligible(game, "hints", history[-1:]).tolist()
        guess = data.draw(st.sampled_from(legal))
        history.append((guess, rules.respond(guess, secret)))
    assert describe_first_breach(game, "hints", history) == ""


@pytest.mark.parametrize("name", SMALL)
def test_consistent_is_candidates_where_every_code_may_be_secret(name):
    game, _ = make_pair(name)
    simple = "candidates" if game.n_secrets == game.n_codes else "consistent"
    assert resolve_eligible(game, "consistent") == simple


@pytest.mark.parametrize("name", ["p4c6r", "p3c4rb", "words-pegs"])
def test_hints_need_position_feedback(name):
    game = make_pair(name)[0] if "words" in name else open_game(name)
    with pytest.raises(GameError, match=r"a list of words and feedback='wordle'; .* is answered"):
        resolve_eligible(game, "hints")
    with pytest.raises(GameError, match="unknown eligible 'some': there are all, candidates, "):
        select_eligible(game, "some", [])


def test_a_breach_is_explained():
    game = Codebook(["crane", "speed", "caret"], ["eerie"], feedback="position")
    crane, speed, caret, eerie = range(4)
    history = [(crane, game.parse_response("00002"))]
    assert describe_breach(game, "hints", history, eerie) == ""
    assert describe_breach(game, "hints", history, caret) == (
        "caret breaks eligible=hints: crane was answered 00002, so peg 5 must be 'e'"
    )
    history = [(speed, game.parse_response("00110"))]
    assert describe_breach(game, "hints", history, crane) == (
        "crane breaks eligible=hints: speed was answered 00110, so 'e' must be used 2 times"
    )
    assert describe_breach(game, "consistent", history, caret) == (
        "caret breaks eligible=consistent: speed was answered 00110, and would be answered"
        " 00020 if caret were the secret"
    )
    assert describe_breach(game, "candidates", [], eerie) == (
        "eerie breaks eligible=candidates: it is not one of the secrets"
    )
    illegal = [(speed, game.parse_response("00110")), (eerie, 0), (crane, 0)]
    assert describe_first_breach(game, "hints", illegal).startswith("guess 3, crane, breaks")


def test_which_rules_bind_the_player():
    assert [name for name in ELIGIBLE if is_rule_of_play(name)] == ["hints", "consistent"]


def test_questions_have_no_hints():
    game = Questions([[0, 1], [1, 1], [1, 0]], names=["ant", "bee", "fly"], questions=["a", "b"])
    for eligible in ("hints", "consistent"):
        with pytest.raises(GameError, match="a question has no answers of its own"):
            resolve_eligible(game, eligible)
    guesses = range(game.rules.first_guess, game.n_codes)
    assert select_eligible(game, "all", []).tolist() == list(guesses)
