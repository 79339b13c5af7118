"""A game as the search of tables sees it: what each item may answer, shares, costs; the way back.

An *item* is a candidate; its *share* is its weight, or the part of it that has come to a state. A
*question* is anything that may be asked or guessed. Items are numbered by descending share,
questions by ascending cost: of equally good questions the first counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError, UsageError
from ...games.base import Game, follow
from ...games.division import Division
from ...games.rules import Goal
from ...jit.compiler import by_reference
from ...tasks.work import Look
from ...tree.tree import weigh_secrets
from ..engine import Int32s, Int64s, UInt64s
from ..openings import list_first
from ..request import SearchSpec, refuse_eligible

PAIRS_PER_BLOCK = 1 << 22
"""Answers that are computed at a time."""

MAX_PAIRS = 2**31
"""More answers than these are not kept: 4 GiB."""

MOST_LAYERS = 8
"""Where more costs occur, these many stand for them."""

KEY_SEED = 20
"""Of the random numbers in keys."""

MOST_ANSWERS = 1 << 16
"""Answers are kept in 16 bits; where a game has more, each question's own are numbered."""

UInt16s = NDArray[np.uint16]


@by_reference
class TableProblem(NamedTuple):
    """A table, as the kernels see it."""

    # [n_questions, n_items]: the number of the set of answers that an item may give. Number k is
    # the set of answer k alone; behind those of all answers stand the larger sets.
    cells: UInt16s
    n_answers: int
    starts: Int32s  # [n_sets + 1]: where each set begins in `answers`
    answers: Int32s  # ascending in each set
    costs: Int64s  # [n_questions], ascending
    owners: Int32s  # [n_questions]: the item that a question guesses; -1: none; empty: none ever
    ends: Int64s  # [n_items]: what an item costs that is left alone: 0 if it is announced
    # [n_items]: the number of each item's group, see `bounds`; empty if any two are separable.
    groups: Int32s
    apart: NDArray[np.uint8]  # [n_groups, n_groups]: whether two groups are separable
    layers: Int64s  # [n_layers]: costs that occur, ascending, the least first; see `bounds`
    blocks: Int32s  # [n_layers, n_items]: equal for items alike on all questions that cost less
    keys: UInt64s  # [n_items + n_questions, 2]: random numbers for keys [Zobrist 1970]
    is_win: int  # whether the game is over only when the item is guessed
    candidates_only: int  # whether only items that are possible may be guessed

    @property
    def is_certain(self) -> bool:
        """Whether every item gives one answer to each question: no set is larger."""
        return len(self.starts) == self.n_answers + 1


class TableState(NamedTuple):
    """Items with their shares, and the questions asked before that may tell more of them."""

    items: Int32s
    shares: Int64s
    asked: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """A game from some candidates on.

    `codes` has the code of each question, `members` that of each item, `root` all items. `first`
    has the questions allowed in the root, the preferred one first; empty: as in other states.
    """

    problem: TableProblem
    codes: Int32s
    members: Int32s
    root: TableState
    first: tuple[int, ...]
    longest: int  # no path of a tree costs as much whose questions all tell something
    is_rounded: bool  # whether the history has rounded a share of the root
    may_round: bool  # whether a tree may round others: the unit of shares is not exact

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.members)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of question and item."""
        return self.problem.cells.size

    @property
    def weight(self) -> int:
        """The shares of all items."""
        return int(self.root.shares.sum())

    def find(self, code: int) -> int:
        """Return the number of a code's question; -1 if it tells nothing."""
        found = np.flatnonzero(self.codes == code)
        return int(found[0]) if len(found) else -1


