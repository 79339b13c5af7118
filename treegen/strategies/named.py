"""The named strategies, each an exact rule with its source, and the searches; how files state them.

A text of a provenance counts only where it is, to the last space, what treegen writes. Any other
may mean something else: it is named as unread, and not taken for the nearest thing that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NoReturn, get_args

from .._loading import call_plugin, list_plugins, load_plugin
from .._options import find_near
from ..errors import GameError, StrategyError, warn
from ..games.base import Game
from ..games.eligible import ELIGIBLE, is_rule_of_play
from ..games.rules import Weight, write_weights
from ..kernels.rule_kinds import CriterionKind
from ..tree.tree import Provenance, Tree
from ..tree.walk import is_announced
from .strategy import (
    OWN,
    PER_COST,
    CellFunction,
    Strategy,
    change_strategy,
    join_names,
    list_criteria,
    list_tie_breaks,
    make_chain,
    parse_chain,
    parse_rule,
    split_names,
    take_strategy,
)


@dataclass(frozen=True, slots=True)
class NamedStrategy:
    """A strategy with its description.

    `summary` adds to `Strategy.rule` the idea in one sentence, `source` says where it was
    published; `only` is the digest name of the one game for which it is defined, ``""`` for any.
    """

    strategy: Strategy
    summary: str
    source: str
    only: str = ""

    @property
    def name(self) -> str:
        """The name of the strategy."""
        return self.strategy.name


KNUTH = "D. E. Knuth, The computer as Master Mind, J. Recreational Math. 9 (1976-77) 1-6"
IRVING = "R. W. Irving, Towards an optimum Mastermind strategy, J. Recreational Math. 11 (1978-79)"
NEUWIRTH = "E. Neuwirth, Some strategies for Mastermind, Z. Operations Research 26 (1982) B257-278"
KOOI = "B. Kooi, Yet another Mastermind strategy, ICGA Journal 28 (2005) 13-20"
R_POST = "Solving Mastermind with R, weblog post of 29 June 2012"
CODESMITHY = "codesmithy, Who's the Mastermind now, weblog post of 26 June 2008"
GAME = "MasterMind game, a program and its article with minimax and most-parts algorithms"
BARR = "I. Barr, Mastermind, notebook of 17 January 2016"
GIBSON = "L. Gibson, Building a Mastermind AI, web page with the T_l family of metrics"
FANCIDEV = "mmstrat of fancidev/mastermind, its minimax heuristic"
SHAPIRO = "E. Shapiro, Playing Mastermind logically, SIGART Newsletter 85 (1983) 28-29"

WITHOUT_TREE = ("adaptive", "one-by-one", "one-by-one-distinct", "permutation")
"""The online strategies (see `treegen.online`), listed so that none passes for a mistake."""

_ALIASES = {"minimax": "knuth"}
"""Common names, and what they stand for; trees hold the latter."""

MEANT = {
    "random": "random-consistent",
    "consistent-random": "random-consistent",
    "first": "first-consistent",
    "shannon": "entropy",
    "irving": "expected-size",
    "kooi": "most-parts",
    "exhaustive": "optimal",
    "exact": "optimal",
}
"""Words that resemble no name, and the name that is most likely meant."""

# One code of each class of equivalent first guesses; of equally good ones the first is played.
BARR_OPENINGS = ("1111", "2111", "2211", "2311", "1234")


def list_strategies() -> list[NamedStrategy]:
    """Return all named strategies, in the order in which they are documented."""
    return list(NAMED.values())


def parse_strategy(text: str | Strategy | CellFunction, game: Game) -> Strategy:
    """Return the strategy of a name or of a chain of criteria, if it fits the game.

    ``minimax`` is Knuth's rule; a single criterion, such as ``max``, is a chain; a strategy is
    returned as it is, for a function its chain. StrategyError if the name is unknown (a similar one
    is suggested) or that of a search or of a strategy without a tree, if the chain is malformed, or
    if the strategy is defined for another game.
    """
    if not isinstance(text, str):
        return take_strategy(text)
    named = NAMED.get(resolve_alias(text))
    if is_search(text):
        raise StrategyError(
            f"{text} is a search, not a rule: build with `strategy={text!r:.80}` makes its tree"
        )
    if plays_online(text):
        raise StrategyError(f"{text} makes no tree: treegen play, simulate and compare take it")
    if named is None:  # entropy is a criterion, too: alone, it is the strategy
        if _is_chain(text):
            _refuse_list(text)
            chain = parse_chain(text)
            is_alone = "," not in text and chain.criteria[0].kind == CriterionKind.SHARES
            return replace(chain, name=text) if is_alone else chain
        # Plug-ins come last, so that none gives a known name another meaning.
        named = find_plugin(text) or refuse_name(text)
    if named.only and named.only != game.rules.digest_name:  # a codebook may be called p4c6r
        raise StrategyError(
            f"strategy {text} is defined for {named.only}, not for {game.name}: its opening"
            f" {'|'.join(named.strategy.opening)} belongs to that game"
        )
    return named.strategy


def resolve_strategy(strategy: str | Strategy | CellFunction, game: Game) -> Strategy | NamedSearch:
    """Return the rule or the search for which a name, a chain or a function stands.

    StrategyError: see `parse_strategy`.

    >>> from treegen.games import parse_game
    >>> resolve_strategy("optimal", parse_game("p4c6r")) is OPTIMAL
    True
    """
    search = SEARCHES.get(strategy) if isinstance(strategy, str) else None
    return search or parse_strategy(strategy, game)


def refuse_name(text: str) -> NoReturn:
    """Raise StrategyError for an unknown name, suggesting a similar one."""
    raise StrategyError(f"unknown strategy {text!r:.80}{_suggest(text)}")


def _refuse_list(text: str) -> None:
    """Raise StrategyError if names of strategies stand where the criteria of a chain should."""
    words = [word.strip() for word in text.split(",")]
    known = {*list_criteria(), *list_tie_breaks()}
    for word in words:
        if word in list_names() and word not in known:
            several = " ".join(f"-s {word}" for word in words)
            raise StrategyError(
                f"{word!r:.80} is a whole strategy, not a criterion of a chain; several strategies"
                f" are compared as {several:.80}"
            )


def _is_chain(text: str) -> bool:
    is_weighed = text.endswith(PER_COST) or text.startswith("power:")
    return "," in text or is_weighed or text in list_criteria()


def list_names() -> list[str]:
    """Return every name that ``-s`` takes: of rules, of searches, of online strategies."""
    return [*NAMED, *SEARCHES, *WITHOUT_TREE, *_ALIASES]


def resolve_alias(text: str) -> str:
    """Return the name that another one stands for, or the text itself."""
    return _ALIASES.get(text, text)


def plays_online(name: str) -> bool:
    """Whether a strategy makes no tree but decides during play (see `treegen.online`)."""
    return name in WITHOUT_TREE


def _suggest(text: str) -> str:
    if text in list_tie_breaks() and text not in MEANT:  # random: random-consistent is likelier
        return f": it is a tie-break, which ends a chain, as in max,consistent,{text}"
    near = find_near(text, list_names())
    near = [MEANT[text]] if text in MEANT else near
    hint = f": did you mean {near[0]}?" if near else ": treegen strategies lists all."
    if near and not any(criterion in text for criterion in list_criteria()):
        return hint
    return f"{hint} A chain is written max,power:1,parts,consistent,lowest"


def _define(
    name: str, chain: str, summary: str, source: str, only: str = "", **parts: Any
) -> NamedStrategy:
    """Return a named strategy; `parts` are those of `Strategy` that its chain does not have."""
    strategy = replace(make_chain(*chain.split(",")), name=name, **parts)
    return NamedStrategy(strategy, summary, source, only)


_DEFINITIONS = (
    _define(
        "knuth", "max,consistent,lowest",
        "Minimax: the fewest candidates left at worst; among equal guesses, one that may win.",
        KNUTH,
    ),
    _define(
        "expected-size", "expected,consistent,lowest", "The fewest candidates left on average.",
        IRVING,
    ),
    _define(
        "entropy", "entropy,consistent,lowest", "The most information, as Shannon measures it.",
        NEUWIRTH,
    ),
    _define(
        "most-parts", "parts,consistent,lowest",
        "The most distinct answers, so the best chance to win at the next guess.",
        KOOI,
    ),
    _define(
        "minimax-next-largest", "next-largest,consistent,lowest",
        "Minimax with ties broken by the second largest cell, the third, and so on.",
        FANCIDEV,
    ),
    _define(
        "first-consistent", "lowest", "The first code that may be the secret.",
        SHAPIRO, eligible="candidates",
    ),
    _define(
        "random-consistent", "random", "Any code that may be the secret.",
        SHAPIRO, eligible="candidates",
    ),
    _define(
        "r-post", "max,lowest", "Minimax over all codes; the first index wins, consistent or not.",
        R_POST, order="first-fastest",
    ),
    _define(
        "codesmithy", "removals,lowest",
        "The most candidates surely removed; one more for a guess that may itself be the secret.",
        CODESMITHY, opening=("2211",), only="p4c6r",
    ),
    _define(
        "game-minimax", "max,lowest",
        "Minimax over all codes, first index; of two candidates, the first is guessed.",
        GAME, n_direct=2,
    ),
    _define("game-most-parts", "parts,lowest", "Most parts over all codes, first index.", GAME),
    _define(
        "barr-random", "random", "The notebook's random consistent solver.",
        BARR, eligible="candidates",
    ),
    _define(
        "barr-expected", "expected,lowest",
        "The notebook's best_expected_solver: consistent guesses only.",
        BARR, eligible="candidates", opening=BARR_OPENINGS, only="p4c6r",
    ),
    _define(
        "barr-worst-case", "max,lowest",
        "The notebook's best_worst_case_solver: consistent guesses only.",
        BARR, eligible="candidates", opening=BARR_OPENINGS, only="p4c6r",
    ),
    _define(
        "barr-knuth-lowest", "max,consistent,lowest",
        "The notebook's knuth_solver, opening with the first best of its five guesses.",
        BARR, opening=BARR_OPENINGS, only="p4c6r",
    ),
    _define(
        "barr-knuth-highest", "max,consistent,highest-consistent",
        "The notebook's knuth_solver with tie_breaker_highest, which decides between consistent"
        " guesses only.",
        BARR, opening=BARR_OPENINGS, only="p4c6r",
    ),
    _define(
        "gibson-minimax-first", "max,lowest",
        "Least worst case (T_l for l to infinity), the first of the best guesses.", GIBSON,
    ),
    _define(
        "gibson-minimax-last", "max,highest",
        "Least worst case (T_l for l to infinity), the last of the best guesses.", GIBSON,
    ),
    _define(
        "gibson-minimax-random", "max,random",
        "Least worst case (T_l for l to infinity), a random one of the best guesses.", GIBSON,
    ),
    _define(
        "gibson-expected-first", "power:1,lowest",
        "Least expected size (T_1), the first of the best guesses.", GIBSON,
    ),
    _define(
        "gibson-expected-last", "power:1,highest",
        "Least expected size (T_1), the last of the best guesses.", GIBSON,
    ),
    _define(
        "gibson-expected-random", "power:1,random",
        "Least expected size (T_1), a random one of the best guesses.", GIBSON,
    ),
    _define(
        "gibson-minimax-expected", "max,power:1,lowest",
        "Lexicographic: least worst case, of these least expected size.",
        GIBSON,
    ),
    _define(
        "gibson-expected-minimax", "power:1,max,lowest",
        "Lexicographic: least expected size, of these least worst case.",
        GIBSON,
    ),
)  # fmt: skip

NAMED = {named.name: named for named in _DEFINITIONS}


def find_plugin(name: str) -> NamedStrategy | None:
    """Return the strategy that a plug-in has under a name; None if none works."""
    if name not in list_plugins("strategies"):
        return None
    plugin = load_plugin("strategies", name)
    if isinstance(plugin, str):
        plugin = call_plugin("strategies", name, parse_chain, plugin)
    if isinstance(plugin, Strategy):
        dist = list_plugins("strategies")[name].dist
        source = "a plug-in" if dist is None else f"the package {dist.name}"
        plugin = NamedStrategy(plugin, "a rule of another package", source)
    if isinstance(plugin, NamedStrategy):  # named as -s does: by that name a file's rule is found
        return replace(plugin, strategy=replace(plugin.strategy, name=name))
    if plugin is not None:  # of one that failed, a warning was given
        warn(f"the plug-in {name!r:.80} is {plugin!r:.80}: neither a strategy nor a chain")
    return None


def list_plugin_strategies() -> list[NamedStrategy]:
    """Return the strategies of plug-ins that load."""
    found = map(find_plugin, list_plugins("strategies"))
    return [named for named in found if named is not None]


Objective = Literal[
    "total",
    "total,worst,n_worst",
    "worst,total",
    "worst,n_worst,total",
    "nodes",
    "nodes,total",
    "worst,nodes",
]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
"""What an exact search may minimise: the criteria in their order."""


LEGAL = " eligible="
"""What stands in the name of a search before the rule of play."""

GIVEN = " first="
"""What stands in the name of a search before the first guesses that it was given."""


@dataclass(frozen=True, slots=True)
class NamedSearch:
    """A search: a strategy that follows no rule, with its description.

    `name` is what ``-s`` takes, `rule` says what it finds, to the last tie, `summary` the idea in a
    sentence, `source` where its method was published.
    """

    name: str
    rule: str
    summary: str
    source: str


OPTIMAL = NamedSearch(
    "optimal",
    "least total (or --objective); of equal guesses the first by one-step bound, then code",
    "Exhaustive branch and bound: no tree is better, and that is proved.",
    "K. Koyama and T. W. Lai, An optimal Mastermind strategy, J. Recreational Math. 25"
    " (1993) 251-256; docs/optimal.md",
)
BEST = NamedSearch(
    "best",
    "a beam of growing width with small states solved exactly",
    "Near-optimal where a proof is out of reach: the best tree found, and the proved gap.",
    "docs/optimal.md",
)
SEARCHES = {search.name: search for search in (OPTIMAL, BEST)}


def list_objectives() -> list[str]:
    """Return the objectives that an exact search may minimise."""
    return list(OBJECTIVES)


def measure(tree: Tree, objective: str) -> dict[str, Weight]:
    """Return the figures of a tree that an objective minimises, in their order.

    >>> import treegen
    >>> measure(treegen.build("p2c3r"), "nodes,total")
    {'nodes': 9, 'total': 24}
    """
    return {
        name: tree.n_nodes if name == "nodes" else getattr(tree, name)
        for name in objective.split(",")
    }


def is_search(name: str) -> bool:
    """Whether a strategy's name is that of a search."""
    return name in SEARCHES


