"""The best guess of one state, without counting every cell of every guess.

Guesses are tried by rank, consistent ones first if that is a criterion, so that a later guess only
wins by a better value. The cells of a guess are counted one by one, beginning with those that were
large for the guesses before, until the first criterion can no longer be good enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from ..levels import Level
from ..responses import FeedbackKind, Scoring, mix, respond
from ..rule_kinds import CriterionKind, TieBreak
from .criteria import Bound, Rule, Weighing, compare, evaluate_partition, evaluate_weighted
from .eligible import EligibleLists
from .game import RankedGame, WordGame
from .orbits import find_maps, keep_first, list_guesses, start_orbits
from .prefixes import find_good, find_limits, start_prefixes
from .workspace import (
    LANES,
    MOST,
    Arena,
    Incumbent,
    SuffixTables,
    WordArena,
    Workspace,
    add_lanes,
    count_lanes,
    has_few,
    limit_chunk,
    name_columns,
    name_suffixes,
    pad_lanes,
)

PAIRS_PER_MAP = 500
"""Pairs of guess and candidate that repay trying one permutation of the pegs."""

FEW = 256
"""At most this many candidates are all tried; of more, the first of each orbit."""


class States(NamedTuple):
    """The states of a level in rank space."""

    candidates: NDArray[np.int32]  # [n_candidates]: ranks, ascending in each state
    starts: NDArray[np.int64]  # [n_states + 1]: where each state's candidates begin
    history: NDArray[np.int32]  # [n_states, n_guesses]: ranks of the guesses that led to each
    keys: NDArray[np.uint64]  # [n_states]: of the random tie-break


@njit
def choose_states(
    game: RankedGame,
    arena: Arena,
    states: States,
    chosen: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the best guesses of the chosen states of a level into `guesses`, as code indices.

    The arena is large enough for the largest state.
    """
    workspace = name_columns(arena, name_suffixes(arena.suffixes))
    for state in chosen:
        if workspace.stop[0]:
            return
        candidates = states.candidates[states.starts[state] : states.starts[state + 1]]
        rank = find_direct(game, candidates)
        if rank < 0:
            start_search(game, workspace, candidates)
            may_exchange, is_few = False, has_few(workspace.suffixes, len(candidates))
            if game.has_symmetry:
                history = states.history[state]
                may_exchange = start_orbits(
                    game.digits,
                    game.n_colors,
                    game.is_distinct,
                    candidates,
                    history,
                    workspace.orbits,
                )
                n_pairs = len(candidates) * len(game.codes)
                if not is_few and n_pairs > PAIRS_PER_MAP * len(game.permutations):
                    find_maps(
                        game.digits, game.permutations, history, workspace.orbits, workspace.maps
                    )
            try_eligible(game, workspace, candidates, may_exchange, is_few)
            if is_few:
                try_prefixes(game, workspace, workspace.suffixes, candidates)
            rank = finish_search(game, workspace, candidates, states.keys[state])
        guesses[state] = game.codes[rank]


@njit_part(inline=True)
def find_direct(game: RankedGame | WordGame, candidates: NDArray[np.int32]) -> int:
    """Return the rank of the guess of a state that needs no search, ``NULL`` for others."""
    n = len(candidates)
    if n <= game.n_direct:
        return int(candidates[n - 1] if game.tie_break == TieBreak.HIGHEST else candidates[0])
    if game.needs_all or not game.candidates_first:
        return -1
    if n == 2 or (game.candidates_only and len(game.kinds) == 0):
        return int(candidates[0])
    return -1


@njit_part(inline=True)
def start_search(game: RankedGame, workspace: Workspace, candidates: NDArray[np.int32]) -> None:
    """Lay out a state in scratch memory and forget the best guess of the state before."""
    fill_columns(game, candidates, workspace.work)
    for rank in candidates:
        workspace.marks[rank] = 1
    forget_best(workspace.incumbent)


@njit_part(inline=True)
def forget_best(best: Incumbent) -> None:
    """Forget the best guess of the state before."""
    for i in range(len(best.values)):
        best.values[i] = MOST
    best.guess[0], best.limit[0] = -1, MOST
    best.n_tied[0] = best.is_final[0] = 0


