"""The proved optima that the package knows: what they are of, who shows them, what proves them."""

import csv
import lzma

import pytest

import treegen
from treegen import UsageError
from treegen.checker import read_claims

from .command import run, show, show_json
from .paths import ROOT

with (ROOT / "treegen" / "optima.csv").open(encoding="utf-8", newline="") as lines:
    KNOWN = {
        name: treegen.describe_game(name).optima
        for name in dict.fromkeys(row["game"] for row in csv.DictReader(lines))
    }
"""The optima of every game that the package knows some of."""

SMALL = ["p2c2r", "p2c3r", "p2c4r", "p3c2r", "p2c4n", "p2c3rb"]


def test_every_game_is_called_by_its_own_name():
    for name, known in KNOWN.items():
        assert treegen.open_game(name).rules.digest_name == name
        assert [optimum.objective for optimum in known] == ["total", "worst,total"][: len(known)]
        assert all(optimum.total >= known[0].total for optimum in known)
        assert all(optimum.worst >= known[-1].worst for optimum in known)


def test_what_is_shipped_proves_them(tmp_path):
    n_shipped = 0
    for name, known in KNOWN.items():
        for optimum in known:
            if optimum.proof == "none":
                with pytest.raises(UsageError, match="certificates are for"):
                    treegen.build(name, "optimal", certificate=tmp_path / "x.proof")
            elif optimum.proof != "certify":
                claim = read_claims(lzma.decompress((ROOT / optimum.proof).read_bytes()))[-1]
                assert (claim.game, claim.total) == (name, optimum.total)
                assert claim.cap in (None, optimum.worst)
                assert (claim.cap is not None) == (optimum.objective != "total")
                n_shipped += 1
    assert n_shipped == len(list((ROOT / "trees").glob("*.proof.xz")))
    assert KNOWN["p10c2r"][0].proof == "none"


@pytest.mark.parametrize("name", SMALL)
def test_small_ones_are_searched_again(name):
    for known in treegen.describe_game(name).optima:
        tree = treegen.build(name, "optimal", objective=known.objective)
        assert (tree.total, tree.worst) == (known.total, known.worst)


@pytest.mark.parametrize(
    "options", [{"goal": "identify"}, {"weights": [1, *[2] * 8]}, {"costs": [1, *[2] * 8]}]
)
def test_another_game_of_the_name_has_none(options):
    assert treegen.describe_game("p2c3r", **options).optima == ()
    assert treegen.describe_game(treegen.Codebook(["abc", "abd"])).optima == ()


def test_proved_optima_are_shown_with_their_game(capsys):
    shown = show(capsys, "games", "p4c6r", "p2c3r", "p9c9r")
    place = "(certificate: trees/p4c6r-optimal.proof.xz)"
    least = f"least total   5,625, with at most 6 guesses: proved {place}"
    assert f"\n{least}\nleast worst   5 guesses, 5,626 in all: proved (certificate: trees/" in shown
    place = "(certificate: treegen certify)"
    assert f"\nleast total   21, with at most 3 guesses: proved {place}\n" in shown
    assert shown.count("least total") == 2
    known = show_json(capsys, "games", "p2c3r")["optima"]
    assert known[0] == {"objective": "total", "total": 21, "worst": 3, "proof": "certify"}


def test_a_comparison_shows_the_distance(capsys):
    words = ["-s", "knuth", "-s", "optimal", "-s", "random-consistent", "-n", "2"]
    last = show(capsys, "compare", "p3c4r", *words, "--quiet").splitlines()[-1]
    assert last == "least total 206, proved: knuth +10 (4.9%), optimal has it"
    assert run("compare", "p3c4r", "-s", "knuth", "--goal", "identify", "--quiet") == 0
    assert "least total" not in capsys.readouterr().out
