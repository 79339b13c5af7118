"""Strategies and finished trees side by side, for one game or for several."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from .._options import (
    POSITIVE,
    TRUTH,
    check_keywords,
    check_range,
    check_seed,
    check_whole,
    describe_parameters,
)
from .._printing import Block, Column, Paragraph, PrintedTable, Tabular, tabulate
from ..catalogue import find_optima
from ..errors import Interrupted, UsageError
from ..formats.inputs import GameOptions, GameSource, Notice, open_game
from ..formats.tree_file import TreeSource, is_tree, read
from ..games.base import Game
from ..games.eligible import Eligible, resolve_eligible
from ..games.histories import format_history
from ..games.pegs import list_openings
from ..games.rules import DIFFERENCES, write_weights
from ..job import make_watch
from ..strategies.named import (
    BEST,
    OPTIMAL,
    is_search,
    parse_strategy,
    plays_online,
    read_provenance,
)
from ..strategies.strategy import (
    Strategy,
    change_strategy,
    join_names,
    read_share_criterion,
    take_strategy,
)
from ..tasks.cluster import open_cluster
from ..tasks.run import Workers
from ..tasks.work import (
    PROCESS,
    OnProgress,
    ProgressOption,
    Stop,
    count_jobs,
    open_progress,
    report_count,
)
from ..tree.tree import Tree
from .options import COMPARE
from .sample import (
    Sample,
    count_all,
    count_exactly,
    count_search,
    format_average,
    format_histogram,
    play_sample,
    refuse_eligible,
    sample_tree,
)
from .statistics import title_game

if TYPE_CHECKING:
    import pandas as pd

    from ..exact.request import Watch
    from ..pictures.figure import Figure


Competitor = GameSource | TreeSource
"""A game, or a tree, which takes part in the comparison of its game."""


@dataclass
class Contest:
    """One game and everything that plays it: names of strategies, and trees."""

    game: Game
    title: str  # of its table
    entrants: list[str | Tree] = field(default_factory=list)
    sources: list[str | None] = field(default_factory=list)  # the entrants' files

    def add(self, entrant: str | Tree, source: str | None = None) -> None:
        """Add a strategy or a tree."""
        self.entrants.append(entrant)
        self.sources.append(source)


def gather(
    games: Sequence[Competitor],
    strategies: Sequence[str | TreeSource],
    rules: GameOptions,
    eligible: str | None = None,
    notice: Notice | None = None,
) -> list[Contest]:
    """Return the contests in the order of the arguments; raise if anything does not fit."""
    contests: dict[str, Contest] = {}
    if (rules.get("feedback") or rules.get("guesses")) and all(map(is_tree, games)):
        raise UsageError("`feedback` and `guesses` work only with a codebook file; name one")
    for source in games:
        if is_tree(source):
            _add_tree(contests, cast(TreeSource, source))
            continue
        game = open_game(cast(GameSource, source), notice=notice, **rules)
        is_named = game.notation.is_of_words and isinstance(source, (str, os.PathLike))
        title = Path(cast(str, source)).name if is_named else game.name
        contests.setdefault(game.rules.digest_name, Contest(game, title))  # given twice, it is one
    known = set(contests) if games else None
    for entrant in strategies:
        if isinstance(entrant, Strategy) or callable(entrant):
            raise UsageError(
                f"{take_strategy(entrant).name} is compared by its tree: give treegen.build(game,"
                " strategy)"
            )
        if not isinstance(entrant, str) or is_tree(entrant):
            _add_tree(contests, entrant, known)
    # Names come last, for every game: also for those that trees have brought.
    names = [entrant for entrant in strategies if isinstance(entrant, str) and not is_tree(entrant)]
    for contest in contests.values():
        for name in names:
            contest.add(name)
        if not contest.entrants:
            raise UsageError(f"no strategy for {contest.title}: give `strategies=NAME` or a tree")
        check_entrants(contest.game, contest.entrants, eligible)
    if not contests:
        raise UsageError("nothing to compare: a game with `strategies=NAME` is needed, or trees")
    return list(contests.values())


def list_named(contests: Iterable[Contest]) -> list[tuple[Game, str]]:
    """Return the strategies that are given by name, each with its game."""
    return [
        (contest.game, entrant)
        for contest in contests
        for entrant in contest.entrants
        if isinstance(entrant, str)
    ]


def refuse_openings(contests: Iterable[Contest]) -> None:
    """Raise UsageError if an entrant cannot be played after each opening."""
    for contest in contests:
        for entrant, source in zip(contest.entrants, contest.sources, strict=True):
            if source is not None or not isinstance(entrant, str) or is_search(entrant):
                hint = "; treegen openings with `strategy='optimal'` ranks by least totals"
                raise UsageError(
                    f"`openings` is for strategies that follow a rule, not for {source or entrant}"
                    + (hint if entrant == OPTIMAL.name else "")
                )


def _add_tree(
    contests: dict[str, Contest], source: TreeSource, known: set[str] | None = None
) -> None:
    """Add a tree to the contest of its game; a new one, unless only some games are `known`."""
    tree = read(source)
    path = _name(source)
    if tree.provenance.history:
        raise UsageError(
            f"{path!r:.300} starts after"
            f" {format_history(tree.game.notation, tree.provenance.history)}: only whole"
            " games are compared; treegen stats takes several files too"
        )
    key = tree.game.rules.digest_name
    if known is not None and key not in known:
        names = ", ".join(contest.title for contest in contests.values())
        what = "a value" if path is None else repr(path)
        if _describe(tree.game) in (_describe(contest.game) for contest in contests.values()):
            raise UsageError(f"{what} is a tree of {_describe(tree.game)} with {DIFFERENCES}")
        raise UsageError(f"{what} is a tree of {_describe(tree.game)}, not of {names}")
    title = tree.game.notation.title if tree.game.notation.is_of_words else tree.game.name
    contests.setdefault(key, Contest(tree.game, title)).add(tree, path)


def _name(source: TreeSource) -> str | None:
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return None if isinstance(source, Tree) else "-"  # bytes, or an open file


def _describe(game: Game) -> str:
    """Return a game's name; for a codebook also what may differ for the same file name."""
    if not game.notation.is_of_words:
        return game.name
    return f"{game.notation.title} ({game.n_codes:,} guesses, {game.rule} feedback)"


