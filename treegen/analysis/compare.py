"""Strategies and finished trees for one game, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..games import Game, resolve_eligible
from ..strategies import (
    Strategy,
    change_strategy,
    is_search,
    join_names,
    parse_strategy,
    plays_online,
)
from ..tasks import Workers
from ..tree import Tree
from .evaluation import generate_rows
from .sample import (
    Progress,
    Sample,
    count_exactly,
    count_search,
    count_trees,
    refuse_eligible,
    sample_tree,
    simulate,
)

if TYPE_CHECKING:
    from ..exact import Watch


FIGURES = (
    "game",
    "strategy",
    "exact",
    "n",
    "seed",
    "total",
    "average",
    "ci95",
    "worst",
    "n_worst",
    "histogram",
    "build_s",
    "time_per_game_s",
)
"""Columns of every sample."""

SAMPLE_COLUMNS = (*FIGURES, "bound", "source")
"""Columns that searches and files add."""


def generate_csv(
    samples: Sequence[Sample], columns: Sequence[str] = SAMPLE_COLUMNS
) -> Iterator[str]:
    """Yield a CSV file's lines: a header, one row per sample, the histogram joined by ``+``."""
    yield from generate_rows((sample.to_dict() for sample in samples), columns)


def compare(
    game: Game,
    strategies: Sequence[str | Tree],
    *,
    eligible: str | None = None,
    n: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    workers: Workers | None = None,
    make_watch: Callable[[], Watch] | None = None,
) -> list[Sample]:
    """Return the lengths of several strategies' games, exact where there is a tree.

    Parameters
    ----------
    game
        The game.
    strategies
        Names or chains, searches (``"optimal"``, ``"best"``), finished trees of the game.
    eligible
        What all of them may guess, a key of `treegen.games.ELIGIBLE`; None: as each has it. A
        finished tree must have been built by this rule.
    n, seed
        Of the samples of online and random strategies.
    jobs
        Threads that build a tree.
    progress
        Called with the number of strategies done and of all.
    workers
        They play the games and build the trees, one per task; None: this process. Searches always
        run here.
    make_watch
        Called before each search for the watch that may end it; the best tree so far counts.
        None: searches are not ended.

    Raises
    ------
    StrategyError
        A strategy is unknown or does not fit the game.
    UsageError
        A tree is of another game, keeps to another rule or starts mid-game; an online strategy is
        told what it may guess.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> [sample.total for sample in compare(parse_game("p3c4r"), ["knuth", "optimal"])]
    [216, 206]
    """
    return list(
        generate_samples(
            game,
            strategies,
            eligible=eligible,
            n=n,
            seed=seed,
            jobs=jobs,
            progress=progress,
            workers=workers,
            make_watch=make_watch,
        )
    )


def generate_samples(
    game: Game,
    strategies: Sequence[str | Tree],
    *,
    eligible: str | None = None,
    n: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    workers: Workers | None = None,
    make_watch: Callable[[], Watch] | None = None,
) -> Iterator[Sample]:
    """Do the work of `compare`, and yield each sample when it is ready."""
    rules = check_entrants(game, strategies, eligible)
    exact = [rule for rule in rules if rule.is_deterministic]
    counted = iter(_count_all(game, exact, jobs, workers)) if workers is not None else None
    for number, entrant in enumerate(strategies):
        if progress is not None:
            progress(number, len(strategies))
        if isinstance(entrant, Tree):
            yield sample_tree(entrant)
        elif is_search(entrant):
            watch = None if make_watch is None else make_watch()
            yield count_search(game, entrant, eligible=eligible, jobs=jobs, watch=watch)
        elif plays_online(entrant) or not parse_strategy(entrant, game).is_deterministic:
            yield simulate(game, entrant, n, seed, eligible=eligible, jobs=jobs, workers=workers)
        elif counted is not None:
            yield next(counted)
        else:
            rule = change_strategy(parse_strategy(entrant, game), eligible=eligible)
            yield count_exactly(game, rule, jobs=jobs)


def compare_openings(
    game: Game,
    strategies: Sequence[str],
    openings: Sequence[str],
    *,
    eligible: str | None = None,
    jobs: int = 1,
    workers: Workers | None = None,
) -> list[Sample]:
    """Return the exact lengths of each deterministic strategy after each of some openings."""
    rules = [
        replace(rule, opening=(opening,), name=f"{rule.name} first={join_names([opening])}")
        for rule in check_entrants(game, strategies, eligible)
        for opening in openings
    ]
    return _count_all(game, rules, jobs, workers)


def check_entrants(
    game: Game, strategies: Sequence[str | Tree], eligible: str | None = None
) -> list[Strategy]:
    """Return the strategies that follow a rule; raise before the work if anything does not fit.

    Raises
    ------
    StrategyError
        A strategy is unknown or does not fit the game.
    UsageError
        A tree is of another game, or keeps to another rule than all others; an online strategy is
        told what it may guess.
    """
    resolved = None if eligible is None else resolve_eligible(game, eligible)
    rules = []
    for entrant in strategies:
        if isinstance(entrant, Tree):
            _check_tree(game, entrant, eligible)
        elif plays_online(entrant):
            refuse_eligible(entrant, eligible)
        elif not is_search(entrant):
            rules.append(change_strategy(parse_strategy(entrant, game), eligible=eligible))
        elif entrant == "best" and resolved == "candidates":
            raise UsageError(
                f"best guesses all codes or keeps to a rule of play; eligible={eligible} is for"
                " optimal and for rules"
            )
    return rules


def _check_tree(game: Game, tree: Tree, eligible: str | None) -> None:
    """Raise UsageError for a tree of another game, or by another rule."""
    if tree.game.description != game.description:
        raise UsageError(f"a tree of {tree.game.name} is not one of {game.name}")
    own = tree.provenance.eligible
    if eligible is not None and resolve_eligible(game, own) != resolve_eligible(game, eligible):
        raise UsageError(
            f"a tree of {tree.provenance.strategy} was built with eligible={own}: it cannot be"
            f" compared with what keeps to eligible={eligible}"
        )


def _count_all(
    game: Game, rules: Sequence[Strategy], jobs: int, workers: Workers | None
) -> list[Sample]:
    """Return the exact lengths of deterministic strategies."""
    for rule in rules:
        if not rule.is_deterministic:
            raise UsageError(f"{rule.name} chooses at random: sample it")
    counted = dict(count_trees(game, rules, jobs=jobs, workers=workers))
    return [
        Sample(game.name, rule.name, lengths, None, build_s, play_s, weights=game.weights)
        for rule, (lengths, build_s, play_s) in zip(
            rules, (counted[number] for number in range(len(rules))), strict=True
        )
    ]
