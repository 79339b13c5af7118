"""Write the conformance vectors of the table format: tests/vectors/*.json.

Usage: make-vectors.py [FOLDER]

tables.json    tables that every player must play, with transcripts and figures
damaged.json   tables that every player must refuse, each with one check in mind

docs/table-format.md explains both files. The output depends on nothing but the code.
"""

from __future__ import annotations

import base64
import json
import random
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from treegen.builder import build_tree
from treegen.formats.table import make_table
from treegen.formats.table_replay import expand_tree
from treegen.games import CodebookGame, Game, Goal, Questions, parse_game
from treegen.strategies import parse_strategy
from treegen.tree import Provenance, Tree, cut_tree
from treegen.tree.replay import States

WON, IMPOSSIBLE, ANNOUNCED = -1, -2, -3
PROFILES = ("full", "lean", "slim", "seed")
PLAIN_BYTES = 5_000
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def main() -> int:
    """Write both files."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "tests/vectors")
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "tables.json", list(generate_tables()))
    write(folder / "damaged.json", list(generate_damaged()))
    return 0


def write(path: Path, vectors: list[dict[str, Any]]) -> None:
    """Write vectors, one on a line."""
    lines = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{path}: {len(vectors)} vectors, {path.stat().st_size} bytes")


def encode(data: bytes) -> dict[str, str]:
    """Return a file as text: base64, above some size of its zlib stream."""
    if len(data) <= PLAIN_BYTES:
        return {"base64": base64.b64encode(data).decode()}
    return {"zlib_base64": base64.b64encode(zlib.compress(data, 9)).decode()}


def build(name: str, strategy: str = "knuth", **options: Any) -> Tree:
    """Build a tree."""
    game = parse_game(name)
    return build_tree(game, parse_strategy(strategy, game), **options)


def generate_tables() -> Iterator[dict[str, Any]]:
    """Yield the tables to play."""
    for name in ("p1c1r", "p1c2r", "p2c2r", "p2c3r", "p3c4n", "p3c3rb", "a2211", "p7c2r", "p4c6r"):
        for profile in PROFILES:
            yield describe(f"{name}-{profile}", build(name), profile)
    for n_codes in (255, 256, 257, 65_535, 65_536, 65_537):
        tree = make_wide(n_codes)
        yield describe(f"codes-{n_codes}", tree, "full", make_table(tree, all_words=True))
    for n_pegs in (30, 31, 32):
        yield describe(f"responses-{n_pegs + 1}", make_long(n_pegs), "full")
    for profile in PROFILES:
        yield describe(f"position-{profile}", make_words(), profile)
        yield describe(f"mid-game-{profile}", make_mid_game(), profile)
    pairs = build("p3c4r", "gibson-minimax-last")
    yield describe("implicit-1-lean", pairs, "lean")
    yield describe("implicit-1-slim", pairs, "slim")
    for profile in PROFILES:
        yield describe(f"words-of-more-{profile}", make_few_of_many(), profile)
    tree = build("p3c4r")
    data = make_table(tree)
    yield describe("long-forms", tree, "full", lengthen(data))
    yield describe("later-minor", tree, "full", change(data, lambda v: [v[0], 1, *v[2:], "new"]))
    more = {"a": 1, "b": "text", "c": b"bytes"}
    yield describe("later-minor-map", tree, "full", change(data, lambda v: [v[0], 7, *v[2:], more]))
    yield from generate_goals()
    yield describe(
        "long-profile", tree, "full", seal(data.replace(b"\xa4full", b"\xd9\4full")[:-5])
    )


def generate_goals() -> Iterator[dict[str, Any]]:
    """Yield tables of answers, and of games that are over when one candidate is left."""
    for name in ("p1c1r", "p3c3r", "p3c4n", "a2211"):
        for profile in PROFILES:
            yield describe(f"identify-{name}-{profile}", identify(parse_game(name)), profile)
    weights, costs = [0, 2, 1, 4, 3, 5, 6, 7, 9], [1, 2, 1, 1, 1, 1, 1, 1, 3]
    game = parse_game("p2c3r").with_stakes(weights)
    yield describe("weighted-lean", build_tree(game, parse_strategy("knuth", game)), "lean")
    game = parse_game("p2c3r").with_stakes(None, costs)
    yield describe("costs-identify-full", identify(game), "full")
    for goal in ("identify", "win"):
        animals = make_animals(goal)
        tree = build_tree(animals, parse_strategy("entropy", animals))
        for labels in ("inside", "none"):
            data = make_table(tree, labels=labels)
            yield describe(f"questions-{goal}-{labels}", tree, "full", data)
    yield describe("range", build("range20", "entropy"), "full")
    yield describe("range-identify", identify(parse_game("range9")), "full")
    alone: Game = Questions([["a"]], names=["alone"], questions=["Why?"])
    yield describe("one-candidate", build_tree(alone, parse_strategy("entropy", alone)), "full")


def identify(game: Game) -> Tree:
    """Build the tree of a game that is over when one candidate is left."""
    game = game.with_goal("identify")
    return build_tree(game, parse_strategy("knuth", game))


def make_animals(goal: str) -> Game:
    """Return a table of answers, some of them outside ASCII, each question with its own."""
    rows = [
        ["no", "4", "land"],
        ["no", "4", "water"],
        ["yes", "2", "land"],
        ["yes", "2", "water"],
        ["no", "6", "Höhle"],
        ["no", "8", "Höhle"],
    ]
    names = ["dog", "frog", "sparrow", "duck", "Ameise", "蜘蛛"]
    game = Questions(rows, names, ["Feathers?", "Legs", "Home"], goal=goal)
    return game.with_stakes([3, 1, 4, 1, 5, 9])


def describe(name: str, tree: Tree, profile: str, data: bytes | None = None) -> dict[str, Any]:
    """Return the vector of a tree's table."""
    is_known = tree.game.goal == Goal.IDENTIFY and not tree.children(0)
    return {
        "name": name,
        "profile": profile,
        "file": encode(data if data is not None else make_table(tree, profile=profile)),
        "first": ANNOUNCED - int(tree.guess[0]) if is_known else int(tree.guess[0]),
        "transcripts": make_transcripts(tree),
        "total": tree.total,
        "worst": tree.worst,
        "histogram": tree.histogram,
        "digest": tree.digest,
    }


