"""Whatever is changed in a tree, beside claims that no writer makes, the verifier says so."""

from dataclasses import replace

import numpy as np
import pytest

import treegen
from treegen import TreeError, build, open_game, verify
from treegen.builder import choose
from treegen.builder import grow as expand
from treegen.kernels import levels
from treegen.kernels.responses import make_scoring
from treegen.strategies.strategy import parse_chain
from treegen.tree.tree import Provenance
from treegen.verifier import verify as verifier
from treegen.verifier.verify import verify_tree

from .. import naive
from ..small_games import SMALL, make_pair

KNUTH = parse_chain("max,consistent,lowest")


def claims_of(tree):
    return {
        "total": tree.total,
        "worst": tree.worst,
        "histogram": tree.histogram,
        "digest": tree.digest,
    }


@pytest.fixture(scope="module")
def tree():
    return build(open_game("p3c4r"), KNUTH)


@pytest.mark.parametrize("name", SMALL)
def test_good_trees_are_proved(name):
    tree = build(make_pair(name)[0], KNUTH)
    report = verify_tree(tree, claims_of(tree))
    assert (report.problems, report.make_report().is_proved) == ([], True)
    assert (report.histogram, report.total) == (tree.histogram, tree.total)
    assert report.n_secrets == tree.n_secrets


def alternatives(column, old, tree):
    """Return every other value that an entry may be damaged to, in range and just outside."""
    last = {
        "guess": tree.game.n_codes,
        "response": tree.game.n_responses,
        "first_child": tree.n_nodes + 1,
        "n_candidates": 8,
    }[column]
    values = {
        *range(-1, last + 1),
        old - 1,
        old + 1,
        old + 64,
        2**31 - 1 if last > 10 else 2**15 - 1,
    }
    return sorted(values - {old})


COLUMNS = ["guess", "response", "first_child", "n_candidates"]


@pytest.mark.compiled
@pytest.mark.parametrize("game", ["p3c3r", pytest.param("p3c4r", marks=pytest.mark.slow)])
@pytest.mark.parametrize("column", COLUMNS)
def test_every_single_change_of_a_column_is_found(game, column):
    tree = build(open_game(game), KNUTH)
    claims, original = claims_of(tree), getattr(tree, column)
    n_changes = 0
    for at, old in enumerate(original.tolist()):
        for value in alternatives(column, old, tree):
            values = original.copy()
            values[at] = value
            report = verify_tree(replace(tree, **{column: values}), claims)
            assert report.problems, f"{column}[{at}] = {value} instead of {old} passed"
            n_changes += 1
    assert n_changes >= 8 * len(original)


@pytest.mark.parametrize("column", ["guess", "response", "n_candidates"])
def test_exchanged_neighbours_are_found(tree, column):
    claims = claims_of(tree)
    for at in range(tree.n_nodes - 1):
        values = getattr(tree, column).copy()
        values[[at, at + 1]] = values[[at + 1, at]]
        if values[at] != values[at + 1]:
            assert verify_tree(replace(tree, **{column: values}), claims).problems


def test_every_single_change_of_a_claim_is_found(tree):
    claims = claims_of(tree)
    histogram, digest = claims["histogram"], claims["digest"]
    changed = [
        *({"total": claims["total"] + d} for d in (-1, 1, 1000)),
        *({"worst": claims["worst"] + d} for d in (-1, 1)),
        *({"histogram": [*histogram[:i], histogram[i] + d, *histogram[i + 1 :]]}
          for i in range(len(histogram)) for d in (-1, 1)),
        {"histogram": [*histogram, 0]},
        {"histogram": histogram[:-1]},
        {"histogram": []},
        *({"digest": digest[:i] + ("0" if digest[i] != "0" else "1") + digest[i + 1 :]}
          for i in range(64)),
        {"digest": ""},
    ]  # fmt: skip
    for change in changed:
        (problem,) = verify_tree(tree, claims | change).problems
        assert problem.startswith(f"the file claims {next(iter(change))} ")


def test_a_missing_branch_is_named(tree):
    """Cut the last leaf off: its secret is no longer found."""
    counts = tree.n_candidates.copy()
    counts[tree.parent[-1]] -= 1
    cut = replace(
        tree,
        guess=tree.guess[:-1],
        response=tree.response[:-1],
        n_candidates=counts[:-1],
        first_child=np.minimum(tree.first_child[:-1], tree.n_nodes - 1),
    )
    (problem,) = verify(cut).problems
    assert problem


def test_a_secret_in_the_branch_of_the_next_higher_answer_is_not_found():
    """Its counts are consistent, and down there a guess would win: 2, answered *lower* for 1."""
    honest = treegen.build("range3", "optimal")
    forged = replace(
        honest,
        guess=np.array([1, 2, 0], dtype=np.int32),
        response=np.array([-1, 1, 0], dtype=np.int16),
        first_child=np.array([1, 2, 3, 3], dtype=np.int32),
        n_candidates=np.array([3, 2, 1], dtype=np.int32),
        provenance=Provenance("imported"),
    )
    (problem,) = treegen.verify(forged).problems
    assert problem == (
        "the secret 1 is not found: after no answers, 2 is answered lower, and there is no such"
        " branch"
    )


