"""Files are written whole or not at all."""

import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from treegen import FormatError, UsageError, _files, build
from treegen._files import (
    explain_reading,
    map_file,
    open_text,
    read_bytes,
    read_text,
    write_atomically,
)


def listing(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "x"
    write_atomically(path, b"abc")
    write_atomically(str(path), iter([b"de", b"", b"f"]))
    assert read_bytes(path) == b"def"
    assert listing(tmp_path) == ["x"]


def failing_chunks():
    yield b"half"
    raise KeyboardInterrupt


@pytest.mark.parametrize("old", [None, b"old"])
def test_interrupted_nothing_changes(tmp_path, old):
    path = tmp_path / "x"
    if old is not None:
        path.write_bytes(old)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, failing_chunks())
    assert listing(tmp_path) == ([] if old is None else ["x"])
    assert old is None or path.read_bytes() == old


def test_mode_is_the_old_files_or_the_umasks(tmp_path):
    path = tmp_path / "x"
    umask = os.umask(0o027)
    try:
        write_atomically(path, b"1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write_atomically(path, b"2")
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(umask)


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    write_atomically(link, b"1")
    write_atomically(link, b"2")
    assert link.is_symlink()
    assert target.read_bytes() == b"2"
    assert listing(tmp_path) == ["link", "target"]


def test_devices_are_written_to(tmp_path):
    write_atomically("/dev/null", b"x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("no/such/x", "the folder 'no/such' does not exist"),
        ("file/x", "Not a directory"),
        (".", "directory"),
        ("", "the path is empty"),
        ("a" * 300, "name too long"),
        ("nul\0byte", "null byte"),
        ("loop", "Too many levels of symbolic links"),
        ("loop/x", "Too many levels of symbolic links"),
    ],
)
def test_places_that_cannot_be_written_are_one_line(tmp_path, monkeypatch, path, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(UsageError, match=f"cannot write .*{reason}") as caught:
        write_atomically(path, b"x")
    assert "\n" not in str(caught.value)
    assert listing(tmp_path) == ["file", "loop"]


def test_a_long_name_is_written(tmp_path):
    write_atomically(tmp_path / ("a" * 250), b"x")
    assert listing(tmp_path) == ["a" * 250]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line():
    with pytest.raises(UsageError, match="No space left"):
        write_atomically("/dev/full", b"x" * 100_000)


def test_unreadable_files_are_one_line(tmp_path):
    with pytest.raises(FormatError, match="No such file"):
        read_bytes(tmp_path / "none")
    with pytest.raises(FormatError, match="directory"):
        read_bytes(tmp_path)
    with pytest.raises(FormatError, match="null byte"):
        read_bytes("nul\0byte")


CUT_OFF = """
import os, sys, treegen
path = sys.argv[1]
tree = treegen.read(sys.argv[2])
for cut in (lambda: os.truncate(path, 0), lambda: open(path, "wb").write(bytes(9))):
    for name in ("tree", "table"):
        tree.write(path, name)
        read = treegen.read(path)
        cut()
        read.check()
        assert (read.digest, read.total) == (tree.digest, 216)
"""


def test_a_file_that_is_read_may_be_cut_off(tmp_path):
    """In a process of its own: a mapped file would end it."""
    build("p3c4r").write(tmp_path / "whole.tree")
    command = [sys.executable, "-c", CUT_OFF, tmp_path / "x", tmp_path / "whole.tree"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("least", [1, 100])
def test_files_are_mapped_from_a_size_on(tmp_path, monkeypatch, least):
    monkeypatch.setattr(_files, "MAPPED_BYTES", least)
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert map_file(path)[1:3] == b"23"
    path.write_bytes(b"")
    assert map_file(path) == b""  # which cannot be mapped
    with pytest.raises(FileNotFoundError):
        map_file(tmp_path / "none")


def test_why_a_file_is_unreadable(tmp_path):
    with (
        pytest.raises(FormatError, match=r"cannot read .*none': No such file"),
        explain_reading(tmp_path / "none"),
    ):
        map_file(tmp_path / "none")
    with (
        pytest.raises(FormatError, match="a path cannot contain a null byte"),
        explain_reading("nul\0byte"),
    ):
        map_file("nul\0byte")
    with pytest.raises(FormatError, match="cannot read 'x': too long to map"), explain_reading("x"):
        raise ValueError("too long to map")


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    monkeypatch.setattr(_files, "MAX_BYTES", 5)
    assert read_bytes(path) == b"12345"
    monkeypatch.setattr(_files, "MAX_BYTES", 4)
    with pytest.raises(FormatError, match="more than 4 bytes"):
        read_bytes(path)


UTF_16 = "name,a\nx,1\n".encode("utf-16")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_text_is_read_with_any_line_ends_and_mark(tmp_path, end, start):
    path = tmp_path / "x"
    path.write_bytes((start + "é\nb\n\nc").replace("\n", end).encode())
    assert read_text(path) == "é\nb\n\nc"
    with open_text(path) as stream:
        assert stream.read() == "é\nb\n\nc"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (UTF_16, "UTF-16; save it as UTF-8 text, a spreadsheet or table as UTF-8 CSV"),
        (UTF_16[2:], "UTF-16; save it as UTF-8 text"),
        ("word\n".encode("utf-16-be"), "UTF-16; save it as UTF-8 text"),
        (b"PK\x03\x04\x14\x00\x06", r"a zip archive, as workbooks \(.xlsx, .ods\) are; save it as"),
        (b"\xd0\xcf\x11\xe0\xa1", r"a workbook \(.xls\); save it as UTF-8"),
        (gzip.compress(b"crane\n", mtime=0), "compressed by gzip; unpack it and save it as UTF-8"),
        ("Taupe géante".encode("latin-1"), "byte 0xe9 .*; save it as UTF-8"),
    ],
)
def test_what_is_no_text_is_named(tmp_path, data, problem):
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=problem):
        read_text(path)
    with pytest.raises(FormatError, match=problem), open_text(path) as stream:
        stream.read()


