"""Lists on the command line: what was recognized is said, unless with --quiet."""

import re

import pytest

from treegen import read

from ..command import run, show

POSITION = r" \(--feedback position answers as Wordle does\)"
THREE = f"a codebook of 3 words of 5 letters, answered by pegs{POSITION}"

LISTS = {
    "plain.txt": ("cigar\nrebut\nsissy\n", [THREE]),
    "one.txt": (
        "cigar,rebut,sissy,humph\n",
        ["4 words on one line; one word per line is usual", THREE.replace("3", "4")],
    ),
    "freqc.txt": (
        "cigar,120\nrebut,22\nsissy,3\n",
        ["the numbers beside the words are ignored; --weights freqc.txt makes them", THREE],
    ),
    "freq.csv": (
        "word,count\ncigar,120\nrebut,22\nsissy,3\n",
        [
            "the numbers of 'count' are read as answers; if they are weights: --weights count",
            r"freq\.csv: a table of 3 candidates, question count$",
        ],
    ),
    "sep.csv": (
        "sep=;\r\nname;a;b\r\nx;1;2\r\ny;2;1\r\nz;1;1\r\n",
        ["a table of 3 candidates, questions a, b$"],
    ),
    "wide.csv": (
        "n,q1,q2,q3,q4,q5,q6,q7,q8,q9\na,1,1,1,1,1,1,1,1,1\nb,2,2,2,2,2,2,2,2,2\n",
        ["a table of 2 candidates, questions q1, q2, q3, q4, q5, q6, q7, q8 and 1 more$"],
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.txt").write_text("crane\nslate\ntrace\n")
    return tmp_path


@pytest.mark.parametrize("name", LISTS)
def test_what_was_read_is_said(folder, capsys, name):
    text, lines = LISTS[name]
    (folder / name).write_bytes(text.encode())
    assert run("games", name) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == len(lines)
    for line, pattern in zip(said, lines, strict=True):
        assert line.startswith("treegen: ")
        assert re.search(pattern, line)
    assert run("build", name, "-s", "max,lowest", "-q", "-o", "x.tree") == 0
    quiet = capsys.readouterr().err
    assert quiet.splitlines() == said[:-1]


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "small.txt", "-s", "max,lowest"],
        ["simulate", "small.txt", "-s", "max,lowest", "-n", "2"],
        ["play", "small.txt", "-s", "max,lowest", "--secret", "slate"],
        ["import", "text", "g.txt", "-g", "animals.csv", "-o", "y.tree"],
    ],
)
def test_every_command_says_it(folder, capsys, command):
    (folder / "animals.csv").write_text("name,q\na,1\nb,2\n")
    (folder / "g.txt").write_text("1 q: 1 → a, 2 → b\n")
    run(*command)
    said = capsys.readouterr().err
    assert said.count(": a codebook of 3 words") + said.count(": a table of 2 candidates") == 1


def test_a_kind_that_is_named_is_said_without_the_other(folder, capsys):
    (folder / "more.txt").write_text("spend\n")
    given = ["small.txt", "--guesses", "more.txt"]
    assert run("games", *given, "--feedback", "black") == 0
    said = "treegen: small.txt: a codebook of 3 words of 5 letters, answered by black\n"
    assert capsys.readouterr().err == said
    assert run("games", *given) == 0
    assert "answered by pegs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "the 100\ncrane 3\nslate 2\ntrace 1\n",
            ["'wt.txt': 1 of 4 words are not in the game and left out, such as 'the'"],
        ),
        ("word,count\ncrane,3\nslate,2\ntrace,1\n", []),
        ("Crane 9\ncrane 3\nslate 2\nTrace 9\ntrace 1\n", ["2 of 5 words are not in the game"]),
        ("      3 crane\n      2 slate\n      1 trace\n    100 the\n", ["1 of 4 words are not"]),
        ("sep=;\ncrane;3;\nslate;2;\ntrace;1;\n", []),
        ('{"crane": 3, "slate": 2, "trace": 1, "of": 0.5}', ["1 of 4 words are not"]),
    ],
)
def test_weights_of_a_language_serve_a_small_list(folder, capsys, text, lines):
    (folder / "wt.txt").write_text(text)
    options = ["--feedback", "position", "-s", "max,lowest", "-o", "x.tree"]
    assert run("build", "small.txt", "--weights", "wt.txt", *options) == 0
    out, err = capsys.readouterr()
    found = [line for line in err.splitlines() if line.startswith("treegen: ")]
    reading = "small.txt: a codebook of 3 words of 5 letters, answered by position; weights of"
    assert len(found) == len(lines) + 1
    assert all(line in said for line, said in zip([*lines, reading], found, strict=True))
    assert "total" in out


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("crane;0,25\nslate;0,5\ntrace;0,25\n", [], "line 1: '0,25' has a comma: write"),
        (
            "the 9\ncrane 3\n",
            [],
            "nothing for 2 of 3 candidates; the first is 'slate'; --default-weight gives",
        ),
        ("crane 3\n", ["--default-weight", "few"], "'few' is not a number"),
    ],
)
def test_weights_that_are_wrong_name_what_to_do(folder, capsys, text, options, message):
    (folder / "wt.txt").write_text(text)
    assert run("build", "small.txt", "--weights", "wt.txt", *options, "-o", "x.tree") == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert message in last


