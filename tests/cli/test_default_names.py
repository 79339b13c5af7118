"""The names that ``treegen build`` gives to files: what makes another tree is in them."""

import pytest

from ..command import refuse, run

WORDS = ["crane", "crate", "trace", "abide"]
LONG = "111:00/112:00/113:00/122:00"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "words.txt").write_text("\n".join(WORDS), "utf-8")
    (tmp_path / "more.txt").write_text("speed\n", "utf-8")
    (tmp_path / "pets.csv").write_text(
        "name,fur,legs,w\ncat,y,4,2\ncow,n,4,1\nant,n,6,1\n", "utf-8"
    )
    (tmp_path / "often.csv").write_text("\n".join(f"{a}{b},5" for a in "12" for b in "12"), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


NAMES = {
    "p3c4r": "p3c4r-knuth",
    "p3c4r -s optimal": "p3c4r-optimal",
    "p3c4r -s optimal --objective total": "p3c4r-optimal",
    "p3c4r -s optimal --eligible candidates": "p3c4r-optimal-candidates",
    "p3c4r -s optimal --objective worst,total": "p3c4r-optimal-worst-total",
    "p3c4r -s optimal --objective worst,n_worst,total": "p3c4r-optimal-worst-n-worst-total",
    "p3c4r -s optimal --max-length 5": "p3c4r-optimal-max5",
    "p3c4r -s optimal --first 112": "p3c4r-optimal-first112",
    "p3c4r -s optimal --first 124,123": "p3c4r-optimal-first124-123",
    "p3c4r -s optimal --history 123:10": "p3c4r-optimal-after123-10",
    f"p3c4r --history {LONG}": "p3c4r-knuth-after5f7ed5ac",
    "p3c4r --goal identify -s optimal": "p3c4r-identify-optimal",
    "p3c4r --goal identify -s optimal --eligible candidates --objective worst,total --max-length 5"
    " --first 123 --history 112:01": "p3c4r-identify-optimal-candidates-worst-total-max5-first123"
    "-after112-01",
    "p3c4r --eligible candidates": "p3c4r-knuth-candidates",
    "p3c4r --order first-fastest": "p3c4r-knuth-first-fastest",
    "p3c4r --first 112": "p3c4r-knuth-first112",
    "p3c4r -s power:0.5,lowest": "p3c4r-power-0.5-lowest",
    "p3c4r -s power:-0.5,lowest": "p3c4r-power-minus0.5-lowest",
    "p3c4r -s random-consistent --seed 7": "p3c4r-random-consistent-seed7",
    "p3c4r -s best": "p3c4r-best",
    "p3c4r -s best --beam 2 --gap 50": "p3c4r-best-beam2-gap50",
    "p2c2r --weights often.csv": "p2c2r-weights-often-knuth",
    "p2c2r --weights often.csv --default-weight 0.5": "p2c2r-weights-often-default-0.5-knuth",
    "mastermind -s entropy": "p4c6r-entropy",
    "words.txt": "words-knuth",
    "words.txt --feedback wordle": "words-position-knuth",
    "words.txt --feedback black --guesses more.txt": "words-more-black-knuth",
    "words.txt --feedback position --eligible hints": "words-position-knuth-hints",
    "words.txt --guesses more.txt --feedback position --eligible hints": (
        "words-more-position-knuth-hints"
    ),
    "pets.csv -s optimal": "pets-optimal",
    "pets.csv -s optimal --goal win": "pets-win-optimal",
    "pets.csv -s optimal --weights w": "pets-weights-w-optimal",
}


@pytest.mark.parametrize("line", NAMES)
def test_the_name_says_what_the_tree_is(folder, capsys, line):
    """What is there and is no tree is refused by its name, before the work."""
    name = f"{NAMES[line]}.tree"
    (folder / name).write_text("crane\n", "utf-8")
    assert refuse(capsys, "build", *line.split()).splitlines()[-1] == (
        f"treegen: {name!r} is a list of words, not a tree; --force replaces it"
    )


def test_different_trees_have_different_names():
    trees = {line: name for line, name in NAMES.items() if name != "p3c4r-knuth"}
    same = {"p3c4r -s optimal --objective total", "words.txt --feedback wordle"}
    names = [name for line, name in trees.items() if line not in same]
    assert len(names) == len(set(names))


def test_an_odd_history_is_a_hash(folder):
    (folder / "odd.txt").write_text("äbc\nöbc\ncbä\n", "utf-8")
    names = set()
    for guess in ("äbc", "öbc"):
        assert run("build", "odd.txt", "-q", "--history", f"{guess}:20") == 0
        (path,) = set(folder.glob("odd-knuth-after????????.tree")) - names
        names.add(path)


def test_a_file_that_is_replaced_is_told(folder, capsys):
    assert run("build", "p3c4r") == 0
    assert run("build", "p3c4r", "--first", "123") == 0
    assert "replaced" not in capsys.readouterr().err
    assert run("build", "p3c4r") == 0
    assert capsys.readouterr().err == "treegen: replaced 'p3c4r-knuth.tree'\n"
