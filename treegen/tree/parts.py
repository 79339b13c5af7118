"""Parts of a tree: what grows in one task, an excerpt of a whole tree, what its digest hashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError, TreeError
from ..games.base import Game
from ..games.codebook import make_excerpt
from ..games.rules import is_weighted
from .tree import Figures, Provenance, Tree, count_found, price_guesses, tally, weigh_secrets
from .walk import hash_blocks, list_head, list_lines, renumber

COLUMNS: dict[str, np.dtype[Any]] = {
    "guess": np.dtype("<i4"),
    "n_candidates": np.dtype("<i4"),
    "response": np.dtype("<i2"),
    "n_children": np.dtype("<i2"),
}
"""Columns of a part in the order of its bytes: concatenated, each one is aligned."""

WIDE_COLUMNS = dict.fromkeys(COLUMNS, np.dtype("<i4"))
"""The same where a game has more responses than 16 bits hold."""

_COUNT = np.dtype("<u4")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Consecutive states of one level of a tree, and all states below them.

    If the first levels of parts are consecutive, concatenating the parts level by level gives the
    tree, since its order is level order. In a game of more responses than 16 bits hold, responses
    and numbers of children have 32.
    """

    sizes: tuple[int, ...]  # the number of states on each level, from the first level
    guess: NDArray[np.int32]  # in level order, as the other columns
    n_candidates: NDArray[np.int32]
    response: NDArray[np.int16]  # that leads here
    n_children: NDArray[np.int16]  # on the next level

    @property
    def n_nodes(self) -> int:
        """Number of states."""
        return len(self.guess)

    def level(self, name: str, depth: int) -> NDArray[Any]:
        """Return a column's values of one level; none if the part is not that deep."""
        begin = sum(self.sizes[:depth])
        end = begin + (self.sizes[depth] if depth < len(self.sizes) else 0)
        column: NDArray[Any] = getattr(self, name)[begin:end]
        return column

    def to_bytes(self) -> bytes:
        """Return the part as bytes: number of levels, their sizes, the columns."""
        head = np.array([len(self.sizes), *self.sizes], dtype=_COUNT)
        types = WIDE_COLUMNS if self.response.dtype.itemsize > 2 else COLUMNS
        columns = (np.asarray(getattr(self, name), dtype) for name, dtype in types.items())
        return b"".join([head.tobytes(), *(column.tobytes() for column in columns)])


def join_levels(levels: Iterable[dict[str, NDArray[Any]]]) -> Part:
    """Join levels, each given as its columns, into a part."""
    rows = list(levels)
    columns = {
        name: np.concatenate([row[name] for row in rows] or [np.empty(0)]).astype(dtype)
        for name, dtype in COLUMNS.items()
    }
    if rows and rows[0]["response"].dtype.itemsize > 2:  # more responses than 16 bits hold
        for name in ("response", "n_children"):
            columns[name] = np.concatenate([row[name] for row in rows]).astype(np.int32)
    return Part(tuple(len(row["guess"]) for row in rows), **columns)


def read_part(data: Any) -> Part:
    """Return the part that bytes hold, without a copy; raise FormatError if they are not a part."""
    view = memoryview(data)
    n_levels = int.from_bytes(view[:4], "little")
    offset = 4 * (n_levels + 1)
    if len(view) < offset:
        raise FormatError(f"offset {len(view)}: the part ends in its sizes")
    sizes = tuple(np.frombuffer(view, _COUNT, n_levels, 4).tolist())
    n_nodes = sum(sizes)
    kinds = {
        n_nodes * sum(dtype.itemsize for dtype in types.values()): types
        for types in (WIDE_COLUMNS, COLUMNS)
    }
    if len(view) - offset not in kinds:
        raise FormatError(f"offset {offset}: the part's length is not that of {n_nodes} states")
    columns = {}
    for name, dtype in kinds[len(view) - offset].items():
        columns[name] = np.frombuffer(view, dtype, n_nodes, offset)
        offset += n_nodes * dtype.itemsize
    return Part(sizes, **columns)


