"""Play code-breaking games from a ``.tgt`` table: one file, only the standard library.

Copy this file wherever it is needed (for the profiles `lean` and `seed` also ``tgt_lean.py``).
A damaged table raises `FormatError` before the first guess; docs/table-format.md is the format.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import accumulate, product
from math import factorial, perm, prod
from operator import ge, gt, or_
from zlib import crc32

TYPE_CHECKING = False  # typing takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any

try:
    from ..errors import FormatError, UnreachableError
except ImportError:  # copied out of the package
    FormatError, UnreachableError = ValueError, KeyError  # type: ignore[misc, assignment]

History = str | Sequence[int | str | Sequence[int]]  # "02/11", or feedbacks, or response indices
WON, IMPLICIT, NODES_PER_BLOCK, SMALL, LARGE = -1, -2, 1 << 13, 1 << 20, 1 << 24
SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TAGS = "i" * 8 + "mass----bbb-----iiii---------sssaamm" + "-" * 32  # below 192 by the upper half


class Player:
    """Play one game after another from a table.

    ``with Player.open(path) as player:`` then ``player.guess`` is the code to play, None when
    the game is won, and ``player.answer(black, white)`` takes the answer.
    """

    def __init__(self, data: bytes | mmap.mmap) -> None:
        """Check all bytes of a table; raise FormatError if they are damaged."""
        self._data, self.table = data, Table(data)
        self.rules = self.table.rules
        self.restart()

    @classmethod
    def open(cls, path: str) -> Player:
        """Open a table; a large one is mapped, not read."""
        with open(path, "rb") as stream:  # noqa: PTH123
            if stream.seek(0, 2) >= 1 << 20:
                return cls(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
            stream.seek(0)
            return cls(stream.read())

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self.table.__dict__.clear()  # views of a map would keep it open
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    @property
    def code(self) -> int | None:
        """Index of the code to guess now, None if the game is won."""
        node, candidates = self._states[-1]
        if node < 0:
            return candidates[0] if node == IMPLICIT else None
        return self.table.guess_of(node)

    @property
    def guess(self) -> str | None:
        """The code to guess now as people write it, None if the game is won."""
        code = self.code
        return None if code is None else self.rules.format(code)

    @property
    def before(self) -> list[tuple[str, str]]:
        """Guesses made before the table's first, and the answers to them."""
        pairs, answers = zip(*[iter(self.table.start)] * 2, strict=True), list(self.rules.answers)
        return [(self.rules.format(code), answers[response]) for code, response in pairs]

    def restart(self) -> None:
        """Begin a new game."""
        self._states: list[tuple[int, Sequence[int]]] = [(0, self.table.candidates)]

    def answer(self, *feedback: int | str) -> str | None:
        """Take the answer to the guess and return the next guess.

        Black and white pegs, black pegs alone, or marks ``01020`` (grey, yellow, green), as the
        game is answered. Raises UnreachableError, changing nothing, if no secret answers so.
        """
        return self.respond(self.rules.response_of(feedback))

    def respond(self, response: int) -> str | None:
        """Take the answer as a response index and return the next guess, like `answer`."""
        self._states.append(self._next(response))
        return self.guess

    def undo(self) -> None:
        """Take the last answer back, if there is one."""
        del self._states[max(1, len(self._states) - 1) :]

    def probe(self, history: History) -> str | None:
        """Return the guess after these answers, None if they win; UnreachableError if none."""
        states = self._states
        self.restart()
        try:
            for step in history.split("/") if isinstance(history, str) and history else history:
                self.respond(step if isinstance(step, int) else self.rules.response_of(step))
            return self.guess
        finally:
            self._states = states

    def get(self, history: History, default: str | None = None) -> str | None:
        """Return what `probe` returns, or a default if no secret answers so."""
        try:
            return self.probe(history)
        except UnreachableError:
            return default

    def _next(self, response: int) -> tuple[int, Sequence[int]]:
        (node, candidates), table = self._states[-1], self.table
        if node == WON:
            raise UnreachableError("the game is won: there is nothing to answer")
        if response == table.n_responses - 1:
            return WON, ()
        child = None if node == IMPLICIT else table.child_of(node, response)
        if table.implicit:
            candidates = table.lean.select(self.rules, candidates, self.code, response)
            child = None if not candidates else IMPLICIT if child is None else child
        if child is None:
            raise UnreachableError(f"no secret answers {self.guess} with response {response}")
        return child, candidates


