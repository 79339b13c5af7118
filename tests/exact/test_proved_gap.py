"""best with a gap: an exact search after the beams proves it, or finds the best tree."""

from __future__ import annotations

import pytest

import treegen
from treegen import Codebook, UsageError, open_game, verify

from ..pseudo_words import make_word_game
from .searching import build_optimal, search_best

LISTED = make_word_game(40, 60).rules.words
WORDS = {rule: Codebook(LISTED[:40], LISTED[40:], feedback=rule) for rule in ("position", "pegs")}
SMALL_SLICES = {"min_units": 40, "max_units": 40, "table_s": 0.0}
"""The watch is asked often, and the table of proofs is recorded each time."""


def is_within(total, bound, gap):
    numerator, denominator = float(gap).as_integer_ratio()
    return total * 100 * denominator <= bound * (100 * denominator + numerator)


@pytest.mark.parametrize("name", ["p1c1r", "p2c3r", "p3c5r", "p4c4n", "p3c4rb", "p4c5r", "words"])
@pytest.mark.parametrize("gap", [0, 0.5, 3, 100])
def test_total_and_bound_stay_within_the_gap(name, gap):
    game = make_word_game(60, 150) if name == "words" else open_game(name)
    tree, optimum = search_best(game, beam=1, gap=gap), build_optimal(game).total
    assert not verify(tree).problems
    bound = tree.provenance.bound
    assert bound <= optimum <= tree.total
    assert is_within(tree.total, bound, gap)


