"""What is said of a long proof or build before it begins."""

from __future__ import annotations

import pytest

from treegen import exact
from treegen.builder import plan
from treegen.cli.build import announce_build
from treegen.cli.exact import announce_proof
from treegen.games import CodebookGame, parse_game
from treegen.strategies import parse_strategy

DAY_S = 86400


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
    monkeypatch.setattr(exact, "estimate_seconds", lambda _: seconds)
    announce_proof(parse_game("p2c3r"), None, False)
    assert f"the proof may take {words} of one core;" in capsys.readouterr().err


def test_a_long_build_of_a_codebook_is_announced(monkeypatch, capsys):
    game = CodebookGame(["crane", "trace", "react"], rule="position")
    strategy = parse_strategy("knuth", game)
    announce_build(game, strategy)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(plan, "POSITION_PEG_S", 200.0)  # as if there were very many words
    announce_build(game, strategy)
    said = capsys.readouterr().err
    assert said == "the build may take about 2 hours of one core and 0 MB of memory for the tree\n"
