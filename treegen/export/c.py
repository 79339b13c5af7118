"""Export for C: the player's headers, the table as a constant array, an example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import UsageError
from ..games import CodebookGame, Game, Goal
from ..player.tgt_header import Header
from .player_files import Files, demand_profile, demand_size, read_player_files
from .readme import make_readme

HEADERS = ["tgt_player.h", "tgt_codes.h", "tgt_lean.h", "tgt_terminal.h"]
INCLUDE = b'#include "tgt_envelope.h"\n'
BYTES_PER_LINE = 16
MAX_AVR_BYTES = (1 << 15) - 1
PART_BYTES = 2047 * BYTES_PER_LINE
MAX_FAR_BYTES = 3 << 14
"""Two arrays; the first 64 KiB of flash keep room for texts that are read by near addresses."""
FAR_READER = [
    "#ifdef __AVR__",
    "static uint8_t table_read(const uint8_t *address) {",
    "    uint16_t at = (uint16_t)address;",
    "    uint_farptr_t first = pgm_get_far_address(table_first) + at;",
    f"    uint_farptr_t second = pgm_get_far_address(table_second) + (at - {PART_BYTES}u);",
    f"    return pgm_read_byte_far(at < {PART_BYTES}u ? first : second);",
    "}",
    "#endif",
]
USUAL_PEGS = 16
"""How many the lean player has room for unless it is told otherwise."""
USUAL_LINE = 80


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
    if game.kind in ("questions", "range") or game.goal != Goal.WIN or game.stakes:
        yield "/* The player has to read more of the game than that of pegs and words. */"
        yield "#define TGT_QUESTIONS"
        yield ""
    yield from _begin_far_table(len(table))
    yield '#include "tgt_player.h"'
    yield ""
    yield "/* Bytes for the candidates of a lean table, and for a line that is typed. */"
    counts = (game.n_responses + 3) // 4 if profile == "slim" else 0
    n_bytes = 1 if profile == "full" else (game.n_secrets + 7) // 8 + counts
    yield f"#define TABLE_CANDIDATE_BYTES {n_bytes}"
    longest = _find_longest_answer(table) if game.kind in ("questions", "range") else 0
    yield f"#define TABLE_LINE_BYTES {max(USUAL_LINE, 16 + longest)}"
    yield ""
    yield f"static const uint32_t table_size = {len(table)};"
    yield from _generate_data(table)
    yield "};"
    if len(table) > MAX_AVR_BYTES:
        yield from FAR_READER
    yield ""
    yield "#endif"


def _find_longest_answer(table: bytes) -> int:
    """Return the bytes of the longest answer in a table of answers."""
    rows = Header(table).rules.labels
    return max((len(label.encode()) for row in rows for label in row), default=0)


def _begin_far_table(size: int) -> Iterator[str]:
    """Yield how AVR reads a table that is too large for one array: as two, by far addresses."""
    if size <= MAX_AVR_BYTES:
        return
    yield "#ifdef __AVR__ /* whose arrays have at most 32,767 bytes: here are two */"
    if size > MAX_FAR_BYTES:
        yield f'#error "AVR takes tables of at most {MAX_FAR_BYTES} bytes"'
    yield "#include <avr/pgmspace.h>"
    yield "#include <stdint.h>"
    yield "static uint8_t table_read(const uint8_t *address);"
    yield "#define TGT_READ(address) table_read(address)"
    yield "#define TGT_MEMORY PROGMEM"
    yield "#define table_data ((const uint8_t *)0) /* addresses count from 0 */"
    yield "#endif"
    yield ""


def _generate_data(table: bytes) -> Iterator[str]:
    """Yield the array, for AVR cut in two if it is too large there."""
    size, is_far = len(table), len(table) > MAX_AVR_BYTES
    if is_far:
        yield "#ifdef __AVR__"
        yield f"static const uint8_t table_first[{PART_BYTES}] TGT_MEMORY = {{"
        yield "#else"
    yield f"static const uint8_t table_data[{size}] TGT_MEMORY = {{"
    if is_far:
        yield "#endif"
    for begin in range(0, size, BYTES_PER_LINE):
        if is_far and begin == PART_BYTES:
            yield "#ifdef __AVR__"
            yield "};"
            yield f"static const uint8_t table_second[{size - PART_BYTES}] TGT_MEMORY = {{"
            yield "#endif"
        yield f"    {','.join(map(str, table[begin : begin + BYTES_PER_LINE]))},"


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
