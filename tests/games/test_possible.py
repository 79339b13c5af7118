"""Tables with uncertain answers or classes, put together inside, against their twins: shares."""

from fractions import Fraction
from itertools import combinations
from math import gcd, lcm, prod
from random import Random

import numpy as np
import pytest

from treegen import GameError, open_game
from treegen.games.answer_table import AnswerTable
from treegen.games.names import from_description, parse_game
from treegen.games.questions import Questions

from ..small_tables import draw_table, make_rounded_game

GAMES = [
    (game, plain) for game, plain in map(draw_table, range(40)) if game.rules.division is not None
]


def make_table(**changes):
    parts = {
        "names": ("ant", "bee", "fly"),
        "questions": ("Wings?",),
        "answers": (("no", "yes"),),
        "matrix": np.array([[0], [2], [1]], dtype=np.uint8),
        "sets": (((0, 1),),),
    }
    return AnswerTable(**{**parts, **changes})


@pytest.mark.parametrize("at", range(len(GAMES)))
def test_a_description_gives_the_game_again(at):
    game, _ = GAMES[at]
    again = from_description(game.description)
    assert again == game
    assert again.rules.digest_name == game.rules.digest_name
    assert again.rules.shares.tolist() == game.rules.shares.tolist()
    assert again.rules.classes == game.rules.classes


def test_to_what_is_announced_all_answer_alike():
    for game, _ in GAMES:
        items = np.arange(game.n_secrets)
        spread = game.rules.spread(np.array([0]), items, game.rules.shares)
        assert spread.source.tolist() == items.tolist()
        assert set(spread.answers.tolist()) == {game.win}
        assert spread.shares.tolist() == game.rules.shares.tolist()


@pytest.mark.parametrize("name", ["p2c3r", "p3c4n"])
def test_where_each_gives_one_answer_it_gets_all(name):
    game = parse_game(name)
    items, counts = np.arange(game.n_secrets), np.arange(game.n_secrets) + 5
    for guess in range(game.n_codes):
        source, answers, shares = game.rules.spread(np.array([guess]), items, counts)
        assert answers.tolist() == [game.score(guess, secret) for secret in items.tolist()]
        assert shares[source].tolist() == counts.tolist()
        assert game.rules.spread(np.array([guess]), items).shares is None


def test_certain_tables_without_classes_keep_their_kind():
    game = Questions(make_table(matrix=np.array([[0], [1], [1]]), sets=()))
    assert type(game) is Questions
    assert game.description[0] == "questions"


@pytest.mark.parametrize(
    "sets, classes",
    [
        ("", ""),
        ("0,1", 3),
        ("1,0", ""),
        ("0", ""),
        ("0,2", ""),
        ("0,1\t0,1", ""),
        ("0,1\n0,1", ""),
        ("00,1", ""),
        ("0,1\t", ""),
        ("0,1", "a"),
        ("0,1", "a\n\nb"),
        ("x", ""),
    ],
)
def test_wrong_descriptions_are_refused(sets, classes):
    *plain, _, _ = Questions(make_table()).rules.rules_description
    assert from_description([*plain, "0,1", "", "goal identify"])
    with pytest.raises(GameError):
        from_description([*plain, sets, classes, "goal identify"])


@pytest.mark.parametrize("at", range(len(GAMES)))
def test_pairs_are_separable_by_the_definition(at):
    game, plain = GAMES[at]
    n = game.n_secrets
    bits = np.unpackbits(game.rules.division.separable.view(np.uint8), axis=1, bitorder="little")[
        :, :n
    ]
    expected = [
        [plain.are_separable(a, b) if a != b else False for b in range(n)] for a in range(n)
    ]
    assert bits.astype(bool).tolist() == expected
    random = Random(at)
    for _ in range(10):
        some = sorted(random.sample(range(n), random.randint(1, n)))
        assert game.rules.is_over(np.array(some)) == (plain.count_separable(some) == 0)


