"""Builds in tasks whose results a folder keeps, cut small inside: killed anywhere, same bytes."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import treegen
from treegen import FormatError, UsageError, open_game
from treegen.builder.grow import build_sharded, build_tree, describe_build
from treegen.strategies.named import parse_strategy
from treegen.tasks.checkpoint import Checkpoint, open_checkpoint, pack_result
from treegen.tasks.cluster import open_workers

from ..command import refuse, run
from ..paths import ROOT
from ..written import bytes_of

GAME = open_game("p4c6r")
KNUTH = parse_strategy("knuth", GAME)
SMALL_TASKS = 40_000


@pytest.fixture(scope="module")
def serial():
    """The file that one thread without a folder makes."""
    return bytes_of(treegen.build(GAME, KNUTH), "tree")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a whole build."""
    folder = tmp_path_factory.mktemp("finished") / "state"
    build(folder)
    return folder


@pytest.fixture
def state(finished, tmp_path):
    """A copy of that folder, to be spoiled."""
    return Path(shutil.copytree(finished, tmp_path / "state"))


def build(folder, game=GAME, strategy=KNUTH, *, history=(), jobs=1, pairs=SMALL_TASKS, notice=None):
    with open_workers(jobs=jobs) as workers:
        tree = build_sharded(
            game,
            strategy,
            folder,
            history=history,
            workers=workers,
            task_pairs=pairs,
            notice=notice,
        )
    return bytes_of(tree, "tree")


CASES = [
    ("p1c1r", "knuth", (), 1),
    ("p4c6r", "knuth", (), 10**9),
    ("p4c6r", "knuth", (), 50_000),
    ("p4c6r", "entropy", ((7, 1),), 20_000),
    ("p4c6r", "max,random", (), 50_000),
    ("p4c6r", "first-consistent", (), 2_000),
    ("p4c6r", "barr-expected", (), 50_000),
    ("p4c8n", "expected-size", (), 100_000),
    ("p3c5rb", "knuth", (), 1_000),
    ("a2211", "knuth", (), 1_000),
]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("name", "rule", "history", "pairs"), CASES)
def test_tasks_give_the_bytes_of_the_serial_build(tmp_path, name, rule, history, pairs, jobs):
    game = open_game(name)
    strategy = parse_strategy(rule, game)
    tree = build_tree(game, strategy, history=history)
    got = build(tmp_path, game, strategy, history=history, jobs=jobs, pairs=pairs)
    assert got == bytes_of(tree, "tree")


def test_figures_are_those_of_the_tree(finished):
    tree = treegen.build(GAME, KNUTH)
    assert len(list(finished.glob("grow-*.part"))) > 10
    joined = build_sharded(GAME, KNUTH, finished)
    joined.check()
    for name in ("n_nodes", "n_secrets", "total", "average", "worst", "n_worst", "histogram"):
        assert getattr(joined, name) == getattr(tree, name), name


def test_a_tree_outlasts_the_folder_of_its_parts(state):
    tree = build_sharded(GAME, KNUTH, state)
    assert not list(state.glob(".treegen-*"))
    shutil.rmtree(state)
    assert tree == treegen.build(GAME, KNUTH)


@pytest.mark.slow
def test_tasks_can_be_done_by_processes(tmp_path, serial):
    with open_workers(jobs=2, processes=True) as workers:
        tree = build_sharded(GAME, KNUTH, tmp_path, workers=workers, task_pairs=200_000)
    assert bytes_of(tree, "tree") == serial


BROKEN_OFF = """
import sys
from treegen.tasks import checkpoint
from treegen import _files
n_saved = 0
rename = _files.Path.replace

def stop_at_the_tenth(path, target):
    global n_saved
    n_saved += 1
    if n_saved == 10:
        print("now", flush=True)
        sys.stdin.read()
    return rename(path, target)

_files.Path.replace = stop_at_the_tenth
from treegen.cli.main import main
main(["build", "p4c6r", "--resume", "state", "-o", "x.tree", "-j", "1"])
"""


def begin(folder, pairs=SMALL_TASKS):
    """Make a folder whose build has small tasks."""
    with open_checkpoint(folder, describe_build(GAME, KNUTH, (), pairs)):
        pass


