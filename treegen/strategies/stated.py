"""What a provenance states of its tree, read in one place.

A text counts only where it is, to the last space, what treegen writes. Any other may mean something
else: it is named as unread, and not taken for the nearest thing that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import GameError, StrategyError
from ..games.base import Game
from ..games.eligible import ELIGIBLE
from ..games.rules import Weight, write_weights
from ..tree.tree import Provenance, Tree
from ..tree.walk import is_announced
from .named import (
    BEST,
    OBJECTIVES,
    OPTIMAL,
    SEARCHES,
    NamedSearch,
    name_search,
    parse_strategy,
    resolve_alias,
    write_search_rule,
)
from .strategy import OWN, Strategy, change_strategy, join_names, parse_rule, split_names

UNNAMED = ("", "imported")
"""Names that claim no strategy."""

UNPROVED = f"{OPTIMAL.name}-unproved"
"""The name of an optimal search that was ended."""

ENDED = "; search ended before the proof"
"""How its rule ends."""

ROUNDED = "; shares are rounded"
"""How the rule of a search ends that proves nothing of the last digits: see `Division`."""

_SEARCH = re.compile(rf"(optimal|best|{UNPROVED})(?: eligible=([a-z]+))?(?: first=(.+))?")
_SEARCH_RULE = re.compile(
    r"eligible=([a-z]+); objective=([a-z_,]+)(?:; max-length=([0-9]{1,9}))?(?:; first=([^;]+))?"
    f"({ENDED}|{ROUNDED})?"
)
# What follows the strategy stands in the order in which `change_strategy` is given the changes.
_CHANGED = re.compile(
    r"(.+?)(?: eligible=([a-z]+))?(?: order=([a-z-]+))?(?: seed=([0-9]{1,20}))?(?: opening=(.+))?"
)


@dataclass(slots=True)
class Stated:
    """What the texts of a provenance say.

    Attributes
    ----------
    provenance
        The texts.
    chooser
        The strategy that chooses every guess: by the rule, or by the name where there is no rule.
    search
        The search that made the tree; None if the name is not that of one.
    is_unproved
        Whether it says that it has no proof: it was ended before, or shares were rounded.
    objective
        What a search minimised, by the objective or the rule; ``""`` if neither says it.
    eligible
        What may be guessed, by the rule or, in a table, by the name.
    max_length, first
        What else restricted the search.
    unread
        For each text that is not understood (``strategy``, ``rule``, ``objective``), the reason.
    conflict
        How the name contradicts the rule; ``""`` if it does not.
    """

    provenance: Provenance
    chooser: Strategy | None = None
    search: NamedSearch | None = None
    is_unproved: bool = False
    objective: str = ""
    eligible: str = "all"
    max_length: int | None = None
    first: tuple[str, ...] = ()
    unread: dict[str, str] = field(default_factory=dict)
    conflict: str = ""

    @property
    def is_optimal(self) -> bool:
        """Whether a search says that it proved the tree to be the best."""
        return self.search == OPTIMAL and not self.is_unproved

    @property
    def is_rounded(self) -> bool:
        """Whether a search says that it compared rounded shares."""
        return self.search is not None and self.provenance.rule.endswith(ROUNDED)

    @property
    def claims(self) -> dict[str, Any]:
        """What the provenance claims: every text that is not empty, and the bound."""
        origin = self.provenance
        texts = {"strategy": origin.strategy, "rule": origin.rule, "objective": origin.objective}
        claims: dict[str, Any] = {name: text for name, text in texts.items() if text}
        if origin.strategy in UNNAMED:
            claims.pop("strategy", None)
        return claims if origin.bound is None else claims | {"bound": origin.bound}

    @property
    def restrictions(self) -> list[str]:
        """What kept the search from some trees, in words."""
        return [
            *([f"eligible={self.eligible}"] if self.eligible != "all" else []),
            *([f"games of at most {self.max_length}"] if self.max_length is not None else []),
            *([f"the first guess {' or '.join(self.first)}"] if self.first else []),
        ]

    @property
    def is_part(self) -> bool:
        """Whether the tree may be cut from one to whose games, not its own, the texts apply."""
        # A tree cut from another one keeps its texts, but neither objective nor bound.
        is_restricted = self.max_length or self.first or self.objective not in ("", "total")
        return bool(is_restricted and self.provenance.history and not self.provenance.objective)


def read_provenance(provenance: Provenance, game: Game) -> Stated:
    """Read the texts of a provenance.

    >>> from treegen.games import parse_game
    >>> rule = "eligible=all; objective=total; max-length=5"
    >>> texts = Provenance("optimal", rule, (), "total", 5626)
    >>> stated = read_provenance(texts, parse_game("p4c6r"))
    >>> stated.is_optimal, stated.max_length, stated.unread
    (True, 5, {})
    >>> list(read_provenance(Provenance("Optimal", rule), parse_game("p4c6r")).unread)
    ['strategy']
    """
    stated, name, rule = Stated(provenance), provenance.strategy, provenance.rule
    # Whatever else the texts say, a tree is held to this word of theirs.
    words = [*rule.split("; "), *name.split(" ")]
    found = (word.removeprefix("eligible=") for word in words if word.startswith("eligible="))
    stated.eligible = next(found, "all")
    game = game.with_symbols(None)  # files name codes in the game's own notation
    if provenance.objective in OBJECTIVES:
        stated.objective = provenance.objective
    elif provenance.objective:
        unknown = f"unknown objective {provenance.objective!r:.80}"
        stated.unread["objective"] = f"{unknown}: there are {'; '.join(OBJECTIVES)}"
    named: tuple[Strategy, dict[str, Any]] | None = None
    try:  # the name first: the rule of a search has to agree with it
        if _SEARCH.fullmatch(name):
            _read_search(stated, game)
        elif name not in UNNAMED:
            named = _read_name(name, game)
    except (GameError, StrategyError) as error:
        stated.unread["strategy"] = str(error)
    try:
        if rule and stated.search == BEST:  # whatever it looks like
            how = "it says how a near-optimal search went, which a tree does not show"
            stated.unread["rule"] = how
        elif _SEARCH_RULE.fullmatch(rule):
            _read_search_rule(stated, game)
        elif rule:
            stated.chooser = _read_rule(provenance, game)
    except (GameError, StrategyError) as error:
        stated.unread["rule"] = str(error)
    if named is not None and stated.chooser is not None:
        stated.conflict = _compare(stated.chooser, provenance, *named)
    elif named is not None and rule:
        stated.unread["strategy"] = "the file's rule is not that of such a strategy"
    elif named is not None:
        stated.chooser = replace(named[0], **named[1])
    return stated


def _read_search(stated: Stated, game: Game) -> None:
    """Read the name of a search."""
    name = stated.provenance.strategy
    found = _SEARCH.fullmatch(name)
    assert found is not None
    eligible, first = found[2] or "all", split_names(found[3] or "")
    if name_search(found[1], first, eligible) != name or not _are_written(first, game):
        raise StrategyError(f"{name!r:.80} is not how treegen names a search")
    stated.search, stated.is_unproved = SEARCHES.get(found[1], OPTIMAL), found[1] == UNPROVED
    # A name has rules of play alone; `candidates` stands in the rule.
    stated.eligible, stated.first = found[2] or stated.eligible, first


def _read_search_rule(stated: Stated, game: Game) -> None:
    """Read the rule of a search, which must agree with the name and the objective beside it."""
    rule = stated.provenance.rule
    found = _SEARCH_RULE.fullmatch(rule)
    assert found is not None
    eligible, objective, first = found[1], found[2], split_names(found[4] or "")
    longest = int(found[3]) if found[3] else None
    written = write_search_rule(eligible, objective, longest, first) + (found[5] or "")
    is_known = eligible in ELIGIBLE and objective in OBJECTIVES and _are_written(first, game)
    if written != rule or not is_known:
        raise StrategyError(f"{rule!r:.80} is not how treegen writes the rule of a search")
    if stated.search is not None:
        own = UNPROVED if stated.is_unproved else stated.search.name
        name = name_search(own, first, eligible)
        if name != stated.provenance.strategy or stated.is_unproved != bool(found[5]):
            raise StrategyError(
                f"it is not that of a search named {stated.provenance.strategy!r:.80}"
            )
    if stated.provenance.objective not in ("", objective):
        raise StrategyError(f"its objective is not the file's {stated.provenance.objective!r:.80}")
    stated.objective, stated.max_length, stated.first = objective, longest, first


def _read_name(name: str, game: Game) -> tuple[Strategy, dict[str, Any]]:
    """Return the strategy that a name begins with, and how the rest, if any, changes it."""
    found = _CHANGED.fullmatch(name)
    assert found is not None  # it is not empty and has no line feed
    strategy = parse_strategy(found[1], game)
    changes: dict[str, Any] = {"eligible": found[2], "order": found[3]}
    changes["seed"] = None if found[4] is None else int(found[4])
    changes["opening"] = None if found[5] is None else split_names(found[5])
    changes = {key: value for key, value in changes.items() if value is not None}
    changed = change_strategy(strategy, **changes)
    _refuse_other_writing(changed, game)
    # A chain may leave its usual tie-break out, and minimax stands for knuth.
    bases = resolve_alias(found[1]), f"{found[1]},lowest"
    if strategy.name not in bases or changed.name[len(strategy.name) :] != name[len(found[1]) :]:
        raise StrategyError(f"{name!r:.80} is not how treegen names a strategy")
    return strategy, changes


def _read_rule(provenance: Provenance, game: Game) -> Strategy:
    """Return the strategy of a rule."""
    rule = provenance.rule
    try:
        strategy = parse_rule(rule)
    except StrategyError as error:
        if OWN in rule:  # another package's strategy brings its functions
            with suppress(StrategyError):
                strategy = parse_strategy(provenance.strategy, game)
                if strategy.rule == rule:
                    return strategy
        raise StrategyError(f"it cannot be read: {error}") from None
    if strategy.rule != rule:
        raise StrategyError(f"{rule!r:.80} is not how treegen writes a rule")
    _refuse_other_writing(strategy, game)
    return strategy


def _compare(
    chooser: Strategy, provenance: Provenance, named: Strategy, changes: dict[str, Any]
) -> str:
    """Return a contradiction of name and rule: a chain names the criteria alone, a name all."""
    same: dict[str, Any] = {"seed": chooser.seed}  # a name without a seed leaves it open
    if named.name == named.chain:
        same |= {key: getattr(chooser, key) for key in ("eligible", "order", "opening", "n_direct")}
    meant = replace(named, **same | changes)
    if meant.rule == chooser.rule:
        return ""
    return (
        f"the file names the strategy {provenance.strategy:.80}, whose rule is"
        f" {meant.rule!r:.80}; its own rule is {provenance.rule!r:.80}"
    )


def _are_written(guesses: tuple[str, ...], game: Game) -> bool:
    """Return whether guesses are written as the game does; GameError if one is no guess of it."""
    return all(game.notation.name_guess(game.parse_code(text)) == text for text in guesses)


def _refuse_other_writing(strategy: Strategy, game: Game) -> None:
    with suppress(GameError):  # an opening of another game: no tree can have such a rule
        if not _are_written(strategy.opening, game):
            raise StrategyError(f"the game writes the opening {strategy.opening!r:.80} otherwise")


def check_limits(stated: Stated, tree: Tree, worst: int | None) -> Iterator[tuple[str, Any, str]]:
    """Yield what a search kept to, as name and value, and how its tree does not; ``""`` if it does.

    `worst` is the length of the longest game, None if that is not known.
    """
    longest = stated.max_length
    if longest is not None and worst is not None:
        problem = f"the file claims games of at most {longest}; its tree has one of {worst}"
        yield "max-length", longest, problem if worst > longest else ""
    if stated.first and not is_announced(tree, 0):
        guess = tree.game.with_symbols(None).notation.name_guess(int(tree.guess[0]))
        given = join_names(stated.first)
        problem = f"the file claims the first guess {given}; its tree begins with {guess}"
        yield "first", given, "" if guess in stated.first else problem


def find_bound_fault(stated: Stated, total: Weight) -> str:
    """Return a contradiction of a bound and the total of its own tree; ``""`` if there is none."""
    bound = stated.provenance.bound
    if bound is None:
        return ""
    claimed, found = write_weights([bound]), write_weights([total])
    if bound > total:
        return f"the file claims the bound {claimed}; its own tree has total {found}"
    if bound < total and stated.is_optimal:
        return (
            f"the file calls its tree optimal, and claims the bound {claimed}; the tree has total"
            f" {found}"
        )
    return ""
