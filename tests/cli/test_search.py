"""``treegen build -s optimal``, ``-s best``: what is said before, during, after; estimates inside.

No test can wait for a long proof: what is said of one is asked of the functions that say it.
"""

import json
import os

import pytest

import treegen
from treegen import Codebook, open_game, read
from treegen.builder import choose as plan
from treegen.cli.build import (
    RestOfProof,
    announce_build,
    announce_proof,
    describe_rest,
    write_estimate,
)
from treegen.exact import estimates
from treegen.exact import run as driver
from treegen.exact.estimates import WORDS, Estimate, estimate_proof
from treegen.exact.request import SearchProgress
from treegen.job import describe_gap
from treegen.strategies.named import parse_strategy
from treegen.tasks.work import PROCESS

from ..command import refuse, run, show, show_json
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


def test_bound_and_gap_are_printed(capsys):
    assert run("build", "p3c5r", "-s", "best", "--beam", "1", "-o", "a.tree") == 0
    tree, said = read("a.tree"), capsys.readouterr().out
    gap = (tree.total - tree.provenance.bound) / tree.provenance.bound
    assert f"total {tree.total}, " in said
    assert f", proved: no total below {tree.provenance.bound} (gap {gap:.1%})" in said
    assert run("build", "p3c5r", "-s", "optimal", "-o", "b.tree") == 0
    assert ", proved optimal by total" in capsys.readouterr().out
    assert "proved" not in show(capsys, "build", "p3c5r", "-s", "knuth", "-o", "c.tree")


@pytest.mark.parametrize(
    ("strategy", "is_proved"), [("optimal", True), ("best", False), ("knuth", None)]
)
def test_json_holds_rule_objective_and_bound(capsys, strategy, is_proved):
    beam = ["--beam", "1"] * (strategy == "best")
    built = show_json(capsys, "build", "p3c5r", "-s", strategy, *beam, "-o", "a.tree")
    assert show_json(capsys, "stats", "a.tree") == built
    provenance = read("a.tree").provenance
    assert (built["rule"], built["proved"]) == (provenance.rule, is_proved)
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
    tree = read("a.tree")
    assert (log["gap"], log["outcome"]) == (2.0, "gap proved")
    assert (log["beam"], log["first_guess"]) == (1, int(tree.guess[0]))
    assert (log["total"], log["bound"]) == (tree.total, tree.provenance.bound)
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
    built = show_json(capsys, *args)
    assert built["proved"] is False
    assert 0 < built["bound"] < built["total"]


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


def test_ctrl_c_before_the_search_leaves_nothing(folder, capsys, monkeypatch):
    def list_first(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.exact.run.list_first", list_first)
    assert run("build", "p5c6r", "-s", "optimal") == 130
    assert capsys.readouterr().err.strip() == "treegen: interrupted; nothing was written"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("game", "compiles", "waits"),
    [("p3c4r", False, [True]), ("p3c4r", True, [False]), ("p5c6r", False, [])],
)
def test_ctrl_c_at_once_leaves_a_tree(folder, capsys, monkeypatch, game, compiles, waits):
    """Its end waits for better trees of a small game, unless a compiler may keep it waiting."""
    waited = []

    def run_search(monitor, function):
        raise KeyboardInterrupt

    def run_soon(make, **how):
        waited.append(PROCESS.is_saving)
        return try_soon(make, **how)

    try_soon = driver.run_soon
    monkeypatch.setattr(driver, "run_soon", run_soon)
    monkeypatch.setattr(driver, "is_compiling", lambda: compiles)
    monkeypatch.setattr("treegen.exact.request.Monitor.run", run_search)
    assert run("build", game, "-s", "optimal") == 130
    path = f"{game}-optimal-unproved.tree"
    assert capsys.readouterr().err.endswith(f"interrupted; the best tree so far is in '{path}'\n")
    read(path).check()
    assert waited == waits


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")  # noqa: PTH110
def test_a_certificate_that_a_full_disk_refuses_leaves_the_tree(capsys):
    options = ["--certificate", "/dev/full", "-o", "a.tree"]
    assert run("build", "p3c4r", "-s", "optimal", *options) == 2
    message = "treegen: cannot write '/dev/full': No space left on device\n"
    assert capsys.readouterr().err == message
    assert read("a.tree").total == 206


def test_no_gap_is_printed_before_anything_is_proved(capsys, monkeypatch):
    def run_search(monitor, function):
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.exact.request.Monitor.run", run_search)
    assert run("build", "p3c4r", "--goal", "identify", "-s", "optimal") == 130
    assert capsys.readouterr().out.endswith(", not proved optimal by total\n")


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
        (error,) = refuse(capsys, *line, "--resume", "state").splitlines()
        assert "the folder 'state' belongs to another build: its " in error
    assert run(*own, "--resume", "state") == 0
    assert before == {path: path.read_bytes() for path in before}


def test_a_mistake_is_told_before_the_estimate(folder, capsys):
    for options in (["--beam", "3"], ["--seed", "1"], ["--eligible", "hints"], ["--first", "99"]):
        assert len(refuse(capsys, "build", "p4c10r", "-s", "optimal", *options).splitlines()) == 1
    assert list(folder.iterdir()) == []


DAY_S = 86400

