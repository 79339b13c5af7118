"""Tables on the command line: export, import, verify, stats, and what is refused."""

import json
import subprocess
import sys
from types import SimpleNamespace

import msgpack
import pytest

from treegen.cli.main import main
from treegen.formats.load import write_tree

from ..formats.test_table import build, reseal


@pytest.fixture
def run(capfd):
    """Run a command in this process; return its exit code, output and messages."""

    def run_command(*arguments):
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        return SimpleNamespace(returncode=caught.value.code, **capfd.readouterr()._asdict())

    return run_command


@pytest.fixture
def tree_path(tmp_path):
    write_tree(build("p3c4r"), tmp_path / "x.tree")
    return tmp_path / "x.tree"


@pytest.mark.parametrize("profile", ["full", "lean", "slim"])
def test_export_and_import(profile, tree_path, tmp_path, run):
    tree, table = build("p3c4r"), tmp_path / "x.tgt"
    assert run("export", "table", tree_path, "--profile", profile, "-o", table).returncode == 0
    figures = json.loads(run("stats", table, "--json").out)
    assert (figures["digest"], figures["total"]) == (tree.digest, tree.total)
    assert run("verify", table).returncode == 0
    assert run("import", "table", table, "-g", "p3c4r", "-o", tmp_path / "y.tree").returncode == 0
    figures = json.loads(run("stats", tmp_path / "y.tree", "--json").out)
    assert figures["digest"] == tree.digest


def pipe(data, *arguments):
    command = [sys.executable, "-m", "treegen", *arguments, "-", "-o", "-"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def test_through_pipes(tree_path):
    table = pipe(tree_path.read_bytes(), "export", "table")
    assert table[1:6] == b"\xa4TGT1"
    assert pipe(table, "import", "table")[1:5] == b"TREE"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["import", "table", "{table}", "-g", "p2c2r", "-o", "{out}"], "game p3c4r, not of p2c2r"),
        (["import", "table", "{tree}", "-o", "{out}"], "no table"),
        (["import", "table", "nowhere.tgt", "-o", "{out}"], "nowhere.tgt"),
        (["export", "table", "{tree}", "--profile", "fat", "-o", "{out}"], "fat"),
        (["export", "c", "{tree}", "-o", "{tree}/x"], "cannot make the folder"),
    ],
)
def test_bad_input_gives_one_line_and_writes_nothing(arguments, message, tree_path, tmp_path, run):
    table, out = tmp_path / "x.tgt", tmp_path / "out"
    run("export", "table", tree_path, "-o", table)
    names = {"table": table, "tree": tree_path, "out": out}
    result = run(*[argument.format(**names) for argument in arguments])
    assert result.returncode == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1
    assert not out.exists()


def test_a_table_that_claims_too_much_fails_to_verify(tree_path, tmp_path, run):
    table = tmp_path / "x.tgt"
    run("export", "table", tree_path, "-o", table)
    values = msgpack.unpackb(table.read_bytes())
    values[5]["total"] -= 1
    values[-1] = 2**32 - 1
    table.write_bytes(reseal(values))
    result = run("verify", table)
    assert result.returncode == 1
    assert "total" in result.out + result.err
