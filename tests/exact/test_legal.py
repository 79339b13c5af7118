"""Exact search where the answers say what may be guessed, against a recursion over histories."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import Codebook, GameError, SearchStoppedError, UsageError, build, open_game, verify

from ..small_games import columns_of
from .searching import AT_ONCE, OBJECTIVES, build_optimal, resume, search_best
from .test_differential import figures_of, make_play


@st.composite
def games(draw):
    """A codebook, some words of which may be secret."""
    n_letters = draw(st.integers(3, 4))
    text = st.text("abc", min_size=n_letters, max_size=n_letters)
    listed = draw(st.lists(text, min_size=1, max_size=14, unique=True))
    n_secrets = draw(st.integers(1, min(9, len(listed))))
    feedback = draw(st.sampled_from(["position", "position", "pegs"]))
    return Codebook(listed[:n_secrets], listed[n_secrets:], feedback=feedback)


@settings(max_examples=80)
@given(games(), st.data())
def test_the_best_tree_is_that_of_a_recursion_over_histories(game, data):
    kinds = ["all", "candidates", "consistent", *["hints"] * (game.rule == "position")]
    eligible = data.draw(st.sampled_from(kinds))
    objective = data.draw(st.sampled_from(OBJECTIVES))
    secret = data.draw(st.integers(0, game.n_secrets - 1))
    guesses = range(game.n_secrets if eligible == "candidates" else game.n_codes)
    past = data.draw(st.lists(st.sampled_from(guesses), max_size=1))
    history = tuple((guess, game.score(guess, secret)) for guess in past)
    play, candidates, _ = make_play(game, history, eligible)
    cap = data.draw(st.none() | st.integers(1, len(candidates)))
    options = {"objective": objective, "max_length": cap, "eligible": eligible}
    best = play.best_figures(objective, candidates, cap=cap)
    if best is None:
        with pytest.raises(UsageError, match="no tree finds all"):
            build_optimal(game, history=history, **options)
        return
    tree = build_optimal(game, history=history, **options)
    assert all(b in (None, a) for a, b in zip(figures_of(tree), best, strict=True))
    assert tree.provenance.bound == tree.total
    report = verify(tree)
    assert report.is_sound
    assert ("eligible" in {claim.name for claim in report.checked}) is (eligible != "all")


def make_game():
    """Return a game whose words share so many letters that hints bind."""
    words = ["".join(word) for word in itertools.product("abcde", repeat=4)]
    random.Random(5).shuffle(words)
    return Codebook(words[:70], words[70:220], feedback="position")


GAME = make_game()


@pytest.fixture(scope="module")
def hard():
    return build_optimal(GAME, eligible="hints")


def test_hard_mode_costs_more_and_is_between_the_others(hard):
    totals = [build_optimal(GAME, eligible=rule).total for rule in ("all", "consistent")]
    totals[1:1] = [hard.total]
    totals += [build_optimal(GAME, eligible="candidates").total]
    assert totals == sorted(totals)
    for chain in ("parts,consistent", "entropy", "max"):
        greedy = build(GAME, chain, eligible="hints")
        assert hard.total <= greedy.total


def test_the_file_states_the_rule(hard):
    assert hard.provenance.strategy == "optimal eligible=hints"
    assert hard.provenance.rule == "eligible=hints; objective=total"
    assert verify(hard, prove=True).is_proved
    assert columns_of(build_optimal(GAME, eligible="hints", jobs=2)) == columns_of(hard)


def test_a_given_first_guess_is_proved_below_it(hard):
    words = [GAME.format_code(code) for code in (3, 77)]
    trees = [build_optimal(GAME, eligible="hints", first=(word,)) for word in words]
    assert [GAME.format_code(int(tree.guess[0])) for tree in trees] == words
    both = build_optimal(GAME, eligible="hints", first=tuple(words))
    assert hard.total <= both.total == min(tree.total for tree in trees)
    assert both.provenance.strategy == f"optimal eligible=hints first={words[0]}|{words[1]}"
    assert verify(both).is_sound


def test_first_guesses_of_few_cells_bound_nothing_below_them():
    """Guesses below may have more cells than all first guesses that are given."""
    words = ["".join(word) for word in itertools.product("abcde", repeat=3)]
    random.Random(0).shuffle(words)
    game = Codebook(words[:24], ["axy", "exy", *words[24:34]], feedback="position")
    both = build_optimal(game, eligible="hints", first=("axy", "exy"))
    alone = [build_optimal(game, eligible="hints", first=(word,)).total for word in ("axy", "exy")]
    assert alone[1] < alone[0]
    assert both.total == alone[1]


def test_of_equal_first_guesses_the_first_one_given_is_made():
    game = Codebook(["aab", "aba", "baa"], feedback="position")
    for first in (("aab", "aba"), ("aba", "aab")):
        tree = build_optimal(game, eligible="hints", first=first)
        assert game.format_code(int(tree.guess[0])) == first[0]


def test_what_breaks_the_rule_is_refused():
    crane, speed = 0, 9
    history = ((crane, GAME.score(crane, 1)), (speed, GAME.score(speed, 1)))
    with pytest.raises(UsageError, match="not one of a game with eligible=consistent: guess 2"):
        build_optimal(GAME, eligible="consistent", history=history)
    with pytest.raises(UsageError, match=r"the first guess \w+ breaks eligible=hints: "):
        word = GAME.format_code(speed)
        build_optimal(GAME, eligible="hints", history=history[:1], first=(word,))
    with pytest.raises(GameError, match="needs green and yellow letters"):
        build_optimal(open_game("p3c4r"), eligible="hints")


def test_consistent_is_candidates_in_a_peg_game():
    tree = build_optimal(open_game("p3c4r"), eligible="consistent")
    assert columns_of(tree) == columns_of(build_optimal(open_game("p3c4r"), eligible="candidates"))
    assert tree.provenance.rule == "eligible=consistent; objective=total"
    assert verify(tree, prove=True).is_proved


def test_an_ended_search_keeps_its_best_tree():
    ended = build_optimal(GAME, eligible="hints", keep_best=True, watch=lambda _: True)
    assert ended.provenance.strategy == "optimal-unproved eligible=hints"
    assert ended.provenance.bound <= ended.total
    assert verify(ended).is_sound
    with pytest.raises(SearchStoppedError):
        build_optimal(GAME, eligible="hints", watch=lambda _: True)
    capped = build_optimal(
        GAME, eligible="hints", max_length=4, keep_best=True, watch=lambda _: True
    )
    assert capped.worst <= 4


def test_best_ends_with_the_optimum_if_it_may(hard):
    tree = search_best(GAME, eligible="hints", watch=lambda _: False)
    assert (tree.total, tree.provenance.bound) == (hard.total, hard.total)
    assert tree.provenance.strategy == "best eligible=hints"
    assert verify(tree).is_sound


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
@pytest.mark.parametrize("beam", [1, 3])
def test_a_beam_is_no_worse_than_the_rules(eligible, beam):
    tree = search_best(GAME, eligible=eligible, beam=beam)
    assert tree.provenance.strategy == f"best eligible={eligible}"
    assert verify(tree, eligible=eligible).is_sound
    for chain in ("parts,consistent", "entropy,consistent"):
        greedy = build(GAME, chain, eligible=eligible)
        assert tree.provenance.bound <= tree.total <= greedy.total


def test_best_is_there_from_the_first_moment():
    tree = search_best(GAME, eligible="hints", watch=lambda _: True)
    assert verify(tree, eligible="hints").is_sound
    small = search_best(Codebook(["ab", "ba"], ["bb"], feedback="position"), eligible="consistent")
    assert small.total == 3


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_a_first_guess_is_searched_by_several_and_resumed_inside(eligible, tmp_path):
    options = {"eligible": eligible, "first": (GAME.format_code(77),)}
    alone = build_optimal(GAME, **options)
    for how in ({"jobs": 3}, {"n_workers": 2}):
        assert build_optimal(GAME, budget=AT_ONCE, **how, **options).digest == alone.digest
    tree, n_ends = resume(GAME, lambda n_ends: 1 + n_ends, folder=tmp_path, **options)
    assert n_ends > 0
    assert tree.digest == alone.digest
    best = search_best(GAME, **options)
    assert best.provenance.strategy == f"best eligible={eligible} first={options['first'][0]}"
    assert best.guess[0] == 77
    assert verify(best).is_sound


def test_the_table_may_be_chosen(hard):
    log = {}
    tree = build_optimal(GAME, eligible="hints", table_size=1, table_seed=7, log=log)
    assert tree.digest == hard.digest
    table = {"entries": 1 << 15, "bytes": 1 << 20, "key_bits": 128, "seed": 7}
    assert (log["table"], log["counts"]["states"] > 0) == (table, True)
