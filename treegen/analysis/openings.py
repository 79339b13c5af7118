"""First guesses, the best first: by the trees of a rule, or by the best trees there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._options import check_whole
from .._printing import Block, Column, Paragraph, Printable, Table
from ..builder import build_tree, check_size
from ..errors import UsageError
from ..exact import Board, Monitor, OpeningRanking, SearchControl, SearchSpec, run_ranking
from ..exact import rank_openings as rank_exactly
from ..games import Game, list_openings
from ..strategies import Strategy, change_strategy, is_search, parse_strategy
from ..tasks import Notice, describe_work
from ..tree import History, Pairs, write_pairs
from .evaluation import evaluate_state, generate_rows

if TYPE_CHECKING:
    from ..exact import Watch

FEWEST_BUILT, BUILT_PER_ROW = 50, 5
"""A rule's trees are built for at least so many openings, and so many for each that is listed."""

OPENING_COLUMNS = ("rank", "guess", "total", "average", "worst", "n_worst", "histogram")
"""Columns of a CSV file of openings."""


@dataclass(frozen=True, slots=True)
class Openings(Printable):
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

    Examples
    --------
    >>> import treegen
    >>> best = treegen.openings("p2c3r", "knuth", top=1)
    >>> print(best)
    p2c3r; knuth: eligible=all; chain=max,consistent,lowest; order=lex
    rank  guess  total  average  worst  of them  histogram
       1  12        21   2.3333      3        4  1/4/4
    the other opening is no better
    """

    game: Game
    strategy: str
    rule: str
    history: Pairs
    ranking: OpeningRanking

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each listed opening, ready for JSON."""
        return [
            {
                "rank": rank,
                "guess": self.game.format_code(row.code),
                "total": row.total,
                "average": row.average,
                "worst": row.worst,
                "n_worst": row.n_worst if row.worst else self._weigh(row.code),
                "histogram": list(row.histogram),
            }
            for rank, row in enumerate(self.ranking.rows, start=1)
        ]

    def _weigh(self, code: int) -> int:
        """Return what a secret counts that is announced without a guess."""
        return 1 if self.game.weights is None else int(self.game.weights[code])

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
            "rows": self.list_rows(),
        }

    def generate_csv(self) -> Iterator[str]:
        """Yield the lines of a CSV file: a header, one row per listed opening."""
        yield from generate_rows(self.list_rows(), OPENING_COLUMNS)

    def describe(self) -> Iterator[Block]:
        """Yield the table, and what is known of the openings outside."""
        yield Paragraph(f"{self.game.title}; {self.strategy}: {self.rule}")
        columns = [
            Column("rank"),
            Column("guess", is_text=True),
            Column("total"),
            Column("average"),
            Column("worst", 1),
            Column("of them", 2),
            Column("histogram", 1, is_text=True),
        ]
        rows = [
            [
                str(row["rank"]),
                row["guess"],
                str(row["total"]),
                f"{row['average']:.4f}",
                str(row["worst"]),
                str(row["n_worst"]),
                "/".join(map(str, row["histogram"])),
            ]
            for row in self.list_rows()
        ]
        yield Table(columns, rows)
        yield Paragraph(self._describe_rest())

    def _describe_rest(self) -> str:
        """Return what is known of the openings that are not in the table."""
        ranking = self.ranking
        if not ranking.rows:
            none = f"none of the {ranking.n_openings:,} openings has a tree that is short enough"
            return f"{none} (proved)" if ranking.proved else "no opening is done"
        if not ranking.rows[0].worst:
            only = self.game.format_code(ranking.rows[0].code)
            return f"the game is over: {only} is the only candidate, and no guess is needed"
        n_rest = ranking.n_openings - len(ranking.rows)
        tied = f" ({ranking.n_tied:,} of them as good as the last)" if ranking.n_tied else ""
        if ranking.proved and not n_rest:
            return "these are all openings"
        if ranking.proved and n_rest == 1:
            return f"the other opening is {'as good' if ranking.n_tied else 'no better'}"
        if ranking.proved:
            return f"none of the other {n_rest:,} openings is better than the last{tied}"
        how = "searched" if self.strategy == "optimal" else "played"
        return f"{ranking.n_open:,} of the other {n_rest:,} openings were not {how}{tied}"


