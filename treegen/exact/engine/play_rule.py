"""A rule of play: hard mode, where the answers so far say what may be guessed, and the like.

By such a rule a state is its candidates *and* its legal guesses: after other guesses the same
candidates may cost more. What is legal below a guess is legal above, so each state's list is that
of the state above, filtered by one more answer. The lists shrink fast.

Where there is no rule all lists are empty, and nothing here does any work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...games.base import Game
from ...games.eligible import resolve_eligible, select_eligible
from ...jit.compiler import by_reference, njit, njit_part
from ...kernels.onestep.eligible import filter_codes
from ...kernels.responses import FeedbackKind, Scoring, make_scoring
from ...kernels.rule_kinds import EligibleKind
from . import Int32s, Int64s
from .canonical_state import make_canonizer
from .responses import ResponseMatrix, rank_guesses
from .stack import Stack
from .table import TranspositionTable, make_table, record_proof


@by_reference
class PlayRule(NamedTuple):
    """What may be guessed at the root, and how a list is filtered."""

    scoring: Scoring  # the game in the kernels' form: guesses are compared with each other
    eligible: int  # the number of an `EligibleKind`
    # [n_legal]: the root's legal guesses, those with many cells first; length 0 where no rule
    # depends on answers.
    legal: Int32s
    kept: Int32s  # [n_legal], scratch: the list of a cell that is looked ahead
    hints: Int64s  # [2, n_pegs], scratch of the filter


def make_play_rule(
    game: Game, eligible: int, history: tuple[int, ...], matrix: ResponseMatrix
) -> PlayRule:
    """Return the rule of a search, by the number of an `EligibleKind`.

    The history's guesses were made before the root: every candidate answers them alike.
    """
    if not depends_on_answers(eligible):
        return list_nothing(eligible)
    first = matrix.code_of[:1]
    pairs = [(guess, int(game.respond(np.array([guess]), first)[0])) for guess in history]
    legal = select_eligible(game, EligibleKind(eligible).name.lower(), pairs)
    # With the most cells first, surveys end early.
    place_of = matrix.place_of
    if not len(place_of):
        _, place_of, _ = rank_guesses(
            matrix.by_guess, matrix.code_of, matrix.n_responses, game.n_codes, lambda: None
        )
    legal = legal[np.argsort(place_of[legal])]
    scoring = make_scoring(game.rules)._replace(codes=np.ascontiguousarray(game.codes))
    hints = np.zeros((2, game.n_pegs), dtype=np.int64)
    return PlayRule(scoring, eligible, legal, np.empty_like(legal), hints)


def list_nothing(eligible: int) -> PlayRule:
    """Return a rule without lists, of the types that the rule of a game has."""
    nothing, legal = np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int32)
    codes, counts = (np.zeros((0, 0), dtype=np.uint8) for _ in range(2))
    codes.setflags(write=False)  # as a game's are
    scoring = Scoring(FeedbackKind.POSITION.value, codes, counts, nothing, counts, 0)
    return PlayRule(scoring, eligible, legal, legal.copy(), nothing)


def number_eligible(game: Game, eligible: str) -> int:
    """Return the number of the `EligibleKind` that a key of `treegen.games.ELIGIBLE` stands for."""
    return EligibleKind[resolve_eligible(game, eligible).upper()].value


def make_rule_table(
    game: Game,
    candidates: Int32s,
    rule: PlayRule,
    size: int | None = None,
    seed: int = 20,
    *,
    is_symmetric: bool = True,
) -> TranspositionTable:
    """Return an empty table of proofs about a game's candidates.

    If it is symmetric, what is proved of a set holds for its images. By a rule of play it does not:
    their legal guesses are others.
    """
    has_rule = depends_on_answers(rule.eligible)
    canonizer = make_canonizer(
        game.rules, candidates, is_symmetric=is_symmetric and not has_rule, seed=seed
    )
    return make_table(canonizer, size, n_keyed=game.n_codes if has_rule else 0)


def share_rule(rule: PlayRule) -> PlayRule:
    """Return the same rule for one more thread."""
    return rule._replace(kept=rule.kept.copy(), hints=rule.hints.copy())


def depends_on_answers(eligible: int) -> bool:
    """Whether a rule of play says what may be guessed, by the answers so far."""
    return eligible in (EligibleKind.HINTS, EligibleKind.CONSISTENT)


@njit_part
def filter_legal(
    rule: PlayRule, matrix: ResponseMatrix, guess: int, member: int, legal: Int32s, target: Int32s
) -> int:
    """Write what is legal after one more guess; return how many guesses are.

    The candidate `member` answers the guess. The target may be `legal` itself.
    """
    response = matrix.by_guess[guess, member]
    return filter_codes(rule.scoring, rule.eligible, guess, response, legal, target, rule.hints)


@njit_part
def list_legal(rule: PlayRule, matrix: ResponseMatrix, stack: Stack, depth: int) -> None:
    """Write the legal guesses of the state in a frame: those of the frame above, filtered."""
    frames, above = stack.frames, depth - 1
    guess, member = frames.guess[above], stack.members[above, frames.start[depth]]
    legal = stack.legal[above, : frames.n_legal[above]]
    frames.n_legal[depth] = filter_legal(rule, matrix, guess, member, legal, stack.legal[depth])


@njit
def list_path(rule: PlayRule, matrix: ResponseMatrix, stack: Stack, depth: int) -> None:
    """Write the legal guesses of a state that was put on the stack, and of those above it."""
    frames = stack.frames
    member = stack.members[depth - 1, frames.start[depth]]
    for above in range(1, depth):
        guess, target = frames.guess[above], stack.legal[above + 1]
        legal = stack.legal[above, : frames.n_legal[above]]
        frames.n_legal[above + 1] = filter_legal(rule, matrix, guess, member, legal, target)


@njit
def record_node(
    rule: PlayRule,
    matrix: ResponseMatrix,
    table: TranspositionTable,
    members: Int32s,
    history: Int64s,
    left: int,
    bound: int,
    is_exact: bool,
) -> None:
    """Do what `record_proof` does, for a state behind some guesses since the root."""
    n = len(rule.legal)
    for at in range(n):
        rule.kept[at] = rule.legal[at]
    for i in range(len(history)):
        n = filter_legal(rule, matrix, history[i], members[0], rule.kept[:n], rule.kept)
    record_proof(table, members, left, bound, is_exact, rule.kept[:n])