def cut_tree(tree: Tree) -> Tree:
    """Return a tree of a codebook with no more words than the secrets and those that it guesses.

    Its digest is that of the whole tree. A tree of another game, one that is cut already, and one
    that guesses all words are returned as they are.
    """
    game = tree.game
    if game.rules.excerpt or game.rules.given_costs is not None:
        return tree
    codes = np.unique([*np.unique(tree.guess), *(guess for guess, _ in tree.provenance.history)])
    cut = make_excerpt(game, codes.tolist())
    if cut.n_codes == game.n_codes:
        return tree
    numbers = cut.rules.number_codes(np.arange(cut.n_codes))
    return renumber(tree, cut, lambda guesses: np.searchsorted(numbers, guesses))


def restore_tree(tree: Tree, game: Game) -> Tree:
    """Return the tree of a whole codebook that a tree of its excerpt stands for.

    TreeError if the excerpt is of another list of words.
    """
    cut = tree.game
    whole = renumber(tree, game, cut.rules.number_codes)
    if cut.rules.excerpt is None:
        raise TreeError(f"{cut.name} is no excerpt of a codebook")
    numbers = cut.rules.number_codes(np.arange(cut.n_codes)).tolist()
    words = map(cut.format_code, range(cut.n_codes))
    if cut.rules.digest_name != game.rules.digest_name or numbers[-1] >= game.n_codes:
        raise TreeError("the words are not of this codebook: their digests differ")
    if any(game.format_code(number) != word for number, word in zip(numbers, words, strict=True)):
        raise TreeError("the words are not those of the codebook")
    return whole


MAX_NODES = 2**31 - 1
"""Node numbers have 32 bits."""

Lists = tuple[list[int], list[int], list[int]]


@dataclass(frozen=True, eq=False)
class ShardedTree(Figures):
    """A complete tree: its top levels, and consecutive parts below them.

    It offers the statistics of a `Tree`, and its columns from front to back; one part at a time is
    in memory.

    Attributes
    ----------
    game, provenance
        As of a `Tree`.
    top
        All levels above the parts; if there are none, there is one part.
    parts
        The parts; accessing one reads it.
    """

    game: Game
    provenance: Provenance
    top: Part
    parts: Sequence[Part]

    @cached_property
    def _level_sums(self) -> list[tuple[int, int]]:
        """Number of states and sum of candidates of each level."""
        sums = [self._sum_level(self.top, depth) for depth in range(len(self.top.sizes))]
        for part in self.parts:
            for depth in range(len(part.sizes)):
                place = len(self.top.sizes) + depth
                sums += [(0, 0)] * (place + 1 - len(sums))
                n_states, n_candidates = self._sum_level(part, depth)
                sums[place] = sums[place][0] + n_states, sums[place][1] + n_candidates
        return sums

    @staticmethod
    def _sum_level(part: Part, depth: int) -> tuple[int, int]:
        return part.sizes[depth], int(part.level("n_candidates", depth).sum(dtype=np.int64))

    @cached_property
    def n_nodes(self) -> int:
        """Number of states; TreeError if there are more than a tree may have."""
        n_nodes = sum(n_states for n_states, _ in self._level_sums)
        if n_nodes > MAX_NODES:
            raise TreeError(f"the tree has {n_nodes:,} states; at most {MAX_NODES:,} are numbered")
        return n_nodes

    @property
    def n_secrets(self) -> int:
        """Number of secrets that the tree finds."""
        return self._level_sums[0][1]

    @cached_property
    def share_histogram(self) -> list[int]:
        """The histogram as files have it, in shares: see `Rules.share_unit`."""
        if is_weighted(self.game.rules):
            return count_weights_of_parts(self.game, self.top, self.parts)
        left = [n_candidates for _, n_candidates in self._level_sums]
        return count_found(left, None if self.game.goal.last_step else self._count_leaves())

    def _count_leaves(self) -> list[int]:
        """Return how many states of each level have no children."""
        leaves = [0] * len(self._level_sums)
        for first, part in [(0, self.top), *((len(self.top.sizes), part) for part in self.parts)]:
            for depth in range(len(part.sizes)):
                counts = part.level("n_children", depth)
                leaves[first + depth] += int(np.count_nonzero(counts == 0))
        return leaves

    @cached_property
    def digest(self) -> str:
        """The sha256 of every state and guess, as of a `Tree`."""
        return hash_blocks(self._generate_digest_blocks())

    def iter_column(self, name: str) -> Iterator[NDArray[Any]]:
        """Yield the pieces of a column of the tree: those of `Tree`, in level order."""
        if name == "first_child":
            end = 1
            yield np.array([end], dtype=np.int32)
            for counts in self.iter_column("n_children"):
                ends = end + np.cumsum(counts, dtype=np.int64)
                yield ends.astype(np.int32)
                end = int(ends[-1]) if len(ends) else end
            return
        n_levels = len(self._level_sums)
        for depth in range(len(self.top.sizes)):
            yield self.top.level(name, depth)
        for depth in range(n_levels - len(self.top.sizes)):
            for part in self.parts:
                yield part.level(name, depth)

    def _generate_digest_blocks(self) -> Iterator[list[str]]:
        """Yield the digest's lines; in depth-first order the states below the top stay in order."""
        yield list_head(self.game, self.provenance)
        guesses, responses, first = _list_part(self.top, 1)
        # The first states of the parts, each as a part's lists and its place there.
        parts = ((_list_part(part, part.sizes[0]), part.sizes[0]) for part in self.parts)
        below = ((lists, state) for lists, n_states in parts for state in range(n_states))
        stack = [(0, "")]
        while stack:
            node, path = stack.pop()
            if node >= len(guesses):
                (own, answers, children), state = next(below)
                answer = answers[state] if answers[state] >= 0 else ""  # the root has none
                yield list_lines(own, answers, children, state, f"{path}{answer}")
                continue
            yield [f"{path or '-'} {guesses[node]}"]
            prefix = f"{path}." if path else ""
            stack.extend(
                # A child behind the top is a part's first state, which has its own response.
                (child, f"{prefix}{responses[child]}" if child < len(guesses) else prefix)
                for child in range(first[node + 1] - 1, first[node] - 1, -1)
            )


