"""The guesses of one state with their values, best first, as a strategy's rule ranks them."""

from __future__ import annotations

import csv
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from io import StringIO
from numbers import Rational
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._printing import Block, Column, Paragraph, Printable, tabulate
from ..builder.choose import make_first_level, make_rule
from ..builder.functions import evaluate
from ..builder.grow import make_weighing
from ..errors import GameError, TreegenError
from ..formats.load import TreeSource, open_tree
from ..games.base import Game
from ..games.eligible import is_rule_of_play, resolve_eligible, select_eligible
from ..jit.interpreter import mark_small
from ..kernels.onestep.criteria import FRACTION_BITS, Rule, Weighing
from ..kernels.onestep.search import break_tie
from ..kernels.responses import Scoring, make_scoring
from ..kernels.rule_kinds import CriterionKind, Measure
from ..strategies.stated import read_provenance
from ..strategies.strategy import Criterion, Strategy, apply_function, count_bits
from ..tree.tree import History, Tree
from ..tree.walk import summarize_levels

if TYPE_CHECKING:
    import pandas as pd

    from ..tree.parts import ShardedTree

MANY_CELLS = 16
"""More cells than this are abbreviated."""


def write_cells(cells: Sequence[int]) -> str:
    """Format sizes of cells, equal ones as a product if there are many; JSON has them all.

    >>> write_cells([6, 3, 1, 1])
    '6+3+1+1'
    >>> write_cells([55, 41, *[2] * 30, *[1] * 98])
    '55+41+30×2+98×1 (130 cells)'
    """
    if len(cells) <= MANY_CELLS:
        return "+".join(map(str, cells))
    counts = sorted(Counter(cells).items(), reverse=True)
    parts = [str(size) if n == 1 else f"{n}×{size}" for size, n in counts]
    if len(parts) > MANY_CELLS:
        parts = [*parts[: MANY_CELLS - 2], "…", parts[-1]]
    return f"{'+'.join(parts)} ({len(cells)} cells)"


TREE_COLUMNS = (
    "file",
    "game",
    "strategy",
    "secrets",
    "nodes",
    "total",
    "average",
    "worst",
    "n_worst",
    "histogram",
    "digest",
    "rule",
    "objective",
    "bound",
    "proved",
    "history",
)
"""Columns of a CSV file of trees."""


def describe_tree(tree: Tree | ShardedTree) -> dict[str, Any]:
    """Return the statistics of a tree, ready for JSON.

    `rule`, `objective` and `bound` are what its file claims, or None. `proved` is whether it claims
    that no tree of the game is better by the objective, within the restrictions of the rule; None
    for a tree of a rule. Nothing is checked here.
    """
    provenance = tree.provenance
    return {
        "game": tree.game.name,
        "strategy": provenance.strategy,
        "secrets": tree.n_secrets,
        "nodes": tree.n_nodes,
        "total": tree.total,
        "average": tree.average,
        "worst": tree.worst,
        "n_worst": tree.n_worst,
        "histogram": tree.histogram,
        "digest": tree.digest,
        "rule": provenance.rule or None,
        "objective": provenance.objective or None,
        "bound": provenance.bound,
        "proved": _is_proved(tree),
        "history": tree.game.format_history(provenance.history) or None,
    }


def _is_proved(tree: Tree | ShardedTree) -> bool | None:
    """Whether a tree claims that a search proved it to be the best; None if no search made it."""
    provenance = tree.provenance
    if not provenance.objective or provenance.bound is None:
        return None
    # A near-optimal tree, too, may have the total that its bound proves to be the least.
    is_least = provenance.objective.startswith("total") and provenance.bound == tree.total
    return is_least or read_provenance(provenance, tree.game).is_optimal


