"""A tree applied to rows: what it announces for each, by the answers that the row has."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from .._files import name_source
from .._options import check_given, describe_parameters
from .._printing import Block, Column, Listed, Paragraph, Tabular, generate_rows, tabulate
from ..errors import GameError, UsageError, warn
from ..formats.inputs import MAX_NOTES, File, Notice
from ..formats.tree_file import TreeSource, read
from ..games.answer_table import UNKNOWN
from ..games.notation import check_guess, count_steps
from ..games.question_files import open_sheet, split_texts
from ..games.rules import GROUP_MARK
from ..games.tables.frame import HeldTable, is_held
from ..games.tables.sheet import JOIN, Sheet
from ..games.text import Names, clean, name_few, suggest_name
from ..games.thresholds import Threshold, parse_threshold
from ..tasks.work import Progress, ProgressOption, open_progress
from ..tree.tree import NULL, Pairs, Tree
from ..tree.walk import describe_dead_end, list_shares
from .options import APPLY

ANSWERS = "answers"
"""The column of the answers used."""

MOST_NAMED = 10
"""At most this many of what a row may be are written into its cell."""

MOST_LABELS = 12
"""Of more labels people get the part of the matrix that is confused."""

_ROWS_PER_NOTE = 5000
"""Progress is reported each time that this many rows are done."""


@dataclass(frozen=True, slots=True)
class AppliedRow:
    """A row with what a tree announces for it.

    Attributes
    ----------
    cells
        The row's own cells, as they were read.
    shares
        What may be announced, the likeliest first, with its share of the weight left.
    answers
        What the tree asked, with the row's answers; ``?`` where the row has none.
    """

    cells: tuple[str, ...]
    shares: tuple[tuple[str, float], ...]
    answers: Pairs

    @property
    def announced(self) -> str:
        """What is announced; of several the likeliest, each with its share."""
        if len(self.shares) == 1:
            return self.shares[0][0]
        named = [f"{name} {share:.1%}" for name, share in self.shares[:MOST_NAMED]]
        more = [f"… ({len(self.shares) - MOST_NAMED:,} more)"] * (len(self.shares) > MOST_NAMED)
        return GROUP_MARK.join([*named, *more])


@dataclass(frozen=True)
class Applied(Tabular, Listed[AppliedRow]):
    """Rows with what a tree announces for each.

    Attributes
    ----------
    tree
        The tree.
    header
        The rows' own columns.
    rows
        The rows.
    column
        The name of the column that has what is announced.
    trace
        Whether JSON and CSV have the answers used.
    check
        The column of the rows that says what should be announced, or None.

    Examples
    --------
    >>> import treegen
    >>> names = ["ant", "bee", "fly"]
    >>> table = [{"name": n, "Wings?": w, "Stings?": s} for n, w, s in zip(names, "nyy", "yyn")]
    >>> tree = treegen.build(table)
    >>> applied = tree.apply([{"Wings?": "y", "Stings?": "n"}, {"Wings?": "y"}])
    >>> applied.announced
    ['fly', 'bee 50.0% | fly 50.0%']
    """

    tree: Tree
    header: tuple[str, ...]
    rows: tuple[AppliedRow, ...]
    column: str = "announced"
    trace: bool = False
    check: str | None = None

    columns = ("announced", ANSWERS)

    def _list(self) -> Sequence[AppliedRow]:
        return self.rows

    @property
    def announced(self) -> list[str]:
        """What is announced for each row: a column for a frame."""
        return [row.announced for row in self.rows]

    @property
    def confusion(self) -> dict[str, dict[str, int]]:
        """By what `check` says, then by the likeliest announced: how many rows.

        Rows of which `check` says nothing are left out.
        """
        counts: dict[str, dict[str, int]] = {}
        for row in self.rows if self.check is not None else ():
            said, found = clean(row.cells[self.header.index(str(self.check))]), row.shares[0][0]
            if said not in ("", UNKNOWN):
                counts.setdefault(said, {}).setdefault(found, 0)
                counts[said][found] += 1
        return counts

    @property
    def accuracy(self) -> float:
        """The part of the rows in `confusion` whose likeliest is what `check` says; 0.0 if none."""
        n_right = sum(row.get(said, 0) for said, row in self.confusion.items())
        return n_right / max(sum(sum(row.values()) for row in self.confusion.values()), 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the rows for JSON, and how they compare with `check`."""
        rows: list[dict[str, Any]] = [
            {
                "row": dict(zip(self.header, row.cells, strict=True)),
                "announced": row.announced,
                "shares": dict(row.shares),
            }
            for row in self.rows
        ]
        for row, given in zip(rows, self.rows, strict=True) if self.trace else ():
            row[ANSWERS] = [{"guess": asked, "feedback": reply} for asked, reply in given.answers]
        names = ("check", "accuracy", "confusion") if self.check is not None else ()
        of_tree = {"game": self.tree.game.name, "strategy": self.tree.provenance.strategy}
        return {**of_tree, "rows": rows, **{name: getattr(self, name) for name in names}}

    def list_rows(self) -> list[dict[str, Any]]:
        """Return each row by its columns, with what is announced."""
        rows = []
        for row in self.rows:
            steps = [
                f"{asked}{':' * (asked[-1:] != '?')} {answered}" for asked, answered in row.answers
            ]
            cells = [*row.cells, row.announced, *[", ".join(steps)] * self.trace]
            rows.append(dict(zip(self._columns, cells, strict=True)))
        return rows

    def generate_csv(self) -> Iterator[str]:
        """Yield the lines of a CSV file: the rows, as they were read, with what is announced."""
        yield from generate_rows(self.list_rows(), self._columns)

    @property
    def _columns(self) -> list[str]:
        return [*self.header, self.column, *[ANSWERS] * self.trace]

    def describe(self) -> Iterator[Block]:
        """Yield how many rows there are; accuracy and matrix, a row for what `check` says."""
        several = sum(len(row.shares) > 1 for row in self.rows)
        rows, each = f"{len(self.rows):,} rows", "each "
        if len(self.rows) == 1:
            rows, each = "1 row", ""
        shown = f"for {several:,} of them several are announced"
        yield Paragraph(f"{rows}, {shown if several else f'{each}with one announcement'}")
        if not (counts := self.confusion):
            return
        labels = sorted({*counts, *chain.from_iterable(counts.values())})
        if len(labels) > MOST_LABELS:  # those that are never confused say nothing
            pairs = [{said, found} for said, row in counts.items() for found in row]
            labels = sorted(set().union(*(pair for pair in pairs if len(pair) > 1)))
        yield Paragraph(f"accuracy by {self.check!r:.80}: {self.accuracy:.4f}")
        columns = {Column(name): partial(_count, counts, name) for name in labels}
        said = [label for label in labels if label in counts]
        if said:
            yield tabulate(said, {Column("says, announced", is_text=True): str, **columns})


