"""How long a proof or a build may take, as is said before it begins; no test can wait for one."""

from __future__ import annotations

import pytest

from treegen import Codebook, open_game
from treegen.builder import choose as plan
from treegen.cli.build import (
    RestOfProof,
    announce_build,
    announce_proof,
    describe_rest,
    write_estimate,
)
from treegen.exact import estimates
from treegen.exact.estimates import WORDS, Estimate, estimate_proof
from treegen.exact.request import SearchProgress
from treegen.job import describe_gap
from treegen.strategies.named import parse_strategy

from ..pseudo_words import make_words

DAY_S = 86400

HELD_OUT_S = {"p3c11r": 0.4, "p3c13r": 4.25, "p3c14r": 12.9, "p4c7r": 0.3, "p4c8r": 1.48}
HELD_OUT_S |= {"p4c10r": 257, "p5c6r": 32, "p5c7r": 511, "p3c13n": 0.79, "p4c10n": 1.75}
HELD_OUT_S |= {"p4c11n": 29.5, "p5c8n": 33, "p3c7rb": 2.89, "p3c9nb": 2.15, "p4c7nb": 4.83}
HELD_OUT_S |= {"p3c8rb": 72, "p2c25r": 0.29, "p3c15r": 58, "p3c16r": 123, "p3c14n": 4.12}
HELD_OUT_S |= {"p3c15n": 12.5, "p3c16n": 25.9, "p4c12n": 425, "p3c10nb": 104.5}
"""Measured, and not used for the scales."""

POWER_FROM_S = {"p2c13rb": 3.0, "p2c14rb": 4.5, "p2c15rb": 126}
"""No power holds beyond them, so the range that is told is wider."""

OUT_OF_REACH_S = {"p5c8r": 20_000, "p6c6r": 86_400}


@pytest.mark.parametrize("name", [*HELD_OUT_S, *POWER_FROM_S, *OUT_OF_REACH_S])
def test_the_estimate_of_a_proof_encloses_its_measured_time(name):
    estimate = estimate_proof(open_game(name))
    if name in HELD_OUT_S:
        assert estimate.factor == 3
        assert estimate.least <= HELD_OUT_S[name] <= estimate.most
    elif name in POWER_FROM_S:
        assert estimate.factor == 10
        assert estimate.seconds / 3 <= POWER_FROM_S[name] <= estimate.seconds * 3
    else:
        assert estimate.seconds >= OUT_OF_REACH_S[name]


def test_words_of_many_responses_are_estimated_by_their_pairs():
    words = make_words(300)
    assert estimate_proof(Codebook(words, feedback="position")) == WORDS(300 * 300)
    # Lists of Wordle's, not used for the fit: the original ones, 2022-08, 2023-07.
    for n_pairs, seconds in ((2315 * 12_972, 150), (2309 * 14_855, 163), (3158 * 14_855, 1037)):
        estimate = WORDS(n_pairs)
        assert estimate.least <= seconds <= estimate.most


def test_what_is_not_known_is_not_estimated():
    weighted = Codebook(make_words(300), feedback="position").with_stakes([2, *[1] * 299])
    assert estimate_proof(Codebook(make_words(300), feedback="pegs")) is None
    assert estimate_proof(weighted) is None
    assert estimate_proof(open_game("p8c2r")) is estimate_proof(open_game("p7c2rb")) is None


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
    announce_proof(open_game("p2c3r"), None)
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
    game = Codebook(["crane", "trace", "react"], feedback="position")
    strategy = parse_strategy("knuth", game)
    announce_build(game, strategy)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(plan, "POSITION_PEG_S", 200.0)  # as if there were very many words
    announce_build(game, strategy)
    said = capsys.readouterr().err
    assert said == "the build may take about 2 hours of one core and 0 MB of memory for the tree\n"
