"""Near-optimal trees of games whose proof is out of reach, with the gap that is proved."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from ..builder.plan import check_size
from ..errors import SearchStoppedError, UsageError
from ..games import Game
from ..tree import Provenance, Tree, describe_conflict
from ..tree.provenance import History
from ..tree.walk import select_candidates
from .beam import N_OPENINGS, Beam, list_openings, rank_openings
from .beam_files import load_cells, save_cells
from .build_optimal import build_optimal, make_tree
from .lower_bounds import bound_openings
from .plan import expand_plan
from .search_log import SearchLog
from .solver import Progress, Watch

DEFAULT_BEAM = 8
"""Width of the beam where neither a width nor a time limit is asked for."""

MAX_BEAM = 1024
"""Width at which a search without a given width ends in any case."""


def build_best(
    game: Game,
    *,
    beam: int | None = None,
    history: History = (),
    watch: Watch | None = None,
    state_dir: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    look_ahead: int = 1,
    log: SearchLog | None = None,
) -> Tree:
    """Build a near-optimal tree: a beam of growing width with small states solved exactly.

    Parameters
    ----------
    game
        The game.
    beam
        Guesses that big states try; the search widens 1, 2, 4 … up to it. None: 8, or as wide
        as the time allows where a `watch` ends it.
    history
        Guesses already made and the responses to them.
    watch
        Called some times a second with how far the search is; True ends it. The first complete
        tree is finished in any case.
    state_dir
        Folder that keeps the best trees of the cells; a later search goes on from it.
    jobs
        Threads. Without a time limit the tree does not depend on it.
    look_ahead
        Guesses behind the first one that the proved lower bound looks ahead; each more takes
        many times as long.
    log
        Where to write what was searched and how it went.

    Returns
    -------
    Tree
        Its provenance carries the proved lower bound of the total, which is below it.

    Raises
    ------
    GameError
        No memory holds a tree of the game.
    UsageError
        No secret agrees with the history, or the state belongs to another search.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> tree = build_best(parse_game("p3c4r"), beam=4)
    >>> tree.provenance.bound <= 206 <= tree.total
    True
    """
    check_size(game)
    candidates = select_candidates(game, history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, history))
    if len(candidates) < 3:
        return build_optimal(game, history=history, log=log)
    log = log or SearchLog()
    log.start(game, "best", history, beam=beam, look_ahead=look_ahead, jobs=jobs)
    past = tuple(guess for guess, _ in history)
    last_width = beam or (MAX_BEAM if watch else DEFAULT_BEAM)
    listening = log.listen(watch)
    openings = [guess for _, guess in rank_openings(game, candidates, list_openings(game, past))]
    best = _start(game, candidates, past, openings, listening, state_dir, jobs)
    is_over = _end_with(best, listening)
    width, outcome = 2, "widest beam done"
    try:
        for bound in bound_openings(game, candidates, openings, past, look_ahead, is_over, jobs):
            best.bound = bound
        while width <= last_width:
            best.widen(width, jobs)
            if state_dir is not None:
                save_cells(state_dir, game, past, best)
            width *= 2
    except (SearchStoppedError, KeyboardInterrupt):
        outcome = "stopped"
    log.settings["first_guess"] = best.opening
    log.settings["widths"] = {str(cell.response): cell.width for cell in best.cells}
    log.end(outcome, best.bound, best.total)
    if state_dir is not None:
        save_cells(state_dir, game, past, best)
    rule = f"first guess {game.format_code(best.opening)}; beam={beam or 'until stopped'}"
    provenance = Provenance("best", rule, history, "total", best.bound)
    return make_tree(game, provenance, expand_plan(game, candidates, best.plan()))


def _start(
    game: Game,
    candidates: NDArray[np.int32],
    past: tuple[int, ...],
    openings: list[int],
    watch: Watch,
    state_dir: str | os.PathLike[str] | None,
    jobs: int,
) -> Beam:
    """Return the first complete tree of the best opening."""
    beams = []
    for guess in openings[:N_OPENINGS]:
        beam = Beam(game, candidates, past, guess, watch)
        if state_dir is not None:
            load_cells(state_dir, game, past, beam)
        beam.widen(1, jobs)
        beams.append(beam)
    return min(beams, key=lambda beam: (beam.total or 0, openings.index(beam.opening)))


def _end_with(beam: Beam, watch: Watch) -> Watch:
    """Return a watch for the search of a bound: it ends where the given one says so."""

    def watching(progress: Progress) -> bool:
        return watch(Progress("bound", beam.bound, beam.total, progress.n_states))

    return watching
