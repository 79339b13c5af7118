"""Claims: each is checked, refuted, or named as the file's word, and never passed in silence."""

from dataclasses import replace

import pytest

from treegen import UsageError, build, open_game, read, verify

from ..exact.searching import build_optimal
from ..paths import ROOT
from ..written import bytes_of

KNUTH = "eligible=all; chain=max,consistent,lowest; order=lex"


@pytest.fixture(scope="module")
def knuth():
    return build("p3c4r", "knuth")


@pytest.fixture(scope="module")
def optimal():
    return build("p3c4r", "optimal")


def relabel(tree, **changes):
    return replace(tree, provenance=replace(tree.provenance, **changes))


def states_of(report):
    return {claim.name: claim.state for claim in report.claims}


def test_a_rule_tree_is_proved_whole(knuth):
    report = verify(bytes_of(knuth, "tree"))
    names = ["total", "worst", "histogram", "digest", "strategy", "rule"]
    assert states_of(report) == dict.fromkeys(names, "checked")
    assert (report.is_sound, report.is_proved) == (True, True)


def test_another_strategys_tree_under_the_rule_of_knuth_is_found():
    tree = relabel(build("p3c4r", "entropy"), strategy="knuth", rule=KNUTH)
    report = verify(tree)
    assert not report.is_sound
    assert report.problems[0].startswith("the tree is not that of its rule: the state after ")


def test_another_rule_under_a_name_is_found():
    entropy = build("p3c4r", "entropy")
    (problem,) = verify(relabel(entropy, strategy="knuth")).problems
    assert problem == (
        f"the file names the strategy knuth, whose rule is {KNUTH!r}; its own rule is"
        f" {entropy.provenance.rule!r}"
    )


def test_a_seed_belongs_to_no_name():
    assert verify(build("p3c4r", "random-consistent", seed=77)).is_proved


def test_a_bound_is_the_files_word_until_it_is_proved(knuth):
    """Knuth's tree under the label of an optimal one: the optimum is 206."""
    tree = relabel(knuth, strategy="optimal", rule="", objective="total", bound=knuth.total)
    report = verify(tree)
    assert (report.is_sound, report.is_proved) == (True, False)
    assert [(claim.name, claim.value) for claim in report.unchecked] == [
        ("strategy", "optimal"),
        ("objective", "total"),
        ("bound", 216),
    ]
    assert "--prove" in report.unchecked[-1].note
    proved = verify(tree, prove=True)
    assert states_of(proved) == dict.fromkeys(["strategy", "objective", "bound"], "wrong")
    assert "claims the bound 216; the exact search finds a tree of total 206" in " ".join(
        proved.problems
    )


@pytest.mark.parametrize("objective", ["total", "total,worst,n_worst", "worst,total"])
def test_an_optimal_tree_is_proved_by_the_search(objective):
    tree = build_optimal(open_game("p3c4r"), objective=objective, max_length=5)
    assert not verify(tree).is_proved
    report = verify(tree, prove=True)
    assert (report.problems, report.is_proved) == ((), True)


def test_a_longer_worst_case_is_no_least_one(optimal, knuth):
    claim = relabel(optimal, objective="worst,total", bound=None)
    worst = build_optimal(open_game("p3c4r"), objective="worst,total").worst
    problems = verify(claim, prove=True).problems
    assert bool(problems) == (optimal.worst > worst)
    (problem,) = verify(
        relabel(knuth, strategy="x", rule="", objective="worst,total"), prove=True
    ).problems
    assert problem.startswith("the file claims the least worst,total; its total is 216")


@pytest.mark.parametrize(
    ("name", "state"), [("optimal-worst5", "not checked"), ("barr-worst-case", "wrong")]
)
def test_a_table_of_a_capped_tree_is_not_called_wrong(name, state, monkeypatch):
    """A table tells no longest game allowed: 5,626 with 5 guesses, where 5,625 need 6."""
    tree, best = (read(ROOT / "trees" / f"p4c6r-{strategy}.tgt") for strategy in (name, "optimal"))
    monkeypatch.setattr("treegen.analysis.verification._search", lambda *_: best)
    report = verify(relabel(tree, strategy="optimal"), prove=True)
    assert states_of(report)["strategy"] == state
    if state == "not checked":
        (claim,) = report.unchecked
        assert claim.note.endswith(
            "the least total is 5625 with games of up to 6; verify the .tree"
        )


def test_a_bound_above_the_tree_itself_needs_no_search(optimal):
    (problem,) = verify(relabel(optimal, bound=optimal.total + 1)).problems
    assert problem == "the file claims the bound 207; its own tree has total 206"


def test_a_lower_bound_of_a_tree_that_is_not_called_best_is_proved(knuth):
    tree = relabel(knuth, strategy="best", rule="", objective="total", bound=200)
    assert verify(tree, prove=True).is_proved


def test_claims_that_the_search_refuses_stay_open():
    game = open_game("p2c3r").with_stakes([10**12 - 8, *[1] * 8])
    objective = "worst,n_worst,total"
    tree = relabel(build(game, "max"), strategy="optimal", rule="", objective=objective)
    report = verify(tree, prove=True)
    assert states_of(report) == dict.fromkeys(["strategy", "objective"], "not checked")
    for claim in report.unchecked:
        assert claim.note.startswith("the exact search cannot check it: the weights sum up to")


def test_nothing_is_searched_where_nothing_is_claimed(knuth, monkeypatch):
    monkeypatch.setattr("treegen.exact.run", None)
    assert verify(knuth, prove=True).is_proved