def rank_openings(
    game: Game,
    strategy: str | Strategy,
    *,
    top: int = 20,
    every: bool = False,
    eligible: str | None = None,
    history: History = (),
    max_length: int | None = None,
    jobs: int = 1,
    watch: Watch | None = None,
    folder: str | os.PathLike[str] | None = None,
    notice: Notice | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Openings:
    """Return the best first guesses by what a strategy plays after them.

    Parameters
    ----------
    game
        The game. First guesses that its symmetry maps to each other count once.
    strategy
        ``"optimal"``: the least total of each, proved, and the proof that no other is better.
        Any other deterministic strategy: the totals of its trees.
    top
        How many are wanted.
    every
        Of a rule: whether trees are built after all first guesses, however many there are;
        otherwise after those that the rule itself finds best (`FEWEST_BUILT`, `BUILT_PER_ROW`).
    eligible
        A key of `treegen.games.ELIGIBLE`; None: the strategy's own.
    history
        Guesses made before, and the responses to them.
    max_length
        Of ``"optimal"``: the longest game allowed.
    jobs
        Threads; the result does not depend on them.
    watch
        Called several times a second; True ends the ranking with what is known. Ctrl-C does, too.
    folder, notice
        Where results are kept, so that an ended ranking continues; see `SearchControl`.
    progress
        Called with the number of openings done and of all.

    Raises
    ------
    StrategyError, UsageError, GameError
        The strategy is unknown, is random or finds near-optimal trees only; an option does not fit.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> found = rank_openings(parse_game("p4c6r"), "knuth", top=2)
    >>> [(row["guess"], row["total"], row["worst"]) for row in found.list_rows()]
    [('1122', 5801, 5), ('1123', 5803, 6)]
    """
    control = SearchControl(jobs=jobs, watch=watch, folder=folder, notice=notice)
    pairs = write_pairs(game, history)
    if isinstance(strategy, str) and is_search(strategy):
        if strategy != "optimal":
            raise UsageError(f"openings are ranked by optimal or by a rule, not by {strategy}")
        if every:
            raise UsageError("with optimal, every opening is looked at anyway")
        spec = SearchSpec(max_length=max_length, eligible=eligible or "all", history=history)
        ranking = rank_exactly(game, spec, control, top=top, progress=progress)
        return Openings(game, "optimal", spec.rule, pairs, ranking)
    if max_length is not None:
        raise UsageError("a longest game is for optimal; a rule plays as it does")
    rule = parse_strategy(strategy, game) if isinstance(strategy, str) else strategy
    rule = change_strategy(rule, eligible=eligible)
    ranking = _rank_by_rule(game, rule, history, control, top, every, progress)
    return Openings(game, rule.name, rule.rule, pairs, ranking)


def _rank_by_rule(
    game: Game,
    rule: Strategy,
    history: History,
    control: SearchControl,
    top: int,
    every: bool,
    progress: Callable[[int, int], None] | None,
) -> OpeningRanking:
    """Return the openings by the totals of a rule's trees."""
    check_whole(top=top)
    if not rule.is_deterministic:
        raise UsageError(f"{rule.name} chooses at random: openings cannot be ranked by one tree")
    check_size(game)
    monitor = Monitor(control.watch or (lambda _: False), stage="openings")
    board = Board(top)

    def run() -> None:
        openings = _list_openings(game, rule, history)
        board.open(openings)
        n_built = len(openings) if every else max(FEWEST_BUILT, BUILT_PER_ROW * top)
        chosen = openings[:n_built]
        for number, code in enumerate(chosen):
            if code not in board.rows:
                monitor.check("openings", 0, board.best)
                tree = build_tree(
                    game,
                    rule,
                    history=history,
                    first=(code,),
                    jobs=control.jobs,
                    halt=monitor.halt,
                )
                board.add(code, tree.total, tree.histogram)
                board.save_if_due(control.budget.record_s)
            if progress is not None:
                progress(number + 1, len(chosen))

    work = describe_work(game.digest_name, f"openings; {rule.rule}", history)
    is_done = run_ranking(board, run, monitor, work, control)
    return board.rank(is_complete=is_done and len(board.rows) == board.count()[1])


def _list_openings(game: Game, rule: Strategy, history: History) -> list[int]:
    """Return the eligible first guesses that gain information, up to symmetry, the best first."""
    rule = replace(rule, opening=())
    evaluation = evaluate_state(game, rule, history)
    codes: list[int] = evaluation.guesses[evaluation.rank_rows()].tolist()
    if len(evaluation.candidates) == 1:
        codes = evaluation.candidates.tolist()
    classes = None if history else list_openings(game)
    return codes if classes is None else [code for code in codes if code in set(classes)]
