"""Words: the sum of their letters' marks is the response; fast and plain kernels agree."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import Codebook, build
from treegen.builder import choose
from treegen.builder.choose import number_rule
from treegen.games.rules import Goal
from treegen.jit.compiler import njit
from treegen.kernels.onestep import game as word_games
from treegen.kernels.onestep.game import make_word_game
from treegen.kernels.onestep.guesses import States, choose_guess
from treegen.kernels.onestep.words import (
    FEW,
    GLANCE,
    choose_words,
    count_words,
    fill_rows,
    write_word_answers,
)
from treegen.kernels.onestep.workspace import make_word_arena
from treegen.kernels.responses import make_scoring
from treegen.strategies.named import parse_strategy

from .. import naive
from ..pseudo_words import make_word_game as make_pseudo_words

CHAINS = [
    "knuth",
    "entropy",
    "most-parts",
    "expected,lowest",
    "max,parts,highest",
    "next-largest,consistent,lowest",
    "removals,lowest",
    "power:0.5,lowest",
    "entropy,highest-consistent",
    "parts,random",
    "first-consistent",
]


def make_kernels_game(game, chain, **changes):
    strategy = parse_strategy(chain, game)
    scoring, rule = make_scoring(game.rules), number_rule(game, strategy)
    words = make_word_game(game.rules, scoring, rule._replace(**changes))
    assert words is not None
    return words, scoring, rule._replace(**changes)


@st.composite
def word_lists(draw):
    """Words of few letters, so that letters repeat; secrets, and further guesses."""
    n_pegs = draw(st.integers(1, 7))
    word = st.text("abcd"[: draw(st.integers(2, 4))], min_size=n_pegs, max_size=n_pegs)
    words = draw(st.lists(word, min_size=2, max_size=30, unique=True))
    return words, draw(st.integers(1, len(words)))


@njit(allocates=True)
def answer(game, arena, candidates, guess):
    """Write the responses to a guess; Python cannot call the parts of a kernel itself."""
    fill_rows(game, arena, candidates)
    write_word_answers(game, arena, guess, count_words(game, len(candidates)))


@given(word_lists())
def test_the_marks_of_the_parts_add_up_to_the_response(lists):
    words, n_secrets = lists
    game = Codebook(words[:n_secrets], words[n_secrets:], feedback="position")
    rules = naive.codebook_rules(words[:n_secrets], words[n_secrets:], "position")
    fast, _, _ = make_kernels_game(game, "knuth")
    arena = make_word_arena(fast, n_secrets)
    for guess in range(game.n_codes):
        answer(fast, arena, np.arange(n_secrets, dtype=np.int32), guess)
        found = arena.answer_lanes[:n_secrets].tolist()
        assert found == [rules.respond(guess, secret) for secret in range(n_secrets)]


def choose_both_ways(game, chain, sizes, seed, **changes):
    """Return the guesses of some states of any secrets, by the fast and by the plain kernels."""
    rng = np.random.default_rng(seed)
    fast, scoring, rule = make_kernels_game(game, chain, **changes)
    parts = [np.sort(rng.choice(game.n_secrets, size, replace=False)) for size in sizes]
    rank_of = np.argsort(fast.codes).astype(np.int32)
    keys = rng.integers(0, 2**62, len(sizes), dtype=np.uint64)
    states = States(
        np.concatenate([np.sort(rank_of[part]) for part in parts]),
        np.cumsum([0, *sizes], dtype=np.int64),
        np.zeros((len(sizes), 0), dtype=np.int32),
        keys,
    )
    found = np.full(len(sizes), -1, dtype=np.int32)
    choose_words(fast, make_word_arena(fast, max(sizes)), states, np.arange(len(sizes)), found)
    never = np.zeros(1, dtype=np.int64)
    plain = []
    for part, key in zip(parts, keys, strict=True):
        candidates = part.astype(np.int32)
        ordered = candidates[np.argsort(rule.ranks[candidates])]
        eligible = ordered if rule.candidates_only else rule.sequence
        is_direct = len(candidates) <= rule.n_direct
        args = scoring, rule, None, candidates, eligible, game.n_responses, key, never
        plain.append(int(ordered[0]) if is_direct else choose_guess(*args))
    return found.tolist(), plain


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("only", [False, True], ids=["all", "candidates"])
def test_guesses_in_small_states_are_those_of_the_plain_search(chain, only):
    game = make_pseudo_words(60, 150)
    sizes = [2, 3, 4, 5, GLANCE - 1, GLANCE, GLANCE + 1, 2 * GLANCE, 2 * GLANCE + 1, 30, 60] * 2
    fast, plain = choose_both_ways(game, chain, sizes, 7, candidates_only=only)
    assert fast == plain


@pytest.mark.compiled
@pytest.mark.parametrize("chain", CHAINS)
def test_states_of_many_candidates(chain):
    game = make_pseudo_words(FEW + 9, FEW + 70)
    sizes = [FEW - 1, FEW, FEW + 1, FEW + 4, FEW // 2, FEW + 9]
    fast, plain = choose_both_ways(game, chain, sizes, 3)
    assert fast == plain


@given(word_lists(), st.sampled_from(CHAINS), st.integers(0, 99))
def test_words_of_any_length_are_chosen_as_by_the_plain_search(lists, chain, seed):
    words, n_secrets = lists
    game = Codebook(words[:n_secrets], words[n_secrets:], feedback="position")
    source = random.Random(seed)
    sizes = [source.randint(2, n_secrets) for _ in range(4)] if n_secrets > 1 else [1]
    fast, plain = choose_both_ways(game, chain, sizes, seed)
    assert fast == plain


def test_too_many_rows_are_left_to_the_plain_kernels(monkeypatch):
    game = make_pseudo_words(30, 40)
    scoring, rule = make_scoring(game.rules), number_rule(game, parse_strategy("knuth", game))
    monkeypatch.setattr(word_games, "MAX_ROW_BYTES", 1000)
    assert make_word_game(game.rules, scoring, rule) is None
    pegs = Codebook(game.rules.words[:30], feedback="pegs")
    rule = number_rule(pegs, parse_strategy("knuth", pegs))
    assert make_word_game(pegs.rules, make_scoring(pegs.rules), rule) is None


@pytest.mark.parametrize("chain", ["knuth", "entropy", "parts,random"])
def test_words_to_be_identified(chain, monkeypatch):
    """Whether the last guess counts or not, fast and plain kernels build the same tree."""
    game = make_pseudo_words(50, 90).with_goal(Goal.IDENTIFY)
    strategy = parse_strategy(chain, game)
    fast = build(game, strategy)
    monkeypatch.setattr(choose, "make_word_game", lambda *_: None)
    assert build(game, strategy).digest == fast.digest
