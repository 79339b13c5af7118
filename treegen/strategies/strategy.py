"""A strategy as a value: eligible guesses, a chain of criteria, a tie-break, an opening."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._options import MAX_SEED, is_whole
from ..errors import StrategyError
from ..games import ELIGIBLE
from .criteria import CellFunction, Criterion, make_own_criterion, parse_criterion

if TYPE_CHECKING:
    from ..games import Game

TIE_BREAKS = {
    "lowest": "the first code in the order of codes",
    "highest": "the last code in the order of codes",
    "highest-consistent": "the last code if the tied guesses may win, else the first",
    "random": "one drawn at random by the seed and the history",
}
ORDERS = {
    "lex": "codes in lexicographic order, the first peg most significant; a codebook's in its own",
    "first-fastest": "codes enumerated with the first peg varying fastest",
}


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a guess is chosen, to the last tie.

    Of the eligible guesses, those best by the first criterion are kept; of these, those best by the
    second, and so on; `tie_break` picks one of the rest. A guess that leaves all candidates in one
    cell is never eligible; with `n_direct` or fewer candidates left, the first is guessed
    (`n_direct` is 1 unless a strategy says otherwise).

    Attributes
    ----------
    name
        The strategy's name, or its chain.
    criteria
        The chain.
    tie_break
        ``"lowest"``, ``"highest"``, ``"highest-consistent"`` or ``"random"``.
    eligible
        Which codes may be guessed: ``"all"``, ``"candidates"``, ``"hints"``, ``"consistent"``.
    order
        ``"lex"`` or ``"first-fastest"``.
    opening
        Codes among which the first guess is chosen, by the criteria, then by their order here;
        written in the game's notation. Empty: the first guess is chosen like any other.
    n_direct
        With so many candidates left or fewer, the first is guessed.
    seed
        Of the random tie-break.

    Examples
    --------
    >>> import treegen
    >>> from treegen.strategies import parse_strategy
    >>> rule = parse_strategy("max,consistent,lowest", treegen.open_game("p2c3r"))
    >>> rule.tie_break, rule.eligible, treegen.build("p2c3r", rule).total
    ('lowest', 'all', 24)
    """

    name: str
    criteria: tuple[Criterion, ...]
    tie_break: str = "lowest"
    eligible: str = "all"
    order: str = "lex"
    opening: tuple[str, ...] = ()
    n_direct: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        _check_choice("tie-break", self.tie_break, TIE_BREAKS)
        _check_choice("eligible", self.eligible, ELIGIBLE)
        _check_choice("order", self.order, ORDERS)
        if not is_whole(self.n_direct):
            raise StrategyError(f"n_direct is {self.n_direct}; at least 1 is needed")
        if not is_whole(self.seed, 0, MAX_SEED):
            raise StrategyError(f"seed {self.seed} is out of range: 0 to 2 ** 64 - 1")

    @property
    def chain(self) -> str:
        """The criteria and the tie-break, joined by commas: ``max,consistent,lowest``."""
        return ",".join([*(criterion.name for criterion in self.criteria), self.tie_break])

    @property
    def rule(self) -> str:
        """The exact rule on one line, as in files."""
        parts = [f"eligible={self.eligible}", f"chain={self.chain}", f"order={self.order}"]
        if self.opening:
            parts.append(f"opening={join_names(self.opening)}")
        if self.n_direct > 1:
            parts.append(f"direct={self.n_direct}")
        if self.tie_break == "random":
            parts.append(f"seed={self.seed}")
        return "; ".join(parts)

    @property
    def is_deterministic(self) -> bool:
        """Whether the choice does not depend on the seed."""
        return self.tie_break != "random"

    def opening_codes(self, game: Game) -> list[int]:
        """Return the indices of the opening's codes; raise GameError if one is not a code."""
        return [game.parse_code(code) for code in self.opening]

    def code_ranks(self, game: Game) -> NDArray[np.int32]:
        """Return the place of each code in the strategy's order of codes."""
        ranks = np.arange(game.n_codes, dtype=np.int32)
        if self.order == "lex":
            return ranks
        # lexsort's last key is the most significant: here the last peg.
        sequence = np.lexsort(game.codes.T)
        ranks[sequence] = np.arange(game.n_codes, dtype=np.int32)
        return ranks


def change_strategy(strategy: Strategy, **changes: Any) -> Strategy:
    """Return a strategy with other parts, named so that it does not pass for the original.

    Parameters
    ----------
    strategy
        The strategy.
    **changes
        Any of `opening`, `eligible`, `order`, `seed`; None leaves a part as it is.

    Raises
    ------
    StrategyError
        A part is out of range.

    Examples
    --------
    >>> change_strategy(parse_chain("max"), eligible="hints", seed=None).name
    'max,lowest eligible=hints'
    """
    changes = {key: value for key, value in changes.items() if value is not None}
    changed = replace(strategy, **changes)
    if changed.rule == strategy.rule:
        return changed
    written = " ".join(f"{key}={_write(value)}" for key, value in changes.items())
    return replace(changed, name=f"{strategy.name} {written}")


