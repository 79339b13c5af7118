"""The Tree: integer columns in level order, and the statistics that follow from them.

With weights, every secret counts its weight; with costs, the length of a game is what its guesses
cost together.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .._options import refuse_unknown
from .._printing import Block, Listed, Paragraph, Printable
from ..errors import TreeError
from ..games.base import Game, follow
from ..games.histories import format_history
from ..games.notation import count_steps
from ..games.rules import (
    Weight,
    is_weighted,
    weigh,
    write_count,
    write_weight,
    write_weights,
)
from ..games.text import is_written

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

Pairs = tuple[tuple[str, str], ...]
"""Guesses and the answers to them, as people write them."""

History = tuple[tuple[int, int], ...]
"""Guesses made and the responses to them, as (code, response) pairs, the first guess first."""

Steps = str | Sequence[str] | Sequence[tuple[str, str]]
"""The way to a state: ``"02/11"``, ``"1122:02/1344:11"``, or a list of answers or of pairs."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What made a tree; stored in its files, it never names a version, a time or a host.

    Attributes
    ----------
    strategy
        Name or chain as the user gave it, such as ``knuth``; ``imported`` if unknown.
    rule
        The exact rule with its tie-break, or ``""`` if it is unknown (an imported tree).
    history
        The guesses made before the root; lengths count from the root.
    objective
        What an exact search minimised: ``total``, ``total,worst,n_worst``, ``worst,total``,
        ``worst,n_worst,total``, ``nodes``, ``nodes,total``, ``worst,nodes``; ``""`` for other
        trees.
    bound
        Lower bound of the total that a search proved: for trees of the whole game after `history`
        that keep to what `rule` and `strategy` restrict (eligible, max-length, first). If the
        objective begins with ``worst``: for those of them whose longest game is least; with
        ``worst,n_worst,total``, that have the fewest such games, too; with ``nodes,total``, that
        have the fewest states. Equal to the total of an optimal tree; a fraction where that is one.
        None if the total is not minimised.
    """

    strategy: str
    rule: str = ""
    history: History = ()
    objective: str = ""
    bound: Weight | None = None

    def __post_init__(self) -> None:
        for name in ("strategy", "rule", "objective"):
            text = getattr(self, name)
            if not (text.isprintable() or is_written(text)):
                raise TreeError(f"the {name} {text!r:.80} holds a control character")
        if self.bound is not None and self.bound < 0:
            raise TreeError(f"the bound {self.bound} is negative; no total is below 0")


@dataclass(frozen=True, slots=True)
class Node:
    """A state of a tree; functions that take a node's number also take a `Node`.

    Attributes
    ----------
    tree
        The tree.
    number
        Its place in level order, from 0.

    Examples
    --------
    >>> import treegen
    >>> root = treegen.build("p2c3r").root
    >>> [(node.answer, node.guess, node.n_candidates) for node in root.children]
    [('00', '22', 4), ('10', '12', 4)]
    >>> root.after("10").history
    '11:10'
    """

    tree: Tree
    number: int

    @property
    def guess(self) -> str:
        """What is guessed, or announced."""
        if self.tree.game.rules.shares is not None and self.is_leaf:
            from .walk import write_announced

            return write_announced(self.tree, self.number)
        return self.tree.game.format_code(int(self.tree.guess[self.number]))

    @property
    def answer(self) -> str | None:
        """The answer that leads here from the parent; None at the root."""
        if self.number == 0:
            return None
        from .walk import parent_of

        asked = int(self.tree.guess[parent_of(self.tree, self.number)])
        return self.tree.game.format_response(int(self.tree.response[self.number]), asked)

    @property
    def history(self) -> str:
        """The guesses that lead here with their answers: ``1122:02/2344:11``."""
        from .walk import history_of

        return format_history(self.tree.game.notation, history_of(self.tree, self.number))

    @property
    def n_candidates(self) -> int:
        """Secrets that are still possible."""
        return int(self.tree.n_candidates[self.number])

    @property
    def depth(self) -> int:
        """Guesses made before."""
        return int(self.tree.depth[self.number])

    @property
    def children(self) -> list[Node]:
        """The states after each answer that does not win."""
        return [Node(self.tree, child) for child in self.tree.children(self.number)]

    def after(self, answer: str) -> Node:
        """Return the state after an answer to this state's guess.

        Raises
        ------
        GameError
            It is not an answer to the guess.
        UnreachableError
            No candidate here fits the answer, or the answer ends the game.
        """
        from .walk import find_after

        return Node(self.tree, find_after(self.tree, self.number, answer))

    @property
    def is_leaf(self) -> bool:
        """Whether no answer leads further: one candidate is left."""
        return not self.tree.children(self.number)

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        left = f"{self.n_candidates} candidate{'s' * (self.n_candidates != 1)}"
        return f"<Node {self.number}: guess {self.guess}, {left}>"


MOST_LENGTHS = 24
"""A histogram of more lengths, such as costs, is too long for a line."""


def describe_figures(tree: Tree) -> list[str]:
    """Return the statistics as people read them, in parts.

    >>> import treegen
    >>> describe_figures(treegen.build("p2c3r"))
    ['9 secrets', 'total 24', 'average 2.6667', 'worst 4 (1×)', '1/2/5/1']
    >>> describe_figures(treegen.build(treegen.Codebook(["ab", "ac"], weights={"ab": 9})))
    ['2 secrets of weight 10', 'total 11', 'average 1.1000', 'worst 2 (weight 1)', '9/1']
    """
    secrets = f"{tree.n_secrets:,} secret{'s' * (tree.n_secrets != 1)}"
    found = f"{tree.n_worst}×"
    if tree.game.rules.weights is not None or tree.game.rules.share_unit > 1:
        secrets = f"{secrets} of weight {write_weight(sum(tree.histogram))}"
        found = f"weight {write_weight(tree.n_worst)}"
    figures = [secrets, f"total {write_weight(tree.total)}", f"average {tree.average:.4f}"]
    figures.append(f"worst {tree.worst} ({found})")
    if 0 < tree.worst <= MOST_LENGTHS:
        figures.append(write_weights(tree.histogram))
    return [
        *figures,
        *(["guesses count their costs"] if tree.game.rules.given_costs is not None else []),
    ]


def count_found(left: list[int], announced: list[int] | None = None) -> list[int]:
    """Return the histogram from the candidates of each level: those not in the next one are found.

    `announced` has the secrets of each level that are announced without a guess: the leaves, with
    the goal to identify. They are found one guess earlier.

    >>> count_found([6, 5, 2]), count_found([6, 5, 2], [0, 2, 2])
    ([1, 3, 2], [3, 3])
    """
    found = [here - below for here, below in zip(left, [*left[1:], 0], strict=True)]
    if announced is None:
        return found
    guessed = [here - early for here, early in zip(found, announced, strict=True)]
    found = [late + early for late, early in zip(guessed, [*announced[1:], 0], strict=True)]
    return found if found[-1] else found[:-1]


NODES_PER_PIECE = 1 << 16
"""Columns are processed in pieces of this many nodes."""


def iter_pieces(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of at most `NODES_PER_PIECE` nodes, from `begin` to `end - 1`."""
    for first in range(begin, end, NODES_PER_PIECE):
        yield first, min(first + NODES_PER_PIECE, end)


