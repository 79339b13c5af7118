"""The named strategies, each an exact rule with its source, and the searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

from .._loading import call_plugin, list_plugins, load_plugin
from .._options import find_near
from ..errors import StrategyError, warn
from ..games.base import Game
from ..games.eligible import is_rule_of_play
from ..kernels.rule_kinds import CriterionKind
from .strategy import (
    PER_COST,
    CellFunction,
    Strategy,
    join_names,
    list_criteria,
    list_tie_breaks,
    parse_chain,
    take_strategy,
)

if TYPE_CHECKING:
    from ..games.rules import Weight
    from ..tree.tree import Tree


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
    name: str,
    chain: str,
    summary: str,
    source: str,
    only: str = "",
    **parts: Any,
) -> NamedStrategy:
    """Return a named strategy; `parts` are those of `Strategy` that its chain does not have."""
    return NamedStrategy(replace(parse_chain(chain), name=name, **parts), summary, source, only)


_DEFINITIONS = (
    _define(
        "knuth",
        "max,consistent,lowest",
        "Minimax: the fewest candidates left at worst; among equal guesses, one that may win.",
        KNUTH,
    ),
    _define(
        "expected-size",
        "expected,consistent,lowest",
        "The fewest candidates left on average.",
        IRVING,
    ),
    _define(
        "entropy",
        "entropy,consistent,lowest",
        "The most information, as Shannon measures it.",
        NEUWIRTH,
    ),
    _define(
        "most-parts",
        "parts,consistent,lowest",
        "The most distinct answers, so the best chance to win at the next guess.",
        KOOI,
    ),
    _define(
        "minimax-next-largest",
        "next-largest,consistent,lowest",
        "Minimax with ties broken by the second largest cell, the third, and so on.",
        FANCIDEV,
    ),
    _define(
        "first-consistent",
        "lowest",
        "The first code that may be the secret.",
        SHAPIRO,
        eligible="candidates",
    ),
    _define(
        "random-consistent",
        "random",
        "Any code that may be the secret.",
        SHAPIRO,
        eligible="candidates",
    ),
    _define(
        "r-post",
        "max,lowest",
        "Minimax over all codes; the first index wins, consistent or not.",
        R_POST,
        order="first-fastest",
    ),
    _define(
        "codesmithy",
        "removals,lowest",
        "The most candidates surely removed; one more for a guess that may itself be the secret.",
        CODESMITHY,
        opening=("2211",),
        only="p4c6r",
    ),
    _define(
        "game-minimax",
        "max,lowest",
        "Minimax over all codes, first index; of two candidates, the first is guessed.",
        GAME,
        n_direct=2,
    ),
    _define("game-most-parts", "parts,lowest", "Most parts over all codes, first index.", GAME),
    _define(
        "barr-random",
        "random",
        "The notebook's random consistent solver.",
        BARR,
        eligible="candidates",
    ),
    _define(
        "barr-expected",
        "expected,lowest",
        "The notebook's best_expected_solver: consistent guesses only.",
        BARR,
        eligible="candidates",
        opening=BARR_OPENINGS,
        only="p4c6r",
    ),
    _define(
        "barr-worst-case",
        "max,lowest",
        "The notebook's best_worst_case_solver: consistent guesses only.",
        BARR,
        eligible="candidates",
        opening=BARR_OPENINGS,
        only="p4c6r",
    ),
    _define(
        "barr-knuth-lowest",
        "max,consistent,lowest",
        "The notebook's knuth_solver, opening with the first best of its five guesses.",
        BARR,
        opening=BARR_OPENINGS,
        only="p4c6r",
    ),
    _define(
        "barr-knuth-highest",
        "max,consistent,highest-consistent",
        "The notebook's knuth_solver with tie_breaker_highest, which decides between consistent"
        " guesses only.",
        BARR,
        opening=BARR_OPENINGS,
        only="p4c6r",
    ),
    *(
        _define(
            f"gibson-{metric}-{place}",
            f"{criterion},{tie_break}",
            f"{words}, {which} of the best guesses.",
            GIBSON,
        )
        for metric, criterion, words in (
            ("minimax", "max", "Least worst case (T_l for l to infinity)"),
            ("expected", "power:1", "Least expected size (T_1)"),
        )
        for place, tie_break, which in (
            ("first", "lowest", "the first"),
            ("last", "highest", "the last"),
            ("random", "random", "a random one"),
        )
    ),
    _define(
        "gibson-minimax-expected",
        "max,power:1,lowest",
        "Lexicographic: least worst case, of these least expected size.",
        GIBSON,
    ),
    _define(
        "gibson-expected-minimax",
        "power:1,max,lowest",
        "Lexicographic: least expected size, of these least worst case.",
        GIBSON,
    ),
)

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
