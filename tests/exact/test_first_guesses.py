"""First guesses that are given: the best tree that begins with one, whoever searches for it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import GameError, UsageError, open_game, read, verify, write_table

from .. import naive_exact
from ..small_games import list_candidates, make_pair
from .searching import OBJECTIVES, build_optimal, search_best

AT_ONCE = {"alone_s": -1.0, "min_units": 5, "max_units": 5}
GAMES = ["p2c4r", "p3c3r", "p3c4n", "p2c4rb", "words-pegs", "words-position"]


def find_first(name, codes, candidates=None, left=None, **search):
    """Return the least total after each of some first guesses, by the slow search."""
    _, rules = make_pair(name)
    slow = naive_exact.Search(rules, **search)
    everything = list(range(rules.n_secrets)) if candidates is None else candidates
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


@settings(max_examples=40)
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


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_holds_below_the_given_guess(objective):
    game = open_game("p3c4r")
    names = [name.strip() for name in objective.split(",")]

    def value(tree):
        figures = {"total": tree.total, "worst": tree.worst, "n_worst": tree.histogram[-1]}
        return [figures[name] for name in names]

    each = [build_optimal(game, objective=objective, first=(code,)) for code in ("111", "112")]
    assert [game.format_code(int(tree.guess[0])) for tree in each] == ["111", "112"]
    both = build_optimal(game, objective=objective, first=("111", "112"))
    assert value(both) == min(map(value, each))
    assert both.provenance.rule == f"eligible=all; objective={objective}; first=111|112"


def test_a_given_guess_follows_a_history():
    game = open_game("p3c3r")
    history = ((1, 4),)
    candidates = list_candidates(game, history)
    assert len(candidates) > 3
    for code in range(game.n_codes):
        if is_useful(game, code, candidates):
            tree = build_optimal(game, history=history, first=write_codes(game, [code]))
            assert [tree.total] == find_first("p3c3r", [code], candidates)


@pytest.mark.parametrize("n", [1, 2])
def test_a_given_guess_where_one_or_two_candidates_are_left(n):
    game = open_game("p3c4r")
    history = next(
        ((code, reply),)
        for code in range(game.n_codes)
        for reply in range(game.n_responses - 1)
        if len(list_candidates(game, ((code, reply),))) == n
    )
    candidates = list_candidates(game, history)
    for code in range(game.n_codes):
        if is_useful(game, code, candidates):
            tree = build_optimal(game, history=history, first=write_codes(game, [code]))
            assert (tree.guess[0], verify(tree).problems) == (code, ())
            assert [tree.total] == find_first("p3c4r", [code], candidates)


def test_workers_and_threads_find_the_same_tree(tmp_path):
    game, first = open_game("p4c4r"), ("1234", "1122", "1123")
    alone = build_optimal(game, first=first)
    assert build_optimal(game, first=first, jobs=3, budget=AT_ONCE).digest == alone.digest
    shared = build_optimal(game, first=first, n_workers=2, budget=AT_ONCE)
    assert shared.digest == alone.digest
    kept = [build_optimal(game, first=first, folder=tmp_path, budget=AT_ONCE) for _ in range(2)]
    assert [tree.digest for tree in kept] == [alone.digest] * 2
    with pytest.raises(UsageError, match="first=1122"):
        build_optimal(game, first=("1122",), folder=tmp_path, budget=AT_ONCE)


@pytest.mark.parametrize("history", [(), ((1, 4),)], ids=["start", "after a guess"])
def test_best_begins_with_a_given_guess_too(history, tmp_path):
    game, first = open_game("p3c4r"), ("123", "134")
    tree = search_best(game, beam=2, first=first, history=history, folder=tmp_path)
    assert game.format_code(int(tree.guess[0])) in first
    assert tree.provenance.strategy == "best first=123|134"
    least = build_optimal(game, first=first, history=history).total
    assert tree.provenance.bound <= least <= tree.total
    ended = search_best(game, first=first, history=history, watch=lambda _: True)
    assert game.format_code(int(ended.guess[0])) in first
    assert not verify(ended).problems


def test_an_ended_search_begins_with_a_given_guess():
    game = open_game("p4c4r")
    tree = build_optimal(game, first=("1234",), keep_best=True, watch=lambda _: True)
    assert (game.format_code(int(tree.guess[0])), tree.provenance.strategy) == (
        "1234",
        "optimal-unproved first=1234",
    )


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