def _list_part(part: Part, n_roots: int) -> Lists:
    """Return guesses, responses and first children of a part as lists."""
    first = list(accumulate(part.n_children.tolist(), initial=n_roots))
    return part.guess.tolist(), part.response.tolist(), first


def count_weights_of_parts(game: Game, top: Part, parts: Sequence[Part]) -> list[int]:
    """Return the weight of the secrets found at cost 1, 2, 3 … worst.

    `top` has all levels above the parts, from the root, perhaps none; accessing a part reads it.
    """
    histogram: list[int] = []

    def add(
        part: Part, spent: NDArray[np.int64], behind: Sequence[NDArray[np.integer]] = ()
    ) -> NDArray[np.int64]:
        """Count what a part finds; return what was spent before each state behind it.

        `spent`, int64[n], is what the guesses before each state of the first level cost together;
        `behind` has the candidates of each state behind the last level, in pieces.
        """
        for depth in range(len(part.sizes)):
            guesses, n_children = part.level("guess", depth), part.level("n_children", depth)
            lengths = spent + price_guesses(game, guesses, n_children == 0)
            # A candidate that is in no child is the guess itself.
            is_last = depth + 1 == len(part.sizes)
            below = behind if is_last else [part.level("n_candidates", depth + 1)]
            sums = np.cumsum(np.concatenate(([0], *below)), dtype=np.int64)
            ends = np.cumsum(n_children, dtype=np.int64)
            n_below = sums[ends] - sums[ends - n_children]
            found = n_below < part.level("n_candidates", depth)
            counts = tally(lengths[found], weigh_secrets(game, guesses[found]))
            pairs = zip_longest(histogram, counts, fillvalue=0)
            histogram[:] = [have + more for have, more in pairs]
            spent = np.repeat(lengths, n_children)
        return spent

    first = [part.level("n_candidates", 0) for part in parts]
    spent = add(top, np.zeros(1, dtype=np.int64), first)
    begin = 0
    for part in parts:
        end = begin + part.sizes[0]
        add(part, spent[begin:end])
        begin = end
    return histogram
