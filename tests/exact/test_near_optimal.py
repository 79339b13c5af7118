"""Near-optimal search: complete trees, never below the proved bound, resumable."""

from __future__ import annotations

import pytest

from treegen import open_game, verify

from ..pseudo_words import make_word_game
from .searching import build_optimal, search_best


@pytest.mark.parametrize("name", ["p1c1r", "p1c5r", "p2c3r", "p3c5r", "p4c4n", "p3c4rb", "p4c6r"])
@pytest.mark.parametrize("beam", [1, 4])
def test_tree_is_complete_and_bounded(name, beam):
    game = open_game(name)
    tree = search_best(game, beam=beam)
    tree.check()
    assert not verify(tree).problems
    optimum = build_optimal(game).total
    assert tree.provenance.bound <= optimum <= tree.total


@pytest.mark.parametrize(
    "name",
    ["p3c5r", "p4c4r", "p3c5n"]
    + [pytest.param(name, marks=pytest.mark.slow) for name in ("p4c5r", "p4c6r")],
)
def test_looking_further_ahead_raises_the_bound(name):
    game = open_game(name)
    optimum = build_optimal(game).total
    bounds = [search_best(game, beam=1, look_ahead=n).provenance.bound for n in range(5)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == optimum


def bound_slowly(game, candidates, n_ahead):
    """Return the bound by the definition: all guesses and cells, then what the sizes allow."""
    n = len(candidates)
    if n < 3:
        return 2 * n - 1
    best = 10**9
    for guess in range(game.n_codes):
        cells = {}
        for secret in candidates:
            cells.setdefault(game.score(guess, secret), []).append(secret)
        if len(cells) == 1:
            continue
        rest = [cell for response, cell in cells.items() if response != game.win]
        if n_ahead:
            cost = sum(bound_slowly(game, cell, n_ahead - 1) for cell in rest)
        else:
            cost = sum(2 * len(cell) - 1 for cell in rest)
        best = min(best, n + cost)
    return best


@pytest.mark.parametrize("name", ["p2c4r", "p3c3r", "p2c4n", "p3c3rb"])
@pytest.mark.parametrize("n_ahead", [0, 1])
def test_bound_is_no_weaker_than_the_definition(name, n_ahead):
    game = open_game(name)
    bound = search_best(game, beam=1, look_ahead=n_ahead).provenance.bound
    assert bound_slowly(game, list(range(game.n_secrets)), n_ahead) <= bound
    assert bound <= build_optimal(game).total


def test_wide_beam_finds_the_optimum_of_mastermind():
    assert search_best(open_game("p4c6r"), beam=16).total == 5625


def test_jobs_do_not_change_the_tree():
    game = open_game("p4c6r")
    assert search_best(game, beam=4).digest == search_best(game, beam=4, jobs=2).digest


def test_workers_do_not_change_the_tree():
    game, words = open_game("p4c5r"), make_word_game(60, 150)
    for each in (game, words):
        alone = search_best(each, beam=2)
        tree = search_best(each, beam=2, n_workers=2)
        assert (tree.digest, tree.provenance) == (alone.digest, alone.provenance)


def test_with_a_clock_the_proof_goes_on_beside_and_ends_the_search():
    seen = []
    tree = search_best(open_game("p4c5r"), watch=seen.append, jobs=2)
    assert (tree.total, tree.provenance.bound) == (2463, 2463)
    bounds = [progress.bound for progress in seen]
    assert all(progress.best is None or progress.bound <= progress.best for progress in seen)
    assert bounds[0] < 2463


def test_first_tree_is_finished_whatever_the_limit():
    game = open_game("p4c6r")
    tree = search_best(game, watch=lambda _: True)
    tree.check()
    assert tree.n_secrets == game.n_secrets


def test_a_search_after_a_history_states_it():
    game = open_game("p4c6r")
    history = ((game.parse_code("1122"), 1),)
    tree = search_best(game, history=history, beam=4)
    tree.check()
    assert tree.provenance.history == history
    assert not verify(tree).problems


def test_resumed_search_goes_on(tmp_path):
    game = open_game("p4c6r")
    narrow = search_best(game, beam=2, folder=tmp_path)
    files = sorted(tmp_path.iterdir())
    assert files
    resumed = search_best(game, beam=8, folder=tmp_path)
    assert resumed.total <= narrow.total
    assert resumed.total == search_best(game, beam=8).total
    stopped = search_best(game, watch=lambda _: True, folder=tmp_path)
    assert stopped.total <= resumed.total


@pytest.mark.parametrize("damage", ["text", "empty", "cut", "other"])
def test_damaged_state_is_named_and_done_again(tmp_path, damage):
    game, notices = open_game("p3c5r"), []
    whole = search_best(game, beam=1, folder=tmp_path, notice=notices.append)
    assert notices == []
    (path,) = tmp_path.glob("*.part")
    data = path.read_bytes()
    damaged = {"text": b"no state", "empty": b"", "cut": data[:-40], "other": data[::-1]}
    path.write_bytes(damaged[damage])
    again = search_best(game, beam=1, folder=tmp_path, notice=notices.append)
    assert again.digest == whole.digest
    (notice,) = notices
    assert notice.startswith(f"{path}: ")
    assert notice.endswith("; it is done again")
    search_best(game, beam=1, folder=tmp_path, notice=notices.append)
    assert len(notices) == 1


def test_threads_end_together_and_keep_what_they_found():
    game = open_game("p4c7r")
    n_looks = 0

    def watch(progress):
        nonlocal n_looks
        n_looks += 1
        if progress.best is not None and n_looks > 20:
            raise KeyboardInterrupt
        return False

    tree = search_best(game, beam=64, jobs=2, watch=watch)
    tree.check()
    assert not verify(tree).problems


def test_the_log_counts_the_work_wherever_it_is_done():
    game, counts = open_game("p3c5r"), []
    for how in ({}, {"jobs": 2}, {"n_workers": 2}):
        log = {}
        search_best(game, beam=2, log=log, **how)
        counts.append(log["counts"])
    assert counts[0]["states"] > 0
    assert counts == [counts[0]] * 3
