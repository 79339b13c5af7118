"""Parse a strategy's exact rule from its line in files."""

from __future__ import annotations

from dataclasses import replace

from ..errors import StrategyError
from .strategy import Strategy, parse_chain, split_names


def parse_rule(text: str, name: str = "") -> Strategy:
    """Return the strategy of a rule as `Strategy.rule` writes it.

    Parameters
    ----------
    text
        ``eligible=all; chain=max,consistent,lowest; order=lex``.
    name
        The strategy's name; its chain when empty.

    Raises
    ------
    StrategyError
        The text is not such a line.

    Examples
    --------
    >>> parse_rule("eligible=all; chain=max,consistent,lowest; order=lex", "knuth").criteria[0].name
    'max'
    """
    fields = dict(part.partition("=")[::2] for part in text.split("; "))
    unknown = fields.keys() - {"eligible", "chain", "order", "opening", "direct", "seed"}
    numbers = [fields.get(key, "0") for key in ("direct", "seed")]
    if unknown or "chain" not in fields or not all(number.isdigit() for number in numbers):
        raise StrategyError(f"{text!r:.80} is not the rule of a strategy")
    strategy = parse_chain(fields["chain"])
    return replace(
        strategy,
        name=name or strategy.chain,
        eligible=fields.get("eligible", "all"),
        order=fields.get("order", "lex"),
        opening=split_names(fields.get("opening", "")),
        n_direct=int(fields.get("direct", "1")),
        seed=int(fields.get("seed", "0")),
    )
