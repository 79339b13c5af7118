"""The ready games: numbers with higher and lower, coins on a balance, PINs and tables."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from itertools import product
from operator import and_
from zlib import crc32

import msgpack
import numpy as np
import pytest

import treegen
from treegen import FormatError, GameError, Player, UnreachableError, open_game, read

from ..small_games import read_description
from ..written import bytes_of


@cache
def least_total(n):
    """Return the least total of n numbers by plain recursion over the first guess."""
    return min((n + least_total(k) + least_total(n - 1 - k) for k in range(n)), default=0)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 31])
def test_ranges_cost_what_plain_recursion_says(n):
    tree = treegen.build(f"range{n}", "optimal")
    assert tree.total == least_total(n)
    assert treegen.verify(tree).is_sound


def test_a_hundred_numbers_take_580_guesses_and_7_at_worst():
    tree = treegen.build("range100", "optimal", objective="total,worst,n_worst")
    assert (tree.total, tree.worst) == (580, 7)
    assert tree.provenance.bound == least_total(100) == 580


@pytest.mark.parametrize(
    ("n", "worst"), [(3, 2), (4, 3), pytest.param(12, 3, marks=pytest.mark.slow)]
)
def test_coins_take_as_few_weighings_as_can_be(n, worst):
    """Four have 8 outcomes, of 9 that two weighings can show; but none divides 8 in threes."""
    tree = treegen.build(f"coins{n}", "optimal", objective="worst,total")
    assert (tree.worst, tree.n_secrets) == (worst, 2 * n)
    assert treegen.verify(tree).is_sound


def list_pans(game):
    """Return the coins in the pans of each question, ``1 2 against 3 4``, numbered from 0."""
    questions = map(game.format_code, range(game.rules.first_guess, game.n_codes))
    return [
        [[int(coin) - 1 for coin in re.findall(r"\d+", pan)] for pan in question.split("against")]
        for question in questions
    ]


def weigh(left, right, coin, sign):
    """Return what a balance shows: 0 balance, 1 the left pan is heavier, 2 the right one."""
    difference = sign * ((coin in left) - (coin in right))
    return {0: 0, 1: 1, -1: 2}[difference]


@pytest.mark.parametrize("n", [3, 5])
def test_coins_are_weighed_by_the_definition(n):
    game = open_game(f"coins{n}")
    outcomes = list(product(range(n), (1, -1)))
    for place, (left, right) in enumerate(list_pans(game)):
        for secret, (coin, sign) in enumerate(outcomes):
            question = game.rules.first_guess + place
            assert game.score(question, secret) == weigh(left, right, coin, sign)


def test_every_weighing_is_listed_once():
    found = [frozenset(map(frozenset, pans)) for pans in list_pans(open_game("coins6"))]
    assert len(set(found)) == len(found)
    sides = product((0, 1, 2), repeat=6)
    pairs = [[frozenset(c for c in range(6) if s[c] == k) for k in (1, 2)] for s in sides]
    expected = {frozenset((a, b)) for a, b in pairs if a and len(a) == len(b)}
    assert set(found) == expected


def least_tests(prevalence, n_people):
    """Return the least expected number of tests, by plain recursion over what may be the case."""
    outcomes = list(product((0, 1), repeat=n_people))
    odds = {each: (1 - prevalence) ** each.count(0) * prevalence ** sum(each) for each in outcomes}
    pools = [each for each in outcomes if any(each)]

    @cache
    def least(left):
        if len(left) == 1:
            return 0
        found = []
        for pool in pools:
            hit = frozenset(each for each in left if any(map(and_, each, pool)))
            if hit and hit != left:
                found.append(sum(map(odds.get, left)) + least(hit) + least(left - hit))
        return min(found)

    return least(frozenset(outcomes))


@pytest.mark.parametrize("prevalence", ["1/10", "1/2", "0.4", Fraction(2, 3)])
def test_pools_take_the_tests_that_plain_recursion_says(prevalence):
    for n_people in (1, 2, 3):
        tree = treegen.build(f"pool{n_people}", "optimal", prevalence=prevalence)
        weights = np.ones(2**n_people) if tree.game.weights is None else tree.game.weights
        average = Fraction(int(tree.total), int(weights.sum()))
        assert average == least_tests(Fraction(prevalence), n_people)


def test_five_people_take_the_published_numbers_of_tests():
    for prevalence, average in (("1/10", 2.44868), ("1/50", 1.28231), ("1/5", 3.73184)):
        tree = treegen.build("pool5", "optimal", prevalence=prevalence)
        assert round(tree.average, 5) == average
        assert treegen.verify(tree, prove=True).is_sound


def test_pools_without_prevalence_count_alike():
    game = open_game("pool3")
    assert game == open_game("pool3", prevalence="1/2")
    assert treegen.build(game, "optimal").total == 3 * 8
    costly = open_game("pool3", prevalence="1/4", costs={"test 1 2 3": 3})
    assert open_game(open_game("pool3", costs={"test 1 2 3": 3}), prevalence="1/4") == costly


@pytest.mark.parametrize("text", ["0", "1", "7/5", "-1/10", "1/0", "", "tenth", "1/10/2", 0.1])
def test_a_prevalence_is_a_fraction_between_0_and_1(text):
    message = f"the prevalence '{text}' is not a fraction above 0 and below 1, such as 1/10"
    with pytest.raises(GameError, match=f"^{re.escape(message)}$"):
        open_game("pool3", prevalence=text)


@pytest.mark.parametrize(
    ("game", "given", "message"),
    [
        ("pool6", {"prevalence": "1/101"}, "has too many digits for 6 people: .* at most 100$"),
        ("coins4", {"prevalence": "1/3"}, "^prevalence= works only with pools .* not with coins4"),
        ("p4c6r", {"prevalence": "1/3"}, "^prevalence= works only with pools .* not with p4c6r"),
        ([{"n": "a", "Q": 1}], {"prevalence": "1/3"}, "works only with pools of people, pool5"),
        ("pool2", {"prevalence": "1/3", "weights": [1, 2, 3, 4]}, "cannot be combined"),
    ],
)
def test_a_prevalence_belongs_to_pools(game, given, message):
    with pytest.raises(GameError if game == "pool6" else treegen.TreegenError, match=message):
        open_game(game, **given)


@pytest.mark.parametrize("name", ["range1", "range100", "coins3", "coins4", "pin1", "pool4"])
def test_games_come_back_from_their_descriptions(name):
    game = open_game(name)
    again = read_description(json.loads(json.dumps(game.description)))
    assert again == game
    assert again.rules.digest_name == game.rules.digest_name
    assert game.name == name


def test_numbers_are_answered_by_order():
    game = open_game("range9")
    codes = np.arange(9)
    replies = game.respond(codes[:, None], codes[None, :])
    assert replies.tolist() == [[game.score(g, s) for s in range(9)] for g in range(9)]
    assert [game.format_response(game.score(4, secret)) for secret in (3, 4, 5)] == [
        "lower", "right", "higher",
    ]  # fmt: skip
    assert [game.parse_response(text) for text in ("low", ">", " RIGHT ", "h")] == [0, 1, 2, 1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("range0", "a range has 1 to 10,000 numbers, not 0"),
        ("range10001", "not 10001"),
        ("pin0", "a PIN has 1 to 4 digits here, not 0"),
        ("pin5", "not 5"),
        ("coins2", "3 to 12 coins can be weighed, not 2"),
        ("pool0", "1 to 6 people can be tested in pools, not 0"),
        ("pool7", "not 7"),
        ("coins13", "3 to 12 coins can be weighed, not 13"),
    ],
)
def test_sizes_out_of_range_are_refused(name, message):
    with pytest.raises(GameError, match=message):
        open_game(name)


@pytest.mark.parametrize("text", ["", "0", "10", "x", "1.5"])
def test_numbers_out_of_range_are_refused(text):
    with pytest.raises(GameError, match="is not a number from 1 to 9"):
        open_game("range9").parse_code(text)


@pytest.mark.parametrize("text", ["", "x", "=="])
def test_other_answers_are_refused(text):
    with pytest.raises(GameError, match="there are lower, higher, right"):
        open_game("range9").parse_response(text)


@pytest.mark.parametrize("parameters", [[], ["9"], [0], [9, 9]])
def test_wrong_descriptions_of_ranges_are_refused(parameters):
    with pytest.raises(GameError):
        read_description(["range", *parameters])


def score_pin(pin, question):
    """Return 1 if a PIN, its digits read by a table of ones and zeros, is what was entered."""
    ones, _, entered = question.partition(" as ")
    return int("".join("1" if digit in ones else "0" for digit in pin) == entered)


def test_pins_are_read_by_the_definition():
    game = open_game("pin2")
    for place, question in enumerate(game.table.questions):
        replies = [game.score(game.rules.first_guess + place, secret) for secret in range(100)]
        assert replies == [score_pin(f"{secret:02}", question) for secret in range(100)]


def test_no_two_tables_ask_the_same():
    game = open_game("pin2")
    columns = {min(column, 1 - column, key=bytes).tobytes() for column in game.rules.answer_rows}
    assert len(columns) == game.rules.n_questions == 4 * 511


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("labels", ["inside", "none"])
def test_the_table_of_a_range_is_of_that_range(goal, labels, tmp_path):
    game = open_game("range9").with_goal(goal).with_stakes(list(range(9)))
    tree = treegen.build(game, "knuth")
    data = bytes_of(tree, "table", labels=labels)
    again = read(data)
    assert (again.game, again.digest, again.total) == (game, tree.digest, tree.total)
    assert bytes_of(again, "table", labels=labels) == data
    assert b"\xa5ready\xa6range9" in data
    treegen.write_table(tree, tmp_path / "x.tgt", labels="file")
    words = (tmp_path / "x.tgt.labels.json").read_text("utf-8") if labels == "none" else ""
    player = Player(data, words)
    assert player.guess == "5"
    assert player.rules.list_answers(player.code) == ["lower", "higher", "right"]
    player.answer("higher")
    with pytest.raises(UnreachableError, match="there are lower, higher, right"):
        player.answer("no")
    if goal == "win":
        assert (player.answer("right"), player.found) == (None, "7")


@pytest.mark.parametrize("name", ["range8", "range09", "p2c2r", "", "range" + "9" * 50, 7])
def test_a_table_that_names_another_game_is_refused(name):
    values = msgpack.unpackb(bytes_of(treegen.build("range9"), "table"))[:-1]
    values[-1] = {"ready": name}
    body = msgpack.packb([*values, 0])[:-1]
    with pytest.raises(FormatError, match="damaged table: it is not of the game"):
        read(body + b"\xce" + crc32(body).to_bytes(4, "big"))


@pytest.mark.parametrize("profile", ["lean", "slim"])
def test_ranges_have_full_tables_alone(profile):
    with pytest.raises(FormatError, match="range7 has the profile full alone"):
        bytes_of(treegen.build("range7", "knuth"), "table", profile=profile)
