"""Tables to play, each with its transcripts and figures."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgpack
import numpy as np

from treegen.builder.grow import build_tree
from treegen.formats.table import announce_leaves, cut_tree, expand_tree, make_table
from treegen.games.answer_table import AnswerTable
from treegen.games.base import Game
from treegen.games.codebook import make_word_game
from treegen.games.names import parse_game
from treegen.games.questions import Questions
from treegen.games.rules import Goal, GoalName
from treegen.strategies.named import parse_strategy
from treegen.tree.tree import Provenance, Tree
from treegen.tree.walk import TreeStates

from .files import change, encode, seal

WON, IMPOSSIBLE, ANNOUNCED = -1, -2, -3
PROFILES = ("full", "lean", "slim")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def build(name: str, strategy: str = "knuth", **options: Any) -> Tree:
    """Build a tree."""
    game = parse_game(name)
    return build_tree(game, parse_strategy(strategy, game), **options)


def generate_tables() -> Iterator[dict[str, Any]]:
    """Yield the tables to play."""
    for name in ("p1c1r", "p1c2r", "p2c2r", "p2c3r", "p3c4n", "p3c3rb", "a2211", "p7c2r", "p4c6r"):
        for profile in PROFILES:
            yield describe(f"{name}-{profile}", build(name), profile)
    for n_codes in (255, 256, 257, 65_535, 65_536, 65_537):
        tree = make_wide(n_codes)
        yield describe(f"codes-{n_codes}", tree, "full", make_table(tree, all_words=True))
    for n_pegs in (30, 31, 32):
        yield describe(f"responses-{n_pegs + 1}", make_long(n_pegs), "full")
    for profile in PROFILES:
        yield describe(f"position-{profile}", make_words(), profile)
        yield describe(f"mid-game-{profile}", make_mid_game(), profile)
    pairs = build("p3c4r", "gibson-minimax-last")
    yield describe("implicit-1-lean", pairs, "lean")
    yield describe("implicit-1-slim", pairs, "slim")
    for profile in PROFILES:
        yield describe(f"words-of-more-{profile}", make_few_of_many(), profile)
    tree = build("p3c4r")
    data = make_table(tree)
    yield describe("long-forms", tree, "full", lengthen(data))
    yield describe("later-minor", tree, "full", change(data, lambda v: [v[0], 1, *v[2:], "new"]))
    more = {"a": 1, "b": "text", "c": b"bytes"}
    yield describe("later-minor-map", tree, "full", change(data, lambda v: [v[0], 7, *v[2:], more]))
    yield from generate_goals()
    # MicroPython refused texts in long forms (#19).
    yield describe(
        "long-profile", tree, "full", seal(data.replace(b"\xa4full", b"\xd9\4full")[:-5])
    )


def generate_goals() -> Iterator[dict[str, Any]]:
    """Yield tables of answers, and of games that are over when one candidate is left."""
    for name in ("p1c1r", "p3c3r", "p3c4n", "a2211"):
        for profile in PROFILES:
            yield describe(f"identify-{name}-{profile}", identify(parse_game(name)), profile)
    weights, costs = [0, 2, 1, 4, 3, 5, 6, 7, 9], [1, 2, 1, 1, 1, 1, 1, 1, 3]
    game = parse_game("p2c3r").with_stakes(weights)
    yield describe("weighted-lean", build_tree(game, parse_strategy("knuth", game)), "lean")
    game = parse_game("p2c3r").with_stakes(None, costs)
    yield describe("costs-identify-full", identify(game), "full")
    for goal in ("identify", "win"):
        animals = make_animals(goal)
        tree = build_tree(animals, parse_strategy("entropy", animals))
        for labels in ("inside", "none"):
            data = make_table(tree, labels=labels, all_words=True)
            yield describe(f"questions-{goal}-{labels}", tree, "full", data)
        yield describe(f"questions-{goal}-asked", tree, "full", make_table(tree))
    yield describe_possible("possible")
    yield describe_possible("possible-win", "win")
    yield describe("range", build("range20", "entropy"), "full")
    yield describe("range-identify", identify(parse_game("range9")), "full")
    alone: Game = Questions([["a"]], names=["alone"], questions=["Why?"])
    yield describe("one-candidate", build_tree(alone, parse_strategy("entropy", alone)), "full")


def identify(game: Game) -> Tree:
    """Build the tree of a game that is over when one candidate is left."""
    game = game.with_goal("identify")
    return build_tree(game, parse_strategy("knuth", game))


def make_animals(goal: str) -> Game:
    """Return a table of answers, some of them outside ASCII, each question with its own."""
    rows = [
        ["no", "4", "land"],
        ["no", "4", "water"],
        ["yes", "2", "land"],
        ["yes", "2", "water"],
        ["no", "6", "Höhle"],
        ["no", "8", "Höhle"],
    ]
    names = ["dog", "frog", "sparrow", "duck", "Ameise", "蜘蛛"]
    game = Questions(rows, names, ["Feathers?", "Legs", "Home"], goal=goal)
    return game.with_stakes([3, 1, 4, 1, 5, 9])


def describe(name: str, tree: Tree, profile: str, data: bytes | None = None) -> dict[str, Any]:
    """Return the vector of a tree's table."""
    is_known = tree.game.goal == Goal.IDENTIFY and not tree.children(0)
    return {
        "name": name,
        "profile": profile,
        "file": encode(data if data is not None else make_table(tree, profile=profile)),
        "first": ANNOUNCED - int(tree.guess[0]) if is_known else int(tree.guess[0]),
        "transcripts": make_transcripts(tree),
        "total": tree.share_total,
        "worst": tree.worst,
        "histogram": tree.share_histogram,
        "digest": tree.digest,
    }


