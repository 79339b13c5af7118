"""What the command line tells of itself: help with examples, versions, advice, names."""

from __future__ import annotations

import json
import re
import shlex
import shutil

import pytest

from treegen import Codebook, __version__, build, certify, write_table, write_tree
from treegen.cli import command
from treegen.convert import FORMATS

from .. import foreign
from ..command import find_command, list_commands, run
from ..paths import ROOT
from ..written import text_of

WORDS = ["crane", "crate", "trace", "abide"]


NAMES = [" ".join(words) for words, _ in list_commands()]
EXAMPLES = {
    **command.EXAMPLES,
    **{f"export {f.name}": f.writer.examples for f in FORMATS.values() if f.writer},
    **{f"import {f.name}": f.reader.examples for f in FORMATS.values() if f.reader},
}
EXAMPLES = {name: lines for name, lines in EXAMPLES.items() if lines}


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A folder with every file that an example reads."""
    folder = tmp_path_factory.mktemp("examples")
    tree = build("p4c6r")
    write_tree(tree, folder / "knuth.tree")
    write_tree(build("p4c6r", "entropy"), folder / "entropy.tree")
    write_tree(build("p3c4r", "optimal"), folder / "optimal.tree")
    write_table(tree, folder / "knuth.tgt")
    write_tree(build([{"n": "p", "Q": "1"}, {"n": "q", "Q": "2"}]), folder / "triage.tree")
    words = build(Codebook(WORDS, feedback="position"))
    write_tree(words, folder / "words.tree")
    zoo = [
        {"name": "ant", "Legs": 6, "kind": "insect"},
        {"name": "dog", "Legs": 4, "kind": "mammal"},
    ]
    write_tree(build(zoo, classes="kind"), folder / "zoo.tree")
    texts = {
        "rows.csv": "name,Legs,kind\nbee,6,insect\ncow,4,mammal\nfly,,insect",
        "knuth.txt": text_of(tree, "text", style="irving"),
        "lines.txt": text_of(tree, "text", style="lines"),
        "golf.txt": text_of(tree, "text", style="codegolf", symbols="ABCDEF"),
        "board.csv": text_of(tree, "text", style="csv"),
        "nested.json": text_of(tree, "text", style="nested"),
        "knuth.json": text_of(tree, "json"),
        "knuth.graphml": text_of(tree, "graphml"),
        "mikemag.gv": foreign.write_gv(tree),
        "arfst.yaml": foreign.write_yaml(tree),
        "pymm.json": foreign.write_pymm(tree),
        "alex.txt": foreign.write_wordle(words),
        "optimal.proof": certify(folder / "optimal.tree"),
        "words.proof": certify(build(Codebook(WORDS, ["speed"], feedback="position"), "optimal")),
        "hidden.txt": "\n".join(WORDS),
        "words.txt": "\n".join(WORDS),
        "allowed.txt": "\n".join([*WORDS, "speed"]),
    }
    for name, text in texts.items():
        (folder / name).write_text(f"{text.rstrip()}\n", "utf-8")
    return folder


def test_every_help_ends_with_examples(capsys):
    for name in NAMES:
        assert run(*name.split(), "--help") == 0
        shown = capsys.readouterr().out.split("Examples:\n")[1]
        assert [line.strip() for line in shown.splitlines()] == list(EXAMPLES[name]), name
        assert run("help", *name.split()) == 0
        assert capsys.readouterr().out.split("Examples:\n")[1] == shown, name


def test_no_example_is_of_another_command():
    assert set(EXAMPLES) == set(NAMES)
    for name, lines in EXAMPLES.items():
        for line in lines:
            assert line.startswith("treegen" if name in ("", "import") else f"treegen {name}")


ELSEWHERE = {"treegen warmup"}  # it compiles every kernel: tests/cli/test_warmup.py
LINES = sorted({line for lines in EXAMPLES.values() for line in lines} - ELSEWHERE)
LONG = (" p100c100r ", " p20c20r ")
"""In these the games take seconds; tests/online plays shorter codes."""
NEEDS_DOT = ("treegen export svg", "treegen export png", "treegen export pdf")


def mark_long(line):
    marks = [pytest.mark.slow] if any(name in line for name in LONG) else []
    return pytest.param(line, marks=marks)


@pytest.mark.parametrize("line", [mark_long(line) for line in LINES])
def test_examples_of_the_help_run(samples, tmp_path, monkeypatch, capsys, line):
    for path in samples.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(line)
    assert program == "treegen"
    if line.startswith(NEEDS_DOT) and not shutil.which("dot"):
        pytest.importorskip("pygraphviz")
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: PTH123, SIM115
    out_of_ordinary = {"treegen diff knuth.tree entropy.tree --limit 3": 1}  # they differ
    if "-o knuth.tree" in line:
        (tmp_path / "knuth.tree").unlink()
    assert run(*words) == out_of_ordinary.get(line, 0), capsys.readouterr().err


def test_the_command_and_the_option_say_the_version(capsys):
    assert run("--version") == 0
    said = capsys.readouterr().out
    assert run("version") == 0
    assert capsys.readouterr().out == said == f"treegen, version {__version__}\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["help", "biuld"], "did you mean build? (try 'treegen --help')"),
        (["help", "export", "dto"], "did you mean dot? (try 'treegen export --help')"),
        (["help", "build", "x"], "treegen build has no commands of its own"),
        (["build"], "knuth -o knuth.tree' (try 'treegen build --help')"),
        (["export", "table", "x"], "(try 'treegen export table --help')"),
        (["stats", "x.tree", "--nope"], "(try 'treegen stats --help')"),
        (["biuld"], "(try 'treegen --help')"),
    ],
)
def test_a_wrong_call_is_told_where_its_help_is(capsys, args, said):
    assert run(*args) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_strategies_are_described_by_name_or_alias(capsys):
    assert run("strategies", "minimax", "adaptive", "--json") == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["knuth", "adaptive"]
    assert run("strategies", "optimal") == 0
    assert capsys.readouterr().out.startswith("optimal\n")
    assert run("strategies", "random") == 2
    assert "did you mean random-consistent?" in capsys.readouterr().err


def test_several_games_are_described_at_once(samples, monkeypatch, capsys):
    monkeypatch.chdir(samples)
    assert run("games", "p2c2r", "words.txt") == 0
    first, second = capsys.readouterr().out.split("\n\n")
    assert "p2c2r" in first
    assert "secrets       4\n" in second
    assert run("games", "p2c2r", "words.txt", "--json") == 0
    assert [game["secrets"] for game in json.loads(capsys.readouterr().out)] == [4, 4]


@pytest.mark.parametrize("command", ["build", "play"])
def test_a_seed_without_chance_is_refused(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    assert run(command, "p2c3r", "-s", "knuth", "--seed", "1") == 2
    assert "--seed is for strategies that choose at random" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert run("build", "p2c3r", "-s", "max,random", "--seed", "1", "-q", "-o", "x.tree") == 0


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("csv", "treegen export text --style csv writes it"),
        ("gv", "treegen export text --style gv writes it"),
        ("tgt", "treegen export table writes it"),
        ("sgv", "did you mean svg?"),
        ("xyz", "there are text, booklet, dot, svg"),
    ],
)
def test_a_format_that_another_command_writes(capsys, name, hint):
    assert run("export", name, "x.tree") == 2
    assert f"unknown format '{name}': {hint}" in capsys.readouterr().err


def test_what_permits_or_silences_is_refused_nowhere():
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    (told,) = re.findall(r"Only (.*?) are accepted wherever", page, re.DOTALL)
    permitting = {flag.strip("`-") for flag in re.findall("`--[a-z]+`", told)}
    assert permitting == {"force", "quiet", "trust"}
    for words in filter(None, NAMES):
        for rule in getattr(find_command(words), "idle", ()):
            assert not permitting & set(rule.parameters), words
