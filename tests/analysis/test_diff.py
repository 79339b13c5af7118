"""Two trees compared, plainly and up to symmetry."""

import itertools
import random
from dataclasses import replace

import pytest

from treegen import Codebook, UsageError, build, diff, verify

from ..small_games import iter_preorder, read_description


def compare_trees(a, b, **options):
    """Return the differences of two trees, each with its reasons."""
    return diff(a, b, **{"limit": None, **options})


def rename(tree, order, colors, nodes=None):
    """The tree with pegs and colors renamed, in all nodes or in some."""
    game = tree.game
    guess = tree.guess.copy()
    for node in range(tree.n_nodes) if nodes is None else nodes:
        old = game.codes[tree.guess[node]].tolist()
        new = [0] * game.n_pegs
        for peg, place in enumerate(order):
            new[place] = colors[old[peg]]
        guess[node] = game.notation.index_of(new)
    return replace(tree, guess=guess)


@pytest.mark.parametrize("seed", range(5))
def test_a_renamed_tree_is_the_same_up_to_symmetry(seed):
    tree = build("p3c4r", "knuth")
    draw = random.Random(seed)
    order = draw.sample(range(3), 3)
    colors = draw.sample(range(4), 4)
    renamed = rename(tree, order, colors)
    assert verify(renamed, rule=False).is_sound  # the lowest guesses are others now
    assert compare_trees(tree, renamed, symmetric=True).is_equal
    assert compare_trees(tree, renamed).is_equal == (tree.digest == renamed.digest)


def test_each_state_may_be_renamed_its_own_way():
    tree = build("p3c5r", "knuth")
    # Colors that the first guess lacks are exchanged below its first answer alone.
    used = set(tree.game.codes[tree.guess[0]].tolist())
    free = [color for color in range(5) if color not in used]
    colors = list(range(5))
    colors[free[0]], colors[free[1]] = free[1], free[0]
    child = tree.children(0)[0]
    partly = rename(tree, [0, 1, 2], colors, iter_preorder(tree, child))
    assert verify(partly, rule=False).is_sound
    assert partly.digest != tree.digest
    assert compare_trees(tree, partly, symmetric=True).is_equal


def test_a_renaming_must_keep_the_history():
    tree = build("p3c4r", "knuth")
    other = build("p3c4r", "r-post")
    found = compare_trees(tree, other, symmetric=True)
    # What the walk calls different, no renaming of all makes alike.
    for item in found.differences[:3]:
        pairs = list(zip(history(tree, item.a.node), history(other, item.b.node), strict=True))
        for order in itertools.permutations(range(3)):
            for colors in itertools.permutations(range(4)):
                images = [
                    tuple(colors[first[order.index(place)]] for place in range(3)) == tuple(second)
                    for first, second in pairs
                ]
                assert not all(images)


def history(tree, node):
    """The guesses that lead to a node, and its own, as colors."""
    nodes = [node]
    while nodes[-1]:
        nodes.append(int(tree.parent[nodes[-1]]))
    return [tree.game.codes[tree.guess[at]].tolist() for at in reversed(nodes)]


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("pair", [("knuth", "r-post"), ("entropy", "first-consistent")])
def test_differences_add_up_to_the_change_in_total(pair, symmetric):
    a, b = (build("p3c4r", name) for name in pair)
    found = compare_trees(a, b, symmetric=symmetric)
    assert found.totals == (a.total, b.total)
    assert sum(item.b.total - item.a.total for item in found.differences) == b.total - a.total
    assert all(item.a.guess != item.b.guess for item in found.differences) or symmetric
    for item in found.differences:
        assert sum(item.a.cells) == sum(item.b.cells) == item.n_candidates


def test_weights_and_costs_count_in_the_figures_of_a_state():
    weighted = {"weights": ["1", "9", "1", "1"]}
    pair = [build("p1c4rb", rule, first="1", **weighted) for rule in ("knuth", "max,highest")]
    (found,) = compare_trees(*pair).differences
    assert (found.a.total, found.b.total) == (14, 30)
    game = Codebook(list("abcd")).with_stakes(costs=[3, 1, 2, 5])
    (found,) = compare_trees(
        *(build(game, rule, first="a") for rule in ("max,lowest", "max,highest"))
    ).differences
    assert (found.a.total, found.a.worst) == (12, 8)
    (found,) = compare_trees(build(game, "max,lowest"), build(game, "max,highest")).differences
    assert (found.a.total, found.b.total) == compare_trees(
        build(game, "max,lowest"), build(game, "max,highest")
    ).totals


def test_the_deciding_criterion_is_named():
    a, b = build("p4c4r", "knuth"), build("p4c4r", "most-parts")
    text = " ".join(" ".join(item.reasons) for item in compare_trees(a, b).differences)
    assert "by the rule of A (max,consistent,lowest)" in text
    assert "so A" in text
    assert "so B" in text
    for item in compare_trees(a, b).differences:
        reason_a, reason_b = item.reasons
        assert reason_a.endswith("so A")
        assert reason_b.endswith("so B")


