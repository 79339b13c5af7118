"""What the command line tells of itself: help with examples, versions, names; and of mistakes."""

import json
import re
import shlex
import shutil

import pytest

from treegen import (
    Codebook,
    UsageError,
    __version__,
    advice,
    build,
    certify,
    open_game,
    write_table,
    write_tree,
)
from treegen.cli import command
from treegen.convert import FORMATS

from .. import foreign
from ..command import find_command, give_input, list_commands, refuse, run, show
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
        shown = show(capsys, *name.split(), "--help").split("Examples:\n")[1]
        assert [line.strip() for line in shown.splitlines()] == list(EXAMPLES[name]), name
        assert show(capsys, "help", *name.split()).split("Examples:\n")[1] == shown, name


def test_a_call_without_a_command_shows_the_help(capsys):
    assert "Usage: treegen" in refuse(capsys)


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
    said = show(capsys, "--version")
    assert show(capsys, "version") == said == f"treegen, version {__version__}\n"


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
    (line,) = refuse(capsys, *args).splitlines()
    assert said in line


def test_strategies_are_described_by_name_or_alias(capsys):
    assert run("strategies", "minimax", "adaptive", "--json") == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["knuth", "adaptive"]
    assert show(capsys, "strategies", "optimal").startswith("optimal\n")
    assert "did you mean random-consistent?" in refuse(capsys, "strategies", "random")


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
    assert f"unknown format '{name}': {hint}" in refuse(capsys, "export", name, "x.tree")


def test_what_permits_or_silences_is_refused_nowhere():
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    (told,) = re.findall(r"Only (.*?) are accepted\s+wherever", page, re.DOTALL)
    permitting = {flag.strip("`-") for flag in re.findall("`--[a-z]+`", told)}
    assert permitting == {"force", "quiet", "trust"}
    for words in filter(None, NAMES):
        for rule in getattr(find_command(words), "idle", ()):
            assert not permitting & set(rule.parameters), words


PETS = "name,fur,legs,share\ncat,yes,4,2\ncow,no,4,1\nant,no,6,1\ncosts,1,2,\n"