def _write(value: Any) -> str:
    return join_names(value) if isinstance(value, tuple) else str(value)


def join_names(names: Sequence[str]) -> str:
    """Return first guesses as rules and the names of searches have them.

    They are joined by ``|``. Names that would be mistaken for something else in such a line are
    written as a JSON list, in which neither ``;`` nor ``=`` occurs.

    Examples
    --------
    >>> join_names(["salet", "crate"]), join_names(["a | b"])
    ('salet|crate', '["a | b"]')
    """
    is_plain = not any(name[:1] in "[ " or _MARKS.search(name) for name in names)
    if is_plain:
        return "|".join(names)
    text = json.dumps(list(names), ensure_ascii=False)
    return text.replace(";", "\\u003b").replace("=", "\\u003d")


def split_names(text: str) -> tuple[str, ...]:
    """Return the first guesses that `join_names` wrote.

    Examples
    --------
    >>> split_names("salet|crate"), split_names('["a | b"]'), split_names("")
    (('salet', 'crate'), ('a | b',), ())
    """
    if text.startswith("["):
        try:
            names = json.loads(text)
        except ValueError:
            names = None
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return tuple(names)
    return tuple(filter(None, text.split("|")))


_MARKS = re.compile("[|;]|eligible=|first=|opening=")
"""What has a meaning of its own where first guesses are written."""


def list_tie_breaks() -> list[str]:
    """Return the names of the tie-breaks."""
    return list(TIE_BREAKS)


def describe_tie_break(name: str) -> str:
    """Return a tie-break in words."""
    return TIE_BREAKS[name]


def parse_chain(text: str) -> Strategy:
    """Return the strategy of a chain: criteria, then a tie-break (``lowest`` if none is given).

    Raises
    ------
    StrategyError
        A criterion is unknown, or a tie-break comes before the end.

    Examples
    --------
    >>> parse_chain("max,consistent").rule
    'eligible=all; chain=max,consistent,lowest; order=lex'
    """
    return make_chain(*(word.strip() for word in text.split(",")))


def make_chain(*criteria: str | CellFunction) -> Strategy:
    """Return the strategy of a chain whose criteria may be functions in Python.

    A function gets the sizes of the non-empty cells into which a guess divides the candidates, the
    largest first, a win's cell of one among them, and returns a number: guesses with the least are
    kept. Whole numbers and fractions are compared exactly, so that guesses tie where they should.
    Such a criterion is called ``own:`` and the function's name. A tree's file has that name alone:
    `verify` lists its rule as not checked, and builds in other processes refuse it.

    Parameters
    ----------
    *criteria
        Names (``"max"``, ``"power:2"``) and functions, the first to decide first; then a
        tie-break, ``"lowest"`` if none is given.

    Raises
    ------
    StrategyError
        A criterion is unknown, or a tie-break comes before the end.

    Examples
    --------
    >>> import treegen
    >>> def two_largest(sizes):
    ...     return sum(sizes[:2])
    >>> rule = treegen.make_chain(two_largest, "parts", "consistent", "lowest")
    >>> rule.name, treegen.build("p3c4r", rule).total
    ('own:two_largest,parts,consistent,lowest', 215)
    """
    for step in criteria:
        if not isinstance(step, str) and not callable(step):
            raise StrategyError(f"{step!r:.80} is no criterion: a name or a function is")
    steps = list(criteria)
    tie_break = "lowest"
    last = steps[-1] if steps else ""
    if isinstance(last, str) and last in TIE_BREAKS:
        tie_break = last
        steps.pop()
    for step in steps:
        if isinstance(step, str) and step in TIE_BREAKS:
            chain = ",".join(step if isinstance(step, str) else "…" for step in criteria)
            raise StrategyError(f"the tie-break {step!r} in {chain!r} must stand last")
    found = tuple(
        parse_criterion(step) if isinstance(step, str) else make_own_criterion(step)
        for step in steps
    )
    strategy = Strategy("", found, tie_break)
    return replace(strategy, name=strategy.chain)


def take_strategy(strategy: str | Strategy | CellFunction) -> str | Strategy:
    """Return what is given for a strategy, a chain of one criterion for a function.

    Raises
    ------
    StrategyError
        It is none.

    Examples
    --------
    >>> take_strategy(max).name, take_strategy("knuth")
    ('own:max,lowest', 'knuth')
    """
    if isinstance(strategy, (str, Strategy)):
        return strategy
    if callable(strategy) and not isinstance(strategy, type):
        return make_chain(strategy)
    raise StrategyError(
        f"{strategy!r:.80} is no strategy: a name, a chain, a Strategy or a function of the sizes"
        " of cells is"
    )


def _check_choice(what: str, value: str, allowed: Sequence[str] | dict[str, str]) -> None:
    if value not in allowed:
        raise StrategyError(f"unknown {what} {value!r}: there are {', '.join(allowed)}")
