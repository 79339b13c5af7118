"""``treegen compare`` and ``treegen stats``: strategies, searches and files side by side."""

import csv

import pytest

import treegen
from treegen import UsageError, build, compare, open_game, read, write_table, write_tree

from ..command import refuse, run, show, show_json

P3C4R = open_game("p3c4r")
DIFF_COLUMNS = "answers history candidates guess_a guess_b total_a total_b worst_a worst_b"
DIFF_COLUMNS = (*DIFF_COLUMNS.split(), "cells_a", "cells_b", "reasons")
SAMPLE_COLUMNS = "game strategy exact n seed total average ci95 worst n_worst histogram"
SAMPLE_COLUMNS = (*SAMPLE_COLUMNS.split(), "build_s", "time_per_game_s", "bound", "source")
TREE_COLUMNS = "file game strategy secrets nodes total average worst n_worst histogram digest"
TREE_COLUMNS = (*TREE_COLUMNS.split(), "rule", "objective", "bound", "proved", "history")
GAME_COLUMNS = "game pegs colors feedback secrets guesses responses openings"
GAME_COLUMNS = (*GAME_COLUMNS.split(), "least_total", "least_worst")


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    path = tmp_path_factory.mktemp("samples")
    write_tree(build("p3c4r"), path / "a.tree")
    write_table(build("p3c4r", "optimal"), path / "b.tgt")
    write_tree(build("p2c3r"), path / "small.tree")
    write_tree(build(P3C4R, "knuth", history="111:10"), path / "mid.tree")
    (path / "words.txt").write_text("crane\ncrate\ntrace\nabide\n")
    return path


def compare_json(capsys, *args):
    return show_json(capsys, "compare", *args)


def test_files_beside_strategies(folder, capsys):
    rows = compare_json(capsys, "p3c4r", "b.tgt", "-s", "knuth", "-s", "a.tree", "-s", "optimal")
    assert [(row["strategy"], row["source"], row["total"]) for row in rows] == [
        ("optimal", "b.tgt", 206),
        ("knuth", "a.tree", 216),
        ("knuth", None, 216),
        ("optimal", None, 206),
    ]
    assert all(row["exact"] for row in rows)
    assert rows[-1]["bound"] == 206


def test_files_alone_bring_their_games(folder, capsys):
    rows = compare_json(capsys, "a.tree", "small.tree", "b.tgt", "-s", "entropy")
    assert [(row["game"], row["source"]) for row in rows] == [
        *(("p3c4r", "a.tree"), ("p3c4r", "b.tgt"), ("p3c4r", None)),
        *(("p2c3r", "small.tree"), ("p2c3r", None)),
    ]
    assert len(compare_json(capsys, "-s", "a.tree", "-s", "b.tgt")) == 2


def test_codebooks_and_their_trees(folder, capsys):
    assert run("build", "words.txt", "-o", "w.tree", "-q") == 0
    out = show(capsys, "compare", "words.txt", "w.tree", "-s", "best")
    assert out.startswith("words.txt\nstrategy ")
    assert "\nw.tree " in out
    assert out.count("4 (all)") == 2
    assert run("compare", "words.txt", "--feedback", "position", "-s", "w.tree") == 2
    assert "'w.tree' is a tree of words.txt, 4 words of 5 letters (4 guesses, pegs" in (
        capsys.readouterr().err
    )


def test_games_of_one_name_are_told_apart(folder, capsys):
    write_tree(build("p2c3r", goal="identify"), "named.tree")
    write_tree(build("p2c3r", weights=[2, *[1] * 8]), "weighed.tree")
    write_tree(build("p2c3r", costs=[2, *[1] * 8]), "dear.tree")
    files = ["small.tree", "named.tree", "weighed.tree", "dear.tree"]
    titles = ["p2c3r", "p2c3r, goal identify", "p2c3r, weights", "p2c3r, costs"]
    blocks = show(capsys, "compare", *files).split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == titles
    table = show(capsys, "stats", *files).splitlines()[1:]
    assert all(title in row for title, row in zip(titles, table, strict=True))
    assert show(capsys, "stats", "dear.tree").startswith("game       p2c3r, costs\n")
    first = show(capsys, "openings", "p2c3r", "--goal", "identify").splitlines()[0]
    assert first.startswith("p2c3r, goal identify; ")
    differences = "of p2c3r with other answers, another goal, weights or costs"
    assert differences in refuse(capsys, "compare", "p2c3r", "-s", "weighed.tree")
    assert differences in refuse(capsys, "verify", "named.tree", "-g", "p2c3r")


