"""``treegen strategies``: the exact rule and the source of each named strategy."""

from __future__ import annotations

from typing import Any

import click

from . import completion
from .command import Command
from .options import json_option
from .output import print_json
from .table import print_paragraph


@click.command(cls=Command)
@click.argument("names", type=completion.STRATEGY, metavar="[NAME]...", nargs=-1)
@json_option
def strategies(names: tuple[str, ...], as_json: bool) -> None:
    """List the named strategies, or show the exact rule and source of NAME."""
    from ..strategies import refuse_name, resolve_alias

    rows = _list_rows()
    if names:
        row_of = {row["name"]: row for row in rows}
        wanted = [resolve_alias(name) for name in names]
        for name in wanted:
            if name not in row_of:
                refuse_name(name)
        rows = [row_of[name] for name in wanted]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        _print_row(row)
    if not names:
        click.echo()
        print_paragraph("", "A chain works, too: max,power:1,parts,consistent,lowest")


def _list_rows() -> list[dict[str, Any]]:
    from ..online import list_online
    from ..strategies import list_searches, list_strategies

    rows = [
        _describe(named.name, named.strategy.rule, named.summary, named.source, named.only or "any")
        for named in list_strategies()
    ]
    rows += [_describe(s.name, s.rule, s.summary, s.source) for s in list_searches()]
    rows += [_describe(s.name, s.rule, s.summary, s.source, tree=False) for s in list_online()]
    return rows


def _print_row(row: dict[str, Any]) -> None:
    note = "" if row["games"] == "any" else f"  ({row['games']} only)"
    note = note if row["tree"] else "  (no tree: for codes of any length)"
    print_paragraph("", f"{row['name']}{note}")
    for part in ("summary", "rule", "source"):
        print_paragraph("    ", row[part])


def _describe(
    name: str, rule: str, summary: str, source: str, games: str = "any", *, tree: bool = True
) -> dict[str, Any]:
    """Return a strategy's printed description; `tree`: whether it builds one."""
    return {
        "name": name,
        "rule": rule,
        "games": games,
        "tree": tree,
        "summary": summary,
        "source": source,
    }
