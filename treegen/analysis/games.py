"""Games as tasks: any worker plays some games of a sample, or counts the lengths of a tree."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ..builder import build_tree
from ..games import Game, from_description, parse_game
from ..online import derive_key, draw_secret, play_online, start_online, warm_up
from ..strategies import Strategy, parse_chain, parse_rule
from ..tasks import Workers, run_tasks
from ..tree import Tree

CHUNK_S = 0.5
"""Seconds that the games of a task take, estimated from the first game."""

Counted = tuple[NDArray[np.int64], float, float]
"""Length for each secret; seconds to build the tree and to count."""


def play_game(
    game: Game,
    name: str,
    seed: int,
    number: int,
    *,
    tables: str | os.PathLike[str] | None = None,
) -> int:
    """Return the length of one game of an online strategy's sample: number 0 is its first."""
    player = start_online(name, game, int(derive_key(seed, number, 1)), tables=tables)
    return play_online(player, draw_secret(game, seed, number))


def play_chunk(
    description: str, name: str, seed: int, first: int, last: int, tables: str | None
) -> list[int]:
    """Return the lengths of the games `first` to `last - 1` of a sample."""
    game = from_description(json.loads(description))
    warm_up(name)
    return [play_game(game, name, seed, number, tables=tables) for number in range(first, last)]


def play_games(
    workers: Workers,
    game: Game,
    name: str,
    seed: int,
    tables: str | os.PathLike[str] | None,
    progress: Callable[[int, int], None],
    lengths: NDArray[np.int64],
) -> None:
    """Let workers play a sample's games in chunks; `lengths` is written in place.

    A game depends only on the seed and its number: the chunks change nothing.
    """
    started, n = time.perf_counter(), len(lengths)
    lengths[0] = play_game(game, name, seed, 0, tables=tables)
    most = ceil(n / max(1, workers.count()))
    size = min(most, ceil(CHUNK_S / max(time.perf_counter() - started, 1e-6)))
    description, folder = json.dumps(game.description), tables and os.fspath(tables)
    chunks = [(first, min(first + size, n)) for first in range(1, n, size)]
    tasks = ((chunk, (description, name, seed, *chunk, folder)) for chunk in chunks)
    n_done = 1
    for (first, last), found in run_tasks(workers, play_chunk, tasks):
        lengths[first:last] = found
        n_done += last - first
        progress(n_done, n)


@cache
def load_builder() -> None:
    """Load or compile the kernels that build trees of peg games, before a build is timed."""
    build_tree(parse_game("p2c2r"), parse_chain("max"))


def count_tree(game: Game, rule: Strategy, jobs: int = 1) -> Counted:
    """Build the tree of a strategy and return the length of each secret's game."""
    load_builder()
    started = time.perf_counter()
    tree = build_tree(game, rule, jobs=jobs)
    built = time.perf_counter()
    lengths = lengths_of(tree)
    return lengths, built - started, time.perf_counter() - built


def count_rule(description: str, rule: str) -> Counted:
    """Do the work of `count_tree` for a game and a strategy given as text."""
    return count_tree(from_description(json.loads(description)), parse_rule(rule))


def count_trees(
    game: Game, rules: Sequence[Strategy], *, jobs: int = 1, workers: Workers | None = None
) -> Iterator[tuple[int, Counted]]:
    """Yield a strategy's index and the result of `count_tree` for it, as each is done.

    With workers each tree is a task, and the indices come in any order.
    """
    if workers is None:
        for number, rule in enumerate(rules):
            yield number, count_tree(game, rule, jobs)
        return
    description = json.dumps(game.description)
    tasks = ((number, (description, rule.rule)) for number, rule in enumerate(rules))
    yield from run_tasks(workers, count_rule, tasks)


def lengths_of(tree: Tree) -> NDArray[np.int64]:
    """Return the length of the game for each secret of a whole game's tree, -1 if it has none."""
    wins = tree.is_winning
    lengths = np.full(tree.game.n_secrets, -1, dtype=np.int64)
    lengths[tree.guess[wins]] = tree.lengths[wins]
    return lengths
