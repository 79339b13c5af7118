"""The command line: what it prints, and what it says of every kind of bad input.

Bad input gets one clear line on stderr and exit code 2; no traceback, no file.
"""

import os
import resource
import signal
import subprocess
import sys

import pytest

from treegen import build, read, write_table, write_tree

from ..command import give_input, refuse, run, show, show_json
from ..paths import ROOT

LONG = "a" * 5000
TEXTS = {
    "words.txt": "crane\ncrate\ntrace\nabide\n",
    "extra.txt": "speed\nzzzzz\n",
    "long.txt": "abcdefghij\nbcdefghija\n",
}


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A folder with good and bad files; the bytes of each by name."""
    folder = tmp_path_factory.mktemp("samples")
    tree = build("p3c4r")
    write_tree(tree, folder / "a.tree")
    write_table(tree, folder / "a.tgt")
    files = {name: text.encode() for name, text in TEXTS.items()}
    for name in ("a.tree", "a.tgt"):
        data = (folder / name).read_bytes()
        files[name] = data
        files[f"truncated-{name}"] = data[: len(data) // 2]
        files[f"corrupted-{name}"] = data[:-50] + bytes([data[-50] ^ 1]) + data[-49:]
    files["empty.tree"] = b""
    files["p1c2r"] = files["a.tree"]
    return files


@pytest.fixture
def folder(samples, tmp_path, monkeypatch):
    for name, data in samples.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "dir").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines_of(text):
    """Return the lines of stderr, without the notice that the first run compiles."""
    return [line for line in text.splitlines() if line and not line.startswith("compiling")]


BUILD = ["build", "p3c4r", "-o", "x.tree"]
BAD_INPUT = [
    # Commands and options.
    (["biuld"], "unknown command 'biuld': did you mean build?"),
    (["--nope"], "there is no option '--nope' here: a command's options come after its name (try"),
    (["build"], "GAME is missing; write it as in 'treegen build p4c6r -s knuth -o knuth.tree'"),
    (["build", "p2c3r", "p2c3r"], "'p2c3r' is one argument too many: treegen build takes GAME"),
    (["export", "a.tree", "-o", "a.svg"], "comes before the file: treegen export text a.tree"),
    (["export", "table", "a.tree"], "-o OUT is missing; write it as in 'treegen export table"),
    (["export", "gexf", "a.tree"], "GEXF is neither written nor read; GraphML is"),
    (["export", "graphml", "a.tree", "-o", "x.gexf"], "GEXF is neither written nor read; GraphML"),
    (["import", "gexf", "words.txt"], "GEXF is neither written nor read; GraphML is"),
    (["import", "tabel", "a.tgt"], "unknown format 'tabel': did you mean table?"),
    # Games.
    (["build", "4p6c"], "unknown game '4p6c'; did you mean p4c6r (colors may repeat) or p4c6n"),
    (["build", LONG], "unknown game"),
    (["build", "p4\n\x1b[31mc6r"], r"unknown game 'p4\n\x1b[31mc6r'"),
    (["build", "p6c5n"], "need at least 6 colors"),
    (["build", "p9c12r"], "p9c12r has 5,159,780,352 codes: its tree needs about 438"),
    # Codebooks.
    (["build", "./none.txt"], "cannot read './none.txt': No such file"),
    (["build", "a.tree"], "'a.tree' holds a tree of p3c4r: give the game's name"),
    (["build", "p1c2r"], "holds a tree of p3c4r: the file hides the game of this name; move it"),
    (["build", "p3c4r", "-o", ""], "cannot write '': the path is empty"),
    (["build", "words.txt", "--guesses", "a.tree"], "'a.tree' is not text: it is a tree; treegen"),
    (["import", "empty.tree", "-o", "x.tree"], "is in no known format: it is empty"),
    (["import", "json", "words.txt", "-o", "x.tree"], "column 1: Expecting value; it is no JSON"),
    (["import", "graphml", "words.txt", "-o", "x.tree"], "column 1: syntax error; it is no XML"),
    (["import", "irving", "words.txt", "-o", "x.tree"], "not name the game: give it by -g GAME"),
    (["build", "/dev/zero"], "has more than 268,435,456 bytes"),
    (["build", "long.txt", "--feedback", "position"], "at most 9 pegs, not 10"),
    (["build", "words.txt", "--feedback", "words"], "'words' is not one of"),
    (["build", "words.txt", "--guesses", "extra.txt", "--first", "zzzzz"], "gains no information"),
    # Strategies.
    ([*BUILD, "-s", "knut"], "unknown strategy 'knut': did you mean knuth?"),
    ([*BUILD, "-s", "lowest,max"], "the tie-break 'lowest' in 'lowest,max' must come last"),
    ([*BUILD, "-s", "power:0"], "power:0 is out of range: L > 0 (to 60), or -1 <= L < 0"),
    ([*BUILD, "-s", "power:x"], "power:x needs a number"),
    ([*BUILD[:-1], "a.tree", "-s", "power:11"], "64 ** 12 is more than 2 ** 62"),
    ([*BUILD, "--eligible", "some"], "'some' is not one of"),
    # Codes and histories.
    ([*BUILD, "--first", "12"], "the code '12' has 2 pegs; p3c4r has 3"),
    ([*BUILD, "--history", "112"], "'112' in the history is not a pair"),
    ([*BUILD, "--history", "112:" + "9" * 5000], "is not an answer"),
    ([*BUILD, "--history", "112:00/334:00"], "These answers cannot all be true"),
    # Searches.
    ([*BUILD, "-s", "optimal", "--seed", "1"], "--seed works only with strategies"),
    ([*BUILD, "-s", "best", "--eligible", "all"], "-s best takes no --eligible but"),
    # Files.
    (["stats", "none.tree"], "cannot read 'none.tree': No such file"),
    (["check", "knuth.tree"], "'knuth.tree' is a tree, not a proof: treegen verify checks it"),
    (["build", "p9c12r"], "are free; -s adaptive plays it without one"),
    (["stats", "empty.tree"], "neither a .tree file nor a .tgt table: it is empty"),
    (["stats", "words.txt"], "it is a list of words; treegen build makes its tree"),
    (["stats", "a"], "No such file or directory; did you mean 'a.tgt'?"),
    (["stats", "C:Usersmea.tree"], "put the path between quotes"),
    (["verify", "p3c4r"], "it is the name of a game; treegen build p3c4r -o p3c4r.tree makes"),
    (["import", "words.txt", "-o", "x.tree"], "no known format: it is a list of words; treegen"),
    (["import", "table", "a.tree", "-o", "x.tree"], "'a.tree' is not a table: it is a tree;"),
    (["build", "word.txt"], "there is no such file; did you mean 'words.txt'?"),
    (["stats", "/dev/zero"], "neither a .tree file nor a .tgt table"),
    (["stats", "nul\0byte"], "null"),
    (["stats", ""], "cannot read '': the path is empty"),
    (["stats", "truncated-a.tree"], "bytes were changed or lost; copy the file or build its tree"),
    (["stats", "corrupted-a.tree"], "'corrupted-a.tree': offset 1364: the checksum does not match"),
    (["verify", "truncated-a.tgt"], "bytes were changed or lost; copy or export it again"),
    (["export", "table", "a.tree", "-o", "x.h"], "treegen export c writes the table as source"),
    (["build", "p2c3r", "-o", "x.py"], "treegen export python writes the table as source"),
    (["export", "booklet", "a.tree", "-o", "x.pdf"], "print that to PDF in a browser"),
    (["export", "c", "a.tree", "-o", "words.txt"], "a file has this name; give another one"),
    (["build", "p2c3r", "-o", "/dev/full"], "cannot write '/dev/full': No space left on device"),
    # Views.
    (["export", "text", "a.tree", "--path", "33"], "no code gives 3 black, 3 white"),
    (["export", "text", "a.tree", "--symbols", "abc"], "4 different ones are needed"),
    (["export", "table", "a.tree", "--profile", "tiny", "-o", "x"], "'tiny' is not one of"),
    # Playing.
    (["play", "words.txt", "--guesses", "extra.txt", "--secret", "zzzzz"], "is not one of the"),
    (["play", "words.txt", "--guesses", "extra.txt", "--secret", "qqqqq"], "that may be guessed"),
    (["play", "p2c3r", "--tables", "x"], "--tables works only with -s permutation"),
    (["verify", "a.tree", "--seed", "1"], "--seed draws the secrets of --sample"),
    (["build", "p2c3r", "--resume", ""], "'' names no folder; . is the current one"),
    (["patterns", "2", "-o", ""], "'' names no folder"),
    (["build", "p2c3r", "--first", ""], "--first is an empty text: leave it out"),
    (["games", "words.txt", "--letters", ""], "--letters is an empty text: leave it out"),
    (["games", "words.txt", "--ignore", ""], "--ignore is an empty text: leave it out"),
    (["build", "p2c3r", "-s", "optimal", "--max-length", "1"], "all 9 secrets in 1 guess (proved)"),
    (["certify", "--checker", ""], "'' names no folder"),
    (["simulate", "p2c3r", "-s", ""], "unknown strategy ''"),
]  # fmt: skip


def test_bad_input_is_one_line_and_writes_nothing(folder, capsys):
    before = snapshot(folder)
    for args, message in BAD_INPUT:
        assert run(*args) == 2, args
        out, err = capsys.readouterr()
        assert out == "", args
        *said, line = lines_of(err)
        assert all(": a codebook of " in each for each in said), args
        assert line.startswith("treegen: "), args
        assert message in line, args
        assert len(line) < 500, args
        assert line.isprintable(), args
        assert snapshot(folder) == before, args


@pytest.mark.parametrize("data", [b"", b"garbage", b"\x89TREE\r\n\x1a", b"\x9e\xa4TGT1"], ids=repr)
@pytest.mark.parametrize("command", ["stats", "verify", "play"])
def test_bad_standard_input(folder, capsys, monkeypatch, command, data):
    give_input(monkeypatch, data)
    secret = ["--secret", "111"] if command == "play" else []
    assert run(command, "-", *secret) == 2
    out, err = capsys.readouterr()
    assert (out, len(lines_of(err))) == ("", 1)


def test_games_show_names_and_figures(folder, capsys):
    assert "bulls-and-cows" in show(capsys, "games")
    assert show_json(capsys, "games")["aliases"]["mastermind"] == "p4c6r"
    figures = show_json(capsys, "games", "p4c6r")
    assert figures["openings"] == ["1111", "1112", "1122", "1123", "1234"]
    assert (figures["secrets"], figures["responses"]) == (1296, 14)
    assert run("games", "words.txt", "--guesses", "extra.txt", "--feedback", "position") == 0
    assert "no symmetry is used" in capsys.readouterr().out
    out = show(capsys, "games", "p1000c1000r")
    assert "secrets       about 10^3000\n" in out
    assert "openings      not listed: too many codes\n" in out


def test_strategies_are_listed_with_those_that_need_no_tree(capsys):
    rows = show_json(capsys, "strategies")
    assert {"knuth", "r-post", "codesmithy"} <= {row["name"] for row in rows}
    assert {row["name"] for row in rows if not row["tree"]} == {
        "adaptive",
        "one-by-one",
        "one-by-one-distinct",
        "permutation",
    }
    assert "eligible=all; chain=max,consistent,lowest; order=lex" in show(capsys, "strategies")


def test_build_to_the_standard_output(folder, capsysbinary):
    assert run("build", "p3c4r", "-o", "-", "-q") == 0
    out, err = capsysbinary.readouterr()
    assert out == (folder / "a.tree").read_bytes()
    assert err == b""


def test_a_changed_strategy_does_not_pass_for_the_original(folder):
    options = ["--first", "112", "--eligible", "candidates", "--order", "first-fastest"]
    assert run("build", "p3c4r", *options, "-o", "x.tree") == 0
    provenance = read("x.tree").provenance
    assert provenance.strategy == "knuth eligible=candidates order=first-fastest opening=112"
    assert provenance.rule == (
        "eligible=candidates; chain=max,consistent,lowest; order=first-fastest; opening=112"
    )
    assert run("build", "p3c4r", "--eligible", "all", "-o", "y.tree") == 0
    assert read("y.tree").provenance.strategy == "knuth"


def test_a_tree_that_starts_in_the_middle_keeps_its_history(folder, capsys):
    figures = show_json(capsys, "build", "p3c4r", "--history", "111:10/234:01", "-o", "x.tree")
    tree = read("x.tree")
    assert figures["secrets"] == tree.n_secrets
    assert [tree.game.format_code(guess) for guess, _ in tree.provenance.history] == ["111", "234"]
    assert run("verify", "x.tree") == 0
    assert "111:10/234:01" in show(capsys, "stats", "x.tree")


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("q\n", "Think of a code"),
        ("", "no more answers"),
        ("30\n", "found 123 in 1 guess\n"),
        ("99\nq\n", "no code gives 9 black, 9 white"),
        ("xx\nq\n", "'xx' is not an answer"),
        ("u\nq\n", "there is no answer to take back"),
        ("00\n03\nq\n", "no secret answers"),
        ("00\nu\n30\n", "found 123 in 1 guess\n"),
        ("\n\n  \nq\n", "guess 1"),
        ("9" * 9999 + "\nq\n", "is not an answer"),
    ],
    ids=lambda x: x[:20],
)
def test_play_answers_whatever_a_person_types(folder, capsys, monkeypatch, answers, said):
    give_input(monkeypatch, answers)
    assert run("play", "a.tree") == 0
    out, err = capsys.readouterr()
    assert any(part in out for part in said.split("|"))
    assert err == ""
    assert "Traceback" not in out


def test_answers_that_are_no_text(folder, capsys, monkeypatch):
    give_input(monkeypatch, b"\xff\xfe\n")
    (line,) = lines_of(refuse(capsys, "play", "a.tree"))
    assert "not UTF-8 text" in line


HANG_S = 600
"""Only bounds a hang: what is waited for takes a second where nothing else runs."""


def heed_interrupts():
    """Undo what a background shell does to its children: it lets them ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(args, preexec_fn=heed_interrupts, program=("-m", "treegen"), environment=(), **options):
    """Start the command line as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **dict(environment)}
    return subprocess.Popen(
        [sys.executable, *program, *args],
        env=environment,
        preexec_fn=preexec_fn,
        stderr=subprocess.PIPE,
        text=True,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options},
    )


# A build that says when it is in the middle of its work, and works on until it is interrupted.
BUILD_WITHOUT_END = """
from treegen.__main__ import main
from treegen.builder import choose, grow
choose_level = choose.choose_level
def choose_without_end(*level):
    choose_level(*level)
    print("chosen", flush=True)
    while True:
        choose_level(*level)
