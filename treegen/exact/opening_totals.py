"""The best first guesses with their least totals, and the proof that no other is better.

Every opening is searched below a bound: the total of the last opening that is in the list so far.
So the best ones get their least totals, and all others the proof that theirs is larger. The
searches share what is proved of the sets of candidates, which recur behind many openings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .._options import check_whole
from ..builder import build_tree, check_size
from ..errors import UsageError
from ..games import Game, resolve_eligible, select_eligible
from ..strategies import parse_chain
from ..tasks import describe_work, run_together
from ..tree import describe_conflict, select_candidates
from .engine.cost import UNLIMITED
from .greedy import CHAINS
from .monitor import Monitor
from .opening_board import Board, OpeningRanking, OpeningTotal
from .opening_run import run_ranking
from .opening_search import OpeningSearch, make_opening_search
from .openings import list_openings
from .request import SearchControl, SearchSpec
from .rule_of_play import check_rule_of_play
from .weighted import MOST_TOTAL, count_single, is_weighted


def rank_openings(
    game: Game,
    spec: SearchSpec | None = None,
    control: SearchControl | None = None,
    *,
    top: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> OpeningRanking:
    """Return the best first guesses with their least totals, proved to be the best.

    Parameters
    ----------
    game
        The game; first guesses that its symmetry maps to each other count once.
    spec
        What to search: eligible guesses, history, the longest game allowed; if it gives first
        guesses, only these are ranked. The objective is the total.
    control
        How it is carried out: jobs, watch, folder, notice, budget. If the watch or Ctrl-C ends it,
        the ranking has what is known, and is not proved.
    top
        How many are wanted; those that tie with the last are counted.
    progress
        Called with the number of openings done and of all.

    Raises
    ------
    UsageError
        No secret agrees with the history; the history or a first guess breaks the rule of play;
        another objective is asked for; `top` is not positive.
    StrategyError
        The game is too large for the search's tables.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> game = parse_game("p3c4r")
    >>> ranking = rank_openings(game)
    >>> [(game.format_code(row.code), row.total) for row in ranking.rows], ranking.proved
    ([('112', 206), ('123', 208), ('111', 233)], True)
    """
    spec, control = spec or SearchSpec(), control or SearchControl()
    spec = replace(spec, eligible=resolve_eligible(game, spec.eligible))
    _check_request(game, spec, top)
    check_rule_of_play(game, spec)
    candidates = select_candidates(game, spec.history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, spec.history))
    monitor = Monitor(control.watch or (lambda _: False), stage="openings")
    ranker = _Ranker(game, candidates, spec, control, monitor, top, progress)
    work = describe_work(game.digest_name, f"openings; {spec.rule}", spec.history)
    is_proved = run_ranking(ranker.board, ranker.run, monitor, work, control)
    return ranker.board.rank(is_complete=is_proved)


def _check_request(game: Game, spec: SearchSpec, top: int) -> None:
    """Raise UsageError for what cannot be ranked."""
    check_whole(top=top)
    if spec.objective != "total":
        raise UsageError(f"openings are ranked by the least total, not by {spec.objective}")
    check_size(game)


class _Ranker:
    """The ranking of one game, whose threads take one opening after the other."""

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        control: SearchControl,
        monitor: Monitor,
        top: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.game, self.candidates, self.spec, self.control = game, candidates, spec, control
        self.is_weighted = is_weighted(game)
        self.board = Board(top, MOST_TOTAL) if self.is_weighted else Board(top)
        self.monitor = monitor
        self.n, self.left = len(candidates), spec.max_length or UNLIMITED
        self.progress = progress or (lambda done, total: None)

    def run(self) -> None:
        """Rank all openings; raise SearchStoppedError if the monitor ends it."""
        openings = self._list_openings()
        if self.n == 1 and self.is_weighted:
            self._put_up(count_single(self.game, int(self.candidates[0])))
            return
        if self.n < 3 and not self.is_weighted:
            self._count_small(openings)
            return
        search = make_opening_search(
            self.game, self.candidates, self.spec, self.control, self.monitor.halt
        )
        openings = search.sort(openings)
        self.board.open(openings.tolist())
        self._add_greedy_totals(openings[: self.board.top])
        others = [search.share() for _ in range(1, min(self.control.jobs, len(openings)))]
        run_together([partial(self._work, each) for each in (search, *others)])

    def _list_openings(self) -> NDArray[np.int32]:
        """Return the first guesses up to symmetry."""
        if self.spec.first:
            codes = [self.game.parse_code(text) for text in self.spec.first]
            return np.array(list(dict.fromkeys(codes)), dtype=np.int32)
        legal = select_eligible(self.game, self.spec.eligible, self.spec.history)
        if self.game.stakes:  # they break the symmetry
            return legal
        openings = list_openings(self.game, self.spec.guesses_made)
        return openings[np.isin(openings, legal)]

    def _add_greedy_totals(self, openings: NDArray[np.int32]) -> None:
        """Bound the totals of the most promising openings from above by those of greedy trees."""
        rule = replace(parse_chain(CHAINS[0]), eligible=self.spec.eligible)
        for code in openings.tolist():
            tree = build_tree(
                self.game,
                rule,
                history=self.spec.history,
                first=(code,),
                jobs=self.control.jobs,
                quick_start=True,
                halt=self.monitor.halt,
            )
            if not 0 < self.left < tree.worst:
                self.board.limit(code, tree.total)

    def _work(self, search: OpeningSearch) -> None:
        """Search openings until all are done."""
        while (task := self.board.take()) is not None:
            code, below = task
            self.monitor.check("openings", 0, self.board.best)
            found = search.find(code, below)
            if found is None:
                self.board.exclude(code, below)
            else:
                self.board.add(code, found.total, found.histogram)
            self.progress(*self.board.count())
            self.board.save_if_due(self.control.budget.record_s)

    def _put_up(self, found: OpeningTotal) -> None:
        """Put the only opening up, if it is not too long."""
        if not 0 < self.left < found.worst:
            self.board.add(found.code, found.total, found.histogram)

    def _count_small(self, openings: NDArray[np.int32]) -> None:
        """Rank the openings for one or two candidates."""
        for code in openings.tolist():
            replies = self.game.respond(np.array([code]), self.candidates)
            if self.n == 2 and replies[0] == replies[1]:
                continue
            is_hit = bool((replies == self.game.win).any())
            if self.n == 1 and not is_hit:
                continue
            lengths = [1] * self.n if is_hit else [0, self.n]
            if not 0 < self.left < len(lengths):
                total = sum(length * n for length, n in enumerate(lengths, start=1))
                self.board.add(code, total, lengths)
