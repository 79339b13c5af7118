"""--weights and --costs: columns, rows, files, and what is wrong with them."""

import json

import pytest

from .. import command

TABLE = """\
name,Stings?,Legs?,Wings?,Alive?,share
ant,no,6,no,yes,0.5
bee,yes,6,yes,yes,0.25
wasp,yes,6,yes,yes,0.05
spider,no,8,no,yes,0.2
fly,no,6,yes,yes,1
price,1,2,3,5,
"""
WEIGHTS = '# shares\nant 0.50\nbee,0.25\n\nwasp;0.05\nspider\t0.2\n"fly",1.0\n'
COSTS = "Stings? 1\nLegs? 2\nWings? 3\nAlive? 5\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "priced.csv").write_text(TABLE)
    plain = [line.rpartition(",")[0] for line in TABLE.splitlines() if "price" not in line]
    (tmp_path / "plain.csv").write_text("\n".join(plain) + "\n")
    (tmp_path / "weights.txt").write_text(WEIGHTS)
    (tmp_path / "costs.txt").write_text(COSTS)
    return tmp_path


@pytest.fixture
def run(folder, capsys):
    def call(*arguments):
        code = command.run(*arguments)
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return call


@pytest.fixture
def build(run):
    def call(*arguments):
        code, output = run("build", *arguments, "-q", "-o", "x.tree", "--force")
        assert code == 0, output
        return json.loads(run("stats", "x.tree", "--json")[1])

    return call


@pytest.mark.parametrize("strategy", ["optimal", "entropy/cost", "best"])
def test_columns_rows_and_files_say_the_same(run, build, strategy):
    named = build("priced.csv", "--weights", "share", "--costs", "price", "-s", strategy)
    files = ("--weights", "weights.txt", "--costs", "costs.txt")
    read = build("plain.csv", *files, "-s", strategy)
    assert named["histogram"] == read["histogram"] == [3, 0, 0, 10, 0, 7]
    assert named["digest"] == read["digest"]
    assert named["average"] == 4.25
    code, output = run("verify", "x.tree", *([] if "cost" in strategy else ["--prove"]))
    # The rule of a near-optimal tree says how its search went, which nothing can check.
    assert code == (3 if strategy == "best" else 0), output


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--weights", "ant 1\nbee NaN\n", "line 2: 'NaN' is not a number"),
        ("--weights", "ant 1\nbee 1\n", "nothing for 3 of 5 candidates; the first is 'wasp'"),
        ("--weights", "ant 1\nbeetle 1\n", "line 2: there is no candidate 'beetle'"),
        ("--weights", "ant 1\nant 1\n", "line 2: 'ant' occurs twice"),
        ("--weights", "ant\n", "line 1: 'ant' is not a name and a number"),
        (
            "--costs",
            "Stings? 1\nLegs? 0\nWings? 1\n",
            "line 2: the cost 0 is not a positive integer",
        ),
        ("--costs", "Stings? 1\nLegs? 1\n", "nothing for 1 of 3 questions; the first is 'Wings?'"),
        ("--costs", "Hops? 1\n", "line 1: there is no question 'Hops?'"),
    ],
)
def test_wrong_files_are_told_in_a_line(folder, run, option, text, message):
    (folder / "wrong.txt").write_text(text)
    code, output = run("build", "plain.csv", option, "wrong.txt", "-q")
    assert code == 2
    errors = [line for line in output.splitlines() if message in line]
    assert len(errors) == 1, output
    assert "Traceback" not in output


def test_wrong_columns_are_told_in_a_line(run):
    for options, message in (
        (("--weights", "mass"), "has no column 'mass'"),
        (("--costs", "effort"), "has no row 'effort'"),
        (("--weights", "Stings?"), "'no' is not a number"),
    ):
        code, output = run("build", "plain.csv", *options, "-q")
        assert code == 2
        assert message in output


def test_words_and_peg_games_take_files(folder, build):
    (folder / "words.txt").write_text("crane\nslate\ntrace\n")
    (folder / "often.txt").write_text("crane 90\nslate 5\ntrace 5\n")
    figures = build("words.txt", "--feedback", "position", "--weights", "often.txt", "-s", "best")
    assert sum(figures["histogram"]) == 20
    codes = [f"{a}{b} {a}" for a in "123" for b in "123"]
    (folder / "codes.txt").write_text("\n".join(codes))
    figures = build("p2c3r", "--weights", "codes.txt", "--costs", "codes.txt", "-s", "optimal")
    assert sum(figures["histogram"]) == 18


def test_compare_weighs_trees_of_rules_and_of_searches(run):
    options = ("--weights", "share", "--costs", "price", "-s", "entropy", "-s", "optimal", "--json")
    code, output = run("compare", "priced.csv", *options)
    assert code == 0, output
    rows = json.loads(output.splitlines()[0])
    assert [row["histogram"] for row in rows][-1] == [3, 0, 0, 10, 0, 7]
    assert all(row["average"] == row["total"] / 20 for row in rows)


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_builds_in_tasks_count_weights_and_costs(folder, run, goal):
    game = ("priced.csv", "--weights", "share", "--costs", "price", "--goal", goal)
    for name, options in (("x.tree", ()), ("y.tree", ("--resume", "state"))):
        code, output = run("build", *game, "-s", "entropy/cost", *options, "-o", name)
        assert code == 0, output
    assert (folder / "x.tree").read_bytes() == (folder / "y.tree").read_bytes()
    assert run("verify", "y.tree")[0] == 0


@pytest.mark.parametrize("strategy", ["optimal", "best"])
def test_searches_in_hard_mode_refuse_the_goal_to_identify(folder, run, strategy):
    (folder / "words.txt").write_text("crane\nslate\ntrace\n")
    game = ("words.txt", "--feedback", "position", "--goal", "identify")
    code, output = run("build", *game, "--eligible", "hints", "-s", strategy, "-o", "x.tree", "-q")
    assert code == 2
    assert "candidates, not hints; rules such as -s entropy take it" in output


@pytest.mark.parametrize("strategy", ["optimal", "best"])
def test_searches_in_hard_mode_weigh_words(folder, run, strategy):
    (folder / "words.txt").write_text("crane\nslate\ntrace\n")
    (folder / "often.txt").write_text("crane 90\nslate 5\ntrace 5\n")
    game = ("words.txt", "--feedback", "position", "--weights", "often.txt")
    code, output = run(
        "build", *game, "--eligible", "hints", "-s", strategy, "-o", "x.tree", "--json"
    )
    assert code == 0, output
    # crane in one guess, slate and trace in two: their answers to it differ.
    assert json.loads(output.splitlines()[0])["total"] == 18 + 2 * (1 + 1)
    # The name of a near-optimal tree is the file's word.
    assert run("verify", "x.tree", "--prove")[0] == (0 if strategy == "optimal" else 3)
