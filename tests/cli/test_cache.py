"""treegen cache shows what is compiled and kept, and removes it; its folders are set up inside."""

import os

import pytest

from treegen.jit import cache, compiler

from ..command import run


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
    assert run("cache", "--old") == 0
    assert capsys.readouterr().out == "removed 1 folder, 2.0 MB\n"
    assert [folder.exists() for folder in folders] == [True, False, True]
    assert run("cache", "--clear") == 0
    assert capsys.readouterr().out == "removed 2 folders, 4.0 MB\n"
    assert not any(folder.exists() for folder in folders)
    assert other.exists() and target.exists()
    assert run("cache", "--clear", "--old") == 2
    assert "no effect with --clear" in capsys.readouterr().err
    assert run("cache") == 0
    assert capsys.readouterr().out == "no compiled code is kept\n"


def test_what_belongs_to_somebody_else_stays(folders, monkeypatch, capsys):
    monkeypatch.setattr(cache.os, "geteuid", lambda: folders[0].stat().st_uid + 1)
    assert run("cache", "--clear") == 0
    assert all(folder.exists() for folder in folders)
