"""treegen warmup compiles what later work needs; treegen cache shows and removes it.

Stand-ins compile for it; folders are set up inside.
"""

import os
import re
import subprocess
import sys

import click
import pytest

import treegen
from treegen import warming
from treegen.cli.command import Command, show_compiling, show_line
from treegen.cli.output import show_progress
from treegen.jit import cache, compiler
from treegen.tasks.work import open_progress

from ..command import refuse, run, show, show_json
from ..paths import ROOT


def test_it_says_where_kernels_are(monkeypatch, capsys):
    done = []
    tasks = [("rules", lambda: done.append(treegen.build("p2c3r"))), ("more", lambda: None)]
    monkeypatch.setattr(warming, "_list_tasks", lambda: iter(tasks))
    found = show_json(capsys, "warmup")
    assert found.keys() == treegen.read_schema("warmup")["properties"].keys()
    assert len(done) == 1
    told = []
    shown = treegen.warmup(progress=told.append)
    assert [state.stage for state in told] == ["rules", "more"]
    assert str(shown).endswith("0 of them compiled now")
    assert run("warmup") == 0
    assert capsys.readouterr().err == "compiling 1 of 2: rules\ncompiling 2 of 2: more\n"
    assert run("warmup", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("title", ["p5c8r-knuth", "a-long-list-of-words.txt, 2,315 words-entropy"])
def test_a_bar_leaves_room_for_all_its_parts(title, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    note = "guess 4: 1,140 of 2,659 states, 3 s left, 123 of 32,768 secrets found, 4,079/s, 192 MB"
    with open_progress(True, title) as tell:
        tell(treegen.Progress("build", 0.5, 1.0, note))
    shown = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", capsys.readouterr().err)
    lines = [line for line in re.split("[\r\n]+", shown) if "guess" in line]
    assert lines
    for line in lines:
        assert re.fullmatch(r".{11,26} [━╸╺]{20} guess 4: 1,140.*… 0:00:0\d", line)
        assert len(line) <= 80


def test_a_dumb_terminal_gets_lines(monkeypatch, capsys):
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    follow = show_progress(quiet=False)
    for stage, done in (("first", 1), ("first", 2), ("then", 1)):
        follow(treegen.Progress(stage, done, 9, f"{done} of 9"))
    for number in range(1, 4):
        show_compiling(treegen.Progress("compiling", number, 3, ""))
    told = ["first: 1 of 9", "then: 1 of 9", "compiling kernels, once on this machine"]
    assert capsys.readouterr().err.splitlines() == told
    assert show_progress(quiet=True) is False


def test_it_counts_kernels_on_a_terminal_only(capsys):
    show_compiling(treegen.Progress("compiling", 7, 17, ""))
    show_line("a line that would hide it")
    show_compiling(treegen.Progress("compiling", 0, 0, ""))
    show_line("stage: 1 s")
    lines = [line.strip() for line in capsys.readouterr().err.split("\r")]
    counted = "compiling kernels, once on this machine: 7 of 17 or more"
    assert lines == ["", counted, "", "", "stage: 1 s"]


def test_what_is_compiled_is_counted_once_for_a_command(capsys):
    for number in range(1, 4):  # each is known only when the one before it is done
        show_compiling(treegen.Progress("compiling", number, number, ""))
    show_compiling(treegen.Progress("compiling", 0, 0, ""))
    counts = [line.strip()[-1:] for line in capsys.readouterr().err.split("\r")]
    assert counts == ["", "1", "2", "3", "", ""]


@pytest.mark.compiled
@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("options", [[], ["--quiet"]])
def test_a_command_counts_what_it_compiles(options, is_terminal, monkeypatch, capsys):
    monkeypatch.setattr(compiler, "_find_folder", lambda: None)
    kernel = compiler.njit(lambda x: x)
    quiet = click.Option(["--quiet"], is_flag=True)
    command = Command("some", callback=lambda quiet: kernel(1), params=[quiet])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    command.main(options, standalone_mode=False)
    told = "compiling kernels, once on this machine: 1" in capsys.readouterr().err
    assert told == (is_terminal and not options)


def test_without_a_folder_it_says_so():
    assert "NUMBA_CACHE_DIR" in str(treegen.Warmup(None, 0, 0))


KERNELS = """
import importlib, pkgutil, treegen
from treegen.jit import interpreter
treegen.warmup()
kernels, compiled, replaced = {}, set(), set()
for module in pkgutil.walk_packages(treegen.__path__, "treegen."):
    if "__main__" in module.name or "micropython" in module.name:
        continue
    for name, kernel in vars(importlib.import_module(module.name)).items():
        # What this machine has a better kernel for.
        if hasattr(getattr(kernel, "plain", None), "py_func"):
            interpreter._find_kernels(kernel.plain.py_func, replaced)
        if isinstance(kernel, interpreter.Kernel):
            kernels[kernel.py_func] = f"{module.name}.{name}"
            if kernel.dispatcher.signatures:
                compiled.add(kernel.py_func)
                called = set()
                interpreter._find_kernels(kernel.py_func, called)
                compiled.update(each.py_func for each in called)
assert len(compiled & set(kernels)) > 50
compiled.update(each.py_func for each in replaced)
print(*(name for function, name in kernels.items() if function not in compiled))
"""


@pytest.mark.slow
@pytest.mark.compiled
def test_every_kernel_is_compiled():
    # One that is loaded from the cache does not load those that it calls, which are in its code.
    found = subprocess.run(
        [sys.executable, "-c", KERNELS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert found.stdout == "\n"


@pytest.mark.slow
def test_a_second_run_compiles_nothing():
    assert treegen.warmup().n_kernels > 0
    assert treegen.warmup().n_new == 0


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Three folders of compiled code: in use, of another version, and of the checker of proofs."""
    monkeypatch.setattr(cache, "PACKAGE", tmp_path / "package")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "wanted"))
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    made = [cache.open_folder(f"{digest:016}", str(tmp_path / "wanted"))[0] for digest in (1, 2)]
    made.append(cache.open_folder("3" * 16, prefix="treegen-checker-")[0])
    for number, folder in enumerate(made, start=1):
        (folder / "kernel.nbi").write_bytes(bytes(number * 10**6))
        os.utime(folder, (0, 0))
    monkeypatch.setattr(compiler, "_find_folder", lambda: made[0])
    return made


def test_it_shows_where_and_how_large(folders, capsys):
    assert run("cache") == 0
    names, *rows = [line.split(maxsplit=4) for line in capsys.readouterr().out.splitlines()]
    assert names == ["folder", "size", "last", "used", "what"]
    whats = "kernels of this version", "kernels of another version", "the checker of proofs"
    assert {tuple(row) for row in rows} == {
        (str(folder), f"{size}.0", "MB", "1970-01-01", what)
        for size, (folder, what) in enumerate(zip(folders, whats, strict=True), start=1)
    }


def test_it_removes_other_versions_or_all(folders, tmp_path, capsys):
    other = tmp_path / "wanted" / "treegen-kernels-of-mine"
    other.mkdir()
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "wanted" / f"{folders[0].name[:-1]}9").symlink_to(target)
    assert show(capsys, "cache", "--old") == "removed 1 folder, 2.0 MB\n"
    assert [folder.exists() for folder in folders] == [True, False, True]
    assert show(capsys, "cache", "--clear") == "removed 2 folders, 4.0 MB\n"
    assert not any(folder.exists() for folder in folders)
    assert other.exists() and target.exists()
    assert "no effect with --clear" in refuse(capsys, "cache", "--clear", "--old")
    assert show(capsys, "cache") == "no compiled code is kept\n"


def test_what_belongs_to_somebody_else_stays(folders, monkeypatch, capsys):
    monkeypatch.setattr(cache.os, "geteuid", lambda: folders[0].stat().st_uid + 1)
    assert run("cache", "--clear") == 0
    assert all(folder.exists() for folder in folders)
