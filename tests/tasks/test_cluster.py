"""Builds on a dask cluster, in tasks that are cut small inside: the serial bytes, or one line."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

import treegen
from treegen import ClusterError, DependencyError, open_game
from treegen.analysis.sample import play_sample
from treegen.builder.grow import build_sharded, describe_build
from treegen.strategies.named import parse_strategy
from treegen.tasks import cluster
from treegen.tasks.checkpoint import open_checkpoint
from treegen.tasks.cluster import open_workers, read_versions
from treegen.tasks.run import run_tasks

from ..command import refuse, run, show
from ..paths import ROOT
from ..written import bytes_of

distributed = pytest.importorskip("distributed")

PATIENCE_S = 600
"""Only bounds a hang."""

SMALL_TASKS = 400_000
"""For p5c6r: some two hundred tasks."""


@pytest.fixture(scope="module")
def super_game():
    game = open_game("p5c6r")
    return game, parse_strategy("knuth", game)


@pytest.fixture(scope="module")
def serial(super_game):
    """The file that one thread makes."""
    return bytes_of(treegen.build(*super_game), "tree")


@pytest.fixture(scope="module")
def inside():
    """A cluster whose scheduler and worker are threads of this process."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
    ) as here:
        yield here.scheduler_address


def build(scheduler, folder, game, strategy, pairs, progress=None):
    with open_workers(scheduler=scheduler) as workers:
        tree = build_sharded(
            game, strategy, folder, workers=workers, task_pairs=pairs, progress=progress
        )
    return bytes_of(tree, "tree")


def test_a_cluster_gives_the_serial_bytes(inside, tmp_path, monkeypatch, capsys):
    game = open_game("p4c6r")
    knuth = parse_strategy("knuth", game)
    want = bytes_of(treegen.build(game, knuth), "tree")
    assert build(inside, tmp_path / "state", game, knuth, 50_000) == want
    monkeypatch.chdir(tmp_path)
    assert run("build", "p4c6r", "--scheduler", inside, "-o", "x.tree") == 0
    assert Path("x.tree").read_bytes() == want
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    "name", [pytest.param("one-by-one", marks=pytest.mark.slow), "random-consistent", "knuth"]
)
def test_games_on_a_cluster_are_the_same(inside, name):
    game = open_game("p3c4r")
    want = play_sample(game, name, 60, seed=7)
    with open_workers(scheduler=inside) as workers:
        got = play_sample(game, name, 60, seed=7, workers=workers)
    assert got.lengths.tolist() == want.lengths.tolist()


def test_strategies_on_a_cluster_are_compared_alike(inside, capsys):
    figures = []
    words = ["p3c4r", "-s", "knuth", "-s", "one-by-one", "-s", "entropy", "-n", "40", "--json"]
    for more in ([], ["--scheduler", inside]):
        figures.append(json.loads(show(capsys, "compare", *words, *more)))
    for sample in [*figures[0], *figures[1]]:
        for name in [name for name in sample if name.endswith("_s")]:
            del sample[name]
    assert figures[0] == figures[1]
    words = ["-s", "one-by-one", "-n", "9", "--json", "--scheduler", inside]
    assert json.loads(show(capsys, "simulate", "p9c9r", *words))["n"] == 9


def test_other_versions_are_refused_before_the_start(inside, monkeypatch):
    there = {**read_versions(), "numpy": "0.1"}
    monkeypatch.setattr("distributed.Client.run", lambda *_, **__: {inside: there})
    here = read_versions()["numpy"]
    with (
        pytest.raises(ClusterError, match=f"other versions: numpy {here} here, 0.1 there"),
        open_workers(scheduler=inside),
    ):
        pass


def test_a_worker_that_joins_later_refuses_too():
    with pytest.raises(ClusterError, match=r"a worker runs other versions: treegen 0\.0 here, "):
        cluster.run_checked({**read_versions(), "treegen": "0.0"}, sum, (1, 2))
    assert cluster.run_checked(read_versions(), sum, (1, 2)) == 3


class StubbornError(Exception):
    """Cannot be made again of what is sent of it."""

    def __init__(self, one, two):
        super().__init__(one)


def fail(how):
    if how == "stubborn":
        raise StubbornError("no", "way")
    return fail(how)


@pytest.mark.parametrize(
    ("how", "reason"), [("stubborn", "StubbornError: no"), ("deep", "RecursionError: maximum")]
)
def test_an_error_of_whatever_kind_comes_back(inside, how, reason):
    with (
        open_workers(scheduler=inside) as workers,
        pytest.raises(ClusterError, match=f"^a worker failed: {reason}"),
    ):
        list(run_tasks(workers, fail, [("one", (how,))]))


