"""First guesses, the best first: by the trees of a rule, or by the best trees there are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from .._files import check_path, write_atomically
from .._options import TRUTH, check_keywords, check_range, check_whole, describe_parameters
from .._printing import Block, Column, Listed, Paragraph, Tabular, tabulate
from ..builder.choose import check_size, list_useful_openings
from ..builder.grow import build_tree
from ..errors import Interrupted, UsageError
from ..exact.opening_totals import Board, OpeningRanking, run_ranking
from ..exact.opening_totals import rank_openings as rank_exactly
from ..exact.request import Monitor, SearchControl, SearchSpec
from ..formats.inputs import (
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    StrategySource,
    open_game,
    parse_first,
    parse_history,
)
from ..formats.proof import refuse_game
from ..games.base import Game, follow, select_candidates
from ..games.eligible import Eligible
from ..games.histories import write_pairs
from ..games.notation import read_pairs
from ..games.pegs import list_openings
from ..games.rules import weigh, write_weights
from ..job import make_watch
from ..strategies.named import OPTIMAL, NamedSearch, resolve_strategy
from ..strategies.strategy import Strategy, change_strategy, default_rule
from ..tasks.checkpoint import describe_work
from ..tasks.work import OnProgress, ProgressOption, Stop, count_jobs, open_progress, report_count
from ..tree.tree import History, Pairs, weigh_secrets
from .evaluation import evaluate_state, write_guess
from .options import OPENINGS
from .statistics import count_in_shares, title_game

FEWEST_BUILT, BUILT_PER_ROW = 50, 5
"""A rule's trees are built for at least this many openings, and this many per listed one."""


