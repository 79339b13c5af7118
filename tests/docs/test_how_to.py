"""What the how-to pages say of boards and of their programs in C is so; triage, with its tables."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from treegen import build, make_player, write_player

from ..command import run
from ..paths import ROOT


def test_the_board_gets_all_files():
    text = (ROOT / "docs" / "how-to" / "microcontroller.md").read_text("utf-8")
    told = r"`treegen export micropython (.*?)copy\s(.*?) to the board(.*?) in all"
    size, names, more = re.findall(told, text, re.DOTALL)[0]
    full, lean = (make_player(build("p2c3r"), "micropython", profile=p) for p in ("full", "lean"))
    assert {*re.findall("`(.*?)`", names)} == full.keys() - {"README.md"}
    assert {*re.findall(r"`(\S+\.py)`", more)} == lean.keys() - full.keys()
    sizes = [len(full["tgt_player.py"]), len(lean["tgt_player.py"]) + len(lean["tgt_lean.py"])]
    told = re.findall(r"([\d.]+) KB", size + more)
    assert told == [f"{size / 1000:.1f}" for size in sizes]


PORT = ROOT / "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"
OPEN = {
    "full": ("tgt_player", "open_table(data)"),
    "lean": ("tgt_lean", "open_lean(data, ['pegs', 4, 6, 1, 'pegs'])"),
}


@pytest.mark.slow
@pytest.mark.skipif(not PORT.exists(), reason="`make browser-tools` brings MicroPython's port")
def test_the_players_in_micropython_take_the_memory_that_the_page_says(tmp_path):
    text = (ROOT / "docs" / "how-to" / "microcontroller.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|((?: [\d,]+ \|){6})$", text, re.MULTILINE)
    told = {name: [int(n.replace(",", "")) for n in row.split("|")[:-1]] for name, row in rows}
    assert told.keys() == OPEN.keys()
    for profile, (module, call) in OPEN.items():
        folder = tmp_path / profile
        write_player(build("p4c6r", "knuth"), folder, "micropython", profile=profile)
        program = ROOT / "tests" / "players" / "memory.mjs"
        command = ["node", program, PORT, folder, module, call]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        *parts, most = json.loads(done.stdout)
        assert told[profile] == [*parts, sum(parts), most]


SSVC = os.environ.get("TREEGEN_SSVC")
"""The folder data/csv of CERTCC/SSVC, whose tables are not ours to ship."""


@pytest.mark.skipif(SSVC is None, reason="TREEGEN_SSVC names no tables")
def test_triage_takes_the_questions_that_the_page_says(tmp_path, monkeypatch, capfd):
    for path in Path(str(SSVC)).glob("*/*.csv"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "how-to" / "triage.md").read_text("utf-8").partition("## 4.")[2]
    least, names = [], []
    for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ treegen ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            assert run(*shlex.split(line)) == 0
            assert capfd.readouterr().out == output
            least += re.findall(r"average ([\d.]+)", output)
            names += re.findall(r"build (\w+.csv) --names", line)
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.setattr(sys, "argv", ["", *names])
    exec(program, {})
    given = re.findall(r" ([\d.]+)$", capfd.readouterr().out, re.MULTILINE)
    rows = re.findall(r"^\|[^|]+\| \d+ \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    assert rows == [(most, f"{float(few):.2f}") for most, few in zip(given, least, strict=False)]
    assert len(Path("rules.csv").read_text("utf-8").splitlines()) == 1 + 30


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_the_program_in_c_plays_as_it_stands(tmp_path):
    text = (ROOT / "docs" / "how-to" / "microcontroller.md").read_text("utf-8")
    ((name, program),) = re.findall(r"`knuth-c/(\w+\.c)`:\n\n```c\n(.*?)```", text, re.DOTALL)
    write_player(build("p4c6r", "knuth"), tmp_path, "c", profile="lean")
    (tmp_path / name).write_text(program, "utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *flags, name, "-o", "own"], cwd=tmp_path, check=True)
    typed = "1 0\n3 1\n9 9\n0 2\n2 1\n2 1\n4 0\n"
    said = subprocess.run(["./own"], cwd=tmp_path, input=typed, capture_output=True, text=True)
    again = "1 3 4 4 ? no code fits that answer; please check it\n"
    assert said.stdout == f"1 1 2 2 ? {again}{again}1 3 4 4 ? 3 1 3 5 ? 3 1 5 6 ? 3 1 6 3 ? found\n"


@pytest.mark.skipif(not (shutil.which("cc") and shutil.which("size")), reason="no C compiler")
@pytest.mark.parametrize(("profile", "n_bytes"), [("full", 200), ("slim", 400)])
def test_the_example_in_c_has_the_memory_of_its_game(profile, n_bytes, tmp_path):
    """It kept room for a line of 64 KB, and for codes of 1,000 pegs."""
    write_player(build("p4c6r", "knuth"), tmp_path, "c", profile=profile)
    subprocess.run(["cc", "-O2", "-c", "example.c"], cwd=tmp_path, check=True)
    told = subprocess.run(["size", "example.o"], cwd=tmp_path, capture_output=True, text=True)
    text, data, bss = map(int, told.stdout.splitlines()[1].split()[:3])
    assert data + bss <= n_bytes < text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_player_is_compiled_and_plays(tmp_path):
    text = (ROOT / "docs" / "how-to" / "microcontroller.md").read_text("utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            done = subprocess.run(
                ["sh", "-c", line],
                cwd=tmp_path,
                env={**os.environ, "PATH": programs, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
            )
            assert (done.returncode, done.stdout) == (0, output), line
