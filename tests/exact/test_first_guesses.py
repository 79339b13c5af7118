"""First guesses that are given: the best tree that begins with one, whoever searches for it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import GameError, UsageError, open_game, read, verify, write_table

from .. import naive_exact
from ..small_games import make_pair
from .searching import AT_ONCE, build_optimal, search_best

GAMES = ["p2c4r", "p3c3r", "p3c4n", "p2c4rb", "words-pegs", "words-position"]


@cache
def make_twin(name, candidates_only=False):
    """Return the slow search, which several tests ask, of a game."""
    return naive_exact.Search(make_pair(name)[1], candidates_only=candidates_only)


def find_first(name, codes, left=None, **search):
    """Return the least total after each of some first guesses, by the slow search."""
    slow = make_twin(name, **search)
    everything = list(range(slow.rules.n_secrets))
    return [naive_exact.cost_of_guess(slow, code, everything, left) for code in codes]


def write_codes(game, codes):
    return tuple(game.format_code(code) for code in codes)


def is_useful(game, code, candidates):
    replies = game.respond(np.array([code]), candidates)
    return len(set(replies.tolist())) > 1 or replies[0] == game.win


@pytest.mark.parametrize("name", GAMES)
def test_every_first_guess_has_its_least_total(name):
    game, _ = make_pair(name)
    for code, least in enumerate(find_first(name, range(game.n_codes))):
        if not is_useful(game, code, np.arange(game.n_secrets)):
            continue
        tree = build_optimal(game, first=write_codes(game, [code]))
        assert (tree.guess[0], tree.total, tree.provenance.bound) == (code, least, least)


@settings(max_examples=25)
@given(st.data())
def test_the_best_of_several_is_the_first_of_them(data):
    name = data.draw(st.sampled_from(GAMES))
    game, _ = make_pair(name)
    eligible = data.draw(st.sampled_from(["all", "candidates"]))
    cap = data.draw(st.sampled_from([None, 3, 4, 5]))
    codes = st.lists(st.integers(0, game.n_codes - 1), min_size=1, max_size=5, unique=True)
    first = [c for c in data.draw(codes) if is_useful(game, c, np.arange(game.n_secrets))]
    if not first:
        return
    only = eligible == "candidates"
    totals = find_first(name, first, left=cap, candidates_only=only)
    options = {"first": write_codes(game, first), "eligible": eligible, "max_length": cap}
    if min(totals) == math.inf:
        with pytest.raises(UsageError, match="no tree with the first guess"):
            build_optimal(game, **options)
        return
    for jobs in (1, 2):
        tree = build_optimal(game, **options, jobs=jobs, budget=AT_ONCE)
        # Bounds are sorted for a shared search; the order given must still decide.
        assert (tree.total, tree.guess[0]) == (min(totals), first[totals.index(min(totals))])


@pytest.mark.parametrize("history", [(), ((1, 4),)], ids=["start", "after a guess"])
def test_best_begins_with_a_given_guess_too(history, tmp_path):
    game, first = open_game("p3c4r"), ("123", "134")
    tree = search_best(game, beam=2, first=first, history=history, folder=tmp_path)
    assert game.format_code(int(tree.guess[0])) in first
    assert tree.provenance.strategy == "best first=123|134"
    least = build_optimal(game, first=first, history=history).total
    assert tree.provenance.bound <= least <= tree.total
    options = {"first": first, "history": history, "watch": lambda _: True}
    for ended in (search_best(game, **options), build_optimal(game, keep_best=True, **options)):
        assert game.format_code(int(ended.guess[0])) in first
        assert not verify(ended).problems
        assert ended.provenance.strategy.endswith(" first=123|134")


def test_the_file_tells_what_was_given_and_verify_checks_it(tmp_path):
    tree = build_optimal(open_game("p3c4r"), first=("123",))
    report = verify(tree)
    assert "first" in {claim.name for claim in report.claims if claim.state == "checked"}
    report = verify(tree, prove=True)
    assert (report.problems, report.unchecked) == ((), [])
    # The least total below 123 is not the least of all: without the guess it would be wrong.
    forged = replace(tree, provenance=replace(tree.provenance, strategy="optimal"))
    report = verify(forged, prove=True)
    assert "finds a tree of total 206" in report.problems[0]
    other = replace(tree, provenance=replace(tree.provenance, strategy="optimal first=112"))
    assert "the file claims the first guess 112; its tree begins with 123" in str(
        verify(other).problems
    )
    write_table(tree, tmp_path / "x.tgt")
    table = read(tmp_path / "x.tgt")
    report = verify(table, prove=True)
    assert (report.problems, report.unchecked) == ((), [])


def test_useless_first_guesses_are_refused():
    game, _ = make_pair("words-position")
    with pytest.raises(UsageError, match="zzzzz gains no information"):
        build_optimal(game, first=("zzzzz",))
    assert build_optimal(game, first=("zzzzz", "crane")).guess[0] == 0
    with pytest.raises(GameError, match="'qqqqq'"):
        build_optimal(game, first=("qqqqq",))
    with pytest.raises(UsageError, match="zzzzz gains no information"):
        search_best(game, first=("zzzzz",))
