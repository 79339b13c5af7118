"""Optimal trees against a recursion without kernels, bounds or symmetry, and known totals."""

from __future__ import annotations

import io
import json

import pytest

import treegen
from treegen import SearchStoppedError, StrategyError, UsageError, open_game, verify

from ..small_games import make_pair
from .searching import OBJECTIVES, build_optimal, search_best
from .test_differential import figures_of, make_play

PEGS = ["p1c4r", "p2c4r", "p3c4n", "p2c4rb", "p2c4nb", "a211", "a22"]


@pytest.mark.parametrize("eligible", ["all", "candidates"])
@pytest.mark.parametrize("name", [*PEGS, "words-pegs", "words-position"])
def test_the_best_tree_is_that_of_a_recursion(name, eligible):
    """By each objective, under each cap from one that no tree keeps."""
    game = make_pair(name)[0] if name.startswith("words") else open_game(name)
    play, secrets, _ = make_play(game, (), eligible)
    _, least, _ = play.best_figures("worst,total", secrets)
    for objective in OBJECTIVES:
        with pytest.raises(UsageError, match="proved"):
            build_optimal(game, objective=objective, eligible=eligible, max_length=least - 1)
        for cap in (None, least):
            options = {"objective": objective, "eligible": eligible, "max_length": cap}
            tree = build_optimal(game, **options)
            best = play.best_figures(objective, secrets, cap=cap)
            assert all(b in (None, a) for a, b in zip(figures_of(tree), best, strict=True))
            assert tree.provenance.bound == tree.total
            tree.check()
            assert not verify(tree).problems


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("p3c5r", 451),
        ("p4c4r", 905),
        ("p4c6n", 1446),
        ("p4c9n", 14914),
        ("p5c5r", 13496),
    ],
)
def test_known_totals_are_found(name, total):
    tree = build_optimal(open_game(name))
    tree.check()
    assert tree.total == tree.provenance.bound == total
    assert not verify(tree).problems


def test_mastermind_objectives():
    game = open_game("p4c6r")
    tree = build_optimal(game, objective="total,worst,n_worst")
    assert (tree.total, tree.worst, tree.n_worst) == (5625, 6, 1)
    assert build_optimal(game, max_length=5).total == 5626
    assert build_optimal(game, objective="worst,total").histogram[-1] == 559
    assert build_optimal(game, eligible="candidates").total == 5660
    with pytest.raises(UsageError):
        build_optimal(game, max_length=4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "total"), [("p4c7r", 11228), ("p4c8r", 20471), ("p4c10n", 26274), ("p6c4r", 17281)]
)
def test_known_totals_of_larger_games(name, total):
    assert build_optimal(open_game(name)).total == total


def test_a_search_that_is_stopped_raises():
    game = open_game("p4c7r")
    seen = []

    def watch(progress):
        seen.append(progress)
        return progress.best is not None

    with pytest.raises(SearchStoppedError):
        build_optimal(game, watch=lambda _: True)
    tree = build_optimal(game, watch=watch, keep_best=True)
    tree.check()
    assert tree.provenance.bound <= 11228 <= tree.total == seen[-1].best
    assert tree.provenance.strategy == "optimal-unproved"


def test_stopped_before_any_tree_gives_a_greedy_one():
    game = open_game("p4c7r")
    tree = build_optimal(game, watch=lambda _: True, keep_best=True)
    tree.check()
    assert not verify(tree).problems
    assert tree.provenance.strategy == "optimal-unproved"
    assert 0 < tree.provenance.bound <= 11228 < tree.total
    capped = build_optimal(game, watch=lambda _: True, keep_best=True, max_length=7)
    assert capped.worst <= 7
    with pytest.raises(SearchStoppedError):
        build_optimal(game, watch=lambda _: True, keep_best=True, max_length=5)


def test_interrupt_is_not_swallowed():
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_optimal(open_game("p4c7r"), watch=interrupt)