def generate_rows(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a CSV file: the columns' names, then their values; missing ones are empty.

    Lists are joined by ``+``: 1/6/62 would be a date in a spreadsheet.
    """
    for row in [dict(zip(columns, columns, strict=True)), *rows]:
        line = StringIO()
        csv.writer(line, lineterminator="").writerow(_write(row.get(name)) for name in columns)
        yield line.getvalue()


def _write(value: Any) -> Any:
    return "+".join(map(str, value)) if isinstance(value, list) else value


MAX_PAIRS = 4_000_000_000
"""Pairs of guess and candidate that are scored: about ten seconds."""


@dataclass(frozen=True)
class Evaluation:
    """Values of the eligible guesses of a state."""

    game: Game
    strategy: Strategy
    history: History
    candidates: NDArray[np.int32]  # [n], secrets still possible
    guesses: NDArray[np.int32]  # [m], in the strategy's order of codes
    values: NDArray[np.int64]  # [m, width], one column or several a criterion; less is better
    sizes: NDArray[np.int64]  # [m, n_responses], candidates in each cell
    starts: tuple[int, ...]  # the first column of each criterion, and the width
    rule: Rule  # the strategy as the kernels read it
    key: np.uint64  # of the state, for random ties
    weighing: Weighing | None = None  # weights and costs; None where they do not matter

    @cached_property
    def is_useful(self) -> NDArray[np.bool_]:
        """Whether each guess leaves its candidates in more than one cell."""
        return np.asarray(self.sizes.max(axis=1) < len(self.candidates))

    @cached_property
    def stages(self) -> list[NDArray[np.intp]]:
        """Rows left at the start, then after each criterion."""
        rows = np.flatnonzero(self.is_useful)
        stages = [rows]
        for first, stop in zip(self.starts, self.starts[1:], strict=False):
            columns = self.values[rows, first:stop]
            # The least row: lexsort's last key, here the first column, decides first.
            best = columns[np.lexsort(columns.T[::-1])[:1]]
            rows = rows[(columns == best).all(axis=1)]
            stages.append(rows)
        return stages

    @property
    def is_direct(self) -> bool:
        """Whether so few candidates are left that the first is guessed, whatever the criteria."""
        return len(self.candidates) <= self.rule.n_direct  # 1 where only questions are asked

    @property
    def best(self) -> int:
        """The guess that the rule chooses."""
        if self.is_direct:
            return int(min(self.candidates, key=lambda code: self.rule.ranks[code]))
        tied = self.guesses[self.stages[-1]]
        with mark_small(True):  # one call takes less time than compiling it
            return int(break_tie(self.rule, tied, self.candidates, self.key))

    def rank_rows(self) -> list[int]:
        """Return the rows of useful guesses, the best first, ties in the order of the tie-break."""
        rows = np.flatnonzero(self.is_useful)
        consistent = self.sizes[rows, -1] > 0
        tie_break = self.strategy.tie_break
        counts_down = consistent if tie_break == "highest-consistent" else tie_break == "highest"
        keys = [rows * np.where(counts_down, -1, 1)]
        if tie_break == "highest-consistent":
            keys.append(~consistent)
        # lexsort's last key is the most significant: the criteria in reverse, the ties before.
        keys += [self.values[rows, column] for column in range(self.starts[-1])][::-1]
        ranked: list[int] = rows[np.lexsort(keys)].tolist()
        best = ranked.index(self.row_of(self.best)) if self.best in self.guesses[ranked] else 0
        # A random tie-break may choose any of those that tie.
        return [ranked[best], *ranked[:best], *ranked[best + 1 :]] if ranked else []

    def row_of(self, guess: int) -> int:
        """Return the row of a guess; raise GameError if it is not eligible."""
        rows = np.flatnonzero(self.guesses == guess)
        if not len(rows):
            raise GameError(f"{self.game.format_code(guess)} is not eligible here")
        return int(rows[0])

    def describe(self, row: int, criterion: int) -> str:
        """Return a criterion's value of a guess, in its own unit."""
        first, stop = self.starts[criterion : criterion + 2]
        figures = self.values[row, first:stop].tolist()
        found = self.strategy.criteria[criterion]
        if found.function:
            value = apply_function(found, tuple(self.list_cells(row)))
            return str(value) if isinstance(value, Rational) else f"{value:.4f}"
        if self.weighing is None or found.measure == Measure.NUMBER:
            return describe_value(found, figures, len(self.candidates))
        # Where all candidates weigh 0, each counts 1.
        whole = int(self.weighing.weights[self.candidates].sum()) or len(self.candidates)
        return _describe_weighed(found, figures, whole, self.weighing.bits)

    def list_figures(self, row: int) -> dict[str, str]:
        """Return the values of a guess by criterion, each in its own unit."""
        criteria = enumerate(self.strategy.criteria)
        return {criterion.name: self.describe(row, number) for number, criterion in criteria}

    def list_cells(self, row: int) -> list[int]:
        """Return the sizes of a guess's non-empty cells, the largest first."""
        return sorted(filter(None, self.sizes[row].tolist()), reverse=True)


def evaluate_state(
    game: Game,
    strategy: Strategy,
    history: History = (),
    guesses: Sequence[int] | None = None,
) -> Evaluation:
    """Return the values of the eligible guesses of a state, or of the given ones, eligible or not.

    UsageError if no secret agrees with the history, GameError if the state is too large.
    """
    rule, scoring, weighing = _prepare(game, strategy)
    level = make_first_level(game, strategy, history)
    if guesses is None:
        guesses = _list_eligible(game, strategy, rule, history, level.candidates).tolist()
    eligible: NDArray[np.int32] = np.asarray(guesses, dtype=np.int32)
    shown, row_of = _pick_representatives(game, scoring, history, eligible)
    if len(shown) * len(level.candidates) > MAX_PAIRS:
        raise GameError(
            f"{len(shown):,} guesses for {len(level.candidates):,} candidates are too many"
        )
    values, sizes, starts = evaluate(
        scoring, rule, weighing, strategy.criteria, level.candidates, shown, game.n_responses
    )
    return Evaluation(
        game,
        strategy,
        history,
        level.candidates,
        eligible,
        values[row_of],
        sizes[row_of],
        starts,
        rule,
        level.keys[0],
        weighing,
    )


def describe_value(criterion: Criterion, figures: Sequence[int], n_candidates: int) -> str:
    """Format a criterion's value for people: cells, bits, yes or no."""
    value = figures[0]
    if criterion.kind == CriterionKind.DESCENDING:
        return "+".join(str(size) for size in figures if size)
    if criterion.kind == CriterionKind.CONSISTENT:
        return "no" if value else "yes"
    if criterion.kind == CriterionKind.REMOVALS:  # the value is what stays, less one for a win
        return str(n_candidates - value)
    if criterion.name == "expected":
        return f"{value / n_candidates:.4f}"
    if criterion.name == "entropy":
        return f"{count_bits(value, n_candidates):.4f}"
    return str(-value if criterion.name == "parts" else value)


def _describe_weighed(criterion: Criterion, figures: Sequence[int], whole: int, bits: int) -> str:
    """Format the value of a criterion that uses weights: a weight or bits, or those per cost."""
    value: float = figures[0]
    if criterion.is_per_cost:  # a whole part and a fraction, of the negative gain: less is better
        value = -(figures[0] + figures[1] / 2.0**FRACTION_BITS)
    name = criterion.name.removesuffix("/cost")
    if name == "expected":
        return f"{value / whole:.4f}"
    if name == "entropy":
        found = value / whole / 2.0**bits
        return f"{found if criterion.is_per_cost else math.log2(whole) - found:.4f}"
    return f"{value:.4f}" if criterion.is_per_cost else str(value)


def _pick_representatives(
    game: Game, scoring: Scoring, history: History, guesses: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Return guesses that represent all, and for each guess the row of its representative.

    Before the first guess of a game whose pegs may be exchanged and whose colors may be renamed,
    guesses that use their colors equally often divide the secrets equally.
    """
    symmetry = game.symmetry
    is_plain = symmetry.pegs and symmetry.colors and not game.stakes
    if history or not is_plain or game.n_secrets < game.n_codes:
        return guesses, np.arange(len(guesses))
    patterns = np.sort(scoring.counts[guesses], axis=1)
    _, first, row_of = np.unique(patterns, axis=0, return_index=True, return_inverse=True)
    return guesses[first], row_of.reshape(-1)  # numpy 2.0.0 gives it a second axis


@lru_cache(maxsize=4)  # a game's states are evaluated one after the other
def _prepare(game: Game, strategy: Strategy) -> tuple[Rule, Scoring, Weighing | None]:
    """Return a strategy and a game in the kernels' form."""
    return make_rule(game, strategy), make_scoring(game), make_weighing(game, strategy)


def _list_eligible(
    game: Game,
    strategy: Strategy,
    rule: Rule,
    history: History,
    candidates: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Return the eligible guesses in the strategy's order of codes."""
    if strategy.opening and not history:
        return np.array(strategy.opening_codes(game), dtype=np.int32)
    eligible = resolve_eligible(game, strategy.eligible)
    codes = rule.sequence
    if eligible == "candidates":
        codes = candidates
    elif is_rule_of_play(eligible):
        codes = select_eligible(game, eligible, history)
    return codes[np.argsort(rule.ranks[codes])]


@dataclass(frozen=True)
class Statistics(Printable):
    """The statistics of one or several trees.

    Attributes
    ----------
    trees
        The trees.
    files
        The path of each, or None where it was given as a value.

    Examples
    --------
    >>> import treegen
    >>> (tree,) = treegen.stats(treegen.build("p2c3r")).trees
    >>> tree.total, tree.histogram
    (24, [1, 2, 5, 1])
    """

    trees: tuple[Tree, ...]
    files: tuple[str | None, ...]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A record for each tree, ready for JSON and CSV."""
        return [
            {"file": file, **describe_tree(tree)}
            for file, tree in zip(self.files, self.trees, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON: of one tree alone, or of several as ``trees``."""
        if len(self.trees) == 1:
            return describe_tree(self.trees[0])
        return {"trees": self.rows}

    def generate_csv(self) -> Iterator[str]:
        """Yield the lines of a CSV file: a header, one row for each tree."""
        yield from generate_rows(self.rows, TREE_COLUMNS)

    def to_dataframe(self) -> pd.DataFrame:
        """Return a pandas frame, one row for each tree; raise DependencyError without pandas."""
        from .._loading import import_pandas

        frame: pd.DataFrame = import_pandas().DataFrame(self.rows)
        return frame

    def describe(self) -> Iterator[Block]:
        """Yield the statistics of one tree, or a table of several."""
        if len(self.trees) == 1:
            yield from _describe_one(self.trees[0])
        elif self.trees:
            yield tabulate(
                self.rows,
                {
                    Column("file", is_text=True): lambda row: row["file"] or "",
                    Column("game", 3, is_text=True): lambda row: row["game"],
                    Column("strategy", 2, is_text=True): lambda row: row["strategy"],
                    Column("secrets", 4): lambda row: row["secrets"],
                    Column("total"): lambda row: row["total"],
                    Column("average"): lambda row: f"{row['average']:.4f}",
                    Column("worst"): lambda row: row["worst"],
                    Column("at worst", 5): lambda row: row["n_worst"],
                    Column("histogram", 1, is_text=True): lambda row: "/".join(
                        map(str, row["histogram"])
                    ),
                    Column("nodes", 6): lambda row: row["nodes"],
                },
            )


def stats(*trees: TreeSource, skip: Callable[[TreegenError], object] | None = None) -> Statistics:
    """Return total, average, worst, histogram and digest of trees.

    Parameters
    ----------
    *trees
        Trees, or their files.
    skip
        Called with the error of a file that cannot be read, which is then left out. None: it is
        raised.

    Raises
    ------
    FormatError
        A file cannot be read or is damaged.

    Examples
    --------
    >>> import treegen
    >>> treegen.stats(treegen.build("p4c6r")).to_dict()["histogram"]
    [1, 6, 62, 533, 694]
    """
    found: list[tuple[Tree, str | None]] = []
    for source in trees:
        file = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
        try:
            found.append((open_tree(source).tree, file))
        except TreegenError as error:
            if skip is None:
                raise
            skip(error)
    return Statistics(tuple(tree for tree, _ in found), tuple(file for _, file in found))


def _describe_one(tree: Tree) -> Iterator[Block]:
    """Yield the statistics for people, and how fast the candidates decrease."""
    figures = describe_tree(tree)
    figures["average"] = f"{tree.average:.4f}"
    figures["histogram"] = "/".join(map(str, tree.histogram))
    if (is_proved := figures.pop("proved")) is not None:
        stated = read_provenance(tree.provenance, tree.game)
        given = ", ".join(stated.restrictions)
        claim = f"optimal by {tree.provenance.objective}" + (f" with {given}" if given else "")
        figures["claimed"] = claim if is_proved else "not optimal, as far as is proved"
    for name, value in figures.items():
        if value is not None:
            yield Paragraph(f"{name:10} {value}")
    yield Paragraph("")
    yield Paragraph("guess  states  found  candidates left (mean, most)")
    for row in summarize_levels(tree):
        yield Paragraph(
            f"{row.guess:5}  {row.n_states:6}  {row.n_found:5}"
            f"  {row.mean_left:11.2f}  {row.most_left}"
        )
