"""The commands that write and check certificates."""

import hashlib
import io
import lzma

import pytest

from treegen import Codebook, FormatError, build, certify, check
from treegen.checker import SOURCE

from ..command import give_input, refuse, run, show
from ..paths import ROOT

WORDS, OTHERS = ["bad", "cab", "dab", "fad"], ["bed", "fed"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    build("p3c5r", "optimal").write("a.tree")
    return tmp_path


def test_a_build_writes_its_certificate(folder, capsys):
    assert run("build", "p3c5r", "-s", "optimal", "--certificate", "a.proof", "-q") == 0
    assert run("certify", "a.tree", "-o", "b.proof") == 0
    said = capsys.readouterr().err
    text = (folder / "a.proof").read_text()
    assert text == (folder / "b.proof").read_text()
    assert said == f"b.proof: {len(text):,} bytes, {1 + text.count(chr(10) + 'l ')} lemmas\n"
    assert show(capsys, "certify", "a.tree", "-o", "-", "-q") == text


def test_a_certificate_is_checked(folder, capsys):
    text = certify("a.tree")
    (folder / "a.proof").write_text(text)
    (folder / "a.proof.xz").write_bytes(lzma.compress(text.encode()))
    assert check(io.StringIO(text)) == check(io.BytesIO(text.encode()))
    for name in ("a.proof", "a.proof.xz"):
        said = show(capsys, "check", name)
        assert said.startswith("proved: for p3c5r no strategy has a total below 451 (")
    (folder / "b.proof").write_text(text.replace("451", "452"))
    assert run("check", "b.proof") == 1
    assert capsys.readouterr().out.startswith("not proved: line 4: lemma 0 claims 452")
    (folder / "c.proof").write_text("treegen proof 3\n")
    assert "line 1 of the certificate" in refuse(capsys, "check", "c.proof")


def test_one_file_is_read_from_the_standard_input(folder, capsys, monkeypatch):
    give_input(monkeypatch, certify("a.tree"))
    assert show(capsys, "check", "-").startswith("proved: for p3c5r")
    give_input(monkeypatch, (folder / "a.tree").read_bytes())
    assert run("verify", "-", "--trust", "-q") == 0
    said = refuse(capsys, "check", "-", "--words", "-")
    assert said == "treegen: only one file can be read from the standard input\n"


def test_a_certificate_that_was_cut_is_named(folder, capsys):
    text = certify("a.tree")
    (folder / "cut.proof").write_text(text[:-1])
    line = text.count("\n")
    said = f"'cut.proof': line {line} of the certificate: it has no end: the file is cut off"
    assert said in refuse(capsys, "check", "cut.proof")
    # The checker in C, where it can be compiled, has its own words.
    assert "has no end" in refuse(capsys, "verify", "a.tree", "--certificate", "cut.proof")


def test_a_file_in_the_place_of_a_certificate_is_named(folder, capsys):
    (folder / "words.txt").write_text("\n".join(WORDS))
    (folder / "empty.proof").touch()
    said = "'words.txt' is not a certificate: it is a list of words; treegen build makes its tree"
    assert said in refuse(capsys, "check", "words.txt")
    assert said in refuse(capsys, "verify", "a.tree", "--certificate", "words.txt")
    assert "'empty.proof' is not a certificate: it is empty" in refuse(
        capsys, "check", "empty.proof"
    )
    with pytest.raises(FormatError, match=r"^the input is not a certificate: it is a list"):
        check(b"crane\n")
    with pytest.raises(FormatError, match=r"line 1 of the certificate: it cannot stand here: '.uf"):
        check(b"\xef\xbb\xbf" + certify("a.tree").encode())


def test_words_are_given_by_the_caller(folder, capsys):
    (folder / "hidden").write_text("\n".join(WORDS))
    (folder / "all").write_text("\n".join([*WORDS, *OTHERS]))
    text = certify(build(Codebook(WORDS, OTHERS, feedback="position"), "optimal"))
    (folder / "a.proof").write_text(text)
    assert run("check", "a.proof", "--words", "hidden", "all") == 0
    assert "not the lists" in refuse(capsys, "check", "a.proof", "--words", "hidden")
    assert "give their lists" in refuse(capsys, "check", "a.proof")
    assert run("check", "a.proof", "all") == 2


def test_tree_and_certificate_are_verified_together(folder, capsys):
    (folder / "a.proof").write_text(certify("a.tree"))
    assert show(capsys, "verify", "a.tree", "--certificate", "a.proof").splitlines()[1] == (
        "optimal: proved, checked by an independent program"
    )
    (folder / "a.proof").write_text(certify("a.tree").replace("451", "452"))
    assert run("verify", "a.tree", "--certificate", "a.proof") == 1
    assert run("verify", "a.tree", "--certificate", "missing.proof") == 2
    assert run("verify", "-", "--certificate", "-") == 2


def test_the_proof_of_an_optimal_total_is_enough_whatever_else_was_minimised(folder, capsys):
    args = ["build", "p3c5r", "-s", "optimal", "-q", "--certificate", "t.proof"]
    assert run(*args, "--objective", "total,worst,n_worst", "-o", "t.tree") == 0
    assert run("certify", "t.tree", "-o", "u.proof", "-q") == 0
    assert (folder / "t.proof").read_text() == (folder / "u.proof").read_text()
    assert run("verify", "t.tree", "--certificate", "t.proof") == 0
    assert "optimal by total,worst,n_worst: proved" in capsys.readouterr().out
    (folder / "t.proof").write_text(certify("a.tree"))
    said = show(capsys, "verify", "t.tree", "--certificate", "t.proof")
    assert "optimal: proved" in said
    assert (
        "not checked: strategy, rule, objective total,worst,n_worst"
        " (its total is proved; --prove checks the rest)"
    ) in said
    assert run(*args, "--objective", "worst,total", "-o", "w.tree") == 0
    assert run("verify", "w.tree", "--certificate", "t.proof") == 0
    (folder / "t.proof").write_text(certify("a.tree"))
    assert run("verify", "w.tree", "--certificate", "t.proof") == 3
    (folder / "low.proof").write_text("treegen proof 1\ngame p3c5r\ntotal 400\nroot 400\n")
    assert run("verify", "t.tree", "--certificate", "low.proof") == 3


def test_one_lemma_is_written_in_the_singular(folder, capsys):
    assert run("build", "p3c4r", "-s", "optimal", "-q", "-o", "b.tree") == 0
    assert run("certify", "b.tree", "-o", "b.proof") == 0
    assert capsys.readouterr().err.endswith(" bytes, 1 lemma\n")


def test_the_checker_is_written(folder, capsys):
    assert run("certify", "--checker", "out") == 0
    assert (folder / "out" / "check.c").read_bytes() == SOURCE.read_bytes()
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
    assert capsys.readouterr().err.splitlines()[1:] == [f"sha256 {digest}"]
    # Whoever has the file from elsewhere compares it with what the page of this version says.
    assert digest in (ROOT / "docs" / "notes" / "certificate-format.md").read_text("utf-8")
    (folder / "out" / "check.c").write_text("mine")
    assert run("certify", "--checker", "out") == 2
    assert (folder / "out" / "check.c").read_text() == "mine"
    assert run("certify", "--checker", "out", "--force") == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["certify"], "nothing to write"),
        (["certify", "a.tree"], "-o X.proof is missing"),
        (["certify", "-o", "x.proof"], "FILE is missing"),
        (["certify", "a.tree", "-o", "x.svg"], "names an SVG picture"),
        (["build", "p2c3r", "--certificate", "x.proof"], "--certificate works only with"),
        (
            ["build", "a22", "-s", "optimal", "--certificate=x.proof"],
            "certificates are for peg games, codebooks and tables of answers, not for a22",
        ),
    ],
)
def test_what_cannot_be_is_refused(folder, capsys, args, said):
    (line,) = refuse(capsys, *args).splitlines()
    assert said in line
    assert not (folder / "x.proof").exists()