def generate_samples(
    game: Game,
    strategies: Sequence[str | Tree],
    *,
    eligible: str | None = None,
    n: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
    workers: Workers | None = None,
    make_watch: Callable[[], Watch] | None = None,
) -> Iterator[Sample]:
    """Do the work of `compare`, and yield each sample when it is ready."""
    rules = check_entrants(game, strategies, eligible)
    exact = [rule for rule in rules if rule.is_deterministic]
    # All are tasks from the start; below, each is taken in its turn, which is the same order.
    counted = None if workers is None else iter(count_all(game, exact, workers=workers))
    for number, entrant in enumerate(strategies):
        report_count(on_progress, "strategies", number, len(strategies))
        if isinstance(entrant, Tree):
            yield sample_tree(entrant)
        elif is_search(entrant):
            watch = None if make_watch is None else make_watch()
            yield count_search(game, entrant, eligible=eligible, jobs=jobs, watch=watch)
        elif is_random(game, entrant):
            yield play_sample(game, entrant, n, seed, eligible=eligible, jobs=jobs, workers=workers)
        elif counted is not None:
            yield next(counted)
        else:
            rule = change_strategy(parse_strategy(entrant, game), eligible=eligible)
            yield count_exactly(game, rule, jobs=jobs)


def compare_openings(
    contest: Contest, eligible: str | None, jobs: int, workers: Workers | None
) -> list[Sample]:
    """Return the exact lengths of each strategy after each opening, up to symmetry."""
    game = contest.game
    codes = list_openings(game)
    if codes is None:
        raise UsageError(
            f"`openings` needs a peg game without weights and costs; {contest.title} has no"
            " symmetry, and treegen openings ranks its first guesses"
        )
    rules = [
        replace(rule, opening=(opening,), name=f"{rule.name} first={join_names([opening])}")
        for rule in check_entrants(game, contest.entrants, eligible)
        for opening in map(game.format_code, codes)
    ]
    return count_all(game, rules, jobs=jobs, workers=workers)