def test_without_dask_the_command_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(DependencyError, match=r"pip install distributed"),
        open_workers(scheduler="tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("scheduler", "reason"),
    [
        ("none.json", "there is no scheduler file 'none.json', and an address is tcp://host:port"),
        ("broken.json", "'broken.json' is not a scheduler file: it contains no address"),
        ("list.json", "'list.json' is not a scheduler file: it contains no address"),
        ("", "there is no scheduler file ''"),
        ("tcp://127.0.0.1:1", "the scheduler at 'tcp://127.0.0.1:1' does not answer"),
        ("what://127.0.0.1:1", "does not answer"),
    ],
)
def test_a_scheduler_that_is_not_there(tmp_path, monkeypatch, capsys, scheduler, reason):
    monkeypatch.setattr(cluster, "CONNECT_S", 0.2)
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_text("{")
    Path("list.json").write_text("[3]")
    error = refuse(capsys, "build", "p4c6r", "--scheduler", scheduler, "-o", "x.tree")
    assert len(error.splitlines()) == 1
    assert reason in error
    assert not Path("x.tree").exists()
    # The garbage collector would close them, perhaps while another takes the same lock.
    clients = [each for each in gc.get_objects() if type(each) is distributed.Client]
    assert {each.status for each in clients} <= {"running", "closed"}


