"""Time that no test of a search depends on."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def give_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches that were ended make their trees on a busy machine, too: 300 s bound a hang."""
    monkeypatch.setattr("treegen.exact.run.SOON_S", 300)
    monkeypatch.setattr("treegen.exact.tables.kernel.SOON_S", 300)