def iter_families(first_child: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    """Yield ranges of nodes such that neither they nor their children are too many at once."""
    begin, end = 0, len(first_child) - 1
    while begin < end:
        last = min(begin + NODES_PER_PIECE, end)
        ends = first_child[begin + 1 : last + 1]
        # The most children, in the column's own type: another type would copy the column.
        most = np.int32(min(int(first_child[begin]) + NODES_PER_PIECE, 2**31 - 1))
        last = begin + max(1, int(np.searchsorted(ends, most, side="right")))
        yield begin, last
        begin = last


def sum_candidates(n_candidates: NDArray[np.int32], begin: int, end: int) -> int:
    """Return the sum of the candidates of some nodes."""
    return int(n_candidates[begin:end].sum(dtype=np.int64))


def count_children(tree: Tree, begin: int, end: int) -> NDArray[np.int64]:
    """Return for each of some nodes the sum of its children's candidates."""
    first_child = tree.first_child
    places = first_child[begin : end + 1].astype(np.int64) - int(first_child[begin])
    counts = tree.n_candidates[int(first_child[begin]) : int(first_child[end])]
    cumulated = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    return np.asarray(np.diff(cumulated[places]))


@dataclass(frozen=True, slots=True)
class Turn:
    """One guess of a game.

    Attributes
    ----------
    guess, answer
        What was guessed, and how it was answered.
    n_left
        Candidates left after the answer; the secret itself counts, so 1 at the end.
    code, response
        The indices of guess and answer.
    """

    guess: str
    answer: str
    n_left: int
    code: int
    response: int


@dataclass(frozen=True, slots=True)
class PlayedGame(Printable, Listed[Turn]):
    """A game against a secret, as far as it was played.

    Attributes
    ----------
    game, strategy
        What was played, and by whom.
    secret
        The secret as it was given.
    turns
        The guesses with their answers.
    is_found
        Whether the secret is known at the end.
    symbols
        How colors are written.
    found
        The secret, written with the symbols.
    share
        How many of all games against the secret go this way: 1 unless answers are uncertain.
    others
        The other ways that a game may go, the likeliest first; this one is likelier.

    Examples
    --------
    >>> import treegen
    >>> game = treegen.build("p2c3r").play("13")
    >>> print(game)
     1  11  10  4 left
     2  12  10  1 left
     3  13  20  1 left
    """

    game: Game
    strategy: str
    secret: str
    turns: tuple[Turn, ...]
    is_found: bool
    symbols: tuple[str, ...]
    found: str
    share: Fraction = Fraction(1)
    others: tuple[PlayedGame, ...] = ()

    def _list(self) -> Sequence[Turn]:
        return self.turns

    def to_dict(self) -> dict[str, Any]:
        """Return the game for JSON."""
        several = {
            "share": float(self.share),
            "others": [{**way._list_turns(), "share": float(way.share)} for way in self.others],
        }
        return {
            "game": self.game.name,
            "strategy": self.strategy,
            "secret": self.secret,
            **self._list_turns(),
            **(several if self.others else {}),
        }

    def _list_turns(self) -> dict[str, Any]:
        return {
            "turns": [
                {
                    "guess": self.game.format_code(turn.code, self.symbols),
                    "feedback": turn.answer,
                    "left": turn.n_left,
                }
                for turn in self.turns
            ],
            "found": self.is_found,
        }

    def describe(self) -> Iterator[Block]:
        """Yield a line for each guess."""
        for number, turn in enumerate(self.turns, start=1):
            guess = self.game.format_code(turn.code, self.symbols)
            yield Paragraph(f"{number:2}  {guess}  {turn.answer}  {turn.n_left} left")
        if not self.is_found:
            steps = count_steps(len(self.turns), self.game.notation.step)
            yield Paragraph(f"stopped at the limit of {steps}: not found")
        elif not self.turns or self.turns[-1].response != self.game.win:
            yield Paragraph(f"it is {self.found}")
        for way in (self, *self.others) if self.others else ():
            if way is not self:
                yield Paragraph("")
                yield from way.describe()
            yield Paragraph(f"{float(way.share):.1%} of the games go this way")

    def _repr_html_(self) -> str:
        if self.game.notation.answers_in_words:
            return Printable._repr_html_(self)  # super() does not know a class with slots
        from ..pictures.picture import make_game_html

        return make_game_html(self)


NULL = -1
"""The response at the root, where there is none."""

NARROW_RESPONSES = 2**15
"""This many responses fit 16 bits, one of which is the sign."""

_COLUMN_DTYPES: dict[str, np.dtype[Any]] = {
    "guess": np.dtype(np.int32),
    "response": np.dtype(np.int16),
    "first_child": np.dtype(np.int32),
    "n_candidates": np.dtype(np.int32),
}


def list_columns(n_responses: int = 0) -> dict[str, np.dtype[Any]]:
    """Return the types of a tree's columns, in the order in which files have them.

    A game with more responses than 2 ** 15 has a wider response column: int32 instead of int16.
    """
    if n_responses <= NARROW_RESPONSES:
        return dict(_COLUMN_DTYPES)
    return {**_COLUMN_DTYPES, "response": np.dtype(np.int32)}


Columns = dict[str, NDArray[Any]]
"""A level's guess, response, n_candidates, and n_children: its states on the next level."""


_CALLED = {
    **{"avg": "average", "mean": "average", "max": "worst", "worst_case": "worst"},
    **{"max_depth": "worst", "save": "write()", "export": "write()", "to_file": "write()"},
    **{"nodes": "n_nodes", "size": "n_nodes", "guesses": "guess", "df": "to_dataframe()"},
    **{"draw": "plot()", "show": "plot()", "render": "plot()", "next": "guess_after()"},
}
"""Attributes by what other programs call them."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A complete decision tree: for every state a guess, for every answer the next.

    Nodes are in level order (breadth first), the children of a node next to each other, in the
    order of their responses; the root is node 0. The winning response has no child: the game is
    over. A *leaf* is a state with one candidate, which is guessed; with the goal to identify it is
    announced, and the game is over there. The columns cannot be written; `dataclasses.replace`
    makes a tree of others.

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

    def __post_init__(self) -> None:
        for name in _COLUMN_DTYPES:  # views, so that an array of the caller stays as it is
            column = getattr(self, name).view()
            column.flags.writeable = False
            object.__setattr__(self, name, column)

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
        # The next level ends with the children of this level's last node: at first_child[end].
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
        """Whether the guess of each node is one of its candidates, or announced: it may win."""
        cumulated = np.concatenate(([0], np.cumsum(self.n_candidates, dtype=np.int64)))
        # A candidate that is in no child is the guess itself; the winning response has no child.
        below = cumulated[self.first_child[1:]] - cumulated[self.first_child[:-1]]
        return np.asarray(below < self.n_candidates)

    @cached_property
    def share_histogram(self) -> list[int]:
        """The histogram as files have it, in shares: see `Rules.share_unit`."""
        if is_weighted(self.game.rules) or self.game.rules.shares is not None:
            found = np.flatnonzero(self.is_winning)
            return tally(self.lengths[found], self.found_weights[found])
        starts = self.level_starts
        left = [sum_candidates(self.n_candidates, begin, end) for begin, end in pairwise(starts)]
        if self.game.goal.last_step:
            return count_found(left)
        return count_found(left, [self._count_leaves(*level) for level in pairwise(starts)])

    @property
    def share_total(self) -> int:
        """The total as files have it, in shares."""
        return sum(length * count for length, count in enumerate(self.share_histogram, start=1))

    @property
    def histogram(self) -> list[Weight]:
        """Number (or weight) of the secrets found at guess (or cost) 1, 2, 3 … worst.

        Whole numbers; fractions where answers are uncertain.
        """
        return [weigh(shares, self.game.rules.share_unit) for shares in self.share_histogram]

    @property
    def total(self) -> Weight:
        """Sum of the game lengths over all secrets: an int, or a Fraction as in `histogram`."""
        return weigh(self.share_total, self.game.rules.share_unit)

    @property
    def average(self) -> float:
        """Mean game length; 0.0 if no secret counts."""
        return self.share_total / max(sum(self.share_histogram), 1)

    @property
    def worst(self) -> int:
        """Length of the longest game."""
        return len(self.share_histogram)

    @property
    def n_worst(self) -> Weight:
        """Number (or weight, as in `histogram`) of the secrets that need the longest game."""
        return weigh(self.share_n_worst, self.game.rules.share_unit)

    @property
    def share_n_worst(self) -> int:
        """The shares that are found at the end of the longest games."""
        if self.share_histogram:
            return self.share_histogram[-1]
        # All that is left at the root is announced at once.
        return int(weigh_secrets(self.game, *follow(self.game, self.provenance.history)).sum())

    @cached_property
    def found_weights(self) -> NDArray[np.int64]:
        """The weight found at each node; 0 where the game continues whatever is answered.

        In a table with uncertain answers it is in shares: see `Division`.
        """
        if self.game.rules.shares is not None:
            from .walk import sum_found_shares

            return sum_found_shares(self)
        weights = np.zeros(self.n_nodes, dtype=np.int64)
        found = np.flatnonzero(self.is_winning)
        weights[found] = weigh_secrets(self.game, self.guess[found])
        return weights

    def _count_leaves(self, begin: int, end: int) -> int:
        """Return the number of nodes without children in a range."""
        pieces = iter_pieces(begin, end)
        counts = (np.diff(self.first_child[first : last + 1]) for first, last in pieces)
        return sum(int(np.count_nonzero(count == 0)) for count in counts)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """For each node, the length of the game that ends there; meaningless where none does.

        It is one more than the guesses made before, unless the secret is announced: see `Goal`.
        Where guesses have costs, it is the sum of the costs.
        """
        return sum_path_costs(self) + price_guesses(self.game, self.guess, self.is_leaf)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node has no children: one candidate is left."""
        return np.asarray(self.first_child[1:] == self.first_child[:-1])

    @cached_property
    def digest(self) -> str:
        """The sha256 of every state and guess: equal for equal trees, whatever the file."""
        sha = hashlib.sha256()
        for block in _generate_digest_blocks(self):
            sha.update(("\n".join(block) + "\n").encode("ascii"))
        return sha.hexdigest()

    def wins(self, node: int) -> bool:
        """Whether the guess of a node may win; `is_winning` has this for all nodes."""
        children = self.children(node)
        below = sum_candidates(self.n_candidates, children.start, children.stop)
        return below < int(self.n_candidates[node])

    def children(self, node: SupportsIndex) -> range:
        """Return the children of a node, in the order of their responses."""
        node = index(node)
        return range(int(self.first_child[node]), int(self.first_child[node + 1]))

    def check(self) -> None:
        """Raise TreeError if the columns break a requirement of the class's description."""
        check_columns(self)
        if self.game.rules.shares is not None:
            from .walk import check_states

            check_states(self)

    def plot(self, kind: str = "icicle", **options: Any) -> Any:
        """Draw the tree with matplotlib and return the figure.

        Parameters
        ----------
        kind
            ``"icicle"`` or ``"histogram"``.
        **options
            `depth`, `path`, `order`, `symbols`, `title`, `color`: see `treegen.write_plot`.

        Raises
        ------
        DependencyError
            matplotlib is not installed.
        UsageError, GameError, UnreachableError
            An option is out of range or does not fit the tree.
        """
        from ..pictures.plot import plot_tree

        return plot_tree(self, kind, **options)

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns by name, as read-only views: one row for each node."""
        return {name: getattr(self, name)[: self.n_nodes] for name in _COLUMN_DTYPES}

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
        TypeError
            It is neither.
        GameError
            A part is not an answer of the game.
        UnreachableError
            The tree has no such state.
        """
        from .walk import follow_history

        if not isinstance(state, (SupportsIndex, Sequence)):
            raise TypeError(
                "a state has a number, tree[5], or is reached by answers, tree['02'];"
                f" {state!r:.80} is neither"
            )
        if not isinstance(state, SupportsIndex):
            return Node(self, follow_history(self, state))
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
            A part is not an answer of the game.
        UnreachableError
            The tree has no such state.
        """
        from .walk import follow_history

        return Node(self, follow_history(self, history)).guess

    def subtree(self, path: Steps = "") -> Tree:
        """Return the subtree of a state as a tree that starts there, mid-game.

        Parameters
        ----------
        path
            As `history` of `guess_after`.
        """
        from .walk import cut_at, follow_history

        return cut_at(self, follow_history(self, path))

    @refuse_unknown
    def play(
        self,
        secret: str | None = None,
        *,
        index: int | None = None,
        evil: bool = False,
        limit: int | None = None,
        symbols: str | Sequence[str] | None = None,
    ) -> PlayedGame:
        """Play against a secret.

        Parameters
        ----------
        secret
            The secret, as people write it. Give one of `secret`, `index` and `evil`.
        index
            Its place among the secrets, from 0.
        evil
            Whether each answer is the one that leaves the most candidates, the first of equal ones.
        limit
            Stop after this many guesses.
        symbols
            How colors are written: ``"abcdef"``, or a list; as the game does if None.

        Raises
        ------
        GameError, UsageError
            The secret is not a code of the game, or never secret; not exactly one of `secret`,
            `index` and `evil` is given.
        TypeError
            The secret is not a text.
        UnreachableError
            It contradicts the history at which the tree starts.
        """
        from ..analysis.session import play_tree

        return play_tree(self, secret, index=index, evil=evil, limit=limit, symbols=symbols)

    def apply(self, rows: Any, **options: Any) -> Any:
        """Return the tree's announcement for each row; see `treegen.apply`."""
        from ..analysis.apply import apply

        return apply(self, rows, **options)

    def write(self, file: Any, format: str | None = None, **options: Any) -> None:
        """Write the tree in the form that the path's ending says; see `treegen.write`."""
        from ..convert import write

        write(self, file, format, **options)

    def certify(self, **options: Any) -> str:
        """Return a certificate that no strategy has a lower total; see `treegen.certify`."""
        from ..analysis.certificates import certify

        return certify(self, **options)

    def to_networkx(self, **options: Any) -> nx.DiGraph[int]:
        """Return a directed graph; see `treegen.make_graph` for the options."""
        from ..formats.graph import make_graph

        return make_graph(self, **options)

    def to_dataframe(self) -> pd.DataFrame:
        """Return a pandas frame with a row for each state.

        Raises
        ------
        DependencyError
            pandas is not installed.
        """
        from ..formats.graph import make_dataframe

        return make_dataframe(self)

    if not TYPE_CHECKING:  # for a type checker, every attribute would exist

        def __getattr__(self, name: str) -> NoReturn:
            """Raise AttributeError, with what other programs call so, or the function to call."""
            text = f"a Tree has no attribute {name!r:.80}"
            if not name.startswith("_"):
                if name in _CALLED:
                    text += f"; it is tree.{_CALLED[name]}"
                elif name in dir(sys.modules[__name__.partition(".")[0]]):
                    text += f"; treegen.{name} is a function, which takes a tree"
            raise AttributeError(text, name=name, obj=self)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, number) for number in range(self.n_nodes))

    def __len__(self) -> int:
        return self.n_nodes

    def __contains__(self, state: object) -> bool:
        if isinstance(state, Node):
            return state.tree == self and 0 <= state.number < self.n_nodes
        raise TypeError(
            f"a tree holds states; {state!r:.80} is not one: tree['02'] is the state after an"
            " answer, any(node.guess == '1122' for node in tree) asks for a guess"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        from ..formats.tree_file import make_bytes, read

        return read, (make_bytes(self),)

    def _repr_html_(self) -> str:
        from ..pictures.picture import format_html

        return format_html(self)

    def __repr__(self) -> str:
        name = f"{self.game.name}-{self.provenance.strategy}"
        nodes, secrets = ("s"[: n != 1] for n in (self.n_nodes, self.n_secrets))
        return f"<Tree {name}: {self.n_nodes} node{nodes}, {self.n_secrets} secret{secrets}>"


def join_levels(game: Game, provenance: Provenance, levels: Iterable[Columns]) -> Tree:
    """Return the tree of some levels, from the root's down; `Tree.check` is left to the caller."""
    rows = list(levels)
    types = list_columns(game.n_responses)
    joined = {name: np.concatenate([level[name] for level in rows]) for name in rows[0]}
    first_child = np.ones(len(joined["guess"]) + 1, dtype=types["first_child"])
    np.cumsum(joined.pop("n_children"), out=first_child[1:])
    first_child[1:] += 1
    columns = {name: column.astype(types[name], copy=False) for name, column in joined.items()}
    return Tree(game, provenance, first_child=first_child, **columns)


def renumber(
    tree: Tree, game: Game, number: Callable[[NDArray[np.integer]], NDArray[np.integer]]
) -> Tree:
    """Return a tree of another game whose guesses, and those before it, are numbered so."""
    guesses = number(tree.guess)
    if guesses is tree.guess and game is tree.game:
        return tree
    history = tree.provenance.history
    before = number(np.array([guess for guess, _ in history], dtype=np.int32)).tolist()
    pairs = tuple((code, reply) for code, (_, reply) in zip(before, history, strict=True))
    provenance = replace(tree.provenance, history=pairs)
    return replace(tree, game=game, provenance=provenance, guess=guesses.astype(np.int32))


BLOCK_CANDIDATES = 1 << 14
"""States of at most this many candidates are processed whole, which bounds the memory."""


def _generate_digest_blocks(tree: Tree) -> Iterator[list[str]]:
    """Yield the lines that are hashed, in blocks.

    First the game's name (for a codebook ``codebook:`` and the sha256 of its words); for a tree
    that starts mid-game ``after`` and its history as ``guess:response`` pairs joined by ``/``; then
    for every state in depth-first order, responses ascending, a line ``PATH GUESS``: the responses
    from the root joined by ``.`` (``-`` at the root), and the guess's index (of an excerpt of a
    codebook: its index in the whole one). A large state is a block, a small one with all below it.
    """
    tree = renumber(tree, tree.game, tree.game.rules.number_codes)
    pairs = [f"{guess}:{reply}" for guess, reply in tree.provenance.history]
    yield [tree.game.rules.digest_name, *([f"after {'/'.join(pairs)}"] if pairs else [])]
    stack = [(0, "")]
    while stack:
        node, path = stack.pop()
        if tree.n_candidates[node] <= BLOCK_CANDIDATES:
            yield _list_lines(*_list_subtree(tree, node), path)
            continue
        yield [f"{path or '-'} {tree.guess[node]}"]
        prefix = f"{path}." if path else ""
        stack.extend(
            (child, f"{prefix}{tree.response[child]}") for child in reversed(tree.children(node))
        )


def iter_ranges(tree: Tree, node: int = 0) -> Iterator[tuple[int, int]]:
    """Yield for each level from a node down its first node below it, and the end after its last."""
    begin, end = node, node + 1
    while begin < end:
        yield begin, end
        begin, end = int(tree.first_child[begin]), int(tree.first_child[end])


def _list_subtree(tree: Tree, node: int) -> tuple[list[int], list[int], list[int]]:
    """Return guesses, responses and first children from a node down, numbered from 0."""
    ranges = list(iter_ranges(tree, node))
    guesses: list[int] = []
    responses: list[int] = []
    first = [1]
    for begin, end in ranges:
        guesses += tree.guess[begin:end].tolist()
        responses += tree.response[begin:end].tolist()
        # Renumbered: the children of this range stand behind all nodes that are listed so far.
        ends = tree.first_child[begin + 1 : end + 1].astype(np.int64) - tree.first_child[begin]
        first += (ends + first[-1]).tolist()
    return guesses, responses, first


def _list_lines(guesses: list[int], responses: list[int], first: list[int], path: str) -> list[str]:
    """Return the lines of a subtree's states, from the path of its root down."""
    lines: list[str] = []
    stack = [(0, path)]
    while stack:
        node, path = stack.pop()
        lines.append(f"{path or '-'} {guesses[node]}")
        begin, end = first[node], first[node + 1]
        if begin < end:
            prefix = f"{path}." if path else ""
            for child in range(end - 1, begin - 1, -1):
                stack.append((child, f"{prefix}{responses[child]}"))
    return lines


def check_columns(tree: Tree) -> None:
    """Raise TreeError if a tree's columns do not fit each other, whatever its game answers."""
    # The order matters: each check may rely on what those before it have found to hold.
    _check_shapes(tree)
    _check_links(tree)
    _check_ranges(tree)
    _check_siblings(tree)
    _check_counts(tree)
    _check_history(tree)


def _check_history(tree: Tree) -> None:
    for guess, response in tree.provenance.history:
        if not (0 <= guess < tree.game.n_codes and 0 <= response < tree.game.n_responses):
            raise TreeError(f"the history's guess {guess} or response {response} is out of range")


def _check_shapes(tree: Tree) -> None:
    n_nodes = len(tree.guess)
    if n_nodes == 0:
        raise TreeError("a tree has at least one node; this one has none")
    for name, dtype in list_columns(tree.game.n_responses).items():
        column = getattr(tree, name)
        length = n_nodes + (name == "first_child")
        if column.dtype != dtype or column.shape != (length,):
            raise TreeError(
                f"column {name} is {column.dtype}{list(column.shape)}; {dtype}[{length}] is needed"
            )


def _check_links(tree: Tree) -> None:
    first = tree.first_child
    n_nodes = tree.n_nodes
    if first[0] != 1 or first[-1] != n_nodes:
        raise TreeError(
            f"column first_child runs from {first[0]} to {first[-1]}; 1 to {n_nodes} is needed"
        )
    for begin, end in iter_pieces(0, n_nodes):
        _demand(first[begin + 1 : end + 1] >= first[begin:end], "first_child decreases", begin)
    for begin, end in iter_pieces(0, n_nodes):
        nodes = np.arange(begin, end)
        _demand(first[begin:end] > nodes, "its children do not come after it", begin)


def _check_ranges(tree: Tree) -> None:
    n_codes, win = tree.game.n_codes, tree.game.win
    last = write_count(n_codes - 1)
    first = tree.game.rules.first_guess
    for begin, end in iter_pieces(0, tree.n_nodes):
        guesses = tree.guess[begin:end]
        if first:
            is_leaf = np.diff(tree.first_child[begin : end + 1]) == 0
            _demand(is_leaf | (guesses >= first), "it guesses a candidate", begin)
            _demand(~is_leaf | (guesses < first), "it announces no candidate", begin)
        _demand((guesses >= 0) & (guesses < n_codes), f"its guess is not in 0 … {last}", begin)
    if tree.response[0] != -1:
        raise TreeError(f"node 0: the root's response is {tree.response[0]}; -1 is needed")
    for begin, end in iter_pieces(1, tree.n_nodes):
        replies = tree.response[begin:end]
        _demand((replies >= 0) & (replies < win), f"its response is not in 0 … {win - 1}", begin)
    n_secrets, root = tree.game.n_secrets, tree.n_candidates[0]
    if not 1 <= root <= n_secrets or (root < n_secrets and not tree.provenance.history):
        raise TreeError(f"node 0: {root} candidates; the game has {write_count(n_secrets)} secrets")


def _check_siblings(tree: Tree) -> None:
    first = tree.first_child
    for begin, end in iter_pieces(1, tree.n_nodes):
        rises = tree.response[begin:end] > tree.response[begin - 1 : end - 1]
        # Only where a family begins may the response fall. first_child does not fall, so the
        # families that begin in this piece are found by bisection.
        low, high = np.searchsorted(first, np.array([begin, end], dtype=first.dtype))
        begins = np.zeros(end - begin, dtype=bool)
        begins[first[low:high] - begin] = True
        _demand(rises | begins, "its response does not follow its sibling's", begin)


def _check_counts(tree: Tree) -> None:
    for begin, end in iter_pieces(0, tree.n_nodes):
        _demand(tree.n_candidates[begin:end] >= 1, "no candidate is left", begin)
    families = list(iter_families(tree.first_child))
    if tree.game.rules.shares is not None:
        _check_shares(tree)
        return
    for begin, end in families:
        here = tree.n_candidates[begin:end] - count_children(tree, begin, end)
        reason = "its candidates are not those of its children, and its own"
        _demand((here == 0) | (here == 1), reason, begin)
    for begin, end in families:
        below = count_children(tree, begin, end)
        here = tree.n_candidates[begin:end] - below
        _demand((below > 0) | (here == 1), "it has no children and does not win", begin)
    for begin, end in families:
        single = np.diff(tree.first_child[begin : end + 1]) == 1
        here = tree.n_candidates[begin:end] - count_children(tree, begin, end)
        reason = "its guess gains no information: all candidates stay in one cell"
        _demand(~(single & (here == 0)), reason, begin)


def _check_shares(tree: Tree) -> None:
    """Check counts where a candidate may be in several children."""
    counts, parents = tree.n_candidates, tree.parent[1:]
    _demand(counts[1:] <= counts[parents], "it has candidates that its parent lacks", 1)
    for begin, end in iter_families(tree.first_child):
        is_inner = ~tree.is_leaf[begin:end]
        here = counts[begin:end]
        reason = "its children lack some of its candidates"
        # A candidate that is guessed is in no child.
        below = count_children(tree, begin, end) + (tree.guess[begin:end] < tree.game.n_secrets)
        _demand(~is_inner | (below >= here), reason, begin)
    is_less = tree.is_leaf.copy()
    np.logical_or.at(is_less, parents, counts[1:] < counts[parents])
    _demand(is_less, "its question gains no information: no answer excludes a candidate", 0)


def _demand(holds: NDArray[np.bool_], reason: str, shift: int) -> None:
    if not holds.all():
        raise TreeError(f"node {int(np.argmin(holds)) + shift}: {reason}")


def price_guesses(
    game: Game, guesses: NDArray[np.integer], are_last: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return the costs of guesses; 0 where the last candidate is announced instead."""
    costs = np.ones(len(guesses), dtype=np.int64)
    if game.rules.given_costs is not None:
        costs = game.costs[guesses]
    costs[are_last] *= game.goal.last_step
    return costs


def sum_path_costs(tree: Tree) -> NDArray[np.int64]:
    """Return for each node what the guesses before it cost together."""
    costs = price_guesses(tree.game, tree.guess, tree.is_leaf)
    before = np.zeros(tree.n_nodes, dtype=np.int64)
    # Parents come first, level by level: each level reads the one above it.
    for begin, end in pairwise(tree.level_starts[1:]):
        parents = tree.parent[begin:end]
        before[begin:end] = before[parents] + costs[parents]
    return before


def weigh_secrets(
    game: Game, secrets: NDArray[np.integer], shares: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return the weights of some secrets; `shares` are their shares that are left."""
    if shares is not None:
        return shares
    weights = game.weights
    return np.ones(len(secrets), dtype=np.int64) if weights is None else weights[secrets]


def tally(lengths: NDArray[np.int64], counts: NDArray[np.int64]) -> list[int]:
    """Return a histogram, from length 1 on, of lengths and what each of them counts."""
    histogram = np.zeros(int(lengths.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(histogram, lengths, counts)  # bincount would add floats
    counted: list[int] = histogram[1:].tolist()
    return counted


def iter_lengths(histogram: list[int]) -> Iterator[tuple[int, int]]:
    """Yield length and count of a histogram's entries that are not 0, and of the last one."""
    for length, count in enumerate(histogram, start=1):
        if count or length == len(histogram):
            yield length, count
