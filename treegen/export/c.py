"""Export for C: the player's headers, the table as a constant array, an example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import UsageError
from ..games import CodebookGame, Game, Goal
from .player_files import Files, demand_profile, demand_size, read_player_files
from .readme import make_readme

HEADERS = ["tgt_player.h", "tgt_codes.h", "tgt_lean.h", "tgt_terminal.h"]
INCLUDE = b'#include "tgt_envelope.h"\n'
BYTES_PER_LINE = 16
MAX_AVR_BYTES = (1 << 15) - 1
USUAL_PEGS = 16
"""How many the lean player has room for unless it is told otherwise."""


def generate_table_header(
    table: bytes, game: Game, strategy: str, profile: str = "full"
) -> Iterator[str]:
    """Yield the lines of ``table.h``."""
    yield f"/* {game.name}-{strategy}: a .tgt table of {len(table)} bytes. */"
    yield "#ifndef TABLE_H"
    yield "#define TABLE_H"
    yield ""
    if game.n_pegs > USUAL_PEGS:
        yield "/* Of a lean table: room for so many pegs. */"
        yield f"#define TGT_MAX_PEGS {game.n_pegs}"
        yield ""
    if game.kind == "questions" or game.goal != Goal.WIN or game.stakes:
        yield "/* The player has to read more of the game than that of pegs and words. */"
        yield "#define TGT_QUESTIONS"
        yield ""
    yield '#include "tgt_player.h"'
    yield ""
    if len(table) > MAX_AVR_BYTES:
        yield "#ifdef __AVR__"
        yield f'#error "avr-gcc takes arrays of at most {MAX_AVR_BYTES} bytes"'
        yield "#endif"
        yield ""
    yield "/* Of a lean table: the bytes that its candidates take. */"
    counts = (game.n_responses + 3) // 4 if profile == "slim" else 0
    yield f"#define TABLE_CANDIDATE_BYTES {(game.n_secrets + 7) // 8 + counts}"
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
        The bytes of a table of the profile ``"full"``, ``"lean"`` or ``"slim"``.
    game, strategy
        What it plays.
    profile
        Its profile.

    Raises
    ------
    UsageError
        The player does not play the profile, or not with such words; the table is too large.
    """
    demand_profile(profile, "C", ("full", "lean", "slim"))
    demand_size(table, "C")
    if profile != "full":
        _demand_ascii(game)
    # A name such as max,power:1 is harmless in a comment unless it ends the comment.
    header = "\n".join(generate_table_header(table, game, strategy.replace("*/", "* /"), profile))
    if profile == "full":
        contents = join_c_player([*HEADERS, "example.c", "stream.c"])
    else:
        contents = join_c_player([*HEADERS, "example_lean.c", "stream.c"])
        contents["example.c"] = contents.pop("example_lean.c")
    return {
        **contents,
        "table.h": f"{header}\n".encode(),
        "table.tgt": table,
        "README.md": make_readme("C", table, profile),
    }


def join_c_player(names: Sequence[str] = HEADERS) -> Files:
    """Return files of the player; the envelope is joined to the header that includes it."""
    contents = read_player_files("c", ["tgt_envelope.h", *names])
    envelope = contents.pop("tgt_envelope.h")
    contents["tgt_player.h"] = contents["tgt_player.h"].replace(INCLUDE, envelope)
    return contents


def _demand_ascii(game: Game) -> None:
    if isinstance(game, CodebookGame):
        for word in game.words:
            if not word.isascii():
                raise UsageError(
                    f"the C player plays words outside ASCII, such as {word!r:.80}, from a table"
                    " of the profile 'full' alone"
                )
