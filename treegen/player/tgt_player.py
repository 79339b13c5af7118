"""Play code-breaking games from a ``.tgt`` table, with the standard library alone.

``treegen export python`` joins this module and those that it needs into one file, to be copied
anywhere. A damaged table raises `FormatError` before the first guess; docs/notes/table-format.md is
the format.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import ge, gt, or_

from ..errors import FormatError, UnreachableError
from .tgt_envelope import demand, read_bits, read_field, split_fields
from .tgt_lean import count_stored, find_candidates, score_all
from .tgt_rules import Header

History = str | Sequence[int | str | Sequence[int]]  # "02/11", or feedbacks, or response indices
WON, IMPLICIT, NODES_PER_BLOCK, SMALL, LARGE = -1, -2, 1 << 13, 1 << 20, 1 << 24


class Player:
    """Play one game after another from a table.

    ``with Player.open(path) as player:`` then ``player.guess`` is the code to play, None when
    the game is won, and ``player.answer(black, white)`` takes the answer.

    Examples
    --------
    >>> import tempfile, treegen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     treegen.build("p4c6r").write(f"{folder}/knuth.tgt")
    ...     with Player.open(f"{folder}/knuth.tgt") as player:
    ...         print(player.guess, player.answer(0, 2))
    1122 2344
    """

    def __init__(self, data: bytes | mmap.mmap, labels: str = "") -> None:
        """Check all bytes of a table; raise FormatError if they are damaged.

        `labels` is JSON, the words of a table of answers that the table lacks.
        """
        try:
            memoryview(data)
        except TypeError:
            raise TypeError(
                f"a table is given as bytes, not {data!r:.80}: Player.open(path) opens a file"
            ) from None
        self._data, self.table = data, Table(data)
        self.rules = self.table.rules
        if labels:
            self.rules.read_labels(labels)
        self.restart()

    @classmethod
    def open(cls, path: str, labels: str = "") -> Player:
        """Open a table, and a file of its labels; a large table is mapped, not read."""
        try:
            if labels:
                with open(path, "rb") as stream, open(labels, encoding="utf-8") as words:  # noqa: PTH123
                    return cls(stream.read(), words.read())
            with open(path, "rb") as stream:  # noqa: PTH123
                if stream.seek(0, 2) >= 1 << 20:
                    return cls(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
                stream.seek(0)
                return cls(stream.read())
        except FormatError as error:
            names = ", ".join(repr(str(name)) for name in (path, labels) if name)
            raise FormatError(f"{names}: {error}") from None

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
        """Index of the code to guess now, None if the game is over."""
        node, candidates = self._states[-1]
        if self._is_announced(node, candidates):
            return None
        if node < 0:
            return candidates[0] if node == IMPLICIT else None
        return self.table.guess_of(node)

    @property
    def guess(self) -> str | None:
        """The code or question to ask now as people write it, None if the game is over."""
        code = self.code
        return None if code is None else self.rules.format(code)

    @property
    def found(self) -> str | None:
        """The secret as people write it, once it is known: guessed, or the only one left."""
        return None if self.found_code is None else self.rules.format(self.found_code)

    @property
    def found_code(self) -> int | None:
        """Index of the secret, once it is known."""
        node, candidates = self._states[-1]
        if self._is_announced(node, candidates):
            return candidates[0] if candidates else self.table.guess_of(node)
        return candidates[0] if node == WON else None

    def _is_announced(self, node: int, candidates: Sequence[int]) -> bool:
        """Whether one candidate is left in a game that ends there."""
        if not self.rules.announces or node == WON:
            return False
        return len(candidates) == 1 if candidates else self.table.is_leaf(node)

    @property
    def before(self) -> list[tuple[str, str]]:
        """Guesses made before the table's first, and the answers to them."""
        pairs = zip(*[iter(self.table.start)] * 2, strict=True)
        return [(self.rules.format(code), self._write(code, reply)) for code, reply in pairs]

    def _write(self, code: int, response: int) -> str:
        """Return a response to a guess or question as people write it."""
        labels = self.rules.list_answers(code) if self.rules.rule == "answers" else []
        known = [*labels, *list(self.rules.answers)[len(labels) :]]
        return known[response] if 0 <= response < len(known) else f"response {response}"

    def restart(self) -> None:
        """Begin a new game."""
        self._states: list[tuple[int, Sequence[int]]] = [(0, self.table.candidates)]

    def answer(self, *feedback: int | str) -> str | None:
        """Take the answer to the guess and return the next guess.

        Black and white pegs, black pegs alone, or marks ``01020`` (grey, yellow, green), as the
        game is answered; also as people type them, such as ``"0 2"``. Raises UnreachableError,
        changing nothing, if no secret fits that answer.
        """
        return self.respond(self.rules.response_of(feedback, self.code))

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
            for step in self._split(history) if isinstance(history, str) else history:
                if isinstance(step, int):
                    self.respond(step)
                else:
                    self.respond(self.rules.response_of(step, self.code))
            return self.guess
        finally:
            self._states = states

    def _split(self, text: str) -> list[str]:
        """Return the answers that slashes join; one may hold slashes itself."""
        parts = text.split("/") if text else []
        if not any("/" in label for row in self.rules.labels for label in row):
            return parts
        ways = [[text]] if text in self.rules.list_answers(self.table.guess_of(0)) else []
        ways = ways or list(self._read_ways(parts))
        if len(ways) > 1:
            raise ValueError(f"{text} may mean {ways[0]} or {ways[1]}: give a list of answers")
        return ways[0] if ways else parts

    def _read_ways(self, parts: list[str]) -> Iterator[list[str]]:
        """Yield the ways in which joined parts are answers that lead somewhere."""
        if not parts:
            yield []
        for n_parts in range(1, len(parts) + 1):
            step = "/".join(parts[:n_parts])
            try:
                self.answer(step)
            except UnreachableError:
                continue
            yield from ([step, *rest] for rest in self._read_ways(parts[n_parts:]))
            self.undo()

    def get(self, history: History, default: str | None = None) -> str | None:
        """Return the result of `probe`, or a default if no secret fits that answer."""
        try:
            return self.probe(history)
        except UnreachableError:
            return default

    def _next(self, response: int) -> tuple[int, Sequence[int]]:
        (node, candidates), code, table = self._states[-1], self.code, self.table
        if code is None:
            raise UnreachableError("the game is won: there is nothing to answer")
        if response == table.n_responses - 1:
            return WON, (code,)
        replies = score_all(table.rules, candidates, code) if table.implicit else []
        child = self._find_child(node, response, replies)
        if table.implicit:
            candidates = [
                c for c, reply in zip(candidates, replies, strict=True) if reply == response
            ]
            child = None if not candidates else IMPLICIT if child is None else child
        if child is None:
            raise UnreachableError(
                f"no secret answers {self.guess} with {self._write(code, response)}"
            )
        return child, candidates

    def _find_child(self, node: int, response: int, replies: list[int]) -> int | None:
        """Return the node that a table stores for a response, None if there is none."""
        if node == IMPLICIT:
            return None
        if self.table.responses is not None:
            return self.table.child_of(node, response)
        rank = count_stored(replies, response, self.table.implicit)
        return None if rank is None else self.table.child_at(node, rank)