def _count(counts: dict[str, dict[str, int]], found: str, said: str) -> int:
    return counts[said].get(found, 0)


@partial(describe_parameters, declared=APPLY)
def apply(
    tree: TreeSource,
    rows: File | HeldTable,
    *,
    column: str = "announced",
    trace: bool = False,
    strict: bool = False,
    check: str | None = None,
    ignore: str | Sequence[str] = (),
    header: bool = True,
    unknown: str | Sequence[str] | None = None,
    sets: str | None = None,
    separator: str | None = None,
    progress: ProgressOption = None,
    notice: Notice | None = None,
) -> Applied:
    """Return the tree's announcement for each row, by the answers that the row has.

    The columns are the tree's questions, or guesses; a first column that is none has names. Numbers
    and ranges of a column answer its thresholds. Where a row lacks an answer, every answer is
    followed: what may be announced then has the shares that it has among the candidates left.

    Parameters
    ----------
    tree
        The tree, or its file.
    rows
        A table in any form that `read_questions` reads: a path, an open file, a frame, a list of
        dicts, which may lack columns.
    {options}
    ignore, header, unknown, sets, separator
        See `open_game`.
    progress
        See `build`.
    notice
        Called with what should be known of the rows; None: it is a `TreegenWarning`.

    Raises
    ------
    FormatError
        A file cannot be read.
    GameError
        The rows are no table, or have no such column; with `strict` also as above.
    UsageError
        An option does not fit.

    Examples
    --------
    >>> import treegen
    >>> tree = treegen.build([{"name": n, "Legs": legs} for n, legs in (("dog", 4), ("ant", 6))])
    >>> treegen.apply(tree, [{"Legs": 6}])[0].announced
    'ant'
    """
    if isinstance(rows, list) and all(isinstance(row, Mapping) for row in rows):
        if not rows:
            return Applied(read(tree), (), (), column, trace)
        keys = dict.fromkeys(key for row in rows for key in row)
        rows = [{key: row.get(key) for key in keys} for row in rows]
    is_file = isinstance(rows, (str, os.PathLike)) or hasattr(rows, "read")
    if not (is_file or is_held(rows)):
        raise UsageError(f"rows are a file, a frame or a list of dicts, not {rows!r:.60}")
    if sets == "":
        raise UsageError("`sets` is what stands between the answers of a cell, not an empty text")
    check_given(ignore=ignore)
    if not column:
        raise UsageError("`column` is the name of the column that is added, not an empty text")
    tree, name = read(tree), "the table" if is_held(rows) else name_source(rows)
    with (
        open_progress(progress, name) as on_progress,
        open_sheet(rows, name, has_header=header, separator=separator) as sheet,
    ):
        said = [] if check is None else [clean(check)]
        aside = [*split_texts(ignore or (), sheet.header), *said]
        cells = {"", *(sheet.unknown if unknown is None else split_texts(unknown))}
        joints = tuple(sign for sign in (sheet.joint, sets) if sign)
        walker = _Walker(tree, name, sheet, strict, aside, cells, joints)
        walker.refuse_twice((*walker.header, column, *[ANSWERS] * trace))
        found = []
        for number, row in enumerate(walker.walk(), start=1):
            found.append(row)
            if on_progress is not None and number % _ROWS_PER_NOTE == 0:
                on_progress(Progress("rows", number, None, f"{number:,}"))
    notes = [*walker.notes]
    more = [f"… and {len(notes) - MAX_NOTES:,} more such lines"] * (len(notes) > MAX_NOTES)
    for note in (*notes[:MAX_NOTES], *more):
        (notice or warn)(note)
    return Applied(tree, walker.header, tuple(found), column, trace, *said)


