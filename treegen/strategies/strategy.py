"""A strategy as a value: eligible guesses, a chain of criteria, a tie-break, an opening.

A criterion compares guesses by exact integers: each gives a guess one (`next-largest`: several),
and less is better. All but `max`, `next-largest`, `consistent` and `removals` are sums over the
cells of a function of the cell's size, which is kept as a table of 64-bit integers: so equal
partitions have equal values on every machine.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal, InvalidOperation, localcontext
from functools import lru_cache, partial
from itertools import chain
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._options import MAX_SEED, is_whole
from ..errors import StrategyError
from ..games.base import Game
from ..games.eligible import ELIGIBLE
from ..games.notation import check_guess
from ..games.rules import Rules, is_weighted
from ..kernels.rule_kinds import CriterionKind, Measure, ShareMeasure

Table = NDArray[np.int64]

CellFunction = Callable[[tuple[int, ...]], Any]
"""A criterion as a function: of the sizes of a guess's cells, the largest first, to a number."""

OWN = "own:"
"""How names of criteria that are functions begin; files and other processes lack these."""

ENTROPY_BITS = 32
"""The entropy's logarithms are multiples of 2 ** -32."""

PER_COST = "/cost"
"""How names of criteria that divide the gain by the cost end."""

_LIMIT = 2**62  # of a criterion's value: the sum over all cells
_DECIMAL = Context(prec=40)  # twice the digits of such a value, the same ones on every machine
_PLAIN = Context(prec=28)  # of sums and products, whatever the caller's own context is
_LEAST_STEP = Decimal("1e-12")
"""Exponents are multiples of it."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of a chain.

    Attributes
    ----------
    name
        Its name in a chain, such as ``power:1``.
    kind
        How its value is found.
    meaning
        The rule in words.
    make_table
        For `CriterionKind.SUM`: gives the value of each cell size ``0 … n``, for a game of ``n``
        secrets.
    measure
        What it measures in a cell whose candidates have weights.
    power
        For `Measure.POWER`: the exponent.
    share_measure
        For `CriterionKind.SHARES`: what it adds up.
    is_per_cost
        Whether what a guess gains is divided by what it costs.
    function
        Gives the value instead, of the sizes of the non-empty cells, the largest first.
    """

    name: str
    kind: CriterionKind
    meaning: str
    # Each parse makes a new function, and functions are equal only if they are the same one.
    make_table: Callable[[int], Table] | None = field(default=None, compare=False)
    measure: Measure = Measure.NUMBER
    power: int = 0
    share_measure: ShareMeasure = ShareMeasure.EXPECTED_LEFT
    is_per_cost: bool = False
    function: CellFunction | None = None

    def table(self, n_secrets: int) -> Table:
        """Return the value of each cell size 0 … `n_secrets`; raise StrategyError if too large."""
        if self.make_table is None:
            return np.zeros(n_secrets + 1, dtype=np.int64)
        with localcontext(_PLAIN):
            return self.make_table(n_secrets)


def apply_function(criterion: Criterion, sizes: tuple[int, ...]) -> Real:
    """Return the value of an own criterion; raise StrategyError if it is no number."""
    assert criterion.function is not None
    value = criterion.function(sizes)
    if not isinstance(value, Real) or value != value:  # NaN
        raise StrategyError(
            f"{criterion.name} gives {value!r:.80} for the cells {sizes}: a number is needed"
        )
    return value


def list_criteria() -> list[str]:
    """Return the names of the criteria, without ``power:L``."""
    return list(_CRITERIA)


def count_bits(value: int, n_candidates: int) -> float:
    """Return the information of a partition in bits, given the value of `entropy`."""
    left: float = value / n_candidates / 2.0**ENTROPY_BITS  # the mean log2 of a candidate's cell
    return math.log2(n_candidates) - left


