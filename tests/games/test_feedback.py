"""Feedback rules against their twins: scoring, numbering, writing, reading."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import GameError, Questions, open_game
from treegen.games.feedback import MAX_POSITION_PEGS, RULES, PegFeedback, make_rule

from .. import naive

SIZES = [(1, 1), (1, 4), (2, 3), (3, 3), (4, 3)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("n_pegs", "n_colors"), SIZES)
def test_score_and_respond_are_the_definition(rule, n_pegs, n_colors):
    feedback = make_rule(rule, n_pegs)
    codes = list(itertools.product(range(n_colors), repeat=n_pegs))
    response_of = {value: i for i, value in enumerate(naive.feedbacks(rule, n_pegs))}
    table = np.array(codes, dtype=np.uint8)
    many = feedback.respond(table[:, None, :], table[None, :, :])
    assert many.dtype == np.int64
    for (i, guess), (j, secret) in itertools.product(enumerate(codes), repeat=2):
        expected = response_of[naive.SCORE[rule](guess, secret)]
        assert feedback.score(guess, secret) == expected
        assert many[i, j] == expected


@pytest.mark.parametrize("n_pegs", [255, 256, 257, 1000])
@pytest.mark.parametrize("rule", ["pegs", "black"])
def test_more_pegs_than_a_byte_counts(rule, n_pegs):
    feedback = make_rule(rule, n_pegs)
    codes = [[0] * n_pegs, [1] * n_pegs, [0] * (n_pegs - 1) + [1], [1] + [0] * (n_pegs - 1)]
    table = np.array(codes, dtype=np.uint8)
    expected = [[feedback.score(guess, secret) for secret in codes] for guess in codes]
    assert feedback.respond(table[:, None], table[None, :]).tolist() == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_pegs", range(1, 8))
def test_each_rule_has_as_many_responses_as_its_twin(rule, n_pegs):
    assert make_rule(rule, n_pegs).n_responses == len(naive.feedbacks(rule, n_pegs))


@pytest.mark.parametrize("n_pegs", range(1, 13))
def test_feedback_and_response_are_inverse(n_pegs):
    rule = PegFeedback(n_pegs)
    for response, (black, white) in enumerate(naive.feedbacks("pegs", n_pegs)):
        assert rule.response_of(black, white) == response
        assert rule.feedback_of(response) == (black, white)


@pytest.mark.parametrize("pair", [(3, 1), (5, 0), (-1, 2), (2, -1), (2, 3), (0, 5)])
def test_feedback_that_no_code_gives_is_refused(pair):
    with pytest.raises(GameError, match="no code gives"):
        PegFeedback(4).response_of(*pair)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_pegs", [1, 2, 4, 9])
def test_written_responses_are_read_back(rule, n_pegs):
    feedback = make_rule(rule, n_pegs)
    written = [feedback.format(response) for response in range(feedback.n_responses)]
    assert len(set(written)) == feedback.n_responses
    assert [feedback.parse(text) for text in written] == list(range(feedback.n_responses))


@pytest.mark.parametrize("rule", RULES)
def test_what_was_answered_is_not_changed_when_it_is_written(rule):
    feedback = make_rule(rule, 4)
    response = feedback.respond(np.array([1, 3, 2, 2]), np.array([5, 3, 4, 3]))
    before = int(response)
    assert feedback.parse(feedback.format(response)) == before
    assert int(response) == before


def test_two_digits_take_a_dot():
    rule = PegFeedback(12)
    written = [rule.format(response) for response in range(rule.n_responses)]
    assert written[:2] == ["0.0", "0.1"]
    assert written[-1] == "12.0"
    assert [rule.parse(text) for text in written] == list(range(rule.n_responses))


@pytest.mark.parametrize("text", ["02", " 02\n", "0.2", "0,2", "0;2", "0 2", " 0 . 2 ", "00.002"])
def test_feedback_of_pegs_is_read_in_every_form(text):
    assert PegFeedback(4).parse(text) == 2


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        *(("pegs", text) for text in ["", "0", "022", "-1", "x", "0/2", "31", "05", "٠٢", "0..2"]),
        ("pegs", "9" * 5000 + ".0"),
        ("pegs", "1.5.2"),
        *(("black", text) for text in ["", "5", "-1", "1.0", "x", "²", "٣", "9" * 5000]),
        *(("position", text) for text in ["", "012", "01210", "0123", "0a12", "01 2"]),
    ],
)
def test_texts_that_are_no_feedback_are_refused(rule, text):
    with pytest.raises(GameError):
        make_rule(rule, 4).parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("0120", "-yg-", ".YG.", "bygx", "_1g0", "⬛🟨🟩⬜", "⬛🟦🟧⬛", "0 1 2 0"),
        "⬛\ufe0f🟨\ufe0e🟩⬜\ufe0f",
    ],
)
def test_ways_to_write_positions(text):
    assert make_rule("position", 4).parse(text) == int("0120", 3)


def test_unknown_rule_and_too_many_positions():
    with pytest.raises(GameError, match="pegs, black, position"):
        make_rule("bulls", 4)
    with pytest.raises(GameError, match="at most 9 pegs"):
        make_rule("position", MAX_POSITION_PEGS + 1)


codes = st.integers(1, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2)
)


@given(codes)
def test_longer_codes_are_scored_by_the_definition(pair):
    for rule in RULES:
        response = make_rule(rule, len(pair[0])).score(*pair)
        assert naive.feedbacks(rule, len(pair[0]))[response] == naive.SCORE[rule](*pair)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        *[(text, (1, 2)) for text in ("1A2B", "1a2b", "2B1A", "1S2B", "1 S 2 B", "1B2W", "2W,1B")],
        *[(text, (1, 2)) for text in ("1B2C", "1S2W", "1R2W", "1A, 2B", "1b.2w")],
        *[
            (text, (1, 2))
            for text in ("bww", "BWW", "wbw", "b ww", "bww-", "⚫⚪⚪", "⚫️⚪️⚪️", "●○○")
        ],
        *[(text, (0, 0)) for text in ("0A0B", "----", "0S0B", "0A", "____")],
        *[(text, (4, 0)) for text in ("4A0B", "bbbb", "4A", "4S")],
        *[(text, (0, 3)) for text in ("3W", "3C", "www", "0A3B")],
    ],
)
def test_other_ways_to_write_black_and_white(text, pair):
    rule = PegFeedback(4)
    assert rule.parse(text) == rule.response_of(*pair)


@pytest.mark.parametrize(
    "text",
    [
        *("2B", "1A2A", "1A2C", "1B2B", "1A2", "A1B2", "x", "bwx", "--", "b--"),
        *("1A2B3C", "bbbww", "4A1B"),
    ],
)
def test_what_may_mean_several_or_nothing_is_refused(text):
    with pytest.raises(GameError, match=r"is not an answer|no code gives"):
        PegFeedback(4).parse(text)


def test_other_ways_to_write_black_alone_and_marks():
    rule = make_rule("black", 4)
    assert [rule.parse(text) for text in ("2", "bb", "BB", "2B", "2A", "⚫⚫", "bb--")] == [2] * 7
    assert rule.parse("----") == 0
    for text in ("bw", "2W", "bbbbb", "5B", "bb-", ""):
        with pytest.raises(GameError, match="is not an answer"):
            rule.parse(text)
    rule = make_rule("position", 5)
    for text in ("00120", "⬛⬛🟪🟩⬛", "⚫⚫🟡🟢⚫", "⚪⚪🔵🟠⚪"):
        assert rule.parse(text) == 15
    with pytest.raises(GameError, match="5 marks are needed"):
        rule.parse("⬛🟪")


@pytest.mark.parametrize("game", [open_game("p2c3r"), Questions([["yes"], ["no"]])])
@pytest.mark.parametrize("response", [-1, 99])
def test_responses_that_no_rule_gives_are_not_written(game, response):
    with pytest.raises(GameError, match=f"response {response} is out of range: 0 to"):
        game.format_response(response)