def check_entrants(
    game: Game, strategies: Sequence[str | Tree], eligible: str | None = None
) -> list[Strategy]:
    """Return the strategies that follow a rule; raise before the work if anything does not fit.

    Trees are of the game. StrategyError if a strategy is unknown or does not fit it. UsageError if
    a tree was built by another `eligible`, or if `eligible` is given with an online strategy.
    """
    resolved = None if eligible is None else resolve_eligible(game, eligible)
    rules = []
    for entrant in strategies:
        if isinstance(entrant, Tree):
            own = read_provenance(entrant.provenance, game).eligible
            if resolved is not None and resolve_eligible(game, own) != resolved:
                raise UsageError(
                    f"a tree of {entrant.provenance.strategy} was built with eligible={own}: it"
                    f" cannot be compared by eligible={eligible}"
                )
        elif plays_online(entrant):
            refuse_eligible(entrant, eligible)
        elif not is_search(entrant):
            rule = change_strategy(parse_strategy(entrant, game), eligible=eligible)
            if game.rules.shares is not None:
                read_share_criterion(rule, game.rules)
            rules.append(rule)
        elif entrant == BEST.name and resolved == "candidates":
            raise UsageError(
                f"best takes eligible=all, hints or consistent; eligible={eligible} works with"
                " optimal and with rules"
            )
    return rules


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

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.samples)

    def __iter__(self) -> Iterator[Sample]:
        """Yield the samples."""
        return iter(self.samples)

    def __getitem__(self, name: str) -> Sample:
        """Return the sample of a strategy, or of a tree's file; KeyError if there is none."""
        return _find_sample(self.samples, name)


def _find_sample(samples: Sequence[Sample], name: str) -> Sample:
    found = [sample for sample in samples if name in (sample.label, sample.strategy)]
    if len(found) == 1:
        return found[0]
    if found:
        raise KeyError(f"{len(found)} samples are of {name!r}: take one from `samples`")
    raise KeyError(f"no sample is of {name!r}: there are {', '.join(s.label for s in samples)}")


