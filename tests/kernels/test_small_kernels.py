"""Kernels that no front door shows alone, against twins: logarithms, levels, lanes, renamings."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from treegen import Questions, build, make_chain, open_game
from treegen.builder.choose import make_first_level, number_rule
from treegen.builder.plain import make_weighing
from treegen.games.eligible import select_eligible
from treegen.games.renaming import FREE, extend_renaming
from treegen.jit.compiler import njit
from treegen.jit.interpreter import interpret
from treegen.kernels import levels, responses
from treegen.kernels.levels import split_level
from treegen.kernels.onestep import workspace
from treegen.kernels.onestep.criteria import log_of
from treegen.kernels.onestep.eligible import list_eligible
from treegen.kernels.responses import make_scoring
from treegen.verifier.rule import find_log

from ..pseudo_words import make_word_game
from ..small_games import history_of


def test_logarithms_of_kernel_and_verifier_agree():
    game = open_game("p2c2r").with_stakes([10**12 - 3, 1, 1, 1])
    weighing = make_weighing(game, make_chain("entropy"))
    find = interpret(getattr(log_of, "py_func", log_of))
    for number in [0, 1, 2, 3, 97, 1000, 2**20, 2**20 + 1, 10**9, 10**12]:
        value = find(weighing, number)
        assert value == find_log(number, len(weighing.logs) - 1, weighing.bits)
        assert number < 2 or abs(value / 2**weighing.bits - np.log2(number)) < 1e-3


def test_many_answers_are_split_as_few_are():
    matrix = np.random.default_rng(5).integers(0, 9, (200, 6)).tolist()
    rows = sorted(map(list, {tuple(row) for row in matrix}))
    game = Questions(rows, answers=[str(number) for number in range(9)], goal="win")
    level = make_first_level(game, make_chain("max", "random"), ())
    scoring, guesses = make_scoring(game.rules), np.array([game.n_secrets + 2], dtype=np.int32)
    few = split_level(scoring, level, guesses, game.n_responses)
    many = levels.split_widely(scoring, level, guesses, game.n_responses)
    guesses = np.array([few.candidates[0] for _ in few.parents], dtype=np.int32)
    again = split_level(scoring, few, guesses, game.n_responses)
    wide = levels.split_widely(scoring, few, guesses, game.n_responses)
    for a, b in [*zip(few, many, strict=True), *zip(again, wide, strict=True)]:
        if a is None:  # no shares
            assert b is None
            continue
        assert a.dtype == b.dtype
        assert a.tolist() == b.tolist()


@pytest.mark.parametrize("eligible", ["hints", "consistent"])
def test_lists_of_a_level_in_any_order(eligible):
    """Neighbours share what they have in common; strangers must not."""
    game = make_word_game(60, 150)
    chain = make_chain("parts", "consistent", "lowest")
    strategy = replace(chain, eligible=eligible, n_direct=2)
    tree = build(game, strategy)
    scoring, rule = make_scoring(game.rules), number_rule(game, strategy)
    for first, last in zip(tree.level_starts, tree.level_starts[1:], strict=False):
        histories = [history_of(tree, node) for node in range(first, last)]
        starts = [make_first_level(game, strategy, history) for history in histories]
        sizes = [len(level.candidates) for level in starts]
        level = starts[0]._replace(
            candidates=np.concatenate([level.candidates for level in starts]),
            starts=np.concatenate(([0], np.cumsum(sizes))),
        )
        paths = np.array([[guess for guess, _ in history] for history in histories], np.int32)
        chosen = np.random.default_rng(3).permutation(len(histories))
        lists = list_eligible(scoring, rule, level, paths.reshape(len(histories), -1), chosen)
        for place, state in enumerate(chosen):
            listed = lists.codes[lists.starts[place] : lists.starts[place + 1]].tolist()
            expected = select_eligible(game, eligible, histories[state]).tolist()
            assert listed == (expected if sizes[state] > 2 else [])


CODES = list(product(range(3), repeat=3))


@njit(allocates=True)
def extend(colors, pegs, first, second):
    return responses.extend_renaming(colors, pegs, first, second)


def find_renaming(pairs):
    """Return the only renaming that turns each first color to its second, None if none does."""
    colors = {}
    for old, new in pairs:
        if colors.setdefault(old, new) != new:
            return None
    return colors if len(set(colors.values())) == len(colors) else None


@pytest.mark.parametrize("pegs", list(permutations(range(3))))
def test_a_renaming_extends_as_the_definition_says(pegs):
    for first, second in product(CODES, CODES[::2]):
        for known_first, known_second in ((0, 0, 1), (2, 2, 0)), ((0, 1, 2), (1, 2, 0)):
            known = list(zip(known_first, known_second, strict=True))
            expected = find_renaming([*known, *((first[pegs[i]], second[i]) for i in range(3))])
            start = [dict(known).get(color, FREE) for color in range(3)]
            plain, compiled = list(start), np.array(start, dtype=np.int16)
            assert extend_renaming(plain, pegs, first, second) == (expected is not None)
            arrays = (np.array(values, dtype=np.uint8) for values in (pegs, first, second))
            assert extend(compiled, *arrays) == (expected is not None)
            assert compiled.tolist() == plain
            if expected is not None:
                assert plain == [expected.get(color, FREE) for color in range(3)]


SIZE = 80 * workspace.LANES


@njit(allocates=True)
def add(work, out, a, b, c):
    workspace.add_lanes(work, out, a, b, c)


@njit(allocates=True)
def move(work, out, a, b, c):
    workspace.move_lanes(work, out, a, b, c)


@njit(allocates=True)
def merge(work, out, a, b):
    workspace.merge_lanes(work, out, a, b)


@njit(allocates=True)
def count(work, at, value):
    return workspace.count_lanes(work, at, value)


@njit(allocates=True)
def tally(work, rows, n, out, n_steps, most):
    return workspace.tally_lanes(work, rows, n, out, n_steps, most)


def make_work(seed, highest):
    return np.random.default_rng(seed).integers(0, highest, SIZE).astype(np.uint8)


@pytest.mark.parametrize(
    ("compiled", "plain", "arguments"),
    [
        (add, workspace.add_lanes, (0, 64, 130, 200)),
        (add, workspace.add_lanes, (64, 64, 64, 128)),
        (move, workspace.move_lanes, (0, 64, 130, 200)),
        (merge, workspace.merge_lanes, (0, 64, 130)),
        (count, workspace.count_lanes, (70, 3)),
    ],
)
def test_lanes_do_what_their_plain_twins_do(compiled, plain, arguments):
    for highest in (5, 256):
        ours, theirs = make_work(1, highest), make_work(1, highest)
        assert compiled(ours, *arguments) == plain(theirs, *arguments)
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("n", [2, 3, 9, 33, 64])
@pytest.mark.parametrize("n_answers", [3, 14, 255])
def test_ratings_of_partitions_are_those_of_the_twin(n, n_answers):
    rows, out = 2 * workspace.LANES, 0
    work = make_work(n, n_answers)
    work[rows + n * workspace.LANES :][: workspace.LANES] = [0] * 60 + [255] * 4
    work[workspace.LANES : 2 * workspace.LANES] = np.arange(workspace.LANES) % 30
    for n_steps, most in product([-1, 0, 1, 2, 8], [0, 1, 4, 30, 254]):
        ours, theirs = work.copy(), work.copy()
        n_good = tally(ours, rows, n, out, n_steps, most)
        assert n_good == workspace.tally_lanes(theirs, rows, n, out, n_steps, most)
        is_good = theirs[: workspace.LANES] <= most
        assert is_good.sum() == n_good
        if n_good:
            assert (ours[: workspace.LANES] <= most).tolist() == is_good.tolist()
            assert (
                ours[: workspace.LANES][is_good].tolist()
                == theirs[: workspace.LANES][is_good].tolist()
            )


def test_a_rating_is_what_the_definition_says():
    work = np.zeros(SIZE, dtype=np.uint8)
    answers = [7, 7, 2, 7, 2, 9]
    for i, answer in enumerate(answers):
        work[128 + i * workspace.LANES] = answer
    work[64:66] = 10, 1
    tally(work, 128, 6, 0, -1, 254)
    assert work[0] == 3 - 1
    tally(work, 128, 6, 0, 0, 254)
    assert work[0] == 3 + 1  # pairs of candidates in one cell
    tally(work, 128, 6, 0, 2, 254)
    assert work[0] == (10 + 11) + 10