def make_table(
    game: Game,
    candidates: Int32s,
    spec: SearchSpec | None = None,
    look: Look = lambda: None,
) -> Table:
    """Return the table of some candidates of a game; `look` is called meanwhile, and may raise.

    The spec says what was asked and what may be; None: all. StrategyError: there are more answers
    than memory should hold. UsageError: the search cannot keep to the spec.
    """
    spec = spec or SearchSpec()
    refuse_eligible(game, spec)
    rules = game.rules
    n_pairs = rules.n_guesses * len(candidates)
    if n_pairs > MAX_PAIRS:
        raise StrategyError(
            f"{game.name} has {n_pairs:,} pairs of guess and candidate; with weights, costs or the"
            f" goal identify a search takes at most {MAX_PAIRS:,}"
        )
    divided = rules.shares
    if divided is not None:  # what is left of them depends on the history
        candidates, divided = follow(game, spec.history)
    shares = weigh_secrets(game, candidates, divided)
    order = np.argsort(-shares, kind="stable")
    members, shares = candidates[order].astype(np.int32), shares[order]
    codes = np.arange(rules.first_guess, game.n_codes, dtype=np.int32)
    # Of equal cost in the order of codes.
    codes = codes[np.argsort(game.costs[codes], kind="stable")]
    cells, larger = _list_sets(game, codes, members, look)
    is_certain = not larger
    is_useful = (cells != cells[:, :1]).any(axis=1) | ((codes == members[0]) & (len(members) == 1))
    cells, codes = np.ascontiguousarray(cells[is_useful]), codes[is_useful]
    costs = game.costs[codes]
    owners = _find_owners(codes, members)[: 0 if rules.first_guess else None]
    is_win = game.goal != Goal.IDENTIFY
    groups, apart = _group(None if is_win else rules.division, members)
    layers, blocks = _find_layers(cells, costs, is_win=is_win)
    random = np.random.Generator(np.random.Philox(key=KEY_SEED))
    size = (len(members) + len(codes), 2)
    n_answers = game.win + 1 if larger else int(cells.max(initial=0)) + 1
    sizes = np.append(np.ones(n_answers, dtype=np.int64), [len(each) for each in larger])
    answers = [*range(n_answers), *(answer for each in larger for answer in each)]
    problem = TableProblem(
        cells,
        n_answers,
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
        np.array(answers, dtype=np.int32),
        costs,
        owners,
        game.costs[members] * is_win,
        groups,
        apart,
        layers,
        blocks,
        random.integers(0, 2**64 - 1, size, dtype=np.uint64, endpoint=True),
        int(is_win),
        int(spec.is_for_candidates(game)),
    )
    asked = [int(np.flatnonzero(codes == code)[0]) for code in spec.guesses_made if code in codes]
    longest = int(costs.max(initial=1)) * len(members) + int(problem.ends.max(initial=0))
    if not is_certain:  # an item may come to several answers
        longest = int(costs.sum()) + 1
    root = TableState(
        np.arange(len(members), dtype=np.int32),
        shares,
        () if is_certain else tuple(sorted({*asked})),
    )
    table = Table(problem, codes, members, root, (), longest, is_rounded=False, may_round=False)
    if rules.division is None:
        return replace(table, first=tuple(map(table.find, list_first(game, candidates, spec))))
    return replace(
        table,
        first=_list_first(game, candidates, spec, table),
        is_rounded=_is_rounded(rules.division, spec.guesses_made, game.n_secrets, members),
        may_round=rules.division.is_rounded,
    )


def _is_rounded(division: Division, guesses: Sequence[int], first: int, members: Int32s) -> bool:
    """Return whether guesses have divided shares with a remainder; the first question is given."""
    asked = [guess - first for guess in guesses if guess >= first]
    sizes = np.diff(division.sets.starts)[division.sets.numbers[asked][:, members]]
    divisors = np.prod(sizes.astype(object), axis=0)
    return bool((division.shares[members] % divisors).any())