@njit_part
def try_eligible(
    game: RankedGame,
    workspace: Workspace,
    candidates: NDArray[np.int32],
    may_exchange: bool,
    is_few: bool,
) -> None:
    """Try the guesses of a state, the candidates first if the rule says so.

    In a state of few candidates, only these.
    """
    orbits, n = workspace.orbits, len(candidates)
    n_pegs = game.digits.shape[1]
    n_first = n if game.candidates_first else 0
    n_tried = 0
    n_most = limit_chunk(n)
    while not workspace.incumbent.is_final[0] and not workspace.stop[0]:
        is_first = n_tried < n_first
        if is_first:
            count = min(n_most, n - n_tried)
            for i in range(count):
                workspace.guesses[i] = candidates[n_tried + i]
        elif game.candidates_only or is_few:
            return
        elif not may_exchange:
            count = min(n_most, n_first + len(game.codes) - n_tried)
            for i in range(count):
                workspace.guesses[i] = n_tried - n_first + i
        else:
            listed = workspace.guesses[:n_most]
            count = list_guesses(orbits, listed, n_pegs, game.n_colors, game.is_distinct)
        if count == 0:
            return
        n_tried += count
        guesses = workspace.guesses[:count]
        if orbits.n_maps[0] > 0 or (is_first and n > FEW and may_exchange):
            guesses = guesses[: keep_first(game.digits, orbits, workspace.maps, guesses, n_pegs)]
        if n_first > 0 and not is_first:
            guesses = guesses[: drop_marked(workspace.marks, guesses)]
        try_guesses(game, workspace, guesses, n)


@njit_part
def try_prefixes(
    game: RankedGame,
    workspace: Workspace,
    suffixes: SuffixTables,
    candidates: NDArray[np.int32],
) -> None:
    """Try all guesses of a state of few candidates; the best becomes the incumbent."""
    best, n, n_pegs = workspace.incumbent, len(candidates), game.digits.shape[1]
    start = (2 * game.n_colors + 1) * n_pegs * LANES
    answers = workspace.work[start : start + LANES]
    start_prefixes(game, workspace, suffixes, candidates)
    while not best.is_final[0]:
        rank = find_good(workspace.orbits, suffixes, n, n_pegs, game.n_colors, game.is_distinct)
        if rank < 0:
            return
        for i in range(LANES):
            answers[i] = suffixes.work[suffixes.answers[0] + i * LANES] if i < n else 255
        workspace.sizes[game.packing.shape[1]] = workspace.marks[rank]
        consider_guess(game, workspace, answers, rank, n)
        if best.guess[0] == rank:
            find_limits(game.lines, game.bound, best, suffixes, n)


@njit_part(inline=True)
def drop_marked(marks: NDArray[np.uint8], guesses: NDArray[np.int32]) -> int:
    """Move the guesses that are not candidates to the front; return how many."""
    count = 0
    for guess in guesses:
        if not marks[guess]:
            guesses[count] = guess
            count += 1
    return count


@njit_part
def try_guesses(game: RankedGame, workspace: Workspace, guesses: NDArray[np.int32], n: int) -> None:
    """Try guesses, ranks that ascend; the best becomes the incumbent."""
    digits, repeats, lines = game.digits, game.repeats, game.lines
    work, marks, best = workspace.work, workspace.marks, workspace.incumbent
    n_lanes = pad_lanes(n)
    start = (2 * game.n_colors + 1) * digits.shape[1] * n_lanes
    answers = work[start : start + n_lanes]
    index = int(np.int64(0))
    while not best.is_final[0]:
        kind = game.bound if best.guess[0] >= 0 else Bound.NONE.value
        limit = best.limit[0]
        index = find_survivor(
            digits,
            repeats,
            work,
            marks,
            workspace.order,
            lines,
            guesses,
            index,
            kind,
            limit,
            n,
            game.n_colors,
        )
        if index == len(guesses):
            return
        guess = int(np.int64(guesses[index]))
        workspace.sizes[game.packing.shape[1]] = marks[guess]
        consider_guess(game, workspace, answers, guess, n)
        index += 1


