"""Games that no tree holds, or hardly: one line, at once, whatever is asked of them."""

import tracemalloc
from contextlib import nullcontext

import pytest

import treegen
from treegen.errors import GameError

from ..command import refuse, run, show

pytestmark = pytest.mark.usefixtures("folder")


def write_words(folder, length, name="long.txt"):
    """Write three words of a length."""
    words = ["a" * length, "b" * length, "a" * (length - 1) + "b"]
    (folder / name).write_text("\n".join(words) + "\n", "utf-8")


def test_forty_symbols_are_listed_and_more_are_cut(capsys):
    symbols = [line for n in (40, 41) for line in show(capsys, "games", f"p1c{n}r").splitlines()]
    whole, cut = (line for line in symbols if line.startswith("symbols"))
    assert whole.split() == ["symbols", *map(str, range(1, 41))]
    assert cut.endswith(" 39 … 41")


@pytest.mark.parametrize("game", ["p80c1r", "p300c1r", "p1000c1r", "p1000c1rb"])
def test_one_color_has_one_opening(capsys, game):
    """The partitions of 80 pegs are 16 millions; one color needs none of them but one."""
    assert "openings      1 up to symmetry: 1111" in show(capsys, "games", game)


@pytest.mark.parametrize("strategy", ["knuth", "optimal", "best"])
@pytest.mark.parametrize("game", ["p361c1r", "p1000c1r", "long.txt"])
def test_more_responses_than_a_tree_holds(folder, capsys, game, strategy):
    write_words(folder, 361)
    assert run("build", game, "-s", strategy, "-o", "x.tree") == 2
    assert "responses; a tree holds at most 65,536" in capsys.readouterr().err
    assert not (folder / "x.tree").exists()


@pytest.mark.parametrize(("rule", "is_held"), [("pegs", False), ("black", True)])
def test_responses_are_counted_before_there_are_arrays_of_them(rule, is_held):
    game = treegen.Codebook(["a" * 3000, "b" * 3000], feedback=rule)
    treegen.build("p2c2r")  # imports count otherwise
    tracemalloc.start()
    with nullcontext() if is_held else pytest.raises(GameError, match="a tree holds at most"):
        assert treegen.build(game).total == 3
    assert tracemalloc.get_traced_memory()[1] < 20 << 20  # the square of 3,000 numbers: 72 MB
    tracemalloc.stop()


def test_the_longest_codes_that_a_tree_holds(folder):
    for game in ("p360c1r", "p1000c1rb"):
        assert run("build", game, "-o", "x.tree", "-q") == 0
        assert run("verify", "x.tree") == 0


@pytest.mark.parametrize("strategy", ["knuth", "optimal", "best"])
@pytest.mark.parametrize("game", ["p500c500r", "p1000c1000n", "p10c8r", "a99999999999999999999"])
def test_more_codes_than_memory_holds(capsys, game, strategy):
    """An exact search took the size of such a game for a float, and failed."""
    (line,) = refuse(capsys, "build", game, "-s", strategy, "-o", "x.tree").splitlines()
    assert "its tree needs about" in line


NAMES = {
    "p999999999c999999999r": "999999999 pegs are out of range: 1 to 1000",
    "p1c999999999r": "999999999 colors are out of range: 1 to 1000",
    "p9999999999c1r": "unknown game",
    "p４c6r": "did you mean p4c6r?",
    "p²c1r": "unknown game",
    "a0": "unknown game",
    "a1001.": "arrangements need 1 to 1000 pegs",
    "a" + "9" * 200: "arrangements need 1 to 1000 pegs",
    "a9999.9999": "arrangements need 1 to 1000 pegs",
}


@pytest.mark.parametrize(("name", "said"), NAMES.items(), ids=[name[:12] for name in NAMES])
def test_games_out_of_range_are_refused_by_every_command(capsys, name, said):
    for command in (
        ["games", name],
        ["build", name, "-o", "x.tree"],
        ["simulate", name, "-n", "2"],
        ["play", name, "--secret", "1"],
        ["compare", name, "-s", "knuth"],
    ):
        assert run(*command) == 2
        out, err = capsys.readouterr()
        (line,) = [line for line in err.splitlines() if not line.startswith("treegen: try")]
        assert said in line
        assert out == ""


@pytest.mark.parametrize("length", [1, 256, 360, 361])
def test_words_of_any_length_are_played(folder, capsys, length):
    write_words(folder, length)
    if length == 1:
        (folder / "long.txt").write_text("a\nb\n", "utf-8")
    assert run("games", "long.txt") == 0
    code = 0 if length < 361 else 2
    assert run("build", "long.txt", "-q", "-o", "x.tree") == code
    assert run("simulate", "long.txt", "-s", "knuth", "-n", "2") == code
    assert run("compare", "long.txt", "-s", "knuth") == code
    assert "fault" not in capsys.readouterr().err


@pytest.mark.parametrize("strategy", ["knuth", "optimal", "best"])
def test_a_single_word_is_built_and_verified(folder, strategy):
    (folder / "one.txt").write_text("crane\n", "utf-8")
    assert run("build", "one.txt", "-s", strategy, "-q", "-o", "x.tree") == 0
    unproved = 3  # what a search says of its bound is not checked without --prove
    assert run("verify", "x.tree") == (0 if strategy == "knuth" else unproved)
