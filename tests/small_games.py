"""Small games for the tests, as treegen's value and as its naive twin.

What no user can ask for is imported here: strategies without the opening that belongs to one game,
games by the descriptions in files.
"""

from dataclasses import replace
from functools import cache

from treegen import Codebook, open_game
from treegen.games.names import from_description
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
        game = Codebook(WORDS, EXTRA, feedback=rule)
        return game, naive.codebook_rules(WORDS, EXTRA, rule)
    return open_game(name), naive.peg_rules(name)


def read_description(description):
    """Return the game that a file describes so, or raise its error without the file's name."""
    return from_description(description)


def make_strategies(name, seed=0):
    """Return a strategy, free of openings that belong to one game, and its naive twin."""
    if name not in naive.STRATEGIES:
        strategy = parse_chain(name)
        return replace(strategy, seed=seed), naive.Strategy(strategy.chain, seed=seed)
    strategy = replace(parse_strategy(name, open_game("p4c6r")), opening=(), seed=seed)
    return strategy, replace(naive.STRATEGIES[name], opening=(), seed=seed)


def columns_of(tree):
    """Return a tree's columns as lists."""
    return (
        tree.guess.tolist(),
        tree.response.tolist(),
        tree.first_child.tolist(),
        tree.n_candidates.tolist(),
    )


def list_candidates(game, history):
    """Return the secrets that agree with a history of (code, response)."""
    return [
        secret
        for secret in range(game.n_secrets)
        if all(game.score(guess, secret) == response for guess, response in history)
    ]


def history_of(tree, node):
    """Return the (code, response) pairs that lead from a tree's root to a node."""
    pairs = []
    while node > 0:
        parent = int(tree.parent[node])
        pairs.append((int(tree.guess[parent]), int(tree.response[node])))
        node = parent
    return tuple(reversed(pairs))


def write_history(game, history):
    """Return a history of (code, response) as users give it: pairs of texts."""
    return [
        (game.format_code(guess), game.format_response(response, guess))
        for guess, response in history
    ]


def iter_preorder(tree, node=0):
    """Yield the nodes from `node` down, each before its children, by ascending response."""
    yield node
    for child in tree.children(node):
        yield from iter_preorder(tree, child)