def test_a_killed_build_goes_on_to_the_same_bytes(tmp_path, monkeypatch, serial):
    begin(tmp_path / "state")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    process = subprocess.Popen(
        [sys.executable, "-c", BROKEN_OFF],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdout.readline() == b"now\n"
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "x.tree").exists()
    parts = {path: path.stat().st_mtime_ns for path in (tmp_path / "state").glob("*.part")}
    assert len(parts) == 9
    assert len(list((tmp_path / "state").glob(".treegen-*"))) == 1
    monkeypatch.chdir(tmp_path)
    assert run("build", "p4c6r", "--resume", "state", "-o", "x.tree") == 0
    assert (tmp_path / "x.tree").read_bytes() == serial
    assert {path: path.stat().st_mtime_ns for path in parts} == parts
    assert not list((tmp_path / "state").glob(".treegen-*"))


def test_a_finished_build_does_no_task_again(finished, serial):
    before = {path: path.stat().st_mtime_ns for path in finished.iterdir()}
    assert build(finished, pairs=10**9) == serial
    assert {path: path.stat().st_mtime_ns for path in finished.iterdir()} == before


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


DAMAGES = {
    "magic": lambda data: flip(data, 1),
    "length": lambda data: flip(data, 8),
    "header": lambda data: flip(data, 20),
    "body": lambda data: flip(data, len(data) // 2),
    "checksum": lambda data: flip(data, len(data) - 1),
    "cut": lambda data: data[:-40],
    "short": lambda data: data[:10],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"\0",
}


@pytest.mark.parametrize("kind", [pytest.param("choose", marks=pytest.mark.slow), "grow"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_result_is_told_and_done_again(state, serial, damage, kind):
    path = max(state.glob(f"{kind}-*"), key=lambda path: path.stat().st_size)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    told = []
    assert build(state, notice=told.append) == serial
    assert len(told) == 1
    assert path.name in told[0]
    assert "done again" in told[0]
    assert build(state, notice=told.append) == serial
    assert len(told) == 1


def test_a_result_of_another_build_or_task_is_not_trusted(state, serial):
    paths = sorted(state.glob("grow-*"))
    body = paths[0].read_bytes()
    paths[1].write_bytes(body)
    paths[2].write_bytes(pack_result(bytes(32), paths[2].stem, b"anything"))
    told = []
    assert build(state, notice=told.append) == serial
    assert [line.split(": ", 1)[1] for line in told] == [
        "it belongs to another build or task; it is done again"
    ] * 2


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"game": open_game("p4c5r")}, "its game is p4c6r, here it is p4c5r"),
        ({"strategy": parse_strategy("entropy", GAME)}, "its rule is eligible=all; chain=max"),
        ({"history": ((7, 1),)}, "its history is [], here it is [[7, 1]]"),
    ],
)
def test_another_build_is_refused(state, other, reason):
    before = {path: path.read_bytes() for path in state.iterdir()}
    with pytest.raises(UsageError, match="belongs to another build") as refusal:
        build(state, **other)
    assert reason in str(refusal.value)
    assert {path: path.read_bytes() for path in state.iterdir()} == before


@pytest.mark.parametrize(("name", "value"), [("treegen", "0.0.1"), ("format", 99)])
def test_another_version_is_refused(state, name, value):
    manifest = json.loads((state / "build.json").read_text())
    (state / "build.json").write_text(json.dumps({**manifest, name: value}))
    with pytest.raises(UsageError, match=rf"its {name} is {value}, here it is"):
        build(state)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"game": "p4c6r"}', "\0", "[" * 100_000, "9" * 5000]
)
def test_a_damaged_manifest_is_refused(state, text):
    (state / "build.json").write_text(text)
    with pytest.raises(FormatError, match=r"build\.json"):
        build(state)


@pytest.mark.parametrize("pairs", [0, -1, "3", 1.5, None, 10**60])
def test_a_damaged_size_of_tasks_is_refused(state, pairs):
    manifest = json.loads((state / "build.json").read_text())
    (state / "build.json").write_text(json.dumps({**manifest, "task_pairs": pairs}))
    with pytest.raises(FormatError, match="does not describe its tasks"):
        build(state)


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(
        UsageError, match=r"is not a build's checkpoint: it contains 'letters\.txt'"
    ):
        build(tmp_path)