def parse_criterion(text: str | CellFunction) -> Criterion:
    """Return the criterion of a name or of a function of the sizes of cells.

    StrategyError: the name, or its exponent, is wrong.
    """
    if not isinstance(text, str):
        # Not <lambda>, and no comma or semicolon: they separate the parts of a rule.
        name = re.sub(r"[^\w.-]", "", getattr(text, "__name__", type(text).__name__))
        meaning = f"the least value of the function {name}"
        return Criterion(f"{OWN}{name}", CriterionKind.SUM, meaning, function=text)
    if text in _CRITERIA:
        return _CRITERIA[text]
    if text.endswith(PER_COST):
        return _divide_by_cost(text)
    if text.startswith(OWN):
        raise StrategyError(
            f"{text!r:.80} is a function in Python, which a name cannot stand for: give treegen the"
            " strategy itself"
        )
    if text.startswith("power:"):
        with localcontext(_PLAIN):
            return _power(text.removeprefix("power:"))
    raise StrategyError(
        f"unknown criterion {text!r:.80}: there are {', '.join(_CRITERIA)} and power:L"
    )


def _divide_by_cost(text: str) -> Criterion:
    base = parse_criterion(text.removesuffix(PER_COST))
    is_divided = base.measure != Measure.NUMBER or base.kind == CriterionKind.SHARES
    if not is_divided or base.is_per_cost:
        raise StrategyError(
            f"{text!r:.80} is no criterion: expected, entropy and power:L of a whole L > 0 are"
            " divided by the cost"
        )
    meaning = f"greatest gain for its cost: {base.meaning}"
    return replace(base, name=f"{base.name}{PER_COST}", meaning=meaning, is_per_cost=True)


def _power(text: str) -> Criterion:
    try:
        exponent = Decimal(text)
    except InvalidOperation:
        raise StrategyError(f"power:{text:.40} needs a number, such as power:0.5") from None
    # L = 0 would add up the sizes, the same sum for every guess; L = -1 counts the cells.
    if not exponent.is_finite() or not -1 <= exponent <= 60 or exponent == 0:
        raise StrategyError(f"power:{text:.40} is out of range: L > 0 (to 60), or -1 <= L < 0")
    exponent = exponent.normalize(_DECIMAL)
    if abs(exponent) < _LEAST_STEP or exponent % _LEAST_STEP:
        raise StrategyError(f"power:{text:.40} has too many digits: 12 decimals are read")
    verb = "least" if exponent > 0 else "greatest"
    name = f"power:{exponent:f}"
    meaning = f"{verb} sum over the cells of size ** {exponent + 1:f}"
    make_table = partial(_power_table, exponent)
    if exponent != exponent.to_integral_value() or exponent < 0:
        return Criterion(name, CriterionKind.SUM, meaning, make_table)
    power = int(exponent) + 1
    return Criterion(name, CriterionKind.SUM, meaning, make_table, Measure.POWER, power)


