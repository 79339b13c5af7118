"""Near-optimal search: complete trees, never below the proved bound, resumable, within a gap."""

from __future__ import annotations

from functools import cache
from io import StringIO

import pytest

import treegen
from treegen import Codebook, UsageError, open_game, verify

from ..pseudo_words import make_word_game
from .searching import build_optimal, search_best

WORDS = make_word_game(60, 150)
"""Words of many answers: one first guess is searched after the other."""

LISTED = make_word_game(30, 45).rules.words
LISTS = {rule: Codebook(LISTED[:30], LISTED[30:], feedback=rule) for rule in ("position", "pegs")}

ALL = 100
"""A beam of this width has all first guesses of words searched."""

SMALL_SLICES = {"min_units": 40, "max_units": 40, "table_s": 0.0}
"""The watch is asked often, and the table of proofs is recorded each time."""


@cache
def find_least(name):
    """Return the least total, which several tests need."""
    return build_optimal(WORDS if name == "words" else open_game(name)).total


@pytest.mark.parametrize("name", ["p1c1r", "p1c5r", "p2c3r", "p3c5r", "p4c4n", "p3c4rb", "words"])
@pytest.mark.parametrize("beam", [1, 4])
def test_tree_is_complete_and_bounded(name, beam):
    tree = search_best(WORDS if name == "words" else open_game(name), beam=beam)
    tree.check()
    assert not verify(tree).problems
    assert tree.provenance.bound <= find_least(name) <= tree.total


@pytest.mark.parametrize("name", ["p3c5r", "p3c5n", pytest.param("p4c5r", marks=pytest.mark.slow)])
def test_looking_further_ahead_raises_the_bound(name):
    game = open_game(name)
    bounds = [search_best(game, beam=1, look_ahead=n).provenance.bound for n in range(5)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == find_least(name)


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


@pytest.mark.parametrize(
    ("name", "n_ahead"), [("p2c4r", 1), ("p3c3r", 0), ("p2c4n", 1), ("p3c3rb", 0)]
)
def test_bound_is_no_weaker_than_the_definition(name, n_ahead):
    game = open_game(name)
    bound = search_best(game, beam=1, look_ahead=n_ahead).provenance.bound
    assert bound_slowly(game, list(range(game.n_secrets)), n_ahead) <= bound
    assert bound <= find_least(name)


def test_wide_beam_finds_the_optimum_of_mastermind():
    assert search_best(open_game("p4c5r"), beam=16).total == find_least("p4c5r")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("p4c4r", {"beam": 2}),
        ("p4c4r", {"beam": 1, "gap": 0.5}),
        ("words", {"beam": 2}),
        ("words", {"beam": ALL}),
    ],
)
def test_jobs_and_workers_do_not_change_the_tree(name, options):
    game = WORDS if name == "words" else open_game(name)
    alone = search_best(game, **options)
    for how in ({"jobs": 2}, {"n_workers": 2}):
        tree = search_best(game, **options, **how)
        assert (tree.digest, tree.provenance) == (alone.digest, alone.provenance)


def test_with_a_clock_the_proof_goes_on_beside_and_ends_the_search():
    seen = []
    tree = search_best(open_game("p4c5r"), watch=seen.append, jobs=2)
    assert (tree.total, tree.provenance.bound) == (2463, 2463)
    bounds = [progress.bound for progress in seen]
    assert all(progress.best is None or progress.bound <= progress.best for progress in seen)
    assert bounds[0] < 2463


def test_a_search_after_a_history_states_it():
    game = open_game("p4c5r")
    history = ((game.parse_code("1122"), 1),)
    tree = search_best(game, history=history, beam=4)
    tree.check()
    assert tree.provenance.history == history
    assert not verify(tree).problems


