"""Games in progress: a tree, a strategy's tree, or a strategy for codes of any length."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Unpack

from .._options import check_seed, check_whole
from ..analysis import Advice, Session, advise, choose_rule, keep_rule_of_play
from ..errors import StrategyError, UsageError
from ..games import Game
from ..strategies import (
    Strategy,
    change_strategy,
    is_search,
    parse_strategy,
    plays_online,
    take_strategy,
)
from ..tree import History, Tree, cut_at, describe_dead_end, find_child
from .contests import is_tree
from .making import BuildOptions, build_here, check_build, make_rule, search
from .progress import ProgressOption
from .sources import (
    GameOptions,
    GameSource,
    HistorySource,
    Notice,
    StrategySource,
    TreeSource,
    check_rules,
    choose_symbols,
    open_game,
    open_tree,
    parse_history,
)

PlaySource = GameSource | TreeSource
"""A tree, its file, or a game whose tree is built."""

Builder = Callable[[History], Tree]


def play(
    source: PlaySource,
    strategy: StrategySource | None = None,
    *,
    eligible: str | None = None,
    history: HistorySource = None,
    seed: int | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Session:
    """Begin a game in which a tree, or a strategy's tree, breaks a code.

    Parameters
    ----------
    source
        A tree or its file; or a game, whose tree is built.
    strategy
        Build this strategy's tree of the game (``"knuth"`` unless said).
    eligible
        What may be guessed, as of `build`.
    history
        Start after guesses already made, the tree's own or not.
    seed
        Of a random strategy.
    jobs
        Threads of a build; None: all cores.
    progress
        Called with a `Progress` during a build; True shows a bar.
    notice
        Called when the game leaves the tree, with the rule by which it goes on.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`.

    Returns
    -------
    Session
        `Session.guess` is the guess to make, `Session.answer` takes the answer to it.

    Raises
    ------
    GameError, StrategyError, UsageError, UnreachableError
        The game or the strategy is unknown, an option does not fit, or no secret agrees with the
        history.

    See Also
    --------
    start_online : For codes too long for a tree.

    Examples
    --------
    >>> import treegen
    >>> session = treegen.play("p4c6r", "knuth")
    >>> session.guess
    '1122'
    >>> session.answer("02")
    >>> session.guess, session.n_left
    ('2344', 96)
    >>> print(session.tree.play("3163"))
     1  1122  10  256 left
     2  1344  02  41 left
     3  3135  21  4 left
     4  3156  21  1 left
     5  3163  40  1 left
    """
    check_rules(play, rules)
    check_whole(jobs=jobs)
    check_seed(seed)
    if strategy is None and is_tree(source):
        if any(value not in (None, False) for value in (*rules.values(), eligible, seed)):
            raise UsageError(
                "--feedback, --guesses, --eligible and --seed belong to a game;"
                f" {_name(source)!r} is a tree, which states its own"
            )
        return _play_tree(open_tree(source).tree, history, jobs, progress, notice)  # type: ignore[arg-type]
    game = open_game(source, **rules)  # type: ignore[arg-type]
    name = take_strategy(strategy or "knuth")
    if isinstance(name, str) and plays_online(name):
        raise StrategyError(f"{name} makes no tree: start_online begins its games")
    options = BuildOptions(
        eligible=eligible, seed=seed, history=history, jobs=jobs, progress=progress
    )
    past = check_build(game, name, options)

    def rebuild(past: History) -> Tree:
        return _build(game, name, past, options)

    return Session(rebuild(past), rebuild=rebuild)


def advice(
    source: PlaySource,
    strategy: StrategySource | None = None,
    *,
    history: HistorySource = None,
    top: int = 10,
    eligible: str | None = None,
    seed: int | None = None,
    symbols: str | Sequence[str] | None = None,
    **rules: Unpack[GameOptions],
) -> Advice:
    """Return what is possible after some guesses, and the best guesses by a rule.

    Parameters
    ----------
    source
        A game; or a tree or its file, whose rule ranks the guesses.
    strategy
        The rule that ranks the guesses (``"knuth"`` for a game, unless said).
    history
        Guesses made and the answers to them: ``"1123:02/4561:11"``.
    top
        How many guesses are ranked; 0: none, the candidates alone.
    eligible
        What may be guessed, as of `build`.
    seed
        Of a random strategy.
    symbols
        How colors are written.
    **rules
        Of a game given by name or file: feedback, guesses, goal, weights, costs, strict, as in
        `open_game`.

    Raises
    ------
    UsageError
        No secret agrees with the history, or the strategy is a search.
    GameError, StrategyError
        The game or the strategy is unknown, or the state is too large.

    Examples
    --------
    >>> import treegen
    >>> found = treegen.advice("p4c6r", history="1122:02/1344:11", top=1)
    >>> len(found.candidates), found.guesses[0].guess
    (19, '5214')
    """
    check_rules(advice, rules)
    check_whole(0, top=top)
    check_seed(seed)
    strategy = None if strategy is None else take_strategy(strategy)
    if isinstance(strategy, str) and is_search(strategy):
        raise UsageError(f"--top ranks by a rule, such as entropy; {strategy} has none")
    game, rule, past = _choose_ranking(source, strategy, eligible, seed, rules)
    found = advise(game, rule, history=(*past, *parse_history(history, game)), n_top=top)
    written = choose_symbols(symbols, game) if symbols else None
    return replace(found, symbols=written)


def _build(game: Game, strategy: str | Strategy, past: History, options: BuildOptions) -> Tree:
    """Build the tree of a strategy or a search that starts after a history."""
    check_build(game, strategy, options)
    if isinstance(strategy, str) and is_search(strategy):
        return search(game, strategy, past, options)
    return build_here(game, make_rule(game, strategy, options), past, options)


def _choose_ranking(
    source: PlaySource,
    strategy: str | Strategy | None,
    eligible: str | None,
    seed: int | None,
    rules: GameOptions,
) -> tuple[Game, Strategy, History]:
    """Return the game, the rule that ranks, and the history of a tree."""
    if not is_tree(source):
        game = open_game(source, **rules)  # type: ignore[arg-type]
        options = BuildOptions(eligible=eligible, seed=seed)
        return game, make_rule(game, strategy or "knuth", options), ()
    if rules.get("feedback") or rules.get("guesses"):
        raise UsageError(f"--feedback and --guesses belong to a game; {_name(source)!r} is a tree")
    tree = open_tree(source).tree  # type: ignore[arg-type]
    if strategy is None:
        rule = choose_rule(tree)
    else:
        rule = strategy if isinstance(strategy, Strategy) else parse_strategy(strategy, tree.game)
        rule = keep_rule_of_play(tree, rule)
    return tree.game, change_strategy(rule, eligible=eligible), tree.provenance.history


def _name(source: object) -> str:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else str(source)


def _play_tree(
    tree: Tree,
    history: HistorySource,
    jobs: int | None,
    progress: ProgressOption,
    notice: Notice | None,
) -> Session:
    """Follow a history in a tree, or continue by its rule where the history leaves it."""

    def rebuild(past: History) -> Tree:
        rule = choose_rule(tree)
        is_own = rule.name == tree.provenance.strategy
        reason = "the tree's own rule" if is_own else "the tree has no rule"
        if notice is not None:
            told = f"not the tree's guess: continuing by {rule.name} ({reason}): {rule.rule}"
            notice(told)
        return _build(tree.game, rule, past, BuildOptions(jobs=jobs, progress=progress))

    pairs = parse_history(history, tree.game)
    node = _follow(tree, pairs)
    if node is None:
        return Session(rebuild((*tree.provenance.history, *pairs)), rebuild=rebuild)
    return Session(cut_at(tree, node) if pairs else tree, rebuild=rebuild)


def _follow(tree: Tree, history: History) -> int | None:
    """Return the state after a history; None if a guess is not the tree's."""
    node = 0
    for guess, response in history:
        if guess != tree.guess[node]:
            return None
        child = find_child(tree, node, response)
        if child is None:
            raise UsageError(describe_dead_end(tree, node, response))
        node = child
    return node
