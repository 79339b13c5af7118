"""Which part of a tree is shown: from one state down, to a given depth; how text says which.

Every writer of text, graphs and pictures takes the same options, `ViewOptions`, and shows the same
nodes. `path`, answers from the root, leads to the first state shown, whose guess is guess 1. Nodes
below the depth are not shown; a node that has such children is *cut*, and its `Stub` says how much
is missing. Our own styles of text begin with a header: what the text is, and what it claims.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Annotated, TypedDict

import numpy as np
from numpy.typing import NDArray

from .._options import SYMBOLS, Option, check_whole
from ..errors import UsageError
from ..games.base import Game
from ..games.histories import format_history
from ..games.notation import write_symbols
from ..games.rules import write_weights
from ..games.text import read_json_list
from ..tree.tree import Tree
from ..tree.walk import (
    count_below,
    count_leaves,
    count_levels,
    cut_at,
    find_longest,
    follow_history,
    history_of,
    is_announced,
    list_announced,
    parent_of,
)

ORDERS = ("responses", "reversed", "largest")
"""By response, ascending; descending; by candidates, most first (ties by response)."""

MAX_WRITTEN = 1 << 16
"""At most this many formatted codes are cached."""


@dataclass(frozen=True, slots=True)
class Stub:
    """What is not shown below a cut node."""

    n_states: int
    n_candidates: int  # secrets found there
    worst: int  # length, or cost where guesses have costs, of the longest game from the view's root


@dataclass(frozen=True)
class View:
    """The shown part of a tree; made by `make_view`."""

    tree: Tree
    root: int = 0  # the first node shown
    depth: int | None = None  # guesses shown; None: all
    order: str = "responses"
    symbols: tuple[str, ...] | None = None  # None: as the game writes them

    @cached_property
    def game(self) -> Game:
        """The game of the tree, which writes with the symbols."""
        return self.tree.game if self.symbols is None else self.tree.game.with_symbols(self.symbols)

    @property
    def is_cut_anywhere(self) -> bool:
        """Whether the depth hides a state."""
        return self.depth is not None and self.depth < self._n_levels

    @cached_property
    def history(self) -> tuple[tuple[int, int], ...]:
        """The (guess, response) pairs made before the first state shown."""
        return (*self.tree.provenance.history, *history_of(self.tree, self.root))

    def level(self, node: int) -> int:
        """Return the number of the node's guess: 1 at the first state shown."""
        starts = self.tree.level_starts
        return bisect_right(starts, node) - bisect_right(starts, self.root) + 1

    def is_cut(self, node: int) -> bool:
        """Whether the children of a shown node are not shown."""
        has_children = self._first[node] < self._first[node + 1]
        return has_children and self.depth is not None and self.level(node) >= self.depth

    def children(self, node: int) -> Sequence[int]:
        """Return the children of a shown node that are shown, in the view's order."""
        if self.depth is not None and self.level(node) >= self.depth:
            return ()
        children = range(self._first[node], self._first[node + 1])
        if self.order == "reversed":
            return children[::-1]
        if self.order == "largest":
            return sorted(children, key=lambda child: -self._sizes[child])
        return children

    def nodes(self) -> Iterator[int]:
        """Yield the shown nodes, each before its children."""
        return walk(self.root, self.children)

    def stub(self, node: int) -> Stub:
        """Return the stub that stands for the states below a cut node."""
        hidden = sum(map(self.n_candidates, self.tree.children(node)))
        worst = self.level(node) - 1 + count_levels(self.tree, node) - self._is_announcing
        if self.game.rules.given_costs is not None:
            worst = int(self._dearest[node]) - self.cost_before
        return Stub(count_below(self.tree, node) - 1, hidden, worst)

    @cached_property
    def n_states(self) -> int:
        """Number of states from the first one shown down, hidden ones included."""
        return count_below(self.tree, self.root)

    @cached_property
    def worst(self) -> int:
        """The most guesses of a game from the first state shown, hidden states included."""
        return self._n_levels - self._is_announcing

    @cached_property
    def _n_levels(self) -> int:
        return count_levels(self.tree, self.root)

    @cached_property
    def _is_announcing(self) -> bool:
        """Whether the last level's candidates are announced, which is no guess."""
        return is_announced(self.tree, self.tree.n_nodes - 1)

    def length(self, node: int) -> int:
        """Return the length of a game that ends at a node, counted from the first state shown.

        Where guesses have costs, what they cost together.
        """
        if self.game.rules.given_costs is not None:
            return int(self.tree.lengths[node]) - self.cost_before
        return self.level(node) - is_announced(self.tree, node)

    @cached_property
    def cost_before(self) -> int:
        """What the tree's guesses before the first state shown cost: 1 each unless given."""
        path = history_of(self.tree, self.root)
        costs = self.game.rules.given_costs
        return len(path) if costs is None else sum(costs[guess] for guess, _ in path)

    @property
    def name_longest(self) -> str:
        """What the length of the longest game is called: where guesses have costs, it is one."""
        return "longest game" if self.game.rules.given_costs is None else "highest cost"

    @cached_property
    def _dearest(self) -> NDArray[np.int64]:
        return find_longest(self.tree)

    def guess(self, node: int) -> str:
        """Return the written guess of a node; what it announces, if several may be announced."""
        return self._announced.get(node) or self.write_code(self._guesses[node])

    def response(self, node: int) -> str:
        """Return the written response that leads to a node; ``""`` at the tree's root."""
        response = self._responses[node]
        if response < 0:
            return ""
        if self._answers is not None:
            return self._answers[response]
        return self.game.format_response(response, self._guesses[parent_of(self.tree, node)])

    def written(self, response: int, guess: int | None = None) -> str:
        """Return the written form of a response, to a question in its own words."""
        if self._answers is not None:
            return self._answers[response]
        return self.game.format_response(response, guess)

    def colors(self, node: int) -> list[int]:
        """Return the colors of a node's guess."""
        colors: list[int] = self.game.codes[self._guesses[node]].tolist()
        return colors

    @cached_property
    def write_code(self) -> Callable[[int], str]:
        """A function that returns the written form of a code."""
        return lru_cache(MAX_WRITTEN)(self.game.format_code)

    def n_candidates(self, node: int) -> int:
        """Return the number of candidates of a node."""
        return self._sizes[node]

    def code(self, node: int) -> int:
        """Return the guess of a node as an index."""
        return self._guesses[node]

    def response_index(self, node: int) -> int:
        """Return the response that leads to a node as an index."""
        return self._responses[node]

    @cached_property
    def room(self) -> NDArray[np.int64]:
        """The width of each node in pictures: its candidates, or the leaves below it.

        Leaves, where a candidate may be at several: then children have more of them than a node.
        """
        if self.game.rules.shares is not None:
            return count_leaves(self.tree)
        return self.tree.n_candidates.astype(np.int64)

    def is_winning(self, node: int) -> bool:
        """Whether the guess of a node may be the secret."""
        below = 0
        for child in range(self._first[node], self._first[node + 1]):
            below += self._sizes[child]
        return below < self._sizes[node]

    def is_leaf(self, node: int) -> bool:
        """Whether one candidate is left, which the guess wins."""
        return self._first[node] == self._first[node + 1]

    # The columns as plain numbers; those of a file are read as they are needed.

    @cached_property
    def _first(self) -> memoryview:
        return self.tree.first_child.data

    @cached_property
    def _sizes(self) -> memoryview:
        return self.tree.n_candidates.data

    @cached_property
    def _guesses(self) -> memoryview:
        return self.tree.guess.data

    @cached_property
    def _responses(self) -> memoryview:
        return self.tree.response.data

    @cached_property
    def _announced(self) -> dict[int, str]:
        return list_announced(self.tree)

    @cached_property
    def _answers(self) -> list[str] | None:
        """The written responses; None where each question has answers of its own."""
        game = self.game
        if game.rules.n_questions:
            return None
        return list(map(game.format_response, range(game.n_responses)))