class Table:
    """A table's sections, checked, and the walk through them."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        self.candidates: Sequence[int] = ()
        view = memoryview(data)
        demand(len(view) >= 16 and bytes(view[1:6]) == b"\xa4TGT1", "offset 0: this is no table")
        is_whole = view[-5] == 0xCE and crc32(view[:-5]) == int.from_bytes(view[-4:], "big")
        demand(is_whole, f"offset {len(view) - 5}: the CRC-32 does not fit")
        parts = unpack(view[:-5])
        _, minor, self.profile, self.game, self.start, self.meta, *counts = parts[:10]
        self.n_codes, self.n_responses, self.n_nodes, self.implicit = counts
        demand(self.profile in ("full", "lean", "seed"), f"profile {self.profile!r} is unknown")
        end = 11 if self.profile == "seed" else 13
        demand([*map(type, parts[10:end])] == [memoryview] * (end - 10), "sections are not binary")
        demand(minor > 0 or len(parts) == end, "there are too many values")
        self.rules = Rules(self.game)
        self._check_header()
        if self.implicit:
            self.lean = import_module(f"{__package__}.tgt_lean" if __package__ else "tgt_lean")
            parts[10:end] = self.lean.prepare(self, parts[10:end])
        self.guesses, self.responses, self.shape = parts[10:13]
        self._check_sections()
        self._scan_shape()

    def guess_of(self, node: int) -> int:
        """Return the code guessed at a node."""
        return read_field(self.guesses, node * self._guess_bits, self._guess_bits)

    def child_of(self, node: int, response: int) -> int | None:
        """Return the node that a response leads to, None if there is none."""
        before, last = self._find_start(node) - node, self._find_start(node + 1) - node - 1
        width, mask = self._reply_bits, (1 << self._reply_bits) - 1
        fields = read_field(self.responses, before * width, (last - before) * width)
        for child in range(last, before, -1):
            if fields & mask == response:
                return child
            fields >>= width
        return None

    def _search_start(self, node: int) -> int:
        """Return where a node's ones begin: after as many zeros as nodes come before it."""
        block, left = divmod(node, self._stride)
        start = self._samples[block]
        while left:
            bits = read_bits(self.shape, start >> 3, 16)[start & 7 :]
            ends = [at + 1 for at, bit in enumerate(bits) if bit == "0"]
            start += ends[left - 1] if left <= len(ends) else len(bits)
            left -= min(left, len(ends))
        return start

    def _check_header(self) -> None:
        full, meta, pairs = self.profile == "full", self.meta, self.start
        demand(self.implicit in ((0,) if full else (1, 2)), "implicit does not fit the profile")
        demand(self.rules.n_codes == self.n_codes < 1 << 31, "n_codes is not the game's")
        demand(self.rules.n_responses == self.n_responses, "n_responses is not the game's")
        demand([*meta] == ["digest", "strategy", "total", "worst"], "meta has other keys")
        demand([*map(type, meta.values())] == [memoryview, str, int, int], "meta is wrong")
        demand(len(meta["digest"]) == 32, "the digest has not 32 bytes")
        meta["digest"] = bytes(meta["digest"])
        limits = [self.n_codes, self.n_responses] * (len(pairs) // 2)
        are_right = [type(x) is int and x < most for x, most in zip(pairs, limits, strict=False)]
        demand(len(limits) == len(pairs) and all(are_right), "start is no pairs in range")

    def _check_sections(self) -> None:
        """Check the sections' lengths, that no bit is set after their ends, and the guesses."""
        n_nodes = self.n_nodes
        demand(1 <= n_nodes < 1 << 40, "n_nodes is out of range")
        self._guess_bits = (self.n_codes - 1).bit_length()
        self._reply_bits = (self.n_responses - 2).bit_length()
        sizes = (n_nodes * self._guess_bits, (n_nodes - 1) * self._reply_bits, 2 * n_nodes - 1)
        sections = {"guess": self.guesses, "response": self.responses, "shape": self.shape}
        for (name, section), size in zip(sections.items(), sizes, strict=True):
            demand(len(section) == (size + 7) // 8, f"section {name} has a wrong length")
            is_clean = size % 8 == 0 or section[-1] & ((1 << -size % 8) - 1) == 0
            demand(is_clean, f"section {name} has bits set behind its end")
        for begin in range(0, n_nodes, NODES_PER_BLOCK):
            end = min(begin + NODES_PER_BLOCK, n_nodes)
            split_fields(self.guesses, begin, end, self._guess_bits, self.n_codes)

    def _scan_shape(self) -> None:
        """Check that the shape is one tree; note where every `_stride`-th node begins in it."""
        self._stride = 1 if self.n_nodes < SMALL else 16 if self.n_nodes < LARGE else 1024
        self._samples = array("Q")
        node, ones, last, rest = 0, 0, "", ""
        for at in range(0, len(self.shape), NODES_PER_BLOCK // 8):
            bits = rest + read_bits(self.shape, at, NODES_PER_BLOCK // 8)
            bits = bits[: 2 * self.n_nodes - 1 - node - ones]
            end = bits.rfind("0") + 1
            bits, rest = bits[:end], bits[end:]
            degrees = list(map(len, bits.split("0")))[:-1]
            before = list(accumulate(degrees, initial=ones))
            in_order = all(map(ge, before, range(node, node + len(degrees))))
            demand(in_order and before[-1] < self.n_nodes, f"no tree has the shape at node {node}")
            samples = range(node + -node % self._stride, node + len(degrees), self._stride)
            starts = before[-node % self._stride :: self._stride]
            self._samples.extend(map(int.__add__, samples, starts))
            last = self._check_siblings(bits, ones, before[-1], last)
            node, ones = node + len(degrees), before[-1]
        demand(node == self.n_nodes == ones + 1 and not rest, "the shape is not one tree")
        self._samples.append(2 * node - 1)
        self._find_start = self._samples.__getitem__ if self._stride == 1 else self._search_start

    def _check_siblings(self, bits: str, begin: int, end: int, last: str) -> str:
        """Check the responses `begin` to `end - 1`, with edges in the bits; return the last."""
        if begin == end:
            return last
        replies = split_fields(self.responses, begin, end, self._reply_bits, self.n_responses - 1)
        is_first = map("f".__eq__, f"0{bits}".replace("01", "0f").replace("0", ""))
        rises = map(gt, replies, [last, *replies])
        demand(all(map(or_, is_first, rises)), f"siblings of {begin} to {end} are out of order")
        return replies[-1]


class Rules:
    """The rules in a game's description: how codes are written, how feedback is numbered."""

    def __init__(self, description: list[Any]) -> None:
        self._texts: dict[int, str] = {}
        self._answers: dict[str, int] = {}
        self.words, self.counts, n_colors, repetition = "", [], 1, 1
        match description:
            case ["pegs", int(n_pegs), int(n_colors), (0 | 1) as repetition, str(rule)]:
                demand(1 <= n_pegs <= 1000 and 1 <= n_colors <= 1000, "the game is out of range")
                n_codes = n_secrets = n_colors**n_pegs if repetition else perm(n_colors, n_pegs)
                self.counts = [1] * n_colors
            case ["arrangements", int(), *_]:
                self.counts = counts = description[1:]
                demand(all(type(n) is int and 0 < n <= 1000 for n in counts), "counts are wrong")
                n_pegs, n_colors, rule = sum(counts), len(counts), "black"
                demand(n_pegs <= 1000, "the game is out of range")
                n_codes = n_secrets = factorial(n_pegs) // prod(map(factorial, counts))
            case ["codebook", str(rule), int(n_pegs), int(n_secrets), str(words)]:
                demand(1 <= n_pegs <= 1000 and not len(words) % n_pegs, "the codebook is ragged")
                self.words, n_codes = words, len(words) // n_pegs
                demand(1 <= n_secrets <= n_codes, "the number of secrets is out of range")
            case _:
                raise FormatError("the game is of an unknown kind, or its description is wrong")
        self.n_codes, self.n_secrets, self.n_pegs, self.rule = n_codes, n_secrets, n_pegs, rule
        self.is_repeating = repetition and description[0] == "pegs"
        numbers = [str(repetition + color) for color in range(n_colors)]
        self._symbols = SYMBOLS[repetition:] if n_colors <= 35 else numbers
        sizes = {"pegs": (n_pegs + 1) * (n_pegs + 2) // 2 - 1, "black": n_pegs + 1}
        sizes |= {"position": 3**n_pegs} if self.words and n_pegs <= 9 else {}
        demand(rule in sizes, f"the feedback rule {rule!r} is unknown here")
        self.n_responses = sizes[rule]

    def colors(self, code: int) -> tuple[int, ...]:
        """Return the values on a code's pegs (of a codebook: its characters' code points)."""
        return tuple(map(ord, self.format(code)) if self.words else self._unrank(code))

    def format(self, code: int) -> str:
        """Return a code as people write it."""
        if code not in self._texts:
            word = self.words[code * self.n_pegs : (code + 1) * self.n_pegs]
            colors, dot = () if word else self.colors(code), "." * (len(self.counts) > 35)
            self._texts[code] = word or dot.join([self._symbols[color] for color in colors])
        return self._texts[code]

    def _unrank(self, code: int) -> Iterator[int]:
        """Yield a code's colors: each selects a block of the codes still possible."""
        left, n_left, size = list(self.counts), sum(self.counts), self.n_codes
        for _ in range(self.n_pegs):
            color = 0
            while code >= (block := size * left[color] // n_left):
                code, color = code - block, color + 1
            size = block
            left[color] -= not self.is_repeating
            n_left -= not self.is_repeating
            yield color

    def response_of(self, feedback: str | Sequence[int | str]) -> int:
        """Return the response of ``(0, 2)``, ``"02"``, ``"0.2"``; UnreachableError if none."""
        text = feedback if isinstance(feedback, str) else ".".join(map(str, feedback))
        parts = [text] if self.rule == "black" else text.split(".") if "." in text else text
        plain = ("." * (self.n_pegs > 9)).join(parts)
        if plain not in self.answers:
            raise UnreachableError(f"{text} is no feedback of {self.n_pegs} pegs")
        return self.answers[plain]

    @property
    def answers(self) -> dict[str, int]:
        """The response of each answer as people write it: ``02``, ``3`` or ``01020``."""
        if not self._answers:
            n, dot = self.n_pegs, "." * (self.n_pegs > 9)
            texts: Iterator[str] = map(str, range(n + 1))
            if self.rule == "position":
                texts = map("".join, product("012", repeat=n))
            elif self.rule == "pegs":
                pairs = ((b, w) for b in range(n + 1) for w in range(n - b + 1))
                texts = (f"{b}{dot}{w}" for b, w in pairs if (b, w) != (n - 1, 1))
            self._answers = {text: at for at, text in enumerate(texts)}
        return self._answers


def unpack(view: memoryview) -> list[Any]:
    """Return the values of an envelope whose CRC-32 was cut off; bin values are views."""
    at = 0

    def take(size: int) -> memoryview:
        nonlocal at
        at += size
        demand(at <= len(view), f"offset {at - size}: the file ends early")
        return view[at - size : at]

    def read(depth: int) -> Any:
        tag = take(1)[0]
        kind = TAGS[tag >> 4 if tag < 192 else tag - 180]
        demand(kind != "-" and depth < 3, f"offset {at - 1}: the byte {tag:#04x}")
        size = tag & {"i": 127, "s": 31}.get(kind, 15)
        if tag > 191:
            width = 2 << tag % 2 if kind in "am" else 1 << (tag - (kind == "s")) % 4
            size = int.from_bytes(take(width), "big")
        if kind == "i":
            return size
        if kind in "bs":
            return take(size) if kind == "b" else str(take(size), "utf-8", "strict")
        if kind == "a":
            return [read(depth + 1) for _ in range(size - (depth == 0))]
        return {str(read(depth + 1)): read(depth + 1) for _ in range(size)}

    try:
        values = read(0)
    except UnicodeDecodeError:
        raise FormatError(f"damaged table: the text before offset {at} is not UTF-8") from None
    demand(type(values) is list and at == len(view), f"offset {at}: the envelope ends wrong")
    kinds = [type(value) for value in values[:10]]
    demand(kinds == [str, int, str, list, list, dict, *[int] * 4], "the envelope's types are wrong")
    view.release()  # the closures above would keep it
    return list(values)


def demand(is_true: bool, problem: str) -> None:
    """Raise FormatError unless something is true."""
    if not is_true:
        raise FormatError(f"damaged table: {problem}")


def read_field(section: memoryview, begin: int, width: int) -> int:
    """Return the number in so many bits of a section, from a given bit."""
    end = begin + width
    number = int.from_bytes(section[begin >> 3 : (end + 7) >> 3], "big")
    return number >> (-end & 7) & ((1 << width) - 1)


def read_bits(section: memoryview, begin: int, n_bytes: int) -> str:
    """Return the bits of some bytes as a string of 0 and 1."""
    part = section[begin : begin + n_bytes]
    return f"{int.from_bytes(part, 'big'):0{8 * len(part)}b}"


def split_fields(section: memoryview, begin: int, end: int, width: int, limit: int) -> list[str]:
    """Return the bits of fields, which sort like the numbers; all must be below a limit."""
    first, size = begin * width, (end - begin) * width
    bits = read_bits(section, first >> 3, ((first & 7) + size + 7) >> 3)[first & 7 :]
    fields = [bits[at : at + width] for at in range(0, size, width or 1)] or [""] * (end - begin)
    is_below = limit >= 1 << width or max(fields) < f"{limit:0{width}b}"
    demand(is_below, f"a guess or response between {begin} and {end} is too high")
    return fields