@dataclass(frozen=True, slots=True)
class Comparison(Tabular):
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
    >>> [sample.total for sample in comparison], comparison["entropy"].worst
    ([24, 21], 3)
    """

    games: tuple[ComparedGame, ...]
    n_wanted: int

    columns = Sample.columns

    @property
    def samples(self) -> list[Sample]:
        """The samples of all games."""
        return [sample for of_game in self.games for sample in of_game.samples]

    def __len__(self) -> int:
        """Return the number of samples, of all games."""
        return len(self.samples)

    def __iter__(self) -> Iterator[Sample]:
        """Yield the samples of all games."""
        return iter(self.samples)

    def __getitem__(self, name: str) -> Sample:
        """Return the sample of a strategy, or of a tree's file; KeyError if there is none."""
        return _find_sample(self.samples, name)

    def to_dict(self) -> dict[str, Any]:
        """Return the samples for JSON."""
        return {"samples": [sample.to_dict() for sample in self.samples]}

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each sample; sums of weights may be fractions."""
        return [row for sample in self.samples for row in sample.list_rows()]

    def to_dataframe(self) -> pd.DataFrame:
        """Return a pandas frame, one row for each sample; raise DependencyError without pandas."""
        from .._loading import import_pandas

        frame: pd.DataFrame = import_pandas().DataFrame(self.list_rows())
        return frame

    def plot(self) -> Figure:
        """Draw histograms, or, of several games, averages by size.

        Raises
        ------
        DependencyError
            matplotlib is not installed.
        UsageError
            The games do not fit in one picture.
        """
        from .charts import plot_samples, plot_sizes

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
            yield Paragraph(title_game(of_game.game, of_game.title))
            yield make_table(of_game.samples)
            yield from describe_distance(of_game)


def describe_distance(of_game: ComparedGame) -> Iterator[Block]:
    """Yield how far the exact totals are above the least one, where that is known."""
    least = [known.total for known in find_optima(of_game.game) if known.objective == "total"]
    exact = [sample for sample in of_game.samples if sample.is_exact]
    if least and exact:
        (total,) = least
        above = [(sample.label, sample.total - total) for sample in exact]
        figures = [f"{label} +{more:,} ({more / total:.1%})" for label, more in above if more]
        figures += [f"{label} has it" for label, more in above if not more]
        yield Paragraph(f"least total {total:,}, proved: {', '.join(figures)}")


@partial(describe_parameters, declared=COMPARE)
def compare(
    games: Competitor | Sequence[Competitor | Contest] = (),
    strategies: str | TreeSource | Sequence[str | TreeSource] = (),
    *,
    eligible: Eligible | None = None,
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
    {options}
    scheduler, patience, jobs, progress, notice, **rules
        See `build`.

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
    check_keywords(compare, rules, GameOptions)
    check_whole(n=n, jobs=jobs)
    check_seed(seed)
    check_range(POSITIVE, time_limit=time_limit)
    check_range(TRUTH, openings=openings)
    given = _list(games)
    is_gathered = bool(given) and all(isinstance(entry, Contest) for entry in given)
    contests = given if is_gathered else gather(given, _list(strategies), rules, eligible, notice)
    if openings:
        refuse_openings(contests)

    def start_watch() -> Watch:
        return make_watch(Stop(time_limit, time.monotonic()))  # each search has that long

    def play(contest: Contest, workers: Workers | None) -> Iterator[Sample]:
        if openings:
            yield from compare_openings(contest, eligible, count_jobs(jobs), workers)
            return
        with open_progress(progress, contest.title) as on_progress:
            found = generate_samples(
                contest.game,
                contest.entrants,
                eligible=eligible,
                n=n,
                seed=seed,
                jobs=count_jobs(jobs),
                on_progress=on_progress,
                workers=workers,
                make_watch=None if time_limit is None else start_watch,
            )
            for sample, source in zip(found, contest.sources, strict=True):
                yield replace(sample, source=source)

    done: list[list[Sample]] = [[] for _ in contests]
    PROCESS.forget_saving()  # not what an earlier, interrupted call kept
    with open_cluster(scheduler, patience, notice) as workers:
        try:
            for contest, samples in zip(contests, done, strict=True):
                for sample in play(contest, workers):
                    samples.append(sample)
                    # Ctrl-C ended a search, and this is its best tree so far.
                    if PROCESS.is_saving_here:
                        raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            PROCESS.announce_saving()
            raise Interrupted(_finish(contests, done)) from stop
    return _finish(contests, done)


def is_random(game: Game, name: str) -> bool:
    """Whether a strategy plays a sample of games."""
    if is_search(name):
        return False
    return plays_online(name) or not parse_strategy(name, game).is_deterministic


def make_table(samples: Sequence[Sample]) -> PrintedTable:
    """Return a table with a row for each sample."""
    return tabulate(
        samples,
        {
            Column("strategy", is_text=True): lambda sample: sample.label,
            Column("games", 3): lambda sample: f"{sample.n}{' (all)' * sample.is_exact}",
            Column("total"): lambda sample: write_weights([sample.total]),
            Column("average"): format_average,
            Column("worst"): lambda sample: sample.worst,
            Column("at worst", 2): lambda sample: write_weights([sample.n_worst]),
            Column("histogram", 1, is_text=True): format_histogram,
            Column("build s", 4): lambda sample: f"{sample.build_s:.3f}",
            Column("s a game", 5): lambda sample: f"{sample.time_per_game_s:.2g}",
        },
        [sample.histogram for sample in samples],
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
    is_one = is_one or hasattr(given, "read") or not isinstance(given, Iterable)
    return [given] if is_one else list(given)
