"""``treegen strategies``: the exact rule and the source of each named strategy."""

from __future__ import annotations

import click

from .options import json_option
from .output import print_json
from .play_online import ONLINE_NAMES


@click.command()
@json_option
def strategies(as_json: bool) -> None:
    """List the named strategies with their exact rules and sources."""
    from ..strategies import list_strategies
    from ..strategies.searches import SEARCHES

    rows = [
        {
            "name": named.name,
            "rule": named.strategy.rule,
            "games": named.only or "any",
            "summary": named.summary,
            "source": named.source,
        }
        for named in list_strategies()
    ]
    rows += [
        {
            "name": search.name,
            "rule": search.rule,
            "games": "any",
            "summary": search.summary,
            "source": search.source,
        }
        for search in SEARCHES.values()
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        only = "" if row["games"] == "any" else f"  ({row['games']} only)"
        click.echo(f"{row['name']}{only}\n    {row['summary']}")
        click.echo(f"    {row['rule']}\n    {row['source']}")
    online = ", ".join(ONLINE_NAMES)
    click.echo(f"\nWithout a tree, for codes of any length: {online} (docs/long-codes.md)")
    click.echo("A chain does as well: max,power:1,parts,consistent,lowest (docs/strategies.md)")