def describe_possible(name: str, goal: GoalName = "identify") -> dict[str, Any]:
    """Return the vector of a table with uncertain answers.

    Players walk what is announced, at two leaves several candidates, or guess one candidate at
    several leaves; `game` is the whole table's description.
    """
    table = AnswerTable(
        ("dog", "frog", "蜘蛛", "duck", "Ameise"),
        ("Legs", "Wet?", "Eggs?"),
        (("2", "4", "6", "8"), ("no", "yes"), ("no", "yes")),
        np.array([[1, 0, 0], [1, 1, 1], [4, 0, 1], [0, 2, 1], [4, 0, 2]], dtype=np.uint8),
        sets=(((2, 3),), ((0, 1),), ((0, 1),)),
    )
    game = Questions(table).with_goal(goal)
    tree = build_tree(game, parse_strategy("separable-pairs", game))
    vector = describe(name, announce_leaves(tree), "full", make_table(tree))
    facts = {"total": tree.share_total, "worst": tree.worst, "histogram": tree.share_histogram}
    return {**vector, **facts, "digest": tree.digest, "game": game.description}


def make_transcripts(tree: Tree, count: int = 12) -> list[dict[str, list[int]]]:
    """Return games: answers, and what follows each.

    The next guess, -1 (won), -2 (impossible), or -3 - c where candidate c is announced.
    """
    choose = random.Random(1).choice
    announces = tree.game.goal == Goal.IDENTIFY
    games = []
    for _ in range(count):
        node, answers, results = 0, [], []
        for _ in range(2 * tree.worst):
            response = choose(range(tree.game.n_responses - 1))
            children = {int(tree.response[child]): child for child in tree.children(node)}
            if choose("ab") == "a" and children:
                response = choose(list(children))
            answers.append(response)
            node = children.get(response, node)
            is_over = response in children and announces and not tree.children(node)
            code = int(tree.guess[node])
            results.append(
                ANNOUNCED - code if is_over else code if response in children else IMPOSSIBLE
            )
        end = IMPOSSIBLE if announces and not tree.children(node) else WON
        games.append({"answers": [*answers, tree.game.win], "results": [*results, end]})
    return games


def make_wide(n_codes: int) -> Tree:
    """Return a tree of a codebook with a number of codes, the last of them guessed first."""
    words = [a + b + c for a in ALPHABET for b in ALPHABET for c in ALPHABET][: n_codes - 4]
    secrets = ["???", "!??", "!!?"]
    game = make_word_game(secrets, [*words, "!!!"], rule="black")

    def guess(states: TreeStates) -> Any:
        firsts = states.candidates[states.starts[:-1]].copy()
        return np.where(states.sizes == 3, game.n_codes - 1, firsts)

    return expand_tree(game, Provenance("made up"), guess)


def make_long(n_pegs: int) -> Tree:
    """Return a tree whose first guess is answered in every way that the game has."""
    words = ["a" * k + "b" * (n_pegs - k) for k in range(n_pegs, -1, -1)]
    game = make_word_game(words, ["b" * (n_pegs - 1) + "c"], rule="black")
    return build_tree(game, parse_strategy("first-consistent", game))


def make_words() -> Tree:
    """Return a tree with position feedback, 243 responses."""
    words = ["crane", "crate", "trace", "react", "eagle", "geese", "llama", "caret", "carte"]
    game = make_word_game(words[:7], words[7:], rule="position")
    return build_tree(game, parse_strategy("knuth", game))


def make_few_of_many() -> Tree:
    """Return a tree of a codebook, without the words that it does not guess."""
    words = [f"{a}{b}{c}" for a in "abcdef" for b in "abcdef" for c in "abcdefgh"]
    game = make_word_game(words[::20], words, rule="position")
    return cut_tree(build_tree(game, parse_strategy("knuth", game)))


def make_mid_game() -> Tree:
    """Return a tree that starts behind two guesses."""
    game = parse_game("p3c4r")
    return build("p3c4r", history=((game.parse_code("112"), 1), (game.parse_code("233"), 4)))


def lengthen(data: bytes) -> bytes:
    """Return a table with numbers and bytes in longer forms than they need."""
    values = msgpack.unpackb(data)[:-1]
    body = data[:1] + b"".join(
        b"\xce" + value.to_bytes(4, "big")
        if isinstance(value, int)
        else b"\xc6" + len(value).to_bytes(4, "big") + value
        if isinstance(value, bytes)
        else msgpack.packb(value)
        for value in values
    )
    return seal(body)
