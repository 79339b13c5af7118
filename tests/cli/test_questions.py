"""Tables of answers on the command line: what is a table, what is said, what is refused."""

import io
import json
import shutil
import sys
from types import SimpleNamespace

import pytest

from .. import command
from ..paths import ROOT

ANIMALS = """animal,Feathers?,Legs,Alive?
sparrow,yes,2,yes
dog,no,4,yes
cat,no,4,yes
spider,no,8,yes
"""
NOTES = (
    "treegen: question 'Alive?' dropped: every candidate answers 'yes'\n"
    "treegen: no question tells apart: dog, cat; they count as one candidate\n"
    "treegen: animals.csv: a table of 4 candidates, questions Feathers?, Legs\n"
)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs a command beside the file animals.csv."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "animals.csv").write_text(ANIMALS)

    def run_command(line, stdin=""):
        data = SimpleNamespace(buffer=io.BytesIO(stdin.encode()), isatty=lambda: False)
        lines = io.StringIO(stdin)
        data.readline, data.fileno = lines.readline, lines.fileno
        monkeypatch.setattr(sys, "stdin", data)
        code = command.run(*line.split())
        out, err = capsys.readouterr()
        return code, out, err

    return run_command


@pytest.mark.parametrize(
    ("goal", "stdin", "told"),
    [
        ("identify", "no\n", "stopped at the limit of 1 question: not found"),
        ("win", "no\n", "stopped at the limit of 1 guess: not found"),
        ("win", "yes\nright\n", "found sparrow in 1 question and 1 guess"),
    ],
)
def test_play_counts_what_the_table_calls_its_steps(run, goal, stdin, told):
    run(f"build animals.csv -s max,lowest --goal {goal} --first Feathers? -o a.tree")
    limit = stdin.count("\n")
    assert run(f"play a.tree --limit {limit}", stdin)[1].splitlines()[-1].endswith(told)


def test_a_table_is_built_verified_and_read_again(run, tmp_path):
    code, out, err = run("build animals.csv -s entropy")
    assert (code, err) == (0, NOTES)
    assert out == "animals-entropy.tree: total 3, average 1.0000, worst 1, histogram 3\n"
    assert run("verify animals-entropy.tree")[:2] == (
        0,
        "ok: 3 secrets found, total 3\nchecked: total, worst, histogram, digest, strategy, rule\n",
    )
    assert run("export table animals-entropy.tree -o a.tgt --labels file")[0] == 0
    words = json.loads((tmp_path / "a.tgt.labels.json").read_text())
    assert words["names"] == ["sparrow", "dog | cat", "spider"]
    assert "'a.tgt': a lookup table has no table of answers" in run("verify a.tgt")[2]
    assert run("import table a.tgt -g animals.csv -o b.tree -q")[0] == 0
    digests = [json.loads(run(f"stats {name} --json")[1])["digest"] for name in
               ("animals-entropy.tree", "b.tree", "a.tgt")]  # fmt: skip
    assert len(set(digests)) == 1


def test_other_forms_are_read_again(run):
    run("build animals.csv -s max,lowest -o a.tree -q --goal win")
    assert run("export text --style key a.tree -o a.txt")[0] == 0
    code, out, err = run("import text a.txt -g animals.csv --goal win -o b.tree")
    assert (code, err) == (0, NOTES)
    assert out.endswith("total 6, average 2.0000, worst 2, histogram 0/3\n")


def test_a_member_of_a_group_is_found(run):
    run("build animals.csv -q -o a.tree")
    code, out, _ = run("play a.tree --secret cat")
    assert (code, out) == (0, " 1  Legs  4  1 left\nit is dog | cat\n")
    figures = json.loads(run("play a.tree --secret spider --json")[1])
    assert figures["found"] is True
    assert figures["turns"] == [{"guess": "Legs", "feedback": "8", "left": 1}]


def test_a_table_with_gaps_is_won(run, tmp_path):
    (tmp_path / "gaps.csv").write_text(ANIMALS.replace("dog,no,4", "dog,no,?"))
    _, out, _ = run("build gaps.csv --goal win -s optimal -o g.tree")
    assert out == (
        "g.tree: total 9, average 2.2500, worst 3, histogram 0/3/1, proved optimal by total\n"
    )
    assert run("verify g.tree --prove")[0] == 0
    code, out, _ = run("play g.tree", "8\nno\nright\n")
    assert code == 0
    assert out.endswith(
        "guess 3: dog  (1 left)  answer (no/right): found dog in 1 question and 2 guesses\n"
    )
    assert run("certify g.tree -o g.proof")[0] == 0
    code, out, _ = run("verify g.tree --certificate g.proof")
    assert code == 0 and "optimal: proved, checked by an independent program" in out
    code, _, err = run("build gaps.csv --class animal --goal win")
    assert (code, err.count("classes: its goal is to identify")) == (2, 1)


