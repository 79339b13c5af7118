"""Exact and near-optimal searches, asked for in one call."""

from dataclasses import fields

from treegen.exact.request import SearchControl, SearchSpec
from treegen.exact.run import run_search


def build_optimal(game, **options):
    """Return the tree of an exact search; the options are fields of its spec or control."""
    return _search(game, "optimal", options)


def search_best(game, **options):
    """Return the tree of a near-optimal search, with the same options."""
    return _search(game, "best", options)


def _search(game, name, options):
    names = {field.name for field in fields(SearchSpec)} & options.keys()
    spec = SearchSpec(**{name: options.pop(name) for name in names})
    return run_search(game, name, spec, SearchControl(**options))
