"""Write data/invalid/: one file for each thing that may be wrong with a file.

Run ``python -m tests.make_invalid`` after a change of a format; test_load.py reads the folder.
"""

import struct
from pathlib import Path
from zlib import crc32

import msgpack

from treegen import build, open_game

from . import written
from .written import bytes_of, seal

FOLDER = Path(__file__).parent / "data" / "invalid"


def change_header(data, **changes):
    """Return a .tree file whose header says something else."""
    return written.change_header(data, lambda header: header | changes)


def change_table(data, place, value):
    """Return a table with one of its values changed."""
    values = msgpack.unpackb(data)
    values[place] = value
    body = msgpack.packb([*values[:-1], 2**32 - 1])[:-5]
    return body + b"\xce" + crc32(body).to_bytes(4, "big")


def generate_files():
    """Yield (name, bytes, what the reader's message says)."""
    tree = build(open_game("p2c3r"), "max,consistent,lowest")
    data = bytes_of(tree, "tree")
    yield "empty.tree", b"", "neither a .tree file nor"
    yield "text.tree", b"1122:02/1344:11\n", "neither a .tree file nor"
    yield "bad-magic.tree", b"\x88" + data[1:], "neither a .tree file nor"
    yield "line-ends.tree", data.replace(b"\r\n", b"\n", 1), "neither a .tree file nor"
    yield "truncated-in-length.tree", data[:10], "offset 10: the file ends in its header"
    yield "truncated-in-header.tree", data[:40], "does not fit the file"
    yield "truncated-in-columns.tree", data[:-60], "the file ends in the column n_candidates"
    yield "truncated-checksum.tree", data[:-1], "31 bytes follow the columns; 32 are needed"
    yield "two-files.tree", data + data, "bytes follow the columns; 32 are needed"
    yield "wrong-checksum.tree", data[:-1] + bytes([data[-1] ^ 1]), "the checksum does not match"
    yield "header-no-msgpack.tree", seal(data[:12] + b"\xc1" + data[13:-32]), "is not msgpack"
    yield "too-new.tree", change_header(data, version=2), "version 2; this treegen reads version 1"
    yield "unknown-game.tree", change_header(data, game=["chess", 8]), "unknown kind of game"
    yield "game-too-large.tree", change_header(data, game=["pegs", 2, 4, 1, "pegs"]), "16 secrets"
    yield "no-nodes.tree", change_header(data, n_nodes=0), "n_nodes is 0"
    start = len(data) - 32
    guesses = data.index(struct.pack(f"<{tree.n_nodes}i", *tree.guess.tolist()))
    wrong = bytearray(data[:start])
    struct.pack_into("<i", wrong, guesses + 4, 9)
    yield "guess-out-of-range.tree", seal(bytes(wrong)), "node 1: its guess is not in 0 … 8"
    links = data.index(struct.pack(f"<{tree.n_nodes + 1}i", *tree.first_child.tolist()))
    wrong = bytearray(data[:start])
    struct.pack_into("<i", wrong, links + 4, 1000)
    yield "link-out-of-range.tree", seal(bytes(wrong)), "node 1: first_child decreases"
    table = bytes_of(tree, "table")
    yield "truncated.tgt", table[:-3], "offset"
    yield "bad-magic.tgt", table.replace(b"TGT1", b"TGT0"), "neither a .tree file nor"
    yield "wrong-checksum.tgt", table[:-1] + bytes([table[-1] ^ 1]), "CRC"
    yield "unknown-profile.tgt", change_table(table, 2, "lush"), "profile 'lush' is unknown"
    yield "n-codes.tgt", change_table(table, 6, 10), "n_codes"
    yield "no-nodes.tgt", change_table(table, 8, 0), "n_nodes"


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, data, _ in generate_files():
        (FOLDER / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
