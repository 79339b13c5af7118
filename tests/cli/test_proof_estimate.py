"""What is said of a long proof or build before it begins."""

from __future__ import annotations

import pytest

from treegen.builder import choose as plan
from treegen.cli.build import (
    RestOfProof,
    announce_build,
    announce_proof,
    describe_rest,
    write_estimate,
)
from treegen.exact import estimates
from treegen.exact.estimates import Estimate
from treegen.exact.request import SearchProgress
from treegen.games.codebook import CodebookGame
from treegen.games.names import parse_game
from treegen.job import describe_gap
from treegen.strategies.named import parse_strategy

DAY_S = 86400


def test_a_search_tells_how_long_it_will_still_take():
    assert describe_rest(600, 100, 50) == ", about 4 minutes to go"
    assert describe_rest(600, 900, 3600) == ", about 30 minutes to go"
    assert describe_rest(None, 100, 50) == describe_rest(600, 1, 1) == ""


def test_the_gap_is_shown_as_it_shrinks():
    gaps = [describe_gap(SearchProgress("total", bound, 110, 0)) for bound in (0, 100, 110)]
    assert gaps == [
        "bound 0, best 110",
        "bound 100, best 110, gap 10.0 %",
        "bound 110, best 110, gap 0.0 %",
    ]
    assert describe_gap(SearchProgress("rules", 5, None, 0)) == "bound 5, best none yet"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (600, "about 10 minutes"),
        (10 * 3600, "about 10 hours"),
        (364 * DAY_S, "about 364 days"),
        (366 * DAY_S, "more than a year"),
        (1e18, "more than a year"),
    ],
)
def test_an_estimate_is_written_in_units_that_fit(seconds, words, monkeypatch, capsys):
    monkeypatch.setattr(estimates, "estimate_proof", lambda _: Estimate(seconds, 1.0))
    announce_proof(parse_game("p2c3r"), None)
    assert f"the proof may take {words} of one core;" in capsys.readouterr().err


def test_an_estimate_comes_with_what_it_may_be():
    assert (
        write_estimate(Estimate(600, 3.0))
        == "about 10 minutes of one core (3 minutes to 30 minutes)"
    )
    assert write_estimate(Estimate(70, 3.0)) == (
        "about a minute of one core (less than a minute to 4 minutes)"
    )
    assert write_estimate(Estimate(1e18, 3.0)) == "more than a year of one core"


def test_the_leading_guess_corrects_the_estimate(monkeypatch):
    rest = RestOfProof(None)
    for stage, cpu_s in (("rules", 1), ("leading guess", 2), ("leading guess", 40), ("total", 41)):
        rest.note(stage, cpu_s)
    assert rest.lead_s == 41
    rest.note("n_worst", 99)
    assert rest.lead_s == 41
    assert describe_rest(6000, 60, 60, 41) == ", about 2 minutes to go"
    assert describe_rest(62, 60, 60, 41) == ", less than a minute to go"


def test_a_long_build_of_a_codebook_is_announced(monkeypatch, capsys):
    game = CodebookGame(["crane", "trace", "react"], rule="position")
    strategy = parse_strategy("knuth", game)
    announce_build(game, strategy)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(plan, "POSITION_PEG_S", 200.0)  # as if there were very many words
    announce_build(game, strategy)
    said = capsys.readouterr().err
    assert said == "the build may take about 2 hours of one core and 0 MB of memory for the tree\n"
