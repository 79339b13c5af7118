"""Sound tables with something changed: what every reader must refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from treegen.formats.table import make_table

from .files import Change, change, encode, put, seal, set_bit, splice
from .forged import FORGED, LABELS, forge
from .played import build, make_few_of_many

WALK: list[tuple[str, Change]] = [
    ("another magic", put(0, "TGT2")),
    ("an unknown profile", put(2, "fuly")),
    ("a section that is text", put(10, lambda section: "x" * len(section))),
    ("a number of nodes that is text", put(8, "9")),
    ("no nodes", put(8, 0)),
    ("more nodes than the sections have", put(8, lambda n: n + 1)),
    ("fewer nodes than the sections have", put(8, lambda n: n - 1)),
    ("2^31 + 9 nodes", put(8, lambda n: n + 2**31)),
    ("2^32 + 9 nodes", put(8, lambda n: n + 2**32)),
    ("implicit states in a full table", put(9, 1)),
    ("a value too many", lambda values: [*values, 0]),
    ("a value too few", lambda values: values[:-1]),
    ("a guess section too short", put(10, lambda section: section[:-1])),
    ("a guess section too long", put(10, lambda section: section + b"\0")),
    ("a response section too short", put(11, lambda section: section[:-1])),
    ("a shape section too long", put(12, lambda section: section + b"\0")),
    ("a bit behind the guesses", put(10, set_bit(36))),
    ("a bit behind the responses", put(11, lambda section: section)),
    ("a bit behind the shape", put(12, set_bit(17))),
    ("a guess that is no code", put(10, lambda section: b"\xf0" + section[1:])),
    ("a response that is the win", put(11, lambda section: b"\xc3" + section[1:])),
    ("siblings out of order", put(11, lambda section: b"\xc0" + section[1:])),
    ("siblings alike", put(11, lambda section: b"\x0f" + section[1:])),
    ("a shape of zeros", put(12, lambda section: bytes(len(section)))),
    ("a shape of ones", put(12, lambda section: b"\xff" * (len(section) - 1) + b"\x80")),
    ("a shape that ends early", put(12, lambda section: b"\x80" + section[1:])),
    ("a node that is its own child", put(12, lambda section: b"\x59" + section[1:])),
    ("an orphan", put(12, lambda section: b"\xd1" + section[1:])),
    # C told names apart by their last four bytes (#19); so it did with kinds and rules below.
    ("a profile that ends as one that is known", put(2, "xfull")),
    ("a profile that begins as one that is known", put(2, "full\0")),
    # JavaScript took it (#19).
    ("a minor version that is text", put(1, "1")),
    ("a minor version that is text, and a value more", lambda v: [v[0], "1", *v[2:], 0]),
    ("a number below 0", put(1, -1)),
    ("a fraction", put(3, ["pegs", 2.5, 3, 1, "pegs"])),
    ("nothing for a game", put(3, None)),
    ("a list of 2^32 - 1 values for a start", splice(4, b"\xdd\xff\xff\xff\xff")),
    ("a number for a start", put(4, 2**32)),
    ("a map of 2^32 - 1 values for meta", splice(5, b"\xdf\xff\xff\xff\xff")),
    ("a section of 2^32 - 1 bytes", splice(12, b"\xc6\xff\xff\xff\xff")),
    ("a map in the meta", put(5, lambda meta: {**meta, "total": {"a": 1}})),
]
GAME: list[tuple[str, Change]] = [
    ("a game that is no array", put(3, "pegs")),
    ("an unknown kind of game", put(3, ["cards", 2, 3, 1, "pegs"])),
    ("an unknown rule", put(3, ["pegs", 2, 3, 1, "taste"])),
    ("a game of other codes", put(3, ["pegs", 2, 4, 1, "pegs"])),
    ("a game of other responses", put(3, ["pegs", 2, 3, 1, "black"])),
    ("arrangements of no pegs", put(3, ["arrangements"])),
    ("arrangements of no pegs of a color", put(3, ["arrangements", 2, 0])),
    ("other arrangements", put(3, ["arrangements", 2, 1])),
    ("a game without pegs", put(3, ["pegs", 0, 3, 1, "pegs"])),
    ("too many pegs", put(3, ["pegs", 1001, 3, 1, "pegs"])),
    ("a kind that ends as one that is known", put(3, ["xpegs", 2, 3, 1, "pegs"])),
    ("a rule that ends as one that is known", put(3, ["pegs", 2, 3, 1, "xpegs"])),
    ("a rule that ends as black", put(3, ["pegs", 2, 3, 1, "slack"])),
    ("a rule of 2^31 - 1 bytes", splice(3, b"\x95\xa4pegs\2\3\1\xdb\x7f\xff\xff\xff")),
    ("repetition that is neither 0 nor 1", put(3, ["pegs", 2, 3, 2, "pegs"])),
    ("a game with a value too many", put(3, ["pegs", 2, 3, 1, "pegs", 0])),
    # JavaScript counted so far, and hung (#19).
    ("2^53 pegs of a color", put(3, ["arrangements", 2**53, 2**53])),
    ("2^53 pegs", put(3, ["pegs", 2**53, 3, 1, "pegs"])),
    ("half a pair in the start", put(4, [1])),
    ("a start that is no code", put(4, [9, 1])),
    ("a start that is no response", put(4, [1, 5])),
    ("more codes than the game has", put(6, 10)),
    ("more responses than the game has", put(7, 6)),
]
FILE: list[tuple[str, Change]] = [
    ("no meta", put(5, {})),
    ("a short digest", put(5, lambda meta: {**meta, "digest": b"x"})),
    ("a total that is text", put(5, lambda meta: {**meta, "total": "24"})),
]
PADDING: list[tuple[str, str, Change]] = [
    ("lean", "a profile that ends as one that is known", put(2, "delta-lean")),
    ("lean", "a bit behind the guesses", put(10, set_bit(-1))),
    ("lean", "a bit behind the responses", put(11, set_bit(-1))),
    ("lean", "a bit behind the shape", put(12, set_bit(-1))),
    ("slim", "a bit behind the guesses", put(10, set_bit(-1))),
    ("slim", "a bit behind the shape", put(11, set_bit(-1))),
    ("slim", "a section more", lambda v: [v[0], 0, *v[2:], b""]),
    ("slim", "a section less", lambda v: v[:-1]),
]
"""Changes of the last bit, in tables whose sections all end in the middle of a byte, and of what
the profiles have of their own."""

WORDS: list[tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = [
    ("words of a codebook without a digest", lambda more: {**more, "book": b""}),
    ("words of too small a codebook", lambda more: {**more, "book_codes": 9}),
    ("words of a codebook of 2^31 words", lambda more: {**more, "book_codes": 2**31}),
    ("words without their numbers", lambda more: {**more, "book_places": b""}),
    ("words with equal numbers", lambda more: {**more, "book_places": b"\xff\xff\xff\xff"}),
    ("a codebook with a key less", lambda more: {"book": more["book"]}),
]
"""Changes of what an excerpt tells of the whole codebook."""


def generate_damaged() -> Iterator[dict[str, Any]]:
    """Yield the tables to refuse; `layer` says who must: any walker, who reads the game, all."""
    data = make_table(build("p2c3r"))
    cut = [("nothing", b""), ("five bytes", data[:5]), ("no end", data[:-1])]
    cut.append(("a wrong CRC", data[:-1] + bytes([data[-1] ^ 1])))
    cut.append(("a CRC of another form", data[:-5] + b"\xcf" + data[-4:]))
    cut.append(("a byte behind the end", data + b"\0"))
    cut.append(("a magic in long form", seal(data[:1] + b"\xd9\x04TGT1" + data[6:-5])))
    cut.append(("sections that end in the CRC", seal(data[:-8] + b"\xc4\x09" + data[-6:-5])))
    cut.append(("an array of 2^32 values", seal(b"\xdd\xff\xff\xff\xff" + data[1:-5])))
    for name, damaged in cut:
        yield {"name": name, "layer": "walk", "file": encode(damaged)}
    for layer, changes in (("walk", WALK), ("game", GAME), ("file", FILE)):
        for name, edit in changes:
            damaged = change(data, edit)
            if damaged != data:
                yield {"name": name, "layer": layer, "file": encode(damaged)}
    for profile, name, edit in PADDING:
        table = change(make_table(build("p3c3r"), profile=profile), edit)
        yield {"name": f"{name}, {profile}", "layer": "walk", "file": encode(table)}
    for name, edit in WORDS:
        table = change(make_table(make_few_of_many()), put(-1, edit))
        yield {"name": name, "layer": "tree", "file": encode(table)}
    for layer, tables in (("game", FORGED), ("labels", LABELS)):
        for name, profile, game, counts, start in tables:
            table = forge(profile, game, *counts, start=start)
            yield {"name": name, "layer": layer, "file": encode(table)}
