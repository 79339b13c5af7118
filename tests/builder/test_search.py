"""The fast search against the plain one inside, which looks at all responses without symmetry.

`build_tree` refuses what no user can ask for: its callers check what users give.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import Codebook, UsageError, build, make_chain, open_game
from treegen.builder import choose
from treegen.builder.grow import build_tree
from treegen.strategies.named import list_strategies, parse_strategy

from ..small_tables import draw_table

GAMES = ["p2c6n", "p3c4rb", "p3c5n", "p4c3r"]
CHAINS = [
    "max,power:1,parts,consistent,lowest",
    "max,random",
    "max,removals,lowest",
    "parts,max,highest",
    "parts,consistent,random",
    "consistent,max,lowest",
    "next-largest,lowest",
    "removals,consistent,highest",
    "power:3,highest",
    "power:-0.5,consistent,lowest",
    "power:0.5,random",
    "entropy,highest-consistent",
    "entropy,parts,consistent,highest",
]
WAYS = [
    [("lex", "all"), ("first-fastest", "candidates")],
    [("lex", "candidates"), ("first-fastest", "all")],
]
"""Order and eligible guesses, for every other game."""
EVERY_CHAIN = [*(named.name for named in list_strategies() if not named.only), *CHAINS]


def plain_digest(game, strategy, monkeypatch):
    """Return the digest of the tree whose guesses are all compared in full."""
    with monkeypatch.context() as patch:
        patch.setattr(choose, "fits_ranked_game", lambda *_: False)
        return build(game, strategy).digest


@pytest.mark.parametrize("chain", EVERY_CHAIN)
def test_same_tree_with_and_without_bounds_and_symmetry(chain, monkeypatch):
    """Each chain meets each of the four ways in one of the games."""
    for number, name in enumerate(GAMES):
        game = open_game(name)
        order, eligible = WAYS[number % 2][(number // 2 + EVERY_CHAIN.index(chain)) % 2]
        strategy = replace(parse_strategy(chain, game), order=order, eligible=eligible)
        expected = plain_digest(game, strategy, monkeypatch)
        assert build(game, strategy).digest == expected, name
        assert build_tree(game, strategy, symmetry=False).digest == expected, name


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["p4c5r", "p4c6n", "p4c5rb"])
@pytest.mark.parametrize("chain", ["knuth", "r-post", "entropy", "gibson-expected-last"])
def test_same_tree_of_larger_games_on_two_threads(name, chain, monkeypatch):
    game = open_game(name)
    strategy = parse_strategy(chain, game)
    expected = plain_digest(game, strategy, monkeypatch)
    monkeypatch.setattr(choose, "THREADED_PAIRS", 64)
    for jobs in (1, 2):
        for symmetry in (True, False):
            assert build_tree(game, strategy, jobs=jobs, symmetry=symmetry).digest == expected


@given(
    words=st.lists(st.text("abcd", min_size=3, max_size=3), min_size=2, max_size=30, unique=True),
    n_extra=st.integers(0, 8),
    rule=st.sampled_from(["pegs", "black"]),
    chain=st.sampled_from(["knuth", "r-post", "most-parts", "entropy", "gibson-minimax-last"]),
)
def test_same_tree_of_any_codebook(words, n_extra, rule, chain):
    n_secrets = max(1, len(words) - n_extra)
    game = Codebook(words[:n_secrets], words[n_secrets:], feedback=rule)
    strategy = parse_strategy(chain, game)
    with pytest.MonkeyPatch.context() as patch:
        expected = plain_digest(game, strategy, patch)
    assert build(game, strategy).digest == expected


@given(
    name=st.sampled_from(["p3c4r", "p3c5n", "p4c3r"]),
    codes=st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), min_size=1, max_size=3),
    chain=st.sampled_from(["knuth", "r-post", "expected-size", "gibson-expected-last"]),
)
def test_same_tree_from_the_middle_of_a_game(name, codes, chain):
    game = open_game(name)
    secret = codes[0][1]
    history = tuple((guess, game.score(guess, secret)) for guess, _ in codes)
    strategy = parse_strategy(chain, game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose, "fits_ranked_game", lambda *_: False)
        expected = build_tree(game, strategy, history=history).digest
    assert build_tree(game, strategy, history=history).digest == expected


@pytest.mark.parametrize(
    "history", [((-1, 0),), ((81, 0),), ((0, -1),), ((0, 99),)], ids=["low", "high", "neg", "big"]
)
def test_histories_out_of_range_are_refused(history):
    with pytest.raises(UsageError):
        build_tree(open_game("p4c3r"), make_chain("max"), history=history)


def test_a_question_that_is_asked_again_is_refused():
    tables = (pair for pair in map(draw_table, range(99)) if pair[0].rules.shares is not None)
    for game, plain in tables:
        for question in plain.questions:
            for answer, left in plain.ask(plain.root, question).items():
                if plain.count_separable(left):
                    code, rule = game.n_secrets + question, make_chain("expected-left")
                    with pytest.raises(UsageError, match="excludes a candidate"):
                        build_tree(game, rule, history=((code, answer),), first=[code])
                    return
    raise AssertionError("no table of these goes on after a question")
