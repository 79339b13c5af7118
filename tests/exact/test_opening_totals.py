"""Every first guess with its least total, and the proof that no other is better."""

from __future__ import annotations

import pytest

from treegen import Codebook, Questions, UsageError, describe_game, open_game

from .. import naive
from ..pseudo_words import make_word_game
from .searching import build_optimal, rank_openings

WORDS = make_word_game(25, 40)
GAMES = [
    *map(open_game, ("p2c3r", "p3c3r", "p3c4n", "p3c3rb")),
    WORDS,
    Codebook(WORDS.rules.words[:20], WORDS.rules.words[20:30], feedback="pegs"),
]


def count_one_by_one(game, **options):
    """Return the least total of each first guess, each by a search of its own."""
    totals = {}
    for text in describe_game(game).openings or map(game.format_code, range(game.n_codes)):
        try:
            tree = build_optimal(game, first=(text,), **options)
        except UsageError:  # it gains no information, or no tree is short enough
            continue
        totals[game.parse_code(text)] = tree.total
    return totals


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_totals_are_those_of_single_searches(game):
    totals = count_one_by_one(game)
    expected = sorted((total, code) for code, total in totals.items())
    for top in (1, 4, 1000):
        ranking = rank_openings(game, top=top)
        assert [(row.total, row.code) for row in ranking.rows] == expected[:top]
        assert ranking.proved
        assert (ranking.n_openings, ranking.n_open) == (len(totals), 0)
        last = ranking.rows[-1].total
        assert ranking.n_tied == sum(total == last for total, _ in expected[top:])
        for row in ranking.rows:
            assert sum(row.histogram) == game.n_secrets
            assert sum(n * length for length, n in enumerate(row.histogram, 1)) == row.total


@pytest.mark.parametrize(
    "options",
    [
        {"eligible": "candidates"},
        {"max_length": 3},
        {"history": ((3, 1),)},
        {"eligible": "hints", "max_length": 4},
        {"eligible": "hints", "history": ((3, 1),)},
        {"eligible": "consistent"},
    ],
    ids=str,
)
def test_what_is_asked_is_what_a_search_is_asked(options):
    game = WORDS
    totals = count_one_by_one(game, **options)
    if options.get("eligible") == "candidates":
        totals = {code: total for code, total in totals.items() if code < game.n_secrets}
    ranking = rank_openings(game, top=1000, **options)
    assert {row.code: row.total for row in ranking.rows} == totals


@pytest.mark.parametrize("eligible", ["all", "hints"])
def test_jobs_do_not_change_the_ranking(eligible):
    one, two = (rank_openings(WORDS, eligible=eligible, jobs=n, top=5).rows for n in (1, 2))
    assert one == two


def test_given_openings_alone_are_ranked():
    texts = tuple(WORDS.rules.words[10:15])
    ranking = rank_openings(WORDS, first=texts, top=9)
    assert {row.code for row in ranking.rows} == set(range(10, 15))


def test_a_ranking_that_is_ended_says_so():
    ranking = rank_openings(WORDS, watch=lambda _: True)
    assert not ranking.proved
    assert len(ranking.rows) < 20


def test_a_first_guess_after_which_games_are_too_long_is_kept(tmp_path):
    rows = [["no", "no", "no"], ["no", "yes", "no"], ["yes", "no", "no"], ["yes", "yes", "yes"]]
    game = Questions(rows, names=list("abcd"), questions=["p", "q", "r"])
    whole = rank_openings(game, max_length=2)
    assert [row.code for row in whole.rows] == [4, 5]
    options = {"max_length": 2, "folder": tmp_path / "kept"}
    assert [rank_openings(game, **options) for _ in range(2)] == [whole, whole]


@pytest.mark.parametrize("words", [["ab"], ["ab", "ba"], ["ab", "cd"]])
def test_one_and_two_candidates(words):
    game = Codebook(words, ["ac", "zz"], feedback="position")
    ranking = rank_openings(game, top=9)
    assert {row.code: row.total for row in ranking.rows} == count_one_by_one(game)


def test_what_cannot_be_ranked():
    with pytest.raises(UsageError, match="at least 1"):
        rank_openings(WORDS, top=0)
    asked, rows = {"eligible": "hints", "history": ((3, 1),)}, WORDS.codes.tolist()
    marks = naive.feedbacks("position", WORDS.n_pegs)[1]
    breach = next(
        word
        for word, row in zip(WORDS.rules.words, rows, strict=True)
        if not naive.uses_hints(rows[3], marks, row)
    )
    with pytest.raises(UsageError, match="breaks eligible=hints"):
        rank_openings(WORDS, first=(breach,), **asked)
    with pytest.raises(UsageError, match="not by worst,total"):
        rank_openings(WORDS, objective="worst,total")
    with pytest.raises(UsageError, match="candidates, not hints"):
        rank_openings(WORDS.with_goal("identify"), eligible="hints")
