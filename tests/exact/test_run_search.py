"""Searches by name: one place chooses, for the library and for the command line."""

from __future__ import annotations

import io
import json

import pytest

import treegen
from treegen import StrategyError, UsageError, open_game

from .searching import OBJECTIVES, build_optimal, search_best


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_has_a_search(objective):
    tree = treegen.build("p2c4r", "optimal", objective=objective)
    assert tree.provenance.objective == objective


def test_a_search_refuses_what_none_does():
    game = open_game("p2c3r")
    with pytest.raises(StrategyError, match="unknown objective 'fewest': there are total;"):
        build_optimal(game, objective="fewest")
    with pytest.raises(UsageError, match="eligible is 'some'"):
        build_optimal(game, eligible="some")
    with pytest.raises(UsageError, match="max_length=0 is out of range"):
        build_optimal(game, max_length=0)
    with pytest.raises(UsageError, match="beam=0 is out of range"):
        search_best(game, beam=0)


def test_best_refuses_what_belongs_to_optimal():
    with pytest.raises(UsageError, match="objective=worst,total is for optimal"):
        search_best(open_game("p2c3r"), objective="worst,total")


def test_best_of_the_library_is_asked_for_what_it_does(tmp_path):
    """It took any guess where candidates alone were asked for."""
    with pytest.raises(UsageError, match="eligible=candidates; objective=total is for optimal"):
        search_best(open_game("p3c4r"), eligible="candidates", folder=tmp_path / "kept")
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
    ],
)
def test_options_without_effect_are_refused(game, search, options, what):
    goal = options.pop("goal", "win")
    if game == "words":
        game = treegen.Codebook(["crane", "crate", "trace", "eerie"], feedback="position")
    with pytest.raises(UsageError, match=what):
        treegen.build(treegen.open_game(game, goal=goal), search, **options)


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
