"""Exact and near-optimal searches in one call, ended and shared as no user can ask for.

The search itself is imported here: tests end it at an exact look, share it at once and resume it,
where users have a clock, Ctrl-C and a cluster.
"""

from contextlib import nullcontext
from dataclasses import fields, replace
from itertools import count

from treegen import SearchStoppedError
from treegen.exact import opening_totals
from treegen.exact.request import SearchControl, SearchLog, SearchSpec, TimeBudget
from treegen.exact.run import run_search
from treegen.tasks.cluster import open_workers

OBJECTIVES = ["total", "total,worst,n_worst", "worst,total", "worst,n_worst,total"]

AT_ONCE = TimeBudget(
    alone_s=-1.0, min_units=40, max_units=40, n_slices=1, piece_s=0.0, local=(0, 0), remote=(0, 0)
)
"""Share the search at once, look around after every few steps, and divide whatever there is."""

WRITTEN_OFTEN = replace(AT_ONCE, look_s=0.001, record_s=0.0)
"""The same, and record every node that changes."""


def build_optimal(game, **options):
    """Return the tree of an exact search; the options are fields of its spec or control.

    `n_workers` opens that many workers; `budget` has the times of the search by name; `log` is a
    dict that gets what the search's log has.
    """
    return _search(game, "optimal", options)


def search_best(game, **options):
    """Return the tree of a near-optimal search, with the same options."""
    return _search(game, "best", options)


def rank_openings(game, *, top=20, **options):
    """Return the ranking of the first guesses by their least totals, with the same options."""
    spec = _take_spec(options)
    return opening_totals.rank_openings(game, spec, SearchControl(**options), top=top)


def _take_spec(options):
    """Return what is searched; what is left in the options is how."""
    names = {field.name for field in fields(SearchSpec)} & options.keys()
    return SearchSpec(**{name: options.pop(name) for name in names})


def _search(game, name, options):
    n_workers, written = options.pop("n_workers", 0), None
    spec = _take_spec(options)
    if isinstance(options.get("budget"), dict):
        options["budget"] = TimeBudget(**options["budget"])
    if isinstance(options.get("log"), dict):
        written, options["log"] = options["log"], SearchLog()
    with open_workers(jobs=n_workers) if n_workers else nullcontext() as workers:
        if n_workers:
            options["workers"] = workers
        tree = run_search(game, name, spec, SearchControl(**options))
    if written is not None:
        written |= options["log"].as_dict()
    return tree


def end_after(n_looks):
    """Return a watch that looks so often, and ends the search then."""
    looks = iter(range(n_looks))
    return lambda _: next(looks, None) is None


def resume(game, n_looks, budget=lambda: WRITTEN_OFTEN, **options):
    """Search, end it after ``n_looks(number of the run)`` looks, and resume it, until it is over.

    Return the tree and the number of runs that were ended. Each run has a budget of its own. The
    looks must become more: a run that is ended soon may have nothing to record.
    """
    for n_ends in count():
        watch = end_after(n_looks(n_ends))
        try:
            return build_optimal(game, watch=watch, budget=budget(), **options), n_ends
        except SearchStoppedError:
            continue
    raise AssertionError("count() ends")