@pytest.fixture(autouse=True)
def folder_of_pets(tmp_path, monkeypatch):
    (tmp_path / "words.txt").write_text("crane\ncrate\ntrace\nabide\n", "utf-8")
    (tmp_path / "pets.csv").write_text(PETS, "utf-8")
    build("p4c6r").write(tmp_path / "a.tree")
    plain = "\n".join(line.rpartition(",")[0] for line in PETS.splitlines())
    (tmp_path / "plain.csv").write_text(plain, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


HINTS = {
    "compare p3c4r -s knuth,entropy": "'knuth' is a whole strategy, not a criterion of a chain;"
    " several strategies are compared as -s knuth -s entropy",
    "build p3c4r -s optimal,lowest": "'optimal' is a whole strategy",
    "compare p3c4r -s knuth entropy": "unknown game 'entropy': it is a strategy, -s entropy",
    "compare p3c4r -s knuth minimax": "unknown game 'minimax': it is a strategy, -s minimax",
    "compare p3c4r --openings -s optimal": "treegen openings with -s optimal ranks",
    "export game a.tree -o x.svg": "the picture of a game needs --secret or --path, and not both",
    "build p4c6r -s max:parts": "did you mean most-parts? A chain is written max,",
    "export html a.tree -o x.html --url a.example": "'a.example' is not the address of a page:",
    "build p4c6r knuth": "'knuth' is one argument too many (did you mean -s knuth?)",
    "build p4c6r knuth.tree": "(did you mean -o knuth.tree?): treegen build takes GAME",
    "build p4c6r words.txt": "'words.txt' is one argument too many: treegen build takes GAME",
    "play p4c6r 3163": "(did you mean --secret 3163?): treegen play takes [FILE|GAME]",
    "play p4c6r --secret 31 63": "'63' is one argument too many: treegen play",
    "explain a.tree 10": "(did you mean --path 10?): treegen explain takes FILE",
    "warmup now": "'now' is one argument too many: treegen warmup takes no argument",
    "play p4c6r -secret 3163": "there is no option '-secret': did you mean --secret?",
    "export html a.tree -output=page.html": "there is no option '-output': did you mean --output?",
    "play p4c6r --Secret 3163": "there is no option '--Secret': did you mean --secret?",
    "export table a.tree -p lean": "there is no option '-p': did you mean --profile?",
    "build p4c6r --elig hints": "there is no option '--elig': did you mean --eligible?",
    "build p4c6r --eligible Hit": "'consistent'; did you mean 'hints'?",
    "verify a.tree --words x": "there is no option '--words' (try",
    "build p4c6r -s": "-s needs a value: -s ",
    "build p4c6r --time-limit 10min": "--time-limit '10min' is not a number of seconds",
    "build p4c6r --jobs all": "--jobs 'all' is not a whole number",
    "patterns four -o patterns": "treegen: 'four' is not a whole number",
    "export table a.tree --profile Lean": "--profile 'Lean' is not one of 'full', 'lean', 'slim'",
    "completion dash": "treegen: 'dash' is not one of 'bash', 'zsh', 'fish', 'powershell'",
    "import words.txt": "(try 'treegen import --help')",
    "export C a.tree": "unknown format 'C': did you mean c?",
    "export c++ a.tree": "unknown format 'c++': did you mean c?",
    "export JavaScript a.tree": "unknown format 'JavaScript': did you mean js?",
    "solve words.txt": "unknown command 'solve': did you mean play?",
    "play p4c6r --history 1122:02,1344:11": "/ separates pairs, as in 1122:02/1344:11",
    "play words.txt --history crane:40/abide:0,crate:30": "as in abide:0/crate:30",
    "export text a.tree --path 10,02": "answers are separated by /: 10/02",
    "play p4c6r --hard": "hard mode (--eligible hints) needs green and yellow letters: a list of"
    " words and --feedback wordle; p4c6r is answered by pegs; --eligible consistent suits every",
    "score p4c6r 1122": "SECRET... is missing; write it as in",
    "score words.txt slate crane": "'slate' is not one of the 4 words of 5 letters of words.txt",
    "score words.txt crane cranes": "5 letters of words.txt: it has 6 letters",
    "games --csv --json": "--csv needs a value: --csv OUT",
    "build p3c4r -s --json": "--strategy needs a value: --strategy TEXT",
    "-s knuth build p3c4r": "there is no option '-s' here: a command's options come after its name",
    "play p4c6r --history 1122:1122": "'1122' is not an answer: write black and white pegs as 02",
    "build p4c6r --history 1122": "written 1122:02",
    "build p3c4r --history 112": "written 111:00",
    "build words.txt --feedback position --history slate": "written crane:00000",
    "build words.txt --history slate": "written crane:00",
    "build plain.csv --history cat": "written fur:1",
    "build pets.csv --weights shares --costs costs": "no column 'shares'; did you mean 'share'?",
    "build pets.csv --weights Share --costs costs": "no column 'Share'; did you mean 'share'?",
    "build plain.csv --costs cost": "no row 'cost'; did you mean 'costs'?",
}


@pytest.mark.parametrize("line", HINTS)
def test_a_mistake_is_answered_with_what_was_meant(capsys, line):
    assert HINTS[line] in refuse(capsys, *line.split()).splitlines()[-1]


def test_criteria_that_are_strategies_too_make_chains(capsys):
    assert run("build", "p2c3r", "-s", "entropy,parts", "-q") == 0


def test_the_example_of_a_history_is_one():
    for name in ("p4c6r", "p2c3r", "p3c3rb", "range9", "coins3"):
        game = open_game(name)
        with pytest.raises(UsageError, match="is not a pair") as told:
            advice(game, history="nothing", top=0)
        example = str(told.value).partition(" are written ")[2].partition(";")[0]
        try:
            assert len(advice(game, history=example, top=0).history) == 1
        except UsageError as error:  # it is read: no number is lower than 1
            assert str(error) == "No secret fits answer 1: 1 answered lower"


@pytest.mark.parametrize("wish", ["help", "?", "HELP"])
@pytest.mark.parametrize("source", [["p2c3r"], ["p2c3r", "-s", "adaptive"]], ids=" ".join)
def test_a_question_mark_repeats_how_to_answer(capsys, monkeypatch, source, wish):
    give_input(monkeypatch, f"{wish}\nq\n")
    assert run("play", *source) == 0
    first, again = (line for line in capsys.readouterr().out.splitlines() if "Answer each" in line)
    assert first.endswith("q ends, ? repeats this.")
    assert again.partition("answer: ")[2].strip() == first[first.index("Answer each") :]
