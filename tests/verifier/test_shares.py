"""What is wrong with a tree of uncertain answers is found, and where."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from treegen import Interrupted, TreeError, TreegenWarning, build, make_chain, open_game, verify

from ..small_tables import draw_table
from ..written import bytes_of, claim


@cache
def list_trees(goal="identify"):
    drawn = [draw_table(seed, goal=goal) for seed in range(80)]
    return [
        build(game, "expected-left")
        for game, plain in drawn
        if game.rules.shares is not None and plain.count_separable(plain.root)
    ]


def is_refused(tree):
    try:
        return bool(verify(tree).problems)
    except TreeError:
        return True


@pytest.mark.parametrize("goal", ["identify", "win"])
@pytest.mark.parametrize("name", ["guess", "response", "n_candidates", "first_child"])
def test_a_changed_column_is_found(name, goal):
    trees, random, n_found = list_trees(goal), Random(name), 0
    for tree in trees:
        column = getattr(tree, name).copy()
        at = random.randrange(len(column))
        column[at] = max(0, column[at] + random.choice((-1, 1)))
        changed = replace(tree, **{name: column})
        if np.array_equal(column, getattr(tree, name)):
            continue
        # Another question may be as right: then it is another tree, with other answers.
        if name == "guess" and not is_refused(changed):
            assert changed.game.rules.first_guess <= column[at]
            continue
        assert is_refused(changed)
        n_found += 1
    assert n_found > len(trees) // 3


def test_false_figures_are_found():
    for tree in list_trees()[:20]:
        for name, value in (("total", tree.share_total + 1), ("worst", tree.worst + 1)):
            assert verify(claim(tree, **{name: value})).problems


def test_a_leaf_too_early_and_a_question_too_many_are_found():
    tree = next(tree for tree in list_trees() if tree.n_nodes > 4)
    alone = replace(
        tree,
        guess=np.zeros(1, dtype=np.int32),
        response=tree.response[:1],
        first_child=np.array([1, 1], dtype=np.int32),
        n_candidates=tree.n_candidates[:1],
    )
    assert "can be told apart" in verify(alone).problems[0]


def test_a_sample_is_played_and_nothing_more_is_claimed():
    for tree in list_trees()[:20]:
        report = verify(tree, sample=1)
        assert (report.is_sample, report.n_secrets, report.problems) == (True, 1, ())
        assert "rule" in {claim.name for claim in report.unchecked}


def test_after_an_interrupt_what_was_checked_is_known():
    def interrupt(*_):
        raise KeyboardInterrupt

    tree = list_trees()[0]
    with pytest.raises(Interrupted) as ended:
        verify(bytes_of(tree, "tree"), rule=True, progress=interrupt)
    report = ended.value.result
    assert (report.n_secrets, report.problems) == (tree.n_secrets, ())
    assert {"total", "worst", "digest", "strategy"} <= {one.name for one in report.checked}
    assert [one.name for one in report.unchecked] == ["rule"]


def test_a_question_that_is_asked_again_is_found():
    """An answer that one may give may be given twice: counts and branches fit, but nothing new."""
    rows = (("a", "?", "no"), ("b", "yes", "yes"), ("c", "no", "yes"))
    with pytest.warns(TreegenWarning, match="1 of 6 answers is unknown"):
        game = open_game(
            [dict(zip(("x", "Wet?", "Big?"), row, strict=True)) for row in rows], names="x"
        )
    tree = build(game, "expected-left", history="Wet?:yes")
    again = replace(
        tree,
        guess=np.array([3, 0, 4, 0, 1], dtype=np.int32),
        response=np.array([-1, 0, 1, 0, 1], dtype=tree.response.dtype),
        first_child=np.array([1, 3, 3, 5, 5, 5], dtype=np.int32),
        n_candidates=np.array([2, 1, 2, 1, 1], dtype=np.int32),
    )
    assert verify(again).problems == ("the state after no answers asks 'Wet?' again",)


def test_another_rule_is_found():
    n_other = 0
    for tree in list_trees():
        other = make_chain("information")
        claimed = replace(tree.provenance, strategy=other.name, rule=other.rule)
        own = build(tree.game, other)
        problems = verify(replace(tree, provenance=claimed), rule=True).problems
        if own.average < tree.average - 1e-9 or own.average > tree.average + 1e-9:
            assert problems
            n_other += 1
    assert n_other > 3
