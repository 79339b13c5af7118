"""Export for C: the player's headers, the table as a constant array, an example."""

from __future__ import annotations

from collections.abc import Iterator

from ..games import Game
from .player_files import Files, demand_profile, read_player_files

BYTES_PER_LINE = 16


def generate_table_header(table: bytes, game: Game, strategy: str) -> Iterator[str]:
    """Yield the lines of ``table.h``."""
    yield f"/* {game.name}-{strategy}: a .tgt table of {len(table)} bytes. */"
    yield "#ifndef TABLE_H"
    yield "#define TABLE_H"
    yield ""
    yield "#include <stdint.h>"
    yield ""
    yield "/* Of a lean table: the bytes that its candidates take. */"
    yield f"#define TABLE_CANDIDATE_BYTES {(game.n_secrets + 7) // 8}"
    yield ""
    yield f"static const uint32_t table_size = {len(table)};"
    yield f"static const uint8_t table_data[{len(table)}] TGT_MEMORY = {{"
    for begin in range(0, len(table), BYTES_PER_LINE):
        yield f"    {','.join(map(str, table[begin : begin + BYTES_PER_LINE]))},"
    yield "};"
    yield ""
    yield "#endif"


def make_c_files(table: bytes, game: Game, strategy: str, profile: str = "full") -> Files:
    """Return the files that play a table in C.

    Parameters
    ----------
    table
        The bytes of a table of the profile ``"full"`` or ``"lean"``.
    game, strategy
        What it plays.
    profile
        Its profile.

    Raises
    ------
    UsageError
        The player does not play the profile.
    """
    demand_profile(profile, "C", ("full", "lean"))
    # A name such as max,power:1 is harmless in a comment unless it ends the comment.
    header = "\n".join(generate_table_header(table, game, strategy.replace("*/", "* /")))
    if profile == "full":
        contents = read_player_files("c", ["tgt_player.h", "tgt_codes.h", "example.c"])
    else:
        contents = read_player_files(
            "c", ["tgt_player.h", "tgt_codes.h", "tgt_lean.h", "example_lean.c"]
        )
        contents["example.c"] = contents.pop("example_lean.c")
    return {**contents, "table.h": f"{header}\n".encode()}