def test_a_sum_of_shares_is_written_as_any_total_is(capsys, tmp_path):
    """A whole one was 1,500 in the statistics of one tree, and 1500 everywhere else."""
    table = tmp_path / "t.csv"
    table.write_text("fault,Q,seen\na,x/y,501\nb,x,998\nc,y,1\n")
    assert run("build", table, "--sets", "/", "--weights", "seen", "-o", tmp_path / "t.tree") == 0
    assert "total 1500, " in capsys.readouterr().out
    assert "\ntotal      1500\n" in show(capsys, "stats", tmp_path / "t.tree")


def test_all_keep_to_one_rule_of_play(folder, capsys):
    game = ["words.txt", "--feedback", "position"]
    hard = ["--eligible", "hints"]
    assert run("build", *game, *hard, "-s", "entropy", "-o", "hard.tree", "-q") == 0
    names = ("entropy", "optimal", "best", "hard.tree")
    rows = compare_json(capsys, *game, *hard, *(part for name in names for part in ("-s", name)))
    entropy = read("hard.tree").total
    by_name = {row["source"] or row["strategy"]: row["total"] for row in rows}
    assert by_name["hard.tree"] == by_name["entropy eligible=hints"] == entropy
    least = by_name["optimal eligible=hints"]
    assert least <= by_name["best eligible=hints"] <= entropy


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "nothing to compare: a game with -s NAME is needed, or trees"),
        (["p3c4r"], "no strategy for p3c4r: give -s NAME or a tree"),
        (["p2c3r", "-s", "a.tree"], "'a.tree' is a tree of p3c4r, not of p2c3r"),
        (["p3c4r", "-s", "none.tree"], "cannot read 'none.tree'"),
        (["a.tree", "mid.tree"], "'mid.tree' starts after 111:10: only whole games"),
        (["a.tree", "--openings"], "--openings is for strategies that follow a rule, not for a"),
        (["p3c4r", "-s", "best", "--openings"], "that follow a rule, not for best"),
        (["p3c4r", "p2c3r", "-s", "codesmithy"], "is defined for p4c6r"),
        (["a.tree", "--feedback", "black"], "work only with a codebook file"),
        (["a.tree", "--json", "--csv", "-"], "both go to standard output"),
        (["a.tree", "--eligible", "candidates"], "built with eligible=all: it cannot be compared"),
        (["p3c4r", "-s", "one-by-one", "--eligible", "all"], "one-by-one is neither"),
        (["p3c4r", "-s", "best", "--eligible", "consistent"], "works with optimal and with rules"),
        (["p3c4r", "-s", "knuth", "--eligible", "hints"], "hints) needs green and yellow letters"),
    ],
)
def test_what_does_not_fit_is_refused(folder, capsys, args, message):
    assert run("compare", *args) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_a_search_ends_in_time(folder, capsys):
    """A limit that has passed at once: the trees found until then count."""
    args = ["p3c6r", "-s", "optimal", "-s", "best", "--time-limit", "1e-9"]
    rows = compare_json(capsys, *args)
    assert [row["exact"] for row in rows] == [True, True]
    assert all(row["bound"] <= row["total"] for row in rows)


def test_csv_has_all_columns(folder, capsys):
    assert run("compare", "a.tree", "-s", "optimal", "--csv", "x.csv", "-q") == 0
    with (folder / "x.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == SAMPLE_COLUMNS
    assert [(row["source"], row["bound"]) for row in rows] == [("a.tree", ""), ("", "206")]


def read_rows(capsys):
    return list(csv.DictReader(capsys.readouterr().out.splitlines()))


def test_one_sample_and_the_best_guesses_as_csv(folder, capsys):
    assert run("simulate", "p3c4r", "-s", "knuth", "-n", "5", "--csv", "-") == 0
    (row,) = read_rows(capsys)
    assert tuple(row) == SAMPLE_COLUMNS and (row["n"], row["exact"]) == ("5", "False")
    assert run("explain", "a.tree", "--top", "2", "--csv", "-") == 0
    rows = read_rows(capsys)
    assert list(rows[0]) == ["rank", "guess", "max", "consistent", "cells"]
    assert [row["rank"] for row in rows] == ["1", "2"]
    assert run("explain", "a.tree", "--exact", "--csv", "-") == 2
    assert "--csv has no effect with --exact" in capsys.readouterr().err


def test_games_and_strategies_as_csv(folder, capsys):
    assert run("games", "p4c6r", "p3c4r", "p9c9r", "--csv", "-") == 0
    rows = read_rows(capsys)
    assert tuple(rows[0]) == GAME_COLUMNS
    names = ("game", "secrets", "openings", "least_total", "least_worst")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("p4c6r", "1296", "5", "5625", "5"),
        ("p3c4r", "64", "3", "206", "4"),
        ("p9c9r", "387420489", "", "", ""),
    ]
    assert run("games", "--csv", "-") == 0
    assert {"name": "mastermind", "meaning": "p4c6r"} in read_rows(capsys)
    assert run("strategies", "knuth", "optimal", "--csv", "-") == 0
    assert [(row["name"], row["tree"]) for row in read_rows(capsys)] == [
        ("knuth", "True"),
        ("optimal", "True"),
    ]
    assert run("strategies", "--json", "--csv", "-") == 2