TABLE = """fault,A,B,C,D,E,F,seen
c0,1|3,c,no,1|2|3,yes|no,?,0
c1,1,b,no,1,yes,no,1
c2,2,c|a|b,no|yes,2,no,often,2
c3,2,b,yes|no,1,no,often|no|rarely,0
c4,1,b|c|a,no|yes,?,yes|no,rarely,0.5
c5,1|3|2,a,yes|no,1,no|yes,rarely,7
c6,1,,yes,2,no,no,0.5
c7,1|2,b,no,2|3|1,no,often|rarely|no,0
cost,2,10,3,2,10,1,
"""


def test_a_finished_search_of_a_table_finds_the_same_bound_again(tmp_path):
    """What its beams have proved meanwhile would prove the total, and change the tree's file."""
    options = {"sets": "|", "weights": "seen", "costs": "cost", "notice": lambda note: None}
    game = open_game(StringIO(TABLE), **options)
    whole = treegen.build(game, "best")
    assert whole.provenance.bound < whole.total
    for _ in range(2):
        tree = treegen.build(game, "best", resume=tmp_path)
        assert (tree, tree.provenance) == (whole, whole.provenance)
    deeper = treegen.build(game, "best", resume=tmp_path, look_ahead=2)
    assert deeper.provenance.bound > whole.provenance.bound


def test_resumed_search_goes_on(tmp_path):
    game = open_game("p3c6r")
    narrow = search_best(game, beam=2, folder=tmp_path)
    assert sorted(tmp_path.iterdir())
    resumed = search_best(game, beam=8, folder=tmp_path)
    assert resumed.total <= narrow.total
    assert resumed.total == search_best(game, beam=8).total
    stopped = search_best(game, watch=lambda _: True, folder=tmp_path)
    assert stopped.total <= resumed.total


@pytest.mark.parametrize("damage", ["text", "empty", "cut", "other"])
def test_damaged_state_is_named_and_done_again(tmp_path, damage):
    game, notices = open_game("p3c4r"), []
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
    game, counts = open_game("p3c4r"), []
    for how in ({}, {"jobs": 2}, {"n_workers": 2}):
        log = {}
        search_best(game, beam=2, log=log, **how)
        counts.append(log["counts"])
    assert counts[0]["states"] > 0
    assert counts == [counts[0]] * 3
    for how in ({}, {"jobs": 2}, {"n_workers": 2}):
        log = {}
        search_best(WORDS, beam=1, log=log, **how)
        assert min(log["counts"]["states"], log["counts"]["guesses"]) > 0


@pytest.mark.parametrize("how", [{}, {"jobs": 2}, {"n_workers": 2}], ids=lambda how: str(how))
def test_states_of_a_sweep_are_counted_while_it_runs(how):
    """A search that is ended may end before its threads do: what they did is counted by then."""
    seen = []
    search_best(WORDS, beam=2, watch=lambda progress: seen.append(progress), **how)
    assert any(each.n_states for each in seen if each.stage == "first guesses")


# --- words: one first guess after the other ------------------------------------------------------


def test_after_all_first_guesses_the_tree_is_proved():
    tree = search_best(WORDS, beam=ALL)
    assert (tree.total, tree.provenance.bound) == (find_least("words"), find_least("words"))
    assert not verify(tree).problems


def test_a_sweep_may_end_at_any_moment():
    seen = []

    def watch(progress):
        seen.append(progress)
        return progress.stage == "first guesses"

    tree = search_best(WORDS, watch=watch)
    assert seen[-1].stage == "first guesses"
    assert not verify(tree).problems
    assert tree.provenance.bound <= tree.total


def test_a_sweep_goes_on_with_the_tree_that_was_kept(tmp_path):
    search_best(WORDS, beam=ALL, folder=tmp_path)
    tree = search_best(WORDS, beam=1, folder=tmp_path, watch=lambda _: True)
    assert tree.total == find_least("words")


def test_a_sweep_of_given_first_guesses():
    first = tuple(WORDS.format_code(code) for code in (3, 100))
    tree = search_best(WORDS, beam=ALL, first=first)
    assert tree.total == build_optimal(WORDS, first=first).total
    assert WORDS.format_code(int(tree.guess[0])) in first
    # Nothing is proved of other first guesses: the name says so.
    assert tree.provenance.strategy == f"best first={'|'.join(first)}"