class _Walker:
    """The rows of a sheet on their ways through a tree; what the tree does not know is noted."""

    def __init__(
        self,
        tree: Tree,
        name: str,
        sheet: Sheet,
        strict: bool,
        aside: Sequence[str],
        unknown: set[str],
        joints: Sequence[str],
    ) -> None:
        self.tree, self.name, self.sheet, self.is_strict = tree, name, sheet, strict
        self.unknown, self.joints = unknown, joints
        texts = [clean(text) for text in sheet.header]
        while texts and not texts[-1]:
            texts.pop()
        self.header = tuple(texts)
        self.notes: dict[str, None] = {}
        self.thresholds: dict[int, Threshold] = {}  # by code, where a column has the number
        for text in aside:
            if text not in self.header:
                hint = suggest_name(text, self.header)
                raise GameError(f"{name} has no column {text!r:.80}{hint}")
        roles = {*aside, *sheet.ignore, sheet.names, sheet.classes, sheet.weights}
        self.place_of = self._find_columns(roles)
        # Most rows go ways that others have gone.
        self._replies: dict[tuple[int, str], tuple[int, ...]] = {}
        self._below: dict[int, dict[int, int]] = {}
        self._shares: dict[tuple[tuple[int, int], ...], tuple[tuple[str, float], ...]] = {}

    def refuse_twice(self, columns: Sequence[str]) -> None:
        """Raise UsageError if two of the columns of the result have one name."""
        for place, text in enumerate(columns):
            if text in columns[:place]:
                hint = "; `column` names the one that is added" * (place >= len(self.header))
                raise UsageError(f"{self.name}: two columns are {text!r:.80}{hint}")

    def _find_columns(self, roles: set[str | None]) -> dict[int, int]:
        """Return the places of what the tree may ask, by its codes."""
        notation, places, others = self.tree.game.notation, dict[int, int](), list[str]()
        measured = self._find_measured(roles)
        for place, text in enumerate(self.header):
            if text in roles or place in measured.values():
                continue
            try:
                code = check_guess(notation, notation.parse_code(text))
            except GameError:
                others += [repr(text)] * (place > 0)  # the first has names
                continue
            if code in places:
                both = f"{self.header[places[code]]!r:.80} and {text!r:.80}"
                raise GameError(f"{self.name}: the columns {both} are one question")
            places[code] = place
        if others:
            kind = "question" if len(others) == 1 else "questions"
            self._doubt(f"{self.name}: the tree knows no {kind} {name_few(others)}", "")
        self.thresholds = {
            code: each for code, each in self.thresholds.items() if code not in places
        }
        places |= {code: measured[code] for code in self.thresholds}
        asked = np.unique(self.tree.guess[~self.tree.is_leaf]).tolist()
        # Where there are questions, candidates are announced or guessed, and have no column.
        least = self.tree.game.n_secrets if self.tree.game.rules.n_questions else 0
        lacking = dict[str, None]()  # the columns of thresholds, once each
        for code in asked:
            if code >= least and code not in places:
                text = notation.name_guess(code)
                threshold = parse_threshold(text)
                lacking[threshold.column if threshold else text] = None
        if lacking:
            named = name_few([*map(repr, lacking)])
            kind, rest = ("column", "its") if len(lacking) == 1 else ("columns", "their")
            text = f"{self.name} has no {kind} {named}, which the tree asks"
            self._doubt(text, f": {rest} answers are unknown")
        return places

    def _find_measured(self, roles: set[str | None]) -> dict[int, int]:
        """Return the places of the columns whose thresholds are asked, by the codes of these."""
        game, named, found = self.tree.game, Names(self.header), dict[int, int]()
        for code in range(game.n_secrets, game.n_codes):
            asked = parse_threshold(game.format_code(code))
            place = named.find(asked.column) if asked else None
            if asked and place is not None and self.header[place] not in roles:
                found[code], self.thresholds[code] = place, asked
        return found

    def _doubt(self, text: str, rest: str) -> None:
        """Note what the tree does not know, and what comes of it; refuse it if strict."""
        if self.is_strict:
            raise GameError(text)
        self.notes[f"{text}{rest}"] = None

    def walk(self) -> Iterator[AppliedRow]:
        """Yield each row with what is announced for it."""
        width = len(self.header)
        for line, row in self.sheet.rows:
            where = f"{self.name} {self.sheet.unit} {line}"
            if len(row) < width or any(cell.strip() for cell in row[width:]):
                cells = count_steps(len(row), "cell")
                raise GameError(f"{where} has {cells}; the header has {width:,} columns")
            ends, answers = self._follow(row, where)
            if ends not in self._shares:
                self._shares[ends] = tuple(list_shares(self.tree, ends))
            own = tuple(cell.replace(JOIN, GROUP_MARK) for cell in row[:width])
            yield AppliedRow(own, self._shares[ends], answers)

    def _follow(self, row: list[str], where: str) -> tuple[tuple[tuple[int, int], ...], Pairs]:
        """Return the ends of all ways that a row's answers leave open, and the answers used."""
        notation, answers = self.tree.game.notation, dict[str, str]()
        ends, stops, waiting = list[tuple[int, int]](), list[tuple[int, int]](), [0]
        while waiting:
            node = waiting.pop()
            below = self._list_below(node)
            if not below:
                ends.append((node, NULL))
                continue
            code = int(self.tree.guess[node])
            replies = self._read(code, row, where)
            reply = GROUP_MARK.join(notation.format_response(each, code) for each in replies)
            answers[notation.name_guess(code)] = reply or UNKNOWN
            ways = [reply for reply in replies or below if reply in below]
            ends += [(node, reply) for reply in ways if below[reply] == NULL]
            waiting += [below[reply] for reply in reversed(ways) if below[reply] != NULL]
            stops += [(node, reply) for reply in replies[:1] if not ways]
        if not ends:
            text = f"{where}: {describe_dead_end(self.tree, *stops[0])}"
            self._doubt(text, "; what is left before that answer is announced")
            ends = [(node, NULL) for node, _ in stops]
        return tuple(ends), tuple(answers.items())

    def _list_below(self, node: int) -> dict[int, int]:
        """Return the children of a node by their responses, `NULL` for a win; none at a leaf."""
        if node not in self._below:
            children = self.tree.children(node)
            found = {int(self.tree.response[child]): child for child in children}
            wins = len(children) and self.tree.wins(node)
            self._below[node] = {**found, self.tree.game.win: NULL} if wins else found
        return self._below[node]

    def _read(self, code: int, row: list[str], where: str) -> tuple[int, ...]:
        """Return a row's answers to a guess, of which each is possible; none: it is unknown."""
        if code not in self.place_of:
            return ()
        text = row[self.place_of[code]]
        if (code, text) not in self._replies:
            self._replies[code, text] = self._parse(code, clean(text), where)
        return self._replies[code, text]

    def _parse(self, code: int, text: str, where: str) -> tuple[int, ...]:
        notation, parts = self.tree.game.notation, [text]
        asked = self.thresholds.get(code)

        def read(part: str) -> tuple[int, ...]:
            answers = asked.list_answers(part) if asked else [part]
            return tuple(notation.parse_response(answer, code) for answer in answers)

        try:
            return read(text)
        except GameError:
            for sign in self.joints:
                parts = [clean(each) for part in parts for each in part.split(sign)]
        if not self.unknown.isdisjoint(parts):
            return ()
        try:
            return tuple(sorted({reply for part in parts for reply in read(part)}))
        except GameError as error:
            place = (
                f", {asked.column!r:.80}:" if asked else f": to {notation.name_guess(code)!r:.80},"
            )
            self._doubt(f"{where}{place} {error}", ": it counts as unknown")
            return ()