@dataclass(frozen=True, slots=True)
class Openings(Tabular, Listed[dict[str, Any]]):
    """The best first guesses by a strategy.

    Attributes
    ----------
    game
        The game.
    strategy, rule
        Name and exact rule of what is played after the first guess.
    history
        Guesses made before, and the answers to them.
    ranking
        The codes of the guesses with their totals.
    first
        The only guesses that are ranked; empty: all.

    Examples
    --------
    >>> import treegen
    >>> best = treegen.openings("p2c3r", "knuth", top=1)
    >>> print(best)
    p2c3r; knuth: eligible=all; chain=max,consistent,lowest; order=lex
    rank  guess  total  average  worst  at worst  histogram
       1  12        21   2.3333      3         4  1/4/4
    the other opening is no better
    """

    game: Game
    strategy: str
    rule: str
    history: Pairs
    ranking: OpeningRanking
    first: tuple[str, ...] = ()

    columns = ("rank", "guess", "total", "average", "worst", "n_worst", "histogram")

    def _list(self) -> Sequence[dict[str, Any]]:
        return self.list_rows()

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each listed opening; sums of weights may be fractions."""
        unit, left = self.game.rules.share_unit, self._find_left()
        whole = int(weigh_secrets(self.game, *left).sum())
        return [
            {
                "rank": rank,
                "guess": write_guess(self.game, row.code, left[0]),
                "total": weigh(row.total, unit),
                "average": row.average,
                "worst": row.worst,
                # A game of length 0 is the announcement of what is left.
                "n_worst": weigh(row.n_worst if row.worst else whole, unit),
                "histogram": [weigh(shares, unit) for shares in row.histogram],
            }
            for rank, row in enumerate(self.ranking.rows, start=1)
        ]

    def _find_left(self) -> tuple[NDArray[np.int32], NDArray[np.int64] | None]:
        """Return the candidates after the history, and what is left of each."""
        return follow(self.game, read_pairs(self.game.notation, self.history))

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "game": self.game.name,
            "strategy": self.strategy,
            "rule": self.rule,
            "history": "/".join(map(":".join, self.history)),
            "openings": self.ranking.n_openings,
            "proved": self.ranking.proved,
            "tied": self.ranking.n_tied,
            "open": self.ranking.n_open,
            "rows": [count_in_shares(row, self.game.rules.share_unit) for row in self.list_rows()],
        }

    def describe(self) -> Iterator[Block]:
        """Yield the table, and what is known about the openings outside."""
        yield Paragraph(
            f"{title_game(self.game, self.game.notation.title)}; {self.strategy}: {self.rule}"
        )
        yield tabulate(
            self.list_rows(),
            {
                Column("rank"): lambda row: row["rank"],
                Column("guess", is_text=True): lambda row: row["guess"],
                Column("total"): lambda row: write_weights([row["total"]]),
                Column("average"): lambda row: f"{row['average']:.4f}",
                Column("worst", 1): lambda row: row["worst"],
                Column("at worst", 2): lambda row: write_weights([row["n_worst"]]),
                Column("histogram", 1, is_text=True): lambda row: write_weights(row["histogram"]),
            },
        )
        yield Paragraph(self._describe_rest())

    def _describe_rest(self) -> str:
        """Return a line about the openings that are not in the table."""
        ranking, given = self.ranking, "given " if self.first else ""
        if not ranking.rows:
            none = f"none of the {ranking.n_openings:,} {given}openings has a tree"
            return (
                f"{none} that is short enough (proved)" if ranking.proved else "no opening is done"
            )
        if not ranking.rows[0].worst:
            left, _ = self._find_left()
            last = write_guess(self.game, ranking.rows[0].code, left)
            why = "the only candidate" if len(left) == 1 else "announced"
            return f"the game is over: {last} is {why}, and no guess is needed"
        n_rest = ranking.n_openings - len(ranking.rows)
        tied = f" ({ranking.n_tied:,} of them as good as the last)" if ranking.n_tied else ""
        if ranking.proved and not n_rest:
            return f"these are all {given}openings"
        if ranking.proved and n_rest == 1:
            return f"the other {given}opening is {'as good' if ranking.n_tied else 'no better'}"
        if ranking.proved:
            return f"none of the other {n_rest:,} {given}openings is better than the last{tied}"
        how = "searched" if self.strategy == OPTIMAL.name else "played"
        return f"{ranking.n_open:,} of the other {n_rest:,} {given}openings were not {how}{tied}"


def _rank_by_rule(
    game: Game,
    rule: Strategy,
    history: History,
    control: SearchControl,
    top: int,
    every: bool,
    first: Sequence[int],
    on_progress: OnProgress | None,
) -> OpeningRanking:
    """Return the openings, or only some of them, by the totals of a rule's trees."""
    check_whole(top=top)
    if not rule.is_deterministic:
        raise UsageError(f"{rule.name} chooses at random: openings cannot be ranked by one tree")
    check_size(game)
    monitor = Monitor(control, stage="openings")
    board = Board(top)

    def run() -> None:
        # Those that gain information, up to symmetry, the best first.
        # The rule's own opening, if it has one, would be all that is eligible.
        evaluation = evaluate_state(game, replace(rule, opening=()), history)
        openings: list[int] = evaluation.guesses[evaluation.rank_rows()].tolist()
        if evaluation.is_over or len(evaluation.candidates) == 1:  # no guess gains information
            openings = [evaluation.best]
        classes = None if history else list_openings(game)  # guesses made break the symmetry
        if classes is not None:
            allowed = set(classes)
            openings = [code for code in openings if code in allowed]
        if first:
            rows = [evaluation.row_of(code) for code in first]
            openings = [evaluation.guesses[row] for row in evaluation.rank_rows() if row in rows]
        board.open(openings)
        n_built = len(openings) if every or first else max(FEWEST_BUILT, BUILT_PER_ROW * top)
        chosen = openings[:n_built]
        for number, code in enumerate(chosen):
            if code not in board.rows:  # where an earlier run of this ranking has put it
                monitor.check("openings", 0, board.best)
                tree = build_tree(
                    game,
                    rule,
                    history=history,
                    first=(code,),
                    jobs=control.jobs,
                    halt=monitor.halt,
                )
                board.add(code, tree.share_total, tree.share_histogram)
                board.save_if_due(control.budget.record_s)
            report_count(on_progress, "openings", number + 1, len(chosen))

    only = f"; first={','.join(map(str, first))}" if first else ""
    work = describe_work(game.rules.digest_name, f"openings; {rule.rule}{only}", history)
    is_done = run_ranking(board, run, monitor, work, control)
    return board.rank(is_complete=is_done and len(board.rows) == board.count()[1])


