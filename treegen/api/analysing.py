"""Finished trees, looked at: statistics, differences, reasons, first guesses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from .._options import check_whole
from .._printing import Block, Column, Paragraph, Printable, Table
from ..analysis import (
    TREE_COLUMNS,
    Diff,
    Explanation,
    GuessCost,
    Openings,
    compare_trees,
    cost_guess,
    describe_tree,
    explain_node,
    generate_rows,
    has_rule,
    rank_openings,
)
from ..errors import TreegenError, UsageError
from ..strategies import parse_strategy, take_strategy
from ..tree import Tree, find_answers, summarize_levels
from .progress import ProgressOption, count_games, open_progress
from .searching import make_watch
from .sources import (
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    StrategySource,
    TreeSource,
    check_rules,
    open_game,
    open_tree,
    parse_history,
)
from .workers import count_jobs

if TYPE_CHECKING:
    import pandas as pd


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
            yield _make_table(self.rows)


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


def diff(
    first: TreeSource, second: TreeSource, *, symmetric: bool = False, limit: int | None = 10
) -> Diff:
    """Return where two trees of one game differ, and what it costs.

    Parameters
    ----------
    first, second
        The trees, or their files.
    symmetric
        Whether guesses that a renaming of pegs and colors exchanges count as equal.
    limit
        So many differences are printed, with their reasons; None: all.

    Raises
    ------
    UsageError
        They are of different games, or begin after different guesses.
    FormatError
        A file cannot be read or is damaged.

    Examples
    --------
    >>> import treegen
    >>> knuth, parts = treegen.build("p3c4r", "knuth"), treegen.build("p3c4r", "most-parts")
    >>> found = treegen.diff(knuth, parts)
    >>> found.is_equal, found.totals
    (False, (216, 208))
    """
    return compare_trees(
        open_tree(first).tree, open_tree(second).tree, symmetric=symmetric, n_reasons=limit
    )


def explain(
    tree: TreeSource,
    *,
    path: str | Sequence[str] = "",
    strategy: StrategySource | None = None,
    top: int = 10,
    exact: bool = False,
) -> Explanation | GuessCost:
    """Return the best guesses of a state, and why one of them wins, tie by tie.

    Parameters
    ----------
    tree
        The tree, or its file.
    path
        The state after these answers: ``"02/11"``, or a list of them; the first one if there are
        none.
    strategy
        Judge by this rule instead of the tree's own.
    top
        So many guesses are ranked.
    exact
        Whether the guess's cost is compared with the best one by exact search; always, where there
        is no rule. All guesses are compared that the game allows: a tree's ``hints`` and
        ``consistent`` hold, ``candidates``, which binds the strategy alone, does not.

    Returns
    -------
    Explanation or GuessCost
        The ranked guesses of a rule, or the cost by exact search.

    Raises
    ------
    UsageError
        `exact` and a strategy are both given, or the state is too large for the search.
    GameError, UnreachableError
        The tree has no such state.

    Examples
    --------
    >>> import treegen
    >>> why = treegen.explain(treegen.build("p4c6r"), path="02/11")
    >>> why.guess, why.stages[0].criterion
    ('2415', 'max')
    """
    check_whole(top=top)
    found = open_tree(tree).tree
    node = find_answers(found, path)
    if exact and strategy is not None:
        raise UsageError("--exact cannot be combined with -s")
    if exact or (strategy is None and not has_rule(found)):
        return cost_guess(found, node)
    rule = None if strategy is None else take_strategy(strategy)
    if isinstance(rule, str):
        rule = parse_strategy(rule, found.game)
    return explain_node(found, node, rule, top)


def openings(
    game: GameSource,
    strategy: StrategySource = "knuth",
    *,
    top: int = 20,
    all: bool = False,
    eligible: str | None = None,
    history: HistorySource = None,
    max_length: int | None = None,
    jobs: int | None = 1,
    time_limit: float | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Openings:
    """Rank the first guesses of a game by the totals of their trees.

    With ``"optimal"`` the totals are the least there are, and every opening outside the list is
    proved to have no smaller total than its last. Openings that a symmetry maps to each other count
    once.

    Parameters
    ----------
    game
        A game, its name, or the path of a codebook or a table of answers.
    strategy
        What is played after the first guess: a rule, or ``"optimal"``.
    top
        List so many.
    all
        Of many openings, whether a rule's tree is built after each, not after the most promising.
    eligible
        What may be guessed, as of `build`.
    history
        Rank the next guess after guesses already made.
    max_length
        ``"optimal"``: the longest game allowed.
    jobs
        Threads; None: all cores.
    time_limit
        Stop after so many seconds, with the list so far, which says so. Ctrl-C does, too.
    resume
        A folder that keeps finished openings; a ranking that was ended resumes from it.
    progress
        Called with a `Progress` now and then; True shows a bar.
    notice
        Called with what should be known meanwhile, such as damaged files in the folder.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`.

    Raises
    ------
    StrategyError, UsageError, GameError
        The strategy is unknown, is random, or finds near-optimal trees only; an option does not
        fit.

    Examples
    --------
    >>> import treegen
    >>> found = treegen.openings("p4c6r", "knuth", top=2)
    >>> [(row["guess"], row["total"]) for row in found.list_rows()]
    [('1122', 5801), ('1123', 5803)]
    """
    check_rules(openings, rules)
    check_whole(top=top, max_length=max_length)
    value = open_game(game, **rules)
    title = f"{value.title}: openings"
    with open_progress(progress, title) as tell:
        return rank_openings(
            value,
            take_strategy(strategy),
            top=top,
            every=all,
            eligible=eligible,
            history=parse_history(history, value),
            max_length=max_length,
            jobs=count_jobs(jobs),
            watch=make_watch(time_limit),
            folder=resume,
            notice=None if notice is None else (lambda text: _tell(notice, text)),
            progress=count_games(tell, "openings"),
        )


def _tell(notice: Notice, text: str) -> None:
    notice(text)


def _describe_one(tree: Tree) -> Iterator[Block]:
    """Yield the statistics for people, and how fast the candidates decrease."""
    figures = describe_tree(tree)
    figures["average"] = f"{tree.average:.4f}"
    figures["histogram"] = "/".join(map(str, tree.histogram))
    figures["proved"] = {True: "yes", False: "no", None: None}[figures["proved"]]
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


def _make_table(rows: list[dict[str, Any]]) -> Table:
    """Return a table with a row for each tree."""
    columns = [
        Column("file", is_text=True),
        Column("game", 3, is_text=True),
        Column("strategy", 2, is_text=True),
        Column("secrets", 4),
        Column("total"),
        Column("average"),
        Column("worst"),
        Column("of them", 5),
        Column("histogram", 1, is_text=True),
        Column("nodes", 6),
    ]
    cells = [
        [
            row["file"] or "",
            row["game"],
            row["strategy"],
            str(row["secrets"]),
            str(row["total"]),
            f"{row['average']:.4f}",
            str(row["worst"]),
            str(row["n_worst"]),
            "/".join(map(str, row["histogram"])),
            str(row["nodes"]),
        ]
        for row in rows
    ]
    return Table(columns, cells)
