"""Every first guess with its least total, and the proof that no other is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from treegen.errors import SearchStoppedError, UsageError
from treegen.exact.opening_totals import rank_openings
from treegen.exact.request import SearchControl, SearchSpec
from treegen.exact.solver import OpeningSearch
from treegen.games.codebook import CodebookGame
from treegen.games.eligible import describe_breach
from treegen.games.names import parse_game
from treegen.games.pegs import list_openings
from treegen.games.possible import make_table_game
from treegen.games.questions import AnswerTable

from ..pseudo_words import make_word_game
from .searching import build_optimal

WORDS = make_word_game(40, 70)
GAMES = [
    *map(parse_game, ("p2c3r", "p3c3r", "p3c4n", "p3c3rb")),
    WORDS,
    CodebookGame(WORDS.words[:30], WORDS.words[30:45], rule="pegs"),
]


def count_one_by_one(game, **options):
    """Return the least total of each first guess, each by a search of its own."""
    totals = {}
    for code in list_openings(game) or range(game.n_codes):
        try:
            tree = build_optimal(game, first=(game.format_code(code),), **options)
        except UsageError:  # it gains no information, or no tree is short enough
            continue
        totals[code] = tree.total
    return totals


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("top", [1, 4, 1000])
def test_the_totals_are_those_of_single_searches(game, top):
    totals = count_one_by_one(game)
    ranking = rank_openings(game, top=top)
    expected = sorted((total, code) for code, total in totals.items())
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
        {"max_length": 4},
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
    ranking = rank_openings(game, SearchSpec(**options), top=1000)
    assert {row.code: row.total for row in ranking.rows} == totals


def test_consistent_guesses_where_every_code_may_be_secret():
    game = parse_game("p3c3r")
    by_name = [
        rank_openings(game, SearchSpec(eligible=name)) for name in ("candidates", "consistent")
    ]
    assert by_name[0] == by_name[1]


@pytest.mark.parametrize("eligible", ["all", "hints"])
def test_jobs_change_nothing(eligible):
    spec = SearchSpec(eligible=eligible)
    one, two = (rank_openings(WORDS, spec, SearchControl(jobs=jobs), top=5).rows for jobs in (1, 2))
    assert one == two


def test_given_openings_alone():
    texts = tuple(WORDS.words[10:15])
    ranking = rank_openings(WORDS, SearchSpec(first=texts), top=9)
    assert {row.code for row in ranking.rows} == set(range(10, 15))


def test_a_ranking_that_is_ended_says_so():
    ranking = rank_openings(WORDS, control=SearchControl(watch=lambda _: True))
    assert not ranking.proved
    assert len(ranking.rows) < 20


def test_it_goes_on_where_it_was_ended(tmp_path, monkeypatch):
    """What an earlier run proved is not searched again, and the result is the same."""
    whole = rank_openings(WORDS, top=3)
    seen, find = [], OpeningSearch.find

    def stop_after_20(search, code, below):
        if len(seen) == 20:
            raise SearchStoppedError("enough")
        seen.append(code)
        return find(search, code, below)

    monkeypatch.setattr(OpeningSearch, "find", stop_after_20)
    control = SearchControl(folder=tmp_path / "kept")
    begun = rank_openings(WORDS, control=control, top=3)
    assert not begun.proved
    first, seen = seen, []

    def note(search, code, below):
        seen.append(code)
        return find(search, code, below)

    monkeypatch.setattr(OpeningSearch, "find", note)
    assert rank_openings(WORDS, control=control, top=3) == whole
    assert not set(first) & set(seen)
    with pytest.raises(UsageError, match="belongs to another build"):
        rank_openings(GAMES[0], control=control)


def test_a_first_guess_after_which_games_are_too_long_is_kept(tmp_path):
    answers = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]], dtype=np.uint8)
    table = AnswerTable(tuple("abcd"), ("p", "q", "r"), (("no", "yes"),) * 3, answers)
    game, spec = make_table_game(table), SearchSpec(max_length=2)
    whole = rank_openings(game, spec)
    assert [row.code for row in whole.rows] == [4, 5]
    control = SearchControl(folder=tmp_path / "kept")
    assert [rank_openings(game, spec, control) for _ in range(2)] == [whole, whole]


@pytest.mark.parametrize("words", [["ab"], ["ab", "ba"], ["ab", "cd"]])
def test_one_and_two_candidates(words):
    game = CodebookGame(words, ["ac", "zz"], rule="position")
    ranking = rank_openings(game, top=9)
    assert {row.code: row.total for row in ranking.rows} == count_one_by_one(game)


def test_what_cannot_be_ranked():
    with pytest.raises(UsageError, match="at least 1"):
        rank_openings(WORDS, top=0)
    asked = SearchSpec(eligible="hints", history=((3, 1),))
    breach = next(
        word
        for code, word in enumerate(WORDS.words)
        if describe_breach(WORDS, "hints", asked.history, code)
    )
    with pytest.raises(UsageError, match="breaks eligible=hints"):
        rank_openings(WORDS, replace(asked, first=(breach,)))
    with pytest.raises(UsageError, match="not by worst,total"):
        rank_openings(WORDS, SearchSpec(objective="worst,total"))
    with pytest.raises(UsageError, match="candidates, not hints"):
        rank_openings(WORDS.with_goal("identify"), SearchSpec(eligible="hints"))
