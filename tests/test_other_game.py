"""A game of another kind: a class, its name, and how players know it. Nothing else is changed."""

import shutil
import subprocess
from itertools import pairwise, product

import numpy as np
import pytest

import treegen
from treegen import _loading
from treegen.games import make_rule

from . import naive
from .command import run, show
from .test_plugins import install


class ChainRules(treegen.Rules):
    """Codes in which neighbours differ: chain4x5 has 4 pegs of 5 colors."""

    kind = "chain"

    def __init__(self, n_pegs, n_colors):
        rows = product(range(n_colors), repeat=n_pegs)
        self.rows = [row for row in rows if all(a != b for a, b in pairwise(row))]
        name, n_codes = f"chain{n_pegs}x{n_colors}", len(self.rows)
        super().__init__(name, n_pegs, n_colors, n_codes, n_codes, make_rule("pegs", n_pegs))

    @property
    def rules_description(self):
        return [self.kind, self.n_pegs, self.n_colors]

    def make_codes(self):
        return np.array(self.rows, dtype=np.uint8)

    def index_of(self, colors, symbols):
        if tuple(colors) not in self.rows:
            raise treegen.GameError("neighbours of a chain differ")
        return self.rows.index(tuple(colors))


class ChainNotation(treegen.Notation):
    """How people write chains: in letters."""

    def __init__(self, rules):
        super().__init__(rules, "abcdefgh"[: rules.n_colors])

    @property
    def player_description(self):
        rules = self.rules
        words = "".join(map(self.format_code, range(rules.n_codes)))
        return ["codebook", rules.feedback.name, rules.n_pegs, rules.n_secrets, words]


class Chain:
    """The family of such games, by their names."""

    kind = ChainRules.kind

    @staticmethod
    def from_name(name):
        sizes = name.removeprefix("chain").split("x")
        is_chain = name.startswith("chain") and len(sizes) == 2 and all(map(str.isdigit, sizes))
        return Chain.from_description(list(map(int, sizes))) if is_chain else None

    @staticmethod
    def from_description(parameters):
        return treegen.Game(ChainNotation(ChainRules(*parameters)))


NAME, SECRET = "chain3x4", "aba"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, {"treegen.games": {"chain": f"{__name__}:Chain"}}, "chain-games")
    _loading.forget_plugins()
    yield tmp_path
    _loading.forget_plugins()


@pytest.mark.parametrize("strategy", ["knuth", "entropy", "optimal"])
def test_it_is_built_and_verified(folder, strategy):
    assert run("build", NAME, "-s", strategy, "-o", "x.tree", "--quiet") == 0
    assert run("verify", "x.tree", *["--prove"] * (strategy == "optimal")) == 0
    tree = treegen.read("x.tree")
    assert (tree.game.kind, tree.game.name, tree.n_secrets) == ("chain", NAME, 36)
    if strategy == "optimal":
        assert tree.total <= min(treegen.build(NAME, rule).total for rule in ("knuth", "entropy"))


def test_its_rule_chooses_what_the_definition_chooses(folder):
    tree = treegen.build(NAME, "max,lowest")
    codes = tree.game.codes.tolist()

    def largest(guess):
        answers = [naive.score_pegs(codes[guess], secret) for secret in codes]
        return max(map(answers.count, answers))

    assert int(tree.guess[0]) == min(range(len(codes)), key=lambda guess: (largest(guess), guess))


@pytest.mark.parametrize("style", ["indented", "lines", "irving", "nested", "csv", "booklet"])
def test_its_text_is_read_back(folder, style):
    tree = treegen.build(NAME)
    tree.write("x.txt", style=style)
    assert treegen.import_tree("x.txt", NAME).digest == tree.digest


@pytest.mark.parametrize("path", ["x.gv", "x.json", "x.graphml", "x.html", "booklet"])
def test_another_game_is_exported(folder, path):
    treegen.build(NAME).write(path, "booklet" if path == "booklet" else None)
    assert (folder / path).stat().st_size > 1000


@pytest.mark.parametrize("profile", ["full", "lean", "slim"])
def test_players_play_it_and_its_table_is_read_back(folder, profile):
    tree = treegen.build(NAME)
    treegen.write(tree, "x.tgt", profile=profile)
    assert treegen.read("x.tgt").digest == tree.digest
    assert run("verify", "x.tgt", "--trust") == 0
    if profile in ("full", "lean"):
        player = treegen.Player((folder / "x.tgt").read_bytes())
        secret = tree.game.parse_code(SECRET)
        while player.guess is not None and player.guess != SECRET:
            guess = tree.game.parse_code(player.guess)
            player.answer(tree.game.format_response(tree.game.score(guess, secret)))
        assert player.guess == SECRET


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_player_of_another_language_plays_it(folder):
    treegen.build(NAME).write("player", "c")
    subprocess.run(["cc", "-std=c99", "example.c", "-o", "example"], check=True, cwd="player")
    won = subprocess.run(["player/example"], input="30\n", capture_output=True, text=True)
    assert f"{treegen.build(NAME)[[]].guess} ? found" in won.stdout


def test_a_person_plays_another_game(folder, capsys, monkeypatch):
    assert run("play", NAME, "--secret", SECRET) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[1:] == [SECRET, "30", "1", "left"]
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: PTH123, SIM115
    assert "Think of a code: 36 are possible." in show(capsys, "play", NAME, "-s", "knuth")


def test_a_table_that_names_it_is_of_it(folder):
    treegen.build(NAME).write("x.tgt")
    data = (folder / "x.tgt").read_bytes()
    assert data.count(NAME.encode()) == 1
    wrong = data.replace(NAME.encode(), b"chain3x3")
    with pytest.raises(treegen.FormatError, match=r"CRC-32"):
        treegen.read(wrong)