def test_a_person_answers_in_words(run):
    run("build animals.csv -q -o a.tree")
    code, out, _ = run("play a.tree", "5\nu\n8\n")
    assert code == 0
    assert "'5' is not an answer; there are 2, 4, 8" in out
    assert "there is no answer to take back" in out
    assert out.endswith("found spider in 1 question\n")


def test_a_table_from_a_stream_or_by_its_content(run, tmp_path):
    text = ANIMALS.replace(",", ";")
    (tmp_path / "animals.txt").write_text(text)
    for source in ("-", "animals.txt"):
        _, out, _ = run(f"build {source} -s entropy -o c.tree", text)
        assert out == "c.tree: total 3, average 1.0000, worst 1, histogram 3\n"


def test_first_questions_are_ranked_and_judged(run):
    run("build animals.csv -s optimal -q -o a.tree")
    total = json.loads(run("stats a.tree --json")[1])["total"]
    ranked = json.loads(run("openings animals.csv -s optimal --json")[1])
    assert (ranked["proved"], ranked["rows"][0]["total"]) == (True, total)
    by_rule = json.loads(run("openings animals.csv -s entropy --json")[1])
    assert len(by_rule["rows"]) == len(ranked["rows"])
    judged = json.loads(run("explain a.tree --exact --json")[1])
    assert judged["total_tree"] == judged["total_guess"] == judged["total_best"] == total


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("build animals.csv --strict", "no question tells apart: dog, cat; without --strict"),
        ("build animals.csv --feedback black", "work only with a codebook, not a table of answers"),
        ("build animals.csv -s first-consistent", "no candidate is guessed"),
        ("build animals.csv --goal lose", "'lose' is not one of 'win', 'identify'"),
        ("build animals.csv --history Legs:5", "'5' is not an answer; there are 2, 4, 8"),
        ("build animals.csv --first Wings", "'Wings' is not a question of animals.csv"),
    ],
)
def test_bad_options_of_a_table_are_refused(run, line, problem):
    code, out, err = run(f"{line} -q -o a.tree")
    assert (code, out) == (2, "")
    assert problem in err


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("export table a.tree --profile lean -o a.tgt", "needs a rule that answers"),
        ("export table a.tree --labels file -o -", "--labels file needs the path of a file"),
        ("export text a.tree --style irving", "use indented, booklet or key"),
        ("export game a.tree --secret dog -o a.svg", "shows pegs or letters"),
        ("play a.tree --secret bee", "'bee' is not a candidate of animals.csv"),
    ],
)
def test_what_a_tree_of_questions_has_not(run, line, problem):
    run("build animals.csv -q -o a.tree")
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert problem in err


def test_a_table_of_one_candidate(run, tmp_path):
    (tmp_path / "one.csv").write_text("name,q\nx,1\n")
    run("build one.csv -s optimal -o one.tree -q")
    for line in ("stats one.tree", "verify one.tree --prove", "explain one.tree -s entropy"):
        assert run(line)[0] == 0
    assert "x          0   0.0000      0         1" in run("openings one.csv -s entropy")[1]
    assert run("compare one.csv -s entropy -s optimal -s best")[0] == 0


def test_a_range_is_played_and_drawn(run, tmp_path):
    run("build range7 -s optimal -o r.tree -q")
    code, out, _ = run("play r.tree", "higher\n<\nright\n")
    assert code == 0
    assert "Think of a number: 7 are possible. Answer each guess by lower, higher or right" in out
    assert "guess 1: 4  (7 left)  answer (lower/higher/right): " in out
    assert out.endswith("found 5 in 3 guesses\n")
    assert run("export dot r.tree -o r.dot")[0] == 0
    assert "answers: the secret is lower or higher" in (tmp_path / "r.dot").read_text()


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
    assert command.run("build", *words, "-q") == 0
    assert [path.match(name) for path in tmp_path.glob("*.tree")] == [True]


def test_what_was_read_of_a_table_is_told(tmp_path, capfd):
    assert command.run("games", DATA / "tables" / "animals.arff") == 0
    told = capfd.readouterr().err
    assert "treegen: ARFF: classes of 'kind', the last attribute (--class none" in told
    assert "treegen: animals.arff: a table of 3 candidates" in told
    assert "; 3 classes are to be told apart" in told


def test_options_of_tables_are_refused_by_their_flags(capfd):
    assert command.run("build", "p2c3r", "--class", "x") == 2
    assert "--class works only with tables of answers" in capfd.readouterr().err
    assert command.run("build", "p2c3r", "--no-header") == 2
    assert "--no-header works only with tables of answers" in capfd.readouterr().err
    assert command.run("build", DATA / "uncertain" / "02-sets.csv", "--sets", "") == 2
    assert "--sets is what stands between the answers of a cell" in capfd.readouterr().err
