"""The search of a table with uncertain answers or classes, in its trees.

It answers as the engine's search does: the best tree by an aim, proved; or near-optimal ones. A
beam tries the questions that seem best in every state of more than a few items, and solves smaller
ones; each wider beam looks only for trees that are better than the best one known.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...builder.shares import grow_tree
from ...errors import SearchStoppedError, TreeError, UsageError
from ...games.base import Weight, weigh
from ...games.possible import Possible
from ...strategies.named import name_search
from ...strategies.stated import ROUNDED
from ...strategies.strategy import join_names
from ...tasks.work import PROCESS
from ...tree.tree import Provenance, Tree
from ..engine import Int32s, Int64s
from ..request import Aim, Monitor, SearchControl, SearchSpec, describe_end
from .search import IMPOSSIBLE, ShareAim
from .solver import ShareRun, ShareSolver, ShareState

LEAST = Aim()
"""The total is minimised."""

LONGEST = Aim(scale=0, stage="worst")
"""The dearest path is minimised, whatever the total is."""

N_FULL = 1
"""A beam solves states of this many items, and of one more for each question of its width."""

EARLY_WIDTHS = (1, 2)
"""Beams before a proof: if that is ended, there is a tree."""

EARLY_PAIRS = 2000
"""Pairs of question and candidate up to which there are none: the proof is there as soon."""

BOUND_WIDTH = 2
"""A near-optimal search proves a bound after a beam of this width: first a good tree."""

OPEN_WIDTH = 4
"""Where a watch ends the search, wider beams, better bounds and the proof take turns."""

TURN_S = 1.0
"""How long the first turns are; each next round takes twice as long."""

LOOK_S = 0.05
"""Time between two calls of the watch."""

RECORD = "shares"
"""The name of the record in a folder: what is proved of states."""

PAUSE_FACTOR = 20
"""Between two records there is this many times the time that one takes."""


class ShareSearch:
    """A search of one game; another thread may take its best tree at any time.

    `weight` is that of all candidates, in shares.
    """

    def __init__(
        self,
        game: Possible,
        candidates: Int32s,
        spec: SearchSpec,
        monitor: Monitor,
        control: SearchControl,
    ) -> None:
        self.game, self.spec, self.monitor, self.control = game, spec, monitor, control
        asked = tuple(guess - game.n_secrets for guess in spec.guesses_made)
        self.root = ShareState(*game.follow(spec.history), asked)
        self.weight = int(self.root.shares.sum())
        self.is_trivial = game.is_over(candidates)
        self.solver, self._is_shifted = ShareSolver(game, self.check), False
        sizes = np.diff(game.set_starts)[game.set_numbers[[*asked]][:, self.root.items]]
        divisors = np.prod(sizes.astype(object), axis=0)
        self.solver.is_rounded = bool((game.shares[self.root.items] % divisors).any())
        self.first = () if self.is_trivial else self._list_first()
        self.cap = IMPOSSIBLE if spec.max_length is None else spec.max_length
        self.trees: list[Tree] = []
        self.stage, self.bound = "rules", 0
        self._run: ShareRun | None = None  # the proof; it may be ended, and gone on with
        self._ahead: ShareRun | None = None  # the search for a bound, the same
        self._n_ahead = -1  # questions behind the first one that a search for a bound went
        self._next_look_s = 0.0
        self._next_record_s = time.monotonic() + control.budget.record_s
        body = None if control.checkpoint is None else control.checkpoint.find(RECORD)
        if body is not None:
            self.solver.unpack(bytes(body))

    def _list_first(self) -> tuple[int, ...]:
        """Return the questions of the first guesses that are given and exclude some candidate."""
        game = self.game
        codes = [game.parse_code(text) for text in self.spec.first]
        sets = self.solver.table.sets[:, self.root.items]
        open_ = (sets != sets[:, :1]).any(axis=1)
        open_[list(self.root.asked)] = False
        useful = tuple(code - game.n_secrets for code in codes if open_[code - game.n_secrets])
        if codes and not useful:
            named = " or ".join(map(game.format_code, codes))
            raise UsageError(f"no answer to {named:.80} excludes a candidate: ask another first")
        return useful

    def make_early_trees(self) -> None:
        """Make trees to return if the search ends early."""
        if len(self.root.items) * self.game.n_questions > EARLY_PAIRS:
            for width in EARLY_WIDTHS:
                self.widen(width)

    def find_best(self, aim: Aim) -> Tree | None:
        """Return the best tree; None if there is none."""
        left = IMPOSSIBLE if aim.left is None else aim.left
        if left < 0:
            return None
        self.stage, own, below = aim.stage, self.solver.make_aim(aim), IMPOSSIBLE
        self._is_shifted |= own.shift > 0
        if aim.below is not None:
            below = _join(own, *_split(aim, aim.below))
        elif aim.last == 0 and left == self.cap and self.total is not None:
            below = self.total + 1
        tree = self._search(own, left, below)
        if tree is None or aim.below is None:
            if tree is not None and aim.stage == "total":
                self.bound = tree.share_total
            return tree
        # Shares at the last moment are counted in units: the tree may be no better after all.
        n_last = tree.share_n_worst if tree.worst == left else 0
        return tree if aim.scale * tree.share_total + aim.last * n_last < aim.below else None

    def find_shortest(self, left: int | None) -> tuple[int, Tree | None] | None:
        """Return the least worst case, for which no tree is known; None: it is not allowed."""
        self.stage = LONGEST.stage
        if self.is_trivial:
            return 0, None
        run = ShareRun(self.solver)
        run.begin(self.root, self.solver.make_aim(LONGEST), first=self.first)
        found = run.finish()
        if found is None or (left is not None and found[0] > left):
            return None
        return found[0], None

    def _search(self, aim: ShareAim, left: int, below: int) -> Tree | None:
        """Return the best tree below a cost, None if there is none."""
        if self.is_trivial:
            return self._grow(aim, left, -1)
        run = ShareRun(self.solver)
        if aim.width == 0:
            self._run = run
        run.begin(self.root, aim, left, below, self.first)
        found = run.finish()
        if aim.width == 0:
            self._save()
        return None if found is None else self._grow_checked(aim, left, *found)

    def _grow_checked(self, aim: ShareAim, left: int, cost: int, question: int) -> Tree:
        """Return the tree that a search has found.

        Raise TreeError if the search claims another cost than its tree has: it has a fault.
        """
        tree, (total, _) = self._grow(aim, left, question), _split(aim, cost)
        if tree.share_total != total or tree.worst > left:
            raise TreeError(
                f"{self.game.name}: internal error: the search claims a total of {total}, but its"
                f" tree has {tree.share_total}, its worst path {tree.worst}; please report the"
                " command"
            )
        return tree

    def _grow(self, aim: ShareAim, left: int, question: int, *, is_ended: bool = False) -> Tree:
        """Return the tree that a search has found, from its first question on; -1: none yet.

        If the search was ended, a beam chooses in the states whose question is not known.
        """
        run, costs = ShareRun(self.solver), self.solver.table.costs
        soon = self.solver.make_aim(LEAST, width=1, n_full=2)

        def choose(items: Int32s, shares: Int64s, asked: tuple[int, ...]) -> int:
            made = asked[len(self.root.asked) :]
            if not made and question >= 0:
                return question
            state = ShareState(items, shares, asked)
            run.begin(state, aim, left if left == IMPOSSIBLE else left - int(costs[[*made]].sum()))
            if is_ended and not run.is_known():
                run.begin(state, soon)
            run.finish()
            return run.found

        return grow_tree(self.game, choose, Provenance("", "", self.spec.history))

    def list_trees(self) -> list[Tree]:
        """Return the trees that there are by now."""
        self.solver.check, run = lambda: None, self._run
        trees = list(self.trees)
        if run is not None and run.found >= 0:
            trees.append(self._grow(run.aim, run.left, run.found, is_ended=True))
        if not trees:
            first = self.first[0] if self.first else -1
            aim = self.solver.make_aim(LEAST)
            trees.append(self._grow(aim, IMPOSSIBLE, first, is_ended=True))
        return trees

    def widen_beams(self, last_width: int) -> None:
        """Widen the beam; prove a bound in between, and what a gap asks for at the end."""
        width = 1
        while width <= last_width and not self.is_enough:
            self.widen(width)
            if self._n_ahead < 0 and (width >= BOUND_WIDTH or 2 * width > last_width):
                self._look_further(1 if self.spec.look_ahead is None else self.spec.look_ahead)
            width *= 2
            if self.spec.beam is None and width > OPEN_WIDTH:
                self._take_turns(width)
        if self.spec.gap is not None and not self.is_enough:
            self._prove()

    def widen(self, width: int) -> None:
        """Search with a beam of a width; keep its tree if it is better than those before."""
        self.stage = f"beam {width}"
        tree = self._search(self._make_beam(width), self.cap, self.total or IMPOSSIBLE)
        if tree is not None:
            self.trees.append(tree)

    def _make_beam(self, width: int) -> ShareAim:
        return self.solver.make_aim(LEAST, width=width, n_full=N_FULL + width)

    def _take_turns(self, width: int) -> None:
        """Go on until a watch ends the search, or the best tree is proved."""
        beam, turn_s = ShareRun(self.solver), TURN_S
        beam.is_done = True
        while not self.is_enough:
            self.stage = f"beam {width}"
            if beam.is_done:
                aim, below = self._make_beam(width), self.total or IMPOSSIBLE
                beam.begin(self.root, aim, below=below, first=self.first)
            found = beam.finish(time.monotonic() + turn_s)
            if beam.is_done:
                width *= 2
            if found is not None:
                self.trees.append(self._grow_checked(beam.aim, IMPOSSIBLE, *found))
            self._look_further(self._n_ahead + 1, time.monotonic() + turn_s)
            self._prove(time.monotonic() + turn_s)
            turn_s *= 2

    def _look_further(self, n_ahead: int, until_s: float = math.inf) -> None:
        """Search some questions behind the first one in full: the total is no less."""
        if self.is_enough:
            return
        self.stage = "bound"
        if self._ahead is None:
            self._ahead = ShareRun(self.solver)
            aim = self.solver.make_aim(LEAST, n_ahead=n_ahead)
            self._ahead.begin(self.root, aim, below=self.total or IMPOSSIBLE, first=self.first)
        found = self._ahead.finish(until_s)
        if self._ahead.is_done:
            self.bound = max(self.bound, self._ahead.below if found is None else found[0])
            self._ahead, self._n_ahead = None, n_ahead

    def _prove(self, until_s: float = math.inf) -> None:
        """Prove that no tree is better by more than the gap allows; or find the best tree."""
        if self.is_enough:
            return
        self.stage, below = "proof", self._least_bound
        if self._run is None:
            self._run = ShareRun(self.solver)
            self._run.begin(self.root, self.solver.make_aim(LEAST), below=below, first=self.first)
        self._run.lower_limit(below)
        found = self._run.finish(until_s)
        self.bound = self._floor
        if found is not None:
            self.trees.append(self._grow_checked(self._run.aim, IMPOSSIBLE, *found))

    @property
    def _least_bound(self) -> int:
        """The bound that is to be proved: as near to the total as the gap asks."""
        assert self.total is not None
        return math.ceil(self.total * 100 / (100 + Fraction(self.spec.gap or 0)))

    @property
    def is_enough(self) -> bool:
        """Whether the bound is as near to the total as was asked for."""
        return self.total is not None and self._floor >= self._least_bound

    def finish(self, width: str) -> Tree:
        """Return the best tree; `width`: of the beams, for its rule."""
        tree, spec = min(self.list_trees(), key=lambda tree: tree.share_total), self.spec
        given = f"first={join_names(spec.first)}; " if spec.first else ""
        name = name_search("best", spec.first)
        bound = None if self.is_rounded else self._weigh(min(self.read_bound(), tree.share_total))
        width += ROUNDED * self.is_rounded
        if self.control.log is not None:
            self.control.log.counts = self.counts
        provenance = Provenance(name, f"{given}{width}", spec.history, spec.objective, bound)
        return replace(tree, provenance=provenance)

    def check(self) -> None:
        """Report the progress; raise SearchStoppedError if the search must end."""
        now_s = time.perf_counter()
        if now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            bound = self.read_bound()
            try:
                best = None if self.total is None else self._weigh(self.total)
                self.monitor.check(self.stage, self._weigh(bound), best)
            except SearchStoppedError:
                self._save()
                raise SearchStoppedError(describe_end(self._weigh(bound))) from None
            if time.monotonic() >= self._next_record_s:
                self._save()

    def _save(self) -> None:
        """Keep what is proved of states in the folder.

        A search that goes on begins anew, but finds all that in its table, which changes no tree.
        """
        if self.control.checkpoint is None:
            return
        begun_s = time.monotonic()
        with PROCESS.owe_saving("what is proved of states"):
            self.control.checkpoint.save(RECORD, self.solver.pack())
        end_s = time.monotonic()
        pause_s = max(self.control.budget.record_s, PAUSE_FACTOR * (end_s - begun_s))
        self._next_record_s = end_s + pause_s

    def read_bound(self) -> int:
        """Return what is proved of the total by now: nothing, if shares were rounded."""
        return 0 if self.solver.is_rounded else self._floor

    @property
    def is_rounded(self) -> bool:
        """Whether shares were rounded: what is proved is proved but for that."""
        return self.solver.is_rounded or self._is_shifted

    @property
    def _floor(self) -> int:
        """No tree has a smaller total, but for rounded shares."""
        is_proof = self._run is not None and self.stage in ("total", "proof")
        return max(self.bound, self._run.bound if is_proof and self._run is not None else 0)

    @property
    def total(self) -> int | None:
        """The least total of the trees, in shares; None before there is one."""
        return min((tree.share_total for tree in self.trees), default=None)

    @property
    def counts(self) -> dict[str, int]:
        """What was done by now."""
        return {"states": self.solver.n_states}

    def _weigh(self, shares: int) -> Weight:
        return weigh(shares, self.game.share_unit)


def _split(aim: Aim | ShareAim, cost: int) -> tuple[int, int]:
    """Return the total of a cost, and the shares that are found at the last moment."""
    if not aim.last:
        return cost // max(aim.scale, 1), 0
    more, less = divmod(cost, max(aim.scale, aim.last))
    return (more, less) if aim.scale > aim.last else (less, more)


def _join(aim: ShareAim, total: int, n_last: int) -> int:
    """Return the cost of a total and of shares that are found at the last moment."""
    return aim.scale * total + aim.last * (n_last >> aim.shift)
