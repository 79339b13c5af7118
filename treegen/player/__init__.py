"""Players: small programs that play a table without any search.

`Player` is the one for Python; its module `tgt_player` is a single file that needs only the
standard library and can be copied anywhere. The players for C, JavaScript and MicroPython are
beside it as package data.
"""

from __future__ import annotations

from .tgt_player import Player

__all__ = ["Player"]
