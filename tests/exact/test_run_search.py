"""Searches by name: one place chooses, for the library and for the command line."""

from __future__ import annotations

import pytest

import treegen
from treegen.errors import StrategyError, UsageError
from treegen.exact import request, solver
from treegen.exact.engine.pace import TimeBudget
from treegen.exact.request import SearchControl, SearchLog, SearchSpec
from treegen.exact.run import run_search
from treegen.games.names import parse_game
from treegen.strategies.named import list_objectives
from treegen.tasks import work

from .searching import search_best

AT_ONCE = TimeBudget(alone_s=-1.0, min_units=5, max_units=5)


@pytest.mark.parametrize(("jobs", "want"), [(1, []), (3, [3]), (64, [4]), (None, [4])])
def test_build_hands_its_jobs_to_the_search(monkeypatch, jobs, want):
    """But never more than there are cores."""
    seen = []

    class Recorded(solver.ThreadedSearch):
        def __init__(self, root, search, make_search, n_jobs, budget):
            seen.append(n_jobs)
            super().__init__(root, search, make_search, n_jobs, budget)

    monkeypatch.setattr(solver, "ThreadedSearch", Recorded)
    monkeypatch.setattr(request, "TimeBudget", lambda: AT_ONCE)
    monkeypatch.setattr(work, "count_cores", lambda: 4)
    tree = treegen.build("p3c4r", "optimal", jobs=jobs)
    assert (tree.total, seen) == (206, want)


@pytest.mark.parametrize("objective", list_objectives())
def test_every_objective_has_a_search(objective):
    tree = run_search(parse_game("p2c4r"), "optimal", SearchSpec(objective))
    assert tree.provenance.objective == objective


def test_a_spec_refuses_what_no_search_does():
    with pytest.raises(StrategyError, match="unknown objective 'fewest': there are total;"):
        SearchSpec("fewest")
    with pytest.raises(UsageError, match="eligible is 'some'"):
        SearchSpec(eligible="some")
    with pytest.raises(UsageError, match="max_length=0 is out of range"):
        SearchSpec(max_length=0)
    with pytest.raises(UsageError, match="beam=0 is out of range"):
        SearchSpec(beam=0)


def test_best_refuses_what_belongs_to_optimal():
    game = parse_game("p2c3r")
    with pytest.raises(UsageError, match="objective=worst,total is for optimal"):
        run_search(game, "best", SearchSpec("worst,total"))
    with pytest.raises(StrategyError, match="unknown search 'quick': there are optimal and best"):
        run_search(game, "quick", control=SearchControl())


def test_best_of_the_library_is_asked_for_what_it_does(tmp_path):
    """It took any guess where candidates alone were asked for."""
    with pytest.raises(UsageError, match="eligible=candidates; objective=total is for optimal"):
        search_best(parse_game("p3c4r"), eligible="candidates", folder=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_best_says_that_consistent_means_candidates():
    with pytest.raises(UsageError, match="every code of p2c3r may be secret"):
        treegen.build("p2c3r", "best", eligible="consistent")


def test_a_rule_does_not_take_a_first_guess_after_a_history():
    with pytest.raises(UsageError, match="first=11 is a rule's first guess of a game"):
        treegen.build("p2c3r", "knuth", first="11", history="12:10")
    tree = treegen.build("p2c3r", "optimal", first="11", history="12:10")
    assert tree.game.format_code(int(tree.guess[0])) == "11"


@pytest.mark.parametrize(
    ("game", "search", "options", "what"),
    [
        ("p3c4r", "optimal", {"goal": "identify", "table_size": 64}, "table_size= has no effect"),
        ("words", "best", {"look_ahead": 1}, "look_ahead= has no effect where there are more"),
        ("p3c4r", "best", {"goal": "identify", "gap": 1}, "a gap cannot be proved with costs"),
    ],
)
def test_options_without_effect_are_refused(game, search, options, what):
    goal = options.pop("goal", "win")
    if game == "words":
        game = treegen.Codebook(["crane", "crate", "trace", "eerie"], feedback="position")
    with pytest.raises(UsageError, match=what):
        treegen.build(treegen.open_game(game, goal=goal), search, **options)


def test_logs_hold_what_there_is():
    log = SearchLog()
    treegen.build(parse_game("p2c3r").with_goal("identify"), "optimal", log=log)
    assert "table" not in log.settings
    treegen.build(parse_game("p2c3r").with_goal("identify"), "best", log=log, look_ahead=0)
    assert (log.settings["jobs"], log.settings["look_ahead"]) == (1, 0)
    treegen.build("p2c3r", "optimal", log=log)
    assert log.settings["table"]["seed"] == 20