@pytest.mark.parametrize("lines", [["Slate 5", "slate 7"], ["slate 7", "Slate 5"]])
def test_a_word_has_the_weight_of_its_own_spelling(folder, capsys, lines):
    (folder / "wt.txt").write_text("\n".join([*lines, "crane 2", "trace 3"]))
    assert run("build", "small.txt", "--weights", "wt.txt", "-q", "-o", "x.tree") == 0
    assert (
        "1 of 4 words are not in the game and left out, such as 'slate'" in capsys.readouterr().err
    )
    assert read("x.tree").game.weights.tolist() == [2, 7, 3]


def test_words_without_a_weight_take_the_default(folder, capsys):
    (folder / "wt.txt").write_text("the 9\ncrane 3\n")
    (folder / "all.txt").write_text("crane 3\nslate 0.5\ntrace 0.5\n")
    options = ["--feedback", "position", "-s", "max,lowest", "-q", "-o", "x.tree"]
    totals = []
    for weights in (["wt.txt", "--default-weight", "0.5"], ["all.txt"]):
        assert run("build", "small.txt", "--weights", *weights, *options) == 0
        err = capsys.readouterr().err
        totals.append(show(capsys, "stats", "x.tree", "--json"))
        if len(totals) == 1:
            assert "nothing for 2 of 3 candidates, such as 'slate': each weighs 0.5" in err
    assert totals[0] == totals[1]
    assert run("games", "small.txt", "--default-weight", "1") == 2
    assert "--default-weight needs --weights" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "weights"),
    [
        ("a.csv", "word,count\ncrane,3\nslate,2\ntrace,1\n", "count"),
        ("a.csv", "crane,3\nslate,2\ntrace,1\n", "a.csv"),
    ],
)
def test_numbers_beside_words_are_weights_if_they_are_named(folder, capsys, name, text, weights):
    (folder / name).write_text(text)
    (folder / "wt.txt").write_text("crane 3\nslate 2\ntrace 1\n")
    figures = []
    for game, given in ((name, weights), ("small.txt", "wt.txt")):
        options = ["--weights", given, "-s", "max,lowest", "-q", "-o", "x.tree"]
        assert run("build", game, *options) == 0
        assert capsys.readouterr().err == ""
        assert run("stats", "x.tree", "--json") == 0
        figures.append(re.sub('"(file|game)": "[^"]*"', "", capsys.readouterr().out))
    assert figures[0] == figures[1]


def test_where_weights_and_costs_are_from_is_said(folder, capsys):
    (folder / "t.csv").write_text("name,q,r,seen\na,1,1,5\nb,2,1,7\nc,1,2,8\nfee,3,1,\n")
    (folder / "wt.txt").write_text("crane 3\nslate 2\ntrace 1\n")
    for options, said in (
        (["t.csv", "--weights", "seen", "--costs", "fee"], "column 'seen'; costs of the row 'fee'"),
        (
            ["t.csv", "--weights", "no"],
            "'t.csv' has no column 'no'; it has 'name', 'q', 'r', 'seen'",
        ),
        (["small.txt", "--weights", "wt.txt"], "Wordle does); weights of the file 'wt.txt'"),
    ):
        assert run("games", *options) == 2 * ("no column" in said)
        assert capsys.readouterr().err.endswith(f"{said}\n")
    (folder / "wt.txt").write_text("rank,word,count\n1,crane,3\n2,slate,9\n3,trace,1\n")
    assert run("games", "small.txt", "--weights", "wt.txt") == 2
    assert "the first is 'crane' (a line has a name and a number)" in capsys.readouterr().err
