"""The named strategies, with their exact rules and sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .._printing import Block, Paragraph, Printable
from ..online import list_online
from ..strategies import list_plugin_strategies, list_searches, refuse_name, resolve_alias
from ..strategies import list_strategies as list_rules


@dataclass(frozen=True, slots=True)
class StrategyDescription(Printable):
    """A named strategy.

    Attributes
    ----------
    name
        As it is given to `treegen.build`.
    rule
        The exact rule, to the last tie.
    games
        The only game that it plays, or ``"any"``.
    tree
        Whether it makes a tree; the others decide during play.
    summary, source
        The idea in a sentence, and where it was published.

    Examples
    --------
    >>> import treegen
    >>> (knuth,) = treegen.list_strategies("knuth")
    >>> knuth.rule
    'eligible=all; chain=max,consistent,lowest; order=lex'
    """

    name: str
    rule: str
    games: str
    tree: bool
    summary: str
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Return the description for JSON."""
        return asdict(self)

    def describe(self) -> Iterator[Block]:
        """Yield name, idea, rule and source."""
        note = "" if self.games == "any" else f"  ({self.games} only)"
        note = note if self.tree else "  (no tree: for codes of any length)"
        yield Paragraph(f"{self.name}{note}")
        for text in (self.summary, self.rule, self.source):
            yield Paragraph(text, "    ")


def list_strategies(*names: str) -> list[StrategyDescription]:
    """Return the named strategies, or those of some names.

    Parameters
    ----------
    *names
        Names or other names of strategies; all if there are none.

    Raises
    ------
    StrategyError
        A name is unknown.

    Examples
    --------
    >>> import treegen
    >>> [strategy.rule for strategy in treegen.list_strategies("minimax")]
    ['eligible=all; chain=max,consistent,lowest; order=lex']
    """
    known = {row.name: row for row in _list_all()}
    wanted = [resolve_alias(name) for name in names]
    for name in wanted:
        if name not in known:
            refuse_name(name)
    return [known[name] for name in wanted] if names else list(known.values())


def _list_all() -> Iterator[StrategyDescription]:
    for named in [*list_rules(), *list_plugin_strategies()]:
        rule, games = named.strategy.rule, named.only or "any"
        yield StrategyDescription(named.name, rule, games, True, named.summary, named.source)
    for search in list_searches():
        yield StrategyDescription(
            search.name, search.rule, "any", True, search.summary, search.source
        )
    for online in list_online():
        yield StrategyDescription(
            online.name, online.rule, "any", False, online.summary, online.source
        )