def test_a_folder_in_use_is_refused(tmp_path):
    with (
        open_checkpoint(tmp_path, describe_build(GAME, KNUTH, (), 1)),
        pytest.raises(UsageError, match="another build is using the folder"),
    ):
        build(tmp_path)


def test_refusals_are_one_line(state, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for words in (["p4c5r"], ["p4c6r", "-s", "entropy"], ["p4c6r", "-s", "optimal"]):
        assert run("build", *words, "--resume", "state", "-o", "x.tree") == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    (tmp_path / "file").write_text("")
    assert run("build", "p4c6r", "--resume", "file", "-o", "x.tree") == 2
    assert "cannot make the folder 'file'" in capsys.readouterr().err
    assert not (tmp_path / "x.tree").exists()
    assert run("build", "p4c6r", "--resume", "new", "-o", "none/x.tree") == 2
    assert "cannot write 'none/x.tree': the folder 'none' does not exist" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()  # hours of work are not begun


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [(KeyboardInterrupt, 130, "interrupted"), (MemoryError, 2, "memory ran out")],
)
def test_what_breaks_a_build_off_is_told_with_what_stays(
    tmp_path, monkeypatch, capsys, serial, jobs, error, code, reason
):
    begin(tmp_path / "state")
    monkeypatch.chdir(tmp_path)
    save = Checkpoint.save_part

    def save_three(checkpoint, task, body):
        if len(list(checkpoint.folder.glob("*.part"))) == 3:
            raise error
        save(checkpoint, task, body)

    words = ["build", "p4c6r", "--resume", "state", "-o", "x.tree", "-j", jobs]
    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save_part", save_three)
        assert run(*words) == code
    told = "what is finished is in state: the same command resumes from there"
    assert capsys.readouterr().err.strip() == f"treegen: {reason}; {told}"
    assert not Path("x.tree").exists()
    assert run(*words) == 0
    assert Path("x.tree").read_bytes() == serial


def test_a_folder_that_goes_away_is_told(tmp_path, monkeypatch, capsys):
    begin(tmp_path / "state")
    monkeypatch.chdir(tmp_path)
    save = Checkpoint.save_part

    def remove_and_save(checkpoint, task, body):
        shutil.rmtree(checkpoint.folder, ignore_errors=True)
        save(checkpoint, task, body)

    monkeypatch.setattr(Checkpoint, "save_part", remove_and_save)
    error = refuse(capsys, "build", "p4c6r", "--resume", "state", "-o", "x.tree")
    assert error.startswith("treegen: cannot write 'state/choose-0-0.part': the folder 'state'")
    assert len(error.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == []


FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from treegen.cli.main import main
main(["build", "p4c6r", "--resume", "state", "-o", "x.tree"])
"""


@pytest.mark.parametrize("limit", [600, pytest.param(3000, marks=pytest.mark.slow)])
def test_a_full_disk_leaves_nothing_half_written(tmp_path, monkeypatch, serial, limit):
    """The first limit stops a result, the second the tree itself."""
    begin(tmp_path / "state")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    result = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(limit)], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 2, result.stderr
    assert [line for line in result.stderr.splitlines() if "compiling" not in line] == [
        line for line in result.stderr.splitlines() if "File too large" in line
    ]
    assert not (tmp_path / "x.tree").exists()
    assert not [path for path in tmp_path.rglob(".treegen-*") if path.is_file()]
    monkeypatch.chdir(tmp_path)
    assert run("build", "p4c6r", "--resume", "state", "-o", "x.tree") == 0
    assert (tmp_path / "x.tree").read_bytes() == serial


def test_a_part_is_read_by_its_checksum_once(finished, state):
    """Damage that comes after a part was found: no part is read unchecked."""
    build_id = describe_build(GAME, KNUTH, (), SMALL_TASKS)
    with open_checkpoint(state, build_id) as checkpoint:
        path = min(state.glob("*.part"))
        task = path.name.removesuffix(path.suffix)
        data = bytearray(path.read_bytes())
        data[-40] ^= 1  # in the body, before the checksum's 32 bytes
        path.write_bytes(data)
        with pytest.raises(FormatError, match="its checksum does not match"):
            checkpoint.read(task)