class Table(Header):
    """A table's sections, checked, and the walk through them."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        super().__init__(data)
        self.candidates: Sequence[int] = ()
        if self.implicit:
            self.candidates = find_candidates(self)
        self.guesses, self.shape = self.sections[0], self.sections[-1]
        self.responses = self.sections[1] if len(self.sections) == 3 else None
        self._check_sections()
        self._scan_shape()

    def guess_of(self, node: int) -> int:
        """Return the code guessed at a node."""
        return read_field(self.guesses, node * self._guess_bits, self._guess_bits)

    def child_of(self, node: int, response: int) -> int | None:
        """Return the node that a response leads to, None if there is none."""
        if self.responses is None:
            return None
        before, last = self._find_start(node) - node, self._find_start(node + 1) - node - 1
        width, mask = self._reply_bits, (1 << self._reply_bits) - 1
        fields = read_field(self.responses, before * width, (last - before) * width)
        for child in range(last, before, -1):
            if fields & mask == response:
                return child
            fields >>= width
        return None

    def is_leaf(self, node: int) -> bool:
        """Whether a node has no children."""
        return self._find_start(node + 1) - self._find_start(node) == 1

    def child_at(self, node: int, rank: int) -> int | None:
        """Return a node's child of this rank, None if it has fewer."""
        child = self._find_start(node) - node + 1 + rank
        return child if child <= self._find_start(node + 1) - node - 1 else None

    def _search_start(self, node: int) -> int:
        """Return the position of a node's first one: after a zero for each node before it."""
        block, left = divmod(node, self._stride)
        start = self._samples[block]
        while left:
            bits = read_bits(self.shape, start >> 3, 16)[start & 7 :]
            ends = [at + 1 for at, bit in enumerate(bits) if bit == "0"]
            start += ends[left - 1] if left <= len(ends) else len(bits)
            left -= min(left, len(ends))
        return start

    def _check_sections(self) -> None:
        """Check the sections' lengths, that no bit is set after their ends, and the guesses."""
        n_nodes = self.n_nodes
        demand(1 <= n_nodes < 1 << 40, "n_nodes is out of range")
        self._guess_bits = (self.n_codes - 1).bit_length()
        self._reply_bits = (self.n_responses - 2).bit_length()
        self._check_section("guess", self.guesses, n_nodes * self._guess_bits)
        if self.responses is not None:
            self._check_section("response", self.responses, (n_nodes - 1) * self._reply_bits)
        self._check_section("shape", self.shape, 2 * n_nodes - 1)
        for begin in range(0, n_nodes, NODES_PER_BLOCK):
            end = min(begin + NODES_PER_BLOCK, n_nodes)
            split_fields(self.guesses, begin, end, self._guess_bits, self.n_codes)

    def _check_section(self, name: str, section: memoryview, size: int) -> None:
        demand(len(section) == (size + 7) // 8, f"section {name} has a wrong length")
        is_clean = size % 8 == 0 or section[-1] & ((1 << -size % 8) - 1) == 0
        demand(is_clean, f"section {name} has bits set behind its end")

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
            too_many = self.responses is None and max(degrees, default=0) >= self.n_responses
            demand(not too_many, f"a node from {node} on has more children than answers")
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
        if begin == end or self.responses is None:
            return last
        replies = split_fields(self.responses, begin, end, self._reply_bits, self.n_responses - 1)
        is_first = map("f".__eq__, f"0{bits}".replace("01", "0f").replace("0", ""))
        rises = map(gt, replies, [last, *replies])
        demand(all(map(or_, is_first, rises)), f"siblings of {begin} to {end} are out of order")
        return replies[-1]