def wait_until(is_true):
    """Wait, long if need be, for what is about to come."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_true():
        assert time.monotonic() < deadline, "nothing came"
        time.sleep(0.02)


@contextmanager
def start(*words, settings=(), **options):
    """Run a command of Python's and kill it at the end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **dict(settings)}
    process = subprocess.Popen(
        [sys.executable, *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        **options,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def start_scheduler(path, port=0, settings=()):
    words = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    words += ["--scheduler-file", str(path)]
    return start("-m", "distributed.cli.dask_scheduler", *words, cwd=path.parent, settings=settings)


def start_worker(path, *words, settings=()):
    words = ["--scheduler-file", str(path), "--nthreads", "1", "--no-dashboard", *words]
    return start("-m", "distributed.cli.dask_worker", *words, cwd=path.parent, settings=settings)


@contextmanager
def tcp_cluster(folder, settings=(), worker_words=("--no-nanny",)):
    """A scheduler and two workers as commands of their own."""
    path = folder / "scheduler.json"
    with start_scheduler(path, settings=settings) as scheduler:
        wait_until(path.exists)
        with (
            start_worker(path, *worker_words, settings=settings) as one,
            start_worker(path, *worker_words, settings=settings) as two,
        ):
            yield path, scheduler, [one, two]


def begin(folder, game, strategy):
    """Make a folder whose build has small tasks."""
    with open_checkpoint(folder, describe_build(game, strategy, (), SMALL_TASKS)):
        pass


def count_parts(folder):
    return len(list(folder.glob("*.part")))


SERIAL_WORDS = ["build", "p5c6r", "--resume", "state", "-o", "x.tree"]


def build_words(path):
    return ["-m", "treegen", *SERIAL_WORDS, "--scheduler", str(path)]


GATE = """
import time
from pathlib import Path
from types import SimpleNamespace
from treegen.builder import grow

grow_run = grow.__dict__.setdefault("without_gate", grow.grow_run)  # loaded twice

def grow_behind_gate(job, run):
    while len(list(Path("state").glob("*.part"))) >= 12 and not Path("gate-is-open").exists():
        time.sleep(0.01)
    return grow_run(job, run)

grow.grow_run = grow_behind_gate
"""
"""For `--preload`: no build ends, however quick, before the test lets it."""


def write_gate(folder):
    path = folder / "gate.py"
    path.write_text(GATE)
    return ["--no-nanny", "--preload", str(path)]


def open_gate(folder):
    (folder / "gate-is-open").touch()


@pytest.mark.slow
@pytest.mark.compiled
def test_over_tcp_a_worker_killed_and_the_client_killed(super_game, serial, tmp_path):
    begin(tmp_path / "state", *super_game)
    with tcp_cluster(tmp_path, worker_words=write_gate(tmp_path)) as (path, _, workers):
        with start(*build_words(path), cwd=tmp_path) as client:
            wait_until(lambda: count_parts(tmp_path / "state") > 3)
            workers[0].kill()
            wait_until(lambda: count_parts(tmp_path / "state") > 8)
            client.kill()
        open_gate(tmp_path)
        assert not (tmp_path / "x.tree").exists()
        n_kept = count_parts(tmp_path / "state")
        with start(*build_words(path), cwd=tmp_path) as client:
            end_well(client)
        assert (tmp_path / "x.tree").read_bytes() == serial
        assert count_parts(tmp_path / "state") > n_kept


def end_with_one_line(client):
    """Wait until a build has failed as it should, and return what it says."""
    _, error = client.communicate(timeout=PATIENCE_S)
    assert client.returncode == 2, error
    lines = [line for line in error.decode().splitlines() if "compiling" not in line]
    assert len(lines) == 1, error
    return lines[0]


def end_well(client):
    _, error = client.communicate(timeout=PATIENCE_S)
    assert client.returncode == 0, error


@pytest.mark.slow
@pytest.mark.compiled
def test_a_scheduler_that_goes_is_told_and_the_build_goes_on_without(
    super_game, serial, tmp_path, monkeypatch
):
    begin(tmp_path / "state", *super_game)
    with (
        tcp_cluster(tmp_path, worker_words=write_gate(tmp_path)) as (path, scheduler, _),
        start(*build_words(path), cwd=tmp_path) as client,
    ):
        wait_until(lambda: count_parts(tmp_path / "state") > 3)
        scheduler.kill()
        assert "the same command resumes from there" in end_with_one_line(client)
    assert not (tmp_path / "x.tree").exists()
    monkeypatch.chdir(tmp_path)
    assert run("build", "p5c6r", "--resume", "state", "-o", "x.tree") == 0
    assert (tmp_path / "x.tree").read_bytes() == serial


@pytest.mark.slow
@pytest.mark.compiled
def test_a_scheduler_begun_anew_in_the_same_place(super_game, serial, tmp_path):
    begin(tmp_path / "state", *super_game)
    with tcp_cluster(tmp_path, worker_words=write_gate(tmp_path)) as (path, scheduler, _):
        port = int(json.loads(path.read_text())["address"].rpartition(":")[2])
        with start(*build_words(path), cwd=tmp_path) as client:
            wait_until(lambda: count_parts(tmp_path / "state") > 3)
            scheduler.kill()
            scheduler.wait()
            path.unlink()
            with start_scheduler(path, port):
                assert "the same command resumes from there" in end_with_one_line(client)
                assert not (tmp_path / "x.tree").exists()
                wait_until(path.exists)
                with (
                    start_worker(path, "--no-nanny"),
                    start(*build_words(path), cwd=tmp_path) as again,
                ):
                    end_well(again)
    assert (tmp_path / "x.tree").read_bytes() == serial


TROUBLE = """
import os, time
import numpy as np
from treegen.builder import grow

grow_run = grow.__dict__.setdefault("without_trouble", grow.grow_run)  # loaded twice

def grow_with_trouble(job, run):
    for number in range({times}):
        try:
            os.close(os.open(f"trouble-{{number}}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        {trouble}
    return grow_run(job, run)

grow.grow_run = grow_with_trouble
"""
"""For `--preload`: the first tasks grown anywhere meet with trouble."""

RUN_OUT = "np.zeros(1 << 50)"
"""More than any machine has: numpy's own MemoryError."""

BE_KILLED = "hog = np.ones(60_000_000); time.sleep(600)"
"""Half a gigabyte: a nanny kills a worker that has more than it may have."""


def write_trouble(folder, times, trouble):
    path = folder / "trouble.py"
    path.write_text(TROUBLE.format(times=times, trouble=trouble))
    return ["--preload", str(path)]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("times", [cluster.RETRIES, 1000])
def test_tasks_that_run_out_of_memory(super_game, serial, tmp_path, monkeypatch, times):
    """They are tried again; where it never suffices the build ends, and goes on where it does."""
    begin(tmp_path / "state", *super_game)
    words = ["--no-nanny", *write_trouble(tmp_path, times, RUN_OUT)]
    with (
        tcp_cluster(tmp_path, worker_words=words) as (path, _, _),
        start(*build_words(path), cwd=tmp_path) as client,
    ):
        if times == cluster.RETRIES:
            end_well(client)
            assert len(list(tmp_path.glob("trouble-*"))) == times
        else:
            line = end_with_one_line(client)
            assert line.startswith("treegen: memory ran out; what is finished is in state: ")
            assert not (tmp_path / "x.tree").exists()
    if times > cluster.RETRIES:
        monkeypatch.chdir(tmp_path)
        assert run("build", "p5c6r", "--resume", "state", "-o", "x.tree") == 0
    assert (tmp_path / "x.tree").read_bytes() == serial


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("times", [1, 1000])
def test_workers_killed_for_want_of_memory(super_game, serial, tmp_path, times):
    """Once: others do it. Always: the build ends, and goes on where there is enough."""
    begin(tmp_path / "state", *super_game)
    words = ["--nanny", "--memory-limit", "400MB", *write_trouble(tmp_path, times, BE_KILLED)]
    settings = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    with (
        tcp_cluster(tmp_path, settings, words) as (path, _, _),
        start(*build_words(path), cwd=tmp_path) as client,
    ):
        if times == 1:
            end_well(client)
        else:
            line = end_with_one_line(client)
            assert "2 workers died with it, perhaps for lack of memory" in line
            assert not (tmp_path / "x.tree").exists()
    if times > 1:
        with start("-m", "treegen", *SERIAL_WORDS, cwd=tmp_path) as client:
            end_well(client)
    assert (tmp_path / "x.tree").read_bytes() == serial


@pytest.mark.slow
@pytest.mark.compiled
def test_a_worker_that_falls_silent(super_game, serial, tmp_path):
    """As when its machine is lost: the connection stays, nothing comes any more."""
    begin(tmp_path / "state", *super_game)
    settings = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "15s"}
    with (
        tcp_cluster(tmp_path, settings, write_gate(tmp_path)) as (path, _, workers),
        start(*build_words(path), cwd=tmp_path) as client,
    ):
        wait_until(lambda: count_parts(tmp_path / "state") > 3)
        workers[0].send_signal(signal.SIGSTOP)
        open_gate(tmp_path)
        end_well(client)
    assert (tmp_path / "x.tree").read_bytes() == serial


class SilentClient:
    """A client whose scheduler was stopped: it answers when the test lets it."""

    status = "running"

    def __init__(self):
        self.gate = threading.Event()

    def scheduler_info(self, n_workers):
        self.gate.wait()
        return {"workers": {"a": {"nthreads": 2}}}


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_scheduler_that_falls_silent_is_told(monkeypatch, is_stopped):
    client, notices = SilentClient(), []

    def tell(text):
        notices.append(text)
        if not is_stopped:
            client.gate.set()

    monkeypatch.setattr(cluster, "SILENT_S", 0.0)
    # The longer patience only bounds a hang.
    watch = cluster._Watch(client, "tcp://here:1", tell, 0.2 if is_stopped else 600.0)
    if is_stopped:
        with pytest.raises(ClusterError, match=r"did not answer for 0\.2 s"):
            watch.count()
        client.gate.set()
    else:
        assert watch.count() == 2
    assert len(notices) == 1
    assert "tcp://here:1 has not answered" in notices[0]


def test_a_scheduler_stopped_before_the_start_does_not_hang_the_client(monkeypatch):
    gate = threading.Event()
    monkeypatch.setattr(cluster, "CONNECT_S", 0.05)
    monkeypatch.setattr(cluster, "_make_client", lambda *_, **__: gate.wait())
    with pytest.raises(ClusterError, match="does not answer"):
        cluster._connect("tcp://here:1")
    gate.set()


def test_waiting_for_a_connection_is_told_once(monkeypatch):
    now, told = [0.0], []
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: now[0]))
    look = cluster._make_deadline(40, TimeoutError(), 3, lambda: told.append(now[0]))
    for now[0] in (0.1, 2.9, 3.1, 39.9):
        look()
    assert told == [3.1]
    now[0] = 40.1
    with pytest.raises(TimeoutError):
        look()