def test_a_tie_is_named_with_what_breaks_it():
    pair = [build("p3c4r", f"max,consistent,{tie}") for tie in ("lowest", "highest")]
    (item, *_) = compare_trees(*pair).differences
    for reason, winner, tie in zip(item.reasons, "AB", ("lowest", "highest"), strict=True):
        assert reason.endswith(f"in both, then {tie}, so {winner}")


def test_without_rules_the_figures_are_listed():
    tree = build("p3c4r", "knuth")
    unknown = [
        replace(one, provenance=replace(one.provenance, strategy="imported", rule=""))
        for one in (tree, build("p3c4r", "entropy"))
    ]
    (item, *_) = compare_trees(*unknown).differences
    assert "no rule is known; max" in item.reasons[0]
    assert compare_trees(tree, tree).to_dict()["equal"] is True


def test_trees_of_other_games_or_histories_are_refused():
    a = build("p3c4r", "knuth")
    with pytest.raises(UsageError, match="p3c4r and of p3c5r"):
        compare_trees(a, build("p3c5r", "knuth"))
    with pytest.raises(UsageError, match="after different guesses"):
        compare_trees(a, a.subtree("01"))


def test_a_codebook_has_no_renamings():
    game = Codebook(["ab", "ba", "bb"])
    tree = build(game, "knuth")
    assert compare_trees(tree, tree, symmetric=True).is_equal


def test_the_costliest_difference_comes_first():
    tree = build("p4c4r", "knuth")
    other = build("p4c4r", "entropy")
    # Among equal costs the shallowest stands first.
    ranks = [
        (-abs(item.b.total - item.a.total), -abs(item.b.worst - item.a.worst), item.a.node)
        for item in compare_trees(tree, other, limit=0).differences
    ]
    assert len({rank[:2] for rank in ranks}) > 2
    assert ranks == sorted(ranks)


def grow_words(secrets, extra, name="expected-size", rule="position"):
    game = Codebook(secrets, extra, feedback=rule)
    return build(game, name)


WORDS = ["".join(word) for word in itertools.product("abcd", repeat=3)]


def test_trees_of_two_word_lists_are_compared_as_words():
    ours = grow_words(WORDS[::3], [])
    moved = replace(ours, game=Codebook(WORDS[::3], WORDS[1::3], feedback="position"))
    found = compare_trees(ours, moved)
    assert found.is_equal
    assert found.is_by_words
    assert str(found).startswith("two word lists with the same secrets: guesses are compared as")
    assert not compare_trees(ours, ours).is_by_words
    other = grow_words(WORDS[::3][::-1], WORDS[1::3], "knuth")
    found = compare_trees(ours, other)
    assert found.to_dict()["by_words"]
    assert found.totals == (ours.total, other.total)
    assert (
        sum(item.a.total - item.b.total for item in found.differences) == ours.total - other.total
    )
    assert not any("then lowest" in reason for item in found.differences for reason in item.reasons)


def test_word_lists_of_other_secrets_or_rules_are_refused():
    ours = grow_words(WORDS[::3], [])
    with pytest.raises(UsageError, match=r"22 only in A \('aaa' first\) and 20 only in B"):
        compare_trees(ours, grow_words(WORDS[1::3][1:], WORDS[:1]))
    with pytest.raises(UsageError, match=r"other secrets: 1 only in A \('ddd' first\); trees"):
        compare_trees(ours, grow_words(WORDS[::3][:-1], []))
    with pytest.raises(UsageError, match="answered by position, the other's by pegs"):
        compare_trees(ours, grow_words(WORDS[::3], [], rule="pegs"))
    with pytest.raises(UsageError, match="one game is needed"):
        compare_trees(ours, build("p3c4r", "knuth"))


def test_old_word_lists_are_compared_by_their_own_letters():
    texts = ("e\u0301ababe\u0301", "e\u0301ababe\u0301aaaa")
    old = [read_description(["codebook", "pegs", 4, 2, text]) for text in texts]
    assert compare_trees(*map(build, old)).n_equal
    new = Codebook(["🍎❤️", "❤️🍎"])
    before = read_description(["codebook", "pegs", 3, 2, "🍎❤️❤️🍎"])
    with pytest.raises(UsageError, match="words have 2 letters, the other's 3: an older file"):
        compare_trees(build(new), build(before))


@pytest.mark.parametrize("symmetric", [True, False])
def test_trees_after_other_answers_are_not_compared(symmetric):
    trees = [build("p2c3r", "parts", history=[("12", reply)]) for reply in ("10", "01")]
    with pytest.raises(UsageError, match="begin after different guesses and answers"):
        diff(*trees, symmetric=symmetric)
