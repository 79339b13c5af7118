"""Small games for the tests, as treegen's value and as its naive twin."""

from dataclasses import replace
from functools import cache

from treegen.games.codebook import CodebookGame
from treegen.games.names import parse_game
from treegen.strategies.named import parse_strategy
from treegen.strategies.strategy import parse_chain

from . import naive

WORDS = ["crane", "crate", "trace", "eerie", "abide", "speed", "erase", "steal", "react", "caret"]
EXTRA = ["zzzzz", "tears", "loris", "aaaaa"]
SMALL = [
    *("p1c1r", "p1c5r", "p2c3r", "p3c4r", "p4c3r", "p2c2n", "p2c6n", "p3c5n", "p4c4n"),
    *("p3c4rb", "p4c4nb", "words-pegs", "words-position"),
]


@cache
def make_pair(name):
    """Return a game and its naive rules."""
    if name.startswith("words-"):
        rule = name.removeprefix("words-")
        game = CodebookGame(WORDS, EXTRA, rule=rule)
        return game, naive.codebook_rules(WORDS, EXTRA, rule)
    return parse_game(name), naive.peg_rules(name)


def make_strategies(name, seed=0):
    """Return a strategy, free of openings that belong to one game, and its naive twin."""
    if name not in naive.STRATEGIES:
        strategy = parse_chain(name)
        return replace(strategy, seed=seed), naive.Strategy(strategy.chain, seed=seed)
    strategy = replace(parse_strategy(name, parse_game("p4c6r")), opening=(), seed=seed)
    return strategy, replace(naive.STRATEGIES[name], opening=(), seed=seed)


def columns_of(tree):
    """Return a tree's columns as lists."""
    return (
        tree.guess.tolist(),
        tree.response.tolist(),
        tree.first_child.tolist(),
        tree.n_candidates.tolist(),
    )


def iter_preorder(tree, node=0):
    """Yield the nodes from `node` down, each before its children, by ascending response."""
    yield node
    for child in tree.children(node):
        yield from iter_preorder(tree, child)
