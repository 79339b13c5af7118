"""What the shell is offered behind the word that is being typed."""

import re

import pytest

from ..command import complete, run, show


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name in ("knuth.tree", "primel.txt", "p4-words.txt"):
        (tmp_path / name).touch()
    (tmp_path / "parts").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def values(*words):
    return [value for _, value in complete(*words)]


FILES = [
    ["stats", "k"],
    ["verify", "k"],
    ["verify", "a.tree", "k"],
    ["diff", "a.tree", "k"],
    ["explain", "k"],
    ["manifest", "k"],
    ["play", "k"],
    ["build", "./p"],
    ["build", "p4c6r", "-o", "k"],
    ["build", "words.txt", "--guesses", "k"],
    ["build", "p4c6r", "--log", "k"],
    ["export", "text", "k"],
    ["export", "svg", "k"],
    ["export", "icicle", "knuth.tree", "-o", "k"],
    ["import", "./k"],
    ["import", "text", "k"],
    ["compare", "p4c6r", "--csv", "k"],
]
FOLDERS = [
    ["build", "p4c6r", "--resume", "p"],
    ["export", "c", "knuth.tree", "-o", "p"],
    ["play", "p4c4r", "--tables", "p"],
]


@pytest.mark.parametrize("words", FILES, ids=" ".join)
def test_files_are_completed_where_files_are_read(words):
    assert complete(*words) == [("file", words[-1])]


@pytest.mark.parametrize("words", FOLDERS, ids=" ".join)
def test_folders_are_completed_where_folders_are_taken(words):
    assert complete(*words) == [("dir", words[-1])]


@pytest.mark.parametrize("command", ["build", "explain", "compare", "simulate", "play", "patterns"])
def test_strategies_and_parts_of_chains_are_completed(command):
    assert values(command, "-s", "entr") == ["entropy"]
    assert "minimax" in values(command, "-s", "mini")
    assert values(command, "-s", "max,low") == ["max,lowest"]
    assert values(command, "-s", "max,power:1,cons") == ["max,power:1,consistent"]


def test_a_game_is_completed_by_names_and_files():
    """A game's argument is a name or a file: both are offered."""
    assert values("build", "p4") == ["p4c6r", "p4c10n", "p4c6n", "p4c6rb", "p4-words.txt"]
    assert values("games", "bulls") == ["bulls-and-cows"]
    assert values("games", "p4c6r", "pa") == ["pa"]
    assert {"mastermind", "knuth.tree", "parts/"} <= set(values("play", ""))
    assert values("import", "text", "a.txt", "-g", "p5") == ["p5c8r"]


def test_commands_and_formats_are_completed():
    assert values("st") == ["strategies", "stats"]
    assert values("export", "g") == ["game", "graphml", "go"]
    assert values("import", "wor") == ["wordle"]
    assert values("help", "x") == []


@pytest.mark.parametrize("program", ["treegen", "mastermind-treegen"])
def test_a_shell_gets_its_lines(program, monkeypatch, capsys):
    """By the way that it takes, under both names: environment in, lines of type and value out."""
    variable = f"_{program.upper().replace('-', '_')}_COMPLETE"
    monkeypatch.setenv(variable, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"{program} stats kn")
    monkeypatch.setenv("COMP_CWORD", "2")
    run()
    assert capsys.readouterr().out == "file,kn\n"
    monkeypatch.setenv(variable, "zsh_source")
    run()
    assert f"{variable}=zsh_complete {program}" in capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_the_lines_for_a_shell(shell, capsys):
    lines = show(capsys, "completion", shell)
    for name in ("TREEGEN", "MASTERMIND_TREEGEN"):
        assert re.search(rf"[ :]_{name}_COMPLETE ?= ?\"?{shell}_complete", lines)
    assert run("completion", "csh") == 2


@pytest.mark.parametrize(
    ("typed", "word", "offered"),
    [
        ("st", "st", ["strategies", "stats"]),
        ("build p4c6r -s entr", "entr", ["entropy"]),
        ("build p4c6r -s", "", ["knuth"]),
        ("stats C:\\trees\\kn", "C:\\trees\\kn", []),  # PowerShell lists files itself
    ],
)
def test_powershell_gets_values_with_a_text(typed, word, offered, monkeypatch, capsys):
    monkeypatch.setenv("_TREEGEN_COMPLETE", "powershell_complete")
    monkeypatch.setenv("TREEGEN_WORDS", "\n".join(["treegen", *typed.split()]))
    if word:  # Windows has no empty variables
        monkeypatch.setenv("TREEGEN_WORD", word)
    assert run() == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines() if line]
    assert all(value and text for value, text in lines)
    assert [value for value, _ in lines][: len(offered)] == offered
