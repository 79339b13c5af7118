"""Manifests: sha256sum takes them, figures are those of the trees."""

import hashlib
import json
import shutil
import subprocess
import sys

import pytest

from treegen.errors import FormatError, UsageError
from treegen.formats.load import write_table, write_tree
from treegen.formats.manifest import Manifest, make_entry

from .test_table import build


@pytest.fixture
def folder(tmp_path):
    tree = build("p2c3r")
    write_table(tree, tmp_path / "a b.tgt")
    write_table(tree, tmp_path / "lean.tgt", profile="lean")
    write_tree(tree, tmp_path / "x.tree")
    (tmp_path / "rules.txt").write_text("rules\n")
    return tmp_path


def run(*arguments, folder):
    return subprocess.run(
        [sys.executable, "-m", "treegen", "manifest", *arguments],
        cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip


def test_sha256sum_checks_a_manifest(folder):
    names = ["a b.tgt", "lean.tgt", "x.tree", "rules.txt"]
    (folder / "sub").mkdir()
    assert run(*names, "-o", "sub/MANIFEST", folder=folder).returncode == 0
    if shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not installed")
    check = ["sha256sum", "--strict", "-c", "MANIFEST"]
    assert subprocess.run(check, cwd=folder / "sub", capture_output=True).returncode == 0
    (folder / "rules.txt").write_text("other\n")
    assert subprocess.run(check, cwd=folder / "sub", capture_output=True).returncode == 1


def test_entries_tell_the_figures(folder):
    tree = build("p2c3r")
    for name in ("a b.tgt", "lean.tgt", "x.tree"):
        entry = make_entry(folder / name, folder)
        data = (folder / name).read_bytes()
        assert (entry.name, entry.size_bytes) == (name, len(data))
        assert entry.sha256 == hashlib.sha256(data).hexdigest()
        assert (entry.digest, entry.total, entry.worst) == (tree.digest, tree.total, tree.worst)
    about, line = str(Manifest((make_entry(folder / "rules.txt", folder),))).splitlines()
    assert about == "# rules.txt: 6 bytes"
    assert line.endswith("  rules.txt")


def test_json(folder):
    result = run("x.tree", "--json", folder=folder)
    (entry,) = json.loads(result.stdout)
    assert (entry["name"], entry["total"]) == ("x.tree", build("p2c3r").total)


def test_bad_files(folder):
    (folder / "bad.tgt").write_bytes((folder / "lean.tgt").read_bytes()[:-1] + b"x")
    with pytest.raises(FormatError, match=r"bad\.tgt.*CRC"):
        make_entry(folder / "bad.tgt")
    with pytest.raises(UsageError, match="name"):
        make_entry("a\nb")
    result = run("missing.tgt", folder=folder)
    assert (result.returncode, result.stdout) == (2, "")
    assert "missing.tgt" in result.stderr
