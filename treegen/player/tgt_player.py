"""Play code-breaking games from a ``.tgt`` table: one file, the standard library alone.

Copy this file wherever it is needed (for tables of the profiles `lean` and `seed` also
``tgt_lean.py`` beside it). It knows no strategy and searches nothing. A damaged table raises
`FormatError` before the first guess. docs/table-format.md specifies the format.
"""

from __future__ import annotations

import mmap
import sys
from array import array
from collections.abc import Sequence
from importlib import import_module
from itertools import accumulate
from math import perm
from operator import ge, gt, or_
from typing import Any
from zlib import crc32

try:
    from ..errors import FormatError, UnreachableError
except ImportError:  # copied out of the package

    class FormatError(ValueError):  # type: ignore[no-redef]
        """A file that is no table, or a damaged one; the message says where."""

    class UnreachableError(KeyError):  # type: ignore[no-redef]
        """Answers that no secret gives."""


History = str | Sequence[int | str | Sequence[int]]
"""``"02/11"``, or a list of feedbacks: pairs, texts, or response indices."""

WON, IMPLICIT = -1, -2
MAPPED_BYTES = 1 << 20
NODES_PER_BLOCK = 1 << 13
SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FIXED_KINDS = (("int", 0, 0x7F), ("map", 0x80, 0x8F), ("list", 0x90, 0x9F), ("str", 0xA0, 0xBF))
SIZED_KINDS = (
    ("bin", 0xC4, 0xC6, 1),
    ("int", 0xCC, 0xCF, 1),
    ("str", 0xD9, 0xDB, 1),
    ("list", 0xDC, 0xDD, 2),
    ("map", 0xDE, 0xDF, 2),
)


