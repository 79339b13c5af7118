"""Tables of answers on the command line: options, folders, names of files."""

import shutil

import pytest

from ..command import run
from ..paths import ROOT

DATA = ROOT / "tests" / "data"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["grasses"], "grasses-separable-pairs.tree"),
        (["grasses/"], "grasses-separable-pairs.tree"),
        (
            ["03-class.csv", "--names", "none", "--class", "edible"],
            "03-class-names-none-class-edible-information.tree",
        ),
        (["02-sets.csv", "--sets", "/"], "02-sets-sets-????????-separable-pairs.tree"),
        (["01-unknown.csv", "--unknown", ""], "01-unknown-unknown-????????-separable-pairs.tree"),
    ],
)
def test_options_of_a_table_name_its_file(tmp_path, monkeypatch, words, name):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DATA / "tables" / "grasses", "grasses")
    for path in (DATA / "uncertain").glob("*.csv"):
        shutil.copy(path, ".")
    assert run("build", *words, "-q") == 0
    assert [path.match(name) for path in tmp_path.glob("*.tree")] == [True]


def test_what_was_read_of_a_table_is_told(tmp_path, capfd):
    assert run("games", DATA / "tables" / "animals.arff") == 0
    told = capfd.readouterr().err
    assert "treegen: ARFF: classes of 'kind', the last attribute (--class none" in told
    assert "treegen: animals.arff: a table of 3 candidates" in told
    assert "; 3 classes are to be told apart" in told


def test_options_of_tables_are_refused_by_their_flags(capfd):
    assert run("build", "p2c3r", "--class", "x") == 2
    assert "--class works only with tables of answers" in capfd.readouterr().err
    assert run("build", "p2c3r", "--no-header") == 2
    assert "--no-header works only with tables of answers" in capfd.readouterr().err
    assert run("build", DATA / "uncertain" / "02-sets.csv", "--sets", "") == 2
    assert "--sets is what stands between the answers of a cell" in capfd.readouterr().err
