"""A strategy with a name, an idea and a source."""

from __future__ import annotations

from dataclasses import dataclass

from .strategy import Strategy


@dataclass(frozen=True, slots=True)
class NamedStrategy:
    """A strategy with its description.

    Attributes
    ----------
    strategy
        The rule.
    summary
        The idea in one sentence, beyond what `Strategy.rule` says.
    source
        Where it was published.
    only
        The one game for which it is defined, or ``""`` for any.
    """

    strategy: Strategy
    summary: str
    source: str
    only: str = ""

    @property
    def name(self) -> str:
        """The name of the strategy."""
        return self.strategy.name