def name_search(search: str, first: Sequence[str] = (), eligible: str = "all") -> str:
    """Return the name of a search, with the rule of play and the first guesses that it was given.

    A table holds no more than the name: it has to say among which trees the tree is the best.

    >>> name_search("optimal", ["salet", "crate"]), name_search("optimal", eligible="hints")
    ('optimal first=salet|crate', 'optimal eligible=hints')
    """
    if is_rule_of_play(eligible):
        search += f"{LEGAL}{eligible}"
    return f"{search}{GIVEN}{join_names(first)}" if first else search


def write_search_rule(
    eligible: str, objective: str, max_length: int | None, first: Sequence[str]
) -> str:
    """Return the rule of an exact search, as in files.

    >>> write_search_rule("all", "worst,total", 6, ())
    'eligible=all; objective=worst,total; max-length=6'
    """
    longest = "" if max_length is None else f"; max-length={max_length}"
    given = f"; first={join_names(first)}" if first else ""
    return f"eligible={eligible}; objective={objective}{longest}{given}"


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
    kept = (word.removeprefix("eligible=") for word in words if word.startswith("eligible="))
    stated.eligible = next(kept, "all")
    game = game.with_symbols(None)  # files name codes in the game's own notation
    if provenance.objective in OBJECTIVES:
        stated.objective = provenance.objective
    elif provenance.objective:
        unknown = f"unknown objective {provenance.objective!r:.80}"
        stated.unread["objective"] = f"{unknown}: there are {'; '.join(OBJECTIVES)}"
    named: tuple[Strategy, dict[str, Any]] | None = None
    try:  # the name first: the rule of a search has to agree with it
        if found := _SEARCH.fullmatch(name):
            _read_search(stated, found, game)
        elif name not in UNNAMED:
            named = _read_name(name, game)
    except (GameError, StrategyError) as error:
        stated.unread["strategy"] = str(error)
    try:
        if rule and stated.search == BEST:  # whatever it looks like
            how = "it says how a near-optimal search went, which a tree does not show"
            stated.unread["rule"] = how
        elif found := _SEARCH_RULE.fullmatch(rule):
            _read_search_rule(stated, found, game)
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


def _read_search(stated: Stated, found: re.Match[str], game: Game) -> None:
    """Read the name of a search."""
    eligible, first = found[2] or "all", split_names(found[3] or "")
    if name_search(found[1], first, eligible) != found[0] or not _are_written(first, game):
        raise StrategyError(f"{found[0]!r:.80} is not how treegen names a search")
    stated.search, stated.is_unproved = SEARCHES.get(found[1], OPTIMAL), found[1] == UNPROVED
    # A name has rules of play alone; `candidates` stands in the rule.
    stated.eligible, stated.first = found[2] or stated.eligible, first


def _read_search_rule(stated: Stated, found: re.Match[str], game: Game) -> None:
    """Read the rule of a search, which must agree with the name and the objective beside it."""
    eligible, objective, first = found[1], found[2], split_names(found[4] or "")
    longest = int(found[3]) if found[3] else None
    written = write_search_rule(eligible, objective, longest, first) + (found[5] or "")
    is_known = eligible in ELIGIBLE and objective in OBJECTIVES and _are_written(first, game)
    if written != found[0] or not is_known:
        raise StrategyError(f"{found[0]!r:.80} is not how treegen writes the rule of a search")
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
