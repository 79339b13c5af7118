"""Plug-ins: found by their names, listed, and left out with a word where they fail."""

import shutil
import sys
import tomllib
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

import treegen
from treegen import _loading

from .command import complete, run, show
from .paths import ROOT

EXAMPLE = ROOT / "tests" / "data" / "plug-in"


def install(folder, entry_points, name="treegen-example"):
    """Put a package's description on the path, as an installer does."""
    place = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        line
        for group, points in entry_points.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
    ]
    (place / "entry_points.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("treegen_example", None)  # pytest imports the one of the docs
    _loading.forget_plugins()
    yield tmp_path
    sys.modules.pop("treegen_example", None)
    _loading.forget_plugins()


@pytest.fixture
def example(place):
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
    shutil.copy(EXAMPLE / "treegen_example.py", place)
    install(place, project["project"]["entry-points"])
    _loading.forget_plugins()
    return place


def test_a_strategy_with_a_function_is_verified_by_its_name(place):
    text = (
        "import treegen\n\nRULE = treegen.make_chain(lambda sizes: sizes[0] - sizes[-1], 'parts')\n"
    )
    (place / "treegen_example.py").write_text(text)
    install(place, {"treegen.strategies": {"even": "treegen_example:RULE"}})
    _loading.forget_plugins()
    tree = treegen.build("p3c3r", "even")
    assert tree.provenance.rule.startswith("eligible=all; chain=own:lambda,parts,lowest")
    for name in ("even.tree", "even.tgt"):
        tree.write(name)
        assert treegen.verify(name).is_proved
    other = treegen.build("p3c3r", "entropy")
    forged = replace(other, provenance=tree.provenance)
    assert "the tree is not that of its rule" in treegen.verify(forged).problems[0]


def test_the_example_is_small_and_stands_in_the_docs():
    page = (ROOT / "docs" / "notes" / "plug-ins.md").read_text(encoding="utf-8")
    files = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLE.iterdir()) if path.suffix]
    assert all(text in page for text in files)
    assert sum(text.count("\n") for text in files) < 110


def test_games_and_strategies_are_found_by_name(example, capsys):
    assert run("build", "primes2", "-s", "cautious", "-o", "primes.tree", "--quiet") == 0
    assert run("verify", "primes.tree") == 0
    assert "checked: total, worst, histogram, digest, strategy, rule" in capsys.readouterr().out
    tree = treegen.build("primes2", "cautious")
    assert (tree.n_secrets, tree.provenance.strategy) == (21, "cautious")
    assert treegen.read("primes.tree") == tree


def test_plugins_are_listed_with_what_they_add(example, capsys):
    for command, texts in {
        "games": ["primesN", "prime numbers of N digits: primes3. (from treegen-example)"],
        "strategies": ["cautious", "the package treegen-example"],
        "plugins": [
            "primesN games Bulls and Cows",
            "cautious strategies max,expected,consistent,highest (from",
            "moves importers",
            "(from treegen-example)",
        ],
        "export --help": ["markdown", "Nested Markdown lists"],
        "import --help": ["moves", "a guess, and the next one"],
    }.items():
        shown = " ".join(show(capsys, *command.split()).split())
        assert all(text in shown for text in texts), command


def test_an_exporter_writes_files_and_streams(example, capsys):
    treegen.build("p2c3r").write("a.tree")
    assert show(capsys, "export", "markdown", "a.tree", "--set", "depth=1") == "- start: **11**\n"
    treegen.build("p2c3r").write("a.md", "markdown", depth=2)
    assert (example / "a.md").read_text().splitlines()[:2] == ["- start: **11**", "  - 00: **22**"]
    treegen.write("a.tree", "b.md", "markdown", depth=2)
    assert (example / "b.md").read_bytes() == (example / "a.md").read_bytes()
    with pytest.raises(treegen.UsageError, match="markdown has no option 'width': it has depth"):
        treegen.build("p2c3r").write("a.md", "markdown", width=2)


def test_an_importer_is_checked_as_any_other(example, capsys):
    (example / "moves.txt").write_text("11 00:22 10:12\n12 02:21\n")
    assert run("import", "moves", "moves.txt", "-g", "p2c2r", "-o", "moves.tree") == 0
    assert treegen.read("moves.tree").n_secrets == 4
    (example / "wrong.txt").write_text("11 00:22\n")
    assert run("import", "moves", "wrong.txt", "-g", "p2c2r", "-o", "wrong.tree") == 2
    assert not (example / "wrong.tree").exists()


BROKEN = {
    "treegen.games": {"brokenN": "treegen_example_missing:Game"},
    "treegen.strategies": {"broken": "treegen_example_missing:RULE"},
    "treegen.exporters": {"broken": "treegen_example_missing:write"},
    "treegen.importers": {"broken": "treegen_example_missing:read"},
}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("games", 0),
        ("strategies", 0),
        ("export --help", 0),
        ("import --help", 0),
        ("games unknown1", 2),
        ("build p2c3r -s broken", 2),
        ("export broken a.tree", 2),
        ("import broken a.txt -g p2c3r -o b.tree", 2),
    ],
)
def test_one_that_fails_to_load_is_named_and_left_out(place, capsys, line, code):
    install(place, BROKEN, "treegen-broken")
    _loading.forget_plugins()
    assert run(*line.split()) == code
    heard = capsys.readouterr().err
    assert "of treegen-broken is left out, as it fails to load: ModuleNotFoundError" in heard
    assert "Traceback" not in heard
    assert all(text.startswith("treegen: ") for text in heard.splitlines())


