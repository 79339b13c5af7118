"""Outputs that are folders: how they may be called, and that no failure leaves one."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import treegen
from treegen import UsageError

from ..command import run
from ..paths import ROOT

PLAYERS = ["c", "js", "micropython", "python", "rust", "go", "java", "npm", "arduino"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    treegen.build("p2c3r").write("a.tree")
    return tmp_path


@pytest.mark.parametrize(
    "args",
    [
        *(["export", name, "a.tree", "-o", f"x.{ending}"] for name, ending in [
            ("c", "c"), ("js", "js"), ("js", "mjs"), ("python", "py"), ("rust", "rs"),
            ("go", "go"), ("java", "java"), ("npm", "zip"), ("arduino", "ino"), ("c", "tgt"),
        ]),
        ["patterns", "2", "-o", "x.tgt"],
        ["certify", "--checker", "check.c"],
        ["build", "p2c3r", "-s", "optimal", "--resume", "state.json"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_file_s_name_is_no_folder(folder, capsys, args):
    assert run(*args) == 2
    stem, _, ending = args[-1].partition(".")
    line = f"treegen: {args[-1]!r} is a file's name: give a folder, such as {stem}-{ending}\n"
    assert capsys.readouterr().err == line
    assert [path.name for path in folder.iterdir()] == ["a.tree"]


def test_the_library_refuses_it_too(folder):
    tree = treegen.read("a.tree")
    for write in (
        lambda: treegen.write_player(tree, "x.c", "c"),
        lambda: tree.write("x.py", "python"),
        lambda: treegen.write_checker("check.c"),
        lambda: treegen.patterns(2, "x.tgt"),
    ):
        with pytest.raises(UsageError, match="is a file's name"):
            write()


@pytest.mark.parametrize("name", ["x.c", ".c", "knuth-1.0", "v1.x", "c"])
def test_a_folder_may_be_called_so(folder, name):
    if name == "x.c":
        (folder / name).mkdir()
    assert run("export", "python", "a.tree", "-o", name) == 0
    assert (folder / name / "tgt_player.py").is_file()


def test_a_wrong_strategy_makes_no_folder(folder, capsys):
    assert run("patterns", "2", "-s", "bogus", "-o", "new") == 2
    assert not (folder / "new").exists()


def test_everything_is_written_from_a_zip_archive(folder):
    """As a zip application has the package: its own files have no paths."""
    with zipfile.ZipFile("app.zip", "w") as archive:
        for path in (ROOT / "treegen").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(ROOT))
    script = f"""
import sys
sys.path.insert(0, "app.zip")
import treegen
assert "app.zip" in treegen.__file__
tree = treegen.read("a.tree")
for language in {PLAYERS!r}:
    treegen.write_player(tree, f"out-{{language}}", language)
tree.write("page.html")
treegen.write_booklet(tree, "booklet.html")
treegen.write_checker("checker")
from treegen.checker import SOURCE, check_compiled, find_compiler
assert SOURCE.read_bytes()
if find_compiler():
    verdict = check_compiled(open("p2c3r.proof", "rb").read())
    assert verdict.is_proved, verdict
"""
    assert run("build", "p2c3r", "-s", "optimal", "-q", "--certificate", "p2c3r.proof") == 0
    subprocess.run([sys.executable, "-c", script], check=True)
    for language in PLAYERS:
        treegen.write_player("a.tree", f"own-{language}", language)
        for path in filter(Path.is_file, Path(f"own-{language}").rglob("*")):
            other = Path(f"out-{language}") / path.relative_to(f"own-{language}")
            assert other.read_bytes() == path.read_bytes()
