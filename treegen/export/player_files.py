"""Players and tables as files for a language: what the exporters share."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from ..errors import UsageError

Files = dict[str, bytes]
"""Contents by file name."""

MAX_BYTES = 1 << 28
"""Bits of a table are counted with 31 bits."""


def read_player_files(folder: str, names: Sequence[str]) -> Files:
    """Return files of the players included in this package."""
    root = files(__package__.rpartition(".")[0]) / "player" / folder
    return {name: (root / name).read_bytes() for name in names}


def demand_size(table: bytes, language: str) -> None:
    """Raise UsageError unless a table is as small as the player of a language needs it."""
    if len(table) >= MAX_BYTES:
        raise UsageError(
            f"the {language} player takes tables below {MAX_BYTES} bytes; this one has {len(table)}"
        )


def demand_profile(profile: str, language: str, playable: Sequence[str]) -> None:
    """Raise UsageError unless the player of a language plays a profile."""
    if profile not in playable:
        known = f"{', '.join(playable[:-1])} and {playable[-1]}"
        raise UsageError(f"the {language} player plays {known} tables, not {profile!r}")