@pytest.mark.parametrize("fails_at", range(4))
def test_a_folder_that_cannot_be_filled_leaves_nothing(tmp_path, monkeypatch, fails_at):
    contents = {"a.c": b"1", "src/b.c": b"2", "c.tgt": b"3", "src/d.c": b"4"}
    (tmp_path / "old" / "src").mkdir(parents=True)
    (tmp_path / "old" / "c.tgt").write_bytes(b"older")
    write, n_written = _files.write_atomically, 0

    def fail(path, data):
        nonlocal n_written
        if n_written == fails_at:
            raise UsageError(f"cannot write {path}: no space")
        n_written += 1
        write(path, data)

    monkeypatch.setattr(_files, "write_atomically", fail)
    for place in ("new", "far/new"):
        n_written = 0
        with pytest.raises(UsageError, match="no space"):
            _files.write_folder(tmp_path / place, contents)
    assert listing(tmp_path) == ["old"]
    n_written = 0
    with pytest.raises(UsageError, match="no space"):
        _files.write_folder(tmp_path / "old", contents)
    left = {path.name for path in (tmp_path / "old").rglob("*")}
    assert left == {"src", "c.tgt"}


def test_a_file_of_nearly_the_name_is_suggested(tmp_path):
    (tmp_path / "knuth.tree").touch()
    (tmp_path / "knut.tree.d").mkdir()
    for wrong in ("knut.tree", "knuth.tre"):
        with pytest.raises(FormatError) as refused:
            read_text(tmp_path / wrong)
        assert str(refused.value).endswith(f"; did you mean {str(tmp_path / 'knuth.tree')!r}?")
    with pytest.raises(FormatError, match=r"No such file or directory$"):
        read_text(tmp_path / "words.txt")
