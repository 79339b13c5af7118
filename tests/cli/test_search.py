"""``treegen build`` with -s optimal and -s best: what it says before, during and after."""

from __future__ import annotations

import json

import pytest

import treegen
from treegen import read

from ..command import run
from ..pseudo_words import make_words

AT_ONCE = ["--time-limit", "0.000001"]
"""Over when a search first looks at it, on any machine."""


pytestmark = pytest.mark.usefixtures("folder")


def test_log_is_written_beside_the_tree(folder, monkeypatch):
    monkeypatch.setattr("treegen.tasks.work.count_cores", lambda: 4)
    assert run("build", "p4c5r", "-s", "optimal", "-o", "a.tree") == 0
    assert run("build", "p4c5r", "-s", "optimal", "-o", "b.tree", "--log", "b.json", "-j", "3") == 0
    assert (folder / "a.tree").read_bytes() == (folder / "b.tree").read_bytes()
    log = json.loads((folder / "b.json").read_text("utf-8"))
    assert (log["game"], log["strategy"], log["objective"]) == ("p4c5r", "optimal", "total")
    assert (log["outcome"], log["jobs"], log["total"]) == ("proved", 3, read("a.tree").total)
    assert {"treegen", "python", "numpy", "numba"} == set(log["versions"])
    assert log["table"]["bytes"] == 32 * log["table"]["entries"]


def test_the_log_of_a_beam_says_its_width_and_bound(folder):
    assert (
        run("build", "p4c5r", "-s", "best", "--beam", "2", "-o", "a.tree", "--log", "a.json") == 0
    )
    log = json.loads((folder / "a.json").read_text("utf-8"))
    tree = read("a.tree")
    assert (log["beam"], log["first_guess"]) == (2, int(tree.guess[0]))
    assert (log["total"], log["bound"]) == (tree.total, tree.provenance.bound)


def test_log_of_a_search_that_was_ended(folder):
    limits = [*AT_ONCE, "--max-length", "5", "--log", "a.json"]  # which no greedy tree keeps
    assert run("build", "p4c7r", "-s", "optimal", "-o", "a.tree", *limits) == 2
    assert not (folder / "a.tree").exists()
    log = json.loads((folder / "a.json").read_text("utf-8"))
    assert log["outcome"].startswith("SearchStoppedError")
    assert log["course"][-1]["bound"] <= 11228


def test_greedy_tree_is_announced(capsys, monkeypatch):
    monkeypatch.setattr("treegen.exact.run.CHAINS", ())
    monkeypatch.setattr("treegen.exact.run.SOON_S", 300)  # only bounds a hang
    limits = [*AT_ONCE, "--max-length", "7"]
    assert run("build", "p4c7r", "-s", "optimal", "-o", "a.tree", *limits) == 0
    assert "ended before any tree was complete: making a greedy one" in capsys.readouterr().err
    tree = read("a.tree")
    assert tree.provenance.strategy == "optimal-unproved"
    assert tree.provenance.bound <= 11228 < tree.total
    assert tree.worst <= 7


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("p4c10r", "about 3 minutes of one core (less than a minute to 8 minutes), which"),
        ("p6c5r", "about 36 minutes of one core (4 minutes to 6 hours), which"),
    ],
)
def test_a_long_proof_is_announced_before_it_begins(capsys, game, said):
    assert run("build", game, "-s", "optimal", *AT_ONCE, "-o", "a.tree") == 0
    out, err = capsys.readouterr()
    assert f"{said} the time limit does not allow" in err.splitlines()[0]
    assert ", not proved optimal by total: no total below " in out


def test_a_short_proof_is_not_announced(capsys):
    assert run("build", "p4c4r", "-s", "optimal", "-o", "a.tree") == 0
    assert "may take" not in capsys.readouterr().err


def test_the_log_belongs_to_searches(capsys):
    assert run("build", "p3c4r", "-s", "knuth", "--log", "a.json") == 2
    assert "--log works only with -s optimal and best, not" in capsys.readouterr().err


def test_bound_and_gap_are_printed(capsys):
    assert run("build", "p3c5r", "-s", "best", "--beam", "1", "-o", "a.tree") == 0
    tree, said = read("a.tree"), capsys.readouterr().out
    gap = (tree.total - tree.provenance.bound) / tree.provenance.bound
    assert f"total {tree.total}, " in said
    assert f", proved: no total below {tree.provenance.bound} (gap {gap:.1%})" in said
    assert run("build", "p3c5r", "-s", "optimal", "-o", "b.tree") == 0
    assert ", proved optimal by total" in capsys.readouterr().out
    assert run("build", "p3c5r", "-s", "knuth", "-o", "c.tree") == 0
    assert "proved" not in capsys.readouterr().out


@pytest.mark.parametrize("strategy", ["optimal", "best", "knuth"])
def test_json_holds_rule_objective_and_bound(capsys, strategy):
    assert run("build", "p3c4r", "-s", strategy, "-o", "a.tree", "--json") == 0
    built = json.loads(capsys.readouterr().out)
    assert run("stats", "a.tree", "--json") == 0
    assert json.loads(capsys.readouterr().out) == built
    provenance = read("a.tree").provenance
    assert built["rule"] == provenance.rule
    assert (built["objective"] or "", built["bound"]) == (provenance.objective, provenance.bound)


def test_a_beam_beyond_all_numbers_is_a_mistake(capsys):
    assert run("build", "p3c4r", "-s", "best", "--beam", "9" * 21) == 2
    assert "it must be a whole number, 1 to 1,000,000" in capsys.readouterr().err
    assert run("build", "p3c4r", "-s", "best", "--look-ahead", "9" * 21, "-o", "a.tree") == 0