def make_transcripts(tree: Tree, count: int = 12) -> list[dict[str, list[int]]]:
    """Return games: answers, and what follows each.

    The next guess, -1 (won), -2 (impossible), or -3 - c where candidate c is announced.
    """
    choose = random.Random(1).choice
    announces = tree.game.goal == Goal.IDENTIFY
    games = []
    for _ in range(count):
        node, answers, results = 0, [], []
        for _ in range(2 * tree.worst):
            response = choose(range(tree.game.n_responses - 1))
            children = {int(tree.response[child]): child for child in tree.children(node)}
            if choose("ab") == "a" and children:
                response = choose(list(children))
            answers.append(response)
            node = children.get(response, node)
            is_over = response in children and announces and not tree.children(node)
            code = int(tree.guess[node])
            results.append(
                ANNOUNCED - code if is_over else code if response in children else IMPOSSIBLE
            )
        end = IMPOSSIBLE if announces and not tree.children(node) else WON
        games.append({"answers": [*answers, tree.game.win], "results": [*results, end]})
    return games


def make_wide(n_codes: int) -> Tree:
    """Return a tree of a codebook with so many codes, the last of them guessed first."""
    words = [a + b + c for a in ALPHABET for b in ALPHABET for c in ALPHABET][: n_codes - 4]
    secrets = ["???", "!??", "!!?"]
    game = CodebookGame(secrets, [*words, "!!!"], rule="black")

    def guess(states: States) -> Any:
        firsts = states.candidates[states.starts[:-1]].copy()
        return np.where(states.sizes == 3, game.n_codes - 1, firsts)

    return expand_tree(game, Provenance("made up"), guess)


def make_long(n_pegs: int) -> Tree:
    """Return a tree whose first guess is answered in every way that the game has."""
    words = ["a" * k + "b" * (n_pegs - k) for k in range(n_pegs, -1, -1)]
    game = CodebookGame(words, ["b" * (n_pegs - 1) + "c"], rule="black")
    return build_tree(game, parse_strategy("first-consistent", game))


