"""What a player may want to know in the middle of a game: what is possible, what to guess."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._options import check_whole
from .._printing import Block, Column, Listed, Paragraph, Tabular, are_equal, tabulate
from ..games.histories import write_pairs
from ..tree.tree import History, Pairs

if TYPE_CHECKING:
    from ..games.base import Game
    from ..strategies.strategy import Strategy
    from .evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class AdvisedGuess:
    """A guess with what its answers leave.

    `figures` are the values of the rule's criteria, by name, each in its own unit. `sizes` counts
    the candidates that each possible answer leaves, the largest number first; the answer that wins
    counts, too. `expected` is how many are left on average, by what each candidate counts.
    """

    guess: str
    is_candidate: bool
    figures: dict[str, str]
    sizes: tuple[int, ...]
    code: int
    expected: float = 1


@dataclass(frozen=True, slots=True)
class Advice(Tabular, Listed[AdvisedGuess]):
    """The candidates after a history, and the best guesses by a rule.

    Attributes
    ----------
    game
        The game.
    strategy, rule
        Name and exact rule by which guesses are ranked.
    history
        Guesses made and the answers to them.
    codes : int32[n]
        Indices of the codes that are still possible, ascending.
    guesses
        The best guesses, the best first.
    symbols
        How colors are written, if not by the game's own symbols; else None.

    Examples
    --------
    >>> import treegen
    >>> print(treegen.advice("p2c3r", "knuth", history="11:10", top=2))
    4 candidates; the best guesses by knuth: eligible=all; chain=max,consistent,lowest; order=lex
    rank  guess  possible  max  consistent  left  cells
       1  12     yes         1         yes  1.00  1+1+1+1
       2  13     yes         1         yes  1.00  1+1+1+1
    """

    game: Game
    strategy: str
    rule: str
    history: Pairs
    codes: NDArray[np.int32]
    guesses: tuple[AdvisedGuess, ...]
    symbols: tuple[str, ...] | None = None

    columns = ("rank", "guess", "possible", "expected_left", "cells")

    def __eq__(self, other: object) -> bool:
        """Whether all is the same, by value."""
        return are_equal(self, other)

    def _list(self) -> Sequence[AdvisedGuess]:
        return self.guesses

    @property
    def candidates(self) -> list[str]:
        """The codes that are still possible."""
        return [self.game.format_code(code) for code in self.codes.tolist()]

    def to_dict(self) -> dict[str, Any]:
        """Return the advice for JSON."""
        return {
            "game": self.game.name,
            "strategy": self.strategy,
            "rule": self.rule,
            "history": [{"guess": guess, "feedback": answer} for guess, answer in self.history],
            "left": len(self.codes),
            "candidates": self.candidates,
            "guesses": self.list_rows(),
        }

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each of the best guesses, ready for JSON."""
        return [
            {
                "rank": rank,
                "guess": row.guess,
                "possible": row.is_candidate,
                **row.figures,
                "expected_left": round(row.expected, 4),
                "cells": list(row.sizes),
            }
            for rank, row in enumerate(self.guesses, start=1)
        ]

    def describe(self) -> Iterator[Block]:
        """Yield the best guesses; the candidates, if no guesses are ranked."""
        yield from self.describe_guesses() if self.guesses else self.describe_candidates()

    def describe_guesses(self) -> Iterator[Block]:
        """Yield the best guesses, and by which rule they are ranked."""
        from .evaluation import write_cells

        n = len(self.codes)
        left = "1 candidate" if n == 1 else f"{n:,} candidates"
        if not self.guesses:
            yield Paragraph(f"{left}; no question tells more")
            return
        yield Paragraph(f"{left}; the best guesses by {self.strategy}: {self.rule}")
        figures = self.guesses[0].figures
        yield tabulate(
            enumerate(self.guesses, start=1),
            {
                Column("rank"): lambda row: row[0],
                Column("guess", is_text=True): lambda row: row[1].guess,
                Column("possible", is_text=True): lambda row: ("no", "yes")[row[1].is_candidate],
                **{Column(name): partial(_read_figure, name) for name in figures},
                Column("left", 1): lambda row: f"{row[1].expected:.2f}",
                Column("cells", 2, is_text=True): lambda row: write_cells(row[1].sizes),
            },
        )

    def describe_candidates(self) -> Iterator[Block]:
        """Yield the codes that are still possible."""
        yield from map(Paragraph, lay_out(self.candidates))


def _read_figure(name: str, row: tuple[int, AdvisedGuess]) -> str:
    return row[1].figures[name]


def lay_out(codes: list[str], width: int = 79) -> list[str]:
    """Return codes of equal width in lines."""
    per_line = max(1, (width + 1) // (len(codes[0]) + 1))  # no space follows the last of a line
    return [" ".join(codes[at : at + per_line]) for at in range(0, len(codes), per_line)]


def advise(game: Game, strategy: Strategy, *, history: History = (), n_top: int = 10) -> Advice:
    """Return the candidates after some guesses, and the best guesses by a rule; build no tree.

    `n_top` guesses are ranked, none for 0. UsageError if no secret agrees with the history,
    GameError if the state is too large for every guess to be evaluated.

    >>> from treegen.games.codebook import make_word_game
    >>> from treegen.strategies.named import parse_strategy
    >>> game = make_word_game(["crane", "crate", "trace", "grace"], rule="position")
    >>> past = [(game.parse_code("crane"), game.parse_response("12202"))]
    >>> advice = advise(game, parse_strategy("entropy", game), history=past, n_top=1)
    >>> advice.candidates, [(row.guess, row.sizes, row.expected) for row in advice.guesses]
    (['trace', 'grace'], [('trace', (1, 1), 1.0)])
    """
    from .evaluation import evaluate_state

    check_whole(0, n_top=n_top)
    # None stands for all eligible guesses; an empty list for the candidates alone.
    evaluation = evaluate_state(game, strategy, tuple(history), None if n_top else [])
    rows = _rank(evaluation, n_top) if n_top else ()
    pairs = write_pairs(game.notation, tuple(history))
    return Advice(game, strategy.name, strategy.rule, pairs, evaluation.candidates, rows)


def _rank(evaluation: Evaluation, n_top: int) -> tuple[AdvisedGuess, ...]:
    """Return the best guesses; if only one candidate is left, that one; none after the end."""
    if evaluation.is_over:
        return ()
    if len(evaluation.candidates) == 1:
        code = int(evaluation.candidates[0])
        return (AdvisedGuess(evaluation.game.format_code(code), True, {}, (1,), code),)
    ranked = evaluation.rank_rows()
    guesses = evaluation.guesses[ranked].tolist()
    if evaluation.best in guesses:  # few candidates: the first may be guessed anyway
        ranked.insert(0, ranked.pop(guesses.index(evaluation.best)))
    return tuple(_describe(evaluation, row) for row in ranked[:n_top])


def _describe(evaluation: Evaluation, row: int) -> AdvisedGuess:
    code = int(evaluation.guesses[row])
    return AdvisedGuess(
        evaluation.game.format_code(code),
        bool(evaluation.sizes[row, -1] > 0),  # the cell of the win
        evaluation.list_figures(row),
        tuple(evaluation.list_cells(row)),
        code,
        evaluation.expect_left(row),
    )