HELD_OUT_S = {"p3c11r": 0.4, "p3c13r": 4.25, "p3c14r": 12.9, "p4c7r": 0.3, "p4c8r": 1.48}
HELD_OUT_S |= {"p4c10r": 257, "p5c6r": 32, "p5c7r": 511, "p3c13n": 0.79, "p4c10n": 1.75}
HELD_OUT_S |= {"p4c11n": 29.5, "p5c8n": 33, "p3c7rb": 2.89, "p3c9nb": 2.15, "p4c7nb": 4.83}
HELD_OUT_S |= {"p3c8rb": 72, "p2c25r": 0.29, "p3c15r": 58, "p3c16r": 123, "p3c14n": 4.12}
HELD_OUT_S |= {"p3c15n": 12.5, "p3c16n": 25.9, "p4c12n": 425, "p3c10nb": 104.5}
"""Measured, and not used for the scales."""

POWER_FROM_S = {"p2c13rb": 3.0, "p2c14rb": 4.5, "p2c15rb": 126}
"""No power holds beyond them, so the range that is told is wider."""

OUT_OF_REACH_S = {"p5c8r": 20_000, "p6c6r": 86_400}


@pytest.mark.parametrize("name", [*HELD_OUT_S, *POWER_FROM_S, *OUT_OF_REACH_S])
def test_the_estimate_of_a_proof_encloses_its_measured_time(name):
    estimate = estimate_proof(open_game(name))
    if name in HELD_OUT_S:
        assert estimate.factor == 3
        assert estimate.least <= HELD_OUT_S[name] <= estimate.most
    elif name in POWER_FROM_S:
        assert estimate.factor == 10
        assert estimate.seconds / 3 <= POWER_FROM_S[name] <= estimate.seconds * 3
    else:
        assert estimate.seconds >= OUT_OF_REACH_S[name]


def test_words_of_many_responses_are_estimated_by_their_pairs():
    words = make_words(300)
    assert estimate_proof(Codebook(words, feedback="position")) == WORDS(300 * 300)
    # Lists of Wordle's, not used for the fit: the original ones, 2022-08, 2023-07.
    for n_pairs, seconds in ((2315 * 12_972, 150), (2309 * 14_855, 163), (3158 * 14_855, 1037)):
        estimate = WORDS(n_pairs)
        assert estimate.least <= seconds <= estimate.most


def test_what_is_not_known_is_not_estimated():
    weighted = Codebook(make_words(300), feedback="position").with_stakes([2, *[1] * 299])
    assert estimate_proof(Codebook(make_words(300), feedback="pegs")) is None
    assert estimate_proof(weighted) is None
    assert estimate_proof(open_game("p8c2r")) is estimate_proof(open_game("p7c2rb")) is None


def test_a_search_tells_how_long_it_will_still_take():
    assert describe_rest(600, 100, 50) == ", about 4 minutes to go"
    assert describe_rest(600, 900, 3600) == ", about 30 minutes to go"
    assert describe_rest(None, 100, 50) == describe_rest(600, 1, 1) == ""


def test_the_gap_is_shown_as_it_shrinks():
    gaps = [describe_gap(SearchProgress("total", bound, 110, 0)) for bound in (0, 100, 110)]
    assert gaps == [
        "bound 0, best 110",
        "bound 100, best 110, gap 10.0 %",
        "bound 110, best 110, gap 0.0 %",
    ]
    assert describe_gap(SearchProgress("rules", 5, None, 0)) == "bound 5, best none yet"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (600, "about 10 minutes"),
        (10 * 3600, "about 10 hours"),
        (364 * DAY_S, "about 364 days"),
        (366 * DAY_S, "more than a year"),
        (1e18, "more than a year"),
    ],
)
def test_an_estimate_is_written_in_units_that_fit(seconds, words, monkeypatch, capsys):
    monkeypatch.setattr(estimates, "estimate_proof", lambda _: Estimate(seconds, 1.0))
    announce_proof(open_game("p2c3r"), None)
    assert capsys.readouterr().err == (
        f"treegen: the proof may take {words} of one core; Ctrl-C keeps the best tree so far, once"
        " there is one\n"
    )


def test_an_estimate_comes_with_what_it_may_be():
    assert (
        write_estimate(Estimate(600, 3.0))
        == "about 10 minutes of one core (3 minutes to 30 minutes)"
    )
    assert write_estimate(Estimate(70, 3.0)) == (
        "about a minute of one core (less than a minute to 4 minutes)"
    )
    assert write_estimate(Estimate(1e18, 3.0)) == "more than a year of one core"


def test_the_leading_guess_corrects_the_estimate(monkeypatch):
    rest = RestOfProof(None)
    for stage, cpu_s in (("rules", 1), ("leading guess", 2), ("leading guess", 40), ("total", 41)):
        rest.note(stage, cpu_s)
    assert rest.lead_s == 41
    rest.note("n_worst", 99)
    assert rest.lead_s == 41
    assert describe_rest(6000, 60, 60, 41) == ", about 2 minutes to go"
    assert describe_rest(62, 60, 60, 41) == ", less than a minute to go"


def test_a_long_build_of_a_codebook_is_announced(monkeypatch, capsys):
    game = Codebook(["crane", "trace", "react"], feedback="position")
    strategy = parse_strategy("knuth", game)
    announce_build(game, strategy)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(plan, "POSITION_PEG_S", 200.0)  # as if there were very many words
    announce_build(game, strategy)
    said = capsys.readouterr().err
    assert said == (
        "treegen: the build may take about 2 hours of one core and 0 MB of memory for the tree\n"
    )
