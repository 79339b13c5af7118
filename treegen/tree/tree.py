"""The Tree: integer columns in level order, and the statistics that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .._late import call_late
from ..games import Game, Goal
from .figures import Figures, count_found
from .node import Node
from .pieces import iter_pieces, sum_candidates
from .played import PlayedGame
from .provenance import Provenance, Steps

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

NULL = -1
"""The response at the root, where there is none."""

NARROW_RESPONSES = 2**15
"""So many responses fit 16 bits, one of them for the sign."""

_COLUMN_DTYPES: dict[str, np.dtype[Any]] = {
    "guess": np.dtype(np.int32),
    "response": np.dtype(np.int16),
    "first_child": np.dtype(np.int32),
    "n_candidates": np.dtype(np.int32),
}


def list_columns(n_responses: int = 0) -> dict[str, np.dtype[Any]]:
    """Return the types of a tree's columns, in the order in which files have them.

    Parameters
    ----------
    n_responses
        Of the game: more than 16 bits hold need a wider column.

    Examples
    --------
    >>> list(list_columns())
    ['guess', 'response', 'first_child', 'n_candidates']
    >>> str(list_columns(243)["response"]), str(list_columns(40_000)["response"])
    ('int16', 'int32')
    """
    if n_responses <= NARROW_RESPONSES:
        return dict(_COLUMN_DTYPES)
    return {**_COLUMN_DTYPES, "response": np.dtype(np.int32)}


@dataclass(frozen=True, eq=False)
class Tree(Figures):
    """A complete decision tree: for every state a guess, for every answer the next.

    Nodes are in level order (breadth first), the children of a node next to each other, in the
    order of their responses; the root is node 0. The winning response has no child: the game is
    over. A *leaf* is a state with one candidate, which is guessed; with the goal to identify it is
    announced, and the game is over there.

    Attributes
    ----------
    game
        The game that is played.
    provenance
        The strategy that made the tree.
    guess : int32[n_nodes]
        Code that is guessed in the state.
    response : int16[n_nodes]
        Response that leads here from the parent, ``0 … win - 1``; `NULL` at the root. int32 where
        the game has more responses than 2 ** 15.
    first_child : int32[n_nodes + 1]
        The children of node ``i`` are ``first_child[i] … first_child[i + 1] - 1``.
    n_candidates : int32[n_nodes]
        Secrets that are still possible in the state.

    Notes
    -----
    Two trees are equal if their digests are: the same game, and in every state the same guess,
    whatever made them. A pickled tree is its ``.tree`` file.

    Examples
    --------
    >>> import treegen
    >>> tree = treegen.build("p4c6r", "knuth")
    >>> tree.guess_after("02"), tree.guess_after("1122:02/2344:11")
    ('2344', '2415')
    >>> tree == treegen.build(treegen.Mastermind(4, 6), "minimax")
    True
    >>> [node.guess for node in tree if node.depth == 1][:3]
    ['3345', '2344', '2344']
    """

    game: Game
    provenance: Provenance
    guess: NDArray[np.int32]
    response: NDArray[np.int16]
    first_child: NDArray[np.int32]
    n_candidates: NDArray[np.int32]

    @property
    def n_nodes(self) -> int:
        """Number of states."""
        return len(self.guess)

    @property
    def n_secrets(self) -> int:
        """Number of secrets that the tree finds: the candidates at its root."""
        return int(self.n_candidates[0])

    @cached_property
    def level_starts(self) -> list[int]:
        """First node of each level, and `n_nodes` at the end."""
        starts = [0]
        end = 1
        # Behind the last node of a level stand the children of its first: first_child, asked for
        # the end of one level, gives the end of the next.
        while end > starts[-1]:
            starts.append(end)
            end = int(self.first_child[end])
        return starts

    @cached_property
    def depth(self) -> NDArray[np.int16]:
        """Guesses made before each node."""
        sizes = np.diff(self.level_starts)
        return np.repeat(np.arange(len(sizes), dtype=np.int16), sizes)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Parent of each node; `NULL` at the root."""
        nodes = np.arange(self.n_nodes, dtype=np.int32)
        parents = np.repeat(nodes, np.diff(self.first_child))
        return np.concatenate((np.array([NULL], dtype=np.int32), parents))

    @cached_property
    def is_winning(self) -> NDArray[np.bool_]:
        """Whether the guess of each node is one of its candidates and so may win."""
        cumulated = np.concatenate(([0], np.cumsum(self.n_candidates, dtype=np.int64)))
        # A candidate that is in no child is the guess itself; the winning response has no child.
        below = cumulated[self.first_child[1:]] - cumulated[self.first_child[:-1]]
        return np.asarray(below < self.n_candidates)

    @cached_property
    def histogram(self) -> list[int]:
        """Number (or weight) of the secrets found at guess (or cost) 1, 2, 3 … worst."""
        if self.game.stakes:
            counted: list[int] = call_late("count_weights", self)
            return counted
        starts = self.level_starts
        left = [sum_candidates(self.n_candidates, begin, end) for begin, end in pairwise(starts)]
        if self.game.goal == Goal.WIN:
            return count_found(left)
        return count_found(left, [self._count_leaves(*level) for level in pairwise(starts)])

    def _count_leaves(self, begin: int, end: int) -> int:
        """Return how many of some nodes have no children."""
        pieces = iter_pieces(begin, end)
        counts = (np.diff(self.first_child[first : last + 1]) for first, last in pieces)
        return sum(int(np.count_nonzero(count == 0)) for count in counts)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Guesses that the secret costs which ends at each node, where one does.

        One more than were made before the node, unless it is announced there: see `Goal`. Where
        guesses have costs, these are summed up.
        """
        if self.game.stakes.costs is not None:
            summed: NDArray[np.int64] = call_late("sum_game_costs", self)
            return summed
        guesses = self.depth.astype(np.int64) + 1
        if self.game.goal == Goal.IDENTIFY:
            guesses -= self.is_leaf
        return guesses

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node has no children: one candidate is left."""
        return np.asarray(self.first_child[1:] == self.first_child[:-1])

    @cached_property
    def digest(self) -> str:
        """The sha256 of every state and guess: equal for equal trees, whatever the file."""
        digest: str = call_late("compute_digest", self)
        return digest

    def wins(self, node: int) -> bool:
        """Whether the guess of a node may win; `is_winning` has this for all nodes."""
        children = self.children(node)
        below = sum_candidates(self.n_candidates, children.start, children.stop)
        return below < int(self.n_candidates[node])

    def children(self, node: SupportsIndex) -> range:
        """Return the children of a node, in the order of their responses."""
        node = index(node)
        return range(int(self.first_child[node]), int(self.first_child[node + 1]))

    def iter_column(self, name: str) -> Iterator[NDArray[Any]]:
        """Yield the pieces of a column, from the first node to the last."""
        column = getattr(self, name)
        for begin, end in iter_pieces(0, len(column)):
            yield column[begin:end]

    def check(self) -> None:
        """Raise TreeError if the columns break a requirement of the class's description."""
        call_late("check_columns", self)

    def plot(self, kind: str = "icicle", **options: Any) -> Any:
        """Draw the tree with matplotlib and return the figure.

        Parameters
        ----------
        kind
            ``"icicle"``, ``"sunburst"`` or ``"histogram"``.
        **options
            `depth`, `path`, `order`, `symbols`, `title` as of `treegen.write_plot`; its `color` is
            `coloring` here.

        Raises
        ------
        DependencyError
            matplotlib is not installed.
        UsageError, GameError, UnreachableError
            An option is out of range or does not fit the tree.
        """
        return call_late("plot_tree", self, kind, **options)

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns by name, as read-only views: one row for each node."""
        views = {name: getattr(self, name)[: self.n_nodes].view() for name in _COLUMN_DTYPES}
        for view in views.values():
            view.flags.writeable = False
        return views

    @property
    def root(self) -> Node:
        """The first state."""
        return self[0]

    def __getitem__(self, state: SupportsIndex | Steps) -> Node:
        """Return a state by its number in level order, or by what was answered before it.

        Parameters
        ----------
        state
            A number, as the columns have them; or answers, as `guess_after` takes them.

        Raises
        ------
        IndexError
            There is no state of that number.
        GameError
            A part is no answer of the game.
        UnreachableError
            The tree has no such state.
        """
        if not isinstance(state, SupportsIndex):
            return Node(self, call_late("follow_history", self, state))
        number = index(state)
        if not 0 <= number < self.n_nodes:
            raise IndexError(f"state {number} is out of range: 0 to {self.n_nodes - 1}")
        return Node(self, number)

    def guess_after(self, history: Steps = "") -> str:
        """Return the guess after some answers.

        Parameters
        ----------
        history
            Answers, ``"02/11"``, or guesses with their answers, ``"1122:02/2344:11"``; or a list
            of answers, or of pairs. The first guess if there are none.

        Raises
        ------
        GameError
            A part is no answer of the game.
        UnreachableError
            The tree has no such state.
        """
        node: int = call_late("follow_history", self, history)
        return self.game.format_code(int(self.guess[node]))

    def subtree(self, path: Steps = "") -> Tree:
        """Return what is below a state as a tree that starts there, mid-game.

        Parameters
        ----------
        path
            As `history` of `guess_after`.
        """
        part: Tree = call_late("cut_at", self, call_late("follow_history", self, path))
        return part

    def play(
        self,
        secret: str | None = None,
        *,
        index: int | None = None,
        limit: int | None = None,
        symbols: str | Sequence[str] | None = None,
    ) -> PlayedGame:
        """Play against a secret.

        Parameters
        ----------
        secret
            The secret, as people write it; or else
        index
            its place among the secrets, from 0.
        limit
            Stop after so many guesses.
        symbols
            How colors are written: ``"abcdef"``, or a list; as the game does if None.

        Raises
        ------
        GameError, UsageError
            The secret is no code of the game, or never secret; neither or both of `secret` and
            `index` are given.
        TypeError
            The secret is no text.
        UnreachableError
            It contradicts the history at which the tree starts.
        """
        played: PlayedGame = call_late(
            "play_tree", self, secret, index=index, limit=limit, symbols=symbols
        )
        return played

    def write(self, file: Any, format: str | None = None, **options: Any) -> None:
        """Write the tree in the form that the path's ending says; see `treegen.write`."""
        call_late("write", self, file, format, **options)

    def to_networkx(self, **options: Any) -> nx.DiGraph[int]:
        """Return a directed graph; options as of `treegen.make_graph`."""
        graph: nx.DiGraph[int] = call_late("make_graph", self, **options)
        return graph

    def to_dataframe(self) -> pd.DataFrame:
        """Return a pandas frame with a row for each state.

        Raises
        ------
        DependencyError
            pandas is not installed.
        """
        frame: pd.DataFrame = call_late("make_dataframe", self)
        return frame

    def __iter__(self) -> Iterator[Node]:
        nodes: Iterator[Node] = call_late("list_nodes", self)
        return nodes

    def __len__(self) -> int:
        return self.n_nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return call_late, ("load_bytes", call_late("make_bytes", self))

    def _repr_svg_(self) -> str:
        svg: str = call_late("make_svg", self)
        return svg

    def _repr_html_(self) -> str:
        html: str = call_late("format_html", self)
        return html

    def __repr__(self) -> str:
        name = f"{self.game.name}-{self.provenance.strategy}"
        return f"<Tree {name}: {self.n_nodes} nodes, {self.n_secrets} secrets>"
