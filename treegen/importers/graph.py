"""States given as nodes and edges, in any order, which must form a tree."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from ..errors import FormatError
from ..games import Game
from ..tree import History
from .scan import Scanner
from .sketch import Claim, Place, Sketch


@dataclass(frozen=True, slots=True)
class Edge:
    """A branch: the node that it leads to, the response, its place in the text."""

    target: Hashable
    response: int
    place: Place


@dataclass(slots=True)
class Graph:
    """Nodes with their guesses, and edges with their responses, as they are read.

    Attributes
    ----------
    guess_of, place_of, count_of
        For each node its code index, its place, and the candidates claimed (if any).
    claims_of
        For each node its other claims.
    edges_of
        For each node the edges that leave it.
    """

    guess_of: dict[Hashable, int] = field(default_factory=dict)
    place_of: dict[Hashable, Place] = field(default_factory=dict)
    count_of: dict[Hashable, int] = field(default_factory=dict)
    claims_of: dict[Hashable, dict[str, Claim]] = field(default_factory=dict)
    edges_of: dict[Hashable, list[Edge]] = field(default_factory=dict)

    def add_node(self, node: Hashable, guess: int, place: Place, scanner: Scanner) -> None:
        """Add a node; raise FormatError if it is there already."""
        if node in self.guess_of:
            raise scanner.error(
                f"the node {node} is already at {scanner.locate(self.place_of[node])}", place
            )
        self.guess_of[node], self.place_of[node] = guess, place

    def add_edge(self, source: Hashable, edge: Edge) -> None:
        """Add an edge."""
        self.edges_of.setdefault(source, []).append(edge)

    def sketch(
        self, game: Game, scanner: Scanner, history: History, *, is_ours: bool = False
    ) -> Sketch:
        """Return the states from the root down; raise FormatError unless they are one tree.

        Claims about single states are kept if the graph is one of ours.
        """
        sketch = Sketch(game, scanner.locate, history)
        state_of: dict[Hashable, int] = {}
        pending = [
            (Sketch.NULL, Edge(root := self._find_root(scanner), Sketch.NULL, self.place_of[root]))
        ]
        for parent, edge in pending:
            node = edge.target
            if node in state_of:
                raise scanner.error(f"a second edge leads to the node {node}", edge.place)
            place, count = self.place_of[node], self.count_of.get(node, Sketch.NULL)
            state = sketch.add(parent, edge.response, self.guess_of[node], place, count=count)
            state_of[node] = state
            if is_ours:
                sketch.claims_of[state] = self.claims_of.get(node, {})
            # Edges to the end of the game add nothing to the guess.
            pending.extend(
                (state, below)
                for below in self.edges_of.get(node, ())
                if below.response != game.win
            )
        self._check_all_reached(state_of, scanner)
        return sketch

    def _find_root(self, scanner: Scanner) -> Hashable:
        targets = set()
        for source, edges in self.edges_of.items():
            for edge in edges:
                targets.add(edge.target)
                for node in (source, edge.target):
                    if node not in self.guess_of:
                        raise scanner.error(f"the edge's node {node} is nowhere", edge.place)
        roots = [node for node in self.guess_of if node not in targets]
        if not roots:
            raise FormatError("no node is the root: an edge leads to each of them")
        if len(roots) > 1:
            raise scanner.error(f"no edge leads to the node {roots[1]}", self.place_of[roots[1]])
        return roots[0]

    def _check_all_reached(self, state_of: dict[Hashable, int], scanner: Scanner) -> None:
        for node in self.guess_of:
            if node not in state_of and not self._is_won(node):
                message = f"the node {node} is not reached from the root"
                raise scanner.error(message, self.place_of[node])

    def _is_won(self, node: Hashable) -> bool:
        """Whether a node without edges represents the end of a game."""
        return node not in self.edges_of
