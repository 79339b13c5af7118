"""Parts of the online strategies, each against its definition: facts, messages, walks, counting."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treegen import FormatError, Mastermind, build, open_game, patterns, start_online
from treegen.analysis.patterns import list_patterns
from treegen.kernels.responses import mix
from treegen.online._messages import Field, bounded_exp, shuffle, tilt_odds
from treegen.online.adaptive import (
    Adaptive,
    Answers,
    Beliefs,
    Certifier,
    Counting,
    Walker,
    put_color,
    rate_guess,
    start_walk,
    walk,
)
from treegen.online.named import draw_secret, play_online, replay, score_colors
from treegen.online.permutation import KnuthArranger, TableArranger
from treegen.online.player import ContradictionError, Facts

from .. import naive_online
from ..naive import score_pegs
from ..written import bytes_of

SIZES = [(2, 3, True), (3, 3, True), (3, 4, False), (4, 2, True), (1, 4, True)]


@pytest.mark.parametrize("size", SIZES, ids=str)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_facts_hold_for_every_consistent_code(size, data):
    codes = naive_online.codes_of(*size)
    every = naive_online.codes_of(size[0], size[1], True)
    secret = data.draw(st.sampled_from(codes))
    facts, history = Facts(*size), []
    assert facts.high.max() == (size[0] if size[2] else 1)
    for guess in data.draw(st.lists(st.sampled_from(every), max_size=6)):
        history.append((guess, score_pegs(guess, secret)))
        facts.observe(np.array(guess, dtype=np.int32), *history[-1][1])
        for code in naive_online.consistent(codes, history):
            counts = np.bincount(code, minlength=size[1])
            assert (facts.low <= counts).all()
            assert (counts <= facts.high).all()
            assert facts.allowed[list(code), range(size[0])].all()
    assert facts.n_answers == len(history)


@given(data=st.data())
@settings(max_examples=50, deadline=None)
def test_facts_refuse_only_what_no_code_can_answer(data):
    codes = naive_online.codes_of(3, 3, True)
    facts, history = Facts(3, 3, True), []
    for _ in range(5):
        guess = data.draw(st.sampled_from(codes))
        answer = data.draw(st.sampled_from([(b, w) for b in range(4) for w in range(4 - b)]))
        before = facts.low.copy(), facts.high.copy(), facts.allowed.copy()
        try:
            facts.observe(np.array(guess, dtype=np.int32), *answer)
        except ContradictionError:
            assert not naive_online.consistent(codes, [*history, (guess, answer)])
            assert all(
                (a == b).all()
                for a, b in zip(before, (facts.low, facts.high, facts.allowed), strict=True)
            )
            continue
        history.append((guess, answer))


def test_the_same_guess_answered_twice_differently():
    facts = Facts(3, 5, True)
    guess = np.array([0, 1, 2], dtype=np.int32)
    facts.observe(guess, 1, 0)
    with pytest.raises(ContradictionError, match=r"answer 2 .*guess 1 on 0 pegs"):
        facts.observe(guess, 0, 1)


@pytest.mark.parametrize("target", [1, 2, 3, 5])
def test_tilted_odds_are_near_the_exact_posterior(target):
    odds = np.array([0.1, 0.5, 1.0, 0.3, 0.2, 2.0, 0.7])
    vectors = [np.zeros(7) for _ in range(2)]
    field = Field(np.zeros((1, 7)), np.ones(7), odds, *vectors)
    tilt = 1.0
    for _ in range(5):
        tilt, variance, _ = tilt_odds(field, target, tilt)
    assert field.tilted.sum() == pytest.approx(target, abs=0.03)
    assert variance == pytest.approx((field.tilted * (1 - field.tilted)).sum())
    exact = naive_online.sum_posterior(odds.tolist(), target)
    assert np.abs(field.tilted - exact).max() < 0.1


def test_exponentials_are_near_and_bounded():
    for x in np.linspace(-1.6, 1.6, 33):
        assert bounded_exp(x) == pytest.approx(np.exp(x), rel=0.03)
    assert bounded_exp(50.0) == bounded_exp(1.6)


def test_shuffle_is_a_permutation_by_key():
    one = shuffle(np.uint64(1), 50)
    assert sorted(one) == list(range(50))
    assert (one == shuffle(np.uint64(1), 50)).all()
    assert (one != shuffle(np.uint64(2), 50)).any()


def make_walker(code, guesses, answers, n_colors):
    uses = np.array([np.bincount(g, minlength=n_colors) for g in guesses], dtype=np.int32)
    blacks = np.array([black for black, _ in answers])
    totals = np.array([sum(answer) for answer in answers])
    kept = Answers(np.array(guesses, dtype=np.int32), blacks, totals, uses)
    gaps = np.zeros((2, len(guesses)), dtype=np.int64)
    counts = np.zeros(n_colors, dtype=np.int32)
    walker = Walker(np.array(code, dtype=np.int32), counts, gaps[0], gaps[1])
    start_walk(walker, kept)
    return walker, kept


@given(data=st.data())
@settings(max_examples=50, deadline=None)
def test_gaps_follow_every_move(data):
    code = st.lists(st.integers(0, 3), min_size=4, max_size=4)
    guesses = data.draw(st.lists(code, min_size=1, max_size=4))
    walker, answers = make_walker(data.draw(code), guesses, [(1, 1)] * len(guesses), 4)
    for peg, color in data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)))):
        put_color(walker, answers, peg, color)
    for row, guess in enumerate(guesses):
        black, white = score_pegs(guess, walker.code.tolist())
        assert walker.black_gaps[row] == black - 1
        assert walker.total_gaps[row] == black + white - 2


def test_walk_finds_exactly_the_consistent_codes():
    secret, guesses = (2, 0, 3, 3), [(0, 1, 2, 3), (3, 3, 0, 0), (2, 2, 1, 3)]
    answers = [score_pegs(guess, secret) for guess in guesses]
    walker, kept = make_walker((0, 0, 0, 0), guesses, answers, 4)
    found = np.empty((20_000, 4), dtype=np.int32)
    every = np.ones((4, 4), dtype=bool)
    colors = np.arange(4, dtype=np.int32)
    n_found = walk(walker, kept, every, colors, np.uint64(7), 20_000, found)
    history = list(zip(guesses, answers, strict=True))
    right = naive_online.consistent(naive_online.codes_of(4, 4, True), history)
    assert {tuple(code) for code in found[:n_found].tolist()} == set(right)


def test_the_rate_of_a_guess_is_the_worth_of_its_cells():
    pool = list(itertools.product(range(3), repeat=3))[::2]
    worth = np.arange(len(pool) + 1) ** 2
    for guess in [(0, 0, 1), (2, 1, 0)]:
        cells = {}
        for code in pool:
            cells[score_pegs(guess, code)] = cells.get(score_pegs(guess, code), 0) + 1
        rate = rate_guess(
            np.array(guess, dtype=np.int32),
            np.array(pool, dtype=np.int32),
            worth,
            np.zeros(16, dtype=np.int64),
            np.zeros(3, dtype=np.int64),
        )
        assert rate == sum(size**2 for size in cells.values())


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_counting_finds_every_count(data):
    n_pegs, n_colors = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 20))
    colors = st.integers(0, n_colors - 1)
    secret = data.draw(st.lists(colors, min_size=n_pegs, max_size=n_pegs))
    counts = np.bincount(secret, minlength=n_colors)
    facts = Facts(n_pegs, n_colors, True)
    counting = Counting(facts)
    for _ in range(4 * n_colors + 4 * n_pegs):
        asked, uses = counting.next_colors()
        if not asked:
            break
        assert uses * len(asked) <= n_pegs
        counting.learn(uses, int(np.minimum(counts[asked], uses).sum()))
    assert (facts.low == counts).all()
    assert (facts.high == counts).all()


def test_keys_are_the_documented_generator():
    assert int(mix(np.uint64(0), np.uint64(0))) == 0xE220A8397B1DCDAF


@pytest.mark.parametrize("n_wrong", [1, 3, 6])
@pytest.mark.parametrize("is_permutation", [False, True])
def test_splitting_proves_which_pegs_are_right(n_wrong, is_permutation):
    """Told one code that is nearly right, and nothing else: tests alone sort it out."""
    n_pegs = 100
    rng = np.random.default_rng(n_wrong)
    secret = rng.permutation(n_pegs) if is_permutation else rng.integers(0, 60, n_pegs)
    facts = Facts(n_pegs, n_pegs, not is_permutation)
    key = np.uint64(5)
    certifier = Certifier(facts, Beliefs(facts, key), key)
    near, wrong = secret.astype(np.int32), rng.choice(n_pegs, n_wrong, replace=False)
    near[wrong] = 99 - near[wrong]
    assert (near != secret).sum() == n_wrong
    guess, n_tests = near, -1
    while guess is not None:
        facts.observe(guess, *score_colors(guess, secret))
        if n_tests >= 0:
            certifier.learn(int((guess == secret).sum()))
        n_tests += 1
        guess = certifier.next_guess()
    assert facts.allowed[secret, np.arange(n_pegs)].all()
    assert not facts.allowed[near[wrong], wrong].any()
    assert (facts.n_left == 1).sum() >= n_pegs - n_wrong
    assert n_tests <= 8 + 14 * n_wrong


def test_too_many_wrong_pegs_are_not_split():
    facts = Facts(64, 64, True)
    certifier = Certifier(facts, Beliefs(facts, np.uint64(1)), np.uint64(1))
    facts.observe(np.arange(64, dtype=np.int32), 59, 0)
    assert certifier.next_guess() is None
    facts = Facts(64, 64, True)
    certifier = Certifier(facts, Beliefs(facts, np.uint64(1)), np.uint64(1))
    facts.observe(np.arange(64, dtype=np.int32), 60, 0)
    assert certifier.next_guess() is not None


@pytest.mark.parametrize("shape", [(8, 8), (25, 25)], ids=str)
def test_fallback_solves_from_any_point(shape):
    game = Mastermind(*shape)
    for switch in (0, 1, 5, 12):
        player = Adaptive(game, seed=switch)
        player.switch = switch
        assert play_online(player, draw_secret(game, 3, switch)) <= player.bound


def test_replay_is_the_same_player():
    game = open_game("p20c20r")
    secret = draw_secret(game, 2, 0)
    player, answers = start_online("adaptive", game, 3), []
    for _ in range(10):
        answers.append(score_colors(player.next_guess(), secret))
        player.observe(*answers[-1])
    again = replay("adaptive", game, 3, answers)
    assert (again.next_guess() == player.next_guess()).all()


@pytest.mark.parametrize("name", ["a21", "a211", "a221", "a1111", "a32"])
def test_search_and_table_play_alike(name, tmp_path):
    game, path = open_game(name), tmp_path / f"{name}.tgt"
    path.write_bytes(bytes_of(build(name, "knuth"), "table"))
    for secret in range(game.n_secrets):
        search, table = KnuthArranger(game), TableArranger(game, path)
        while (code := search.next_code()) != secret:
            assert table.next_code() == code
            black = game.score(code, secret)
            search.answer(black)
            table.answer(black)
        assert table.next_code() == secret


def test_a_table_of_another_game_is_refused(tmp_path):
    path = tmp_path / "a22.tgt"
    path.write_bytes(bytes_of(build("a31"), "table"))
    with pytest.raises(FormatError, match="a22"):
        TableArranger(open_game("a22"), path)


def test_patterns_are_all_partitions():
    assert [len(list_patterns(n)) for n in range(1, 9)] == [1, 2, 3, 5, 7, 11, 15, 22]


def test_permutation_walks_the_folder_of_patterns(tmp_path):
    folder = str(tmp_path / "set")
    patterns(4, folder)
    game = open_game("p4c9r")
    for number in range(15):
        secret = draw_secret(game, 6, number)
        plain = start_online("permutation", game)
        walked = start_online("permutation", game, tables=folder)
        assert play_online(plain, secret) == play_online(walked, secret)
        if walked._arranger is not None:
            assert isinstance(walked._arranger, TableArranger)