def make_words() -> Tree:
    """Return a tree with position feedback, 243 responses."""
    words = ["crane", "crate", "trace", "react", "eagle", "geese", "llama", "caret", "carte"]
    game = CodebookGame(words[:7], words[7:], rule="position")
    return build_tree(game, parse_strategy("knuth", game))


def make_few_of_many() -> Tree:
    """Return a tree of a codebook, without the words that it does not guess."""
    words = [f"{a}{b}{c}" for a in "abcdef" for b in "abcdef" for c in "abcdefgh"]
    game = CodebookGame(words[::20], words, rule="position")
    return cut_tree(build_tree(game, parse_strategy("knuth", game)))


def make_mid_game() -> Tree:
    """Return a tree that starts behind two guesses."""
    game = parse_game("p3c4r")
    return build("p3c4r", history=((game.parse_code("112"), 1), (game.parse_code("233"), 4)))


Change = Callable[[list[Any]], list[Any]]


def change(data: bytes, edit: Change) -> bytes:
    """Return a table with its values changed and a CRC that fits."""
    return pack(edit(msgpack.unpackb(data)[:-1]))


def seal(body: bytes) -> bytes:
    """Return a body with its CRC behind it."""
    return bytes(body) + b"\xce" + zlib.crc32(body).to_bytes(4, "big")


def lengthen(data: bytes) -> bytes:
    """Return a table with numbers and bytes in longer forms than they need."""
    values = msgpack.unpackb(data)[:-1]
    body = data[:1] + b"".join(
        b"\xce" + value.to_bytes(4, "big")
        if isinstance(value, int)
        else b"\xc6" + len(value).to_bytes(4, "big") + value
        if isinstance(value, bytes)
        else msgpack.packb(value)
        for value in values
    )
    return seal(body)


def put(place: int, value: Any) -> Change:
    """Return the change that puts a value, or makes it from the old one."""

    def edit(values: list[Any]) -> list[Any]:
        values[place] = value(values[place]) if callable(value) else value
        return values

    return edit


@dataclass(frozen=True)
class Bare:
    """The head of a value, without what it announces."""

    head: bytes


def splice(place: int, head: bytes) -> Change:
    """Return the change that puts the bare head of a value, with nothing of what it announces."""
    return put(place, Bare(head))


def set_bit(place: int) -> Callable[[bytes], bytes]:
    """Return the change of one bit of a section; -1 is the last one."""

    def edit(section: bytes) -> bytes:
        n_bits = 8 * len(section)
        number = int.from_bytes(section, "big") ^ (1 << (8 * len(section) - 1 - place % n_bits))
        return number.to_bytes(len(section), "big")

    return edit


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
    ("a profile that ends as one that is known", put(2, "xfull")),
    ("a profile that begins as one that is known", put(2, "full\0")),
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
    ("lean", "a bit behind the guesses", put(10, set_bit(-1))),
    ("lean", "a bit behind the responses", put(11, set_bit(-1))),
    ("lean", "a bit behind the shape", put(12, set_bit(-1))),
    ("seed", "a bit behind the guesses", put(10, set_bit(-1))),
    ("slim", "a bit behind the guesses", put(10, set_bit(-1))),
    ("slim", "a bit behind the shape", put(11, set_bit(-1))),
    ("slim", "a section more", lambda v: [v[0], 0, *v[2:], b""]),
    ("slim", "a section less", lambda v: v[:-1]),
]
"""Changes of the last bit, in tables whose sections all end in the middle of a byte."""

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


