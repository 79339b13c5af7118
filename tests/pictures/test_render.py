"""The ladder of renderers: the dot program, pygraphviz, none."""

import builtins
import os
import stat
import sys

import pytest

from treegen import DependencyError, UsageError, build, write_picture

from ..written import bytes_of

BEGINNINGS = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def tree():
    return build("p2c3r", "knuth")


@pytest.fixture
def no_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


@pytest.fixture
def no_wheel(monkeypatch):
    genuine = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "pygraphviz":
            raise ImportError(name)
        return genuine(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "pygraphviz", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)


def put_program(folder, monkeypatch, script):
    """Put a program `dot` before all others on the path."""
    folder.mkdir(exist_ok=True)
    program = folder / "dot"
    program.write_text(f"#!{sys.executable}\n{script}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_the_wheel_draws_without_a_program(no_program, tree, tmp_path, kind):
    pytest.importorskip("pygraphviz")
    path = tmp_path / f"tree.{kind}"
    write_picture(tree, path)
    assert path.read_bytes().startswith(BEGINNINGS[kind])


def test_the_program_comes_first(no_wheel, tree, tmp_path, monkeypatch):
    script = "import sys; sys.stdin.read(); print('drawn by', *sys.argv[1:])"
    put_program(tmp_path, monkeypatch, script)
    drawn = bytes_of(tree, "png")
    assert drawn.startswith(b"drawn by")
    assert b"-Tpng" in drawn


def test_a_program_that_fails_leaves_the_document(tree, tmp_path, monkeypatch):
    put_program(tmp_path, monkeypatch, "import sys; sys.stdin.read(); sys.exit('no\\nfonts')")
    with pytest.raises(UsageError, match=r"^dot failed: no; fonts$"):
        bytes_of(tree, "svg")
    with pytest.raises(
        UsageError, match=r"^wrote '.*tree.gv' instead of a picture: dot failed: no; fonts$"
    ):
        write_picture(tree, tmp_path / "tree.svg")
    assert (tmp_path / "tree.gv").read_text("utf-8").startswith('digraph "p2c3r-knuth"')
    assert not (tmp_path / "tree.svg").exists()


def test_no_renderer_leaves_the_document_and_says_what_to_install(
    no_program, no_wheel, tree, tmp_path
):
    with pytest.raises(DependencyError) as caught:
        write_picture(tree, tmp_path / "tree.png")
    message = str(caught.value)
    assert "tree.gv" in message
    assert "pip install pygraphviz" in message
    assert "\n" not in message
    assert (tmp_path / "tree.gv").read_text("utf-8").startswith('digraph "p2c3r-knuth"')
    assert not (tmp_path / "tree.png").exists()


def test_an_unknown_format_is_refused(tree, tmp_path):
    with pytest.raises(UsageError, match=r"there are \.svg, \.png, \.pdf"):
        write_picture(tree, tmp_path / "tree.jpeg")
    assert list(tmp_path.iterdir()) == []