def test_a_proved_gap_is_said(folder, capsys):
    options = ["--beam", "1", "--look-ahead", "0", "--gap", "2", "--table-size", "1"]
    assert run("build", "p4c6r", "-s", "best", *options, "-o", "a.tree", "--log", "a.json") == 0
    assert ", proved: no total below " in capsys.readouterr().out
    log = json.loads((folder / "a.json").read_text("utf-8"))
    assert (log["gap"], log["outcome"]) == (2.0, "gap proved")
    assert log["total"] * 100 <= log["bound"] * 102
    assert log["counts"]["states"] > 0


def test_what_no_estimate_is_known_of_is_said(folder, capsys):
    (folder / "w.txt").write_text("\n".join(make_words(1000)), "utf-8")
    options = ["--feedback", "pegs", "-s", "optimal", "--time-limit", "1e-9", "-o", "a.tree"]
    assert run("build", "w.txt", *options) == 0
    said = capsys.readouterr()
    assert "it is not known how long the proof will take" in said.err
    assert "see -s best" not in said.err
    assert ", not proved optimal by total: no total below " in said.out


def test_a_time_limit_leaves_the_best_tree_with_its_bound(folder, capsys):
    args = ["build", "p4c7r", "-s", "optimal", *AT_ONCE]
    assert run(*args, "--resume", "state") == 0
    out, err = capsys.readouterr()
    assert out.startswith("p4c7r-optimal-unproved.tree: total ")
    assert ", not proved optimal by total: no total below " in out
    assert "what is finished is in state: the same command resumes from there" in err
    assert run(*args, "--json") == 0
    built = json.loads(capsys.readouterr().out)
    assert built["proved"] is False
    assert 0 < built["bound"] < built["total"]


@pytest.mark.parametrize(
    ("options", "is_proved"),
    [(["-s", "optimal"], True), (["-s", "knuth"], None), (["-s", "best", "--beam", "1"], False)],
)
def test_json_says_what_is_proved(options, is_proved, capsys):
    assert run("build", "p3c5r", *options, "--json") == 0
    assert json.loads(capsys.readouterr().out)["proved"] is is_proved


@pytest.mark.parametrize(
    ("search", "name"), [("optimal", "optimal-unproved"), ("best", "best")], ids=lambda x: x
)
def test_ctrl_c_leaves_the_best_tree(folder, capsys, monkeypatch, search, name):
    def run_search(monitor, function):
        function()
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.exact.request.Monitor.run", run_search)
    assert run("build", "p3c4r", "-s", search, "--log", "a.json") == 130
    out, err = capsys.readouterr()
    path = f"p3c4r-{name}.tree"
    assert out.startswith(f"{path}: total 206")
    assert err.endswith(f"treegen: interrupted; the best tree so far is in '{path}'\n")
    assert (read(path).provenance.strategy, read(path).total) == (name, 206)
    assert json.loads((folder / "a.json").read_text("utf-8"))["total"] == 206


def test_ctrl_c_before_there_is_a_tree_leaves_nothing(folder, capsys, monkeypatch):
    """Of a large game: a small one has a tree in a moment."""

    def run_search(monitor, function):
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.exact.request.Monitor.run", run_search)
    assert run("build", "p5c6r", "-s", "optimal") == 130
    assert capsys.readouterr().err.strip() == "treegen: interrupted; nothing was written"
    assert list(folder.iterdir()) == []


def test_the_library_hands_over_the_tree_of_a_search_that_ctrl_c_ended(monkeypatch):
    def run_search(monitor, function):
        function()
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.exact.request.Monitor.run", run_search)
    for _ in range(2):  # the first has no effect on the second
        with pytest.raises(treegen.Interrupted) as stop:
            treegen.build("p3c4r", "optimal")
        assert stop.value.result.provenance.strategy == "optimal-unproved"
    monkeypatch.undo()
    assert treegen.build("p3c4r", "optimal").provenance.strategy == "optimal"


RESUMABLE = {
    "rule": ["build", "p3c4r", "-s", "knuth"],
    "optimal": ["build", "p3c4r", "-s", "optimal"],
    "best": ["build", "p3c4r", "-s", "best", "--beam", "1"],
    "weighted best": ["build", "p3c4r", "-s", "best", "--beam", "1", "--goal", "identify"],
    "openings": ["openings", "p3c4r", "-s", "knuth"],
    "least totals": ["openings", "p3c4r", "-s", "optimal"],
}
"""Each kind of work that a folder keeps."""


@pytest.mark.parametrize("kind", RESUMABLE)
def test_a_folder_keeps_one_kind_of_work_on_one_game(folder, capsys, kind):
    own = RESUMABLE[kind]
    others = [line for name, line in RESUMABLE.items() if name != kind]
    after_a_guess = [*own, "--history", "123:10"]
    given = [*own, "--first", "124"] if own[0] == "build" else [*own, "--eligible", "candidates"]
    assert run(*own, "--resume", "state") == 0
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    another_game = ["p3c3r" if word == "p3c4r" else word for word in own]
    for line in [*others, another_game, after_a_guess, given]:
        capsys.readouterr()
        assert run(*line, "--resume", "state") == 2
        (error,) = capsys.readouterr().err.splitlines()
        assert "the folder 'state' belongs to another build: its " in error
    assert run(*own, "--resume", "state") == 0
    assert before == {path: path.read_bytes() for path in before}


def test_a_mistake_is_told_before_the_estimate(folder, capsys):
    for options in (["--beam", "3"], ["--seed", "1"], ["--eligible", "hints"], ["--first", "99"]):
        assert run("build", "p4c10r", "-s", "optimal", *options) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert list(folder.iterdir()) == []
