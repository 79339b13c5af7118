"""Results as values: compared, copied, pickled, asked by name."""

import copy
import pickle
import sys

import pytest

import treegen
from treegen import GameError, UsageError
from treegen._files import WRITTEN

from ..small_games import WORDS


def list_results():
    words = treegen.Codebook(WORDS, feedback="position")
    weighted = words.with_stakes([1 + number % 3 for number in range(len(WORDS))])
    tree, best = treegen.build("p2c3r"), treegen.build("p2c3r", "optimal")
    return [
        treegen.compare("p2c3r", ["knuth", "optimal"]),
        treegen.compare(weighted, ["knuth"]),
        treegen.simulate("p2c3r", "knuth", n=5),
        treegen.advice("p2c3r"),
        treegen.openings("p2c3r"),
        treegen.stats(tree),
        treegen.verify(tree),
        treegen.diff(tree, best),
        treegen.explain(tree),
        treegen.play("p2c3r"),
        tree.play("11"),
        tree,
    ]


def test_results_are_compared_by_value():
    for result, again in zip(list_results(), list_results(), strict=True):
        assert result == again == copy.deepcopy(result) == pickle.loads(pickle.dumps(result))
        assert result != object()


def test_results_that_are_lists_are_used_as_lists():
    tree = treegen.build("p2c3r")
    session = treegen.play(tree)
    session.answer("10")
    report, why, game = treegen.verify(tree), treegen.explain(tree), tree.play("12")
    sample, ranked = treegen.simulate("p2c3r", "knuth", n=5), treegen.openings("p2c3r")
    advice, same = treegen.advice("p2c3r"), treegen.diff(tree, tree)
    for result, listed in [
        (treegen.stats(tree, tree), [tree, tree]),
        (sample, sample.lengths.tolist()),
        (advice, advice.guesses),
        (ranked, ranked.list_rows()),
        (report, report.claims),
        (same, []),
        (why, why.top),
        (session, session.turns),
        (game, game.turns),
    ]:
        assert list(result) == list(listed) and list(result[1:]) == list(listed[1:])
        assert len(result) == len(listed) and bool(result)
        assert all(result[place] == item for place, item in enumerate(listed))
        with pytest.raises(IndexError):
            result[len(listed)]


def test_a_tree_holds_its_states_and_is_asked_for_nothing_else():
    tree, other = treegen.build("p2c3r"), treegen.build("p2c3r", "entropy")
    assert tree["10"] in tree and other.root not in tree
    for thing in ("1122", "10", 3, None):
        with pytest.raises(TypeError, match=r"tree\['02'\] is the state after an answer"):
            thing in tree  # noqa: B015


def test_results_of_other_arguments_differ():
    for make, changes in [
        (treegen.simulate, ({"n": 5}, {"n": 6}, {"n": 5, "seed": 1})),
        (treegen.advice, ({}, {"top": 1}, {"history": "11:10"})),
    ]:
        results = [make("p2c3r", **options) for options in changes]
        for place, result in enumerate(results):
            assert [other == result for other in results] == [at == place for at in range(3)]


@pytest.mark.parametrize("is_of_tree", [False, True])
def test_a_session_goes_on_after_it_was_pickled(is_of_tree):
    session = treegen.play(treegen.build("p4c6r") if is_of_tree else "p4c6r")
    session.answer("11", guess="1234")
    assert repr(session) == f"<Session {session.tree}: 1 guess, 252 left>".replace(
        str(session.tree), "p4c6r-knuth"
    )
    again = pickle.loads(pickle.dumps(session))
    for each in (session, again):
        each.answer("02")
        each.answer("10", guess="6666")
    assert (again.turns, again.guess) == (session.turns, session.guess)


def test_samples_have_the_names_of_their_strategies(tmp_path):
    treegen.build("p2c3r", "optimal").write(tmp_path / "best.tree")
    found = treegen.compare("p2c3r", ["knuth", "entropy", tmp_path / "best.tree"])
    assert len(found) == len(list(found)) == len(found.games[0]) == 3
    assert found["knuth"].total == 24
    assert found["optimal"] == found[str(tmp_path / "best.tree")] == found.games[0]["optimal"]
    with pytest.raises(KeyError, match=r"no sample is of .*knut.*: there are .*, knuth, entropy"):
        found["knut"]
    with pytest.raises(KeyError, match="2 samples are of 'knuth'"):
        treegen.compare(["p2c3r", "p3c3r"], ["knuth"])["knuth"]


def test_entries_have_the_names_of_their_files(tmp_path):
    path = tmp_path / "x.tree"
    treegen.build("p2c3r").write(path)
    found = treegen.manifest(path)
    assert (len(found), found[str(path)], [*found]) == (1, found.entries[0], [*found.entries])


@pytest.mark.parametrize(
    ("call", "kind", "reason"),
    [
        (lambda: treegen.read("none.tree"), treegen.FormatError, "No such file"),
        (lambda: treegen.stats("none.tgt"), treegen.FormatError, "No such file"),
        (lambda: treegen.check("none.proof"), treegen.FormatError, "No such file"),
        (lambda: treegen.open_game("none/words.txt"), treegen.FormatError, "No such file"),
        (lambda: treegen.open_game("p2c3r", weights="none.csv"), treegen.FormatError, "No such"),
        (lambda: treegen.open_game("none.txt"), GameError, "there is no such file"),
        (
            lambda: treegen.build("p2c3r").write("none/x.svg"),
            UsageError,
            "cannot write 'none/x.svg': the folder 'none' does not exist",
        ),
        (
            lambda: treegen.simulate("p4c6r", "permutation", tables="none"),
            UsageError,
            "the folder 'none' does not exist",
        ),
    ],
)
def test_what_is_missing_is_a_file_not_found(tmp_path, monkeypatch, call, kind, reason):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=reason) as caught:
        call()
    assert isinstance(caught.value, FileNotFoundError)
    assert type(caught.value).__new__(type(caught.value)).args == ()  # as dask rebuilds errors
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_nothing_grows_in_a_long_life(tmp_path):
    before = sys.getrecursionlimit()
    game = treegen.open_game("p2c3r", goal="identify")
    for number in range(3):
        tree = treegen.build(game, "optimal")
        tree.write(tmp_path / f"{number}.tree")
        treegen.explain(tree, exact=True)
        treegen.openings(game, "optimal")
    assert WRITTEN.paths is None
    assert sys.getrecursionlimit() == before


def test_a_path_may_name_the_guesses():
    tree = treegen.build("p4c6r")
    (guess, answer), text = ("1122", "10"), "1122:10"
    state = tree[text]
    assert state == tree[answer] == tree[[(guess, answer)]]
    assert treegen.explain(tree, path=text) == treegen.explain(tree, path=answer)
    with pytest.raises(treegen.UnreachableError, match="step 1: the tree guesses 1122, not 1123"):
        treegen.explain(tree, path="1123:10")
