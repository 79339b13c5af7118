"""The operations on 64 lanes do compiled what their plain twins say."""

import numpy as np
import pytest

from treegen.jit.compiler import njit
from treegen.kernels.onestep import workspace

SIZE = 80 * workspace.LANES


@njit
def add(work, out, a, b, c):
    workspace.add_lanes(work, out, a, b, c)


@njit
def move(work, out, a, b, c):
    workspace.move_lanes(work, out, a, b, c)


@njit
def merge(work, out, a, b):
    workspace.merge_lanes(work, out, a, b)


@njit
def count(work, at, value):
    return workspace.count_lanes(work, at, value)


@njit
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
def test_plain_twins(compiled, plain, arguments):
    for highest in (5, 256):
        ours, theirs = make_work(1, highest), make_work(1, highest)
        assert compiled(ours, *arguments) == plain(theirs, *arguments)
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("n", [2, 3, 9, 33, 64])
@pytest.mark.parametrize("n_steps", [-1, 0, 1, 2, 8])
@pytest.mark.parametrize("n_answers", [3, 14, 255])
def test_ratings_of_partitions(n, n_steps, n_answers):
    rows, out = 2 * workspace.LANES, 0
    work = make_work(n, n_answers)
    work[rows + n * workspace.LANES :][: workspace.LANES] = [0] * 60 + [255] * 4
    work[workspace.LANES : 2 * workspace.LANES] = np.arange(workspace.LANES) % 30
    for most in (0, 1, 4, 30, 254):
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