@njit_part(inline=True)
def finish_search(
    game: RankedGame | WordGame,
    room: Workspace | WordArena,
    candidates: NDArray[np.int32],
    key: np.uint64,
) -> int:
    """Apply the tie-break, clear the marks, and return the rank of the best guess."""
    rank, n_tied = room.incumbent.guess[0], room.incumbent.n_tied[0]
    # No guess is tied where the search was stopped before its first guess.
    if game.tie_break == TieBreak.RANDOM and n_tied > 0:
        rank = np.int64(room.tied[np.int64(mix(key, np.uint64(0)) % np.uint64(n_tied))])
    elif game.tie_break == TieBreak.HIGHEST_CONSISTENT and n_tied > 0:
        rank = np.int64(room.tied[0])
        for i in range(n_tied):
            if room.marks[room.tied[i]]:
                rank = np.int64(room.tied[i])
    for candidate in candidates:
        room.marks[candidate] = 0
    return int(max(rank, 0))


@njit_part
def consider_guess(
    game: RankedGame, workspace: Workspace, answers: NDArray[np.uint8], guess: int, n: int
) -> None:
    """Count the cells of a guess; keep it if it is the best."""
    # The last cell, that of the winning candidate, was written by the caller.
    sizes = workspace.sizes[: game.packing.shape[1] + 1]
    largest = count_cells(answers, game.packing, sizes)
    if largest < n:
        keep_better(game, workspace, sizes, guess, largest)


@njit_part(inline=True)
def keep_better(
    game: RankedGame | WordGame,
    room: Workspace | WordArena,
    sizes: NDArray[np.int64],
    guess: int,
    largest: int,
) -> None:
    """Compare a guess with the best by all criteria; keep it if it is better.

    The last of its cells is that of the winning candidate; the largest is smaller than the state.
    """
    best, values = room.incumbent, room.values
    length = evaluate_partition(game.kinds, game.tables, sizes, values)
    order = compare(values, best.values, length)
    if order < 0 or best.guess[0] < 0:
        for i in range(length):
            best.values[i] = values[i]
        best.guess[0] = guess
        best.limit[0] = values[0] - game.is_strict
        best.n_tied[0] = 0
        best.is_final[0] = is_unbeatable(game, largest, bool(sizes[-1] > 0))
    if order <= 0 and game.needs_all:
        room.tied[best.n_tied[0]] = guess
        best.n_tied[0] += 1


@njit_part(inline=True)
def is_unbeatable(game: RankedGame | WordGame, largest: int, is_consistent: bool) -> bool:
    """Return whether no later guess can be better: each candidate in a cell of its own."""
    if game.needs_all:
        return False
    if len(game.kinds) == 0:
        return True
    if largest > 1:
        return False
    for kind in game.kinds:  # noqa: SIM110 (numba knows no any)
        if kind == CriterionKind.REMOVALS and not is_consistent:
            return False
    return True


# The best guess of a state by trying all that are eligible: correct for any game.
#
# Each guess divides the candidates into cells, whose sizes, and weights where there are any, give
# the criteria's values. With `weighing` None, numba leaves out what has to do with weights and
# costs.


