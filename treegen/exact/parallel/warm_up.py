"""Getting other processes ready, while the client still works alone at the beginning of a search.

A process that begins loads the compiled kernels, and makes the responses of the game: seconds
during which the client looks for the leading guess.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games import Game
from ...tasks import Workers
from ..core import (
    INFEASIBLE,
    UNLIMITED,
    ItemTime,
    Pace,
    make_canonizer,
    make_cost_model,
    make_group,
    make_response_matrix,
    make_search,
    make_table,
)
from .problem import RootState, make_root_state
from .work_item import WorkItem, do_work_item
from .worker import SearchWorker
from .worker_cache import find_matrix, read_root_state

MIN_PAIRS = 10_000_000
"""Games of fewer pairs of guess and candidate are solved before others are ready."""

N_SEARCHED = 30
"""So many candidates are searched, which takes some milliseconds."""


def warm_workers(workers: Workers, game: Game, candidates: NDArray[np.int32]) -> None:
    """Send each worker what it needs for a search, and do not wait for it.

    Whether it arrives does not matter: who is not ready when work comes gets ready then.

    Parameters
    ----------
    workers
        They are left alone if they are threads of this process, which has everything.
    game, candidates
        The game, and the codes that are possible at the root, ascending.
    """
    if workers.share_memory or game.n_codes * len(candidates) < MIN_PAIRS:
        return
    root = make_root_state(game, candidates)
    for _ in range(workers.count()):
        workers.executor.submit(get_ready, root)


def get_ready(root: RootState) -> None:
    """Make what this process keeps of a game; search a few candidates, which loads the kernels."""
    find_matrix(root)
    game, candidates = read_root_state(root)
    few = candidates[:N_SEARCHED]
    matrix = make_response_matrix(game, few)
    model = make_cost_model(len(few), matrix.n_responses)
    table = make_table(make_canonizer(game, few))
    search = make_search(matrix, make_group(game), model, table, (), UNLIMITED)
    everything = np.arange(len(few), dtype=np.int32)
    item = WorkItem(everything, (), INFEASIBLE)
    do_work_item(SearchWorker(search, Pace()), item, ItemTime.until_done())
