"""Weighing coins: one of them is false, heavier or lighter; a balance compares two groups.

A ready game of questions. To make another one, list the candidates, the questions, and what each
candidate answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ..errors import GameError
from .answer_table import AnswerTable
from .questions import Questions

FEWEST_COINS, MOST_COINS = 3, 12
"""With two coins nothing tells which is false; more than 12 have too many weighings."""

ANSWERS = ("balance", "left", "right")
"""What a weighing shows: both sides balance, or one is heavier."""

Weighing = tuple[tuple[int, ...], tuple[int, ...]]
"""The coins on the left and on the right."""


def make_coins(n_coins: int) -> Questions:
    """Return the game of finding one false coin, and whether it is heavier or lighter.

    Every weighing of equally many coins on both sides may be asked.

    Parameters
    ----------
    n_coins
        How many coins there are.

    Raises
    ------
    GameError
        Fewer than 3 or more than 12.

    Examples
    --------
    >>> game = make_coins(3)
    >>> game.table.questions
    ('1 against 2', '1 against 3', '2 against 3')
    >>> game.table.names[0], game.format_response(game.score(game.first_guess, 0), 6)
    ('1 heavier', 'left')
    """
    if not FEWEST_COINS <= n_coins <= MOST_COINS:
        raise GameError(f"{FEWEST_COINS} to {MOST_COINS} coins can be weighed, not {n_coins}")
    weighings = list(list_weighings(n_coins))
    names = [f"{coin + 1} {kind}" for coin in range(n_coins) for kind in ("heavier", "lighter")]
    questions = [f"{_write(left)} against {_write(right)}" for left, right in weighings]
    # The pan of each coin in each weighing: 0 none, 1 left, 2 right.
    pans = np.zeros((n_coins, len(weighings)), dtype=np.uint8)
    for place, (left, right) in enumerate(weighings):
        pans[list(left), place], pans[list(right), place] = 1, 2
    matrix = np.repeat(pans, 2, axis=0)
    matrix[1::2] = np.array([0, 2, 1], dtype=np.uint8)[pans]  # a lighter coin lets its pan rise
    rows = tuple((row,) for row in range(len(names)))
    answers = (ANSWERS,) * len(weighings)
    table = AnswerTable(tuple(names), tuple(questions), answers, matrix, rows)
    return Questions(table, label=f"coins{n_coins}")


def parse_coins(name: str) -> Questions | None:
    """Return the game of a name, ``coins12``; None for other names."""
    match = re.fullmatch(r"coins(\d{1,9})", name, re.ASCII)
    return make_coins(int(match[1])) if match else None


def list_weighings(n_coins: int) -> Iterator[Weighing]:
    """Yield the weighings, fewest coins first; the least coin on a pan is on the left.

    Examples
    --------
    >>> [len(list(list_weighings(n))) for n in (3, 4, 12)]
    [3, 9, 36894]
    """
    for size in range(1, n_coins // 2 + 1):
        for left in combinations(range(n_coins), size):
            # Exchanging the pans tells the same.
            others = [coin for coin in range(left[0] + 1, n_coins) if coin not in left]
            for right in combinations(others, size):
                yield left, right


def _write(coins: tuple[int, ...]) -> str:
    return " ".join(str(coin + 1) for coin in coins)
