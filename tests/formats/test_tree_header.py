"""What the header of a .tree file restricts is checked when it is read, or listed by verify."""

import io
import struct
from dataclasses import replace

import msgpack
import pytest

import treegen
from treegen import FormatError, TreeError
from treegen.games.names import label_game

from ..written import bytes_of, change_header, seal_table

WORDS = label_game(
    treegen.Codebook(
        ["crane", "crate", "trace", "grace", "brace", "irate"], ["bight"], feedback="position"
    ),
    "words.txt",
)
TABLE = treegen.Questions(
    [["no", "yes", "x"], ["yes", "no", "y"], ["no", "no", "z"]], label="t.csv", goal="win"
)
POSSIBLE = treegen.open_game(
    io.StringIO("name,Size,Song,class\nwren,s,y,a\nswan,l,?,b\nlark,s,n,b\nrook,l/s,n,a\n"),
    unknown="?",
    sets="/",
    classes="class",
    notice=lambda text: None,
)
TREES = {
    "pegs": lambda: treegen.build("p2c3r"),
    "optimal": lambda: treegen.build("p2c3r", "optimal", objective="worst,total", first="12"),
    "history": lambda: treegen.build("p2c3r", "optimal", history="11:00"),
    "words": lambda: treegen.build(WORDS),
    "table": lambda: treegen.build(TABLE, "most-parts"),
    "possible": lambda: treegen.build(POSSIBLE),
    "letters": lambda: treegen.build(treegen.Codebook(["\u2764\ufe0fa", "a\u2764\ufe0f", "aa"])),
    "weighted": lambda: treegen.build(treegen.Mastermind(2, 2).with_stakes([1, 2, 3, 5]), "knuth"),
    "arrangements": lambda: treegen.build("a22"),
    "range": lambda: treegen.build("range5"),
}


def unpack(data):
    (length,) = struct.unpack("<I", data[8:12])
    return msgpack.unpackb(data[12 : 12 + length])


@pytest.fixture(scope="module", params=TREES)
def data(request):
    return bytes_of(TREES[request.param](), "tree")


def write_header(data, packed):
    """Return a file with another header, which is packed already."""
    return change_header(data, lambda _: packed)


def list_leaves(value, path=()):
    """Yield the path of each value that holds no others."""
    if isinstance(value, dict) or (isinstance(value, list) and value):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from list_leaves(part, (*path, key))
    else:
        yield path, value


def replace_at(value, path, other):
    if not path:
        return other
    copy = value.copy()
    copy[path[0]] = replace_at(value[path[0]], path[1:], other)
    return copy


def list_others(value):
    """Return values that look like one, or replace it."""
    others = [None, True, False, -1, 0, 1, 2.0, "", "1", b"", [], [1], {}]
    if isinstance(value, int) and not isinstance(value, bool):
        others += [float(value), value + 1, -value - 1, str(value), bool(value), [value]]
    if isinstance(value, (str, bytes)):
        others += [value + value[:1], value[:-1], [value]]
    if isinstance(value, str):
        others += [value.encode(), value.upper(), f"{value} ", f"{value}\n"]
        others += [f"{value}=", f" {value}"]
    return [other for other in others if (type(other), other) != (type(value), value)]


def test_every_other_value_is_refused_or_listed(data):
    assert treegen.verify(data).is_sound
    is_proved, header = treegen.verify(data, prove=True).is_proved, unpack(data)
    assert is_proved
    for path, value in list_leaves(header):
        for other in list_others(value):
            changed = replace_at(header, path, other)
            try:
                report = treegen.verify(write_header(data, msgpack.packb(changed)), prove=True)
            except FormatError as error:
                assert "\n" not in str(error)
                continue
            # A claim that is left out is none, a lower bound is true; a list may have any name.
            is_less = path[0] == "provenance" and other in ("", None)
            is_true = path[-1] == "bound" and type(other) is int and other < 5
            assert is_less or is_true or path[-1] == "codebook" or not report.is_proved, (
                path,
                other,
            )


def pack(value, twice=(), swapped=()):
    """Return a header, with a key of the map at a path twice, or the map's last keys exchanged."""
    if not isinstance(value, dict):
        return msgpack.packb(value)
    pairs = list(value.items())
    if twice and len(twice) == 1:
        pairs.append((twice[0], value[twice[0]]))
    if swapped == ("",):
        pairs[-2:] = reversed(pairs[-2:])
    written = msgpack.Packer().pack_map_header(len(pairs))
    for key, part in pairs:
        inside = [way[1:] if way[:1] == (key,) else () for way in (twice, swapped)]
        written += msgpack.packb(key) + pack(part, *inside)
    return written


def test_keys_are_as_they_should_be_in_their_order_and_none_twice(data):
    header = unpack(data)
    assert write_header(data, pack(header)) == data
    for path in ((), ("provenance",), ("claims",)):
        inner = header if not path else header[path[0]]
        for key in inner:
            with pytest.raises(FormatError, match="a key of the header stands twice"):
                treegen.read(write_header(data, pack(header, twice=(*path, key))))
            less = {name: inner[name] for name in inner if name != key}
            if key == "codebook":
                continue
            with pytest.raises(FormatError, match="offset 12: the "):
                treegen.read(
                    write_header(data, pack(less if not path else header | {path[0]: less}))
                )
        with pytest.raises(FormatError, match=r"in this order|entries in order"):
            treegen.read(write_header(data, pack(header, swapped=(*path, ""))))


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"codebook": ""}, "'' is not the name|not read from a file"),
        ({"codebook": "words.txt"}, "p2c3r was not read from a file 'words.txt'"),
        ({"codebook": "lists/words.txt"}, "'lists/words.txt' is not the name"),
        ({"excerpt": None}, "the excerpt is malformed"),
        ({"bound": -1}, "the bound -1 is negative"),
    ],
)
def test_entries_that_a_game_cannot_have(entries, reason):
    data = bytes_of(TREES["pegs"](), "tree")
    with pytest.raises(FormatError, match=reason):
        treegen.read(change_header(data, lambda h: h | {"provenance": h["provenance"] | entries}))


@pytest.mark.parametrize("game", [["pegs", 2, 3, 1.0, "pegs"], ["pegs", 2, 3, True, "pegs"]])
def test_numbers_of_a_game_are_whole_numbers(game):
    data = bytes_of(TREES["pegs"](), "tree")
    with pytest.raises(FormatError, match=rf"whole numbers and texts, not by {game[3]}"):
        treegen.read(change_header(data, lambda h: h | {"game": game}))


def test_no_tree_has_a_negative_bound():
    with pytest.raises(TreeError, match="the bound -3 is negative"):
        replace(TREES["pegs"]().provenance, bound=-3)


def test_a_key_of_a_table_does_not_stand_twice():
    table = bytes_of(TREES["pegs"](), "table")
    values = msgpack.unpackb(table)
    meta = msgpack.packb(values[5])
    twice = b"\x85" + meta[1:] + msgpack.packb("total") + msgpack.packb(values[5]["total"])
    body = table[:-5].replace(meta, twice)
    with pytest.raises(FormatError, match="a key stands twice"):
        treegen.read(seal_table(body))
