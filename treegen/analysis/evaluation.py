"""The guesses of one state with their values, best first, as a strategy's rule ranks them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from numbers import Rational

import numpy as np
from numpy.typing import NDArray

from ..builder.choose import make_first_level, number_rule
from ..builder.plain import Rater, Values, evaluate, make_weighing
from ..errors import GameError
from ..games.base import Game
from ..games.eligible import is_rule_of_play, resolve_eligible, select_eligible
from ..games.rules import is_weighted
from ..jit.interpreter import mark_small
from ..kernels.onestep.criteria import FRACTION_BITS, Rule, Weighing
from ..kernels.onestep.guesses import break_tie
from ..kernels.responses import Scoring, make_scoring
from ..kernels.rule_kinds import CriterionKind, Measure
from ..strategies.strategy import Criterion, Strategy, apply_function, count_bits, uses_weights
from ..tree.tree import History, weigh_secrets

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


def write_guess(game: Game, guess: int, candidates: NDArray[np.int32]) -> str:
    """Return the guess of a state, or, where the game is over, all that is announced.

    >>> from treegen.games import parse_game
    >>> write_guess(parse_game("p2c3r"), 4, np.array([1, 4], dtype=np.int32))
    '22'
    """
    if game.rules.is_over(candidates):
        return game.notation.announce(candidates.tolist())
    return game.format_code(guess)


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
    shares: NDArray[np.int64]  # [n], what each candidate counts there
    weighing: Weighing | None = None  # weights and costs; None where they do not matter
    # Each guess's value for people, where its column only ranks it; else none.
    texts: tuple[str, ...] = ()

    @cached_property
    def is_useful(self) -> NDArray[np.bool_]:
        """Whether some answer to each guess excludes a candidate."""
        excludes = (self.sizes > 0) & (self.sizes < len(self.candidates))
        return np.asarray(excludes.any(axis=1))

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
    def is_over(self) -> bool:
        """Whether the game is over here without a guess: what is left is announced."""
        return self.game.rules.is_over(self.candidates)

    @property
    def is_direct(self) -> bool:
        """Whether so few candidates are left that the first is guessed, whatever the criteria."""
        # 1 where only questions are asked
        return len(self.candidates) <= self.rule.n_direct or self.is_over

    @property
    def best(self) -> int:
        """The guess that the rule chooses."""
        if self.is_over:  # of what is announced, a tree keeps the likeliest
            return int(self.candidates[np.argmax(self.shares)])
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
        if self.texts:
            return self.texts[row]
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

    def expect_left(self, row: int) -> float:
        """Return the expected number of candidates that a guess leaves, weighted."""
        shares = self.shares if self.shares.any() else _count_alike(self.game, self.candidates)
        spread = self.game.rules.spread(self.guesses[row : row + 1], self.candidates, shares)
        parts = shares if spread.shares is None else spread.shares
        return int((parts * self.sizes[row][spread.answers]).sum()) / int(shares.sum())


def evaluate_state(
    game: Game,
    strategy: Strategy,
    history: History = (),
    guesses: Sequence[int] | None = None,
) -> Evaluation:
    """Return the values of the eligible guesses of a state, or of the given ones, eligible or not.

    UsageError if no secret agrees with the history, GameError if the state is too large.
    """
    rule, scoring, weighing, rater = _prepare(game, strategy)
    level = make_first_level(game, strategy, history)
    shares = weigh_secrets(game, level.candidates, level.shares)
    if rater is not None:
        rule = rule._replace(ranks=rater.rank_codes(level.candidates, shares))
    if guesses is None:
        guesses = _list_eligible(game, strategy, rule, history, level.candidates).tolist()
    eligible: NDArray[np.int32] = np.asarray(guesses, dtype=np.int32)
    shown, row_of = _pick_representatives(game, scoring, history, eligible)
    if len(shown) * len(level.candidates) > MAX_PAIRS:
        raise GameError(
            f"{len(shown):,} guesses for {len(level.candidates):,} candidates are too many"
        )
    texts: tuple[str, ...] = ()
    if rater is None:
        values, sizes, starts = evaluate(
            scoring, rule, weighing, strategy.criteria, level.candidates, shown, game.n_responses
        )
    else:
        (values, sizes, starts), texts = _rate(game, rater, rule, level.candidates, shares, shown)
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
        shares,
        weighing,
        texts,
    )


def _rate(
    game: Game,
    rater: Rater,
    rule: Rule,
    candidates: NDArray[np.int32],
    shares: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> tuple[Values, tuple[str, ...]]:
    """Return the places and sizes of guesses by a rule of shares, and its values for people."""
    first, total = game.rules.first_guess, int(shares.sum())
    now, left = rater.rate(candidates, shares, ())
    questions = (guesses - first).tolist()
    in_order = (guesses[np.argsort(rule.ranks[guesses])] - first).tolist()
    useful = [question for question in in_order if left[question] >= 0]
    best = rater.choose(now, left, total, useful)
    behind = useful[useful.index(best) :] if useful else []
    # Those that the best one is chosen before only since it stands first.
    tied = {each for each in behind if rater.choose(now, left, total, (each, best)) == each}
    figures = {each: rater.grade(now, int(left[each]), each) for each in useful}
    grades = sorted(set(figures.values()))
    order = {grade: place for place, grade in enumerate(grades, start=1)}
    place_of = {each: order[grade] for each, grade in figures.items() if each not in tied}
    places = [place_of.get(each, 0) for each in questions]
    spreads = (game.rules.spread(np.array([guess]), candidates) for guess in guesses.tolist())
    sizes = [np.bincount(each.answers, minlength=game.n_responses) for each in spreads]
    whole = total or int(_count_alike(game, candidates).sum())
    texts = tuple(rater.describe(now, int(left[each]), each, whole) for each in questions)
    table = np.array(sizes, dtype=np.int64).reshape(len(guesses), game.n_responses)
    return Values(np.array(places, dtype=np.int64)[:, None], table, (0, 1)), texts


def _count_alike(game: Game, candidates: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return weights for candidates that all weigh 0: 1 for each."""
    return np.full(len(candidates), game.rules.share_unit, dtype=np.int64)


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
    symmetry = game.rules.symmetry
    is_plain = symmetry.pegs and symmetry.colors and not is_weighted(game.rules)
    if history or not is_plain or game.n_secrets < game.n_codes:
        return guesses, np.arange(len(guesses))
    patterns = np.sort(scoring.counts[guesses], axis=1)
    _, first, row_of = np.unique(patterns, axis=0, return_index=True, return_inverse=True)
    return guesses[first], row_of.reshape(-1)  # numpy 2.0.0 gives it a second axis


@lru_cache(maxsize=4)  # a game's states are evaluated one after the other
def _prepare(game: Game, strategy: Strategy) -> tuple[Rule, Scoring, Weighing | None, Rater | None]:
    """Return a strategy and a game in the kernels' form; the last where candidates have shares."""
    rule, scoring = number_rule(game, strategy), make_scoring(game.rules)
    if game.rules.shares is not None:
        return rule, scoring, None, Rater(game.rules, strategy)
    is_weighed = uses_weights(strategy, game.rules)
    return rule, scoring, make_weighing(game, strategy) if is_weighed else None, None


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
    # Asked again, a question is answered alike, also by whom may answer it in several ways.
    codes = codes[~np.isin(codes, [guess for guess, _ in history])]
    return codes[np.argsort(rule.ranks[codes], kind="stable")]