@pytest.mark.parametrize("name", ["p3c5r", "p4c4n", "p4c5r"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_beams_that_may_go_on_end_with_a_proof(name, jobs, tmp_path):
    """They end where they search every cell in full; what is left to prove is searched then."""
    log, stages = {}, []

    def watch(told):
        stages.append(told.stage)
        return False

    tree = search_best(open_game(name), watch=watch, jobs=jobs, log=log, folder=tmp_path)
    assert tree.provenance.bound == tree.total == build_optimal(open_game(name)).total
    assert not verify(tree).problems
    assert log["outcome"] == "proved"
    last_beam = max(at for at, stage in enumerate(stages) if stage.startswith("beam"))
    assert "proof" not in stages[:last_beam]


@pytest.mark.parametrize("rule", ["position", "pegs"])
def test_a_gap_by_a_rule_of_play(rule, tmp_path):
    """The beams leave a gap with eligible=consistent and few answers; else each part is solved."""
    game, words = WORDS[rule], {"eligible": "hints" if rule == "position" else "consistent"}
    optimum = build_optimal(game, **words).total
    alone = search_best(game, beam=1, gap=0, **words)
    assert (alone.total, alone.provenance.bound) == (optimum, optimum)
    assert verify(alone, eligible=words["eligible"]).is_sound
    wide = search_best(game, beam=1, gap=5, folder=tmp_path, **words)
    assert wide.provenance.bound <= optimum <= wide.total
    assert is_within(wide.total, wide.provenance.bound, 5)
    for how in ({"jobs": 2}, {"n_workers": 2}, {"folder": tmp_path}):
        tree = search_best(game, beam=1, gap=0, **words, **how)
        assert (tree.total, tree.provenance.bound) == (optimum, optimum)
    with pytest.raises(UsageError, match=words["eligible"]):
        search_best(game, beam=1, gap=0, folder=tmp_path)


@pytest.mark.parametrize("name", ["p4c4r", "p4c6r"])
def test_a_tree_that_keeps_the_gap_stays_and_a_better_one_is_the_best(name):
    game = open_game(name)
    narrow, optimum = search_best(game, beam=1, look_ahead=0), build_optimal(game).total
    assert narrow.total > optimum
    middle = (narrow.provenance.bound + optimum) / 2
    gap = 100 * (narrow.total - middle) / middle
    kept = search_best(game, beam=1, look_ahead=0, gap=gap)
    assert (kept.digest, kept.provenance.rule) == (narrow.digest, narrow.provenance.rule)
    assert narrow.provenance.bound < kept.provenance.bound < optimum
    best = search_best(game, beam=1, look_ahead=0, gap=0)
    assert (best.total, best.provenance.bound) == (optimum, optimum)


def test_jobs_and_workers_do_not_change_the_tree():
    game = open_game("p4c6r")
    alone = search_best(game, beam=1, gap=0.5)
    shared = search_best(game, beam=1, gap=0.5, jobs=2)
    elsewhere = search_best(game, beam=1, gap=0.5, n_workers=2)
    for tree in (shared, elsewhere):
        assert (tree.digest, tree.provenance) == (alone.digest, alone.provenance)


def test_no_gap_is_left_after_first_guesses_and_a_history():
    game = open_game("p4c5r")
    history = ((game.parse_code("1122"), 1),)
    for given_first in ((), ("1344",)):
        tree = search_best(game, beam=1, history=history, first=given_first, gap=0)
        optimum = build_optimal(game, history=history, first=given_first)
        assert tree.provenance.bound == tree.total == optimum.total


def end_in_proof(n_looks):
    """Return a watch that ends the proof when it is asked so often during it, and what it saw."""
    seen = []

    def watch(progress):
        if progress.stage == "proof" and progress.n_states:
            seen.append(progress)
        return len(seen) >= n_looks

    return watch, seen


def test_an_ended_proof_leaves_a_tree_and_its_bound_and_goes_on(tmp_path):
    game = open_game("p4c6r")
    what = {"beam": 1, "look_ahead": 0, "gap": 0}
    whole = search_best(game, **what)
    watch, seen = end_in_proof(3)
    ended = search_best(game, watch=watch, folder=tmp_path, budget=SMALL_SLICES, **what)
    assert len(seen) >= 3
    assert not verify(ended).problems
    assert ended.provenance.bound < whole.total <= ended.total
    assert [path.name[:5] for path in (tmp_path / "proof").glob("*.part")] == ["table"]
    resumed = search_best(game, folder=tmp_path, budget=SMALL_SLICES, **what)
    assert resumed.total == resumed.provenance.bound == whole.total
    assert [path.name[:5] for path in (tmp_path / "proof").glob("*.part")] == ["table"]


def test_a_smaller_gap_begins_with_what_a_larger_one_has_proved(tmp_path):
    game, counts = open_game("p4c6r"), []
    for gap, folder in ((1, tmp_path), (0, tmp_path), (0, tmp_path / "new"), (0, tmp_path)):
        log = {}
        tree = search_best(game, beam=1, look_ahead=0, gap=gap, folder=folder, log=log)
        counts.append(log["counts"]["states"])
    assert tree.total == tree.provenance.bound == 5625
    larger, smaller, alone, again = counts
    assert larger > 0
    assert again < smaller < alone


def test_the_folder_of_another_search_is_refused(tmp_path):
    search_best(open_game("p3c4r"), beam=1, gap=0, folder=tmp_path)
    with pytest.raises(UsageError, match="p3c4r"):
        search_best(open_game("p3c5r"), beam=1, gap=0, folder=tmp_path)


@pytest.mark.parametrize("gap", [-1, 100.5, float("nan"), float("inf")])
def test_a_gap_that_is_none_is_refused(gap):
    with pytest.raises(UsageError, match="from 0 to 100"):
        search_best(open_game("p3c4r"), gap=gap)


@pytest.mark.parametrize("gap", [0, 10, 50])
def test_searches_of_other_kinds_prove_it(gap):
    words = treegen.Codebook(["abc", "abd", "bcd", "cab", "dcb", "dab"], feedback="position")
    for game in (
        words.with_stakes(None, [1, 2, 1, 2, 1, 2]),
        words.with_stakes([2, 1, 5, 1, 1, 3], [1, 2, 1, 2, 1, 2]),
        open_game("p2c4r").with_goal("identify"),
    ):
        least, tree = treegen.build(game, "optimal").total, treegen.build(game, "best", gap=gap)
        assert tree.provenance.bound <= least <= tree.total
        assert 100 * tree.total <= (100 + gap) * tree.provenance.bound


def test_a_log_has_no_width_for_what_was_searched_in_full():
    log = {}
    search_best(open_game("p3c5r"), beam=1, gap=0, log=log)
    assert set(log["widths"].values()) == {None}
