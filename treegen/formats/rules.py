"""Trees of tables of answers as lists of rules: a CSV file that people apply row by row.

A rule has the answers of a path from the root, and what its leaf announces. Rules that agree in all
but one condition, and have all answers to that one, are merged. So no two rules overlap.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

from .._files import Target, write_lines
from ..errors import UsageError
from ..games.text import clean
from ..tree.tree import Tree
from ..tree.walk import list_announced
from .format import Format, Option, Writer, describe_writer
from .tree_file import TreeSource, read

Conditions = tuple[tuple[int, int], ...]
"""Questions, ascending, with their answers: numbers from 0."""


@describe_writer
def write_rules(
    tree: TreeSource,
    file: Target,
    *,
    any: Annotated[str, Option("What a cell holds if any answer will do.", metavar="TEXT")] = "-",
) -> None:
    """Write a tree of a table of answers as a list of rules (CSV).

    The first column numbers the rules, the last, ``outcome``, has what they announce; between them
    stand the questions that they ask. `open_game` reads it with ``any="-"``, ``classes="outcome"``.

    {parameters}

    {errors} So does a tree in which codes are guessed.

    Examples
    --------
    >>> import sys, treegen
    >>> rows = [{"Wet?": "yes", "Cold?": "no"}, {"Wet?": "no", "Cold?": "no"}]
    >>> rows += [{"Wet?": wet, "Cold?": "yes"} for wet in ("yes", "no")]
    >>> for row, what in zip(rows, ("swim", "walk", "read", "read")):
    ...     row["what"] = what
    >>> tree = treegen.build(rows, "optimal", names="none", classes="what")
    >>> treegen.write_rules(tree, sys.stdout)
    rule,Wet?,Cold?,outcome
    1,no,no,walk
    2,yes,no,swim
    3,-,yes,read
    """
    write_lines(file, generate_rules(read(tree), clean(any)))


def generate_rules(tree: Tree, open_cell: str = "-") -> Iterator[str]:
    """Yield the lines of the rules of a tree, without line ends."""
    game, first = tree.game, tree.game.rules.first_guess
    if first < game.n_secrets or not game.notation.answers_in_words:
        raise UsageError(
            f"rules are written of tables of answers with the goal to identify; in {game.name}"
            " codes are guessed"
        )
    answers = [game.notation.list_answers(code) for code in range(first, game.n_codes)]
    rules = merge_rules(list_rules(tree), list(map(len, answers)))
    asked = sorted({question for conditions in rules for question, _ in conditions})
    questions = [game.format_code(first + question) for question in asked]
    for question, text in zip(asked, questions, strict=True):
        if open_cell in answers[question]:
            raise UsageError(
                f"{open_cell!r:.80} is an answer to {text!r:.80}: give another text for a condition"
                " that any answer fits (`any`)"
            )
    number, outcome = (_name_column(name, questions) for name in ("rule", "outcome"))
    yield _join([number, *questions, outcome])
    rows = []
    for conditions, announced in rules.items():
        chosen = dict(conditions)
        # Behind all answers to a question stands the rule that does not ask it.
        order = [chosen.get(question, len(answers[question])) for question in asked]
        cells = [
            answers[question][chosen[question]] if question in chosen else open_cell
            for question in asked
        ]
        rows.append((order, [*cells, announced]))
    for place, (_, row) in enumerate(sorted(rows), start=1):
        yield _join([str(place), *row])


def list_rules(tree: Tree) -> Iterator[tuple[Conditions, str]]:
    """Yield the rule of each leaf: the answers that lead to it, and what it announces."""
    game, first = tree.game, tree.game.rules.first_guess
    announced, guesses, parents = list_announced(tree), tree.guess.tolist(), tree.parent.tolist()
    paths: list[Conditions] = []
    for node, response in enumerate(tree.response.tolist()):
        above = tree.provenance.history
        if node:
            above = (*paths[parents[node]], (guesses[parents[node]], response))
        paths.append(above)
        if tree.first_child[node] == tree.first_child[node + 1]:
            outcome = announced.get(node) or game.format_code(guesses[node])
            yield tuple(sorted((guess - first, answer) for guess, answer in above)), outcome


def merge_rules(
    rules: Iterable[tuple[Conditions, str]], n_answers: Sequence[int]
) -> Mapping[Conditions, str]:
    """Return rules of which none can be merged: as many as a question has answers become one.

    They must not overlap.

    >>> merge_rules([(((0, 0), (1, 0)), "a"), (((0, 1), (1, 0)), "a"), (((1, 1),), "b")], [2, 2])
    {((1, 1),): 'b', ((1, 0),): 'a'}
    """
    left, n_before = dict(rules), -1
    while len(left) != n_before:
        n_before = len(left)
        asking = defaultdict(list)
        for conditions in left:
            for pair in conditions:
                asking[pair[0]].append((conditions, pair))
        for question in sorted(asking):
            alike = defaultdict(list)
            for conditions, pair in asking[question]:
                if conditions in left:
                    rest = tuple(other for other in conditions if other != pair)
                    alike[rest, left[conditions]].append(conditions)
            for (rest, outcome), parts in alike.items():
                if len(parts) == n_answers[question]:
                    for conditions in parts:
                        del left[conditions]
                    left[rest] = outcome
    return left


def _name_column(name: str, questions: Sequence[str]) -> str:
    """Return the name of a column, which no question has."""
    number, found = 1, name
    while found in questions:
        number += 1
        found = f"{name} ({number})"
    return found


def _join(cells: Sequence[str]) -> str:
    """Return a line of CSV; what may separate cells, or begin a comment, stands in quotes."""
    quoted = (f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in cells)
    return ",".join(
        text if re.search(r'[",;\t#]', cell) or not cell else cell
        for cell, text in zip(cells, quoted, strict=True)
    )


RULES = Format(
    "rules",
    Writer(
        write_rules,
        "A list of rules, of a table of answers (CSV).",
        "Write the tree of a table of answers in FILE as a list of rules, a row each (CSV).",
        examples=("treegen export rules triage.tree -o rules.csv",),
        kinds=("csv",),
        has_stream=True,
    ),
)
