"""Manifests: sha256sum takes them, figures are those of the trees."""

import hashlib
import json
import shutil
import subprocess

import pytest

from treegen import FormatError, UsageError, manifest, write_table, write_tree

from ..command import run
from .test_table import build


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tree = build("p2c3r")
    write_table(tree, tmp_path / "a b.tgt")
    write_table(tree, tmp_path / "lean.tgt", profile="lean")
    write_tree(tree, tmp_path / "x.tree")
    (tmp_path / "rules.txt").write_text("rules\n")
    return tmp_path


def test_sha256sum_checks_a_manifest(folder):
    names = ["a b.tgt", "lean.tgt", "x.tree", "rules.txt"]
    (folder / "sub").mkdir()
    assert run("manifest", *names, "-o", "sub/MANIFEST") == 0
    if shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not installed")
    check = ["sha256sum", "--strict", "-c", "MANIFEST"]
    assert subprocess.run(check, cwd=folder / "sub", capture_output=True).returncode == 0
    (folder / "rules.txt").write_text("other\n")
    assert subprocess.run(check, cwd=folder / "sub", capture_output=True).returncode == 1


def test_entries_tell_the_figures(folder):
    tree = build("p2c3r")
    for name in ("a b.tgt", "lean.tgt", "x.tree"):
        (entry,) = manifest(folder / name, folder=folder).entries
        data = (folder / name).read_bytes()
        assert (entry.name, entry.size_bytes) == (name, len(data))
        assert entry.sha256 == hashlib.sha256(data).hexdigest()
        assert (entry.digest, entry.total, entry.worst) == (tree.digest, tree.total, tree.worst)
    about, line = str(manifest(folder / "rules.txt", folder=folder)).splitlines()
    assert about == "# rules.txt: 6 bytes"
    assert line.endswith("  rules.txt")


def test_entries_are_printed_as_json(folder, capsys):
    assert run("manifest", "x.tree", "--json") == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["name"], entry["total"]) == ("x.tree", build("p2c3r").total)


def test_bad_files_are_refused(folder, capsys):
    (folder / "bad.tgt").write_bytes((folder / "lean.tgt").read_bytes()[:-1] + b"x")
    with pytest.raises(FormatError, match=r"bad\.tgt.*CRC"):
        manifest(folder / "bad.tgt")
    with pytest.raises(UsageError, match="name"):
        manifest("a\nb")
    assert run("manifest", "missing.tgt") == 2
    out, err = capsys.readouterr()
    assert (out, "missing.tgt" in err) == ("", True)