def list_answers(problem: TableProblem, question: int, items: Int32s) -> tuple[Int64s, Int64s]:
    """Return the possible answers of items to a question, and the item's place for each."""
    sets = problem.cells[question, items].astype(np.int64)
    begins, sizes = problem.starts[sets], np.diff(problem.starts)[sets]
    source = np.repeat(np.arange(len(sets)), sizes)
    place = np.arange(len(source)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return problem.answers[begins[source] + place].astype(np.int64), source


def _list_sets(
    game: Game, codes: Int32s, members: Int32s, look: Look
) -> tuple[UInt16s, list[tuple[int, ...]]]:
    """Return the number of each item's set of answers to each question, and the larger sets."""
    n, larger = len(members), dict[tuple[int, ...], int]()
    cells = np.empty((len(codes), n), dtype=np.uint16)
    step = max(1, PAIRS_PER_BLOCK // n)
    for begin in range(0, len(codes), step):
        if begin > 0:
            look()
        asked = codes[begin : begin + step]
        spread = game.rules.spread(np.repeat(asked, n), np.tile(members, len(asked)))
        answers, numbers = spread.answers, spread.answers
        if len(answers) > len(asked) * n:
            assert not isinstance(spread.source, slice)  # one answer each
            sizes = np.bincount(spread.source)
            starts = np.cumsum(sizes) - sizes
            numbers = answers[starts]
            for pair in np.flatnonzero(sizes > 1).tolist():
                own = tuple(answers[starts[pair] : starts[pair] + sizes[pair]].tolist())
                numbers[pair] = game.win + 1 + larger.setdefault(own, len(larger))
        rows = numbers.reshape(len(asked), n)
        if game.win >= MOST_ANSWERS:
            for row in rows:
                row[:] = np.unique(row, return_inverse=True)[1]
        cells[begin : begin + step] = rows
    if larger and game.win + len(larger) >= MOST_ANSWERS:
        raise StrategyError(f"{game.name} has more sets of answers than a search keeps")
    return cells, list(larger)


def _find_owners(codes: Int32s, members: Int32s) -> Int32s:
    """Return the item that each question guesses; -1: it guesses none of them."""
    place_of = np.full(max(int(codes.max(initial=0)), int(members.max())) + 1, -1, dtype=np.int32)
    place_of[members] = np.arange(len(members))
    return place_of[codes]


def _group(division: Division | None, members: Int32s) -> tuple[Int32s, NDArray[np.uint8]]:
    """Return the group of each item and which groups are separable; empty if all items are."""
    n, none = len(members), (np.zeros(0, dtype=np.int32), np.zeros((0, 0), dtype=np.uint8))
    if division is None:
        return none
    wanted = division.separable[members]
    rows, first, groups = np.unique(wanted, axis=0, return_index=True, return_inverse=True)
    if len(rows) * n > MAX_PAIRS:
        raise StrategyError(f"a search takes at most {MAX_PAIRS:,} pairs of candidates")
    bits = np.unpackbits(rows.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    apart = np.ascontiguousarray(bits[:, members[first]])
    if len(rows) == n and int(apart.sum()) == n * (n - 1):
        return none
    return groups.reshape(-1).astype(np.int32), apart


def _find_layers(cells: UInt16s, costs: Int64s, *, is_win: bool) -> tuple[Int64s, Int32s]:
    """Return costs, ascending, and which items are alike on all questions that cost less.

    To win one may guess: the cheapest guesses part all items.
    """
    found = np.unique(costs)
    n_layers = 1 if is_win else min(len(found), MOST_LAYERS)
    layers = found[np.arange(n_layers) * len(found) // n_layers] if len(found) else np.ones(1)
    blocks = np.zeros((len(layers), cells.shape[1]), dtype=np.int32)
    alike, question = np.zeros(cells.shape[1], dtype=np.int64), 0
    for layer, cost in enumerate(layers.tolist()):
        while question < len(costs) and costs[question] < cost and alike.max() + 1 < len(alike):
            alike = np.unique(alike << 16 | cells[question], return_inverse=True)[1]
            question += 1
        blocks[layer] = alike
    return layers.astype(np.int64), blocks


def _list_first(game: Game, candidates: Int32s, spec: SearchSpec, table: Table) -> tuple[int, ...]:
    """Return the questions that were given as the first; UsageError if none tells anything."""
    codes = [game.parse_code(text) for text in spec.first]
    found = [table.find(code) for code in codes]
    useful = tuple(each for each in found if each >= 0 and each not in table.root.asked)
    if codes and not useful and not game.rules.is_over(candidates):
        named = " or ".join(map(game.format_code, codes))
        raise UsageError(f"no answer to {named:.80} excludes a candidate: ask another first")
    return useful
