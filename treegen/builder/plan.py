"""What a build needs before it starts: the strategy as arrays, the first level, an estimate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .._memory import read_available_bytes
from .._rule_kinds import EligibleKind, TieBreak
from ..errors import GameError, UsageError
from ..games import (
    Game,
    Goal,
    describe_first_breach,
    is_rule_of_play,
    resolve_eligible,
    write_count,
)
from ..kernels import Level, mix
from ..kernels.onestep import Rule
from ..strategies import Strategy
from ..tree import History, describe_conflict, list_columns, select_candidates

_TIE_BREAKS = {
    "lowest": TieBreak.LOWEST,
    "highest": TieBreak.HIGHEST,
    "highest-consistent": TieBreak.HIGHEST_CONSISTENT,
    "random": TieBreak.RANDOM,
}
_ELIGIBLE = {
    "all": EligibleKind.ALL,
    "candidates": EligibleKind.CANDIDATES,
    "hints": EligibleKind.HINTS,
    "consistent": EligibleKind.CONSISTENT,
}
BYTES_PER_CODE = 64
"""Upper bound of a build's memory per code: codes, counts, ranks, candidates, nodes."""

POSITION_PEG_S = 1e-9
"""Measured time of all levels together, per pair of guess and secret, and per peg of them."""


def make_rule(game: Game, strategy: Strategy) -> Rule:
    """Return a strategy in the kernels' form.

    Raises
    ------
    GameError
        The game has no hints, and only guesses that use them are eligible.
    """
    n_secrets = game.n_secrets
    if game.first_guess and strategy.eligible == "candidates":
        raise UsageError(
            f"{strategy.name} guesses candidates only, but the goal is to identify: questions are"
            " asked, and no candidate is guessed"
        )
    eligible = resolve_eligible(game, strategy.eligible)
    kinds = np.array([criterion.kind for criterion in strategy.criteria], dtype=np.int64)
    tables = np.zeros((len(kinds), n_secrets + 1), dtype=np.int64)
    for row, criterion in zip(tables, strategy.criteria, strict=True):
        row[:] = criterion.table(n_secrets)
    ranks = strategy.code_ranks(game)
    sequence = np.argsort(ranks).astype(np.int32)
    sequence = sequence[sequence >= game.first_guess]
    # A plain integer: numba would compile every kernel anew for a member of an enum.
    tie_break = int(_TIE_BREAKS[strategy.tie_break])
    return Rule(
        kinds,
        tables,
        tie_break,
        eligible == "candidates",
        int(_ELIGIBLE[eligible]),
        1 if game.first_guess else strategy.n_direct,
        ranks,
        sequence,
    )


def make_first_level(game: Game, strategy: Strategy, history: History) -> Level:
    """Return the level of the root: the candidates that agree with the history.

    Raises
    ------
    UsageError
        No secret agrees with it, a guess or a response in it does not exist, or a guess breaks the
        rule that the game is played by.
    GameError
        The game cannot be played by that rule.
    """
    for guess, response in history:
        if not (0 <= guess < game.n_codes and 0 <= response < game.n_responses):
            raise UsageError(f"the history's guess {guess} or response {response} is out of range")
    candidates = select_candidates(game, history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, history))
    resolve_eligible(game, strategy.eligible)
    if is_rule_of_play(strategy.eligible):  # also where it allows the same as candidates
        refuse_breach(game, strategy.eligible, history)
    key = np.uint64(strategy.seed)
    for guess, response in history:
        key = np.uint64(mix(np.uint64(mix(key, guess)), response))
    return Level(
        candidates,
        np.array([0, len(candidates)], dtype=np.int64),
        np.array([key], dtype=np.uint64),
        np.array([-1], dtype=np.int32),
        np.array([-1], dtype=list_columns(game.n_responses)["response"]),
    )


def refuse_breach(game: Game, eligible: str, history: History) -> None:
    """Raise UsageError if a guess of a history may not be made after those before it.

    Examples
    --------
    >>> from treegen.games import CodebookGame
    >>> game = CodebookGame(["crane", "crate", "caret"], rule="position")
    >>> refuse_breach(game, "hints", [(0, game.parse_response("22202")), (1, game.win)])
    """
    breach = describe_first_breach(game, eligible, history)
    if breach:
        raise UsageError(f"the history is not one of a game with eligible={eligible}: {breach}")


def check_size(game: Game, available_bytes: int | None = None) -> None:
    """Raise GameError, with the estimate, if a tree of the game would not fit into memory."""
    needed = game.n_codes * (game.bytes_per_code + BYTES_PER_CODE)
    available = available_bytes or read_available_bytes()
    if needed > available:
        raise GameError(
            f"{game.name} has {write_count(game.n_codes)} codes: its tree needs about"
            f" {_in_gigabytes(needed)} of memory; {_in_gigabytes(available)} are free"
        )


def estimate_codebook_build(game: Game, strategy: Strategy) -> tuple[float, int] | None:
    """Return about how many seconds of one core and bytes a codebook's tree takes to build.

    ``None`` for games whose feedback is quick, or whose symmetries save work.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> from treegen.strategies import parse_strategy
    >>> game = parse_game("p4c6r")
    >>> estimate_codebook_build(game, parse_strategy("knuth", game)) is None
    True
    """
    if game.kind != "codebook" or game.rule != "position":
        return None
    n_guesses = game.n_secrets if strategy.eligible == "candidates" else game.n_codes
    seconds = game.n_secrets * n_guesses * game.n_pegs * POSITION_PEG_S
    return seconds, game.n_codes * (game.n_pegs + game.n_colors + BYTES_PER_CODE)


def list_useful_openings(
    game: Game, candidates: NDArray[np.int32], codes: Sequence[int]
) -> list[int]:
    """Return those of the opening's codes that gain information about the candidates.

    None are needed where the game is over: one candidate is left, and is announced.

    Raises
    ------
    UsageError
        None of them does: a tree that begins with such a guess might never end.
    """
    if game.goal == Goal.IDENTIFY and len(candidates) == 1:
        return []
    useful = []
    for code in codes:
        replies = game.respond(np.array([code]), candidates)
        if replies[0] == game.win or (replies != replies[0]).any():
            useful.append(code)
    if codes and not useful:
        written = game.format_code(codes[0])
        raise UsageError(
            f"the first guess {written} gains no information:"
            f" all {len(candidates):,} secrets give the same answer"
        )
    return useful


def _in_gigabytes(size: int) -> str:
    gigabytes = size // 10**9
    if gigabytes < 10**6:
        return f"{size / 1e9:.1f} GB"
    return f"{write_count(gigabytes).removeprefix('about ')} GB"
