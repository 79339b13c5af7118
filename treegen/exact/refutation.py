"""What lemmas are made of: what counting shows of a guess, and what the search proves of a cell.

Counting is what every checker does by itself; its kernels are in `engine` and `tables`. A search
is asked what a cell costs, up to what is needed of it. Both are there twice, as the searches are:
for games in which guesses are counted until the win, and for all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..formats.proof import Claimed, is_written_out
from ..games.base import Game, select_candidates
from ..games.eligible import is_rule_of_play, may_follow, resolve_eligible, select_eligible
from ..tasks.work import Look
from .engine import INFINITE, Int32s, Int64s
from .engine.cost import MAX_COST, spend
from .engine.refutation import count_all, count_listed, find_open_guess, make_refuter
from .engine.table import Evidence, find_entry, record_proof
from .openings import find_dearest
from .parallel.worker import SearchWorker
from .request import Aim, SearchControl, SearchSpec, TimeBudget
from .run import choose_search_kernel
from .solver import Root, Solver
from .tables.bounds import Limits
from .tables.problem import TableState, make_table
from .tables.refutation import Prices, measure_state
from .tables.refutation import find_open_guess as find_open_weighted
from .tables.solver import TableRun, TableSolver

N_UNITS = 50_000_000
"""Responses looked at before a look around."""

Members = Int32s
"""Candidates of a state, by their numbers in the search, ascending."""


class CodeMap(NamedTuple):
    """An exchange of pegs and a renaming of colors."""

    pegs: tuple[int, ...]  # the place to which the color of each peg goes
    colors: tuple[int, ...]  # what each color becomes

    def __str__(self) -> str:
        pegs = "".join(str(peg + 1) for peg in self.pegs)
        return f"{pegs} {''.join(chr(ord('a') + color) for color in self.colors)}"


@dataclass(slots=True, eq=False)
class Lemma:
    """A set of candidates and what is wanted of it."""

    members: Members
    shares: Int64s  # of tables; else empty
    path: tuple[int, ...]  # the guesses that lead to it
    left: int  # what may be spent
    wanted: int  # the claim
    legal: Int32s | None  # codes that may be guessed, if that depends on answers
    labels: CodeMap | None  # the map to the set's canonical image
    parent: Lemma | None = None  # with the last guess and the response: of whose set it is a cell
    response: int = -1
    number: int = -1  # its place among those that were looked at; then in the text
    symmetries: list[CodeMap] = field(default_factory=list)
    # Of a guess and a response: the lemma about that cell, and the map to its set.
    uses: dict[tuple[int, int], tuple[Lemma, CodeMap | None]] = field(default_factory=dict)
    # Guesses that counting leaves open: what each lacks, and its cells with their proved bounds.
    open_guesses: list[tuple[int, int, list[tuple[DemandedCell, int]]]] = field(
        default_factory=list
    )


@dataclass(slots=True, eq=False)
class DemandedCell:
    """A cell of a guess that does not show what it must."""

    above: int  # the number of the lemma whose guess it is
    response: int
    members: Members
    shares: Int64s
    left: int
    legal: Int32s | None
    key: tuple[int, ...] | bytes  # with the labels: of its canonical image
    labels: CodeMap | None
    bound: int  # its proved bound so far
    gain: int = -1  # by how much the search proves more, up to what was asked; -1: it was not asked
    lemma: Lemma | None = None  # a lemma about the cell or an image
    is_lemma_same: bool = False  # whether it has no more left and legal than the cell
    symmetry: CodeMap | None = None  # the map from here to there


def make_refutation(
    game: Game, eligible: str, history: tuple[tuple[int, int], ...], table_size: int | None
) -> Refutation:
    """Return the refutation for a game."""
    spec = SearchSpec(eligible=eligible, history=history)
    candidates = select_candidates(game, history).astype(np.int32)
    root = choose_search_kernel(game).make_root(game, candidates, spec)
    if root is None or game.weights is not None or is_written_out(game):
        return TableRefutation(game, candidates, spec, table_size, root)
    return PlainRefutation(root, table_size)


class PlainRefutation:
    """Of games in which guesses are counted until the win.

    `candidates` has the code of each candidate, `shares` its share in a table. `legal` is what may
    be guessed at first, if that depends on answers.
    """

    is_plain = True
    layers: tuple[int, ...] = ()  # costs, ascending, with the layers that are counted apart
    is_rounded = False  # whether a share was rounded since the claim was begun

    def __init__(self, root: Root, table_size: int | None) -> None:
        self.game, self.candidates, self.root = root.game, root.candidates, root
        self.table_size = table_size
        self.shares, self.legal = np.zeros(0, dtype=np.int64), None
        self.rule = resolve_eligible(self.game, root.spec.eligible)
        if is_rule_of_play(self.rule):
            self.legal = select_eligible(self.game, self.rule, root.spec.history)
        self.worker: SearchWorker | None = None
        if root.n >= 2:
            self.refuter = make_refuter(root.matrix)
            self.nothing = np.zeros(0, dtype=np.int32)

    def begin(self, claim: Claimed) -> None:
        """Prepare for a claim: a search and a table of proofs of its own."""
        self.price = claim.price
        if len(self.candidates) < 2:
            return
        self.worker = _make_worker(self.root, claim, self.table_size)
        self.model = self.worker.search.model

    def spend(self, left: int, guess: int) -> int:
        """Return the guesses left after one more."""
        return spend(left)

    def list_guesses(self, lemma: Lemma) -> Int32s:
        """Return the codes that may be guessed."""
        if self.rule == "candidates":
            return self.candidates[lemma.members]
        if lemma.legal is not None:
            return lemma.legal
        return np.arange(self.game.n_codes, dtype=np.int32)

    def holds_at_sight(self, lemma: Lemma) -> bool | None:
        """Return whether the number of answers shows enough; None: it is not true."""
        n, (scale, last) = len(lemma.members), self.price
        total, level, room, rest = 0, 1, 1, n
        n_others = self.game.n_responses - 1
        while rest > 0 and room > 0 and level <= lemma.left:
            taken = min(rest, room)
            total += taken * (level * scale + last * (level == lemma.left))
            rest -= taken
            level, room = level + 1, min(room * n_others, n)
        if rest == 0 and lemma.wanted > total and n < 2:
            return None
        return rest > 0 or lemma.wanted <= total

    def find_open(self, lemma: Lemma, guesses: Int32s, look: Look) -> Iterator[tuple[int, int]]:
        """Yield guesses whose cells do not show enough by their sizes and one guess ahead."""
        refuter, members = self.refuter, lemma.members
        if lemma.legal is None and self.rule == "all":
            below = count_all(refuter, members, refuter.n_cells)
        else:
            count_listed(refuter, members, guesses, refuter.n_cells)  # given ones may be others
            below = count_listed(refuter, members, self.list_guesses(lemma), refuter.n_cells)
        left, by_size = spend(lemma.left), self.model.lower_bounds
        by_size = by_size[min(left, len(by_size) - 1), below]
        legal = self.nothing if lemma.legal is None else lemma.legal
        play_rule, at = self.root.play_rule, 0
        while at < len(guesses):
            at, shown, is_open = find_open_guess(
                refuter,
                self.model,
                play_rule,
                members,
                legal,
                guesses,
                at,
                by_size,
                below,
                lemma.wanted,
                left,
                N_UNITS,
            )
            if is_open:
                yield int(guesses[at]), shown
                at += 1
            look()

    def list_cells(self, lemma: Lemma, guess: int) -> Iterator[DemandedCell]:
        """Yield the cells of the guess at hand that may cost more than is shown."""
        assert self.worker is not None
        refuter, left = self.refuter, self.spend(lemma.left, guess)
        table = self.worker.search.table
        for response in range(refuter.win):
            size, bound = int(refuter.sizes[response]), int(refuter.bounds[response])
            if size < 3 or bound >= INFINITE:
                continue
            start = refuter.starts[response]
            members = refuter.members[start : start + size].copy()
            legal = self._filter(lemma, guess, response)
            is_known, cost, evidence = find_entry(table, members, left, legal)
            if is_known and evidence == Evidence.COST and cost <= bound:
                continue
            key: tuple[int, ...] | bytes = tuple(table.key.tolist())
            if legal is not None:  # other guesses may be legal there, too
                key = members.tobytes()
            labels, above = self._read_labels(), lemma.number
            yield DemandedCell(
                above, response, members, lemma.shares, left, legal, key, labels, bound
            )

    def _filter(self, lemma: Lemma, guess: int, response: int) -> Int32s | None:
        if lemma.legal is None:
            return None
        pair = np.array(guess), np.array(response)
        return lemma.legal[may_follow(self.game, self.rule, *pair, lemma.legal)]

    def _read_labels(self) -> CodeMap | None:
        """Return the map to the canonical image of the set whose key was made last."""
        assert self.worker is not None
        digits = self.worker.search.table.canonizer.digits.tolist()
        if not digits:
            return None
        units = [min(filter(None, row), default=1) for row in digits]
        pegs = [0] * len(units)
        colors = tuple(digit // units[0] for digit in digits[0])
        for place, peg in enumerate(sorted(range(len(units)), key=units.__getitem__)):
            pegs[peg] = place
        return CodeMap(tuple(pegs), colors)

    def ask(self, cell: DemandedCell, lemma: Lemma, guess: int, upper: int, look: Look) -> int:
        """Return the bound that the search proves, from its table of proofs if it is there."""
        assert self.worker is not None
        return _ask_engine(self.worker, cell, (*lemma.path, guess), upper, look)


def _make_worker(root: Root, claim: Claimed, table_size: int | None) -> SearchWorker:
    """Return the engine's search of a claim, with a table of proofs of its own."""
    aim = Aim(claim.cap, None, *claim.price)
    solver = Solver(root, SearchControl(table_size=table_size))
    search = solver.make_search(solver.make_model(aim), solver.make_table(), aim)
    return SearchWorker(search, TimeBudget().make_pace())


