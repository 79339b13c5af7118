"""A ranking of first guesses with its proof, and what a tree and it show together."""

import pytest

from treegen import build, certify, openings, verify
from treegen.analysis import certificates
from treegen.analysis import openings as library
from treegen.checker import check_certificate, find_bound
from treegen.errors import TimeLimitError, UsageError
from treegen.games.codebook import make_word_game
from treegen.games.questions import Questions
from treegen.tasks.work import Stop

from ..command import run
from . import mutate

WORDS = make_word_game(mutate.WORDS, mutate.OTHER_WORDS, rule="position")
TABLE = Questions(
    [[0, 0, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0], [0, 2, 1, 1], [1, 2, 1, 0], [0, 1, 0, 1]]
).with_stakes([4, 1, 1, 2, 1, 3], [0] * 6 + [1, 2, 1, 1])


def rank(game, folder, **options):
    """Return a ranking, and the text of its certificate."""
    path = folder / "ranking.proof"
    found = openings(game, "optimal", certificate=path, **options)
    return found, path.read_text()


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("p3c4r", {}),
        ("p3c4r", {"top": 1}),
        ("p3c3rb", {"top": 2}),
        ("p3c4r", {"history": "112:01", "top": 3}),
        ("p3c4r", {"max_length": 4}),
        ("p2c5n", {}),
        (WORDS, {"top": 5}),
        (WORDS, {"top": 3, "eligible": "hints"}),
        (TABLE, {}),
        (TABLE, {"top": 2}),
    ],
)
def test_a_ranking_is_what_its_certificate_says(judge, tmp_path, game, options):
    found, text = rank(game, tmp_path, **options)
    words = (mutate.WORDS, mutate.OTHER_WORDS) if game is WORDS else ()
    verdict = check_certificate(text.encode(), words)
    assert verdict.is_proved, str(verdict)
    *rows, rest = verdict.claims
    assert [claim.total for claim in rows] == [row.total for row in found.ranking.rows]
    assert find_bound(verdict.claims, rest.cap) == found.ranking.rows[0].total
    listed = [guess for claim in rows for guess in claim.first]
    assert sorted(rest.excepted) == sorted(listed) and len(set(listed)) == len(listed)
    is_whole = len(found.ranking.rows) == found.ranking.n_openings
    assert rest.total == (None if is_whole else found.ranking.rows[-1].total)
    assert str(verdict).count("\n  first guess ") == len(rows)
    assert judge(text, words)[0]
    # A row that promises more is refused by both.
    for row in rows:
        old, new = (f"total {n}\nroot {n}\n" for n in (row.total, row.total + 1))
        head, first, tail = text.partition(f"first {' '.join(row.first)}\n")
        more = head + first + tail.replace(old, new, 1)
        assert more != text
        assert not judge(more, words)[0]


def test_a_first_question_is_named_in_its_own_words():
    """Certificates number the questions of a table."""
    rows = [[6, "no"], [6, "yes"], [8, "no"]]
    game = Questions(rows, names=["ant", "bee", "spider"], questions=["Legs", "Flies?"])
    tree = build(game, "optimal", first="Flies?")
    report = verify(tree, certificate=certify(tree).encode())
    assert report.proof.startswith("optimal with the first guess Flies?: proved")


def test_a_tree_and_a_ranking_show_more_together(tmp_path):
    _, text = rank("p3c4r", tmp_path, top=2)
    proof = text.encode()
    best = build("p3c4r", "optimal")
    report = verify(best, certificate=proof)
    assert report.is_optimal
    assert report.proof.startswith("optimal: proved")
    second = build("p3c4r", "optimal", first="123")
    report = verify(second, certificate=proof)
    assert not report.is_optimal
    assert report.proof.startswith("optimal with the first guess abc or 23 others: proved")
    assert "bound" not in [claim.name for claim in report.unchecked]
    third = build("p3c4r", "optimal", first="111")
    report = verify(third, certificate=proof)
    said = "no total with another useful first guess than aab or 59 others below 208: proved"
    assert not report.is_optimal
    assert report.proof.startswith(said)
    assert {"strategy", "bound"} <= {claim.name for claim in report.unchecked}