def test_a_branch_that_no_secret_reaches_is_found():
    """Add a leaf below a state, as if one more candidate were there."""
    tree = build(open_game("p2c3r"), KNUTH)
    first = tree.first_child.copy()
    last = int(np.flatnonzero(np.diff(first))[-1])
    taken = {int(tree.response[child]) for child in tree.children(last)}
    response = next(r for r in range(tree.game.win) if r not in taken and r > max(taken))
    first[last + 1 :] += 1
    counts = tree.n_candidates.copy()
    for node in range(tree.n_nodes):
        if node in _chain_up(tree, last):
            counts[node] += 1
    grown = replace(
        tree,
        guess=np.append(tree.guess, np.int32(0)),
        response=np.append(tree.response, np.int16(response)),
        n_candidates=np.append(counts, np.int32(1)),
        first_child=np.append(first, np.int32(tree.n_nodes + 1)),
    )
    assert verify(grown).problems


def _chain_up(tree, node):
    chain = {node}
    while node > 0:
        node = int(tree.parent[node])
        chain.add(node)
    return chain


def test_a_tree_of_another_game_is_found(tree):
    other = replace(tree, game=open_game("p3c4rb"))
    assert verify(other).problems
    assert verify(replace(tree, game=open_game("p3c5r"))).problems


def test_another_history_is_found(tree):
    moved = replace(tree, provenance=Provenance("x", history=((0, 0),)))
    (problem,) = verify(moved).problems
    assert problem == "the root has 64 candidates; 27 secrets are possible"


def test_sample_plays_only_some(tree):
    report = verify_tree(tree, {"total": 0}, sample=10)
    assert (report.n_secrets, sum(report.histogram), report.problems) == (10, 10, [])
    assert verify_tree(tree, {"total": 0}, sample=64).problems
    wrong = replace(tree, guess=np.roll(tree.guess, 1))
    assert verify(wrong, sample=10).problems


def test_a_sample_is_spread_evenly_or_drawn_by_a_seed(tree):
    assert verifier._choose_places(64, 4, None) == [0, 21, 42, 63]
    drawn = [verifier._choose_places(10**8, 50, seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] == sorted(set(drawn[0]))
    assert drawn[0] != drawn[2]
    histograms = {tuple(verify(tree, sample=20, seed=seed).histogram) for seed in range(5)}
    assert len(histograms) > 1


def test_a_verification_in_blocks_says_the_same(tree, monkeypatch):
    whole = verify_tree(tree, claims_of(tree))
    monkeypatch.setattr(verifier, "SECRETS_PER_BLOCK", 7)
    blocks = verify_tree(tree, claims_of(tree))
    assert (whole.histogram, whole.problems) == (blocks.histogram, blocks.problems)


def swap_black_and_white(game, guess, secret, response):
    black, white = game.feedback.feedback_of(response)
    return response if (white, black) == (2, 1) else game.feedback.response_of(white, black)


def wrong_once(game, guess, secret, response):
    return 0 if (guess, secret) == (5, 21) else response


def off_by_one(game, guess, secret, response):
    return max(response - 1, 0) if response != game.win else response


def right(game, guess, secret, response):
    return response


def make_split(game, break_response):
    """Return a plain twin of the kernel that splits a level, with a scoring of its own."""

    def split_level(scoring, level, guesses, n_responses):
        candidates, starts, keys, parents, responses = [], [0], [], [], []
        for state, guess in enumerate(guesses.tolist()):
            cells = {}
            for secret in level.candidates[level.starts[state] : level.starts[state + 1]].tolist():
                response = game.score(guess, secret)
                response = break_response(game, guess, secret, response)
                cells.setdefault(response, []).append(secret)
            cells.pop(game.win, None)
            for response, cell in sorted(cells.items()):
                candidates += cell
                starts.append(len(candidates))
                keys.append(naive.key_of(int(level.keys[state]), [(guess, response)]))
                parents.append(state)
                responses.append(response)
        return levels.Level(
            np.array(candidates, dtype=np.int32),
            np.array(starts, dtype=np.int64),
            np.array(keys, dtype=np.uint64),
            np.array(parents, dtype=np.int32),
            np.array(responses, dtype=np.int16),
        )

    return split_level


@pytest.mark.parametrize("break_response", [swap_black_and_white, wrong_once, off_by_one])
def test_a_broken_kernel_is_found(monkeypatch, break_response):
    """Split levels by a scoring that is wrong; the verifier does not use it."""
    game = open_game("p3c4r")
    monkeypatch.setattr(expand, "split_level", make_split(game, break_response))
    strategy = replace(KNUTH, opening=(game.format_code(5),))
    try:
        tree = build(game, strategy)
    except TreeError as error:  # where the wrong cells never come apart
        assert "gains no information" in str(error)
    else:
        problem = verify(tree).problems[0]
        assert "is not found" in problem or "secrets reach it" in problem


@pytest.mark.parametrize("name", ["p3c4r", "words-position", "p3c4rb"])
def test_the_kernel_that_splits_is_its_plain_twin(monkeypatch, name):
    game, _ = make_pair(name)
    strategy = replace(parse_chain("parts,random"), seed=5)
    tree = build(game, strategy)
    monkeypatch.setattr(expand, "split_level", make_split(game, right))
    assert build(game, strategy).digest == tree.digest


def test_a_build_that_would_never_end_is_stopped(monkeypatch):
    game = open_game("p3c4r")
    monkeypatch.setattr(expand, "split_level", make_split(game, lambda *_: 0))
    with pytest.raises(TreeError, match="gains no information"):
        build(game, KNUTH)


def test_wrong_tables_of_the_compiled_kernels_are_found(monkeypatch):
    game = open_game("p3c4r")

    def make_wrong(rules):
        scoring = make_scoring(rules)
        response_of = scoring.response_of.copy()
        response_of[1, 1], response_of[0, 2] = response_of[0, 2], response_of[1, 1]
        return scoring._replace(response_of=response_of)

    monkeypatch.setattr(choose, "make_scoring", make_wrong)
    assert verify(build(game, KNUTH)).problems
