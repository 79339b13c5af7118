"""Near-optimal searches, asked for in one call."""

from dataclasses import fields

from treegen.exact import SearchControl, SearchSpec, run_search


def search_best(game, **options):
    """Return the tree of a near-optimal search; the options are fields of its spec or control."""
    names = {field.name for field in fields(SearchSpec)} & options.keys()
    spec = SearchSpec(**{name: options.pop(name) for name in names})
    return run_search(game, "best", spec, SearchControl(**options))