@njit(allocates=True)
def choose_guesses(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    level: Level,
    chosen: NDArray[np.int64],
    lists: EligibleLists,
    n_responses: int,
    stop: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the guesses of the chosen states into `guesses`, as code indices.

    `lists` has their eligible guesses, if these depend on the history. For `stop` see
    `choose_guess`.
    """
    for place, state in enumerate(chosen):
        candidates = level.candidates[level.starts[state] : level.starts[state + 1]]
        if len(candidates) == 1:
            guesses[state] = candidates[0]
            continue
        ordered = candidates[np.argsort(rule.ranks[candidates])]
        if len(candidates) <= rule.n_direct:
            guesses[state] = ordered[0]
            continue
        eligible = ordered if rule.candidates_only else rule.sequence
        if len(lists.codes) > 0:
            eligible = lists.codes[lists.starts[place] : lists.starts[place + 1]]
        key = level.keys[state]
        guesses[state] = choose_guess(
            scoring, rule, weighing, candidates, eligible, n_responses, key, stop
        )


@njit(allocates=True)
def choose_guess(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    candidates: NDArray[np.int32],
    eligible: NDArray[np.int32],
    n_responses: int,
    key: np.uint64,
    stop: NDArray[np.int64],
) -> int:
    """Return the best of the eligible guesses; any code of the game if it was stopped.

    There are two candidates at least, ascending; the eligible codes are in the order of codes. The
    key is that of the state, for the random tie-break. Another thread sets `stop` to 1 when the
    result is no longer wanted.
    """
    n_cells = min(len(candidates), n_responses) + 1
    counts = np.zeros(n_responses, dtype=np.int64)
    seen = np.zeros(n_cells, dtype=np.int64)
    sizes = np.zeros(n_cells, dtype=np.int64)
    sums = np.zeros(n_cells, dtype=np.int64)
    weights = weigh(weighing, candidates)
    value = np.zeros(len(rule.kinds) * (n_cells + 2) + 1, dtype=np.int64)
    best = np.full(len(value), np.iinfo(np.int64).max)
    tied = np.empty(len(eligible), dtype=np.int32)
    n_tied = 0
    for guess in eligible:
        if stop[0]:
            return int(eligible[0])
        n_found = divide(scoring, guess, candidates, counts, seen, sizes, weights, sums)
        if n_found < 2:
            continue
        length = evaluate(rule, weighing, guess, sizes, sums, value)
        order = compare(value, best, length)
        if order < 0:
            best[:length] = value[:length]
            n_tied = 0
        if order <= 0:
            tied[n_tied] = guess
            n_tied += 1
    return break_tie(rule, tied[:n_tied], candidates, key)


@njit_part(allocates=True)
def weigh(weighing: Weighing | None, candidates: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the weights of some candidates, empty if there are none.

    Where all candidates weigh 0, each counts 1.
    """
    if weighing is None:
        return np.zeros(0, dtype=np.int64)
    weights = weighing.weights[candidates]
    if weights.sum() == 0:
        weights[:] = 1
    return weights


@njit_part
def divide(
    scoring: Scoring,
    guess: int,
    candidates: NDArray[np.int32],
    counts: NDArray[np.int64],
    seen: NDArray[np.int64],
    sizes: NDArray[np.int64],
    weights: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> int:
    """Write number and weight of the candidates in each cell; return how many cells there are.

    `sizes` and `sums`, int64[n_cells], have the cells by their first candidates, zeros after them;
    the last one is that of a right guess. There are no sums without weights, which are then empty.
    `counts`, int64[n_responses], are zeros, and zeros again on return; `seen`, int64[n_cells], is
    scratch.
    """
    sizes[:] = 0
    sums[:] = 0
    is_table, n_secrets = scoring.rule == FeedbackKind.ANSWERS, scoring.answers.shape[1]
    if is_table and guess < n_secrets:
        # Who names a secret in a table of answers learns no more than whether it is the one.
        own = np.searchsorted(candidates, guess)
        if own == len(candidates) or candidates[own] != guess:
            return 1
        sizes[0], sizes[-1] = len(candidates) - 1, 1
        if len(weights) > 0:
            sums[0], sums[-1] = weights.sum() - weights[own], weights[own]
        return 2
    n_found, n_all, win = 0, 0, len(counts) - 1
    # The row of a question is at hand: to ask `respond` for each answer takes a quarter longer.
    row = scoring.answers[guess - n_secrets if is_table else 0 :]
    for at in range(len(candidates)):
        secret = candidates[at]
        reply = int(row[0, secret]) if is_table else respond(scoring, guess, secret)
        # `counts` has the cell's place plus 1.
        cell = counts[reply] - 1
        if cell < 0:
            cell = len(sizes) - 1
            if reply != win:
                cell = n_found
                n_found += 1
            seen[n_all] = reply
            n_all += 1
            counts[reply] = cell + 1
        sizes[cell] += 1
        if len(weights) > 0:
            sums[cell] += weights[at]
    for at in range(n_all):
        counts[seen[at]] = 0
    return n_all


@njit_part
def evaluate(
    rule: Rule,
    weighing: Weighing | None,
    guess: int,
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
    value: NDArray[np.int64],
) -> int:
    """Write the criteria's values of a guess's cells (less is better); return how many."""
    if weighing is None:
        return evaluate_partition(rule.kinds, rule.tables, sizes, value)
    return evaluate_weighted(rule, weighing, int(weighing.costs[guess]), sizes, sums, value)


@njit
def break_tie(
    rule: Rule, tied: NDArray[np.int32], candidates: NDArray[np.int32], key: np.uint64
) -> int:
    """Return one of the tied guesses, which are in the order of codes."""
    if rule.tie_break == TieBreak.RANDOM:
        return int(tied[np.int64(mix(key, np.uint64(0)) % np.uint64(len(tied)))])
    if rule.tie_break == TieBreak.HIGHEST:
        return int(tied[-1])
    if rule.tie_break == TieBreak.HIGHEST_CONSISTENT:
        for guess in tied[::-1]:
            at = np.searchsorted(candidates, guess)
            if at < len(candidates) and candidates[at] == guess:
                return int(guess)
    return int(tied[0])


@njit(allocates=True)
def evaluate_guesses(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    candidates: NDArray[np.int32],
    guesses: NDArray[np.int32],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> None:
    """Write the criteria and cells of each guess, for those who ask why one is chosen.

    `values`, int64[m, n_criteria + n_responses], gets the criteria's values; less is better, and a
    criterion per cost takes two columns. `sizes`, int64[m, n_responses], gets the candidates in
    each cell, by response.
    """
    weights = weigh(weighing, candidates)
    sums = np.zeros(sizes.shape[1], dtype=np.int64)
    for row in range(len(guesses)):
        sizes[row] = 0
        sums[:] = 0
        for at in range(len(candidates)):
            reply = respond(scoring, guesses[row], candidates[at])
            sizes[row, reply] += 1
            if len(weights) > 0:
                sums[reply] += weights[at]
        evaluate(rule, weighing, guesses[row], sizes[row], sums, values[row])


@njit_part(inline=True)
def fill_columns(game: RankedGame, candidates: NDArray[np.int32], work: NDArray[np.uint8]) -> None:
    """Write the rows of a state, by rank: where its candidates have each color, and how often.

    Lanes beyond the candidates hold 255, which is not a response.
    """
    digits, repeats = game.digits, game.repeats
    n_pegs, n_colors = digits.shape[1], game.n_colors
    n_lanes = pad_lanes(len(candidates))
    white_row = n_pegs * n_colors
    start = 2 * white_row * n_lanes
    work[: start + n_lanes] = 0
    work[start + len(candidates) : start + n_lanes] = 255
    for lane in range(len(candidates)):
        rank = candidates[lane]
        for peg in range(n_pegs):
            color = np.int64(digits[rank, peg])
            work[(peg * n_colors + color) * n_lanes + lane] = game.weight
            if game.has_white:
                row = white_row + color * n_pegs + np.int64(repeats[rank, peg])
                work[row * n_lanes + lane] = 1


@njit(is_leaf=True)
def count_cells(
    answers: NDArray[np.uint8], packing: NDArray[np.int64], sizes: NDArray[np.int64]
) -> int:
    """Write how many candidates have each packed response; return the largest size of all.

    `answers`, uint8[n_lanes], are the packed responses, `packing` is that of `RankedGame`. `sizes`,
    int64[n_cells + 1], are written by response, but for the last cell, that of the winning
    candidate.
    """
    n_cells = packing.shape[1]
    largest = int(sizes[n_cells])
    for i in range(n_cells):
        count = 0
        for lane in range(0, len(answers), LANES):
            count += count_lanes(answers, lane, packing[0, i])
        sizes[packing[1, i]] = count
        largest = max(largest, count)
    return largest


class Trial(NamedTuple):
    """What the guesses of a state are compared with."""

    kind: int  # of the first criterion's bound; `Bound.NONE` before there is an incumbent
    limit: int  # the upper limit of the first criterion
    n: int  # number of candidates
    n_colors: int


@njit(is_leaf=True)
def find_survivor(
    digits: NDArray[np.uint8],
    repeats: NDArray[np.uint8],
    work: NDArray[np.uint8],
    marks: NDArray[np.uint8],
    order: NDArray[np.int64],
    lines: NDArray[np.int64],
    guesses: NDArray[np.int32],
    index: int,
    kind: int,
    limit: int,
    n: int,
    n_colors: int,
) -> int:
    """Return the index of the next guess that the first criterion does not rule out.

    Its responses are left in the last row of `work`. The search begins at `index` of `guesses`,
    ranks that ascend. In `order` the cells are counted; one that rules a guess out moves to the
    front. Arrays are those of `RankedGame` and `Workspace`; the last four arguments, of `Trial`.
    """
    trial = Trial(kind, limit, n, n_colors)
    n_pegs, previous = digits.shape[1], -1
    for at in range(index, len(guesses)):
        guess, peg = guesses[at], 0
        while previous >= 0 and peg < n_pegs - 1 and digits[previous, peg] == digits[guess, peg]:
            peg += 1
        previous = guess
        write_answers(digits, repeats, work, trial, guess, peg)
        if trial.kind == Bound.NONE:
            return at
        if is_through(work, order, lines, trial, int(np.int64(marks[guess])), n_pegs):
            return at
    return len(guesses)


@njit_part(inline=True)
def write_answers(
    digits: NDArray[np.uint8],
    repeats: NDArray[np.uint8],
    work: NDArray[np.uint8],
    trial: Trial,
    guess: int,
    peg: int,
) -> None:
    """Write the packed responses to a guess whose first pegs, before `peg`, have been written.

    A packed response is at most 254 (`fits_ranked_game`), so no byte overflows.
    """
    n_pegs, n_colors, n_lanes = digits.shape[1], trial.n_colors, pad_lanes(trial.n)
    while peg < n_pegs:
        color = int(np.int64(digits[guess, peg]))
        black = (peg * n_colors + color) * n_lanes
        repeat = int(np.int64(repeats[guess, peg]))
        white = ((n_colors + color) * n_pegs + repeat) * n_lanes
        place = (2 * n_colors * n_pegs + peg) * n_lanes
        for lane in range(0, n_lanes, LANES):
            add_lanes(work, place + n_lanes + lane, place + lane, black + lane, white + lane)
        peg += 1


@njit_part(inline=True)
def is_through(
    work: NDArray[np.uint8],
    order: NDArray[np.int64],
    lines: NDArray[np.int64],
    trial: Trial,
    n_wins: int,
    n_pegs: int,
) -> bool:
    """Count the cells of the written responses until the first criterion rules the guess out."""
    kind, n_kinds, n = trial.kind, len(order), trial.n
    n_lanes = pad_lanes(n)
    answers = (2 * trial.n_colors + 1) * n_pegs * n_lanes
    # What decides early comes first: with more candidates than cells the empty cells, else the
    # large ones.
    wants_empty = kind == Bound.PARTS and n > 2 * n_kinds
    n_left, n_cells, bound, last = n - n_wins, n_kinds, 0, MOST
    # A consistent guess has a winning cell: it is not counted below, its value is subtracted here.
    limit = trial.limit + (n_wins if kind == Bound.REMOVAL_CELL else -lines[0, n_wins])
    for cell in range(n_kinds):
        packed, size = order[cell], 0
        for lane in range(answers, answers + n_lanes, LANES):
            size += count_lanes(work, lane, packed)
            if kind == Bound.PARTS and size:
                break
        n_left, n_cells = n_left - size, n_cells - 1
        # One step of a bubble sort for each guess: the order follows the guesses just before.
        weight = size == 0 if wants_empty else size
        if weight > last:
            order[cell - 1], order[cell] = packed, order[cell - 1]
        last = weight
        if kind <= Bound.REMOVAL_CELL:
            bound = size
            if n_left <= limit:
                n_cells = 0
        else:
            limit -= lines[0, size]
            if n_left == 0:
                limit, n_cells = limit - lines[0, 0] * n_cells, 0
            # Any line bounds the rest, so a rounded mean, which is fast to compute, is good enough.
            mean = int(n_left / n_cells) if n_cells else 0
            bound = lines[1, mean] * n_left + lines[2, mean] * n_cells
        if bound > limit or n_cells == 0:
            break
    return bool(bound <= limit)
