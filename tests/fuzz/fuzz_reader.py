"""Atheris target: the Python player and the reader of tables on any bytes, with a CRC that fits."""

import sys
from zlib import crc32

import atheris

with atheris.instrument_imports(include=["treegen.player", "treegen.formats"]):
    from treegen.errors import FormatError
    from treegen.formats import table as table_replay
    from treegen.formats.table import make_table, unpack_table
    from treegen.player import Player, tgt_lean

tgt_lean.MAX_SECRETS = table_replay.MAX_CODES = 1 << 12
"""A large game that is played honestly takes long: not what is looked for."""


def test_one_input(data):
    if len(data) >= 16:
        data = data[:-5] + b"\xce" + crc32(data[:-5]).to_bytes(4, "big")
    try:
        player = Player(data)
    except FormatError:
        return
    for response in range(min(player.table.n_responses, 300)):
        player.get([response, response])
    try:
        tree, _ = unpack_table(data)
    except FormatError:
        return
    again, _ = unpack_table(make_table(tree))
    assert again.digest == tree.digest


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