def test_differences_and_advice_as_csv(folder, capsys):
    assert run("diff", "a.tree", "b.tgt", "--limit", "1", "--csv", "-") == 1
    found = treegen.diff("a.tree", "b.tgt")
    rows = read_rows(capsys)
    assert tuple(rows[0]) == DIFF_COLUMNS
    assert [(row["history"], row["guess_a"], row["total_b"]) for row in rows] == [
        (each.history, each.a.guess, str(each.b.total)) for each in found
    ]
    assert run("play", "a.tree", "--top", "3", "--candidates", "--csv", "-") == 0
    rows = read_rows(capsys)
    assert list(rows[0]) == [
        *("rank", "guess", "possible", "max", "consistent", "expected_left", "cells")
    ]
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert run("play", "a.tree", "--candidates", "--csv", "-") == 2
    assert "--csv has no effect without --top" in capsys.readouterr().err


def test_ctrl_c_keeps_the_strategies_that_are_done(folder, capsys, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("treegen.analysis.compare.play_sample", stop)
    args = ["p3c4r", "-s", "knuth", "-s", "random-consistent", "--csv", "x.csv"]
    assert run("compare", *args) == 130
    out, err = capsys.readouterr()
    assert "5801" not in out
    assert "216" in out
    assert err.strip() == "treegen: interrupted; 1 of 2 strategies done, as shown"
    assert len((folder / "x.csv").read_text().splitlines()) == 2
    assert run("compare", "p3c4r", "-s", "random-consistent") == 130
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("", "treegen: interrupted; no strategy is done")


def test_the_library_takes_trees():
    tree = build("p3c4r", "optimal")
    samples = compare(P3C4R, [tree, "knuth", "optimal"]).samples
    assert [sample.total for sample in samples] == [206, 216, 206]
    assert [sample.bound for sample in samples] == [206, None, 206]
    assert samples[0].histogram == tree.histogram
    with pytest.raises(UsageError, match="a tree of p2c3r, not of p3c4r"):
        compare(P3C4R, [build("p2c3r")])


def test_stats_of_several_files_are_a_table(folder, capsys):
    rows = show_json(capsys, "stats", "a.tree", "b.tgt", "mid.tree")
    assert [row["file"] for row in rows] == ["a.tree", "b.tgt", "mid.tree"]
    assert rows[0]["digest"] == read("a.tree").digest
    lines = show(capsys, "stats", "a.tree", "b.tgt", "mid.tree", "--csv", "x.csv").splitlines()
    assert lines[0].split()[:3] == ["file", "game", "strategy"]
    assert lines[1].split()[:5] == ["a.tree", "p3c4r", "knuth", "64", "216"]
    with (folder / "x.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == TREE_COLUMNS
    assert rows[0]["histogram"] == "1+3+31+29"
    assert [row["history"] for row in rows] == ["", "", "111:10"]


def test_a_damaged_file_among_others_is_named(folder, capsys):
    (folder / "bad.tree").write_bytes((folder / "a.tree").read_bytes()[:-9])
    assert run("stats", "a.tree", "bad.tree", "none.tree", "small.tree") == 2
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == ["file", "a.tree", "small.tree"]
    assert [line[:9] for line in err.splitlines()] == ["treegen: "] * 2
    assert run("stats", "bad.tree", "none.tree") == 2
    assert capsys.readouterr().out == ""
