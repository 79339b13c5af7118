"""Near-optimal trees of games of many responses: one first guess after the other."""

from __future__ import annotations

import pytest

from treegen import verify

from ..pseudo_words import make_word_game
from .searching import build_optimal, search_best

ALL = 100
"""A beam of this width has all first guesses of the game searched."""


@pytest.fixture(scope="module")
def game():
    return make_word_game(60, 150)


@pytest.fixture(scope="module")
def optimum(game):
    return build_optimal(game).total


def test_after_all_first_guesses_the_tree_is_proved(game, optimum):
    tree = search_best(game, beam=ALL)
    assert (tree.total, tree.provenance.bound) == (optimum, optimum)
    assert not verify(tree).problems
    assert search_best(game, beam=ALL, jobs=2).digest == tree.digest


def test_after_some_of_them_it_is_complete_and_bounded(game, optimum):
    tree = search_best(game, beam=1)
    assert tree.provenance.bound <= optimum <= tree.total
    assert not verify(tree).problems


def test_a_sweep_may_end_at_any_moment(game):
    seen = []

    def watch(progress):
        seen.append(progress)
        return progress.stage == "first guesses"

    tree = search_best(game, watch=watch)
    assert seen[-1].stage == "first guesses"
    assert not verify(tree).problems
    assert tree.provenance.bound <= tree.total


def test_a_sweep_goes_on_with_the_tree_that_was_kept(game, optimum, tmp_path):
    search_best(game, beam=ALL, folder=tmp_path)
    tree = search_best(game, beam=1, folder=tmp_path, watch=lambda _: True)
    assert tree.total == optimum


def test_a_sweep_of_given_first_guesses(game):
    first = tuple(game.format_code(code) for code in (3, 100))
    tree = search_best(game, beam=ALL, first=first)
    assert tree.total == build_optimal(game, first=first).total
    assert game.format_code(int(tree.guess[0])) in first
    # Nothing is proved of other first guesses: the name says so.
    assert tree.provenance.strategy == f"best first={'|'.join(first)}"


def test_a_width_that_is_given_is_never_a_sign_for_all(game, monkeypatch):
    """`--beam 1024` meant all first guesses: the width at which a search without one ends."""
    monkeypatch.setattr("treegen.exact.engine_kernel.EngineKernel.widest", 1)
    narrow = search_best(game, beam=1)
    assert narrow.provenance.bound < narrow.total


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_log_counts_the_work_of_all_threads(game, jobs):
    log = {}
    search_best(game, beam=1, jobs=jobs, log=log)
    assert log["counts"]["states"] > 0
    assert log["counts"]["guesses"] > 0