def test_patience_reaches_the_cluster(tmp_path, monkeypatch, capsys):
    """And what the cluster tells is followed by what is kept."""
    monkeypatch.chdir(tmp_path)
    asked = []

    @contextmanager
    def open_dask(scheduler, notice, patience_s):
        asked.append((scheduler, patience_s))
        notice("the scheduler is silent")
        raise ClusterError("the scheduler is gone")
        yield

    monkeypatch.setattr(cluster, "open_dask", open_dask)
    args = ["build", "p3c4r", "-s", "optimal", "--scheduler", "tcp://here:1", "--resume", "kept"]
    for extra in (["--patience", "20"], []):
        run(*args, *extra)
    assert asked == [("tcp://here:1", 20.0), ("tcp://here:1", cluster.PATIENCE_S)]
    first = capsys.readouterr().err.splitlines()[0]
    assert first == (
        "treegen: the scheduler is silent; what is finished is in kept: the same command resumes"
        " from there"
    )


@pytest.mark.parametrize("command", ["build", "simulate", "compare"])
@pytest.mark.parametrize(
    ("value", "message"), [("5", "needs --scheduler"), ("nan", "nan is out of range")]
)
def test_patience_needs_a_scheduler(capsys, command, value, message):
    assert message in refuse(capsys, command, "p2c2r", "--patience", value, "-s", "knuth")
