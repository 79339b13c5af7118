"""Near-optimal trees of games whose proof is out of reach, with the proved gap."""

from __future__ import annotations

import os

from ..games import Game
from ..tasks import Notice, Workers
from ..tree import History, Tree
from .near_optimal_search import search_near_optimal
from .request import SearchControl, SearchSpec
from .search_log import SearchLog, Watch


def build_best(
    game: Game,
    *,
    beam: int | None = None,
    eligible: str = "all",
    history: History = (),
    first: tuple[str, ...] = (),
    watch: Watch | None = None,
    state_dir: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    look_ahead: int | None = None,
    gap: float | None = None,
    log: SearchLog | None = None,
    notice: Notice | None = None,
    workers: Workers | None = None,
    table_size: int | None = None,
) -> Tree:
    """Build a near-optimal tree: a beam of growing width with small states solved exactly.

    Parameters
    ----------
    game
        The game.
    beam
        Guesses that big states try; the search widens 1, 2, 4 … up to it. None: 8, or as wide
        as the time allows where a `watch` ends it.
    eligible
        ``all``, or a rule of play: ``hints`` (Wordle's hard mode), ``consistent``.
    history
        Guesses already made and the responses to them.
    first
        The first guesses allowed after the history, in the game's notation. Empty: all.
    watch
        Called several times a second with the progress; True ends the search within half a second.
        There is a complete tree from the beginning, at first a greedy one.
    state_dir
        Folder that keeps the best trees of the cells; a later search resumes from it. Damaged files
        are computed again.
    jobs
        Threads. Without a time limit the tree does not depend on it.
    look_ahead
        Guesses after the first one that the proved lower bound looks ahead; each further one takes
        many times as long. None: 1, or 0 for a codebook of thousands of words.
    gap
        After the beams, an exact search proves that no tree is better by more than so many percent,
        or finds the best one. None: whatever gap is left.
    log
        Where to write the settings and the history of the search.
    notice
        Called with what the user should know: damaged files in that folder.
    workers
        They search instead of threads of this process; the tree does not depend on them.
    table_size
        MiB of the table of proofs of an exact search, at most; None: by the game's size, up to 256.

    Returns
    -------
    Tree
        Never worse than the trees of the rules that are tried first. Its provenance carries the
        proved lower bound of the total.

    Raises
    ------
    GameError
        A tree of the game fits into no memory, or `first` holds no code of the game.
    UsageError
        No secret agrees with the history, no first guess that is given gains information, the
        beam is too wide, or only `build_optimal` can do it: `eligible` is ``candidates``, or a gap
        is to be proved where nothing else proves any.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> tree = build_best(parse_game("p3c4r"), beam=4)
    >>> tree.provenance.bound <= 206 <= tree.total
    True
    """
    spec = SearchSpec(
        eligible=eligible,
        history=history,
        first=first,
        beam=beam,
        look_ahead=look_ahead,
        gap=gap,
    )
    control = SearchControl(jobs, workers, state_dir, notice, watch, log=log, table_size=table_size)
    return search_near_optimal(game, spec, control)