def _ask_engine(
    worker: SearchWorker, cell: DemandedCell, path: tuple[int, ...], upper: int, look: Look
) -> int:
    """Return the bound that the engine proves of a cell; see `PlainRefutation.ask`."""
    table, left = worker.search.table, cell.left
    is_known, bound, evidence = find_entry(table, cell.members, left, cell.legal)
    if is_known and (evidence == Evidence.COST or bound >= upper):
        return min(bound, upper)
    depth = worker.load(cell.members, path)
    guesses = worker.list_guesses(depth, upper)
    end = len(guesses.codes)
    worker.push(depth, guesses, 0, end, upper)
    while end and not worker.run():
        look()
    found = worker.take_incumbent(depth, 0)
    worker.loaded = None
    bound = upper if found is None else found[0]
    record_proof(table, cell.members, left, bound, found is not None, cell.legal)
    return bound


class TableRefutation:
    """Of games with weights, costs, questions or the goal to identify.

    Bounds without a search are counted here; with weights alone the engine searches.
    """

    is_plain = False

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        table_size: int | None,
        root: Root | None,
    ) -> None:
        # With weights alone the engine searches, which numbers candidates alike.
        self.game, self.table_size, self.root = game, table_size, root
        self.table = make_table(game, candidates, spec)
        problem, self.candidates = self.table.problem, self.table.members
        self.shares = self.table.root.shares
        self.layers = tuple(problem.layers[1:].tolist())
        # Guesses come in the order of codes, the problem's questions in that of costs.
        self.questions = np.argsort(self.table.codes).astype(np.int32)
        self.codes = self.table.codes[self.questions]
        self.legal: Int32s | None = None
        if not (problem.is_certain or problem.candidates_only):  # each question is asked once
            asked = self.table.codes[list(self.table.root.asked)]
            self.legal = np.setdiff1d(self.codes, asked).astype(np.int32)

    def begin(self, claim: Claimed) -> None:
        """Prepare for a claim: a solver of its own."""
        problem, (scale, last) = self.table.problem, claim.price
        self.worker: SearchWorker | None = None
        dearest = find_dearest(self.game, self.candidates, scale, last)
        if self.root is not None and dearest < MAX_COST:
            self.worker = _make_worker(self.root, claim, self.table_size)
        self.run = TableRun(TableSolver(self.table))
        self.aim = self.run.solver.make_aim(Aim(claim.cap, None, scale, last))
        n_layers, n_cells = len(problem.layers), len(self.run.room.ends)
        self.prices = Prices(
            problem,
            scale,
            last,
            self.run.room,
            Limits(np.ones((1, n_layers), np.int64), np.ones(1, np.int64), np.zeros(0, np.int64)),
            np.zeros(self.table.n + 2, dtype=np.int64),
            *(np.zeros(n_cells + 1, dtype=np.int64) for _ in range(4)),
        )
        self.n_cells = 0

    @property
    def is_rounded(self) -> bool:
        """Whether a share was rounded: then the proved bound is not the one that checkers count."""
        is_here = self.table.may_round and bool(self.run.room.rounded[0])
        return is_here or self.run.solver.is_rounded

    def spend(self, left: int, guess: int) -> int:
        """Return the rest of the limit after a guess is paid."""
        return spend(left, int(self.game.costs[guess]))

    def list_guesses(self, lemma: Lemma) -> Int32s:
        """Return the codes that may be guessed."""
        if lemma.legal is not None:
            return lemma.legal
        if not self.table.problem.candidates_only:
            return self.codes
        owners = self.table.problem.owners[self.questions]
        return self.codes[np.isin(owners, lemma.members)]

    def _list_questions(self, codes: Int32s) -> Int32s:
        """Return the questions of codes, but of those that tell nothing."""
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        found: Int32s = self.questions[places[self.codes[places] == codes]]
        return found

    def holds_at_sight(self, lemma: Lemma) -> bool | None:
        """Return whether it is over and costs enough; None: it does not."""
        codes = self.table.members[lemma.members]
        if len(codes) > 1 and not self.game.rules.is_over(codes):
            return False
        state = TableState(lemma.members, lemma.shares)
        self.run.begin(state, self.aim, lemma.left, lemma.wanted)
        return self.run.finish() is None or None

    def find_open(self, lemma: Lemma, guesses: Int32s, look: Look) -> Iterator[tuple[int, int]]:
        """Yield guesses whose cells do not show enough by shares and one guess ahead."""
        members, shares, prices, left = lemma.members, lemma.shares, self.prices, lemma.left
        legal = self._list_questions(self.list_guesses(lemma))
        capacities = measure_state(prices, members, shares, legal, left)
        if self.table.problem.candidates_only:
            legal = self.questions
        asked, at = self._list_questions(guesses), 0
        while at < len(asked):
            at, shown, self.n_cells = find_open_weighted(
                prices, capacities, members, shares, asked, legal, at, lemma.wanted, left, N_UNITS
            )
            if self.n_cells:
                yield int(self.table.codes[asked[at]]), shown
                at += 1
            look()

    def list_cells(self, lemma: Lemma, guess: int) -> Iterator[DemandedCell]:
        """Yield the cells of the guess at hand that may cost more than is shown."""
        left, prices, n_cells = self.spend(lemma.left, guess), self.prices, self.n_cells
        columns = prices.answers[:n_cells], prices.bounds[:n_cells], prices.n_apart[:n_cells]
        places = pairwise(prices.starts[: n_cells + 1].tolist())
        rows = zip(places, *(column.tolist() for column in columns), strict=True)
        room = prices.room
        listed = [
            (room.items[slice(*place)].copy(), room.shares[slice(*place)].copy(), answer, bound)
            for place, answer, bound, n_apart in rows
            if n_apart > 1 and bound < INFINITE
        ]
        for members, shares, answer, bound in listed:
            order = np.argsort(members)
            members, shares, legal = members[order], shares[order], lemma.legal
            key = members.tobytes() + shares.tobytes()
            if legal is not None:
                asked = legal[legal != guess]
                rows_of = self.table.problem.cells[self._list_questions(asked)][:, members]
                legal = asked[(rows_of != rows_of[:, :1]).any(axis=1)]
            yield DemandedCell(lemma.number, answer, members, shares, left, legal, key, None, bound)

    def ask(self, cell: DemandedCell, lemma: Lemma, guess: int, upper: int, look: Look) -> int:
        """Return the bound that a search proves for a cell."""
        if self.worker is not None and len(cell.members) > 2:
            path = (*lemma.path, guess)
            return _ask_engine(self.worker, cell, path, upper, look)
        asked: tuple[int, ...] = ()
        if cell.legal is not None:
            asked = tuple(np.setdiff1d(self.questions, self._list_questions(cell.legal)).tolist())
        state = TableState(cell.members, cell.shares, asked)
        self.run.check = look
        self.run.begin(state, self.aim, cell.left, upper)
        found = self.run.finish()
        return upper if found is None else min(found[0], upper)


Refutation = PlainRefutation | TableRefutation
"""What is asked about a game, the guesses made before it and a rule of play."""
