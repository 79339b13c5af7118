"""The vectors of tests/data/proofs: certificates on which checkers may differ."""

import lzma
from pathlib import Path

import pytest

from treegen import build, certify, check, openings, verify
from treegen.errors import FormatError, UsageError
from treegen.exact.certificate import make_certificate
from treegen.formats import proof
from treegen.formats.proof import Claimed, read_proof
from treegen.games.codebook import WordRules, make_word_game
from treegen.games.names import parse_game
from treegen.games.questions import Questions

from ..command import run
from . import mutate

FOLDER = Path(__file__).parent.parent / "data" / "proofs"
VECTORS = sorted(path for path in FOLDER.glob("*/*") if ".proof" in path.name)


def name_table(path):
    table = path.with_name(f"{path.name.partition('.')[0]}.table")
    return table if table.exists() else None


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.name)
def test_a_vector_is_judged_as_its_folder_says(program, path):
    table, verdict = name_table(path), path.parent.name.replace("-", " ")
    try:
        said = str(check(path, table=table))
    except FormatError as error:
        said = str(error)
    assert mutate.name_verdict(said) == verdict, said
    if program is None or (path.suffix == ".xz" and verdict == "refused"):
        return
    said = mutate.run_c(program, read_proof(path), [table] if table else [])[1]
    assert mutate.name_verdict(said) == verdict, said


def test_there_are_vectors_of_each_verdict():
    assert {path.parent.name for path in VECTORS} == {"proved", "not-proved", "refused"}
    named = {name_table(path) for path in VECTORS} - {None}
    assert named == set(FOLDER.glob("*/*.table"))


def test_what_is_not_proved_keeps_its_first_claim():
    path = FOLDER / "not-proved" / "false-before-a-damaged-header.proof"
    assert [claim.total for claim in check(path).claims] == [99]
    tree = build("p2c3r", "optimal")
    with pytest.raises(FormatError, match="its header is damaged"):
        verify(tree, certificate=path)


OBJECTIVES = ["total", "worst,total", "worst,n_worst,total", "total,worst,n_worst"]


def same_questions(**options):
    return Questions([["yes", "no"], ["no", "no"]], **options)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("p2c2r goal identify", {"history": "12:02"}),
        ("p2c2r goal identify", {"history": "12:02", "first": "12"}),
        ("p2c2r", {"history": "12:02"}),
        ("p2c2r", {"history": "12:02", "first": "11,21"}),
        ("p2c3r", {"history": "11:00", "first": "11,23,12"}),
        ("p1c1r goal identify", {}),
        ("p1c1r", {"max_length": 1}),
        (make_word_game(["abc"], rule="position").with_goal("identify"), {}),
        (make_word_game(["abc"], ["abd"], rule="position"), {"eligible": "hints"}),
        (same_questions(), {"history": "question 1:yes"}),
        (same_questions(goal="win"), {}),
    ],
)
def test_every_certificate_that_is_written_is_taken(judge, game, options, objective):
    if isinstance(game, str):
        name, _, goal = game.partition(" goal ")
        game = parse_game(name).with_goal(goal or "win")
    tree = build(game, "optimal", objective=objective, **options)
    text, words = certify(tree), ()
    if isinstance(game.rules, WordRules):
        words = game.rules.words[: game.n_secrets], game.rules.words[game.n_secrets :]
    taken, said = judge(text, words)
    assert taken, said
    assert verify(tree, certificate=text.encode()).is_proved


def test_lines_of_many_first_guesses_are_read(judge):
    """Version 1 has one such line, and a line 65,535 bytes."""
    letters = [chr(0x20000 + number) for number in range(13)]
    secrets = [letter * 9 for letter in letters]
    others = [a + b * 7 + c for a in letters for b in letters for c in letters if not a == b == c]
    game, lists = make_word_game(secrets, others, rule="black"), (secrets, others)
    text = make_certificate(game, [Claimed(1, tuple(range(game.n_codes)))])
    assert text.startswith("treegen proof 2\n") and text.count("\nfirst ") == 2
    assert judge(text, lists)[0]


def test_caps_of_more_digits_than_a_line_has_are_refused(monkeypatch):
    with pytest.raises(UsageError, match=r"caps of up to 999,999; p2c3r needs 1,000,001"):
        build("p2c3r", "optimal", max_length=1_000_001, certificate="x.proof")
    with pytest.raises(UsageError, match="needs 1,000,001"):
        openings("p2c3r", "optimal", max_length=1_000_001, certificate="x.proof")
    tree = build("p2c3r", "optimal", objective="worst,total")
    monkeypatch.setattr(proof, "MAX_CAP", tree.worst)
    assert check(certify(tree).encode()).is_proved
    monkeypatch.setattr(proof, "MAX_CAP", tree.worst - 1)
    with pytest.raises(UsageError, match=f"needs {tree.worst}"):
        certify(tree)


def test_a_table_without_a_question_has_no_certificate(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("same.csv").write_text("n,Q\na,x\nb,x\n")
    assert (
        run("build", "same.csv", "-s", "optimal", "--certificate", "x.proof", "-o", "x.tree") == 2
    )
    assert "no question is needed, and nothing is to be proved" in capsys.readouterr().err
    assert [*Path.cwd().iterdir()] == [Path.cwd() / "same.csv"]
    assert run("build", "same.csv", "-s", "optimal", "-o", "x.tree", "-q") == 0
    assert run("certify", "x.tree", "-o", "x.proof") == 2
    assert "nothing is to be proved" in capsys.readouterr().err


def test_an_xz_file_has_up_to_100_streams():
    """Of 32 bytes each, where nothing is packed: a megabyte of them would take minutes."""
    text, empty = b"treegen proof 1\ngame p1c3r\ntotal 6\nroot 6\n", lzma.compress(b"")
    assert check(lzma.compress(text) + empty * 99).is_proved
    with pytest.raises(FormatError, match="it has more than 100 streams"):
        check(lzma.compress(text) + empty * 40_000)