def walk(root: int, children: Callable[[int], Sequence[int]]) -> Iterator[int]:
    """Yield a node and all below it, each before its children."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


Symbols = Annotated[str | Sequence[str] | None, SYMBOLS]


class ViewOptions(TypedDict, total=False):
    """The options of `make_view`, which every writer hands on."""

    depth: Annotated[int | None, Option("Show guesses 1 … N only.")]
    path: Annotated[
        str | Sequence[str] | None,
        Option("Begin at the state after these: 02/11.", metavar="ANSWERS"),
    ]
    symbols: Symbols
    order: Annotated[
        str,
        Option(
            "Order of the answers to a guess; largest: most candidates first.",
            ORDERS,
            "responses",
            more='``"responses"``, ``"reversed"`` or ``"largest"``.',
        ),
    ]


def make_view(
    tree: Tree,
    *,
    path: str | Sequence[str] | None = None,
    depth: int | None = None,
    order: str = "responses",
    symbols: str | Sequence[str] | None = None,
) -> View:
    """Return the part of a tree that the options select, as the module's docstring says.

    Raises UsageError if `depth` is out of range or `order` unknown. Raises GameError if an answer
    or the symbols do not fit the game. Raises UnreachableError if the tree does not hold the path.
    """
    check_whole(depth=depth)
    if order not in ORDERS:
        raise UsageError(f"unknown order {order!r:.80}: there are {', '.join(ORDERS)}")
    root = follow_history(tree, path) if path else 0
    named = tree.game if symbols is None else tree.game.with_symbols(symbols)
    written = (
        None
        if named.notation.symbols == named.notation.own_symbols and symbols is None
        else named.notation.symbols
    )
    return View(tree, root, depth, order, written)


def parse_path(game: Game, path: str | Sequence[str]) -> list[int]:
    """Return the responses of answers: a list, as JSON too, or a text in which ``/`` joins them."""
    answers: Sequence[str] = path
    if isinstance(path, str):
        answers = read_json_list(path) or (path.split("/") if path.strip() else [])
    return [game.parse_response(str(answer)) for answer in answers]


def generate_header(view: View, style: str, legend: str = "") -> Iterator[str]:
    """Yield the header of a text in one of treegen's styles: ``# key: value``, and an empty line.

    A legend says what the lines below consist of.
    """
    tree = cut_at(view.tree, view.root) if view.root else view.tree
    # As many decimals as tell any two weights apart.
    n_decimals = max(4, len(str(tree.game.rules.share_unit)))
    provenance, write = tree.provenance, partial(write_weights, n_decimals=n_decimals)
    lines = {
        "treegen": f"text in the style {style}",
        "game": view.game.rules.digest_name,
        "strategy": provenance.strategy,
        "rule": provenance.rule or None,
        "objective": provenance.objective or None,
        "bound": None if provenance.bound is None else write([provenance.bound]),
        "after": format_history(view.game.notation, view.history, joint=" ") or None,
        "symbols": None if view.symbols is None else write_symbols(view.symbols),
        "total": write([tree.total]),
        "worst": tree.worst,
        "histogram": write(tree.histogram),
        "digest": tree.digest,
        "cut": describe_cut(view) if view.is_cut_anywhere else None,
        "legend": legend or None,
    }
    yield from (f"# {key}: {value}" for key, value in lines.items() if value is not None)
    yield ""


def describe_cut(view: View) -> str:
    """Say how much of a cut view is shown."""
    n_shown = sum(1 for _ in view.nodes())
    return (
        f"guesses 1 to {view.depth} of {view.worst}; {n_shown} of {view.n_states} states are shown"
    )


def describe_stub(stub: Stub) -> str:
    """Say what is missing below a cut state."""
    states = "state" if stub.n_states == 1 else "states"
    return f"... {stub.n_states} more {states}, worst {stub.worst}"
