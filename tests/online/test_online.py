"""Online strategies: every game ends with the right code, within the stated bound."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import GameError, Mastermind, StrategyError, UsageError, open_game, start_online
from treegen.online import draw_secret, score_colors

from .. import naive, naive_online

WITHOUT_TREE = ["adaptive", "one-by-one", "one-by-one-distinct", "permutation"]
SHAPES = [
    *((1, 1, True), (1, 9, True), (6, 1, True), (3, 3, False), (4, 6, True), (4, 12, False)),
    *((17, 2, True), (18, 60, True), (20, 20, False), (18, 30, False), (40, 5, True)),
    pytest.param((3, 90, True), marks=pytest.mark.slow),
    (3, 40, True),
]


@st.composite
def games(draw, most_pegs=9, most_colors=12):
    n_pegs = draw(st.integers(1, most_pegs))
    repetition = draw(st.booleans())
    n_colors = draw(st.integers(1 if repetition else n_pegs, most_colors))
    colors = st.integers(0, n_colors - 1)
    secret = draw(st.lists(colors, min_size=n_pegs, max_size=n_pegs, unique=not repetition))
    return Mastermind(n_pegs, n_colors, repetition=repetition), secret


@pytest.mark.parametrize("name", WITHOUT_TREE)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_shape_is_solved_within_the_bound(name, shape):
    n_pegs, n_colors, repetition = shape
    game = Mastermind(n_pegs, n_colors, repetition=repetition)
    for number in range(2):
        player = start_online(name, game, seed=number)
        # One of them has a single color.
        secret = (n_colors - 1,) * n_pegs
        if number == 0 or not repetition:
            secret = tuple(draw_secret(game, 5, number).tolist())
        guesses = naive_online.play(player, secret, player.bound)
        assert guesses[-1] == secret
        assert player.n_answers == len(guesses)


def test_a_game_may_be_given_by_its_name():
    secret = (4, 0, 2, 2)
    guesses = naive_online.play(start_online("one-by-one", "p4c6r"), secret, 100)
    assert guesses == naive_online.play(start_online("one-by-one", Mastermind(4, 6)), secret, 100)


@given(pair=games(most_pegs=20, most_colors=24), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=6, deadline=None)
def test_adaptive_solves_games_of_any_shape(pair, seed):
    game, secret = pair
    player = start_online("adaptive", game, seed)
    guesses = naive_online.play(player, secret, player.bound)
    assert guesses[-1] == tuple(secret)
    assert len(set(guesses)) == len(guesses), "a guess was repeated"


@pytest.mark.parametrize("name", ["one-by-one-distinct", "permutation"])
@given(pair=games(most_pegs=6))
@settings(max_examples=20, deadline=None)
def test_no_guess_is_repeated(name, pair):
    check_no_guess_is_repeated(name, *pair)


@pytest.mark.slow
@given(pair=games(most_pegs=7))
@settings(max_examples=100, deadline=None)
def test_permutation_of_up_to_seven_pegs_repeats_no_guess(pair):
    check_no_guess_is_repeated("permutation", *pair)


def check_no_guess_is_repeated(name, game, secret):
    guesses = naive_online.play(start_online(name, game), secret, 10**6)
    assert len(set(guesses)) == len(guesses)


@given(pair=games())
@settings(max_examples=20, deadline=None)
def test_the_reading_with_duplicates_repeats_for_equal_entries_alone(pair):
    """Its definition tries a color once for each time that it stands in the code."""
    game, secret = pair
    limit = game.n_colors * (game.n_pegs + 1)
    guesses = naive_online.play(start_online("one-by-one", game), secret, limit)
    for guess, times in Counter(guesses).items():
        assert times <= max(secret.count(color) for color in guess) or times == 1
    if len(set(secret)) == len(secret) < game.n_colors:
        assert len(set(guesses)) == len(guesses)


@pytest.mark.parametrize("number", range(4))
def test_one_by_one_is_the_naive_one(number):
    game = Mastermind(12, 14)
    secret = tuple(draw_secret(game, 1, number).tolist())
    guesses = naive_online.play(start_online("one-by-one", game), secret, 10**6)
    assert guesses == naive_online.one_by_one(secret, 14)


def test_a_contradiction_is_explained_by_as_few_answers_as_cannot_be_true():
    player = start_online("one-by-one", Mastermind(3, 4))
    for answer in [(1, 0), (0, 0)]:
        player.next_guess()
        player.observe(*answer)
    player.next_guess()
    player.observe(2, 0)
    guess = player.next_guess()
    with pytest.raises(GameError, match=r"answer 4 \(0 black, 0 white\): answers 1 and 4"):
        player.observe(0, 0)
    assert (player.next_guess() == guess).all()
    player.observe(1, 0)


def test_permutation_refuses_an_answer_before_it_takes_it():
    game = open_game("p7c12r")
    player, secret = start_online("permutation", game), np.arange(7, dtype=np.int32)[::-1].copy()
    while len(set(player.next_guess().tolist())) == 1:
        player.observe(*score_colors(player.next_guess(), secret))
    before = player.n_answers
    for wrong in [(3, 0), (6, 1), (5, 1)]:
        with pytest.raises(GameError, match=f"answer {before + 1}"):
            player.observe(*wrong)
    assert player.n_answers == before
    assert before + len(naive_online.play(player, secret.tolist(), 12)) < before + 12


def test_equal_seeds_play_equal_games():
    game = open_game("p25c25r")
    secret = tuple(draw_secret(game, 1, 1).tolist())
    one, two, other = (
        naive_online.play(start_online("adaptive", game, seed), secret, 10**6) for seed in (4, 4, 5)
    )
    assert one == two
    assert one != other


def test_guess_stays_until_it_is_answered():
    player = start_online("adaptive", open_game("p12c12r"), 1)
    first = player.next_guess()
    first[:] = 0
    assert (player.next_guess() == player.next_guess()).all()


def test_observe_needs_a_guess_and_a_running_game():
    player = start_online("one-by-one", Mastermind(2, 2))
    with pytest.raises(UsageError, match="nothing was guessed"):
        player.observe(0, 0)
    player.next_guess()
    player.observe(2, 0)
    with pytest.raises(UsageError, match="over"):
        player.observe(2, 0)


@pytest.mark.parametrize("name", WITHOUT_TREE)
def test_black_only_games_are_refused(name):
    with pytest.raises(StrategyError, match="black"):
        start_online(name, open_game("p4c6rb"))


def test_unknown_names_are_refused():
    with pytest.raises(StrategyError, match="one-by-one"):
        start_online("psychic", open_game("p4c6r"))


@given(pair=games(most_pegs=6), other=st.data())
@settings(max_examples=15, deadline=None)
def test_impossible_answers_are_refused_and_forgotten(pair, other):
    game, secret = pair
    player = start_online("one-by-one-distinct", game)
    n_pegs = game.n_pegs
    bad = other.draw(st.sampled_from([(n_pegs, 1), (-1, 0), (0, n_pegs + 1), (n_pegs + 1, 0)]))
    player.next_guess()
    with pytest.raises(GameError, match="answer 1"):
        player.observe(*bad)
    assert naive_online.play(player, secret, 10**6)[-1] == tuple(secret)


@pytest.mark.parametrize("name", WITHOUT_TREE)
def test_an_opponent_that_always_says_no_is_found_out(name):
    for shape in [(3, 4), (12, 9), (1, 5)]:
        player = start_online(name, Mastermind(*shape))
        with pytest.raises(GameError):
            for _ in range(player.bound + 1):
                player.next_guess()
                player.observe(0, 0)


@pytest.mark.parametrize("name", WITHOUT_TREE)
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_a_liar_never_makes_a_false_claim(name, data):
    """Random answers: each game ends with a code that agrees with all, or a contradiction."""
    game = Mastermind(data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4)))
    player, history = start_online(name, game), []
    for _ in range(player.bound + 1):
        guess = tuple(player.next_guess().tolist())
        answers = naive.feedbacks("pegs", game.n_pegs)
        answer = data.draw(st.sampled_from(answers))
        possible = naive_online.consistent(
            naive_online.codes_of(game.n_pegs, game.n_colors, True), [*history, (guess, answer)]
        )
        try:
            player.observe(*answer)
        except GameError:
            assert not possible, "an honest answer was refused"
            return
        assert possible, "a contradiction was overlooked"
        history.append((guess, answer))
        if player.is_over:
            return
    raise AssertionError("neither an end nor a contradiction within the bound")