def test_a_width_that_is_given_is_never_a_sign_for_all(monkeypatch):
    """`--beam 1024` meant all first guesses: the width at which a search without one ends."""
    monkeypatch.setattr("treegen.exact.engine_kernel.EngineKernel.widest", 1)
    narrow = search_best(WORDS, beam=1)
    assert narrow.provenance.bound < narrow.total


# --- with a gap: an exact search after the beams proves it, or finds the best tree ---------------


def is_within(total, bound, gap):
    numerator, denominator = float(gap).as_integer_ratio()
    return total * 100 * denominator <= bound * (100 * denominator + numerator)


@pytest.mark.parametrize("name", ["p1c1r", "p3c4rb", "p4c4r", "words"])
@pytest.mark.parametrize("gap", [0, 0.5, 3, 100])
def test_total_and_bound_stay_within_the_gap(name, gap):
    tree = search_best(WORDS if name == "words" else open_game(name), beam=1, gap=gap)
    assert not verify(tree).problems
    bound = tree.provenance.bound
    assert bound <= find_least(name) <= tree.total
    assert is_within(tree.total, bound, gap)


@pytest.mark.parametrize(("name", "jobs"), [("p4c4n", 1), ("p4c5r", 2), ("p3c5r", 1)])
def test_beams_that_may_go_on_end_with_a_proof(name, jobs, tmp_path):
    """They end where they search every cell in full; what is left to prove is searched then."""
    log, stages = {}, []

    def watch(told):
        stages.append(told.stage)
        return False

    tree = search_best(open_game(name), watch=watch, jobs=jobs, log=log, folder=tmp_path)
    assert tree.provenance.bound == tree.total == find_least(name)
    assert not verify(tree).problems
    assert log["outcome"] == "proved"
    last_beam = max(at for at, stage in enumerate(stages) if stage.startswith("beam"))
    assert "proof" not in stages[:last_beam]


@pytest.mark.parametrize("rule", ["position", "pegs"])
def test_a_gap_by_a_rule_of_play(rule, tmp_path):
    """The beams leave a gap with eligible=consistent and few answers; else each part is solved."""
    game, words = LISTS[rule], {"eligible": "hints" if rule == "position" else "consistent"}
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


@pytest.mark.parametrize("name", ["p4c4r", pytest.param("p4c6r", marks=pytest.mark.slow)])
def test_a_tree_that_keeps_the_gap_stays_and_a_better_one_is_the_best(name):
    game = open_game(name)
    narrow, optimum = search_best(game, beam=1, look_ahead=0), find_least(name)
    assert narrow.total > optimum
    middle = (narrow.provenance.bound + optimum) / 2
    gap = 100 * (narrow.total - middle) / middle
    kept = search_best(game, beam=1, look_ahead=0, gap=gap)
    assert (kept.digest, kept.provenance.rule) == (narrow.digest, narrow.provenance.rule)
    assert narrow.provenance.bound < kept.provenance.bound < optimum
    best = search_best(game, beam=1, look_ahead=0, gap=0)
    assert (best.total, best.provenance.bound) == (optimum, optimum)


def test_no_gap_is_left_after_first_guesses_and_a_history():
    game = open_game("p4c4r")
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
    game = open_game("p4c5r")
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
    game, counts = open_game("p4c5r"), []
    for gap, folder in ((1, tmp_path), (0, tmp_path), (0, tmp_path / "new"), (0, tmp_path)):
        log = {}
        tree = search_best(game, beam=1, look_ahead=0, gap=gap, folder=folder, log=log)
        counts.append(log["counts"]["states"])
    assert tree.total == tree.provenance.bound == 2463
    larger, smaller, alone, again = counts
    assert larger > 0
    assert again < smaller < alone


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