def _power_table(exponent: Decimal, n_secrets: int) -> Table:
    """Return size ** (L + 1), exactly for integer L, else as a multiple of 2 ** -bits."""
    sign = 1 if exponent > 0 else -1  # below 0 the greatest sum is best, and less is better
    power = exponent + 1
    if power == power.to_integral_value():
        whole = int(power)
        if n_secrets**whole > _LIMIT:
            raise StrategyError(
                f"power:{exponent:f} of {n_secrets} secrets passes 64 bits:"
                f" {n_secrets} ** {whole} is more than 2 ** 62"
            )
        # An empty cell counts nothing even for L = -1, where 0 ** 0 would be 1.
        return sign * np.array([size**whole if size else 0 for size in range(n_secrets + 1)])
    largest = _DECIMAL.power(Decimal(n_secrets), power)
    # A partition's values sum at most to that of one cell with all secrets (power >= 1) or to
    # n_secrets cells of one (power < 1): with these bits of fraction no sum passes 64 bits.
    bits = min(32, (_LIMIT // (int(largest) + 1)).bit_length() - 1)
    if bits < 8:
        raise StrategyError(
            f"power:{exponent:f} of {n_secrets} secrets leaves less than 8 bits of fraction"
        )
    return sign * _scale_powers(power, bits, n_secrets)


@lru_cache(maxsize=2)
def _scale_powers(power: Decimal, bits: int, n_secrets: int) -> Table:
    """Return size ** power for each size 0 … `n_secrets`, rounded to a multiple of 2 ** -bits."""
    scale = Decimal(2**bits)
    values = (_DECIMAL.power(Decimal(size), power) * scale for size in range(1, n_secrets + 1))
    whole = (int(value.to_integral_value()) for value in values)
    table = np.fromiter(chain((0,), whole), dtype=np.int64, count=n_secrets + 1)
    table.setflags(write=False)
    return table


def _entropy_table(n_secrets: int) -> Table:
    """Return n * log2 n as n * (sum over n's prime factors of round(2 ** 32 * log2 p)).

    Additive over prime factors, so that partitions which tie mathematically tie here too.
    """
    # No partition has more than one cell of all, and log2(n) is less than n's bit length.
    if n_secrets * (n_secrets.bit_length() << ENTROPY_BITS) > _LIMIT:
        raise StrategyError(f"entropy of {n_secrets} secrets passes 64 bits")
    return make_logs(n_secrets) * np.arange(n_secrets + 1, dtype=np.int64)


@lru_cache(maxsize=4)
def make_logs(largest: int, bits: int = ENTROPY_BITS) -> Table:
    """Return the logarithms of 0 … `largest` in multiples of 2 ** -bits, 0 for 0 (read-only).

    >>> make_logs(8, bits=4).tolist()
    [0, 0, 16, 25, 32, 37, 41, 45, 48]
    """
    logs = np.zeros(largest + 1, dtype=np.int64)
    is_prime = np.ones(largest + 1, dtype=bool)
    for prime in range(2, largest + 1):
        if not is_prime[prime]:
            continue
        is_prime[2 * prime :: prime] = False
        log = _fixed_log2(prime, bits)
        power = prime
        while power <= largest:  # once for each power that divides: p ** k adds k logarithms of p
            logs[power::power] += log
            power *= prime
    logs.setflags(write=False)
    return logs


def _fixed_log2(number: int, bits: int) -> int:
    """Return round(2 ** bits * log2(number)), the same on every machine."""
    scaled = math.log2(number) * 2.0**bits
    if abs(scaled % 1.0 - 0.5) > 2.0**-8:  # far beyond the last bits in which machines differ
        return round(scaled)
    ratio = _DECIMAL.divide(_DECIMAL.ln(Decimal(number)), _DECIMAL.ln(Decimal(2)))
    return int((ratio * 2**bits).to_integral_value())


def _parts_table(n_secrets: int) -> Table:
    table = np.full(n_secrets + 1, -1, dtype=np.int64)
    table[0] = 0
    return table


_CRITERIA = {
    criterion.name: criterion
    for criterion in (
        Criterion("max", CriterionKind.LARGEST, "least largest cell"),
        Criterion(
            "expected", CriterionKind.SUM, "least expected size: the sum of squares of the cells",
            partial(_power_table, Decimal(1)), Measure.POWER, 2,
        ),
        Criterion(
            "entropy", CriterionKind.SUM, "greatest entropy of the partition", _entropy_table,
            Measure.ENTROPY,
        ),
        Criterion("parts", CriterionKind.SUM, "most non-empty cells", _parts_table),
        Criterion(
            "next-largest", CriterionKind.DESCENDING,
            "least largest cell, then least second largest, and so on through all cells",
        ),
        Criterion("consistent", CriterionKind.CONSISTENT, "guesses that may win before others"),
        Criterion(
            "removals", CriterionKind.REMOVALS,
            "most candidates surely removed, one more if the guess may win",
        ),
        Criterion(
            "separable-pairs", CriterionKind.SHARES,
            "least expected number of pairs that can still be told apart",
            share_measure=ShareMeasure.SEPARABLE_PAIRS,
        ),
        Criterion(
            "expected-left", CriterionKind.SHARES, "least expected number of candidates left",
            share_measure=ShareMeasure.EXPECTED_LEFT,
        ),
        Criterion(
            "information", CriterionKind.SHARES,
            "most information about the candidate, or about its class",
            share_measure=ShareMeasure.INFORMATION,
        ),
    )
}  # fmt: skip


def default_rule(game: Game) -> str:
    """Return the name of the rule by which a game's tree is built unless another is asked for.

    For tables with uncertain answers, or classes, it is the one that does best on most of them.
    """
    return _find_default(game.rules)


def _find_default(rules: Rules) -> str:
    if rules.shares is None:
        return "knuth"
    return "information" if rules.is_certain else "separable-pairs"


def read_share_criterion(strategy: Strategy, rules: Rules) -> Criterion:
    """Return the criterion of a rule for tables with uncertain answers, or with classes.

    StrategyError if it is not one of their rules.
    """
    what = "classes" if rules.is_certain else "uncertain answers"
    right = _find_default(rules)
    if len(strategy.criteria) != 1 or strategy.criteria[0].kind != CriterionKind.SHARES:
        raise StrategyError(
            f"{strategy.name} is no rule for a table with {what}: there are separable-pairs,"
            f" expected-left and information, each also per cost (`strategy={right!r:.80}`)"
        )
    if (strategy.tie_break, strategy.eligible, strategy.order) != ("lowest", "all", "lex"):
        raise StrategyError(
            f"{strategy.name}: in a table with {what} any question may be asked, and the first of"
            f" the table wins a tie (`strategy={right!r:.80}`)"
        )
    return strategy.criteria[0]


TIE_BREAKS = {
    "lowest": "the first code in the order of codes",
    "highest": "the last code in the order of codes",
    "highest-consistent": "the last code if the tied guesses may win, else the first",
    "random": "one drawn at random by the seed and the history",
}
Order = Literal["lex", "first-fastest"]
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
        With this many candidates left or fewer, the first is guessed.
    seed
        Of the random tie-break.

    Examples
    --------
    >>> import treegen
    >>> from treegen.strategies.named import parse_strategy
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
        for what, value, allowed in (
            ("tie-break", self.tie_break, TIE_BREAKS),
            ("eligible", self.eligible, ELIGIBLE),
            ("order", self.order, ORDERS),
        ):
            if not isinstance(value, str) or value not in allowed:
                known = ", ".join(allowed)
                raise StrategyError(f"unknown {what} {value!r:.80}: there are {known}")
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
        """Return the indices of the opening's codes; raise GameError if one is no guess."""
        own = game.with_symbols(None)  # an opening is written as in files, whatever a user reads
        return [check_guess(game.notation, own.parse_code(code)) for code in self.opening]

    def code_ranks(self, game: Game) -> NDArray[np.int32]:
        """Return the place of each code in the strategy's order of codes."""
        ranks = np.arange(game.n_codes, dtype=np.int32)
        if self.order == "lex":
            return ranks
        # lexsort's last key is the most significant: here the last peg.
        sequence = np.lexsort(game.codes.T)
        ranks[sequence] = np.arange(game.n_codes, dtype=np.int32)
        return ranks


def uses_weights(strategy: Strategy, rules: Rules) -> bool:
    """Whether a strategy sees weights or costs in a game, not only how many candidates are left."""
    return is_weighted(rules) or any(criterion.is_per_cost for criterion in strategy.criteria)


def change_strategy(strategy: Strategy, **changes: Any) -> Strategy:
    """Return a strategy with other parts, and a name that shows them.

    None leaves a part (`opening`, `eligible`, `order`, `seed`) as it is; StrategyError if one is
    out of range.

    >>> change_strategy(parse_chain("max"), eligible="hints", seed=None).name
    'max,lowest eligible=hints'
    """
    changes = {key: value for key, value in changes.items() if value is not None}
    changed = replace(strategy, **changes)
    if changed.rule == strategy.rule:  # a change without effect, such as a seed that none draws by
        return changed
    written = " ".join(
        f"{key}={join_names(value) if isinstance(value, tuple) else value}"
        for key, value in changes.items()
    )
    return replace(changed, name=f"{strategy.name} {written}")


def join_names(names: Sequence[str]) -> str:
    """Return first guesses as they stand in rules and in the names of searches, joined by ``|``.

    Names that could be misread there are written as a JSON list without ``;`` or ``=``.

    >>> join_names(["salet", "crate"]), join_names(["a | b"])
    ('salet|crate', '["a | b"]')
    """
    # An empty name is written as JSON, too, as "" is in every text.
    is_plain = not any(name[:1] in "[ " or _MARKS.search(name) for name in names)
    if is_plain:
        return "|".join(names)
    text = json.dumps(list(names), ensure_ascii=False)  # has ; and = only within its strings
    return text.replace(";", "\\u003b").replace("=", "\\u003d")


def split_names(text: str) -> tuple[str, ...]:
    """Return the first guesses that `join_names` wrote."""
    if text.startswith("["):
        try:
            names = json.loads(text)
        except (ValueError, RecursionError):
            names = None
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return tuple(names)
    return tuple(filter(None, text.split("|")))


_MARKS = re.compile("[|;]|eligible=|first=|opening=")
"""What has a meaning of its own where first guesses are written."""


def list_tie_breaks() -> list[str]:
    """Return the names of the tie-breaks."""
    return list(TIE_BREAKS)


def parse_chain(text: str) -> Strategy:
    """Return the strategy of a chain: criteria, then a tie-break (``lowest`` by default).

    StrategyError if a criterion is unknown, or a tie-break comes before the end.
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
        tie-break, ``"lowest"`` by default.

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
            raise StrategyError(f"{step!r:.80} is not a criterion: give a name or a function")
    steps = list(criteria)
    tie_break = "lowest"
    last = steps[-1] if steps else ""
    if isinstance(last, str) and last in TIE_BREAKS:
        tie_break = last
        steps.pop()
    for step in steps:
        if isinstance(step, str) and step in TIE_BREAKS:
            chain = ",".join(step if isinstance(step, str) else "…" for step in criteria)
            raise StrategyError(f"the tie-break {step!r:.80} in {chain!r:.80} must come last")
    strategy = Strategy("", tuple(map(parse_criterion, steps)), tie_break)
    return replace(strategy, name=strategy.chain)


def take_strategy(strategy: Strategy | CellFunction) -> Strategy:
    """Return a strategy as it is, for a function its chain; else raise StrategyError."""
    if isinstance(strategy, Strategy):
        return strategy
    if callable(strategy) and not isinstance(strategy, type):
        return make_chain(strategy)
    name = getattr(strategy, "name", None)
    if isinstance(name, str) and hasattr(strategy, "rule"):  # a StrategyDescription
        raise StrategyError(
            f"a {type(strategy).__name__} is no strategy: give its name, {name!r:.80}"
        )
    raise StrategyError(
        f"{strategy!r:.80} is not a strategy: give a name, a chain, a Strategy or a function of the"
        " sizes of cells"
    )


def parse_rule(text: str, name: str = "") -> Strategy:
    """Return the strategy of a rule as `Strategy.rule` writes it; StrategyError for another text.

    Its name is `name`, or the chain if that is empty.
    """
    fields = dict(part.partition("=")[::2] for part in text.split("; "))
    unknown = fields.keys() - {"eligible", "chain", "order", "opening", "direct", "seed"}
    numbers = [fields.get(key, "0") for key in ("direct", "seed")]
    are_numbers = all(re.fullmatch("[0-9]{1,20}", number) for number in numbers)  # as 2 ** 64 - 1
    if unknown or "chain" not in fields or not are_numbers:
        raise StrategyError(f"{text!r:.80} is not the rule of a strategy")
    strategy = make_chain(*map(str.strip, fields["chain"].split(",")))
    return replace(
        strategy,
        name=name or strategy.chain,
        eligible=fields.get("eligible", "all"),
        order=fields.get("order", "lex"),
        opening=split_names(fields.get("opening", "")),
        n_direct=int(fields.get("direct", "1")),
        seed=int(fields.get("seed", "0")),
    )
