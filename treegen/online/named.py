"""The online strategies by name, and one game of any of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._options import check_seed, refuse_unknown
from ..errors import StrategyError
from ..games.base import Game
from ..games.names import parse_game
from ..games.pegs import PegRules, make_peg_game
from ..games.rules import Goal, is_weighted

if TYPE_CHECKING:
    from .player import OnlineStrategy


@dataclass(frozen=True, slots=True)
class OnlineName:
    """A named online strategy, as ``treegen strategies`` shows it."""

    name: str  # as users write it
    summary: str
    rule: str
    source: str


_LISTED = (
    OnlineName(
        "adaptive",
        "group tests: each guess asks many questions",
        "counts and places at once: guesses drawn from beliefs (short codes: from codes that"
        " agree with all answers); proved bound by one-by-one",
        "treegen, docs/long-codes.md",
    ),
    OnlineName(
        "one-by-one",
        "count the colors, then one peg at a time",
        "one color on all pegs, each in turn; then the list of occurrences on each peg",
        "MasterMind game, a program and its article with strategies for long codes",
    ),
    OnlineName(
        "one-by-one-distinct",
        "count the colors, then one peg at a time, without repeats",
        "the same, but only distinct colors on each peg, and none that is excluded",
        "the same article, read such that its loop tries no value twice",
    ),
    OnlineName(
        "permutation",
        "count the colors, then search their arrangements",
        "one color on all pegs, each in turn; then Knuth's rule on the arrangements of the"
        " colors found, by compiled tables if available",
        "MasterMind game, a program and its article with strategies for long codes",
    ),
)


def list_online() -> list[OnlineName]:
    """Return the online strategies, in the order in which they are documented."""
    return list(_LISTED)


@refuse_unknown
def start_online(
    name: str, game: Game | str, seed: int = 0, *, tables: str | os.PathLike[str] | None = None
) -> OnlineStrategy:
    """Return a player of one game.

    Parameters
    ----------
    name
        Of the strategy, of `list_online`.
    game
        A peg game with black and white answers, of any size, or its name.
    seed
        Of the strategy's own random choices.
    tables
        Folder of compiled arrangements, only for `permutation`.

    Raises
    ------
    StrategyError
        The name is unknown or the game does not fit, such as one with weights or to be identified.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> player = start_online("one-by-one", parse_game("p100c100r"))
    >>> player.bound
    10100
    """
    check_seed(seed)
    names = [entry.name for entry in _LISTED]
    if name not in names:
        raise StrategyError(f"unknown online strategy {name!r}: {', '.join(names)}")
    game = parse_game(game) if isinstance(game, str) else game
    if not isinstance(game.rules, PegRules):
        raise StrategyError(f"{name} plays peg games; {game.name} is not one")
    if is_weighted(game.rules):
        raise StrategyError(f"{name} cannot use weights or costs")
    if game.rules.goal != Goal.WIN:
        raise StrategyError(f"{name} plays until its guess is right: the goal is to win")
    if name != "permutation" and tables is not None:
        raise StrategyError(f"compiled arrangements are for permutation, not for {name}")
    # Who lists the strategies needs no compiler.
    from .adaptive import Adaptive
    from .one_by_one import OneByOne
    from .permutation import Permutation

    match name:
        case "adaptive":
            return Adaptive(game, seed)
        case "permutation":
            return Permutation(game, seed, tables=tables)
    return OneByOne(game, seed, duplicates=name == "one-by-one")


def score_colors(guess: NDArray[np.integer], secret: NDArray[np.integer]) -> tuple[int, int]:
    """Return the black and white pegs of two codes, by the plain definition."""
    n_colors = int(max(guess.max(), secret.max())) + 1
    black = int((guess == secret).sum())
    uses = np.bincount(guess, minlength=n_colors), np.bincount(secret, minlength=n_colors)
    return black, int(np.minimum(*uses).sum()) - black


def play_online(strategy: OnlineStrategy, secret: NDArray[np.integer]) -> int:
    """Play a game to its end and return the number of guesses."""
    while not strategy.is_over:
        strategy.observe(*score_colors(strategy.next_guess(), secret))
    return strategy.n_answers


def warm_up(name: str) -> None:
    """Play two tiny games, so that no later game's time includes loading the kernels."""
    for game in (make_peg_game(4, 4), make_peg_game(18, 18)):
        play_online(start_online(name, game), draw_secret(game, 0, 0))


def replay(
    name: str,
    game: Game,
    seed: int,
    answers: Sequence[tuple[int, int]],
    *,
    tables: str | os.PathLike[str] | None = None,
) -> OnlineStrategy:
    """Return a player that has observed the given (black, white) answers, for taking one back."""
    player = start_online(name, game, seed, tables=tables)
    for answer in answers:
        player.next_guess()
        player.observe(*answer)
    return player


def draw_secret(game: Game, seed: int, number: int) -> NDArray[np.int32]:
    """Return secret `number` of a sample: equal seeds give equal secrets on every machine.

    With repetition each peg is drawn independently; without, the colors are shuffled and the first
    `n_pegs` taken (Fisher and Yates). A draw below n is a 64-bit key modulo n.
    """
    from .player import derive_key

    key = int(derive_key(seed, number))
    draws = [int(derive_key(key, peg)) for peg in range(game.n_pegs)]
    if game.rules.repetition:
        return np.array([draw % game.n_colors for draw in draws], dtype=np.int32)
    colors = np.arange(game.n_colors, dtype=np.int32)
    for peg, draw in enumerate(draws):
        other = peg + draw % (game.n_colors - peg)
        colors[peg], colors[other] = colors[other], colors[peg]
    return colors[: game.n_pegs]
