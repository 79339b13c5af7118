"""Whether a tree keeps to a rule of play: found on every path, and named where it does not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import (
    Codebook,
    GameError,
    Interrupted,
    UsageError,
    build,
    make_chain,
    read,
    verify,
    write_table,
)

from .. import naive
from ..pseudo_words import make_word_game
from ..small_games import history_of
from ..written import bytes_of

words = st.lists(st.text("abc", min_size=4, max_size=4), min_size=1, max_size=14, unique=True)
RULE = make_chain("parts", "highest")
ELIGIBLE = ["all", "candidates", "consistent", "hints"]


@pytest.fixture(scope="module")
def game():
    return make_word_game(120, 400)


@given(words, st.data())
def test_any_tree_against_any_rule(listed, data):
    n_secrets = data.draw(st.integers(1, len(listed)))
    game = Codebook(listed[:n_secrets], listed[n_secrets:], feedback="position")
    rules = naive.codebook_rules(listed[:n_secrets], listed[n_secrets:], "position")
    chain, built = (
        data.draw(st.sampled_from(["max,lowest", "random"])),
        data.draw(st.sampled_from(ELIGIBLE)),
    )
    tree = build(game, make_chain(*chain.split(",")), eligible=built)
    root = naive.build(rules, naive.Strategy(chain, eligible=built))
    for eligible in ELIGIBLE:
        report = verify(tree, eligible=eligible, rule=False)
        assert report.is_sound is not naive.breaks_rule(rules, eligible, root)
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    part, history = tree.subtree(tree[node].history), history_of(tree, node)
    below = root
    for _, response in history:
        below = below.children[response]
    if not naive.breaks_rule(rules, "hints", root):
        assert verify(part, eligible="hints", rule=False).is_sound
    if naive.breaks_rule(rules, "hints", below, history):
        assert not verify(part, eligible="hints", rule=False).is_sound


@pytest.mark.parametrize("eligible", ["candidates", "hints", "consistent"])
def test_the_stated_rule_is_checked(game, eligible, monkeypatch):
    monkeypatch.setattr("treegen.verifier.rule.NODES_PER_BLOCK", 7)
    tree = build(game, replace(RULE, eligible=eligible))
    report = verify(tree)
    assert [(claim.name, claim.value) for claim in report.checked][:1] == [("eligible", eligible)]
    assert report.is_proved
    free = build(game, RULE)
    report = verify(replace(free, provenance=tree.provenance), rule=False)
    assert not report.is_sound
    assert f" breaks eligible={eligible}: " in report.problems[0]
    assert report.problems[0].startswith("in the state after ")


def test_a_rule_that_an_interrupt_leaves_unchecked_is_listed(monkeypatch):
    game = Codebook(["crane", "crate", "trace"], feedback="position")
    tree = build(game, replace(RULE, eligible="hints"))

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.verifier.rule._are_legal", interrupt)
    with pytest.raises(Interrupted) as ended:
        verify(bytes_of(tree, "tree"), eligible="candidates")
    claims = ended.value.result.unchecked
    assert [(claim.name, claim.value) for claim in claims][:2] == [
        ("eligible", "hints"),
        ("eligible", "candidates"),
    ]
    assert {claim.note for claim in claims} == {"interrupted before it was checked"}


def test_a_guess_that_breaks_the_rule_is_named():
    game = Codebook(
        ["crane", "crate", "trace", "grace", "brace", "irate"], ["bight"], feedback="position"
    )
    tree = build(game, replace(RULE, opening=("crane",)))
    provenance = replace(tree.provenance, rule=tree.provenance.rule.replace("all", "hints"))
    (problem,) = verify(replace(tree, provenance=provenance), rule=False).problems
    assert problem == (
        "in the state after 12202, bight breaks eligible=hints: crane was answered 12202, so"
        " peg 2 must be 'r'"
    )
    assert verify(tree).is_sound
    assert not verify(tree, eligible="hints").is_sound


def test_a_first_guess_may_be_given(game):
    """Only a strategy that looks for its first guess needs a candidate for that."""
    extra = game.format_code(game.n_secrets)
    tree = build(game, replace(RULE, eligible="candidates", opening=(extra,)))
    assert verify(tree).is_proved
    assert "not one of the secrets" in verify(tree, eligible="candidates").problems[0]


def test_a_history_that_breaks_the_rule_is_named(game):
    tree = build(game, RULE)
    node = next(
        node
        for node in range(tree.n_nodes)
        if len(history_of(tree, node)) == 2 and naive_breach(tree, node)
    )
    part = tree.subtree(tree[node].history)
    (problem,) = verify(part, eligible="hints", rule=False).problems
    assert problem.startswith("in the tree's history, guess 2, ")


@pytest.mark.parametrize("strategy", ["knuth", "optimal"])
def test_candidates_bind_the_tree_and_not_what_led_to_it(strategy):
    history = "123:11/111:00"
    tree = build("p3c4r", strategy, eligible="candidates", history=history)
    assert verify(tree).problems == ()
    assert verify(tree, eligible="candidates").problems == ()
    with pytest.raises(
        UsageError, match="not one of a game with eligible=consistent: guess 2, 111"
    ):
        build("p3c4r", strategy, eligible="consistent", history=history)


def naive_breach(tree, node):
    """Return whether the second guess of a node's history breaks hard mode."""
    game = tree.game
    (first, answer), (second, _) = history_of(tree, node)
    write = game.format_code
    marks = [int(digit) for digit in game.format_response(answer)]
    return not naive.uses_hints(write(first), marks, write(second))


def test_a_table_says_it_in_its_name(game, tmp_path):
    strategy = replace(RULE, eligible="hints", name="most-parts eligible=hints")
    tree = build(game, strategy)
    write_table(tree, tmp_path / "hard.tgt")
    loaded = read(tmp_path / "hard.tgt")
    assert ("eligible", "hints") in [(c.name, c.value) for c in verify(loaded).checked]
    assert bytes_of(tree, "table") == bytes_of(loaded, "table")


def test_hints_of_a_peg_game_are_refused():
    tree = build("p2c3r")
    with pytest.raises(GameError, match="needs green and yellow letters"):
        verify(tree, eligible="hints")
    stated = replace(tree, provenance=replace(tree.provenance, rule="eligible=hints; chain=max"))
    (problem, *_) = verify(stated).problems
    assert problem.startswith("the rule does not fit the game: hard mode (eligible='hints') needs")
    assert verify(tree, eligible="all").is_proved
