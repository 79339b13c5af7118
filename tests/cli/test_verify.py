"""``treegen verify``: what it prints, and which exit code keeps checked and believed apart."""

import json
from dataclasses import replace

import pytest

from treegen import build

from ..command import refuse, run, show
from ..written import bytes_of


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A folder with Knuth's tree, an optimal one, and Knuth's under an optimal one's label."""
    path = tmp_path_factory.mktemp("samples")
    knuth, optimal = build("p3c4r"), build("p3c4r", "optimal")
    label = replace(optimal.provenance, bound=knuth.total)
    trees = {"knuth": knuth, "optimal": optimal, "false": replace(knuth, provenance=label)}
    for name, tree in trees.items():
        (path / f"{name}.tree").write_bytes(bytes_of(tree, "tree"))
        (path / f"{name}.tgt").write_bytes(bytes_of(tree, "table"))
    return path


def test_what_is_checked_and_what_is_not(folder, capsys):
    assert show(capsys, "verify", "knuth.tree") == (
        "ok: 64 secrets found, total 216\n"
        "checked: total, worst, histogram, digest, strategy, rule\n"
    )
    assert run("verify", "optimal.tree") == 3
    assert capsys.readouterr().out == (
        "ok: 64 secrets found, total 206\n"
        "checked: total, worst, histogram, digest\n"
        "not checked: strategy, rule, objective total, bound 206"
        " (the file's word; --prove runs the exact search)\n"
    )
    assert run("verify", "optimal.tree", "--trust") == 0
    assert run("verify", "optimal.tree", "--prove") == 0
    assert run("verify", "optimal.tgt") == 3
    assert run("verify", "optimal.tgt", "--prove") == 0
    assert "checked: total, worst, digest, strategy" in capsys.readouterr().out


def test_a_false_label_is_believed_by_none(folder, capsys):
    assert run("verify", "false.tree") == 3
    assert "not checked: strategy, rule, objective total, bound 216" in capsys.readouterr().out
    assert run("verify", "false.tree", "--prove", "--trust") == 1
    assert "wrong: the file claims the bound 216" in capsys.readouterr().out
    assert run("verify", "false.tgt", "--prove") == 1
    assert "ok" not in capsys.readouterr().out


def test_a_published_figure_that_is_wrong_comes_first(folder, capsys):
    assert run("verify", "knuth.tree", "--claim", "total=216", "--claim", "worst=9") == 1
    out = capsys.readouterr().out
    assert out.startswith("wrong: published worst 9: it is 4\npublished total 216: true\nchecked:")
    assert "ok" not in out
    assert run("verify", "knuth.tree", "--claim", "total=1", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["proved"], report["sound"], report["published"]) == (
        False,
        False,
        {"total": False},
    )
    assert run("verify", "knuth.tree", "--claim", "total=216") == 0
    assert capsys.readouterr().out.startswith("ok: 64 secrets found, total 216\npublished total")


def test_several_files_are_each_verified(folder, capsys):
    assert run("verify", "knuth.tree", "optimal.tree") == 3
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["knuth.tree"] * 2 + ["optimal.tree"] * 3
    assert run("verify", "optimal.tree", "false.tree", "--prove", "--json") == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["file"], first["proved"], second["sound"]) == ("optimal.tree", True, False)


def test_json_keeps_the_two_apart(folder, capsys):
    assert run("verify", "optimal.tree", "--json") == 3
    report = json.loads(capsys.readouterr().out)
    assert (report["proved"], report["sound"]) == (False, True)
    assert sorted(report["checked"]) == ["digest", "histogram", "total", "worst"]
    assert report["not_checked"]["bound"]["value"] == 206


@pytest.mark.parametrize("words", [["--claim", "total=1"], ["--prove"]])
def test_a_sample_tells_nothing_of_the_whole(folder, capsys, words):
    assert run("verify", "optimal.tree", "--sample", "3", *words) == 2
    assert "need the whole tree" in capsys.readouterr().err
    assert "not checked: total, worst" in show(capsys, "verify", "optimal.tree", "--sample", "3")


def test_a_tree_without_a_rule_has_none_to_check(folder, capsys):
    assert "there is no rule to check" in refuse(capsys, "verify", "optimal.tree", "--rule")
    assert run("verify", "knuth.tree", "--no-rule") == 3
