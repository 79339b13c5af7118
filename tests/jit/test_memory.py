"""How much memory is there."""

import pytest

from treegen import GameError, Mastermind
from treegen.jit import memory


def test_memory_is_positive():
    assert memory.read_available_bytes() > 10**6


def test_a_table_of_codes_that_does_not_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr("treegen.games.rules.read_available_bytes", lambda: 10**6)
    with pytest.raises(GameError, match=r"p5c8r has 32,768 codes: .* bytes do not fit memory"):
        Mastermind(5, 8).codes  # noqa: B018
    assert len(Mastermind(4, 6).codes) == 1296
