"""Strategies side by side, and games of one strategy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from .._options import check_positive, check_seed, check_whole
from .._printing import Block, Column, Paragraph, Printable, Table
from .._process import announce_saving, forget_saving, is_saving
from ..analysis import (
    Sample,
    SampleInterrupt,
    compare_openings,
    format_average,
    format_histogram,
    generate_csv,
    generate_samples,
)
from ..analysis import simulate as play_sample
from ..errors import Interrupted, TimeLimitError, UsageError
from ..games import Game, PegGame, list_openings
from ..strategies import is_search, parse_strategy, plays_online
from ..tasks import Workers
from .contests import Competitor, Contest, gather, is_tree, list_names, refuse_openings
from .progress import ProgressOption, count_games, open_progress
from .searching import make_watch
from .sources import GameOptions, GameSource, Notice, TreeSource, check_rules, open_game
from .workers import count_jobs, end_in_time, open_cluster

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """The samples of one game.

    Attributes
    ----------
    game, title
        The game, and how it is called.
    samples
        One for each strategy and tree.

    Examples
    --------
    >>> import treegen
    >>> treegen.compare("p2c3r", ["knuth"]).games[0].title
    'p2c3r'
    """

    game: Game
    title: str
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class Comparison(Printable):
    """Strategies and trees side by side, for one game or for several.

    Attributes
    ----------
    games
        The games with their samples.
    n_wanted
        How many samples were asked for; there are fewer after Ctrl-C.

    Examples
    --------
    >>> import treegen
    >>> comparison = treegen.compare("p2c3r", ["knuth", "entropy"])
    >>> [sample.total for sample in comparison.samples]
    [24, 21]
    """

    games: tuple[ComparedGame, ...]
    n_wanted: int

    @property
    def samples(self) -> list[Sample]:
        """The samples of all games."""
        return [sample for of_game in self.games for sample in of_game.samples]

    def to_dict(self) -> dict[str, Any]:
        """Return the samples for JSON."""
        return {"samples": [sample.to_dict() for sample in self.samples]}

    def generate_csv(self) -> Iterator[str]:
        """Yield the lines of a CSV file: a header, one row for each sample."""
        yield from generate_csv(self.samples)

    def to_dataframe(self) -> pd.DataFrame:
        """Return a pandas frame, one row for each sample; raise DependencyError without pandas."""
        from .._loading import import_pandas

        frame: pd.DataFrame = import_pandas().DataFrame(self.to_dict()["samples"])
        return frame

    def plot(self) -> Figure:
        """Draw histograms and curves, or, of several games, averages by size.

        Raises
        ------
        DependencyError
            matplotlib is not installed.
        UsageError
            The games do not fit in one picture.
        """
        from ..analysis import plot_samples, plot_sizes

        lists = [list(of_game.samples) for of_game in self.games]
        if len(lists) == 1:
            return plot_samples(lists[0])
        return plot_sizes([of_game.game for of_game in self.games], lists)

    def describe(self) -> Iterator[Block]:
        """Yield a table for each game that has results."""
        shown = [of_game for of_game in self.games if of_game.samples]
        for number, of_game in enumerate(shown):
            if number:
                yield Paragraph("")
            yield Paragraph(of_game.title)
            yield make_table(of_game.samples)


def compare(
    games: Competitor | Sequence[Competitor | Contest] = (),
    strategies: str | TreeSource | Sequence[str | TreeSource] = (),
    *,
    eligible: str | None = None,
    n: int = 1000,
    seed: int = 0,
    openings: bool = False,
    time_limit: float | None = None,
    scheduler: str | None = None,
    patience: float | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Comparison:
    """Compare strategies and trees, for one game or for several.

    Strategies that make trees are exact over every secret; online and random ones play `n` games.

    Parameters
    ----------
    games
        A game or several, each a value, a name or the path of a codebook; trees or their files
        among them go into the comparison of their game. Or what `gather` returned of them.
    strategies
        Names, chains, searches (``"optimal"``, ``"best"``), trees or their files; one or several.
    eligible
        What all of them may guess, as of `build`; a tree by another rule is refused.
    n, seed
        Of the games that online and random strategies play.
    openings
        Whether each strategy is played after each possible opening.
    time_limit
        End each search after so many seconds; the best tree so far counts.
    scheduler, patience
        Work on a dask cluster, as in `build`.
    jobs
        Threads; None: all cores.
    progress
        Called with a `Progress` now and then; True shows a bar.
    notice
        Called with what should be known meanwhile, such as a cluster that is silent.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`.

    Raises
    ------
    StrategyError, GameError, UsageError
        A strategy or a game is unknown, or does not fit.
    Interrupted
        Ctrl-C; its `result` is the comparison of the strategies that are done.

    Examples
    --------
    >>> import treegen
    >>> found = treegen.compare("p3c4r", ["knuth", "optimal"])
    >>> [(sample.strategy, sample.total) for sample in found.samples]
    [('knuth', 216), ('optimal', 206)]
    """
    check_rules(compare, rules)
    check_whole(n=n, jobs=jobs)
    check_seed(seed)
    check_positive(time_limit=time_limit)
    given = _list(games)
    is_gathered = bool(given) and all(isinstance(entry, Contest) for entry in given)
    contests = given if is_gathered else gather(given, _list(strategies), rules, eligible)
    if openings:
        refuse_openings(contests)
    done: list[list[Sample]] = [[] for _ in contests]
    forget_saving()  # what an interrupted call before this one kept is none of its business
    with open_cluster(scheduler, patience, notice) as workers:
        run = _Run(eligible, n, seed, openings, time_limit, count_jobs(jobs), workers, progress)
        try:
            for contest, samples in zip(contests, done, strict=True):
                for sample in run.generate(contest):
                    samples.append(sample)
                    if is_saving():  # Ctrl-C ended a search, and this is its best tree so far
                        raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            announce_saving("the strategies that are done")
            raise Interrupted(_finish(contests, done)) from stop
    return _finish(contests, done)


def simulate(
    game: GameSource,
    strategy: str | None = None,
    *,
    eligible: str | None = None,
    n: int = 100,
    seed: int = 0,
    tables: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    scheduler: str | None = None,
    patience: float | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Sample:
    """Play games against secrets drawn by a seed, with codes of any length.

    Parameters
    ----------
    game
        A game, its name, or the path of a codebook.
    strategy
        A name or a chain. None: ``"adaptive"``, or ``"knuth"`` where that cannot play.
    eligible
        What may be guessed: ``"hints"`` is Wordle's hard mode.
    n, seed
        How many games; the seed of secrets and random choices.
    tables
        ``"permutation"``: a folder of compiled arrangements; see `patterns`.
    time_limit
        Stop after so many seconds, with the games that are over: fewer than `n`.
    scheduler, patience
        Work on a dask cluster, as in `build`.
    jobs
        Threads; None: all cores.
    progress
        Called with a `Progress` now and then; True shows a bar.
    notice
        Called with what should be known meanwhile, such as a cluster that is silent.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`.

    Raises
    ------
    StrategyError, GameError, UsageError
        The strategy or the game is unknown, or an option does not fit.
    TimeLimitError
        The time limit was over before a game was.
    Interrupted
        Ctrl-C; its `result` is the sample of the games that are over.

    Examples
    --------
    >>> import treegen
    >>> sample = treegen.simulate("p20c20r", "one-by-one", n=5, seed=1)
    >>> sample.n, sample.worst <= 20 * 21
    (5, True)
    """
    check_rules(simulate, rules)
    check_whole(n=n, jobs=jobs)  # before kernels are compiled
    value = open_game(game, **rules)
    name = strategy or choose_strategy(value)
    if not isinstance(name, str):
        raise UsageError(
            f"a name or a chain is simulated, not {name!r:.80}; compare takes any strategy's tree"
        )
    try:
        with (
            end_in_time(time_limit),
            open_cluster(scheduler, patience, notice) as workers,
            open_progress(progress, f"{value.name} {name}") as tell,
        ):
            return play_sample(
                value,
                name,
                n,
                seed,
                eligible=eligible,
                jobs=count_jobs(jobs),
                tables=tables,
                progress=count_games(tell, "games"),
                workers=workers,
            )
    except TimeLimitError as stop:
        if isinstance(stop.__cause__, SampleInterrupt):
            return stop.__cause__.sample
        raise TimeLimitError(str(stop), "no game was finished") from stop
    except SampleInterrupt as stop:
        raise Interrupted(stop.sample) from stop


def choose_strategy(game: Game) -> str:
    """Return the default strategy: one for any length if it can play the game."""
    return "adaptive" if isinstance(game, PegGame) and game.rule == "pegs" else "knuth"


def is_random(game: Game, name: str) -> bool:
    """Whether a strategy plays a sample of games."""
    if is_search(name):
        return False
    return plays_online(name) or not parse_strategy(name, game).is_deterministic


def make_table(samples: Sequence[Sample]) -> Table:
    """Return a table with a row for each sample."""
    columns = [
        Column("strategy", is_text=True),
        Column("games", 3),
        Column("total"),
        Column("average"),
        Column("worst"),
        Column("of them", 2),
        Column("histogram", 1, is_text=True),
        Column("build s", 4),
        Column("s a game", 5),
    ]
    rows = [
        [
            sample.label,
            f"{sample.n} (all)" if sample.is_exact else str(sample.n),
            str(sample.total),
            format_average(sample),
            str(sample.worst),
            str(sample.n_worst),
            format_histogram(sample),
            f"{sample.build_s:.3f}",
            f"{sample.time_per_game_s:.2g}",
        ]
        for sample in samples
    ]
    return Table(columns, rows)


@dataclass(frozen=True, slots=True)
class _Run:
    """How the games of a comparison are played."""

    eligible: str | None
    n: int
    seed: int
    openings: bool
    time_limit: float | None
    jobs: int
    workers: Workers | None
    progress: ProgressOption

    def generate(self, contest: Contest) -> Iterator[Sample]:
        """Yield the sample of each strategy and tree for one game."""
        if self.openings:
            yield from self._run_openings(contest)
            return
        with open_progress(self.progress, contest.title) as tell:
            samples = generate_samples(
                contest.game,
                contest.entrants,
                eligible=self.eligible,
                n=self.n,
                seed=self.seed,
                jobs=self.jobs,
                progress=count_games(tell, "strategies"),
                workers=self.workers,
                make_watch=None if self.time_limit is None else lambda: make_watch(self.time_limit),
            )
            for sample, source in zip(samples, contest.sources, strict=True):
                yield replace(sample, source=source)

    def _run_openings(self, contest: Contest) -> list[Sample]:
        game = contest.game
        codes = list_openings(game)
        if codes is None:
            raise UsageError(
                f"--openings needs a peg game without weights and costs; {contest.title} has no"
                " symmetry, and treegen openings ranks its first guesses"
            )
        texts = [game.format_code(code) for code in codes]
        names = [name for _, name in list_names([contest])]
        return compare_openings(
            game, names, texts, eligible=self.eligible, jobs=self.jobs, workers=self.workers
        )


def _finish(contests: Sequence[Contest], done: Sequence[Sequence[Sample]]) -> Comparison:
    games = tuple(
        ComparedGame(contest.game, contest.title, tuple(samples))
        for contest, samples in zip(contests, done, strict=True)
    )
    return Comparison(games, sum(len(contest.entrants) for contest in contests))


def _list(given: Any) -> list[Any]:
    """Return one or several things as a list."""
    is_one = isinstance(given, (str, bytes, os.PathLike, Game)) or is_tree(given)
    return [given] if is_one or hasattr(given, "read") else list(given)