def test_one_that_raises_or_gives_nonsense_is_left_out(place):
    (place / "treegen_example.py").write_text(
        "def raises(name): raise RuntimeError('no')\ndef odd(name): return 7\nRULE = 7\n"
    )
    names = {"a": "treegen_example:raises", "b": "treegen_example:odd"}
    rules = {"seven": "treegen_example:RULE"}
    install(place, {"treegen.games": names, "treegen.strategies": rules})
    _loading.forget_plugins()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with pytest.raises(treegen.GameError, match="unknown game 'nothing9'"):
            treegen.open_game("nothing9")
        with pytest.raises(treegen.StrategyError, match="unknown strategy 'seven'"):
            treegen.build("p2c3r", "seven")
    text = "\n".join(str(warning.message) for warning in heard)
    assert "'a' of treegen-example failed: RuntimeError: no" in text
    assert "'b' gave 7 for 'nothing9', which is not a game" in text
    assert "'seven' is 7: neither a strategy nor a chain" in text


STYLE = '''
"""A style of text that a package adds."""


class Outline:
    """Dashes before each guess."""

    @staticmethod
    def write(view):
        for node in view.nodes():
            answer = f"{view.response(node)}=" if node != view.root else ""
            yield f"{'-' * view.level(node)} {answer}{view.guess(node)}"

    @staticmethod
    def read(text):
        states = []
        for line in text.splitlines():
            dashes, _, rest = line.partition(" ")
            answer, _, guess = rest.rpartition("=")
            state = {"guess": guess, "next": {}}
            if answer:
                states[len(dashes) - 2]["next"][answer] = state
            states[len(dashes) - 1 :] = [state]
        return states[0]
'''


@pytest.fixture
def outline(place):
    (place / "treegen_example.py").write_text(STYLE)
    install(place, {"treegen.styles": {"outline": "treegen_example:Outline"}})
    _loading.forget_plugins()
    treegen.build("p2c3r").write("a.tree")
    return treegen.read("a.tree")


def test_a_style_is_written_and_read_by_its_name(outline, capsys):
    assert run("export", "text", "a.tree", "--style", "outline", "--depth", "1") == 0
    assert capsys.readouterr().out == "- 11\n"
    outline.write("a.txt", style="outline")
    lines = (Path.cwd() / "a.txt").read_text().splitlines()
    assert lines[:3] == ["- 11", "-- 00=22", "--- 00=33"]
    treegen.write(outline, "b.txt", "outline", path="00")
    assert (Path.cwd() / "b.txt").read_text().startswith("- 22\n")
    assert treegen.import_tree("a.txt", "p2c3r", format="outline").digest == outline.digest
    assert run("import", "outline", "a.txt", "-g", "p2c3r", "-o", "b.tree") == 0
    assert treegen.read("b.tree").digest == outline.digest
    with pytest.raises(treegen.UsageError, match=r"unknown style 'x': there are .*gv, outline$"):
        outline.write("a.txt", style="x")


def test_a_style_is_in_the_help_and_completed(outline, capsys):
    for command in ("export text --help", "import --help"):
        assert "outline" in show(capsys, *command.split()), command
    for words in (["export", "text", "a.tree", "--style", "out"], ["import", "out"]):
        assert [value for _, value in complete(*words)] == ["outline"], words


OLD_GAME = '''
import numpy as np, treegen
from treegen.games import make_rule


class Pairs(treegen.Game):
    """Two pegs, as a plug-in for treegen 0.1 says it."""

    kind, name, n_pegs, n_colors, n_codes, n_secrets = "pairs", "pairs", 2, 2, 4, 4
    feedback, symbols, rules_description = make_rule("pegs", 2), ("a", "b"), ["pairs"]

    @classmethod
    def from_name(cls, name):
        return cls() if name == "pairs" else None

    def make_codes(self):
        return np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.uint8)

    def index_of(self, colors):
        return 2 * colors[0] + colors[1]
'''


def test_a_game_of_the_last_version_says_in_one_line_what_to_change(place):
    (place / "treegen_example.py").write_text(OLD_GAME)
    install(place, {"treegen.games": {"pairs": "treegen_example:Pairs"}})
    _loading.forget_plugins()
    with pytest.warns(treegen.TreegenWarning) as told, pytest.raises(treegen.GameError):
        treegen.open_game("pairs")
    [line] = {str(each.message) for each in told}
    assert "is left out" in line
    assert "make it a subclass of treegen.Rules, and return treegen.Game(treegen.Notation(" in line
    assert treegen.open_game("p2c2r").n_codes == 4
