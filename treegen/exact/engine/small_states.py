"""Small states that need no search: their exact cost with a guess, or a better lower bound.

Each `solve_…` returns a bound and a guess: the guess attains the bound, which is then the cost; -1
if only the bound is proved. `solve_by_candidates` asks the state's own candidates alone,
`solve_by_guesses` all that may be guessed: by counting cells, surveys or penalties.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit.compiler import njit_part
from ...kernels.rule_kinds import EligibleKind
from . import INFINITE, Int32s, Int64s, UInts
from .cost import CostModel, bound_guess, bound_penalty, find_penalty, has_list, row_below
from .lookahead import (
    ANY_SCORE,
    MaxCells,
    bound_by_cells,
    bound_by_score,
    bound_state,
    count_cells,
    count_local_doubles,
    count_until_perfect,
    find_threshold,
    look_ahead,
    mark_codes,
    survey_best,
)
from .penalties import NO, YES, deepen, fill_depths, mark_own, survey_penalties
from .problem import Search
from .responses import HOPELESS, LANES, ResponseMatrix, Scratch, has_ranking, has_weights, weigh

U, U64 = np.uint32, np.uint64

MAX_TRIALS = 24
"""Guesses outside the candidates that `_find_exact` tries before it gives up."""


@njit_part
def solve_by_candidates(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    first: int,
    left: int,
) -> tuple[int, int]:
    """Search for a candidate that separates all the others, or all but two.

    One that separates all costs 2n - 1, the least of all trees. If there is none, a candidate costs
    2n at least (one pair), and so does any other guess (n cells). There are 3 to `n_responses`
    candidates, and at least 2 guesses left. If `first` is not negative, the places of the
    candidates in the state of the local matrix stand in `scratch.places` from there on.
    """
    if has_weights(matrix):
        return _solve_by_heaviest(matrix, model, scratch, members, first, left)
    n, pair_guess = len(members), -1
    for i in range(n):
        code = matrix.code_of[members[i]]
        if first >= 0:
            n_doubles = count_local_doubles(scratch, first, n, i)
        else:
            n_doubles = _count_doubles(matrix.by_guess, members, code, scratch.marks)
        if n_doubles == 0:
            return _cost_of_split(model, n, left), code
        if n_doubles == 1 and pair_guess < 0:
            pair_guess = code
    return _cost_without_split(model, n, left, pair_guess)


@njit_part
def solve_by_guesses(
    search: Search, members: Int32s, legal: Int32s, left: int, known: int, upper_bound: int
) -> tuple[int, int]:
    """Bound a state by all that may be guessed: by the `legal` ones where a rule lists them.

    By a rule it may end at the `known` bound, a survey at the upper bound.
    """
    matrix, model, scratch = search.matrix, search.model, search.scratch
    if has_list(model) and has_weights(matrix):
        return _solve_by_rule(matrix, model, scratch, members, legal, left, known)
    if has_list(model):
        return _solve_by_legal(matrix, model, scratch, members, legal, left, known)
    if has_weights(matrix):
        return solve_by_penalties(matrix, model, scratch, members, left, upper_bound)
    if has_ranking(matrix) and model.eligible == EligibleKind.ALL:
        return solve_by_survey(matrix, model, scratch, members, left, upper_bound)
    return solve_by_lookahead(matrix, model, scratch, members, left)


@njit_part(inline=True)
def _cost_of_split(model: CostModel, n: int, left: int) -> int:
    """Return the cost of a candidate that separates all the others."""
    single = model.scale + (model.last if left == 2 else 0)
    return n * model.scale + (n - 1) * single


@njit_part(inline=True)
def cost_of_singles(model: CostModel, n: int, left: int) -> int:
    """Return the cost of a guess outside the candidates that separates them all."""
    return n * (2 * model.scale + (model.last if left == 2 else 0))


@njit_part(inline=True)
def _cost_without_split(model: CostModel, n: int, left: int, pair_guess: int) -> tuple[int, int]:
    """Return the bound and guess where only `pair_guess`, or none (-1), leaves a single pair."""
    single = model.scale + (model.last if left == 2 else 0)
    if model.eligible == EligibleKind.CANDIDATES:
        others = INFINITE if left == 2 else (2 * n + 1) * model.scale
    else:
        others = n * model.scale + n * single
    # A pair needs two more guesses: with two left in all there is only one.
    if pair_guess < 0 or left == 2:
        return others, -1
    pair_cost = n * model.scale + (n - 3) * single
    pair_cost += model.lower_bounds[row_below(model, left), 1, 2]
    if pair_cost <= others:
        return pair_cost, pair_guess
    return others, -1


@njit_part
def _count_doubles(by_guess: UInts, members: Int32s, code: int, marks: Int64s) -> int:
    """Return the number of candidates that share a response with an earlier one; stops at 2."""
    marks[-1] += 1
    now = marks[-1]
    n_doubles = 0
    for i in range(len(members)):
        response = by_guess[code, members[i]]
        if marks[response] == now:
            n_doubles += 1
            if n_doubles == 2:
                break
        marks[response] = now
    return n_doubles


@njit_part
def solve_by_lookahead(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, members: Int32s, left: int
) -> tuple[int, int]:
    """Bound a state by the cells of all guesses; solve it if cells of one or two attain that.

    There are 3 candidates or more, and at least 2 guesses left. No candidate separates them all:
    `solve_by_candidates` has checked that, unless they are more than the responses.
    """
    n = len(members)
    if model.eligible == EligibleKind.CANDIDATES or n >= matrix.n_responses:
        bound, max_cells = look_ahead(matrix, model, scratch, members, left)
    else:
        guess = count_until_perfect(matrix, scratch, members, n)
        if guess >= 0:
            # It is not a candidate, so all n are found with the guess after it.
            return cost_of_singles(model, n, left), guess
        bound, max_cells = bound_by_cells(matrix, model, scratch, members, left)
    # With more candidates some cell has three.
    if bound < INFINITE and n <= 2 * max(max_cells.outside, max_cells.inside) + 1:
        nothing = members[:0]
        return bound, _find_exact(matrix, model, scratch, members, nothing, left, bound, max_cells)
    return bound, -1


@njit_part
def solve_by_survey(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    left: int,
    upper_bound: int,
) -> tuple[int, int]:
    """Bound a state by the best score of all guesses, as far as its upper bound needs it.

    As `solve_by_lookahead`; the game has a ranking, and all guesses are eligible. A bound that
    reaches the upper bound may be lower than that of all guesses.
    """
    n = len(members)
    limit = min(n, matrix.n_responses) + 1
    threshold = find_threshold(model, n, left, limit, upper_bound, ANY_SCORE)
    # No candidate separates them all, so no other guess beats one that does.
    most, tile = survey_best(matrix, scratch, members, threshold, n)
    bound = bound_by_score(model, n, left, most, most)
    if tile >= 0 and bound < INFINITE and n < 2 * most:
        for place in range(tile * LANES, (tile + 1) * LANES):
            if scratch.n_cells[place] == most:
                code = matrix.guess_at[place]
                if _cost_without_triple(matrix, model, scratch, members, code, left) == bound:
                    return bound, int(code)
    return bound, -1


@njit_part
def _find_exact(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    legal: Int32s,
    left: int,
    bound: int,
    max_cells: MaxCells,
) -> int:
    """Return a guess without a cell of three that costs what a lookahead's bound says, or -1.

    Candidates come first. Cells that are the most are counted; by a rule of play the candidates are
    marked, and the first of its list is returned.
    """
    n, most, n_trials = len(members), max(max_cells.outside, max_cells.inside), 0
    for wins in range(1, -1, -1):
        n_cells = max_cells.inside if wins == 1 else max_cells.outside
        if n_cells < 1 or bound_guess(model, n, left, n_cells, wins == 1, most) != bound:
            continue
        n_listed = n if wins == 1 else matrix.by_guess.shape[0]
        for at in range(len(legal) if has_list(model) else n_listed):
            code = at
            if has_list(model):
                code = int(legal[at])
            elif wins == 1:
                code = int(matrix.code_of[members[at]])
            is_kind = not has_list(model) or scratch.is_candidate[code] == wins
            if scratch.n_cells[code] != n_cells or not is_kind:
                continue
            n_trials += 1 - wins
            if n_trials > MAX_TRIALS and not has_list(model):
                break
            if _cost_without_triple(matrix, model, scratch, members, code, left) == bound:
                return code
    return -1


@njit_part
def _solve_by_legal(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    legal: Int32s,
    left: int,
    known: int,
) -> tuple[int, int]:
    """Bound a state by the cells of its legal guesses; end where nothing more can be proved.

    As `solve_by_lookahead`. The legal guesses that have many cells in the whole game come first. A
    bound that is proved from all guesses falls with each that has more cells than those before it:
    once it is down to the `known` one, the rest need not be counted.
    """
    n, guess = len(members), -1
    outside, inside, bound = -1, 0, INFINITE
    mark_codes(matrix, scratch, members, 1)
    for at in range(len(legal)):
        code = legal[at]
        wins = int(scratch.is_candidate[code])
        wanted = inside + 1 if wins == 1 else outside
        n_cells = count_cells(matrix.by_guess, members, code, scratch.marks, wanted) - wins
        scratch.n_cells[code] = n_cells
        if wins == 1 and n_cells > inside:
            inside = n_cells
        elif wins == 0 and n_cells > max(1, outside):
            outside = n_cells
        else:
            continue
        bound = bound_state(model, n, left, MaxCells(outside, inside))
        if bound <= known:
            if _cost_without_triple(matrix, model, scratch, members, code, left) == known:
                guess = code
            break
    if bound > known and bound < INFINITE and n <= 2 * max(outside, inside) + 1:
        max_cells = MaxCells(outside, inside)
        guess = _find_exact(matrix, model, scratch, members, legal, left, bound, max_cells)
    mark_codes(matrix, scratch, members, 0)
    return max(bound, known), guess


FAR: Any = np.int64(-1)
"""Instead of a place: the local matrix is that of another state. See `penalties.YES`."""

MAX_ASKED = 64
"""In larger states a lookahead does not ask the candidates first: one seldom has no rival."""


@njit_part
def _solve_by_heaviest(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    first: int,
    left: int,
) -> tuple[int, int]:
    """Search for the candidate of least penalty, in a game with weights, the heaviest first.

    No candidate has a lower one than what it wins, so the search ends soon. A guess outside has 0
    at least.
    """
    full, n, weight = matrix.weights.full, len(members), weigh(matrix, members)
    are_alone = model.eligible == EligibleKind.CANDIDATES
    low, guess = INFINITE if are_alone else 0, -1
    for i in range(n):
        won = full[members[i]]
        if -won > low or (-won == low and guess >= 0):
            break
        code = matrix.code_of[members[i]]
        if first >= 0:
            penalty, largest = _add_locally(matrix, scratch, members, first, i, low)
        else:
            penalty, largest = _add_plainly(matrix, scratch, members, code, i, low)
        if penalty < low or (penalty == low and guess < 0):
            # With two guesses left no guess may have a pair.
            is_solved = largest < (2 if left == 2 else 3)
            low, guess = penalty, code if is_solved else -1
    bound = min(INFINITE, bound_penalty(model, weight, left, low))
    if (
        guess >= 0
        and model.last > 0
        and _cost_without_triple(matrix, model, scratch, members, guess, left) > bound
    ):
        guess = -1
    return bound, int(guess)


@njit_part(inline=True)
def _add_locally(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, first: int, at: int, limit: int
) -> tuple[int, int]:
    """Return a candidate's penalty and its largest cell, 3 if larger; any above the limit.

    The responses are those of the local matrix.
    """
    full, sets, places = matrix.weights.full, scratch.sets, scratch.places
    row = places[first + at] * U64(scratch.local[0])
    seen = twice = U(0)
    penalty, largest = -full[members[at]], 1
    for j in range(len(members)):
        one = sets[row + places[first + j]]
        if seen & one:
            penalty += full[members[j]]
            if penalty > limit:
                break
            largest = max(largest, 3 if twice & one else 2)
            twice |= one
        seen |= one
    return int(penalty), largest


@njit_part(inline=True)
def _add_plainly(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, code: int, at: int, limit: int
) -> tuple[int, int]:
    """Do what `_add_locally` does, by the response matrix."""
    full, by_guess, marks = matrix.weights.full, matrix.by_guess, scratch.marks
    once, twice = marks[-1] + 1, marks[-1] + 2
    marks[-1] = twice
    penalty, largest = -full[members[at]], 1
    for j in range(len(members)):
        response = by_guess[code, members[j]]
        mark = marks[response]
        if mark >= once:
            penalty += full[members[j]]
            if penalty > limit:
                break
            largest = max(largest, 3 if mark == twice else 2)
            marks[response] = twice
        else:
            marks[response] = once
    return int(penalty), largest


@njit_part
def _cost_without_triple(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    code: int,
    left: int,
) -> int:
    """Return the cost of a guess without a cell of three; `INFINITE` if it has one."""
    full, by_guess, sizes = matrix.weights.full, matrix.by_guess, scratch.sizes
    weight = won = late = np.int64(0)
    has_pair = False
    sizes[:] = 0
    for i in range(len(members)):
        response, own = by_guess[code, members[i]], np.int64(1)
        if has_weights(matrix):
            own = full[members[i]]
        sizes[response] += 1
        weight += own
        if sizes[response] == 3:
            return INFINITE
        if sizes[response] == 2:
            late += own
            has_pair = True
        if response == matrix.n_responses - 1:
            won = own
    if left == 2 and has_pair:
        return INFINITE
    last = weight - won if left == 2 else late if left == 3 else np.int64(0)
    return int(model.scale * (2 * weight - won + late) + model.last * last)


@njit_part
def solve_by_penalties(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    left: int,
    upper_bound: int,
) -> tuple[int, int]:
    """Bound a state by the penalties of all guesses, as far as its upper bound needs it.

    As `solve_by_survey`, in a game with weights.
    """
    n, shift, asked = len(members), matrix.weights.shift, 0
    if model.eligible == EligibleKind.CANDIDATES or n <= MAX_ASKED:
        asked, guess = _solve_by_heaviest(matrix, model, scratch, members, FAR, left)
        is_over = guess >= 0 or asked >= upper_bound
        if is_over or model.eligible == EligibleKind.CANDIDATES:
            return asked, guess
    weight = weigh(matrix, members)
    threshold = find_penalty(model, weight, n, left, upper_bound, shift)
    least, tile = survey_penalties(matrix, scratch, members, threshold)
    if tile < 0:
        return max(asked, upper_bound), -1
    # What a shift cuts off is made good, more than there was: the bound may even be negative.
    bound = max(asked, bound_penalty(model, weight, left, least << shift))
    if bound >= INFINITE or n >= 2 * matrix.n_responses:
        return bound, -1
    for x in range(LANES):
        if scratch.penalties[tile, x] == least:
            code = tile * LANES + x
            if has_ranking(matrix):
                code = matrix.guess_at[code]
            if _cost_without_triple(matrix, model, scratch, members, code, left) == bound:
                return bound, int(code)
    return bound, -1


@njit_part
def _solve_by_rule(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: Int32s,
    legal: Int32s,
    left: int,
    known: int,
) -> tuple[int, int]:
    """Bound a state by the penalties of its legal guesses, and by what is known.

    As `solve_by_penalties` and `_solve_by_legal`.
    """
    shift, weight = matrix.weights.shift, weigh(matrix, members)
    # What comes third in a cell is not asked: it depends on more than the state.
    fill_depths(scratch.levels, len(members), len(members))
    mark_own(matrix, scratch, members, YES)
    least, guess = HOPELESS, -1
    for at in range(len(legal)):
        code = legal[at]
        found = deepen(matrix, scratch, members, code, least)
        if found < least:
            least, guess = found, code
    mark_own(matrix, scratch, members, NO)
    bound = max(known, min(INFINITE, bound_penalty(model, weight, left, least << shift)))
    if guess >= 0 and _cost_without_triple(matrix, model, scratch, members, guess, left) > bound:
        guess = -1
    return bound, int(guess)