def test_log_tells_what_was_done():
    game = open_game("p3c9r")
    log = {}
    tree = build_optimal(game, objective="total,worst,n_worst", max_length=8, log=log)
    written = json.loads(json.dumps(log))
    assert written["objective"] == "total,worst,n_worst"
    assert (written["max_length"], written["eligible"]) == (8, "all")
    assert (written["outcome"], written["bound"]) == ("proved", tree.total)
    assert written["table"]["key_bits"] == 128
    assert written["counts"]["states"] > 1000
    assert written["counts"]["table_hits"] > 0
    stages = [row["stage"] for row in written["course"]]
    assert stages[0] == "total"
    assert stages[-1] == "n_worst"
    bounds = [row["bound"] for row in written["course"]]
    assert bounds == sorted(bounds)
    assert build_optimal(game, max_length=8).total == tree.total


def test_a_matrix_that_does_not_fit_memory_is_refused(monkeypatch):
    monkeypatch.setattr("treegen.exact.engine.responses.read_available_bytes", lambda: 1_000_000)
    with pytest.raises(StrategyError, match=r"p4c6r needs 0.0 GiB of responses"):
        build_optimal(open_game("p4c6r"))


def test_bounds_that_do_not_fit_memory_are_refused(monkeypatch):
    # 11 lengths (0: no limit), 9 responses, 0 to 512 candidates: 406,296 bytes.
    monkeypatch.setattr("treegen.exact.engine.cost.read_available_bytes", lambda: 400_000)
    game = open_game("p3c8r")
    with pytest.raises(StrategyError, match=r"512 candidates with up to 10\D*guesses .*max-length"):
        build_optimal(game, max_length=10)


def test_more_pairs_than_a_search_of_tables_keeps_are_refused():
    with pytest.raises(StrategyError, match="p6c6r has 2,176,782,336 pairs of guess"):
        treegen.build(open_game("p6c6r", goal="identify"), "optimal")


def test_what_no_search_does_is_refused(tmp_path):
    game = open_game("p2c3r")
    with pytest.raises(StrategyError, match="unknown objective 'fewest': there are total;"):
        build_optimal(game, objective="fewest")
    with pytest.raises(UsageError, match="eligible is 'some'"):
        build_optimal(game, eligible="some")
    with pytest.raises(UsageError, match="max_length=0 is out of range"):
        build_optimal(game, max_length=0)
    for search in (build_optimal, search_best):
        with pytest.raises(UsageError):
            search(game, history=((0, 3), (0, 0)))
    for beam in (0, -1, 999999999999999999999):
        with pytest.raises(UsageError, match=r"beam=.* is out of range"):
            search_best(game, beam=beam)
    with pytest.raises(UsageError, match="objective=worst,total is for optimal"):
        search_best(game, objective="worst,total")
    with pytest.raises(UsageError, match="eligible=candidates; objective=total is for optimal"):
        search_best(game, eligible="candidates", folder=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
    with pytest.raises(UsageError, match="every code of p2c3r may be secret"):
        treegen.build(game, "best", eligible="consistent")
    for name in ("optimal", "best"):
        with pytest.raises(UsageError, match=f"ranks by a rule, such as entropy; {name} has none"):
            treegen.advice(game, name)


def test_a_rule_does_not_take_a_first_guess_after_a_history():
    with pytest.raises(UsageError, match="first=11 is a rule's first guess of a game"):
        treegen.build("p2c3r", "knuth", first="11", history="12:10")
    tree = treegen.build("p2c3r", "optimal", first="11", history="12:10")
    assert tree.game.format_code(int(tree.guess[0])) == "11"


def test_options_without_effect_are_refused():
    with pytest.raises(UsageError, match="table_size= has no effect"):
        treegen.build("p3c4r", "optimal", goal="identify", table_size=64)
    words = treegen.Codebook(["crane", "crate", "trace", "eerie"], feedback="position")
    with pytest.raises(UsageError, match="look_ahead= has no effect where there are more"):
        treegen.build(words, "best", look_ahead=1)


def test_logs_hold_what_there_is():
    assert "table" not in read_log("p2c3r", "optimal", goal="identify")
    log = read_log("p2c3r", "best", goal="identify", look_ahead=0)
    assert (log["jobs"], log["look_ahead"]) == (1, 0)
    assert read_log("p2c3r", "optimal")["table"]["seed"] == 20


def read_log(game, search, **options):
    """Return the log that a build writes."""
    written = io.StringIO()
    treegen.build(game, search, log=written, **options)
    return json.loads(written.getvalue())
