"""Exact and near-optimal searches in one call, ended and shared as no user can ask for.

The search itself is imported here: tests end it at an exact look, share it at once and resume it,
where users have a clock, Ctrl-C and a cluster.
"""

from contextlib import nullcontext
from dataclasses import fields

from treegen.exact import opening_totals
from treegen.exact.request import SearchControl, SearchLog, SearchSpec, TimeBudget
from treegen.exact.run import run_search
from treegen.tasks.cluster import open_workers

OBJECTIVES = ["total", "total,worst,n_worst", "worst,total", "worst,n_worst,total"]


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
