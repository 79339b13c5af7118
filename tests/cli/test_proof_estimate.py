"""What is said of a long proof before it begins."""

from __future__ import annotations

import pytest

from treegen import exact
from treegen.cli.exact import announce_proof
from treegen.games import parse_game

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
