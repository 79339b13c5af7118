"""Advice in the middle of a game: what is possible, and what each guess leaves."""

from __future__ import annotations

from collections import Counter

import pytest

import treegen
from treegen import Codebook, Session, UsageError, build, open_game

from .. import naive
from ..small_tables import draw_table

WORDS = ["crane", "crate", "trace", "grace", "brace", "place", "stone", "abide"]
EXTRA = ["speed", "slate", "abbey"]


@pytest.fixture
def game():
    return Codebook(WORDS, EXTRA, feedback="position")


def test_candidates_and_cells_are_those_of_the_definition(game):
    rules = naive.codebook_rules(WORDS, EXTRA, "position")
    past = ((game.parse_code("slate"), game.parse_response("00202")),)
    left = [s for s in range(game.n_secrets) if rules.respond(*past[0][:1], s) == past[0][1]]
    advice = treegen.advice(game, "expected-size", history="slate:00202", top=99)
    assert [game.parse_code(text) for text in advice.candidates] == left
    for row in advice.guesses:
        cells = Counter(rules.respond(row.code, secret) for secret in left)
        assert row.sizes == tuple(sorted(cells.values(), reverse=True))
        assert row.is_candidate == (row.code in left)
        assert row.expected == sum(n * n for n in cells.values()) / len(left)
    values = [row.expected for row in advice.guesses]
    assert values == sorted(values)
    useless = set(range(game.n_codes)) - {row.code for row in advice.guesses}
    for guess in useless:
        assert len({rules.respond(guess, secret) for secret in left}) == 1


@pytest.mark.parametrize("name", ["knuth", "entropy", "most-parts"])
def test_the_first_is_what_the_strategy_guesses(name):
    game = open_game("p3c4r")
    session = Session(build(game, name))
    for secret in range(0, game.n_secrets, 5):
        while not session.is_over:
            advice = session.advise(n_top=1)
            assert advice.guesses[0].guess == session.guess
            assert len(advice.candidates) == session.n_left
            assert game.format_code(secret) in advice.candidates
            session.respond(game.score(session.code, secret))
        assert session.candidates == [game.format_code(secret)]
        with pytest.raises(UsageError, match="the game is over"):
            session.advise()
        while session.turns:
            session.undo()


def test_one_candidate_is_advised_and_none_is_refused(game):
    advice = treegen.advice(game, "entropy", history="crane:22202", top=3)
    assert [row.guess for row in advice.guesses] == ["crate"]
    assert advice.to_dict()["candidates"] == ["crate"]
    with pytest.raises(UsageError, match=r"No secret fits|cannot all be true"):
        treegen.advice(game, "entropy", history="crane:11111")
    with pytest.raises(UsageError, match="top=-1 is out of range"):
        treegen.advice(game, "entropy", top=-1)
    assert treegen.advice(game, "entropy", top=0).guesses == ()


def test_questions_are_ranked_where_answers_are_uncertain():
    for seed in range(40):
        game, plain = draw_table(seed)
        if game.rules.shares is None or not plain.count_separable(plain.root):
            continue
        found = treegen.advice(game, "expected-left", top=9)
        asked = [int(row.code) - game.n_secrets for row in found.guesses]
        assert sorted(asked) == plain.list_useful(plain.root, ())
        total = sum(plain.weights)
        values = [
            sum(plain.measure("expected-left", cell) for cell in plain.ask(plain.root, q).values())
            for q in asked
        ]
        assert values == sorted(values)
        for row, value in zip(found.guesses, values, strict=True):
            assert float(row.figures["expected-left"]) == pytest.approx(
                float(value / total), abs=1e-4
            )
        assert found.guesses[0].guess == treegen.build(game, "expected-left").root.guess
        assert str(found)