def test_what_is_said_of_other_guesses_alone_proves_no_optimum(tmp_path):
    _, text = rank("p3c4r", tmp_path, top=1)
    header, row, rest = text.split("claim\n")
    best, second = build("p3c4r", "optimal"), build("p3c4r", "optimal", first="123")
    others = (header + "claim\n" + rest).encode()
    assert check_certificate(others).is_proved
    with pytest.raises(UsageError, match=r"that do not begin with aab or 35 others.*with aab$"):
        verify(best, certificate=others)
    assert not verify(second, certificate=others).is_optimal
    alone = (header + "claim\n" + row).encode()
    assert check_certificate(alone).is_proved
    report = verify(best, certificate=alone)
    assert not report.is_optimal
    assert report.proof.startswith("optimal with the first guess aab or 35 others: proved")
    with pytest.raises(UsageError, match="that begin with aab or 35 others, and the tree begins"):
        verify(second, certificate=alone)


def interrupt(*_, **__):
    raise KeyboardInterrupt


def test_an_ended_ranking_writes_no_proof(tmp_path, monkeypatch):
    path = tmp_path / "ranking.proof"
    monkeypatch.setattr(library, "make_watch", lambda _: lambda _: True)
    found = openings("p3c4r", "optimal", certificate=path)
    assert not found.ranking.proved
    assert not path.exists()


@pytest.mark.parametrize(
    ("place", "stub", "words", "told"),
    [
        ("treegen.exact.certificate.certify_ranking", interrupt, (), "the ranking is printed"),
        (
            "treegen.analysis.openings.make_watch",
            lambda _: lambda _: True,
            ("--time-limit", "9"),
            "the time limit of 9 s is over; the list so far is printed",
        ),
    ],
)
def test_an_ended_command_says_that_there_is_no_proof(
    tmp_path, monkeypatch, capsys, place, stub, words, told
):
    path = tmp_path / "ranking.proof"
    monkeypatch.setattr(place, stub)
    assert run("openings", "p2c3r", "-s", "optimal", "--certificate", path, "-q", *words) == 130
    captured = capsys.readouterr()
    assert "rank  guess" in captured.out
    assert f"{told}, and no proof was written" in captured.err
    assert not path.exists()


def test_what_has_no_such_proof_is_refused(tmp_path):
    path = tmp_path / "ranking.proof"
    with pytest.raises(UsageError, match="certificate= works only with optimal, not with a rule"):
        openings("p3c4r", "knuth", certificate=path)
    with pytest.raises(UsageError, match="certificate"):
        openings("p10c2r", "optimal", certificate=path)
    assert not path.exists()


def test_the_command_prints_what_check_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run("openings", "p2c3r", "-s", "optimal", "--certificate", "x.proof", "-q") == 0
    capsys.readouterr()
    assert run("check", "x.proof") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("proved: for p2c3r no strategy has a total below 21 (")
    assert said[1:] == [
        "  first guess ab or 5 others: no total below 21",
        "  first guess aa or bb or cc: no total below 24",
        "  any other useful first guess: none finds every secret",
    ]
    assert run("openings", "p2c3r", "--certificate", "y.proof", "-q") == 2
    assert "-s optimal" in capsys.readouterr().err


def test_a_certificate_is_ended_by_its_time_limit(tmp_path, monkeypatch, capsys):
    class Over(Stop):
        """A time limit that is over."""

        def __init__(self, time_limit=None):
            super().__init__(time_limit)
            self.is_called = time_limit is not None

    monkeypatch.chdir(tmp_path)
    tree = build("p2c3r", "optimal")
    assert run("build", "p2c3r", "-s", "optimal", "-o", "t.tree", "-q") == 0
    monkeypatch.setattr(certificates, "Stop", Over)
    with pytest.raises(TimeLimitError, match="the time limit of 9 s is over"):
        certify(tree, time_limit=9)
    assert run("certify", "t.tree", "-o", "x.proof", "--time-limit", "9") == 130
    assert "nothing was written" in capsys.readouterr().err
    assert not (tmp_path / "x.proof").exists()
    assert certify(tree)
