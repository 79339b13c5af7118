"""Players and tables as files for a language: what the exporters share."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from ..errors import UsageError

Files = dict[str, bytes]
"""Contents by file name."""


def read_player_files(folder: str, names: Sequence[str]) -> Files:
    """Return files of the players included in this package."""
    root = files(__package__.rpartition(".")[0]) / "player" / folder
    return {name: (root / name).read_bytes() for name in names}


def demand_profile(profile: str, language: str, playable: Sequence[str]) -> None:
    """Raise UsageError unless the player of a language plays a profile."""
    if profile not in playable:
        raise UsageError(
            f"the {language} player plays {' and '.join(playable)} tables, not {profile!r}"
        )