@pytest.mark.parametrize("at", range(len(GAMES)))
def test_shares_go_where_the_definition_sends_them(at):
    game, plain = GAMES[at]
    secrets = np.arange(game.n_secrets)
    for question in plain.questions:
        code = np.full(game.n_secrets, game.n_secrets + question)
        spread = game.rules.spread(code, secrets, game.rules.shares)
        assert np.bincount(spread.source, spread.shares).tolist() == game.rules.shares.tolist()
        expected = plain.ask(plain.root, question)
        for each in (spread, game.rules.spread(code[:1], secrets)):
            found = {}
            for source, answer, share in zip(*map(np.ndarray.tolist, each), strict=True):
                found.setdefault(answer, {})[source] = Fraction(share, game.rules.share_unit)
            assert found == expected


@pytest.mark.parametrize("at", range(len(GAMES)))
def test_the_unit_is_the_least_that_every_path_divides(at):
    game, plain = GAMES[at]
    unit = 1
    for row, cells in enumerate(plain.cells):
        weight = int(plain.weights[row]) or 1
        for size in range(len(cells) + 1):
            for path in combinations(cells, size):
                product = prod(map(len, path))
                unit = lcm(unit, product // gcd(product, weight))
    assert game.rules.share_unit == unit
    assert not game.rules.division.is_rounded


def test_uncertain_answers_have_no_single_number():
    game = Questions(make_table())
    assert game.answer("Wings?", "ant") == "no"
    assert game.answer("Wings?", "bee") == "no | yes"
    assert game.answers("Wings?", "bee") == {"no": Fraction(1, 2), "yes": Fraction(1, 2)}
    with pytest.raises(GameError, match="'bee' may answer 'Wings\\?' with no, yes"):
        game.score(game.parse_code("Wings?"), game.parse_code("bee"))
    with pytest.raises(GameError, match="several"):
        game.respond(np.array([3]), np.array([0]))


def test_candidates_are_guessed_but_classes_are_not():
    game = Questions(make_table()).with_goal("win")
    assert [game.answer("ant", name) for name in ("ant", "bee")] == ["right", "no"]
    assert from_description(game.description) == game
    game, _ = draw_table(1, has_classes=True)
    with pytest.raises(GameError, match="has classes: its goal is to identify"):
        game.with_goal("win")


def test_large_weights_have_fewer_shares_and_too_large_ones_are_refused():
    game = make_rounded_game()
    assert (game.rules.share_unit, game.rules.division.is_rounded) == (5**3 * 4, True)
    light = game.with_stakes()
    assert (light.rules.share_unit, light.rules.division.is_rounded) == (5**8, False)
    with pytest.raises(GameError, match="round them"):
        game.with_stakes([10**11 + 1, *[10**11] * 7])
    exact = Questions(make_table())
    assert exact.with_stakes([10**12 - 2, 1, 1]).rules.share_unit == 2
    assert exact.with_stakes([10**9, 2, 1]).rules.share_unit == 1  # 2 is halved
    certain = Questions(
        make_table(matrix=np.array([[0], [1], [1]]), sets=(), classes=("a", "b", "c"))
    )
    assert certain.with_stakes([10**12 - 2, 1]).rules.share_unit == 1


@pytest.mark.parametrize(("cost", "is_rounded"), [(1000, False), (10_000, True)])
def test_shares_are_as_fine_as_the_costs_of_a_path_allow(cost, is_rounded):
    names = [f"q{number}" for number in range(40)]
    one = {"n": "one"} | dict.fromkeys(names, "v") | {name: [*"vwxyz"] for name in names[:4]}
    records = [one, {"n": "two"} | dict.fromkeys(names, "w")]
    weights, costs = [1, 2 * 10**10], [0, 0, cost - 1, *[cost] * 39]
    game = open_game(records).with_stakes(weights, costs)
    assert game.rules.division.is_rounded == is_rounded
    assert game.rules.share_unit == (5**3 * 4 if is_rounded else 5**4)
    assert sum(weights) * game.rules.share_unit * sum(costs) < 2**62