grow.choose_level = choose_without_end
main()
"""


def interrupt(folder, program, number):
    """End a build in the middle of its work; nothing but that may be said, and no file be left."""
    before = snapshot(folder)
    process = start(["build", "p3c4r", "-q", "-o", "x.tree"], program=("-c", program))
    assert process.stdout.readline() == "chosen\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 130
    assert lines_of(err) == ["treegen: interrupted; nothing was written"]
    assert snapshot(folder) == before


def test_ctrl_c_leaves_no_file(folder):
    interrupt(folder, BUILD_WITHOUT_END, signal.SIGINT)


# Ctrl-C in a callback, where Python cannot raise it, while the command line is being imported.
DROPPED_AT_IMPORT = """
import signal, sys, weakref
from treegen.__main__ import main

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "treegen.cli.main":
            held = Finder()
            at_end = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGINT))
            del held

sys.meta_path.insert(0, Finder())
main()
"""


def test_ctrl_c_that_an_import_drops_ends_the_command(folder):
    process = start(["games"], program=("-c", DROPPED_AT_IMPORT))
    out, err = process.communicate(timeout=HANG_S)
    assert (process.returncode, out) == (130, "")
    assert lines_of(err) == ["treegen: interrupted; nothing was written"]


def test_the_command_imports_nothing_slow_before_it_hears_ctrl_c(folder):
    code = "import sys; before = set(sys.modules); from treegen import __main__;"
    code += " print(*sorted(set(sys.modules) - before - {'__future__', 'gc', 'os'}))"
    out, _ = start([], program=("-c", code)).communicate(timeout=HANG_S)
    assert out == "treegen treegen.__main__\n"


def test_the_end_is_said_once_where_the_process_hangs_after_it(folder):
    program = "import time\nfrom treegen.cli import main as command\n"
    program += "command.exit_now = lambda code: time.sleep(600)\n"  # the watchdog comes
    program += "command.PATIENCE_S = 0.1\n"
    interrupt(folder, program + BUILD_WITHOUT_END, signal.SIGTERM)


def test_ctrl_c_while_a_person_plays(folder):
    process = start(["play", "a.tree"], stdin=subprocess.PIPE)
    shown = ""
    while not shown.endswith("answer: "):
        shown += process.stdout.read(1) or pytest.fail(f"it ended after {shown!r}")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 130
    assert lines_of(err)[-1] == "treegen: interrupted; nothing was written"


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def test_a_disk_that_fills_up_leaves_no_file(folder):
    before = snapshot(folder)
    process = start(["export", "text", "a.tree", "-o", "x.out"], preexec_fn=limit_files)
    _, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 2
    assert lines_of(err) == ["treegen: cannot write 'x.out': File too large"]
    assert snapshot(folder) == before


def test_a_full_standard_output(folder):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        process = start(["stats", "a.tree"], stdout=full)
        _, err = process.communicate(timeout=HANG_S)
    assert (process.returncode, lines_of(err)) == (
        2,
        ["treegen: cannot write to the standard output: No space left on device"],
    )


def test_a_reader_that_goes_away_is_no_error(folder):
    process = start(["export", "text", "a.tree"])
    process.stdout.close()
    err = process.stderr.read()
    process.wait(timeout=HANG_S)
    process.stderr.close()
    assert (process.returncode, err) == (0, "")


def test_a_closed_stream_is_one_line(folder):
    process = start(["stats", "a.tree"], preexec_fn=lambda: os.close(1))
    _, err = process.communicate(timeout=HANG_S)
    assert (process.returncode, err) == (2, "treegen: the standard output is closed\n")


def test_symbols_beyond_ascii_on_an_ascii_terminal(folder):
    args = ["play", "a.tree", "--secret", "🔴🔴🔵", "--symbols", "🔴🟢🔵🟡"]
    process = start(args, environment={"PYTHONIOENCODING": "ascii"})
    out, err = process.communicate(timeout=HANG_S)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-1].split()[-2:] == ["1", "left"]


@pytest.mark.parametrize("name", ["wordle", "quordle", "absurdle", "nerdle", "jotto"])
def test_the_command_for_a_game_of_words_runs(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("crane\ncrate\ntrace\n", encoding="utf-8")
    (tmp_path / "equations.txt").write_text("1+2=3\n2+1=3\n2+2=4\n", encoding="utf-8")
    told = refuse(capsys, "build", name)
    command = told.strip().rpartition("treegen ")[2].split()
    if "--evil" in command:
        give_input(monkeypatch, "q\n")
    assert run(*command) == 0


@pytest.mark.parametrize("name", ["x.tree", "x.tgt"])
@pytest.mark.parametrize("command", ["games", "build", "openings", "simulate", "score"])
def test_a_tree_where_a_game_is_needed_is_named(command, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    build("p2c3r").write(name)
    assert run(command, name, *["11", "12"] * (command == "score")) == 2
    told = (
        f"{name!r} holds a tree of p2c3r: give the game's name, or a file of its words or answers"
    )
    assert capsys.readouterr().err == f"treegen: {told}\n"
