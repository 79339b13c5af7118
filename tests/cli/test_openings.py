"""``treegen openings``: the table, CSV, JSON, limits and what is kept."""

from __future__ import annotations

import csv
import json

import pytest

from ..command import run
from ..pseudo_words import make_words


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    words = make_words(60)
    (tmp_path / "words.txt").write_text("\n".join(words[:25]))
    (tmp_path / "all.txt").write_text("\n".join(words))
    monkeypatch.chdir(tmp_path)
    return tmp_path


WORDS = ["words.txt", "--guesses", "all.txt", "--feedback", "position"]


def test_a_table_says_what_is_proved(capsys):
    assert run("openings", *WORDS, "-s", "optimal", "--top", "3") == 0
    title, head, *rows, rest = capsys.readouterr().out.splitlines()
    assert title == "words.txt, 25 words of 5 letters; optimal: eligible=all; objective=total"
    assert head.split()[:4] == ["rank", "guess", "total", "average"]
    assert len(rows) == 3
    assert rest.startswith("none of the other 57 openings is better than the last")
    assert run("openings", "p3c4r", "-s", "optimal") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "these are all openings"


def test_json_and_csv_hold_the_same(folder, capsys):
    assert run("openings", *WORDS, "-s", "entropy", "--all", "--csv", "o.csv", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["proved"], found["openings"], len(found["rows"])) == (True, 60, 20)
    with (folder / "o.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["guess"], int(row["total"])) for row in rows] == [
        (row["guess"], row["total"]) for row in found["rows"]
    ]
    assert rows[0]["histogram"] == "+".join(map(str, found["rows"][0]["histogram"]))


def test_a_time_limit_prints_what_there_is(capsys):
    assert run("openings", *WORDS, "-s", "optimal", "--time-limit", "1e-9") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no opening is done"


@pytest.mark.parametrize("eligible", ["all", "hints"])
def test_a_ranking_of_openings_is_resumed(folder, capsys, eligible):
    hard = ["--eligible", eligible]
    args = ["openings", *WORDS, *hard, "-s", "optimal", "--resume", "kept"]
    assert run(*args, "--top", "2") == 0
    assert (folder / "kept" / "openings.part").exists()
    capsys.readouterr()
    assert run(*args, "--top", "9") == 0
    again = capsys.readouterr().out
    assert f"eligible={eligible}" in again
    assert run("openings", *WORDS, *hard, "-s", "optimal", "--top", "9") == 0
    assert capsys.readouterr().out == again
    assert run("openings", *WORDS, "-s", "knuth", "--resume", "kept") == 2
    assert "belongs to another build" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-s", "best"], "not by best"),
        (["-s", "random-consistent"], "chooses at random"),
        (["-s", "knuth", "--history", "zzzzz:00000"], "zzzzz"),
    ],
    ids=str,
)
def test_mistakes_in_openings_are_one_line(capsys, args, message):
    assert run("openings", *WORDS, *args) == 2
    reading, problem = capsys.readouterr().err.splitlines()
    assert (
        reading == "treegen: words.txt: a codebook of 25 words of 5 letters, answered by position"
    )
    assert message in problem


def test_compare_points_to_openings(capsys):
    assert run("compare", "words.txt", "-s", "knuth", "--openings") == 2
    assert "treegen openings ranks its first guesses" in capsys.readouterr().err
