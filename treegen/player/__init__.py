"""Players: small programs that play a table without any search.

`Player` is the one for Python; its module `tgt_player` is a single file of the standard library
alone, to be copied wherever it is needed. The players for C, JavaScript and MicroPython lie
beside it as package data.
"""

from __future__ import annotations

from .tgt_player import Player

__all__ = ["Player"]