def test_a_table_is_checked_by_the_name_it_carries(knuth):
    """Tables carry no rule."""
    table = relabel(knuth, rule="")
    assert states_of(verify(table)) == {"strategy": "checked"}
    assert states_of(verify(relabel(table, strategy="entropy"))) == {"strategy": "wrong"}
    assert states_of(verify(relabel(table, strategy="max,consistent"))) == {"strategy": "checked"}
    assert states_of(verify(relabel(table, strategy="by hand"))) == {"strategy": "not checked"}
    assert states_of(verify(relabel(table, strategy="imported"))) == {}
    with pytest.raises(UsageError, match="the file states none, and 'by hand' names none"):
        verify(relabel(table, strategy="by hand"), rule=True)


def test_the_rule_of_a_large_tree_waits_until_it_is_asked_for(knuth, monkeypatch):
    monkeypatch.setattr("treegen.verifier.verify.MAX_COMPARISONS", 100)
    report = verify(knuth)
    (claim,) = report.unchecked
    assert (claim.name, claim.value) == ("rule", KNUTH)
    assert claim.note == "--rule checks it in about 0 s"
    assert verify(knuth, rule=True).is_proved
    monkeypatch.undo()
    assert not verify(knuth, rule=False).is_proved


@pytest.mark.parametrize(
    "rule",
    [
        "eligible=all; chain=max,lowest; order=lex; opening=999",
        "eligible=all; chain=power:60,lowest; order=lex",
    ],
)
def test_a_rule_that_no_tree_of_the_game_can_have_is_wrong(knuth, rule):
    (problem,) = verify(relabel(knuth, strategy="x", rule=rule)).problems
    assert problem.startswith("the rule does not fit the game: ")


def test_a_sample_checks_no_claim(knuth):
    report = verify(bytes_of(knuth, "tree"), sample=5)
    assert (report.n_secrets, report.is_sound, report.is_proved) == (5, True, False)
    assert {claim.note for claim in report.unchecked} == {"only a sample was played"}
    names = ["total", "worst", "histogram", "digest", "rule"]
    assert [claim.name for claim in report.unchecked] == names


def test_a_report_is_written_as_json():
    tree = relabel(build("p1c2r"), strategy="by hand", rule="")
    reason = "unknown strategy 'by hand': treegen strategies lists all. A chain is written"
    reason += " max,power:1,parts,consistent,lowest"
    assert verify(tree, claim={"total": 4}).to_dict() == {
        "proved": False,
        "sound": False,
        "secrets": 2,
        "total": 3,
        "histogram": [1, 1],
        "problems": [],
        "checked": {},
        "not_checked": {"strategy": {"value": "by hand", "reason": reason}},
        "published": {"total": False},
    }
    assert str(verify(tree, claim={"total": 4}).published[0]) == "published total 4: it is 3"


@pytest.mark.parametrize(
    ("objective", "name"), [("total", "max,highest"), ("worst,total", "knuth"), ("total", "knuth")]
)
def test_a_worse_tree_under_the_name_of_an_optimal_one_is_found_out(objective, name):
    optimal = build("p2c3r", "optimal", objective=objective)
    other = build("p2c3r", name)
    forged = replace(other, provenance=optimal.provenance)
    assert not verify(forged).is_sound
    assert not verify(forged, prove=True).is_proved
    bound = replace(optimal.provenance, bound=other.total)
    report = verify(replace(other, provenance=bound), prove=True)
    assert not report.is_proved
    assert report.problems


def test_games_are_no_longer_than_a_search_was_allowed():
    capped = build("p3c4r", "optimal", max_length=4)
    assert ("max-length", 4) in [(claim.name, claim.value) for claim in verify(capped).checked]
    longer = replace(build("p3c4r", "first-consistent"), provenance=capped.provenance)
    assert longer.worst > 4
    assert any("games of at most 4" in problem for problem in verify(longer).problems)


@pytest.mark.parametrize(
    ("average", "is_true"),
    [
        *(("4.4761", True), ("4.476", True), ("4.48", True), ("4.5", True), ("4", True)),
        *(("4.47", False), ("4.4762", False), ("4.4760", False), ("5", False)),
    ],
)
def test_an_average_is_compared_at_its_digits(average, is_true):
    tree = build("p4c6r")
    assert tree.histogram == [1, 6, 62, 533, 694]
    (found,) = verify(tree, claim={"average": average}, rule=False).published
    assert found.is_true is is_true
    assert is_true or str(found) == f"published average {average}: it is 4.4761"


def test_published_figures_are_values_too_and_malformed_ones_are_refused():
    tree = build("p4c6r")
    claim = {"average": 4.4761, "histogram": (1, 6, 62, 533, 694), "total": "5801", "worst": 5}
    assert verify(tree, claim=claim, rule=False).is_sound
    report = verify(tree, claim={"average": 4.47})
    assert (report.is_sound, report.is_proved, report.to_dict()["proved"]) == (False,) * 3
    for wrong in (
        {"mean": 4.5},
        {"total": 5801.5},
        {"total": None},
        {"average": 1e-9},
        [5801],
        5801,
    ):
        with pytest.raises(UsageError, match=r"the claim .*average=4\.4761, worst=5, n_worst=694"):
            verify(tree, claim=wrong)


@pytest.mark.parametrize("claim", ["total=22", ["total=22"], {"total": 22}])
def test_published_figures_may_be_written_in_several_ways(claim):
    (row,) = verify(build("p2c3r", "parts"), claim=claim).published
    assert row.is_true and row.published == "22"