ALL_SAME, FIRST_TWO = [0, 0] * 40, [0, 3] * 20
FORGED: list[tuple[str, str, list[Any], tuple[int, int], list[int]]] = [
    ("2^31 codes", "full", ["pegs", 31, 2, 1, "black"], (2**31, 32), []),
    ("marks on 20 pegs", "full", ["codebook", "position", 20, 1, "a" * 20], (1, 3**20), []),
    ("marks on 20 pegs, 3^9", "full", ["codebook", "position", 20, 1, "a" * 20], (1, 3**9), []),
    ("marks on 10 pegs", "full", ["codebook", "position", 10, 1, "a" * 10], (1, 3**10), []),
    ("marks in a game of colors", "full", ["pegs", 2, 3, 1, "position"], (9, 9), []),
    ("70,000 colors", "full", ["pegs", 1, 70_000, 1, "black"], (70_000, 2), []),
    ("1,001 colors", "full", ["pegs", 1, 1001, 1, "black"], (1001, 2), []),
    ("words of 1,001 letters", "full", ["codebook", "black", 1001, 1, "a" * 1001], (1, 1002), []),
    ("1,001 pegs of a color", "full", ["arrangements", 1001], (1, 1002), []),
    (
        "more secrets than one state tells apart",
        "lean",
        ["pegs", 20, 2, 1, "pegs"],
        (2**20, 230),
        [],
    ),
    ("the same as a seed", "seed", ["pegs", 20, 2, 1, "pegs"], (2**20, 230), []),
    ("a start of much work", "lean", ["pegs", 2, 1000, 1, "pegs"], (10**6, 5), ALL_SAME),
    ("the same as a seed, again", "seed", ["pegs", 2, 1000, 1, "pegs"], (10**6, 5), ALL_SAME),
    ("a start of 2^20 secrets", "lean", ["pegs", 20, 2, 1, "pegs"], (2**20, 230), FIRST_TWO),
    ("2^21 secrets", "lean", ["pegs", 7, 8, 1, "pegs"], (2**21, 35), [0, 33]),
    ("questions without candidates", "full", ["questions", 0, 1, *"????"], (1, 3), []),
    ("questions of other codes", "full", ["questions", 1, 1, *[""] * 4], (3, 3), []),
    ("questions by the rules", "lean", ["questions", 1, 1, *[""] * 4], (2, 3), []),
    ("65,536 answers", "full", ["questions", 1, 1, *[""] * 4], (2, 65537), []),
    ("questions with a value less", "full", ["questions", 1, 1, *[""] * 3], (2, 3), []),
    ("weights of nothing", "full", ["weighted", "", "2"], (2, 3), []),
]
"""Tables of one node, sound but for the game, or for what its secrets cost: name, profile, game,
codes and responses, start."""


LABELS: list[tuple[str, str, list[Any], tuple[int, int], list[int]]] = [
    ("a name too many", "full", ["questions", 1, 1, "a\nb", "?", "n\ty", ""], (2, 3), []),
    ("no question", "full", ["questions", 1, 1, "a", "", "n\ty", ""], (2, 3), []),
    (
        "answers of too few questions",
        "full",
        ["questions", 1, 3, *[""] * 2, "n\nn", ""],
        (4, 3),
        [],
    ),
    ("too many answers", "full", ["questions", 1, 1, "a", "?", "n\ty\tx", ""], (2, 3), []),
    ("questions that are a number", "full", ["questions", 1, 1, "a", 1, "n\ty", ""], (2, 3), []),
]
"""Tables of answers whose words do not fit."""


def forge(
    profile: str, game: list[Any], n_codes: int, n_responses: int, *, start: Sequence[int]
) -> bytes:
    """Return a table of one node that guesses code 0."""
    meta = {"digest": bytes(32), "strategy": "", "total": 1, "worst": 1}
    head = ["TGT1", 0, profile, game, list(start), meta, n_codes, n_responses, 1]
    guess = bytes(-(-(n_codes - 1).bit_length() // 8))
    values = [*head, 0, guess, b"", bytes(1)] if profile == "full" else [*head, 2, guess]
    values = [*values, b"", bytes(1)] if profile == "lean" else values
    return pack([*values])


def pack(values: list[Any]) -> bytes:
    """Return the table of some values, the CRC not among them."""
    packer = msgpack.Packer()
    body = packer.pack_array_header(len(values) + 1)
    parts = (value.head if isinstance(value, Bare) else packer.pack(value) for value in values)
    return seal(body + b"".join(parts))


if __name__ == "__main__":
    sys.exit(main())
