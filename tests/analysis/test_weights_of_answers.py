"""Totals and histograms of uncertain answers: weights for people, whole shares in files."""

import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import treegen
from treegen import FormatError

from ..command import run
from ..exact.searching import build_optimal
from ..small_tables import make_rounded_game
from ..written import claim as forge

TABLE = """name,Q0,Q1,Q2
c0,a,b,a
c1,c,a,a
c2,b,?,?
c3,a,?,b
c4,?,b,?
c5,a,c,b
c6,a,b,?
cost,3,1,2
"""
HISTOGRAM, SHARES = [0, 0, Fraction(4, 3), 3, 0, Fraction(8, 3)], [0, 0, 8, 18, 0, 16]
WRITTEN = "0/0/1.3333/3/0/2.6667"
BOUND = Fraction(61, 2)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "d4.csv"
    path.write_text(TABLE)
    game = treegen.open_game(path, costs="cost", notice=lambda text: None)
    return treegen.build(game, "optimal", objective="worst,n_worst,total")


@pytest.fixture
def file(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tree.write("d4.tree")
    return "d4.tree"


def test_figures_of_uncertain_trees_are_fractions_in_python(tree, file):
    for one in (tree, treegen.read(file)):
        assert (one.total, one.n_worst, one.worst) == (32, Fraction(8, 3), 6)
        assert one.histogram == HISTOGRAM
        assert one.provenance.bound == one.total
        assert all(isinstance(weight, Fraction) for weight in (one.total, *one.histogram))
        assert one.average == pytest.approx(32 / 7)
        assert "1.3333</td>" in one._repr_html_()
        assert "total 32" in one._repr_html_() and "worst 6 (weight 2.6667)" in one._repr_html_()


def test_bars_are_as_high_as_weights(tree):
    axes = tree.plot("histogram").axes[0]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([*map(float, HISTOGRAM)])
    assert {"1.3333", "2.6667"} <= {text.get_text() for text in axes.texts}
    assert axes.get_ylabel() == "weight of secrets"


def test_whole_numbers_stay_whole():
    tree = treegen.build("p2c3r")
    assert [type(figure) for figure in (tree.total, tree.n_worst, *tree.histogram)] == [int] * 6
    assert "unit" not in treegen.stats(tree).to_dict()


def test_json_has_whole_shares_and_their_unit(tree, file, capsys):
    expected = {"total": 192, "histogram": SHARES, "unit": 6}
    found = treegen.stats(tree).to_dict()
    assert found == found | expected | {"n_worst": 16, "bound": 192}
    report = treegen.verify(file, prove=True).to_dict()
    assert report == report | expected
    checked = report["checked"]
    assert checked == checked | {"total": 192, "histogram": SHARES, "bound": 192}
    assert treegen.verify(file).to_dict()["not_checked"]["bound"]["value"] == 192
    (entry,) = treegen.manifest(file).to_dict()["files"]
    assert (entry["total"], entry["unit"]) == (192, 6)
    for name, code in (("stats", 0), ("verify", 3)):
        assert run(name, file, "--json") == code
        printed = json.loads(capsys.readouterr().out)
        assert printed == printed | expected


def test_figures_of_uncertain_trees_are_printed_as_decimals(tree, file, capsys):
    assert run("verify", file) == 3
    assert "found, total 32\n" in (text := capsys.readouterr().out)
    assert "bound 32 (the file's word" in text
    assert run("stats", file) == 0
    assert f"histogram  {WRITTEN}\n" in capsys.readouterr().out
    assert run("stats", file, file, "--csv", "s.csv") == 0
    assert "32,4.571428571428571,6,2.6667,0+0+1.3333+3+0+2.6667," in Path("s.csv").read_text()
    frame = treegen.stats(tree).to_dataframe()
    assert frame["histogram"][0] == HISTOGRAM
    assert run("manifest", file) == 0
    assert "total 32," in capsys.readouterr().out


@pytest.mark.parametrize(
    "claim",
    [
        {"total": 32, "worst": 6, "n_worst": Fraction(8, 3), "histogram": HISTOGRAM},
        {"n_worst": "2.6667", "histogram": WRITTEN},
        {"n_worst": "2.67", "total": "32.0"},
        ["n_worst=2.666666667", "histogram=0/0/1.3/3/0/2.7", "average=4.5714"],
    ],
)
def test_claims_are_compared_at_the_digits_given(tree, claim):
    report = treegen.verify(tree, claim=claim)
    assert report.is_sound
    assert len(report.published) == len(claim)


@pytest.mark.parametrize(
    "claim",
    ["n_worst=2", "n_worst=3", "n_worst=2.66", "total=192", "total=32.1", "histogram=0/0/1/3/0/3"],
)
def test_wrong_claims_are_found(tree, claim):
    (published,) = treegen.verify(tree, claim=[claim]).published
    assert not published.is_true
    assert published.found in ("2.6667", "32", WRITTEN)


def test_a_false_file_is_described_by_weights(tree):
    report = treegen.verify(forge(tree, total=193))
    assert list(report.problems) == ["the file claims total 32.1667; it is 32"]


def near_optimal(tree, bound):
    """Return the tree as that of a search which proved a bound."""
    origin = replace(tree.provenance, strategy="best", rule="beam=1", objective="total")
    return replace(tree, provenance=replace(origin, bound=bound))


@pytest.mark.parametrize("bound", [Fraction(32), BOUND, Fraction(191, 6)])
def test_texts_and_graphs_give_tree_and_bound_again(tree, bound):
    whole = near_optimal(tree, bound)
    text = io.StringIO()
    treegen.write_text(whole, text)
    assert f"# histogram: {WRITTEN}\n" in text.getvalue()
    again = treegen.import_tree(io.StringIO(text.getvalue()), tree.game)
    assert (again.digest, again.provenance) == (tree.digest, whole.provenance)
    with pytest.raises(FormatError, match=r"total 32\.1; its tree has 32"):
        false = text.getvalue().replace("total: 32", "total: 32.1")
        treegen.import_tree(io.StringIO(false), tree.game)
    for write in (treegen.write_graphml, treegen.write_json):
        text = io.StringIO()
        write(tree, text)
        assert treegen.import_tree(io.StringIO(text.getvalue()), tree.game).digest == tree.digest
        false = text.getvalue().replace("0/0/8/18/0/16", "0/0/8/18/0/17")
        with pytest.raises(FormatError, match=r"histogram 0/0/1.3333/3/0/2.8333; its tree has"):
            treegen.import_tree(io.StringIO(false), tree.game)


def test_weights_of_many_shares_are_told_apart_in_a_text():
    tree = treegen.build(make_rounded_game(), "separable-pairs")
    text = io.StringIO()
    treegen.write_text(tree, text)
    assert treegen.import_tree(io.StringIO(text.getvalue()), tree.game).total == tree.total


def test_progress_and_log_of_a_search(tree):
    seen = []
    log = {}
    found = build_optimal(tree.game, watch=lambda one: seen.append(one) or False, log=log)
    assert {progress.best for progress in seen} <= {None, found.total}
    assert all(progress.bound <= found.total for progress in seen)
    assert log["total"] == found.share_total
    assert log["unit"] == 6
    json.dumps(log)