class Player:
    """Play one game after another from a table.

    ``with Player.open(path) as player:`` then ``player.guess`` is the code to play, None when
    the game is won, and ``player.answer(black, white)`` takes the answer.
    """

    def __init__(self, data: bytes | mmap.mmap) -> None:
        """Check a table's bytes, all of them; raise FormatError where they are damaged."""
        self._data = data
        self.table = Table(data)
        self.rules = self.table.rules
        self.restart()

    @classmethod
    def open(cls, path: str) -> Player:
        """Open a table; a large one is mapped, not read."""
        with open(path, "rb") as stream:  # noqa: PTH123
            if stream.seek(0, 2) >= MAPPED_BYTES:
                return cls(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
            stream.seek(0)
            return cls(stream.read())

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self.table.release()
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    @property
    def code(self) -> int | None:
        """Index of the code to guess now, None when the game is won."""
        node, candidates = self._states[-1]
        if node == IMPLICIT:
            return candidates[0]
        return None if node == WON else self.table.guess_of(node)

    @property
    def guess(self) -> str | None:
        """The code to guess now as people write it, None when the game is won."""
        code = self.code
        return None if code is None else self.rules.format(code)

    def restart(self) -> None:
        """Begin a new game."""
        self._states: list[tuple[int, Sequence[int]]] = [(0, self.table.candidates)]

    def answer(self, *feedback: int | str) -> str | None:
        """Take the answer to the guess and return the next guess.

        Parameters
        ----------
        feedback
            Black and white pegs, or black pegs alone, or a text of marks ``01020`` (grey,
            yellow, green): as the game is answered.

        Raises
        ------
        UnreachableError
            No secret answers so; nothing has changed.
        """
        return self.respond(self.rules.response_of(feedback))

    def respond(self, response: int) -> str | None:
        """Take the answer as a response index and return the next guess; as `answer`."""
        self._states.append(self._next(response))
        return self.guess

    def undo(self) -> None:
        """Take the last answer back; nothing happens when there is none."""
        del self._states[max(1, len(self._states) - 1) :]

    def probe(self, history: History) -> str | None:
        """Return the guess after these answers, None when they win; leave the game as it is.

        Raises
        ------
        UnreachableError
            No secret answers so.
        """
        states = self._states
        self.restart()
        try:
            for step in history.split("/") if isinstance(history, str) and history else history:
                self.respond(step if isinstance(step, int) else self.rules.parse(step))
            return self.guess
        finally:
            self._states = states

    def get(self, history: History, default: str | None = None) -> str | None:
        """Return what `probe` returns, or a default where no secret answers so."""
        try:
            return self.probe(history)
        except UnreachableError:
            return default

    def _next(self, response: int) -> tuple[int, Sequence[int]]:
        (node, candidates), table, code = self._states[-1], self.table, self.code
        if code is None:
            raise UnreachableError("the game is won: there is nothing to answer")
        if response == table.n_responses - 1:
            return WON, ()
        child = None if node == IMPLICIT else table.child_of(node, response)
        if table.implicit:
            candidates = table.lean.select(self.rules, candidates, code, response)
            child = None if not candidates else IMPLICIT if child is None else child
        if child is None:
            raise UnreachableError(f"no secret answers {self.guess} with response {response}")
        return child, candidates


class Table:
    """A table's sections, checked, and the way through them."""

    candidates: Sequence[int] = ()

    def __init__(self, data: bytes | mmap.mmap) -> None:
        view = memoryview(data)
        demand(len(view) >= 16 and bytes(view[1:6]) == b"\xa4TGT1", "offset 0: this is no table")
        is_whole = view[-5] == 0xCE and crc32(view[:-5]) == int.from_bytes(view[-4:], "big")
        demand(is_whole, f"offset {len(view) - 5}: the CRC-32 does not fit")
        parts = unpack_envelope(view[:-5])
        _, minor, self.profile, self.game, self.start, self.meta, *counts = parts[:10]
        self.n_codes, self.n_responses, self.n_nodes, self.implicit = counts
        demand(self.profile in ("full", "lean", "seed"), f"profile {self.profile!r} is unknown")
        n_sections = 1 if self.profile == "seed" else 3
        sections = parts[10 : 10 + n_sections]
        demand(len(sections) == n_sections, "sections are missing")
        demand(minor > 0 or len(parts) == 10 + n_sections, "there are too many values")
        demand(all(type(part) is memoryview for part in sections), "a section is not binary")
        self.rules = Rules(self.game)
        self._check_header()
        if self.implicit:
            name = f"{__package__}.tgt_lean" if __package__ else "tgt_lean"
            self.lean = import_module(name)
            sections = self.lean.prepare(self, sections)
        self.guesses, self.responses, self.shape = sections
        self._check_lengths()
        self._check_guesses()
        self._scan_shape()

    def release(self) -> None:
        """Drop the views of the file."""
        self.guesses = self.responses = self.shape = memoryview(b"")

    def guess_of(self, node: int) -> int:
        """Return the code guessed at a node."""
        return read_field(self.guesses, node, self._guess_bits)

    def child_of(self, node: int, response: int) -> int | None:
        """Return the node that a response leads to, None when there is none."""
        start = self._find_start(node)
        child = start - node + 1
        while read_field(self.shape, start, 1):
            if read_field(self.responses, child - 1, self._response_bits) == response:
                return child
            start, child = start + 1, child + 1
        return None

    def _find_start(self, node: int) -> int:
        """Return where a node's ones begin: behind as many zeros as nodes come before it."""
        block, left = divmod(node, self._stride)
        start = self._samples[block]
        while left:
            bits = read_bits(self.shape, start >> 3, 16)[start & 7 :]
            zeros = bits.count("0")
            if zeros < left:
                start, left = start + len(bits), left - zeros
                continue
            at = -1
            for _ in range(left):
                at = bits.index("0", at + 1)
            return start + at + 1
        return int(start)

    def _check_header(self) -> None:
        full, meta, pairs = self.profile == "full", self.meta, self.start
        demand(self.implicit in ((0,) if full else (1, 2)), "implicit does not fit the profile")
        demand(self.rules.n_codes == self.n_codes < 1 << 31, "n_codes is not the game's")
        demand(self.rules.n_responses == self.n_responses, "n_responses is not the game's")
        demand(list(meta) == ["digest", "strategy", "total", "worst"], "meta has other keys")
        kinds = [type(value) for value in meta.values()]
        demand(kinds == [memoryview, str, int, int], "meta has values of other types")
        demand(len(meta["digest"]) == 32, "the digest has not 32 bytes")
        demand(len(pairs) % 2 == 0 and all(type(x) is int for x in pairs), "start is wrong")
        in_range = all(code < self.n_codes for code in pairs[::2])
        in_range = in_range and all(reply < self.n_responses for reply in pairs[1::2])
        demand(in_range, "start is out of range")

    def _check_lengths(self) -> None:
        """Check the sections' lengths and that no bit is set behind their ends."""
        n_nodes = self.n_nodes
        demand(1 <= n_nodes < 1 << 40, "n_nodes is out of range")
        self._guess_bits = (self.n_codes - 1).bit_length()
        self._response_bits = (self.n_responses - 2).bit_length()
        sizes = (n_nodes * self._guess_bits, (n_nodes - 1) * self._response_bits, 2 * n_nodes - 1)
        sections = {"guess": self.guesses, "response": self.responses, "shape": self.shape}
        for (name, section), size in zip(sections.items(), sizes, strict=True):
            demand(len(section) == (size + 7) // 8, f"section {name} has a wrong length")
            is_clean = size % 8 == 0 or section[-1] & ((1 << -size % 8) - 1) == 0
            demand(is_clean, f"section {name} has bits set behind its end")

    def _check_guesses(self) -> None:
        for begin in range(0, self.n_nodes, NODES_PER_BLOCK):
            end = min(begin + NODES_PER_BLOCK, self.n_nodes)
            codes = read_fields(self.guesses, begin, end, self._guess_bits)
            demand(max(codes) < self.n_codes, f"a guess of nodes {begin} to {end} is too high")

    def _scan_shape(self) -> None:
        """Check that the shape is one tree; note where every `_stride`-th node begins in it."""
        self._stride = 16 if self.n_nodes < 1 << 24 else 1024
        self._samples = array("Q")
        node, ones, last, rest = 0, 0, 0, ""
        for at in range(0, len(self.shape), NODES_PER_BLOCK // 8):
            bits = rest + read_bits(self.shape, at, NODES_PER_BLOCK // 8)
            bits = bits[: 2 * self.n_nodes - 1 - node - ones]
            end = bits.rfind("0") + 1
            bits, rest = bits[:end], bits[end:]
            degrees = list(map(len, bits.split("0")))[:-1]
            before = list(accumulate(degrees, initial=ones))
            in_order = all(map(ge, before, range(node, node + len(degrees))))
            demand(in_order and before[-1] < self.n_nodes, f"no tree has the shape at node {node}")
            first = -node % self._stride
            samples = range(node + first, node + len(degrees), self._stride)
            self._samples.extend(map(int.__add__, samples, before[first :: self._stride]))
            last = self._check_siblings(bits, ones, before[-1], last)
            node, ones = node + len(degrees), before[-1]
        demand(node == self.n_nodes == ones + 1 and not rest, "the shape is not one tree")

    def _check_siblings(self, bits: str, begin: int, end: int, last: int) -> int:
        """Check the responses `begin` to `end - 1`, whose edges the bits tell; return the last."""
        if begin == end:
            return last
        replies = read_fields(self.responses, begin, end, self._response_bits)
        demand(max(replies) < self.n_responses - 1, f"a response of {begin} to {end} is too high")
        is_first = map("f".__eq__, f"0{bits}".replace("01", "0f").replace("0", ""))
        rises = map(gt, replies, [last, *replies])
        demand(all(map(or_, is_first, rises)), f"siblings of {begin} to {end} are out of order")
        return replies[-1]


class Rules:
    """What a game's description says: how codes are written, how feedback is numbered."""

    def __init__(self, description: list[Any]) -> None:
        self.words = ""
        self.known_colors: dict[int, tuple[int, ...]] = {}
        match description:
            case ["pegs", int(n_pegs), int(n_colors), (0 | 1) as repetition, str(rule)]:
                demand(1 <= n_pegs <= 1000 and 1 <= n_colors <= 1000, "the game is out of range")
                self.n_codes = n_colors**n_pegs if repetition else perm(n_colors, n_pegs)
                self.n_secrets, self.n_colors, self.repetition = self.n_codes, n_colors, repetition
                numbers = [str(repetition + color) for color in range(n_colors)]
                self.symbols = numbers if n_colors > 35 else SYMBOLS[repetition:]
            case ["codebook", str(rule), int(n_pegs), int(n_secrets), str(words)]:
                demand(n_pegs >= 1 and len(words) % n_pegs == 0, "the codebook is ragged")
                self.n_codes, self.n_secrets, self.words = len(words) // n_pegs, n_secrets, words
                demand(1 <= n_secrets <= self.n_codes, "the number of secrets is out of range")
            case _:
                raise FormatError("the game is of an unknown kind, or its description is wrong")
        self.n_pegs, self.rule = n_pegs, rule
        pegs, black = (n_pegs + 1) * (n_pegs + 2) // 2 - 1, n_pegs + 1
        sizes = {"pegs": pegs, "black": black, "position": 3 ** min(n_pegs, 9)}
        demand(rule in sizes, f"the feedback rule {rule!r} is unknown")
        self.n_responses = sizes[rule]

    def colors(self, code: int) -> tuple[int, ...]:
        """Return the values on a code's pegs (of a codebook: its characters' code points)."""
        if self.words:
            return tuple(map(ord, self.words[code * self.n_pegs : (code + 1) * self.n_pegs]))
        digits = []
        for left in range(self.n_pegs):
            n_free = self.n_colors - (0 if self.repetition else self.n_pegs - 1 - left)
            code, digit = divmod(code, n_free)
            digits.append(digit)
        free = list(range(self.n_colors))
        return tuple(map(free.__getitem__ if self.repetition else free.pop, reversed(digits)))

    def format(self, code: int) -> str:
        """Return a code as people write it."""
        if self.words:
            return self.words[code * self.n_pegs : (code + 1) * self.n_pegs]
        separator = "." if self.n_colors > 35 else ""
        return separator.join([self.symbols[color] for color in self.colors(code)])

    def parse(self, feedback: str | Sequence[int]) -> int:
        """Return the response of a feedback: ``"02"``, ``"0.2"``, ``(0, 2)``."""
        if not isinstance(feedback, str):
            return self.response_of(feedback)
        if self.rule != "pegs":
            return self.response_of((feedback,))
        return self.response_of(feedback.split(".") if "." in feedback else list(feedback))

    def response_of(self, feedback: Sequence[int | str]) -> int:
        """Return the response of a feedback; raise UnreachableError when there is none."""
        n_pegs = self.n_pegs
        try:
            if self.rule == "position":
                marks = "".join(map(str, feedback))
                if len(marks) == n_pegs:
                    return int(marks, 3)
            elif self.rule == "black":
                (black,) = map(int, feedback)
                if 0 <= black <= n_pegs:
                    return black
            else:
                black, white = map(int, feedback)
                whites = range(n_pegs - black + (black != n_pegs - 1))
                if black >= 0 and (white in whites or (black, white) == (n_pegs, 0)):
                    return (
                        black * (n_pegs + 1) - black * (black - 1) // 2 + white - (black == n_pegs)
                    )
        except ValueError:
            pass
        raise UnreachableError(f"{feedback} is no feedback of {n_pegs} pegs ({self.rule})")


class Unpacker:
    """The part of MessagePack that a table needs; binary values are views, not copies."""

    def __init__(self, view: memoryview) -> None:
        self.view, self.at = view, 0

    def read_head(self) -> tuple[str, int]:
        """Return the kind of the next value, and its size (of a number: the number)."""
        tag = self.take(1)[0]
        for kind, first, last in FIXED_KINDS:
            if first <= tag <= last:
                return kind, tag - first
        for kind, first, last, width in SIZED_KINDS:
            if first <= tag <= last:
                return kind, int.from_bytes(self.take(width << tag - first), "big")
        raise FormatError(f"damaged table: offset {self.at - 1}: the byte {tag:#04x}")

    def read(self, depth: int) -> Any:
        """Return the next value."""
        kind, size = self.read_head()
        if kind == "int":
            return size
        if kind in ("list", "map"):
            demand(depth < 2 and size <= len(self.view), f"offset {self.at}: too deep or too long")
            if kind == "list":
                return [self.read(2) for _ in range(size)]
            return {str(self.read(2)): self.read(2) for _ in range(size)}
        part = self.take(size)
        try:
            return part if kind == "bin" else str(part, "utf-8")
        except UnicodeDecodeError:
            raise FormatError(f"damaged table: offset {self.at - size}: not UTF-8") from None

    def take(self, size: int) -> memoryview:
        """Return the next bytes."""
        self.at += size
        demand(self.at <= len(self.view), f"offset {self.at - size}: the file ends early")
        return self.view[self.at - size : self.at]


def unpack_envelope(view: memoryview) -> list[Any]:
    """Return the envelope's values but for the CRC-32, which was cut off."""
    unpacker = Unpacker(view)
    kind, n_values = unpacker.read_head()
    demand(kind == "list" and n_values > 10, "offset 0: the envelope is too short")
    parts = [unpacker.read(1) for _ in range(min(n_values, len(view)) - 1)]
    demand(unpacker.at == len(view), f"offset {unpacker.at}: there are too many values")
    for place, wanted in enumerate((str, int, str, list, list, dict, int, int, int, int)):
        demand(type(parts[place]) is wanted, f"value {place} of the envelope has a wrong type")
    return parts


def demand(is_true: bool, problem: str) -> None:
    """Raise FormatError unless something is true."""
    if not is_true:
        raise FormatError(f"damaged table: {problem}")


def read_field(section: memoryview, place: int, width: int) -> int:
    """Return the field at a place of a section of fields of so many bits."""
    begin, end = place * width, place * width + width
    number = int.from_bytes(section[begin >> 3 : (end + 7) >> 3], "big")
    return number >> (-end & 7) & ((1 << width) - 1)


def read_bits(section: memoryview, begin: int, n_bytes: int) -> str:
    """Return the bits of some bytes as a text of 0 and 1."""
    part = section[begin : begin + n_bytes]
    return f"{int.from_bytes(part, 'big'):0{8 * len(part)}b}"


def read_fields(section: memoryview, begin: int, end: int, width: int) -> list[int]:
    """Return the fields `begin` to `end - 1`."""
    if width == 0:
        return [0] * (end - begin)
    first = begin * width
    bits = read_bits(section, first >> 3, ((end * width + 7) >> 3) - (first >> 3))
    at, stop = first & 7, (first & 7) + (end - begin) * width
    return [int(bits[place : place + width], 2) for place in range(at, stop, width)]


if __name__ == "__main__":
    with Player.open(sys.argv[1]) as shown:
        while shown.guess:
            try:
                shown.answer(*input(f"{shown.guess}? ").split())
            except UnreachableError as problem:
                print(problem)  # noqa: T201
