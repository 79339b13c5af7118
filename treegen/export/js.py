"""Export for JavaScript: the player's modules, the table as a module, an example."""

from __future__ import annotations

import base64

from .player_files import Files, demand_profile, demand_size, read_player_files
from .readme import make_readme

NAMES = [
    "tgt_player.mjs",
    "tgt_player.min.mjs",
    "tgt_text.mjs",
    "tgt_rules.mjs",
    "tgt_lean.mjs",
    "tgt_game.mjs",
    "example.mjs",
]
MODULE = """const text = atob(
  "{}",
);

export const table = new Uint8Array(text.length);
for (let place = 0; place < text.length; place++) table[place] = text.charCodeAt(place);
"""


def make_js_files(table: bytes, profile: str = "full") -> Files:
    """Return the files that play a table in a browser, in a worker or in node.

    Parameters
    ----------
    table
        The bytes of a table of the profile ``"full"``, ``"lean"`` or ``"slim"``.
    profile
        Its profile.

    Raises
    ------
    UsageError
        The player does not play the profile, or the table is too large.
    """
    demand_profile(profile, "JavaScript", ("full", "lean", "slim"))
    demand_size(table, "JavaScript")
    module = MODULE.format(base64.b64encode(table).decode())
    return {
        **read_player_files("js", NAMES),
        "table.mjs": module.encode(),
        "README.md": make_readme("JavaScript", table, profile),
    }
