"""A tree kept in parts, each in its own file: it need not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TreeError
from ..games.base import Game, Goal
from .parts import Part, hash_blocks, list_head, list_lines
from .tree import Figures, Provenance, count_found, tally, weigh_secrets

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
    def histogram(self) -> list[int]:
        """Number (or weight) of the secrets found at guess (or cost) 1, 2, 3 … worst."""
        if self.game.stakes:
            return count_weights_of_parts(self.game, self.top, self.parts)
        left = [n_candidates for _, n_candidates in self._level_sums]
        return count_found(left, None if self.game.goal == Goal.WIN else self._count_leaves())

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
    costs = game.costs
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
            lengths = spent + costs[guesses]
            if game.goal == Goal.IDENTIFY:  # they are announced
                lengths[n_children == 0] = spent[n_children == 0]
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