def _write_certificate(
    found: Openings,
    spec: SearchSpec,
    path: str | os.PathLike[str],
    limit: Stop,
    progress: ProgressOption,
) -> None:
    """Write the proof of a ranking; Interrupted if that is ended."""
    from ..exact.certificate import certify_ranking

    try:
        with limit.interrupt(), open_progress(progress, "certificate") as on_progress:
            game = found.game.with_symbols(None)
            text = certify_ranking(game, spec, found.ranking, on_progress=on_progress)
    except KeyboardInterrupt as stop:
        raise Interrupted(found) from stop
    write_atomically(path, text.encode())


@partial(describe_parameters, declared=OPENINGS)
def openings(
    game: GameSource,
    strategy: StrategySource | None = None,
    *,
    top: int = 20,
    all: bool = False,
    eligible: Eligible | None = None,
    first: str | Sequence[str] | None = None,
    history: HistorySource = None,
    max_length: int | None = None,
    jobs: int | None = 1,
    time_limit: float | None = None,
    resume: str | os.PathLike[str] | None = None,
    certificate: str | os.PathLike[str] | None = None,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Openings:
    """Rank the first guesses of a game by the totals of their trees.

    With ``"optimal"`` these are the least totals, and it is proved that no opening outside the list
    is better than the last one in it. Openings that a symmetry maps to each other count once.

    Parameters
    ----------
    game
        A game, its name, or the path of a codebook or a table of answers.
    {options}
    eligible, max_length, jobs, progress, notice, **rules
        See `build`.

    Raises
    ------
    StrategyError, UsageError, GameError
        The strategy is unknown, is random, or finds near-optimal trees only; an option does not
        fit; certificates cannot be about the game.
    Interrupted
        The certificate was ended; `result` is the ranking.

    Examples
    --------
    >>> import treegen
    >>> found = treegen.openings("p4c6r", "knuth", top=2)
    >>> [(row["guess"], row["total"]) for row in found.list_rows()]
    [('1122', 5801), ('1123', 5803)]
    """
    check_keywords(openings, rules, GameOptions)
    check_whole(top=top, max_length=max_length)
    check_range(TRUTH, all=all)
    limit = Stop(time_limit)
    value = open_game(game, notice=notice, **rules)
    wanted = resolve_strategy(default_rule(value) if strategy is None else strategy, value)
    past = parse_history(history, value)
    pairs = write_pairs(value.notation, past)
    codes = [value.with_symbols(None).parse_code(text) for text in parse_first(first, value)]
    codes = list_useful_openings(value, select_candidates(value, past), codes, past)
    names = tuple(map(value.notation.name_guess, codes))
    if first and certificate is not None:
        raise UsageError("`certificate` is about all first guesses: leave out `first`")
    with open_progress(progress, f"{value.notation.title}: openings") as on_progress:
        control = SearchControl(
            jobs=count_jobs(jobs),
            watch=make_watch(limit),
            folder=resume,
            notice=notice,
        )
        if isinstance(wanted, NamedSearch):
            if wanted != OPTIMAL:
                name = wanted.name
                raise UsageError(f"openings are ranked by optimal or by a rule, not by {name}")
            if all:
                raise UsageError("with optimal, every opening is looked at anyway")
            spec = SearchSpec(
                first=names, max_length=max_length, eligible=eligible or "all", history=past
            )
            if certificate is not None:
                check_path(certificate, "a certificate is given by its path")
                refuse_game(value, max_length, spec.eligible)
            ranking = rank_exactly(value, spec, control, top=top, on_progress=on_progress)
        else:
            for name, given in (("max_length", max_length), ("certificate", certificate)):
                if given is not None:
                    raise UsageError(f"`{name}` works only with optimal, not with a rule")
            rule = change_strategy(wanted, eligible=eligible)
            ranking = _rank_by_rule(value, rule, past, control, top, all, codes, on_progress)
            return Openings(value, rule.name, rule.rule, pairs, ranking, names)
    found = Openings(value, OPTIMAL.name, spec.rule, pairs, ranking, names)
    if certificate is not None and ranking.proved:
        _write_certificate(found, spec, certificate, limit, progress)
    return found
